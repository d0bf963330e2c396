"""MCP as the official SDK speaks it: `mcp` on the other side of a pipe, and its models."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any, NamedTuple, TypeAlias

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from dsh_tools import HarnessError, ToolExecution, ToolExecutionResult, ToolRegistry
from dsh_tools.adapters import mcp
from mcp import Client, StdioServerParameters
from mcp.client.client import ConnectMode
from mcp.types import Tool
from mcp.types.methods import serialize_server_result
from mcp.types.version import KNOWN_PROTOCOL_VERSIONS

from tests.unit.support import text_of
from tests.unit.test_readme import ROOT, programs_with_peers

from ..corpus import cases, real_functions
from .mcp_tools import PNG
from .odd_mcp_server import ANSWERS, LONG

ERAS: tuple[ConnectMode, ...] = ("auto", "legacy")  # 2026-07-28, and up to 2025-11-25


class Peer(NamedTuple):
    """A server in another process, and the official client that talks to it."""

    portal: BlockingPortal
    client: Client

    def tools(self) -> list[dict[str, Any]]:
        """The entries of all pages of its answer to `tools/list`, as JSON."""
        entries, cursor = list[dict[str, Any]](), None
        while True:
            answer = self.portal.call(partial(self.client.list_tools, cursor=cursor))
            entries += answer.model_dump(mode="json", by_alias=True)["tools"]
            if not (cursor := answer.next_cursor):
                return entries

    def call(self, name: str, arguments: Any, execution: object = None) -> dict[str, Any]:
        """Its answer to `tools/call`, as JSON."""
        answer = self.portal.call(self.client.call_tool, name, arguments)
        return dict(answer.model_dump(mode="json", by_alias=True))


@contextmanager
def started(*args: str, mode: ConnectMode = "auto") -> Iterator[Peer]:
    """The server that Python runs with these arguments."""
    server = StdioServerParameters(
        command=sys.executable, args=["-W", "error", *args], cwd=ROOT, env={"PYTHONPATH": "."}
    )
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=mode)) as client,
    ):
        yield Peer(portal, client)


# --- a registry for a server --------------------------------------------------------------


@pytest.fixture(scope="module", params=ERAS)
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Peer]:
    """The README's server, with more tools in its registry."""
    more = "from tests.conformance.peers.mcp_tools import add_to\nadd_to(registry)\n"
    program = tmp_path_factory.mktemp("served") / "server.py"
    (code,) = [code for code in programs_with_peers() if "stdio_server" in code]
    program.write_text(code.replace("anyio.run(serve)", f"{more}anyio.run(serve)"))
    with started(str(program), mode=request.param) as peer:
        yield peer


def test_the_tools_are_listed(served: Peer) -> None:
    tools = served.tools()
    assert [tool["name"] for tool in tools] == ["add", "picture", "wait", "state", "rm"]
    assert tools[0]["description"] == "Add two numbers."
    assert tools[0]["inputSchema"] == {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a"],
    }


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        pytest.param("add", {"a": 1, "b": 2}, "3", id="good"),
        pytest.param(
            "add",
            {"a": "1"},
            'Error: invalid arguments: "a" must be a number '
            "(a string arrived, send the number without quotes)",
            id="bad",
        ),
        pytest.param(
            "add",
            None,
            'Error: invalid arguments: missing required property "a"',
            id="no arguments",
        ),
        pytest.param(
            "sub",
            {},
            'Error: unknown tool "sub" (available: add, picture, rm, state, wait)',
            id="unknown",
        ),
        pytest.param("rm", {}, "Error: nothing is removed here", id="denied"),
    ],
)
def test_a_call_has_an_answer(served: Peer, name: str, arguments: Any, text: str) -> None:
    answer = served.call(name, arguments)
    assert [block["text"] for block in answer["content"]] == [text]
    assert answer["isError"] is text.startswith("Error: ")


def test_a_picture_arrives(served: Peer) -> None:
    picture, elsewhere = served.call("picture", {})["content"]
    assert (picture["type"], picture["data"], picture["mimeType"]) == ("image", PNG, "image/png")
    assert (elsewhere["type"], elsewhere["text"]) == ("text", "[image: https://example.org/a.png]")


def test_a_cancelled_call_sees_its_signal_and_others_run_meanwhile(served: Peer) -> None:
    waiting = served.portal.start_task_soon(served.client.call_tool, "wait", {})
    become(served, "waiting")
    waiting.cancel()
    become(served, "cancelled")
    with pytest.raises(CancelledError):
        waiting.result()


def become(served: Peer, state: str) -> None:
    """Return when the server's `state` is that."""
    while served.call("state", {})["content"][0]["text"] != state:
        sleep(0.01)


# --- a server's tools for a registry ------------------------------------------------------


def registered(peer: Peer, *, prefix: str = "") -> tuple[ToolRegistry, dict[str, str]]:
    """A registry of the server's tools, and what each is called there."""
    registry = ToolRegistry()
    tools = mcp.tool_definitions(peer.tools(), peer.call, prefix=prefix)
    for tool in tools:
        registry.register(tool)
    return registry, {tool["mcp_tool"]["name"]: tool["name"] for tool in tools}


def executed(registry: ToolRegistry, name: str, arguments: object) -> ToolExecutionResult:
    return registry.execute({"call_id": "1", "name": name, "arguments": arguments})


@pytest.fixture(scope="module", params=ERAS)
def time(request: pytest.FixtureRequest) -> Iterator[ToolRegistry]:
    """The tools of `mcp-server-time`, a server by the protocol's own authors."""
    with started("-m", "mcp_server_time", mode=request.param) as peer:
        yield registered(peer, prefix="time_")[0]


class TestTimeServer:
    def test_its_tools_are_shown_to_a_model(self, time: ToolRegistry) -> None:
        schemas = {schema["name"]: schema for schema in time.schemas()}
        assert set(schemas) == {"time_get_current_time", "time_convert_time"}
        parameters: Any = schemas["time_convert_time"]["parameters"]
        assert parameters["required"] == ["source_timezone", "time", "target_timezone"]

    def test_its_entries_are_kept(self, time: ToolRegistry) -> None:
        tool: Any = time.get("time_get_current_time")
        assert tool["mcp_tool"]["name"] == "get_current_time"
        assert tool["mcp_tool"]["annotations"]["readOnlyHint"] is True
        assert "day_of_week" in tool["mcp_tool"]["outputSchema"]["properties"]

    def test_a_good_call(self, time: ToolRegistry) -> None:
        arguments = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
        result: Any = executed(time, "time_convert_time", arguments)
        assert result["is_error"] is False
        structured = result["meta"]["structuredContent"]
        assert structured["time_difference"] == "+9.0h"
        assert json.loads(result["content"][0]["text"]) == structured

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [({}, "timezone"), ({"timezone": "Oslo/Norway"}, "Invalid timezone"), ("{", "object")],
    )
    def test_a_bad_call(self, time: ToolRegistry, arguments: object, said: str) -> None:
        result: Any = executed(time, "time_get_current_time", arguments)
        assert result["is_error"] is True
        assert said in result["content"][0]["text"]

    def test_text_that_no_utf_8_carries_costs_no_connection(self, time: ToolRegistry) -> None:
        for timezone in ("\ud800", "Asia/Tokyo"):
            result = executed(time, "time_get_current_time", {"timezone": timezone})
        assert result["is_error"] is False


Odd: TypeAlias = tuple[ToolRegistry, dict[str, str]]


@pytest.fixture(scope="module")
def odd() -> Iterator[Odd]:
    """Tools with odd names, which answer everything that MCP knows."""
    with started("-m", "tests.conformance.peers.odd_mcp_server") as peer:
        yield registered(peer)


class TestOddServer:
    def test_each_name_leads_to_its_tool(self, odd: Odd) -> None:
        registry, names = odd
        assert len(set(names.values())) == len(ANSWERS)
        for name, text in (("files.read", "dot"), ("files/read", "slash"), ("files_read", "line")):
            assert text_of(executed(registry, names[name], {})) == text
        assert executed(registry, names[LONG], {})["is_error"] is False

    def test_no_content_is_lost(self, odd: Odd) -> None:
        result: Any = executed(odd[0], "everything", {})
        assert [block.get("text", block["type"]) for block in result["content"]] == [
            "image",
            "[audio: audio/wav, 3 bytes, not shown here]",
            "[resource: file:///a.py, text/x-python]",
            "a = 1\n",
            "[resource: file:///a.png]",
            "[data: application/octet-stream, 70 bytes, not shown here]",
            "[resource link: file:///b.py, b.py]",
        ]
        assert without_nulls(result["meta"]["content"]) == ANSWERS["everything"]["content"]
        assert result["meta"]["_meta"]["example.org/cost"] == 3

    def test_structured_content_alone_is_read(self, odd: Odd) -> None:
        result: Any = executed(odd[0], "structured", {})
        assert text_of(result) == '{"files":["a","b"]}'
        assert result["meta"]["structuredContent"] == {"files": ["a", "b"]}

    def test_an_error_says_all_there_is(self, odd: Odd) -> None:
        assert text_of(executed(odd[0], "fails", {})) == 'Error: slow down\n{"retry":30}'


def without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return value


def test_our_server_through_our_client_says_the_same(served: Peer) -> None:
    registry, _ = registered(served)
    for name, arguments in (("add", {"a": 1}), ("add", {}), ("sub", {}), ("rm", {})):
        there = served.call(name, arguments)
        if name != "sub":
            here = mcp.call_result(executed(registry, name, arguments))
            assert here["isError"] == there["isError"]
            assert here["content"] == [without_nulls(block) for block in there["content"]]


def test_a_host_can_cancel_a_servers_call(served: Peer) -> None:
    def call(name: str, arguments: dict[str, object], execution: ToolExecution) -> object:
        answer = served.portal.start_task_soon(served.client.call_tool, name, arguments)
        while not answer.done():
            if execution["signal"].is_set():
                answer.cancel()
                raise HarnessError("the call was cancelled", "ABORTED")
            sleep(0.01)
        return answer.result().model_dump(mode="json", by_alias=True)

    (wait,) = [tool for tool in served.tools() if tool["name"] == "wait"]
    registry, signal, results = ToolRegistry(), Event(), list[ToolExecutionResult]()
    registry.register(mcp.tool_definitions([wait], call)[0])
    execution: ToolExecution = {"call_id": "1", "name": "wait", "arguments": {}, "signal": signal}
    running = Thread(target=lambda: results.append(registry.execute(execution)))
    running.start()
    become(served, "waiting")
    signal.set()
    running.join()
    assert results[0].get("error") == {"name": "HarnessError", "code": "ABORTED"}
    become(served, "cancelled")


def test_the_readme_uses_a_server(tmp_path: Path) -> None:
    program = tmp_path / "pasted.py"
    (code,) = [code for code in programs_with_peers() if "start_blocking_portal" in code]
    program.write_text(code)
    shown = subprocess.run(
        [sys.executable, "-W", "error", str(program)],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Europe/Oslo" in shown.stdout


# --- the official models ------------------------------------------------------------------


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
def test_every_revision_takes_the_real_tools(version: str) -> None:
    """What it does not know it drops, so what comes out is what went in."""
    listed = mcp.tools(
        {"name": f"t{index}", "description": "", "parameters": function["json_schema"]}
        for index, function in enumerate(real_functions())
    )
    answer = {"tools": listed, "ttlMs": 0, "cacheScope": "private", "resultType": "complete"}
    assert serialize_server_result("tools/list", version, answer)["tools"] == listed


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize("case", cases("pipeline"))
def test_every_revision_takes_every_result(version: str, case: Any) -> None:
    for step in case["expect"] if isinstance(case["expect"], list) else []:
        if "result" in step:
            answer = mcp.call_result(step["result"])
            wire = {**answer, "resultType": "complete"}
            taken = serialize_server_result("tools/call", version, wire)
            assert {key: taken[key] for key in answer} == answer


def test_an_entry_has_no_key_that_the_protocol_does_not_know() -> None:
    known = {field.alias for field in Tool.model_fields.values()}
    assert set(mcp.McpTool.__annotations__) <= known
