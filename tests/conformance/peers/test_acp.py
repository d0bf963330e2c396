"""ACP as the official SDK speaks it: its models, and its client on the other side of a pipe."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from acp import PROTOCOL_VERSION, spawn_agent_process, text_block
from acp.contrib.session_state import SessionAccumulator
from acp.schema import ClientCapabilities, SessionNotification

from ..corpus import cases

ROOT = Path(__file__).parents[3]


def updates(case: Any) -> list[Any]:
    return list(case["expect"]["updates"])


@pytest.mark.parametrize("case", [p for p in cases("presentation") if "events" in p.values[0]])
def test_the_models_take_every_update_whole(case: Any) -> None:
    """The models put None where they cannot read a field, so what they read is compared."""
    for update in updates(case):
        read = SessionNotification.model_validate({"sessionId": "s1", "update": update})
        dumped = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert dumped == {"sessionId": "s1", "update": update}


class Editor:
    """The part of `acp.Client` that shows what happens."""

    def __init__(self) -> None:
        self.shown = SessionAccumulator()
        self.meta: dict[str, Any] = {}

    async def session_update(self, session_id: str, update: Any, **rest: Any) -> None:
        self.shown.apply(SessionNotification(session_id=session_id, update=update))
        self.meta.update(update.field_meta or {})


def editor_after(calls: list[tuple[str, object]], cwd: Path, *, terminal: bool) -> Editor:
    """The client, after the agent has run the calls (name, arguments) in a directory. Their ids
    are "0", "1" and so on."""
    recorded = [(str(index), name, json.dumps(args)) for index, (name, args) in enumerate(calls)]
    capabilities = ClientCapabilities(field_meta={"terminal_output": terminal})
    command = [sys.executable, "-W", "error", "-m", "tests.conformance.peers.acp_agent"]
    editor = Editor()
    client: Any = editor

    async def talk() -> None:
        async with spawn_agent_process(client, *command, cwd=ROOT) as (agent, _):
            await agent.initialize(PROTOCOL_VERSION, client_capabilities=capabilities)
            session = await agent.new_session(cwd=str(cwd), mcp_servers=[])
            prompt: list[Any] = [text_block(json.dumps(recorded))]
            await agent.prompt(session_id=session.session_id, prompt=prompt)

    asyncio.run(talk())
    return editor


class Shown(NamedTuple):
    """What a client shows of a call in the end."""

    title: str | None
    kind: str | None
    status: str | None
    content: list[dict[str, Any]]


def shown(editor: Editor) -> list[Shown]:
    return [
        Shown(
            call.title,
            call.kind,
            call.status,
            [part.model_dump(by_alias=True, exclude_none=True) for part in call.content or ()],
        )
        for call in editor.shown.snapshot().tool_calls.values()
    ]


def text(value: str) -> dict[str, Any]:
    return {"type": "content", "content": {"type": "text", "text": value}}


def test_a_client_shows_the_changes_and_the_failures(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    calls: list[tuple[str, object]] = [
        ("write", {"file_path": path, "content": "a = 1\n"}),
        ("edit", {"file_path": path, "old_string": "1", "new_string": "2"}),
        ("edit", {"file_path": path}),
        ("fly", {}),
    ]
    write, edit, refused, unknown = shown(editor_after(calls, tmp_path, terminal=False))
    new = {"type": "diff", "path": path, "newText": "a = 1\n"}
    assert write == ("Write a.py", "edit", "completed", [new])
    changed = {"type": "diff", "path": path, "oldText": "a = 1\n", "newText": "a = 2\n"}
    assert edit == ("Edit a.py", "edit", "completed", [changed])
    assert (refused.kind, refused.status) == ("edit", "failed")
    assert "missing required property" in refused.content[0]["content"]["text"]
    assert (unknown.title, unknown.kind, unknown.status) == ("fly", "other", "failed")
    assert "unknown tool" in unknown.content[0]["content"]["text"]


BASH: list[tuple[str, object]] = [("bash", {"command": "echo $((6 * 7))", "description": "Count"})]


def test_a_client_without_terminals_shows_a_console_block(tmp_path: Path) -> None:
    editor = editor_after(BASH, tmp_path, terminal=False)
    (call,) = shown(editor)
    assert call == ("echo $((6 * 7))", "execute", "completed", [text("```console\n42\n```")])
    assert editor.meta == {}


def test_a_client_with_terminals_shows_one(tmp_path: Path) -> None:
    editor = editor_after(BASH, tmp_path, terminal=True)
    (call,) = shown(editor)
    assert call.content == [text("Count"), {"type": "terminal", "terminalId": "0"}]
    assert editor.meta == {
        "terminal_info": {"terminal_id": "0", "cwd": str(tmp_path)},
        "terminal_output": {"terminal_id": "0", "data": "42\n"},
        "terminal_exit": {"terminal_id": "0", "exit_code": 0},
    }
