"""A TypedDict class as a spec: every type that one can say, and the text for each that none can.

Cases are source text, so that each runs twice, with annotations evaluated at once and with
`from __future__ import annotations`.
"""

import sys
from collections.abc import Callable, Iterator
from inspect import cleandoc
from itertools import count
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from dsh_tools import (
    SchemaError,
    define_tool,
    schema,
    schema_spec_to_json_schema,
    validate_args,
)
from dsh_tools.schema.hints import is_typed_dict

from ..support import call

OPENING = """
import datetime
from enum import Enum
from typing import *
import typing_extensions
from dsh_tools import JsonValue

T = TypeVar("T")
U = TypeVar("U")
"""
FUTURE = "from __future__ import annotations\n"
LAZY_ALIASES = pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 is of Python 3.12")

Load = Callable[[str], Any]
serial = count(1)


@pytest.fixture(params=["", FUTURE], ids=["evaluated", "postponed"])
def load(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Runs the source of a module and returns the module."""

    def run(source: str) -> ModuleType:
        module = ModuleType(f"case_{next(serial)}")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        code = request.param + OPENING + cleandoc(source)
        exec(compile(code, module.__name__, "exec", dont_inherit=True), vars(module))
        return module

    yield run


STRING = {"type": "string", "required": True}
INTEGER, NULL, OBJECT = ({"type": name} for name in ("integer", "null", "object"))


@pytest.mark.parametrize(
    ("annotation", "prop"),
    [
        ("str", {"type": "string"}),
        ("int", {"type": "integer"}),
        ("float", {"type": "number"}),
        ("int | float", {"type": "number"}),
        ("bool", {"type": "boolean"}),
        ("dict", {"type": "object"}),
        ("Dict[str, Any]", {"type": "object"}),
        ("dict[str, object]", {"type": "object"}),
        ("list", {"type": "array"}),
        ("list[Any]", {"type": "array"}),
        ("List[object]", {"type": "array"}),
        ("list[int]", {"type": "array", "items": {"type": "integer"}}),
        (
            "list[Annotated[list[str], 'a row']]",
            {
                "type": "array",
                "items": {"type": "array", "items": {"type": "string"}, "description": "a row"},
            },
        ),
        ("Literal['a', 'b']", {"type": "string", "enum": ["a", "b"]}),
        ("Literal[1, 2]", {"type": "integer", "enum": [1, 2]}),
        ("Literal['a', Mode]", {"type": "string", "enum": ["a", "r", "w"]}),
        ("Mode", {"type": "string", "enum": ["r", "w"]}),
        ("Mode | Literal['w', 'x']", {"type": "string", "enum": ["r", "w", "x"]}),
        ("Literal['a']", {"type": "string", "const": "a"}),
        ("Literal[True]", {"type": "boolean", "const": True}),
        ("Literal[False, True]", {"type": "boolean", "enum": [False, True]}),
        ("Literal[1, True]", {"enum": [1, True]}),
        ("Literal['a', 1, None]", {"enum": ["a", 1, None]}),
        ("Mode | None", {"enum": ["r", "w", None]}),
        ("None", {"type": "null"}),
        ("Literal[None]", {"type": "null"}),
        ("str | None", {"type": ["string", "null"]}),
        ("Optional[int]", {"type": ["integer", "null"]}),
        ("int | str", {"type": ["integer", "string"]}),
        ("int | None | float", {"type": ["null", "number"]}),
        ("Union[int, str, None]", {"type": ["integer", "string", "null"]}),
        ("UserId | str", {"type": "string"}),
        ("list[int] | None", {"anyOf": [{"type": "array", "items": {"type": "integer"}}, NULL]}),
        ("Literal['all'] | int", {"anyOf": [{"type": "string", "const": "all"}, INTEGER]}),
        ("dict[str, int] | dict[UserId, int]", {**OBJECT, "additionalProperties": INTEGER}),
        ("object", {}),
        ("Any", {}),
        ("JsonValue", {}),
        ("JsonValue | None", {}),
        ("Json", {}),
        ("Union[int, Any]", {}),
        ("Annotated[object, 'whatever']", {"description": "whatever"}),
        ("list[Annotated[Any, 'one']]", {"type": "array", "items": {"description": "one"}}),
        ("dict[str, JsonValue]", {"type": "object"}),
        ("dict[UserId, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
        (
            "dict[Annotated[str, {'pattern': '^x-'}], list[bool]]",
            {
                "type": "object",
                "additionalProperties": {"type": "array", "items": {"type": "boolean"}},
                "propertyNames": {"type": "string", "pattern": "^x-"},
            },
        ),
        (
            "Annotated[str | None, {'minLength': 1, 'format': 'date'}]",
            {"type": ["string", "null"], "minLength": 1, "format": "date"},
        ),
        ("UserId", {"type": "string"}),
        ("Annotated[str, 'a path']", {"type": "string", "description": "a path"}),
        ("Annotated[str, 7, 'a path', print]", {"type": "string", "description": "a path"}),
        ("Annotated[Annotated[str, 'inner'], 'outer']", {"type": "string", "description": "outer"}),
        (
            "Annotated[int, 'days', {'default': 1}]",
            {"type": "integer", "description": "days", "default": 1},
        ),
        ("Annotated[float, {'enum': [0.5, 1]}]", {"type": "number", "enum": [0.5, 1]}),
    ],
)
def test_a_type_becomes_a_property(load: Load, annotation: str, prop: dict[str, object]) -> None:
    module = load(f"""
        Mode = Literal["r", "w"]
        UserId = NewType("UserId", str)
        Json = Union[None, bool, float, str, List["Json"], Dict[str, "Json"]]
        class Args(TypedDict):
            key: {annotation}
    """)
    spec: Any = schema(module.Args)
    assert spec == {"key": {**prop, "required": True}}


@pytest.mark.parametrize(
    ("total", "annotation", "required"),
    [
        (True, "str", True),
        (False, "str", False),
        (False, "Required[str]", True),
        (True, "NotRequired[str]", False),
        (True, "ReadOnly[str]", True),
        (True, "ReadOnly[NotRequired[str]]", False),
        (True, "NotRequired[ReadOnly[str]]", False),
        (True, "NotRequired[Annotated[str, 'd']]", False),
        (True, "Annotated[NotRequired[str], 'd']", False),
        (False, "Annotated[Required[Annotated[str, 'c']], 'd']", True),
        (True, "typing_extensions.NotRequired[str]", False),
    ],
)
@pytest.mark.parametrize("home", ["typing", "typing_extensions"])
def test_required_keys(
    load: Load, home: str, total: bool, annotation: str, required: bool
) -> None:
    module = load(f"""
        import typing
        from typing_extensions import ReadOnly
        class Args({home}.TypedDict, total={total}):
            key: {annotation}
    """)
    spec: Any = schema(module.Args)
    assert ("required" in spec["key"]) is required
    assert spec["key"].get("description") == ("d" if "'d'" in annotation else None)


def test_inheritance(load: Load) -> None:
    module = load("""
        class Where(TypedDict):
            path: str
            line: NotRequired[int]
        class How(TypedDict, total=False):
            mode: str
            depth: Required[int]
        class Args(Where, How):
            limit: int
    """)
    assert schema(module.Args) == {
        "path": STRING,
        "line": {"type": "integer"},
        "mode": {"type": "string"},
        "depth": {"type": "integer", "required": True},
        "limit": {"type": "integer", "required": True},
    }


def test_what_is_inherited_means_what_it_means_in_its_own_module(load: Load) -> None:
    base = load("""
        class Place(TypedDict):
            city: str
        class Base(TypedDict):
            place: Place
    """)
    module = load(f"""
        from {base.__name__} import Base
        Place = int
        class Args(Base):
            key: str
    """)
    place = {"type": "object", "properties": {"city": STRING}, "required": True}
    assert schema(module.Args) == {"place": place, "key": STRING}


def test_nested_and_shared_typed_dicts_are_written_out(load: Load) -> None:
    module = load("""
        class Args(TypedDict):
            home: "Address"
            work: NotRequired["Address"]
            others: list["Address"]
        class Address(TypedDict):
            city: str
    """)
    address = {"type": "object", "properties": {"city": STRING}}
    spec: Any = schema(module.Args)
    assert spec == {
        "home": {**address, "required": True},
        "work": address,
        "others": {"type": "array", "items": address, "required": True},
    }
    assert spec["home"]["properties"] is not spec["work"]["properties"]


def test_a_docstring_describes_where_nothing_else_does(load: Load) -> None:
    module = load("""
        class Edit(TypedDict):
            '''One replacement.

            The old text must be unique.
            '''
            old: str
        class Args(TypedDict):
            first: Edit
            second: Annotated[Edit, "the second one"]
    """)
    spec = schema(module.Args)
    assert spec["first"]["description"] == "One replacement.\n\nThe old text must be unique."
    assert spec["second"]["description"] == "the second one"


def test_the_functional_form(load: Load) -> None:
    module = load("""
        Args = TypedDict("Args", {"a-b": str, "class": NotRequired["Later"]})
        Later = int
    """)
    assert schema(module.Args) == {"a-b": STRING, "class": {"type": "integer"}}


def test_a_generic_typed_dict_with_its_types(load: Load) -> None:
    module = load("""
        class Page(TypedDict, Generic[T]):
            items: list[T]
            first: NotRequired[Annotated[T, "the first one"]]
        class Book(TypedDict, Generic[T, U]):
            page: Page[U]
            title: T
        class Numbers(Page[int]):
            count: int
        class Args(TypedDict):
            book: Book[str, Literal["a"]]
            numbers: Numbers
    """)
    page = {
        "items": {"type": "array", "items": {"type": "integer"}, "required": True},
        "first": {"type": "integer", "description": "the first one"},
    }
    assert schema(module.Page[int]) == page
    numbers = {**page, "count": {"type": "integer", "required": True}}
    assert schema(module.Numbers) == numbers
    spec: Any = schema(module.Args)
    assert spec["numbers"]["properties"] == numbers
    assert spec["book"]["properties"]["title"] == STRING
    inner = spec["book"]["properties"]["page"]["properties"]
    assert inner["items"]["items"] == {"type": "string", "const": "a"}


@LAZY_ALIASES
def test_lazy_aliases_and_type_parameters(load: Load) -> None:
    module = load("""
        type Mode = Literal["r", "w"]
        type Path = Annotated[str, "a path"]
        type Rows[E] = list[list[E]]
        type Optionally = NotRequired[Later]
        type Later = int
        type Json = None | bool | int | float | str | list[Json] | dict[str, Json]
        type Tree = Annotated[list[Tree] | int, "a tree"]
        class Page[E](TypedDict):
            items: list[E]
        class Numbers(Page[int]):
            more: bool
        class Args(TypedDict):
            mode: Mode
            modes: Literal[Mode, "x"]
            path: Path
            rows: Rows[int]
            later: Optionally
            page: Page[Path]
            numbers: Numbers
            json: Json
            tree: Tree
    """)
    root: Any = schema(module.Args)
    spec = root["properties"]
    reference = {"$ref": "#/$defs/Tree", "description": "a tree"}
    branches = [{"type": "array", "items": reference}, INTEGER]
    assert root["$defs"] == {"Tree": {"anyOf": branches}}
    assert spec["tree"] == {**reference, "required": True}
    assert spec["json"] == {"required": True}
    assert spec["mode"] == {"type": "string", "enum": ["r", "w"], "required": True}
    assert spec["modes"]["enum"] == ["r", "w", "x"]
    assert spec["path"] == {**STRING, "description": "a path"}
    assert spec["rows"]["items"] == {"type": "array", "items": {"type": "integer"}}
    assert spec["later"] == {"type": "integer"}
    path = {"type": "string", "description": "a path"}
    assert spec["page"]["properties"]["items"]["items"] == path
    assert spec["numbers"]["properties"]["items"]["items"] == {"type": "integer"}


FORMS = "write str, int, float, bool, None, Literal, list, dict, a TypedDict or a union of them"
NO_TYPE = "nothing says which type T stands for: write it as in Page[int]"
NO_KEYS = "the keys of a JSON object are strings: write dict[str, ...]"
NO_LITERAL = "a Literal holds strings, integers, booleans and None, not bytes"
ITSELF = "the name stands for nothing but itself"
TOO_DEEP = "what the type stands for is nested more than 128 dicts deep"


@pytest.mark.parametrize(
    ("annotation", "fault"),
    [
        ("set[int]", '"key": JSON has no set[int]: write Annotated[list[...], {"uniqueItems": True}]'),
        ("tuple[int, ...]", '"key": JSON has no tuple[int, ...]: write list[...]'),
        ("Sequence[int]", '"key": JSON has no Sequence[int]: write list[...]'),
        ("Mapping[str, int]", '"key": JSON has no Mapping[str, int]: write dict[str, ...]'),
        ("bytes", '"key": JSON has no bytes: write str'),
        ("bytes | None", '"key.anyOf[0]": JSON has no bytes: write str'),
        ("dict[str, bytes]", '"key{}": JSON has no bytes: write str'),
        (
            "list[datetime.date]",
            '"key[]": JSON has no date: write Annotated[str, {"format": "date"}]',
        ),
        (
            "datetime.datetime",
            '"key": JSON has no datetime: write Annotated[str, {"format": "date-time"}]',
        ),
        ("Callable[[], int]", f'"key": JSON has no Callable[[], int]: {FORMS}'),
        ("complex", f'"key": JSON has no complex: {FORMS}'),
        ("Never", f'"key": JSON has no Never: {FORMS}'),
        ("dict[int, str]", f'"key": {NO_KEYS}'),
        ("dict[Any, str]", f'"key": {NO_KEYS}'),
        ("Color", '"key": JSON has no enum classes: write Literal with the values of Color'),
        ("Literal[Color.RED]", "\"key\": JSON has no enum members: write 'red' for Color.RED"),
        ("Literal['a', b'a']", f'"key": {NO_LITERAL}'),
        ("T", f'"key": {NO_TYPE}'),
        ("T | None", f'"key.anyOf[0]": {NO_TYPE}'),
        ("list[Page]", f'"key[].value": {NO_TYPE}'),
        ("Twice", f'"key.value": {NO_TYPE}'),
        (
            "Annotated[int, {'default': 'x'}]",
            '"key": "default" must be an integer, as the property itself asks',
        ),
        ("Annotated[int, {'minimum': 'x'}]", '"key": "minimum" must be a finite number, not a str'),
        (
            "Annotated[int, {'minimun': 1}]",
            '"key": unknown key "minimun", did you mean "minimum"?',
        ),
        (
            "list[Annotated[str, {'minimum': 0}]]",
            '"key[]": "minimum" is for a number or an integer, not for a string',
        ),
        (
            "Annotated[list[str] | None, {'minItems': 1}]",
            '"key": "minItems" wants the type beside it: "type": "array"',
        ),
        (
            "Annotated[Literal['a', 'b'], {'enum': ['b']}]",
            '"key": "enum" must not stand in Annotated: the type says it',
        ),
        (
            "Annotated[int, {'type': 'string'}]",
            '"key": "type" must not stand in Annotated: the type says it',
        ),
        (
            "NotRequired[Annotated[int, {'required': True}]]",
            '"key": "required" must not stand in Annotated: Required and NotRequired say it',
        ),
    ],
)
def test_what_no_spec_can_say_is_refused_with_its_path(
    load: Load, annotation: str, fault: str
) -> None:
    module = load(f"""
        class Color(Enum):
            RED = "red"
        class Page(TypedDict, Generic[T]):
            value: T
        class Twice(Page[T], TypedDict, Generic[T]):
            more: int
        class Args(TypedDict):
            key: {annotation}
    """)
    with pytest.raises(SchemaError) as raised:
        schema(module.Args)
    assert raised.value.violations == [fault]


@pytest.mark.parametrize(
    ("annotation", "fitting", "refused"),
    [
        ("str | None", None, 1),
        ("int | str", 1, None),
        ("list[int] | None", [1], ["a"]),
        ("dict[str, int]", {"a": 1}, {"a": "b"}),
        ("dict[Annotated[str, {'pattern': '^x-'}], int]", {"x-a": 1}, {"a": 1}),
        ("Literal['a', 1, None]", None, True),
        ("Literal[True]", True, 1),
        ("Insert | Delete", {"kind": "delete", "line": 1}, {"kind": "delete", "line": "a"}),
        ("Annotated[int, {'minimum': 1}]", 1, 0),
        ("Closed", {"a": 1}, {"a": 1, "b": 2}),
        ("Others", {"a": 1, "b": None}, {"a": 1, "b": "c"}),
        ("Tree", {"kids": [{"kids": []}]}, {"kids": [{"kids": [1]}]}),
    ],
)
def test_what_is_accepted_is_checked(
    load: Load, annotation: str, fitting: object, refused: object
) -> None:
    module = load(f"""
        class Insert(TypedDict):
            kind: Literal["insert"]
        class Delete(TypedDict):
            kind: Literal["delete"]
            line: int
        class Closed(typing_extensions.TypedDict, closed=True):
            a: int
        class Others(typing_extensions.TypedDict, extra_items="int | None"):
            a: int
        class Tree(TypedDict):
            kids: "list[Tree]"
        class Args(TypedDict):
            key: {annotation}
    """)
    assert validate_args(module.Args, {"key": fitting}) == []
    assert validate_args(module.Args, {"key": refused}) != []


@pytest.mark.parametrize(
    ("header", "others"),
    [
        ("closed=True", False),
        ("extra_items=Never", False),
        ("extra_items=int", {"type": "integer"}),
        ("extra_items='Later'", {"type": "string"}),
        ("extra_items=typing_extensions.ReadOnly[Optional[int]]", {"type": ["integer", "null"]}),
        ("extra_items=Annotated[str, 'more']", {"type": "string", "description": "more"}),
    ],
)
def test_what_is_said_of_undeclared_keys(load: Load, header: str, others: object) -> None:
    module = load(f"""
        Later = str
        class Args(typing_extensions.TypedDict, {header}):
            key: NotRequired[int]
        class Sub(Args):
            pass
        class Outer(TypedDict):
            inner: Args
    """)
    long_form = {**OBJECT, "properties": {"key": INTEGER}, "additionalProperties": others}
    assert schema(module.Args) == long_form
    assert schema(module.Sub) == long_form
    assert schema(module.Outer) == {"inner": {**long_form, "required": True}}


@pytest.mark.parametrize("header", ["closed=False", "extra_items=object", "total=True"])
def test_undeclared_keys_may_be_anything(load: Load, header: str) -> None:
    module = load(f"""
        class Args(typing_extensions.TypedDict, {header}):
            key: NotRequired[int]
    """)
    assert schema(module.Args) == {"key": INTEGER}


def test_faults_of_a_long_form(load: Load) -> None:
    module = load("""
        class Args(typing_extensions.TypedDict, extra_items=bytes):
            key: bytes
            tree: "Tree"
        class Tree(TypedDict):
            kids: "list[Tree]"
            leaf: Annotated[int, {"minimum": "x"}]
    """)
    with pytest.raises(SchemaError) as raised:
        schema(module.Args)
    assert raised.value.violations == [
        '"key": JSON has no bytes: write str',
        '"{}": JSON has no bytes: write str',
        '"$defs.Tree.leaf": "minimum" must be a finite number, not a str',
    ]


def test_a_type_that_contains_itself_is_a_reference(load: Load) -> None:
    module = load("""
        class Tree(TypedDict):
            'A node.'
            kids: "list[Tree]"
            more: NotRequired[Annotated["Tree", "one more"]]
        class Args(TypedDict):
            tree: Tree
            again: "dict[str, Tree]"
            other: "Other"
        class Other(TypedDict):
            back: NotRequired["Args"]
    """)
    reference = {"$ref": "#/$defs/Tree"}
    tree: Any = schema(module.Tree)
    node = {
        "kids": {"type": "array", "items": reference, "required": True},
        "more": {**reference, "description": "one more"},
    }
    assert tree == {**OBJECT, "properties": node, "$defs": {"Tree": {**OBJECT, "properties": node}}}
    args: Any = schema(module.Args)
    properties = {
        "tree": {**reference, "required": True},
        "again": {**OBJECT, "additionalProperties": reference, "required": True},
        "other": {**OBJECT, "properties": {"back": {"$ref": "#/$defs/Args"}}, "required": True},
    }
    assert args == {
        **OBJECT,
        "properties": properties,
        "$defs": {
            "Tree": {**OBJECT, "properties": node, "description": "A node."},
            "Args": {**OBJECT, "properties": properties},
        },
    }


def test_recursive_types_of_one_name_and_without_one(load: Load) -> None:
    module = load("""
        Nest = Union[int, List["Nest"]]
        class Page(TypedDict, Generic[T]):
            value: T
            next: NotRequired["Page[T]"]
        class Args(TypedDict):
            numbers: Page[int]
            texts: Page[str]
            nest: "Nest"
    """)
    spec: Any = schema(module.Args)
    assert [*spec["$defs"]] == ["Page", "Page_2", "Value"]
    assert spec["properties"]["texts"]["$ref"] == "#/$defs/Page_2"
    assert spec["$defs"]["Page_2"]["properties"]["next"] == {"$ref": "#/$defs/Page_2"}
    assert spec["$defs"]["Value"]["anyOf"][1]["items"] == {"$ref": "#/$defs/Value"}


def test_what_is_too_large_written_out_is_refused(load: Load) -> None:
    lines = [f"class A{n}(TypedDict):\n    a: 'A{n + 1}'\n    b: 'A{n + 1}'" for n in range(30)]
    module = load("\n".join([*lines, "A30 = int"]))
    with pytest.raises(SchemaError) as raised:
        schema(module.A0)
    assert raised.value.violations == ["written out, the TypedDict has more than 100,000 properties"]


@LAZY_ALIASES
@pytest.mark.parametrize(
    ("annotation", "fault"),
    [
        ("Itself", f'"key": {ITSELF}'),
        ("Missing", '"key": name \'nowhere\' is not defined'),
        ("list[Missing]", '"key[]": name \'nowhere\' is not defined'),
    ],
)
def test_lazy_aliases_that_are_refused(load: Load, annotation: str, fault: str) -> None:
    module = load(f"""
        type Itself = Itself
        type Missing = nowhere
        class Args(TypedDict):
            key: {annotation}
    """)
    with pytest.raises(SchemaError) as raised:
        schema(module.Args)
    assert raised.value.violations[0].startswith(fault)


def test_all_faults_at_once_each_with_its_path(load: Load) -> None:
    module = load("""
        class Edit(TypedDict):
            old: bytes
            new: str
            line: "complex | None"
        class Args(TypedDict):
            edits: list[Edit]
            limit: "Nowhere"
            count: "1 / 0"
            path: str
    """)
    with pytest.raises(SchemaError) as raised:
        schema(module.Args)
    where = "where the TypedDict stands: import or define it at the module's level"
    assert raised.value.violations == [
        '"edits[].old": JSON has no bytes: write str',
        f'"edits[].line.anyOf[0]": JSON has no complex: {FORMS}',
        f'"limit": name \'Nowhere\' is not defined {where}',
        '"count": the annotation is no type: division by zero',
    ]


def test_one_variable_for_two_types_is_refused(load: Load) -> None:
    module = load("""
        class First(TypedDict, Generic[T]):
            first: T
        class Second(TypedDict, Generic[T]):
            second: T
        class Args(First[int], Second[str]):
            third: int
    """)
    with pytest.raises(SchemaError, match='"first": nothing says which type T stands for'):
        schema(module.Args)


def test_a_generic_that_grows_without_end_is_refused(load: Load) -> None:
    module = load("""
        class Page(TypedDict, Generic[T]):
            next: "Page[list[T]]"
    """)
    with pytest.raises(SchemaError, match=TOO_DEEP):
        schema(module.Page[int])


class Address(dict[str, str]):
    """No TypedDict, though a dict."""

    city: str


@pytest.mark.parametrize("value", [dict, int, Address, dict[str, int], SimpleNamespace(), None])
def test_other_classes_are_no_typed_dicts(value: Any) -> None:
    assert not is_typed_dict(value)
    with pytest.raises(SchemaError, match="a spec must be a dict of properties"):
        schema(value)


def test_every_entry_takes_a_typed_dict(load: Load) -> None:
    args = load("""
        class Args(TypedDict):
            path: str
            limit: NotRequired[int]
    """).Args
    converted = schema_spec_to_json_schema(args)
    assert converted["properties"] == {"path": {"type": "string"}, "limit": {"type": "integer"}}
    assert converted["required"] == ["path"]
    for _ in range(20):  # explained at first, then checked by generated code
        assert validate_args(args, {"path": "x", "limit": 1}) == []
    assert validate_args(args, {}) == ['missing required property "path"']

    def body(given: Any, execution: object) -> str:
        return repr(given)

    tool = define_tool(name="t", description="d", parameters=args, execute=body)
    assert tool["parameters"] == converted
    assert tool["execute"]({"path": "x", "limit": 2.0}, call()) == "{'path': 'x', 'limit': 2}"


def test_a_tool_reports_the_faults_of_its_typed_dict_with_its_own(load: Load) -> None:
    args = load("""
        class Args(TypedDict):
            path: bytes
    """).Args
    with pytest.raises(SchemaError) as raised:
        define_tool(name="a b", description="d", parameters=args, execute=print)
    assert len(raised.value.violations) == 2
    assert raised.value.violations[1] == '"path": JSON has no bytes: write str'


def test_each_spec_is_a_new_dict(load: Load) -> None:
    args = load("""
        class Args(TypedDict):
            path: str
    """).Args
    first: Any = schema(args)
    first["path"]["description"] = "changed"
    assert schema(args) == {"path": STRING}
