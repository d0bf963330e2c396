"""A registry does what a small model of it says, whatever is registered, disposed or raised when."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, NamedTuple

from dsh_tools import HarnessError, RegistryView, ToolRegistry, define_tool, execute_step
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, rule

from tests.unit.support import call, raw_tool

from .generated import tally

NAMES = st.sampled_from("abc")
BODIES = st.sampled_from(
    ["says", "is done", "raises", "refuses", "is odd", "adds c", "drops a", "counts", "miscounts"]
)
OVERLAP = ("says", "is done", "raises", "counts", "miscounts")
VIEWS = st.lists(st.sets(NAMES), max_size=2)
PRE = st.sampled_from(["next", "deny", "allow", "raise", "mute", "twice", "adds c", "drops a"])
POST = st.sampled_from(["next", "replace", "block", "annotate", "raise", "mute", "adds c", "drops a"])
GUARDS = st.sampled_from(["pass", "deny", "raise", "adds c", "drops a"])


class Outcome(NamedTuple):
    """What is looked at of a result."""

    is_error: bool
    text: str
    code: str | None = None
    context: str | None = None
    value: int | None = None


class Entry(NamedTuple):
    number: int
    does: str
    once: bool = False


class Going(NamedTuple):
    """A call on its way: who will review it, and its result or what its tool does."""

    name: str
    post: list[Entry]
    result: Outcome | None
    does: str = ""


class Broken(Exception):
    """What a part of the model raises, with what the model is told."""


# --- the model ----------------------------------------------------------------------------


class Model:
    """Tools by name and three lists of what stands around them."""

    def __init__(self) -> None:
        self.tools: dict[str, str] = {}
        self.pre: list[Entry] = []
        self.post: list[Entry] = []
        self.guards: list[Entry] = []

    def outcome(self, name: str, seen: set[str]) -> Outcome:
        return self.leave(self.run(self.enter(name, seen)))

    def step(self, names: list[str], seen: set[str]) -> list[Outcome]:
        """The outcomes of calls that overlap where their tools say so."""
        outcomes = []
        for overlap, neighbours in groupby(names, lambda name: self.overlaps(name, seen)):
            if overlap:
                entered = [self.enter(name, seen) for name in list(neighbours)]
                ran = [self.run(call) for call in entered]
                outcomes += [self.leave(call) for call in ran]
            else:
                outcomes += [self.outcome(name, seen) for name in neighbours]
        return outcomes

    def overlaps(self, name: str, seen: set[str]) -> bool:
        return name in seen and self.tools.get(name) in OVERLAP

    def enter(self, name: str, seen: set[str]) -> "Going":
        post = list(self.post)
        try:
            reason = self.chain(self.pre, list(self.pre), "allow") == "deny" and "denied"
        except Broken as error:
            return Going(name, [], Outcome(True, f"Error: {error}"))
        for guard in self.guards:
            if not reason:
                self.change(guard.does)
                reason = {"deny": "guarded", "raise": "broken"}.get(guard.does, False)
        if reason:
            return Going(name, post, Outcome(True, f"Error: {reason}"))
        if name not in seen or name not in self.tools:
            return Going(name, post, Outcome(True, f'Error: unknown tool "{name}"', "UNKNOWN_TOOL"))
        return Going(name, post, None, self.tools[name])

    def run(self, call: "Going") -> "Going":
        return call if call.result else call._replace(result=self.ran(call.name, call.does))

    def leave(self, call: "Going") -> Outcome:
        result = call.result
        assert result is not None
        try:
            decision = self.chain(self.post, call.post, "accept")
        except Broken as error:
            return Outcome(True, f"Error: {error}")
        return {
            "replace": result._replace(text="replaced"),
            "block": Outcome(True, "blocked"),
            "annotate": result._replace(context="note"),
        }.get(decision, result)

    def chain(self, registered: list[Entry], listeners: list[Entry], innermost: str) -> str:
        """The decision of a waterfall, "mute" being none."""
        decision = self.asked(registered, listeners, innermost)
        if decision == "mute":
            stage = "pre" if innermost == "allow" else "post"
            raise Broken(f"a {stage}-execute listener answered None and no decision")
        return decision

    def asked(self, registered: list[Entry], listeners: list[Entry], innermost: str) -> str:
        if not listeners:
            return innermost
        (number, does, once), inner = listeners[0], listeners[1:]
        if once:
            if listeners[0] not in registered:
                return self.asked(registered, inner, innermost)
            registered.remove(listeners[0])
        self.change(does)
        if does == "raise":
            raise Broken("broken")
        if does in ("next", "twice", "adds c", "drops a"):
            decision = self.asked(registered, inner, innermost)
            if does == "twice":
                raise Broken("next() was called a second time")
            return decision
        return does

    def ran(self, name: str, does: str) -> Outcome:
        self.change(does)
        match does:
            case "raises":
                return Outcome(True, "Error: broken")
            case "refuses":
                return Outcome(True, "Error: refused", "REFUSED")
            case "is odd":
                return Outcome(True, "Error: the tool returned an int", "INVALID_RESULT")
            case "is done":
                return Outcome(False, "")
            case "counts":
                return Outcome(False, '{"n":3}', value=3)
            case "miscounts":
                text = 'what does not fit its output: missing required property "n"'
                return Outcome(True, f"Error: the tool returned {text}", "INVALID_RESULT")
        return Outcome(False, f"{name} {does}")

    def change(self, does: str | None) -> None:
        if does == "adds c":
            self.tools.setdefault("c", "says")
        if does == "drops a":
            self.tools.pop("a", None)


# --- the registry, driven by the same steps -----------------------------------------------


class Driven(RuleBasedStateMachine):
    handles = Bundle("handles")

    def __init__(self) -> None:
        super().__init__()
        self.model, self.registry = Model(), ToolRegistry()
        self.tools: dict[str, Callable[[], None]] = {}
        self.heard: list[set[str]] = []
        self.registry.on_change(lambda: self.heard.append(self.names()))
        self.told: list[tuple[str, Any]] = []
        self.registry.on_result(
            lambda execution, result: self.told.append((execution["name"], result))
        )
        self.count = 0

    def names(self) -> set[str]:
        return {schema["name"] for schema in self.registry.schemas()}

    def change(self, does: str) -> None:
        if does == "adds c" and self.registry.get("c") is None:
            self.add("c", "says")
        if does == "drops a" and "a" in self.tools:
            self.tools.pop("a")()

    def add(self, name: str, does: str) -> None:
        def body(args: object, execution: object) -> Any:
            self.change(does)
            if does == "raises":
                raise ValueError("broken")
            if does == "refuses":
                raise HarnessError("refused", "REFUSED")
            values: dict[str, object] = {"is odd": 5, "is done": None, "counts": {"n": 3}}
            values["miscounts"] = {}
            return values.get(does, f"{name} {does}")

        tool = raw_tool(body, name)
        if does in ("counts", "miscounts"):
            tool = define_tool(
                name=name,
                description="",
                parameters={},
                output={"n": {"type": "integer", "required": True}},
                execute=body,
            )
        tool["parallel"] = does in OVERLAP
        self.tools[name] = self.registry.register(tool)

    def listener(self, does: str, answers: dict[str, Any]) -> Any:
        def listen(*values: Any) -> Any:
            self.change(does)
            if does == "raise":
                raise ValueError("broken")
            if does in answers:
                return answers[does]
            if does == "twice":
                values[-1]()
            return values[-1]()

        return listen

    @rule(name=NAMES, does=BODIES)
    def register(self, name: str, does: str) -> None:
        if name in self.model.tools:
            try:
                self.add(name, does)
                raise AssertionError("registered twice")
            except HarnessError as error:
                assert error.code == "DUPLICATE_TOOL"
        else:
            self.add(name, does)
            self.model.tools[name] = does

    @rule(name=NAMES)
    def dispose(self, name: str) -> None:
        if name in self.tools:
            handle = self.tools.pop(name)
            handle()
            handle()
            del self.model.tools[name]

    @rule(target=handles, does=PRE, prepend=st.booleans(), once=st.booleans())
    def before(self, does: str, prepend: bool, once: bool) -> Any:
        answers = {"deny": {"kind": "deny", "reason": "denied"}, "allow": {"kind": "allow"}, "mute": None}
        handle = self.registry.on_pre_execute(
            self.listener(does, answers), prepend=prepend, once=once
        )
        return handle, self.model.pre, self.listed(self.model.pre, does, prepend, once)

    @rule(target=handles, does=POST, prepend=st.booleans(), once=st.booleans())
    def after(self, does: str, prepend: bool, once: bool) -> Any:
        said = [{"type": "text", "text": "note"}]
        answers = {
            "replace": {"kind": "accept", "content": [{"type": "text", "text": "replaced"}]},
            "block": {"kind": "block", "feedback": [{"type": "text", "text": "blocked"}]},
            "annotate": {
                "kind": "accept",
                "additional_context": {"content": said, "source": {"kind": "user"}},
            },
            "mute": None,
        }
        handle = self.registry.on_post_execute(
            self.listener(does, answers), prepend=prepend, once=once
        )
        return handle, self.model.post, self.listed(self.model.post, does, prepend, once)

    @rule(target=handles, does=GUARDS)
    def guard(self, does: str) -> Any:
        def check(execution: object) -> str | None:
            self.change(does)
            if does == "raise":
                raise ValueError("broken")
            return "guarded" if does == "deny" else None

        handle = self.registry.guard(check)
        return handle, self.model.guards, self.listed(self.model.guards, does, False, False)

    def listed(self, entries: list[Entry], does: str, prepend: bool, once: bool) -> Entry:
        self.count += 1
        entry = Entry(self.count, does, once)
        entries.insert(0 if prepend else len(entries), entry)
        return entry

    @rule(taken=consumes(handles))
    def take_back(self, taken: Any) -> None:
        handle, entries, entry = taken
        handle()
        handle()
        if entry in entries:
            entries.remove(entry)

    def seen_through(self, views: list[set[str]]) -> tuple[RegistryView, set[str]]:
        """The registry through views of views, and the names that are left."""
        view: RegistryView = self.registry
        for allowed in views:
            view = view.view(allowed)
        return view, set("abc").intersection(*views)

    @rule(name=NAMES, views=VIEWS)
    def execute(self, name: str, views: list[set[str]]) -> None:
        view, seen = self.seen_through(views)
        before = self.names()
        self.heard.clear()
        self.told.clear()
        tally["generated calls"] += 1
        result: Any = view.execute(call(call_id=f"call {self.count}", name=name))
        assert result["call_id"] == f"call {self.count}"
        assert outcome_of(result) == self.model.outcome(name, seen)
        assert self.told == [(name, result)]
        self.check_names(view, seen, [result])
        self.check_changes(before)
        tally["results, one for each call and the right one"] += 1

    @rule(names=st.lists(NAMES, max_size=5), views=VIEWS, workers=st.sampled_from([2, 4]))
    def step(self, names: list[str], views: list[set[str]], workers: int) -> None:
        view, seen = self.seen_through(views)
        self.told.clear()
        tally["generated steps"] += 1
        calls = [call(call_id=str(number), name=name) for number, name in enumerate(names)]
        results: Any = execute_step(view, calls, workers=workers)["results"]
        assert [outcome_of(result) for result in results] == self.model.step(names, seen)
        assert self.told == list(zip(names, results, strict=True))
        self.check_names(view, seen, results)

    def check_names(self, view: RegistryView, seen: set[str], results: Iterable[Any]) -> None:
        """Nothing that is hidden is listed, to the host or to the model."""
        assert self.names() == self.model.tools.keys()
        listed = {schema["name"] for schema in view.schemas()}
        assert listed == {name for name in self.model.tools if name in seen}
        for result in results:
            text = "".join(block["text"] for block in result["content"])
            if " (available: " in text:
                said = text.split(" (available: ")[1].rstrip(")").split(", ")
                assert set(said) <= seen

    def check_changes(self, names: set[str]) -> None:
        """Listeners heard of each tool that came or went, one at a time."""
        for heard in self.heard:
            assert len(heard ^ names) == 1
            names = heard
        assert names == self.names()


def outcome_of(result: Any) -> Outcome:
    text = "".join(block["text"] for block in result["content"])
    context = result.get("additional_context")
    return Outcome(
        result["is_error"],
        text.split(" (available")[0].split(" (no tools")[0].split(": it must return")[0],
        result.get("error", {}).get("code"),
        context and context["content"][0]["text"],
        result.get("value", {}).get("n"),
    )


TestRegistry = Driven.TestCase
