"""TypedDict first: the class is the spec, and every checker knows the type of `args` from it."""

from typing import Annotated, Literal, NotRequired, TypedDict

from dsh_tools import (
    ToolCallView,
    ToolExecution,
    ToolResult,
    ToolResultView,
    define_tool,
    schema,
    schema_spec_to_json_schema,
    validate_args,
)


class Edit(TypedDict):
    old: str
    new: str


class EditArgs(TypedDict):
    path: Annotated[str, "Absolute path"]
    last: Edit
    mode: NotRequired[Literal["text", "binary"]]
    edits: NotRequired[list[Edit]]


class OtherArgs(TypedDict):
    file: str


EDIT = schema(EditArgs)


def edit(args: EditArgs, execution: ToolExecution) -> str:
    if "edits" in args:
        return args["edits"][0]["new"]
    return args["path"]


def misspelt(args: EditArgs, execution: ToolExecution) -> str:
    return args["pth"]  # error


def misspelt_inside(args: EditArgs, execution: ToolExecution) -> str:
    return args["last"]["odl"]  # error


def wrong_type(args: EditArgs, execution: ToolExecution) -> int:
    number: int = args["path"]  # error
    return number


def show(args: EditArgs) -> ToolCallView | None:
    return {"card": "generic", "title": args["path"]}


def show_result(args: EditArgs, result: ToolResult) -> ToolResultView | None:
    return None


def other(args: OtherArgs) -> ToolCallView | None:
    return {"card": "generic", "title": args["file"]}


define_tool(name="a", description="d", parameters=EditArgs, execute=edit)
define_tool(name="a", description="d", parameters=EDIT, execute=edit)
define_tool(
    name="a",
    description="d",
    parameters=EditArgs,
    execute=edit,
    present_call=show,
    present_result=show_result,
)

define_tool(name="a", description="d", parameters=EditArgs, execute=lambda args, _: args["path"])
define_tool(
    name="a",
    description="d",
    parameters=EditArgs,
    execute=lambda args, _: args["pth"],  # error: not zuban
)
define_tool(
    name="a",
    description="d",
    parameters=EDIT,
    execute=lambda args, _: args["pth"],  # error: not zuban
)
define_tool(name="a", description="d", parameters=OtherArgs, execute=edit)  # error
define_tool(name="a", description="d", parameters=schema(OtherArgs), execute=edit)  # error
define_tool(name="a", description="d", parameters=EDIT, execute=edit, present_call=other)  # error


@define_tool(name="a", parameters=EditArgs)
def decorated(args: EditArgs, execution: ToolExecution) -> str:
    """Edit a file."""
    return args["path"]


@define_tool(name="a", parameters=OtherArgs)  # error
def decorated_other(args: EditArgs, execution: ToolExecution) -> str:
    """Edit a file."""
    return args["path"]


@define_tool(
    name="a",
    parameters={"path": {"type": "string", "required": True}},  # error: only zuban
)
def decorated_plain(args: EditArgs, execution: ToolExecution) -> str:
    """Edit a file."""
    return args["path"]


validate_args(EditArgs, {"path": 5})
schema_spec_to_json_schema(EditArgs).get("properties")
