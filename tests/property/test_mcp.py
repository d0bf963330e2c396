"""Whatever an MCP server says, there is a result to read or one clear error."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolRegistry
from dsh_tools.adapters import mcp

from tests.unit.support import call

PNG = "iVBORw0KGgo="
ANSWER: dict[str, Any] = {
    "content": [
        {"type": "text", "text": "a", "annotations": {"audience": ["user"]}},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "u", "mimeType": "text/plain", "text": "x"}},
        {"type": "resource", "resource": {"uri": "u", "mimeType": "image/png", "blob": PNG}},
        {"type": "resource_link", "uri": "u", "name": "n", "title": "t", "description": "d"},
    ],
    "structuredContent": {"a": 1},
    "isError": False,
    "resultType": "complete",
    "_meta": {"k": 1},
}
ENTRIES: list[Any] = [
    {
        "name": "a.b",
        "title": "A",
        "description": "d",
        "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}},
        "annotations": {"title": "B", "readOnlyHint": True},
    },
    {"name": "c", "inputSchema": {"type": "object"}},
]
ODD = [None, True, False, 0, -1, 1.5, "", "x", "a b", "\ud800", [], {}, [None], {"type": "text"}]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each container inside a value, with each of its keys."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def mutated(value: Any, rng: random.Random) -> Any:
    """The value with one or two members gone or odd."""
    value = deepcopy(value)
    for _ in range(rng.randint(1, 2)):
        holder, key = rng.choice(list(places(value)))
        if rng.random() < 0.3:
            del holder[key]
        else:
            holder[key] = deepcopy(rng.choice(ODD))
        if not value:
            break
    return value


@pytest.mark.parametrize("seed", range(100))
def test_an_answer_is_read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    (tool,) = mcp.tool_definitions(ENTRIES[1:], lambda *_: answer)
    registry = ToolRegistry()
    registry.register(tool)
    for _ in range(50):
        answer = mutated(ANSWER, rng)
        result = registry.execute(call(name="c"))
        if result["is_error"]:
            assert result["error"]["code"] in ("INVALID_WIRE", "MCP_TOOL_ERROR"), answer
        json.dumps(mcp.call_result(result), ensure_ascii=False).encode()


@pytest.mark.parametrize("seed", range(100))
def test_a_list_is_taken_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        registry, entries = ToolRegistry(), mutated(ENTRIES, rng)
        before = repr(entries)
        try:
            tools = mcp.tool_definitions(entries, lambda *_: {"content": []})
        except HarnessError as error:
            assert error.code == "INVALID_WIRE"
            continue
        for tool in tools:
            registry.register(tool)
            assert registry.execute(call(name=tool["name"]))["is_error"] is False
        refused: list[HarnessError] = []
        sent = mcp.tools(registry.schemas(), on_refused=refused.append)
        assert len(sent) + len(refused) == len(tools)
        assert {error.code for error in refused} <= {"UNSUPPORTED_SCHEMA"}
        json.dumps(sent, ensure_ascii=False).encode()
        assert repr(entries) == before
