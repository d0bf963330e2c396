"""Cards as text, as a terminal would get it."""

import io
import re
import unicodedata

import pytest
from dsh_tools import (
    ContentBlock,
    FileDiff,
    TerminalResultView,
    ToolCallKind,
    ToolExecutionResult,
)
from dsh_tools.adapters.terminal import (
    MOST_LINES,
    harmless,
    outcome_line,
    render_call,
    render_result,
    terminal_of,
)

from ..support import SCALE


def text(text: str) -> ContentBlock:
    return {"type": "text", "text": text}


def below(card: str) -> list[str]:
    """The lines of a result's card without the bar that each has."""
    lines = card.split("\n") if card else []
    assert all(line == "│" or line.startswith("│ ") for line in lines)
    return [line[2:] for line in lines]


def diff(old: str | None, new: str, path: str = "a.py") -> list[str]:
    """The lines of a diff's card."""
    change: FileDiff = {"path": path, "old_text": old, "new_text": new}
    return below(render_result({"card": "diff", "diffs": [change]}))


def output(printed: str, *, width: int = 80, most_lines: int | None = MOST_LINES) -> list[str]:
    """The lines of a terminal's card, without the last, which says how the command ended."""
    view: TerminalResultView = {"card": "terminal", "output": printed, "exit_code": 0}
    return below(render_result(view, width=width, most_lines=most_lines))[:-1]


# --- titles -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "mark"),
    [
        ("read", "≡"),
        ("edit", "±"),
        ("delete", "×"),
        ("move", "→"),
        ("search", "?"),
        ("execute", "$"),
        ("fetch", "↓"),
        ("other", "•"),
    ],
)
def test_a_title_has_a_mark_by_kind(kind: ToolCallKind, mark: str) -> None:
    assert render_call({"card": "generic", "title": "Go", "kind": kind}) == f"{mark} Go"


def test_cards_have_a_kind_of_their_own() -> None:
    assert render_call({"card": "generic", "title": "Go"}) == "• Go"
    assert render_call({"card": "terminal", "title": "ls"}) == "$ ls"
    assert render_call({"card": "diff", "title": "Edit", "diffs": []}) == "± Edit"


def test_all_of_a_command_is_shown() -> None:
    card = render_call({"card": "terminal", "title": "echo " + "x" * 30 + "\nrm -r ."}, width=20)
    assert card.split("\n") == ["$ echo " + "x" * 11, "  " + "x" * 18, "  x", "  rm -r ."]


def test_a_result_has_a_title_when_it_brings_one() -> None:
    assert render_result({"card": "generic"}) == ""
    card = render_result({"card": "generic", "title": "Found", "content": [text("a\nb\n")]})
    assert card == "• Found\n│ a\n│ b"


# --- calls --------------------------------------------------------------------------------


def test_a_generic_call_shows_what_it_was_given() -> None:
    card = render_call(
        {
            "card": "generic",
            "title": "Read a.py",
            "kind": "read",
            "raw_input": {"path": "a.py", "lines": [1, 2], "why": "ü\n"},
            "locations": [{"path": "a.py", "line": 3}, {"path": "b.py", "line": 4}, {"path": "c"}],
            "content": [text("soon")],
        }
    )
    assert card.split("\n") == [
        "≡ Read a.py",
        "  b.py:4",
        "  c",
        '  path: "a.py"',
        "  lines: [1, 2]",
        '  why: "ü\\n"',
        "  soon",
    ]


@pytest.mark.parametrize(
    ("raw_input", "shown"),
    [
        ("not {json", "\n  not {json"),
        ([1, None], "\n  [1, null]"),
        ({"a": {1, 2}}, "\n  a: (set)"),
        ({}, ""),
        (None, ""),
        ("t", ""),
    ],
)
def test_input_of_any_kind(raw_input: object, shown: str) -> None:
    card = render_call({"card": "generic", "title": "t", "raw_input": raw_input})
    assert card == f"• t{shown}"


def test_a_terminal_call_says_what_for_and_where() -> None:
    card = render_call({"card": "terminal", "title": "ls", "description": "List", "cwd": "/srv"})
    assert card == "$ ls\n  List\n  in /srv"


def test_blocks_of_every_type() -> None:
    blocks: list[ContentBlock] = [
        text("plain"),
        {"type": "reasoning", "text": "hm"},
        {"type": "image", "url": "data:image/png;base64,AAAA"},
        {"type": "image", "url": "https://example.org/a.png"},
        {"type": "tool-call", "id": "1", "name": "read", "arguments": '{"path": "a"}'},
        {"type": "tool-result", "tool_call_id": "1", "content": [text("inner")]},
    ]
    assert below(render_result({"card": "generic", "content": blocks})) == [
        "plain",
        "hm",
        "[image data:image/png;base64]",
        "[image https://example.org/a.png]",
        '[calls read] {"path": "a"}',
        "inner",
    ]


def test_a_card_without_content_leaves_it_to_the_result() -> None:
    assert render_result({"card": "generic"}, content=[text("own")]) == "│ own"
    assert render_result({"card": "generic", "content": []}, content=[text("own")]) == ""


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("```console\nls\n```", "ls"),
        ("````\n```\n````", "```"),
        ("```\na\n```\nb", "```\na\n```\nb"),
        ("```\na\n```\nb\n```", "```\na\n```\nb\n```"),
        ("```", "```"),
        ("``a``", "``a``"),
    ],
)
def test_a_fence_around_everything_is_for_markdown(given: str, shown: str) -> None:
    card = render_result({"card": "generic", "content": [text(given)]})
    assert below(card) == shown.split("\n")


# --- terminals ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "ending"),
    [
        ({"card": "terminal", "exit_code": 0}, "exited with 0"),
        ({"card": "terminal", "exit_code": 3}, "exited with 3"),
        ({"card": "terminal", "signal": "SIGKILL"}, "killed by SIGKILL"),
        ({"card": "terminal"}, "still running, or nobody knows how it ended"),
        (
            {"card": "terminal", "exit_code": None, "signal": None},
            "still running, or nobody knows how it ended",
        ),
    ],
)
def test_a_command_ends_in_one_of_four_ways(view: TerminalResultView, ending: str) -> None:
    assert render_result(view) == f"│ {ending}"
    view["output"] = "a\r\n\nb\n"
    assert render_result(view) == f"│ a\n│\n│ b\n│ {ending}"


# --- diffs --------------------------------------------------------------------------------


def test_a_change_in_the_middle() -> None:
    old = "".join(f"{number}\n" for number in range(1, 21))
    assert diff(old, old.replace("10\n", "ten\n").replace("12\n", "")) == [
        "a.py",
        "@@ -7,9 +7,8 @@",
        " 7",
        " 8",
        " 9",
        "-10",
        "+ten",
        " 11",
        "-12",
        " 13",
        " 14",
        " 15",
    ]


def test_two_hunks_have_their_line_numbers() -> None:
    old = "".join(f"{number}\n" for number in range(1, 31))
    lines = diff(old, old.replace("5\n", "five\n", 1).replace("20\n", "").replace("27\n", "x\n"))
    heads = [line for line in lines if line.startswith("@@")]
    assert heads == ["@@ -2,7 +2,7 @@", "@@ -17,14 +17,13 @@"]


def test_a_new_file_an_empty_one_and_no_change() -> None:
    assert diff(None, "a\n") == ["a.py (new file)", "@@ -0,0 +1 @@", "+a"]
    assert diff(None, "") == ["a.py (new file)"]
    assert diff("", "a\n") == ["a.py", "@@ -0,0 +1 @@", "+a"]
    assert diff("a\n", "") == ["a.py", "@@ -1 +0,0 @@", "-a"]
    assert diff("a", "a") == ["a.py (unchanged)"]


def test_only_a_line_feed_ends_a_line() -> None:
    lines = diff("a\x0bb\u2028c\x85d\n", "a\x0bb\u2028c\x85e\n")
    assert lines[1:] == ["@@ -1 +1 @@", "-a␋b<U+2028>c<U+0085>d", "+a␋b<U+2028>c<U+0085>e"]


def test_a_change_of_nothing_but_the_endings_is_seen() -> None:
    assert diff("a\r\nb\n", "a\nb\n")[2:] == ["-a␍", "+a", " b"]
    assert diff("a", "a\n")[2:] == ["-a", "\\ No newline at end of file", "+a"]
    assert diff("a\r\n", "a\n")[2:] == ["-a␍", "+a"]
    assert diff("a\r", "a")[2:] == ["-a␍", "+a"]
    assert diff(None, "a")[2:] == ["+a", "\\ No newline at end of file"]


def test_part_of_a_line_is_no_change_of_endings() -> None:
    assert diff("a - b", "a + b")[2:] == ["-a - b", "+a + b"]


def test_crlf_throughout_is_not_shown() -> None:
    assert diff("a\r\nb\r\n", "a\r\nc\r\n")[2:] == [" a", "-b", "+c"]


def test_two_changes_far_apart_in_a_long_file() -> None:
    old = "".join(f"{number}\n\n" for number in range(2_000))
    lines = diff(old, old.replace("5\n", "five\n", 1).replace("1995\n", "x\n"))
    assert [line for line in lines if line[0] in "+-"] == ["-5", "+five", "-1995", "+x"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("x\ny\n" * 2_500, "x\n" * 199, id="alike"),
        pytest.param(
            "x\ny\n" + "".join(f"{number}\n" for number in range(6_000)),
            "x\n" + "".join(f"{number}\n{number}+\n" for number in range(3_000)),
            id="long",
        ),
    ],
)
def test_texts_that_would_take_long_to_compare_count_as_replaced(old: str, new: str) -> None:
    first, second, third, *_ = diff(old, new)[2:]
    assert (first, second, third[0]) == (" x", "-y", "-")


@pytest.mark.parametrize("lines", [20, 6_000])
def test_a_hunk_is_what_patch_would_take(lines: int) -> None:
    """Texts too long to be compared line by line keep what they begin and end with."""
    old = "".join(f"{number}\n" for number in range(lines))
    new = "".join(f"{number}\n" if number in (0, lines - 1) else "x\n" for number in range(lines))
    view = render_result(
        {"card": "diff", "diffs": [{"path": "a", "old_text": old, "new_text": new}]},
        most_lines=None,
    )
    _, head, *body = below(view)
    assert head == f"@@ -1,{lines} +1,{lines} @@"
    assert "".join(f"{line[1:]}\n" for line in body if line[0] != "+") == old
    assert "".join(f"{line[1:]}\n" for line in body if line[0] != "-") == new


# --- what no terminal should obey ---------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        pytest.param("\x1b[2J\x1b[H", "␛[2J␛[H", id="clear the screen"),
        pytest.param("\x1b]0;title\x07", "␛]0;title␇", id="set the title"),
        pytest.param("\x1b]52;c;cm0=\x1b\\", "␛]52;c;cm0=␛\\", id="write the clipboard"),
        pytest.param(
            "\x1b]8;;http://e\x1b\\here", "␛]8;;http://e␛\\here", id="a link to elsewhere"
        ),
        pytest.param("\x9b2J\x9d0;t\x9c", "<U+009B>2J<U+009D>0;t<U+009C>", id="eight-bit controls"),
        pytest.param("\x1b[31mred\x1b[0m", "red", id="colours alone"),
        pytest.param("safe\rrm -r", "safe␍rm -r", id="write over a line"),
        pytest.param("a\b\b\x7f\0", "a␈␈␡␀", id="erase"),
        pytest.param("a\u202eb\u2066c\u200f", "a<U+202E>b<U+2066>c<U+200F>", id="change direction"),
        pytest.param("\ud83d \udc00", "\ufffd \ufffd", id="lone surrogates"),
        pytest.param("a\tb", "a   b", id="tabs"),
        pytest.param("\u2028\u2029\ufeff", "<U+2028><U+2029><U+FEFF>", id="separators"),
        pytest.param("👩\u200d💻 é 漢\u3000字\xa0", "👩\u200d💻 é 漢\u3000字\xa0", id="people's text"),
    ],
)
def test_harmless(given: str, shown: str) -> None:
    assert harmless(given) == shown


ALL_CONTROLS = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0), 0x202E, 0xD800, 0x2028]))


def test_no_part_of_a_card_lets_a_control_character_through() -> None:
    bad = ALL_CONTROLS
    change: FileDiff = {"path": bad, "old_text": bad, "new_text": f"{bad}{bad}"}
    cards = [
        render_call(
            {
                "card": "generic",
                "title": bad,
                "raw_input": {bad: bad},
                "locations": [{"path": f"{bad}/"}],
                "content": [
                    {"type": "text", "text": bad},
                    {"type": "reasoning", "text": bad},
                    {"type": "image", "url": bad},
                    {"type": "tool-call", "id": bad, "name": bad, "arguments": bad},
                ],
            }
        ),
        render_call({"card": "generic", "title": "", "raw_input": bad}),
        render_call({"card": "terminal", "title": bad, "description": bad, "cwd": bad}),
        render_call({"card": "diff", "title": bad, "diffs": [change]}),
        render_result({"card": "generic", "title": bad}),
        render_result({"card": "terminal", "title": bad, "output": bad, "signal": bad}),
        render_result({"card": "diff", "title": bad, "diffs": [change]}),
    ]
    for card in cards:
        assert card.replace("\n", "").isprintable()
        card.encode()  # no surrogate is left


# --- width and length ---------------------------------------------------------------------


def columns(row: str) -> int:
    """How wide a row is, counted another way than the module does."""
    marks = sum(unicodedata.category(each) in ("Mn", "Me") for each in row)
    marks -= row.count("\ufe0f")  # of two columns, with what it makes an emoji
    return len(row) - marks + sum(unicodedata.east_asian_width(each) in "WF" for each in row)


@pytest.mark.parametrize(
    "given",
    [
        "x" * 500,
        "word " * 100,
        "漢字" * 100,
        "a漢" * 100,
        "e\u0301" * 300,
        "\u0301" * 5_000,
        "a\t" * 100,
        "\x1b" * 300,
        "\u202e" * 100,
        "\u2764\ufe0f" * 100,
    ],
)
def test_no_row_is_wider_than_the_terminal(given: str) -> None:
    for width in (20, 37, 80):
        card = render_call({"card": "terminal", "title": given, "description": given}, width=width)
        change: FileDiff = {"path": given, "old_text": given, "new_text": "x"}
        edit = render_call({"card": "diff", "title": "e", "diffs": [change]}, width=width)
        rows = f"{card}\n{edit}".split("\n")
        assert max(map(columns, rows)) <= width
        assert max(map(len, rows)) <= 4 * width  # of marks without a width too


def test_a_terminal_of_no_width_is_taken_to_have_some() -> None:
    for width in (-1, 0, 1, 19):
        assert output("x" * 40, width=width) == ["x" * 18, "x" * 18, "xxxx"]


def test_nothing_is_lost_at_the_end_of_a_row() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    assert " ".join(output(words, width=30)) == words
    assert "".join(output("漢" * 100, width=31)) == "漢" * 100
    assert output("", width=30) == []
    assert output("\n\na", width=30) == ["", "", "a"]


def test_a_row_of_a_diff_that_goes_on_is_no_line_of_its_own() -> None:
    lines = diff("a\n", "b" * 100 + "\n")
    assert lines[-2:] == ["+" + "b" * 76, "…" + "b" * 24]


def test_the_middle_of_long_output_is_counted() -> None:
    lines = output("".join(f"{number}\n" for number in range(100)))
    assert lines == [*map(str, range(20)), "… 61 lines left out …", *map(str, range(81, 100))]
    assert output("a\nb\nc\n", most_lines=3) == ["a", "b", "… 1 line left out …"]
    assert render_result({"card": "terminal", "output": "a\n"}, most_lines=0) == (
        "│ … 2 lines left out …"
    )
    assert output("a\n" * 100, most_lines=None) == ["a"] * 100


def test_many_blocks_and_many_diffs_are_counted_like_lines() -> None:
    card = render_result({"card": "generic", "content": [text("a")] * 100_000})
    assert below(card) == ["a"] * 20 + ["… 99,960 lines left out …"] + ["a"] * 20
    change: FileDiff = {"path": "a", "old_text": "b\n", "new_text": "c\n"}
    lines = render_call({"card": "diff", "title": "t", "diffs": [change] * 1_000}).split("\n")
    assert len(lines) == 42
    assert "  … 3,960 lines left out …" in lines


def test_the_middle_of_a_long_line_is_counted() -> None:
    shown = " ".join(output("a" * 5_000 + "b" * 5_000))
    assert "… 8,000 characters left out …" in shown
    assert shown.replace(" ", "").startswith("a" * 1_000)
    assert "".join(output("a" * 5_000, most_lines=None)) == "a" * 5_000


@pytest.mark.parametrize("piece", ["x", "\n", "漢", "\u0301", "\x1b[31m", "\ud800"])
def test_megabytes_become_a_screen(piece: str) -> None:
    big = piece * (SCALE * 1_000_000 // len(piece))
    change: FileDiff = {"path": "a", "old_text": "b\n", "new_text": big}
    for card in (
        render_result({"card": "terminal", "output": big}),
        render_result({"card": "diff", "diffs": [change]}),
        render_call({"card": "generic", "title": big, "raw_input": {"a": big}}),
    ):
        assert len(card) < 20_000
        assert "leftout" in re.sub("\n│ …?|\\s", "", card)


# --- colour -------------------------------------------------------------------------------


def test_colour_only_when_it_is_wanted() -> None:
    change: FileDiff = {"path": "a", "old_text": "b\n", "new_text": "c\n"}
    plain = render_call({"card": "diff", "title": "Edit", "diffs": [change]})
    coloured = render_call({"card": "diff", "title": "Edit", "diffs": [change]}, color=True)
    assert "\x1b" not in plain
    assert "\x1b[31m-b\x1b[0m\n" in coloured
    assert "\x1b[32m+c\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain


def test_how_a_call_ended() -> None:
    result: ToolExecutionResult = {"call_id": "1", "content": [], "is_error": False}
    assert outcome_line(result) == "╰ done"
    result["is_error"] = True
    assert outcome_line(result) == "╰ failed"
    result["error"] = {"name": "FsError", "code": "FS_\x1b"}
    assert outcome_line(result) == "╰ failed: FS_␛"
    assert outcome_line(result, color=True) == "╰ \x1b[31mfailed: FS_␛\x1b[0m"


def test_output_cannot_look_like_a_card_of_its_own() -> None:
    view: TerminalResultView = {"card": "terminal", "output": "a\n$ rm -r .\n╰ done\n" + "x " * 99}
    assert all(line.startswith("│") for line in render_result(view).split("\n"))


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "color"),
    [
        (Tty(), {}, True),
        (io.StringIO(), {}, False),
        (Tty(), {"NO_COLOR": "1"}, False),
        (Tty(), {"NO_COLOR": ""}, True),
        (Tty(), {"TERM": "dumb"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_what_a_stream_wants(
    stream: io.StringIO, environment: dict[str, str], color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "97")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal_of(stream) == {"width": 97, "color": color}
