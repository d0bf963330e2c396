"""Small things that several tests need."""

import os
from collections.abc import Callable
from typing import Any, Final

import pytest
from dsh_tools import (
    ToolDefinition,
    ToolExecution,
    ToolExecutionResult,
    schema_spec_to_json_schema,
)
from dsh_tools.schema.validation import building, containers
from dsh_tools.schema.validation.validator import Validator

SCALE: Final = 10 if "LARGE_TESTS" in os.environ else 1
"""How much more there is of what is huge: `make relocated` has time for more than `make test`."""


def call(*, call_id: str = "c1", name: str = "t", arguments: object = None) -> ToolExecution:
    return {"call_id": call_id, "name": name, "arguments": {} if arguments is None else arguments}


def validator_of(spec: Any) -> Validator:
    """The validator of a spec, before its check has been generated."""
    return Validator(schema_spec_to_json_schema(spec), formats=True)


def check_of(spec: Any) -> Callable[[object], bool]:
    """The generated check of a spec."""
    validator = validator_of(spec)
    validator.compile()
    return validator.check


def shorten_walks(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Ask after so many elements whether the arguments are a tree."""
    monkeypatch.setattr(building, "MANY_ELEMENTS", most)
    monkeypatch.setattr(containers, "MANY_ELEMENTS", most)


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
