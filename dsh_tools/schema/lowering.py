"""A spec as JSON Schema: what the model sees."""

from collections.abc import Mapping

from ..json_values import plain_json, text_of
from ..vocabulary import JsonSchemaObject, JsonSchemaProp, SchemaProp
from .spec import require_spec


def schema_spec_to_json_schema(
    spec: Mapping[str, SchemaProp] | type[object],
) -> JsonSchemaObject:
    """The JSON Schema (draft 2020-12) of a spec or a TypedDict class, written out in full and
    sharing nothing with it.

    Properties and keywords come in a fixed order; empty descriptions and empty lists of required
    names are left out. Raises SchemaError when the spec is not well formed.
    """
    return json_schema_of(require_spec(spec))


def json_schema_of(spec: Mapping[str, SchemaProp]) -> JsonSchemaObject:
    """`schema_spec_to_json_schema` for a spec that is known to be well formed."""
    converted: JsonSchemaObject = {
        "type": "object",
        "properties": _converted(spec),
    }
    required = _required(spec)
    if required:
        converted["required"] = required
    return converted


def _converted(spec: Mapping[str, SchemaProp]) -> dict[str, JsonSchemaProp]:
    return {text_of(name): _convert(prop) for name, prop in spec.items()}


def _convert(prop: SchemaProp) -> JsonSchemaProp:
    converted: JsonSchemaProp = {"type": plain_json(prop["type"])}
    if prop.get("description"):
        converted["description"] = plain_json(prop["description"])
    if "enum" in prop:
        converted["enum"] = plain_json(prop["enum"])
    if "default" in prop:
        converted["default"] = plain_json(prop["default"])
    if "properties" in prop:
        properties = prop["properties"]
        converted["properties"] = _converted(properties)
        required = _required(properties)
        if required:
            converted["required"] = required
    if "items" in prop:
        converted["items"] = _convert(prop["items"])
    return converted


def _required(spec: Mapping[str, SchemaProp]) -> list[str]:
    return [text_of(name) for name, prop in spec.items() if "required" in prop]
