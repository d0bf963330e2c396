"""Whatever a model or its provider sent, an adapter reads it, or says with a code what is wrong."""

from collections.abc import Callable
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolSchema
from dsh_tools.adapters import anthropic, gemini, mcp, openai

from tests.unit.hostile import MAKERS

TOOLS: list[ToolSchema] = [
    {
        "name": "t",
        "description": "",
        "parameters": {
            "type": "object",
            "properties": {"v": {"type": "array", "items": {"type": "object"}}},
            "required": [],
        },
        "strict": True,
    }
]


def chat(id: Any, name: Any, arguments: Any) -> Any:
    call = {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return openai.chat_calls({"role": "assistant", "content": None, "tool_calls": [call]}, TOOLS)


def responses(id: Any, name: Any, arguments: Any) -> Any:
    item = {"type": "function_call", "call_id": id, "name": name, "arguments": arguments}
    return openai.responses_calls([item], TOOLS)


def claude(id: Any, name: Any, arguments: Any) -> Any:
    block = {"type": "tool_use", "id": id, "name": name, "input": arguments}
    return anthropic.calls({"role": "assistant", "content": [block]})


def google(id: Any, name: Any, arguments: Any) -> Any:
    part = {"functionCall": {"id": id, "name": name, "args": arguments}}
    return gemini.calls({"role": "model", "parts": [part]})


def server(id: Any, name: Any, arguments: Any) -> Any:
    return [mcp.tool_execution({"name": name, "arguments": arguments}, id)]


READERS = [chat, responses, claude, google, server]
WHOLE: dict[str, Callable[[Any], Any]] = {
    "a chat message": lambda value: openai.chat_calls(value, TOOLS),
    "chat calls": lambda value: openai.chat_calls({"tool_calls": value}, TOOLS),
    "a chat call": lambda value: openai.chat_calls({"tool_calls": [value]}, TOOLS),
    "response items": lambda value: openai.responses_calls(value, TOOLS),
    "a response item": lambda value: openai.responses_calls([value], TOOLS),
    "a message": anthropic.calls,
    "a block": lambda value: anthropic.calls({"content": [value]}),
    "a content": gemini.calls,
    "a part": lambda value: gemini.calls({"parts": [value]}),
    "params": lambda value: mcp.tool_execution(value, 1),
    "a result": mcp.tool_output,
    "a result's content": lambda value: mcp.tool_output({"content": value}),
    "a result's block": lambda value: mcp.tool_output({"content": [value]}),
    "structured content": lambda value: mcp.tool_output(
        {"content": [], "structuredContent": {"v": value}}
    ),
}


def read(reader: Callable[[], Any]) -> Any:
    """What is read, None when it was refused with a code and a short text."""
    try:
        return reader()
    except HarnessError as error:
        assert error.code in ("INVALID_WIRE", "MCP_TOOL_ERROR")
        assert len(str(error)) <= 4_200
        return None


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_any_id_name_and_arguments_are_read_or_refused(
    make: Callable[[], Any], reader: Callable[[Any, Any, Any], Any]
) -> None:
    for place in range(3):
        given: list[Any] = ["c", "t", "{}" if reader in (chat, responses) else {}]
        given[place] = make()
        for execution in read(lambda: reader(*given)) or ():
            assert execution.keys() >= {"call_id", "name", "arguments"}


@pytest.mark.parametrize("reader", [chat, responses], ids=lambda reader: reader.__name__)
@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "9" * 5_000, '{"v": "\\ud800"}', "NaN", "\ud800", "x" * 10**6]
)
def test_any_text_of_a_model_is_arguments(
    text: str, reader: Callable[[Any, Any, Any], Any]
) -> None:
    (execution,) = reader("c", text, text)
    assert execution["name"] == text


@pytest.mark.parametrize("where", WHOLE)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_anything_in_the_place_of_a_message_is_read_or_refused(
    make: Callable[[], Any], where: str
) -> None:
    read(lambda: WHOLE[where](make()))
