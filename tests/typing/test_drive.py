"""Edits to a small project: what mypy says with a warm cache and in the daemon is what it says
in a cold run. `make typing-matrix` adds parallel workers and other versions of mypy."""

import pytest

from tests.typing.drive import EDITS, differences


@pytest.mark.parametrize("mode", ["warm", "daemon"])
def test_every_state_is_as_in_a_cold_run(mode: str) -> None:
    assert len(EDITS) > 15
    assert list(differences([mode])) == []
