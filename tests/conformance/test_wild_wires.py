"""Schemas of real tools through every adapter: how many are refused, and why."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from dsh_tools import HarnessError
from dsh_tools.adapters import anthropic, gemini, mcp, openai

LINES = (Path(__file__).parent / "wild" / "tools.jsonl").read_text("utf-8").splitlines()
SENDERS: dict[str, Any] = {
    "chat": openai.chat_tools,
    "responses": openai.responses_tools,
    "anthropic": anthropic.tools,
    "gemini": gemini.function_declarations,
    "mcp": mcp.tools,
}


def refusals(provider: str, *, strict: bool) -> Counter[str]:
    """The reasons for which tools are refused, without their places."""
    reasons = Counter[str]()
    for line in LINES:
        tool = json.loads(line)
        schema = {"name": "t", "description": "d", "parameters": tool["parameters"]}
        try:
            SENDERS[provider]([schema | ({"strict": True} if strict else {})])
        except HarnessError as refusal:
            reasons[re.sub(r'^tool "t": parameters[^ ]*: ', "", str(refusal))] += 1
    return reasons


@pytest.mark.parametrize("provider", SENDERS)
def test_every_tool_goes_out(provider: str) -> None:
    assert refusals(provider, strict=False) == {}


@pytest.mark.parametrize(
    ("provider", "mode"),
    [("chat", "strict mode"), ("responses", "strict mode"), ("anthropic", "strict tool use")],
)
def test_strict_refuses_nothing_but_open_objects_and_any_value(provider: str, mode: str) -> None:
    assert refusals(provider, strict=True) == {
        f"an object may hold undeclared properties, and {mode} closes every object": 61,
        f'{mode} wants a "type"': 6,
    }
