"""The official cases of JSON Schema, as far as a spec can say them.

A spec says less than a JSON Schema: a property always has one type. So a schema becomes a property
of the type that its keywords are about, and the cases of other types are left out; a schema that
allows everything becomes one of the type that the case has in its place. See the README in
`json_schema_test_suite` for the origin.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dsh_tools import SchemaError, schema, validate_args
from dsh_tools.json_values import plain_json
from dsh_tools.schema.faults import prop_faults
from dsh_tools.schema.validation.validator import Validator, compile_check

SUITE = Path(__file__).parent / "json_schema_test_suite"
SAID = {"type": 51, "required": 11, "properties": 8, "items": 5, "enum": 22, "default": 2}
TYPES: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
KEYWORDS = {"$schema", "type", "properties", "required", "items", "enum", "default", "description"}


class Unsayable(Exception):
    """A spec has no words for a schema, or for a case of it."""


def said(given: Any, data: Any) -> Any:
    """The property that says of `data` what a schema says."""
    if given is True or given == {}:
        given = {"type": type_of(data)}
    if given is False or not KEYWORDS >= given.keys():
        raise Unsayable
    kind = given.get("type") or implied_type(given)
    if kind not in TYPES.values() or "type" not in given and not fits(data, kind):
        raise Unsayable
    prop = {"type": kind}
    if "enum" in given:
        prop["enum"] = given["enum"]
    if "properties" in given or given.get("required"):
        prop["properties"] = said_properties(given, data if isinstance(data, dict) else {})
    if "items" in given:
        items = [said(given["items"], item) for item in (data if isinstance(data, list) else [])]
        prop["items"] = items[0] if items else said(given["items"], None)
        if any(item != prop["items"] for item in items):
            raise Unsayable
    if prop_faults(prop):
        raise Unsayable
    return prop


def said_properties(given: Any, data: Any) -> Any:
    required, properties = given.get("required", []), given.get("properties", {})
    names = [name for name in {**properties, **dict.fromkeys(required)}]
    said_ones = {}
    for name in names:
        member = properties.get(name, {})
        if member == {} and name not in data:
            member = {"type": "string"}  # any type will do: there is nothing to look at
        said_ones[name] = said(member, data.get(name))
        if name in required:
            said_ones[name]["required"] = True
    return said_ones


def implied_type(given: Any) -> str:
    if "properties" in given or "required" in given:
        return "object"
    if "items" in given:
        return "array"
    kinds = {type_of(member) for member in given.get("enum", [None])}
    return kinds.pop() if len(kinds) == 1 else ""


def type_of(data: Any) -> str:
    if data is None:
        raise Unsayable
    return TYPES[type(data)]


def fits(data: Any, kind: str) -> bool:
    """Whether a schema without a type says of `data` what a property of that type says."""
    numbers = ("integer", "number", "boolean")  # an enum of 0 is to refuse False as well
    return type_of(data) == kind or kind in numbers and type_of(data) in numbers


def sayable(name: str) -> Iterator[Any]:
    """Each case that can be said, as a property, data and whether the data is valid."""
    for group in json.loads((SUITE / f"{name}.json").read_text("utf-8")):
        for case in group["tests"]:
            try:
                prop = said(group["schema"], case["data"])
            except Unsayable:
                continue
            title = f"{name}: {group['description']}: {case['description']}"
            yield pytest.param(prop, case["data"], case["valid"], id=title)


@pytest.mark.parametrize(("prop", "data", "valid"), [case for name in SAID for case in sayable(name)])
def test_verdicts_are_those_of_the_suite(prop: Any, data: Any, valid: bool) -> None:
    spec: Any = {"v": prop}
    assert (validate_args(spec, {"v": data}) == []) == valid
    validator = validator_of(spec)
    validator.check = check_of(spec)
    assert (validator.check({"v": data}) or not validator.violations({"v": data})) == valid


@pytest.mark.parametrize("name", SAID)
def test_so_many_cases_can_be_said(name: str) -> None:
    assert len([*sayable(name)]) == SAID[name]


def test_a_default_that_does_not_fit_is_refused_when_the_spec_is_built() -> None:
    """The suite lets such a default stand, since it changes no verdict; here it is left out."""
    wrong: Any = {"foo": {"type": "integer", "default": []}}
    with pytest.raises(SchemaError, match='"foo": "default" must be an integer'):
        schema(wrong)
