"""Every way in which a spec can be ill formed, with the text an author reads."""

from random import Random
from typing import Any

import pytest
from dsh_tools import SchemaError, prop, schema, validate_args
from dsh_tools.schema.faults import fault_text, prop_faults, spec_faults, tool_name_fault
from dsh_tools.schema.keywords import RANK, TYPES_OF

TYPES = "string, number, integer, boolean, object, array, null"
ANY = "type, description, enum, default, required"
OF_ANY = "const, title, examples, deprecated"
INSTEAD = "anyOf, oneOf, $ref"
_SCALARS_ONLY = 'the "enum" must hold strings or finite numbers or integers or booleans or None only'
_NO_CHOICE = (
    '"{}" cannot stand at the root: a call has one object of arguments, so say it of a property'
)


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
            ['"a": "default" must be JSON, and with the spec no more than 128 deep'],
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
            ['"a": "default" must be JSON, and with the spec no more than 128 deep'],
        ),
        (
            {"a": {"type": "object", "default": {"b": float("nan")}}},
            ['"a": "default" must be JSON, and with the spec no more than 128 deep'],
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
    ("prop", "text"),
    [
        ({"type": "string", "title": 1}, '"title" must be text, not an int'),
        ({"type": "string", "format": None}, '"format" must be text, not None'),
        ({"type": "string", "deprecated": "yes"}, '"deprecated" must be True or False, not a str'),
        ({"type": "array", "uniqueItems": 1}, '"uniqueItems" must be True or False, not an int'),
        ({"type": "string", "examples": "x"}, '"examples" must be a list of values, not a str'),
        ({"type": "string", "examples": [{1}]}, '"examples" must be JSON, and with the spec no more than 128 deep'),
        ({"type": "number", "minimum": "1"}, '"minimum" must be a finite number, not a str'),
        ({"type": "number", "maximum": True}, '"maximum" must be a finite number, not a bool'),
        (
            {"type": "number", "exclusiveMinimum": True},
            '"exclusiveMinimum" must be a number: write the bound itself here',
        ),
        (
            {"type": "number", "minimum": float("inf")},
            '"minimum" must be a finite number, not NaN or an infinity',
        ),
        (
            {"type": "number", "minimum": 10**5000},
            '"minimum" must not be an integer too long to print',
        ),
        ({"type": "number", "multipleOf": 0}, '"multipleOf" must be greater than 0'),
        ({"type": "number", "multipleOf": -0.5}, '"multipleOf" must be greater than 0'),
        ({"type": "number", "multipleOf": "2"}, '"multipleOf" must be a finite number, not a str'),
        (
            {"type": "string", "minLength": -1},
            '"minLength" must be an integer of 0 or more, not a negative one',
        ),
        (
            {"type": "array", "maxItems": 2.0},
            '"maxItems" must be an integer of 0 or more, not a float',
        ),
        (
            {"type": "object", "maxProperties": 10**5000},
            '"maxProperties" must not be an integer too long to print',
        ),
        (
            {"type": "number", "minimum": 5, "maximum": 4},
            '"minimum" is above "maximum", so that no value could fit',
        ),
        (
            {"type": "number", "minimum": 5, "exclusiveMaximum": 5},
            '"minimum" is the same as "exclusiveMaximum", so that no value could fit',
        ),
        (
            {"type": "number", "exclusiveMinimum": 5, "maximum": 5.0},
            '"exclusiveMinimum" is the same as "maximum", so that no value could fit',
        ),
        (
            {"type": "number", "exclusiveMinimum": 6, "exclusiveMaximum": 5},
            '"exclusiveMinimum" is above "exclusiveMaximum", so that no value could fit',
        ),
        (
            {"type": "string", "minLength": 2, "maxLength": 1},
            '"minLength" is above "maxLength", so that no value could fit',
        ),
        (
            {"type": "array", "minItems": 2, "maxItems": 1},
            '"minItems" is above "maxItems", so that no value could fit',
        ),
        (
            {"type": "object", "minProperties": 2, "maxProperties": 1},
            '"minProperties" is above "maxProperties", so that no value could fit',
        ),
        (
            {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
            "no integer lies between the bounds",
        ),
        ({"type": "integer", "minimum": 0.2, "maximum": 0.8}, "no integer lies between the bounds"),
        (
            {"type": "integer", "minimum": 1, "maximum": 4, "multipleOf": 5},
            "no integer lies between the bounds",
        ),
        (
            {"type": "object", "maxProperties": 0, "properties": {"b": {"required": True}}},
            '"maxProperties" is less than the properties that must be there',
        ),
        (
            {"type": "object", "minProperties": 1, "additionalProperties": False},
            '"minProperties" is more than a closed object can hold',
        ),
        ({"minLength": 1}, '"minLength" wants the type beside it: "type": "string"'),
        ({"enum": ["a"], "maxLength": 1}, '"maxLength" wants the type beside it: "type": "string"'),
        (
            {"type": ["integer", "null"], "minLength": 1},
            '"minLength" is for a string, not for an integer or null',
        ),
        (
            {"type": "boolean", "format": "date"},
            '"format" is for a string, a number or an integer, not for a boolean',
        ),
        ({"type": "string", "required": ["a"]}, '"required" is for an object, not for a string'),
        ({"required": ["a"]}, '"required" wants the type beside it: "type": "object"'),
        (
            {"type": "object", "properties": {"b": {}}, "required": ["b", "b"]},
            '"required" must not repeat "b"',
        ),
        (
            {"type": "object", "properties": {"b": {}}, "required": [1]},
            '"required" must hold names of properties only, not an int',
        ),
        ({"type": "object", "required": ["b"]}, '"required" names "b", which is not in "properties"'),
        (
            {"type": "string", "anyOf": [{}, {}]},
            '"anyOf" stands in the place of "type": write one of them',
        ),
        (
            {"anyOf": [{}, {}], "oneOf": [{}, {}]},
            '"oneOf" stands in the place of "anyOf": write one of them',
        ),
        (
            {"const": 1, "oneOf": [{"type": "integer"}, {"type": "null"}]},
            '"oneOf" stands in the place of "const": write one of them',
        ),
        ({"anyOf": [{}]}, '"anyOf" must list two or more properties, not 1'),
        ({"anyOf": {}}, '"anyOf" must be a list of properties, not a dict'),
        (
            {"$ref": "#/$defs/P"},
            '"$ref" wants the long form of a spec, where it names one of the "$defs" of the root',
        ),
        (
            {"allOf": [{}]},
            '"allOf" is for raw tools: a spec has no such keyword, define_raw_tool takes it',
        ),
        ({"$schema": "x"}, '"$schema" may stand only at the root of the long form'),
        ({"$defs": {}}, '"$defs" may stand only at the root of the long form'),
        (
            {"type": "object", "propertyNames": {"type": "integer"}},
            '"propertyNames" refuses every name: names are strings',
        ),
        ({"enum": ["a", []]}, _SCALARS_ONLY + ", not a list"),
        (
            {"type": ["string", "null"], "enum": ["a", 1]},
            'the "enum" of a string or null must hold strings or None only, not an int',
        ),
        ({"enum": [1, 1.0]}, '"enum" must not repeat a value'),
        ({"type": "string", "const": 1}, '"const" must be a string, not an int'),
        ({"type": "array", "const": []}, '"const" must be left out: it is for scalars, not a list'),
        ({"const": 10**5000}, '"const" must not hold an integer too long to print'),
        (
            {"type": "string", "const": "ab", "maxLength": 1},
            '"const" must have at most 1 character, as the property itself asks',
        ),
        (
            {"type": "string", "enum": ["a", "bb"], "maxLength": 1},
            '"enum" has a member that must have at most 1 character, as the property itself asks',
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}], "default": 1},
            '"default" must fit one of its 2 alternatives, as the property itself asks',
        ),
    ],
)
def test_faults_of_one_keyword(prop: Any, text: str) -> None:
    assert [fault_text(fault) for fault in spec_faults({"a": prop})] == [f'"a": {text}']
    assert [fault_text(fault, in_prop=True) for fault in prop_faults(prop)] == [text]


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        (
            {"type": "string"},
            [
                '"type" of the root must be "object", as a call has an object of arguments, '
                'not "string"'
            ],
        ),
        (
            {"type": ["object", "null"], "properties": {}},
            [
                '"type" of the root must be "object", as a call has an object of arguments, '
                "not a list"
            ],
        ),
        ({"anyOf": [{}, {}]}, [_NO_CHOICE.format("anyOf")]),
        ({"$ref": "#/$defs/P"}, [_NO_CHOICE.format("$ref")]),
        ({"type": "object", "oneOf": [{}, {}]}, [_NO_CHOICE.format("oneOf")]),
        (
            {"$schema": "https://json-schema.org/draft/2020-12/schema"},
            ['"$schema" is read as a property here: the long form says "type": "object" beside it'],
        ),
        (
            {"type": "object", "required": True},
            ['"required" of the root must be a list of names, not a bool'],
        ),
        (
            {"type": "object", "properties": {"a": {"type": "strin"}}, "required": ["b"]},
            [
                '"required" names "b", which is not in "properties"',
                '"a": unknown type "strin", did you mean "string"?',
            ],
        ),
        (
            {"type": "object", "properties": {"properties": {"tpye": 1}}, "patternProperties": {}},
            [
                '"patternProperties" is for raw tools: a spec has no such keyword, '
                "define_raw_tool takes it",
                '"properties": unknown key "tpye", did you mean "type"?',
            ],
        ),
        (
            {"type": "object", "additionalProperties": "no"},
            ['"{}": a property must be a dict, not a str, or True or False'],
        ),
        (
            {"type": "object", "properties": {"a": True}},
            ['"a": a property must be a dict, not a bool, write {} for any value'],
        ),
        (
            {"type": "object", "properties": {"p": {"$ref": "#/$defs/Q"}}, "$defs": {"P": {}}},
            ['"p": "$ref" leads to "#/$defs/Q", where there is nothing'],
        ),
        (
            {"type": "object", "properties": {"p": {"$ref": "https://example.org/P"}}},
            [
                '"p": "$ref" must be "#/$defs/NAME" or "#/definitions/NAME", '
                'not "https://example.org/P"'
            ],
        ),
        (
            {"type": "object", "properties": {"p": {"$ref": 1}}},
            ['"p": "$ref" must be text, not an int'],
        ),
        (
            {"type": "object", "$defs": []},
            ['"$defs" must be a dict of properties, not a list'],
        ),
        (
            {
                "type": "object",
                "properties": {"p": {"$ref": "#/$defs/P", "default": {"x": "1"}}},
                "$defs": {"P": {"type": "object", "properties": {"x": {"type": "number"}}}},
            },
            ['"p": "default" has a "x" that must be a number, as the property itself asks'],
        ),
        (
            {
                "type": "object",
                "$defs": {
                    "A": {"$ref": "#/$defs/B"},
                    "B": {"oneOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
                },
            },
            ['"$defs.A": the definition leads back to itself by "$ref" and says nothing'],
        ),
        (
            {"a": {"type": "object", "additionalProperties": {"type": "array", "items": {"i": 1}}}},
            [f'"a{{}}[]": unknown key "i", it may have {ANY}, {OF_ANY}, {INSTEAD}'],
        ),
        (
            {"a": {"type": "array", "items": {"anyOf": [{}, {"type": "nul"}]}}},
            ['"a[].anyOf[1]": unknown type "nul", did you mean "null"?'],
        ),
        (
            {"a": {"type": "object", "propertyNames": {"type": "string", "enum": []}}},
            ['"a{name}": "enum" must not be empty: no value could fit'],
        ),
        (
            {"type": "object", "definitions": {"P": {"type": "object", "properties": {"x": 1}}}},
            ['"definitions.P.x": a property must be a dict, not an int'],
        ),
    ],
)
def test_faults_of_the_whole(spec: Any, texts: list[str]) -> None:
    with pytest.raises(SchemaError) as raised:
        schema(spec)
    assert raised.value.violations == texts


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
        {"a": {}},
        {"a": {"description": "any", "required": True}},
        {"a": {"enum": ["a", 1, True, None, 1.5]}},
        {"a": {"const": None, "default": None}},
        {"a": {"type": ["string", "null"], "minLength": 1, "default": None}},
        {"a": {"type": ["object", "null"], "enum": [None]}},
        {"a": {"type": "integer", "format": "int32", "multipleOf": 5, "minimum": 1, "maximum": 5}},
        {"a": {"type": "number", "multipleOf": 0.1, "default": 0.3}},
        {"a": {"type": "array", "uniqueItems": True, "default": [1, True, [1], [True]]}},
        {"a": {"type": "object", "properties": {"b": {"required": True}, "c": {}}, "required": ["c"]}},
        {"type": "object"},
        {"type": "object", "required": [], "$id": "a", "$comment": "c", "title": "t"},
        {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]},
        {
            "type": "object",
            "properties": {"n": {"$ref": "#/definitions/a~1b", "default": {"in": [{}]}}},
            "definitions": {
                "a/b": {
                    "type": "object",
                    "additionalProperties": {"type": "array", "items": {"$ref": "#/definitions/a~1b"}},
                }
            },
        },
    ],
)
def test_well_formed(spec: Any) -> None:
    assert schema(spec) is spec
    assert spec_faults(spec) == []


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


def test_a_spec_that_contains_itself_in_many_places_is_refused_as_soon() -> None:
    node: Any = {"type": "object"}
    node["properties"] = {f"child{number}": node for number in range(30)}
    assert len(spec_faults({"n": node})) == 30


@pytest.mark.parametrize(("doublings", "is_fine"), [(10, True), (30, False)])
def test_shared_dicts_are_fine_as_long_as_they_can_be_written_out(
    doublings: int, is_fine: bool
) -> None:
    spec: Any = {"type": "string"}
    for _ in range(doublings):
        spec = {"type": "object", "properties": {"a": spec, "b": spec}}
    faults = spec_faults({"v": spec})
    if is_fine:
        assert faults == []
    else:
        assert faults == [((), "written out, the spec holds more than 100,000 properties")]


def test_a_reference_through_thousands_of_others_is_read() -> None:
    definitions: Any = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(5000)}
    definitions["d5000"] = {"type": "string"}
    spec: Any = {"type": "object", "$defs": definitions}
    assert spec_faults(spec) == []
    spec["properties"] = {"p": {"$ref": "#/$defs/d0", "default": 1}}
    assert spec_faults(spec) != []
    definitions["d5000"] = {"$ref": "#/$defs/d0"}
    assert len(spec_faults(spec)) == 1


def test_alternatives_that_double_at_each_level_are_no_more_than_they_are() -> None:
    branch: Any = {"type": "array", "items": {"$ref": "#/$defs/N"}, "maxItems": 1}
    spec: Any = {"type": "object", "$defs": {"N": {"anyOf": [branch, {**branch, "title": "t"}]}}}
    value: Any = 1
    for _ in range(60):
        value = [value]
    spec["properties"] = {"p": {"$ref": "#/$defs/N", "default": value}}
    assert len(spec_faults(spec)) == 1


def test_a_fault_is_bounded_whatever_its_author_wrote() -> None:
    long = "x" * 100_000
    for spec in (
        {long: {"type": long, long: 1, "enum": [long, long], "required": [long]}},
        {"type": long},
        {"type": "object", "required": [long], "properties": {"p": {"$ref": long}}},
    ):
        assert all(len(fault_text(fault)) < 800 for fault in spec_faults(spec))
        with pytest.raises(SchemaError) as raised:
            schema(spec)  # type: ignore[arg-type]
        assert len(str(raised.value)) <= 4096


def junk(random: Random, depth: int = 0) -> Any:
    """Anything that may stand where a spec, a property or a value of a keyword is wanted."""
    kind = random.randrange(14)
    if kind < 4 or depth > 5:
        return random.choice(ODD_VALUES)
    if kind < 6:
        return [junk(random, depth + 1) for _ in range(random.randrange(4))]
    keys = ("a", "b", "\ud800", 2) if kind < 8 else (*RANK, "x", 1, None, "allOf")
    made = {random.choice(keys): junk(random, depth + 1) for _ in range(random.randrange(6))}
    if kind > 10:
        made["type"] = random.choice((*TYPES_OF.values(), "string", "object", "array", "integer"))
    return made


ODD_VALUES: Any = (
    *(None, True, False, 0, -1, 5, 10**5000, 0.5, 1e308, float("nan"), "", "object", "#/$defs/a"),
    *("\ud800", (), set(), b"x", object(), ["string", "null"]),
)


@pytest.mark.parametrize("check", [schema, prop])
def test_whatever_it_is_given_it_says_what_is_wrong(check: Any) -> None:
    random, well_formed = Random(7), 0
    for _ in range(3000):
        try:
            check(junk(random))
            well_formed += 1
        except SchemaError as error:
            assert error.violations and len(str(error)) <= 4096
    assert well_formed > 100


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
