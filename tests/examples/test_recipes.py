"""Each recipe does what it says."""

import asyncio
import logging
import threading
from typing import Any

import pytest
from dsh_tools import ToolExecution, ToolRegistry, define_tool, execute_step

from tests.unit.support import call, raw_tool, text_of

from . import recipes

PATIENCE = 20.0
"""Seconds after which a wait gives up, so that a failing test ends."""


def registry_of(*tools: Any, approve: Any = None) -> ToolRegistry:
    registry = ToolRegistry(approve=approve)
    for tool in tools:
        registry.register(tool)
    return registry


def echo(name: str = "t", **options: Any) -> Any:
    return {**raw_tool(lambda args, execution: args.get("text", "ran"), name), **options}


def test_a_timeout_around_a_body() -> None:
    go_on = threading.Event()
    slow = raw_tool(lambda args, execution: str(go_on.wait(PATIENCE)), "slow")
    registry = registry_of(recipes.with_timeout(slow, 0.01), recipes.with_timeout(echo(), PATIENCE))
    result = registry.execute(call(name="slow"))
    go_on.set()
    assert (text_of(result), result["error"]["code"]) == ("Error: gave up after 0.01 s", "TIMEOUT")
    assert text_of(registry.execute(call())) == "ran"


def test_remembered_approvals() -> None:
    answers = ["yes", "always", "not on a Friday"]
    approve = recipes.remembering(lambda execution, reason: answers.pop(0))
    registry = registry_of(echo(), echo("rm"), approve=approve)
    registry.on_pre_execute(lambda execution, next: {"kind": "ask"})
    assert [text_of(registry.execute(call())) for _ in range(4)] == ["ran"] * 4
    refused = text_of(registry.execute(call(name="rm")))
    assert refused == 'Error: the user refused to run tool "rm": not on a Friday'
    assert answers == []


def test_results_cut_to_a_size() -> None:
    registry = registry_of(echo())
    registry.on_post_execute(recipes.cut_to(10))
    assert text_of(registry.execute(call(arguments={"text": "0123456789"}))) == "0123456789"
    text = text_of(registry.execute(call(arguments={"text": "a" * 50 + "z" * 50})))
    assert text == "aaaaa\n[… 90 characters left out: ask for less …]\nzzzzz"


def test_a_limit_on_calls() -> None:
    registry = registry_of(echo(), echo("other"))
    registry.guard(recipes.at_most(2, "t"))
    texts = [text_of(registry.execute(call(name=name))) for name in ("t", "other", "t", "t")]
    assert texts[:3] == ["ran"] * 3
    assert texts[3].startswith("Error: t may be called 2 times")


def test_only_what_reads() -> None:
    registry = registry_of(echo(hints={"read_only": True}), echo("rm"))
    registry.guard(recipes.only_reading(registry))
    texts = [text_of(registry.execute(call(name=name))) for name in ("t", "rm")]
    assert texts == ["ran", "Error: this session only reads"]


def test_a_trace_span_per_outcome() -> None:
    spans: list[Any] = []
    registry = registry_of(echo())
    stop = recipes.traced(registry, lambda *span: spans.append(span))
    registry.on_pre_execute(lambda execution, next: 1 / 0 if execution["name"] == "x" else next())  # type: ignore[arg-type, return-value]  # it fails
    for name in ("t", "x"):
        registry.execute(call(name=name))
    stop()
    registry.execute(call())
    assert [(name, seconds >= 0, failed) for name, seconds, failed in spans] == [
        ("t", True, False),
        ("x", True, True),
    ]


def test_an_async_body() -> None:
    async def body(args: Any, execution: ToolExecution) -> str:
        await asyncio.sleep(0)
        return f"in {id(asyncio.get_running_loop())}"

    async def host() -> None:
        loop = asyncio.get_running_loop()
        registry = registry_of(raw_tool(recipes.from_async(body, loop)))
        result = await asyncio.to_thread(registry.execute, call())
        assert text_of(result) == f"in {id(loop)}"

    asyncio.run(host())


def test_arguments_logged_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    registry, log = registry_of(echo()), logging.getLogger("host")
    caplog.set_level(logging.INFO, logger="host")
    registry.on_pre_execute(recipes.logging_arguments(log, frozenset({"token"})))
    arguments = {"text": "ran", "deep": [{"token": "EXAMPLE-SECRET"}]}
    assert text_of(registry.execute(call(arguments=arguments))) == "ran"
    (record,) = caplog.records
    assert record.getMessage() == "t {'text': 'ran', 'deep': [{'token': '***'}]}"


def test_one_registry_for_two_agents() -> None:
    registry = registry_of(echo("read", hints={"read_only": True}), echo("write"), echo("plan"))
    shown = [
        [schema["name"] for schema in view.schemas()]
        for view in recipes.planner_and_worker(registry)
    ]
    assert shown == [["read"], ["read", "write"]]


def test_progress_to_the_user() -> None:
    shown: list[str] = []

    def body(args: Any, execution: ToolExecution) -> str:
        recipes.report(f"{args['n']} of 2")
        return "done"

    tool = define_tool(
        name="t",
        description="",
        parameters={"n": {"type": "integer", "required": True}},
        execute=body,
        parallel=True,
    )
    registry = registry_of(tool)
    with recipes.progress_to(shown.append):
        execute_step(registry, [call(arguments={"n": n}) for n in (1, 2)], workers=2)
    registry.execute(call(arguments={"n": 3}))
    assert sorted(shown) == ["1 of 2", "2 of 2"]
