"""OpenAI: tools, calls and results for Chat Completions, which DeepSeek and many others speak as
well, and for the Responses API.

Function calling: https://developers.openai.com/api/docs/guides/function-calling. The functions
take and give plain dicts; of the official client's objects, pass `model_dump()`.

A tool with `strict` True is sent in the subset of JSON Schema that strict mode takes:
https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas. There every
object is closed and every property required; an optional one may be null instead. When a call is
read in, such a null is dropped again, before anything sees or logs it.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, Literal, NotRequired, TypedDict, cast

from ..json_values import copy_json, is_tree, parse_arguments, referenced, repair_text
from ..vocabulary import (
    ContentBlock,
    StepResult,
    ToolExecution,
    ToolExecutionResult,
    ToolSchema,
)
from .normalising import Schema, unsupported_schema
from .wire import (
    OnRefused,
    block_text,
    content_text,
    convert_inside,
    elements_under,
    in_words_of,
    invalid_wire,
    members_under,
    of_type,
    sent_parameters,
    sent_tools,
    types_of,
    where_sent,
    wire_field,
    wire_objects,
    wire_option,
    with_any_of,
    with_implied_type,
    with_note,
    with_plain_root,
)

__all__ = [
    "ChatFunction",
    "ChatImage",
    "ChatImageUrl",
    "ChatText",
    "ChatTool",
    "ChatToolMessage",
    "ChatUserMessage",
    "FunctionCallOutput",
    "InputImage",
    "InputMessage",
    "InputText",
    "ResponsesTool",
    "chat_calls",
    "chat_message",
    "chat_messages",
    "chat_tools",
    "responses_calls",
    "responses_item",
    "responses_items",
    "responses_tools",
]

# --- the wire, with the API's own keys ----------------------------------------------------


class ChatFunction(TypedDict):
    """What a tool is, in Chat Completions. Key for key the official client's type.

    name: the tool's name.
    description: absent when empty.
    parameters: JSON Schema; always there.
    strict: whether the arguments are bound to fit it; absent leaves that to the provider, which
        takes it for False. Never None.
    """

    name: str
    description: NotRequired[str]
    parameters: NotRequired[Schema]
    strict: NotRequired[bool | None]


class ChatTool(TypedDict):
    """A member of `tools` in Chat Completions.

    type: always "function".
    function: the tool.
    """

    type: Literal["function"]
    function: ChatFunction


class ChatToolMessage(TypedDict):
    """A result, in Chat Completions.

    role: always "tool".
    tool_call_id: the id of the call.
    content: text, the only thing that fits here; "" for a result without content.
    """

    role: Literal["tool"]
    tool_call_id: str
    content: str


class ChatText(TypedDict):
    """A text of a user's message, in Chat Completions.

    type: always "text".
    text: the text.
    """

    type: Literal["text"]
    text: str


class ChatImageUrl(TypedDict):
    """Where an image is.

    url: an address, or a `data:` URL that holds it.
    """

    url: str


class ChatImage(TypedDict):
    """A picture in a user's message, in Chat Completions.

    type: always "image_url".
    image_url: where it is.
    """

    type: Literal["image_url"]
    image_url: ChatImageUrl


class ChatUserMessage(TypedDict):
    """A context that a listener attached, in Chat Completions.

    role: always "user".
    content: text, or when there are pictures, texts and pictures.
    """

    role: Literal["user"]
    content: str | list[ChatText | ChatImage]


class ResponsesTool(TypedDict):
    """A member of `tools` in the Responses API.

    type: always "function".
    name: the tool's name.
    description: absent when empty.
    parameters: JSON Schema.
    strict: False unless the tool says True. Absent would mean True here, and the provider would
        make every optional property required.
    """

    type: Literal["function"]
    name: str
    description: NotRequired[str]
    parameters: Schema
    strict: bool


class InputText(TypedDict):
    """A text in the Responses API.

    type: always "input_text".
    text: the text.
    """

    type: Literal["input_text"]
    text: str


class InputImage(TypedDict):
    """A picture in the Responses API.

    type: always "input_image".
    image_url: an address, or a `data:` URL that holds it.
    detail: always "auto", what the API takes by default.
    """

    type: Literal["input_image"]
    image_url: str
    detail: Literal["auto"]


class FunctionCallOutput(TypedDict):
    """A result, in the Responses API.

    type: always "function_call_output".
    call_id: the call's `call_id`.
    output: text, "" for a result without content; when there are pictures, texts and pictures.
    """

    type: Literal["function_call_output"]
    call_id: str
    output: str | list[InputText | InputImage]


class InputMessage(TypedDict):
    """A context that a listener attached, in the Responses API.

    role: always "user".
    content: text, or when there are pictures, texts and pictures.
    """

    role: Literal["user"]
    content: str | list[InputText | InputImage]


# --- tools --------------------------------------------------------------------------------


def chat_tools(
    schemas: Iterable[ToolSchema], *, on_refused: OnRefused | None = None
) -> list[ChatTool]:
    """`tools` of a Chat Completions request, from what `registry.schemas()` gives.

    An array that may hold anything gets `items: {}`, without which OpenAI refuses the request.
    Raises HarnessError with code "UNSUPPORTED_SCHEMA", naming tool and path, for parameters that
    are no object, and for a tool with `strict` True that strict mode cannot take: to `on_refused`,
    if it is given, which gets the error with its `tool_name`, while the other tools are sent.
    """
    return sent_tools(schemas, _chat_tool, on_refused)


def responses_tools(
    schemas: Iterable[ToolSchema], *, on_refused: OnRefused | None = None
) -> list[ResponsesTool]:
    """`tools` of a Responses request. Otherwise like `chat_tools`."""
    return sent_tools(schemas, _responses_tool, on_refused)


def _chat_tool(tool: ToolSchema) -> ChatTool:
    return {"type": "function", "function": _chat_function(tool)}


def _chat_function(tool: ToolSchema) -> ChatFunction:
    function: ChatFunction = {"name": tool["name"]}
    if tool["description"]:
        function["description"] = repair_text(tool["description"])
    function["parameters"] = _parameters(tool)
    if "strict" in tool:
        function["strict"] = tool["strict"]
    return function


def _responses_tool(tool: ToolSchema) -> ResponsesTool:
    function = _chat_function(tool)
    return {
        "type": "function",
        **function,
        "parameters": function["parameters"],
        "strict": tool.get("strict", False),
    }


def _parameters(tool: ToolSchema) -> Schema:
    parameters, where = sent_parameters(tool), where_sent(tool)
    for key in ("enum", "const", "not"):  # https://github.com/langchain-ai/langchainjs/issues/9804
        if key in parameters:
            raise unsupported_schema(f'{where}: OpenAI takes no "{key}" here')
    root = with_plain_root(parameters, ("anyOf", "oneOf", "allOf"))
    if not tool.get("strict"):
        return cast(Schema, _with_items(root, where))
    if "properties" not in tool["parameters"] and parameters.get("additionalProperties") is not False:
        if not parameters["properties"]:
            raise unsupported_schema(f"{where}: {_OPEN}")
    if root["properties"] != parameters["properties"]:
        raise unsupported_schema(f"{where}: strict mode takes no alternatives of properties here")
    strict = _strict(root, where)
    _require_limits(strict, where)
    return strict


def _with_items(schema: object, where: str) -> object:
    if not isinstance(schema, dict):
        return schema
    filled = convert_inside(schema, where, _with_items)
    if "array" in types_of(filled):
        filled.setdefault("items", {})
    return filled


# --- strict mode, on the way out ----------------------------------------------------------


def _strict(given: object, where: str) -> Schema:
    """A schema as strict mode takes it. Raises HarnessError when that would change its meaning."""
    schema = _within_subset(given, where)
    kept = {key: value for key, value in schema.items() if key not in _REWRITTEN}
    strict = convert_inside(kept, where, _strict)
    if schema.get("default") is not None:
        strict["description"] = with_note(schema.get("description"), "default", schema["default"])
    if "properties" in schema:
        strict.update(_closed(strict["properties"], elements_under(schema, "required")))
    if "$ref" in schema and len(strict) > 1:  # nothing may stand beside it
        strict["anyOf"] = [{"$ref": strict.pop("$ref")}]
    return strict


_REWRITTEN: Final = ("default", "required", "additionalProperties")


def _closed(properties: Any, required: list[object]) -> Schema:
    """The keywords of a closed object whose properties are all required, those that may be left
    out by being null."""
    named = {*required}
    nullable = {
        name: inner if name in named else _nullable(inner) for name, inner in properties.items()
    }
    return {"properties": nullable, "required": [*nullable], "additionalProperties": False}


def _nullable(schema: Schema) -> Schema:
    if _names_null(schema) or _NULL in elements_under(schema, "anyOf"):
        return schema
    if schema.keys() & {"anyOf", "const"} or not _are_simple(types_of(schema)):
        return {"anyOf": [schema, _NULL.copy()]}
    nullable = {**schema, "type": [*types_of(schema), "null"]}
    if "enum" in schema:
        nullable["enum"] = [*elements_under(schema, "enum"), None]
    return nullable


def _are_simple(types: list[object]) -> bool:
    """Whether these may stand in a list of types, which for DeepSeek holds no array and object."""
    return types != [] and not {"array", "object"} & {*types}


_NULL: Final = {"type": "null"}


def _names_null(schema: Schema) -> bool:
    return (
        "null" in types_of(schema)
        or None in elements_under(schema, "enum")
        or schema.get("const", "") is None
    )


def _within_subset(given: object, where: str) -> Schema:
    """A schema in keywords that strict mode takes. Raises HarnessError for what it cannot say."""
    if not isinstance(given, dict):
        raise unsupported_schema(f"{where}: strict mode takes no schema but an object")
    schema = _of_one_type(with_implied_type(with_any_of(given)))
    kept = _KEYWORDS if schema.get("format") in _FORMATS else _KEYWORDS - {"format"}
    schema = in_words_of(kept, "strict mode", schema, where)
    if schema.get("type") == "object" and schema.get("additionalProperties") is False:
        schema.setdefault("properties", {})
    fault = _subset_fault(schema)
    if fault is not None:
        raise unsupported_schema(f"{where}: {fault}")
    return schema


def _of_one_type(schema: Schema) -> Schema:
    """A schema of several types, with arrays or objects among them, as one for each."""
    types = types_of(schema)
    if len(types) < 2 or _are_simple(types) or "anyOf" in schema:
        return schema
    beside = {key: value for key, value in schema.items() if key in _BESIDE}
    inside = {key: value for key, value in schema.items() if key not in (*_BESIDE, "type")}
    return {**beside, "anyOf": [of_type(kind, inside) for kind in types]}


_BESIDE: Final = ("description", "title", "default", "$defs")


def _subset_fault(schema: Schema) -> str | None:
    types = types_of(schema)
    if not schema.keys() & {"type", "enum", "const", "anyOf", "$ref"}:
        return 'strict mode wants a "type"'
    closed = "properties" in schema and schema.get("additionalProperties", False) is False
    if "object" in types and not closed:
        return _OPEN
    if "array" in types and "items" not in schema:
        return 'an array without "items" may hold anything, and strict mode wants a type'
    return None


_KEYWORDS: Final = frozenset(
    ("type", "title", "description", "enum", "const", "default", "properties", "required")
    + ("additionalProperties", "items", "anyOf", "$ref", "$defs", "pattern", "format")
    + ("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    + ("minItems", "maxItems")
)
_FORMATS: Final = (
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
)
_OPEN: Final = "an object may hold undeclared properties, and strict mode closes every object"


def _require_limits(schema: Schema, where: str) -> None:
    """Raise HarnessError when a strict schema is larger than strict mode takes."""
    parts = [*_parts(schema)]
    names = [name for part, _ in parts for name in members_under(part, "properties")]
    enums = [elements_under(part, "enum") for part, _ in parts]
    constants = [part["const"] for part, _ in parts if "const" in part]
    words = [*names, *members_under(schema, "$defs"), *constants, *chain(*enums)]
    for size, most, what in (
        (len(names), 5_000, "properties"),
        (max(levels for _, levels in parts), 10, "levels of objects"),
        (sum(map(len, enums)), 1_000, "enum values"),
        (_characters(words), 120_000, "characters in names and enums"),
        (max(map(_excess, enums)), 15_000, "characters in an enum of more than 250"),
    ):
        if size > most:
            raise unsupported_schema(f"{where}: strict mode takes at most {most:,} {what}")


def _parts(schema: Schema) -> Iterator[tuple[Schema, int]]:
    """Every schema in a strict one, each with the number of objects that it is within, itself
    included. A definition counts on its own, whatever refers to it."""
    found: list[tuple[Any, int]] = [(schema, 0)]
    found += [(definition, 0) for definition in members_under(schema, "$defs").values()]
    for part, levels in found:  # it grows by what is inside each
        levels += "properties" in part
        yield part, levels
        inside = [*members_under(part, "properties").values(), *elements_under(part, "anyOf")]
        inside += [part["items"]] if "items" in part else []
        found += [(inner, levels) for inner in inside]


def _characters(values: list[Any]) -> int:
    return sum(len(value) for value in values if isinstance(value, str))


def _excess(enum: list[object]) -> int:
    return _characters(enum) if len(enum) > 250 else 0


# --- calls --------------------------------------------------------------------------------


def chat_calls(message: Mapping[str, object], schemas: Iterable[ToolSchema]) -> list[ToolExecution]:
    """The calls in an assistant's message, `choices[0].message` of a Chat Completions response
    as a dict, in its order; none when it asks for no tool.

    `schemas` are those that were sent: of the tools with `strict` True among them, the nulls
    that stand for optional properties are taken out of the arguments.

    Whatever the model wrote for arguments becomes an execution, by `parse_arguments`. Raises
    HarnessError with code "INVALID_WIRE", naming the field, when the rest is not as documented:
    a call without id or name, one of a custom tool, the `function_call` that `functions`, the
    predecessor of `tools`, was answered with.
    """
    if wire_option(message, "function_call", dict, "message") is not None:
        raise invalid_wire("message.function_call is the answer to `functions`: send `tools`")
    calls = wire_option(message, "tool_calls", list, "message") or []
    strict = _strict_parameters(schemas)
    return [
        _chat_call(call, path, strict) for path, call in wire_objects(calls, "message.tool_calls")
    ]


def responses_calls(
    output: Iterable[Mapping[str, object]], schemas: Iterable[ToolSchema]
) -> list[ToolExecution]:
    """The `function_call` items among the `output` of a Responses response, each a dict, in order.
    Items of other types are the host's. Otherwise like `chat_calls`."""
    strict = _strict_parameters(schemas)
    return [
        _responses_call(item, path, strict)
        for path, item in wire_objects(output, "output")
        if wire_field(item, "type", str, path) == "function_call"
    ]


def _chat_call(call: object, where: str, strict: Mapping[str, Schema]) -> ToolExecution:
    if wire_option(call, "type", str, where) not in (None, "function"):
        raise invalid_wire(f'{where}.type must be "function": other tools are the host\'s')
    function = wire_field(call, "function", dict, where)
    return _execution(
        wire_field(call, "id", str, where),
        wire_field(function, "name", str, f"{where}.function"),
        function.get("arguments"),
        strict,
    )


def _responses_call(
    item: Mapping[str, object], where: str, strict: Mapping[str, Schema]
) -> ToolExecution:
    return _execution(
        wire_field(item, "call_id", str, where),
        wire_field(item, "name", str, where),
        item.get("arguments"),
        strict,
    )


def _execution(
    call_id: str, name: str, written: object, strict: Mapping[str, Schema]
) -> ToolExecution:
    # Some gateways send the value instead of its text, which `parse_arguments` gives back.
    arguments = copy_json(parse_arguments(cast(str, written)))
    if name in strict and is_tree(arguments):
        _drop_nulls(arguments, strict[name])
    return {"call_id": call_id, "name": name, "arguments": arguments}


# --- strict mode, on the way in -----------------------------------------------------------


def _strict_parameters(schemas: Iterable[ToolSchema]) -> dict[str, Schema]:
    return {tool["name"]: dict(tool["parameters"]) for tool in schemas if tool.get("strict")}


def _drop_nulls(arguments: object, parameters: Schema) -> None:
    """Take out, at any depth, each null that stands for an optional property which is left out.
    One that the property's own schema allows stays."""
    inside: list[tuple[object, list[object]]] = [(arguments, [parameters])]
    for value, schemas in inside:  # it grows by what is inside each
        views = [view for schema in schemas for view in _alternatives(schema, parameters)]
        if type(value) is list:
            items = [view["items"] for view in views if "items" in view]
            inside += [(item, items) for item in value if type(item) in (dict, list)]
        elif type(value) is dict:
            for name, member in [*value.items()]:
                if member is None and type(name) is str and _is_left_out(name, views, parameters):
                    del value[name]
                elif type(name) is str and type(member) in (dict, list):
                    inside.append((member, _property(name, views)))


def _is_left_out(name: str, views: list[Schema], root: Schema) -> bool:
    """Whether null for a property only says that it is not there."""
    optional = any(
        name in members_under(view, "properties") and name not in elements_under(view, "required")
        for view in views
    )
    return optional and not any(
        _names_null(view)
        for schema in _property(name, views)
        for view in _alternatives(schema, root)
    )


def _property(name: str, views: list[Schema]) -> list[object]:
    members = [members_under(view, "properties") for view in views]
    return [properties[name] for properties in members if name in properties]


def _alternatives(schema: object, root: Schema) -> Iterator[Schema]:
    """A schema, and all that `$ref` and `anyOf` put in its place."""
    found, seen = [schema], set[int]()
    for candidate in found:  # it grows by what each one refers to
        if isinstance(candidate, dict) and id(candidate) not in seen:
            seen.add(id(candidate))
            yield candidate
            found += [referenced(candidate.get("$ref"), root), *elements_under(candidate, "anyOf")]


# --- results ------------------------------------------------------------------------------


def chat_messages(step: StepResult) -> list[ChatToolMessage | ChatUserMessage]:
    """What follows an assistant's message with calls in Chat Completions: the results of all of
    them, from `execute_step`, then the contexts that listeners attached."""
    contexts = [context["content"] for context in step["contexts"] if context["content"]]
    return [*map(chat_message, step["results"]), *map(_chat_context, contexts)]


def chat_message(result: ToolExecutionResult) -> ChatToolMessage:
    """One result as a `tool` message. Only text fits: any other block becomes text that says what
    it was. There is no field for `is_error`: the text of a failure says so itself, "Error: …",
    unless a listener put other words in its place."""
    content = copy_json(result["content"], repair=True)
    return {
        "role": "tool",
        "tool_call_id": result["call_id"],
        "content": content_text(content),
    }


def responses_items(step: StepResult) -> list[FunctionCallOutput | InputMessage]:
    """What follows the output of a model in the Responses API: the results of all calls, from
    `execute_step`, then the contexts that listeners attached."""
    contexts = [context["content"] for context in step["contexts"] if context["content"]]
    messages: list[InputMessage] = [
        {"role": "user", "content": _responses_content(content)} for content in contexts
    ]
    return [*map(responses_item, step["results"]), *messages]


def responses_item(result: ToolExecutionResult) -> FunctionCallOutput:
    """One result as a `function_call_output` item, its pictures as they are. Otherwise like
    `chat_message`."""
    return {
        "type": "function_call_output",
        "call_id": result["call_id"],
        "output": _responses_content(result["content"]),
    }


def _chat_context(content: list[ContentBlock]) -> ChatUserMessage:
    content = copy_json(content, repair=True)
    if not _has_picture(content):
        return {"role": "user", "content": content_text(content)}
    return {"role": "user", "content": [*map(_chat_part, content)]}


def _chat_part(block: ContentBlock) -> ChatText | ChatImage:
    if block["type"] == "image":
        return {"type": "image_url", "image_url": {"url": block["url"]}}
    return {"type": "text", "text": block_text(block)}


def _responses_content(content: list[ContentBlock]) -> str | list[InputText | InputImage]:
    content = copy_json(content, repair=True)
    return [*map(_responses_part, content)] if _has_picture(content) else content_text(content)


def _responses_part(block: ContentBlock) -> InputText | InputImage:
    if block["type"] == "image":
        return {"type": "input_image", "image_url": block["url"], "detail": "auto"}
    return {"type": "input_text", "text": block_text(block)}


def _has_picture(content: list[ContentBlock]) -> bool:
    return any(block["type"] == "image" for block in content)
