from typing import Any

import pytest
from dsh_tools import HarnessError
from dsh_tools.adapters import anthropic, gemini, mcp, openai
from dsh_tools.adapters.wire import (
    block_text,
    content_text,
    image_data,
    wire_field,
    wire_objects,
    wire_option,
    wire_value,
)


class TestReading:
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
            (lambda: wire_option({"a": 1}, "a", str, "m"), "m.a must be a string (an int"),
            (lambda: list(wire_objects([{}, 1], "m")), "m[1] must be an object (an i"),
        ],
    )
    def test_what_does_not_fit_is_named_with_its_path(self, read: Any, message: str) -> None:
        with pytest.raises(HarnessError) as caught:
            read()
        assert caught.value.code == "INVALID_WIRE"
        assert str(caught.value).startswith(message)

    def test_an_object_of_an_sdk_says_what_is_wanted_of_it(self) -> None:
        class Message:
            def model_dump(self) -> dict[str, object]:
                return {}

        with pytest.raises(HarnessError, match=r"\(a Message, whose model_dump\(\) is wanted, "):
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
            {
                "type": "tool-result",
                "tool_call_id": "c",
                "content": [{"type": "text", "text": "x"}],
            },
            "[result of tool call c: x]",
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
        ({"url": PNG, "mime_type": "image/webp"}, ("image/png", "iVBORw0KGgo=")),
        ({"url": "data:image/png;base64,/9j/4AAQ"}, ("image/jpeg", "/9j/4AAQ")),
        ({"url": "data:image/png;base64,R0lGODlhAQ=="}, ("image/gif", "R0lGODlhAQ==")),
        ({"url": "data:;base64,UklGRgAAAABXRUJQ"}, ("image/webp", "UklGRgAAAABXRUJQ")),
        ({"url": "data:image/png;base64,PHN2Zz4="}, ("image/svg+xml", "PHN2Zz4=")),
        ({"url": "data:image/JPG;base64,AA=="}, ("image/jpeg", "AA==")),
        ({"url": "data:image/png;base64,AA==", "mime_type": "Image/WebP"}, ("image/webp", "AA==")),
        ({"url": "data:image/png;base64,A"}, ("image/png", "A")),
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


@pytest.mark.parametrize(
    ("adapter", "send"),
    [
        ("openai", openai.chat_tools),
        ("openai", openai.responses_tools),
        ("anthropic", anthropic.tools),
        ("gemini", gemini.function_declarations),
        ("mcp", mcp.tools),
    ],
)
def test_extra_keys_for_an_adapter_stand_in_the_tools_entry(adapter: str, send: Any) -> None:
    tool = {"name": "t", "description": "d", "parameters": {}}
    (plain,) = send([tool])
    extra = {"defer_loading": True, "name": "other"}
    (sent,) = send([tool | {"wire": {adapter: extra, "another": {"x": 1}}}])
    assert sent == extra | plain
