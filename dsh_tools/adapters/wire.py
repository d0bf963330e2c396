"""What the adapters have in common: reading what a provider sent, a tool's parameters as they are
sent to one, and content as text where nothing else can stand."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Final, TypeAlias, TypeVar, cast

from ..errors import HarnessError
from ..json_values import copy_json, referenced, text_of, what_is
from ..vocabulary import ContentBlock, ImageBlock, ToolSchema
from .normalising import (
    LISTS_OF_SCHEMAS,
    MAPS_OF_SCHEMAS,
    SCHEMAS,
    TYPES,
    Schema,
    normalised,
    unsupported_schema,
)

_T = TypeVar("_T")

OnRefused: TypeAlias = Callable[[HarnessError], None]
"""Gets the refusal of one tool (its `tool_name`), and the others are sent."""

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


def call_id(call: Mapping[str, object], key: str, where: str, said: object) -> str:
    """The id under a key of a call, or where there is none, one that is made of the call's place
    and what it says: the same whenever the call is read, and another than its siblings'."""
    given = call.get(key)
    if issubclass(type(given), str) and text_of(given):
        return text_of(given)
    from hashlib import sha256  # most providers send ids

    text = text_of(said) if issubclass(type(said), str) else ""
    return f"call_{sha256(f'{where} {text!r}'.encode()).hexdigest()[:32]}"


def call_name(call: Mapping[str, object]) -> str:
    """The name of the tool that a call asks for, "" when it has none: nothing is called that, and
    the model is told so."""
    name = call.get("name")
    return text_of(name) if issubclass(type(name), str) else ""


def sendable_name(name: str) -> str:
    """A name, or where some provider refuses it, one like it that all of them take."""
    from re import fullmatch, sub  # most names are those of tools

    if fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name):
        return name
    name = sub(r"[^A-Za-z0-9_-]+", "_", name) or "unknown"
    return (name if name[0].isalpha() or name[0] == "_" else f"_{name}")[:64]


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


def sent_tools(
    tools: Iterable[ToolSchema],
    adapter: str,
    sent: Callable[[ToolSchema], _T],
    on_refused: OnRefused | None,
) -> list[_T]:
    """What `sent` makes of each tool, with the tool's extra keys for this `adapter`. One that it
    refuses goes to `on_refused`; without it the refusal is raised, which names the tool in either
    case."""
    accepted = list[_T]()
    for tool in tools:
        try:
            extra = copy_json(dict(tool.get("wire", {}).get(adapter, {})), repair=True)
            accepted.append(cast(_T, {**extra, **cast(Schema, sent(tool))}))
        except HarnessError as refusal:
            refusal.tool_name = tool["name"]
            if on_refused is None:
                raise
            on_refused(refusal)
    return accepted


def sent_parameters(tool: ToolSchema) -> Schema:
    """A tool's parameters as every provider asks for them: a copy that shares nothing, in the one
    spelling of `normalised`, its type "object" and its properties there, its text fit for UTF-8.

    Raises HarnessError with code "UNSUPPORTED_SCHEMA" for parameters of another type.
    """
    given: object = tool["parameters"]
    if not isinstance(given, Mapping):
        raise unsupported_schema(f"{where_sent(tool)}: must be an object")
    parameters = normalised(copy_json(dict(given), repair=True), where_sent(tool))
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
        if key in SCHEMAS:
            converted[key] = convert(value, path)
        elif key in MAPS_OF_SCHEMAS and isinstance(value, dict):
            converted[key] = {name: convert(value[name], f"{path}.{name}") for name in value}
        elif key in LISTS_OF_SCHEMAS and isinstance(value, list):
            converted[key] = [convert(inner, f"{path}[{i}]") for i, inner in enumerate(value)]
    return converted


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
    if all(kind in TYPES for kind in types_of(schema)):
        return None
    return f'"type" must be one of {", ".join(TYPES)}'



def with_note(description: object, word: str, value: object) -> str:
    """A description, and in parentheses behind it a keyword that a provider has no place for."""
    from json import dumps

    said = dumps(value, ensure_ascii=False)
    note = f"({word}: {said if len(said) <= _LONGEST_NOTE else 'too long to be shown here'})"
    return f"{description} {note}" if description else note


_LONGEST_NOTE: Final = 2_000


def with_plain_root(parameters: Schema, keywords: Iterable[str]) -> Schema:
    """Parameters without some of `keywords` at the root. The description tells what they say, and
    the properties that stand under them are there with the others."""
    root, found = parameters.copy(), dict[str, dict[str, object]]()
    for keyword in keywords:
        if keyword in root:
            root["description"] = with_note(root.get("description"), keyword, root.pop(keyword))
            for branch in branches_of(parameters, keyword):
                for name, inner in members_under(branch, "properties").items():
                    found.setdefault(name, {})[repr(inner)] = inner
    properties = {
        name: next(iter(inner.values())) if len(inner) == 1 else {"anyOf": [*inner.values()]}
        for name, inner in found.items()
    }
    root["properties"] = {**properties, **members_under(root, "properties")}
    required = [
        name
        for branch in [root, *branches_of(parameters, "allOf")]
        if branch is root or "allOf" in keywords
        for name in elements_under(branch, "required")
    ]
    return {**root, "required": [*dict.fromkeys(required)]} if required else root


def branches_of(root: Schema, keyword: str) -> list[Schema]:
    """The schemas in a list at the root, or those that they refer to."""
    found = [
        referenced(branch.get("$ref"), root) if "$ref" in branch else branch
        for branch in elements_under(root, keyword)
        if isinstance(branch, dict)
    ]
    return [branch for branch in found if isinstance(branch, dict)]


def in_words_of(kept: Container[str], mode: str, schema: Schema, where: str) -> Schema:
    """A schema with the keywords `kept` alone. Of the others, bounds and the like are told in the
    description, what says nothing of a value is left out, and the rest is refused for `mode`."""
    said = {key: value for key, value in schema.items() if key in kept}
    for key, value in schema.items():
        if key in said:
            continue
        if key in _STRUCTURAL:
            raise unsupported_schema(f'{where}: {mode} does not take "{key}"')
        if key in _TOLD:
            said["description"] = with_note(said.get("description"), key, value)
    return said


_STRUCTURAL: Final = frozenset(
    ("anyOf", "oneOf", "allOf", "not", "if", "then", "else", "prefixItems", "patternProperties")
    + ("dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties")
    + ("$dynamicRef", "definitions")
)
_TOLD: Final = frozenset(
    ("minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems")
    + ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "contains")
    + ("minContains", "maxContains", "minProperties", "maxProperties", "propertyNames")
    + ("default", "examples", "deprecated")
)


def with_any_of(schema: Schema) -> Schema:
    """A schema whose "oneOf" is an "anyOf", which strict modes know; where a value might fit more
    than one, the description says that it must not. An "allOf" of one is what stands in it."""
    whole = elements_under(schema, "allOf")
    if len(whole) == 1 and isinstance(whole[0], dict):
        beside = {key: value for key, value in schema.items() if key != "allOf"}
        if not (beside.keys() - {"description", "title", "default", "$defs"}) & whole[0].keys():
            return with_any_of({**whole[0], **beside})
    if "oneOf" not in schema or "anyOf" in schema:
        return schema
    chosen = {"anyOf" if key == "oneOf" else key: value for key, value in schema.items()}
    if not _differ(elements_under(schema, "oneOf")):
        note = "(exactly one of these)"
        chosen["description"] = f"{chosen.get('description', '')} {note}".strip()
    return chosen


def _differ(branches: list[object]) -> bool:
    """Whether no value can fit two of these, by their types, values or a required tag's values."""
    schemas = [branch for branch in branches if isinstance(branch, dict)]
    if len(schemas) < len(branches):
        return False
    tags = [
        tag for tag, inner in members_under(schemas[0], "properties").items() if _values(inner)
    ]
    marks = [[types_of(schema) for schema in schemas], [_values(schema) for schema in schemas]]
    marks += [[_tags(schema, tag) for schema in schemas] for tag in tags[:1]]
    return any(all(each) and _are_apart(each) for each in marks)


def _tags(schema: Schema, tag: str) -> list[object]:
    required = tag in elements_under(schema, "required")
    return _values(members_under(schema, "properties").get(tag)) if required else []


def _values(schema: object) -> list[object]:
    if not isinstance(schema, dict):
        return []
    return [schema["const"]] if "const" in schema else elements_under(schema, "enum")


def _are_apart(groups: list[list[object]]) -> bool:
    """Whether no two groups share a member. An integer is a number too."""
    words = [{repr(item).replace("integer", "number") for item in group} for group in groups]
    return len(set[str]().union(*words)) == sum(map(len, words))


def with_implied_type(schema: Schema) -> Schema:
    """A schema that says its type where other keywords tell that it has one."""
    if schema.keys() & {"type", "$ref", *LISTS_OF_SCHEMAS[:3]}:
        return schema
    kinds = {_type_of(value) for value in _values(schema)}
    kinds |= {_TYPE_OF[key] for key in schema if key in _TYPE_OF} if not kinds else set()
    return {**schema, "type": kinds.pop()} if len(kinds) == 1 else schema


def _type_of(value: object) -> str:
    if value is None:
        return "null"
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}
    return kinds.get(type(value), "object")


def of_type(kind: object, schema: Schema) -> Schema:
    """A schema as one of a single type, without what says nothing of it."""
    numeric = "number" if kind == "integer" else kind
    kept = {key: value for key, value in schema.items() if _TYPE_OF.get(key, numeric) == numeric}
    if "enum" in kept:
        kept["enum"] = [value for value in elements_under(kept, "enum") if _is_of(kind, value)]
    return {"type": kind, **kept}


def _is_of(kind: object, value: object) -> bool:
    return _type_of(value) == kind or (kind, _type_of(value)) == ("number", "integer")


_TYPE_OF: Final[dict[str, str]] = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "string"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum"), "number"),
    **dict.fromkeys(("exclusiveMaximum", "multipleOf"), "number"),
    **dict.fromkeys(("items", "prefixItems", "contains", "minItems", "maxItems"), "array"),
    **dict.fromkeys(("uniqueItems", "minContains", "maxContains"), "array"),
    **dict.fromkeys(("properties", "required", "additionalProperties"), "object"),
    **dict.fromkeys(("patternProperties", "propertyNames"), "object"),
    **dict.fromkeys(("minProperties", "maxProperties"), "object"),
}
"""The type that a keyword says something of. It lets any other pass, but nobody means that."""


def refers_to_itself(root: Schema) -> bool:
    """Whether a reference in a schema stands in what it leads to."""
    leads = {reference: _references(referenced(reference, root)) for reference in _references(root)}
    unfinished = [reference for reference, inner in leads.items() if not inner]
    within: dict[str, list[str]] = {}
    waiting = {reference: len(inner) for reference, inner in leads.items()}
    for reference, inner in leads.items():
        for other in inner:
            within.setdefault(other, []).append(reference)
    for reference in unfinished:  # it grows by those whose references all came to an end
        for holder in within.get(reference, ()):
            waiting[holder] -= 1
            if not waiting[holder]:
                unfinished.append(holder)
    return len(unfinished) < len(leads)


def _references(schema: object) -> set[str]:
    """The references in a schema."""
    found, unfinished = set[str](), [schema]
    for value in unfinished:  # it grows by what stands inside
        if isinstance(value, dict):
            unfinished += value.values()
            found |= {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        elif isinstance(value, list):
            unfinished += value
    return found


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
