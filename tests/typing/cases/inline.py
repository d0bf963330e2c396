"""Specs written where the tool is defined."""

from typing import TypedDict

from dsh_tools import (
    ToolCallView,
    ToolDefinition,
    ToolExecution,
    ToolResult,
    ToolResultView,
    define_tool,
)


class Wanted(TypedDict):
    path: str


class Other(TypedDict):
    file: str


def fits(args: Wanted, execution: ToolExecution) -> str:
    return args["path"]


def takes_anything(args: object, execution: ToolExecution) -> None:
    return None


def takes_other(args: Other, execution: ToolExecution) -> str:
    return args["file"]


def takes_int(args: int, execution: ToolExecution) -> str:
    return str(args)


def returns_int(args: Wanted, execution: ToolExecution) -> int:
    return 1


def present(args: Other) -> ToolCallView | None:
    return None


def present_result(args: Wanted, result: ToolResult) -> ToolResultView | None:
    return None


good: ToolDefinition = define_tool(
    name="read",
    description="Reads a file",
    parameters={
        "path": {"type": "string", "required": True},
        "limit": {"type": "integer"},
    },
    execute=lambda args, execution: args["path"] + str(args.get("limit", 0) + 1),
    present_call=lambda args: {"card": "generic", "title": args["path"]},
    present_result=lambda args, result: {"card": "generic", "title": args["path"]},
)

define_tool(
    name="read",
    description="A key that does not exist",
    parameters={"path": {"type": "string", "required": True}},
    execute=lambda args, execution: args["pth"],
    # E: TypedDict "InferArgs[read]" has no key "pth"  [typeddict-item]
    # N: Did you mean "path"?
)
define_tool(
    name="read",
    description="A key that may be absent, used wrongly",
    parameters={"limit": {"type": "integer"}},
    execute=lambda args, execution: args["limit"].upper(),
    # E: "int" has no attribute "upper"  [attr-defined]
)
define_tool(
    name="read",
    description="Presenters see the same arguments",
    parameters={"path": {"type": "string", "required": True}},
    execute=lambda args, execution: args["path"],
    present_call=lambda args: {"card": "generic", "title": args["titel"]},
    # E: Argument "present_call" to "define_tool" has incompatible type "Callable[[InferArgs[read]], dict[str, Any]]"; expected "Callable[[InferArgs[read]], GenericCallView | TerminalCallView | DiffCallView | None] | None"  [arg-type]
    # E: Incompatible return value type (got "dict[str, Any]", expected "GenericCallView | TerminalCallView | DiffCallView | None")  [return-value]
    # E: TypedDict "InferArgs[read]" has no key "titel"  [typeddict-item]
)
define_tool(
    name="read",
    description="And so do presenters of results",
    parameters={"path": {"type": "string", "required": True}},
    execute=lambda args, execution: args["path"],
    present_result=lambda args, result: {"card": "generic", "title": args["titel"]},
    # E: Argument "present_result" to "define_tool" has incompatible type "Callable[[InferArgs[read], ToolResult], dict[str, Any]]"; expected "Callable[[InferArgs[read], ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None"  [arg-type]
    # E: Incompatible return value type (got "dict[str, Any]", expected "GenericResultView | TerminalResultView | DiffResultView | None")  [return-value]
    # E: TypedDict "InferArgs[read]" has no key "titel"  [typeddict-item]
)
define_tool(
    name="read",
    description="A mistake in what is returned",
    parameters={"limit": {"type": "integer", "required": True}},
    execute=lambda args, execution: args["limit"],
    # E: Argument "execute" to "define_tool" has incompatible type "Callable[[InferArgs[read], ToolExecution], int]"; expected "Callable[[InferArgs[read], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
    # E: Incompatible return value type (got "int", expected "str | list[ContentBlock] | ToolOutput | None")  [return-value]
)

define_tool(
    name="read",
    description="Bodies with annotations",
    parameters={"path": {"type": "string", "required": True}},
    execute=fits,
)
define_tool(
    name="read",
    description="Bodies with annotations",
    parameters={"path": {"type": "string", "required": True}},
    execute=takes_anything,
)
define_tool(
    name="read",
    description="Bodies with annotations",
    parameters={"path": {"type": "string", "required": True}},
    execute=takes_other,
    # E: Argument "execute" to "define_tool" has incompatible type "Callable[[Other, ToolExecution], str]"; expected "Callable[[InferArgs[read], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
)
define_tool(
    name="read",
    description="Bodies with annotations",
    parameters={"path": {"type": "string"}},
    execute=fits,
    # E: Argument "execute" to "define_tool" has incompatible type "Callable[[Wanted, ToolExecution], str]"; expected "Callable[[InferArgs[read], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
)
define_tool(
    name="read",
    description="Bodies with annotations",
    parameters={"path": {"type": "string", "required": True}},
    execute=takes_int,
    # E: Argument "execute" to "define_tool" has incompatible type "Callable[[int, ToolExecution], str]"; expected "Callable[[InferArgs[read], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
)
define_tool(
    name="read",
    description="Bodies with annotations",
    parameters={"path": {"type": "string", "required": True}},
    execute=returns_int,
    # E: Argument "execute" to "define_tool" has incompatible type "Callable[[Wanted, ToolExecution], int]"; expected "Callable[[InferArgs[read], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
)
define_tool(
    name="read",
    description="Presenters with annotations",
    parameters={"path": {"type": "string", "required": True}},
    execute=fits,
    present_call=present,
    # E: Argument "present_call" to "define_tool" has incompatible type "Callable[[Other], GenericCallView | TerminalCallView | DiffCallView | None]"; expected "Callable[[InferArgs[read]], GenericCallView | TerminalCallView | DiffCallView | None] | None"  [arg-type]
    present_result=present_result,
)

TOOLS = [
    define_tool(
        name="in_a_list",
        description="Anywhere an expression may stand",
        parameters={"path": {"type": "string", "required": True}},
        execute=lambda args, execution: args["path"].nope,
        # E: "str" has no attribute "nope"  [attr-defined]
    )
]


def make() -> object:
    return define_tool(
        name="in_a_function",
        description="Anywhere an expression may stand",
        parameters={"path": {"type": "string", "required": True}},
        execute=lambda args, execution: args["path"].nope,
        # E: "str" has no attribute "nope"  [attr-defined]
    )


define_tool(
    name="nothing",
    description="No parameters",
    parameters={},
    execute=lambda args, execution: args["anything"],
    # E: TypedDict "InferArgs[nothing]" has no key "anything"  [typeddict-item]
)
