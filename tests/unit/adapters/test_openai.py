"""Chat Completions, Responses and strict mode."""

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolDefinition, ToolRegistry, define_tool, execute_step
from dsh_tools.adapters import openai

from tests.unit.support import raw_tool, watching

SEARCH: Any = {
    "query": {"type": "string", "required": True},
    "mode": {"type": "string", "enum": ["fast", "deep"], "default": "fast", "description": "How"},
    "limit": {"type": "integer", "default": 0},
    "filters": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "field": {"type": "string", "required": True},
                "ids": {"type": "array", "items": {"type": "number"}},
            },
        },
    },
}
PNG = "data:image/png;base64,iVBORw0KGgo="


def tool(spec: Any, *, strict: bool | None = None, description: str = "Search.") -> ToolDefinition:
    return define_tool(
        name="search",
        description=description,
        parameters=spec,
        execute=lambda args, execution: json.dumps(args),
        strict=strict,
    )


def raw(parameters: Any, *, strict: bool = True) -> ToolDefinition:
    definition = raw_tool(lambda args, execution: None, "search")
    definition["parameters"] = parameters
    definition["strict"] = strict
    return definition


def sent_parameters(definition: ToolDefinition) -> Any:
    (sent,) = openai.chat_tools([definition])
    return sent["function"]["parameters"]


def chat(*calls: Any) -> dict[str, object]:
    return {"role": "assistant", "content": None, "tool_calls": [*calls]}


def chat_call(arguments: object, call_id: str = "c1", name: str = "search") -> Any:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def function_call(arguments: object) -> Any:
    return {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "c1",
        "name": "search",
        "arguments": arguments,
    }


def result(*blocks: Any, is_error: bool = False) -> Any:
    return {"call_id": "c1", "content": [*blocks], "is_error": is_error}


def text(words: str) -> Any:
    return {"type": "text", "text": words}


# --- tools ---------------------------------------------------------------------------------


def test_a_tool_for_each_api() -> None:
    parameters = {
        "type": "object",
        "properties": {"q": {"type": "string"}},
        "required": ["q"],
    }
    definition = tool({"q": {"type": "string", "required": True}})
    function = {"name": "search", "description": "Search.", "parameters": parameters}
    assert openai.chat_tools([definition]) == [{"type": "function", "function": function}]
    assert openai.responses_tools([definition]) == [
        {"type": "function", **function, "strict": False}
    ]


@pytest.mark.parametrize(
    ("strict", "in_chat", "in_responses"), [(None, None, False), (False, False, False), (True,) * 3]
)
def test_strict_is_left_out_of_chat_when_unset_and_never_out_of_responses(
    strict: bool | None, in_chat: bool | None, in_responses: bool
) -> None:
    """Responses takes a tool without it for a strict one."""
    definition = tool({}, strict=strict)
    (sent,) = openai.chat_tools([definition])
    assert sent["function"].get("strict") is in_chat
    assert ("strict" in sent["function"]) is (strict is not None)
    assert openai.responses_tools([definition])[0]["strict"] is in_responses


def test_what_is_sent_shares_nothing_with_the_definition() -> None:
    definition = raw({"type": "object", "properties": {"a": {"type": "array"}}}, strict=False)
    before = json.dumps(definition["parameters"])
    parameters = sent_parameters(definition)
    parameters["properties"]["a"]["type"] = "string"
    assert json.dumps(definition["parameters"]) == before


def test_an_array_of_anything_gets_items_wherever_it_stands() -> None:
    array = {"type": "array"}
    schema = {
        "type": "object",
        "properties": {
            "c": {"type": "array", "items": True},
            "a": array,
            "b": {"anyOf": [{"type": ["array", "null"]}, {"type": "null"}]},
        },
        "$defs": {"D": {"type": "object", "properties": {"c": {"type": "array", "items": array}}}},
        "additionalProperties": array,
    }
    filled = {"type": "array", "items": {}}
    assert sent_parameters(raw(schema, strict=False)) == {
        "type": "object",
        "properties": {
            "c": {"type": "array", "items": True},
            "a": filled,
            "b": {"anyOf": [{"type": ["array", "null"], "items": {}}, {"type": "null"}]},
        },
        "$defs": {"D": {"type": "object", "properties": {"c": {"type": "array", "items": filled}}}},
        "additionalProperties": filled,
    }


@pytest.mark.parametrize("parameters", [{}, {"type": "object"}, {"properties": {}}])
def test_parameters_are_an_object_with_properties(parameters: Any) -> None:
    sent = sent_parameters(raw(parameters, strict=False))
    assert sent == {"type": "object", "properties": {}}


def test_an_empty_description_is_left_out_and_a_lone_surrogate_mended() -> None:
    (sent,) = openai.chat_tools([raw({}, strict=False) | {"description": ""}])
    assert "description" not in sent["function"]
    broken: Any = tool({"q": {"type": "string", "description": "x\ud800"}}, description="\ud800")
    (sent,) = openai.chat_tools([broken])
    json.dumps(sent, ensure_ascii=False).encode()
    assert sent["function"]["description"] == "\ufffd"


# --- strict mode, out ----------------------------------------------------------------------


def or_null(schema: Any) -> Any:
    return {"anyOf": [schema, {"type": "null"}]}


def test_a_strict_tool_is_closed_and_its_optional_properties_may_be_null() -> None:
    assert sent_parameters(tool(SEARCH, strict=True)) == {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "mode": {
                "type": ["string", "null"],
                "description": 'How (default: "fast")',
                "enum": ["fast", "deep", None],
            },
            "limit": {"type": ["integer", "null"], "description": "(default: 0)"},
            "filters": or_null(
                {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "field": {"type": "string"},
                            "ids": or_null({"type": "array", "items": {"type": "number"}}),
                        },
                        "required": ["field", "ids"],
                        "additionalProperties": False,
                    },
                }
            ),
        },
        "required": ["query", "mode", "limit", "filters"],
        "additionalProperties": False,
    }


def test_a_strict_tool_without_parameters() -> None:
    closed = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    assert sent_parameters(tool({}, strict=True)) == closed


def test_unions_and_references_of_raw_tools_stay() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    sent = sent_parameters(
        raw(
            {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "properties": {
                    "node": {"$ref": "#/$defs/Node", "description": "First"},
                    "unit": {"type": ["string", "null"], "enum": ["F", "C"]},
                    "either": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                    "other": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                    "fixed": {"const": 1},
                },
                "required": ["node"],
                "$defs": {"Node": node},
            }
        )
    )
    null = {"type": "null"}
    assert sent["properties"] == {
        "node": {"description": "First", "anyOf": [{"$ref": "#/$defs/Node"}]},
        "unit": {"type": ["string", "null"], "enum": ["F", "C"]},
        "either": {"anyOf": [{"type": "string"}, null]},
        "other": {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}, null]},
        "fixed": or_null({"type": "integer", "const": 1}),
    }
    assert sent["$defs"]["Node"] == {
        "type": "object",
        "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, null]}},
        "required": ["next"],
        "additionalProperties": False,
    }
    assert "$schema" not in sent


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def nested(levels: int) -> dict[str, Any]:
    return an_object(a=nested(levels - 1)) if levels > 1 else an_object()


@pytest.mark.parametrize(
    ("parameters", "where"),
    [
        ({"type": "object"}, "parameters: an object may hold undeclared properties"),
        (
            an_object() | {"anyOf": [an_object(a={"type": "string"})]},
            "parameters: strict mode takes no alternatives",
        ),
        (an_object(a={"type": "object"}), "parameters.properties.a: an object may hold"),
        (
            an_object(a=an_object() | {"additionalProperties": True}),
            "parameters.properties.a: an obj",
        ),
        (an_object() | {"additionalProperties": {"type": "string"}}, "parameters: an object may"),
        (an_object(a={"type": "array"}), 'parameters.properties.a: an array without "items"'),
        (
            an_object(a={"type": "array", "items": {}}),
            'properties.a.items: strict mode wants a "type"',
        ),
        (an_object(a={"type": "array", "items": True}), "properties.a.items: strict mode takes no"),
        (
            an_object(a={"type": "string", "not": {"const": ""}}),
            'a: strict mode does not take "not"',
        ),
        (
            an_object(a={"anyOf": [{"type": "string"}, {"prefixItems": [{}]}]}),
            "a.anyOf[1]: strict mode does",
        ),
        (an_object(a={"type": "text"}), 'properties.a: "type" must be one of string, number'),
        (an_object(a={"type": "string", "enum": "x"}), 'properties.a: "enum" must be an array'),
        ({"type": "object", "properties": []}, 'parameters: "properties" must be an object'),
        (
            an_object(**{f"p{i}": {"type": "string"} for i in range(5001)}),
            "at most 5,000 properties",
        ),
        (nested(11), "at most 10 levels of objects"),
        (an_object(a={"type": "integer", "enum": [*range(1001)]}), "at most 1,000 enum values"),
        (
            an_object(a={"type": "string", "enum": ["x" * 60] * 251}) | {"required": ["a"]},
            "15,000 characters in an enum",
        ),
        (an_object(**{f"{i:>0200}": {"type": "string"} for i in range(601)}), "120,000 characters"),
    ],
)
def test_what_strict_mode_cannot_take_is_refused(parameters: Any, where: str) -> None:
    for send in (openai.chat_tools, openai.responses_tools):
        with pytest.raises(HarnessError) as caught:
            send([raw(parameters)])
        assert caught.value.code == "UNSUPPORTED_SCHEMA"
        assert str(caught.value).startswith('tool "search": parameters')
        assert where in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        (
            {"type": "string", "format": "uri", "minLength": 1, "title": "A", "x-order": 1},
            {"type": "string", "title": "A", "description": '(format: "uri") (minLength: 1)'},
        ),
        (
            {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        ),
        (
            {"oneOf": [{"type": "number"}, {"type": "integer"}]},
            {
                "anyOf": [{"type": "number"}, {"type": "integer"}],
                "description": "(exactly one of these)",
            },
        ),
        (
            {"type": ["array", "null"], "items": {"type": "string"}, "description": "D"},
            {**or_null({"type": "array", "items": {"type": "string"}}), "description": "D"},
        ),
        (
            {"allOf": [{"type": "string"}], "description": "D"},
            {"type": "string", "description": "D"},
        ),
        ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        (
            {"type": "object", "additionalProperties": False},
            {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
        ),
    ],
)
def test_what_strict_mode_lacks_is_said_otherwise(schema: Any, sent: Any) -> None:
    parameters = sent_parameters(raw(an_object(a=schema) | {"required": ["a"]}))
    assert parameters["properties"]["a"] == sent


def test_what_just_fits_strict_mode_is_sent() -> None:
    sent_parameters(raw(nested(10)))
    sent_parameters(raw(an_object(a={"$ref": "#/$defs/D"}) | {"$defs": {"D": nested(10)}}))
    in_arrays = {"type": "array", "items": {"type": "array", "items": nested(9)}}
    sent_parameters(raw(an_object(a=in_arrays)))
    sent_parameters(raw(an_object(a={"type": "string", "enum": ["x" * 60] * 250})))
    sent_parameters(raw(an_object(**{f"p{i}": {"type": "string"} for i in range(5000)})))


@pytest.mark.parametrize("strict", [True, False])
def test_parameters_of_another_type_are_refused(strict: bool) -> None:
    with pytest.raises(HarnessError, match='parameters.type: must be "object"'):
        openai.chat_tools([raw({"type": "array", "items": {}}, strict=strict)])


# --- calls ---------------------------------------------------------------------------------

ReadCall = Callable[[object, list[ToolDefinition]], Any]


def read_chat(arguments: object, tools: list[ToolDefinition]) -> Any:
    (execution,) = openai.chat_calls(chat(chat_call(arguments)), tools)
    return execution["arguments"]


def read_responses(arguments: object, tools: list[ToolDefinition]) -> Any:
    (execution,) = openai.responses_calls([function_call(arguments)], tools)
    return execution["arguments"]


both_apis = pytest.mark.parametrize("read", [read_chat, read_responses])


@both_apis
@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("", {}),
        (None, {}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('{"a": ', '{"a": '),
        ('{"a": NaN}', '{"a": NaN}'),
        ('"{\\"a\\": 1}"', '{"a": 1}'),
        ("[1]", [1]),
        ("[" * 100_000, "[" * 100_000),
        ({"a": 1}, {"a": 1}),
        (7, 7),
    ],
    ids=lambda value: str(value)[:12],
)
def test_whatever_a_model_writes_becomes_an_execution(
    read: ReadCall, written: object, arguments: object
) -> None:
    assert read(written, []) == arguments
    assert read(written, [tool(SEARCH, strict=True)]) == arguments


def test_arguments_that_are_absent_are_none() -> None:
    call = chat_call("")
    del call["function"]["arguments"]
    assert openai.chat_calls(chat(call), [])[0]["arguments"] == {}
    item = function_call("")
    del item["arguments"]
    assert openai.responses_calls([item], [])[0]["arguments"] == {}


def test_arguments_that_come_parsed_are_copied() -> None:
    given = {"filters": [{"field": "x", "ids": None}]}
    read_chat(given, [tool(SEARCH, strict=True)])
    assert given == {"filters": [{"field": "x", "ids": None}]}


def test_several_calls_in_one_message_keep_their_order() -> None:
    message = chat(chat_call("{}", "c1"), chat_call("{}", "c2", "other"), chat_call("", "c1"))
    calls = openai.chat_calls(message, [])
    assert [(call["call_id"], call["name"]) for call in calls] == [
        ("c1", "search"),
        ("c2", "other"),
        ("c1", "search"),
    ]


@pytest.mark.parametrize("calls", [{}, {"tool_calls": None}, {"tool_calls": []}])
def test_a_message_without_calls(calls: dict[str, object]) -> None:
    message = {"role": "assistant", "content": "Hello", "function_call": None, **calls}
    assert openai.chat_calls(message, []) == []


def test_function_calls_stand_among_other_items() -> None:
    output: list[dict[str, object]] = [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        function_call('{"query": "x"}'),
        {"type": "message", "role": "assistant", "content": []},
    ]
    assert openai.responses_calls(output, []) == [
        {"call_id": "c1", "name": "search", "arguments": {"query": "x"}}
    ]


@pytest.mark.parametrize(
    ("message", "where"),
    [
        (None, "message must be an object (null arrived)"),
        ([], "message must be an object (an array arrived)"),
        ({"tool_calls": {}}, "message.tool_calls must be an array (an object arrived)"),
        (chat("x"), "message.tool_calls[0] must be an object (a string arrived)"),
        ({"function_call": {"name": "a"}}, "message.function_call is the answer to `functions`"),
    ],
)
def test_an_odd_message_is_refused_by_field(message: Any, where: str) -> None:
    with pytest.raises(HarnessError) as caught:
        openai.chat_calls(message, [])
    assert caught.value.code == "INVALID_WIRE"
    assert str(caught.value).startswith(where)


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "function"},
        {"function": 1},
        {"function": {"name": "a"}},
        {"id": 1, "function": {"name": "a"}},
        {"id": "", "function": {"name": None, "arguments": "{"}},
        {"id": None, "type": None, "function": {"name": "a", "arguments": "{}"}},
    ],
)
def test_an_odd_call_costs_its_siblings_nothing(odd: Any) -> None:
    message = chat(odd, chat_call("{}"), {"id": "x", "type": "custom", "custom": {}}, {**odd})
    before = copy.deepcopy(message)
    first, second, third = openai.chat_calls(message, [])
    assert second == {"call_id": "c1", "name": "search", "arguments": {}}
    assert len({first["call_id"], third["call_id"]}) == 2
    assert all(re.fullmatch("[A-Za-z0-9_-]{1,40}", call["call_id"]) for call in (first, third))
    turn = openai.chat_turn(message)
    ids = [first["call_id"], "c1", "x", third["call_id"]]
    assert [call["id"] for call in turn["tool_calls"]] == ids
    assert turn["tool_calls"][2] == {"id": "x", "type": "custom", "custom": {}}
    assert openai.chat_turn(turn) == turn
    assert message == before


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
        ('{"a":"1\n2"}', '{"a": "1\\n2"}'),
        ({"a": "\u00e9"}, '{"a": "\u00e9"}'),
        ('{"a":', "{}"),
        ('{"a": NaN}', "{}"),
        ('{"a": 1e999}', '{"a": 1e999}'),
        ("[1]", "{}"),
        ("null", "{}"),
        ("", "{}"),
        (None, "{}"),
    ],
)
def test_arguments_in_the_history(written: Any, sent: str) -> None:
    (call,) = openai.chat_turn(chat(chat_call(written)))["tool_calls"]
    assert call["function"]["arguments"] == sent
    item = {"type": "function_call", "call_id": "c", "name": "a.b", "arguments": written, "id": "f"}
    assert openai.responses_turn([{"type": "reasoning"}, item]) == [
        {"type": "reasoning"},
        {**item, "name": "a_b", "arguments": sent},
    ]


@pytest.mark.parametrize(
    ("output", "where"),
    [
        (None, "output must be an array (null arrived)"),
        ([None], "output[0] must be an object (null arrived)"),
        ([{"name": "a"}], "output[0].type is missing: it must be a string"),
    ],
)
def test_an_odd_output_is_refused_by_field(output: Any, where: str) -> None:
    with pytest.raises(HarnessError) as caught:
        openai.responses_calls(output, [])
    assert caught.value.code == "INVALID_WIRE"
    assert str(caught.value).startswith(where)


# --- strict mode, in -----------------------------------------------------------------------


@both_apis
def test_a_null_for_an_optional_property_of_a_strict_tool_is_gone(read: ReadCall) -> None:
    written = json.dumps(
        {
            "query": None,
            "mode": None,
            "limit": 0,
            "filters": [{"field": "a", "ids": None}, None, {"field": None, "ids": [None]}],
            "undeclared": None,
        }
    )
    assert read(written, [tool(SEARCH, strict=True)]) == {
        "query": None,
        "limit": 0,
        "filters": [{"field": "a"}, None, {"field": None, "ids": [None]}],
        "undeclared": None,
    }


@both_apis
@pytest.mark.parametrize("strict", [None, False])
def test_a_null_of_another_tool_stays(read: ReadCall, strict: bool | None) -> None:
    assert read('{"mode": null}', [tool(SEARCH, strict=strict)]) == {"mode": None}


@both_apis
@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"type": "null"},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Nothing"}]},
        {"$ref": "#/$defs/Nothing"},
        {"enum": ["a", None]},
        {"const": None},
    ],
)
def test_a_null_that_a_raw_tool_allows_stays(read: ReadCall, schema: Any) -> None:
    definition = raw(an_object(a=schema) | {"$defs": {"Nothing": {"type": "null"}}})
    assert read('{"a": null}', [definition]) == {"a": None}


@both_apis
def test_nulls_are_found_in_arrays_of_arrays(read: ReadCall) -> None:
    rows = {"type": "array", "items": {"type": "array", "items": an_object(a={"type": "string"})}}
    written = '{"rows": [[{"a": null}], [{"a": "x"}, {"a": null}]]}'
    assert read(written, [raw(an_object(rows=rows))]) == {"rows": [[{}], [{"a": "x"}, {}]]}


@both_apis
def test_nulls_are_found_behind_references_and_unions(read: ReadCall) -> None:
    node = an_object(
        name={"type": "string"},
        next={"$ref": "#/$defs/a~1b"},
        either={"anyOf": [an_object(x={"type": "string"}), {"type": "array", "items": node_ref()}]},
    )
    definition = raw(an_object(node=node_ref()) | {"$defs": {"a/b": node}})
    deep = {"name": None, "either": [{"name": None}], "next": {"either": {"x": None}, "next": None}}
    assert read(json.dumps({"node": deep}), [definition]) == {
        "node": {"either": [{}], "next": {"either": {}}}
    }


def node_ref() -> dict[str, Any]:
    return {"$ref": "#/$defs/a~1b"}


def test_arguments_may_be_as_deep_as_they_like() -> None:
    definition = raw(an_object(next={"$ref": "#"}))
    deep: Any = {"next": None}
    for _ in range(50_000):
        deep = {"next": deep}
    arguments = read_chat(deep, [definition])
    for _ in range(50_000):
        arguments = arguments["next"]
    assert arguments == {}


@pytest.mark.parametrize(
    "parameters",
    [
        {"properties": 1, "required": 2, "anyOf": 3, "$ref": 4},
        {"properties": {"a": 5}, "items": []},
        {"$ref": "#"},
        {"$ref": "#/properties/a/b", "properties": {"a": {"$ref": "#/properties/a"}}},
        {"$ref": "https://example.com", "anyOf": [{"$ref": "#"}]},
    ],
)
def test_reading_survives_a_strict_tool_that_was_never_sent(parameters: Any) -> None:
    assert read_chat('{"b": [null]}', [raw(parameters)]) == {"b": [None]}


def test_an_optional_property_stays_optional_from_the_registry_to_the_log() -> None:
    registry, logged = ToolRegistry(), list[Any]()
    registry.register(tool(SEARCH, strict=True))
    registry.on_pre_execute(watching(logged.append))
    message = chat(chat_call('{"query": "x", "mode": null, "limit": null, "filters": null}'))
    step = execute_step(registry, openai.chat_calls(message, registry.schemas()))
    assert logged[0]["arguments"] == {"query": "x"}
    assert step["results"][0]["is_error"] is False


# --- results -------------------------------------------------------------------------------


def test_a_result_for_each_api() -> None:
    assert openai.chat_message(result(text("a"), text("b"))) == {
        "role": "tool",
        "tool_call_id": "c1",
        "content": "a\nb",
    }
    assert openai.responses_item(result(text("a"), text("b"))) == {
        "type": "function_call_output",
        "call_id": "c1",
        "output": "a\nb",
    }


def test_a_result_without_content_is_an_empty_text() -> None:
    assert openai.chat_message(result())["content"] == ""
    assert openai.responses_item(result())["output"] == ""


def test_a_picture_is_one_for_responses_and_a_text_for_chat() -> None:
    shown = result(text("a"), {"type": "image", "url": PNG})
    assert openai.chat_message(shown)["content"] == "a\n[image: image/png, 8 bytes, not shown here]"
    assert openai.responses_item(shown)["output"] == [
        {"type": "input_text", "text": "a"},
        {"type": "input_image", "image_url": PNG, "detail": "auto"},
    ]


def test_contexts_follow_all_the_results() -> None:
    picture = {"type": "image", "url": "https://x/a.png"}
    contexts: Any = [
        {"content": [text("note")], "source": {"kind": "user"}},
        {"content": [], "source": {"kind": "user"}},
        {"content": [text("see"), picture], "source": {"kind": "plugin", "plugin": "p"}},
    ]
    step: Any = {"results": [result(text("1")), result(text("2"))], "contexts": contexts}
    assert [message["role"] for message in openai.chat_messages(step)] == ["tool"] * 2 + [
        "user"
    ] * 2
    assert openai.chat_messages(step)[2:] == [
        {"role": "user", "content": "note"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "see"},
                {"type": "image_url", "image_url": {"url": "https://x/a.png"}},
            ],
        },
    ]
    assert openai.responses_items(step)[2:] == [
        {"role": "user", "content": "note"},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "see"},
                {"type": "input_image", "image_url": "https://x/a.png", "detail": "auto"},
            ],
        },
    ]


def test_text_that_goes_out_is_fit_for_utf_8() -> None:
    shown = result(text("x\ud800"), {"type": "image", "url": "data:,\ud800"})
    for sent in (openai.chat_message(shown), openai.responses_item(shown)):
        json.dumps(sent, ensure_ascii=False).encode()
