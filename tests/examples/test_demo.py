"""The demo: it runs on plain Python, and shows what it promises."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .demo import CONVERSATION, main

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shown() -> str:
    """What a newcomer sees of `make demo`."""
    command = [sys.executable, "-W", "error", "-m", "tests.examples.demo"]
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    demo = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=60
    )
    assert (demo.returncode, demo.stderr) == (0, "")
    return demo.stdout


def test_main_writes_what_the_command_prints(
    shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    lines: list[str] = []
    main(write=lines.append)
    assert "\n".join(lines) + "\n" == shown


def test_it_is_short(shown: str) -> None:
    lines = shown.splitlines()
    assert len(lines) <= 90
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("number", range(1, len(CONVERSATION) + 1), ids="call-{}".format)
def test_each_call_ends(shown: str, number: int) -> None:
    card = shown.split(f"\n{number}. ")[1].split("\n\n")[0]
    assert card.splitlines()[-1].startswith("╰ ")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("│ 2:     return a - b\n", id="a file is read"),
        pytest.param('"arguments" must be an object', id="malformed JSON is refused"),
        pytest.param('missing required property "old_string"', id="a wrong call is refused"),
        pytest.param("│ -    return a - b\n│ +    return a + b\n", id="a mended call edits"),
        pytest.param("\nMay the model write a file? yes\n", id="the user is asked"),
        pytest.param("│ passed\n", id="a command runs"),
        pytest.param("Error: commands that delete are not allowed here\n", id="a guard denies"),
        pytest.param("│ settings.ini:2: key = [redacted]\n", id="a secret is redacted"),
        pytest.param('Error: unknown tool "git_commit"', id="an unknown tool is named"),
    ],
)
def test_moment(shown: str, text: str) -> None:
    assert text in shown


@pytest.mark.parametrize("text", ["sk-4f9a1c", "/tmp", "Traceback"])
def test_nothing_that_should_not_be_seen(shown: str, text: str) -> None:
    assert text not in shown
