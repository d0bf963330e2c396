"""TypedDict first: null, unions, maps, closed classes, recursion, and keywords in `Annotated`."""

from typing import Annotated, Literal, NotRequired, TypedDict

import typing_extensions

from dsh_tools import JsonValue, ToolExecution, define_tool, schema


class Insert(TypedDict):
    kind: Literal["insert"]
    text: str


class Delete(TypedDict):
    kind: Literal["delete"]
    line: int


class Tree(TypedDict):
    label: str
    kids: NotRequired["list[Tree]"]


class EditArgs(TypedDict):
    path: str | None
    edit: Insert | Delete
    marks: dict[str, int]
    count: Annotated[int, "How often", {"minimum": 1, "maximum": 100}]
    names: NotRequired[dict[Annotated[str, {"pattern": "^x-"}], list[bool]]]
    size: NotRequired[int | Literal["auto"] | None]
    tree: NotRequired[Tree]
    notes: NotRequired[JsonValue]


class Closed(typing_extensions.TypedDict, closed=True):
    name: str


class Numbered(typing_extensions.TypedDict, extra_items=int):  # error: only mypy
    name: str


class ClosedArgs(TypedDict):
    closed: Closed
    numbered: Numbered


# --- what a body reads ----------------------------------------------------------------------


def edit(args: EditArgs, execution: ToolExecution) -> str:
    edit = args["edit"]
    if edit["kind"] == "insert":
        return edit["text"] * args["count"]
    return str(edit["line"] + args["marks"]["start"])


def tag_of_one_alternative(args: EditArgs) -> str:
    kind: Literal["insert"] = args["edit"]["kind"]  # error
    return kind


def key_of_the_other_alternative(args: EditArgs) -> str:
    edit = args["edit"]
    if edit["kind"] == "insert":
        return str(edit["line"])  # error
    return edit["text"]  # error


def key_of_one_alternative(args: EditArgs) -> str:
    return args["edit"]["text"]  # error


def null_is_forgotten(args: EditArgs) -> str:
    return args["path"].upper()  # error


def null_is_seen(args: EditArgs) -> str:
    return "" if args["path"] is None else args["path"].upper()


def wrong_type_in_a_map(args: EditArgs) -> str:
    return args["marks"]["start"]  # error


def wrong_type_beside_keywords(args: EditArgs) -> str:
    return args["count"]  # error


def wrong_type_of_a_union(args: EditArgs) -> int:
    return args.get("size", 1)  # error


def rest_of_a_union(args: EditArgs) -> int:
    size = args.get("size")
    return 0 if size is None or size == "auto" else size + 1


def in_a_recursion(args: EditArgs) -> str:
    for kid in args["tree"].get("kids", []) if "tree" in args else []:
        return kid["label"]
    return ""


def misspelt_in_a_recursion(tree: Tree) -> str:
    return tree.get("kids", [])[0]["lable"]  # error


def too_sure_of_any_value(args: EditArgs) -> str:
    return args["notes"] if "notes" in args else ""  # error


def misspelt_in_a_closed_class(args: ClosedArgs) -> str:
    return args["closed"]["nmae"]  # error


def undeclared_key(args: ClosedArgs) -> int:
    return args["numbered"]["more"]  # error: only mypy


def wrong_type_of_an_undeclared_key(args: ClosedArgs) -> str:
    return args["numbered"]["more"]  # error


# --- what a call passes ---------------------------------------------------------------------

RIGHT: EditArgs = {
    "path": None,
    "edit": {"kind": "delete", "line": 1},
    "marks": {"start": 1},
    "count": 0,  # no type says that it is too small
    "names": {"x-a": [True]},
    "size": "auto",
    "tree": {"label": "a", "kids": [{"label": "b"}]},
    "notes": [None, {"a": 1}],
}
NO_ALTERNATIVE: Insert | Delete = {"kind": "insert", "line": 1}  # error
NO_NUMBERS: dict[str, dict[str, int]] = {"marks": {"start": "1"}}  # error
UNDECLARED: Closed = {"name": "a", "more": 1}  # error
NUMBERED: Numbered = {"name": "a", "more": 1}  # error: only mypy
NOT_NUMBERED: Numbered = {"name": "a", "more": "b"}  # error

define_tool(name="a", description="d", parameters=EditArgs, execute=edit)
define_tool(name="a", description="d", parameters=schema(EditArgs), execute=edit)
define_tool(name="a", description="d", parameters=ClosedArgs, execute=edit)  # error
