"""Gemini: function declarations, calls and results for `generateContent`.

Function calling: https://ai.google.dev/gemini-api/docs/function-calling. The functions take and
give plain dicts with the names of the API's protocol, which the official client and the REST API
both take; of the client's objects, pass `model_dump()`.

Gemini refuses a whole request for a keyword outside its own subset of OpenAPI 3.0 schemas
(https://ai.google.dev/api/caching#Schema). What it has no place for is told in the description.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict, cast

from ..json_values import copy_json, parse_arguments, referenced, repair_text, text_of
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
    call_name,
    convert_inside,
    elements_under,
    image_data,
    members_under,
    sendable_name,
    sent_parameters,
    sent_tools,
    type_fault,
    types_of,
    where_sent,
    wire_objects,
    wire_option,
    wire_value,
    with_any_of,
    with_implied_type,
    with_note,
    with_plain_root,
)

__all__ = [
    "GeminiContent",
    "GeminiFunctionDeclaration",
    "GeminiFunctionResponse",
    "GeminiPicture",
    "GeminiPicturePart",
    "GeminiResponsePart",
    "GeminiTextPart",
    "calls",
    "contents",
    "function_declarations",
    "turn",
]

# --- the wire, with the protocol's own keys -----------------------------------------------


class GeminiFunctionDeclaration(TypedDict):
    """A member of `function_declarations`.

    name: the tool's name.
    description: absent when empty.
    parameters: schema of the arguments; absent for a tool without parameters, and when the other
        one is there.
    parameters_json_schema: JSON Schema of arguments that Gemini's own words cannot say.
    """

    name: str
    description: NotRequired[str]
    parameters: NotRequired[Schema]
    parameters_json_schema: NotRequired[Schema]


class GeminiFunctionResponse(TypedDict):
    """The result of one call.

    id: that of the call; absent when the call had none.
    name: the tool's name.
    response: the text under "output", or that of a failure under "error".
    parts: the pictures; absent when there are none.
    """

    id: NotRequired[str]
    name: str
    response: dict[str, str]
    parts: NotRequired[list["GeminiPicturePart"]]


class GeminiResponsePart(TypedDict):
    """A result among the parts of a content.

    function_response: the result.
    """

    function_response: GeminiFunctionResponse


class GeminiTextPart(TypedDict):
    """A text among the parts of a content.

    text: the text.
    """

    text: str


class GeminiPicture(TypedDict):
    """A picture itself.

    mime_type: what it is.
    data: its bytes in base64.
    """

    mime_type: str
    data: str


class GeminiPicturePart(TypedDict):
    """A picture among the parts of a content or of a result.

    inline_data: the picture.
    """

    inline_data: GeminiPicture


class GeminiContent(TypedDict):
    """A turn of the user's side.

    role: always "user".
    parts: the results of a step, or what listeners attached.
    """

    role: Literal["user"]
    parts: list[GeminiResponsePart | GeminiTextPart | GeminiPicturePart]


# --- tools --------------------------------------------------------------------------------


def function_declarations(
    schemas: Iterable[ToolSchema], *, on_refused: OnRefused | None = None
) -> list[GeminiFunctionDeclaration]:
    """`function_declarations` of a tool, from what `registry.schemas()` gives.

    Raises HarnessError with code "UNSUPPORTED_SCHEMA", naming tool and path, for parameters that
    are no object, a schema that refers to nothing, and a name that begins with
    neither a letter nor an underscore. With `on_refused` that gets the error, with its
    `tool_name`, and the other tools are sent. Gemini knows no `strict`.
    """
    return sent_tools(schemas, "gemini", _declaration, on_refused)


def _declaration(tool: ToolSchema) -> GeminiFunctionDeclaration:
    if not (tool["name"][:1].isalpha() or tool["name"].startswith("_")):
        wanted = "Gemini wants a name that begins with a letter or an underscore"
        raise unsupported_schema(f'tool "{tool["name"]}": {wanted}')
    declaration: GeminiFunctionDeclaration = {"name": tool["name"]}
    if tool["description"]:
        declaration["description"] = repair_text(tool["description"])
    given, where = sent_parameters(tool), where_sent(tool)
    root = with_plain_root(given, (*_UNIONS, "allOf"))
    if root["properties"]:
        written_out = None if _needs_json_schema(root) else _root_written_out(root, given, where)
        if written_out is None:
            declaration["parameters_json_schema"] = _json_schema(root, where)
        else:
            declaration["parameters"] = _converted(written_out, where)
    return declaration


def _needs_json_schema(root: Schema) -> bool:
    """Whether parameters hold what Gemini's own words have no place for: maps, tuples, and
    alternatives with properties beside them."""
    unfinished = [root]
    for schema in unfinished:  # it grows by the schemas that stand inside each
        if "prefixItems" in schema or schema.get("additionalProperties") not in _NO_MAP:
            return True
        if _has_much_beside_alternatives(schema):
            return True

        def note(inner: object, path: str) -> object:
            if isinstance(inner, dict):
                unfinished.append(inner)
            return inner

        convert_inside(schema, "", note)
    return False


def _has_much_beside_alternatives(schema: Schema) -> bool:
    """Whether saying again, in each alternative, what stands beside them would be too long."""
    alternatives = sum(len(elements_under(schema, key)) for key in _UNIONS)
    beside = schema.keys() - {*_UNIONS}
    return alternatives > 0 and ("properties" in beside or bool(beside) and alternatives > 10)


_NO_MAP: Final[tuple[object, ...]] = (None, True, False, {})


_UNIONS: Final = ("anyOf", "oneOf")
_ASIDE: Final = ("$defs", "definitions")

# --- references ---------------------------------------------------------------------------


class _Endless(Exception):
    """A schema that leads back to itself, or whose references come to very many schemas."""


def _root_written_out(root: Schema, given: Schema, where: str) -> object:
    """Parameters without references, None when these have no end."""
    inside = {key: value for key, value in root.items() if key not in _ASIDE}
    try:
        return _written_out(inside, where, given, (), iter(range(_MOST_SCHEMAS)))
    except _Endless:
        return None


def _written_out(
    schema: object, where: str, root: Schema, within: tuple[str, ...], budget: Iterator[int]
) -> object:
    """A schema with what they point at in the place of references, and of an "allOf" of one.

    `root` is where references start from, `within` are those that led here, and every schema
    takes one of `budget`: few references can come to very many schemas. Raises _Endless.
    """
    if next(budget, None) is None:
        raise _Endless
    if not isinstance(schema, dict):
        return schema
    reference, whole = schema.get("$ref"), elements_under(schema, "allOf")
    if isinstance(reference, str):
        if reference in within or len(within) == _MOST_REFERENCES:
            raise _Endless
        within = (*within, reference)
        schema = _merged(_target(reference, where, root), schema, "$ref")
    elif len(whole) == 1 and isinstance(whole[0], dict):
        schema = _merged(whole[0], schema, "allOf")
    else:
        return convert_inside(
            schema, where, lambda inner, path: _written_out(inner, path, root, within, budget)
        )
    return _written_out(schema, where, root, within, budget)


_MOST_SCHEMAS: Final = 10_000
_MOST_REFERENCES: Final = 30


def _target(reference: str, where: str, root: Schema) -> Schema:
    """The schema that a reference points at."""
    found = referenced(reference, root)
    if not isinstance(found, dict):
        raise unsupported_schema(f'{where}: "$ref" points to nothing in these parameters')
    return found


def _merged(target: Schema, schema: Schema, keyword: str) -> Schema:
    """A target with what stands beside the keyword that led to it."""
    return {**target, **{key: value for key, value in schema.items() if key != keyword}}


# --- Gemini's subset ----------------------------------------------------------------------


def _converted(schema: object, where: str) -> Schema:
    """A schema without references in Gemini's subset."""
    if not isinstance(schema, dict):  # True, for one
        return {}
    if fault := type_fault(schema):
        raise unsupported_schema(f"{where}: {fault}")
    branches = _branches(schema)
    if branches == [schema]:
        return _single(schema, where)
    converted = [_converted(branch, where) for branch in branches]
    return converted[0] if len(converted) == 1 else {"anyOf": converted}


def _branches(schema: Schema) -> list[Schema]:
    """The schemas of one type that a schema comes to, each of which says all there is to say:
    beside "anyOf" Gemini takes nothing else. Null is no type of its own, but `nullable`."""
    common = {key: value for key, value in schema.items() if key not in _UNIONS}
    unions = [union for key in _UNIONS for union in elements_under(schema, key)]
    types = [kind for kind in types_of(schema) if kind != "null"]
    branches = [
        {**common, **union}
        for union in unions
        if isinstance(union, dict) and union.get("type") != "null"
    ]
    branches = branches or [{**common, "type": kind} for kind in types] or [common]
    if "null" in types_of(schema) or {"type": "null"} in unions:
        branches = [{**branch, "nullable": True} for branch in branches]
    return branches


def _single(schema: Schema, where: str) -> Schema:
    """The conversion of a schema of one type, or of none."""
    kind, values = _kind(schema), _values(schema)
    single: Schema = {} if kind is None else {"type": kind}
    single.update({key: schema[key] for key in _KEPT.get(kind, _ALWAYS_KEPT) if key in schema})
    if schema.get("format") in _FORMATS.get(kind, ()):
        single["format"] = schema["format"]
    if kind == "string" and _are_names(values):
        single["enum"] = values
    elif values:
        single["description"] = with_note(single.get("description"), "one of", values)
    if kind == "object":
        single.update(_members(schema, where))
    if kind == "array":
        single["items"] = _converted(schema.get("items"), f"{where}.items")
    for key, value in schema.items():
        if key not in single and _is_worth_a_note(key, value):
            single["description"] = with_note(single.get("description"), key, value)
    return single


_ALWAYS_KEPT: Final = ("description", "title", "nullable")
_KEPT: Final[dict[object, tuple[str, ...]]] = {
    "string": (*_ALWAYS_KEPT, "minLength", "maxLength", "pattern"),
    "number": (*_ALWAYS_KEPT, "minimum", "maximum"),
    "integer": (*_ALWAYS_KEPT, "minimum", "maximum"),
    "array": (*_ALWAYS_KEPT, "minItems", "maxItems"),
    "object": (*_ALWAYS_KEPT, "minProperties", "maxProperties"),
}


_FORMATS: Final[dict[object, tuple[str, ...]]] = {
    "string": ("date-time", "enum"),
    "number": ("float", "double"),
    "integer": ("int32", "int64"),
}


def _kind(schema: Schema) -> object:
    """The type of a schema, also of one that implies it; Gemini wants it said."""
    return with_implied_type(schema).get("type")


def _values(schema: Schema) -> list[object]:
    """The values that a schema allows, null aside; none when it leaves them open."""
    values = [schema["const"]] if "const" in schema else elements_under(schema, "enum")
    return [value for value in values if value is not None]


def _are_names(values: list[object]) -> bool:
    """Whether these can be Gemini's `enum`: text, and none of it empty."""
    return bool(values) and all(isinstance(value, str) and value for value in values)


def _members(schema: Schema, where: str) -> Schema:
    """The keywords for what is in an object: Gemini refuses empty ones, and required names that
    are no properties."""
    properties = {
        name: _converted(inner, f"{where}.properties.{name}")
        for name, inner in members_under(schema, "properties").items()
    }
    required = [name for name in elements_under(schema, "required") if name in properties]
    return {
        **({"properties": properties} if properties else {}),
        **({"required": required} if required else {}),
    }


def _is_worth_a_note(key: str, value: object) -> bool:
    """Whether a keyword that Gemini has no place for says anything to a model."""
    if key == "additionalProperties":
        return isinstance(value, dict)
    return value is not None and key not in _WITHOUT_NOTE


_WITHOUT_NOTE: Final = frozenset(
    ("type", "enum", "const", "properties", "required", "items", "nullable", "$defs")
    + ("definitions", "$schema", "$id", "$comment")
)

# --- JSON Schema --------------------------------------------------------------------------


def _json_schema(given: object, where: str) -> Schema:
    """A schema in the part of JSON Schema that Gemini takes, the rest told in the description."""
    if not isinstance(given, dict):  # True, for one
        return {}
    schema = with_implied_type(with_any_of(given))
    values = _values(schema)
    said = {key: value for key, value in schema.items() if key in _JSON_KEYWORDS}
    if _are_names(values) or values and all(type(value) in (int, float) for value in values):
        said["enum"] = [*values, None] if None in elements_under(schema, "enum") else values
    elif values:
        said["description"] = with_note(said.get("description"), "one of", values)
    for key, value in schema.items():
        if key not in _JSON_KEYWORDS and _is_worth_a_note(key, value):
            said["description"] = with_note(said.get("description"), key, value)
    said = convert_inside(said, where, _json_schema)
    if isinstance(schema.get("additionalProperties"), bool):
        said["additionalProperties"] = schema["additionalProperties"]
    if "$ref" in said and len(said) > 1:  # nothing may stand beside it
        said["anyOf"] = [{"$ref": said.pop("$ref")}]
    return said


_JSON_KEYWORDS: Final = frozenset(
    ("type", "title", "description", "format", "items", "prefixItems", "minItems", "maxItems")
    + ("minimum", "maximum", "anyOf", "properties", "additionalProperties", "required")
    + ("$ref", "$defs")
)

# --- calls --------------------------------------------------------------------------------


def calls(content: Mapping[str, object]) -> list[ToolExecution]:
    """The function calls in a model's turn, `candidates[0].content` of a response as a dict, in
    order; none when it asks for none. Both spellings of the protocol are read, `function_call`
    and `functionCall`.

    A call without an id, which is how the API sends most, gets one of its own. Numbers may all be
    floats; validation takes 3.0 for an integer. A call without a name asks for a tool that nobody
    knows. Raises HarnessError with code "INVALID_WIRE", naming the field, when the turn is not as
    documented: parts or calls that are no objects.
    """
    return [_execution(call) for _, call in _calls_in(content)]


def _calls_in(content: Mapping[str, object]) -> Iterator[tuple[str, Schema]]:
    parts = wire_option(content, "parts", list, "content") or []
    for path, part in wire_objects(parts, "content.parts"):
        for key in ("function_call", "functionCall"):
            call = wire_option(part, key, dict, path)
            if call is not None:
                yield f"{path}.{key}", call


def _execution(call: Schema) -> ToolExecution:
    given = call.get("id")
    return {
        "call_id": (text_of(given) if issubclass(type(given), str) else "") or _own_id(),
        "name": call_name(call),
        "arguments": copy_json(parse_arguments(cast(str, call.get("args")))),
    }


def _own_id() -> str:
    from uuid import uuid4

    return f"{_OWN}{uuid4().hex[:28]}"


_OWN: Final = "without-id-"

# --- history ------------------------------------------------------------------------------


def turn(content: Mapping[str, object]) -> Any:
    """A model's turn as a dict, as it may stand in `contents`. Arguments that are no object become
    `{}`, and a name that no tool can have becomes like one; an id that is missing is not wanted.
    All else, signatures of thoughts too, is as it came, but for text that UTF-8 cannot carry; so
    is `content` itself.

    Raises HarnessError with code "INVALID_WIRE" as `calls` does.
    """
    sent = copy_json(dict(wire_value(content, dict, "content")), repair=True)
    for _, call in _calls_in(sent):
        read = parse_arguments(cast(str, call.get("args")))
        call["name"] = _sent_name(call_name(call))
        call["args"] = read if isinstance(read, dict) else {}
    return sent


def _sent_name(name: str) -> str:
    """A name as the API takes it, the same in a call and in its result."""
    from re import fullmatch  # names are looked at when there are calls

    return name if fullmatch(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}", name) else sendable_name(name)


# --- results ------------------------------------------------------------------------------


def contents(executions: Iterable[ToolExecution], step: StepResult) -> list[GeminiContent]:
    """What follows a model's turn with calls: the results of all of them, from `execute_step`,
    then in a turn of their own the contexts that listeners attached, if any. `executions` are the
    calls, whose names the results must repeat; of calls with one id, the first result is that of
    the first."""
    names: dict[str, list[str]] = {}
    for execution in executions:
        names.setdefault(execution["call_id"], []).insert(0, execution["name"])
    responses = [_response(names[result["call_id"]].pop(), result) for result in step["results"]]
    attached = [_part(block) for context in step["contexts"] for block in context["content"]]
    turns: list[GeminiContent] = [{"role": "user", "parts": [*responses]}]
    return [*turns, {"role": "user", "parts": [*attached]}] if attached else turns


def _response(name: str, result: ToolExecutionResult) -> GeminiResponsePart:
    """One result, its pictures beside its text where the API takes them. Any other block becomes
    text that says what it was."""
    content = copy_json(result["content"], repair=True)
    pictures = [picture for block in content if (picture := _picture(block)) is not None]
    texts = [block_text(block) for block in content if _picture(block) is None]
    response: GeminiFunctionResponse = {
        "name": _sent_name(name),
        "response": {"error" if result["is_error"] else "output": "\n".join(texts)},
    }
    if pictures:
        response["parts"] = pictures
    if not result["call_id"].startswith(_OWN):
        response["id"] = result["call_id"]
    return {"function_response": response}


def _part(block: ContentBlock) -> GeminiTextPart | GeminiPicturePart:
    block = copy_json(block, repair=True)
    return _picture(block) or {"text": block_text(block)}


def _picture(block: ContentBlock) -> GeminiPicturePart | None:
    """A picture that the API takes, None for any other block."""
    media_type, data = (block["type"] == "image" and image_data(block)) or ("", "")
    if media_type not in _PICTURES or not data:
        return None
    return {"inline_data": {"mime_type": media_type, "data": data}}


# https://ai.google.dev/gemini-api/docs/function-calling#multimodal
_PICTURES: Final = ("image/png", "image/jpeg", "image/webp")
