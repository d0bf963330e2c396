"""The whole suite beside a copy at `host/_vendor/dsh_tools`, where no `dsh_tools` is importable."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .relocation import NAME, NOT_RUN, PATH, relocate

FEWEST_TESTS = 3_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    relocated = tmp_path_factory.mktemp("relocated")
    relocate(relocated)
    return relocated


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of this interpreter in a folder, with nothing on the path but what is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )


def test_the_original_is_out_of_reach(folder: Path) -> None:
    assert "No module named 'dsh_tools'" in python(folder, "-c", "import dsh_tools").stderr
    shown = python(folder, "-c", f"import {NAME} as copy; print(copy.__file__)")
    assert shown.stdout == f"{folder / PATH / '__init__.py'}\n"


def test_every_test_passes(folder: Path) -> None:
    ignored = [f"--ignore={path}" for path in NOT_RUN]
    done = python(folder, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *ignored)
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None and int(passed[1]) >= FEWEST_TESTS, done.stdout[-500:]
