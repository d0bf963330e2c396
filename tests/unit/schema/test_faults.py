"""Every way in which a spec can be ill formed, with the text an author reads."""

from typing import Any

import pytest
from dsh_tools import SchemaError, prop, schema, validate_args
from dsh_tools.schema.faults import fault_text, prop_faults, spec_faults, tool_name_fault

TYPES = "string, number, integer, boolean, object, array, null"
ANY = "type, description, enum, default, required"
OF_ANY = "const, title, examples, deprecated"
INSTEAD = "anyOf, oneOf, $ref"


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ([], ["a spec must be a dict of properties, not a list"]),
        (None, ["a spec must be a dict of properties, not None"]),
        ({1: {"type": "string"}}, ["the name of a property must be a string, not an int"]),
        (
            {"a": {"type": "object", "properties": {"\ud800": {"type": "string"}}}},
            ['"a": the name of a property holds a lone surrogate, which no UTF-8 can carry'],
        ),
        ({"a": "number"}, ['"a": a property must be a dict, not a str']),
        ({"a": {"type": "int"}}, ['"a": unknown type "int", did you mean "integer"?']),
        ({"a": {"type": "str"}}, ['"a": unknown type "str", did you mean "string"?']),
        ({"a": {"type": "float"}}, ['"a": unknown type "float", did you mean "number"?']),
        ({"a": {"type": "String"}}, ['"a": unknown type "String", did you mean "string"?']),
        ({"a": {"type": "date"}}, [f'"a": unknown type "date", it must be one of {TYPES}']),
        ({"a": {"type": "any"}}, ['"a": unknown type "any", a property without "type" accepts any JSON value']),
        ({"a": {"type": None}}, [f'"a": "type" must be one of {TYPES}, or a list of them, not None']),
        (
            {"a": {"type": ["string", "nul", 1]}},
            [
                '"a": unknown type "nul", did you mean "null"?',
                f'"a": "type" must be one of {TYPES}, or a list of them, not an int',
            ],
        ),
        ({"a": {"type": ["null", "null"]}}, ['"a": "type" must not repeat "null"']),
        (
            {"a": {"type": ["string"]}},
            ['"a": "type" must list two or more types, a single one stands without a list'],
        ),
        (
            {"a": {"type": "number", "requierd": True}},
            ['"a": unknown key "requierd", did you mean "required"?'],
        ),
        (
            {"a": {"type": "string", "desc": "x"}},
            ['"a": unknown key "desc", did you mean "description"?'],
        ),
        (
            {"a": {"type": "string", "optional": True}},
            ['"a": unknown key "optional", a property without "required" is optional'],
        ),
        (
            {"a": {"type": "objct", "properties": {"b": {"type": "strin"}}}},
            [
                '"a": unknown type "objct", did you mean "object"?',
                '"a.b": unknown type "strin", did you mean "string"?',
            ],
        ),
        (
            {"a": {"type": "list", "items": {"type": "int"}}},
            [
                '"a": unknown type "list", did you mean "array"?',
                '"a[]": unknown type "int", did you mean "integer"?',
            ],
        ),
        (
            {"a": {"type": "object", "properties": {"b": {"type": "strin"}}, "default": 5}},
            [
                '"a": "default" must be an object, as the property itself asks',
                '"a.b": unknown type "strin", did you mean "string"?',
            ],
        ),
        (
            {"a": {"type": "boolean", "foo": "A"}},
            [f'"a": unknown key "foo", it may have {ANY}, {OF_ANY}, {INSTEAD}'],
        ),
        (
            {"a": {"type": "boolean", "nullable": True}},
            ['"a": unknown key "nullable", write "null" into a list of types: ["string", "null"]'],
        ),
        (
            {"a": {"type": "object", "properties": {}, "required": ["b"]}},
            [
                '"a": "required" names "b", which is not in "properties"'
            ],
        ),
        (
            {"a": {"type": "integer", "enum": [10**5000]}},
            ['"a": "enum" must not hold an integer too long to print'],
        ),
        (
            {"a": {"type": "number", "default": float("nan")}},
            ['"a": "default" must be JSON, no more than 128 deep'],
        ),
        (
            {"a": {"type": "number", "min": 1, "lt": 2, "multiple_of": 3}},
            [
                '"a": unknown key "min", did you mean "minimum"?',
                '"a": unknown key "lt", did you mean "exclusiveMaximum"?',
                '"a": unknown key "multiple_of", did you mean "multipleOf"?',
            ],
        ),
        ({"a": {"type": "string", 1: 2}}, ['"a": a key of a property must be a string, not an int']),
        (
            {"a": {"type": "string", "required": False}},
            ['"a": "required" must be True or a list of names, leave the key out for an optional property'],
        ),
        (
            {"a": {"type": "string", "required": 1}},
            ['"a": "required" must be True or a list of names, leave the key out for an optional property'],
        ),
        (
            {"a": {"type": "string", "description": None}},
            ['"a": "description" must be text, not None'],
        ),
        (
            {"a": {"type": "object", "enum": ["x"]}},
            ['"a": "enum" is for scalars, not for an object'],
        ),
        ({"a": {"type": "string", "enum": []}}, ['"a": "enum" must not be empty: no value could fit']),
        ({"a": {"type": "string", "enum": ("x",)}}, ['"a": "enum" must be a list, not a tuple']),
        (
            {"a": {"type": "string", "enum": ["x", 1]}},
            ['"a": the "enum" of a string must hold strings only, not an int'],
        ),
        (
            {"a": {"type": "integer", "enum": [1, True, 2.0]}},
            [
                '"a": the "enum" of an integer must hold integers only, not a bool',
                '"a": the "enum" of an integer must hold integers only, not a float',
            ],
        ),
        (
            {"a": {"type": "number", "enum": [1, float("inf")]}},
            ['"a": the "enum" of a number must hold finite numbers only, not NaN or an infinity'],
        ),
        ({"a": {"type": "number", "enum": [1, 1.0]}}, ['"a": "enum" must not repeat a value']),
        (
            {"a": {"type": "string", "properties": {}}},
            ['"a": "properties" is for an object, not for a string'],
        ),
        (
            {"a": {"type": "string", "items": {"type": "string"}}},
            ['"a": "items" is for an array, not for a string'],
        ),
        (
            {"a": {"type": "object", "properties": []}},
            ['"a": "properties" must be a dict of properties, not a list'],
        ),
        (
            {"a": {"type": "array", "items": []}},
            ['"a[]": a property must be a dict, not a list, define_raw_tool takes a list of them'],
        ),
        (
            {"a": {"type": "string", "default": None}},
            ['"a": "default" must be a string, as the property itself asks'],
        ),
        (
            {"a": {"type": "string", "enum": ["x"], "default": "y"}},
            ['"a": "default" must be one of its "enum", as the property itself asks'],
        ),
        (
            {"a": {"type": "array", "items": {"type": "integer"}, "default": [1, "x"]}},
            ['"a": "default" has an item that must be an integer, as the property itself asks'],
        ),
        (
            {
                "a": {
                    "type": "object",
                    "properties": {"b": {"type": "string", "required": True}},
                    "default": {},
                }
            },
            ['"a": "default" has no "b", which must be there, as the property itself asks'],
        ),
        (
            {"a": {"type": "array", "default": [{1, 2}]}},
            ['"a": "default" must be JSON, no more than 128 deep'],
        ),
        (
            {"a": {"type": "object", "default": {"b": float("nan")}}},
            ['"a": "default" must be JSON, no more than 128 deep'],
        ),
        (
            {"a": {"type": "object", "properties": {"b": {"type": "array", "items": {"tpye": "x"}}}}},
            [
                '"a.b[]": unknown key "tpye", did you mean "type"?',
            ],
        ),
        (
            {"a": {"type": "int"}, "b": {"type": "string"}, "c": {"type": "text", "items": 1}},
            [
                '"a": unknown type "int", did you mean "integer"?',
                '"c": unknown type "text", did you mean "string"?',
                '"c[]": a property must be a dict, not an int',
            ],
        ),
    ],
)
def test_faults(spec: Any, texts: list[str]) -> None:
    with pytest.raises(SchemaError) as raised:
        schema(spec)
    assert raised.value.violations == texts
    assert all("; " not in text for text in texts)


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"type": {"type": "string"}, "properties": {"type": "object"}},
        {"a": {"type": "integer", "default": 5.0}},
        {"a": {"type": "number", "default": 5}},
        {"a": {"type": "array", "items": {"type": "string", "required": True}}},
        {"a": {"type": "object", "properties": {}, "default": {"anything": [None]}}},
        {"": {"type": "string"}, "a.b": {"type": "string"}},
        {"a": {"type": "number", "enum": [0, 1.5]}},
        {"a": {"type": "boolean", "enum": [True]}},
    ],
)
def test_well_formed(spec: Any) -> None:
    assert schema(spec) is spec
    assert validate_args(spec, {}) == []


def nested(levels: int) -> Any:
    inner: Any = {"type": "string"}
    for _ in range(levels):
        inner = {"type": "array", "items": inner}
    return {"a": inner}


def test_a_spec_that_contains_itself_is_refused() -> None:
    node: Any = {"type": "object"}
    node["properties"] = {"child": node}
    cyclic_items: Any = {"type": "array", "default": []}
    cyclic_items["items"] = cyclic_items
    cyclic_items["default"].append(cyclic_items["default"])
    spec: Any = {}
    spec["self"] = {"type": "object", "properties": spec}
    for whole in ({"n": node}, {"n": cyclic_items}, spec):
        with pytest.raises(SchemaError, match="the spec contains itself"):
            schema(whole)


def test_a_spec_as_deep_as_json_readers_go_is_fine_and_a_deeper_one_is_refused() -> None:
    deep = nested(120)
    assert validate_args(deep, {"a": "x"}) != []
    with pytest.raises(SchemaError, match="nested more than 128 dicts deep"):
        schema(nested(5000))


def test_a_shared_property_is_no_cycle() -> None:
    address: Any = {"type": "object", "properties": {"city": {"type": "string"}}}
    assert spec_faults({"home": address, "work": address}) == []


def test_paths_lead_to_the_offending_key_through_the_authors_data() -> None:
    spec = {"edits": {"type": "array", "items": {"type": "object", "properties": {"old": {"typ": 1}}}}}
    path, text = spec_faults(spec)[0]
    assert path == ("edits", "items", "properties", "old", "typ")
    assert fault_text((path, text)) == '"edits[].old": unknown key "typ", did you mean "type"?'


def test_a_property_on_its_own() -> None:
    server: Any = {"type": "object", "properties": {"port": {"type": "int"}}, "requird": True}
    assert len(prop_faults(server)) == 2
    with pytest.raises(SchemaError) as raised:
        prop(server)
    assert raised.value.violations == [
        'unknown key "requird", did you mean "required"?',
        '"port": unknown type "int", did you mean "integer"?',
    ]


@pytest.mark.parametrize("name", ["a", "read_file", "A-1", "x" * 64])
def test_good_tool_names(name: str) -> None:
    assert tool_name_fault(name) is None


@pytest.mark.parametrize("name", ["", "x" * 65, "a b", "a.b", "café", "a\n", "１", None, 5])
def test_bad_tool_names(name: object) -> None:
    fault = tool_name_fault(name)
    assert fault is not None
    assert "1 to 64 of A-Z a-z 0-9 _ and -" in fault
