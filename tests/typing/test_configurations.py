"""The plugin in a host's tree: copied under any name, twice, by path and by module, with
imports that mypy does not follow, and when it meets a surprise."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import dsh_tools
import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
OURS: Final = dsh_tools.__name__
PACKAGE: Final = Path(dsh_tools.__file__).parent
SPECS: Final = """
from {package} import schema
PARAMS = schema({{"path": {{"type": "string", "required": True}}}})
"""
USER: Final = """
from {package} import InferArgs, define_tool
from {specs} import PARAMS
def read(args: InferArgs[PARAMS]) -> str:
    return str(args["pth"])
define_tool(
    name="read",
    description="d",
    parameters={{"path": {{"type": "strin"}}}},
    execute=lambda args, execution: str(args["pth"]),
)
"""
SAID: Final = (
    'TypedDict "InferArgs[PARAMS]" has no key "pth"',
    '"path": unknown type "strin", did you mean "string"?  [dsh-schema]',
    'TypedDict "InferArgs[read]" has no key "pth"',
)


class Host:
    """A host's folder with mypy's configuration in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def vendor(self, *path: str) -> Path:
        """A copy of the package, in packages all the way down, without the rooms that neither the
        plugin nor the modules here import: mypy would check them each time."""
        copy = self.folder.joinpath(*path)
        left_out = shutil.ignore_patterns("__pycache__", "adapters", "commands")
        shutil.copytree(PACKAGE, copy, ignore=left_out)
        for parent in copy.relative_to(self.folder).parents:
            (self.folder / parent / "__init__.py").touch()
        (self.folder / "__init__.py").unlink()
        return copy

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def configure(self, *lines: str) -> None:
        self.write("mypy.ini", "\n".join(["[mypy]", "strict = true", *lines]))

    def check(self, *files: str, path: str = "", must_raise: bool = True) -> str:
        """What mypy says about some files."""
        environment = {**os.environ, "PYTHONPATH": path}
        environment.pop("DSH_TOOLS_PLUGIN_RAISE", None)
        if must_raise:
            environment["DSH_TOOLS_PLUGIN_RAISE"] = "1"
        done = subprocess.run(
            [sys.executable, "-P", "-m", "mypy", "--cache-dir=.cache", *files],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        said = done.stdout + done.stderr
        assert "INTERNAL ERROR" not in said and "Traceback" not in said, said
        return said


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_a_renamed_copy_deep_in_a_host_by_path(host: Host) -> None:
    host.vendor("app", "_vendor", "tooldsl")
    host.configure("plugins = app/_vendor/tooldsl/mypy_plugin/entry.py")
    host.write("app/specs.py", SPECS.format(package="._vendor.tooldsl"))
    host.write("app/tools.py", USER.format(package="._vendor.tooldsl", specs=".specs"))
    said = host.check("app")
    assert all(text in said for text in SAID), said


def test_a_host_that_the_copy_is_in_a_cycle_with(host: Host) -> None:
    host.vendor("app", "_vendor", "tooldsl")
    host.configure("plugins = app/_vendor/tooldsl/mypy_plugin/entry.py")
    host.write("app/__init__.py", "from .tools import read as read\n")
    host.write("app/specs.py", SPECS.format(package="app._vendor.tooldsl"))
    host.write("app/tools.py", USER.format(package="app._vendor.tooldsl", specs="app.specs"))
    cold, warm = host.check("app"), host.check("app")
    assert all(text in cold for text in SAID), cold
    assert cold == warm


def test_two_copies_in_one_run(host: Host) -> None:
    host.vendor("one", "tooldsl")
    host.vendor("two", "vendored", "tooldsl")
    host.configure(
        "plugins = one/tooldsl/mypy_plugin/entry.py, two/vendored/tooldsl/mypy_plugin/entry.py"
    )
    for name, package in (("one", "one.tooldsl"), ("two", "two.vendored.tooldsl")):
        host.write(f"{name}/specs.py", SPECS.format(package=package))
        host.write(f"{name}/tools.py", USER.format(package=package, specs=f"{name}.specs"))
    said = host.check("one/tools.py", "two/tools.py")
    assert all(said.count(text) == 2 for text in SAID), said


def test_by_module(host: Host) -> None:
    host.configure("plugins = dsh_tools.mypy_plugin", f"mypy_path = {ROOT}")
    host.write("specs.py", SPECS.format(package=OURS))
    host.write("tools.py", USER.format(package=OURS, specs="specs"))
    said = host.check("tools.py", path=str(ROOT))
    assert all(text in said for text in SAID), said


def test_by_module_and_by_path_in_one_run(host: Host) -> None:
    host.vendor("app", "tooldsl")
    host.configure(
        "plugins = dsh_tools.mypy_plugin, app/tooldsl/mypy_plugin/entry.py",
        f"mypy_path = {ROOT}",
    )
    host.write("app/specs.py", SPECS.format(package="app.tooldsl"))
    host.write("app/tools.py", USER.format(package="app.tooldsl", specs="app.specs"))
    host.write("specs.py", SPECS.format(package=OURS))
    host.write("tools.py", USER.format(package=OURS, specs="specs"))
    said = host.check("tools.py", "app/tools.py", path=str(ROOT))
    assert all(said.count(text) == 2 for text in SAID), said


@pytest.mark.parametrize("follow", ["silent", "normal"])
def test_imports_that_are_followed(host: Host, follow: str) -> None:
    host.configure(_by_path(), f"mypy_path = {ROOT}", f"follow_imports = {follow}")
    host.write("specs.py", SPECS.format(package=OURS))
    host.write("tools.py", USER.format(package=OURS, specs="specs"))
    said = host.check("tools.py")
    assert all(text in said for text in SAID), said


def test_imports_that_are_skipped(host: Host) -> None:
    host.configure(
        _by_path(), f"mypy_path = {ROOT}", "disallow_any_unimported = false",
        "[mypy-specs]", "follow_imports = skip",
    )  # fmt: skip
    host.write("specs.py", SPECS.format(package=OURS))
    host.write("tools.py", USER.format(package=OURS, specs="specs"))
    said = host.check("tools.py")
    assert SAID[0] not in said and SAID[1] in said and SAID[2] in said, said


def test_everything_skipped(host: Host) -> None:
    host.configure(_by_path(), f"mypy_path = {ROOT}", "follow_imports = skip")
    host.write("specs.py", SPECS.format(package=OURS))
    host.write("tools.py", USER.format(package=OURS, specs="specs"))
    assert "dsh-schema" not in host.check("tools.py")


def test_a_changed_plugin_makes_caches_stale(host: Host) -> None:
    copy = host.vendor("tooldsl")
    host.configure("plugins = tooldsl/mypy_plugin/entry.py")
    host.write("specs.py", SPECS.format(package="tooldsl"))
    host.write("tools.py", USER.format(package="tooldsl", specs="specs"))
    assert SAID[1] in host.check("tools.py")
    faults = copy / "schema" / "faults.py"
    faults.write_text(faults.read_text().replace("did you mean", "is it"))
    assert "is it" in host.check("tools.py")


def test_a_surprise_in_the_plugin(host: Host) -> None:
    copy = host.vendor("tooldsl")
    host.configure("plugins = tooldsl/mypy_plugin/entry.py")
    reader = copy / "mypy_plugin" / "spec_reader.py"
    broken = "def _broken(*args: object) -> object:\n    raise RuntimeError\n\n\n"
    patch = 'for _name in ("spec", "prop"):\n    setattr(SpecReader, _name, _broken)\n'
    reader.write_text(reader.read_text() + "\n\n" + broken + patch)
    host.write("specs.py", SPECS.format(package="tooldsl"))
    host.write("tools.py", USER.format(package="tooldsl", specs="specs"))
    said = host.check("tools.py", "specs.py", must_raise=False)
    assert "specs.py:3: note: the dsh_tools plugin failed here (RuntimeError)" in said, said
    assert "tools.py:6: note: the dsh_tools plugin failed here (RuntimeError)" in said, said
    assert "dsh-schema" not in said and "specs.py:3: error" not in said, said


def test_a_copy_that_is_too_new_for_the_plugin(host: Host) -> None:
    copy = host.vendor("tooldsl")
    schema = copy / "schema" / "spec.py"
    schema.write_text(schema.read_text().replace("MARKER: Final = 2", "MARKER: Final = 3"))
    host.configure("plugins = tooldsl/mypy_plugin/entry.py")
    host.write("specs.py", SPECS.format(package="tooldsl"))
    host.write("tools.py", USER.format(package="tooldsl", specs="specs"))
    assert "dsh-schema" not in host.check("tools.py")


def _by_path() -> str:
    return f"plugins = {PACKAGE}/mypy_plugin/entry.py"
