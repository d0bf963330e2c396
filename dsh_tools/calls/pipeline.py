"""One call, from the gate to the result.

pre-execute waterfall → guards → look-up → body → post-execute waterfall → result. Whatever a
listener, a guard or a tool raises or returns, a result comes out; only what is no `Exception`
(KeyboardInterrupt, SystemExit, CancelledError) passes through.

Nobody gets hold of what others rely on. The arguments are copied when the call starts, and each
party works on a copy of that copy: the pre-execute listeners together, each guard, the one who
approves, the body, the post-execute listeners together. The last of them has the first copy.
"""

from collections.abc import Callable
from typing import TypeGuard, cast

from ..errors import HarnessError, log_fault, shown_name
from ..json_values import (
    class_name,
    copy_json,
    is_json,
    items_of,
    plain_text,
    repair_text,
    text_of,
    what_is,
)
from ..vocabulary import (
    Approve,
    CallId,
    ContentBlock,
    HookContext,
    MessageSource,
    PostToolDecision,
    PostToolListener,
    PreToolDecision,
    PreToolListener,
    ToolDefinition,
    ToolExecution,
    ToolExecutionResult,
    ToolGuard,
)
from .content import content_fault, own_content
from .waterfall import Entries, decide


class _WrongAnswer(Exception):
    """What was wrong with the answer of a listener or a guard."""


def execute(
    execution: ToolExecution,
    pre_listeners: Entries[PreToolListener],
    guards: Entries[ToolGuard],
    approve: Approve | None,
    find: Callable[[str], ToolDefinition],
    post_listeners: Entries[PostToolListener],
) -> ToolExecutionResult:
    """The result of one call. `find` gives the tool of a name or raises ToolNotFoundError.

    Raises HarnessError with code "INVALID_EXECUTION" when the execution lacks a required key.
    """
    require_complete(execution)
    call = _copied(execution)  # the pipeline's own, which it shows to nobody
    denial = None
    if pre_listeners:
        try:
            allow: PreToolDecision = {"kind": "allow"}
            decision = decide(pre_listeners, (_copied(call),), allow)
            denial = _denial(call, decision, approve)
        except Exception as error:
            return _listener_failure(call["call_id"], call["name"], error, "pre-execute")
    if guards and denial is None:
        denial = _guarded(call, guards)
    if denial is None:
        given = _copied(call) if post_listeners else call
        result = _run(given, find)
    else:
        result = _error_result(call["call_id"], denial)
    return _reviewed(call, result, post_listeners) if post_listeners else result


def require_complete(execution: ToolExecution) -> None:
    """Raise HarnessError with code "INVALID_EXECUTION" when a required key is not there."""
    try:
        execution["call_id"], execution["name"], execution["arguments"]
    except KeyError as missing:
        text = f'the execution has no "{missing.args[0]}"'
        raise HarnessError(text, "INVALID_EXECUTION") from None


def _copied(call: ToolExecution) -> ToolExecution:
    """A call of which all that is data is its own; the signal, and an agent that is no data, are
    the host's and stay shared."""
    copied = call.copy()
    copied["arguments"] = copy_json(call["arguments"])
    if "agent" in call:
        copied["agent"] = copy_json(call["agent"])
    return copied


# --- the gate -----------------------------------------------------------------------------


def _denial(call: ToolExecution, decision: PreToolDecision, approve: Approve | None) -> str | None:
    """The reason why a decision keeps the call from running, None when it lets it run."""
    _require_decision(decision, "pre-execute", ("allow", "deny", "ask"))
    if decision["kind"] == "allow":
        return None
    reason = decision.get("reason")
    if isinstance(reason, str):
        reason = text_of(reason)
    elif decision["kind"] == "deny" or reason is not None:
        kind = decision["kind"]
        raise _WrongAnswer(f'a pre-execute listener answered "{kind}" without a text under "reason"')
    if decision["kind"] == "ask" and _agreed(call, reason, approve):
        return None
    if reason is None:
        return f'tool "{shown_name(call["name"])}" requires approval (not yet supported)'
    return reason


class _Cancelled:
    """The signal of a call that was found cancelled: it stays so, whatever the host's does."""

    def is_set(self) -> bool:
        return True


def _agreed(call: ToolExecution, reason: str | None, approve: Approve | None) -> bool:
    """Whether the call may go on: somebody was asked and said yes, or it is cancelled, so that it
    cannot run any more and nobody need be asked."""
    try:
        if _is_cancelled(call):
            call["signal"] = _Cancelled()
            return True
        if approve is None:
            return False
        answer = approve(_copied(call), reason)
        if type(answer) is not bool:
            close_awaitable(answer)
            text = f"approve answered {what_is(answer)} instead of True or False"
            log_fault(call["name"], f"{text}, which denies the call")
        return answer is True
    except Exception as error:
        log_fault(call["name"], "asking failed, which denies the call", error)
        return False


def _guarded(call: ToolExecution, guards: Entries[ToolGuard]) -> str | None:
    """The reason of the first guard that denies the call, None when all let it pass."""
    for entry in guards:
        try:
            verdict = entry.item(_copied(call))
            if isinstance(verdict, str):
                return text_of(verdict)
            if verdict is not None:
                close_awaitable(verdict)
                answer = what_is(verdict)
                raise _WrongAnswer(f"a guard answered {answer} instead of a reason or None")
        except Exception as error:
            log_fault(call["name"], "a guard failed, which denies the call", error)
            return failure_text(error)
    return None


# --- the body -----------------------------------------------------------------------------


def _run(call: ToolExecution, find: Callable[[str], ToolDefinition]) -> ToolExecutionResult:
    """Look the tool up and run it. Its body gets the very `call`."""
    call_id, name = call["call_id"], call["name"]
    try:
        if "signal" in call and _is_cancelled(call):
            raise HarnessError("the call was cancelled before the tool started", "ABORTED")
        return _success(call_id, find(name)["execute"](call["arguments"], call))
    except Exception as error:
        # A HarnessError is a tool's own word. Anything else the host wants to see in full.
        if not _is_harness_error(error) or type(error) is _WrongOutput:
            log_fault(name, "the tool failed", error)
        return _failure(call_id, error)


def _is_cancelled(call: ToolExecution) -> bool:
    signal = call.get("signal")
    return signal is not None and signal.is_set()


def _success(call_id: CallId, output: object) -> ToolExecutionResult:
    """The result of what a tool returned. Raises HarnessError when that is nothing to return."""
    kind, meta = type(output), None
    if issubclass(kind, str):
        text = repair_text(output if kind is str else text_of(output))  # type: ignore[arg-type]  # its type says so
        content: list[ContentBlock] = [{"type": "text", "text": text}]
    elif issubclass(kind, list):
        content = _content(output, _WrongOutput, "content")
    elif issubclass(kind, dict):
        content, meta = _output_parts(dict(items_of(output)))
    elif output is None:
        content = []
    else:
        close_awaitable(output)
        raise _WrongOutput(
            "an awaitable, which nobody awaits" if _is_awaitable(output) else what_is(output)
        )
    result: ToolExecutionResult = {"call_id": call_id, "content": content, "is_error": False}
    if meta is not None:
        result["meta"] = copy_json(meta)
    return result


class _WrongOutput(HarnessError):
    """A tool returned what is nothing to return."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the tool returned {what}: it must return text, a list of content blocks, "
            'a dict with "content" and perhaps "meta", or None',
            "INVALID_RESULT",
        )


_WrongOutput.__name__ = HarnessError.__name__  # the word that programs read in `error`


def _output_parts(output: dict[object, object]) -> tuple[list[ContentBlock], object]:
    """The content and the meta that a dict holds, and nothing else."""
    if "content" not in output or not output.keys() <= {"content", "meta"}:
        raise _WrongOutput('a dict that does not hold "content" and perhaps "meta"')
    return _content(output["content"], _WrongOutput, "content"), output.get("meta")


def _is_awaitable(value: object) -> bool:
    return hasattr(type(value), "__await__")


def close_awaitable(value: object) -> None:
    """Close a coroutine that came back from a synchronous call: left alone, it would warn."""
    if _is_awaitable(value):
        close = getattr(value, "close", None)
        if close is not None:
            close()


# --- the review ---------------------------------------------------------------------------


def _reviewed(
    call: ToolExecution, result: ToolExecutionResult, listeners: Entries[PostToolListener]
) -> ToolExecutionResult:
    """The result as the post-execute listeners leave it: only their decision changes it. They are
    the last to look at the call and get the pipeline's own."""
    call_id, name = call["call_id"], call["name"]
    try:
        accept: PostToolDecision = {"kind": "accept"}
        return _decided(result, decide(listeners, (call, _shown(result)), accept))
    except Exception as error:
        return _listener_failure(call_id, name, error, "post-execute")


def _shown(result: ToolExecutionResult) -> ToolExecutionResult:
    """A copy of a result that listeners may do with as they like."""
    shown = result.copy()
    shown["content"] = [copy_json(block) for block in result["content"]]
    if "error" in result:
        shown["error"] = result["error"].copy()
    if "meta" in result:
        shown["meta"] = copy_json(result["meta"])
    return shown


def _decided(result: ToolExecutionResult, decision: PostToolDecision) -> ToolExecutionResult:
    _require_decision(decision, "post-execute", ("accept", "block"))
    if len(decision) == 1 and decision["kind"] == "accept":
        return result
    decided: ToolExecutionResult = {
        "call_id": result["call_id"],
        "content": result["content"],
        "is_error": result["is_error"],
    }
    if decision["kind"] == "block":
        decided["content"] = _decided_content(decision.get("feedback"), '"feedback"')
        decided["is_error"] = True
    elif "content" in decision:
        decided["content"] = _decided_content(decision["content"], '"content"')
    if decision["kind"] == "accept" and "error" in result:
        decided["error"] = result["error"]
    if decision.get("additional_context") is not None:
        decided["additional_context"] = _context(decision["additional_context"])
    if decision["kind"] == "accept" and "meta" in result:
        decided["meta"] = result["meta"]
    return decided


def _decided_content(blocks: object, where: str) -> list[ContentBlock]:
    return _content(blocks, _WrongAnswer, f"a post-execute listener answered {where}")


def _context(context: object) -> HookContext:
    source = context.get("source") if isinstance(context, dict) else None
    if not isinstance(context, dict) or not isinstance(source, dict) or not is_json(source):
        raise _WrongAnswer(
            'a post-execute listener answered "additional_context" without "content" and "source"'
        )
    content = _decided_content(context.get("content"), '"additional_context" with "content"')
    return {"content": content, "source": cast(MessageSource, copy_json(source, repair=True))}


def _require_decision(decision: object, stage: str, kinds: tuple[str, ...]) -> None:
    """Raise unless a decision is a dict of one of the kinds."""
    if not isinstance(decision, dict):
        close_awaitable(decision)
        raise _WrongAnswer(f"a {stage} listener answered {what_is(decision)} and no decision")
    kind = decision.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        listed = ", ".join(kinds)
        raise _WrongAnswer(f'a {stage} listener answered a "kind" that is none of {listed}')


# --- content from outside -----------------------------------------------------------------


def _content(blocks: object, refusal: Callable[[str], Exception], what: str) -> list[ContentBlock]:
    """An own copy of the content that somebody gave. Raises the refusal of `what` it was else."""
    content = own_content(blocks)
    fault = content_fault(content)
    if fault is not None:
        raise refusal(f"{what} that is no list of content blocks ({fault})")
    return content


# --- results that are errors --------------------------------------------------------------


def failure_text(error: BaseException) -> str:
    """An exception's own text, never its traceback, cause or notes."""
    try:
        text = plain_text(error)
        if text and type(error).__str__ is KeyError.__str__:
            return f"{class_name(error)}: {text}"  # on its own it would be a bare quoted key
    except Exception:
        text = ""
    return text or class_name(error)


def _is_harness_error(error: Exception) -> TypeGuard[HarnessError]:
    """`isinstance` would ask the error what it says its class is."""
    return issubclass(type(error), HarnessError)


def _failure(call_id: CallId, error: Exception) -> ToolExecutionResult:
    result = _error_result(call_id, failure_text(error))
    if _is_harness_error(error):
        result["error"] = {"name": class_name(error), "code": repair_text(_code_of(error))}
    return result


def _code_of(error: HarnessError) -> str:
    try:
        code: object = error.code
        return plain_text(code) if isinstance(code, (str, int)) else HarnessError.code
    except Exception:  # a subclass may compute its code, and fail
        return HarnessError.code


def _error_result(call_id: CallId, reason: str) -> ToolExecutionResult:
    text = repair_text(f"Error: {reason}")
    return {
        "call_id": call_id,
        "content": [{"type": "text", "text": text}],
        "is_error": True,
    }


def _listener_failure(
    call_id: CallId, name: object, error: Exception, stage: str
) -> ToolExecutionResult:
    """A listener that fails lets nothing pass: no tool before it, no outcome after it."""
    log_fault(name, f"a {stage} listener failed", error)
    return _failure(call_id, error)
