"""Walks a small project through edits and compares what a warm cache, the daemon and parallel
workers say after each with what a cold run says.

`python -m tests.typing.drive [--modes warm,daemon,workers] [--options=...]` uses the mypy of the
interpreter it runs in, and exits with 1 when any state differs.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
CONFIG: Final = f"""
[mypy]
strict = true
plugins = {ROOT}/dsh_tools/mypy_plugin/entry.py
mypy_path = {ROOT}
"""

# Two things are left out, since mypy by itself, with hand-written TypedDicts, does not do them:
# its caches keep the keys of a TypedDict in alphabetical order only, and the daemon forgets an
# error in a lambda at the top level of a module when another module changes.
FILES: Final = {
    "words.py": """
from typing import Literal
Mode = Literal["r", "w"]
""",
    "base.py": """
from dsh_tools import prop, schema
COMMON = schema({"about": {"type": "boolean"}, "depth": {"type": "integer", "required": True}})
SERVER = prop({"type": "object", "properties": {"host": {"type": "string", "required": True}}})
SINCE = prop({"type": ["string", "null"], "required": True})
EDIT = prop({"anyOf": [
    {"type": "object", "properties": {"kind": {"const": "a", "required": True}}},
    {"type": "object", "additionalProperties": {"type": "string"}},
]})
LONG = schema({"type": "object", "properties": {"a_long": {"type": "string"}}, "required": ["a_long"]})
""",
    "specs.py": """
from typing import TypedDict, get_args
from dsh_tools import schema
from base import COMMON, EDIT, LONG, SERVER, SINCE
import words
class Written(TypedDict):
    written: str
PARAMS = schema({"path": {"type": "string", "required": True}, "limit": {"type": "integer"}})
COMPOSED = schema({**COMMON, "servers": {"type": "array", "items": SERVER}})
MODES = schema({"mode": {"type": "string", "required": True, "enum": list(get_args(words.Mode))}})
CLASS = schema(Written)
SHARED = schema({"edits": {"type": "array", "items": EDIT}, "since": SINCE})
LONGER = schema({**LONG, "additionalProperties": False})
TREE = schema({"type": "object", "properties": {"tree": {"$ref": "#/$defs/tree"}}, "$defs": {
    "tree": {"type": "object", "properties": {"inner": {"$ref": "#/$defs/tree"}}}}})
class Holder:
    PARAMS = schema({"held": {"type": "string", "required": True}})
""",
    "via.py": """
from specs import PARAMS as PARAMS
from base import SERVER as SERVER
""",
    "star.py": """
from specs import *
""",
    "extra.py": """
from dsh_tools import schema
EXTRA = schema({"extra": {"type": "number", "required": True}})
""",
    "tools.py": """
from dsh_tools import InferArgs, ToolExecution, define_tool, schema
import specs
from specs import PARAMS, Holder
def read(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    return args["path"] + str(args.get("limit", 0) + 1)
define_tool(name="read", description="d", parameters=PARAMS, execute=read)
def composed(args: InferArgs[specs.COMPOSED]) -> None:
    reveal_type(args["depth"])
    reveal_type(args.get("servers"))
def modes(args: InferArgs[specs.MODES]) -> None:
    reveal_type(args["mode"])
def held(args: InferArgs[Holder.PARAMS]) -> None:
    reveal_type(args["held"])
def shared(args: InferArgs[specs.SHARED], more: InferArgs[specs.LONGER]) -> None:
    reveal_type(args)
    reveal_type(more)
def tree(args: InferArgs[specs.TREE]) -> None:
    reveal_type(args.get("tree"))
def of_class(args: InferArgs[specs.CLASS]) -> None:
    reveal_type(args["written"])
""",
    "far.py": """
from dsh_tools import InferArgs, define_tool, schema
import extra
import star
import via
def far(args: InferArgs[via.PARAMS], starred: InferArgs[star.COMPOSED]) -> None:
    reveal_type(args["path"])
    reveal_type(starred)
def more(args: InferArgs[extra.EXTRA]) -> None:
    reveal_type(args["extra"])
def make() -> object:
    return define_tool(
        name="inline",
        description="d",
        parameters={"server": {**via.SERVER, "required": True}},
        execute=lambda args, execution: args["server"]["host"],
    )
""",
    "caller.py": """
import tools
tools.modes({"mode": "r"})
tools.held({"held": "x"})
""",
}


class Edit(NamedTuple):
    """One change to a file: `old` becomes `new`. An empty `old` writes the whole file, and with
    an empty `new` deletes it."""

    file: str
    old: str
    new: str


EDITS: Final[Sequence[tuple[str, Sequence[Edit]]]] = [
    ("nothing", []),
    ("rename a key", [Edit("specs.py", '"path"', '"pth"')]),
    ("rename it back", [Edit("specs.py", '"pth"', '"path"')]),
    ("change a type", [Edit("specs.py", '"limit": {"type": "integer"', '"limit": {"type": "string"')]),
    ("change it back", [Edit("specs.py", '"limit": {"type": "string"', '"limit": {"type": "integer"')]),
    ("a key becomes optional", [Edit("specs.py", '"held": {"type": "string", "required": True', '"held": {"type": "string"')]),
    ("change the base of a composition", [Edit("base.py", '"depth": {"type": "integer"', '"depth": {"type": "number"')]),
    ("remove a key of the base", [Edit("base.py", '"about": {"type": "boolean"}, ', "")]),
    ("change a prop", [Edit("base.py", '"host"', '"hostname"')]),
    ("change a prop that has no dict", [Edit("base.py", '["string", "null"]', '["integer", "null"]')]),
    ("it is optional", [Edit("base.py", '"null"], "required": True', '"null"]')]),
    ("change one of its alternatives", [Edit("base.py", '"const": "a"', '"const": "b"')]),
    ("change a long form", [Edit("base.py", '"required": ["a_long"]', '"minProperties": 1')]),
    ("it is one no more", [Edit("base.py", '{"type": "object", "properties": {"a_long": {"type": "string"}}, "minProperties": 1}', '{"a_long": {"type": "string"}}')]),
    ("a reference leads elsewhere", [Edit("specs.py", '"inner": {"$ref": "#/$defs/tree"}', '"inner": {"type": "null"}')]),
    ("change an alias of literals", [Edit("words.py", '"r"', '"read"')]),
    ("touch the user alone", [Edit("tools.py", 'args["path"]', 'args["pat"]')]),
    ("touch the user again", [Edit("tools.py", 'args["pat"]', 'args["path"]')]),
    ("shift lines", [Edit("specs.py", "class Written", "# a comment\n\nclass Written")]),
    ("change a class", [Edit("specs.py", "written: str", "written: int")]),
    ("delete a constant", [Edit("specs.py", "MODES = ", "GONE = ")]),
    ("bring it back", [Edit("specs.py", "GONE = ", "MODES = ")]),
    ("make a constant unseen", [Edit("specs.py", "**COMMON,", "**dict(COMMON),")]),
    ("introduce a fault", [Edit("specs.py", '"limit": {"type": "integer"', '"limit": {"type": "int"')]),
    ("mend the fault", [Edit("specs.py", '"limit": {"type": "int"', '"limit": {"type": "integer"')]),
    ("delete a module", [Edit("extra.py", "", "")]),
    ("write it anew", [Edit("extra.py", "", 'from dsh_tools import schema\nEXTRA = schema({"extra": {"type": "string", "required": True}})\n')]),
    ("re-export another", [Edit("via.py", "from specs import PARAMS as PARAMS", "from specs import COMPOSED as PARAMS")]),
    ("annotate a constant", [Edit("specs.py", "PARAMS = schema({\"path\"", "PARAMS: Spec[Written] = schema({\"path\""), Edit("specs.py", "from dsh_tools import schema\n", "from dsh_tools import schema\nfrom dsh_tools.schema.spec import Spec\n")]),
]  # fmt: skip


class Runner:
    """Runs mypy over one copy of the project."""

    def __init__(self, project: Path, options: Sequence[str]) -> None:
        self._project = project
        self._options = options

    def cold(self) -> str:
        """What a run without any cache says."""
        with tempfile.TemporaryDirectory() as cache:
            return self._mypy("mypy", f"--cache-dir={cache}")

    def warm(self) -> str:
        """What a run with the cache of the last one says."""
        return self._mypy("mypy", "--cache-dir=.cache-warm")

    def workers(self) -> str:
        """What two parallel workers say."""
        return self._mypy("mypy", "--cache-dir=.cache-workers", "--num-workers=2")

    def daemon(self) -> str:
        """What the daemon says."""
        status = f"--status-file={self._project / '.dmypy.json'}"
        return self._mypy("mypy.dmypy", status, "run", "--", "--cache-dir=.cache-daemon")

    def stop_daemon(self) -> None:
        """End the daemon, if one was started."""
        status = self._project / ".dmypy.json"
        if status.exists():
            self._python("mypy.dmypy", f"--status-file={status}", "stop")

    def _mypy(self, module: str, *arguments: str) -> str:
        files = sorted(path.name for path in self._project.glob("*.py"))
        done = self._python(module, *arguments, *self._options, *files)
        assert "Traceback" not in done and "INTERNAL ERROR" not in done, done
        return "\n".join(sorted(line for line in done.splitlines() if ".py:" in line))

    def _python(self, *arguments: str) -> str:
        environment = {**os.environ, "DSH_TOOLS_PLUGIN_RAISE": "1", "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self._project,
            env=environment,
            capture_output=True,
            text=True,
        )
        return done.stdout + done.stderr


def differences(
    modes: Sequence[str], options: Sequence[str] = (), most: int | None = None
) -> Iterator[str]:
    """A text for each state, of the first `most` or of all, in which a mode says something else
    than a cold run."""
    with _project() as project:
        runner = Runner(project, options)
        try:
            for number, (title, edits) in enumerate(EDITS[:most]):
                for edit in edits:
                    _apply(project, edit, number)
                yield from _compared(runner, modes, title)
        finally:
            runner.stop_daemon()


def _compared(runner: Runner, modes: Sequence[str], title: str) -> Iterator[str]:
    wanted = runner.cold()
    for mode in modes:
        run: Callable[[], str] = getattr(runner, mode)
        said = run()
        if said != wanted:
            missing = set(wanted.splitlines()) - set(said.splitlines())
            extra = set(said.splitlines()) - set(wanted.splitlines())
            yield f"{mode} after {title!r}: missing {sorted(missing)}, extra {sorted(extra)}"


@contextmanager
def _project() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        (project / "mypy.ini").write_text(CONFIG)
        for name, text in FILES.items():
            (project / name).write_text(text)
        yield project


def _apply(project: Path, edit: Edit, number: int) -> None:
    path = project / edit.file
    if not edit.old and not edit.new:
        path.unlink()
        return
    if edit.old:
        text = path.read_text()
        assert edit.old in text, f"{edit.file} has no {edit.old}"
        path.write_text(text.replace(edit.old, edit.new))
    else:
        path.write_text(edit.new)
    later = path.stat().st_mtime + 2 * number  # mypy overlooks a second edit within a second
    os.utime(path, (later, later))


def main() -> int:
    """Print the differences; 1 when there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modes", default="warm,daemon")
    parser.add_argument("--options", default="", help="for mypy, separated by spaces")
    arguments = parser.parse_args()
    found = list(differences(arguments.modes.split(","), arguments.options.split()))
    print("\n".join(found) or f"{len(EDITS)} states: all as in a cold run")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
