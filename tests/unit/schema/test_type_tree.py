"""JSON Schemas as types: what a table of hints in the tests of `typed_source` does not show."""

from typing import Any

import pytest
from dsh_tools.schema.type_tree import (
    JSON_VALUE,
    OBJECT,
    STR,
    Known,
    ListOf,
    MapOf,
    Record,
    type_of,
    written_out,
)


def key_types(json_schema: object) -> dict[str, object]:
    """The types of the keys of a TypedDict."""
    record = type_of(json_schema)
    assert isinstance(record, Record)
    return {key.name: key.part.type for key in record.keys}


def test_what_several_references_lead_to_is_one_type() -> None:
    leaf = {"type": "object", "properties": {"a": {"type": "string"}}}
    types = key_types({"properties": {"x": leaf, "y": {"$ref": "#/properties/x"}}})
    assert types["x"] is types["y"]


def test_a_type_from_elsewhere_is_kept() -> None:
    known = Known("a type")
    assert type_of(known) is known
    assert key_types({"properties": {"a": known}}) == {"a": known}


@pytest.mark.parametrize("reference", ["#", "#/$defs/node", "#/$defs/other"])
def test_a_reference_that_leads_back_is_any_json(reference: str) -> None:
    node = {"type": "array", "items": {"$ref": reference}}
    json_schema = {**node, "$defs": {"node": node, "other": {"$ref": "#/$defs/node"}}}
    found = type_of(json_schema)
    while isinstance(found, ListOf):
        found = found.items.type
    assert found is JSON_VALUE


def test_a_schema_that_refers_to_itself_alone() -> None:
    assert type_of({"$ref": "#"}) is JSON_VALUE


def test_a_schema_that_contains_itself() -> None:
    json_schema: Any = {"type": "object", "properties": {}}
    json_schema["properties"]["again"] = json_schema
    assert key_types(json_schema) == {"again": JSON_VALUE}


@pytest.mark.parametrize("keyword", ["items", "additionalProperties", "anyOf", "allOf", "oneOf"])
def test_a_deep_schema_is_any_json_further_in(keyword: str) -> None:
    deep: Any = {"type": "string"}
    for _ in range(50_000):
        deep = {keyword: [deep] if keyword.endswith("Of") else deep}
    found = type_of(deep)
    while isinstance(found, (ListOf, MapOf)):
        found = (found.items if isinstance(found, ListOf) else found.values).type
    assert found is JSON_VALUE


def test_many_objects_in_objects() -> None:
    deep: Any = {"type": "string"}
    for _ in range(50_000):
        deep = {"properties": {"a": deep}}
    assert key_types(deep).keys() == {"a"}


def test_objects_that_are_all_of_a_schema_are_merged() -> None:
    inner = {"properties": {"a": {}, "b": {"type": "null"}}, "required": ["a"]}
    json_schema = {"properties": {"a": {"type": "string"}}, "allOf": [inner, {"required": ["b"]}]}
    record = type_of(json_schema)
    assert isinstance(record, Record)
    assert [(key.name, key.required) for key in record.keys] == [("a", True), ("b", False)]
    assert record.keys[0].part.type is STR


def test_how_large_a_type_is_written_out() -> None:
    assert written_out(OBJECT, 10) == 1
    pair = {"properties": {"a": {"$ref": "#/$defs/p"}, "b": {"$ref": "#/$defs/p"}}}
    once = {"type": "array", "items": {"type": "string"}}
    assert written_out(type_of({**pair, "$defs": {"p": once}}), 10) == 5
    assert written_out(type_of({**pair, "$defs": {"p": once}}), 3) == 3
