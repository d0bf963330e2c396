"""A copy in a host's folder or in a zip file, without site packages, environment or original."""

import subprocess
import sys
from pathlib import Path
from shutil import make_archive

import pytest
from dsh_tools import __version__
from dsh_tools.commands.vendoring import vendor

from .relocation import NAME, PATH

PROGRAM = f"""
import sys
from importlib import import_module
from pkgutil import walk_packages

sys.path.insert(0, sys.argv[1])
package = import_module({NAME!r})
for module in walk_packages(package.__path__, {NAME!r} + "."):
    if ".mypy_plugin" not in module.name and not module.name.endswith("__main__"):
        import_module(module.name)

from host.tools import registry
from {NAME}.commands.providers import FORMATS, in_format
from {NAME}.adapters.terminal import render_call

execution = {{"call_id": "1", "name": "add", "arguments": {{"a": 2, "b": 3}}}}
print(render_call(registry.present_call(execution)).splitlines()[0])
print(registry.execute(execution)["content"][0]["text"])
print(len([in_format(name, registry.schemas()) for name in FORMATS]))
print(sorted({{name.split(".")[0] for name in sys.modules}} - sys.stdlib_module_names))
"""
TOOLS = """
from ._vendor.dsh_tools import ToolRegistry, define_tool

registry = ToolRegistry()


@define_tool(
    name="add",
    description="Add two numbers.",
    parameters={"a": {"type": "number", "required": True}, "b": {"type": "number"}},
)
def add(args, execution):
    return str(args["a"] + args.get("b", 0))


registry.register(add)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a package `host` and nothing else."""
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "__init__.py").touch()
    (tmp_path / "host" / "tools.py").write_text(TOOLS, "utf-8")
    vendor(tmp_path / PATH, version=__version__)
    return tmp_path


def isolated(path: Path, cwd: Path) -> list[str]:
    """The lines that the program prints with that folder or zip file on the path."""
    command = [sys.executable, "-S", "-I", "-W", "error", "-c", PROGRAM, str(path)]
    shown = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8")
    assert shown.stderr == ""
    return shown.stdout.splitlines()


WANTED = ["• add", "5", "7", "['__main__', 'host']"]


def test_in_a_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert isolated(folder, tmp_path_factory.mktemp("elsewhere")) == WANTED


def test_in_a_zip_file(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    archive = make_archive(str(elsewhere / "all"), "zip", folder)
    assert isolated(Path(archive), elsewhere) == WANTED
