"""One call: isolation, failing parts, and what a model reads of them."""

import asyncio
import copy
import gc
import logging
import threading
from collections.abc import Callable
from enum import Enum
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolDefinition, ToolExecution, ToolRegistry, define_tool

from tests.unit.hostile import (
    MAKERS,
    Meta,
    MuteDict,
    MuteReal,
    MuteText,
    MuteWhole,
    Pretender,
    TwoFaced,
    nested,
    refuse,
)
from tests.unit.support import call, raw_tool, text_of, watching


def registry_of(*tools: ToolDefinition, approve: Any = None) -> ToolRegistry:
    registry = ToolRegistry(approve=approve)
    for tool in tools:
        registry.register(tool)
    return registry


def returning(output: object) -> ToolRegistry:
    return registry_of(raw_tool(lambda args, execution: output))


def raising(error: BaseException) -> ToolRegistry:
    def body(args: object, execution: ToolExecution) -> None:
        raise error

    return registry_of(raw_tool(body))


CYCLIC: Any = [{"type": "text", "text": "x"}]
CYCLIC[0]["self"] = CYCLIC
CYCLIC_RESULT: Any = [{"type": "tool-result", "tool_call_id": "c"}]
CYCLIC_RESULT[0]["content"] = CYCLIC_RESULT
DEEP_RESULT: Any = []
for _ in range(18):
    DEEP_RESULT = [{"type": "tool-result", "tool_call_id": "c", "content": DEEP_RESULT}]


class Text(str):
    def __str__(self) -> str:
        return "a subclass may say what it likes"


class Reason(str, Enum):
    READ_ONLY = "read-only session"


class TestOutput:
    @pytest.mark.parametrize(
        ("output", "content"),
        [
            (None, []),
            ("", [{"type": "text", "text": ""}]),
            ("text", [{"type": "text", "text": "text"}]),
            ([], []),
            ({"content": []}, []),
            (
                [{"type": "image", "url": "x.png"}, {"type": "reasoning", "text": "hm"}],
                [{"type": "image", "url": "x.png"}, {"type": "reasoning", "text": "hm"}],
            ),
            (
                [{"type": "tool-result", "tool_call_id": "c", "content": []}],
                [{"type": "tool-result", "tool_call_id": "c", "content": []}],
            ),
        ],
    )
    def test_what_a_tool_may_return(self, output: object, content: object) -> None:
        result = returning(output).execute(call())
        assert result == {"call_id": "c1", "content": content, "is_error": False}

    @pytest.mark.parametrize(
        ("output", "text"),
        [
            (42, "the tool returned an int"),
            ({}, 'a dict that does not hold "content" and perhaps "meta"'),
            ({"result": 1}, 'a dict that does not hold "content" and perhaps "meta"'),
            ({"content": [], "is_error": True}, 'does not hold "content" and perhaps "meta"'),
            ({"content": None}, "is no list of content blocks (it is None)"),
            ({"content": "text"}, "is no list of content blocks (it is a str)"),
            ([{"type": "text", "text": "x", "extra": object()}], "[0] is not JSON"),
            ([{"type": "text", "text": "x", "extra": float("nan")}], "[0] is not JSON"),
            ([{"type": "image", "url": "x", "mime_type": b"x"}], '[0] has no text under "mime_type"'),
            (
                [{"type": "tool-result", "tool_call_id": "c", "content": [], "is_error": 1}],
                '[0] has no True or False under "is_error"',
            ),
            (CYCLIC, "[0] is not JSON"),
            (CYCLIC_RESULT, "[0] is not JSON"),
            (DEEP_RESULT, "nested more than 16 deep"),
            (["text"], "[0] is a str"),
            ([{"type": "text"}], '[0] has no text under "text"'),
            ([{"type": "text", "text": "x"}, {"type": "image", "url": 5}], '[1] has no text under "url"'),
            ([{"type": "video", "url": "x"}], '[0] has no "type" that is one of text, image'),
            ([{"type": ["text"]}], '[0] has no "type" that is one of text, image'),
            (
                [{"type": "tool-result", "tool_call_id": "c", "content": ["x"]}],
                '[0] has no proper "content": [0] is a str',
            ),
            (iter([]), "the tool returned a list_iterator"),
        ],
    )
    def test_anything_else_is_an_error(
        self, output: object, text: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        reviewed: list[bool] = []
        registry = returning(output)
        registry.on_post_execute(
            watching(lambda execution, result: reviewed.append(result["is_error"]))
        )
        result = registry.execute(call())
        assert result["error"] == {"name": "HarnessError", "code": "INVALID_RESULT"}
        assert text in text_of(result)
        assert reviewed == [True]
        assert len(caplog.records) == 1

    def test_keys_of_a_block_are_fit_for_utf8(self) -> None:
        block: Any = {"type": "text", "text": "x", "\ud800": 1}
        content: Any = returning([block]).execute(call())["content"]
        assert content == [{"type": "text", "text": "x", "\ufffd": 1}]

    def test_an_awaitable_is_closed_and_no_success(self) -> None:
        async def later() -> str:
            return "done"

        coroutine: Any = later()
        result = returning(coroutine).execute(call())
        assert result["error"]["code"] == "INVALID_RESULT"
        assert "awaitable" in text_of(result)
        assert coroutine.cr_frame is None

    def test_text_of_a_subclass_is_its_text(self) -> None:
        for output in (Text("hi"), [{"type": "text", "text": Text("hi")}]):
            content: Any = returning(output).execute(call())["content"]
            assert content == [{"type": "text", "text": "hi"}]
        assert text_of(returning(Reason.READ_ONLY).execute(call())) == "read-only session"

    @pytest.mark.parametrize("value", [{}, [], 0, False, "", None, {"rows": [1]}])
    def test_a_value_is_kept_whatever_it_is(self, value: object) -> None:
        assert returning({"content": [], "value": value}).execute(call())["value"] == value
        assert "value" not in returning({"content": []}).execute(call())

    def test_a_value_is_json(self) -> None:
        for value in (object(), {1: 2}, float("nan"), CYCLIC):
            result = returning({"content": [], "value": value}).execute(call())
            assert 'a "value" that is not JSON' in text_of(result)

    @pytest.mark.parametrize("meta", [{}, [], 0, False, "", {"rows": [1]}])
    def test_meta_is_kept_unless_it_is_none(self, meta: object) -> None:
        assert returning({"content": [], "meta": meta}).execute(call())["meta"] == meta
        assert "meta" not in returning({"content": [], "meta": None}).execute(call())

    def test_lone_surrogates_never_reach_the_model(self) -> None:
        block = {"type": "text", "text": "Hello \ud800", "extra": ["\udc00"], "\ud800": 1}
        content: Any = returning([block]).execute(call())["content"]
        assert content == [
            {"type": "text", "text": "Hello \ufffd", "extra": ["\ufffd"], "\ufffd": 1}
        ]
        assert text_of(returning("\ud83d").execute(call())) == "\ufffd"
        odd: Any = [{"type": "text", "text": Text("\ud800")}]
        assert text_of(returning(odd).execute(call())) == "\ufffd"
        assert text_of(raising(ValueError("\ud83d")).execute(call())) == "Error: \ufffd"
        assert "k\ufffd" in text_of(ToolRegistry().execute(call(name="k\udc00")))


class TestFailure:
    @pytest.mark.parametrize(
        ("error", "text"),
        [
            (ValueError("bad"), "Error: bad"),
            (ValueError(), "Error: ValueError"),
            (KeyError("city"), "Error: KeyError: 'city'"),
            (KeyError(), "Error: KeyError"),
            (type("Lost", (KeyError,), {})("x"), "Error: Lost: 'x'"),
            (type("Mute", (Exception,), {"__str__": lambda self: 1 / 0})(), "Error: Mute"),
            (RecursionError("deep"), "Error: deep"),
            (ExceptionGroup("several", [ValueError("a")]), "Error: several (1 sub-exception)"),
        ],
    )
    def test_text(self, error: Exception, text: str, caplog: pytest.LogCaptureFixture) -> None:
        result = raising(error).execute(call())
        assert text_of(result) == text
        assert "error" not in result
        (record,) = caplog.records
        assert (record.name, record.exc_info is not None) == ("dsh_tools", True)

    def test_a_harness_error_is_the_tools_word_and_not_logged(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        class DiskError(HarnessError):
            pass

        result = raising(DiskError("disk full", "DISK")).execute(call())
        assert (text_of(result), result["error"]) == (
            "Error: disk full",
            {"name": "DiskError", "code": "DISK"},
        )
        assert caplog.records == []

    def test_a_log_handler_that_fails_costs_no_result(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def emit(record: logging.LogRecord) -> None:
            raise RuntimeError("handler broke")

        handler = logging.Handler()
        monkeypatch.setattr(handler, "emit", emit)
        logger = logging.getLogger("dsh_tools")
        logger.addHandler(handler)
        try:
            assert text_of(raising(ValueError("bad")).execute(call())) == "Error: bad"
        finally:
            logger.removeHandler(handler)
        assert "handler broke" in capsys.readouterr().err

    def test_an_error_that_says_nothing_right_still_gives_a_result(self) -> None:
        class Broken(HarnessError):
            @property
            def code(self) -> str:  # type: ignore[override]  # as odd as it can be
                raise RuntimeError("no code")

            def __init__(self) -> None:
                pass

        result = raising(Broken()).execute(call())
        assert (text_of(result), result["error"]["code"]) == ("Error: Broken", "ERROR")
        numbered: Any = HarnessError(42, 404)  # type: ignore[arg-type]  # what people do
        result = raising(numbered).execute(call())
        assert (text_of(result), result["error"]["code"]) == ("Error: 42", "404")

    def test_causes_notes_and_tracebacks_stay_on_the_hosts_side(self) -> None:
        error = ValueError("lookup failed")
        error.__cause__ = RuntimeError("auth key=EXAMPLE-SECRET")
        error.add_note("EXAMPLE-SECRET")
        assert text_of(raising(error).execute(call())) == "Error: lookup failed"

    @pytest.mark.parametrize(
        "error", [KeyboardInterrupt(), SystemExit(1), asyncio.CancelledError(), GeneratorExit()]
    )
    def test_what_is_no_exception_passes_through(self, error: BaseException) -> None:
        with pytest.raises(type(error)):
            raising(error).execute(call())

    @pytest.mark.parametrize("key", ["call_id", "name", "arguments"])
    def test_an_incomplete_execution_is_the_hosts_error(self, key: str) -> None:
        execution: Any = call()
        del execution[key]
        with pytest.raises(HarnessError, match=f'the execution has no "{key}"') as raised:
            ToolRegistry().execute(execution)
        assert raised.value.code == "INVALID_EXECUTION"


class TestSignal:
    def test_a_call_that_is_no_longer_wanted_does_not_run(self) -> None:
        signal, ran = threading.Event(), []
        registry = registry_of(raw_tool(lambda args, execution: ran.append(execution)))
        execution = call()
        execution["signal"] = signal
        assert not registry.execute(execution)["is_error"]
        signal.set()
        result = registry.execute(execution)
        assert (result["is_error"], result["error"]["code"]) == (True, "ABORTED")
        assert len(ran) == 1

    def test_an_agent_that_is_data_is_copied(self) -> None:
        agent = {"turns": [1]}

        def body(args: object, execution: Any) -> None:
            execution["agent"]["turns"].append(2)

        registry = registry_of(raw_tool(body))
        execution = call()
        execution["agent"] = agent
        assert registry.execute(execution)["is_error"] is False
        assert agent == {"turns": [1]}

    def test_the_body_gets_the_hosts_own_signal_and_agent(self) -> None:
        seen: list[ToolExecution] = []
        registry = registry_of(raw_tool(lambda args, execution: seen.append(execution)))
        registry.on_pre_execute(watching(seen.append))
        execution, agent = call(), object()
        execution["signal"], execution["agent"] = threading.Event(), agent
        registry.execute(execution)
        assert [shown["agent"] is agent for shown in seen] == [True, True]
        assert [shown["signal"] is execution["signal"] for shown in seen] == [True, True]


class TestGate:
    @pytest.mark.parametrize(
        "decision",
        [
            None,
            True,
            "allow",
            {},
            {"kind": "maybe"},
            {"kind": True},
            {"kind": "deny"},
            {"kind": "deny", "reason": None},
            {"kind": "deny", "reason": 5},
            {"kind": "ask", "reason": 5},
        ],
    )
    def test_an_answer_that_is_no_decision_lets_nothing_run(
        self, decision: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        ran: list[object] = []
        registry = registry_of(
            raw_tool(lambda args, execution: ran.append(args)), approve=lambda *call: True
        )
        registry.on_post_execute(watching(lambda *call: ran.append("post")))
        registry.on_pre_execute(lambda execution, next: decision)
        result = registry.execute(call())
        assert result["is_error"] is True
        assert text_of(result).startswith("Error: a pre-execute listener answered ")
        assert "error" not in result
        assert ran == []
        assert len(caplog.records) == 1

    @pytest.mark.parametrize("kind", ["deny", "ask"])
    def test_a_reason_may_be_a_member_of_an_enum(self, kind: str) -> None:
        decision: Any = {"kind": kind, "reason": Reason.READ_ONLY}
        registry = returning("ran")
        registry.on_pre_execute(lambda execution, next: decision)
        assert text_of(registry.execute(call())) == "Error: read-only session"
        registry = returning("ran")
        registry.guard(lambda execution: Reason.READ_ONLY)
        assert text_of(registry.execute(call())) == "Error: read-only session"

    def test_nobody_is_asked_about_a_call_that_is_no_longer_wanted(self) -> None:
        asked: list[Any] = []

        def approve(execution: ToolExecution, reason: str | None) -> bool:
            asked.append(execution)
            return True

        registry = registry_of(raw_tool(lambda args, execution: "ran"), approve=approve)
        registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
        execution = call()
        execution["signal"] = threading.Event()
        execution["signal"].set()  # type: ignore[attr-defined]  # it is an Event
        assert registry.execute(execution)["error"]["code"] == "ABORTED"
        assert asked == []

    def test_a_signal_that_fails_ends_the_call_unasked(self) -> None:
        class Signal:
            def is_set(self) -> bool:
                raise OSError("the pipe is closed")

        asked: list[Any] = []
        registry = registry_of(
            raw_tool(lambda args, execution: "ran"), approve=lambda *call: asked.append(call)
        )
        registry.on_pre_execute(lambda execution, next: {"kind": "ask", "reason": "sure?"})
        execution = call()
        execution["signal"] = Signal()
        assert text_of(registry.execute(execution)) == "Error: the pipe is closed"
        assert asked == []

    def test_a_call_that_is_cancelled_while_a_person_thinks_does_not_run(self) -> None:
        signal = threading.Event()

        def approve(execution: ToolExecution, reason: str | None) -> bool:
            signal.set()
            return True

        registry = registry_of(raw_tool(lambda args, execution: "ran"), approve=approve)
        registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
        execution = call()
        execution["signal"] = signal
        assert registry.execute(execution)["error"]["code"] == "ABORTED"

    @pytest.mark.parametrize("arguments", [{}, {"path": 5}])
    def test_nobody_is_asked_about_a_call_that_cannot_run(self, arguments: object) -> None:
        asked, ran = list[Any](), list[Any]()
        registry = registry_of(
            define_tool(
                name="t",
                description="",
                parameters={"path": {"type": "string", "required": True}},
                execute=lambda args, execution: ran.append(args),
            ),
            approve=lambda *call: asked.append(call),
        )
        registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
        result = registry.execute(call(arguments=arguments))
        assert result["error"]["code"] == "INVALID_ARGS"
        assert text_of(result).startswith("Error: invalid arguments: ")
        assert registry.execute(call(name="x"))["error"]["code"] == "UNKNOWN_TOOL"
        registry.guard(lambda execution: "rule 7")
        assert text_of(registry.execute(call(arguments={"path": "a"}))) == "Error: rule 7"
        assert (asked, ran) == ([], [])

    @pytest.mark.parametrize("found", [["no"], "no", 5, True])
    def test_a_raw_tool_that_has_violations_does_not_run(self, found: Any) -> None:
        asked, ran = list[Any](), list[Any]()
        tool = raw_tool(lambda args, execution: ran.append(args))
        tool["violations"] = lambda args: found
        registry = registry_of(tool, approve=lambda *call: asked.append(call))
        registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
        assert registry.execute(call())["is_error"] is True
        assert (asked, ran) == ([], [])

    def test_what_was_shown_is_what_runs(self) -> None:
        ran: list[Any] = []
        tool = raw_tool(lambda args, execution: ran.append(args))
        tool["violations"] = lambda args: args.clear()  # type: ignore[attr-defined]  # a dict

        def approve(execution: ToolExecution, reason: str | None) -> bool:
            scribble(execution)
            return True

        registry = registry_of(tool, approve=approve)
        registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
        registry.on_pre_execute(lambda execution, next: next())
        registry.execute(call(arguments={"a": [1]}))
        assert ran == [{"a": [1]}]

    def test_the_tool_that_was_asked_about_runs(self) -> None:
        registry = ToolRegistry(approve=lambda *call: replace())
        dispose = registry.register(raw_tool(lambda args, execution: "the first"))

        def replace() -> bool:
            dispose()
            registry.register(raw_tool(lambda args, execution: "another"))
            return True

        registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
        assert text_of(registry.execute(call())) == "the first"

    def test_an_async_listener_fails_closed_and_does_not_warn(self) -> None:
        async def listener(execution: Any, next: Any) -> Any:
            return next()

        registry = returning("ran")
        wrong: Any = listener
        registry.on_pre_execute(wrong)
        assert "answered a coroutine" in text_of(registry.execute(call()))

    @pytest.mark.parametrize(
        ("reason", "text"),
        [
            ({}, 'Error: tool "t" requires approval (not yet supported)'),
            ({"reason": "touches prod"}, "Error: touches prod"),
            ({"reason": ""}, "Error: "),
        ],
    )
    def test_ask_with_nobody_to_ask_denies(self, reason: Any, text: str) -> None:
        assert self.refusal(None, {"kind": "ask", **reason}) == text

    @pytest.mark.parametrize(
        ("answer", "text", "faults"),
        [
            (False, "", 0),
            ("not on a Friday", ": not on a Friday", 0),
            (Reason.READ_ONLY, ": read-only session", 0),
            ("x" * 10_000_000, ": " + "x" * 4054 + "…", 0),
            ("\ud800", ": \ufffd", 0),
            (1, "", 1),
            (None, "", 1),
            (ValueError("no terminal"), "", 1),
        ],
        ids=range(8),
    )
    def test_a_person_who_refuses(
        self, answer: Any, text: str, faults: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        def approve(execution: ToolExecution, reason: str | None) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

        decision = {"kind": "ask", "reason": "sure?"}
        assert self.refusal(approve, decision) == f'Error: the user refused to run tool "t"{text}'
        assert len(caplog.records) == faults

    def test_an_async_approve_refuses_and_says_so(self, caplog: pytest.LogCaptureFixture) -> None:
        async def approve(execution: Any, reason: Any) -> bool:
            return True

        refused = 'Error: the user refused to run tool "t"'
        assert self.refusal(approve, {"kind": "ask"}) == refused
        (record,) = caplog.records
        assert "approve answered a coroutine instead of True, False" in record.getMessage()

    def refusal(self, approve: Any, decision: Any) -> str:
        """What the model reads of a call that was refused, and reviewed like any other."""
        ran, reviewed = list[Any](), list[Any]()
        registry = registry_of(raw_tool(lambda args, execution: ran.append(args)), approve=approve)
        registry.on_pre_execute(lambda execution, next: decision)
        registry.on_post_execute(watching(lambda *call: reviewed.append(call)))
        result = registry.execute(call())
        assert (result["is_error"], "error" in result) == (True, False)
        assert (len(ran), len(reviewed)) == (0, 1)
        return text_of(result)

    def test_ask_with_a_yes_runs(self) -> None:
        asked: list[Any] = []

        def approve(execution: ToolExecution, reason: str | None) -> bool:
            asked.append((execution, reason))
            return True

        registry = registry_of(raw_tool(lambda args, execution: "ran"), approve=approve)
        registry.on_pre_execute(lambda execution, next: {"kind": "ask", "reason": "sure?"})
        assert text_of(registry.execute(call(arguments={"a": 1}))) == "ran"
        assert asked == [(call(arguments={"a": 1}), "sure?")]


def noting(calls: list[Any]) -> Callable[[ToolExecution], None]:
    """A guard that lets every call pass."""

    def guard(execution: ToolExecution) -> None:
        calls.append(execution)

    return guard


class TestGuards:
    def test_a_guard_has_the_last_word(self) -> None:
        seen: list[Any] = []
        registry = returning("ran")
        registry.guard(noting(seen))
        dispose = registry.guard(lambda execution: "rule 7")
        registry.guard(noting(seen))
        registry.on_pre_execute(lambda execution, next: {"kind": "allow"}, prepend=True)
        reviewed: list[Any] = []
        registry.on_post_execute(watching(lambda execution, result: reviewed.append(result)))
        result = registry.execute(call(arguments={"a": 1}))
        assert result == {
            "call_id": "c1",
            "content": [{"type": "text", "text": "Error: rule 7"}],
            "is_error": True,
        }
        assert seen == [call(arguments={"a": 1})]
        assert reviewed == [result]
        dispose()
        assert text_of(registry.execute(call())) == "ran"

    @pytest.mark.parametrize(
        ("answer", "text"),
        [
            (True, "Error: a guard answered a bool instead of a reason or None"),
            (False, "Error: a guard answered a bool instead of a reason or None"),
            ({"kind": "allow"}, "Error: a guard answered a dict instead of a reason or None"),
            ("", "Error: "),
            (ValueError("guard broke"), "Error: guard broke"),
            (HarnessError("guard broke", "G"), "Error: guard broke"),
        ],
    )
    def test_whatever_is_no_pass_denies(self, answer: Any, text: str) -> None:
        def guard(execution: ToolExecution) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

        registry = returning("ran")
        registry.guard(guard)
        result = registry.execute(call())
        assert (text_of(result), result["is_error"], "error" in result) == (text, True, False)

    def test_no_guard_can_blind_another(self) -> None:
        registry = returning("ran")
        registry.guard(lambda execution: scribble(execution))
        registry.guard(lambda execution: "danger" if execution["arguments"] == {"a": 1} else None)
        assert text_of(registry.execute(call(arguments={"a": 1}))) == "Error: danger"

    def test_a_denied_call_asks_no_guard(self) -> None:
        asked: list[Any] = []
        registry = returning("ran")
        registry.guard(noting(asked))
        registry.on_pre_execute(lambda execution, next: {"kind": "deny", "reason": "no"})
        registry.execute(call())
        assert asked == []


class TestReview:
    @pytest.mark.parametrize(
        "decision",
        [
            None,
            {"kind": "shrug"},
            {"kind": "allow"},
            {"kind": "accept", "content": None},
            {"kind": "accept", "content": "text"},
            {"kind": "block"},
            {"kind": "block", "feedback": "text"},
            {"kind": "accept", "additional_context": "text"},
            {"kind": "accept", "additional_context": {"content": [], "source": None}},
            {"kind": "accept", "additional_context": {"content": ["x"], "source": {}}},
            ValueError("scanner down"),
        ],
    )
    def test_a_faulty_listener_withholds_the_outcome(
        self, decision: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        def listener(*call: Any) -> Any:
            if isinstance(decision, Exception):
                raise decision
            return decision

        registry = returning({"content": [{"type": "text", "text": "SECRET"}], "meta": {"s": 1}})
        registry.on_post_execute(listener)
        result = registry.execute(call())
        assert result.keys() == {"call_id", "content", "is_error"}
        assert result["is_error"] is True
        assert "SECRET" not in text_of(result)
        assert len(caplog.records) == 1

    def test_text_of_a_decision_is_repaired(self) -> None:
        block = {"type": "text", "text": "\ud800"}
        decision: Any = {
            "kind": "block",
            "feedback": [block],
            "additional_context": {"content": [block], "source": {"kind": "user"}},
        }
        registry = returning("ran")
        registry.on_post_execute(lambda *call: decision)
        result = registry.execute(call())
        assert text_of(result) == "\ufffd"
        assert result["additional_context"]["content"] == [{"type": "text", "text": "\ufffd"}]


    def test_what_becomes_of_value_and_meta(self) -> None:
        decisions = list[Any]()
        output = {"content": [], "meta": "m", "value": {"n": [3]}}
        registry = returning(output)
        registry.on_post_execute(lambda *call: decisions.pop())
        decisions.append({"kind": "accept", "content": [{"type": "text", "text": "x"}]})
        result = registry.execute(call())
        assert (text_of(result), result["meta"], result["value"]) == ("x", "m", {"n": [3]})
        decisions.append({"kind": "block", "feedback": []})
        assert registry.execute(call()).keys() == {"call_id", "content", "is_error"}


class TestWire:
    WIRE: Any = {"namespace": "files", "caller": {"type": "direct"}}

    def execution(self, name: str = "t") -> ToolExecution:
        execution = call(name=name)
        execution["wire"] = self.WIRE
        return execution

    def test_every_result_carries_what_its_call_did(self) -> None:
        registry = returning("ran")
        assert registry.execute(self.execution())["wire"] == self.WIRE
        assert registry.execute(self.execution("x"))["wire"] == self.WIRE
        dispose = registry.on_post_execute(
            lambda execution, result, next: {"kind": "block", "feedback": []}
        )
        assert registry.execute(self.execution())["wire"] == self.WIRE
        dispose()
        registry.on_pre_execute(lambda *call: 1 / 0)  # type: ignore[arg-type]  # it fails
        assert registry.execute(self.execution())["wire"] == self.WIRE
        assert "wire" not in registry.execute(call())

    def test_nobody_can_change_it(self) -> None:
        registry = registry_of(raw_tool(lambda args, execution: scribble(execution)))
        registry.on_post_execute(watching(lambda execution, result: scribble(execution)))
        execution = self.execution()
        before = copy.deepcopy(execution)
        assert registry.execute(execution)["wire"] == self.WIRE
        assert execution == before


class TestOnResult:
    @pytest.mark.parametrize(
        ("stage", "text"),
        [
            ("nothing", "ran"),
            ("faulty pre", "Error: broken"),
            ("faulty post", "Error: broken"),
            ("denied", "Error: no"),
            ("guarded", "Error: rule 7"),
            ("asked", "Error: sure?"),
            ("unknown", 'Error: unknown tool "x" (available: t)'),
        ],
    )
    def test_every_outcome_is_seen_once_as_it_is(self, stage: str, text: str) -> None:
        def fail(*call: Any) -> Any:
            raise ValueError("broken")

        decisions: Any = {
            "denied": {"kind": "deny", "reason": "no"},
            "asked": {"kind": "ask", "reason": "sure?"},
        }
        registry, seen = returning("ran"), list[Any]()
        registry.on_result(lambda execution, result: seen.append((execution, result)))
        if stage in decisions:
            registry.on_pre_execute(lambda *call: decisions[stage])
        if stage == "faulty pre":
            registry.on_pre_execute(fail)
        if stage == "faulty post":
            registry.on_post_execute(fail)
        if stage == "guarded":
            registry.guard(lambda execution: "rule 7")
        execution = call(name="x" if stage == "unknown" else "t")
        result = registry.execute(execution)
        assert text_of(result) == text
        assert seen == [(execution, result)]

    def test_it_changes_nothing_and_stops_nobody(self, caplog: pytest.LogCaptureFixture) -> None:
        async def later(execution: Any, result: Any) -> None:
            pass

        def spoil(execution: Any, result: Any) -> None:
            scribble(execution)
            scribble(result)
            raise ValueError("broken")

        seen: list[Any] = []
        registry = returning({"content": [], "meta": [1], "value": [2]})
        dispose = registry.on_result(spoil)
        registry.on_result(later)
        registry.on_result(lambda execution, result: seen.append((execution, result)))
        execution = call(arguments={"a": [1]})
        result = registry.execute(execution)
        assert result == {
            "call_id": "c1", "content": [], "is_error": False, "meta": [1], "value": [2],
        }  # fmt: skip
        assert seen == [(call(arguments={"a": [1]}), result)]
        (record,) = caplog.records
        assert record.getMessage() == "'t': a result listener failed"
        dispose()
        registry.execute(call())
        assert len(caplog.records) == 1

    def test_a_call_that_never_ends_in_a_result_is_not_seen(self) -> None:
        seen: list[Any] = []
        registry = raising(KeyboardInterrupt())
        registry.on_result(lambda *call: seen.append(call))
        with pytest.raises(KeyboardInterrupt):
            registry.execute(call())
        assert seen == []


def test_a_failure_is_told_in_4096_characters() -> None:
    long = "x" * 10_000_000
    results = [raising(error).execute(call()) for error in (ValueError(long), KeyError(long))]
    registry = returning("ran")
    registry.on_pre_execute(lambda execution, next: {"kind": "deny", "reason": long})
    results += [raising(HarnessError(long, long)).execute(call()), registry.execute(call())]
    for result in results:
        text = text_of(result)
        assert (len(text), text[-1]) == (4096, "…")
    assert len(results[2]["error"]["code"]) <= 4096


def scribble(value: Any) -> None:
    """Spoil everything in a value that can be spoilt."""
    if isinstance(value, dict):
        for inner in list(value.values()):
            scribble(inner)
        value["name"] = value["call_id"] = value["scribbled"] = "scribbled"
    elif isinstance(value, list):
        for inner in value:
            scribble(inner)
        value.append("scribbled")
    elif isinstance(value, tuple):
        for inner in value:
            scribble(inner)
    elif isinstance(value, set):
        value.add("scribbled")


class TestIsolation:
    ARGUMENTS: Any = {"a": [1, {"b": [2]}], "s": "x", "no JSON": ([1], {2})}

    @pytest.mark.parametrize("listeners", [False, True])
    def test_nobody_gets_hold_of_what_others_rely_on(self, listeners: bool) -> None:
        seen: dict[str, Any] = {}

        def note(stage: str, execution: ToolExecution) -> None:
            seen[stage] = copy.deepcopy(dict(execution))
            scribble(execution)

        kept: Any = [{"type": "text", "text": "kept"}]
        meta: Any = {"rows": [1], "set": {1}, "pair": ([1], 2)}
        meta_before = copy.deepcopy(meta)

        def body(args: Any, execution: Any) -> Any:
            seen["args"] = copy.deepcopy(args)
            note("body", execution)
            return {"content": kept, "meta": meta}

        def pre(execution: ToolExecution, next: Callable[[], Any]) -> Any:
            note("pre", execution)
            next()
            return {"kind": "ask"}

        def post(execution: ToolExecution, result: Any, next: Callable[[], Any]) -> Any:
            note("post", execution)
            seen["result"] = copy.deepcopy(result)
            scribble(result)
            return next()

        def approve(execution: ToolExecution, reason: str | None) -> bool:
            note("approve", execution)
            return True

        registry = registry_of(raw_tool(body), approve=approve)
        if listeners:
            registry.on_pre_execute(pre)
            registry.guard(lambda execution: note("guard", execution))
            registry.on_post_execute(post)
        execution = call(arguments=self.ARGUMENTS)
        before = copy.deepcopy(execution)
        result = registry.execute(execution)
        expected = {"call_id": "c1", "content": kept, "is_error": False, "meta": meta_before}
        assert result == expected
        assert execution == before
        stages = ["pre", "approve", "guard", "body", "post"] if listeners else ["body"]
        for stage in stages:
            assert seen[stage] == before, stage
        assert seen["args"] == self.ARGUMENTS
        if listeners:
            assert seen["result"] == expected
        scribble(result)
        assert kept == [{"type": "text", "text": "kept"}]
        assert meta == meta_before

    def test_a_failing_part_cannot_change_whose_result_it_is(self) -> None:
        def spoil(execution: Any, *rest: Any) -> Any:
            execution.clear()
            raise ValueError("spoilt")

        def body(args: Any, execution: Any) -> Any:
            return spoil(execution)

        for register in ("on_pre_execute", "on_post_execute", None):
            registry = registry_of(raw_tool(body))
            if register:
                getattr(registry, register)(spoil)
            assert registry.execute(call()) == {
                "call_id": "c1",
                "content": [{"type": "text", "text": "Error: spoilt"}],
                "is_error": True,
            }

    def test_a_body_may_keep_what_it_returned(self) -> None:
        kept: list[Any] = [{"type": "text", "text": "one"}]
        registry = returning(kept)
        first = registry.execute(call())
        kept[0]["text"] = "two"
        assert text_of(first) == "one"


def test_arguments_of_any_depth_give_a_result() -> None:
    deep = nested(lambda inner: {"x": inner}, 20_000)
    deep_list = nested(lambda inner: [inner], 20_000)
    spec: Any = {"payload": {"type": "object", "required": True}, "tree": {"type": "array"}}
    registry = registry_of(
        define_tool(name="t", description="", parameters=spec, execute=lambda args, e: "ran")
    )
    registry.on_pre_execute(lambda execution, next: next())
    registry.on_post_execute(lambda execution, result, next: next())
    registry.guard(lambda execution: None)
    for arguments in ({"payload": deep}, {"payload": {}, "tree": deep_list}):
        execution = call(arguments=arguments)
        assert text_of(registry.execute(execution)) == "ran"
        assert registry.present_call(execution)["card"] == "generic"
    for wrong in (deep, {"payload": deep_list}, {"payload": 1, "tree": deep}):
        assert registry.execute(call(arguments=wrong))["error"]["code"] == "INVALID_ARGS"


@pytest.mark.parametrize("arguments", [{"a": "x"}, {"a": 1}, "text"])
def test_a_call_leaves_no_reference_cycle(arguments: object) -> None:
    spec: Any = {"a": {"type": "string", "required": True}}
    registry = registry_of(
        define_tool(name="t", description="", parameters=spec, execute=lambda args, e: "ran"),
        raw_tool(lambda args, execution: args["missing"]["too"], name="broken"),
    )
    for _ in range(3):
        registry.on_pre_execute(lambda execution, next: next())
        registry.on_post_execute(lambda execution, result, next: next())
    registry.guard(lambda execution: None)
    for name in ("t", "broken", "unknown"):
        for _ in range(20):  # what is made once, the generated check say, is made by then
            registry.execute(call(name=name, arguments=arguments))
        gc.collect()
        gc.disable()
        try:
            for _ in range(100):
                registry.execute(call(name=name, arguments=arguments))
            assert gc.collect() == 0
        finally:
            gc.enable()


class TestHostile:
    """What no type checker lets through, and `tests/property/test_totality.py` puts everywhere."""

    def test_a_list_that_shows_other_members_to_each_is_content_by_what_it_holds(self) -> None:
        content: Any = returning(TwoFaced([{"type": "text", "text": "x"}])).execute(call())["content"]
        assert content == [{"type": "text", "text": "x"}] and type(content) is list
        result = returning(TwoFaced([object()])).execute(call())
        assert "[0] is an object" in text_of(result)

    def test_content_is_of_plain_types(self) -> None:
        block = MuteDict(type=Text("text"), text=Text("x"), extra=[MuteWhole(3), MuteReal(0.5)])
        content: Any = returning([block]).execute(call())["content"]
        assert copy.deepcopy(content) == [{"type": "text", "text": "x", "extra": [3, 0.5]}]

    @pytest.mark.parametrize("other", [str, list, dict])
    def test_an_output_that_pretends_to_be_of_another_class_is_none(self, other: type) -> None:
        result = returning(Pretender(other)).execute(call())
        assert "the tool returned a Pretender" in text_of(result)
        assert result["error"]["code"] == "INVALID_RESULT"

    def test_an_error_that_pretends_to_be_a_harness_error_has_no_code(self) -> None:
        pretending = type("E", (Exception,), {"__class__": HarnessError})("text")
        result = raising(pretending).execute(call())
        assert (text_of(result), "error" in result) == ("Error: text", False)

    def test_an_error_that_does_not_say_what_it_is(self) -> None:
        for error in (
            type("Classless", (Exception,), {"__class__": property(refuse)})("text"),
            type("Mute", (HarnessError,), {"__class__": property(refuse)})("text", "C"),
        ):
            result = raising(error).execute(call())
            assert text_of(result) == "Error: text"
        assert result["error"] == {"name": "Mute", "code": "C"}

    def test_an_error_of_a_class_without_a_name(self) -> None:
        class Unnamed(Exception, metaclass=Meta):
            pass

        assert text_of(raising(Unnamed()).execute(call())) == "Error: Unnamed"

    @pytest.mark.parametrize("code", [["C"], None, object(), 10**5000], ids=range(4))
    def test_a_code_that_is_no_word_is_not_printed(self, code: Any) -> None:
        assert raising(HarnessError("x", code)).execute(call())["error"]["code"] == "ERROR"

    def test_a_code_has_no_lone_surrogates(self) -> None:
        error = raising(HarnessError("x", "C\ud800")).execute(call())["error"]
        assert error["code"] == "C\ufffd"

    @pytest.mark.parametrize("name", [None, ["t"], Pretender(str), MuteText("x")], ids=range(4))
    def test_a_tool_is_asked_for_by_text(
        self, name: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        result = returning("ran").execute(call(name=name))
        shown = "x" if type(name) is MuteText else "<no text>"
        assert text_of(result) == f'Error: unknown tool "{shown}" (available: t)'
        registry = registry_of()
        registry.guard(lambda execution: str(1 / 0))
        assert text_of(registry.execute(call(name=name))) == "Error: division by zero"
        assert caplog.records[-1].getMessage().startswith(f"'{shown}': a guard failed")

    def test_a_name_of_a_text_s_subclass_is_its_text(self) -> None:
        assert text_of(returning("ran").execute(call(name=MuteText("t")))) == "ran"

    def test_a_long_name_is_not_printed_whole(self) -> None:
        registry = registry_of()
        registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
        assert len(text_of(registry.execute(call(name="x" * 10_000)))) < 200

    def test_arguments_that_cannot_be_copied_reach_the_tool_as_they_are(self) -> None:
        arguments = MAKERS["turning key in a subclass"]()
        seen: list[Any] = []
        registry = registry_of(raw_tool(lambda args, execution: seen.append(args)))
        registry.on_pre_execute(watching(lambda execution: None))
        assert registry.execute(call(arguments=arguments))["is_error"] is False
        assert seen[0] is arguments
