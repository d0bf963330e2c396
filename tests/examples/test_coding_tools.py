"""What a user of the coding tools notices, beyond the conformance cases."""

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Timer
from typing import Final, TypeAlias

import pytest

from dsh_tools import ToolExecutionResult, ToolRegistry, ToolResult

from .coding_tools import MOST_OUTPUT, Todo, coding_tools, hunks

ROOT: Final = Path(__file__).parents[2]
Run: TypeAlias = Callable[..., ToolExecutionResult]


@pytest.fixture
def registry(tmp_path: Path) -> ToolRegistry:
    registry = ToolRegistry()
    for tool in coding_tools(tmp_path):
        registry.register(tool)
    return registry


@pytest.fixture
def run(registry: ToolRegistry) -> Run:
    """`run(tool, **arguments)`: the result of a call."""

    def run(name: str, **arguments: object) -> ToolExecutionResult:
        return registry.execute({"call_id": "c1", "name": name, "arguments": arguments})

    return run


def text_of(result: ToolResult | ToolExecutionResult) -> str:
    return "".join(block["text"] for block in result["content"] if block["type"] == "text")


def code_of(result: ToolExecutionResult) -> str | None:
    return result["error"]["code"] if "error" in result else None


def bash(run: Run, command: str, **arguments: object) -> str:
    result = run("bash", command=command, description="Try it", **arguments)
    assert not result["is_error"], result
    return text_of(result)


# --- bash ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "text"),
    [
        pytest.param("echo 1; echo 2 >&2; echo 3", "1\n2\n3\n", id="stderr in its place"),
        pytest.param("echo 1; echo 2 >/dev/stderr", "1\n2\n", id="/dev/stderr keeps the rest"),
        pytest.param(r"printf 'a\xffb'", "a\ufffdb", id="output that is no UTF-8"),
        pytest.param(r"printf '1\r\n2\r\n'", "1\r\n2\r\n", id="CRLF"),
        pytest.param("printf x; exit 3", "x\n[exit code: 3]", id="no newline before the marker"),
        pytest.param("echo; false", "\n[exit code: 1]", id="an empty line before the marker"),
        pytest.param("cat", "(no output)", id="no input to wait for"),
        pytest.param("kill -40 $$", "(no output)\n[killed by signal: SIG40]", id="nameless signal"),
    ],
)
def test_command_output(run: Run, command: str, text: str) -> None:
    assert bash(run, command) == text


def test_long_output_loses_its_middle(run: Run) -> None:
    text = bash(run, "echo first; seq 50000; echo last")
    assert text.startswith("first\n1\n2\n")
    assert text.endswith("\n50000\nlast\n")
    assert " bytes left out …]\n" in text
    assert len(text) < MOST_OUTPUT + 100


@pytest.mark.parametrize(
    ("workdir", "shown"),
    [
        pytest.param("sub", "sub", id="relative"),
        pytest.param("sub/..", "", id="with dots"),
    ],
)
def test_workdir(run: Run, tmp_path: Path, workdir: str, shown: str) -> None:
    (tmp_path / "sub").mkdir()
    assert bash(run, "pwd", workdir=workdir) == f"{tmp_path / shown}\n"


def test_workdir_that_does_not_exist(run: Run) -> None:
    result = run("bash", command="pwd", description="Show it", workdir="nowhere")
    assert code_of(result) == "FS_NOT_A_DIRECTORY"


def test_what_a_command_leaves_running_does_not_hold_up_its_result(run: Run) -> None:
    started = time.monotonic()
    assert bash(run, "sleep 3 & echo started") == "started\n"
    assert time.monotonic() - started < 2


def test_timeout_kills_all_that_the_command_started(run: Run, tmp_path: Path) -> None:
    text = bash(run, "(sleep 0.6; touch survived) & echo started; wait", timeoutMs=200)
    assert text == "started\n[timed out after 200ms]\n[killed by signal: SIGTERM]"
    time.sleep(0.8)
    assert not (tmp_path / "survived").exists()


def test_timeout_kills_what_ignores_a_polite_signal(run: Run) -> None:
    text = bash(run, "trap '' TERM; echo deaf; sleep 30", timeoutMs=200.0)
    assert text == "deaf\n[timed out after 200ms]\n[killed by signal: SIGKILL]"


@pytest.mark.parametrize("tool", ["bash", "grep"])
def test_cancelled_call_ends_early(registry: ToolRegistry, tmp_path: Path, tool: str) -> None:
    (tmp_path / "a.txt").write_text("x")
    signal = CancelledAtSecondLook()
    arguments = {"command": "sleep 30", "description": "Sleep", "pattern": "x"}
    result = registry.execute(
        {"call_id": "c1", "name": tool, "arguments": arguments, "signal": signal}
    )
    assert (result["is_error"], code_of(result)) == (True, "ABORTED")


class CancelledAtSecondLook:
    """A signal that lets a call start, and is set as soon as the tool asks."""

    def __init__(self) -> None:
        self._looks = 0

    def is_set(self) -> bool:
        self._looks += 1
        return self._looks > 1


def test_event_cancels_a_command(registry: ToolRegistry, tmp_path: Path) -> None:
    cancelled = Event()
    Timer(0.2, cancelled.set).start()
    arguments = {"command": "sleep 0.6; touch survived", "description": "Take your time"}
    result = registry.execute(
        {"call_id": "c1", "name": "bash", "arguments": arguments, "signal": cancelled}
    )
    assert text_of(result) == "Error: command aborted"
    time.sleep(0.6)
    assert not (tmp_path / "survived").exists()


@pytest.mark.parametrize(
    ("output", "view"),
    [
        pytest.param("x\n[exit code: 3]", {"exit_code": 3}, id="exit code"),
        pytest.param("[exit code: 3]", {"exit_code": 3}, id="nothing but the marker"),
        pytest.param("x\n[exit code: 3] ", {"exit_code": 0}, id="not at the very end"),
        pytest.param("x\n[exit code: -3]", {"exit_code": 0}, id="no exit code"),
        pytest.param("x\r[exit code: 3]", {"exit_code": 0}, id="no line of its own"),
        pytest.param("[killed by signal: SIGRTMIN+1]", {"signal": "SIGRTMIN+1"}, id="signal"),
        pytest.param("[killed by signal: nobody]", {"exit_code": 0}, id="no signal"),
    ],
)
def test_exit_status_is_read_from_the_end(
    registry: ToolRegistry, output: str, view: dict[str, object]
) -> None:
    result: ToolResult = {"content": [{"type": "text", "text": output}], "is_error": False}
    arguments = {"command": "x", "description": "d"}
    card = registry.present_result(
        {"call_id": "c1", "name": "bash", "arguments": arguments}, result
    )
    assert card == {"card": "terminal", "output": output, **view}


def test_fence_is_longer_than_what_it_holds(registry: ToolRegistry) -> None:
    result: ToolResult = {"content": [{"type": "text", "text": "a ```` b\n"}], "is_error": True}
    arguments = {"command": "x", "description": "d"}
    card = registry.present_result(
        {"call_id": "c1", "name": "bash", "arguments": arguments}, result
    )
    block = {"type": "text", "text": "`````console\na ```` b\n`````"}
    assert card == {"card": "generic", "content": [block]}


def test_terminal_says_where_it_runs(registry: ToolRegistry) -> None:
    arguments = {"command": "ls", "description": "List", "workdir": "src"}
    card = registry.present_call({"call_id": "c1", "name": "bash", "arguments": arguments})
    assert card == {"card": "terminal", "title": "ls", "description": "List", "cwd": "src"}


# --- background tasks ---------------------------------------------------------------------


def wait_for(run: Run, text: str) -> str:
    """All output of task bash-1 until it holds a text."""
    output = ""
    for _ in range(500):
        output += text_of(run("bash_output", task_id="bash-1"))
        if text in output:
            return output
        output = output.replace("(no new output)\n[status: running]", "")
        time.sleep(0.01)
    raise AssertionError(f"{text!r} did not come, but {output!r}")


def test_background_task_from_start_to_end(run: Run) -> None:
    command = "echo one; until [ -e go ]; do sleep 0.01; done; echo two; exit 3"
    assert bash(run, command, run_in_background=True) == "started background task bash-1"
    assert wait_for(run, "one") == "one\n[status: running]"
    bash(run, "touch go")
    ended = wait_for(run, "[status: exit code")
    assert "two\n" in ended
    assert ended.endswith("[status: exit code 3]")
    assert text_of(run("bash_output", task_id="bash-1")) == (
        "(no new output)\n[status: exit code 3]"
    )


def test_background_output_is_new_output(run: Run) -> None:
    bash(run, r"printf '\xc3'; sleep 0.3; printf '\xa9'; sleep 30", run_in_background=True)
    assert wait_for(run, "é") == "é\n[status: running]"
    assert text_of(run("bash_output", task_id="bash-1")) == "(no new output)\n[status: running]"
    run("bash_kill", task_id="bash-1")


def test_killed_task_takes_along_what_it_started(run: Run, tmp_path: Path) -> None:
    bash(run, "(sleep 0.6; touch survived) & echo up; wait", run_in_background=True)
    wait_for(run, "up\n")
    assert text_of(run("bash_kill", task_id="bash-1")) == "killed background task bash-1"
    assert wait_for(run, "killed").endswith("[status: killed by signal SIGTERM]")
    assert text_of(run("bash_kill", task_id="bash-1")) == (
        "background task bash-1 has already ended"
    )
    time.sleep(0.8)
    assert not (tmp_path / "survived").exists()


HOST_THAT_ENDS = """
import sys, time
from pathlib import Path
from tests.examples.coding_tools import coding_tools

workspace = Path(sys.argv[1])
bash = coding_tools(workspace)[0]
arguments = {
    "command": "touch started; sleep 0.6; touch survived",
    "description": "Outlive the host",
    "run_in_background": True,
}
bash["execute"](arguments, {"call_id": "c1", "name": "bash", "arguments": arguments})
while not (workspace / "started").exists():
    time.sleep(0.01)
"""


def test_no_task_outlives_its_host(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", HOST_THAT_ENDS, str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60)
    time.sleep(0.8)
    assert [path.name for path in tmp_path.iterdir()] == ["started"]


@pytest.mark.parametrize("tool", ["bash_output", "bash_kill"])
def test_unknown_task(run: Run, tool: str) -> None:
    result = run(tool, task_id="bash-9")
    assert text_of(result) == 'Error: unknown background task "bash-9"'
    assert code_of(result) == "UNKNOWN_TASK"


# --- files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        pytest.param("a\r\nb\r\n", ["1: a\r", "2: b\r"], id="CRLF"),
        pytest.param("a\x0cb\u2028c\n", ["1: a\x0cb\u2028c"], id="only a line feed ends a line"),
        pytest.param("a\nb", ["1: a", "2: b"], id="no final newline"),
        pytest.param("\n\n", ["1: ", "2: "], id="empty lines"),
    ],
)
def test_lines_as_they_are(run: Run, tmp_path: Path, content: str, lines: list[str]) -> None:
    (tmp_path / "f").write_bytes(content.encode())
    body = "\n".join([*lines, "", f"(End of file - total {len(lines)} lines)"])
    assert f"<content>\n{body}\n</content>" in text_of(run("read", file_path="f"))


@pytest.mark.parametrize(
    ("arguments", "text", "code"),
    [
        pytest.param(
            {"file_path": "none"}, 'file not found: "{}/none"', "FS_NOT_FOUND", id="no file"
        ),
        pytest.param({"file_path": "."}, 'not a file: "{}"', "FS_NOT_A_FILE", id="directory"),
        pytest.param(
            {"file_path": "latin"},
            'not a UTF-8 text file: "{}/latin"',
            "FS_BINARY_FILE",
            id="latin-1",
        ),
        pytest.param(
            {"file_path": "nul"}, 'not a UTF-8 text file: "{}/nul"', "FS_BINARY_FILE", id="binary"
        ),
        pytest.param(
            {"file_path": "two", "offset": 3},
            "offset 3 is behind the last line (2)",
            "FS_OFFSET_OUT_OF_RANGE",
            id="behind the end",
        ),
        pytest.param(
            {"file_path": "two", "offset": 1.5},
            "offset must be a positive integer",
            None,
            id="half a line",
        ),
        pytest.param(
            {"file_path": "two", "limit": 0},
            "limit must be a positive integer",
            None,
            id="no lines",
        ),
    ],
)
def test_read_refuses(
    run: Run, tmp_path: Path, arguments: dict[str, object], text: str, code: str | None
) -> None:
    (tmp_path / "latin").write_bytes("é".encode("latin-1"))
    (tmp_path / "nul").write_bytes(b"a\0b")
    (tmp_path / "two").write_bytes(b"1\n2\n")
    result = run("read", **arguments)
    assert text_of(result) == f"Error: {text.format(tmp_path)}"
    assert code_of(result) == code


@pytest.mark.parametrize("file_path", ["sub/../a.txt", "./a.txt", "{}/sub/../a.txt"])
def test_paths_lead_to_the_same_file(run: Run, tmp_path: Path, file_path: str) -> None:
    (tmp_path / "a.txt").write_text("here\n")
    text = text_of(run("read", file_path=file_path.format(tmp_path)))
    assert text.startswith(f"<path>{tmp_path}/a.txt</path>")


def test_edit_keeps_line_endings(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\r\nb\r\nc\n")
    result = run("edit", file_path="f", old_string="b", new_string="B")
    assert (tmp_path / "f").read_bytes() == b"a\r\nB\r\nc\n"
    hunk = {"path": "f", "old_text": "a\r\nb\r\nc\n", "new_text": "a\r\nB\r\nc\n"}
    assert result.get("meta") == {"diffs": [hunk]}


def test_edit_of_every_match(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x x\n")
    run("edit", file_path="f", old_string="x", new_string="", replace_all=True)
    assert (tmp_path / "f").read_text() == " \n"


def test_edit_refuses_a_binary_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"\xff\xfe")
    result = run("edit", file_path="f", old_string="a", new_string="b")
    assert code_of(result) == "FS_BINARY_FILE"
    assert (tmp_path / "f").read_bytes() == b"\xff\xfe"


@pytest.mark.parametrize(
    ("before", "meta"),
    [
        pytest.param(
            b"a\r\n",
            {"diffs": [{"path": "f", "old_text": "a\r\n", "new_text": "b\r\n"}]},
            id="over text",
        ),
        pytest.param(
            b"", {"diffs": [{"path": "f", "old_text": "", "new_text": "b\r\n"}]}, id="over nothing"
        ),
        pytest.param(b"b\r\n", None, id="the same"),
    ],
)
def test_overwrite(run: Run, tmp_path: Path, before: bytes, meta: object) -> None:
    (tmp_path / "f").write_bytes(before)
    result = run("write", file_path="f", content="b\r\n")
    assert "Updated file" in text_of(result)
    assert (tmp_path / "f").read_bytes() == b"b\r\n"
    assert result.get("meta") == meta


@pytest.mark.parametrize(
    ("file_path", "code"),
    [
        pytest.param("file/below", "FS_UNWRITABLE", id="below a file"),
        pytest.param(".", "FS_NOT_A_FILE", id="a directory"),
    ],
)
def test_write_refuses(run: Run, tmp_path: Path, file_path: str, code: str) -> None:
    (tmp_path / "file").write_text("")
    assert code_of(run("write", file_path=file_path, content="")) == code


def numbered(*changes: int) -> str:
    """Twenty numbered lines, some of them changed."""
    return "".join(f"{n}!\n" if n in changes else f"{n}\n" for n in range(1, 21))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("a\n", "a\n", [], id="no change"),
        pytest.param("a\n", "a", [("a\n", "a")], id="the final newline"),
        pytest.param("a\n", "a\r\n", [("a\n", "a\r\n")], id="a line ending"),
        pytest.param(
            numbered(),
            numbered(1, 20),
            [("1\n2\n3\n4", "1!\n2\n3\n4"), ("17\n18\n19\n20\n", "17\n18\n19\n20!\n")],
            id="two hunks",
        ),
        pytest.param(
            numbered(),
            numbered(8, 12),
            [("\n".join(map(str, range(5, 16))), "5\n6\n7\n8!\n9\n10\n11\n12!\n13\n14\n15")],
            id="neighbours are one",
        ),
    ],
)
def test_hunks(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert [(hunk["old_text"], hunk["new_text"]) for hunk in hunks("f", before, after)] == expected


@pytest.mark.parametrize(
    "meta",
    [
        pytest.param(None, id="none"),
        pytest.param([], id="no object"),
        pytest.param({"diffs": []}, id="no hunk"),
        pytest.param({"diffs": [{"path": "f", "old_text": 1, "new_text": ""}]}, id="bad text"),
        pytest.param(
            {"diffs": [{"path": "f", "old_text": "", "new_text": "x"}, {}]}, id="one bad hunk"
        ),
    ],
)
def test_damaged_meta_leaves_the_whole_file(registry: ToolRegistry, meta: object) -> None:
    result: ToolResult = {"content": [], "is_error": False, "meta": meta}
    arguments = {"file_path": "f", "content": "x"}
    card = registry.present_result(
        {"call_id": "c1", "name": "write", "arguments": arguments}, result
    )
    whole = {"path": "f", "old_text": None, "new_text": "x"}
    assert card == {"card": "diff", "title": "Write f", "diffs": [whole]}


def test_parallel_edits_all_count(run: Run, tmp_path: Path) -> None:
    words = [f"<{number}>" for number in range(40)]
    (tmp_path / "f").write_text("".join(words))

    def edit(word: str) -> bool:
        return run("edit", file_path="f", old_string=word, new_string=".")["is_error"]

    with ThreadPoolExecutor(8) as pool:
        assert not any(pool.map(edit, words))
    assert (tmp_path / "f").read_text() == "." * len(words)


# --- grep ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        pytest.param({}, "a.py:1: find me\nsub/b.txt:2: find me too", id="everywhere"),
        pytest.param({"glob": "*.txt"}, "sub/b.txt:2: find me too", id="by name"),
        pytest.param({"path": "sub"}, "sub/b.txt:2: find me too", id="in a directory"),
        pytest.param({"path": "a.py"}, "a.py:1: find me", id="in a file"),
        pytest.param({"path": ".hidden"}, ".hidden/c.txt:1: find me not", id="in a hidden one"),
        pytest.param({"show": "files"}, "a.py\nsub/b.txt", id="files"),
        pytest.param(
            {"limit": 1.0},
            "a.py:1: find me\n(There is more than these 1: raise limit or narrow down.)",
            id="up to a limit",
        ),
        pytest.param({"limit": 2}, "a.py:1: find me\nsub/b.txt:2: find me too", id="just enough"),
        pytest.param({"pattern": "^me"}, "No matches.", id="nothing"),
        pytest.param(
            {"pattern": "("},
            "Error: invalid pattern: missing ), unterminated subpattern at position 0",
            id="no pattern",
        ),
        pytest.param({"limit": 0}, "Error: limit must be a positive integer", id="no limit"),
    ],
)
def test_grep(run: Run, tmp_path: Path, arguments: dict[str, object], text: str) -> None:
    (tmp_path / "a.py").write_text("find me\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/b.txt").write_bytes(b"1\r\nfind me too\r\n")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden/c.txt").write_text("find me not")
    (tmp_path / "binary").write_bytes(b"find me\0")
    assert text_of(run("grep", **{"pattern": "find me", **arguments})) == text


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        pytest.param({"pattern": "x"}, "Search for x", id="everywhere"),
        pytest.param({"pattern": "x", "path": "src"}, "Search for x in src", id="somewhere"),
    ],
)
def test_grep_card(registry: ToolRegistry, arguments: dict[str, object], title: str) -> None:
    card = registry.present_call({"call_id": "c1", "name": "grep", "arguments": arguments})
    assert card == {"card": "generic", "title": title, "kind": "search", "raw_input": "x"}


# --- todo_write ---------------------------------------------------------------------------


def test_todos_are_handed_on(tmp_path: Path) -> None:
    lists: list[list[Todo]] = []
    registry = ToolRegistry()
    for tool in coding_tools(tmp_path, on_todos=lists.append):
        registry.register(tool)
    arguments = {"todos": [{"content": " Rest ", "status": "pending"}]}
    registry.execute({"call_id": "c1", "name": "todo_write", "arguments": arguments})
    assert lists == [[{"content": "Rest", "status": "pending"}]]


@pytest.mark.parametrize(
    ("contents", "text"),
    [
        pytest.param([], "Updated todo list: 0 pending, 0 in progress, 0 completed.", id="none"),
        pytest.param(
            [" "], "Error: invalid todos: content must be a non-empty string", id="blank"
        ),
    ],
)
def test_todo_lists(run: Run, contents: list[str], text: str) -> None:
    todos = [{"content": content, "status": "pending"} for content in contents]
    assert text_of(run("todo_write", todos=todos)) == text
