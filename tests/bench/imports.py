"""What importing costs, each time in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from sysconfig import get_path
from time import perf_counter
from typing import Final, NamedTuple

from .measure import Rounds
from .report import Row, Table, duration

_ROUNDS: Final = 15
_BARE: Final = "pass"
_OURS: Final = "import dsh_tools"
_STATEMENTS: Final = (
    _BARE,
    "import typing",
    _OURS,
    "import msgspec",
    "import jsonschema",
    "from pydantic import BaseModel",
    "import mcp",
)
# `typing` itself got cheaper in 3.13.
_GOALS: Final = {
    "import typing": 1.5 if sys.version_info < (3, 13) else 1.8,
    "from pydantic import BaseModel": 0.2,
}
_PROBE: Final = """\
import sys
from time import perf_counter
before = set(sys.modules)
start = perf_counter()
{statement}
print(perf_counter() - start, len(set(sys.modules) - before))
"""
_ROOT: Final = Path(__file__).parents[2]
_TEXT: Final = (
    "The statement alone, timed inside `python -S` with byte code cached: what it adds to a bare "
    "start, without the site packages' start-up files."
)


class _Import(NamedTuple):
    """added: the seconds the statement takes; whole: those of the process; modules: how many
    the statement loads."""

    added: float
    whole: float
    modules: int


def tables() -> Iterator[Table]:
    for statement in _STATEMENTS:
        _import(statement)  # writes the byte code
    imports: dict[str, list[_Import]] = {statement: [] for statement in _STATEMENTS}
    for _ in range(_ROUNDS):
        for statement in _STATEMENTS:
            imports[statement].append(_import(statement))
    rounds = Rounds({name: [each.added for each in runs] for name, runs in imports.items()})
    rows = [_row(rounds, statement, runs) for statement, runs in imports.items()]
    yield Table("import", "added time", "ours ÷ it", rows, _TEXT)


def _row(rounds: Rounds, statement: str, runs: list[_Import]) -> Row:
    whole = duration(median(run.whole for run in runs))
    note = f"{runs[0].modules} modules, the process {whole}"
    if statement == _BARE:
        return Row("bare Python", "0", note=note)
    ratio = None if statement == _OURS else rounds.ratio(_OURS, statement)
    added = duration(rounds.median(statement))
    return Row(f"`{statement}`", added, ratio, _GOALS.get(statement), note)


def _import(statement: str) -> _Import:
    command = [sys.executable, "-S", "-c", _PROBE.format(statement=statement)]
    start = perf_counter()
    run = subprocess.run(command, env=_environment(), stdout=subprocess.PIPE, check=True)
    whole = perf_counter() - start
    added, modules = run.stdout.split()
    return _Import(float(added), whole, int(modules))


def _environment() -> dict[str, str]:
    """Ours, with the packages in sight of `-S` and byte code written."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), get_path("purelib")])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment
