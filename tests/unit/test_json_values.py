import math
from typing import Any

import pytest
from dsh_tools import HarnessError, parse_arguments
from dsh_tools.json_values import (
    block_text,
    content_text,
    copy_json,
    image_data,
    repair_text,
    wire_field,
    wire_objects,
    wire_option,
    wire_value,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        (None, {}),
        ("{}", {}),
        (' {"a": 1}\n', {"a": 1}),
        ("null", None),
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
        "  ",
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
        '"a\nb"',
    ],
    ids=lambda text: text[:12],
)
def test_anything_else_is_the_text_itself(text: str) -> None:
    assert parse_arguments(text) == text


def test_what_is_no_text_comes_back_as_it_is() -> None:
    parsed: Any = {"already": "parsed"}
    assert parse_arguments(parsed) is parsed


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
        deep: Any = {}
        for _ in range(50_000):
            deep = {"x": deep}
        assert copy_json(deep)["x"]["x"].keys() == {"x"}
        cyclic: list[Any] = [1]
        cyclic.append(cyclic)
        copied = copy_json(cyclic)
        assert copied is not cyclic
        assert copied[1] is copied or copied[1][1] is copied[1]

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


class TestWire:
    """What a provider sent, read field by field."""

    def test_what_is_there_and_fits_comes_back(self) -> None:
        message: Any = {"id": "c1", "calls": [{}], "n": 1, "ok": False, "none": None}
        assert wire_field(message, "id", str, "m") == "c1"
        assert wire_field(message, "calls", list, "m") is message["calls"]
        assert wire_option(message, "n", int, "m") == 1
        assert wire_option(message, "ok", bool, "m") is False
        assert wire_option(message, "none", str, "m") is None
        assert wire_option(message, "absent", str, "m") is None

    def test_objects_come_with_their_paths(self) -> None:
        assert list(wire_objects([{}, {"a": 1}], "m")) == [("m[0]", {}), ("m[1]", {"a": 1})]

    @pytest.mark.parametrize(
        ("read", "message"),
        [
            (lambda: wire_value([], dict, "m"), "m must be an object (an array arrived)"),
            (lambda: wire_value("SECRET", list, "m"), "m must be an array (a string arrived)"),
            (lambda: wire_value(True, int, "m"), "m must be an integer (a boolean arrived)"),
            (lambda: wire_value(1.5, int, "m"), "m must be an integer (a number arrived)"),
            (lambda: wire_value(1, bool, "m"), "m must be a boolean (an integer arrived)"),
            (lambda: wire_value(b"", str, "m"), "m must be a string (a bytes arrived)"),
            (lambda: wire_field({}, "a", str, "m"), "m.a is missing: it must be a string"),
            (lambda: wire_field({"a": None}, "a", str, "m"), "m.a must be a string (null arrived)"),
            (lambda: wire_field(None, "a", str, "m"), "m must be an object (null arrived)"),
            (lambda: wire_option([], "a", str, "m"), "m must be an object (an array arrived)"),
            (lambda: wire_option({"a": 1}, "a", str, "m"), "m.a must be a string (an integer arrived)"),
            (lambda: list(wire_objects([{}, 1], "m")), "m[1] must be an object (an integer arrived)"),
        ],
    )
    def test_what_does_not_fit_is_named_with_its_path(self, read: Any, message: str) -> None:
        with pytest.raises(HarnessError) as caught:
            read()
        assert (caught.value.code, str(caught.value)) == ("INVALID_WIRE", message)

    def test_an_object_of_an_sdk_says_what_is_wanted_of_it(self) -> None:
        class Message:
            def model_dump(self) -> dict[str, object]:
                return {}

        with pytest.raises(HarnessError, match=r"\(a Message, whose model_dump\(\) is wanted, arriv"):
            wire_value(Message(), dict, "message")


PNG = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "text", "text": "a"}, "a"),
        ({"type": "reasoning", "text": "hm"}, "[reasoning: hm]"),
        ({"type": "image", "url": "https://x/a.png"}, "[image: https://x/a.png]"),
        ({"type": "image", "url": PNG}, "[image: image/png, 8 bytes, not shown here]"),
        (
            {"type": "tool-call", "id": "c1", "name": "read", "arguments": "{}"},
            "[tool call c1: read {}]",
        ),
        (
            {"type": "tool-result", "tool_call_id": "c1", "content": [{"type": "text", "text": "x"}]},
            "[result of tool call c1: x]",
        ),
        (
            {"type": "tool-result", "tool_call_id": "c1", "content": [], "is_error": True},
            "[result of tool call c1, an error: ]",
        ),
    ],
)
def test_every_block_has_a_text(block: Any, text: str) -> None:
    assert block_text(block) == text
    assert content_text([block, block]) == f"{text}\n{text}"


@pytest.mark.parametrize(
    ("block", "data"),
    [
        ({"url": PNG}, ("image/png", "iVBORw0KGgo=")),
        ({"url": PNG, "mime_type": "image/webp"}, ("image/webp", "iVBORw0KGgo=")),
        ({"url": "DATA:image/png;BASE64,AA=="}, ("image/png", "AA==")),
        ({"url": "data:image/svg+xml;charset=utf-8,%3Csvg/>"}, ("image/svg+xml", "PHN2Zy8+")),
        ({"url": "data:;base64,AA=="}, ("text/plain", "AA==")),
        ({"url": "data:image/png;base64"}, None),
        ({"url": "https://x/data:,"}, None),
        ({"url": ""}, None),
    ],
)
def test_a_picture_in_a_data_url(block: Any, data: object) -> None:
    block["type"] = "image"
    assert image_data(block) == data
