"""What the adapters have in common: reading what a provider sent, a tool's parameters as they are
sent to one, and content as text where nothing else can stand."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias, TypeVar, cast

from ..errors import HarnessError
from ..json_values import copy_json, text_of, what_is
from ..vocabulary import ContentBlock, ImageBlock, ToolSchema

_T = TypeVar("_T")

Schema: TypeAlias = dict[str, object]
"""A JSON Schema, or a part of one."""

# --- what a provider sent -----------------------------------------------------------------


def wire_value(value: object, kind: type[_T], where: str) -> _T:
    """`value`, when it is of the JSON type that `kind` stands for: dict, list, str, bool or int.

    Raises HarnessError with code "INVALID_WIRE" otherwise. Its message names `where`, a path such
    as `message.tool_calls[0]`, what was wanted and what JSON type came, never the value.
    """
    given = type(value)
    if given is kind:
        return cast(_T, value)
    if issubclass(given, kind) and given is not bool:
        return cast(_T, _plain(value, where))
    raise invalid_wire(f"{where} must be {_JSON_TYPES[kind]} ({_what_came(value)} arrived)")


def _plain(value: object, where: str) -> object:
    """A value of a JSON type's subclass as that type, so that the class has no further say."""
    plain = copy_json([value], repair=True)[0]
    if type(plain) is type(value):
        raise invalid_wire(f"{where} must be JSON ({what_is(value)} arrived that cannot be copied)")
    return plain


def wire_id(value: object) -> str:
    """A call's id, or a name, as the text that a protocol wants. Numbers are what JSON-RPC has for
    ids; nobody means anything else."""
    if issubclass(type(value), str):
        return text_of(value)
    return str(value) if type(value) is int and value.bit_length() < 64 else "<no text>"


def wire_field(holder: object, key: str, kind: type[_T], where: str) -> _T:
    """`holder[key]`, checked by `wire_value`. `where` is the path of `holder`, which must be an
    object that has the key; HarnessError with code "INVALID_WIRE" otherwise."""
    members = wire_value(holder, dict, where)
    if key not in members:
        raise invalid_wire(f"{where}.{key} is missing: it must be {_JSON_TYPES[kind]}")
    return wire_value(members[key], kind, f"{where}.{key}")


def wire_option(holder: object, key: str, kind: type[_T], where: str) -> _T | None:
    """`wire_field` for a key that may be absent or null, which both give None."""
    if wire_value(holder, dict, where).get(key) is None:
        return None
    return wire_field(holder, key, kind, where)


def wire_objects(values: object, where: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The objects of a list, each with its path: `("message.tool_calls[0]", {...})`.

    Raises HarnessError with code "INVALID_WIRE" when `values` is no list, or a member no object.
    """
    for index, value in enumerate(wire_value(values, list, where)):
        path = f"{where}[{index}]"
        yield path, wire_value(value, dict, path)


def invalid_wire(message: str) -> HarnessError:
    """The error for a provider's object that is not as its API documents it."""
    return HarnessError(message, "INVALID_WIRE")


_JSON_TYPES: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a number",
}


def _what_came(value: object) -> str:
    if value is None:
        return "null"
    for kind in (bool, int, float, str, list, dict):
        if issubclass(type(value), kind):
            return _JSON_TYPES[kind]
    name = what_is(value)
    dumps = hasattr(type(value), "model_dump")
    return f"{name}, whose model_dump() is wanted," if dumps else name


# --- tools for a provider -----------------------------------------------------------------


def sent_parameters(tool: ToolSchema) -> Schema:
    """A tool's parameters as every provider asks for them: a copy that shares nothing, its type
    "object" and its properties there, its text fit for UTF-8.

    Raises HarnessError with code "UNSUPPORTED_SCHEMA" for parameters of another type.
    """
    parameters = copy_json(dict(tool["parameters"]), repair=True)
    if parameters.setdefault("type", "object") != "object":
        raise unsupported_schema(f'{where_sent(tool)}.type: must be "object"')
    parameters.setdefault("properties", {})
    return parameters


def where_sent(tool: ToolSchema) -> str:
    """The path of a tool's parameters, for a message."""
    return f'tool "{tool["name"]}": parameters'


def convert_inside(
    schema: Schema, where: str, convert: Callable[[object, str], object]
) -> Schema:
    """A JSON Schema with `convert(inner, path)` in the place of every schema that stands directly
    inside; `where` is its own path. An inner one may be any JSON: True, or what is no schema."""
    converted = schema.copy()
    for key, value in schema.items():
        path = f"{where}.{key}"
        if key in _SCHEMAS:
            converted[key] = convert(value, path)
        elif key in _MAPS_OF_SCHEMAS and isinstance(value, dict):
            converted[key] = {name: convert(value[name], f"{path}.{name}") for name in value}
        elif key in _LISTS_OF_SCHEMAS and isinstance(value, list):
            converted[key] = [convert(inner, f"{path}[{i}]") for i, inner in enumerate(value)]
    return converted


_SCHEMAS = ("items", "additionalProperties", "not", "if", "then", "else")
_MAPS_OF_SCHEMAS = ("properties", "$defs", "definitions", "patternProperties")
_LISTS_OF_SCHEMAS = ("anyOf", "oneOf", "allOf", "prefixItems")


def members_under(holder: Schema, key: str) -> Schema:
    """The object under a key, an empty one when there is none."""
    members = holder.get(key)
    return members if isinstance(members, dict) else {}


def elements_under(holder: Schema, key: str) -> list[object]:
    """The array under a key, an empty one when there is none."""
    elements = holder.get(key)
    return elements if isinstance(elements, list) else []


def types_of(schema: Schema) -> list[object]:
    """The types that a JSON Schema names, none when it leaves the type open."""
    return elements_under(schema, "type") or ([schema["type"]] if "type" in schema else [])


def type_fault(schema: Schema) -> str | None:
    """What is wrong with the types that a JSON Schema names, None when nothing is."""
    if all(kind in _TYPES for kind in types_of(schema)):
        return None
    return f'"type" must be one of {", ".join(_TYPES)}'


_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")


def with_note(description: object, word: str, value: object) -> str:
    """A description, and in parentheses behind it a keyword that a provider has no place for."""
    from json import dumps

    note = f"({word}: {dumps(value, ensure_ascii=False)})"
    return f"{description} {note}" if description else note


def unsupported_schema(message: str) -> HarnessError:
    """The error for a tool that a provider would refuse, and the whole request with it."""
    return HarnessError(message, "UNSUPPORTED_SCHEMA")


# --- content blocks for those who cannot carry them ---------------------------------------


def block_text(block: ContentBlock) -> str:
    """A content block as text, for where nothing else can stand. What is no text says what it
    was; of a picture that is not elsewhere, the text has its type and size alone."""
    if block["type"] == "text":
        return block["text"]
    if block["type"] == "reasoning":
        return f"[reasoning: {block['text']}]"
    if block["type"] == "image":
        return _image_text(block)
    if block["type"] == "tool-call":
        return f"[tool call {block['id']}: {block['name']} {block['arguments']}]"
    failed, said = ", an error" if block.get("is_error") else "", content_text(block["content"])
    return f"[result of tool call {block['tool_call_id']}{failed}: {said}]"


def content_text(content: Iterable[ContentBlock]) -> str:
    """Content as one text, its blocks on lines of their own."""
    return "\n".join(map(block_text, content))


def _image_text(block: ImageBlock) -> str:
    data = image_data(block)
    return f"[image: {block['url']}]" if data is None else data_text("image", *data)


def data_text(what: str, media_type: str, encoded: str) -> str:
    """What can be said of data (base64 text) where it cannot stand: `what` it is, type and size."""
    size = len(encoded) * 3 // 4 - encoded[-2:].count("=")
    return f"[{what}: {media_type}, {size} bytes, not shown here]"


def image_data(block: ImageBlock) -> tuple[str, str] | None:
    """Media type and base64 text of a picture that its `data:` URL (RFC 2397) holds; None for one
    that is elsewhere. The bytes say what type it is; where they are of none that is known here,
    the block's `mime_type` does, and then the URL, in small letters."""
    head, comma, data = block["url"].partition(",")
    if not comma or head[:5].lower() != "data:":
        return None
    media_type, *parameters = head[5:].split(";")
    if "base64" not in (parameter.strip().lower() for parameter in parameters):
        from base64 import b64encode  # neither is needed where pictures are the usual ones
        from urllib.parse import unquote_to_bytes

        data = b64encode(unquote_to_bytes(data)).decode()
    said = _media_type(block.get("mime_type") or media_type) or "text/plain"
    return _sniffed(data) or said, data


def image_address(block: ImageBlock, taken: Iterable[str]) -> str | None:
    """The address of a picture on the web; None for one that is not, or says to be of a type that
    is not among the `taken`."""
    if block["url"][:8].lower().startswith(("https://", "http://")):
        return block["url"] if _media_type(block.get("mime_type", "")) in ("", *taken) else None
    return None


def _media_type(written: str) -> str:
    """A media type as its register has it: `image/jpg` is common, and none."""
    media_type = written.partition(";")[0].strip().lower()
    return "image/jpeg" if media_type == "image/jpg" else media_type


def _sniffed(encoded: str) -> str | None:
    """The media type that the first bytes of base64 text tell, None when they tell none."""
    from binascii import Error, a2b_base64

    try:
        begins = a2b_base64(encoded[:32])
    except Error:
        return None
    return next((kind for kind, tells in _SIGNATURES if tells(begins)), None)


# https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern, and what passes for pictures
_SIGNATURES: Final[tuple[tuple[str, Callable[[bytes], bool]], ...]] = (
    ("image/png", lambda begins: begins.startswith(b"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", lambda begins: begins.startswith(b"\xff\xd8\xff")),
    ("image/gif", lambda begins: begins.startswith((b"GIF87a", b"GIF89a"))),
    ("image/webp", lambda begins: begins[:4] == b"RIFF" and begins[8:12] == b"WEBP"),
    ("image/bmp", lambda begins: begins.startswith(b"BM")),
    ("image/tiff", lambda begins: begins.startswith((b"II*\0", b"MM\0*"))),
    ("image/svg+xml", lambda begins: begins.lstrip().startswith((b"<svg", b"<?xml"))),
)
