"""Schemas of real tools, pasted as they are: which are specs, and what comes out of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from dsh_tools import (
    SchemaError,
    schema,
    schema_spec_to_json_schema,
    unchecked_keywords,
    validate_args,
    validate_value,
)

from tests.unit.support import check_of

from .corpus import Case

LINES = (Path(__file__).parent / "wild" / "tools.jsonl").read_text("utf-8").splitlines()
TOOLS: list[Case] = [json.loads(line) for line in LINES]

OWN_DEFAULT = '"default" must be'
"""Two servers give None as the default of what may not be null."""

REFUSED = {
    "pypi:mcp-atlassian": (41, OWN_DEFAULT),
    "pypi:mcp-yahoo-finance": (3, OWN_DEFAULT),
    "github:google-gemini/gemini-cli": (1, '"$schema" is read as a property here'),
    "github:github/github-mcp-server": (1, '"oneOf" stands in the place of "type"'),
}
"""Where tools come from whose schemas are no specs: how many there are, and why each is none."""


def faults(tool: Case) -> list[str]:
    try:
        schema(tool["parameters"])
    except SchemaError as error:
        return error.violations
    return []


FAULTS = [faults(tool) for tool in TOOLS]
SPECS = [tool for tool, found in zip(TOOLS, FAULTS) if not found]


def test_most_are_specs_as_they_stand() -> None:
    assert len(TOOLS) == 591
    assert len(SPECS) / len(TOOLS) >= 0.92


def test_the_others_are_refused_for_known_reasons() -> None:
    refused: dict[str, list[list[str]]] = {}
    for tool, found in zip(TOOLS, FAULTS):
        if found:
            refused.setdefault(tool["source"], []).append(found)
    assert {source: len(tools) for source, tools in refused.items()} == {
        source: count for source, (count, _) in REFUSED.items()
    }
    for source, tools in refused.items():
        _, reason = REFUSED[source]
        assert all(reason in fault for found in tools for fault in found), tools


@pytest.mark.parametrize("tool", SPECS, ids=lambda tool: tool["name"])
def test_what_comes_out_says_the_same(tool: Case) -> None:
    converted = schema_spec_to_json_schema(tool["parameters"])
    assert unordered(converted) == unordered(tool["parameters"])


@pytest.mark.parametrize("tool", SPECS, ids=lambda tool: tool["name"])
def test_what_comes_out_is_its_own_spec(tool: Case) -> None:
    converted: Any = schema_spec_to_json_schema(tool["parameters"])
    assert schema(converted) is converted
    assert json.dumps(schema_spec_to_json_schema(converted)) == json.dumps(converted)


def unordered(given: Any) -> Any:
    """A schema with its lists of required names sorted, and without empty ones."""
    if isinstance(given, list):
        return [unordered(item) for item in given]
    if not isinstance(given, dict):
        return given
    plain = {key: unordered(value) for key, value in given.items()}
    if isinstance(plain.get("required"), list):
        plain["required"] = sorted(plain["required"])
    return {key: value for key, value in plain.items() if (key, value) != ("required", [])}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_as_a_raw_schema_all_is_checked_and_each_call_judged_right(tool: Case) -> None:
    assert unchecked_keywords(tool["parameters"]) == []
    for arguments in tool["valid"]:
        assert validate_value(tool["parameters"], arguments) == []
    if "format" not in json.dumps(tool["parameters"]):  # an annotation here, not to the labels
        for arguments in tool["invalid"]:
            assert validate_value(tool["parameters"], arguments) != []


@pytest.mark.parametrize("tool", SPECS, ids=lambda tool: tool["name"])
def test_as_a_spec_each_call_is_judged_right(tool: Case) -> None:
    check = check_of(tool["parameters"])
    for arguments in tool["valid"]:
        assert validate_args(tool["parameters"], arguments) == []
        assert check(arguments)
    for arguments in tool["invalid"]:
        assert validate_args(tool["parameters"], arguments) != []
        assert not check(arguments)
