"""`make checkers`: what each type checker finds in the case files, without a plugin.

A line that ends in `# error` must get an error from every checker, one that ends in
`# error: not NAME` from every other, one that ends in `# error: only NAME` from that one, and no
other line may get any.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
HERE: Final = Path(__file__).parent.relative_to(ROOT)
CASES: Final = [path.relative_to(ROOT) for path in sorted((ROOT / HERE / "cases").glob("*.py"))]
BIN: Final = Path(sys.executable).parent

COMMANDS: Final = {
    "mypy": ("mypy", f"--config-file={HERE / 'mypy.ini'}"),
    "pyright": ("pyright", f"--pythonpath={sys.executable}"),
    "ty": ("ty", "check", "--output-format=concise", f"--python={BIN.parent}"),
    "pyrefly": ("pyrefly", "check", "--preset=default", "--output-format=min-text"),
    "zuban": ("zuban", "check"),
}
ERROR: Final = re.compile(r"(?P<path>[\w./-]+\.py):(?P<line>\d+)\b.*")
EXPECTED: Final = re.compile(r"# error(: (?P<who>not|only) (?P<name>\w+))?$")

Place = tuple[str, int]


def expected(checker: str) -> Iterator[Place]:
    """Where a checker must find an error."""
    for path in CASES:
        for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1):
            match = EXPECTED.search(line)
            if match and (match["name"] == checker) == (match["who"] == "only"):
                yield path.name, number


def found(output: str) -> Iterator[Place]:
    """Where a checker has found an error: a line says "error" and the place of it."""
    for line in output.splitlines():
        match = ERROR.search(line)
        if match and re.search(r"\berror\b", line, re.IGNORECASE):
            yield Path(match["path"]).name, int(match["line"])


def run(checker: str) -> set[Place]:
    name, *arguments = COMMANDS[checker]
    command = [str(BIN / name), *arguments, *map(str, CASES)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300)
    places = set(found(done.stdout))
    if not places:
        raise SystemExit(f"{checker} has found nothing:\n{done.stdout}{done.stderr}")
    return places


def main() -> int:
    """Run all checkers, say where each is not as expected, and return the exit code."""
    failed = 0
    for checker in COMMANDS:
        wanted, places = set(expected(checker)), run(checker)
        print(f"{checker}: {len(wanted & places)} of {len(wanted)} errors found")
        for path, line in sorted(wanted ^ places):
            failed = 1
            print(f"    {'missed' if (path, line) in wanted else 'unexpected'}: {path}:{line}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
