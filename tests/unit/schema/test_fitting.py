"""Which values a property refuses, and in which words."""

from typing import Any

import pytest
from dsh_tools.schema.fitting import Fitting

ROOT = {
    "type": "object",
    "$defs": {
        "Leaf": {"type": "integer"},
        "Tree": {"anyOf": [{"$ref": "#/$defs/Leaf"}, {"type": "array", "items": {"$ref": "#/$defs/Tree"}}]},
        "Self": {"$ref": "#/$defs/Self"},
    },
}
CLOSED: Any = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("prop", "value", "refusal"),
    [
        ({}, {"any": [None]}, None),
        ({"type": "string"}, 1, "must be a string"),
        ({"type": ["string", "integer", "null"]}, [], "must be a string, an integer or null"),
        ({"type": ["string", "null"]}, None, None),
        ({"type": "integer"}, 5.0, None),
        ({"type": "integer"}, 5.5, "must be an integer"),
        ({"type": "integer"}, True, "must be an integer"),
        ({"type": "number"}, True, "must be a number"),
        ({"type": "boolean"}, 1, "must be a boolean"),
        ({"type": "null"}, 0, "must be null"),
        ({"enum": [1, "a"]}, 1.0, None),
        ({"enum": [1, "a"]}, True, 'must be one of its "enum"'),
        ({"enum": [1, "a"]}, [1], 'must be one of its "enum"'),
        ({"const": 1}, 1.0, None),
        ({"const": 1}, True, 'must be its "const"'),
        ({"const": None}, None, None),
        ({"minimum": 1}, 0, "must be at least 1"),
        ({"minimum": 1}, 1, None),
        ({"minimum": 1}, "a", None),
        ({"maximum": 0.5}, 0.75, "must be at most 0.5"),
        ({"exclusiveMinimum": 1}, 1, "must be greater than 1"),
        ({"exclusiveMaximum": 1}, 1.0, "must be less than 1"),
        ({"multipleOf": 5}, 12, "must be a multiple of 5"),
        ({"multipleOf": 0.1}, 0.3, None),
        ({"multipleOf": 0.1}, 0.35, "must be a multiple of 0.1"),
        ({"multipleOf": 1e-300}, 1e300, None),
        ({"minLength": 2}, "a", "must have at least 2 characters"),
        ({"maxLength": 1}, "ab", "must have at most 1 character"),
        ({"maxLength": 1}, "😀", None),
        ({"minItems": 1}, [], "must have at least 1 item"),
        ({"maxItems": 2}, [1, 2, 3], "must have at most 2 items"),
        ({"uniqueItems": True}, [1, True, "1", [1], [True], {"a": 1}, {"a": True}], None),
        ({"uniqueItems": True}, [{"a": 1, "b": 2}, {"b": 2.0, "a": 1}], "must not have equal items"),
        ({"uniqueItems": False}, [1, 1], None),
        ({"items": {"type": "string"}}, ["a", 1], "has an item that must be a string"),
        ({"minProperties": 1}, {}, "must have at least 1 property"),
        ({"maxProperties": 1}, {"a": 1, "b": 2}, "must have at most 1 property"),
        ({"properties": {"a": {"required": True}}}, {}, 'has no "a", which must be there'),
        ({"properties": {"a": {}}, "required": ["a"]}, {}, 'has no "a", which must be there'),
        ({"properties": {"a": {"type": "null"}}}, {"a": 1}, 'has a "a" that must be null'),
        (CLOSED, {"a": "x"}, None),
        (CLOSED, {"b": "x"}, 'has a "b", which is no declared property'),
        ({"additionalProperties": {"type": "null"}}, {"b": 1}, 'has a "b" that must be null'),
        ({"additionalProperties": True}, {"b": 1}, None),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            'has a "ab", whose name must have at most 1 character',
        ),
        ({"anyOf": [{"type": "null"}, {"minimum": 1}]}, 0, "must fit one of its 2 alternatives"),
        ({"anyOf": [{"type": "null"}, {"minimum": 1}]}, 1, None),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 1, None),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 0, "must fit one of its 2 alternatives"),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 2, "must fit only one of its 2 alternatives"),
        ({"$ref": "#/$defs/Leaf"}, "a", "must be an integer"),
        ({"$ref": "#/$defs/Tree"}, [1, [2, []]], None),
        ({"$ref": "#/$defs/Tree"}, [1, ["2"]], "must fit one of its 2 alternatives"),
        ({"$ref": "#/$defs/Self"}, 1, None),
        ({"$ref": "#/$defs/None"}, 1, None),
    ],
)
def test_refusal(prop: Any, value: object, refusal: str | None) -> None:
    assert Fitting(ROOT).refusal(prop, value) == refusal


@pytest.mark.parametrize(
    "prop",
    [
        {"type": "strin"},
        {"type": ["string", "strin"]},
        {"enum": "a"},
        {"const": []},
        {"minimum": "1", "maximum": True, "multipleOf": 0},
        {"minimum": 10**5000, "minLength": 10**5000, "maxItems": -1, "multipleOf": 10**5000},
        {"items": []},
        {"anyOf": {}, "oneOf": None},
        {"properties": [], "required": "a"},
        {"additionalProperties": None},
        {"$ref": 1},
        None,
    ],
)
def test_what_is_at_fault_refuses_nothing(prop: Any) -> None:
    for value in (None, True, 5, "a", [1], {"a": 1}):
        assert Fitting(ROOT).refusal(prop, value) is None


def test_a_keyword_can_be_left_out() -> None:
    prop: Any = {"type": "string", "enum": ["a"]}
    assert Fitting(None).refusal(prop, "b", without="enum") is None
    assert Fitting(None).refusal(prop, "b") is not None


@pytest.mark.parametrize(
    ("prop", "value", "refusal"),
    [
        ({"pattern": "b+"}, "abc", None),
        ({"pattern": "^b"}, "abc", 'must match its "pattern"'),
        ({"pattern": "(?<=a)b"}, "c", None),
        ({"format": "date"}, "2026-01-31", None),
        ({"format": "date"}, "tomorrow", "must be a date"),
        ({"format": "date"}, 1, None),
        ({"format": "colour"}, "tomorrow", None),
    ],
)
def test_patterns_and_formats(prop: Any, value: object, refusal: str | None) -> None:
    assert Fitting(None).refusal(prop, value) == refusal
