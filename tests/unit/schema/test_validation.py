import copy
import gc
import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Any
from unittest.mock import Mock

import pytest
from dsh_tools import SchemaError, ToolArgsError, validate_args
from dsh_tools.schema.validation import validator as validation

from tests.unit.hostile import Nameless, nested, self_containing_list
from tests.unit.support import check_of, shorten_walks, validator_of

ONE: dict[str, Any] = {kind: {"v": {"type": kind}} for kind in (
    "string", "number", "integer", "boolean", "object", "array"
)}
WANTED = {
    "string": "a string",
    "number": "a number",
    "integer": "an integer",
    "boolean": "a boolean",
    "object": "an object",
    "array": "an array",
}


class Text(str):
    pass


class Whole(int):
    pass


class Real(float):
    pass


class Mode(str, Enum):
    FAST = "fast"


class Level(IntEnum):
    LOW = 1


class Hostile(dict[str, object]):
    """A dict that answers no question."""

    def _refuse(self, *args: object) -> Any:
        raise RuntimeError("asked")

    __contains__ = __getitem__ = get = keys = items = __iter__ = __eq__ = __len__ = _refuse


class HostileText(str):
    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")

    def __hash__(self) -> int:
        raise RuntimeError("hashed")


@pytest.fixture(params=["explained", "compiled"])
def validate(request: pytest.FixtureRequest) -> Callable[[Any, object], list[str]]:
    """`validate_args`, before and after the check of a spec has been generated."""

    def run(spec: Any, args: object) -> list[str]:
        validator = validator_of(spec)
        if request.param == "compiled":
            validator.check = check_of(spec)
        return [] if validator.check(args) else validator.violations(args)

    return run


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("string", ""),
        ("string", Text("x")),
        ("string", Mode.FAST),
        ("string", "\ud800"),
        ("number", 0),
        ("number", -0.5),
        pytest.param("number", 10**5000, id="number-huge"),
        ("number", Whole(3)),
        ("number", Real(3.5)),
        ("integer", 0),
        pytest.param("integer", 10**5000, id="integer-huge"),
        ("integer", 5.0),
        ("integer", -0.0),
        ("integer", 1e300),
        ("integer", Whole(3)),
        ("integer", Real(3.0)),
        ("integer", Level.LOW),
        ("boolean", True),
        ("boolean", False),
        ("object", {}),
        ("object", {"any": [None]}),
        ("object", OrderedDict(a=1)),
        ("array", []),
        ("array", [None, "x", {}]),
        ("array", type("List", (list,), {})([1])),
    ],
)
def test_what_fits(validate: Any, kind: str, value: object) -> None:
    assert validate(ONE[kind], {"v": value}) == []


@pytest.mark.parametrize(
    ("kind", "value", "hint"),
    [
        ("string", 5, "a number arrived"),
        ("string", 1.5, "a number arrived"),
        ("string", None, "null arrived, leave the key out instead"),
        ("string", b"x", "a value arrived that is not JSON"),
        ("string", ["x"], "an array arrived"),
        ("number", True, "a boolean arrived"),
        ("number", "2", "a string arrived, send the number without quotes"),
        ("number", "two", "a string arrived"),
        ("number", "-0.5", "a string arrived, send the number without quotes"),
        ("number", "2024-01-01", "a string arrived"),
        ("number", "1,000", "a string arrived"),
        ("number", "1.2.3", "a string arrived"),
        ("number", float("nan"), "a number arrived that is too large or no number at all"),
        ("number", float("-inf"), "a number arrived that is too large or no number at all"),
        ("number", 1j, "a value arrived that is not JSON"),
        ("integer", 0.5, "a number with a fraction arrived"),
        ("integer", "-7", "a string arrived, send the number without quotes"),
        ("integer", "3.7", "a string arrived"),
        ("integer", "12 apples", "a string arrived"),
        ("integer", float("inf"), "a number arrived that is too large or no number at all"),
        ("integer", False, "a boolean arrived"),
        ("boolean", "False", "a string arrived, send true or false without quotes"),
        ("boolean", "true", "a string arrived, send true or false without quotes"),
        ("boolean", "yes", "a string arrived"),
        ("boolean", 0, "a number arrived"),
        ("boolean", b"", "a value arrived that is not JSON"),
        ("integer", " " * 60 + "1234", "a string arrived, send the number without quotes"),
        ("integer", " " * 64 + "1", "a string arrived"),
        ("object", '{"a": 1}', "a string arrived, send the object itself instead of JSON text"),
        ("object", "a", "a string arrived"),
        ("object", [{}], "an array arrived"),
        ("object", Mock(spec=dict), "a value arrived that is not JSON"),
        ("array", ' ["a"]', "a string arrived, send the array itself instead of JSON text"),
        ("array", {"0": "a"}, "an object arrived"),
        ("array", (1, 2), "a value arrived that is not JSON"),
        ("array", {1}, "a value arrived that is not JSON"),
    ],
)
def test_what_does_not_fit(validate: Any, kind: str, value: object, hint: str) -> None:
    assert validate(ONE[kind], {"v": value}) == [f'"v" must be {WANTED[kind]} ({hint})']


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (None, "null arrived"),
        ("v=1", "there is no JSON in it, send the arguments as one JSON object"),
        ('{"v": ', "the JSON was cut off after character 6, send less at once"),
        (
            '"v"',
            "a string arrived, send the object itself, as one complete piece of valid JSON",
        ),
        ([], "an array arrived"),
        (object(), "a value arrived that is not JSON"),
    ],
)
def test_a_root_that_is_no_object(validate: Any, args: object, hint: str) -> None:
    assert validate(ONE["string"], args) == [f'"arguments" must be an object ({hint})']


class TestEnum:
    SPEC: Any = {
        "s": {"type": "string", "enum": ["fast", "slow"]},
        "i": {"type": "integer", "enum": [1, 2]},
        "n": {"type": "number", "enum": [0.5, 1]},
    }

    @pytest.mark.parametrize(
        "args", [{"s": "fast"}, {"s": Mode.FAST}, {"i": 1}, {"i": 1.0}, {"n": 1.0}, {"i": Level.LOW}]
    )
    def test_members(self, validate: Any, args: object) -> None:
        assert validate(self.SPEC, args) == []

    def test_others(self, validate: Any) -> None:
        assert validate(self.SPEC, {"s": "FAST", "i": 3, "n": 2}) == [
            '"s" must be one of ["fast","slow"]',
            '"i" must be one of [1,2]',
            '"n" must be one of [0.5,1]',
        ]

    def test_a_wrong_type_hides_the_enum(self, validate: Any) -> None:
        assert validate(self.SPEC, {"i": True}) == ['"i" must be an integer (a boolean arrived)']


class TestMissing:
    SPEC: Any = {"path": {"type": "string", "required": True}, "limit": {"type": "integer"}}

    @pytest.mark.parametrize(
        ("sent", "named"),
        [
            (["path_a", "path_b", "path_c", "path_d"], ["path_a", "path_b", "path_c"]),
            ([*map(str, range(99)), "paths"], ["paths"]),
            ([*map(str, range(100)), "paths"], []),
            (["path_" + "x" * 59], ["path_" + "x" * 59]),
            (["path_" + "x" * 60], []),
        ],
    )
    def test_a_hint_is_bounded(self, validate: Any, sent: list[str], named: list[str]) -> None:
        (violation,) = validate(self.SPEC, dict.fromkeys(sent))
        listed = " and ".join(f'"{key}"' for key in named)
        hint = f" ({listed} arrived, which the schema does not know)" if named else ""
        assert violation == f'missing required property "path"{hint}'

    @pytest.mark.parametrize(
        "sent", ["file_path", "Path", "paths", "file-path", "filePath", "pth", "pith", "path?"]
    )
    def test_a_key_that_looks_alike_is_named(self, validate: Any, sent: str) -> None:
        assert validate(self.SPEC, {sent: "x"}) == [
            f'missing required property "path" ("{sent}" arrived, which the schema does not know)'
        ]

    @pytest.mark.parametrize(
        "sent", ["verbose", "limit", "", "sympathy", "path;", "pa(th)", 'pa"th', "path" * 100, "path\n", 5, None]
    )
    def test_any_other_key_is_not(self, validate: Any, sent: object) -> None:
        assert validate(self.SPEC, {sent: 1}) == ['missing required property "path"']

    def test_null_is_not_missing(self, validate: Any) -> None:
        assert validate(self.SPEC, {"path": None}) == ['"path" must be a string (null arrived)']

    def test_a_default_is_not_filled_in(self, validate: Any) -> None:
        spec = {"v": {"type": "string", "required": True, "default": "x"}}
        assert validate(spec, {}) == ['missing required property "v"']


class TestNesting:
    SPEC: Any = {
        "jobs": {
            "type": "array",
            "required": True,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "required": True},
                    "tags": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
                },
            },
        },
        "last": {"type": "boolean", "required": True},
    }

    def test_arrays_without_end_are_refused(
        self, validate: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shorten_walks(monkeypatch, 1_000)
        spec: Any = {"type": "array"}
        for _ in range(30):
            spec = {"type": "array", "items": spec}
        doubled: list[Any] = []
        for _ in range(31):
            doubled = [doubled, doubled]
        assert validate({"v": spec}, {"v": doubled}) == [
            '"arguments" must be an object (a value arrived that is not JSON)'
        ]

    def test_a_dict_cannot_lie_about_its_members(self, validate: Any) -> None:
        class Lying(dict[str, object]):
            def get(self, *args: object) -> Any:
                return None

        assert validate(ONE["string"], Lying(v="x")) == []

    def test_null_in_an_array_is_no_key_to_leave_out(self, validate: Any) -> None:
        spec = {"v": {"type": "array", "items": {"type": "string"}}}
        assert validate(spec, {"v": [None]}) == ['"v[0]" must be a string (null arrived)']

    def test_violations_are_a_plain_list(self, validate: Any) -> None:
        deep = {"jobs": [{"id": "a", "tags": [["x"]]}], "last": True}
        assert type(validate(self.SPEC, deep)) is list
        assert type(validate(ONE["string"], {"v": 1})) is list

    def test_declaration_order_depth_first(self, validate: Any) -> None:
        args = {"jobs": [{"tags": [[1, "x"], 2]}, "job", {"id": 1}], "last": 0}
        stripped = [text.split(" (")[0] for text in validate(self.SPEC, args)]
        assert stripped == [
            'missing required property "jobs[0].id"',
            '"jobs[0].tags[0][1]" must be an integer',
            '"jobs[0].tags[1]" must be an array',
            '"jobs[1]" must be an object',
            '"jobs[2].id" must be a string',
            '"last" must be a boolean',
        ]

    def test_undeclared_keys_are_allowed_everywhere(self, validate: Any) -> None:
        args = {"jobs": [{"id": "a", "x": 1}], "last": True, "y": None, 3: 4}
        assert validate(self.SPEC, args) == []


@pytest.mark.parametrize(
    "args",
    [Hostile(v="x"), {"v": HostileText("fast")}, {"v": Hostile()}, defaultdict(int), Hostile()],
)
def test_hostile_arguments_raise_nothing(validate: Any, args: object) -> None:
    validate({"v": {"type": "string", "enum": ["fast"]}, "w": {"type": "object"}}, args)
    validate({"v": {"type": "object", "properties": {"x": {"type": "string"}}}}, args)


class HostileKey:
    """A key that is found where "v" is looked for, and then refuses to be compared."""

    def __hash__(self) -> int:
        return hash("v")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")


def test_a_key_that_cannot_be_compared_is_no_json(validate: Any) -> None:
    assert validate({"v": {"type": "string", "required": True}}, {HostileKey(): 1}) == [
        '"arguments" must be an object (a value arrived that is not JSON)'
    ]


def test_a_caller_deep_in_the_stack_gets_its_verdict() -> None:
    spec: Any = {"type": "string"}
    for _ in range(120):
        spec = {"type": "array", "items": spec}

    def validate_below(frames: int) -> list[str]:
        return validate_below(frames - 1) if frames else validate_args({"v": spec}, {"v": []})

    for _ in range(20):
        assert validate_below(600) == []
    for _ in range(20):
        assert validate_args({"v": spec}, {"v": []}) == []


def test_a_defaultdict_is_not_filled(validate: Any) -> None:
    args: Any = defaultdict(str)
    assert validate({"v": {"type": "string", "required": True}}, args) != []
    assert args == {}


def test_arguments_are_not_changed_and_their_values_not_printed(validate: Any) -> None:
    args = {"jobs": [{"id": 4711_4711, "tags": "SECRET"}], "last": "SECRET", "idd": "SECRET"}
    before = copy.deepcopy(args)
    text = "; ".join(validate(TestNesting.SPEC, args))
    assert args == before
    assert "SECRET" not in text
    assert "4711" not in text


class TestAccept:
    SPEC: Any = {
        "n": {"type": "integer"},
        "f": {"type": "number"},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "integer"}}}},
    }

    def test_whole_numbers_reach_an_integer_as_int(self) -> None:
        args = {"n": 5.0, "f": 5.0, "rows": [{"k": 1}, {"k": 2.0, "x": 2.0}], "extra": 5.0}
        before = copy.deepcopy(args)
        accepted: Any = validator_of(self.SPEC).accept(args)
        assert repr(accepted) == repr(
            {"n": 5, "f": 5.0, "rows": [{"k": 1}, {"k": 2, "x": 2.0}], "extra": 5.0}
        )
        assert repr(args) == repr(before)

    def test_arguments_without_such_numbers_are_not_copied(self) -> None:
        args = OrderedDict(n=5, f=1.5)
        assert validator_of(self.SPEC).accept(args) is args

    def test_others_are_refused_with_every_violation(self) -> None:
        with pytest.raises(ToolArgsError) as raised:
            validator_of(self.SPEC).accept({"n": "x", "f": True})
        assert len(raised.value.violations) == 2


class TestCache:
    def test_an_edited_spec_counts_as_another(self) -> None:
        spec: Any = {"a": {"type": "string", "required": True}, "b": {"type": "string"}}
        for _ in range(20):
            assert validate_args(spec, {"a": "x"}) == []
        spec["a"]["type"] = "integer"
        assert validate_args(spec, {"a": "x"}) != []
        spec["a"] = {"type": "string"}
        assert validate_args(spec, {}) == []
        spec["b"]["required"] = 1
        with pytest.raises(SchemaError):
            validate_args(spec, {})

    def test_an_edit_of_the_order_alone_shows(self) -> None:
        spec: Any = {"a": {"type": "string"}, "b": {"type": "string"}}
        args = {"a": 1, "b": 1}
        assert [text[:3] for text in validate_args(spec, args)] == ['"a"', '"b"']
        spec["a"] = spec.pop("a")
        assert [text[:3] for text in validate_args(spec, args)] == ['"b"', '"a"']

    def test_one_and_true_are_told_apart(self) -> None:
        assert validate_args({"a": {"type": "number", "enum": [1]}}, {"a": 1}) == []
        spec: Any = {"a": {"type": "number", "enum": [True]}}
        with pytest.raises(SchemaError):
            validate_args(spec, {"a": 1})

    def test_specs_are_not_kept_alive(self) -> None:
        class Spec(dict[str, Any]):
            pass

        spec, reference = Spec(a={"type": "string"}), None
        reference = weakref.ref(spec)
        assert validate_args(spec, {"a": 1}) != []
        del spec
        gc.collect()
        assert reference() is None

    def test_many_specs_do_not_pile_up(self) -> None:
        for number in range(1000):
            validate_args({f"p{number}": {"type": "string"}}, {})
        assert len(validation._validators) <= 256

    def test_a_spec_of_subclasses_is_served(self) -> None:
        spec: Any = {"a": {"type": "string", "enum": list(Mode)}}
        assert validate_args(spec, {"a": "fast"}) == []
        assert validate_args(spec, {"a": "x"}) == ['"a" must be one of ["fast"]']


def test_the_check_is_generated_once_and_reused() -> None:
    validator = validator_of({"a": {"type": "string"}})
    checks = []
    for _ in range(30):
        if not validator.check({"a": "x"}):
            validator.violations({"a": "x"})
        checks.append(validator.check)
    assert not checks[0]({"a": "x"}) and checks[-1]({"a": "x"})
    assert len(set(map(id, checks))) == 2


class TestNoTree:
    """Arguments that no JSON text gives: a container that stands in several places."""

    MATRIX: Any = {"m": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}}

    def test_a_container_may_stand_in_several_places(self, validate: Any) -> None:
        assert validate(self.MATRIX, {"m": [[1, 2]] * 1000}) == []

    def test_a_walk_without_end_is_not_taken(
        self, validate: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shorten_walks(monkeypatch, 100_000)
        spec: Any = {"type": "string"}
        for _ in range(60):
            spec = {"type": "array", "items": spec}
        assert validate({"m": spec}, {"m": self_containing_list()}) == [
            '"arguments" must be an object (a value arrived that is not JSON)'
        ]
        assert validate({"m": spec}, {"m": nested(lambda inner: [inner], 58)}) == []

    def test_a_tree_of_any_size_is_looked_at_to_its_end(
        self, validate: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shorten_walks(monkeypatch, 1000)
        assert validate(self.MATRIX, {"m": [[1] for _ in range(2000)]}) == []
        assert validate(self.MATRIX, {"m": [[1], *([number, "x"] for number in range(2000))]}) == [
            f'"m[{row}][1]" must be an integer (a string arrived)' for row in range(1, 2001)
        ]
        assert validate(self.MATRIX, {"m": [[1]] * 2000}) != []
        assert validate(self.MATRIX, {"m": [["x"]] * 100}) != []
        flat: Any = {"m": {"type": "array", "items": {"type": "object"}}}
        assert validate(flat, {"m": [{}] * 2000}) == []

    def test_of_many_missing_properties_only_the_first_are_hinted_at(self, validate: Any) -> None:
        spec: Any = {f"name{number}": {"type": "string", "required": True} for number in range(30)}
        violations = validate(spec, {f"Name{number}": "" for number in range(30)})
        assert len(violations) == 30
        assert [" arrived" in text for text in violations] == [True] * 20 + [False] * 10


@pytest.mark.parametrize("kind", ["string", "integer", "number", "boolean", "array", "object"])
def test_a_class_that_cannot_be_hashed_is_no_json(validate: Any, kind: str) -> None:
    refusal = '"arguments" must be an object (a value arrived that is not JSON)'
    assert validate(ONE[kind], Nameless()) == [refusal]
    assert validate(ONE[kind], {"v": Nameless()}) == [refusal]


def test_what_needs_no_conversion_is_the_same_object() -> None:
    spec: Any = {
        "n": {"type": "integer"},
        "rows": {"type": "array", "items": {"type": "integer"}},
        "inner": {"type": "object", "properties": {"n": {"type": "integer"}}},
    }
    args = {"n": 1.0, "rows": [1, 2], "inner": {"n": 1}}
    accepted: Any = validator_of(spec).accept(args)
    assert accepted == {**args, "n": 1} and type(accepted["n"]) is int
    assert accepted["rows"] is args["rows"] and accepted["inner"] is args["inner"]
