"""Whatever a provider sends and whatever a raw tool's schema is: one clear error, or none."""

import json
import random
from typing import Any

import pytest
from dsh_tools import HarnessError
from dsh_tools.adapters import anthropic, gemini, mcp, openai

from tests.unit.support import raw_tool

KEYS = (
    ("type", "id", "call_id", "name", "arguments", "function", "tool_calls", "function_call")
    + ("content", "input", "parts", "functionCall", "args", "output")
    + ("properties", "required", "items", "anyOf", "oneOf", "allOf", "enum", "const", "$ref")
    + ("$defs", "default", "description", "additionalProperties", "prefixItems", "format")
)
TEXTS = (
    "",
    "function",
    "function_call",
    "tool_use",
    "object",
    "array",
    "string",
    "null",
    "integer",
) + ("#", "#/$defs/a", "#/properties/type", "search", "\ud800", '{"a": null}', "{")


def random_json(rng: random.Random, depth: int) -> Any:
    kind = rng.choice(
        ["object", "object", "array", "text", "other"] if depth else ["text", "other"]
    )
    if kind == "object":
        keys = rng.sample(KEYS, rng.randint(0, 6))
        return {key: random_json(rng, depth - 1) for key in keys}
    if kind == "array":
        return [random_json(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return rng.choice(TEXTS if kind == "text" else [None, True, False, 0, -1, 1.5])


def mostly_schema(rng: random.Random, depth: int) -> Any:
    """A schema that is now and then none."""
    if depth == 0 or rng.random() < 0.1:
        return random_json(rng, 1)
    kind = rng.choice(["object", "array", "string", "integer", ["string", "null"], None])
    schema: Any = {} if kind is None else {"type": kind}
    if kind == "object" or rng.random() < 0.1:
        names = rng.sample(["a", "b", "größe", "x y"], rng.randint(0, 3))
        schema["properties"] = {name: mostly_schema(rng, depth - 1) for name in names}
        schema["required"] = names[:1]
    if kind == "array" and rng.random() < 0.7:
        schema["items"] = mostly_schema(rng, depth - 1)
    for key in ("anyOf", "oneOf", "allOf"):
        if rng.random() < 0.1:
            schema[key] = [mostly_schema(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    for key in rng.sample(KEYS, 2) if rng.random() < 0.2 else []:
        schema[key] = random_json(rng, 2)
    return schema


@pytest.mark.parametrize("seed", range(100))
def test_reading_raises_nothing_but_invalid_wire(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        sent, tool = random_json(rng, 5), raw_tool(lambda args, execution: None, "search")
        tool["strict"], parameters = True, random_json(rng, 4)
        tool["parameters"] = parameters if isinstance(parameters, dict) else {}
        for read, given in (
            (openai.chat_calls, (sent, [tool])),
            (openai.chat_calls, ({"tool_calls": sent}, [tool])),
            (openai.responses_calls, (sent, [tool])),
            (anthropic.calls, (sent,)),
            (anthropic.calls, ({"content": sent},)),
            (gemini.calls, (sent,)),
            (gemini.calls, ({"parts": sent},)),
        ):
            before = repr(sent)
            try:
                executions = read(*given)
            except HarnessError as error:
                assert error.code == "INVALID_WIRE"
            else:
                for execution in executions:
                    assert isinstance(execution["call_id"], str)
                    assert isinstance(execution["name"], str)
            assert repr(sent) == before


@pytest.mark.parametrize("seed", range(100))
def test_sending_raises_nothing_but_unsupported_schema(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        tool = raw_tool(lambda args, execution: None, "search")
        parameters = mostly_schema(rng, 4)
        tool["parameters"] = parameters if isinstance(parameters, dict) else {}
        if rng.random() < 0.7:
            tool["parameters"] = {**tool["parameters"], "type": "object"}
        tool["strict"] = rng.random() < 0.5
        before = repr(tool["parameters"])
        for send in (
            openai.chat_tools,
            openai.responses_tools,
            anthropic.tools,
            gemini.function_declarations,
            mcp.tools,
        ):
            try:
                sent: Any = send([tool])
            except HarnessError as error:
                assert error.code == "UNSUPPORTED_SCHEMA"
                assert str(error).startswith('tool "search": ')
            else:
                json.dumps(sent, allow_nan=False)
        assert repr(tool["parameters"]) == before
