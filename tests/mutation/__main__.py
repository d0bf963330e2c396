"""Change one thing at a time in a module, run its tests, and name the changes that no test notices.

    python -m tests.mutation [MODULE ...] [--jobs N]

Each change runs in a process of its own, which imports the changed module instead of the written
one; nothing on disk changes. `equivalent.py` lists the changes that make no difference to a user,
with the reason. Exits with 1 when others survive, or when one that is listed does not.
"""

import argparse
import ast
import os
import signal
import sys
import time
from collections.abc import Iterator
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from .changes import Change, changed_source, changes
from .equivalent import EQUIVALENT

ROOT = Path(__file__).parents[2]
_VALIDATION = (
    "tests/unit/schema/test_validation.py",
    "tests/unit/schema/test_raw_schemas.py",
    "tests/unit/schema/test_generated.py",
    "tests/unit/calls/test_define.py",
    "tests/conformance/test_keywords.py",
    "tests/conformance/test_validate.py",
    "tests/conformance/test_json_schema_suite.py",
    "tests/property/test_validation.py",
)
TESTS = {
    "schema.validation.equality": _VALIDATION,
    "schema.validation.words": _VALIDATION,
    "schema.validation.reading": _VALIDATION,
    "schema.validation.building": _VALIDATION,
    "schema.validation.scalars": _VALIDATION,
    "schema.validation.containers": _VALIDATION,
    "schema.validation.choices": _VALIDATION,
    "schema.validation.compiler": _VALIDATION,
    "schema.validation.validator": _VALIDATION,
    "calls.waterfall": (
        "tests/unit/calls/test_waterfall.py",
        "tests/unit/calls/test_registry.py",
        "tests/property/test_threads.py",
    ),
    "calls.registry": (
        "tests/unit/calls/test_registry.py",
        "tests/unit/calls/test_presentation.py",
        "tests/unit/calls/test_pipeline.py",
        "tests/property/test_threads.py",
    ),
}
LONGEST_RUN = 30  # seconds; a change that makes an endless loop is noticed by this


class ChangedLoader(SourceFileLoader):
    """Loads the changed source of a module."""

    source = ""

    def get_code(self, fullname: str) -> Any:
        return compile(self.source, self.path, "exec")


def run_tests(module: str, source: str) -> None:
    """In a process of its own: the tests of a module with another source. Never returns."""
    signal.alarm(LONGEST_RUN)
    ChangedLoader.source = source
    find = PathFinder.find_spec

    def found(name: str, *where: Any) -> Any:
        spec = find(name, *where)
        if spec is not None and name == f"dsh_tools.{module}":
            spec.loader = ChangedLoader(name, str(spec.origin))
        return spec

    PathFinder.find_spec = found  # type: ignore[method-assign,assignment]  # of this process only
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    options = ["-x", "-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
    os._exit(int(pytest.main([*options, *TESTS[module]])))


def passes(module: str, source: str) -> bool:
    child = os.fork()
    if child == 0:
        run_tests(module, source)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def survivors(module: str, jobs: int) -> Iterator[Change]:
    """The changes of a module that its tests do not notice."""
    source = (ROOT / "dsh_tools" / f"{module.replace('.', '/')}.py").read_text("utf-8")
    waiting, running = changes(source)[::-1], dict[int, Change]()
    if not passes(module, source):
        raise SystemExit(f"{module}: its tests fail without any change")
    while waiting or running:
        while waiting and len(running) < jobs:
            change = waiting.pop()
            child = os.fork()
            if child == 0:
                run_tests(module, changed_source(source, change))
            running[child] = change
        child, status = os.wait()
        change = running.pop(child)
        if os.waitstatus_to_exitcode(status) == 0:
            yield change


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", default=[*TESTS])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    failed = False
    for module in options.modules:
        start, found = time.monotonic(), set[str]()
        source = (ROOT / "dsh_tools" / f"{module.replace('.', '/')}.py").read_text("utf-8")
        ast.parse(source)
        number = len(changes(source))
        for change in survivors(module, options.jobs):
            found.add(change.text)
            known = EQUIVALENT[module].get(change.text)
            print(f"{module}:{change.line}: {change.text}  # {known or 'NOT NOTICED'}", flush=True)
            failed |= known is None
        for text in EQUIVALENT[module].keys() - found:
            print(f"{module}: listed as equivalent, and noticed or gone: {text}")
            failed = True
        seconds = time.monotonic() - start
        print(f"{module}: {number} changes, {len(found)} survived, {seconds:.0f} s", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
