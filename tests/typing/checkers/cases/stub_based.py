"""Stubs: the spec is a dict, and every checker reads the type of `args` in a stub of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dsh_tools import ToolCallView, ToolExecution, define_tool
from tests.examples.coding_tools import READ, TODO_WRITE
from tests.examples.forms import EDIT_LINES, OUTLINE

if TYPE_CHECKING:
    from stubs.tests_examples_coding_tools_args import ReadArgs, TodoWriteArgs
    from stubs.tests_examples_forms_args import EditLinesArgs, OutlineArgs


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


def edit_lines(args: EditLinesArgs, execution: ToolExecution) -> str:
    edit = args["edit"]
    if edit["kind"] == "insert":
        return edit["text"] * args.get("count", 1)
    return str(edit["line"] + args["marks"]["start"])


def tag_of_one_alternative(args: EditLinesArgs, execution: ToolExecution) -> str:
    kind: Literal["insert"] = args["edit"]["kind"]  # error
    return kind


def key_of_another_alternative(args: EditLinesArgs, execution: ToolExecution) -> str:
    edit = args["edit"]
    if edit["kind"] == "insert":
        return str(edit["line"])  # error
    return edit["text"]  # error


def key_of_one_alternative(args: EditLinesArgs, execution: ToolExecution) -> str:
    return args["edit"]["text"]  # error


def null_is_forgotten(args: EditLinesArgs, execution: ToolExecution) -> str:
    return args["path"].upper()  # error


def null_is_seen(args: EditLinesArgs, execution: ToolExecution) -> str:
    return "" if args["path"] is None else args["path"].upper()


def wrong_type_in_a_map(args: EditLinesArgs, execution: ToolExecution) -> str:
    return args["marks"]["start"]  # error


def outline(args: OutlineArgs, execution: ToolExecution) -> str:
    """Deeper than the first time the recursion is any JSON value."""
    for section in args["root"].get("sections", []):
        if isinstance(section, dict):
            return str(section.get("title"))
    return args["root"]["title"]


def misspelt_before_the_recursion(args: OutlineArgs, execution: ToolExecution) -> str:
    return args["root"]["titel"]  # error


def too_sure_in_the_recursion(args: OutlineArgs, execution: ToolExecution) -> str:
    return args["root"].get("sections", [])[0].upper()  # error


def too_sure_of_any_value(args: OutlineArgs, execution: ToolExecution) -> str:
    return args["notes"] if "notes" in args else ""  # error


define_tool(name="a", description="d", parameters=EDIT_LINES, execute=edit_lines)
define_tool(name="a", description="d", parameters=OUTLINE, execute=outline)
define_tool(name="a", description="d", parameters=READ, execute=read)
define_tool(name="a", description="d", parameters=TODO_WRITE, execute=misspelt_inside)


@define_tool(name="a", parameters=READ)
def decorated(args: ReadArgs, execution: ToolExecution) -> str:
    """Read a file."""
    return args["file_path"]
