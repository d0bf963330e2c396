"""The tools of a coding agent: a shell with background tasks, files, search and a task list.

Each tool is a spec, a body and its presenters, in that order; how a command runs stands at the
end. The type of a tool's arguments is its spec's: `InferArgs[BASH]`. Copy what you need: nothing
but the standard library is used. The shell wants a POSIX system.
"""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import SequenceMatcher
from fnmatch import fnmatch
from itertools import count, islice
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals
from subprocess import DEVNULL, PIPE, STDOUT, Popen, TimeoutExpired
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Final, Literal, TypedDict
from weakref import finalize

from dsh_tools import (
    CancelSignal,
    FileDiff,
    HarnessError,
    InferArgs,
    TerminalCallView,
    TextBlock,
    ToolCallView,
    ToolDefinition,
    ToolExecution,
    ToolOutput,
    ToolResult,
    ToolResultView,
    define_tool,
    schema,
)


def coding_tools(
    cwd: str | Path, *, on_todos: Callable[[list[Todo]], object] | None = None
) -> list[ToolDefinition]:
    """The tools, working in the directory `cwd`. `on_todos(todos)` is told of each task list."""
    workspace = Workspace(cwd)
    tasks = BackgroundTasks()
    return [
        bash_tool(workspace, tasks),
        bash_output_tool(tasks),
        bash_kill_tool(tasks),
        read_tool(workspace),
        write_tool(workspace),
        edit_tool(workspace),
        grep_tool(workspace),
        todo_write_tool(on_todos),
    ]


class FsError(HarnessError):
    """Something about a file keeps a tool from doing what it was asked for."""


class Workspace:
    """The directory the tools work in, and the lock under which they change files."""

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root).absolute()
        self.changing = Lock()  # held from the reading of a file to its writing

    def path(self, given: str) -> Path:
        """Where a path of the model leads: from the root, unless it is absolute."""
        return Path(os.path.normpath(self.root / given))

    def file(self, file_path: str) -> Path:
        """The same for the `file_path` of a call, which must not be blank."""
        if not file_path.strip():
            raise ValueError("file_path must be a non-empty string")
        return self.path(file_path)

    def shown(self, path: Path) -> str:
        """A path as short as it goes."""
        return str(path.relative_to(self.root) if path.is_relative_to(self.root) else path)


# --- bash ---------------------------------------------------------------------------------

DEFAULT_TIMEOUT_MS: Final = 120_000
LONGEST_TIMEOUT_MS: Final = 600_000

BASH = schema({
    "command": {
        "type": "string",
        "required": True,
        "description": "The bash command to execute.",
    },
    "description": {
        "type": "string",
        "required": True,
        "description": "Clear, concise description of what this command does in active voice, "
        '5-10 words (shown in the UI). Examples: "ls" → "List files in current directory"; '
        '"git status" → "Show working tree status"; '
        '"npm install" → "Install package dependencies".',
    },
    "timeoutMs": {
        "type": "number",
        "description": "Timeout in milliseconds. The executor applies its configured default and "
        "cap, and kills the command on expiry.",
    },
    "workdir": {
        "type": "string",
        "description": "Working directory for this command. Defaults to the session workspace; "
        "a relative path is resolved against it.",
    },
    "run_in_background": {
        "type": "boolean",
        "description": "Run in the background and return a task id immediately. "
        "No timeout applies.",
    },
})


def bash_tool(workspace: Workspace, tasks: BackgroundTasks) -> ToolDefinition:
    @define_tool(
        name="bash",
        description="Run a bash command in a fresh shell and return stdout/stderr; non-zero exits "
        "are reported as text, not errors; can start in the background.",
        parameters=BASH,
        present_call=bash_call,
        present_result=bash_result,
    )
    def bash(args: InferArgs[BASH], execution: ToolExecution) -> str:
        timeout_ms = bash_timeout(args)
        directory = workspace.path(args.get("workdir", "."))
        if not directory.is_dir():
            raise FsError(f'workdir is not a directory: "{directory}"', "FS_NOT_A_DIRECTORY")
        command = Command(args["command"], directory)
        if args.get("run_in_background"):
            return f"started background task {tasks.add(command)}"
        try:
            in_time = command.wait(timeout_ms / 1000, execution.get("signal"))
        finally:
            command.kill()
        late = [] if in_time else [f"[timed out after {plain_number(timeout_ms)}ms]"]
        return marked(command.take_output() or "(no output)", late + exit_markers(command))

    return bash


def bash_timeout(args: InferArgs[BASH]) -> float:
    timeout_ms = args.get("timeoutMs", DEFAULT_TIMEOUT_MS)
    if timeout_ms <= 0:
        got = plain_number(timeout_ms)
        raise ValueError(f"invalid timeoutMs: expected a positive number, got {got}")
    return min(timeout_ms, LONGEST_TIMEOUT_MS)


def plain_number(value: float) -> str:
    """A number as JSON writes it: 2, not 2.0."""
    return str(int(value)) if value == int(value) else str(value)


def marked(output: str, markers: list[str]) -> str:
    """Output with markers on lines of their own, the last of them at the very end."""
    return "\n".join([output.removesuffix("\n"), *markers]) if markers else output


def exit_markers(command: Command) -> list[str]:
    code = command.exit_code
    if not code:
        return []
    return [f"[exit code: {code}]" if code > 0 else f"[killed by signal: {signal_name(-code)}]"]


def bash_call(args: InferArgs[BASH]) -> ToolCallView:
    title, description = args["command"], args["description"]
    if args.get("run_in_background"):
        return {
            "card": "generic",
            "title": title,
            "kind": "execute",
            "raw_input": title,
            "content": [{"type": "text", "text": description}],
        }
    view: TerminalCallView = {"card": "terminal", "title": title, "description": description}
    if "workdir" in args:
        view["cwd"] = args["workdir"]
    return view


# What a program prints cannot be told from a marker, unless it stands where markers stand: on a
# line of its own at the very end.
EXIT_CODE: Final = re.compile(r"^\[exit code: ([0-9]{1,3})\]\Z", re.MULTILINE)
KILLED_BY: Final = re.compile(r"^\[killed by signal: (SIG[A-Z0-9+-]+)\]\Z", re.MULTILINE)


def bash_result(args: InferArgs[BASH], result: ToolResult) -> ToolResultView | None:
    output = only_text(result)
    if output is None:
        return None
    if result["is_error"] or args.get("run_in_background"):
        return {"card": "generic", "content": [console_block(output)]}
    killed_by = KILLED_BY.search(output)
    if killed_by:
        return {"card": "terminal", "output": output, "signal": killed_by[1]}
    exit_code = EXIT_CODE.search(output)
    return {
        "card": "terminal",
        "output": output,
        "exit_code": int(exit_code[1]) if exit_code else 0,
    }


def only_text(result: ToolResult) -> str | None:
    match result["content"]:
        case [{"type": "text", "text": str(text)}]:
            return text
    return None


def console_block(text: str) -> TextBlock:
    fence = "```"
    while fence in text:
        fence += "`"
    body = text.rstrip("\n")
    return {"type": "text", "text": f"{fence}console\n{body}\n{fence}"}


# --- bash_output and bash_kill ------------------------------------------------------------

TASK = schema({
    "task_id": {
        "type": "string",
        "required": True,
        "description": "Task id returned by the bash tool.",
    },
})


class BackgroundTasks:
    """The commands that were started in the background, by task id."""

    def __init__(self) -> None:
        self._commands: dict[str, Command] = {}
        self._numbers = count(1)

    def add(self, command: Command) -> str:
        task_id = f"bash-{next(self._numbers)}"
        self._commands[task_id] = command
        return task_id

    def get(self, task_id: str) -> Command:
        if not task_id:
            raise ValueError('invalid task_id: expected a string, got ""')
        if task_id not in self._commands:
            raise HarnessError(f'unknown background task "{task_id}"', "UNKNOWN_TASK")
        return self._commands[task_id]


def bash_output_tool(tasks: BackgroundTasks) -> ToolDefinition:
    def present_call(args: InferArgs[TASK]) -> ToolCallView:
        return task_call(f"Read output from background task {args['task_id']}", args)

    @define_tool(name="bash_output", parameters=TASK, present_call=present_call)
    def bash_output(args: InferArgs[TASK], execution: ToolExecution) -> str:
        """Read the new output of a background bash task plus its status."""
        command = tasks.get(args["task_id"])
        status = task_status(command)
        return marked(command.take_output() or "(no new output)", [f"[status: {status}]"])

    return bash_output


def task_status(command: Command) -> str:
    code = command.exit_code
    if code is None:
        return "running"
    return f"exit code {code}" if code >= 0 else f"killed by signal {signal_name(-code)}"


def bash_kill_tool(tasks: BackgroundTasks) -> ToolDefinition:
    def present_call(args: InferArgs[TASK]) -> ToolCallView:
        return task_call(f"Kill background task {args['task_id']}", args)

    @define_tool(name="bash_kill", parameters=TASK, present_call=present_call)
    def bash_kill(args: InferArgs[TASK], execution: ToolExecution) -> str:
        """Stop a running background bash task by id."""
        command = tasks.get(args["task_id"])
        if command.exit_code is not None:
            return f"background task {args['task_id']} has already ended"
        command.kill()
        return f"killed background task {args['task_id']}"

    return bash_kill


def task_call(title: str, args: InferArgs[TASK]) -> ToolCallView:
    return {"card": "generic", "title": title, "kind": "execute", "raw_input": args["task_id"]}


# --- read ---------------------------------------------------------------------------------

MOST_LINES: Final = 2000

READ = schema({
    "file_path": {
        "type": "string",
        "required": True,
        "description": "Path to read, resolved by the filesystem backend.",
    },
    "offset": {
        "type": "number",
        "description": "1-based first line to return. Defaults to 1.",
    },
    "limit": {
        "type": "number",
        "description": "Maximum number of lines to return. Defaults to 2000.",
    },
})


def read_tool(workspace: Workspace) -> ToolDefinition:
    @define_tool(name="read", parameters=READ, present_call=read_call)
    def read(args: InferArgs[READ], execution: ToolExecution) -> str:
        """Read a UTF-8 text file, line-numbered."""
        first = positive_integer("offset", args.get("offset", 1))
        limit = positive_integer("limit", args.get("limit", MOST_LINES))
        if limit > MOST_LINES:
            raise ValueError(f"limit must be less than or equal to {MOST_LINES}")
        path = workspace.file(args["file_path"])
        return file_report(path, numbered_window(lines_of(read_text(path)), first, limit))

    return read


def positive_integer(name: str, value: float) -> int:
    if value < 1 or value != int(value):
        raise ValueError(f"{name} must be a positive integer")
    return int(value)


def read_text(path: Path) -> str:
    """The text of a file with its line endings as they are. Raises FsError when there is none."""
    if not path.exists():
        raise FsError(f'file not found: "{path}"', "FS_NOT_FOUND")
    if not path.is_file():
        raise FsError(f'not a file: "{path}"', "FS_NOT_A_FILE")
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        text = None
    except OSError as error:
        raise FsError(f'cannot read "{path}": {error.strerror}', "FS_UNREADABLE") from None
    if text is None or "\0" in text:
        raise FsError(f'not a UTF-8 text file: "{path}"', "FS_BINARY_FILE")
    return text


def lines_of(text: str) -> list[str]:
    """The lines of a text. Only a line feed ends one: a carriage return stays in its line."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def numbered_window(lines: list[str], first: int, limit: int) -> str:
    """Some lines with their numbers, and what is left to read."""
    total, last = len(lines), min(first + limit - 1, len(lines))
    if first > max(total, 1):
        raise FsError(f"offset {first} is behind the last line ({total})", "FS_OFFSET_OUT_OF_RANGE")
    shown = [f"{number}: {lines[number - 1]}" for number in range(first, last + 1)]
    if last == total:
        rest = f"(End of file - total {total} lines)"
    else:
        rest = f"(Showing lines {first}-{last} of {total}. Use offset={last + 1} to continue.)"
    return "\n".join([*shown, "", rest] if shown else [rest])


def file_report(path: Path, content: str) -> str:
    return f"<path>{path}</path>\n<type>file</type>\n<content>\n{content}\n</content>"


def read_call(args: InferArgs[READ]) -> ToolCallView:
    path, first = args["file_path"], args.get("offset", 1)
    title = f"Read {path}"
    if "limit" in args:
        title += f" ({plain_number(first)} - {plain_number(first + args['limit'] - 1)})"
    elif "offset" in args:
        title += f" (from line {plain_number(first)})"
    return {
        "card": "generic",
        "title": title,
        "kind": "read",
        "locations": [{"path": path, "line": int(first)}],
    }


# --- write --------------------------------------------------------------------------------

WRITE = schema({
    "file_path": {
        "type": "string",
        "required": True,
        "description": "Path to write, resolved by the filesystem backend.",
    },
    "content": {
        "type": "string",
        "required": True,
        "description": "Full UTF-8 text content to write.",
    },
})


def write_tool(workspace: Workspace) -> ToolDefinition:
    @define_tool(
        name="write", parameters=WRITE, present_call=write_call, present_result=write_result
    )
    def write(args: InferArgs[WRITE], execution: ToolExecution) -> ToolOutput:
        """Create or fully replace a UTF-8 text file."""
        path = workspace.file(args["file_path"])
        with workspace.changing:
            before = text_before(path)
            write_text(path, args["content"])
        report = file_report(path, "Created file" if before is None else "Updated file")
        return changed(report, args["file_path"], before, args["content"])

    return write


def text_before(path: Path) -> str | None:
    """What a file held, None when there is no file. Of a binary file, nothing can be shown."""
    try:
        return read_text(path)
    except FsError as error:
        if error.code == "FS_BINARY_FILE":
            return ""
        if error.code == "FS_NOT_FOUND":
            return None
        raise


def write_text(path: Path, text: str) -> None:
    """Write a file, with its line endings as they are and the directories it lies in."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    except OSError as error:
        raise FsError(f'cannot write "{path}": {error.strerror}', "FS_UNWRITABLE") from None


def changed(report: str, path: str, before: str | None, after: str) -> ToolOutput:
    """A report with the hunks of the change, for the presenter, when something has changed."""
    output: ToolOutput = {"content": [{"type": "text", "text": report}]}
    diffs = [] if before is None else hunks(path, before, after)
    if diffs:
        output["meta"] = {"diffs": diffs}
    return output


def hunks(path: str, before: str, after: str) -> list[FileDiff]:
    """The stretches of a text that differ, with three lines of context around each."""
    old, new = before.split("\n"), after.split("\n")
    groups = SequenceMatcher(None, old, new).get_grouped_opcodes(3)
    return [
        {
            "path": path,
            "old_text": "\n".join(old[group[0][1] : group[-1][2]]),
            "new_text": "\n".join(new[group[0][3] : group[-1][4]]),
        }
        for group in groups
    ]


def write_call(args: InferArgs[WRITE]) -> ToolCallView:
    path = args["file_path"]
    return {
        "card": "diff",
        "title": f"Write {path}",
        "diffs": [{"path": path, "old_text": None, "new_text": args["content"]}],
        "locations": [{"path": path}],
    }


def write_result(args: InferArgs[WRITE], result: ToolResult) -> ToolResultView | None:
    if result["is_error"]:
        return None
    path = args["file_path"]
    whole: list[FileDiff] = [{"path": path, "old_text": None, "new_text": args["content"]}]
    return {"card": "diff", "title": f"Write {path}", "diffs": recorded_hunks(result) or whole}


def recorded_hunks(result: ToolResult) -> list[FileDiff]:
    """The hunks that `changed` put into a result, none when there are none or it is damaged."""
    match result.get("meta"):
        case {"diffs": [*diffs]}:
            read = [recorded_hunk(diff) for diff in diffs]
            known = [hunk for hunk in read if hunk is not None]
            return known if len(known) == len(read) else []
    return []


def recorded_hunk(diff: object) -> FileDiff | None:
    match diff:
        case {"path": str(path), "old_text": str() | None as old, "new_text": str(new)}:
            return {"path": path, "old_text": old, "new_text": new}
    return None


# --- edit ---------------------------------------------------------------------------------

EDIT = schema({
    "file_path": {
        "type": "string",
        "required": True,
        "description": "Path to edit, resolved by the filesystem backend.",
    },
    "old_string": {
        "type": "string",
        "required": True,
        "description": "Literal text to replace. Must match exactly.",
    },
    "new_string": {
        "type": "string",
        "required": True,
        "description": "Literal replacement text. Use an empty string to delete the match.",
    },
    "replace_all": {
        "type": "boolean",
        "description": "Replace all matches. Defaults to false; when false, old_string must "
        "appear exactly once.",
    },
})


def edit_tool(workspace: Workspace) -> ToolDefinition:
    @define_tool(
        name="edit", parameters=EDIT, present_call=edit_call, present_result=edit_result
    )
    def edit(args: InferArgs[EDIT], execution: ToolExecution) -> ToolOutput:
        """Replace literal text in an existing UTF-8 text file."""
        path = workspace.file(args["file_path"])
        if not args["old_string"]:
            raise ValueError("old_string must be a non-empty string")
        with workspace.changing:
            before = read_text(path)
            require_match(path, before, args)
            after = before.replace(args["old_string"], args["new_string"])
            write_text(path, after)
        report = f"The file {args['file_path']} has been updated successfully."
        return changed(report, args["file_path"], before, after)

    return edit


def require_match(path: Path, text: str, args: InferArgs[EDIT]) -> None:
    matches = text.count(args["old_string"])
    if matches == 0:
        raise FsError(f'old_string was not found in "{path}"', "FS_EDIT_NOT_FOUND")
    if matches > 1 and not args.get("replace_all"):
        raise FsError(
            f'old_string matched {matches} times in "{path}"; provide a more specific old_string '
            "or set replace_all to true",
            "FS_AMBIGUOUS_EDIT",
        )


def edit_call(args: InferArgs[EDIT]) -> ToolCallView:
    path, old = args["file_path"], args["old_string"]
    return {
        "card": "diff",
        "title": f"Edit {path}",
        "diffs": [{"path": path, "old_text": old or None, "new_text": args["new_string"]}],
        "locations": [{"path": path}],
    }


def edit_result(args: InferArgs[EDIT], result: ToolResult) -> ToolResultView | None:
    diffs = recorded_hunks(result)
    if result["is_error"] or not diffs:
        return None
    return {"card": "diff", "title": f"Edit {args['file_path']}", "diffs": diffs}


# --- grep ---------------------------------------------------------------------------------

MOST_MATCHES: Final = 100

GREP = schema({
    "pattern": {
        "type": "string",
        "required": True,
        "description": "Regular expression (Python's syntax) to look for in each line.",
    },
    "path": {
        "type": "string",
        "description": "File or directory to search. Defaults to the session workspace.",
    },
    "glob": {
        "type": "string",
        "description": "Search only files with such a name, for example *.py.",
    },
    "show": {
        "type": "string",
        "enum": ["lines", "files"],
        "default": "lines",
        "description": "Every line that matches, or only the files that have one.",
    },
    "limit": {
        "type": "integer",
        "default": MOST_MATCHES,
        "description": "Maximum number of lines or files to return.",
    },
})


def grep_tool(workspace: Workspace) -> ToolDefinition:
    @define_tool(name="grep", parameters=GREP, present_call=grep_call)
    def grep(args: InferArgs[GREP], execution: ToolExecution) -> str:
        """Search text files below a directory, hidden ones left out, for a regular expression."""
        limit = positive_integer("limit", args.get("limit", MOST_MATCHES))
        matches = list(islice(grep_matches(workspace, args, execution.get("signal")), limit + 1))
        if len(matches) > limit:
            matches[limit:] = [f"(There is more than these {limit}: raise limit or narrow down.)"]
        return "\n".join(matches) or "No matches."

    return grep


def grep_matches(
    workspace: Workspace, args: InferArgs[GREP], signal: CancelSignal | None
) -> Iterator[str]:
    """What there is to show, file by file."""
    try:
        pattern = re.compile(args["pattern"])
    except re.error as error:
        raise ValueError(f"invalid pattern: {error}") from None
    for path in files_below(workspace.path(args.get("path", ".")), args.get("glob", "*")):
        if signal is not None and signal.is_set():
            raise HarnessError("search aborted", "ABORTED")
        name, lines = workspace.shown(path), matching_lines(path, pattern)
        if args.get("show") == "files":
            yield from (name for _ in islice(lines, 1))
        else:
            yield from (f"{name}:{line}" for line in lines)


def files_below(start: Path, glob: str) -> Iterator[Path]:
    """The files of a directory in order, those of hidden directories left out; or the one file."""
    if start.is_file():
        yield start
    elif not start.exists():
        raise FsError(f'file not found: "{start}"', "FS_NOT_FOUND")
    for directory, directories, names in os.walk(start):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        for name in sorted(names):
            if fnmatch(name, glob) and not name.startswith("."):
                yield Path(directory, name)


def matching_lines(path: Path, pattern: re.Pattern[str]) -> Iterator[str]:
    """`NUMBER: LINE` for each line that matches; none of a file that is no text."""
    with suppress(FsError):
        for number, line in enumerate(lines_of(read_text(path)), start=1):
            line = line.removesuffix("\r")
            if pattern.search(line):
                yield f"{number}: {line}"


def grep_call(args: InferArgs[GREP]) -> ToolCallView:
    title = f"Search for {args['pattern']}"
    if "path" in args:
        title += f" in {args['path']}"
    return {"card": "generic", "title": title, "kind": "search", "raw_input": args["pattern"]}


# --- todo_write ---------------------------------------------------------------------------

TODO_WRITE = schema({
    "todos": {
        "type": "array",
        "required": True,
        "description": "The COMPLETE task list, replacing any previous list.",
        "items": {
            "type": "object",
            "properties": {
                "content": {
                    "type": "string",
                    "required": True,
                    "description": "What the task is — a short imperative line.",
                },
                "status": {
                    "type": "string",
                    "required": True,
                    "description": "pending (not started) | in_progress (now) | "
                    "completed (done).",
                    "enum": ["pending", "in_progress", "completed"],
                },
            },
        },
    },
})


class Todo(TypedDict):
    content: str
    status: Literal["pending", "in_progress", "completed"]


def todo_write_tool(on_todos: Callable[[list[Todo]], object] | None) -> ToolDefinition:
    @define_tool(name="todo_write", parameters=TODO_WRITE, present_call=todo_call)
    def todo_write(args: InferArgs[TODO_WRITE], execution: ToolExecution) -> str:
        """Replace the whole task list."""
        todos = distinct_todos(args["todos"])
        if on_todos is not None:
            on_todos(todos)
        tally = Counter(todo["status"] for todo in todos)
        return (
            f"Updated todo list: {tally['pending']} pending, "
            f"{tally['in_progress']} in progress, {tally['completed']} completed."
        )

    return todo_write


def distinct_todos(given: list[Todo]) -> list[Todo]:
    """The tasks, without space around their content. Raises ValueError for a task twice."""
    todos: dict[str, Todo] = {}
    for todo in given:
        content = todo["content"].strip()
        if not content:
            raise ValueError("invalid todos: content must be a non-empty string")
        if content in todos:
            raise ValueError(f'invalid todos: duplicate content "{content}"')
        todos[content] = {"content": content, "status": todo["status"]}
    return list(todos.values())


def todo_call(args: InferArgs[TODO_WRITE]) -> ToolCallView:
    return {
        "card": "generic",
        "title": "Update todo list",
        "kind": "other",
        "raw_input": args["todos"],
    }


# --- running commands ---------------------------------------------------------------------

MOST_OUTPUT: Final = 30_000  # bytes between two readings; of more, the middle is left out
HEAD: Final = MOST_OUTPUT // 2


class Command:
    """A command in a shell and a process group of its own, and what it has printed."""

    def __init__(self, command: str, directory: Path) -> None:
        self._process = Popen(
            ["bash", "-c", command],
            cwd=directory,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            start_new_session=True,
        )
        self._unread = bytearray()
        self._left_out = 0
        self._lock = Lock()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._reader = Thread(target=self._collect, daemon=True)
        self._reader.start()
        finalize(self, kill_group, self._process)  # no command outlives the host

    @property
    def exit_code(self) -> int | None:
        """Minus the signal's number when one killed it, None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float, signal: CancelSignal | None) -> bool:
        """Whether it ends in time. Raises HarnessError when nobody wants the call any more."""
        deadline = monotonic() + seconds
        while self.exit_code is None:
            if signal is not None and signal.is_set():
                raise HarnessError("command aborted", "ABORTED")
            if monotonic() >= deadline:
                return False
            sleep(0.01)
        return True

    def kill(self) -> None:
        """End it, if it has not ended, with all that it started."""
        kill_group(self._process)

    def take_output(self) -> str:
        """What it has printed since this was asked last."""
        if self.exit_code is not None:
            self._reader.join(0.2)  # not for ever: what it left running may hold on to the pipe
        with self._lock:
            printed = bytes(self._unread)
            if self._left_out:
                note = f"\n[… {self._left_out} bytes left out …]\n".encode()
                printed = printed[:HEAD] + note + printed[HEAD:]
            self._unread.clear()
            self._left_out = 0
            return self._decoder.decode(printed, final=not self._reader.is_alive())

    def _collect(self) -> None:
        assert self._process.stdout is not None  # it is a PIPE
        with self._process.stdout as pipe:
            while chunk := os.read(pipe.fileno(), 65_536):
                with self._lock:
                    self._unread += chunk
                    surplus = max(0, len(self._unread) - MOST_OUTPUT)
                    self._left_out += surplus
                    del self._unread[HEAD : HEAD + surplus]
        self._process.wait()


def kill_group(process: Popen[bytes]) -> None:
    """SIGTERM to a process that runs and all it has started; SIGKILL to what is left of them when
    it has ended, or after a second."""
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, SIGTERM)
        with suppress(TimeoutExpired):
            process.wait(1)
        os.killpg(process.pid, SIGKILL)
    process.wait()


def signal_name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:  # most real-time signals have no name
        return f"SIG{number}"
