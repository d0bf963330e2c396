"""Anthropic: tools, calls and results for the Messages API.

Tool use: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview. The functions
take and give plain dicts; of the official client's objects, pass `model_dump()`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict, cast, get_args

from ..json_values import copy_json, parse_arguments, repair_text
from ..vocabulary import (
    ContentBlock,
    ImageBlock,
    StepResult,
    ToolExecution,
    ToolExecutionResult,
    ToolSchema,
)
from .normalising import Schema, unsupported_schema
from .wire import (
    OnRefused,
    block_text,
    call_id,
    call_name,
    convert_inside,
    image_data,
    in_words_of,
    members_under,
    refers_to_itself,
    sendable_name,
    sent_parameters,
    sent_tools,
    types_of,
    where_sent,
    wire_field,
    wire_objects,
    with_any_of,
    with_implied_type,
    with_plain_root,
)

__all__ = [
    "AnthropicData",
    "AnthropicImage",
    "AnthropicImageType",
    "AnthropicMessage",
    "AnthropicText",
    "AnthropicTool",
    "AnthropicToolResult",
    "AnthropicUrl",
    "calls",
    "message",
    "tool_result",
    "tools",
    "turn",
]

# --- the wire, with the API's own keys ----------------------------------------------------


class AnthropicTool(TypedDict):
    """A member of `tools`.

    name: the tool's name.
    description: absent when empty.
    input_schema: JSON Schema of the arguments.
    strict: True when the arguments are bound to fit it; absent when they are not.
    """

    name: str
    description: NotRequired[str]
    input_schema: Schema
    strict: NotRequired[bool]


class AnthropicText(TypedDict):
    """A text.

    type: always "text".
    text: never blank, which the API refuses.
    """

    type: Literal["text"]
    text: str


AnthropicImageType: TypeAlias = Literal["image/jpeg", "image/png", "image/gif", "image/webp"]
"""The pictures that the API takes."""


class AnthropicData(TypedDict):
    """A picture itself.

    type: always "base64".
    media_type: what it is.
    data: its bytes in base64.
    """

    type: Literal["base64"]
    media_type: AnthropicImageType
    data: str


class AnthropicUrl(TypedDict):
    """A picture elsewhere.

    type: always "url".
    url: where, by https.
    """

    type: Literal["url"]
    url: str


class AnthropicImage(TypedDict):
    """A picture.

    type: always "image".
    source: the picture or where it is.
    """

    type: Literal["image"]
    source: AnthropicData | AnthropicUrl


class AnthropicToolResult(TypedDict):
    """The result of one call.

    type: always "tool_result".
    tool_use_id: the id of the call.
    content: absent when there is none.
    is_error: True for a failure; absent otherwise.
    """

    type: Literal["tool_result"]
    tool_use_id: str
    content: NotRequired[list[AnthropicText | AnthropicImage]]
    is_error: NotRequired[bool]


class AnthropicMessage(TypedDict):
    """The message that answers one with calls.

    role: always "user".
    content: all results, then what listeners attached.
    """

    role: Literal["user"]
    content: list[AnthropicToolResult | AnthropicText | AnthropicImage]


# --- tools --------------------------------------------------------------------------------


def tools(
    schemas: Iterable[ToolSchema], *, on_refused: OnRefused | None = None
) -> list[AnthropicTool]:
    """`tools` of a request, from what `registry.schemas()` gives.

    Raises HarnessError with code "UNSUPPORTED_SCHEMA", naming tool and path, for what the API
    answers by refusing the whole request: parameters that are no object, or have "anyOf", "oneOf"
    or "allOf" at the root; names of parameters that are not 1 to 64 of A-Z a-z 0-9 _ . and -; and
    in a tool with `strict` True, what strict tool use does not take. With `on_refused` that gets
    the error, with its `tool_name`, and the other tools are sent.
    """
    return sent_tools(schemas, "anthropic", _tool, on_refused)


def _tool(tool: ToolSchema) -> AnthropicTool:
    given, where = sent_parameters(tool), where_sent(tool)
    parameters = with_plain_root(given, ("anyOf", "oneOf", "allOf"))
    _require_names(parameters, where)
    strict = tool.get("strict", False)
    if strict:
        parameters = _strict_root(tool, given, parameters, where)
    sent: AnthropicTool = {
        "name": tool["name"],
        "description": repair_text(tool["description"]),
        "input_schema": parameters,
    }
    if not sent["description"]:
        del sent["description"]
    if strict:
        sent["strict"] = True
    return sent


def _require_names(parameters: Schema, where: str) -> None:
    for name in members_under(parameters, "properties"):
        if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name):
            wanted = "Anthropic wants names of 1 to 64 of A-Z a-z 0-9 _ . and -"
            raise unsupported_schema(f"{where}.properties.{name}: {wanted}")


# --- strict tool use ----------------------------------------------------------------------
# https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations


def _strict_root(tool: ToolSchema, given: Schema, parameters: Schema, where: str) -> Schema:
    if refers_to_itself(given):
        raise unsupported_schema(f"{where}: strict tool use takes no schema that refers to itself")
    if parameters["properties"] != given["properties"]:
        raise unsupported_schema(f"{where}: strict tool use takes no alternatives here")
    if given.get("additionalProperties") is not False and not given["properties"]:
        if "properties" not in tool["parameters"]:
            raise unsupported_schema(f"{where}: {_OPEN}")
    return _strict(parameters, where)


def _strict(given: object, where: str) -> Schema:
    """A schema with every object in it closed. Raises HarnessError when that would change its
    meaning, and for what strict tool use cannot say."""
    if not isinstance(given, dict):
        raise unsupported_schema(f"{where}: strict tool use takes no schema but an object")
    schema = with_implied_type(with_any_of(given))
    schema = in_words_of(_kept(schema), "strict tool use", schema, where)
    fault = _strict_fault(schema)
    if fault is not None:
        raise unsupported_schema(f"{where}: {fault}")
    strict = convert_inside(
        {key: value for key, value in schema.items() if key != "additionalProperties"},
        where,
        _strict,
    )
    if "object" in types_of(schema):
        strict.setdefault("properties", {})
        strict["additionalProperties"] = False
    return strict


def _kept(schema: Schema) -> frozenset[str]:
    """The keywords of a schema that strict tool use takes as they are."""
    told = {"format"} if schema.get("format") not in _FORMATS else set[str]()
    return _KEYWORDS - told - ({"minItems"} if schema.get("minItems", 0) not in (0, 1) else set())


def _strict_fault(schema: Schema) -> str | None:
    if not schema.keys() & {"type", "anyOf", "allOf", "$ref", "const", "enum"}:
        return 'strict tool use wants a "type"'
    closed = schema.get("additionalProperties", "properties" not in schema) is False
    if "object" in types_of(schema) and not closed:
        return _OPEN
    return None


_KEYWORDS: Final = frozenset(
    ("type", "title", "description", "enum", "const", "default", "properties", "required")
    + ("additionalProperties", "items", "anyOf", "allOf", "$ref", "$defs", "pattern")
    + ("format", "minItems")
)
_FORMATS: Final = (
    *("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
)
_OPEN: Final = "an object may hold undeclared properties, and strict tool use closes every object"

# --- calls --------------------------------------------------------------------------------


def calls(message: Mapping[str, object]) -> list[ToolExecution]:
    """The `tool_use` blocks in an assistant's message as a dict, in order; none when it asks for
    no tool. Blocks of other types, and those of a toolset (`toolset_name`), are the host's.

    The API sends the arguments parsed; text, as some gateways send it, goes through
    `parse_arguments`. An id that is missing is made, and a call without a name asks for a tool that
    nobody knows. Raises HarnessError with code "INVALID_WIRE", naming the field, when the message
    is not as documented: no content, a block without type.
    """
    content = wire_field(message, "content", list, "message")
    return [_execution(block, path) for path, block in _calls_in(content)]


def _calls_in(content: list[object]) -> Iterator[tuple[str, Schema]]:
    for path, block in wire_objects(content, "message.content"):
        if wire_field(block, "type", str, path) == "tool_use" and not block.get("toolset_name"):
            yield path, block


def _execution(block: Schema, where: str) -> ToolExecution:
    return {
        "call_id": call_id(block, "id", where, call_name(block)),
        "name": call_name(block),
        "arguments": copy_json(parse_arguments(cast(str, block.get("input")))),
    }


# --- history ------------------------------------------------------------------------------


def turn(message: Mapping[str, object]) -> Any:
    """An assistant's message, or a whole response, as a dict, as it may stand in `messages`: its
    role and its content. An input that is no object becomes `{}`, a name that no tool can have
    becomes like one, and ids are those of `calls`. All else in the content is as it came, but for
    text that UTF-8 cannot carry; so is `message` itself.

    Raises HarnessError with code "INVALID_WIRE" as `calls` does.
    """
    content = copy_json(wire_field(message, "content", list, "message"), repair=True)
    for path, block in _calls_in(content):
        execution = _execution(block, path)
        read = execution["arguments"]
        block["id"], block["name"] = execution["call_id"], sendable_name(execution["name"])
        block["input"] = read if isinstance(read, dict) else {}
    return {"role": "assistant", "content": content}


# --- results ------------------------------------------------------------------------------


def message(step: StepResult) -> AnthropicMessage:
    """The message that answers one with calls: the results of all of them, from `execute_step`,
    which the API wants together and first, then the contexts that listeners attached."""
    content: list[AnthropicToolResult | AnthropicText | AnthropicImage] = [
        *map(tool_result, step["results"])
    ]
    for context in step["contexts"]:
        content += _blocks(context["content"], pictures=True)
    return {"role": "user", "content": content}


def tool_result(result: ToolExecutionResult) -> AnthropicToolResult:
    """One result. Pictures stay pictures where the API takes them, which for a failure it does
    not; any other block becomes text that says what it was. Blank texts, which it refuses, are
    left out."""
    sent: AnthropicToolResult = {"type": "tool_result", "tool_use_id": result["call_id"]}
    content = _blocks(result["content"], pictures=not result["is_error"])
    if result["is_error"]:
        sent["content"] = content or [{"type": "text", "text": "Error"}]
        sent["is_error"] = True
    elif content:
        sent["content"] = content
    return sent


def _blocks(content: list[ContentBlock], *, pictures: bool) -> list[AnthropicText | AnthropicImage]:
    blocks: list[AnthropicText | AnthropicImage] = []
    for block in copy_json(content, repair=True):
        source = _source(block) if pictures and block["type"] == "image" else None
        text = block_text(block)
        if source is not None:
            blocks.append({"type": "image", "source": source})
        elif text.strip():
            blocks.append({"type": "text", "text": text})
    return blocks


def _source(block: ImageBlock) -> AnthropicData | AnthropicUrl | None:
    """Where the API finds a picture, None when it cannot take it."""
    if block["url"].startswith("https://"):
        return {"type": "url", "url": block["url"]}
    media_type, data = image_data(block) or ("", "")
    for known in _IMAGE_TYPES:
        if known == media_type and data:
            return {"type": "base64", "media_type": known, "data": data}
    return None


_IMAGE_TYPES: Final[tuple[AnthropicImageType, ...]] = get_args(AnthropicImageType)
