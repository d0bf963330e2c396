"""Cards: what a person sees of a call. Whatever a presenter does, there is a card to show."""

from collections.abc import Callable
from typing import Final, TypeAlias, cast, get_args

from ..errors import log_fault, shown_name
from ..json_values import copy_json, repair_text, what_is
from ..vocabulary import (
    ToolCallKind,
    ToolCallView,
    ToolDefinition,
    ToolExecution,
    ToolResult,
    ToolResultView,
)
from .content import content_fault
from .outcome import close_awaitable

Test: TypeAlias = Callable[[object], bool]


def call_card(tool: ToolDefinition | None, execution: ToolExecution) -> ToolCallView:
    """The tool's own card of a call, the generic one when it has none to give."""
    name, arguments = execution["name"], execution["arguments"]
    present = None if tool is None else tool.get("present_call")
    if present is not None:
        view = _presented(name, "present_call", _CALL_CARDS, present, arguments)
        if view is not None:
            return cast(ToolCallView, view)
    title = repair_text(shown_name(name))
    return {"card": "generic", "title": title, "raw_input": copy_json(arguments, repair=True)}


def result_card(
    tool: ToolDefinition | None, execution: ToolExecution, result: ToolResult
) -> ToolResultView:
    """The tool's own card of an outcome, the generic one with its content when it has none."""
    name, arguments = execution["name"], execution["arguments"]
    present = None if tool is None else tool.get("present_result")
    if present is not None:
        view = _presented(name, "present_result", _RESULT_CARDS, present, arguments, result)
        if view is not None:
            return cast(ToolResultView, view)
    return {"card": "generic", "content": copy_json(result["content"], repair=True)}


def _presented(
    name: str,
    presenter: str,
    cards: "dict[str, _Shape]",
    present: Callable[..., object],
    *given: object,
) -> object:
    """A copy of what a presenter makes of copies of what it is given, when that is a card of one
    of the kinds; None when it is not, which is logged."""
    try:
        answer = present(*map(copy_json, given))
        close_awaitable(answer)
        view = copy_json(answer, repair=True)
        fault = None if view is None else _card_fault(view, cards)
    except Exception as error:
        log_fault(name, f"{presenter} raised, the generic card is shown", error)
        return None
    if fault is not None:
        log_fault(name, f"{presenter} {fault}, the generic card is shown")
        return None
    return _without_none(view)


def _without_none(view: object) -> object:
    """A card without the keys that say nothing: None says there what absence says."""
    if isinstance(view, dict) and any(value is None for value in view.values()):
        return {key: value for key, value in view.items() if value is not None}
    return view


# --- what a card looks like ---------------------------------------------------------------


def _is_text(value: object) -> bool:
    return type(value) is str


def _is_text_or_none(value: object) -> bool:
    return value is None or type(value) is str


def _is_integer(value: object) -> bool:
    return type(value) is int


def _is_kind(value: object) -> bool:
    return type(value) is str and value in _KINDS


def _is_anything(value: object) -> bool:
    return True


def _is_content(value: object) -> bool:
    return content_fault(value) is None


def _list_of(test: Test) -> Test:
    return lambda value: type(value) is list and all(map(test, value))


def _dict_of(required: dict[str, Test], optional: dict[str, Test]) -> Test:
    return lambda value: type(value) is dict and _key_fault(value, required, optional) is None


def _key_fault(
    value: dict[str, object], required: dict[str, Test], optional: dict[str, Test]
) -> str | None:
    """The first key that is missing or holds what it must not. Other keys are nobody's business,
    and None under an optional key says what its absence says."""
    for key, test in required.items():
        if key not in value or not test(value[key]):
            return key
    for key, test in optional.items():
        if value.get(key) is not None and not test(value[key]):
            return key
    return None


_Shape: TypeAlias = tuple[dict[str, Test], dict[str, Test]]
_KINDS: Final = frozenset(get_args(ToolCallKind))
_LOCATIONS: Final = _list_of(_dict_of({"path": _is_text}, {"line": _is_integer}))
_DIFF: Final[dict[str, Test]] = {
    "path": _is_text,
    "old_text": _is_text_or_none,
    "new_text": _is_text,
}
_DIFFS: Final = _list_of(_dict_of(_DIFF, {}))

# card → (required keys, optional keys)
_CALL_CARDS: Final[dict[str, _Shape]] = {
    "generic": (
        {"title": _is_text},
        {
            "kind": _is_kind,
            "raw_input": _is_anything,
            "content": _is_content,
            "locations": _LOCATIONS,
        },
    ),
    "terminal": ({"title": _is_text}, {"description": _is_text, "cwd": _is_text}),
    "diff": ({"title": _is_text, "diffs": _DIFFS}, {"locations": _LOCATIONS}),
}
_RESULT_CARDS: Final[dict[str, _Shape]] = {
    "generic": ({}, {"title": _is_text, "content": _is_content}),
    "terminal": (
        {},
        {
            "title": _is_text,
            "output": _is_text,
            "exit_code": _is_integer,
            "signal": _is_text,
        },
    ),
    "diff": ({"diffs": _DIFFS}, {"title": _is_text}),
}


def _card_fault(view: object, cards: dict[str, _Shape]) -> str | None:
    """What is wrong with a card, None when nothing is."""
    if type(view) is not dict:
        return f"returned {what_is(view)} instead of a card"
    card = view.get("card")
    if type(card) is not str or card not in cards:
        return f'returned a card that is none of {", ".join(cards)}'
    key = _key_fault(view, *cards[card])
    return None if key is None else f'returned a {card} card without a proper "{key}"'
