"""Recipes: what hosts put around their tools, each a few lines to copy and make your own."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from logging import Logger
from time import monotonic
from typing import Any

from dsh_tools import (
    Approve,
    ContentBlock,
    HarnessError,
    PostToolDecision,
    PostToolListener,
    PreToolDecision,
    PreToolListener,
    RegistryView,
    ToolDefinition,
    ToolExecuteReturn,
    ToolExecution,
    ToolExecutionResult,
    ToolGuard,
    ToolRegistry,
)

Body = Callable[[Any, ToolExecution], ToolExecuteReturn]


def with_timeout(tool: ToolDefinition, seconds: float) -> ToolDefinition:
    """A tool that gives up waiting for its body. Python cannot stop a thread: the body itself ends
    when it looks at `is_set` of the execution's signal, or never."""
    threads = ThreadPoolExecutor()

    def execute(args: object, execution: ToolExecution) -> ToolExecuteReturn:
        running: Future[ToolExecuteReturn] = threads.submit(tool["execute"], args, execution)
        try:
            return running.result(seconds)
        except TimeoutError:
            raise HarnessError(f"gave up after {seconds:g} s", "TIMEOUT") from None

    return {**tool, "execute": execute}


def remembering(ask: Callable[[ToolExecution, str | None], str]) -> Approve:
    """An `approve` that asks once: `ask` answers "yes", "always", or why not. "always" holds for
    the tool."""
    allowed: set[str] = set()

    def approve(execution: ToolExecution, reason: str | None) -> bool | str:
        if execution["name"] in allowed:
            return True
        answer = ask(execution, reason)
        if answer == "always":
            allowed.add(execution["name"])
        return True if answer in ("yes", "always") else answer

    return approve


def cut_to(most: int) -> PostToolListener:
    """A post-execute listener that keeps the head and the tail of a long text, and says so."""

    def cut(block: ContentBlock) -> ContentBlock:
        if block["type"] != "text" or len(block["text"]) <= most:
            return block
        text, half = block["text"], most // 2
        gap = f"\n[… {len(text) - 2 * half} characters left out: ask for less …]\n"
        return {"type": "text", "text": text[:half] + gap + text[-half:]}

    def listener(
        execution: ToolExecution,
        result: ToolExecutionResult,
        next: Callable[[], PostToolDecision],
    ) -> PostToolDecision:
        decision = next()
        if decision["kind"] == "accept":
            content = decision.get("content", result["content"])
            return {**decision, "content": [cut(block) for block in content]}
        return decision

    return listener


def at_most(calls: int, name: str) -> ToolGuard:
    """A guard that lets a tool run so many times and then tells the model to go on without it."""
    left = iter(range(calls))

    def guard(execution: ToolExecution) -> str | None:
        if execution["name"] != name or next(left, None) is not None:
            return None
        return f"{name} may be called {calls} times, which it was: go on with what you know"

    return guard


def only_reading(registry: ToolRegistry) -> ToolGuard:
    """A guard that denies every tool whose author did not say that it only reads."""

    def guard(execution: ToolExecution) -> str | None:
        tool = registry.get(execution["name"])
        reads = tool is None or tool.get("hints", {}).get("read_only", False)
        return None if reads else "this session only reads"

    return guard


def traced(
    registry: ToolRegistry, emit: Callable[[str, float, bool], object]
) -> Callable[[], None]:
    """Emit a span for each outcome, whatever it is: name, seconds, and whether it failed."""
    started: dict[str, float] = {}

    def begin(execution: ToolExecution, next: Callable[[], PreToolDecision]) -> PreToolDecision:
        started[execution["call_id"]] = monotonic()
        return next()

    def end(execution: ToolExecution, result: ToolExecutionResult) -> None:
        seconds = monotonic() - started.pop(execution["call_id"])
        emit(execution["name"], seconds, result["is_error"])

    forget_begin = registry.on_pre_execute(begin, prepend=True)
    forget_end = registry.on_result(end)

    def stop() -> None:
        forget_begin()
        forget_end()

    return stop


def from_async(
    body: Callable[[Any, ToolExecution], Coroutine[Any, Any, ToolExecuteReturn]],
    loop: asyncio.AbstractEventLoop,
) -> Body:
    """The body of a tool out of an async function, which runs in the host's own event loop while
    the call waits in a thread (`await asyncio.to_thread(registry.execute, execution)`)."""
    return lambda args, execution: asyncio.run_coroutine_threadsafe(
        body(args, execution), loop
    ).result()


def logging_arguments(log: Logger, secrets: frozenset[str]) -> PreToolListener:
    """A pre-execute listener that logs the arguments of each call, without secrets at any depth."""

    def masked(value: object) -> object:
        if isinstance(value, dict):
            return {k: "***" if k in secrets else masked(inner) for k, inner in value.items()}
        return [masked(inner) for inner in value] if isinstance(value, list) else value

    def listener(execution: ToolExecution, next: Callable[[], PreToolDecision]) -> PreToolDecision:
        log.info("%s %s", execution["name"], masked(execution["arguments"]))
        return next()

    return listener


def planner_and_worker(registry: ToolRegistry) -> tuple[RegistryView, RegistryView]:
    """One registry for two agents: the planner sees what only reads, the worker all but `plan`."""

    def reads(name: str) -> bool:
        tool = registry.get(name)
        return tool is not None and tool.get("hints", {}).get("read_only", False)

    return registry.view(reads), registry.view(lambda name: name != "plan")


_progress: ContextVar[Callable[[str], object]] = ContextVar("progress", default=lambda text: None)


def report(text: str) -> None:
    """What a body calls to tell the user how far it is."""
    _progress.get()(text)


@contextmanager
def progress_to(show: Callable[[str], object]) -> Iterator[None]:
    """Show what the tools that are called in here report; `execute_step` takes it to its threads."""
    token = _progress.set(show)
    try:
        yield
    finally:
        _progress.reset(token)


