"""What a call came to: the result of what a tool returned, and the results that are errors.

Whatever a tool returns or raises, one of the functions here makes a result of it.
"""

from collections.abc import Callable
from typing import TypeGuard

from ..errors import HarnessError, bounded, log_fault
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
from ..vocabulary import CallId, ContentBlock, ToolExecutionResult
from .content import content_fault, own_content


class WrongOutput(HarnessError):
    """A tool returned what it must not return: its author's fault, which is logged."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "INVALID_RESULT")


WrongOutput.__name__ = HarnessError.__name__  # the word that programs read in `error`


class Denied(Exception):
    """A call may not run, for the reason that is the message."""


# --- what a tool returned -----------------------------------------------------------------


def success(call_id: CallId, output: object) -> ToolExecutionResult:
    """The result of what a tool returned. Raises WrongOutput when that is nothing to return."""
    kind = type(output)
    if issubclass(kind, str):
        text = repair_text(output if kind is str else text_of(output))  # type: ignore[arg-type]  # its type says so
        content: list[ContentBlock] = [{"type": "text", "text": text}]
    elif issubclass(kind, list):
        content = read_content(output, _returned, "content")
    elif issubclass(kind, dict):
        return _of_parts(call_id, dict(items_of(output)))
    elif output is None:
        content = []
    else:
        late = close_awaitable(output)
        raise _returned("an awaitable, which nobody awaits" if late else what_is(output))
    return {"call_id": call_id, "content": content, "is_error": False}


def _of_parts(call_id: CallId, output: dict[object, object]) -> ToolExecutionResult:
    """The result of a dict: content, a value and a private payload, and nothing else."""
    if "content" not in output or not output.keys() <= {"content", "meta", "value"}:
        raise _returned('a dict that does not hold "content" and perhaps "meta" and "value"')
    result: ToolExecutionResult = {
        "call_id": call_id,
        "content": read_content(output["content"], _returned, "content"),
        "is_error": False,
    }
    if "value" in output:
        result["value"] = copy_json(output["value"], repair=True)
        if not is_json(result["value"]):
            raise _returned('a "value" that is not JSON')
    if output.get("meta") is not None:
        result["meta"] = copy_json(output["meta"])
    return result


def _returned(what: str) -> WrongOutput:
    return WrongOutput(
        f"the tool returned {what}: it must return text, a list of content blocks, "
        'a dict with "content" and perhaps "meta" and "value", or None'
    )


def read_content(
    blocks: object, refusal: Callable[[str], Exception], what: str
) -> list[ContentBlock]:
    """An own copy of the content that somebody gave. Raises the refusal of `what` it was else."""
    content = own_content(blocks)
    fault = content_fault(content)
    if fault is not None:
        raise refusal(f"{what} that is no list of content blocks ({fault})")
    return content


def close_awaitable(value: object) -> bool:
    """Whether something came back from a synchronous call that would have to be awaited. A
    coroutine is closed: left alone, it would warn."""
    if not hasattr(type(value), "__await__"):
        return False
    close = getattr(value, "close", None)
    if close is not None:
        close()
    return True


# --- results that are errors --------------------------------------------------------------


def of_error(call_id: CallId, name: object, error: Exception) -> ToolExecutionResult:
    """The result of a call that was denied, that cannot run, or whose tool failed. A HarnessError
    is a tool's own word; anything else the host wants to see in full."""
    if type(error) is Denied:
        return _error_result(call_id, text_of(error.args[0]))
    if not _is_harness_error(error) or type(error) is WrongOutput:
        log_fault(name, "the tool failed", error)
    return _failure(call_id, error)


def of_listener_error(
    call_id: CallId, name: object, error: Exception, stage: str
) -> ToolExecutionResult:
    """A listener that fails lets nothing pass: no tool before it, no outcome after it."""
    log_fault(name, f"a {stage} listener failed", error)
    return _failure(call_id, error)


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
        code = repair_text(_code_of(error))
        result["error"] = {"name": class_name(error), "code": code}
    return result


def _code_of(error: HarnessError) -> str:
    """The code of an error, bounded. A subclass may compute it, and fail."""
    try:
        code: object = error.code
        text = plain_text(code) if isinstance(code, (str, int)) else HarnessError.code
    except Exception:
        return HarnessError.code
    return bounded(text)


def _error_result(call_id: CallId, reason: str) -> ToolExecutionResult:
    text = repair_text(bounded(f"Error: {reason}"))
    return {
        "call_id": call_id,
        "content": [{"type": "text", "text": text}],
        "is_error": True,
    }
