"""JSON values: reading a model's text and a provider's objects, copying, mending text that no UTF-8
can carry, and what the adapters have in common."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .errors import HarnessError
from .vocabulary import ContentBlock, ImageBlock, JsonValue, ToolSchema

if TYPE_CHECKING:
    from json import JSONDecoder

_T = TypeVar("_T")


def parse_arguments(text: str | None) -> JsonValue:
    """The value of a tool call's raw argument text, as a model wrote it. Never raises.

    Empty or absent text is `{}`: that is how providers send a call without arguments. JSON text
    is its value, the last of duplicate keys winning (as RFC 8259 section 4 reports of most
    parsers). Anything else, NaN and Infinity included, is the text itself, which validation then
    refuses with a message that the model can act on.
    """
    if not text:
        return {}
    try:
        value: JsonValue = _decoder().decode(text)
    except (ValueError, RecursionError, TypeError):  # not JSON, too deep, or not even a str
        return text
    return value


@cache
def _decoder() -> "JSONDecoder":
    from json import JSONDecoder  # the first call pays for it, importing the package does not

    return JSONDecoder(parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def copy_json(value: _T, *, repair: bool = False) -> _T:
    """A copy that shares no dict, list, tuple or set with `value`; everything else is shared.

    With `repair`, every string in it, keys too, is passed through `repair_text`. Dicts and lists
    may be as deep as memory goes, and cyclic (one that occurs twice is copied once).
    """
    given: Any = value
    if type(given) is dict and not repair:
        for member in given.values():
            if type(member) not in _SCALARS:
                break
        else:  # as in most calls: it needs no walk
            return given.copy()  # type: ignore[return-value]  # a copy has the type
    top = _shallow_copy(value, repair)
    if top is None:
        return cast(_T, _other_copy(value, repair))
    copies = {id(value): top}
    unfinished = [top]
    for container in unfinished:  # it grows by each container found on the way
        for key, item in container.items() if type(container) is dict else enumerate(container):
            kind = type(item)
            if kind in _SCALARS:
                if repair and kind is str:
                    container[key] = repair_text(item)
                continue
            copied = copies.get(id(item))
            if copied is None:
                copied = _shallow_copy(item, repair)
                if copied is None:
                    container[key] = _other_copy(item, repair)
                    continue
                copies[id(item)] = copied
                unfinished.append(copied)
            container[key] = copied
    return cast(_T, top)


_SCALARS = frozenset((str, int, float, bool, type(None)))


def _other_copy(value: Any, repair: bool) -> Any:
    """The copy of what is neither dict nor list: of text the text, of the other containers of
    Python a deep copy, and of anything else, or where there is no copying it, the value itself."""
    if repair and isinstance(value, str):
        return repair_text(text_of(value))
    if not isinstance(value, (tuple, set, frozenset, bytearray)):
        return value
    from copy import deepcopy  # JSON never comes here

    try:
        return deepcopy(value)
    except Exception:  # whatever the objects inside raise: a lock cannot be copied, for one
        return value


def plain_json(value: object) -> Any:
    """A copy of a JSON value of bounded depth, with every subclass made the plain type."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if isinstance(value, dict):
        return {text_of(key): plain_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_json(item) for item in value]
    if isinstance(value, str):
        return text_of(value)
    return int_of(value) if isinstance(value, int) else float_of(value)


def _shallow_copy(value: object, repair: bool) -> Any:
    """A plain dict or list with the same members, None when `value` is neither. A subclass has
    no say in what its members are."""
    if type(value) is list:
        return value.copy()
    if type(value) is dict:
        members = value.copy()
    elif issubclass(type(value), dict):
        members = dict(items_of(value))
    else:
        return list(elements_of(value)) if issubclass(type(value), list) else None
    return _with_repaired_keys(members) if repair else members


def _with_repaired_keys(given: dict[object, object]) -> dict[object, object]:
    if all(text_of(key).isascii() for key in given if isinstance(key, str)):
        return given
    return {
        repair_text(text_of(key)) if isinstance(key, str) else key: item
        for key, item in given.items()
    }


# A subclass of a JSON type may answer as it likes, or not at all; these ask the type itself. Each
# is called with values of that type only, which is what the ignored errors are about.
text_of: Callable[[object], str] = str.__str__
int_of: Callable[[object], int] = int.__int__  # type: ignore[assignment]
float_of: Callable[[object], float] = float.__float__  # type: ignore[assignment]
elements_of: Callable[[object], Iterator[object]] = list.__iter__  # type: ignore[assignment]
items_of: Callable[[object], Iterable[tuple[object, object]]] = dict.items  # type: ignore[assignment]
keys_of: Callable[[object], Iterable[object]] = dict.keys  # type: ignore[assignment]
member_of: Callable[[object, object, object], object] = dict.get  # type: ignore[assignment]


def plain_text(value: object) -> str:
    """`str(value)` as a plain string, whatever its class makes of itself."""
    return text_of(str(value)) if type(value) is not str else value


def repair_text(text: str) -> str:
    """`text` with surrogate pairs joined and every lone surrogate replaced by U+FFFD.

    A lone surrogate has no UTF-8 form, and a provider refuses the whole conversation for one.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


# --- what a provider sent -----------------------------------------------------------------


def wire_value(value: object, kind: type[_T], where: str) -> _T:
    """`value`, when it is of the JSON type that `kind` stands for: dict, list, str, bool or int.

    Raises HarnessError with code "INVALID_WIRE" otherwise. Its message names `where`, a path such
    as `message.tool_calls[0]`, what was wanted and what JSON type came, never the value.
    """
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise invalid_wire(f"{where} must be {_JSON_TYPES[kind]} ({_what_came(value)} arrived)")


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
        if isinstance(value, kind):
            return _JSON_TYPES[kind]
    name = f"a {type(value).__name__}"
    return f"{name}, whose model_dump() is wanted," if hasattr(value, "model_dump") else name


# --- tools for a provider -----------------------------------------------------------------


def sent_parameters(tool: ToolSchema) -> dict[str, object]:
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
    schema: dict[str, object], where: str, convert: Callable[[object, str], object]
) -> dict[str, object]:
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


def members_under(holder: dict[str, object], key: str) -> dict[str, object]:
    """The object under a key, an empty one when there is none."""
    members = holder.get(key)
    return members if isinstance(members, dict) else {}


def elements_under(holder: dict[str, object], key: str) -> list[object]:
    """The array under a key, an empty one when there is none."""
    elements = holder.get(key)
    return elements if isinstance(elements, list) else []


def types_of(schema: dict[str, object]) -> list[object]:
    """The types that a JSON Schema names, none when it leaves the type open."""
    return elements_under(schema, "type") or ([schema["type"]] if "type" in schema else [])


def type_fault(schema: dict[str, object]) -> str | None:
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
    failed = ", an error" if block.get("is_error") else ""
    return f"[result of tool call {block['tool_call_id']}{failed}: {content_text(block['content'])}]"


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
    that is elsewhere. The block's `mime_type` goes before what the URL says."""
    head, comma, data = block["url"].partition(",")
    if not comma or head[:5].lower() != "data:":
        return None
    media_type, *parameters = head[5:].split(";")
    if "base64" not in (parameter.strip().lower() for parameter in parameters):
        from base64 import b64encode  # neither is needed where pictures are the usual ones
        from urllib.parse import unquote_to_bytes

        data = b64encode(unquote_to_bytes(data)).decode()
    return block.get("mime_type") or media_type.strip() or "text/plain", data
