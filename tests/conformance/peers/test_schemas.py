"""The schemas that the adapters send, against what others make of the providers' rules."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from agents.strict_schema import ensure_strict_json_schema
from dsh_tools import HarnessError, ToolDefinition, define_tool, schema
from dsh_tools.adapters import anthropic, gemini, openai
from google.genai import types as genai
from jsonschema import Draft202012Validator
from openai.lib._pydantic import _ensure_strict_json_schema

from tests.conformance.corpus import real_functions
from tests.property.test_validation import is_plain, random_arguments, random_spec

# Schemas as MCP servers made with the usual libraries show them, in one.
RAW: Any = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Arguments",
    "type": "object",
    "properties": {
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "M"},
        "either": {"type": ["string", "integer", "null"], "description": "Either"},
        "one": {"oneOf": [{"const": "a"}, {"type": "object", "properties": {"b": {"const": 1}}}]},
        "point": {"$ref": "#/$defs/Point", "description": "Where"},
        "points": {"type": "array", "items": {"$ref": "#/$defs/Point"}, "uniqueItems": True},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "open": {"type": "object"},
        "any": {},
        "level": {"type": "integer", "exclusiveMinimum": 0, "maximum": 5, "multipleOf": 1},
        "url": {"type": "string", "format": "uri", "minLength": 1, "pattern": "^http"},
        "size": {"enum": [1, 2, None]},
        "blank": {"type": "string", "enum": ["", "x"]},
        "when": {"type": "string", "format": "date-time", "examples": ["2026-01-01T00:00:00Z"]},
    },
    "required": ["point", "gone"],
    "additionalProperties": False,
    "$defs": {
        "Point": {
            "type": "object",
            "properties": {"x": {"type": "number", "default": 0}, "y": {"type": "number"}},
            "required": ["y"],
            "additionalProperties": False,
        }
    },
}


def tool(name: str, spec: Any, *, strict: bool | None = None) -> ToolDefinition:
    return define_tool(
        name=name,
        description=name,
        parameters=spec,
        execute=lambda args, execution: None,
        strict=strict,
    )


def raw_tool(parameters: Any) -> ToolDefinition:
    return {
        "name": "raw",
        "description": "",
        "parameters": parameters,
        "execute": lambda args, execution: None,
    }


def random_tools(*, strict: bool) -> Iterator[tuple[random.Random, Any, ToolDefinition]]:
    for seed in range(300):
        rng = random.Random(seed)
        spec: Any = schema(random_spec(rng, 3))
        yield rng, spec, tool("random", spec, strict=strict)


def strict_parameters(definition: ToolDefinition) -> Any:
    """What OpenAI gets of a strict tool, None when strict mode cannot take it."""
    try:
        return openai.chat_tools([definition])[0]["function"]["parameters"]
    except HarnessError as error:
        assert error.code == "UNSUPPORTED_SCHEMA"
        assert "may hold" in str(error)
        return None


def with_nulls(value: Any, sent: Any) -> Any:
    """A value as a model writes it in strict mode: null for every property that it leaves out."""
    sent = not_null(sent)
    if isinstance(value, list):
        return [with_nulls(item, sent["items"]) for item in value]
    if isinstance(value, dict):
        properties = sent["properties"]
        return {name: with_nulls(value.get(name), properties[name]) for name in properties}
    return value


def not_null(sent: Any) -> Any:
    """A schema, or what it is when it is not null."""
    return sent["anyOf"][0] if sent.get("anyOf", [])[1:] == [{"type": "null"}] else sent


def declared_only(value: Any, sent: Any) -> bool:
    sent = not_null(sent)
    if isinstance(value, list):
        return all(declared_only(item, sent["items"]) for item in value)
    if isinstance(value, dict):
        properties = sent["properties"]
        return all(
            name in properties and declared_only(value[name], properties[name]) for name in value
        )
    return True


def require_round_trip(definition: ToolDefinition, sent: Any, arguments: Any) -> None:
    written = with_nulls(arguments, sent)
    Draft202012Validator(sent).validate(written)
    function = {"name": definition["name"], "arguments": json.dumps(written)}
    message = {"tool_calls": [{"id": "c1", "type": "function", "function": function}]}
    assert openai.chat_calls(message, [definition])[0]["arguments"] == arguments


# --- OpenAI --------------------------------------------------------------------------------


def test_a_strict_schema_leaves_nothing_to_do_for_those_who_make_strict_ones() -> None:
    definitions = [definition for _, _, definition in random_tools(strict=True)]
    for function in real_functions():
        definitions.append(tool("real", function["parameters"], strict=True))
    sent = [found for found in map(strict_parameters, definitions) if found is not None]
    assert len(sent) > 300
    for parameters in sent:
        Draft202012Validator.check_schema(parameters)
        assert ensure_strict_json_schema(deepcopy(parameters)) == parameters
        copied = deepcopy(parameters)
        assert _ensure_strict_json_schema(copied, path=(), root=copied) == parameters


def test_real_calls_survive_strict_mode() -> None:
    survived = 0
    for function in real_functions():
        definition = tool("real", function["parameters"], strict=True)
        sent = strict_parameters(definition)
        for call in function["calls"] if sent is not None else []:
            if call["bad_paths"] == [] and declared_only(call["arguments"], sent):
                require_round_trip(definition, sent, call["arguments"])
                survived += 1
    assert survived > 200


def test_random_calls_survive_strict_mode() -> None:
    survived = 0
    for rng, spec, definition in random_tools(strict=True):
        sent = strict_parameters(definition)
        for _ in range(10 if sent is not None else 0):
            arguments = random_arguments(rng, spec, 1.0)
            validator = Draft202012Validator(definition["parameters"])
            if (
                is_plain(arguments)
                and validator.is_valid(arguments)
                and declared_only(arguments, sent)
            ):
                require_round_trip(definition, sent, arguments)
                survived += 1
    assert survived > 300


# --- Gemini --------------------------------------------------------------------------------


def require_gemini(definition: ToolDefinition) -> None:
    """The official client's models refuse every keyword that they do not know."""
    (declaration,) = gemini.function_declarations([definition])
    genai.FunctionDeclaration.model_validate(declaration)
    for part in schemas_in(declaration.get("parameters", {})):
        assert part.get("properties", True), "an object without properties has no such key"
        assert set(part.get("required", [])) <= part.get("properties", {}).keys()
        assert "items" in part or part.get("type") != "array"
        assert all(value for value in part.get("enum", []))
        assert part.keys() == {"anyOf"} or "anyOf" not in part


def schemas_in(part: Any) -> Iterator[Any]:
    yield part
    inside = [*part.get("properties", {}).values(), *part.get("anyOf", [])]
    for inner in [*inside, *([part["items"]] if "items" in part else [])]:
        yield from schemas_in(inner)


def test_gemini_takes_real_random_and_raw_tools() -> None:
    for function in real_functions():
        require_gemini(tool("real", function["parameters"]))
    for _, _, definition in random_tools(strict=False):
        require_gemini(definition)
    require_gemini(raw_tool(RAW))


# --- what all of them keep -----------------------------------------------------------------


@pytest.mark.parametrize("send", [openai.chat_tools, openai.responses_tools, anthropic.tools])
def test_a_schema_that_is_not_strict_means_what_it_meant(send: Any) -> None:
    (sent,) = send([raw_tool(RAW)])
    parameters = sent.get("function", sent).get("parameters") or sent["input_schema"]
    Draft202012Validator.check_schema(parameters)
    for key, items in (("points", RAW["properties"]["points"]["items"]), ("pair", {})):
        if send is not anthropic.tools or key == "points":
            assert parameters["properties"][key].pop("items") == items
    expected = deepcopy(RAW)
    del expected["properties"]["points"]["items"]
    assert parameters == expected
