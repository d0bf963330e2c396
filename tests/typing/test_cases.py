"""Case files: plain Python, with what mypy must print about a line standing at that line.

`RENEW_CASES=1 pytest tests/typing/test_cases.py` writes what mypy prints now into the files; the
diff is then to be read by a person.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import mypy.api
import mypy.version
import pytest

from tests.typing.expectations import Expectation, Judged, expected, printed, renewed

HERE: Final = Path(__file__).parent
WITH_PLUGIN: Final = sorted((HERE / "cases").rglob("*.py"))
WITHOUT_PLUGIN: Final = sorted((HERE / "without_plugin").rglob("*.py"))
SUCCESSES: Final = (
    *("composed", "inline", "literals", "long_form", "maps", "not_ours", "nullable"),
    *("other_modules", "precise", "reexporting", "references", "specs", "unions"),
)
"""The files that are right when they run: those with specs at fault, or names that are defined
below, are not."""

FEWEST_EXPECTATIONS: Final = 250

# mypy words its own messages differently from release to release. The case files have those of
# this one; with another, only the plugin's own words are compared.
WORDED_BY: Final = "2.4.1"


@pytest.mark.parametrize("path", WITH_PLUGIN, ids=lambda path: path.stem)
def test_with_the_plugin(path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    said = _said("mypy.ini", tmp_path_factory.getbasetemp())
    _compare(path, said.get(path.resolve(), {}))


@pytest.mark.parametrize("path", WITHOUT_PLUGIN, ids=lambda path: path.stem)
def test_without_the_plugin(path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    said = _said("without_plugin.ini", tmp_path_factory.getbasetemp())
    _compare(path, said.get(path.resolve(), {}))


@pytest.mark.parametrize("path", [HERE / "cases" / f"{name}.py" for name in SUCCESSES], ids=lambda path: path.stem)
def test_what_type_checks_runs(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        env={**os.environ, "PYTHONPATH": str(HERE.parents[1])},
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr


def test_there_are_enough_expectations() -> None:
    judged = [expected(path.read_text()) for path in WITH_PLUGIN]
    count = sum(len(said) for file in judged for said in file.values())
    assert count >= FEWEST_EXPECTATIONS


@cache
def _said(config: str, scratch: Path) -> Mapping[Path, Judged]:
    """What one run of mypy over all the case files of a configuration prints."""
    os.environ["DSH_TOOLS_PLUGIN_RAISE"] = "1"
    folder = HERE / ("cases" if config == "mypy.ini" else "without_plugin")
    output, errors, _ = mypy.api.run(
        [f"--config-file={HERE / config}", f"--cache-dir={scratch / config}", str(folder)]
    )
    assert not errors and "prevented further checking" not in output, errors + output
    return printed(output)


def _compare(path: Path, said: Judged) -> None:
    source = path.read_text()
    if os.environ.get("RENEW_CASES"):
        path.write_text(renewed(source, said))
        return
    wanted = expected(source)
    for line in sorted({*wanted, *said}):
        got, want = said.get(line, []), wanted.get(line, [])
        assert _comparable(got) == _comparable(want), f"{path}:{line}"


def _comparable(said: list[Expectation]) -> list[tuple[str, str]]:
    """What is compared of what is said: all of it, or with another mypy the plugin's own words
    and the codes of mypy's errors."""
    if mypy.version.__version__ == WORDED_BY:
        return [*said]
    return sorted(
        (kind, text if _is_ours(text) else _code(text))
        for kind, text in said
        if kind == "E" or _is_ours(text)
    )


def _is_ours(text: str) -> bool:
    return text.endswith("[dsh-schema]") or text.startswith("mypy cannot see")


def _code(text: str) -> str:
    return text[text.rfind("  [") :]
