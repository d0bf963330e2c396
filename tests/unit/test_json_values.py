import math
from typing import Any

import pytest
from dsh_tools import parse_arguments
from dsh_tools.json_values import (
    copy_json,
    is_json,
    is_tree,
    json_fault,
    referenced,
    repair_text,
    what_is,
)

from tests.unit import hostile
from tests.unit.hostile import MAKERS, MuteText, Nameless, TwoFaced


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        (None, {}),
        ("{}", {}),
        (' {"a": 1}\n', {"a": 1}),
        ("null", {}),
        (" \n", {}),
        ('{"a": null}', {"a": None}),
        ('{"a": "l1\nl2\tx"}', {"a": "l1\nl2\tx"}),
        ("[1, 2.0]", [1, 2.0]),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('"{}"', "{}"),
    ],
)
def test_json_text_is_its_value(text: str | None, value: object) -> None:
    assert parse_arguments(text) == value


@pytest.mark.parametrize(
    "text",
    [
        '{"a": ',
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": NaN}',
        "[Infinity]",
        "-Infinity",
        '\ufeff{"a": 1}',
        '{"a": 1} {"b": 2}',
        "[" * 100_000,
        "9" * 5000,
    ],
    ids=lambda text: text[:12],
)
def test_anything_else_is_the_text_itself(text: str) -> None:
    assert parse_arguments(text) == text


CUT = "the JSON was cut off after character {}, send less at once"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('{"a": 1}', ""),
        ('"{}"', ""),
        ('{"a": "line\nline"}', ""),
        ('{"path":"a","content":"#!/usr/bin/env', CUT.format(37)),
        ('{"a": "x\\', CUT.format(9)),
        ('{"a": "x\\u12', CUT.format(12)),
        ('{"a": tru', CUT.format(9)),
        ('{"a": 1e', CUT.format(8)),
        ('{"a"', CUT.format(4)),
        ('{"a": 1,\n', CUT.format(9)),
        ("[", CUT.format(1)),
        ('{"a": "C:\\Users"}', "bad escape \\U at character 10, write \\\\ for a backslash"),
        ('{"a": "\\u12zz"}', "bad escape \\u at character 8, write \\\\ for a backslash"),
        ('{"a": "\\(x"}', "bad escape at character 8, write \\\\ for a backslash"),
        ('{"a": 1, }', "trailing comma at character 8, leave it out"),
        ("[1,]", "trailing comma at character 3, leave it out"),
        ('{"a": 1,, "b": 2}', "nothing stands before the comma at character 9"),
        ("{'a': 1}", "single quotes at character 2, JSON wants double quotes"),
        ("{\"a\": 'b'}", "single quotes at character 7, JSON wants double quotes"),
        ("'{}'", "single quotes at character 1, JSON wants double quotes"),
        ('{"a": 1}{"a": 2}', "several JSON objects arrived, send each in a call of its own"),
        ('{"a": 1},\n{"a": 2}', "several JSON objects arrived, send each in a call of its own"),
        ('[1] {"a": 2}', "several JSON values arrived, send each in a call of its own"),
        ("```json\n{}\n```", "a Markdown fence stands around the JSON, send the JSON alone"),
        (
            '<tool>{"a": 1}',
            "something stands before the JSON, which begins at character 7, send the JSON alone",
        ),
        (
            '{"a": 1}</tool>',
            "something stands after the JSON, from character 9 on, send the JSON alone",
        ),
        ("city=Oslo", "there is no JSON in it, send the arguments as one JSON object"),
        ('"a": 1, "b": 2', "the braces around the object are missing"),
        ('{"a": 1}}', "there is a bracket too many at character 9"),
        ('{"a": [1}', "the wrong bracket at character 9"),
        ('{"a": 1 "b": 2}', "a comma is missing before character 9, or a backslash before a quote"),
        ('{"a" 1}', "a colon is missing before character 6"),
        ('{"a": 1 // one\n}', "a comment at character 9, JSON has none"),
        ("{a: 1}", "a key without double quotes at character 2"),
        ('{"a": True}', "True at character 7, JSON has true"),
        ('{"a": }', "no JSON value at character 7"),
        ('{\\"a\\": 1}', "a backslash outside of a string at character 2, leave it out"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        ("9" * 5000, "a number has too many digits"),
        ("[" * 100_000, "the JSON is nested too deeply"),
    ],
    ids=lambda text: text[:16],
)
def test_a_text_that_is_no_json_is_told_apart(text: str, hint: str) -> None:
    assert json_fault(text) == hint


def test_what_is_no_text_comes_back_as_it_is() -> None:
    parsed: Any = {"already": "parsed"}
    assert parse_arguments(parsed) is parsed


@pytest.mark.parametrize("value", [[], 0, False, b"", 5.5])
def test_what_is_no_text_and_empty_is_no_call_without_arguments(value: Any) -> None:
    assert parse_arguments(value) is value


def test_text_of_a_subclass_is_read_as_its_text() -> None:
    text: Any = MuteText('{"a": 1}')
    assert parse_arguments(text) == {"a": 1}
    assert parse_arguments(MuteText("")) == {}
    assert type(parse_arguments(MuteText("{"))) is str


def test_a_number_beyond_a_float_is_infinite_and_left_to_validation() -> None:
    assert parse_arguments("1e400") == math.inf


class TestCopyJson:
    def test_it_shares_no_container(self) -> None:
        value: Any = {"a": [1, {"b": [2]}], "c": {}}
        copied = copy_json(value)
        assert copied == value
        assert copied is not value
        assert copied["a"] is not value["a"]
        assert copied["a"][1] is not value["a"][1]

    def test_it_keeps_what_is_no_container(self) -> None:
        leaf = object()
        assert copy_json([leaf])[0] is leaf
        assert copy_json(leaf) is leaf

    def test_subclasses_become_plain(self) -> None:
        class Special(dict[str, int]):
            pass

        assert type(copy_json([Special(a=1)])[0]) is dict

    def test_depth_and_cycles_do_not_matter(self) -> None:
        deep = hostile.nested(lambda inner: {"x": inner}, 50_000)
        assert copy_json(deep)["x"]["x"].keys() == {"x"}
        cyclic: list[Any] = [1]
        cyclic.append(cyclic)
        copied = copy_json(cyclic)
        assert copied is not cyclic
        assert copied[1] is copied or copied[1][1] is copied[1]

    @pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
    def test_it_never_raises(self, make: Any) -> None:
        copy_json({"a": [make()]})
        copy_json([make()], repair=True)

    def test_what_refuses_to_be_copied_is_shared(self) -> None:
        for value in ({"k": [Nameless()]}, MAKERS["turning key"]()):
            assert copy_json(value) is value

    def test_repair_makes_every_subclass_of_a_json_type_plain(self) -> None:
        values = [MAKERS[f"mute {kind}"]() for kind in ("dict", "list", "text", "int", "float")]
        copied: Any = copy_json(values, repair=True)
        assert [type(value) for value in copied] == [dict, list, str, int, float]
        assert copied[2:] == ["t", 3, 3.0]
        assert copy_json([True], repair=True)[0] is True

    def test_repair_reaches_every_string(self) -> None:
        value = ["a\ud800", {"k": ["b\udc00", "ok"]}]
        assert copy_json(value, repair=True) == ["a\ufffd", {"k": ["b\ufffd", "ok"]}]
        assert value[0] == "a\ud800"

    def test_repair_reaches_every_key(self) -> None:
        value = {"k\ud800": [{"\udc00": 1, "é": 2}], 3: 4}
        assert copy_json(value, repair=True) == {"k\ufffd": [{"\ufffd": 1, "é": 2}], 3: 4}
        assert list(value) == ["k\ud800", 3]


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("plain", "plain"),
        ("日本語 🎉", "日本語 🎉"),
        ("x\ud99c", "x\ufffd"),
        ("\udc00x", "\ufffdx"),
        ("\ud800\ud800a", "\ufffd\ufffda"),
        ("\ud83c\udf89", "🎉"),
        ("\udf89\ud83c", "\ufffd\ufffd"),
    ],
)
def test_repair_text(text: str, repaired: str) -> None:
    assert repair_text(text) == repaired
    repair_text(text).encode()


EMPTY: dict[str, object] = {}


@pytest.mark.parametrize(
    ("value", "tree"),
    [
        ({"a": [1, {"b": []}], "c": [], "d": "x"}, True),
        ([[], [[]], "x", "x"], True),
        ([[]] * 2, False),
        ({"a": {"b": EMPTY}, "c": EMPTY}, False),
        (MAKERS["list in itself"](), False),
        (MAKERS["dict in itself"](), False),
        (MAKERS["deep list"](), True),
    ],
    ids=range(7),
)
def test_a_tree_holds_each_container_once(value: object, tree: bool) -> None:
    assert is_tree(value) is tree


class TestIsJson:
    @pytest.mark.parametrize(
        "make",
        [
            lambda: [1, 0.5, "x", True, None, {"a": [{}]}],
            lambda: hostile.nested(lambda inner: [inner], 127),
            lambda: [[1]] * 1000,
            lambda: hostile.nested(lambda inner: [inner, inner], 18),
            lambda: [0] * 999_999,
            MAKERS["mute dict"],
            MAKERS["mute list"],
            MAKERS["mute int"],
            MAKERS["mute float"],
        ],
    )
    def test_what_can_be_sent(self, make: Any) -> None:
        assert is_json(make()) is True

    @pytest.mark.parametrize(
        "make",
        [
            lambda: hostile.nested(lambda inner: [inner], 127),
            lambda: [0] * 1_000_000,
            lambda: hostile.nested(lambda inner: [inner, inner], 19),
            lambda: {"a": {"\ud800": 1}},
            lambda: {1: 2},
            lambda: [(1,)],
            lambda: [float("nan")],
            lambda: [type("Lie", (float,), {"__sub__": lambda self, other: 0.0})("nan")],
            lambda: TwoFaced([object()]),
            *(MAKERS[f"{shape} {kind}"] for shape in ("deep", "doubling") for kind in ("list", "dict")),
            MAKERS["list in itself"],
            MAKERS["dict in itself"],
            MAKERS["long number"],
            MAKERS["without class"],
            MAKERS["pretended dict"],
            MAKERS["unequal key"],
        ],
    )
    def test_what_cannot(self, make: Any) -> None:
        assert is_json({"in": make()}) is False

    def test_what_is_deep_by_way_of_what_is_shared(self) -> None:
        half = hostile.nested(lambda inner: [inner], 80)
        assert is_json([half, hostile.nested(lambda inner: [inner], 40)])
        value: Any = half
        for _ in range(60):
            value = [value]
        assert not is_json([half, value])


@pytest.mark.parametrize(
    ("maker", "text"),
    [
        ("of a nameless class", "a Nameless"),
        ("without class", "a Classless"),
        ("pretended dict", "a Pretender"),
        ("mute float", "a Mutefloat"),
        ("NaN", "NaN or an infinity"),
        ("null", "None"),
        ("long class name", "a " + "C" * 100),
    ],
)
def test_what_is_says_it_of_anything(maker: str, text: str) -> None:
    assert what_is(MAKERS[maker]()) == text


DOCUMENT = {
    "$defs": {"a/b": "slash", "c~d": "tilde", "e f": "space"},
    "list": ["first", "second"],
}


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#", DOCUMENT),
        ("#/$defs/a~1b", "slash"),
        ("#/$defs/c~0d", "tilde"),
        ("#/$defs/e%20f", "space"),
        ("#/list/1", "second"),
        ("#/list/2", None),
        ("#/list/-1", None),
        ("#/$defs/a~1b/deeper", None),
        ("#anchor", None),
        ("other.json#/$defs", None),
        ("", None),
        (None, None),
    ],
)
def test_a_reference_leads_into_the_document_or_nowhere(reference: object, found: object) -> None:
    assert referenced(reference, DOCUMENT) == found
