"""Cards as text for a terminal.

`render_call` and `render_result` know nothing of the terminal but what they are told: how wide it
is and whether it has colours, which `terminal_of` finds out. Whatever a tool or a model put into
a card, their text holds no character that a terminal would obey instead of showing it.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain, islice
from typing import Final, NamedTuple, TextIO, TypeAlias, TypedDict
from unicodedata import category, combining, east_asian_width

from ..vocabulary import (
    ContentBlock,
    FileDiff,
    FileLocation,
    ToolCallView,
    ToolExecutionResult,
    ToolResultView,
)

__all__ = [
    "MOST_LINES",
    "Terminal",
    "harmless",
    "outcome_line",
    "render_call",
    "render_result",
    "terminal_of",
]

MOST_LINES: Final = 40
"""How many lines of a card are shown below its title by default."""

_NARROWEST: Final = 20
_LONGEST_LINE: Final = 2_000
_CONTEXT: Final = 3
_MOST_LINES_COMPARED: Final = 10_000
_MOST_ALIKE: Final = 100_000

_MARKS: Final = {
    "read": "≡",
    "edit": "±",
    "delete": "×",
    "move": "→",
    "search": "?",
    "execute": "$",
    "fetch": "↓",
    "other": "•",
}
_KINDS_OF_CARDS: Final = {"generic": "other", "terminal": "execute", "diff": "edit"}

_BOLD: Final = "1"
_DIM: Final = "2"
_RED: Final = "31"
_GREEN: Final = "32"
_YELLOW: Final = "33"
_CYAN: Final = "36"


class Terminal(TypedDict):
    """What there is to know of a terminal: `render_call(view, **terminal_of(sys.stdout))`.

    width: how many columns it has.
    color: whether text may be coloured.
    """

    width: int
    color: bool


class _Lines(NamedTuple):
    """Lines of one kind. There may be millions of them, of which few will be shown.

    lines: the text of each, with the line feed that ends it if one does.
    sign: what stands before each.
    color: their colour, empty for none.
    continued: what begins each row but the first of a line that is wider than one.
    crlf: whether CRLF ends a line like a line feed; else the carriage return is shown.
    """

    lines: Sequence[str]
    sign: str = ""
    color: str = ""
    continued: str = ""
    crlf: bool = True

    def shown(self, line: str) -> str:
        """The text of one of the lines as it is to be shown."""
        end = "\r\n" if self.crlf and line.endswith("\r\n") else "\n"
        return self.sign + line.removesuffix(end)


def terminal_of(stream: TextIO) -> Terminal:
    """How to write to a stream: in colours when it is a terminal and the user did not ask for
    none, or when the user asks for them (https://no-color.org, https://force-color.org)."""
    if os.environ.get("NO_COLOR"):
        color = False
    elif os.environ.get("FORCE_COLOR"):
        color = True
    else:
        color = stream.isatty() and os.environ.get("TERM") != "dumb"
    return {"width": shutil.get_terminal_size().columns, "color": color}


def render_call(
    view: ToolCallView,
    *,
    width: int = 80,
    color: bool = False,
    most_lines: int | None = MOST_LINES,
) -> str:
    """The card of a call as lines of text, without a line feed at the end.

    width: the columns that no line is wider than; at least 20 are taken. A character of East
        Asia has two, a combining mark none.
    color: whether to use the colours of ANSI terminals.
    most_lines: how many lines of the title and how many below it are shown; of more, those in
        the middle are left out and counted. None for all, and for lines of any length.
    """
    kind = view.get("kind") if view["card"] == "generic" else None
    title = _title(view["title"], kind or _KINDS_OF_CARDS[view["card"]])
    return _Screen(width, color, most_lines).text(title, "  ", _asked(view))


def render_result(
    view: ToolResultView,
    *,
    content: Sequence[ContentBlock] = (),
    width: int = 80,
    color: bool = False,
    most_lines: int | None = MOST_LINES,
) -> str:
    """The card of a call's outcome as lines of text, empty when it shows nothing. It stands below
    the call; a bar at the left of each line tells what came of it from what was asked.

    content: the result's own content, for the card that leaves it at that.
    width, color, most_lines: as for `render_call`.
    """
    title = view.get("title")
    heading = [] if title is None else _title(title, _KINDS_OF_CARDS[view["card"]])
    return _Screen(width, color, most_lines).text(heading, "│ ", _came_of_it(view, content))


def outcome_line(result: ToolExecutionResult, *, color: bool = False) -> str:
    """The last line below a call: "done", "failed", or "failed: " and the code of the error."""
    code = f": {result['error']['code']}" if "error" in result else ""
    text, painted = (f"failed{code}", _RED) if result["is_error"] else ("done", _GREEN)
    return f"╰ {_painted(harmless(text), painted if color else '')}"


def harmless(text: str) -> str:
    """The text with what a terminal, or a reader's eye, would be led astray by made visible.

    A control character becomes its picture (ESC is "␛"), a lone surrogate U+FFFD, and a character
    that only formats, such as a change of the direction of writing, its number: "<U+202E>". Tabs
    become spaces. Sequences that set colours alone are left out: they hold no text.
    """
    text = _COLOR_SEQUENCE.sub("", text).expandtabs(4)
    return text if text.isprintable() else "".join(map(_visible, text))


_COLOR_SEQUENCE: Final = re.compile(r"\x1b\[[0-9;:]*m")
_JOINERS: Final = "\u200c\u200d"  # emoji and several scripts are written with them
_KEPT: Final = frozenset(("Zs", "Co", "Cn"))


def _visible(character: str) -> str:
    if character.isprintable() or character in _JOINERS or category(character) in _KEPT:
        return character
    number = ord(character)
    if number < 0x20:
        return chr(0x2400 + number)
    if 0xD800 <= number <= 0xDFFF:
        return "\ufffd"
    return "␡" if number == 0x7F else f"<U+{number:04X}>"


# --- the parts of a card ------------------------------------------------------------------


def _title(title: str, kind: str) -> list[_Lines]:
    text = title.replace("\n", "\n  ")
    return [_Lines(_lines_of(f"{_MARKS[kind]} {text}"), color=_BOLD, continued="  ")]


def _asked(view: ToolCallView) -> Iterator[_Lines]:
    if view["card"] == "terminal":
        yield from _text(view.get("description"), _DIM)
        yield from _text(f"in {view['cwd']}" if view.get("cwd") else None, _DIM)
    elif view["card"] == "diff":
        yield from chain.from_iterable(map(_diff, view["diffs"]))
    else:
        for location in view.get("locations", []):
            if location["path"] not in view["title"]:
                yield from _text(_place(location), _DIM)
        if view.get("raw_input") not in (None, view["title"]):
            yield _input(view["raw_input"])
        yield from _blocks(view.get("content", []))


def _came_of_it(view: ToolResultView, content: Sequence[ContentBlock]) -> Iterator[_Lines]:
    if view["card"] == "terminal":
        yield from _text(view.get("output"))
        yield _ending(view.get("exit_code"), view.get("signal"))
    elif view["card"] == "diff":
        yield from chain.from_iterable(map(_diff, view["diffs"]))
    else:
        own = view.get("content")
        yield from _blocks(content if own is None else own)


def _text(text: str | None, color: str = "") -> Iterator[_Lines]:
    if text:
        yield _Lines(_lines_of(text), color=color)


def _lines_of(text: str) -> list[str]:
    """The lines of a text with their line feeds. Nothing else ends a line."""
    return list(StringIO(text, newline="\n"))


def _ending(exit_code: int | None, signal: str | None) -> _Lines:
    """How a command ended, in one of four ways."""
    if signal is not None:
        return _Lines([f"killed by {signal}"], color=_RED)
    if exit_code is None:
        return _Lines(["still running, or nobody knows how it ended"], color=_YELLOW)
    return _Lines([f"exited with {exit_code}"], color=_RED if exit_code else _GREEN)


def _place(location: FileLocation) -> str:
    path, line = location["path"], location.get("line")
    return path if line is None else f"{path}:{line}"


def _input(value: object) -> _Lines:
    """What a call was given: text as it is, an object with a line for each key."""
    if isinstance(value, str):
        return _Lines(_lines_of(value))
    if isinstance(value, dict):
        return _Lines([f"{key}: {_json(inner)}" for key, inner in value.items()])
    return _Lines([_json(value)])


def _json(value: object) -> str:
    from json import dumps  # most cards have none

    try:
        return dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return f"({type(value).__name__})"


def _blocks(content: Iterable[ContentBlock]) -> Iterator[_Lines]:
    for block in content:
        match block["type"]:
            case "text":
                yield from _text(_without_fence(block["text"]))
            case "reasoning":
                yield from _text(block["text"], _DIM)
            case "image":
                yield from _text(f"[image {_address(block['url'])}]", _DIM)
            case "tool-call":
                yield from _text(f"[calls {block['name']}] {block['arguments']}", _DIM)
            case "tool-result":
                yield from _blocks(block["content"])


def _without_fence(text: str) -> str:
    """What is inside when all the text is one fenced block: the fence is for Markdown."""
    opening, _, rest = text.partition("\n")
    fence = "`" * (len(opening) - len(opening.lstrip("`")))
    inside = rest.removesuffix(f"\n{fence}")
    return inside if len(fence) >= 3 and inside != rest and fence not in inside else text


def _address(url: str) -> str:
    return url.partition(",")[0] if url.startswith("data:") else url


# --- diffs --------------------------------------------------------------------------------


def _diff(diff: FileDiff) -> Iterator[_Lines]:
    old_text, new_text = diff["old_text"], diff["new_text"]
    state = " (new file)" if old_text is None else " (unchanged)" if old_text == new_text else ""
    old, new = _lines_of(old_text or ""), _lines_of(new_text)
    hunks = _hunks(old, new, _all_end_in_crlf(old_text or "", new_text))
    if old and new and not any(lines[-1].endswith("\n") for lines in (old, new)):
        hunks = (lines for lines in hunks if lines != _NO_LINE_FEED)  # as in most parts of files
    yield from _text(diff["path"] + state, _DIM)
    yield from hunks


def _all_end_in_crlf(*texts: str) -> bool:
    """Whether all lines have CRLF, so that it is not worth showing."""
    return all(text.count("\n") == text.count("\r\n") for text in texts)


def _hunks(old: list[str], new: list[str], crlf: bool) -> Iterator[_Lines]:
    """A unified diff. What both begin and end with is not compared, and texts too long to be
    compared in good time count as replaced."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    start, end = max(0, start - _CONTEXT), max(0, end - _CONTEXT)
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    for group in _groups(old, new):
        ((_, from_old, _, from_new, _), (_, _, to_old, _, to_new)) = group[0], group[-1]
        before, after = _range(start, from_old, to_old), _range(start, from_new, to_new)
        yield _Lines([f"@@ -{before} +{after} @@"], color=_CYAN)
        for tag, i, j, k, m in group:
            if tag == "equal":
                yield from _signed(" ", old[i:j], crlf)
            else:
                yield from _signed("-", old[i:j], crlf)
                yield from _signed("+", new[k:m], crlf)


def _signed(sign: str, lines: list[str], crlf: bool) -> Iterator[_Lines]:
    color = {"-": _RED, "+": _GREEN}.get(sign, "")
    yield _Lines(lines, sign, color, "…", crlf)
    if lines and not lines[-1].endswith("\n"):
        yield _NO_LINE_FEED


_NO_LINE_FEED: Final = _Lines(["\\ No newline at end of file"], color=_DIM)


def _common(old: list[str], new: list[str]) -> int:
    """How many lines both begin with."""
    pairs = enumerate(zip(old, new))
    return next((index for index, (a, b) in pairs if a != b), min(len(old), len(new)))


_Step: TypeAlias = tuple[str, int, int, int, int]
"""A stretch of both files, as difflib tells it: "equal" or else, from and to, from and to."""


def _groups(old: list[str], new: list[str]) -> Iterable[Sequence[_Step]]:
    if old == new:
        return []
    if len(old) + len(new) > _MOST_LINES_COMPARED or _alike(old, new) > _MOST_ALIKE:
        return [_replaced(old, new)]
    from difflib import SequenceMatcher  # most cards have no diff

    return SequenceMatcher(None, old, new).get_grouped_opcodes(_CONTEXT)


def _alike(old: list[str], new: list[str]) -> int:
    """How many pairs of equal lines difflib looks at: its time grows with them. Of long texts it
    leaves out what more than every hundredth line is, blank lines for one."""
    counts, most = Counter(new), len(new)
    if most >= 200:
        most = most // 100 + 1
    return sum(n * counts[line] for line, n in Counter(old).items() if counts[line] <= most)


def _replaced(old: list[str], new: list[str]) -> list[_Step]:
    """All of it replaced but for what both begin and end with, which is context."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    i, j, m = len(old), len(old) - end, len(new) - end
    return [
        ("equal", 0, start, 0, start),
        ("replace", start, j, start, m),
        ("equal", j, i, m, len(new)),
    ]


def _range(offset: int, start: int, end: int) -> str:
    """Lines as a unified diff counts them: from one, and an empty range from the line before."""
    length = end - start
    first = offset + start + (1 if length else 0)
    return f"{first}" if length == 1 else f"{first},{length}"


# --- the screen ---------------------------------------------------------------------------


class _Screen:
    """Folds, wraps and colours lines."""

    def __init__(self, width: int, color: bool, most_lines: int | None) -> None:
        self._width = max(width, _NARROWEST)
        self._color = color
        self._most_lines = most_lines

    def text(self, heading: Iterable[_Lines], gutter: str, body: Iterable[_Lines]) -> str:
        """A card: its heading, and below it its body, each line behind the gutter."""
        return "\n".join([*self._rows([*heading], ""), *self._rows([*body], gutter)])

    def _rows(self, part: list[_Lines], gutter: str) -> Iterator[str]:
        for lines, line in self._folded(part):
            begins, color = "", lines.color if self._color else ""
            width = self._width - len(gutter) - len(lines.continued)
            text = harmless(self._shortened(lines.shown(line)))
            for row in _wrapped(text, width):
                yield gutter + _painted(begins + row, color) if row else gutter.rstrip()
                begins = lines.continued

    def _folded(self, part: list[_Lines]) -> Iterator[tuple[_Lines, str]]:
        """Each line and what it is one of. What is too many in the middle is counted instead."""
        count = sum(len(lines.lines) for lines in part)
        forward = ((lines, line) for lines in part for line in lines.lines)
        if self._most_lines is None or count <= self._most_lines:
            yield from forward
            return
        last = self._most_lines // 2
        yield from islice(forward, self._most_lines - last)
        left_out = f"… {_counted(count - self._most_lines, 'line')} left out …"
        yield _Lines([], color=_DIM), left_out
        backward = ((lines, line) for lines in reversed(part) for line in reversed(lines.lines))
        yield from reversed([*islice(backward, last)])

    def _shortened(self, text: str) -> str:
        left_out = len(text) - _LONGEST_LINE
        if self._most_lines is None or left_out <= 0:
            return text
        half = _LONGEST_LINE // 2
        middle = f" … {_counted(left_out, 'character')} left out … "
        return text[:half] + middle + text[-half:]


def _painted(text: str, color: str) -> str:
    return f"\x1b[{color}m{text}\x1b[0m" if color else text


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _wrapped(text: str, width: int) -> Iterator[str]:
    """The text in rows, broken at a space where there is one in the second half of a row."""
    start = 0
    while (end := _row_end(text, start, width)) < len(text):
        space = text.rfind(" ", (start + end) // 2, end + 1)
        stop = end if space < 0 else space
        yield text[start:stop]
        start = stop + (text[stop] == " ")
    if start < len(text) or not text:
        yield text[start:]


def _row_end(text: str, start: int, width: int) -> int:
    """Where the row ends that begins at `start`: behind the last character that fits. Of those
    without a width only so many fit, or a row of them had no end."""
    if text.isascii():
        return min(len(text), start + width)
    columns, end = 0, min(len(text), start + 4 * width)
    for index in range(start, end):
        columns += _columns(text[index])
        if columns > width:
            return index
    return end


def _columns(character: str) -> int:
    """How many columns a character has (Unicode Standard Annex #11). Where terminals differ, as
    they do about emoji made of several characters, the most that any of them takes."""
    if east_asian_width(character) in "WF":
        return 2
    if combining(character) or character in _JOINERS or category(character) in ("Mn", "Me"):
        return int(character == _EMOJI_SELECTOR)
    return 1


_EMOJI_SELECTOR: Final = "\ufe0f"  # makes a character of one column an emoji of two
