import copy
import json
from typing import Any

import pytest
from dsh_tools import SchemaError, schema_spec_to_json_schema


def test_it_shares_nothing_with_the_spec() -> None:
    spec: Any = {
        "mode": {"type": "string", "enum": ["a", "b"]},
        "tree": {"type": "object", "default": {"a": [1]}, "properties": {"a": {"type": "array"}}},
        "rows": {"type": "array", "items": {"type": "string", "enum": ["x"]}, "default": ["x"]},
    }
    untouched = copy.deepcopy(spec)
    converted: Any = schema_spec_to_json_schema(spec)
    properties = converted["properties"]
    properties["mode"]["enum"].append("hacked")
    properties["tree"]["default"]["a"].append("hacked")
    properties["rows"]["items"]["enum"].clear()
    properties["rows"]["default"].clear()
    assert spec == untouched


def test_a_shared_property_is_written_out_at_each_place() -> None:
    address: Any = {"type": "object", "properties": {"city": {"type": "string"}}}
    converted: Any = schema_spec_to_json_schema({"home": address, "work": address})
    home, work = converted["properties"].values()
    assert home == work
    assert home is not work
    assert "$ref" not in json.dumps(converted)


def test_text_passes_through_unchanged() -> None:
    text = 'Use {"a": 1}, C:\\new, “quotes”,\nsecond line, 100% {x} 中文'
    converted = schema_spec_to_json_schema({"q": {"type": "string", "description": text}})
    assert json.loads(json.dumps(converted))["properties"]["q"]["description"] == text


def test_an_ill_formed_spec_is_refused() -> None:
    spec: Any = {"limit": {"type": "int"}}
    with pytest.raises(SchemaError, match="limit"):
        schema_spec_to_json_schema(spec)


def test_required_names_come_in_the_order_of_declaration_however_they_are_said() -> None:
    spec: Any = {
        "type": "object",
        "required": ["d", "a"],
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "array", "items": {"type": "string", "required": True}},
            "c": {"type": "object", "required": True, "properties": {"x": {"required": True}}},
            "d": {"type": "object", "required": [], "properties": {"x": {}}},
        },
    }
    assert schema_spec_to_json_schema(spec) == {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "array", "items": {"type": "string"}},
            "c": {"type": "object", "properties": {"x": {}}, "required": ["x"]},
            "d": {"type": "object", "properties": {"x": {}}},
        },
        "required": ["a", "c", "d"],
    }


def test_the_keys_of_a_root_come_last_and_in_their_order() -> None:
    spec: Any = {
        "definitions": {"B": {"required": True, "title": "B", "type": "null"}},
        "$defs": {},
        "$comment": "c",
        "$id": "i",
        "$schema": "s",
        "additionalProperties": {"minimum": 1, "type": "integer"},
        "title": "t",
        "description": "d",
        "type": "object",
    }
    assert json.dumps(schema_spec_to_json_schema(spec)) == json.dumps(
        {
            "type": "object",
            "description": "d",
            "title": "t",
            "additionalProperties": {"type": "integer", "minimum": 1},
            "$schema": "s",
            "$id": "i",
            "$comment": "c",
            "$defs": {},
            "definitions": {"B": {"type": "null", "title": "B"}},
        }
    )
