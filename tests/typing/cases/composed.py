"""Specs made of other specs, and of props in constants."""

from typing import Literal, get_args, reveal_type

import specs
from dsh_tools import InferArgs, SchemaProp, SchemaSpec, define_tool, prop, schema
from reexporting import SERVER
from specs import COMMON, MODE, Color

BASE = schema({"path": {"type": "string", "required": True}, "mode": MODE})
ITEM = prop({"type": "object", "properties": {"id": {"type": "integer", "required": True}}})
NAMES = prop({"type": "array", "items": {"type": "string"}, "required": True})
PLAIN_PROP = {"type": "number"}
TYPED_PROP: SchemaProp = {"type": "boolean", "required": True}
PLAIN_SPEC = {"plain": {"type": "string", "required": True}}
TYPED_SPEC: SchemaSpec = {"typed": {"type": "string"}}
CHANGED = {"type": "number"}
CHANGED["type"] = "string"
TEXT = "string"

SPREAD = schema({**BASE, "extra": {"type": "integer"}})
TWO_SPREADS = schema({**COMMON, **BASE})
OVERRIDDEN = schema({**BASE, "path": {"type": "integer"}})
OTHER_MODULE = schema({**specs.COMMON, "server": specs.SERVER})
OR = schema(COMMON | {"extra": {"type": "integer"}})
OR_TWICE = schema(COMMON | BASE | {"extra": {"type": "integer"}})
OR_RIGHT = schema({"extra": {"type": "integer"}} | COMMON)
DICT = schema(dict(path=dict(type="string", required=True), limit=dict(type="integer")))
DICT_OF = schema(dict(COMMON, extra={"type": "integer"}))
INNER_SPEC = schema({"options": {"type": "object", "properties": COMMON}})
INNER_SPREAD = schema({"options": {"type": "object", "properties": {**COMMON}}})
INNER_CALL = schema({"options": {"type": "object", "properties": schema({"a": MODE})}})
PROPS = schema({"item": ITEM, "names": NAMES, "server": SERVER, "other": specs.SERVER})
ITEMS = schema({"servers": {"type": "array", "items": SERVER}})
SPREAD_PROP = schema({"server": {**SERVER, "description": "Where"}, "mode": {**MODE}})
NARROWED = schema({"mode": {**MODE, "enum": ["fast"], "required": True}})
INLINE_PROP = schema({"level": prop({"type": "integer", "enum": [1, 2]})})
PLAIN = schema({"plain": PLAIN_PROP, "typed": TYPED_PROP})
OF_PLAIN = schema({**PLAIN_SPEC, **TYPED_SPEC})
WHOLE = schema(PLAIN_SPEC)
AGAIN = schema(BASE)
CONSTANT_TYPE = schema({"text": {"type": TEXT}})


def spread(
    a: InferArgs[SPREAD],
    b: InferArgs[TWO_SPREADS],
    c: InferArgs[OVERRIDDEN],
    d: InferArgs[OTHER_MODULE],
) -> None:
    reveal_type(a)
    # R: TypedDict(composed.InferArgs[SPREAD], {'path': str, 'mode'?: Literal['fast'] | Literal['slow'], 'extra'?: int})
    reveal_type(b)
    # R: TypedDict(composed.InferArgs[TWO_SPREADS], {'verbose'?: bool, 'depth': int, 'path': str, 'mode'?: Literal['fast'] | Literal['slow']})
    reveal_type(c)
    # R: TypedDict(composed.InferArgs[OVERRIDDEN], {'path'?: int, 'mode'?: Literal['fast'] | Literal['slow']})
    reveal_type(d)
    # R: TypedDict(composed.InferArgs[OTHER_MODULE], {'verbose'?: bool, 'depth': int, 'server': TypedDict({'host': str, 'port'?: int})})
    a["pth"]
    # E: TypedDict "InferArgs[SPREAD]" has no key "pth"  [typeddict-item]
    # N: Did you mean "path"?


def united(
    a: InferArgs[OR], b: InferArgs[OR_TWICE], c: InferArgs[OR_RIGHT], d: InferArgs[DICT]
) -> None:
    reveal_type(a)
    # R: TypedDict(composed.InferArgs[OR], {'verbose'?: bool, 'depth': int, 'extra'?: int})
    reveal_type(b)
    # R: TypedDict(composed.InferArgs[OR_TWICE], {'verbose'?: bool, 'depth': int, 'path': str, 'mode'?: Literal['fast'] | Literal['slow'], 'extra'?: int})
    reveal_type(c)
    # R: TypedDict(composed.InferArgs[OR_RIGHT], {'extra'?: int, 'verbose'?: bool, 'depth': int})
    reveal_type(d)  # R: TypedDict(composed.InferArgs[DICT], {'path': str, 'limit'?: int})


def nested(
    a: InferArgs[DICT_OF],
    b: InferArgs[INNER_SPEC],
    c: InferArgs[INNER_SPREAD],
    d: InferArgs[INNER_CALL],
) -> None:
    reveal_type(a)
    # R: TypedDict(composed.InferArgs[DICT_OF], {'verbose'?: bool, 'depth': int, 'extra'?: int})
    reveal_type(b)
    # R: TypedDict(composed.InferArgs[INNER_SPEC], {'options'?: TypedDict({'verbose'?: bool, 'depth': int})})
    reveal_type(c)
    # R: TypedDict(composed.InferArgs[INNER_SPREAD], {'options'?: TypedDict({'verbose'?: bool, 'depth': int})})
    reveal_type(d)
    # R: TypedDict(composed.InferArgs[INNER_CALL], {'options'?: TypedDict({'a'?: Literal['fast'] | Literal['slow']})})


def props(
    a: InferArgs[PROPS],
    b: InferArgs[ITEMS],
    c: InferArgs[SPREAD_PROP],
    d: InferArgs[NARROWED],
    e: InferArgs[INLINE_PROP],
) -> None:
    reveal_type(a)
    # R: TypedDict(composed.InferArgs[PROPS], {'item'?: TypedDict({'id': int}), 'names': list[str], 'server': TypedDict({'host': str, 'port'?: int}), 'other': TypedDict({'host': str, 'port'?: int})})
    reveal_type(b)
    # R: TypedDict(composed.InferArgs[ITEMS], {'servers'?: list[TypedDict({'host': str, 'port'?: int})]})
    reveal_type(c)
    # R: TypedDict(composed.InferArgs[SPREAD_PROP], {'server': TypedDict({'host': str, 'port'?: int}), 'mode'?: Literal['fast'] | Literal['slow']})
    reveal_type(d)  # R: TypedDict(composed.InferArgs[NARROWED], {'mode': Literal['fast']})
    reveal_type(e)
    # R: TypedDict(composed.InferArgs[INLINE_PROP], {'level'?: Literal[1] | Literal[2]})
    a["server"]["hots"]
    # E: "hots" is not a valid TypedDict key; expected one of ("host", "port")  [misc]


def plain(
    a: InferArgs[PLAIN],
    b: InferArgs[OF_PLAIN],
    c: InferArgs[WHOLE],
    d: InferArgs[AGAIN],
    e: InferArgs[CONSTANT_TYPE],
) -> None:
    reveal_type(a)  # R: TypedDict(composed.InferArgs[PLAIN], {'plain'?: float, 'typed': bool})
    reveal_type(b)  # R: TypedDict(composed.InferArgs[OF_PLAIN], {'plain': str, 'typed'?: str})
    reveal_type(c)  # R: TypedDict(composed.InferArgs[WHOLE], {'plain': str})
    reveal_type(d)
    # R: TypedDict(composed.InferArgs[AGAIN], {'path': str, 'mode'?: Literal['fast'] | Literal['slow']})
    reveal_type(e)  # R: TypedDict(composed.InferArgs[CONSTANT_TYPE], {'text'?: str})


define_tool(
    name="inline",
    description="Composed where the tool is defined",
    parameters={**COMMON, "color": {"type": "string", "enum": list(get_args(Color))}},
    execute=lambda args, execution: args["depth"].nope + args["color"].nope,
    # E: "int" has no attribute "nope"  [attr-defined]
    # E: Item "str" of "Literal['red', 'green']" has no attribute "nope"  [union-attr]
)
define_tool(
    name="constant",
    description="A plain constant",
    parameters=PLAIN_SPEC,
    execute=lambda args, execution: args["plain"].nope,
    # E: "str" has no attribute "nope"  [attr-defined]
)
define_tool(
    name="united",
    description="With |",
    parameters=COMMON | {"extra": {"type": "integer", "required": True}},
    execute=lambda args, execution: args["extra"].nope,
    # E: "int" has no attribute "nope"  [attr-defined]
)

# A constant that is changed in place is none.
changed = schema({"changed": CHANGED})
# E: Dict entry 0 has incompatible type "str": "dict[str, str]"; expected "str": "SchemaProp"  [dict-item]
# N: mypy cannot see this property ("CHANGED" is no constant, assigned once in this module and never changed), so its value is object
SOMETIMES: SchemaSpec = {"path": {"type": "string"}}
if changed:
    SOMETIMES["drive"] = {"type": "string", "required": True}
    # E: TypedDict "SchemaObject" has no key "drive"  [typeddict-unknown-key]
sometimes = schema(SOMETIMES)
# N: mypy cannot see this spec ("SOMETIMES" is no constant, assigned once in this module and never changed), so the arguments are a mapping of objects
