"""The one spelling of a tool's parameters."""

from typing import Any

import pytest
from dsh_tools import HarnessError
from dsh_tools.adapters.normalising import normalised

DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
HERE = 'tool "t": parameters'


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("given", "spelled"),
    [
        ({"type": ["object"]}, {"type": "object"}),
        ({"$ref": "#/$defs/A", "$defs": {"A": an_object()}}, an_object() | {"$defs": {"A": an_object()}}),
        (
            an_object(a={"$ref": "#/definitions/A"}) | {"definitions": {"A": {"type": "null"}}},
            an_object(a={"$ref": "#/$defs/A"}) | {"$defs": {"A": {"type": "null"}}},
        ),
        (an_object(a={"enum": None, "const": None, "anyOf": []}), an_object(a={"const": None})),
        (an_object(a={"minimum": 1, "exclusiveMinimum": True}), an_object(a={"exclusiveMinimum": 1})),
        (an_object(a={"maximum": 1, "exclusiveMaximum": False}), an_object(a={"maximum": 1})),
        (
            an_object(a={"items": [{"type": "null"}], "additionalItems": False}),
            an_object(a={"prefixItems": [{"type": "null"}], "items": False}),
        ),
        (
            {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
            {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}},
        ),
        (
            an_object(a={"required": True}, b={"required": False}) | {"required": ["c", "c"]},
            an_object(a={}, b={}) | {"required": ["c", "a"]},
        ),
        (DRAFT_7, DRAFT_7),
        (DRAFT_7 | {"items": [True]}, {"prefixItems": [True]}),
    ],
)  # fmt: skip
def test_what_is_spelled_otherwise_is_brought_to_one_spelling(given: Any, spelled: Any) -> None:
    assert normalised(given, HERE) == spelled
    assert normalised(spelled, HERE) == spelled


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (an_object(a=["b"]), ".properties.a: must be a JSON Schema"),
        (an_object(a={"type": "int"}), '.properties.a: "type" must be one of string,'),
        (an_object(a={"minLength": -1}), '.properties.a: "minLength" must be a whole number'),
        (an_object(a={"enum": []}), '.properties.a: "enum" must be an array of at least one'),
        (an_object(a={"anyOf": [{"required": "b"}]}), '.properties.a.anyOf[0]: "required" must be'),
        (an_object(a={"items": {"$ref": "#/$defs/A"}}), '.properties.a.items: "$ref" points to'),
        ({"$ref": "#"}, ': "$ref" points to nothing'),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}, ': "$ref" points to nothing'),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused_with_its_place(given: Any, place: str) -> None:
    with pytest.raises(HarnessError) as caught:
        normalised(given, HERE)
    assert caught.value.code == "UNSUPPORTED_SCHEMA"
    assert str(caught.value).startswith(f"{HERE}{place}")


def test_a_schema_without_end_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(10_000):
        deep = an_object(a=deep)
    circle, twice = an_object(), an_object()
    circle["properties"]["a"] = circle
    twice["properties"] |= {"a": twice, "b": twice}
    for endless, most in ((deep, "128 levels of"), (circle, "128 levels of"), (twice, "100,000")):
        with pytest.raises(HarnessError, match=f"more than {most} schemas are too many"):
            normalised(endless, HERE)
