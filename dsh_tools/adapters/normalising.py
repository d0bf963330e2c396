"""A tool's parameters in one spelling: a well-formed JSON Schema of draft 2020-12, of bounded depth.

What older drafts, and people, spell otherwise is read as the only thing it can mean. What means
nothing is refused: each provider would refuse the whole request for it.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias, cast

from ..errors import HarnessError, bounded
from ..json_values import DEEPEST, referenced

Schema: TypeAlias = dict[str, object]
"""A JSON Schema, or a part of one."""

TYPES: Final = ("string", "number", "integer", "boolean", "object", "array", "null")
SCHEMAS: Final = (
    *("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
MAPS_OF_SCHEMAS: Final = (
    *("properties", "$defs", "definitions", "patternProperties", "dependentSchemas"),
)
LISTS_OF_SCHEMAS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")


def unsupported_schema(message: str) -> HarnessError:
    """The error for a tool that a provider would refuse, and the whole request with it."""
    return HarnessError(bounded(message), "UNSUPPORTED_SCHEMA")


def normalised(parameters: Schema, where: str) -> Schema:
    """Parameters in that spelling, as a tree that shares no schema with the given ones; `where`
    is their path.

    Raises HarnessError with code "UNSUPPORTED_SCHEMA" and the path for a keyword that is
    malformed, a reference that leads nowhere, and more or deeper schemas than anybody takes.
    """
    root = _with_root_reference(parameters.copy(), where)
    if root.get("type") == ["object"]:
        root["type"] = "object"
    unfinished: list[tuple[Schema, str, int]] = [(root, where, 0)]
    for schema, path, level in unfinished:  # it grows by the schemas that stand inside each
        if level > DEEPEST or len(unfinished) > _MOST_SCHEMAS:
            most = f"{DEEPEST} levels of" if level > DEEPEST else f"{_MOST_SCHEMAS:,}"
            raise unsupported_schema(f"{where}: more than {most} schemas are too many")
        _normalise(schema, path)
        for holder, key, inner_path in _places(schema, path):
            inner = cast(dict[object, object], holder)[key]
            if isinstance(inner, dict):
                cast(dict[object, object], holder)[key] = inner = inner.copy()
                unfinished.append((inner, inner_path, level + 1))
            elif not isinstance(inner, bool):
                raise unsupported_schema(f"{inner_path}: must be a JSON Schema")
    _move_definitions(root, [schema for schema, _, _ in unfinished])
    _require_targets(root, unfinished)
    if "/draft-0" in str(root.get("$schema")) and root != parameters:
        del root["$schema"]  # it is no longer in the words of an older draft
    return root


_MOST_SCHEMAS: Final = 100_000

# --- references ---------------------------------------------------------------------------


def _with_root_reference(root: Schema, where: str) -> Schema:
    """The root with what it points at in the place of its reference."""
    followed = set[str]()
    while isinstance(reference := root.pop("$ref", None), str):
        target = referenced(reference, root)
        if not isinstance(target, dict) or reference in followed or reference == "#":
            raise unsupported_schema(f'{where}: "$ref" points to nothing in these parameters')
        followed.add(reference)
        root = {**target, **root}
    return root


def _move_definitions(root: Schema, schemas: list[Schema]) -> None:
    """Bring "definitions", the word of older drafts, to "$defs"."""
    old, new = root.get("definitions"), root.get("$defs", {})
    if not isinstance(old, dict) or not isinstance(new, dict) or old.keys() & new.keys():
        return
    del root["definitions"]
    root["$defs"] = {**old, **new}
    for schema in schemas:
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith(_OLD):
            schema["$ref"] = f"#/$defs/{reference.removeprefix(_OLD)}"


_OLD: Final = "#/definitions/"


def _require_targets(root: Schema, schemas: list[tuple[Schema, str, int]]) -> None:
    leads = dict[str, bool]()
    for schema, path, _ in schemas:
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            continue
        if reference not in leads:
            leads[reference] = isinstance(referenced(reference, root), (dict, bool))
        if not leads[reference]:
            raise unsupported_schema(f'{path}: "$ref" points to nothing in these parameters')


# --- one schema ---------------------------------------------------------------------------


def _places(schema: Schema, path: str) -> Iterator[tuple[object, object, str]]:
    """Where schemas stand directly inside: what holds each, its key there and its path. Holders
    are the schema's own."""
    for key in [*schema]:
        value = schema[key]
        if key in SCHEMAS:
            yield schema, key, f"{path}.{key}"
        elif key in MAPS_OF_SCHEMAS:
            schema[key] = members = cast(dict[str, object], value).copy()
            yield from ((members, name, f"{path}.{key}.{name}") for name in [*members])
        elif key in LISTS_OF_SCHEMAS:
            schema[key] = elements = cast(list[object], value).copy()
            yield from ((elements, i, f"{path}.{key}[{i}]") for i in range(len(elements)))


def _normalise(schema: Schema, where: str) -> None:
    """Bring the keywords of one schema to draft 2020-12, and check them."""
    for key, value in [*schema.items()]:
        empty = value == [] and key in LISTS_OF_SCHEMAS
        if empty or value is None and key not in _MAY_BE_NULL:
            del schema[key]
    _mend_bounds(schema)
    _mend_items(schema)
    _mend_dependencies(schema)
    _mend_required(schema)
    for key, value in schema.items():
        fits, wanted = _KEYWORDS.get(key, _ANYTHING)
        if not fits(value):
            raise unsupported_schema(f'{where}: "{key}" must be {wanted}')


_MAY_BE_NULL: Final = ("const", "default")


def _mend_bounds(schema: Schema) -> None:
    """In draft 4 a bound is exclusive when a boolean beside it says so."""
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(schema.get(exclusive), bool):
            if schema.pop(exclusive) and bound in schema:
                schema[exclusive] = schema.pop(bound)


def _mend_items(schema: Schema) -> None:
    """Up to draft 2019-09 a list of items says what the first ones are, another word the rest."""
    others = schema.pop("additionalItems", None)
    if isinstance(schema.get("items"), list):
        if first := schema.pop("items"):
            schema.setdefault("prefixItems", first)
        if others is not None:
            schema["items"] = others


def _mend_dependencies(schema: Schema) -> None:
    """Up to draft 7 names and schemas stand under one word."""
    dependencies = schema.get("dependencies")
    if not isinstance(dependencies, dict):
        return
    del schema["dependencies"]
    for name, wanted in dependencies.items():
        word = "dependentRequired" if isinstance(wanted, list) else "dependentSchemas"
        schema[word] = {**cast(Schema, schema.get(word, {})), name: wanted}


def _mend_required(schema: Schema) -> None:
    """In draft 3, and by mistake to this day, a property says itself that it is required."""
    if isinstance(schema.get("required"), bool):
        del schema["required"]
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict) or not _are_names(required):
        return
    names = [
        name
        for name, inner in properties.items()
        if isinstance(inner, dict) and inner.get("required") is True
    ]
    if names or "required" in schema:
        schema["required"] = [*dict.fromkeys([*cast(list[object], required), *names])]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_map(value: object) -> bool:
    return isinstance(value, dict)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_size(value: object) -> bool:
    return _is_number(value) and cast(float, value) >= 0 and cast(float, value) % 1 == 0


def _is_choice(value: object) -> bool:
    return isinstance(value, list) and value != []


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_types(value: object) -> bool:
    kinds = value if isinstance(value, list) else [value]
    return kinds != [] and all(kind in TYPES for kind in kinds)


_ANYTHING: Final = (lambda value: True, "")
_TYPE: Final = (_are_types, f"one of {', '.join(TYPES)}, or a list of these")
_TEXT: Final = (_is_text, "a string")
_NUMBER: Final = (_is_number, "a number")
_SIZE: Final = (_is_size, "a whole number of 0 or more")
_CHOICE: Final = (_is_choice, "an array of JSON Schemas")
_MAP: Final = (_is_map, "an object of JSON Schemas")
_KEYWORDS: Final[dict[str, tuple[Callable[[object], bool], str]]] = {
    "type": _TYPE,
    "enum": (_is_choice, "an array of at least one value"),
    "required": (_are_names, "an array of names"),
    "uniqueItems": (lambda value: isinstance(value, bool), "a boolean"),
    "multipleOf": (lambda value: _is_number(value) and cast(float, value) > 0, "a number above 0"),
    **dict.fromkeys(("$ref", "pattern", "format", "description", "title", "$schema"), _TEXT),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _SIZE),
    **dict.fromkeys(("minProperties", "maxProperties", "minContains", "maxContains"), _SIZE),
    **dict.fromkeys(LISTS_OF_SCHEMAS, _CHOICE),
    **dict.fromkeys((*MAPS_OF_SCHEMAS, "dependentRequired"), _MAP),
}
"""What the value of a keyword must be: a test of it, and the words for that."""
