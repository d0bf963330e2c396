"""What is wrong with a spec, at the key that is wrong."""

from typing import Final, reveal_type

from dsh_tools import (
    InferArgs,
    ToolExecution,
    define_tool,
    prop,
    schema,
    schema_spec_to_json_schema,
    validate_args,
)

NAN: Final = float("nan")

UNKNOWN_KEY = schema({"path": {"type": "string", "requird": True}})
# E: "path": unknown key "requird", did you mean "required"?  [dsh-schema]
UNKNOWN_KEYS = schema(
    {
        "path": {
            "type": "string",
            "minLength": 1,
            "desc": "A path",
            # E: "path": unknown key "desc", did you mean "description"?  [dsh-schema]
            "optional": True,
            # E: "path": unknown key "optional", a property without "required" is optional  [dsh-schema]
        }
    }
)
UNKNOWN_TYPE = schema({"path": {"type": "str"}, "count": {"type": "int"}, "odd": {"type": "zzz"}})
# E: "count": unknown type "int", did you mean "integer"?  [dsh-schema]
# E: "odd": unknown type "zzz", it must be one of string, number, integer, boolean, object, array, null  [dsh-schema]
# E: "path": unknown type "str", did you mean "string"?  [dsh-schema]
NOT_A_TYPE = schema({"path": {"type": ["string", "null"]}, "none": {"type": None}})
# E: "none": "type" must be one of string, number, integer, boolean, object, array, null, or a list of them, not None  [dsh-schema]
NO_TYPE = schema({"path": {"description": "A path"}})
NOT_REQUIRED = schema({"path": {"type": "string", "required": False}})
# E: "path": "required" must be True or a list of names, leave the key out for an optional property  [dsh-schema]
REQUIRED_LIST = schema({"point": {"type": "object", "required": ["x"]}})
# E: "point": "required" names "x", which is not in "properties"  [dsh-schema]
DESCRIPTION = schema({"path": {"type": "string", "description": 5}})
# E: "path": "description" must be text, not an int  [dsh-schema]
NOT_A_PROP = schema({"path": "string"})
# E: "path": a property must be a dict, not a str  [dsh-schema]
NOT_A_SPEC = schema("string")  # E: a spec must be a dict of properties, not a str  [dsh-schema]
NOT_A_NAME = schema({5: {"type": "string"}})
# E: the name of a property must be a string, not an int  [dsh-schema]
JSON_SCHEMA = schema({"type": "object", "properties": {"path": {"type": "string"}}})

ENUM_ON_BOOLEAN = schema({"flag": {"type": "boolean", "enum": [True]}})
ENUM_ON_ARRAY = schema({"list": {"type": "array", "enum": ["a"]}})
# E: "list": "enum" is for scalars, not for an array  [dsh-schema]
ENUM_EMPTY = schema({"mode": {"type": "string", "enum": []}})
# E: "mode": "enum" must not be empty: no value could fit  [dsh-schema]
ENUM_REPEATED = schema({"mode": {"type": "string", "enum": ["a", "b", "a"]}})
# E: "mode": "enum" must not repeat a value  [dsh-schema]
ENUM_OF_OTHERS = schema({"mode": {"type": "string", "enum": ["a", 5]}})
# E: "mode": the "enum" of a string must hold strings only, not an int  [dsh-schema]
ENUM_OF_FLOATS = schema({"count": {"type": "integer", "enum": [1, 2.5]}})
# E: "count": the "enum" of an integer must hold integers only, not a float  [dsh-schema]
ENUM_NO_LIST = schema({"mode": {"type": "string", "enum": "ab"}})
# E: "mode": "enum" must be a list, not a str  [dsh-schema]

DEFAULT_TYPE = schema({"limit": {"type": "integer", "default": "5"}})
# E: "limit": "default" must be an integer, as the property itself asks  [dsh-schema]
DEFAULT_NONE = schema({"limit": {"type": "integer", "default": None}})
# E: "limit": "default" must be an integer, as the property itself asks  [dsh-schema]
DEFAULT_ENUM = schema({"mode": {"type": "string", "enum": ["a"], "default": "b"}})
# E: "mode": "default" must be one of its "enum", as the property itself asks  [dsh-schema]
DEFAULT_ITEM = schema({"names": {"type": "array", "items": {"type": "string"}, "default": [1]}})
# E: "names": "default" has an item that must be a string, as the property itself asks  [dsh-schema]
DEFAULT_NESTED = schema(
    {
        "point": {
            "type": "object",
            "properties": {"x": {"type": "number", "required": True}},
            "default": {},
            # E: "point": "default" has no "x", which must be there, as the property itself asks  [dsh-schema]
        }
    }
)

PROPERTIES_ON_STRING = schema({"a": {"type": "string", "properties": {}}})
# E: "a": "properties" is for an object, not for a string  [dsh-schema]
ITEMS_ON_OBJECT = schema({"a": {"type": "object", "items": {"type": "string"}}})
# E: "a": "items" is for an array, not for an object  [dsh-schema]
PROPERTIES_LIST = schema({"a": {"type": "object", "properties": ["x"]}})
# E: "a": "properties" must be a dict of properties, not a list  [dsh-schema]
ITEMS_LIST = schema({"a": {"type": "array", "items": [{"type": "string"}]}})
# E: "a[]": a property must be a dict, not a list, define_raw_tool takes a list of them  [dsh-schema]
DEEP = schema(
    {
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "old": {"typ": "string"},
                    # E: "edits[].old": unknown key "typ", did you mean "type"?  [dsh-schema]
                    "new": {"type": "strin"},
                    # E: "edits[].new": unknown type "strin", did you mean "string"?  [dsh-schema]
                },
            },
        }
    }
)

TWICE = schema(
    {
        "path": {"type": "string"},
        "path": {"type": "integer"},  # E: "path" is given twice  [dsh-schema]
    }
)
KEY_TWICE = schema({"path": {"type": "string", "type": "integer"}})
# E: "type" is given twice  [dsh-schema]
ITSELF = schema({"a": {"type": "object", "properties": ITSELF}})
# E: "a": the spec contains itself, which only a "$ref" can say  [dsh-schema]
PROP = prop({"type": "string", "enums": ["a"]})
# E: unknown key "enums", did you mean "enum"?  [dsh-schema]
PROP_TYPE = prop({"type": "text"})  # E: unknown type "text", did you mean "string"?  [dsh-schema]
INSIDE = schema({"a": prop({"typ": "string"}), "b": {"type": "strin"}})
# E: "b": unknown type "strin", did you mean "string"?  [dsh-schema]
# E: unknown key "typ", did you mean "type"?  [dsh-schema]
COMPOSED = schema({**schema({"a": {"type": "strin"}}), "b": {"type": "number"}})
# E: "a": unknown type "strin", did you mean "string"?  [dsh-schema]
WITH_CONSTANT = {"type": "strin"}
# E: "a": unknown type "strin", did you mean "string"?  [dsh-schema]
OF_CONSTANT = schema({"a": WITH_CONSTANT})
DICT = schema(dict(path=dict(typ="string")))
# E: "path": unknown key "typ", did you mean "type"?  [dsh-schema]
SURROGATE = schema({"\ud800": {"type": "strin"}})
# E: "�": unknown type "strin", did you mean "string"?  [dsh-schema]


def still_typed(
    a: InferArgs[UNKNOWN_KEY],
    b: InferArgs[UNKNOWN_TYPE],
    c: InferArgs[JSON_SCHEMA],
    d: InferArgs[DEEP],
    e: InferArgs[ITSELF],
    f: InferArgs[TWICE],
) -> None:
    reveal_type(a)  # R: TypedDict(faults.InferArgs[UNKNOWN_KEY], {'path'?: str})
    reveal_type(b)
    # R: TypedDict(faults.InferArgs[UNKNOWN_TYPE], {'path'?: object, 'count'?: object, 'odd'?: object})
    reveal_type(c)  # R: TypedDict(faults.InferArgs[JSON_SCHEMA], {'path'?: str})
    reveal_type(d)
    # R: TypedDict(faults.InferArgs[DEEP], {'edits'?: list[TypedDict({'old'?: object, 'new'?: object})]})
    reveal_type(e)  # R: TypedDict(faults.InferArgs[ITSELF], {'a'?: dict[str, object]})
    reveal_type(f)  # R: TypedDict(faults.InferArgs[TWICE], {'path'?: int})


define_tool(
    name="inline",
    description="Faults of an inline spec",
    parameters={
        "path": {"type": "string", "requird": True},
        # E: "path": unknown key "requird", did you mean "required"?  [dsh-schema]
        "mode": {"type": "string", "enum": []},
        # E: "mode": "enum" must not be empty: no value could fit  [dsh-schema]
    },
    execute=lambda args, execution: args.get("mode", "") + args["pth"],
    # E: TypedDict "InferArgs[inline]" has no key "pth"  [typeddict-item]
    # N: Did you mean "path"?
)


@define_tool(name="decorated", description="d", parameters={"a": {"type": "list"}})
# E: "a": unknown type "list", did you mean "array"?  [dsh-schema]
def decorated(args: object, execution: ToolExecution) -> None:
    return None

validate_args({"a": {"type": "string", "enum": []}}, {})
# E: "a": "enum" must not be empty: no value could fit  [dsh-schema]
schema_spec_to_json_schema({"a": {"type": "string", "enum": [1]}})
# E: "a": the "enum" of a string must hold strings only, not an int  [dsh-schema]
PATH = prop({"type": "string"})
validate_args({"b": {**PATH, "description": "A path"}}, {})
