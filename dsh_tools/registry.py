"""`ToolRegistry`: the tools of a host, the listeners around them, and the calls of a model."""

from _thread import allocate_lock
from collections.abc import Callable, Iterable
from marshal import dumps, loads
from typing import cast

from . import pipeline, presentation
from .errors import HarnessError, SchemaError, ToolNotFoundError
from .json_values import copy_json
from .spec_faults import tool_name_fault, what_is
from .vocabulary import (
    Approve,
    Dispose,
    PostToolListener,
    PreToolListener,
    StepResult,
    ToolCallView,
    ToolDefinition,
    ToolExecution,
    ToolExecutionResult,
    ToolGuard,
    ToolResult,
    ToolResultView,
    ToolSchema,
)
from .waterfall import Registrations, add_once


class _Entry:
    """A registered tool."""

    __slots__ = ("given", "tool", "schema")

    def __init__(self, definition: ToolDefinition) -> None:
        self.given = definition
        self.tool = definition.copy()  # what runs, whatever becomes of the dict that was given
        self.schema = _frozen_schema(definition)


class ToolRegistry:
    """Holds tools under their names and runs calls to them.

    Every method can be called from any thread, and from within listeners and tools: no lock is
    held while code of others runs.
    """

    def __init__(self, *, approve: Approve | None = None) -> None:
        """`approve(execution, reason)` decides when a listener answers "ask": True lets the call
        run, anything else denies it, and so does having no `approve`."""
        self._approve = approve
        self._tools: dict[str, _Entry] = {}
        self._lock = allocate_lock()
        self._pre_listeners = Registrations[PreToolListener]()
        self._post_listeners = Registrations[PostToolListener]()
        self._guards = Registrations[ToolGuard]()
        self._change_listeners = Registrations[Callable[[], object]]()

    # --- tools ----------------------------------------------------------------------------

    def register(self, tool: ToolDefinition) -> Dispose:
        """Add a tool, after those that are there. Returns what removes exactly this one.

        The registry keeps what it needs: editing the dict later changes nothing. Raises
        SchemaError for a bad name or a malformed definition, and HarnessError with code
        "DUPLICATE_TOOL" when the name is taken, both before anything has changed. What a change
        listener raises comes out, and the tool is then not registered.
        """
        _require_definition(tool)
        name, entry = tool["name"], _Entry(tool)
        with self._lock:
            if name in self._tools:
                raise HarnessError(f'tool "{name}" is already registered', "DUPLICATE_TOOL")
            self._tools[name] = entry
        try:
            self._tell_of_change()
        except BaseException:
            if self._remove(name, entry):
                self._tell_of_change()
            raise

        def dispose() -> None:
            if self._remove(name, entry):
                self._tell_of_change()

        return dispose

    def get(self, name: str) -> ToolDefinition | None:
        """The tool of that name as it was registered, None when there is none."""
        entry = self._tools.get(name)
        return None if entry is None else entry.given

    def schemas(self) -> list[ToolSchema]:
        """What to tell a model of the tools, in the order of registration. The objects are new
        at each call and hold name, description, parameters, and strict where it is set."""
        with self._lock:
            frozen = [entry.schema for entry in self._tools.values()]
        return [cast(ToolSchema, loads(schema)) for schema in frozen]

    def on_change(self, listener: Callable[[], object]) -> Dispose:
        """Call `listener()` after each tool that is added or removed, in order of registration.
        The first one that raises ends the round; what it raises comes out of `register`, where
        it undoes the registration and starts another round, or out of the disposal."""
        return self._change_listeners.add(listener)

    # --- policy ---------------------------------------------------------------------------

    def on_pre_execute(
        self, listener: PreToolListener, *, prepend: bool = False, once: bool = False
    ) -> Dispose:
        """Add a listener that decides whether a call may run: `listener(execution, next)`.

        The first one registered is outermost, the last one with `prepend` outermost of all. The
        decision of the outermost counts, so a listener that answers without calling `next()`
        overrules those further in; a rule that nobody may overrule is a `guard`. With `once` it
        serves for one call. A listener that raises or answers anything but a decision keeps the
        tool from running.
        """
        if once:
            return add_once(self._pre_listeners, listener, prepend=prepend)
        return self._pre_listeners.add(listener, prepend=prepend)

    def on_post_execute(
        self, listener: PostToolListener, *, prepend: bool = False, once: bool = False
    ) -> Dispose:
        """Add a listener that decides what becomes of a result: `listener(execution, result,
        next)`. It sees every call but those that a faulty pre-execute listener ended: denied,
        unknown, refused and failed ones too.

        Order, `prepend` and `once` are as in `on_pre_execute`. A decision replaces those further
        in, its `additional_context` too; to add to them, change what `next()` returns. A listener
        that raises or answers anything but a decision withholds the result.
        """
        if once:
            return add_once(self._post_listeners, listener, prepend=prepend)
        return self._post_listeners.add(listener, prepend=prepend)

    def guard(self, check: ToolGuard) -> Dispose:
        """Add a check that can only deny: `check(execution)` gives the reason, or None to pass.

        Guards run in order of registration after the listeners have allowed a call, and nothing
        undoes their denial. One that raises or answers anything else denies.
        """
        return self._guards.add(check)

    # --- calls ----------------------------------------------------------------------------

    def execute(self, execution: ToolExecution) -> ToolExecutionResult:
        """Run one call and give its result, whatever happens.

        Raises HarnessError with code "INVALID_EXECUTION" for an execution without `call_id`,
        `name` or `arguments`, and lets through what is no `Exception`, KeyboardInterrupt say.
        """
        return pipeline.execute(
            execution,
            self._pre_listeners.entries,
            self._guards.entries,
            self._approve,
            self._find,
            self._post_listeners.entries,
        )

    def present_call(self, execution: ToolExecution) -> ToolCallView:
        """The card of a call, live or on replay. Never raises: the generic card takes the place
        of one that the tool does not give, fails to give, or gives malformed."""
        return presentation.call_card(self._running(execution["name"]), _with_own(execution))

    def present_result(
        self, execution: ToolExecution, result: ToolResult | ToolExecutionResult
    ) -> ToolResultView:
        """The card of a call's outcome, live or on replay. Never raises, like `present_call`."""
        shown: ToolResult = {
            "content": copy_json(result["content"]),
            "is_error": result["is_error"],
        }
        if result.get("meta") is not None:
            shown["meta"] = copy_json(result["meta"])
        tool = self._running(execution["name"])
        return presentation.result_card(tool, _with_own(execution), shown)

    # --- state ----------------------------------------------------------------------------

    def _find(self, name: str) -> ToolDefinition:
        tool = self._running(name)
        if tool is None:
            with self._lock:
                known = list(self._tools)
            raise ToolNotFoundError(name, known)
        return tool

    def _running(self, name: str) -> ToolDefinition | None:
        entry = self._tools.get(name)
        return None if entry is None else entry.tool

    def _remove(self, name: str, entry: _Entry) -> bool:
        """Whether the entry was there to be removed."""
        with self._lock:
            if self._tools.get(name) is not entry:
                return False
            del self._tools[name]
            return True

    def _tell_of_change(self) -> None:
        for (listener,) in self._change_listeners.entries:
            listener()


def execute_step(registry: ToolRegistry, executions: Iterable[ToolExecution]) -> StepResult:
    """Run the calls of one model step, one after the other. The contexts that listeners attached
    are gathered behind the results: providers want all results of a step together."""
    results = [registry.execute(execution) for execution in executions]
    contexts = [
        result["additional_context"] for result in results if "additional_context" in result
    ]
    return {"results": results, "contexts": contexts}


def _with_own(execution: ToolExecution) -> ToolExecution:
    copied = execution.copy()
    copied["arguments"] = copy_json(execution["arguments"])
    return copied


def _require_definition(tool: object) -> None:
    """Raise SchemaError unless a dict is a tool definition, typed or raw."""
    if not isinstance(tool, dict):
        raise SchemaError([f"a tool must be a dict, not {what_is(tool)}"])
    faults = []
    name_fault = tool_name_fault(tool.get("name"))
    if name_fault is not None:
        faults.append(name_fault)
    for key, kind in (("description", str), ("parameters", dict)):
        if not isinstance(tool.get(key), kind):
            faults.append(f'"{key}" must be a {kind.__name__}')
    if not callable(tool.get("execute")):
        faults.append('"execute" must be a function')
    for key in ("present_call", "present_result"):
        if key in tool and not callable(tool[key]):
            faults.append(f'"{key}" must be a function or absent')
    if "strict" in tool and not isinstance(tool["strict"], bool):
        faults.append('"strict" must be True, False or absent')
    if faults:
        raise SchemaError(faults, str(tool.get("name"))[:70])


def _frozen_schema(definition: ToolDefinition) -> bytes:
    """A tool's schema in a form that thaws into new objects fast, and that nobody can edit.

    Version 2 of marshal has no references: what thaws shares nothing, within it neither.
    """
    schema: ToolSchema = {
        "name": definition["name"],
        "description": definition["description"],
        "parameters": definition["parameters"],
    }
    if "strict" in definition:
        schema["strict"] = definition["strict"]
    try:
        return dumps(cast(dict[str, object], schema), 2)
    except ValueError:  # not plain: subclasses, as of an Enum of strings, have a plain JSON form
        return dumps(_plain_json(schema), 2)


def _plain_json(schema: ToolSchema) -> dict[str, object]:
    from json import dumps as json_text
    from json import loads as from_json_text

    try:
        return cast(dict[str, object], from_json_text(json_text(schema)))
    except (TypeError, ValueError) as error:
        raise SchemaError([f'"parameters" must be JSON: {error}'], schema["name"]) from None
