"""A spec as JSON Schema: what the model sees, and what all that follows reads."""

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from ..json_values import plain_json, text_of
from ..vocabulary import JsonSchemaObject, SchemaProp, SchemaSpec
from .faults import is_long_form
from .fitting import required_names
from .keywords import RANK
from .spec import require_spec


def schema_spec_to_json_schema(
    spec: SchemaSpec | Mapping[str, SchemaProp] | type[object],
) -> JsonSchemaObject:
    """The JSON Schema (draft 2020-12) of a spec or a TypedDict class, written out in full and
    sharing nothing with it. It is itself a spec in the long form, and its own JSON Schema.

    Properties come in their order, keywords in a fixed one, those of a root last; empty
    descriptions and empty lists of required names are left out. Raises SchemaError when the spec
    is not well formed.
    """
    return json_schema_of(require_spec(spec))


def json_schema_of(spec: object) -> JsonSchemaObject:
    """`schema_spec_to_json_schema` for a spec that is known to be well formed."""
    root = spec if is_long_form(spec) else {"type": "object", "properties": spec}
    return cast(JsonSchemaObject, _lowered(root))


def _lowered(prop: Any) -> dict[str, object]:
    """A property, or the root, with its own `required` told to what it stands in."""
    lowered: dict[str, object] = {}
    for keyword in sorted(prop, key=RANK.__getitem__):
        if keyword == "properties":
            lowered["properties"] = _members(prop["properties"])
            required = [text_of(name) for name in required_names(prop, prop["properties"])]
            if required:
                lowered["required"] = required
        elif keyword != "required" and (prop[keyword] or keyword != "description"):
            lower: Callable[[Any], object] = _LOWERED.get(keyword, plain_json)
            lowered[text_of(keyword)] = lower(prop[keyword])
    return lowered


def _members(props: Any) -> dict[str, object]:
    return {text_of(name): _lowered(prop) for name, prop in props.items()}


def _alternatives(props: Any) -> list[object]:
    return [_lowered(prop) for prop in props]


def _flag_or_lowered(prop: Any) -> object:
    return prop if isinstance(prop, bool) else _lowered(prop)


_LOWERED: Final[Mapping[str, Callable[[Any], object]]] = {
    "items": _lowered,
    "additionalProperties": _flag_or_lowered,
    "propertyNames": _lowered,
    "anyOf": _alternatives,
    "oneOf": _alternatives,
    "$defs": _members,
    "definitions": _members,
}
"""How the keywords come out whose values hold properties; all others are copied."""
