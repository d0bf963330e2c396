"""What a newcomer does, without a network: vendor the package, write a tool, check it, call it.

`make relocated` runs the whole suite beside such a copy."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..unit.test_readme import programs
from .relocation import NAME, PATH, ROOT, rewritten

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
ADAPTERS = f"""\
from {NAME} import execute_step
from {NAME}.adapters import acp, anthropic, gemini, mcp, openai, terminal
from .tools import registry

schemas, city = registry.schemas(), {{"city": "Oslo"}}
text = '{{"city": "Oslo"}}'


def run(calls: object) -> object:
    return execute_step(registry, calls)


print(openai.chat_tools(schemas)[0]["function"]["name"])
print(openai.chat_messages(run(openai.chat_calls({{"role": "assistant", "tool_calls": [
    {{"id": "1", "type": "function", "function": {{"name": "weather", "arguments": text}}}}]}}, schemas))))
print(openai.responses_tools(schemas)[0]["name"])
print(openai.responses_items(run(openai.responses_calls([
    {{"type": "function_call", "call_id": "1", "name": "weather", "arguments": text}}], schemas))))
print(anthropic.tools(schemas)[0]["name"])
print(anthropic.message(run(anthropic.calls({{"role": "assistant", "content": [
    {{"type": "tool_use", "id": "1", "name": "weather", "input": city}}]}}))))
print(gemini.function_declarations(schemas)[0]["name"])
asked = gemini.calls({{"role": "model", "parts": [
    {{"function_call": {{"name": "weather", "args": city}}}}]}})
print(gemini.contents(asked, run(asked)))
print(mcp.tools(schemas)[0]["name"])
asked = mcp.tool_execution({{"name": "weather", "arguments": city}}, 1)
print(mcp.call_result(registry.execute(asked)))
print(acp.AcpTranslator(registry).tool_call("1", "weather", text)["title"])
print(terminal.render_call(registry.present_call(asked)).splitlines()[0][2:])
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


def test_the_first_example_of_the_readme_prints_what_it_says(project: Project) -> None:
    code, printed = programs()[0]
    project.write("host/readme.py", rewritten(code))
    assert project.python("host.readme") == (0, printed, "")


def test_every_adapter_carries_the_tool_out_and_a_call_back(project: Project) -> None:
    project.write("host/adapters.py", ADAPTERS)
    code, out, err = project.python("host.adapters")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line for line in lines if line == "weather"] == ["weather"] * 7
    assert sum("Oslo: 2 sunny days" in line for line in lines) == len(lines) - 7 == 5


def test_the_copy_is_clean_and_says_so_itself(project: Project) -> None:
    code, out, _ = project.python(NAME, "vendor", PATH, "--check")
    assert (code, out.split(" (")[0]) == (0, f"{PATH}: clean")
