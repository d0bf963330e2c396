"""The whole suite beside a copy at `host/_vendor/dsh_tools`, where no `dsh_tools` is importable.

`python -m tests.relocated [PYTEST OPTION ...]` exits with 1 when the original is within reach, when
a test fails, or when so few pass that the suite cannot have been copied.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .relocation import NAME, PATH, relocate

FEWEST_TESTS: Final = 8_000
WHERE: Final = f"""
from importlib.util import find_spec
import {NAME} as copy
print(find_spec("dsh_tools"), copy.__file__)
"""


def lines(folder: Path, *arguments: str) -> Iterator[str]:
    """What a run of this interpreter prints in a folder, with nothing on the path but what is
    installed. Ends this program when it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, encoding="utf-8"
    ) as run:
        assert run.stdout is not None
        yield from run.stdout
    if run.returncode:
        raise SystemExit(run.returncode)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        relocate(folder)
        found = "".join(lines(folder, "-c", WHERE))
        if found != f"None {folder / PATH / '__init__.py'}\n":
            raise SystemExit(f"what is imported is not the copy alone: {found}")
        last = ""
        for last in lines(folder, "-m", "pytest", "-p", "no:cacheprovider", *sys.argv[1:]):
            print(last, end="", flush=True)
    passed = re.search(r"(\d+) passed", last)
    if passed is None or int(passed[1]) < FEWEST_TESTS:
        raise SystemExit(f"fewer than {FEWEST_TESTS} tests passed: was the suite copied?")


if __name__ == "__main__":
    main()
