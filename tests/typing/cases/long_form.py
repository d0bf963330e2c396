"""The long form: a JSON Schema of an object, pasted as it is."""

from typing import reveal_type

import specs
from dsh_tools import InferArgs, define_tool, prop, schema, validate_args

PASTED = schema(
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "title": "Search",
        "properties": {
            "query": {"type": "string", "minLength": 1},
            "type": {"type": "string", "enum": ["web", "news"]},
            "page": {
                "type": "object",
                "properties": {"size": {"type": "integer", "required": True}, "at": {"type": "integer"}},
                "required": ["at"],
            },
            "flag": {"type": "boolean", "required": True},
        },
        "required": ["query"],
        "additionalProperties": False,
    }
)
NOTHING = schema({"type": "object"})
EMPTY = schema({"type": "object", "properties": {}})
NOT_LONG = schema({"type": {"type": "string", "required": True}})

OPENED = schema({**PASTED, "additionalProperties": True})
MORE = schema({**specs.LONG, "required": ["host"]})
INSIDE = schema({"server": {**specs.LONG, "description": "Where"}, "search": NOTHING})
PARTS = schema({"type": "object", "properties": specs.COMMON})
PROP = schema({"type": "object", "properties": {"server": specs.SERVER}})
NULLABLE = prop({"type": ["string", "null"]})
SPREAD = schema({"type": "object", "properties": {"p": {**NULLABLE, "required": True}}})


def body(
    a: InferArgs[PASTED],
    b: InferArgs[NOTHING],
    c: InferArgs[EMPTY],
    d: InferArgs[NOT_LONG],
    e: InferArgs[OPENED],
    f: InferArgs[MORE],
    g: InferArgs[INSIDE],
    h: InferArgs[PARTS],
    i: InferArgs[PROP],
    j: InferArgs[SPREAD],
) -> None:
    reveal_type(a)
    # R: TypedDict(long_form.InferArgs[PASTED], {'query': str, 'type'?: Literal['web'] | Literal['news'], 'page'?: TypedDict({'size': int, 'at'?: int}), 'flag'?: bool})
    reveal_type(b)  # R: dict[str, object]
    reveal_type(c)  # R: TypedDict(long_form.InferArgs[EMPTY], {})
    reveal_type(d)  # R: TypedDict(long_form.InferArgs[NOT_LONG], {'type': str})
    reveal_type(e)
    # R: TypedDict(long_form.InferArgs[OPENED], {'query': str, 'type'?: Literal['web'] | Literal['news'], 'page'?: TypedDict({'size': int, 'at'?: int}), 'flag'?: bool})
    reveal_type(f)  # R: TypedDict(long_form.InferArgs[MORE], {'host': str, 'port'?: int | None})
    reveal_type(g)
    # R: TypedDict(long_form.InferArgs[INSIDE], {'server'?: TypedDict({'host'?: str, 'port'?: int | None}), 'search'?: dict[str, object]})
    reveal_type(h)  # R: TypedDict(long_form.InferArgs[PARTS], {'verbose'?: bool, 'depth': int})
    reveal_type(i)
    # R: TypedDict(long_form.InferArgs[PROP], {'server': TypedDict({'host': str, 'port'?: int})})
    reveal_type(j)  # R: TypedDict(long_form.InferArgs[SPREAD], {'p': str | None})
    a["qurey"]
    # E: TypedDict "InferArgs[PASTED]" has no key "qurey"  [typeddict-item]
    # N: Did you mean "query"?


reveal_type(PASTED)
# R: dsh_tools.schema.spec.LongSpec[TypedDict(long_form.InferArgs[PASTED], {'query': str, 'type'?: Literal['web'] | Literal['news'], 'page'?: TypedDict({'size': int, 'at'?: int}), 'flag'?: bool})]

RIGHT: InferArgs[PASTED] = {"query": "x", "flag": True, "page": {"size": 1, "at": 0}}
assert validate_args(PASTED, RIGHT) == []

WRONG: InferArgs[PASTED] = {"flag": True, "type": "maps", "page": {"size": 1}, "pages": 1}
# E: Extra key "pages" for TypedDict "InferArgs[PASTED]"  [typeddict-unknown-key]
# E: Incompatible types (expression has type "Literal['maps']", TypedDict item "type" has type "Literal['web', 'news']")  [typeddict-item]
# E: Missing key "query" for TypedDict "InferArgs[PASTED]"  [typeddict-item]
assert len(validate_args(PASTED, WRONG)) == 4

define_tool(
    name="inline",
    description="Pasted where the tool is defined",
    parameters={"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
    execute=lambda args, execution: args["q"].nope,
    # E: "str" has no attribute "nope"  [attr-defined]
)
assert validate_args({"type": "object", "properties": {"q": {"type": "null"}}}, {"q": None}) == []
