"""The calls of one model step: in order, or overlapping where their tools allow it."""

import contextvars
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from dsh_tools import ToolExecution, ToolRegistry, define_tool, execute_step

from tests.unit.support import call, raw_tool, text_of

PATIENCE = 20.0
"""Seconds after which a barrier gives up, so that a failing test ends."""


class Steps:
    """Tools that note when they begin and end."""

    def __init__(self) -> None:
        self.registry = ToolRegistry()
        self.events: list[str] = []

    def add(self, name: str, body: Callable[[], object] = str, parallel: Any = True) -> None:
        def execute(args: Any, execution: ToolExecution) -> str:
            self.events.append(f"{execution['call_id']} begins")
            body()
            self.events.append(f"{execution['call_id']} ends")
            return execution["call_id"]

        tool = raw_tool(execute, name)
        if parallel is not None:
            tool["parallel"] = parallel
        self.registry.register(tool)

    def run(self, names: str, workers: int = 4) -> list[str]:
        """Call tools "a", "b", … ; the texts of the results, which are in order."""
        calls = [call(call_id=f"{number}", name=name) for number, name in enumerate(names)]
        results = execute_step(self.registry, calls, workers=workers)["results"]
        assert [result["call_id"] for result in results] == [c["call_id"] for c in calls]
        return [text_of(result) for result in results]


def test_neighbours_that_say_parallel_overlap() -> None:
    steps, barrier = Steps(), threading.Barrier(4)
    steps.add("a", lambda: barrier.wait(PATIENCE))
    steps.add("b", lambda: barrier.wait(PATIENCE))
    assert steps.run("abba") == ["0", "1", "2", "3"]


def test_no_more_of_them_than_there_are_workers() -> None:
    steps, running, most = Steps(), list[int](), list[int]()
    barrier = threading.Barrier(2)

    def body() -> None:
        running.append(1)
        most.append(len(running))
        barrier.wait(PATIENCE)
        running.pop()

    steps.add("a", body)
    steps.run("aaaaaa", workers=2)
    assert max(most) == 2


@pytest.mark.parametrize("parallel", [None, False, lambda args: False, lambda args: 1, lambda args: 1 / 0])
def test_any_other_call_is_a_barrier(parallel: Any) -> None:
    steps, first, last = Steps(), threading.Barrier(2), threading.Barrier(2)
    waits = [first, first, last, last]
    steps.add("a", lambda: waits.pop(0).wait(PATIENCE))
    steps.add("b", parallel=parallel)
    steps.run("aabbaa")
    assert sorted(steps.events[:4]) == ["0 begins", "0 ends", "1 begins", "1 ends"]
    assert steps.events[4:8] == ["2 begins", "2 ends", "3 begins", "3 ends"]
    assert sorted(steps.events[8:]) == ["4 begins", "4 ends", "5 begins", "5 ends"]


def test_one_worker_takes_them_one_after_the_other() -> None:
    steps = Steps()
    steps.add("a")
    assert steps.run("aa", workers=1) == ["0", "1"]
    assert steps.events == ["0 begins", "0 ends", "1 begins", "1 ends"]


def test_a_tool_may_decide_by_its_arguments() -> None:
    barrier, seen = threading.Barrier(2), list[Any]()

    def body(args: Any, execution: ToolExecution) -> str:
        if args["n"] < 2:
            barrier.wait(PATIENCE)
        return "ran"

    registry = ToolRegistry()
    registry.register(
        define_tool(
            name="t",
            description="",
            parameters={"n": {"type": "integer", "required": True}},
            execute=body,
            parallel=lambda args: seen.append(args) or args["n"] < 2,  # type: ignore[func-returns-value]  # None
        )
    )
    calls = [call(arguments={"n": n}) for n in (0.0, 1, 2, "wrong")]
    results = execute_step(registry, calls, workers=2)["results"]
    assert [result["is_error"] for result in results] == [False, False, False, True]
    assert repr(seen) == "[{'n': 0}, {'n': 1}, {'n': 2}]"


def test_gate_and_review_keep_the_order_in_the_callers_thread() -> None:
    steps, barrier = Steps(), threading.Barrier(2)
    noted, here = list[str](), threading.get_ident()

    def note(stage: str, execution: ToolExecution) -> None:
        assert threading.get_ident() == here
        noted.append(f"{stage} {execution['call_id']}")

    def approve(execution: ToolExecution, reason: str | None) -> bool:
        note("approve", execution)
        return execution["call_id"] != "1"

    def post(execution: ToolExecution, result: Any, next: Any) -> Any:
        note("post", execution)
        said = [{"type": "text", "text": execution["call_id"]}]
        return {**next(), "additional_context": {"content": said, "source": {"kind": "user"}}}

    steps.registry = ToolRegistry(approve=approve)
    steps.registry.on_pre_execute(
        lambda execution, next: note("pre", execution) or {"kind": "ask"}  # type: ignore[func-returns-value]  # None
    )
    steps.registry.on_post_execute(post)
    steps.registry.on_result(lambda execution, result: note("result", execution))
    steps.add("a", lambda: barrier.wait(PATIENCE))
    calls = [call(call_id=str(number), name="a") for number in range(3)]
    step = execute_step(steps.registry, calls, workers=3)
    gates = [f"{stage} {number}" for number in range(3) for stage in ("pre", "approve")]
    ends = [f"{stage} {number}" for number in range(3) for stage in ("post", "result")]
    assert noted == gates + ends
    assert [result["is_error"] for result in step["results"]] == [False, True, False]
    contexts: Any = step["contexts"]
    assert [context["content"][0]["text"] for context in contexts] == ["0", "1", "2"]


def test_a_set_signal_starts_nothing_more() -> None:
    steps, signal = Steps(), threading.Event()
    steps.add("a", signal.set)
    calls = [call(call_id=str(number), name="a") for number in range(6)]
    for execution in calls:
        execution["signal"] = signal
    barrier = threading.Barrier(2)

    def body(args: Any, execution: ToolExecution) -> str:
        barrier.wait(PATIENCE)
        signal.set()
        barrier.wait(PATIENCE)
        return "ran"

    tool = raw_tool(body, "b")
    tool["parallel"] = True
    steps.registry.register(tool)
    for execution in calls:
        execution["name"] = "b"
    results = execute_step(steps.registry, calls, workers=2)["results"]
    codes = [result.get("error", {}).get("code") for result in results]
    assert codes == [None, None, *["ABORTED"] * 4]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("at", [0, 3])
def test_what_is_no_exception_comes_out_and_leaves_no_thread(error: type, at: int) -> None:
    registry, started = ToolRegistry(), list[str]()
    barrier = threading.Barrier(4)

    def body(args: Any, execution: ToolExecution) -> str:
        started.append(execution["call_id"])
        barrier.wait(PATIENCE)
        if execution["call_id"] == str(at):
            raise error
        return "ran"

    tool = raw_tool(body)
    tool["parallel"] = True
    registry.register(tool)
    threads = threading.active_count()
    calls = [call(call_id=str(number)) for number in range(4)]
    with pytest.raises(error):
        execute_step(registry, calls, workers=4)
    assert threading.active_count() == threads
    assert len(started) == 4


def test_bodies_see_the_context_of_the_caller_and_keep_theirs() -> None:
    span = contextvars.ContextVar("span", default="none")
    steps, barrier, seen = Steps(), threading.Barrier(2), list[str]()

    def body() -> None:
        seen.append(span.get())
        span.set("inner")
        barrier.wait(PATIENCE)

    steps.add("a", body)
    token = span.set("outer")
    try:
        steps.run("aa")
        assert (seen, span.get()) == (["outer", "outer"], "outer")
    finally:
        span.reset(token)


def test_no_thread_to_be_had_is_no_lost_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    steps = Steps()
    steps.add("a")
    assert steps.run("aaa") == ["0", "1", "2"]


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "2", None])
def test_workers_are_counted(workers: Any) -> None:
    with pytest.raises(ValueError, match="workers must be a whole number from 1 on"):
        execute_step(ToolRegistry(), [], workers=workers)


def test_a_step_of_one_thread_loads_no_threads() -> None:
    import subprocess

    code = (
        "import sys; from dsh_tools import *; r = ToolRegistry(); "
        "execute_step(r, [{'call_id': '1', 'name': 'x', 'arguments': {}}] * 2); "
        "print('concurrent.futures' in sys.modules or 'threading' in sys.modules)"
    )
    command = [sys.executable, "-S", "-c", code]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False"]
