"""The plugin lets no exception out, whatever stands in the source."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.typing.odd_specs import OddSpecs
from tests.unit.support import SCALE

HERE: Final = Path(__file__).parent
MODULES: Final = min(4 * SCALE, 10)
SPECS_EACH: Final = 250


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What mypy says about all the generated modules."""
    folder = tmp_path_factory.mktemp("odd")
    for seed in range(MODULES):
        (folder / f"odd_{seed}.py").write_text(OddSpecs(seed).module(SPECS_EACH), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", f"--config-file={HERE / 'mypy.ini'}", "--show-traceback",
         f"--cache-dir={folder / 'cache'}", *map(str, sorted(folder.glob("*.py")))],
        env={**os.environ, "DSH_TOOLS_PLUGIN_RAISE": "1"},
        capture_output=True,
        text=True,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_mypy_gets_through_odd_specs(said: str) -> None:
    assert "INTERNAL ERROR" not in said and "Traceback" not in said, said[-4000:]


def test_every_module_was_checked(said: str) -> None:
    assert f"checked {MODULES} source files" in said, said[-2000:]


def test_a_constant_has_the_type_that_its_call_returns(said: str) -> None:
    assert not re.search(r'in assignment \(expression has type "(Spec|Prop)\[', said)
