"""One validated call of a trivial tool, in ours and in what agents are built with."""

import json
from asyncio import AbstractEventLoop, new_event_loop
from collections.abc import Iterator
from functools import partial
from inspect import isawaitable
from typing import Any, Final, cast

from dsh_tools import ToolExecution, ToolExecutionResult, ToolRegistry, define_tool, parse_arguments

from . import frameworks
from .frameworks import Args, Bind, look, look_async
from .measure import Awaited, Timed, measure, statement
from .payloads import SMALL
from .report import Row, Table, duration, versus

_OURS: Final = "dsh_tools"
_WARM_CALLS: Final = 100
_ARGS: Final = cast(Args, SMALL.valid)
_BAD_ARGS: Final = cast(Args, SMALL.invalid)

# our time divided by the other's
_GOALS: Final = {
    "anthropic beta_tool.call": 0.5,
    "smolagents validated call": 0.5,
    "openai-agents, async body": 0.25,
    "pydantic-ai, async body": 0.1,
    "mcp in process, async body": 0.1,
    "langchain StructuredTool.invoke": 0.01,
}
_PARSES: Final = "parses the text of the arguments too"
_THREAD: Final = "runs the body in a thread"
_NOTES: Final = {
    f"{_OURS}, from text": _PARSES,
    "openai-agents, async body": _PARSES,
    "openai-agents, def body": f"{_PARSES}; {_THREAD}",
    "pydantic-ai, def body": _THREAD,
    "mcp in process, def body": _THREAD,
}
# listeners on either side → how many times a call without any this may take
_LISTENER_GOALS: Final = {0: None, 1: 4.0, 5: 6.0}


CALL: Final[ToolExecution] = {"call_id": "1", "name": "look", "arguments": _ARGS}


def tables() -> Iterator[Table]:
    yield _against_frameworks()
    yield _with_listeners()


def registry(listeners: int = 0) -> ToolRegistry:
    """A registry with the tool, that many listeners on either side, and calls behind it."""
    tools = ToolRegistry()
    tools.register(
        define_tool(
            name="look",
            description="Look at a file.",
            parameters=SMALL.spec,
            execute=lambda args, execution: "ok",
        )
    )
    for _ in range(listeners):
        tools.on_pre_execute(lambda execution, next: next())
        tools.on_post_execute(lambda execution, result, next: next())
    for _ in range(_WARM_CALLS):
        tools.execute(CALL)
    return tools


def _call(arguments: object) -> ToolExecution:
    return {**CALL, "arguments": arguments}


def _with_listeners() -> Table:
    candidates = {
        f"{number} pre and {number} post": statement(
            "execute(call)", execute=registry(number).execute, call=CALL
        )
        for number in _LISTENER_GOALS
    }
    rounds = measure(candidates)
    none = next(iter(candidates))
    rows = [
        Row(name, duration(rounds.median(name)), rounds.ratio(name, none), goal)
        for name, goal in zip(candidates, _LISTENER_GOALS.values(), strict=True)
    ]
    text = "Each listener calls `next()` and does nothing else."
    return Table("execute, with listeners", "time", "it ÷ none", rows, text)


def _against_frameworks() -> Table:
    loop = new_event_loop()
    candidates: dict[str, Timed] = {}
    for name, bind in _binders(loop).items():
        _require_verdicts(name, bind, loop)
        call = bind(_ARGS)
        waits = name.endswith("body")
        candidates[name] = Awaited(call, loop) if waits else statement("call()", call=call)
    rows = versus(measure(candidates), _OURS, _GOALS, _NOTES)
    loop.close()
    text = "A peer that is asynchronous runs many calls in one run of an event loop."
    return Table("execute, no listener", "time", "ours ÷ it", rows, text)


def _binders(loop: AbstractEventLoop) -> dict[str, Bind]:
    binders = {
        _OURS: _ours(registry()),
        f"{_OURS}, from text": _ours_from_text(registry()),
        "anthropic beta_tool.call": frameworks.anthropic_tool(),
        "smolagents validated call": frameworks.smolagents_tool(),
        "langchain StructuredTool.invoke": frameworks.langchain_tool(),
    }
    for kind, body in (("async body", look_async), ("def body", look)):
        binders[f"openai-agents, {kind}"] = frameworks.openai_tool(body)
        pydantic_ai = loop.run_until_complete(frameworks.pydantic_ai_tool(body))
        binders[f"pydantic-ai, {kind}"] = pydantic_ai
        binders[f"mcp in process, {kind}"] = frameworks.mcp_tool(body)
    return binders


def _ours(tools: ToolRegistry) -> Bind:
    return lambda args: partial(tools.execute, _call(args))


def _ours_from_text(tools: ToolRegistry) -> Bind:
    def from_text(text: str) -> ToolExecutionResult:
        return tools.execute(_call(parse_arguments(text)))

    return lambda args: partial(from_text, json.dumps(args))


def _require_verdicts(name: str, bind: Bind, loop: AbstractEventLoop) -> None:
    """A figure counts only for who runs the good call and refuses the bad one."""
    if "ok" not in str(_answer(bind(_ARGS), loop)):
        raise AssertionError(f"{name}: the good call did not run")
    try:
        answer = _answer(bind(_BAD_ARGS), loop)
    except Exception:
        return
    if not (isinstance(answer, dict) and answer["is_error"]):
        raise AssertionError(f"{name}: the bad call was not refused")


def _answer(call: Any, loop: AbstractEventLoop) -> Any:
    answer = call()
    return loop.run_until_complete(answer) if isawaitable(answer) else answer
