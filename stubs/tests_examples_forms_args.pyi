# Written by `dsh_tools stubs` from tests.examples.forms: do not edit.

from typing import Literal, NotRequired, TypeAlias, TypedDict


JsonValue: TypeAlias = None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]


class EditLinesArgsEdit(TypedDict):
    kind: Literal["insert"]
    text: str


class EditLinesArgsEdit2(TypedDict):
    kind: Literal["delete"]
    line: int


class EditLinesArgs(TypedDict):
    path: str | None
    count: NotRequired[int]
    edit: EditLinesArgsEdit | EditLinesArgsEdit2
    marks: dict[str, int]


class OutlineArgsSection(TypedDict):
    title: str
    sections: NotRequired[list[JsonValue]]


class OutlineArgs(TypedDict):
    root: OutlineArgsSection
    #: Whatever belongs to it.
    notes: NotRequired[JsonValue]
