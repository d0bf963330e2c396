"""The tool `vendoring`, with which pip copies its dependencies, takes the package as it is.

Configured as in pip's own pyproject.toml (https://github.com/pypa/pip), where it downloads: here it
takes the wheel that is built of this project, so that nothing comes over a network.
"""

import os
import subprocess
import sys
from pathlib import Path

import dsh_tools
import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = Path(dsh_tools.__file__).parent
PYPROJECT = """
[tool.vendoring]
destination = "host/_vendor/"
requirements = "host/_vendor/vendor.txt"
namespace = "host._vendor"
protected-files = ["__init__.py", "vendor.txt"]

[tool.vendoring.transformations]
drop = ["*.dist-info", "bin/"]
"""


def run(folder: Path, *arguments: str) -> str:
    """What a module of this environment prints in a folder."""
    paths = [str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {"PATH": os.pathsep.join(paths), "TMPDIR": str(folder), "PIP_NO_INDEX": "1"}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host into which the tool has copied the package."""
    folder = tmp_path_factory.mktemp("project")
    wheels = ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder / "wheels")]
    run(folder, "-m", "pip", "wheel", "--quiet", *wheels, str(ROOT))
    (wheel,) = (folder / "wheels").iterdir()
    (folder / "host" / "_vendor").mkdir(parents=True)
    for package in ("host", "host/_vendor"):
        (folder / package / "__init__.py").touch()
    (folder / "host" / "_vendor" / "vendor.txt").write_text(f"{wheel}\n", "utf-8")
    (folder / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    run(folder, "-m", "vendoring", "sync", "--verbose")
    return folder


def test_every_file_is_as_we_wrote_it(project: Path) -> None:
    copy = project / "host" / "_vendor" / "dsh_tools"
    ours = {path.relative_to(PACKAGE) for path in PACKAGE.rglob("*") if path.is_file()}
    ours = {path for path in ours if "__pycache__" not in path.parts}
    copied = {path.relative_to(copy) for path in copy.rglob("*") if path.is_file()}
    assert copied == ours
    assert Path("LICENSE") in copied
    for path in ours:
        assert (copy / path).read_bytes() == (PACKAGE / path).read_bytes()


def test_nothing_else_is_added(project: Path) -> None:
    names = {path.name for path in (project / "host" / "_vendor").iterdir()}
    assert names == {"__init__.py", "vendor.txt", "dsh_tools"}


def test_the_copy_knows_its_version_and_runs(project: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, '.'); "
        "from host._vendor.dsh_tools import __version__, validate_args; "
        "print(__version__, validate_args({'a': {'type': 'string', 'required': True}}, {}))"
    )
    shown = run(project, "-S", "-I", "-c", program)
    assert shown == f"{dsh_tools.__version__} ['missing required property \"a\"']\n"
