"""Edits to a small project: what mypy says with a warm cache is what it says in a cold run.
`make typing-matrix` goes through all edits, with the daemon, workers and other versions of mypy."""

from tests.typing.drive import EDITS, differences


def test_a_warm_cache_says_what_a_cold_run_says() -> None:
    assert len(EDITS) > 15
    assert list(differences(["warm"], most=3)) == []
