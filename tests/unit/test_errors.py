import copy
import pickle

from typing import Any

import pytest
from dsh_tools import HarnessError, SchemaError, ToolArgsError, ToolNotFoundError
from dsh_tools.errors import log_fault

from tests.unit.hostile import refuse


class NetError(HarnessError):
    def __init__(self, host: str) -> None:
        super().__init__(f"{host} does not answer", "NET")
        self.host = host


class Bare(HarnessError):
    """A subclass whose constructor forgets its parent's."""

    def __init__(self) -> None:
        pass


ERRORS = [
    HarnessError("disk full", "DISK"),
    HarnessError(message="disk full", code="DISK"),
    NetError("example.org"),
    ToolArgsError(['missing required property "a"']),
    ToolNotFoundError("nope"),
    SchemaError(['"a": unknown key "b"'], "read"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("copied", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_can_be_copied_and_pickled(error: HarnessError, copied: object) -> None:
    assert callable(copied)
    again = copied(error)
    assert (type(again), str(again), again.code) == (type(error), str(error), error.code)
    assert vars(again) == vars(error)


def test_a_subclass_that_forgets_its_parent_still_has_a_code_and_a_text() -> None:
    assert (Bare().code, str(Bare())) == ("ERROR", "")


def test_schema_error_names_its_tool() -> None:
    error = SchemaError(['"a": unknown key "b"', '"c": no'], "read")
    assert str(error) == 'invalid definition of tool "read": "a": unknown key "b"; "c": no'
    assert (error.violations, error.code) == (['"a": unknown key "b"', '"c": no'], "INVALID_SCHEMA")


class TestSchemaError:
    def test_all_faults_are_in_the_message_as_long_as_they_fit(self) -> None:
        faults = [f"fault {number}" for number in range(100)]
        assert str(SchemaError(faults)) == "invalid schema: " + "; ".join(faults)

    def test_the_message_is_bounded(self) -> None:
        faults = [f"fault {number}" for number in range(10_000)]
        error = SchemaError(faults, "t" * 100_000)
        assert len(str(error)) <= 4096
        assert str(error).endswith(" more")
        assert error.violations == faults
        assert len(str(SchemaError(["x" * 100_000]))) <= 4096


class TestToolArgsError:
    def test_few_violations_are_all_there(self) -> None:
        violations = [f"violation {number}" for number in range(20)]
        assert str(ToolArgsError(violations)) == "invalid arguments: " + "; ".join(violations)

    def test_many_are_counted(self) -> None:
        violations = [f"violation {number}" for number in range(1000)]
        error = ToolArgsError(violations)
        assert str(error).endswith("; violation 19; … and 980 more")
        assert error.violations == violations

    @pytest.mark.parametrize("length", [300, 4094, 4095, 4096, 100_000])
    @pytest.mark.parametrize("count", [1, 2, 15, 30])
    def test_the_message_is_never_longer_than_4096_characters(
        self, length: int, count: int
    ) -> None:
        violations = ["v" * length for _ in range(count)]
        text = str(ToolArgsError(violations))
        assert len(text) <= 4096
        shown = text.count("v" * min(length, 300))
        assert shown >= 1
        if text.endswith(" more"):
            assert int(text.rsplit(" ", 2)[1]) == count - text.removeprefix("in").count("; v") - 1

    def test_violations_are_copied(self) -> None:
        violations = ["one"]
        error = ToolArgsError(violations)
        violations.append("two")
        assert error.violations == ["one"]


class TestToolNotFoundError:
    def test_the_closest_names_come_first_and_then_the_others_in_order(self) -> None:
        error = ToolNotFoundError("bash", ["Shell", "Read", "run_bash", "BASH"])
        assert str(error) == 'unknown tool "bash" (available: BASH, run_bash, Read, Shell)'
        error = ToolNotFoundError("x", ["b", "c", "a"])
        assert str(error) == 'unknown tool "x" (available: a, b, c)'

    def test_many_names_are_counted(self) -> None:
        text = str(ToolNotFoundError("x", [f"tool{number:03}" for number in range(50)]))
        assert text.endswith("tool019, … and 30 more)")

    def test_names_of_any_length_give_a_short_text(self) -> None:
        assert len(str(ToolNotFoundError("x", ["x" * 100_000] * 50))) < 4096

    def test_no_names(self) -> None:
        assert str(ToolNotFoundError("x", [])) == 'unknown tool "x" (no tools are available)'

    def test_a_name_of_any_length_gives_a_short_text(self) -> None:
        error = ToolNotFoundError("x" * 10_000)
        assert len(str(error)) < 200
        assert error.tool_name == "x" * 10_000

    @pytest.mark.parametrize("name", [None, 5, ["x"]])
    def test_a_name_may_be_no_text(self, name: Any) -> None:
        error = ToolNotFoundError(name, ["a"])
        assert str(error) == 'unknown tool "<no text>" (available: a)'
        assert error.tool_name is name


def test_an_error_that_refuses_to_be_logged_is_no_fault_of_the_call() -> None:
    class Unloggable(Exception):
        __traceback__ = __cause__ = __context__ = property(refuse)

    log_fault("t", "the tool failed", Unloggable())


def test_an_error_with_a_long_text_is_logged_in_short(caplog: pytest.LogCaptureFixture) -> None:
    class Long(ValueError):
        pass

    log_fault("t" * 10_000, "x" * 10_000, Long("y" * 10_000_000))
    (record,) = caplog.records
    assert len(record.getMessage()) < 4300
    assert record.exc_info is not None
    kind, error, _ = record.exc_info
    assert kind is not None
    assert (kind.__name__, len(str(error))) == ("Long", 4096)
