"""The examples are checked strictly with the plugin: a slip in one of them is found."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
CODING_TOOLS: Final = ROOT / "tests" / "examples" / "coding_tools.py"


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('args["command"]', 'args["comand"]', 'has no key "comand"  [typeddict-item]'),
        ('"timeoutMs": {\n        "type": "number"', '"timeoutMs": {\n        "type": "float"',
         'unknown type "float", did you mean "number"?  [dsh-schema]'),
        ("args: InferArgs[READ],", "args: InferArgs[WRITE],", "[arg-type]"),
    ],
)  # fmt: skip
def test_a_slip_is_found(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    source = CODING_TOOLS.read_text("utf-8")
    assert right in source
    slipped = tmp_path / "slipped.py"
    slipped.write_text(source.replace(right, wrong, 1), "utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    run = subprocess.run(
        [*command, f"--cache-dir={tmp_path / 'cache'}", str(slipped)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert said in run.stdout, run.stdout + run.stderr
