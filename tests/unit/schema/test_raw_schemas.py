"""`validate_value` and `unchecked_keywords`: any JSON Schema, any value, and nothing ever raises."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from dsh_tools import unchecked_keywords, validate_value
from dsh_tools.schema.generated import source_of
from dsh_tools.schema.validation.validator import Validator

from tests.unit.hostile import MAKERS, nested
from tests.unit.support import SCALE, shorten_walks


@pytest.fixture(params=["explained", "compiled"])
def validate(request: pytest.FixtureRequest) -> Callable[[Any, object], list[str]]:
    """`validate_value`, before and after the check of a schema has been generated."""

    def run(json_schema: Any, value: object) -> list[str]:
        validator = Validator(json_schema)
        if request.param == "compiled":
            validator.compile()
        violations = validator.violations(value)
        if validator.check(value):
            assert violations == [], source_of(validator.check)
        return violations

    return run


WORDS: list[tuple[Any, object, list[str]]] = [
    (False, 1, ['"arguments" must be left out']),
    ({"type": "string"}, 1, ['"arguments" must be a string (a number arrived)']),
    ({"properties": {"a": False}}, {"a": 1}, ['"a" must be left out']),
    ({"not": {"type": "string"}}, "x", ['"arguments" must not fit what its schema excludes by "not"']),
    (
        {"contains": {"type": "integer"}},
        ["x"],
        ['"arguments" must have at least 1 item of the kind that its schema asks for'],
    ),
    (
        {"contains": {"type": "integer"}, "maxContains": 1},
        [1, 2],
        ['"arguments" must have at most 1 item of the kind that its schema counts'],
    ),
    (
        {"contains": True, "minContains": 2, "maxContains": 3},
        [1],
        ['"arguments" must have 2 to 3 items of the kind that its schema counts'],
    ),
    ({"patternProperties": {"^x": {"type": "integer"}}}, {"xy": "1"}, [
        '"xy" must be an integer (a string arrived, send the number without quotes)'
    ]),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ['missing required property "b"']),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, [
        'missing required property "b"'
    ]),
    ({"prefixItems": [{"type": "string"}], "items": False}, ["a", 1], ['"[1]" must be left out']),
    (
        {"oneOf": [{"type": "integer"}, {"minimum": 1}]},
        5,
        ['"arguments" must fit only one of its 2 alternatives'],
    ),
    (
        {"anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]},
        {},
        ['"arguments" must fit one of its 2 alternatives (missing required property "a")'],
    ),
    (
        {"propertyNames": {"maxLength": 2}},
        {"abc": 1},
        ['the name of "abc" must be at most 2 characters long (it is 3)'],
    ),
    ({"properties": {"a": {"const": {"b": [1]}}}}, {"a": {"b": [1.0]}}, []),
    ({"enum": [[1], {"a": None}]}, [True], ['"arguments" must be one of [[1],{"a":null}]']),
    ({"multipleOf": 0.1}, 0.3, []),
    ({"multipleOf": 0.1}, 0.35, ['"arguments" must be a multiple of 0.1']),
    ({"oneOf": [{"const": 1}, {"maximum": 3}]}, 1.0, [
        '"arguments" must fit only one of its 2 alternatives'
    ]),
    ({"properties": {"arguments": {"minLength": 1}}}, {"arguments": ""}, [
        '"arguments" must be at least 1 character long (it is 0)'
    ]),
]


@pytest.mark.parametrize(("json_schema", "value", "expected"), WORDS)
def test_the_words(validate: Any, json_schema: Any, value: object, expected: list[str]) -> None:
    assert validate(json_schema, value) == expected


OLDER: list[tuple[Any, object]] = [
    ({"maximum": 3, "exclusiveMaximum": True}, 3),
    ({"items": [{"type": "string"}], "additionalItems": False}, ["a", 1]),
    ({"dependencies": {"a": ["b"]}}, {"a": 1}),
    ({"dependencies": {"a": {"required": ["b"]}}}, {"a": 1}),
    ({"definitions": {"a": {"type": "string"}}, "$ref": "#/definitions/a"}, 1),
]


@pytest.mark.parametrize(("json_schema", "value"), OLDER)
def test_older_spellings_mean_what_they_meant(validate: Any, json_schema: Any, value: Any) -> None:
    assert unchecked_keywords(json_schema) == []
    assert len(validate(json_schema, value)) == 1


UNCHECKED: list[tuple[Any, list[str]]] = [
    (1, ["#: this is no JSON Schema"]),
    ({"properties": {"a": None}}, ["#/properties/a: this is no JSON Schema"]),
    ({"minLength": "x"}, ["#/minLength: it must be a number"]),
    ({"minLength": -1}, ["#/minLength: it must be a whole number, 0 or more"]),
    ({"multipleOf": 0}, ["#/multipleOf: it must be greater than 0"]),
    ({"maximum": float("nan")}, ["#/maximum: it must be a number"]),
    ({"required": True}, ["#/required: it must be a list of names"]),
    ({"type": "text"}, [
        "#/type: a type is one of string, number, integer, boolean, object, array, null"
    ]),
    ({"anyOf": []}, ["#/anyOf: it is malformed"]),
    ({"enum": [{1}]}, ["#/enum: it is not JSON"]),
    ({"$ref": "#/nowhere"}, ["#/$ref: it leads to nothing in this document"]),
    ({"$dynamicRef": "#a"}, ["#/$dynamicRef: this keyword is not checked"]),
    ({"unevaluatedProperties": False}, ["#/unevaluatedProperties: this keyword is not checked"]),
    ({"unevaluatedProperties": True}, []),
    ({"items": {"pattern": r"(a)\1"}}, [
        "#/items/pattern: a back-reference cannot be matched in linear time"
    ]),
    ({"properties": {"a/b": {"$id": "x", "type": "string"}}}, [
        '#/properties/a~1b: "$id" makes it a document of its own'
    ]),
    ({"$schema": "https://example.org/mine"}, [
        "#/$schema: a dialect that is not known may mean something else"
    ]),
]


@pytest.mark.parametrize(("json_schema", "places"), UNCHECKED)
def test_what_is_not_checked_is_named_and_constrains_nothing(
    validate: Any, json_schema: Any, places: list[str]
) -> None:
    assert unchecked_keywords(json_schema) == places
    for value in ("", {}, [], {"a": 1, "a/b": 1}, ["b"], None, -5):
        assert validate(json_schema, value) == []


@pytest.mark.parametrize("maker", MAKERS)
def test_any_thing_may_stand_where_a_schema_should(maker: str) -> None:
    json_schema = MAKERS[maker]()
    for given in (json_schema, {"properties": {"a": json_schema}}, {"enum": [json_schema]}):
        assert all(len(place) <= 4096 for place in unchecked_keywords(given))
        assert isinstance(validate_value(given, {"a": 1}), list)


@pytest.mark.parametrize("maker", MAKERS)
def test_any_thing_gets_a_verdict_of_a_schema_that_refers_to_itself(
    maker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_walks(monkeypatch, 100_000)
    for alternative in ("anyOf", "oneOf"):
        node = {alternative: [{"type": ["string", "number", "null", "boolean"]}, {"$ref": "#/$defs/C"}]}
        children = {"type": "array", "items": {"$ref": "#/$defs/N"}}
        members = {"type": "object", "additionalProperties": {"$ref": "#/$defs/N"}}
        definitions = {"N": node, "C": {alternative: [children, members]}}
        validator = Validator({"$ref": "#/$defs/N", "$defs": definitions})
        validator.compile()
        assert validator.check(MAKERS[maker]()) in (True, False)
        assert all(isinstance(text, str) for text in validator.violations(MAKERS[maker]()))


def doubling(levels: int, keyword: str) -> Any:
    """A schema whose definitions lead twice to the next one."""
    definitions: dict[str, Any] = {"L0": {"type": "string"}}
    for level in range(levels):
        twice = [{"$ref": f"#/$defs/L{level}"}, {"$ref": f"#/$defs/L{level}"}]
        definitions[f"L{level + 1}"] = {keyword: twice}
    return {"$ref": f"#/$defs/L{levels}", "$defs": definitions}


@pytest.mark.parametrize("keyword", ["anyOf", "allOf", "oneOf"])
@pytest.mark.parametrize("value", ["fits", 1])
def test_alternatives_that_double_at_each_level_are_followed_once(
    validate: Any, keyword: str, value: object
) -> None:
    fits = value == "fits" and keyword != "oneOf"
    assert (validate(doubling(60, keyword), value) == []) == fits


@pytest.mark.parametrize(
    "json_schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
        {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]},
        {"not": {"$ref": "#"}},
        {"if": {"$ref": "#"}, "then": {"$ref": "#"}},
        {"allOf": [{"$ref": "#"}], "minLength": 1},
    ],
)
def test_a_reference_to_itself_comes_to_an_end(validate: Any, json_schema: Any) -> None:
    values: list[Any] = ["x", [[]], {"a": {}}]
    for value in values:
        assert isinstance(validate(json_schema, value), list)


def test_a_tree_is_checked_at_every_level(validate: Any) -> None:
    tree = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["children"],
    }
    assert validate(tree, {"children": [{"children": []}, {"children": [{}]}]}) == [
        'missing required property "children[1].children[0].children"'
    ]


def test_a_value_deeper_than_the_stack_is_refused(validate: Any) -> None:
    deep = nested(lambda inner: [inner], 50_000)
    assert validate({"items": {"$ref": "#"}}, deep) == ['"arguments" must be nested less deeply']


def test_a_schema_deeper_than_the_stack_is_checked_as_far_as_it_goes(validate: Any) -> None:
    deep = nested(lambda inner: {"items": inner}, 50_000)
    assert unchecked_keywords(deep) == [
        f"#/{'/'.join(['items'] * 129)}: it stands more than 128 schemas deep"
    ]
    assert validate(deep, [[[]]]) == []


@pytest.mark.skipif(sys.flags.hash_randomization == 0, reason="hashes of texts are not random")
def test_numbers_with_equal_hashes_are_told_apart(validate: Any) -> None:
    modulus = sys.hash_info.modulus
    numbers = [modulus * factor for factor in range(20_000)]
    assert validate({"uniqueItems": True}, numbers) == []
    assert len(validate({"uniqueItems": True}, [*numbers, 0])) == 1


def test_many_objects_are_compared(validate: Any) -> None:
    objects: list[Any] = [{"a": [number], "b": {"c": None}} for number in range(SCALE * 10_000)]
    assert validate({"uniqueItems": True}, objects) == []
    assert len(validate({"uniqueItems": True}, [*objects, {"b": {"c": None}, "a": [7.0]}])) == 1


def test_two_hundred_tagged_alternatives(validate: Any) -> None:
    branches = [
        {
            "type": "object",
            "properties": {"kind": {"const": f"k{number}"}, f"p{number}": {"type": "integer"}},
            "required": ["kind", f"p{number}"],
        }
        for number in range(200)
    ]
    json_schema = {"type": "array", "items": {"oneOf": branches}}
    value: list[Any] = [{"kind": f"k{number}", f"p{number}": number} for number in range(200)]
    assert validate(json_schema, value) == []
    value[17] = {"kind": "k17"}
    assert validate(json_schema, value) == ['missing required property "[17].p17"']
