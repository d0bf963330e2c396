"""Agent Client Protocol: what the given cases leave open."""

import os
from pathlib import Path
from typing import Any

import pytest
from dsh_tools import ToolRegistry
from dsh_tools.adapters.acp import AcpTranslator, has_terminal

from tests.unit.hostile import MuteText
from tests.unit.support import raw_tool


def translator(call_view: Any = None, result_view: Any = None, **options: Any) -> AcpTranslator:
    tool = raw_tool(lambda args, execution: None)
    tool["present_call"] = lambda args: call_view
    tool["present_result"] = lambda args, result: result_view
    registry = ToolRegistry()
    registry.register(tool)
    return AcpTranslator(registry, **options)


def result(text: str = "raw", *, is_error: bool = False) -> Any:
    return {"content": [{"type": "text", "text": text}], "is_error": is_error}


def shown(update: Any) -> list[str]:
    return [content["content"]["text"] for content in update["content"]]


@pytest.mark.parametrize(
    ("path", "title", "sent"),
    [
        ("/srv/app/src/a.py", "src/a.py", "/srv/app/src/a.py"),
        ("/srv/application/x.py", "/srv/application/x.py", "/srv/application/x.py"),
        ("/srv/app/../b.py", "/srv/app/../b.py", "/srv/app/../b.py"),
        ("/srv/app/./src/../a.py", "a.py", "/srv/app/./src/../a.py"),
        ("/srv/app/..cache/x", "..cache/x", "/srv/app/..cache/x"),
        ("/srv/app", "/srv/app", "/srv/app"),
        ("rel/c.py", "rel/c.py", "/srv/app/rel/c.py"),
        ("../c.py", "../c.py", "/srv/c.py"),
    ],
)
def test_titles_are_relative_to_the_session_and_nothing_else(
    path: str, title: str, sent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    view = {"card": "generic", "title": f"Read {path}", "locations": [{"path": path}]}
    update = translator(view, cwd="/srv/app").tool_call("c1", "t", "{}")
    assert update["title"] == f"Read {title}"
    assert update["locations"] == [{"path": sent}]
    diff = {"path": path, "old_text": None, "new_text": ""}
    view = {"card": "diff", "title": f"Write {path}", "diffs": [diff]}
    update = translator(view, cwd="/srv/app").tool_call("c1", "t", "{}")
    assert update["title"] == f"Write {title}"
    content: Any = update["content"]
    assert content[0]["path"] == sent


@pytest.mark.parametrize(
    ("title", "shown"),
    [("a", "a"), ("a  b ", "a  b "), ("a\n  b\r\nc\n", "a b c"), ("", ""), ("\n", "")],
)
def test_a_title_is_one_line(title: str, shown: str) -> None:
    acp = translator({"card": "generic", "title": title}, {"card": "generic", "title": title})
    assert acp.tool_call("c1", "t", "{}")["title"] == shown
    assert acp.tool_result("c1", result())["title"] == shown


def test_a_session_in_the_root_directory() -> None:
    view = {"card": "generic", "title": "Read /etc/x", "locations": [{"path": "/etc/x"}]}
    assert translator(view, cwd=os.sep).tool_call("c1", "t", "{}")["title"] == "Read etc/x"


@pytest.mark.parametrize(
    ("view", "exit"),
    [
        ({"exit_code": None, "signal": "SIGKILL"}, {"terminal_id": "c1", "signal": "SIGKILL"}),
        ({"exit_code": 0}, {"terminal_id": "c1", "exit_code": 0}),
        ({"exit_code": 137}, {"terminal_id": "c1", "exit_code": 137}),
        ({}, None),
    ],
)
def test_four_ways_to_end_are_told_apart(view: Any, exit: Any) -> None:
    acp = translator(
        {"card": "terminal", "title": "make"}, {"card": "terminal", **view}, terminal=True
    )
    acp.tool_call("c1", "t", "{}")
    meta: Any = acp.tool_result("c1", result())["_meta"]
    assert meta["terminal_output"] == {"terminal_id": "c1", "data": ""}
    assert meta.get("terminal_exit") == exit


def test_none_in_a_card_says_what_absence_says() -> None:
    acp = translator(
        {"card": "terminal", "title": "make", "description": None, "cwd": None},
        {"card": "terminal", "title": None, "output": None},
    )
    assert "content" not in acp.tool_call("c1", "t", "{}")
    update = acp.tool_result("c1", result())
    assert "title" not in update
    assert shown(update) == ["```console\n\n```"]


@pytest.mark.parametrize("fence", ["`", "```", "`````"])
def test_a_fence_is_longer_than_any_run_of_backticks_inside(fence: str) -> None:
    acp = translator({"card": "terminal", "title": "x"}, {"card": "terminal", "output": fence})
    acp.tool_call("c1", "t", "{}")
    (text,) = shown(acp.tool_result("c1", result()))
    outer = "`" * max(3, len(fence) + 1)
    assert text == f"{outer}console\n{fence}\n{outer}"


@pytest.mark.parametrize("card", ["generic", "diff"])
def test_a_line_that_no_client_can_read_is_left_out(card: str) -> None:
    lines = [-1, 0, 2**32 - 1, 2**32, None]
    places = [{"path": "a", "line": line} for line in lines]
    view = {"card": card, "title": "Read a", "diffs": [], "locations": places}
    shown = translator(view).tool_call("c1", "t", "{}")["locations"]
    assert shown == [{"path": "a"}, *places[1:3], {"path": "a"}, places[4]]


def test_keys_of_arguments_are_fit_for_utf_8() -> None:
    update = translator(None).tool_call("c1", "t", '{"\\ud800": 1}')
    assert update["rawInput"] == {"\ufffd": 1}


@pytest.mark.parametrize("raw_input", [b"x", float("nan"), {"a": {1, 2}}])
def test_a_raw_input_that_cannot_be_sent_is_the_models_own_text(raw_input: object) -> None:
    view = {"card": "generic", "title": "t", "raw_input": raw_input}
    assert translator(view).tool_call("c1", "t", '{"a": "\ud800"}')["rawInput"] == '{"a": "\ufffd"}'
    infinite = translator(None).tool_call("c1", "t", '{"a": 1e400}')
    assert infinite["rawInput"] == '{"a": 1e400}'


@pytest.mark.parametrize(
    ("view", "kind"),
    [
        (None, "execute"),
        ({"card": "generic", "title": "bash", "raw_input": {"command": "ls"}}, "execute"),
        ({"card": "generic", "title": "bash", "raw_input": "ls"}, "other"),
        ({"card": "generic", "title": "bash"}, "other"),
    ],
)
def test_a_name_tells_the_kind_only_where_no_card_does(view: object, kind: str) -> None:
    tool: Any = raw_tool(lambda args, execution: None, "bash")
    tool["present_call"] = lambda args: view
    registry = ToolRegistry()
    registry.register(tool)
    assert AcpTranslator(registry).tool_call("c1", "bash", '{"command": "ls"}')["kind"] == kind


def test_a_reused_id_means_the_later_call() -> None:
    registry = ToolRegistry()
    for name in ("one", "two"):
        tool: Any = raw_tool(lambda args, execution: None, name)
        tool["present_result"] = lambda args, result, name=name: {"card": "generic", "title": name}
        registry.register(tool)
    acp = AcpTranslator(registry)
    acp.tool_call("c1", "one", "{}")
    acp.tool_call("c1", "two", "{}")
    assert acp.tool_result("c1", result())["title"] == "two"
    assert "title" not in acp.tool_result("c1", result())


def test_a_failed_edit_shows_its_error_when_the_presenter_says_nothing() -> None:
    diff = {"path": "a", "old_text": "x", "new_text": "y"}
    acp = translator({"card": "diff", "title": "Edit a", "diffs": [diff, diff]}, None)
    acp.tool_call("c1", "t", "{}")
    update = acp.tool_result("c1", result("Error: no match", is_error=True))
    assert (update["status"], shown(update)) == ("failed", ["Error: no match"])


@pytest.mark.parametrize("capabilities", [None, [], "x", {}, {"_meta": None}, {"_meta": []}])
def test_odd_capabilities_have_no_terminal(capabilities: object) -> None:
    assert has_terminal(capabilities) is False


@pytest.mark.parametrize(
    ("call_id", "shown_id"),
    [(7, "7"), (["c"], "<no text>"), (MuteText("c"), "c"), (10**5000, "<no text>")],
    ids=range(4),
)
def test_call_ids_and_names_are_text_for_the_client(call_id: Any, shown_id: str) -> None:
    acp = translator({"card": "generic", "title": "Called"}, {"card": "generic", "title": "Done"})
    assert acp.tool_call(call_id, "t", "{}")["toolCallId"] == shown_id
    update = acp.tool_result(call_id, result())
    assert (update["toolCallId"], update["title"]) == (shown_id, "Done")
    assert acp.tool_call("c", call_id, "{}")["title"] == ("Called" if shown_id == "t" else shown_id)
