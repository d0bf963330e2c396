"""What mypy cannot see: a mapping of objects and a note that says why, never Any."""

from collections.abc import Mapping
from typing import Any, reveal_type

from dsh_tools import InferArgs, SchemaProp, SchemaSpec, ToolExecution, define_tool, prop, schema
from dsh_tools.schema.spec import Spec


def make() -> SchemaSpec:
    return {"a": {"type": "string"}}


def make_prop() -> SchemaProp:
    return {"type": "string"}


def make_key() -> str:
    return "a"


def make_any() -> Any:
    return {}


def make_spec() -> Spec[Mapping[str, int]]:
    raise NotImplementedError


COMPREHENSION = schema({name: {"type": "string"} for name in ("a", "b")})
# N: mypy cannot see this spec (it is a comprehension), so the arguments are a mapping of objects
CALLED = schema(make())
# N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects
SPREAD = schema({"a": {"type": "integer", "required": True}, **make()})
# E: Unpacked dict entry 1 has incompatible type "dict[str, SchemaProp] | SchemaObject"; expected "SupportsKeysAndGetItem[str, SchemaProp]"  [dict-item]
# N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects
KEY = schema({make_key(): {"type": "string"}})
# N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects
PROP = schema({"a": {"type": "string", "required": True}, "b": make_prop()})
# N: mypy cannot see this property (it is the result of a call), so its value is object
TYPE = schema({"a": {"type": "string", "required": True}, "b": {"type": make_key()}})
# E: Incompatible types (expression has type "str", TypedDict item "type" has type "Literal['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] | list[Literal['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']]")  [typeddict-item]
# N: mypy cannot see this property (it is the result of a call), so its value is object
FLAG = schema({"a": {"type": "string", "required": bool(1)}})
# E: Incompatible types (expression has type "bool", TypedDict item "required" has type "Literal[True] | list[str]")  [typeddict-item]
# N: mypy cannot see this "required" (it is the result of a call), so the type goes without it
ITEMS = schema({"a": {"type": "array", "items": make_prop()}})
# N: mypy cannot see this property (it is the result of a call), so its value is object
PROPERTIES = schema({"a": {"type": "object", "properties": make()}})
# E: Incompatible types (expression has type "dict[str, SchemaProp] | SchemaObject", TypedDict item "properties" has type "Mapping[str, SchemaProp]")  [typeddict-item]
# N: mypy cannot see this "properties" (it is the result of a call), so the type goes without it
DESCRIPTION = schema({"a": {"type": "string", "description": make_key(), "default": make_key()}})
CONDITIONAL = schema({"a": {"type": "string"}} if make() else {"b": {"type": "string"}})
# N: mypy cannot see this spec (it is computed), so the arguments are a mapping of objects
PROP_OF = prop(make_prop())
# N: mypy cannot see this property (it is the result of a call), so its value is object
OF_PROP_OF = schema({"a": PROP_OF})
OF_UNSEEN = schema({**CALLED, "b": {"type": "integer"}})
# N: mypy cannot see this spec (nor could it where it is made), so the arguments are a mapping of objects


def seen_anyway(
    a: InferArgs[COMPREHENSION],
    b: InferArgs[CALLED],
    c: InferArgs[SPREAD],
    d: InferArgs[KEY],
    e: InferArgs[PROP],
    f: InferArgs[TYPE],
    g: InferArgs[FLAG],
    h: InferArgs[ITEMS],
    i: InferArgs[PROPERTIES],
    j: InferArgs[DESCRIPTION],
    k: InferArgs[CONDITIONAL],
    m: InferArgs[OF_PROP_OF],
    n: InferArgs[OF_UNSEEN],
) -> None:
    reveal_type(a)  # R: typing.Mapping[str, object]
    reveal_type(b)  # R: typing.Mapping[str, object]
    reveal_type(c)  # R: typing.Mapping[str, object]
    reveal_type(d)  # R: typing.Mapping[str, object]
    reveal_type(e)  # R: TypedDict(unseen.InferArgs[PROP], {'a': str, 'b'?: object})
    reveal_type(f)  # R: TypedDict(unseen.InferArgs[TYPE], {'a': str, 'b'?: object})
    reveal_type(g)  # R: TypedDict(unseen.InferArgs[FLAG], {'a'?: str})
    reveal_type(h)  # R: TypedDict(unseen.InferArgs[ITEMS], {'a'?: list[object]})
    reveal_type(i)  # R: TypedDict(unseen.InferArgs[PROPERTIES], {'a'?: dict[str, object]})
    reveal_type(j)  # R: TypedDict(unseen.InferArgs[DESCRIPTION], {'a'?: str})
    reveal_type(k)  # R: typing.Mapping[str, object]
    reveal_type(m)  # R: TypedDict(unseen.InferArgs[OF_PROP_OF], {'a'?: object})
    reveal_type(n)  # R: typing.Mapping[str, object]


define_tool(
    name="called",
    description="d",
    parameters=make(),
    # N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects
    execute=lambda args, execution: args["a"].upper(),
)
define_tool(
    name="comprehension",
    description="d",
    parameters={name: {"type": "string"} for name in ("a", "b")},
    # N: mypy cannot see this spec (it is a comprehension), so the arguments are a mapping of objects
    execute=lambda args, execution: args["a"].upper(),
    # E: "object" has no attribute "upper"  [attr-defined]
)
define_tool(
    name="known_by_type",
    description="d",
    parameters=make_spec(),
    execute=lambda args, execution: args["a"].upper(),
    # E: "int" has no attribute "upper"  [attr-defined]
)
define_tool(
    name="any",
    description="d",
    parameters=make_any(),
    # N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects
    execute=lambda args, execution: args["a"].upper(),
    # E: "object" has no attribute "upper"  [attr-defined]
)


def wants_mapping(args: Mapping[str, object], execution: ToolExecution) -> str:
    return str(args["a"])


define_tool(name="mapping", description="d", parameters=make(), execute=wants_mapping)
# N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects


@define_tool(name="decorated", description="d", parameters=make())
# N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects
def decorated(args: Mapping[str, object], execution: ToolExecution) -> str:
    return str(args["a"])


def local(parameters: SchemaSpec, checked: Spec[Any]) -> None:
    define_tool(
        name="parameter",
        description="d",
        parameters=parameters,
        # N: mypy cannot see this spec ("parameters" is no constant, assigned once in this module and never changed), so the arguments are a mapping of objects
        execute=lambda args, execution: args["a"].upper(),
    )
    inner = schema(parameters)
    # N: mypy cannot see this spec ("parameters" is no constant, assigned once in this module and never changed), so the arguments are a mapping of objects
    reveal_type(inner)  # R: dsh_tools.schema.spec.Spec[typing.Mapping[str, object]]
    reveal_type(schema(checked))  # R: dsh_tools.schema.spec.Spec[Any]


SAID: Spec[dict[str, Any]] = schema(make())
# N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects


def said(args: InferArgs[SAID], execution: ToolExecution) -> str:
    reveal_type(args)  # R: dict[str, Any]
    return str(args["a"])


def any_dict(args: dict[str, Any], execution: ToolExecution) -> str:
    return str(args["a"])


def number(args: int, execution: ToolExecution) -> str:
    return str(args)


define_tool(name="said", description="d", parameters=SAID, execute=said)
define_tool(name="any_dict", description="d", parameters=make(), execute=any_dict)
# N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects
define_tool(name="number", description="d", parameters=make(), execute=number)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[int, ToolExecution], str]"; expected "Callable[[dict[str, object], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
# N: mypy cannot see this spec (it is the result of a call), so the arguments are a mapping of objects
