"""What providers are sent and what they refuse."""

from collections.abc import Mapping

import pytest
from dsh_tools import ToolSchema
from dsh_tools.commands.providers import FORMATS, PROVIDERS, ToolFault, in_format, refusals

from ..support import raw_tool


def schema(
    name: str = "t", description: str = "d", parameters: Mapping[str, object] | None = None
) -> ToolSchema:
    return {
        "name": name,
        "description": description,
        "parameters": parameters or {"type": "object", "properties": {"a": {"type": "string"}}},
    }


def faults(given: ToolSchema, *providers: str) -> list[ToolFault]:
    return list(refusals([given], providers or PROVIDERS))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_the_tool_and_its_parameter(name: str) -> None:
    (sent,) = in_format(name, [schema("weather", "The weather", None)])
    assert "'weather'" in str(sent) and "'The weather'" in str(sent) and "'a'" in str(sent)


def test_the_format_dsh_is_what_a_registry_gives() -> None:
    assert in_format("dsh", [schema()]) == [schema()]


def test_an_ordinary_tool_is_refused_by_nobody() -> None:
    assert faults(schema()) == []


def test_a_tool_without_a_description_is_of_use_to_no_model() -> None:
    (fault,) = faults(schema(description=" \n"))
    assert fault["text"].startswith("there is no description")
    assert "providers" not in fault
    assert len(faults(schema(description=""), "mcp")) == 1


def test_the_longest_description() -> None:
    assert faults(schema(description="x" * 1_024)) == []
    (fault,) = faults(schema(description="x" * 1_025))
    assert fault["providers"] == ["openai"]
    assert fault["text"] == "a description of 1,025 characters is too long, 1,024 is the most"


def test_arrays_without_items_are_found_wherever_they_are() -> None:
    array = {"type": "array"}
    deep = {
        "type": "object",
        "properties": {
            "plain": array,
            "nullable": {"type": ["array", "null"]},
            "nested": {"type": "array", "items": array},
            "object": {"type": "object", "properties": {"inner": array}},
            "map": {"type": "object", "additionalProperties": array},
            "choice": {"anyOf": [{"type": "string"}, array]},
            "fine": {"type": "array", "items": {}},
            "named": {"$ref": "#/$defs/list"},
            "properties": {"type": "string"},
        },
        "$defs": {"list": array},
    }
    found = faults(schema(parameters=deep), "openai")
    assert {fault["providers"][0] for fault in found} == {"openai"}
    assert [fault["path"] for fault in found] == [
        "plain",
        "nullable",
        "nested[]",
        "object.inner",
        "map{}",
        "choice",
        "$defs.list",
    ]


@pytest.mark.parametrize(
    ("given", "refusing"),
    [
        (schema(name="9live"), ["gemini"]),
        (schema(name="-x"), ["gemini"]),
        (schema(parameters={"type": "object", "properties": {"a b": {}}}), ["anthropic"]),
        (schema(parameters={"type": "object", "enum": [{}]}), ["openai", "deepseek"]),
        (schema(parameters={"type": "string"}), ["openai", "deepseek", "anthropic", "mcp", "gemini"]),
    ],
)
def test_what_some_refuse(given: ToolSchema, refusing: list[str]) -> None:
    (fault,) = faults(given)
    assert fault["providers"] == refusing
    assert fault["tool"] == given["name"]
    others = [provider for provider in PROVIDERS if provider not in refusing]
    assert not others or faults(given, *others) == []


def test_only_the_rules_of_the_providers_asked_for() -> None:
    given = schema(parameters={"type": "object", "properties": {"a": {"type": "array"}}})
    assert [fault["providers"] for fault in faults(given)] == [["openai", "gemini"]]
    assert [fault["providers"] for fault in faults(given, "gemini")] == [["gemini"]]
    assert faults(given, "anthropic", "mcp") == []


@pytest.mark.parametrize(
    ("count", "refusing"), [(128, []), (129, ["openai", "deepseek"]), (513, ["openai", "deepseek", "gemini"])]
)
def test_too_many_tools(count: int, refusing: list[str]) -> None:
    found = list(refusals([schema(f"t{number}") for number in range(count)]))
    assert [fault["providers"] for fault in found] == [[provider] for provider in refusing]
    assert all("tool" not in fault and str(count) in fault["text"] for fault in found)


def test_each_rule_says_where_it_is_from() -> None:
    array = {"type": "object", "properties": {"a": {"type": "array"}}}
    for given in (schema(description=""), schema(parameters=array)):
        (fault,) = faults(given)
        assert fault["source"].startswith("https://")


def test_raw_tools_are_looked_at_like_any_other() -> None:
    tool = raw_tool(lambda args, execution: None)
    assert faults(tool) == []
