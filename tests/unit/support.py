"""Small things that several tests need."""

from collections.abc import Callable
from typing import Any

from dsh_tools import ToolDefinition, ToolExecution, ToolExecutionResult


def call(*, call_id: str = "c1", name: str = "t", arguments: object = None) -> ToolExecution:
    return {"call_id": call_id, "name": name, "arguments": {} if arguments is None else arguments}


def raw_tool(body: Callable[[Any, ToolExecution], Any], name: str = "t") -> ToolDefinition:
    """A raw definition: its arguments are not checked."""
    return {
        "name": name,
        "description": f"tool {name}",
        "parameters": {"type": "object"},
        "execute": body,
    }


def watching(see: Callable[..., object]) -> Any:
    """A listener that shows `see` what it is called with and lets the next one decide."""

    def listen(*values_and_next: Any) -> Any:
        *values, next_ = values_and_next
        see(*values)
        return next_()

    return listen


def text_of(result: ToolExecutionResult) -> str:
    (block,) = result["content"]
    assert block["type"] == "text"
    return block["text"]
