"""Props and specs of other modules keep every type, whatever is spread of them."""

from typing import reveal_type

import specs
from dsh_tools import InferArgs, SchemaSpec, prop, schema, validate_args

NULLABLE = prop({"type": ["string", "null"], "required": True})
TAGS = prop({"type": "object", "additionalProperties": {"type": ["integer", "null"]}})
TARGET = prop({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})

HERE = schema({"since": NULLABLE, "tags": TAGS, "target": {**TARGET, "description": "Where to"}})
THERE = schema(
    {
        "edit": specs.EDIT,
        "edits": {"type": "array", "items": specs.EDIT, "minItems": 1},
        "env": {**specs.ENV, "required": True},
        "flag": {"anyOf": [specs.EDIT, {"type": "null"}]},
        "map": {"type": "object", "additionalProperties": specs.EDIT},
    }
)
AGAIN = schema({**specs.UNIONS, "more": {"type": "null"}})
PLAIN: SchemaSpec = {"p": {**NULLABLE}, "q": {**specs.ENV}}
OF_PLAIN = schema(PLAIN)


def body(
    a: InferArgs[HERE], b: InferArgs[THERE], c: InferArgs[AGAIN], d: InferArgs[OF_PLAIN]
) -> None:
    reveal_type(a)
    # R: TypedDict(shared_props.InferArgs[HERE], {'since': str | None, 'tags'?: dict[str, int | None], 'target'?: str | list[str]})
    reveal_type(b["env"])  # R: dict[str, str]
    reveal_type(b.get("map"))
    # R: dict[str, TypedDict({'kind': Literal['insert'], 'text': str}) | TypedDict({'kind': Literal['delete'], 'line': int})] | None
    reveal_type(c)
    # R: TypedDict(shared_props.InferArgs[AGAIN], {'since'?: str | None, 'tags'?: dict[str, bool], 'flag'?: Literal[True], 'size': Literal[1] | Literal['auto'], 'more'?: None})
    reveal_type(d)
    # R: TypedDict(shared_props.InferArgs[OF_PLAIN], {'p': str | None, 'q'?: dict[str, str]})
    for edit in b.get("edits", []):
        if edit["kind"] == "insert":
            reveal_type(edit)  # R: TypedDict({'kind': Literal['insert'], 'text': str})
    if "flag" in b and b["flag"] is not None and b["flag"]["kind"] == "delete":
        reveal_type(b["flag"])  # R: TypedDict({'kind': Literal['delete'], 'line': int})


RIGHT: InferArgs[THERE] = {"env": {"A": "b"}, "edits": [{"kind": "delete", "line": 1}], "flag": None}
assert validate_args(THERE, RIGHT) == []


class Sub(InferArgs[HERE]):
# E: no class inherits from InferArgs[...]: compose the specs instead, schema({**PARAMS, ...})  [dsh-schema]
    pass
