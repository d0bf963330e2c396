"""Everything the README shows runs, and prints what the README says."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str]]:
    """The fenced blocks of the README, each with its language."""
    return BLOCK.findall((ROOT / "README.md").read_text("utf-8"))


def programs() -> list[tuple[str, str | None]]:
    """The Python blocks, each with the text block that follows it, if one does."""
    listed = blocks()
    following = [*listed[1:], ("", "")]
    return [
        (code, next_code if next_language == "text" else None)
        for (language, code), (next_language, next_code) in zip(listed, following)
        if language == "python"
    ]


@pytest.mark.parametrize(("code", "output"), programs())
def test_a_program_runs_as_pasted(code: str, output: str | None, tmp_path: Path) -> None:
    pasted = tmp_path / "pasted.py"
    pasted.write_text(code, "utf-8")
    command = [sys.executable, "-X", "utf8", "-W", "error", str(pasted)]
    environment = {"PYTHONPATH": str(ROOT)}
    shown = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert shown.stderr == ""
    if output is not None:
        assert shown.stdout == output


def test_the_schema_is_what_the_first_program_registers() -> None:
    namespace: dict[str, object] = {}
    exec(programs()[0][0], namespace)
    (shown,) = [code for language, code in blocks() if language == "json"]
    registry = namespace["registry"]
    assert json.dumps(registry.schemas()) == json.dumps(json.loads(shown))  # type: ignore[attr-defined]  # from exec


def test_the_commands_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for language, code in blocks():
        for target in re.findall(r"^make (\w+)", code, re.MULTILINE) if language == "sh" else []:
            assert f"\n{target}:" in makefile
