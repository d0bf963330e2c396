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

from ..json_values import (
    copy_json,
    is_json,
    is_tree,
    parse_arguments,
    plain_json,
    referenced,
    repair_text,
)
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
    call_id,
    call_name,
    content_text,
    convert_inside,
    elements_under,
    image_address,
    image_data,
    in_words_of,
    invalid_wire,
    members_under,
    of_type,
    sendable_name,
    sent_parameters,
    sent_tools,
    types_of,
    where_sent,
    wire_field,
    wire_objects,
    wire_option,
    wire_value,
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
    "chat_turn",
    "responses_calls",
    "responses_item",
    "responses_items",
    "responses_tools",
    "responses_turn",
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
    namespace, caller: as the call had them; absent when it had none.
    """

    type: Literal["function_call_output"]
    call_id: str
    output: str | list[InputText | InputImage]
    namespace: NotRequired[str | None]
    caller: NotRequired[Any]


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
    return sent_tools(schemas, "openai", _chat_tool, on_refused)


def responses_tools(
    schemas: Iterable[ToolSchema], *, on_refused: OnRefused | None = None
) -> list[ResponsesTool]:
    """`tools` of a Responses request. Otherwise like `chat_tools`."""
    return sent_tools(schemas, "openai", _responses_tool, on_refused)


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
    if parameters.get("additionalProperties") is not False and not parameters["properties"]:
        if "properties" not in tool["parameters"]:
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
    each = [of_type(kind, inside) for kind in types]
    return {**beside, "anyOf": [schema for schema in each if schema.get("enum") != []]}


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
    as a dict, in its order; none when it asks for no tool. Those of custom tools are the host's.

    `schemas` are those that were sent: of the tools with `strict` True among them, the nulls
    that stand for optional properties are taken out of the arguments.

    Whatever the model wrote in a call becomes an execution: arguments by `parse_arguments`, an id
    that is missing is made, and a call without a name asks for a tool that nobody knows. Raises
    HarnessError with code "INVALID_WIRE", naming the field, when the message is not as documented:
    calls that are no objects, the `function_call` that `functions`, the predecessor of `tools`, was
    answered with.
    """
    if wire_option(message, "function_call", dict, "message") is not None:
        raise invalid_wire("message.function_call is the answer to `functions`: send `tools`")
    calls, strict = wire_option(message, "tool_calls", list, "message"), _strict_parameters(schemas)
    return [
        _execution(_chat_id(call, path), _chat_function_of(call), strict)
        for path, call in wire_objects(calls or [], "message.tool_calls")
        if _is_function(call)
    ]


def responses_calls(
    output: Iterable[Mapping[str, object]], schemas: Iterable[ToolSchema]
) -> list[ToolExecution]:
    """The `function_call` items among the `output` of a Responses response, each a dict, in order.
    Items of other types are the host's. What the API wants back beside a result, `namespace` and
    `caller`, is in `wire`. Otherwise like `chat_calls`."""
    strict, calls = _strict_parameters(schemas), list[ToolExecution]()
    for path, item in wire_objects(output, "output"):
        if wire_field(item, "type", str, path) == "function_call":
            call = _execution(_responses_id(item, path), item, strict)
            echoed = {key: item[key] for key in _ECHOED if item.get(key) is not None}
            if echoed:
                call["wire"] = copy_json(echoed)
            calls.append(call)
    return calls


_ECHOED: Final = ("namespace", "caller")


def _is_function(call: Schema) -> bool:
    return call.get("type") in (None, "", "function")


def _chat_function_of(call: Schema) -> Schema:
    return members_under(call, "function")


def _chat_id(call: Schema, where: str) -> str:
    return call_id(call, "id", where, _chat_function_of(call).get("arguments"))


def _responses_id(item: Schema, where: str) -> str:
    return call_id(item, "call_id", where, item.get("arguments"))


def _execution(
    identity: str, function: Schema, strict: Mapping[str, Schema]
) -> ToolExecution:
    name = call_name(function)
    # Some gateways send the value instead of its text, which `parse_arguments` gives back.
    arguments = copy_json(parse_arguments(cast(str, function.get("arguments"))))
    if name in strict and is_tree(arguments):
        _drop_nulls(arguments, strict[name])
    return {"call_id": identity, "name": name, "arguments": arguments}


# --- history ------------------------------------------------------------------------------


def chat_turn(message: Mapping[str, object]) -> Any:
    """An assistant's message as a dict, as it may be sent again: what providers refuse in the
    history of a conversation is mended in its calls. Arguments that are no JSON object become
    `{}`, names that no tool can have become like ones, and ids are those of `chat_calls`. All else
    is as it came, but for text that UTF-8 cannot carry; so is `message` itself.

    Raises HarnessError with code "INVALID_WIRE" as `chat_calls` does.
    """
    turn = copy_json(dict(wire_value(message, dict, "message")), repair=True)
    calls = wire_option(turn, "tool_calls", list, "message") or []
    for path, call in wire_objects(calls, "message.tool_calls"):
        if _is_function(call):
            call["id"], function = _chat_id(call, path), _chat_function_of(call)
            call.update(type="function", function={**function, **_sendable(function)})
    return turn


def responses_turn(items: Iterable[Mapping[str, object]]) -> Any:
    """The `output` of a Responses response, each item a dict, as `input` takes it again.
    Otherwise like `chat_turn`."""
    turn = copy_json([*items], repair=True)
    for path, item in wire_objects(turn, "output"):
        if wire_field(item, "type", str, path) == "function_call":
            item.update(_sendable(item), call_id=_responses_id(item, path))
    return turn


def _sendable(function: Schema) -> dict[str, object]:
    """What may be sent again of what a model wrote in a call."""
    return {
        "name": sendable_name(call_name(function)),
        "arguments": _sendable_arguments(function.get("arguments")),
    }


def _sendable_arguments(written: object) -> str:
    """The text of arguments, when it is that of a JSON object; else what was read of it, if that
    is one: raw control characters are no JSON to strict servers."""
    from json import dumps, loads  # with the first call, not with the package

    read = parse_arguments(cast(str, written))
    if not isinstance(read, dict):
        return "{}"
    try:
        if isinstance(written, str) and isinstance(loads(written), dict):
            return written
        return dumps(plain_json(read), ensure_ascii=False) if is_json(read) else "{}"
    except ValueError:
        return dumps(read, ensure_ascii=False)


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
    """One result as a `function_call_output` item, with the pictures that the API takes, and what
    the call wants back. Otherwise like `chat_message`."""
    item: FunctionCallOutput = {
        "type": "function_call_output",
        "call_id": result["call_id"],
        "output": _responses_content(result["content"]),
    }
    echoed = copy_json(result.get("wire", {}), repair=True)
    item.update(cast(FunctionCallOutput, {key: echoed[key] for key in _ECHOED if key in echoed}))
    return item


def _chat_context(content: list[ContentBlock]) -> ChatUserMessage:
    parts = [*map(_chat_part, copy_json(content, repair=True))]
    if all(part["type"] == "text" for part in parts):
        return {"role": "user", "content": content_text(copy_json(content, repair=True))}
    return {"role": "user", "content": parts}


def _chat_part(block: ContentBlock) -> ChatText | ChatImage:
    url = _picture(block)
    if url is None:
        return {"type": "text", "text": block_text(block)}
    return {"type": "image_url", "image_url": {"url": url}}


def _responses_content(content: list[ContentBlock]) -> str | list[InputText | InputImage]:
    content = copy_json(content, repair=True)
    parts = [*map(_responses_part, content)]
    return parts if any(part["type"] == "input_image" for part in parts) else content_text(content)


def _responses_part(block: ContentBlock) -> InputText | InputImage:
    url = _picture(block)
    if url is None:
        return {"type": "input_text", "text": block_text(block)}
    return {"type": "input_image", "image_url": url, "detail": "auto"}


def _picture(block: ContentBlock) -> str | None:
    """The URL of a picture that OpenAI takes, None for any other block: one that it cannot read
    makes it refuse every later request."""
    if block["type"] != "image":
        return None
    picture = image_data(block)
    if picture is None:
        return image_address(block, _PICTURES)
    media_type, data = picture
    return f"data:{media_type};base64,{data}" if media_type in _PICTURES and data else None


# https://developers.openai.com/api/docs/guides/images-vision#image-input-requirements
_PICTURES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
