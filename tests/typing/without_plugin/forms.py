"""Both forms of a spec and all its keywords, as authors write them, pass without the plugin."""

from dsh_tools import (
    SchemaObject,
    SchemaProp,
    SchemaSpec,
    ToolExecution,
    define_tool,
    prop,
    schema,
    schema_spec_to_json_schema,
    validate_args,
)

NAMES = ["a", "b"]

PROPERTIES_ALONE = schema(
    {
        "path": {"type": "string", "required": True, "minLength": 1, "description": "A path"},
        "since": {"type": ["string", "null"], "format": "date"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
        "ratio": {
            "type": "number",
            "exclusiveMinimum": 0.5,
            "multipleOf": 2,
            "examples": [1, 2.5],
            "deprecated": True,
        },
        "any": {},
        "mode": {"enum": ["a", 1, True, None, 2.5]},
        "name": {"type": "string", "enum": NAMES},
        "flag": {"type": "boolean", "enum": [True]},
        "nothing": {"type": ["integer", "null"], "enum": [1, None]},
        "names": {
            "type": "object",
            "propertyNames": {"type": "string", "pattern": "^x"},
            "minProperties": 1,
        },
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
        "edits": {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {
                "anyOf": [
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {
                            "kind": {"const": "insert", "required": True},
                            "text": {"type": "string", "required": True},
                        },
                    },
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["kind", "line"],
                        "properties": {"kind": {"const": "delete"}, "line": {"type": "integer"}},
                    },
                ]
            },
        },
    }
)
LONG_FORM = schema(
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.org/search",
        "$comment": "pasted",
        "type": "object",
        "title": "Search",
        "additionalProperties": False,
        "properties": {"q": {"type": "string"}, "p": {"$ref": "#/$defs/P", "description": "x"}},
        "required": ["q"],
        "$defs": {"P": {"type": "object", "properties": {"x": {"type": "number"}}}},
    }
)
EITHER_SHORT: SchemaSpec = {"q": {"type": "string", "required": True}}
EITHER_LONG: SchemaSpec = {"type": "object", "properties": {"q": {"type": "string"}}}
NAMED_TYPE = schema({"type": {"type": "string"}})
OBJECT: SchemaObject = {"type": "object"}
PROP: SchemaProp = {"oneOf": [{"type": "string"}, {"const": None}], "default": None}
ITEMS = prop({"type": "array", "items": {"type": "string", "format": "uuid"}, "maxItems": 3})

validate_args({"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}, {})
schema_spec_to_json_schema({"type": "object", "properties": {"q": PROP}, "required": ["q"]})


def search(args: dict[str, object], execution: ToolExecution) -> str:
    return str(args["q"])


define_tool(
    name="search",
    description="Search",
    parameters={"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
    execute=search,
)
schema({"type": "object", "properties": {"q": {"type": "strin"}}, "required": "q"})
# E: Dict entry 0 has incompatible type "str": "str"; expected "str": "SchemaProp"  [dict-item]
# E: Dict entry 2 has incompatible type "str": "str"; expected "str": "SchemaProp"  [dict-item]
# E: Extra key "q" for TypedDict "SchemaProp"  [typeddict-unknown-key]
schema({"q": {"type": "string", "minLenght": 1}})
# E: Extra key "minLenght" for TypedDict "SchemaProp"  [typeddict-unknown-key]
