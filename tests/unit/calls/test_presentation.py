"""Whatever a presenter does, there is a card, and one record of what it did wrong."""

import copy
import gc
from typing import Any

import pytest
from dsh_tools import ToolDefinition, ToolRegistry

from tests.unit.hostile import MuteDict, MuteText
from tests.unit.support import call, raw_tool

CALL = call(arguments={"path": "a"})
RESULT: Any = {"content": [{"type": "text", "text": "raw"}], "is_error": False}
GENERIC_CALL = {"card": "generic", "title": "t", "raw_input": {"path": "a"}}
GENERIC_RESULT = {"card": "generic", "content": RESULT["content"]}


def presenting(call_view: object = None, result_view: object = None) -> ToolRegistry:
    def give(view: object) -> Any:
        if isinstance(view, Exception):
            raise view
        return view

    tool: ToolDefinition = raw_tool(lambda args, execution: None)
    tool["present_call"] = lambda args: give(call_view)
    tool["present_result"] = lambda args, result: give(result_view)
    registry = ToolRegistry()
    registry.register(tool)
    return registry


@pytest.mark.parametrize(
    "view",
    [
        {"card": "generic", "title": ""},
        {"card": "generic", "title": "x", "kind": "search", "raw_input": 0, "content": []},
        {"card": "generic", "title": "x", "content": [{"type": "text", "text": "x"}]},
        {"card": "generic", "title": "x", "locations": [{"path": "a", "line": 0}, {"path": "b"}]},
        {"card": "terminal", "title": "x", "description": "", "cwd": "/"},
        {"card": "terminal", "title": "x", "cwd": None, "unknown": object()},
        {"card": "diff", "title": "x", "diffs": []},
        {"card": "diff", "title": "x", "diffs": [{"path": "a", "old_text": None, "new_text": ""}]},
    ],
)
def test_a_call_card_is_shown_without_what_is_none(view: Any, caplog: pytest.LogCaptureFixture) -> None:
    said = {key: value for key, value in view.items() if value is not None}
    assert presenting(call_view=view).present_call(CALL) == said
    assert caplog.records == []


@pytest.mark.parametrize(
    "view",
    [
        {"card": "generic"},
        {"card": "generic", "title": "", "content": []},
        {"card": "terminal"},
        {"card": "terminal", "output": "", "exit_code": 0},
        {"card": "terminal", "exit_code": None, "signal": "SIGKILL"},
        {"card": "diff", "diffs": [], "title": "x"},
    ],
)
def test_a_result_card_is_shown_without_what_is_none(view: Any, caplog: pytest.LogCaptureFixture) -> None:
    said = {key: value for key, value in view.items() if value is not None}
    assert presenting(result_view=view).present_result(CALL, RESULT) == said
    assert caplog.records == []


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (RuntimeError("bad title"), "raised"),
        (RecursionError("deep"), "raised"),
        ("title", "returned a str instead of a card"),
        ([], "returned a list instead of a card"),
        ({}, "returned a card that is none of generic, terminal, diff"),
        ({"card": "chart", "title": "x"}, "returned a card that is none of"),
        ({"card": ["generic"], "title": "x"}, "returned a card that is none of"),
        ({"card": "generic"}, 'returned a generic card without a proper "title"'),
        ({"card": "generic", "title": None}, 'without a proper "title"'),
        ({"card": "generic", "title": "x", "kind": "reed"}, 'without a proper "kind"'),
        ({"card": "generic", "title": "x", "content": ["x"]}, 'without a proper "content"'),
        ({"card": "generic", "title": "x", "content": [{"type": "text"}]}, '"content"'),
        ({"card": "generic", "title": "x", "content": [{}]}, '"content"'),
        ({"card": "generic", "title": "x", "content": [{"type": "bogus"}]}, '"content"'),
        ({"card": "generic", "title": "x", "content": [{"type": "image"}]}, '"content"'),
        ({"card": "generic", "title": "x", "locations": [{}]}, '"locations"'),
        ({"card": "generic", "title": "x", "locations": [{"path": "a", "line": True}]}, '"loc'),
        ({"card": "terminal", "title": "x", "cwd": 5}, 'terminal card without a proper "cwd"'),
        ({"card": "diff", "title": "x"}, 'diff card without a proper "diffs"'),
        ({"card": "diff", "title": "x", "diffs": [{"path": "a", "new_text": ""}]}, '"diffs"'),
        (
            {"card": "diff", "title": "x", "diffs": [{"path": "a", "old_text": "", "new_text": None}]},
            '"diffs"',
        ),
    ],
)
def test_any_other_call_card_becomes_the_generic_one(
    view: Any, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert presenting(call_view=view).present_call(CALL) == GENERIC_CALL
    (record,) = caplog.records
    assert record.name == "dsh_tools"
    assert "'t': present_call " in record.getMessage()
    assert text in record.getMessage()


@pytest.mark.parametrize(
    "view",
    [
        RuntimeError("bad"),
        {"card": "chart"},
        {"card": "terminal", "exit_code": "0"},
        {"card": "terminal", "exit_code": True},
        {"card": "terminal", "output": b"x"},
        {"card": "terminal", "signal": 9},
        {"card": "diff"},
        {"card": "generic", "title": 5},
        5,
    ],
)
def test_any_other_result_card_becomes_the_generic_one(
    view: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert presenting(result_view=view).present_result(CALL, RESULT) == GENERIC_RESULT
    assert len(caplog.records) == 1


def test_without_a_tool_a_presenter_or_a_card_the_generic_one_is_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    plain = ToolRegistry()
    plain.register(raw_tool(lambda args, execution: None))
    for registry in (ToolRegistry(), plain, presenting(None, None)):
        assert registry.present_call(CALL) == GENERIC_CALL
        assert registry.present_result(CALL, RESULT) == GENERIC_RESULT
    assert caplog.records == []


def test_an_async_presenter_is_closed_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def present(*given: object) -> object:
        return {"card": "generic", "title": "late"}

    tool: Any = raw_tool(lambda args, execution: None)
    tool["present_call"] = lambda args: present(args)
    registry = ToolRegistry()
    registry.register(tool)
    assert registry.present_call(CALL) == GENERIC_CALL
    assert "returned a coroutine instead of a card" in caplog.records[0].getMessage()


def test_a_presenter_that_raises_leaves_no_reference_cycle() -> None:
    registry = presenting(RuntimeError("bad"), RuntimeError("bad"))
    registry.present_call(CALL)
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            registry.present_call(CALL)
            registry.present_result(CALL, RESULT)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_presenters_work_on_copies() -> None:
    """Theirs alone: what they do to it shows neither in the caller's objects nor in the card."""
    tool: Any = raw_tool(lambda args, execution: None)
    seen: list[Any] = []

    def present_result(args: Any, result: Any) -> None:
        seen.append(copy.deepcopy(result))
        args.clear()
        result["content"].clear()
        result["meta"].clear()

    tool["present_call"] = lambda args: args.clear()
    tool["present_result"] = present_result
    registry = ToolRegistry()
    registry.register(tool)
    execution = call(arguments={"path": "a"})
    result: Any = {**RESULT, "meta": {"rows": 1}, "call_id": "c1"}
    assert registry.present_call(execution) == GENERIC_CALL
    assert registry.present_result(execution, result) == GENERIC_RESULT
    assert execution["arguments"] == {"path": "a"}
    assert result["meta"] == {"rows": 1}
    assert seen == [{"content": RESULT["content"], "is_error": False, "meta": {"rows": 1}}]


def test_a_card_is_a_copy_of_what_the_presenter_gave() -> None:
    """A presenter may give the same constant each time, and who shows it may add to it."""
    locations = [{"path": "a"}]
    registry = presenting(call_view={"card": "generic", "title": "x", "locations": locations})
    card: Any = registry.present_call(CALL)
    card["locations"].clear()
    assert locations == [{"path": "a"}]


def test_cards_are_of_plain_types_and_fit_for_utf_8() -> None:
    view = MuteDict(card="generic", title=MuteText("t"), raw_input=["\ud800"])
    registry = presenting(call_view=view)
    card = registry.present_call(CALL)
    assert card == {"card": "generic", "title": "t", "raw_input": ["\ufffd"]}
    assert {type(card), type(card["title"])} == {dict, str}
    odd = call(name="\ud800", arguments={"path": "\ud800"})
    assert registry.present_call(odd)["raw_input"] == {"path": "\ufffd"}  # type: ignore[typeddict-item]
    assert registry.present_call(odd)["title"] == "\ufffd"


@pytest.mark.parametrize("name", [None, ["t"], 5])
def test_a_name_that_is_no_text_has_a_card(name: Any) -> None:
    assert presenting().present_call(call(name=name))["title"] == "<no text>"
