"""`ToolRegistry`: the tools of a host, the listeners around them, and the calls of a model."""

from _thread import allocate_lock
from collections.abc import Callable, Collection
from functools import partial
from marshal import dumps, loads
from typing import Final, cast

from ..errors import HarnessError, SchemaError, ToolNotFoundError, log_fault
from ..json_values import plain_json, text_of, what_is
from ..vocabulary import (
    Approve,
    Dispose,
    PostToolListener,
    PreToolListener,
    ResultListener,
    ToolCallView,
    ToolDefinition,
    ToolExecution,
    ToolExecutionResult,
    ToolGuard,
    ToolResult,
    ToolResultView,
    ToolSchema,
)
from . import pipeline, presentation
from .define import definition_faults, is_async, schema_faults
from .outcome import close_awaitable
from .pipeline import Policy
from .waterfall import Registrations


class _Entry:
    """A registered tool. Who takes its turn is the one to remove it."""

    __slots__ = ("given", "tool", "schema", "turn")

    def __init__(self, definition: ToolDefinition) -> None:
        self.given = definition
        self.tool = definition.copy()  # what runs, whatever becomes of the dict that was given
        self.schema = _schema_of(definition)
        self.turn = allocate_lock()


class RegistryView:
    """The tools of a registry that one agent may see and call, as `ToolRegistry.view` gives them.

    A tool that it hides is an unknown one: it is in no list, in no refusal and on no card, and it
    does not run. What is registered, and who listens, is the registry's at every moment.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._frozen_schemas: tuple[list[_Entry], bytes] = ([], dumps([]))

    def get(self, name: str) -> ToolDefinition | None:
        """The very dict that was registered under that name, None when there is none."""
        entry = self._entry(name)
        return None if entry is None else entry.given

    def schemas(self) -> list[ToolSchema]:
        """What to tell a model of the tools, in the order of registration. The objects are new
        at each call and hold the keys of `ToolSchema` that are set."""
        entries = self._entries()
        frozen_entries, frozen = self._frozen_schemas
        if entries != frozen_entries:
            frozen = dumps([entry.schema for entry in entries])
            self._frozen_schemas = (entries, frozen)
        # Thawing is the fastest way to new objects. None is shared, within the list neither:
        # marshal makes references to what has several owners, and what `plain_json` made has one.
        return cast(list[ToolSchema], loads(frozen))

    def view(self, allow: Collection[str] | Callable[[str], object]) -> "RegistryView":
        """These tools as an agent may see them that is allowed those names, or those of which
        `allow(name)` is true: it is asked each time. Views of a view narrow it further.

        Names are read once; one that is not registered yet counts when it is. A tool of which
        `allow` raises, or answers an awaitable, is hidden, which is logged. Raises TypeError for
        a text, which is no collection of names, and for an async function.
        """
        return _Narrowed(self, _allowing(allow))

    def execute(self, execution: ToolExecution) -> ToolExecutionResult:
        """Run one call and give its result, whatever happens.

        Raises HarnessError with code "INVALID_EXECUTION" for an execution without `call_id`,
        `name` or `arguments`, and lets through what is no `Exception`, KeyboardInterrupt say.
        """
        return pipeline.execute(execution, self._policy, self._find)

    def present_call(self, execution: ToolExecution) -> ToolCallView:
        """The card of a call, live or on replay. Never raises: the generic card takes the place
        of one that the tool does not give, fails to give, or gives malformed."""
        return presentation.call_card(self._running(execution["name"]), execution)

    def present_result(
        self, execution: ToolExecution, result: ToolResult | ToolExecutionResult
    ) -> ToolResultView:
        """The card of a call's outcome, live or on replay. Never raises, like `present_call`."""
        shown: ToolResult = {"content": result["content"], "is_error": result["is_error"]}
        if "value" in result:
            shown["value"] = result["value"]
        if result.get("meta") is not None:
            shown["meta"] = result["meta"]
        return presentation.result_card(self._running(execution["name"]), execution, shown)

    # --- which tools ----------------------------------------------------------------------

    def _entry(self, name: object) -> _Entry | None:
        """The tool of a name. A model may ask for any, and a host hand on what is no text."""
        raise NotImplementedError

    def _entries(self) -> list[_Entry]:
        """All tools there are now, in order of registration."""
        raise NotImplementedError

    def _find(self, name: str) -> ToolDefinition:
        entry = self._entry(name)
        if entry is None:
            raise ToolNotFoundError(name, [entry.tool["name"] for entry in self._entries()])
        return entry.tool

    def _running(self, name: str) -> ToolDefinition | None:
        entry = self._entry(name)
        return None if entry is None else entry.tool

    def _enter(self, execution: ToolExecution) -> pipeline.Passage:
        """A call that has entered the gate, for a step that takes several through together."""
        return pipeline.Passage(execution, self._policy, self._find)


class _Narrowed(RegistryView):
    """What is left of a view when a predicate has had its say."""

    def __init__(self, wider: RegistryView, allows: Callable[[str], bool]) -> None:
        super().__init__(wider._policy)
        self._wider = wider
        self._allows = allows

    def _entry(self, name: object) -> _Entry | None:
        entry = self._wider._entry(name)
        return entry if entry is not None and self._allows(entry.tool["name"]) else None

    def _entries(self) -> list[_Entry]:
        return [entry for entry in self._wider._entries() if self._allows(entry.tool["name"])]


def _allowing(allow: object) -> Callable[[str], bool]:
    """The predicate that `view` makes of what it is given. It never raises."""
    if callable(allow) and not isinstance(allow, Collection):
        if is_async(allow):
            raise TypeError("what a view allows cannot be an async function")
        return partial(_allows, allow)
    if not isinstance(allow, Collection) or isinstance(allow, (str, bytes)):
        text = "a view is of a collection of names or of what says so of a name"
        raise TypeError(f"{text}, not of {what_is(allow)}")
    return frozenset(allow).__contains__


def _allows(allow: Callable[[str], object], name: str) -> bool:
    try:
        answer = allow(name)
        if not close_awaitable(answer):
            return bool(answer)
        log_fault(name, "what a view allows answered an awaitable, which hides the tool")
    except Exception as error:
        log_fault(name, "what a view allows failed, which hides the tool", error)
    return False


class ToolRegistry(RegistryView):
    """Holds tools under their names and runs calls to them: the view of all its tools.

    Every method can be called from any thread, and from within listeners and tools. `_tools` has
    no lock: what touches it are single operations on a dict, which are atomic. So no code of
    others, a finalizer for instance, can ever run while one is held.
    """

    def __init__(self, *, approve: Approve | None = None) -> None:
        """`approve(execution, reason)` is asked when a listener answers "ask", and only about a
        call that can run: True lets it run, False refuses it, and a text refuses it with the
        user's own words. Anything else refuses it too. Without `approve` it is denied."""
        super().__init__(Policy(approve))
        self._tools: dict[str, _Entry] = {}
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
        if self._tools.setdefault(name, entry) is not entry:
            raise HarnessError(f'tool "{name}" is already registered', "DUPLICATE_TOOL")
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
        return self._policy.pre.add(listener, prepend=prepend, once=once)

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
        return self._policy.post.add(listener, prepend=prepend, once=once)

    def guard(self, check: ToolGuard) -> Dispose:
        """Add a check that can only deny: `check(execution)` gives the reason, or None to pass.

        Guards run in order of registration after the listeners have allowed a call, and nothing
        undoes their denial. One that raises or answers anything else denies.
        """
        return self._policy.guards.add(check)

    def on_result(self, listener: ResultListener) -> Dispose:
        """Add a listener that sees what each call came to, exactly once and last of all:
        `listener(execution, result)`. No outcome is left out, and none can be changed here. What
        it raises is logged."""
        return self._policy.watchers.add(listener)

    # --- state ----------------------------------------------------------------------------

    def _entry(self, name: object) -> _Entry | None:
        if type(name) is str:
            return self._tools.get(name)
        return self._tools.get(text_of(name)) if issubclass(type(name), str) else None

    def _entries(self) -> list[_Entry]:
        return list(self._tools.values())

    def _remove(self, name: str, entry: _Entry) -> bool:
        """Whether the entry was there to be removed."""
        if not entry.turn.acquire(blocking=False):
            return False
        del self._tools[name]
        return True

    def _tell_of_change(self) -> None:
        for registration in self._change_listeners.entries:
            registration.item()


def _require_definition(tool: object) -> None:
    """Raise SchemaError unless a dict is a tool definition, typed or raw."""
    if not isinstance(tool, dict):
        raise SchemaError([f"a tool must be a dict, not {what_is(tool)}"])
    faults = definition_faults(tool)
    for key in ("parameters", "output_schema"):
        if key == "parameters" or key in tool:
            faults += schema_faults(key, tool.get(key))
    if faults:
        name = tool.get("name")
        raise SchemaError(faults, name if isinstance(name, str) else None)


def _schema_of(definition: ToolDefinition) -> dict[str, object]:
    """What a model is told of a tool, as plain JSON that nobody else has."""
    schema = {key: definition[key] for key in _SCHEMA_KEYS if key in definition}
    return cast(dict[str, object], plain_json(schema))


_SCHEMA_KEYS: Final = (
    "name", "description", "parameters", "strict", "output_schema", "hints", "wire"
)  # fmt: skip
