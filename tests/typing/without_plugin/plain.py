"""Without the plugin nothing is inferred from a dict, and nothing that is right is refused."""

from typing import TypedDict, reveal_type

from dsh_tools import ToolExecution, ToolResult, ToolResultView, define_tool, prop, schema
from dsh_tools import ToolCallView, validate_args


class Read(TypedDict):
    path: str


SERVER = prop({"type": "string"})
PARAMS = schema({"path": {"type": "string", "required": True}})
COMPOSED = schema({**PARAMS, "server": SERVER, "other": {**SERVER, "description": "Where"}})
UNITED = schema(PARAMS | {"server": SERVER})
FROM_CLASS = schema(Read)

reveal_type(PARAMS)  # R: dsh_tools.schema.spec.Spec[Any]
reveal_type(FROM_CLASS)  # R: dsh_tools.schema.spec.Spec[TypedDict(plain.Read, {'path': str})]


def read(args: Read, execution: ToolExecution) -> str:
    return args["path"]


def number(args: int, execution: ToolExecution) -> str:
    return ""


def present(args: Read) -> ToolCallView | None:
    return {"card": "generic", "title": args["path"]}


def present_result(args: Read, result: ToolResult) -> ToolResultView | None:
    return None


define_tool(name="a", description="d", parameters=PARAMS, execute=read)
define_tool(
    name="a",
    description="d",
    parameters={"path": {"type": "string", "required": True}},
    execute=read,
    present_call=present,
    present_result=present_result,
)
define_tool(
    name="a",
    description="d",
    parameters={"path": {"type": "string", "required": True}},
    execute=lambda args, execution: str(args["path"]),
    present_call=lambda args: {"card": "generic", "title": str(args["path"])},
)
define_tool(name="a", description="d", parameters=Read, execute=read)
define_tool(name="a", description="d", parameters=Read, execute=lambda args, _: args["path"])
define_tool(name="a", description="d", parameters=FROM_CLASS, execute=read)
define_tool(name="a", description="d", parameters=FROM_CLASS, execute=number)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[int, ToolExecution], str]"; expected "Callable[[Read, ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
define_tool(name="a", description="d", parameters=Read, execute=lambda args, _: args["pth"])
# E: TypedDict "Read" has no key "pth"  [typeddict-item]
# N: Did you mean "path"?


@define_tool(name="a", parameters=PARAMS)
def decorated(args: Read, execution: ToolExecution) -> str:
    return args["path"]


@define_tool(name="a", parameters={"path": {"type": "string"}})
def decorated_inline(args: Read, execution: ToolExecution) -> str:
    return args["path"]


@define_tool(name="a", parameters=Read)
def decorated_class(args: Read, execution: ToolExecution) -> str:
    return args["path"]


@define_tool(name="a", parameters=Read)
# E: Argument 1 has incompatible type "Callable[[int, ToolExecution], str]"; expected "Callable[[Read, ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
def decorated_wrong(args: int, execution: ToolExecution) -> str:
    return ""


WRONG_KEY = schema({"path": {"type": "string", "requird": True}})
# E: Extra key "requird" for TypedDict "SchemaProp"  [typeddict-unknown-key]
WRONG_TYPE = schema({"path": {"type": "str"}})
# E: Incompatible types (expression has type "Literal['str']", TypedDict item "type" has type "Literal['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] | list[Literal['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']]")  [typeddict-item]
