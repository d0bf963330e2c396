"""Specs and JSON Schemas as TypedDict source, for people and for type checkers."""

from inspect import cleandoc
from textwrap import dedent
from typing import Any

import pytest
from dsh_tools import SchemaError, define_tool, schema, schema_spec_to_json_schema
from dsh_tools.schema.typed_source import (
    ToolArgs,
    args_name,
    stub_source,
    tools_of_listing,
    tools_of_module,
    typed_dict_source,
)


def executed(source: str, name: str = "Args") -> Any:
    """The TypedDict of that name in a module of that source."""
    namespace: dict[str, Any] = {"__name__": "generated_module"}
    exec(compile(source, "generated_module", "exec", dont_inherit=True), namespace)
    return namespace[name]


def typed(json_schema: object) -> str:
    """The stub of a tool called "t" without the opening comment and the imports."""
    source = stub_source("a test", [ToolArgs("Args", json_schema)])
    *_, body = source.partition("\n\n\n")
    return body


def key_type(prop: object) -> str:
    """The type of a required key with such a schema."""
    body = typed({"properties": {"key": prop}, "required": ["key"]})
    return body.rpartition("    key: ")[2].rstrip("\n")


# --- source that schema() reads again ----------------------------------------------------


def test_source_shows_a_spec_as_a_typed_dict() -> None:
    spec: Any = {
        "path": {"type": "string", "required": True, "description": 'Say "where"'},
        "limit": {"type": "integer", "default": 10},
        "mode": {"type": "string", "enum": ["r", "w"], "description": "How", "default": "r"},
        "edits": {
            "type": "array",
            "required": True,
            "items": {
                "type": "object",
                "properties": {"old": {"type": "string", "required": True}},
            },
        },
    }
    assert typed_dict_source("EditArgs", spec) == cleandoc(r'''
        from typing import Annotated, Literal, NotRequired, TypedDict


        class EditArgsEdits(TypedDict):
            old: str


        class EditArgs(TypedDict):
            path: Annotated[str, "Say \"where\""]
            limit: NotRequired[Annotated[int, {"default": 10}]]
            mode: NotRequired[Annotated[Literal["r", "w"], "How", {"default": "r"}]]
            edits: list[EditArgsEdits]
        ''') + "\n"


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"a": {"type": "object"}, "b": {"type": "array"}, "c": {"type": "boolean"}},
        {"a": {"type": "object", "properties": {}}},
        {"a": {"type": "number", "enum": [0.5, 1]}, "b": {"type": "number", "enum": [1, 2]}},
        {"a": {"type": "integer", "enum": [3, -1], "default": 3}},
        {"a": {"type": "boolean", "default": False}, "b": {"type": "number", "default": 0.0}},
        {"a": {"type": "object", "default": {"b": [None, "é", '"', "\n"]}}},
        {"a": {"type": "string", "default": "", "description": "two\nlines \\ 'and' \"quotes\" 🙂"}},
        {"a": {"type": "array", "items": {"type": "array", "items": {"type": "object"}}}},
        {"a": {"type": "array", "items": {"type": "integer", "description": "each", "default": 1}}},
        {"a-b": {"type": "string"}, "": {"type": "object", "properties": {}}},
        {"class": {"type": "string"}, "None": {"type": "string"}, "match": {"type": "string"}},
        {"__private": {"type": "string", "required": True}, "_plain": {"type": "string"}},
        {"str": {"type": "integer"}, "Literal": {"type": "string", "enum": ["\ud800", "\x00"]}},
        {"a": {"type": ["string", "null"], "minLength": 1}, "b": {"type": "null"}},
        {"a": {"type": ["integer", "number"]}, "b": {"type": ["integer", "null"], "enum": [1, None]}},
        {"a": {"enum": ["x", 1, True, None]}, "b": {"type": "string", "enum": ["x"]}},
        {"a": {"const": "x"}, "b": {"type": "string", "const": "x"}, "c": {"const": None}},
        {"a": {}, "b": {"description": "any"}, "c": {"type": "array", "items": {}}},
        {"a": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}}},
        {"a": {"type": "object", "additionalProperties": False}},
        {"a": {"type": "object", "additionalProperties": {}, "minProperties": 1}},
        {"a": {"type": "object", "additionalProperties": False, "properties": {"b": {}}}},
        {"a": {"type": ["array", "null"], "items": {"type": "string"}, "minItems": 1}},
        {"a": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}},
        {"a": {"anyOf": [{"type": "integer"}, {"type": "string"}]}},
        {"a": {"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "null"}}]}},
        {
            "a": {
                "anyOf": [
                    {"type": "object", "properties": {"b": {"type": "string", "required": True}}},
                    {"type": "array", "items": {"type": "string"}},
                    {"type": "null"},
                ],
                "description": "one of them",
            }
        },
        {"ﬁ": {"type": "string"}, "größe": {"type": "string"}, "日本": {"type": "string"}},
        {
            "a-b": {"type": "object", "properties": {"x": {"type": "string"}}},
            "a b": {"type": "object", "properties": {"y": {"type": "string"}}},
        },
        {
            "Args": {"type": "object", "properties": {"Args": {"type": "string"}}},
            "items": {"type": "string"},
            "keys": {"type": "string"},
        },
    ],
)
def test_source_gives_the_same_json_schema(spec: Any) -> None:
    source = typed_dict_source("Args", spec)
    again = schema_spec_to_json_schema(executed(source))
    assert again == schema_spec_to_json_schema(spec), source
    assert list(again["properties"]) == list(spec)
    assert typed_dict_source("Args", executed(source)) == source


def test_source_of_what_is_no_spec_is_refused() -> None:
    broken: Any = {"a": {"type": "str"}}
    with pytest.raises(SchemaError, match='did you mean "string"'):
        typed_dict_source("Args", broken)


# --- stubs --------------------------------------------------------------------------------


def test_a_stub_has_descriptions_as_comments() -> None:
    tool = ToolArgs(
        "ReadArgs",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Where it is.\n\ntype: ignore"},
                "a-b": {"type": "integer", "description": "x\x07y", "default": 1},
            },
            "required": ["path"],
        },
        "Read a file.",
    )
    assert stub_source("app.tools", [tool]) == dedent('''\
        # Written by `dsh_tools stubs` from app.tools: do not edit.

        from typing import NotRequired, TypedDict


        #: Read a file.
        ReadArgs = TypedDict(
            "ReadArgs",
            {
                #: Where it is.
                #:
                #: type: ignore
                "path": str,
                #: x y
                "a-b": NotRequired[int],
            },
        )
        ''')


def test_long_descriptions_are_wrapped() -> None:
    body = typed({"properties": {"a": {"type": "string", "description": "word " * 50}}})
    assert max(map(len, body.splitlines())) <= 100


@pytest.mark.parametrize(
    ("prop", "hint"),
    [
        ({"type": "string"}, "str"),
        ({"type": "null"}, "None"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": ["string", "null"], "enum": ["a", None]}, 'Literal["a"] | None'),
        ({"enum": ["a", 1, True, 1]}, 'Literal["a", 1, True]'),
        ({"const": "a"}, 'Literal["a"]'),
        ({"enum": [0.5]}, "float"),
        ({"enum": ["a", 0.5, None, "b"]}, 'Literal["a", "b"] | float | None'),
        ({"type": "integer", "enum": [1, 2.0]}, "Literal[1, 2]"),
        ({"type": "array", "enum": [[1]]}, "list[object]"),
        ({"const": None}, "None"),
        ({"type": "number", "enum": [1, 2]}, "float"),
        ({"enum": []}, "JsonValue"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}, {"type": "integer"}]}, "int | None"),
        ({"oneOf": [{"type": "integer"}, {}]}, "JsonValue"),
        ({"oneOf": [{"type": "integer"}, {"type": "int"}]}, "object"),
        ({"anyOf": [{"type": ["string", "null"]}, {"const": 1}]}, "str | None | Literal[1]"),
        ({"type": "string", "anyOf": [{"minLength": 1}, {"const": ""}]}, "str"),
        ({"type": "integer", "oneOf": []}, "int"),
        ({"allOf": [{"type": "integer"}]}, "int"),
        ({"allOf": [{"type": "integer"}, {"minimum": 0}]}, "int"),
        ({"allOf": [{}]}, "JsonValue"),
        ({"allOf": [{"type": "integer"}, {"properties": {}}]}, "int"),
        ({"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, "ArgsKey"),
        ({"type": "object"}, "dict[str, object]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "dict[str, int]"),
        ({"type": "object", "additionalProperties": False}, "dict[str, object]"),
        ({"properties": {}, "additionalProperties": {"type": "null"}}, "dict[str, None]"),
        ({"additionalProperties": {}}, "dict[str, JsonValue]"),
        ({"type": "array"}, "list[object]"),
        ({"type": "array", "items": True}, "list[JsonValue]"),
        ({"items": {"type": "string"}}, "list[str]"),
        ({"prefixItems": [{"type": "string"}]}, "list[object]"),
        ({"prefixItems": [{"type": "string"}, True], "items": False}, "list[JsonValue]"),
        ({"prefixItems": [{"type": "string"}], "items": {"type": "null"}}, "list[str | None]"),
        ({"items": [{"type": "string"}], "additionalItems": False}, "list[str]"),
        ({"type": "array", "items": {"type": ["integer", "string"]}}, "list[int | str]"),
        ({"type": "date"}, "object"),
        ({"type": 5}, "object"),
        ({"not": {}}, "JsonValue"),
        ({}, "JsonValue"),
        (True, "JsonValue"),
        (False, "object"),
        ("string", "object"),
        ({"$ref": "#/nowhere"}, "object"),
        ({"$ref": "other.json#/a"}, "object"),
        ({"$ref": 5}, "object"),
        ({"properties": {"x": {}}}, "ArgsKey"),
        ({"type": ["object", "null"], "properties": {"x": {}}}, "ArgsKey | None"),
    ],
)
def test_types_of_json_schemas(prop: object, hint: str) -> None:
    assert key_type(prop) == hint


def test_a_reference_is_a_class_of_its_own() -> None:
    node = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
    }
    loop = {"type": "array", "items": {"$ref": "#/$defs/a~1b"}}
    json_schema = {
        "$defs": {"node": node, "a/b": loop},
        "properties": {
            "first": {"$ref": "#/$defs/node"},
            "second": {"$ref": "#/$defs/node"},
            "loop": {"$ref": "#/$defs/a~1b"},
        },
        "required": ["first", "second", "loop", "undeclared"],
    }
    assert typed(json_schema) == dedent('''\
        JsonValue: TypeAlias = None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]


        class ArgsNode(TypedDict):
            children: NotRequired[list[JsonValue]]


        class Args(TypedDict):
            first: ArgsNode
            second: ArgsNode
            loop: list[JsonValue]
            undeclared: JsonValue
        ''')


def test_a_chain_of_references_is_as_long_as_the_schema() -> None:
    def link(number: int) -> object:
        both = {side: {"$ref": f"#/$defs/n{number + 1}"} for side in ("left", "right")}
        return {"anyOf": [{"type": "null"}, {"properties": both}]}

    links = {f"n{number}": link(number) for number in range(40)}
    body = typed({"$ref": "#/$defs/n0", "$defs": links})
    assert body.count("TypedDict)") == 40


def test_arguments_that_are_no_typed_dict_have_an_alias() -> None:
    assert typed({"type": "object"}) == "Args: TypeAlias = dict[str, object]\n"
    assert typed({"properties": {}}) == "class Args(TypedDict):\n    pass\n"
    assert typed({"anyOf": [{"properties": {}}, {"type": "null"}]}).splitlines() == [
        "class Args2(TypedDict):",
        "    pass",
        "",
        "",
        "Args: TypeAlias = Args2 | None",
    ]


def test_names_that_clash_are_numbered() -> None:
    one = {"properties": {"a": True}}
    other = {"properties": {"b": True}}
    tools = [ToolArgs("Args", found) for found in (one, other, {**one}, other)]
    source = stub_source("a test", tools)
    assert [line for line in source.splitlines() if line.startswith("class")] == [
        "class Args(TypedDict):",
        "class Args2(TypedDict):",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("READ", "ReadArgs"),
        ("READ_FILE", "ReadFileArgs"),
        ("READ_ARGS", "ReadArgs"),
        ("readFile", "ReadFileArgs"),
        ("read-file", "ReadFileArgs"),
        ("2nd", "Tool2ndArgs"),
        ("__", "ToolArgs"),
    ],
)
def test_names(name: str, expected: str) -> None:
    assert args_name(name) == expected


# --- where tools are found ----------------------------------------------------------------


def test_the_tools_of_a_module() -> None:
    read = schema({"path": {"type": "string", "required": True}})

    def tool(name: str) -> Any:
        return define_tool(
            name=name, description="D", parameters=read, execute=lambda args, execution: ""
        )

    names = {
        "READ": read,
        "write": tool("write"),
        "TOOLS": [tool("grep"), "no tool"],
        "BY_NAME": {"glob": tool("glob"), "none": None},
        "EMPTY": {},
        "SETTINGS": {"type": "x"},
        "OPTIONS": {"colour": {}, "size": {"title": "large"}},
        "number": 5,
    }
    found = list(tools_of_module(names))
    assert [(each.name, each.description) for each in found] == [
        ("ReadArgs", ""),
        ("WriteArgs", "D"),
        ("GrepArgs", "D"),
        ("GlobArgs", "D"),
    ]
    assert all(each.schema == schema_spec_to_json_schema(read) for each in found)


SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    "listing",
    [
        [{"name": "t", "description": "D", "parameters": SCHEMA}],
        {"tools": [{"name": "t", "description": "D", "inputSchema": SCHEMA}]},
        {"result": {"tools": [{"name": "t", "description": "D", "inputSchema": SCHEMA}]}},
        [{"name": "t", "description": "D", "input_schema": SCHEMA}],
        [{"type": "function", "function": {"name": "t", "description": "D", "parameters": SCHEMA}}],
    ],
)
def test_the_tools_of_a_listing(listing: object) -> None:
    assert list(tools_of_listing(listing)) == [ToolArgs("TArgs", SCHEMA, "D")]


def test_a_tool_without_schema_or_description() -> None:
    assert list(tools_of_listing([{"name": "t"}])) == [ToolArgs("TArgs", {}, "")]


@pytest.mark.parametrize("listing", [None, {}, {"tools": {}}, ["t"], [{"name": 5}], [{}]])
def test_what_is_no_listing(listing: object) -> None:
    with pytest.raises(ValueError):
        list(tools_of_listing(listing))
