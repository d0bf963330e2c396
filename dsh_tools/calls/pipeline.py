"""One call, from the gate to the result.

pre-execute waterfall → guards → look-up → body → post-execute waterfall → result → listeners to
results. Whatever a listener, a guard or a tool raises or returns, a result comes out; only what is
no `Exception` (KeyboardInterrupt, SystemExit, CancelledError) passes through.

Nobody gets hold of what others rely on. The arguments are copied when the call starts, and each
party works on a copy of that copy: the pre-execute listeners together, each guard, the one who
approves, the body, the post-execute listeners together, each listener to results. The last of
those who may change it has the first copy.
"""

from collections.abc import Callable
from typing import TypeAlias

from ..errors import HarnessError
from ..json_values import copy_json
from ..vocabulary import (
    Approve,
    CallId,
    PostToolListener,
    PreToolListener,
    ResultListener,
    ToolDefinition,
    ToolExecution,
    ToolExecutionResult,
    ToolGuard,
)
from .gate import ListenerFault, admitted, copied, require_wanted
from .outcome import of_error, of_listener_error, success
from .review import reviewed, tell
from .waterfall import Entries, Registrations

_MOST_IN_A_CHAIN = 400
"""Listeners on one side of a call: each stands two frames deeper than the one before it, and
Python allows a thousand."""


class Policy:
    """What stands around the tools of a registry, and of each view of it.

    approve: asks a person; None when there is nobody to ask.
    pre, guards, post, watchers: who is registered, `watchers` being the listeners to results.
    """

    __slots__ = ("approve", "pre", "guards", "post", "watchers")

    def __init__(self, approve: Approve | None) -> None:
        self.approve = approve
        self.pre = Registrations[PreToolListener](_MOST_IN_A_CHAIN)
        self.guards = Registrations[ToolGuard]()
        self.post = Registrations[PostToolListener](_MOST_IN_A_CHAIN)
        self.watchers = Registrations[ResultListener]()


Find: TypeAlias = Callable[[str], ToolDefinition]
"""Gives the tool of a name or raises ToolNotFoundError."""


def execute(execution: ToolExecution, policy: Policy, find: Find) -> ToolExecutionResult:
    """The result of one call.

    Raises HarnessError with code "INVALID_EXECUTION" when the execution lacks a required key.
    """
    call_id, name = require_complete(execution)
    call = copied(execution)  # the pipeline's own, which it shows to nobody
    post, watchers = policy.post.entries, policy.watchers.entries  # as of now
    given = copied(call) if post or watchers or "wire" in call else call
    try:
        tool = admitted(given, policy.pre.entries, policy.guards.entries, policy.approve, find)
        result = success(call_id, tool["execute"](given["arguments"], given))
    except ListenerFault as fault:
        result, post = of_listener_error(call_id, name, fault.args[0], "pre-execute"), ()
    except Exception as error:
        result = of_error(call_id, name, error)
    if given is call:
        return result
    return _seen_off(call, result, post, watchers)


class Passage:
    """A call that goes the same way in three steps, for others to go beside it: it is made when
    it enters the gate, `run` runs its tool, `leave` gives its result."""

    __slots__ = ("_call", "_given", "_tool", "_result", "_post", "_watchers")

    _result: ToolExecutionResult

    def __init__(self, execution: ToolExecution, policy: Policy, find: Find) -> None:
        """Raises HarnessError with code "INVALID_EXECUTION", like `execute`."""
        require_complete(execution)
        self._call = call = copied(execution)
        self._given = copied(call)
        self._post, self._watchers = policy.post.entries, policy.watchers.entries
        self._tool: ToolDefinition | None = None
        try:
            self._tool = admitted(
                self._given, policy.pre.entries, policy.guards.entries, policy.approve, find
            )
        except ListenerFault as fault:
            error = fault.args[0]
            self._result = of_listener_error(call["call_id"], call["name"], error, "pre-execute")
            self._post = ()
        except Exception as error:
            self._result = of_error(call["call_id"], call["name"], error)

    def run(self) -> None:
        """Run the tool, unless the gate has ended the call or it is no longer wanted."""
        call, tool = self._call, self._tool
        if tool is None:
            return
        try:
            require_wanted(self._given)
            output = tool["execute"](self._given["arguments"], self._given)
            self._result = success(call["call_id"], output)
        except Exception as error:
            self._result = of_error(call["call_id"], call["name"], error)

    def leave(self) -> ToolExecutionResult:
        """The result of the call."""
        return _seen_off(self._call, self._result, self._post, self._watchers)


def _seen_off(
    call: ToolExecution,
    result: ToolExecutionResult,
    post: Entries[PostToolListener],
    watchers: Entries[ResultListener],
) -> ToolExecutionResult:
    """The result as the post-execute listeners leave it, with what the provider wants back, and
    seen by all who want to. The last of them may spoil the call."""
    wire = copy_json(call["wire"]) if "wire" in call else None
    if post:
        result = reviewed(copied(call) if watchers else call, result, post)
    if wire is not None:
        result["wire"] = wire
    if watchers:
        tell(call, result, watchers)
    return result


def require_complete(execution: ToolExecution) -> tuple[CallId, str]:
    """The id and the tool's name of an execution. Raises HarnessError with code
    "INVALID_EXECUTION" when a required key is not there."""
    try:
        call_id, name, _ = execution["call_id"], execution["name"], execution["arguments"]
        return call_id, name
    except KeyError as missing:
        text = f'the execution has no "{missing.args[0]}"'
        raise HarnessError(text, "INVALID_EXECUTION") from None
