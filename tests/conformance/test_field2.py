"""More of what went wrong for people with tools of this kind. `field2.json` holds the reports;
each test is named after its case."""

import json
from pathlib import Path
from typing import Any

import pytest
from dsh_tools import ToolRegistry

from tests.unit.support import call, raw_tool, text_of

REPORTS = json.loads(Path(__file__).with_name("field2.json").read_text("utf-8"))["cases"]


def test_every_test_is_named_after_a_case() -> None:
    """A test is named after its case, `test_n23_…`; one case may have several."""
    ids = {report["id"].lower() for report in REPORTS}
    named = [name for name in globals() if name.startswith("test_") and name[6:7].isdigit()]
    assert {name.split("_")[1] for name in named} <= ids


# --- registry -----------------------------------------------------------------------------


@pytest.mark.parametrize("asked", ["functions.read_file", "ReadFile", "read-file", "raed_file"])
def test_n23_the_tool_that_was_meant_is_named(asked: str) -> None:
    registry = ToolRegistry()
    for name in [*(f"aaa_tool_{number:03}" for number in range(200)), "read_file"]:
        registry.register(raw_tool(lambda args, execution: "ran", name))
    result: Any = registry.execute(call(name=asked))
    assert text_of(result).startswith(f'Error: unknown tool "{asked}" (available: read_file, aaa_')
