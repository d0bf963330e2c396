"""Ten tools as they were shipped, run on realistic calls: `vectors/real_tools.json`.

The vectors speak of the session workspace /srv/proj. Calls run in a temporary directory, whose
name is put in and taken out where the vectors name theirs.
"""

import json
import posixpath
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dsh_tools import (
    ToolCallView,
    ToolDefinition,
    ToolExecution,
    ToolExecutionResult,
    ToolRegistry,
    define_tool,
    parse_arguments,
    schema,
    validate_args,
)
from dsh_tools.adapters.acp import AcpTranslator

from ..examples.coding_tools import Todo, coding_tools

VECTORS = json.loads(Path(__file__, "../vectors/real_tools.json").resolve().read_text())
DEFINITIONS = [case for case in VECTORS["cases"] if case["kind"] == "definition"]
CALLS = [case for case in VECTORS["cases"] if case["kind"] != "definition"]


class Session(NamedTuple):
    """A workspace with the ten tools, and the events that they append to the session's log."""

    cwd: Path
    registry: ToolRegistry
    events: list[dict[str, Any]]

    def here(self, value: Any) -> Any:
        """A value of the vectors with this workspace's directory in it."""
        return _replaced(value, "/srv/proj", str(self.cwd))

    def there(self, value: Any) -> Any:
        """A value of this session as the vectors write it: with their directory, without hints."""
        return _without_hints(_replaced(value, str(self.cwd), "/srv/proj"))

    def execution(self, case: dict[str, Any]) -> ToolExecution:
        execution: ToolExecution = {
            "call_id": "c1",
            "name": case["tool"],
            "arguments": parse_arguments(self.here(case["arguments_text"])),
        }
        if not case.get("no_agent"):
            execution["agent"] = "parent"
        return execution

    def tool(self, case: dict[str, Any]) -> ToolDefinition:
        tool = self.registry.get(case["tool"])
        assert tool is not None
        return tool

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.cwd / name).write_bytes(text.encode())


def _replaced(value: Any, old: str, new: str) -> Any:
    return json.loads(json.dumps(value).replace(old, new))


def _without_hints(value: Any) -> Any:
    """A value with the texts that refuse arguments cut down to what is contract."""
    match value:
        case str() if value.startswith("Error: invalid arguments: "):
            return "; ".join(map(_without_hint, value.split("; ")))
        case list():
            return [_without_hints(item) for item in value]
        case dict():
            return {key: _without_hints(item) for key, item in value.items()}
    return value


def _without_hint(violation: str) -> str:
    return re.sub(r" \([^()]*\)\Z", "", violation)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    events: list[dict[str, Any]] = []

    def on_todos(todos: list[Todo]) -> None:
        events.append({"event": "todo/write", "data": {"todos": todos}})

    registry = ToolRegistry()
    for tool in [*coding_tools(tmp_path, on_todos=on_todos), *STUBS]:
        registry.register(tool)
    return Session(tmp_path, registry, events)


@pytest.mark.parametrize("case", DEFINITIONS, ids=lambda case: f"{case['id']}-{case['tool']}")
def test_model_sees_this_schema(case: dict[str, Any], session: Session) -> None:
    tool = session.tool(case)
    assert json.dumps(tool["parameters"]) == json.dumps(case["expect"]["json_schema"])
    assert ("strict" in tool) is case["expect"]["strict_present"]


@pytest.mark.parametrize("case", CALLS, ids=lambda case: f"{case['id']}-{case['rule']}")
def test_call(case: dict[str, Any], session: Session) -> None:
    expect, execution = case["expect"], session.execution(case)
    session.write(case.get("files_before", {}))

    spec = VECTORS["tools"][case["tool"]]["parameters"]
    violations = validate_args(spec, execution["arguments"])
    assert list(map(_without_hint, violations)) == expect["violations"]

    result = _result(case, session, execution)
    if "result" in expect:
        assert session.there(result) == {"call_id": "c1", **expect["result"]}
    assert session.events == expect.get("session_events", [])
    for name, text in expect.get("files_after", {}).items():
        assert (session.cwd / name).read_bytes() == text.encode()

    call_view, result_view = _views(session.tool(case), execution, result)
    assert session.there(call_view) == expect["call_view"]
    assert session.there(result_view) == expect["result_view"]

    for key, terminal in (("acp", False), ("acp_terminal_off", False), ("acp_terminal_on", True)):
        if key in expect:
            assert _acp(case, session, result, terminal) == _absolute(expect[key])


def _absolute(updates: Any) -> Any:
    """The updates as DESIGN.md has them, section 8: the protocol wants absolute paths in locations
    and diffs, where the ancestor left those that are relative to the session's folder."""
    if isinstance(updates, list):
        return list(map(_absolute, updates))
    if not isinstance(updates, dict):
        return updates
    absolute = {key: _absolute(value) for key, value in updates.items()}
    if isinstance(absolute.get("path"), str):
        absolute["path"] = posixpath.join("/srv/proj", absolute["path"])
    return absolute


def _result(
    case: dict[str, Any], session: Session, execution: ToolExecution
) -> ToolExecutionResult:
    if "logged_result" in case:
        logged: ToolExecutionResult = session.here({"call_id": "c1", **case["logged_result"]})
        return logged
    return session.registry.execute(execution)


def _views(
    tool: ToolDefinition, execution: ToolExecution, result: ToolExecutionResult
) -> tuple[object, object]:
    """The cards of the tool's own presenters, None where it has no card to give."""
    present_call, present_result = tool.get("present_call"), tool.get("present_result")
    return (
        None if present_call is None else present_call(execution["arguments"]),
        None if present_result is None else present_result(execution["arguments"], result),
    )


def _acp(
    case: dict[str, Any], session: Session, result: ToolExecutionResult, terminal: bool
) -> Any:
    translator = AcpTranslator(session.registry, cwd=str(session.cwd), terminal=terminal)
    arguments_text = session.here(case["arguments_text"])
    return session.there([
        translator.tool_call("c1", case["tool"], arguments_text),
        translator.tool_result("c1", result),
    ])


# --- the tools that reach beyond this machine ---------------------------------------------


class Source(NamedTuple):
    """One hit of a search; without a title the host's name stands for it."""

    url: str
    host: str
    title: str | None = None
    snippet: str | None = None
    date: str | None = None

    def line(self) -> str:
        snippet = f" — {self.snippet} ({self.date})" if self.snippet else ""
        return f"- [{self.title or self.host}]({self.url}){snippet}"


ANSWER = "Python 3.14 is current."
SOURCES = [
    Source(
        "https://docs.example.org/whatsnew",
        "docs.example.org",
        "What's new",
        "Release notes",
        "2025-10-07",
    ),
    Source("https://blog.example.net/p/1", "blog.example.net"),
]
PAGE, PAGE_ROOM = "plain body of a page that goes on", len("plain body")


def _spec(name: str) -> Any:
    return schema(VECTORS["tools"][name]["parameters"])


def _search_card(args: dict[str, Any]) -> ToolCallView:
    query = args["query"]
    return {"card": "generic", "title": query, "kind": "search", "raw_input": query}


@define_tool(name="web_search", parameters=_spec("web_search"), present_call=_search_card)
def _web_search(args: dict[str, Any], execution: ToolExecution) -> str:
    """Search the web, which is two pages large."""
    if not args["query"].strip():
        raise ValueError("query must be a non-empty string")
    sources = "\n".join(source.line() for source in SOURCES)
    cite = "Cite the relevant URLs above as markdown links in your answer."
    return f"{ANSWER}\n\nSources:\n{sources}\n\n{cite}"


def _fetch_card(args: dict[str, Any]) -> ToolCallView:
    url = args["url"]
    return {"card": "generic", "title": url, "kind": "fetch", "raw_input": url}


@define_tool(name="web_fetch", parameters=_spec("web_fetch"), present_call=_fetch_card)
def _web_fetch(args: dict[str, Any], execution: ToolExecution) -> str:
    """Fetch a URL; there is the same page behind each."""
    if args.get("timeout_ms", 1) <= 0:
        raise ValueError("timeout_ms must be a positive number")
    note = "(Content truncated. Fetch a more specific URL or section for the full text.)"
    return f"Fetched {args['url']} (HTTP 200)\n\n{PAGE[:PAGE_ROOM]}\n\n{note}"


@define_tool(name="subagent", parameters=_spec("subagent"))
def _subagent(args: dict[str, Any], execution: ToolExecution) -> str:
    """Delegate a task to an agent that gives the same answer to each."""
    if "agent" not in execution:
        raise ValueError("subagent tool requires a calling agent (exec.agent was undefined)")
    return "Found 3 call sites."


STUBS = [_web_search, _web_fetch, _subagent]
