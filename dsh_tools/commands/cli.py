"""The commands: `python -m dsh_tools COMMAND`. Arguments, files and printing only."""

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from difflib import unified_diff
from json import dumps, loads
from logging import Formatter, LogRecord, StreamHandler, getLogger
from pathlib import Path
from re import sub
from typing import Final, NamedTuple, NoReturn, TypeAlias

from .. import __version__
from ..adapters.terminal import harmless, outcome_line, render_call, render_result, terminal_of
from ..calls.registry import ToolRegistry
from ..errors import HarnessError, SchemaError
from ..json_values import parse_arguments
from ..schema.typed_source import stub_source, tools_of_listing, tools_of_module
from ..vocabulary import ToolExecution, ToolExecutionResult, ToolSchema
from .providers import FORMATS, PROVIDERS, ToolFault, in_format, refusals
from .targets import FoundTool, did_you_mean, error_line, found_tools, module_of, sent_together
from .vendoring import check_copy, edits_of, vendor

PROGRAM: Final = f"python -m {__package__.rpartition('.')[0]}"

OK: Final = 0
FOUND: Final = 1
FAILED: Final = 2
INTERRUPTED: Final = 130
UNREAD: Final = 141

RENAME: Final = "name one of these places, or give the tools names of their own"

EPILOG: Final = """\
exit codes:
  0    done, and nothing to complain of
  1    there is something: a fault that check found, an error that the called
       tool gave, a stub or a copy that --check found to differ
  2    it cannot be done; stderr says why, in a line
  130  interrupted from the keyboard
  141  nobody read the output to its end
"""

Stub: TypeAlias = tuple[str, str]
"""A stub-only module: the name of its file and its text."""


class CommandError(Exception):
    """A command cannot do what it was asked for; the message says why."""


class Command(NamedTuple):
    """One command: what it does in a line, examples of its arguments, its arguments, and what it
    runs to its exit code."""

    help: str
    examples: Sequence[str]
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


class _Parser(ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        _complain(f"{message} ({self.prog} --help says more)")
        sys.exit(FAILED)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments, by default those of the process, ask for. Returns the
    exit code, of which `--help` tells; exits where argparse does, for `--help` say."""
    try:
        return _run(arguments)
    except (CommandError, HarnessError) as error:
        _complain(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the last flush
        return UNREAD
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return FAILED


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
        with _one_line_log():
            exit_code: int = options.run(options)
        return exit_code
    finally:
        sys.stdout.flush()  # here it may still be found that nobody reads


def _parser() -> ArgumentParser:
    parser = _Parser(
        prog=PROGRAM,
        description="Look at tools, call them, and copy the package into a project.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dsh_tools {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        examples = "".join(f"\n  {PROGRAM} {name} {example}" for example in command.examples)
        subparser = commands.add_parser(
            name,
            help=command.help,
            description=command.help,
            epilog=f"examples:{examples}\n\n{EPILOG}",
            formatter_class=RawDescriptionHelpFormatter,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


# --- printing -----------------------------------------------------------------------------


def _complain(text: str) -> None:
    print(f"{PROGRAM}: {harmless(' '.join(text.split()))}", file=sys.stderr)


def _print_json(value: object) -> None:
    print(dumps(value, indent=2, ensure_ascii=False))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


class _OneLine(Formatter):
    """A record of the package's log as a line: what went wrong in the code of others, and where."""

    def format(self, record: LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        where = f": {error_line(error)}" if error else ""
        return f"{PROGRAM}: {harmless(record.getMessage() + where)}"


@contextmanager
def _one_line_log() -> Iterator[None]:
    logger, handler = getLogger("dsh_tools"), StreamHandler()
    handler.setFormatter(_OneLine())
    propagate, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate


@contextmanager
def _others_print_to_stderr() -> Iterator[None]:
    """While code of others runs, what it prints, and what the programs it starts print, goes to
    stderr: stdout is the command's own. An exit of the process that it asks for is a complaint."""
    sys.stdout.flush()
    own = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    except SystemExit as error:
        raise CommandError(f"what was called wants to exit: {error_line(error)}") from None
    finally:
        os.dup2(own, 1)
        os.close(own)


# --- targets ------------------------------------------------------------------------------


def _add_target(parser: ArgumentParser) -> None:
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="where the tools are: app.tools, app.tools:registry or app/tools.py; definitions, "
        "lists of them and registries are found",
    )


def _found(target: str) -> list[FoundTool]:
    with _others_print_to_stderr():
        return found_tools(target)


def _schema_of(found: FoundTool) -> ToolSchema:
    """What a model is told of a tool. Raises SchemaError when it is not well formed."""
    registry = ToolRegistry()
    registry.register(found.definition)
    return registry.schemas()[0]


def _twins(found: Iterable[FoundTool]) -> Iterator[str]:
    """A text for each name that several tools have."""
    by_name: dict[str, list[FoundTool]] = {}
    for each in _distinct(found):
        by_name.setdefault(str(each.definition["name"]), []).append(each)
    yield from (_several(tools) for tools in by_name.values() if len(tools) > 1)


def _several(tools: Sequence[FoundTool]) -> str:
    places = ", ".join(dict.fromkeys(each.where for each in tools))
    return f'there are {len(tools)} tools "{tools[0].definition["name"]}", in {places}'


def _distinct(found: Iterable[FoundTool]) -> Iterable[FoundTool]:
    """One of each definition: a tool may be in several registries."""
    return {id(each.definition): each for each in found}.values()


# --- schemas ------------------------------------------------------------------------------


def _schemas_arguments(parser: ArgumentParser) -> None:
    _add_target(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="dsh",
        help="of whose requests (responses is OpenAI's Responses API); dsh, what the registry "
        "gives, unless said",
    )


def _schemas(options: Namespace) -> int:
    found = _found(options.target)
    for twins in _twins(found):
        raise CommandError(f"{twins}: {RENAME}")
    _print_json(in_format(options.format, map(_schema_of, _distinct(found))))
    return OK


# --- check --------------------------------------------------------------------------------


def _check_arguments(parser: ArgumentParser) -> None:
    _add_target(parser)
    parser.add_argument(
        "--provider",
        action="append",
        choices=PROVIDERS,
        help="whose rules to check, several times if need be; those of all, unless said",
    )
    parser.add_argument("--json", action="store_true", help="print tools and faults as JSON")


def _check(options: Namespace) -> int:
    found, faults = _definition_faults(options.target)
    names = [str(each.definition["name"]) for each in _distinct(found)]
    sound = [each for each in found if not _faults_of(each)]
    for group in sent_together(sound):
        faults += ({"text": text} for text in _twins(group))
        faults += refusals([*map(_schema_of, group)], options.provider or PROVIDERS)
    faults = [*{str(fault): fault for fault in faults}.values()]  # each once
    if options.json:
        _print_json({"tools": names, "faults": faults})
    else:
        print(*map(_fault_line, faults), sep="\n", end="\n" if faults else "")
        print(f"{_counted(len(names), 'tool')}, {_counted(len(faults), 'fault')}")
    return FOUND if faults else OK


def _definition_faults(target: str) -> tuple[list[FoundTool], list[ToolFault]]:
    """The tools and the faults of their definitions; when a definition does not let the module be
    imported, its faults alone."""
    try:
        found = _found(target)
    except HarnessError as error:
        faults = _faults_in(error.__cause__)
        if not faults:
            raise
        return [], faults
    return found, [fault for each in found for fault in _faults_of(each)]


def _faults_of(tool: FoundTool) -> list[ToolFault]:
    try:
        _schema_of(tool)
    except SchemaError as error:
        return _faults_in(error)
    return []


def _faults_in(error: object) -> list[ToolFault]:
    """The faults that a SchemaError tells of, maybe of another copy of this package."""
    if getattr(error, "code", None) != "INVALID_SCHEMA":
        return []
    name: object = getattr(error, "tool_name", None)
    tool: ToolFault = {"text": ""} if name is None else {"tool": str(name), "text": ""}
    return [{**tool, "text": str(text)} for text in getattr(error, "violations", [])]


def _fault_line(fault: ToolFault) -> str:
    path = f'"{fault["path"]}"' if "path" in fault else None
    providers = f" [{', '.join(fault['providers'])}]" if "providers" in fault else ""
    where = (text for text in (fault.get("tool"), path, fault["text"]) if text)
    return harmless(": ".join(where) + providers)


# --- call ---------------------------------------------------------------------------------


def _call_arguments(parser: ArgumentParser) -> None:
    _add_target(parser)
    parser.add_argument("tool", metavar="TOOL", help="its name")
    parser.add_argument(
        "arguments",
        metavar="ARGUMENTS",
        nargs="?",
        default="{}",
        help="JSON as a model would write it, - to read it from stdin; {} unless said",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON, no cards")


def _call(options: Namespace) -> int:
    registry = _registry_with(options.tool, options.target)
    execution: ToolExecution = {
        "call_id": "call-1",
        "name": options.tool,
        "arguments": parse_arguments(_argument_text(options.arguments)),
    }
    if options.json:
        with _others_print_to_stderr():
            result = registry.execute(execution)
        _print_json(_without_meta(result))
    else:
        result = _call_in_cards(registry, execution)
    return FOUND if result["is_error"] else OK


def _registry_with(name: str, target: str) -> ToolRegistry:
    """The registry that holds the tool, one of its own for a tool that is in none."""
    found = _found(target)
    choice = [each for each in found if each.definition["name"] == name]
    if not choice:
        hint = did_you_mean(name, (str(each.definition["name"]) for each in found))
        names = ", ".join(sorted({str(each.definition["name"]) for each in found}))
        raise CommandError(f'{target} has no tool "{name}"{hint or f", but {names}"}')
    if len(choice) > 1:
        raise CommandError(f"{_several(choice)}: {RENAME}")
    if choice[0].registry is not None:
        return choice[0].registry
    registry = ToolRegistry()
    registry.register(choice[0].definition)
    return registry


def _argument_text(given: str) -> str:
    if given != "-":
        return given
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise CommandError("what came on stdin is no UTF-8") from None


def _call_in_cards(registry: ToolRegistry, execution: ToolExecution) -> ToolExecutionResult:
    terminal = terminal_of(sys.stdout)
    with _others_print_to_stderr():
        asked = registry.present_call(execution)
    print(render_call(asked, **terminal))
    with _others_print_to_stderr():
        result = registry.execute(execution)
        came = registry.present_result(execution, result)
    shown = [render_result(came, content=result["content"], **terminal)]
    if "additional_context" in result:
        content = result["additional_context"]["content"]
        shown.append(render_result({"card": "generic", "content": content}, **terminal))
    print(*filter(None, shown), outcome_line(result, color=terminal["color"]), sep="\n")
    return result


def _without_meta(result: ToolExecutionResult) -> dict[str, object]:
    """What of a result is JSON: its `meta` is whatever the tool likes."""
    return {key: value for key, value in result.items() if key != "meta"}


# --- vendor -------------------------------------------------------------------------------


def _vendor_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "destination",
        metavar="DEST",
        type=Path,
        help="the folder that becomes the package: host/_vendor/dsh_tools",
    )
    parser.add_argument(
        "--force", action="store_true", help="replace a copy that was edited; the edits are lost"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing, say whether the copy is clean, edited or of another version",
    )


def _vendor(options: Namespace) -> int:
    copy: Path = options.destination
    if options.check:
        return _check_copy(copy)
    vendor(copy, version=__version__, force=options.force)
    print(f"{copy} is now dsh_tools {__version__}. In mypy's configuration:")
    print(*_mypy_configuration(copy), sep="\n")
    return OK


def _check_copy(copy: Path) -> int:
    report = check_copy(copy, version=__version__)
    ours = "made from other files" if report["version"] == __version__ else f"this is {__version__}"
    about = f", {ours}" if report["state"] == "other version" else ""
    print(f"{copy}: {report['state']} (dsh_tools {report['version']}{about})")
    print("".join(f"{edit}\n" for edit in edits_of(report)), end="")
    return OK if report["state"] == "clean" else FOUND


def _mypy_configuration(copy: Path) -> tuple[str, str]:
    """Two lines for mypy's configuration, in the form of the file that the project has."""
    project, plugin = _project_of(copy.resolve()), copy.resolve() / "mypy_plugin" / "entry.py"
    entry = (plugin if project is None else plugin.relative_to(project)).as_posix()
    if project is None:
        return "[mypy]", f"plugins = {entry}"
    if (project / "pyproject.toml").is_file() and not (project / "mypy.ini").is_file():
        return "[tool.mypy]", f"plugins = [{dumps(entry)}]"
    return "[mypy]", f"plugins = {entry}"


def _project_of(copy: Path) -> Path | None:
    """The folder that mypy is configured in: this one for a copy inside, otherwise the next above
    the copy that looks like a project, None when none does."""
    if copy.is_relative_to(Path.cwd()):
        return Path.cwd()
    marks = ("mypy.ini", "pyproject.toml", "setup.cfg", ".git")
    folders = (folder for folder in copy.parents if any((folder / mark).exists() for mark in marks))
    return next(folders, None)


# --- stubs --------------------------------------------------------------------------------


def _stubs_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="app.tools or app/tools.py")
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
        return FOUND if stale else OK
    for stub in stale:
        _write(options.output, stub)
    return OK


def _stubs_of_modules(names: Iterable[str]) -> Iterator[Stub]:
    """The stub of `app.tools` is the module `app_tools_args`: wherever it stands on a search path,
    it hides no other."""
    for name in names:
        with _others_print_to_stderr():
            module = module_of(name)
        tools = list(tools_of_module(vars(module)))
        if tools:
            yield _stub_name(module.__name__), stub_source(module.__name__, tools)
        else:
            print(f"{name} holds neither a spec nor a tool", file=sys.stderr)


def _stub_of_file(path: Path) -> Stub:
    try:
        tools = list(tools_of_listing(loads(path.read_text("utf-8"))))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}") from None
    return _stub_name(path.stem), stub_source(path.name, tools)


def _stub_name(origin: str) -> str:
    return sub(r"\W", "_", origin) + "_args.pyi"


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
    "schemas": Command(
        "print what a model is told of the tools, as JSON for a provider's request",
        ["app.tools", "app.tools:registry --format anthropic", "app/tools.py | jq '.[].name'"],
        _schemas_arguments,
        _schemas,
    ),
    "check": Command(
        "look for faults in tools, and for what providers are known to refuse",
        ["app.tools", "app.tools:registry --provider openai --provider gemini", "tools.py --json"],
        _check_arguments,
        _check,
    ),
    "call": Command(
        "call a tool as a model would, and show the cards of the call and its result",
        [
            """app.tools weather '{"city": "Oslo"}'""",
            "app.tools:registry weather - < arguments.json",
            "tools.py weather --json | jq -r '.content[].text'",
        ],
        _call_arguments,
        _call,
    ),
    "stubs": Command(
        "write the types of tools' arguments as stub files, for type checkers without a plugin",
        ["app.tools -o stubs", "app.tools -o stubs --check", "--json-schema server.json -o stubs"],
        _stubs_arguments,
        _stubs,
    ),
    "vendor": Command(
        "copy the package, with licence and manifest, into a project",
        ["host/_vendor/dsh_tools", "host/_vendor/dsh_tools --check"],
        _vendor_arguments,
        _vendor,
    ),
}
