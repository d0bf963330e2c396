"""What a newcomer does, without a network: vendor the package, write a tool, check it, call it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .relocation import NAME, PATH, ROOT

OFFLINE = """
import socket

def refuse(*arguments):
    raise OSError("there is no network here")

socket.socket.connect = socket.socket.connect_ex = socket.socket.sendto = refuse
"""
TOOLS = """\
from ._vendor.dsh_tools import InferArgs, ToolExecution, ToolRegistry, define_tool, schema

WEATHER = schema({
    "city": {"type": "string", "required": True},
    "days": {"type": "integer"},
})


@define_tool(name="weather", parameters=WEATHER)
def weather(args: InferArgs[WEATHER], execution: ToolExecution) -> str:
    \"\"\"The weather forecast for a city.\"\"\"
    return f"{args['city']}: {args.get('days', 1) + 1} sunny days"


registry = ToolRegistry()
registry.register(weather)
"""


class Project:
    """A host's folder, on a machine without a network, with mypy and Python alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self._offline = folder / "offline"
        self.write("offline/sitecustomize.py", OFFLINE, folder)
        self.write("host/__init__.py", "")
        self.write("host/tools.py", TOOLS)

    def write(self, name: str, text: str, folder: Path | None = None) -> None:
        path = (folder or self.folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def python(self, *arguments: str, path: str = "") -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a run in the folder. `path` is where Python finds more
        than the folder and what is installed."""
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{self._offline}{os.pathsep}{path}"},
            capture_output=True,
            encoding="utf-8",
        )
        return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that has vendored the package and configured mypy as it was told."""
    project = Project(tmp_path_factory.mktemp("fresh"))
    code, out, err = project.python("dsh_tools", "vendor", PATH, path=str(ROOT))
    assert (code, err) == (0, "")
    section, plugins = out.splitlines()[-2:]
    project.write("mypy.ini", f"{section}\n{plugins}\n")
    return project


def test_there_is_no_network(project: Project) -> None:
    project.write("online.py", "import urllib.request\nurllib.request.urlopen('http://127.0.0.1')")
    code, _, err = project.python("online")
    assert code == 1 and "there is no network here" in err


def test_mypy_is_content_with_the_host_and_the_copy(project: Project) -> None:
    files = len([*project.folder.glob("host/**/*.py")])
    said = f"Success: no issues found in {files} source files\n"
    assert project.python("mypy", "--strict", "host") == (0, said, "")


def test_the_plugin_of_the_copy_sees_a_slip(project: Project) -> None:
    project.write("host/slip.py", TOOLS.replace("args['city']", "args['town']"))
    _, out, _ = project.python("mypy", "--strict", "host/slip.py")
    assert 'host/slip.py:12: error: TypedDict "InferArgs[WEATHER]" has no key "town"' in out
    project.write("host/slip.py", TOOLS.replace('"integer"', '"int"'))
    _, out, _ = project.python("mypy", "--strict", "host/slip.py")
    assert '"days": unknown type "int", did you mean "integer"?  [dsh-schema]' in out
    (project.folder / "host" / "slip.py").unlink()


def test_the_tool_is_called_by_the_copy(project: Project) -> None:
    shown = '• weather\n  city: "Oslo"\n│ Oslo: 2 sunny days\n╰ done\n'
    code, out, err = project.python(NAME, "call", "host.tools", "weather", '{"city": "Oslo"}')
    assert (code, out, err) == (0, shown, "")
    assert project.python(NAME, "check", "host/tools.py")[0] == 0
    code, out, err = project.python(NAME, "call", "host/tools.py", "weather", '{"city": 1}')
    assert (code, err) == (1, "")
    assert '"city" must be a string (a number arrived)' in out


def test_the_copy_is_clean_and_says_so_itself(project: Project) -> None:
    code, out, _ = project.python(NAME, "vendor", PATH, "--check")
    assert (code, out.split(" (")[0]) == (0, f"{PATH}: clean")
