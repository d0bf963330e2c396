"""A model works with the coding tools: `make demo`.

The model's side is a recording. Everything else is real: the arguments arrive as text, the
registry checks them and runs the tools in a temporary directory, the host has its rules, and
each call is shown as its card.
"""

import re
import sys
from collections.abc import Callable, Iterator
from json import dumps, loads
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeVar

from dsh_tools import (
    ContentBlock,
    PostToolDecision,
    PreToolDecision,
    ToolExecution,
    ToolExecutionResult,
    ToolRegistry,
    parse_arguments,
)
from dsh_tools.adapters.terminal import Terminal, outcome_line, render_call, render_result, terminal_of

from .coding_tools import coding_tools

Data = TypeVar("Data")

FILES: Final = {
    "calc.py": "def add(a, b):\n    return a - b\n",
    "settings.ini": "[api]\nkey = sk-4f9a1c\n",
}


class Turn(NamedTuple):
    """One call of the recorded model."""

    lesson: str
    tool: str
    arguments: str  # the text as the model wrote it


CONVERSATION: Final = [
    Turn(
        "A valid call runs.",
        "read",
        '{"file_path": "calc.py"}',
    ),
    Turn(
        "Text that is no JSON is refused, and the model reads why.",
        "edit",
        '{"file_path": "calc.py", "old_string": "a - b", "new_string": "a + b"',
    ),
    Turn(
        "So is JSON that does not fit the schema, with every fault at once.",
        "edit",
        '{"file_path": "calc.py", "oldString": "a - b", "new_string": null}',
    ),
    Turn(
        "The model mends its call. The card shows what has changed.",
        "edit",
        '{"file_path": "calc.py", "old_string": "a - b", "new_string": "a + b"}',
    ),
    Turn(
        "A listener wants the user to be asked, who agrees.",
        "write",
        '{"file_path": "test_calc.py", '
        '"content": "from calc import add\\nassert add(2, 2) == 4\\n"}',
    ),
    Turn(
        "A command is a terminal.",
        "bash",
        '{"command": "python3 test_calc.py && echo passed", "description": "Run the test"}',
    ),
    Turn(
        "A guard denies, and no listener can overrule it.",
        "bash",
        '{"command": "rm -r .", "description": "Tidy up"}',
    ),
    Turn(
        "A listener redacts what no model should read.",
        "grep",
        '{"pattern": "key", "glob": "*.ini"}',
    ),
    Turn(
        "A tool that does not exist is an answer too: no turn is lost.",
        "git_commit",
        '{"message": "Fix add"}',
    ),
]


def main(write: Callable[[str], object] = print) -> None:
    """Run the conversation and show it, a text of one or more lines at a time."""
    terminal = terminal_of(sys.stdout)
    with TemporaryDirectory() as directory:
        for name, text in FILES.items():
            Path(directory, name).write_text(text)
        registry = demo_registry(directory, write)
        offered = ", ".join(schema["name"] for schema in registry.schemas())
        write(f"A host offers a model {offered}.")
        for number, turn in enumerate(CONVERSATION, start=1):
            write(f"\n{number}. {turn.lesson}")
            for text in answered(registry, turn, terminal, directory):
                write(text)


def answered(
    registry: ToolRegistry, turn: Turn, terminal: Terminal, directory: str
) -> Iterator[str]:
    """The cards of a turn, which runs once the first is shown, and what became of it."""
    execution: ToolExecution = {
        "call_id": "call-1",
        "name": turn.tool,
        "arguments": parse_arguments(turn.arguments),
    }
    yield render_call(inside(directory, registry.present_call(execution)), **terminal)
    result = registry.execute(execution)
    view = inside(directory, registry.present_result(execution, result))
    yield render_result(view, content=inside(directory, result["content"]), **terminal)
    yield outcome_line(result, color=terminal["color"])


def inside(directory: str, data: Data) -> Data:
    """Data with the paths in it relative to the directory, whose name is long and always new."""
    relative: Data = loads(dumps(data).replace(f"{directory}/", ""))
    return relative


# --- the rules of the host ----------------------------------------------------------------


def demo_registry(directory: str, write: Callable[[str], object]) -> ToolRegistry:
    def approve(execution: ToolExecution, reason: str | None) -> bool:
        write(f"{reason} yes")
        return True

    registry = ToolRegistry(approve=approve)
    for tool in coding_tools(directory):
        registry.register(tool)
    registry.on_pre_execute(ask_before_writing)
    registry.guard(nothing_is_deleted)
    registry.on_post_execute(redact_keys)
    return registry


def ask_before_writing(
    execution: ToolExecution, next: Callable[[], PreToolDecision]
) -> PreToolDecision:
    if execution["name"] == "write":
        return {"kind": "ask", "reason": "May the model write a file?"}
    return next()


def nothing_is_deleted(execution: ToolExecution) -> str | None:
    match execution["arguments"]:
        case {"command": str(command)} if re.search(r"\brm\b", command):
            return "commands that delete are not allowed here"
    return None


def redact_keys(
    execution: ToolExecution, result: ToolExecutionResult, next: Callable[[], PostToolDecision]
) -> PostToolDecision:
    decision = next()
    if decision["kind"] == "block":
        return decision
    content = decision.get("content", result["content"])
    return {**decision, "content": [redacted(block) for block in content]}


def redacted(block: ContentBlock) -> ContentBlock:
    if block["type"] != "text":
        return block
    return {"type": "text", "text": re.sub(r"\bsk-\w+", "[redacted]", block["text"])}


if __name__ == "__main__":
    main()
