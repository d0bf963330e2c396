"""Views: what one agent may see and call, and nothing else of it."""

import logging
from typing import Any

import pytest
from dsh_tools import RegistryView, ToolRegistry, execute_step
from dsh_tools.adapters.acp import AcpTranslator

from tests.unit.support import call, raw_tool, text_of


def named(*names: str) -> ToolRegistry:
    registry = ToolRegistry()
    for name in names:
        tool = raw_tool(lambda args, execution: f"ran {execution['name']}", name)
        tool["present_call"] = lambda args: {"card": "generic", "title": "its own card"}
        registry.register(tool)
    return registry


def names_of(view: RegistryView) -> list[str]:
    return [schema["name"] for schema in view.schemas()]


@pytest.mark.parametrize(
    "allow",
    [
        {"a", "c", "x"},
        ["c", "a"],
        ("a", "c"),
        {"a": 1, "c": 2},
        lambda name: name in "ac",
        lambda name: None if name == "b" else name,
    ],
    ids=range(6),
)
def test_names_or_what_says_so_of_a_name(allow: Any) -> None:
    view = named("a", "b", "c").view(allow)
    assert names_of(view) == ["a", "c"]
    assert [view.get(name) is None for name in "abc"] == [False, True, False]
    assert text_of(view.execute(call(name="a"))) == "ran a"
    hidden: Any = view.execute(call(name="b"))
    assert (text_of(hidden), hidden["error"]["code"]) == (
        'Error: unknown tool "b" (available: a, c)',
        "UNKNOWN_TOOL",
    )
    titles = [view.present_call(call(name=name)).get("title") for name in "ab"]
    assert titles == ["its own card", "b"]
    hidden_card = view.present_result(call(name="b"), hidden)
    assert hidden_card == {"card": "generic", "content": hidden["content"]}


def test_a_view_is_live() -> None:
    registry = named("a")
    view = registry.view({"a", "b"})
    dispose = registry.register(raw_tool(lambda args, execution: "ran", "b"))
    registry.register(raw_tool(lambda args, execution: "ran", "c"))
    assert names_of(view) == ["a", "b"]
    dispose()
    assert names_of(view) == ["a"]
    registry.guard(lambda execution: "rule 7")
    assert text_of(view.execute(call(name="a"))) == "Error: rule 7"


def test_names_are_read_once_and_a_predicate_is_asked_each_time() -> None:
    registry, allowed = named("a", "b"), {"a"}
    of_names, of_predicate = registry.view(allowed), registry.view(lambda name: name in allowed)
    allowed.add("b")
    assert (names_of(of_names), names_of(of_predicate)) == (["a"], ["a", "b"])


def test_views_of_views_narrow() -> None:
    view = named("a", "b", "c").view({"a", "b"})
    narrower = view.view({"b", "c"})
    assert names_of(narrower) == ["b"]
    assert narrower.execute(call(name="c"))["is_error"] is True
    assert names_of(narrower.view(lambda name: True)) == ["b"]
    assert names_of(view.view(())) == []
    text = text_of(view.view(()).execute(call(name="a")))
    assert text == 'Error: unknown tool "a" (no tools are available)'


def test_nobody_is_asked_about_a_hidden_tool() -> None:
    asked: list[Any] = []
    registry = ToolRegistry(approve=lambda *call: asked.append(call) or True)  # type: ignore[func-returns-value]  # None
    registry.register(raw_tool(lambda args, execution: "ran"))
    registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
    assert registry.view(()).execute(call())["error"]["code"] == "UNKNOWN_TOOL"
    assert asked == []


def test_what_cannot_tell_hides(caplog: pytest.LogCaptureFixture) -> None:
    async def later() -> bool:
        return True

    def fail(name: str) -> bool:
        raise ValueError("broken")

    registry = named("a")
    assert names_of(registry.view(fail)) == []
    assert names_of(registry.view(lambda name: later())) == []
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2


async def allows_later(name: str) -> bool:
    return True


@pytest.mark.parametrize("allow", ["read", b"read", None, 5, iter(["a"]), allows_later], ids=range(6))
def test_what_is_no_view(allow: Any) -> None:
    with pytest.raises(TypeError, match="view"):
        ToolRegistry().view(allow)


def test_a_view_stands_where_a_registry_does() -> None:
    view = named("a", "b").view({"a"})
    step = execute_step(view, [call(name="a"), call(name="b")], workers=2)
    assert [result["is_error"] for result in step["results"]] == [False, True]
    translator = AcpTranslator(view)
    assert translator.tool_call("1", "a", "{}")["title"] == "its own card"
    assert translator.tool_call("2", "b", "{}")["title"] == "b"
    assert isinstance(named("a"), RegistryView)
