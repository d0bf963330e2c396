# Written by `dsh_tools stubs` from tests.examples.coding_tools: do not edit.

from typing import Literal, NotRequired, TypedDict


class BashArgs(TypedDict):
    #: The bash command to execute.
    command: str
    #: Clear, concise description of what this command does in active voice, 5-10 words (shown in
    #: the UI). Examples: "ls" → "List files in current directory"; "git status" → "Show working
    #: tree status"; "npm install" → "Install package dependencies".
    description: str
    #: Timeout in milliseconds. The executor applies its configured default and cap, and kills the
    #: command on expiry.
    timeoutMs: NotRequired[float]
    #: Working directory for this command. Defaults to the session workspace; a relative path is
    #: resolved against it.
    workdir: NotRequired[str]
    #: Run in the background and return a task id immediately. No timeout applies.
    run_in_background: NotRequired[bool]


class TaskArgs(TypedDict):
    #: Task id returned by the bash tool.
    task_id: str


class ReadArgs(TypedDict):
    #: Path to read, resolved by the filesystem backend.
    file_path: str
    #: 1-based first line to return. Defaults to 1.
    offset: NotRequired[float]
    #: Maximum number of lines to return. Defaults to 2000.
    limit: NotRequired[float]


class WriteArgs(TypedDict):
    #: Path to write, resolved by the filesystem backend.
    file_path: str
    #: Full UTF-8 text content to write.
    content: str


class EditArgs(TypedDict):
    #: Path to edit, resolved by the filesystem backend.
    file_path: str
    #: Literal text to replace. Must match exactly.
    old_string: str
    #: Literal replacement text. Use an empty string to delete the match.
    new_string: str
    #: Replace all matches. Defaults to false; when false, old_string must appear exactly once.
    replace_all: NotRequired[bool]


class GrepArgs(TypedDict):
    #: Regular expression (Python's syntax) to look for in each line.
    pattern: str
    #: File or directory to search. Defaults to the session workspace.
    path: NotRequired[str]
    #: Search only files with such a name, for example *.py.
    glob: NotRequired[str]
    #: Every line that matches, or only the files that have one.
    show: NotRequired[Literal["lines", "files"]]
    #: Maximum number of lines or files to return.
    limit: NotRequired[int]


class TodoWriteArgsTodos(TypedDict):
    #: What the task is — a short imperative line.
    content: str
    #: pending (not started) | in_progress (now) | completed (done).
    status: Literal["pending", "in_progress", "completed"]


class TodoWriteArgs(TypedDict):
    #: The COMPLETE task list, replacing any previous list.
    todos: list[TodoWriteArgsTodos]
