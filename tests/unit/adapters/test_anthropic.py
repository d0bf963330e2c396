"""The Messages API."""

import json
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolDefinition, define_tool
from dsh_tools.adapters import anthropic

from tests.unit.support import raw_tool

PNG = "data:image/png;base64,iVBORw0KGgo="
SVG = "data:image/svg+xml,<svg/>"


def raw(parameters: Any, *, strict: bool = False) -> ToolDefinition:
    definition = raw_tool(lambda args, execution: None, "search")
    definition["parameters"] = parameters
    definition["strict"] = strict
    return definition


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def message(*blocks: Any) -> dict[str, object]:
    return {"role": "assistant", "content": [*blocks], "stop_reason": "tool_use"}


def tool_use(arguments: object, call_id: str = "c1") -> Any:
    return {"type": "tool_use", "id": call_id, "name": "search", "input": arguments}


def result(*blocks: Any, is_error: bool = False) -> Any:
    return {"call_id": "c1", "content": [*blocks], "is_error": is_error}


def text(words: str) -> Any:
    return {"type": "text", "text": words}


# --- tools ---------------------------------------------------------------------------------


def test_a_tool() -> None:
    definition = define_tool(
        name="search",
        description="Search.",
        parameters={"q": {"type": "string", "required": True}, "any": {"type": "array"}},
        execute=lambda args, execution: None,
    )
    schema = an_object(q={"type": "string"}, any={"type": "array"}) | {"required": ["q"]}
    assert anthropic.tools([definition]) == [
        {"name": "search", "description": "Search.", "input_schema": schema}
    ]


def test_what_strict_tool_use_lacks_is_told_in_the_description() -> None:
    many = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2}
    (sent,) = anthropic.tools([raw(an_object(a=many), strict=True)])
    assert sent["input_schema"]["properties"] == {
        "a": {
            "type": "array",
            "items": {"type": "integer", "description": "(minimum: 1)"},
            "description": "(minItems: 2)",
        }
    }


def test_an_empty_description_is_left_out() -> None:
    definition = raw({})
    definition["description"] = ""
    assert anthropic.tools([definition]) == [{"name": "search", "input_schema": an_object()}]


def test_a_strict_tool_is_closed_and_keeps_what_is_optional() -> None:
    definition = define_tool(
        name="search",
        description="Search.",
        parameters={
            "q": {"type": "string", "required": True},
            "mode": {"type": "string", "enum": ["a"], "default": "a"},
            "in": {"type": "array", "items": {"type": "object", "properties": {}}},
        },
        execute=lambda args, execution: None,
        strict=True,
    )
    (sent,) = anthropic.tools([definition])
    assert sent["strict"] is True
    assert sent["input_schema"] == {
        "type": "object",
        "properties": {
            "q": {"type": "string"},
            "mode": {"type": "string", "enum": ["a"], "default": "a"},
            "in": {"type": "array", "items": an_object() | {"additionalProperties": False}},
        },
        "required": ["q"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("parameters", "strict", "where"),
    [
        ({"type": "string"}, False, 'parameters.type: must be "object"'),
        (
            an_object() | {"oneOf": [an_object(a={"type": "string"})]},
            True,
            "parameters: strict tool use takes no alternatives here",
        ),
        (an_object(a={"$ref": "#"}), True, "takes no schema that refers to itself"),
        (an_object(**{"filter[x]": {}}), False, "parameters.properties.filter[x]: Anthropic wants"),
        (an_object(**{"größe": {}}), False, "parameters.properties.größe: Anthropic wants"),
        (an_object(**{"a\n": {}}), False, "parameters.properties.a\n: Anthropic wants names"),
        (an_object(**{"x" * 65: {}}), False, "Anthropic wants names"),
        ({"type": "object"}, True, "parameters: an object may hold undeclared properties"),
        (an_object(a={"type": "object"}), True, "parameters.properties.a: an object may hold"),
        (an_object(a=an_object() | {"additionalProperties": {}}), True, "properties.a: an object"),
        (an_object(a={"type": "integer", "not": {"const": 1}}), True, 'does not take "not"'),
        (an_object(a={"type": "array", "items": True}), True, "a.items: strict tool use takes no"),
    ],
)
def test_what_anthropic_refuses_is_refused_here(parameters: Any, strict: bool, where: str) -> None:
    with pytest.raises(HarnessError) as caught:
        anthropic.tools([raw(parameters, strict=strict)])
    assert caught.value.code == "UNSUPPORTED_SCHEMA"
    assert str(caught.value).startswith('tool "search": parameters')
    assert where in str(caught.value)


def test_names_inside_an_object_may_be_any() -> None:
    anthropic.tools([raw(an_object(a=an_object(**{"filter[x]": {}})))])


# --- calls ---------------------------------------------------------------------------------


def test_calls_stand_among_other_blocks_and_keep_their_order() -> None:
    calls = anthropic.calls(
        message(
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            text("I will look."),
            tool_use({"q": "x"}),
            {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
            tool_use({}, "c2"),
        )
    )
    assert calls == [
        {"call_id": "c1", "name": "search", "arguments": {"q": "x"}},
        {"call_id": "c2", "name": "search", "arguments": {}},
    ]


@pytest.mark.parametrize(
    ("sent", "arguments"),
    [
        (None, {}),
        ("", {}),
        ('{"q": "x"}', {"q": "x"}),
        ('{"q": ', '{"q": '),
        ([1], [1]),
    ],
)
def test_arguments_as_some_gateways_send_them(sent: object, arguments: object) -> None:
    assert anthropic.calls(message(tool_use(sent)))[0]["arguments"] == arguments


def test_arguments_are_a_copy_and_may_be_absent() -> None:
    given: dict[str, Any] = {"q": []}
    (call,) = anthropic.calls(message(tool_use(given)))
    assert call["arguments"] == given
    call["arguments"]["q"].append(1)
    assert given == {"q": []}
    block = tool_use({})
    del block["input"]
    assert anthropic.calls(message(block))[0]["arguments"] == {}


@pytest.mark.parametrize(
    ("odd", "where"),
    [
        (None, "message must be an object (null arrived)"),
        ({}, "message.content is missing: it must be an array"),
        ({"content": "Hello"}, "message.content must be an array (a string arrived)"),
        (message(1), "message.content[0] must be an object (an integer arrived)"),
        (message({}), "message.content[0].type is missing: it must be a string"),
    ],
)
def test_an_odd_message_is_refused_by_field(odd: Any, where: str) -> None:
    with pytest.raises(HarnessError) as caught:
        anthropic.calls(odd)
    assert caught.value.code == "INVALID_WIRE"
    assert str(caught.value).startswith(where)


# --- results -------------------------------------------------------------------------------


def test_a_result() -> None:
    assert anthropic.tool_result(result(text("a\n"), text("b"))) == {
        "type": "tool_result",
        "tool_use_id": "c1",
        "content": [{"type": "text", "text": "a\n"}, {"type": "text", "text": "b"}],
    }


@pytest.mark.parametrize("blocks", [[], [text("")], [text(" \n"), text("")]])
def test_blank_texts_are_left_out_and_a_failure_says_something(blocks: Any) -> None:
    assert anthropic.tool_result(result(*blocks)) == {"type": "tool_result", "tool_use_id": "c1"}
    failed = anthropic.tool_result(result(*blocks, is_error=True))
    assert failed["is_error"] is True
    assert failed["content"] == [{"type": "text", "text": "Error"}]


@pytest.mark.parametrize(
    ("url", "block"),
    [
        (
            PNG,
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
            },
        ),
        (
            "https://x/a.png",
            {"type": "image", "source": {"type": "url", "url": "https://x/a.png"}},
        ),
        ("http://x/a.png", {"type": "text", "text": "[image: http://x/a.png]"}),
        ("file:///a.png", {"type": "text", "text": "[image: file:///a.png]"}),
        (SVG, {"type": "text", "text": "[image: image/svg+xml, 6 bytes, not shown here]"}),
        (
            "data:image/png;base64,",
            {"type": "text", "text": "[image: image/png, 0 bytes, not shown here]"},
        ),
    ],
)
def test_a_picture_is_one_where_the_api_takes_it(url: str, block: Any) -> None:
    shown = result(text("a"), {"type": "image", "url": url})
    assert anthropic.tool_result(shown)["content"] == [{"type": "text", "text": "a"}, block]


def test_a_failure_has_no_pictures() -> None:
    failed = anthropic.tool_result(result({"type": "image", "url": PNG}, is_error=True))
    assert failed["content"] == [
        {"type": "text", "text": "[image: image/png, 8 bytes, not shown here]"}
    ]


def test_all_results_of_a_step_are_in_one_message_and_come_first() -> None:
    contexts: Any = [{"content": [text("note"), text("")], "source": {"kind": "user"}}]
    step: Any = {"results": [result(text("1")), result(text("2"))], "contexts": contexts}
    answer = anthropic.message(step)
    assert answer["role"] == "user"
    assert [block["type"] for block in answer["content"]] == ["tool_result", "tool_result", "text"]


def test_text_that_goes_out_is_fit_for_utf_8() -> None:
    definition = raw(an_object(a={"description": "\ud800"}))
    definition["description"] = "\ud800"
    json.dumps(anthropic.tools([definition]), ensure_ascii=False).encode()
    shown = anthropic.tool_result(result(text("x\ud800")))
    assert shown["content"] == [{"type": "text", "text": "x\ufffd"}]


def test_the_history_is_what_the_api_takes() -> None:
    toolset = {"type": "tool_use", "id": "b", "name": "a.b", "input": 1, "toolset_name": "browser"}
    odd = {"type": "tool_use", "name": "a.b", "input": '{"a":', "caller": {"type": "direct"}}
    given = {"role": "assistant", "id": "m", **message(text("a"), toolset, odd, tool_use({}))}
    (first, second), turn = anthropic.calls(given), anthropic.turn(given)
    assert [first["name"], second["arguments"]] == ["a.b", {}]
    mended = {**odd, "id": first["call_id"], "name": "a_b", "input": {}}
    content = [text("a"), toolset, mended, tool_use({})]
    assert turn == {"role": "assistant", "content": content}
    assert "id" not in odd
