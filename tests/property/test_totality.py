"""Whatever arrives, a verdict, a result or a card comes out: nothing raises and nothing hangs."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolRegistry, define_tool, parse_arguments, validate_args
from dsh_tools.adapters.acp import AcpTranslator, has_terminal

from tests.unit.hostile import HUGE, MAKERS
from tests.unit.support import call, check_of, raw_tool, shorten_walks, validator_of

Make = Callable[[], Any]

SPEC: Any = {
    "v": {"type": "string", "required": True, "enum": ["x"]},
    "w": {"type": "number"},
    "rows": {"type": "array", "items": {"type": "object", "properties": {"v": {"type": "integer"}}}},
    "inner": {"type": "object", "properties": {"v": {"type": "boolean"}, "w": {"type": "array"}}},
    "deep": {"type": "string"},
}
for _ in range(40):
    SPEC["deep"] = {"type": "array", "items": SPEC["deep"]}

PLACES: dict[str, Callable[[Any], Any]] = {
    "the arguments": lambda value: value,
    "v": lambda value: {"v": value},
    "w": lambda value: {"v": "x", "w": value},
    "rows": lambda value: {"v": "x", "rows": value},
    "rows[0]": lambda value: {"v": "x", "rows": [value]},
    "rows[0].v": lambda value: {"v": "x", "rows": [{"v": value}]},
    "inner.v": lambda value: {"v": "x", "inner": {"v": value}},
    "deep": lambda value: {"v": "x", "deep": value},
    "undeclared": lambda value: {"v": "x", "undeclared": value},
}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Faults are logged, and how a record of a hostile error looks is not the question here."""
    logger = logging.getLogger("dsh_tools")
    logger.addFilter(refused := lambda record: False)
    yield
    logger.removeFilter(refused)


@pytest.fixture(autouse=True)
def short_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk without end is given up after a second, and here a little earlier."""
    shorten_walks(monkeypatch, 100_000)


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return PLACES[request.param]


def echoing() -> ToolRegistry:
    """A registry with a typed tool "t", a raw tool "raw" and every kind of listener."""
    registry = ToolRegistry(approve=lambda execution, reason: True)
    registry.register(
        define_tool(
            name="t",
            description="",
            parameters=SPEC,
            execute=lambda args, execution: "ran",
            present_call=lambda args: None,
            present_result=lambda args, result: None,
        )
    )
    registry.register(raw_tool(lambda args, execution: "ran", "raw"))
    registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
    registry.on_post_execute(lambda execution, result, next: next())
    registry.guard(lambda execution: None)
    return registry


def check_result(result: Any, *, most: int = 4_200) -> None:
    assert type(result) is dict and type(result["is_error"]) is bool
    for block in json.loads(json.dumps(result["content"])):
        if block["type"] == "text":
            assert len(block["text"].encode()) <= most
    json.dumps(result.get("error"), ensure_ascii=False).encode()


def test_any_arguments_get_a_verdict(make: Make, place: Callable[[Any], Any]) -> None:
    for arguments in (place(make()), place(make())):
        violations = validate_args(SPEC, arguments)
        assert type(violations) is list and {str} >= set(map(type, violations))


def test_the_generated_check_gives_the_same_verdict(
    make: Make, place: Callable[[Any], Any]
) -> None:
    check = check_of(SPEC)
    if check(place(make())):
        assert validator_of(SPEC).violations(place(make())) == []


@pytest.mark.parametrize("name", ["t", "raw"])
def test_any_arguments_get_a_result_and_cards(
    make: Make, place: Callable[[Any], Any], name: str
) -> None:
    registry = echoing()
    check_result(registry.execute(call(name=name, arguments=place(make()))))
    assert registry.present_call(call(name=name, arguments=place(make())))["card"] == "generic"
    result: Any = {"content": [], "is_error": False, "meta": make()}
    card = registry.present_result(call(name=name, arguments=place(make())), result)
    assert card == {"card": "generic", "content": []}


@pytest.mark.parametrize("listener", ["none", "asks", "fails"])
def test_any_name_gets_a_result_and_cards(make: Make, listener: str) -> None:
    registry = ToolRegistry(approve=lambda execution, reason: 1 / 0 > 1)
    if listener == "asks":
        registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
    if listener == "fails":
        registry.on_pre_execute(lambda execution, next: next()["no such key"])  # type: ignore[typeddict-item]
    check_result(registry.execute(call(name=make())))
    assert type(registry.present_call(call(name=make()))["title"]) is str
    result: Any = {"content": [], "is_error": False}
    assert registry.present_result(call(name=make()), result)["card"] == "generic"


def test_any_call_id_gets_a_result(make: Make) -> None:
    check_result(echoing().execute(call(call_id=make(), arguments={"v": "x"})))


OUTPUTS: dict[str, Callable[[Any], Any]] = {
    "the output": lambda value: value,
    "a block": lambda value: [value],
    "a type": lambda value: [{"type": value}],
    "a text": lambda value: [{"type": "text", "text": value}],
    "an extra": lambda value: [{"type": "text", "text": "x", "extra": [value]}],
    "a block's key": lambda value: [{"type": "text", "text": "x", value: 1}],
    "an inner result": lambda value: [{"type": "tool-result", "tool_call_id": "c", "content": value}],
    "the content": lambda value: {"content": value},
    "the meta": lambda value: {"content": [], "meta": value},
}


@pytest.mark.parametrize("output", OUTPUTS)
def test_any_output_gives_a_result(make: Make, output: str) -> None:
    def body(args: object, execution: object) -> Any:
        return OUTPUTS[output](make())

    registry = ToolRegistry()
    registry.register(raw_tool(body))
    check_result(registry.execute(call()), most=100_000)
    registry.on_post_execute(lambda execution, result, next: next())
    check_result(registry.execute(call()), most=100_000)


DECISIONS: dict[str, Callable[[Any], Any]] = {
    "the decision": lambda value: value,
    "a kind": lambda value: {"kind": value},
    "a denial's reason": lambda value: {"kind": "deny", "reason": value},
    "a question's reason": lambda value: {"kind": "ask", "reason": value},
    "an accepted content": lambda value: {"kind": "accept", "content": value},
    "a feedback": lambda value: {"kind": "block", "feedback": value},
    "a context": lambda value: {"kind": "accept", "additional_context": value},
    "a source": lambda value: {
        "kind": "accept",
        "additional_context": {"content": [], "source": value},
    },
    "a key": lambda value: {"kind": "accept", value: 1},
}


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("add", ["on_pre_execute", "on_post_execute"])
def test_any_decision_gives_a_result(make: Make, decision: str, add: str) -> None:
    registry = ToolRegistry(approve=lambda execution, reason: make())
    getattr(registry, add)(lambda *values: DECISIONS[decision](make()))
    check_result(registry.execute(call()), most=100_010)


def test_any_verdict_of_a_guard_gives_a_result(make: Make) -> None:
    registry = ToolRegistry()
    registry.guard(lambda execution: make())
    check_result(registry.execute(call()), most=100_010)


def test_any_signal_gives_a_result(make: Make) -> None:
    class Signal:
        def is_set(self) -> Any:
            return make()

    for signal in (Signal(), make()):
        execution = call()
        execution["signal"] = signal
        check_result(ToolRegistry().execute(execution))


ERRORS: dict[str, Callable[[Any], Any]] = {
    "an error's text": lambda value: type("E", (Exception,), {"__str__": lambda self: value})(),
    "an error's class": lambda value: type("E", (Exception,), {"__class__": value})(),
    "an error's own traceback": lambda value: type("E", (Exception,), {"__traceback__": value})(),
    "a cause": lambda value: type("E", (Exception,), {"__cause__": value, "__context__": value})(),
    "a code": lambda value: HarnessError("text", value),
    "a code of its own": lambda value: type("H", (HarnessError,), {"code": value})("text", "C"),
}


@pytest.mark.parametrize("error", ERRORS)
def test_any_error_gives_a_result(make: Make, error: str) -> None:
    def body(args: object, execution: object) -> Any:
        raise ERRORS[error](make())

    registry = ToolRegistry()
    registry.register(raw_tool(body))
    check_result(registry.execute(call()), most=100_010)


VIEWS: dict[str, Callable[[Any], Any]] = {
    "the card": lambda value: value,
    "its kind": lambda value: {"card": value},
    "a title": lambda value: {"card": "generic", "title": value, "content": []},
    "a content": lambda value: {"card": "generic", "title": "x", "content": value},
    "an input": lambda value: {"card": "generic", "title": "x", "raw_input": value},
    "locations": lambda value: {"card": "generic", "title": "x", "locations": [value]},
    "diffs": lambda value: {"card": "diff", "title": "x", "diffs": value},
    "a path": lambda value: {
        "card": "diff",
        "title": "x",
        "diffs": [{"path": value, "old_text": None, "new_text": value}],
    },
    "a terminal": lambda value: {"card": "terminal", "title": value, "cwd": value},
    "an exit code": lambda value: {"card": "terminal", "title": "x", "exit_code": value},
    "another key": lambda value: {"card": "generic", "title": "x", "other": value},
}


@pytest.mark.parametrize("view", VIEWS)
def test_any_view_gives_a_card_and_updates(make: Make, view: str) -> None:
    tool = raw_tool(lambda args, execution: None)
    tool["present_call"] = lambda args: VIEWS[view](make())
    tool["present_result"] = lambda args, result: VIEWS[view](make())
    registry = ToolRegistry()
    registry.register(tool)
    result: Any = {"content": [], "is_error": False}
    assert type(registry.present_call(call())) is dict
    assert type(registry.present_result(call(), result)) is dict
    for terminal in (True, False):
        acp = AcpTranslator(registry, cwd="/srv", terminal=terminal)
        assert type(acp.tool_call("c", "t", "{}")["title"]) is str
        assert acp.tool_result("c", result)["status"] == "completed"


@pytest.mark.parametrize("where", ["id", "name", "arguments"])
def test_any_call_gives_updates(make: Make, where: str) -> None:
    acp = AcpTranslator(echoing(), cwd="/srv", terminal=True)
    given: list[Any] = ["c", "t", "{}"]
    given[["id", "name", "arguments"].index(where)] = make()
    update = acp.tool_call(*given)
    assert (type(update["toolCallId"]), type(update["title"])) == (str, str)
    assert acp.tool_result(given[0], {"content": [], "is_error": True})["status"] == "failed"


def test_any_argument_text_is_read(make: Make) -> None:
    parse_arguments(make())


def test_any_capabilities_are_read(make: Make) -> None:
    for capabilities in (make(), {"_meta": make()}, {"_meta": {"terminal_output": make()}}):
        assert has_terminal(capabilities) is False


@pytest.mark.parametrize("huge", HUGE)
def test_what_is_huge_gets_a_verdict_a_result_and_a_card(huge: str) -> None:
    items: Any = {"type": "object" if "object" in huge else "integer"}
    spec: Any = {"v": {"type": "array", "required": True, "items": items}}
    arguments = {"v": HUGE[huge]()}
    assert len(validate_args(spec, arguments)) <= 1_000_000
    registry = ToolRegistry()
    registry.register(
        define_tool(name="t", description="", parameters=spec, execute=lambda args, e: "ran")
    )
    check_result(registry.execute(call(arguments=arguments)))
    assert registry.present_call(call(arguments=arguments))["card"] == "generic"
