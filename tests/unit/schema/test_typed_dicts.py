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
from dsh_tools.schema.typed_dicts import is_typed_dict

from ..support import call

OPENING = """
import datetime
from enum import Enum
from typing import *
import typing_extensions

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
    assert inner["items"]["items"] == {"type": "string", "enum": ["a"]}


@LAZY_ALIASES
def test_lazy_aliases_and_type_parameters(load: Load) -> None:
    module = load("""
        type Mode = Literal["r", "w"]
        type Path = Annotated[str, "a path"]
        type Rows[E] = list[list[E]]
        type Optionally = NotRequired[Later]
        type Later = int
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
    """)
    spec: Any = schema(module.Args)
    assert spec["mode"] == {"type": "string", "enum": ["r", "w"], "required": True}
    assert spec["modes"]["enum"] == ["r", "w", "x"]
    assert spec["path"] == {**STRING, "description": "a path"}
    assert spec["rows"]["items"] == {"type": "array", "items": {"type": "integer"}}
    assert spec["later"] == {"type": "integer"}
    path = {"type": "string", "description": "a path"}
    assert spec["page"]["properties"]["items"]["items"] == path
    assert spec["numbers"]["properties"]["items"]["items"] == {"type": "integer"}


FORMS = "write str, int, float, bool, Literal, list, dict or a TypedDict"
NO_NONE = "null is not absence: mark the key NotRequired and leave None out of its type"
NO_UNION = "a property has one type, not a choice between several"
NO_BOOL = "a Literal holds strings or integers: write bool for True and False"
NO_TYPE = "nothing says which type T stands for: write it as in Page[int]"
ITSELF = "the type contains itself, which no JSON Schema without $ref can say"


@pytest.mark.parametrize(
    ("annotation", "fault"),
    [
        ("int | None", f'"key": {NO_NONE}'),
        ("NotRequired[Optional[str]]", f'"key": {NO_NONE}'),
        ("None", f'"key": {NO_NONE}'),
        ("Literal['a', None]", f'"key": {NO_NONE}'),
        ("int | str", f'"key": {NO_UNION}'),
        ("list[Union[int, str, None]]", f'"key[]": {NO_UNION}'),
        ("object", f'"key": a property must have a type, not just any: {FORMS}'),
        ("Any", f'"key": a property must have a type, not just any: {FORMS}'),
        ("set[int]", f'"key": JSON has no set[int]: {FORMS}'),
        ("tuple[int, ...]", f'"key": JSON has no tuple[int, ...]: {FORMS}'),
        ("bytes", f'"key": JSON has no bytes: {FORMS}'),
        ("list[datetime.date]", f'"key[]": JSON has no date: {FORMS}'),
        ("Sequence[int]", f'"key": JSON has no Sequence[int]: {FORMS}'),
        ("dict[int, str]", '"key": the keys of a JSON object are strings: write dict[str, object]'),
        ("Color", '"key": JSON has no enum classes: write Literal with the values of Color'),
        ("Literal[Color.RED]", "\"key\": JSON has no enum members: write 'red' for Color.RED"),
        ("Literal[True]", f'"key": {NO_BOOL}'),
        ("Literal['a', 1]", '"key": a Literal holds strings alone or integers alone'),
        ("Literal[b'a']", '"key": a Literal holds strings alone or integers alone'),
        ("T", f'"key": {NO_TYPE}'),
        ("list[Page]", f'"key[].value": {NO_TYPE}'),
        ("Twice", f'"key.value": {NO_TYPE}'),
        ("'Args'", f'"key": {ITSELF}'),
        ("list['Args']", f'"key[]": {ITSELF}'),
        ("Page['Args']", f'"key.value": {ITSELF}'),
        (
            "Annotated[int, {'default': 'x'}]",
            '"key": "default" must be an integer, as the property itself asks',
        ),
        (
            "Annotated[int, {'minimum': 0}]",
            '"key": a dict in Annotated may have description, enum, default, no other key',
        ),
        (
            "Annotated[Literal['a'], {'enum': ['b']}]",
            '"key": Literal lists the values allowed, "enum" must not',
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


@LAZY_ALIASES
@pytest.mark.parametrize(
    ("annotation", "fault"),
    [
        ("Itself", f'"key": {ITSELF}'),
        ("Rows", f'"key[]": {ITSELF}'),
        ("Missing", '"key": name \'nowhere\' is not defined'),
        ("list[Missing]", '"key[]": name \'nowhere\' is not defined'),
    ],
)
def test_lazy_aliases_that_are_refused(load: Load, annotation: str, fault: str) -> None:
    module = load(f"""
        type Itself = Itself
        type Rows = list[Rows]
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
            line: "int | None"
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
        f'"edits[].old": JSON has no bytes: {FORMS}',
        f'"edits[].line": {NO_NONE}',
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
    with pytest.raises(SchemaError, match="the type contains itself"):
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
    assert raised.value.violations[1] == f'"path": JSON has no bytes: {FORMS}'


def test_each_spec_is_a_new_dict(load: Load) -> None:
    args = load("""
        class Args(TypedDict):
            path: str
    """).Args
    first: Any = schema(args)
    first["path"]["description"] = "changed"
    assert schema(args) == {"path": STRING}
