import copy
import gc
import json
import threading
import weakref
from enum import Enum
from typing import Any

import pytest
from dsh_tools import (
    HarnessError,
    SchemaError,
    ToolExecution,
    ToolRegistry,
    define_tool,
    execute_step,
)

from tests.unit.support import call, raw_tool, text_of


def named(*names: str) -> ToolRegistry:
    registry = ToolRegistry()
    for name in names:
        registry.register(raw_tool(lambda args, execution: None, name))
    return registry


def names_of(registry: ToolRegistry) -> list[str]:
    return [schema["name"] for schema in registry.schemas()]


DEEP: Any = {}
for _ in range(5000):
    DEEP = {"properties": DEEP}


async def later(args: object, *rest: object) -> None:
    pass


class TestRegister:
    def test_a_name_is_taken_until_it_is_disposed(self) -> None:
        registry = ToolRegistry()
        dispose = registry.register(raw_tool(lambda args, execution: "first"))
        with pytest.raises(HarnessError, match='^tool "t" is already registered$') as raised:
            registry.register(raw_tool(lambda args, execution: "second"))
        assert raised.value.code == "DUPLICATE_TOOL"
        assert text_of(registry.execute(call())) == "first"
        dispose()
        registry.register(raw_tool(lambda args, execution: "second"))
        dispose()
        assert text_of(registry.execute(call())) == "second"

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"name": "a b"}, "1 to 64"),
            ({"name": "é"}, "1 to 64"),
            ({"description": None}, "must have a description"),
            ({"description": 5}, "description must be text, not an int"),
            ({"parameters": []}, '"parameters" must be a JSON Schema, not a list'),
            ({"parameters": {"enum": {1, 2}}}, '"parameters" must be JSON'),
            ({"parameters": {"enum": (1, 2)}}, '"parameters" must be JSON'),
            ({"parameters": {1: 2}}, '"parameters" must be JSON'),
            ({"parameters": {"default": float("nan")}}, '"parameters" must be JSON'),
            ({"parameters": DEEP}, '"parameters" must be JSON'),
            ({"parameters": {"default": object()}}, '"parameters" must be JSON'),
            ({"parameters": {"default": float}}, '"parameters" must be JSON'),
            ({"execute": None}, '"execute" must be a function'),
            ({"execute": later}, "cannot be an async function"),
            ({"present_call": "x"}, '"present_call" must be a function'),
            ({"present_result": later}, '"present_result" cannot be an async function'),
            ({"strict": "yes"}, '"strict" must be True, False or absent'),
            ({"violations": []}, '"violations" must be a function'),
            ({"violations": later}, '"violations" cannot be an async function'),
            ({"parallel": 1}, '"parallel" must be a function, not an int'),
            ({"output_schema": []}, '"output_schema" must be a JSON Schema, not a list'),
            ({"output_schema": {1: 2}}, '"output_schema" must be JSON all the way down'),
            ({"hints": {"readonly": True}}, '"hints" may have title, read_only'),
            ({"wire": {"openai": 1}}, '"wire" must hold a dict of extra keys'),
        ],
    )
    def test_a_malformed_definition_is_refused(self, wrong: Any, message: str) -> None:
        registry = ToolRegistry()
        changes: list[object] = []
        registry.on_change(lambda: changes.append(1))
        tool: Any = {**raw_tool(lambda args, execution: None), **wrong}
        with pytest.raises(SchemaError, match=message):
            registry.register(tool)
        assert (registry.schemas(), changes) == ([], [])

    def test_what_is_no_dict_is_refused(self) -> None:
        tool: Any = lambda args, execution: None  # noqa: E731  # what a newcomer tries
        with pytest.raises(SchemaError, match="a tool must be a dict, not a function"):
            ToolRegistry().register(tool)

    def test_a_later_edit_of_the_definition_changes_nothing(self) -> None:
        tool: Any = raw_tool(lambda args, execution: "before")
        registry = ToolRegistry()
        registry.register(tool)
        schemas = registry.schemas()
        tool["execute"] = lambda args, execution: "after"
        tool["description"] = "after"
        tool["parameters"]["hacked"] = True
        assert registry.schemas() == schemas
        assert text_of(registry.execute(call())) == "before"
        assert registry.get("t") is tool
        assert registry.get("unknown") is None


class TestSchemas:
    def test_order_is_that_of_registration_and_bytes_are_stable(self) -> None:
        registry = named("b", "a", "c")
        first = json.dumps(registry.schemas())
        assert names_of(registry) == ["b", "a", "c"]
        assert {json.dumps(registry.schemas()) for _ in range(20)} == {first}

    def test_nothing_is_shared_between_calls_or_within_one(self) -> None:
        address: Any = {"type": "object", "properties": {"city": {"type": "string"}}}
        spec: Any = {"home": address, "work": address}
        registry = ToolRegistry()
        registry.register(
            define_tool(name="t", description="", parameters=spec, execute=lambda a, e: None)
        )
        shared: Any = {"type": "string"}
        raw: Any = raw_tool(lambda args, execution: None, "raw")
        raw["parameters"] = {"type": "object", "properties": {"a": shared, "b": shared}}
        registry.register(raw)
        before = copy.deepcopy(registry.schemas())
        returned: Any = registry.schemas()
        for schema in returned:
            for prop in schema["parameters"]["properties"].values():
                prop["hacked"] = True
            schema["parameters"]["properties"].popitem()
        returned.clear()
        assert registry.schemas() == before
        once: Any = registry.schemas()
        for schema in once:
            one, other = schema["parameters"]["properties"].values()
            assert one is not other

    def test_strict_shows_when_set(self) -> None:
        registry = ToolRegistry()
        for name, strict in (("yes", True), ("no", False), ("unset", None)):
            tool: Any = raw_tool(lambda args, execution: None, name)
            if strict is not None:
                tool["strict"] = strict
            registry.register(tool)
        shown = [schema.get("strict") for schema in registry.schemas()]
        assert shown == [True, False, None]
        assert "strict" not in registry.schemas()[2]

    def test_an_enum_of_strings_is_shown_as_plain_text(self) -> None:
        class Mode(str, Enum):
            FAST = "fast"

        spec: Any = {"mode": {"type": "string", "enum": list(Mode)}}
        registry = ToolRegistry()
        registry.register(
            define_tool(name="t", description="", parameters=spec, execute=lambda a, e: "ran")
        )
        parameters: Any = registry.schemas()[0]["parameters"]
        (shown,) = parameters["properties"]["mode"]["enum"]
        assert (type(shown), shown) == (str, "fast")
        assert text_of(registry.execute(call(arguments={"mode": "fast"}))) == "ran"


class TestChange:
    def test_listeners_hear_of_what_has_happened(self) -> None:
        registry = ToolRegistry()
        heard: list[list[str]] = []
        forget = registry.on_change(lambda: heard.append(names_of(registry)))
        dispose = registry.register(raw_tool(lambda args, execution: None, "a"))
        dispose()
        dispose()
        forget()
        registry.register(raw_tool(lambda args, execution: None, "b"))
        assert heard == [["a"], []]

    @pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()])
    def test_a_listener_that_raises_undoes_the_registration(self, error: BaseException) -> None:
        registry = named("keep")
        heard: list[list[str]] = []
        registry.on_change(lambda: heard.append(names_of(registry)))
        errors = [error]

        def refuse() -> None:
            if errors:
                raise errors.pop()

        registry.on_change(refuse)
        with pytest.raises(type(error)):
            registry.register(raw_tool(lambda args, execution: None, "drop"))
        assert heard == [["keep", "drop"], ["keep"]]
        registry.register(raw_tool(lambda args, execution: None, "drop"))
        assert names_of(registry) == ["keep", "drop"]

    def test_a_listener_may_register_and_dispose(self) -> None:
        registry = ToolRegistry()
        handles: list[Any] = []

        def listen() -> None:
            if names_of(registry) == ["a"]:
                handles.append(registry.register(raw_tool(lambda args, execution: None, "b")))

        forget = registry.on_change(listen)
        registry.register(raw_tool(lambda args, execution: None, "a"))
        assert names_of(registry) == ["a", "b"]
        forget()
        registry.on_change(lambda: handles.pop(0)() if handles else None)
        registry.register(raw_tool(lambda args, execution: None, "c"))
        assert names_of(registry) == ["a", "c"]


class TestDuringACall:
    def test_a_tool_may_remove_itself_and_register_another(self) -> None:
        registry = ToolRegistry()
        handles: list[Any] = []

        def body(args: object, execution: ToolExecution) -> str:
            handles[0]()
            registry.register(raw_tool(lambda args, execution: "from b", "b"))
            return "from a"

        handles.append(registry.register(raw_tool(body, "a")))
        assert text_of(registry.execute(call(name="a"))) == "from a"
        assert registry.execute(call(name="a"))["error"]["code"] == "UNKNOWN_TOOL"
        assert text_of(registry.execute(call(name="b"))) == "from b"

    def test_a_tool_may_call_another_tool(self) -> None:
        registry = ToolRegistry()
        registry.register(raw_tool(lambda args, execution: "inner", "inner"))
        registry.register(
            raw_tool(
                lambda args, execution: text_of(registry.execute(call(name="inner"))) + " seen",
                "outer",
            )
        )
        registry.on_pre_execute(lambda execution, next: next())
        assert text_of(registry.execute(call(name="outer"))) == "inner seen"

    def test_once_listeners_serve_one_call(self) -> None:
        registry = named("t")
        registry.on_pre_execute(
            lambda execution, next: {"kind": "deny", "reason": "not yet"}, once=True
        )
        registry.on_post_execute(
            lambda execution, result, next: {"kind": "accept", "content": []}, once=True
        )
        first, second = registry.execute(call()), registry.execute(call())
        assert (first["is_error"], first["content"]) == (True, [])
        assert second["is_error"] is False


@pytest.mark.parametrize("add", ["on_pre_execute", "on_post_execute", "guard", "on_change"])
def test_what_cannot_be_called_is_not_registered(add: str) -> None:
    with pytest.raises(TypeError, match="^what is registered must be a function, not None$"):
        getattr(ToolRegistry(), add)(None)


def test_a_step_with_an_incomplete_call_runs_none_of_them() -> None:
    ran: list[Any] = []
    registry = ToolRegistry()
    registry.register(raw_tool(lambda args, execution: ran.append(args)))
    incomplete: Any = {"call_id": "2", "name": "t"}
    with pytest.raises(HarnessError, match='no "arguments"'):
        execute_step(registry, [call(), incomplete])
    assert ran == []


def test_disposing_from_a_finalizer_that_runs_at_any_moment() -> None:
    """The garbage collector may call a plugin's finalizer while the registry is at work."""

    class Plugin:
        pass

    registry = ToolRegistry()

    def load(number: int) -> None:
        plugin: Any = Plugin()
        plugin.itself = plugin  # only the collector frees it
        weakref.finalize(plugin, registry.on_pre_execute(lambda execution, next: next()))
        tool = raw_tool(lambda args, execution: None, f"t{number}")
        weakref.finalize(plugin, registry.register(tool))

    threshold = gc.get_threshold()
    gc.set_threshold(7)
    try:
        for number in range(300):
            load(number)
            registry.on_post_execute(lambda execution, result, next: next())()
    finally:
        gc.set_threshold(*threshold)
    gc.collect()
    assert registry.schemas() == []


def test_execute_step_gathers_contexts_behind_the_results() -> None:
    registry = named("t")
    registry.on_post_execute(
        lambda execution, result, next: {
            "kind": "accept",
            "additional_context": {
                "content": [{"type": "text", "text": execution["call_id"]}],
                "source": {"kind": "plugin", "plugin": "auditor"},
            },
        }
    )
    step = execute_step(registry, (call(call_id=id, name=n) for id, n in [("1", "t"), ("2", "x")]))
    assert [result["call_id"] for result in step["results"]] == ["1", "2"]
    assert [context["content"][0] for context in step["contexts"]] == [
        {"type": "text", "text": "1"},
        {"type": "text", "text": "2"},
    ]
    assert execute_step(registry, []) == {"results": [], "contexts": []}


def test_eight_threads_execute_register_dispose_and_list() -> None:
    """Every call gets exactly one well-formed result, whatever the others do meanwhile."""
    registry = named("steady")
    registry.on_pre_execute(lambda execution, next: next())
    registry.on_post_execute(
        lambda execution, result, next: {
            "kind": "accept",
            "additional_context": {
                "content": [{"type": "text", "text": execution["call_id"]}],
                "source": {"kind": "user"},
            },
        }
    )
    rounds, failures, results = 200, list[BaseException](), list[tuple[str, Any]]()
    start = threading.Barrier(8)

    def one_round(worker: int, number: int) -> None:
        call_id, own = f"{worker}-{number}", f"own-{worker}"
        echo = raw_tool(lambda args, execution: execution["call_id"], own)
        dispose = registry.register(echo)
        forget = registry.on_pre_execute(lambda execution, next: next(), once=number % 2 == 0)
        for name in ("steady", own, "flicker"):
            results.append((call_id, registry.execute(call(call_id=call_id, name=name))))
        assert text_of(results_of(call_id)[1]) == call_id
        try:
            registry.register(raw_tool(lambda args, execution: "here", "flicker"))()
        except HarnessError as error:  # another worker has it at the moment
            assert error.code == "DUPLICATE_TOOL"
        listed = names_of(registry)
        assert listed.count("steady") == 1 and own in listed
        forget()
        dispose()

    def results_of(call_id: str) -> list[Any]:
        return [result for id, result in list(results) if id == call_id]

    def work(worker: int) -> None:
        try:
            start.wait()
            for number in range(rounds):
                one_round(worker, number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(results) == 8 * rounds * 3
    for call_id, result in results:
        assert result["call_id"] == call_id
        assert isinstance(result["content"], list)
        assert result["additional_context"]["content"] == [{"type": "text", "text": call_id}]
    assert names_of(registry) == ["steady"]


def test_listeners_stand_in_order_and_serve_every_call_unless_told_otherwise() -> None:
    registry, heard = named("t"), list[str]()

    def hearing(name: str) -> Any:
        def listen(*values: Any) -> Any:
            heard.append(name)
            return values[-1]()

        return listen

    for add in (registry.on_pre_execute, registry.on_post_execute):
        add(hearing("first"))
        add(hearing("second"))
    for _ in range(2):
        registry.execute(call())
    assert heard == ["first", "second"] * 4


def test_a_schema_has_these_keys_and_a_refusal_the_tools_name() -> None:
    (shown,) = named("t").schemas()
    assert shown == {"name": "t", "description": "tool t", "parameters": {"type": "object"}}
    more: Any = {
        "strict": True,
        "output_schema": {"type": "object"},
        "hints": {"read_only": True},
        "wire": {"anthropic": {"defer_loading": True}},
    }
    registry = ToolRegistry()
    registry.register({**raw_tool(lambda args, execution: None), **more})
    assert registry.schemas() == [{**shown, **more}]
    for name, said in (("t", "t"), (5, None)):
        tool: Any = {**raw_tool(lambda args, execution: None), "name": name, "parameters": {1: 2}}
        with pytest.raises(SchemaError) as raised:
            ToolRegistry().register(tool)
        assert raised.value.tool_name == said
        assert '"parameters" must be JSON all the way down' in raised.value.violations
