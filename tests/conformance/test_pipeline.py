"""Pipeline scenarios: tools, listeners and calls to results and the exact order of events."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from dsh_tools import (
    HarnessError,
    ToolDefinition,
    ToolRegistry,
    define_tool,
    execute_step,
    parse_arguments,
)

from .corpus import Case, cases, without_hints

class World:
    """A registry built from a case, and a record of what happened in it."""

    def __init__(self) -> None:
        self.registry = ToolRegistry()
        self.trace: list[str] = []
        self.seen: dict[str, Any] = {}
        self.handles: dict[str, Callable[[], None]] = {}

    # --- tools

    def tool(self, spec: Case) -> ToolDefinition:
        def body(args: Any, execution: Any) -> Any:
            self.trace.append(f"tool.{spec['name']}")
            if spec.get("see"):
                call = {"call_id": execution["call_id"], "name": execution["name"]}
                self.seen[f"tool.{spec['name']}"] = {"args": copy.deepcopy(args), **call}
            return self.behave(spec, args)

        description = spec.get("description", "")
        if "spec" not in spec:
            raw: ToolDefinition = {
                "name": spec["name"],
                "description": description,
                "parameters": spec.get("raw_parameters", {"type": "object"}),
                "execute": body,
            }
            return raw
        return define_tool(
            name=spec["name"],
            description=description,
            parameters=spec["spec"],
            execute=body,
            strict=spec.get("strict"),
            present_call=(lambda args: None) if spec.get("present_call") else None,
            present_result=(lambda args, result: None) if spec.get("present_result") else None,
        )

    def behave(self, spec: Case, args: Any) -> Any:
        match spec["do"]:
            case "echo":
                return [{"type": "text", "text": args.get(spec["field"], "")}]
            case "blocks":
                return spec["blocks"]
            case "object":
                return {"content": spec["content"], "meta": spec["meta"]}
            case "raise":
                raise error(spec["error"])
            case "py_return":
                return eval(spec["expr"])
            case "py_raise":
                cause = eval(spec["cause"]) if "cause" in spec else None
                raise eval(spec["expr"]) from cause
        raise AssertionError(f"unknown tool behaviour {spec['do']!r}")

    # --- listeners

    def add_listener(self, spec: Case) -> None:
        pre = spec["on"] == "pre"
        add: Any = self.registry.on_pre_execute if pre else self.registry.on_post_execute
        options = {key: True for key in ("prepend", "once") if spec.get(key)}
        dispose = add(self.listener(spec, f"{spec['on']}.{spec['id']}"), **options)
        self.handles[spec["id"]] = dispose
        if spec.get("removed"):
            dispose()

    def listener(self, spec: Case, label: str) -> Callable[..., Any]:
        def listen(execution: Any, *rest: Any) -> Any:
            *result, next_ = rest
            self.trace.append(f"{label}.enter")
            if spec.get("see"):
                self.seen[label] = copy.deepcopy(result[0] if result else execution)
            try:
                if spec.get("only") in (None, execution["name"]):
                    decision = self.react(spec, execution, result, next_)
                else:
                    decision = next_()
            except Fault as fault:
                self.trace.append(f"{label}.raise")
                raise fault.error from None
            self.trace.append(f"{label}.leave")
            return decision

        return listen

    def react(self, spec: Case, execution: Any, result: list[Any], next_: Any) -> Any:
        match spec["do"]:
            case "next":
                return next_()
            case "return":
                return spec["decision"]
            case "return_nothing":
                return None
            case "next_then_return":
                next_()
                return spec["decision"]
            case "next_then_add_context":
                return {**next_(), "additional_context": spec["additional_context"]}
            case "raise":
                raise Fault(error(spec["error"]))
            case "next_then_raise":
                next_()
                raise Fault(error(spec["error"]))
            case "next_catch":
                try:
                    return next_()
                except Exception:
                    self.trace.append(f"{spec['on']}.{spec['id']}.caught")
                    return spec["decision"]
            case "mutate_then_next":
                mutate(result[0], spec["mutate"])
            case "register_then_next":
                self.registry.register(self.tool(spec["tool"]))
            case "unregister_then_next":
                self.handles[f"tool {spec['name']}"]()
            case "add_listener_then_next":
                self.add_listener(spec["listener"])
            case "remove_listener_then_next":
                self.handles[spec["target"]]()
            case "note_call":
                return {"kind": "accept", "additional_context": note(execution["call_id"])}
            case unknown:
                raise AssertionError(f"unknown listener behaviour {unknown!r}")
        return next_()


class Fault(Exception):
    """What a listener of a case raises, told apart from what it passes on."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def error(spec: Case) -> Exception:
    match spec["class"]:
        case "harness":
            return HarnessError(spec["message"], spec["code"])
        case "harness_subclass":
            subclass: type[HarnessError] = type(spec["name"], (HarnessError,), {})
            return subclass(spec["message"], spec["code"])
        case "coded_plain":
            coded: type[Exception] = type("CodedError", (RuntimeError,), {"code": spec["code"]})
            return coded(spec["message"])
    return RuntimeError(spec["message"])


def note(call_id: str) -> Case:
    text = {"type": "text", "text": f"note for {call_id}"}
    return {"content": [text], "source": {"kind": "plugin", "plugin": "auditor"}}


def mutate(result: Any, changes: Case) -> None:
    result.update(changes.get("set", {}))
    for key in changes.get("delete", []):
        result.pop(key, None)
    if changes.get("clear_content"):
        result["content"].clear()
    result["content"].extend(changes.get("push_content", []))


def build(case: Case) -> World:
    world = World()
    for spec in case["tools"]:
        world.handles[f"tool {spec['name']}"] = world.registry.register(world.tool(spec))
    for spec in case["listeners"]:
        world.add_listener(spec)
    return world


def of_shape(key: str) -> list[Any]:
    def fits(case: Case) -> bool:
        shape = "steps" if "steps" in case else case["kind"]
        return (shape if shape in ("steps", "loop_step") else "calls") == key

    return [param for param in cases("pipeline") if fits(param.values[0])]


def test_every_case_is_run() -> None:
    shapes = [len(of_shape(key)) for key in ("calls", "steps", "loop_step")]
    assert sum(shapes) == len(cases("pipeline")) == 94


@pytest.mark.parametrize("case", of_shape("calls"))
def test_calls(case: Case) -> None:
    world = build(case)
    for call, expect in zip(case["calls"], case["expect"], strict=True):
        world.trace.clear()
        if "propagates" in expect:
            with pytest.raises(BaseException) as raised:
                world.registry.execute(call)
            assert raised.type.__name__ == expect["propagates"]
            assert world.trace == expect["trace"]
            continue
        result = world.registry.execute(call)
        assert world.trace == expect["trace"]
        check_result(case, result, expect)
        for label, given in expect.get("seen", {}).items():
            assert without_hints(world.seen[label]) == given


def check_result(case: Case, result: Any, expect: Case) -> None:
    text = result["content"][0]["text"] if result["content"] else ""
    if "loose" in expect:
        assert result["is_error"] is expect["loose"]["is_error"]
        assert text.startswith(expect["loose"]["text_startswith"])
    else:
        assert without_hints(result) == expect["result"]


@pytest.mark.parametrize("case", of_shape("loop_step"))
def test_loop_step(case: Case) -> None:
    """One model step: each call with its result, then every context."""
    world = build(case)
    events = case["expect"]["events"]
    step = execute_step(
        world.registry,
        [
            {
                "call_id": call["call_id"],
                "name": call["name"],
                "arguments": parse_arguments(call["arguments_text"]),
            }
            for call in case["calls"]
        ],
    )
    results = [{"event": "tool/result", **without_hints(result)} for result in step["results"]]
    for result in results:
        result.pop("additional_context", None)
    assert results == [event for event in events if event["event"] == "tool/result"]
    contexts = [{"event": "context/message", **context} for context in step["contexts"]]
    assert contexts == [event for event in events if event["event"] == "context/message"]
    answered = [(result["call_id"], result["content"]) for result in results]
    messages = [message["content"][0] for message in case["expect"]["next_request_messages"]]
    assert answered == [
        (block["tool_call_id"], block["content"])
        for block in messages
        if block["type"] == "tool-result"
    ]


@pytest.mark.parametrize("case", of_shape("steps"))
def test_registry_steps(case: Case) -> None:
    world = World()
    for step, expect in zip(case["steps"], case["expect"], strict=True):
        world.trace.clear()
        if "raises" in expect:
            with pytest.raises(Exception) as raised:
                take_step(world, step)
            assert str(raised.value) == expect["raises"]
        elif "returns" in expect:
            assert take_step(world, step) == expect["returns"]
        else:
            take_step(world, step)
        assert world.trace == expect.get("trace", [])


def take_step(world: World, step: Case) -> Any:
    registry = world.registry
    match step["do"]:
        case "on_change":
            registry.on_change(change_listener(world, step))
        case "register":
            world.handles[step["as"]] = registry.register(world.tool(step["tool"]))
        case "dispose":
            world.handles[step["handle"]]()
        case "names":
            return [schema["name"] for schema in registry.schemas()]
        case "get":
            tool = registry.get(step["name"])
            return tool and tool["name"]
        case "schemas":
            schemas: Any = registry.schemas()
            returned = copy.deepcopy(schemas)
            if step.get("then_mutate"):
                schemas[0]["parameters"]["properties"]["hacked"] = {"type": "string"}
                schemas[0]["description"] = "hacked"
                schemas.append(schemas[0])
            return returned
        case unknown:
            raise AssertionError(f"unknown step {unknown!r}")
    return None


def change_listener(world: World, step: Case) -> Callable[[], None]:
    raises = [step.get("message", "")] * step.get("raise_times", 0)

    def listen() -> None:
        names = [schema["name"] for schema in world.registry.schemas()]
        shown = f" {names}" if step.get("record_names") else ""
        world.trace.append(f"change.{step['id']}{shown}")
        if raises:
            raise RuntimeError(raises.pop())

    return listen
