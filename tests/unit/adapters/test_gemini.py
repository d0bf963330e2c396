"""Function declarations, calls and results of Gemini."""

import json
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolDefinition, ToolRegistry, define_tool, execute_step
from dsh_tools.adapters import gemini

from tests.unit.support import raw_tool


def raw(parameters: Any, name: str = "search") -> ToolDefinition:
    definition = raw_tool(lambda args, execution: None, name)
    definition["parameters"] = parameters
    return definition


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def converted(schema: Any, **others: Any) -> Any:
    """What becomes of one property."""
    (declared,) = gemini.function_declarations([raw(an_object(a=schema) | others)])
    parameters: Any = declared["parameters"]
    return parameters["properties"]["a"]


def turn(*parts: Any) -> dict[str, object]:
    return {"role": "model", "parts": [*parts]}


def text(words: str) -> Any:
    return {"type": "text", "text": words}


# --- tools ---------------------------------------------------------------------------------


def test_a_declaration() -> None:
    definition = define_tool(
        name="search",
        description="Search.",
        parameters={
            "q": {"type": "string", "required": True, "description": "What"},
            "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "days": {"type": "integer", "enum": [1, 7]},
            "tags": {"type": "array"},
            "extra": {"type": "object"},
        },
        execute=lambda args, execution: None,
        strict=True,
    )
    assert gemini.function_declarations([definition]) == [
        {
            "name": "search",
            "description": "Search.",
            "parameters": {
                "type": "object",
                "properties": {
                    "q": {"type": "string", "description": "What"},
                    "mode": {
                        "type": "string",
                        "enum": ["a", "b"],
                        "description": '(default: "a")',
                    },
                    "days": {"type": "integer", "description": "(one of: [1, 7])"},
                    "tags": {"type": "array", "items": {}},
                    "extra": {"type": "object"},
                },
                "required": ["q"],
            },
        }
    ]


@pytest.mark.parametrize("parameters", [{}, {"type": "object"}, an_object()])
def test_a_tool_without_parameters_declares_none(parameters: Any) -> None:
    definition = raw(parameters)
    definition["description"] = ""
    assert gemini.function_declarations([definition]) == [{"name": "search"}]


@pytest.mark.parametrize(
    ("schema", "gemini_schema"),
    [
        ({"type": ["string", "null"]}, {"type": "string", "nullable": True}),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "A"},
            {"type": "string", "title": "A", "nullable": True},
        ),
        (
            {"type": ["string", "integer", "null"], "description": "D"},
            {
                "anyOf": [
                    {"type": "string", "description": "D", "nullable": True},
                    {"type": "integer", "description": "D", "nullable": True},
                ]
            },
        ),
        (
            {"oneOf": [{"type": "string"}, {"type": ["array", "boolean"]}]},
            {
                "anyOf": [
                    {"type": "string"},
                    {"anyOf": [{"type": "array", "items": {}}, {"type": "boolean"}]},
                ]
            },
        ),
        ({"const": "x"}, {"type": "string", "enum": ["x"]}),
        ({"enum": ["x", "y"]}, {"type": "string", "enum": ["x", "y"]}),
        ({"type": "string", "enum": ["x", None]}, {"type": "string", "enum": ["x"]}),
        (
            {"type": "string", "enum": ["", "x"]},
            {"type": "string", "description": '(one of: ["", "x"])'},
        ),
        ({"const": 3}, {"type": "integer", "description": "(one of: [3])"}),
        (
            {"type": "integer", "minimum": 0, "exclusiveMaximum": 9, "format": "int8"},
            {
                "type": "integer",
                "minimum": 0,
                "description": '(exclusiveMaximum: 9) (format: "int8")',
            },
        ),
        ({"type": "integer", "format": "int32"}, {"type": "integer", "format": "int32"}),
        (
            {"type": "string", "minLength": 1, "minimum": 1, "description": "D"},
            {"type": "string", "minLength": 1, "description": "D (minimum: 1)"},
        ),
        (
            an_object(b={"type": "string"})
            | {"required": ["b", "c"], "additionalProperties": False},
            an_object(b={"type": "string"}) | {"required": ["b"]},
        ),
        (an_object() | {"required": ["c"]}, {"type": "object"}),
        ({"type": "string", "properties": {"b": {}}}, {"type": "string"}),
        (
            an_object(b={"type": "array", "items": True}),
            an_object(b={"type": "array", "items": {}}),
        ),
        (
            {"allOf": [{"type": "string"}], "description": "D"},
            {"type": "string", "description": "D"},
        ),
        (
            {"type": "string", "allOf": [{"minLength": 1}, {"maxLength": 2}]},
            {"type": "string", "description": '(allOf: [{"minLength": 1}, {"maxLength": 2}])'},
        ),
        ({}, {}),
        (True, {}),
        ({"anyOf": [], "enum": None, "type": "string"}, {"type": "string"}),
    ],
)
def test_a_schema_keeps_its_meaning_in_geminis_words(schema: Any, gemini_schema: Any) -> None:
    assert converted(schema) == gemini_schema


def test_properties_say_that_a_schema_is_of_an_object() -> None:
    assert converted({"properties": {"b": {"type": "string"}}}) == an_object(b={"type": "string"})
    assert converted({"items": {"type": "string"}}) == {
        "type": "array",
        "items": {"type": "string"},
    }


def test_references_are_written_out() -> None:
    definitions = {"P": an_object(x={"$ref": "#/$defs/N"}), "N": {"type": "number"}}
    assert converted({"$ref": "#/$defs/P", "description": "D"}, **{"$defs": definitions}) == {
        **an_object(x={"type": "number"}),
        "description": "D",
    }
    twice = an_object(x={"$ref": "#/$defs/N"}, y={"$ref": "#/$defs/N"})
    assert converted(twice, **{"$defs": definitions}) == an_object(
        x={"type": "number"}, y={"type": "number"}
    )


def test_a_union_of_all_parameters_is_told_in_words() -> None:
    parameters = an_object(a={"type": "string"}) | {"anyOf": [{"required": ["a"]}]}
    (declared,) = gemini.function_declarations([raw(parameters)])
    assert declared["parameters"] == {
        **an_object(a={"type": "string"}),
        "description": '(anyOf: [{"required": ["a"]}])',
    }


def doubling(levels: int) -> dict[str, Any]:
    """Definitions that come to twice as many schemas with each level."""
    definitions: dict[str, Any] = {f"D{levels}": {"type": "string"}}
    for level in range(levels):
        deeper = {"$ref": f"#/$defs/D{level + 1}"}
        definitions[f"D{level}"] = an_object(x=deeper, y=deeper)
    return definitions


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (raw({"type": "array"}), 'tool "search": parameters.type: must be "object"'),
        (raw({}, "1st"), 'tool "1st": Gemini wants a name that begins with a letter or an undersc'),
        (raw({}, "-x"), 'tool "-x": Gemini wants a name that begins with a letter or an undersc'),
        (
            raw(an_object(a={"type": "text"})),
            'tool "search": parameters.properties.a: "type" must be one of string, number, integer',
        ),
        (
            raw(an_object(a={"$ref": "#/$defs/X"})),
            'tool "search": parameters.properties.a: "$ref" points to nothing in these parameters',
        ),
        (
            raw(an_object(a={"$ref": "other.json#/x"})),
            'tool "search": parameters.properties.a: "$ref" points to nothing in these parameters',
        ),
    ],
)
def test_what_gemini_refuses_is_refused_here(definition: ToolDefinition, message: str) -> None:
    with pytest.raises(HarnessError) as caught:
        gemini.function_declarations([definition])
    assert caught.value.code == "UNSUPPORTED_SCHEMA"
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        (
            {"type": "object", "additionalProperties": {"type": "string", "minLength": 1}},
            {
                "type": "object",
                "additionalProperties": {"type": "string", "description": "(minLength: 1)"},
            },
        ),
        (
            {"prefixItems": [{"const": "a"}, True], "description": "D"},
            {
                "type": "array",
                "prefixItems": [{"type": "string", "enum": ["a"]}, {}],
                "description": "D",
            },
        ),
        (
            an_object(b={"type": "string"}) | {"oneOf": [{"required": ["b"]}, {"type": "null"}]},
            an_object(b={"type": "string"})
            | {
                "anyOf": [{"required": ["b"], "type": "object"}, {"type": "null"}],
                "description": "(exactly one of these)",
            },
        ),
        ({"$ref": "#", "description": "D"}, {"anyOf": [{"$ref": "#"}], "description": "D"}),
    ],
)
def test_what_geminis_own_words_lack_goes_out_as_json_schema(schema: Any, sent: Any) -> None:
    (declared,) = gemini.function_declarations([raw(an_object(a=schema))])
    assert "parameters" not in declared
    parameters: Any = declared["parameters_json_schema"]
    assert parameters["properties"]["a"] == sent


def test_references_without_end_stay_references() -> None:
    parameters = an_object(a={"$ref": "#/$defs/D0"}) | {"$defs": doubling(60)}
    (declared,) = gemini.function_declarations([raw(parameters)])
    assert declared["parameters_json_schema"] == parameters


# --- calls ---------------------------------------------------------------------------------


def test_calls_stand_among_other_parts_in_either_spelling() -> None:
    calls = gemini.calls(
        turn(
            {"text": "I will look.", "function_call": None},
            {"function_call": {"id": "c1", "name": "search", "args": {"days": 3.0}}},
            {"functionCall": {"id": "c2", "name": "search"}, "thoughtSignature": "s"},
        )
    )
    assert calls == [
        {"call_id": "c1", "name": "search", "arguments": {"days": 3.0}},
        {"call_id": "c2", "name": "search", "arguments": {}},
    ]


@pytest.mark.parametrize("content", [{"role": "model"}, {"parts": None}, {"parts": []}])
def test_a_turn_without_calls(content: dict[str, object]) -> None:
    assert gemini.calls(content) == []


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (None, "content must be an object (null arrived)"),
        ({"parts": {}}, "content.parts must be an array (an object arrived)"),
        (turn(1), "content.parts[0] must be an object (an integer arrived)"),
        (turn({"function_call": []}), "content.parts[0].function_call must be an object (an array"),
    ],
)
def test_an_odd_turn_is_refused_by_field(content: Any, where: str) -> None:
    with pytest.raises(HarnessError) as caught:
        gemini.calls(content)
    assert caught.value.code == "INVALID_WIRE"
    assert str(caught.value).startswith(where)


def test_whole_numbers_that_come_as_floats_fit_an_integer() -> None:
    registry = ToolRegistry()
    registry.register(
        define_tool(
            name="days",
            description="Days.",
            parameters={"n": {"type": "integer", "enum": [3]}},
            execute=lambda args, execution: repr(args["n"]),
        )
    )
    calls = gemini.calls(turn({"function_call": {"name": "days", "args": {"n": 3.0}}}))
    assert registry.execute(calls[0])["content"] == [{"type": "text", "text": "3"}]


# --- results -------------------------------------------------------------------------------


def test_calls_without_id_are_told_apart_and_answered_without_one() -> None:
    registry = ToolRegistry()
    for name in ("one", "two"):
        registry.register(raw_tool(lambda args, execution: execution["name"], name))
    calls = gemini.calls(
        turn(
            {"function_call": {"name": "one", "args": {}}},
            {"function_call": {"name": "one", "args": {}}},
            {"function_call": {"id": "c3", "name": "two", "args": {}}},
        )
    )
    assert len({call["call_id"] for call in calls}) == 3
    assert gemini.contents(calls, execute_step(registry, calls)) == [
        {
            "role": "user",
            "parts": [
                {"function_response": {"name": "one", "response": {"output": "one"}}},
                {"function_response": {"name": "one", "response": {"output": "one"}}},
                {"function_response": {"name": "two", "response": {"output": "two"}, "id": "c3"}},
            ],
        }
    ]


def test_a_failure_is_an_error_and_a_context_a_turn_of_its_own() -> None:
    executions: Any = [{"call_id": "c1", "name": "one", "arguments": {}}]
    picture = {"type": "image", "url": "https://x/a.png"}
    failed = {"call_id": "c1", "content": [text("Error: x\ud800"), picture], "is_error": True}
    contexts = [{"content": [text("note")], "source": {}}, {"content": [], "source": {}}]
    step: Any = {"results": [failed], "contexts": contexts}
    sent = gemini.contents(executions, step)
    assert sent[1:] == [{"role": "user", "parts": [{"text": "note"}]}]
    error = {"error": "Error: x\ufffd\n[image: https://x/a.png]"}
    assert sent[0]["parts"] == [
        {"function_response": {"name": "one", "response": error, "id": "c1"}}
    ]
    json.dumps(sent, ensure_ascii=False).encode()


def test_the_history_is_what_the_api_takes() -> None:
    odd = {"functionCall": {"name": "7.b", "args": "{"}, "thoughtSignature": "s"}
    given = {"role": "model", **turn({"text": "a"}, odd, {"function_call": {"name": "a.b"}})}
    sent = gemini.turn(given)
    assert sent == {
        "role": "model",
        "parts": [
            {"text": "a"},
            {"functionCall": {"name": "_7_b", "args": {}}, "thoughtSignature": "s"},
            {"function_call": {"name": "a.b", "args": {}}},
        ],
    }
    assert [call["name"] for call in gemini.calls(given)] == ["7.b", "a.b"]
    assert odd["functionCall"] == {"name": "7.b", "args": "{"}
