"""May a call run? What the listeners decide, what the guards say, which tool it is, and whether a
person agrees.

Nobody is asked about a call that cannot run: the guards, the look-up and the validation come
first, and what fails there fails unasked.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..errors import HarnessError, ToolArgsError, log_fault, shown_name
from ..json_values import copy_json, plain_text, text_of, what_is
from ..vocabulary import (
    Approve,
    PreToolDecision,
    PreToolListener,
    ToolDefinition,
    ToolExecution,
    ToolGuard,
)
from .outcome import Denied, close_awaitable, failure_text
from .waterfall import Entries, decide


class WrongAnswer(Exception):
    """What was wrong with the answer of a listener or a guard."""


class ListenerFault(Exception):
    """A pre-execute listener raised the exception that is held, or gave a wrong answer."""


class Objection(NamedTuple):
    """A decision that is not simply to let a call run.

    is_final: whether it was denied, and not asked about.
    reason: what was said; None when nothing was.
    """

    is_final: bool
    reason: str | None


def copied(call: ToolExecution) -> ToolExecution:
    """A call of which all that is data is its own; the signal, and an agent that is no data, are
    the host's and stay shared."""
    own = call.copy()
    own["arguments"] = copy_json(call["arguments"])
    if len(own) > 3:  # most calls have the required keys alone
        for key in ("agent", "wire"):
            if key in own:
                own[key] = copy_json(own[key])
    return own


# --- what the listeners decide ------------------------------------------------------------


def _objection(call: ToolExecution, listeners: Entries[PreToolListener]) -> Objection | None:
    """What the pre-execute listeners have against a call, None when they let it run."""
    try:
        allow: PreToolDecision = {"kind": "allow"}
        return _read(decide(listeners, (copied(call),), allow))
    except Exception as error:
        raise ListenerFault(error) from None


def _read(decision: PreToolDecision) -> Objection | None:
    require_decision(decision, "pre-execute", ("allow", "deny", "ask"))
    if decision["kind"] == "allow":
        return None
    kind, reason = decision["kind"], decision.get("reason")
    if isinstance(reason, str):
        return Objection(kind == "deny", text_of(reason))
    if kind == "deny" or reason is not None:
        raise WrongAnswer(f'a pre-execute listener answered "{kind}" without a text under "reason"')
    return Objection(False, None)


def require_decision(decision: object, stage: str, kinds: tuple[str, ...]) -> None:
    """Raise WrongAnswer unless a decision is a dict of one of the kinds."""
    if not isinstance(decision, dict):
        close_awaitable(decision)
        raise WrongAnswer(f"a {stage} listener answered {what_is(decision)} and no decision")
    kind = decision.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        listed = ", ".join(kinds)
        raise WrongAnswer(f'a {stage} listener answered a "kind" that is none of {listed}')


# --- whether it may run -------------------------------------------------------------------


def admitted(
    call: ToolExecution,
    listeners: Entries[PreToolListener],
    guards: Entries[ToolGuard],
    approve: Approve | None,
    find: Callable[[str], ToolDefinition],
) -> ToolDefinition:
    """The tool that a call may run.

    Raises ListenerFault for a faulty listener, Denied when somebody is against the call, and what
    else keeps it from running: it is no longer wanted, there is no such tool, or, where a person
    would be asked, its arguments do not fit.
    """
    objection = _objection(call, listeners) if listeners else None
    if objection is not None:
        _require_somebody_to_ask(call, objection, approve)
    if guards:
        _require_unguarded(call, guards)
    if "signal" in call:
        require_wanted(call)
    tool = find(call["name"])
    if objection is not None and approve is not None:
        _require_fitting(tool, call)
        _require_agreement(call, objection.reason, approve)
        require_wanted(call)  # a person may have thought for long
    return tool


def require_wanted(call: ToolExecution) -> None:
    """Raise HarnessError with code "ABORTED" when the call's signal is set."""
    signal = call.get("signal")
    if signal is not None and signal.is_set():
        raise HarnessError("the call was cancelled before the tool started", "ABORTED")


def _require_somebody_to_ask(
    call: ToolExecution, objection: Objection, approve: Approve | None
) -> None:
    if not objection.is_final:
        if approve is not None:
            return
        require_wanted(call)
    if objection.reason is None:
        name = shown_name(call["name"])
        raise Denied(f'tool "{name}" requires approval (not yet supported)')
    raise Denied(objection.reason)


def _require_unguarded(call: ToolExecution, guards: Entries[ToolGuard]) -> None:
    for entry in guards:
        try:
            verdict = entry.item(copied(call))
            if isinstance(verdict, str):
                raise Denied(text_of(verdict))
            if verdict is not None:
                close_awaitable(verdict)
                answer = what_is(verdict)
                raise WrongAnswer(f"a guard answered {answer} instead of a reason or None")
        except Denied:
            raise
        except Exception as error:
            log_fault(call["name"], "a guard failed, which denies the call", error)
            raise Denied(failure_text(error)) from None


def _require_fitting(tool: ToolDefinition, call: ToolExecution) -> None:
    """Raise ToolArgsError when the tool says that the arguments do not fit."""
    if "violations" in tool:
        violations = tool["violations"](copy_json(call["arguments"]))
        if violations:
            raise ToolArgsError([plain_text(violation) for violation in violations])


def _require_agreement(call: ToolExecution, reason: str | None, approve: Approve) -> None:
    """Raise Denied unless a person agrees to the very call that is to run."""
    refusal = f'the user refused to run tool "{shown_name(call["name"])}"'
    try:
        answer: object = approve(copied(call), reason)
    except Exception as error:
        log_fault(call["name"], "asking failed, which denies the call", error)
        raise Denied(refusal) from None
    if isinstance(answer, str):
        raise Denied(f"{refusal}: {text_of(answer)}")
    if type(answer) is not bool:
        close_awaitable(answer)
        text = f"approve answered {what_is(answer)} instead of True, False or a text"
        log_fault(call["name"], f"{text}, which denies the call")
    if answer is not True:
        raise Denied(refusal)
