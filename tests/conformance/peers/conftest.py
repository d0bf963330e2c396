"""How many cases hypothesis makes, and at the end how many there were.

`make conformance` makes the same bounded number each time, `make soak` ever new ones, many times as
many.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

from tests.conformance.peers.generated import tally

settings.register_profile(
    "bounded",
    max_examples=200,
    stateful_step_count=30,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile(
    "soak", settings.get_profile("bounded"), max_examples=12_000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "bounded"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for counted, number in tally.items():
        terminalreporter.write_line(f"{number:>12,} {counted}")
