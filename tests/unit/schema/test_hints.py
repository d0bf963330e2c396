"""The one hint of a violation, which tells a model how to mend the call: whole texts."""

from typing import Any

import pytest
from dsh_tools import validate_args, validate_value

OPS: dict[str, Any] = {
    "op": {
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "kind": {"const": "insert", "required": True},
                    "kind_of_text": {"type": "string"},
                },
            },
            {"type": "object", "properties": {"kind": {"const": "delete", "required": True}}},
        ]
    }
}
SHAPES: dict[str, Any] = {
    "shape": {
        "anyOf": [
            {"type": "object", "properties": {
                "x": {"type": "integer", "required": True},
                "y": {"type": "integer", "required": True},
            }},
            {"type": "object", "properties": {"r": {"type": "number", "required": True}}},
        ]
    }
}
CLOSED: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"file_path": {"type": "string"}, "limit": {"type": "integer"}},
}
CASES: dict[str, tuple[dict[str, Any], object, str]] = {
    "too long": (
        {"q": {"type": "string", "maxLength": 3}},
        {"q": "secret"},
        '"q" must be at most 3 characters long (it is 6)',
    ),
    "too short": (
        {"q": {"type": "string", "minLength": 1}},
        {"q": ""},
        '"q" must be at least 1 character long (it is 0)',
    ),
    "too few items": (
        {"q": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
        {"q": []},
        '"q" must have at least 1 item (it has 0)',
    ),
    "too many properties": (
        {"q": {"type": "object", "maxProperties": 1}},
        {"q": {"a": 1, "b": 2}},
        '"q" must have at most 1 property (it has 2)',
    ),
    "a format": (
        {"since": {"type": "string", "format": "date"}},
        {"since": "yesterday"},
        '"since" must be a date (for example 2026-01-31)',
    ),
    "JSON text for an array": (
        {"q": {"type": "array", "items": {"type": "string"}}},
        {"q": '["a"]'},
        '"q" must be an array (a string arrived, send the array itself instead of JSON text)',
    ),
    "JSON text for an object": (
        {"q": {"type": "object"}},
        {"q": '{"a": 1}'},
        '"q" must be an object (a string arrived, send the object itself instead of JSON text)',
    ),
    "null on an optional": (
        {"q": {"type": "string"}},
        {"q": None},
        '"q" must be a string (null arrived, leave the key out instead)',
    ),
    "null on optional alternatives": (
        {"q": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
        {"q": None},
        '"q" must be a string or an integer (null arrived, leave the key out instead)',
    ),
    "null on an optional choice": (
        {"q": {"enum": ["a", "b"]}},
        {"q": None},
        '"q" must be one of ["a","b"] (null arrived, leave the key out instead)',
    ),
    "null on a required": (
        {"q": {"type": "string", "required": True}},
        {"q": None},
        '"q" must be a string (null arrived)',
    ),
    "no JSON on a choice": (
        {"q": {"enum": ["a", "b"]}},
        {"q": ("a",)},
        '"q" must be one of ["a","b"] (a value arrived that is not JSON)',
    ),
    "look-alike of a missing key": (
        {"path": {"type": "string", "required": True}},
        {"file_path": "x"},
        'missing required property "path" ("file_path" arrived, which the schema does not know)',
    ),
    "wrapped arguments": (
        {"path": {"type": "string", "required": True}},
        {"input": {"path": "x"}},
        'missing required property "path" (send what is inside "input" without it)',
    ),
    "undeclared key": (
        CLOSED,
        {"path": "x"},
        '"path" is not a declared property ("file_path" is)',
    ),
    "undeclared key like none": (CLOSED, {"zzz": 1}, '"zzz" is not a declared property'),
    "tag missing": (
        OPS,
        {"op": {"kind_of_text": "x"}},
        'missing required property "op.kind" (it must be one of ["insert","delete"])',
    ),
    "tag unknown": (
        OPS,
        {"op": {"kind": "move"}},
        '"op.kind" must be one of ["insert","delete"]',
    ),
    "nearest alternative": (
        SHAPES,
        {"shape": {"r": "1"}},
        '"shape" must fit one of its 2 alternatives ("shape.r" must be a number)',
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_violation_tells_how_to_mend_the_call(case: str) -> None:
    spec, args, text = CASES[case]
    assert validate_args(spec, args) == [text]


LONG = "n" * 1_000_000
OF_LONG_NAMES: dict[str, tuple[dict[str, Any], object]] = {
    "undeclared": ({"additionalProperties": False}, {LONG: 1}),
    "missing": ({"required": [LONG]}, {}),
    "of a map": ({"additionalProperties": {"type": "integer"}}, {LONG: "1"}),
    "of a list": ({"additionalProperties": {"items": {"type": "integer"}}}, {LONG: ["1"] * 1_000}),
    "a constant": ({"properties": {"a": {"const": LONG}}}, {"a": 1}),
}


@pytest.mark.parametrize("case", OF_LONG_NAMES)
def test_no_violation_is_longer_than_may_be(case: str) -> None:
    schema, value = OF_LONG_NAMES[case]
    violations = validate_value(schema, value)
    assert violations and max(map(len, violations)) <= 4_096


def test_places_with_long_names_that_look_the_same_are_each_looked_at() -> None:
    schema = {"additionalProperties": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "integer"}}}
    half = "n" * 2_000
    assert len(validate_value(schema, {f"{half}a{half}": 1, f"{half}b{half}": "x"})) == 1


def test_references_that_double_give_an_int() -> None:
    from dsh_tools.schema.validation.validator import Validator

    definitions: dict[str, Any] = {
        f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(40)
    }
    definitions["d40"] = {"type": "integer"}
    schema = {"properties": {"v": {"$ref": "#/$defs/d0"}}, "$defs": definitions}
    accepted = Validator(schema).accept({"v": 1.0})
    assert isinstance(accepted, dict) and type(accepted["v"]) is int
