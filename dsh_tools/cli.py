"""The commands: `python -m dsh_tools COMMAND`. Arguments, files and printing only."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from importlib import import_module
from json import loads
from pathlib import Path
from re import sub
from typing import Final, NamedTuple, TypeAlias

from .typed_source import stub_source, tools_of_listing, tools_of_module

OK: Final = 0
STALE: Final = 1
FAILED: Final = 2

Stub: TypeAlias = tuple[str, str]
"""A stub-only module: the name of its file and its text."""


class CommandError(Exception):
    """A command cannot do what it was asked for; the message says why."""


class Command(NamedTuple):
    """One command: what it does in a line, its arguments, and what it runs to its exit code."""

    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments, by default those of the process, ask for. Returns the
    exit code: 0 for success, 1 for what a `--check` found, 2 for what cannot be done."""
    parser = ArgumentParser(prog=f"python -m {__package__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=command.help, description=command.help)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    options = parser.parse_args(arguments)
    try:
        exit_code: int = options.run(options)
    except CommandError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return FAILED
    return exit_code


# --- stubs --------------------------------------------------------------------------------


def _stubs_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="a module with specs or tools")
    parser.add_argument(
        "--json-schema",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a list of tools with JSON Schemas, such as an MCP server's answer to tools/list",
    )
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="write nothing, show what is stale")


def _stubs(options: Namespace) -> int:
    if not options.modules and not options.json_schema:
        raise CommandError("name a MODULE or a --json-schema FILE")
    stubs = [*_stubs_of_modules(options.modules), *map(_stub_of_file, options.json_schema)]
    _require_distinct([name for name, _ in stubs])
    stale = [stub for stub in stubs if _on_disk(options.output, stub) != stub[1]]
    if options.check:
        sys.stdout.writelines(line for stub in stale for line in _diff(options.output, stub))
        return STALE if stale else OK
    for stub in stale:
        _write(options.output, stub)
    return OK


def _stubs_of_modules(names: Iterable[str]) -> Iterator[Stub]:
    """The stub of `app.tools` is the module `app_tools_args`: wherever it stands on a search path,
    it hides no other."""
    for name in names:
        tools = list(tools_of_module(_global_names(name)))
        if tools:
            yield f"{name.replace('.', '_')}_args.pyi", stub_source(name, tools)
        else:
            print(f"{name} holds neither a spec nor a tool", file=sys.stderr)


def _global_names(module: str) -> Mapping[str, object]:
    try:
        return vars(import_module(module))
    except ImportError as error:
        raise CommandError(f"cannot import {module}: {error}") from None


def _stub_of_file(path: Path) -> Stub:
    try:
        tools = list(tools_of_listing(loads(path.read_text("utf-8"))))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}") from None
    name = sub(r"\W", "_", path.stem)
    return f"{name}_args.pyi", stub_source(path.name, tools)


def _require_distinct(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise CommandError(f"two of the stubs would be {name}")


def _on_disk(folder: Path, stub: Stub) -> str | None:
    """The text that a stub has now, None when there is no such file."""
    path = folder / stub[0]
    return path.read_text("utf-8", "replace") if path.is_file() else None


def _diff(folder: Path, stub: Stub) -> Iterator[str]:
    name, text = stub
    now = (_on_disk(folder, stub) or "").splitlines(keepends=True)
    path = str(folder / name)
    return unified_diff(now, text.splitlines(keepends=True), path, f"{path}, if written now")


def _write(folder: Path, stub: Stub) -> None:
    name, text = stub
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8", newline="\n")
    print(f"wrote {folder / name}")


COMMANDS: Final = {
    "stubs": Command(
        "write the types of tools' arguments as stub files, for type checkers without a plugin",
        _stubs_arguments,
        _stubs,
    ),
}
