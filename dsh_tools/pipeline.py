"""One call, from the gate to the result.

pre-execute waterfall → guards → look-up → body → post-execute waterfall → result. Whatever a
listener, a guard or a tool raises or returns, a result comes out; only what is no `Exception`
(KeyboardInterrupt, SystemExit, CancelledError) passes through.

Nobody gets hold of what others rely on. The arguments are copied when the call starts, and each
party works on a copy of that copy: the pre-execute listeners, the guards, the one who approves,
the body, the post-execute listeners. In a call that nobody else looks at, the body has the first.
"""

from collections.abc import Callable
from typing import Final, NoReturn, TypeAlias, cast

from .errors import HarnessError, log_fault
from .json_values import copy_json, repair_text
from .spec_faults import what_is
from .vocabulary import (
    Approve,
    ContentBlock,
    HookContext,
    PostToolDecision,
    PostToolListener,
    PreToolDecision,
    PreToolListener,
    ToolDefinition,
    ToolErrorInfo,
    ToolExecution,
    ToolExecutionResult,
    ToolGuard,
)
from .waterfall import decide

PreListeners: TypeAlias = tuple[tuple[PreToolListener], ...]
PostListeners: TypeAlias = tuple[tuple[PostToolListener], ...]
Guards: TypeAlias = tuple[tuple[ToolGuard], ...]

_EXECUTION_KEYS: Final = ("call_id", "name", "arguments")
# block type → the keys that must hold text
_BLOCK_KEYS: Final = {
    "text": ("text",),
    "image": ("url",),
    "reasoning": ("text",),
    "tool-call": ("id", "name", "arguments"),
    "tool-result": ("tool_call_id",),
}


class _ListenerFault(Exception):
    """What was wrong with a listener's answer."""


def execute(
    execution: ToolExecution,
    pre_listeners: PreListeners,
    guards: Guards,
    approve: Approve | None,
    find: Callable[[str], ToolDefinition],
    post_listeners: PostListeners,
) -> ToolExecutionResult:
    """The result of one call. `find` gives the tool of a name or raises ToolNotFoundError.

    Raises HarnessError with code "INVALID_EXECUTION" when the execution lacks a required key.
    """
    call = _own(execution)
    denial = None
    if pre_listeners:
        try:
            allow: PreToolDecision = {"kind": "allow"}
            decision = decide(pre_listeners, (_copied(call),), allow)
            denial = _denial(call, decision, approve)
        except Exception as error:
            return _listener_failure(call, error, "pre-execute")
    if guards and denial is None:
        denial = _guarded(call, guards)
    if denial is None:
        result = _run(call, find, keep_arguments=bool(post_listeners))
    else:
        result = _error_result(call, denial)
    return _reviewed(call, result, post_listeners) if post_listeners else result


def _own(execution: ToolExecution) -> ToolExecution:
    """The pipeline's own copy of a call, which it shows to nobody."""
    for key in _EXECUTION_KEYS:
        if key not in execution:
            raise HarnessError(f'the execution has no "{key}"', "INVALID_EXECUTION")
    return _copied(execution)


def _copied(call: ToolExecution) -> ToolExecution:
    """A call with arguments of its own; agent and signal are the host's and stay shared."""
    copied = call.copy()
    copied["arguments"] = copy_json(call["arguments"])
    return copied


# --- the gate -----------------------------------------------------------------------------


def _denial(call: ToolExecution, decision: PreToolDecision, approve: Approve | None) -> str | None:
    """The reason why a decision keeps the call from running, None when it lets it run."""
    _require_decision(decision, "pre-execute")
    if decision["kind"] == "allow":
        return None
    reason = decision.get("reason")
    if decision["kind"] == "deny" and isinstance(reason, str):
        return reason
    if decision["kind"] == "ask" and (reason is None or isinstance(reason, str)):
        if approve is not None and _approved(call, reason, approve):
            return None
        if reason is None:
            return f'tool "{call["name"]}" requires approval (not yet supported)'
        return reason
    _refuse_answer("pre-execute", f"a decision of kind {decision['kind']!r} and reason {reason!r}")


def _approved(call: ToolExecution, reason: str | None, approve: Approve) -> bool:
    try:
        return approve(_copied(call), reason) is True
    except Exception as error:
        log_fault(f'"{call["name"]}": approve raised, which denies the call', error)
        return False


def _guarded(call: ToolExecution, guards: Guards) -> str | None:
    """The reason of the first guard that denies the call, None when all let it pass."""
    shown = _copied(call)
    for (guard,) in guards:
        try:
            verdict = guard(shown)
        except Exception as error:
            log_fault(f'"{call["name"]}": a guard raised, which denies the call', error)
            return failure_text(error)
        if isinstance(verdict, str):
            return verdict
        if verdict is not None:
            _close_awaitable(verdict)
            answer = f"a guard answered {what_is(verdict)} instead of a reason or None"
            log_fault(f'"{call["name"]}": {answer}, which denies the call')
            return answer
    return None


# --- the body -----------------------------------------------------------------------------


def _run(
    call: ToolExecution, find: Callable[[str], ToolDefinition], *, keep_arguments: bool
) -> ToolExecutionResult:
    """Look the tool up and run it. Without `keep_arguments` the body may have those of `call`."""
    try:
        signal = call.get("signal")
        if signal is not None and signal.is_set():
            raise HarnessError("the call was cancelled before the tool started", "ABORTED")
        given = _copied(call) if keep_arguments else call.copy()
        output = find(call["name"])["execute"](given["arguments"], given)
        return _success(call, output)
    except Exception as error:
        # A HarnessError is a tool's own word. Anything else the host wants to see in full.
        if not isinstance(error, HarnessError) or error.code == "INVALID_RESULT":
            log_fault(f'"{call["name"]}": the tool failed', error)
        return _failure(call, error)


def _success(call: ToolExecution, output: object) -> ToolExecutionResult:
    """The result of what a tool returned. Raises HarnessError when that is nothing to return."""
    result: ToolExecutionResult = {
        "call_id": call["call_id"],
        "content": [],
        "is_error": False,
    }
    if isinstance(output, str):
        result["content"] = [{"type": "text", "text": repair_text(output)}]
    elif isinstance(output, list):
        result["content"] = _content(output, "the tool's list")
    elif isinstance(output, dict) and "content" in output and output.keys() <= {"content", "meta"}:
        result["content"] = _content(output["content"], 'the "content" that the tool returned')
        if output.get("meta") is not None:
            result["meta"] = copy_json(output["meta"])
    elif output is not None:
        _refuse_output(output)
    return result


def _refuse_output(output: object) -> NoReturn:
    _close_awaitable(output)
    if hasattr(output, "__await__"):
        what = "an awaitable, and nobody here awaits it"
    elif isinstance(output, dict):
        what = 'a dict with other keys than "content" and "meta"'
    else:
        what = what_is(output)
    raise HarnessError(
        f"the tool returned {what}: it must return text, a list of content blocks, "
        'a dict with "content" and perhaps "meta", or None',
        "INVALID_RESULT",
    )


def _close_awaitable(value: object) -> None:
    """Close a coroutine that came back from a synchronous call: left alone, it would warn."""
    close = getattr(value, "close", None)
    if hasattr(value, "__await__") and close is not None:
        close()


def _content(blocks: object, what: str) -> list[ContentBlock]:
    """A copy of content blocks, fit for a model. Raises HarnessError when they are no blocks."""
    fault = content_fault(blocks)
    if fault is not None:
        raise HarnessError(f"{what} is no list of content blocks: {fault}", "INVALID_RESULT")
    return copy_json(cast(list[ContentBlock], blocks), repair=True)


def content_fault(blocks: object) -> str | None:
    """What keeps a value from being a list of content blocks, None when it is one."""
    if not isinstance(blocks, list):
        return f"it is {what_is(blocks)}"
    for index, block in enumerate(blocks):
        if not isinstance(block, dict):
            return f"[{index}] is {what_is(block)}"
        kind = block.get("type")
        keys = _BLOCK_KEYS.get(kind) if isinstance(kind, str) else None
        if keys is None:
            return f'[{index}] has no "type" that is one of {", ".join(_BLOCK_KEYS)}'
        for key in keys:
            if not isinstance(block.get(key), str):
                return f'[{index}] has no text under "{key}"'
        if kind == "tool-result":
            fault = content_fault(block.get("content"))
            if fault is not None:
                return f'[{index}] has no proper "content": {fault}'
    return None


# --- the review ---------------------------------------------------------------------------


def _reviewed(
    call: ToolExecution, result: ToolExecutionResult, listeners: PostListeners
) -> ToolExecutionResult:
    """The result as the post-execute listeners leave it: only their decision changes it."""
    try:
        accept: PostToolDecision = {"kind": "accept"}
        decision = decide(listeners, (_copied(call), copy_json(result)), accept)
        return _decided(result, decision)
    except Exception as error:
        return _listener_failure(call, error, "post-execute")


def _decided(result: ToolExecutionResult, decision: PostToolDecision) -> ToolExecutionResult:
    _require_decision(decision, "post-execute")
    if len(decision) == 1 and decision["kind"] == "accept":
        return result
    decided: ToolExecutionResult = {
        "call_id": result["call_id"],
        "content": result["content"],
        "is_error": result["is_error"],
    }
    if decision["kind"] == "accept":
        if "content" in decision:
            decided["content"] = _decided_content(decision["content"], '"content"')
        if "error" in result:
            decided["error"] = result["error"]
    elif decision["kind"] == "block":
        decided["content"] = _decided_content(decision.get("feedback"), '"feedback"')
        decided["is_error"] = True
    else:
        _refuse_answer("post-execute", f"a decision of kind {decision['kind']!r}")
    if decision.get("additional_context") is not None:
        decided["additional_context"] = _context(decision["additional_context"])
    if decision["kind"] == "accept" and "meta" in result:
        decided["meta"] = result["meta"]
    return decided


def _decided_content(blocks: object, where: str) -> list[ContentBlock]:
    fault = content_fault(blocks)
    if fault is not None:
        _refuse_answer("post-execute", f"{where} that is no list of content blocks: {fault}")
    return copy_json(cast(list[ContentBlock], blocks), repair=True)


def _context(context: object) -> HookContext:
    if not isinstance(context, dict) or not isinstance(context.get("source"), dict):
        _refuse_answer("post-execute", 'an "additional_context" without "content" and "source"')
    content = _decided_content(context.get("content"), 'an "additional_context"')
    return cast(HookContext, {**copy_json(context), "content": content})


def _require_decision(decision: object, stage: str) -> None:
    if not isinstance(decision, dict) or not isinstance(decision.get("kind"), str):
        _close_awaitable(decision)
        _refuse_answer(stage, f"{what_is(decision)} instead of a decision with a kind")


def _refuse_answer(stage: str, answer: str) -> NoReturn:
    raise _ListenerFault(f"a {stage} listener answered {answer}")


# --- results that are errors --------------------------------------------------------------


def failure_text(error: Exception) -> str:
    """An exception's own text, never its traceback, cause or notes."""
    try:
        text = str(error)
    except Exception:
        text = ""
    if text and type(error).__str__ is KeyError.__str__:
        return f"{type(error).__name__}: {text}"  # on its own it would be a bare quoted key
    return text or type(error).__name__


def _failure(call: ToolExecution, error: Exception) -> ToolExecutionResult:
    result = _error_result(call, failure_text(error))
    if isinstance(error, HarnessError):
        result["error"] = _error_info(error)
    return result


def _error_info(error: HarnessError) -> ToolErrorInfo:
    return {"name": type(error).__name__, "code": error.code}


def _error_result(call: ToolExecution, reason: str) -> ToolExecutionResult:
    text = repair_text(f"Error: {reason}")
    return {
        "call_id": call["call_id"],
        "content": [{"type": "text", "text": text}],
        "is_error": True,
    }


def _listener_failure(call: ToolExecution, error: Exception, stage: str) -> ToolExecutionResult:
    """A listener that fails lets nothing pass: no tool before it, no outcome after it."""
    log_fault(f'"{call["name"]}": a {stage} listener failed', error)
    return _failure(call, error)
