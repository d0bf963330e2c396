"""Stubs: the spec is a dict, and every checker reads the type of `args` in a stub of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsh_tools import ToolCallView, ToolExecution, define_tool
from tests.examples.coding_tools import READ, TODO_WRITE

if TYPE_CHECKING:
    from stubs.tests_examples_coding_tools_args import ReadArgs, TodoWriteArgs


def read(args: ReadArgs, execution: ToolExecution) -> str:
    return args["file_path"]


def misspelt(args: ReadArgs, execution: ToolExecution) -> str:
    return args["pth"]  # error


def misspelt_inside(args: TodoWriteArgs, execution: ToolExecution) -> str:
    return args["todos"][0]["contents"]  # error


def wrong_type(args: ReadArgs, execution: ToolExecution) -> str:
    number: int = args["file_path"]  # error
    return str(number)


def never_that(args: TodoWriteArgs) -> ToolCallView | None:
    args["todos"][0]["status"] = "finished"  # error
    return {"card": "generic", "title": args["todos"][0]["content"]}


define_tool(name="a", description="d", parameters=READ, execute=read)
define_tool(name="a", description="d", parameters=TODO_WRITE, execute=misspelt_inside)


@define_tool(name="a", parameters=READ)
def decorated(args: ReadArgs, execution: ToolExecution) -> str:
    """Read a file."""
    return args["file_path"]
