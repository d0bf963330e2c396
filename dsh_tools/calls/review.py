"""What becomes of a result: what the post-execute listeners decide, and who is told in the end."""

from typing import cast

from ..errors import log_fault
from ..json_values import copy_json, is_json
from ..vocabulary import (
    ContentBlock,
    HookContext,
    MessageSource,
    PostToolDecision,
    PostToolListener,
    ResultListener,
    ToolExecution,
    ToolExecutionResult,
)
from .gate import WrongAnswer, copied, require_decision
from .outcome import close_awaitable, of_listener_error, read_content
from .waterfall import Entries, decide


def reviewed(
    call: ToolExecution, result: ToolExecutionResult, listeners: Entries[PostToolListener]
) -> ToolExecutionResult:
    """The result as the post-execute listeners leave it: only their decision changes it. They are
    the last to look at the call and get the pipeline's own."""
    call_id, name = call["call_id"], call["name"]
    try:
        accept: PostToolDecision = {"kind": "accept"}
        return _decided(result, decide(listeners, (call, _shown(result)), accept))
    except Exception as error:
        return of_listener_error(call_id, name, error, "post-execute")


def tell(
    call: ToolExecution, result: ToolExecutionResult, listeners: Entries[ResultListener]
) -> None:
    """Show each listener what a call came to; none can change it."""
    for entry in listeners:
        try:
            close_awaitable(entry.item(copied(call), _shown(result)))
        except Exception as error:
            log_fault(call["name"], "a result listener failed", error)


def _shown(result: ToolExecutionResult) -> ToolExecutionResult:
    """A copy of a result that listeners may do with as they like."""
    shown = result.copy()
    shown["content"] = [copy_json(block) for block in result["content"]]
    if "error" in result:
        shown["error"] = result["error"].copy()
    if "value" in result:
        shown["value"] = copy_json(result["value"])
    if "meta" in result:
        shown["meta"] = copy_json(result["meta"])
    if "additional_context" in result:
        shown["additional_context"] = copy_json(result["additional_context"])
    if "wire" in result:
        shown["wire"] = copy_json(result["wire"])
    return shown


def _decided(result: ToolExecutionResult, decision: PostToolDecision) -> ToolExecutionResult:
    require_decision(decision, "post-execute", ("accept", "block"))
    if len(decision) == 1 and decision["kind"] == "accept":
        return result
    if decision["kind"] == "accept":
        decided = result.copy()
        if "content" in decision:
            decided["content"] = _content(decision["content"], '"content"')
    else:
        feedback = _content(decision.get("feedback"), '"feedback"')
        decided = {"call_id": result["call_id"], "content": feedback, "is_error": True}
    if decision.get("additional_context") is not None:
        decided["additional_context"] = _context(decision["additional_context"])
    return decided


def _content(blocks: object, where: str) -> list[ContentBlock]:
    return read_content(blocks, WrongAnswer, f"a post-execute listener answered {where}")


def _context(context: object) -> HookContext:
    source = context.get("source") if isinstance(context, dict) else None
    if not isinstance(context, dict) or not isinstance(source, dict) or not is_json(source):
        raise WrongAnswer(
            'a post-execute listener answered "additional_context" without "content" and "source"'
        )
    content = _content(context.get("content"), '"additional_context" with "content"')
    return {"content": content, "source": cast(MessageSource, copy_json(source, repair=True))}
