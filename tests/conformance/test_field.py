"""What went wrong for people with other libraries. Each test is named after its case."""

import json
import os.path
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dsh_tools
import pytest
from dsh_tools import (
    SchemaError,
    ToolDefinition,
    ToolExecutionResult,
    ToolRegistry,
    define_tool,
    parse_arguments,
    schema,
    schema_spec_to_json_schema,
    validate_args,
)
from dsh_tools.adapters.acp import AcpTranslator

from tests.unit.hostile import nested

Spec = Any


class Probe:
    """A typed tool in a registry that records what its body gets."""

    def __init__(self, spec: Spec, output: object = "ran", name: str = "t") -> None:
        self.given: list[Any] = []
        self.registry = ToolRegistry()
        self.registry.register(self.tool(spec, output, name))

    def tool(self, spec: Spec, output: Any, name: str) -> ToolDefinition:
        def body(args: Any, execution: object) -> Any:
            self.given.append(args)
            if isinstance(output, Exception):
                raise output
            return output

        return define_tool(name=name, description="", parameters=spec, execute=body)

    def call(self, arguments: object, call_id: str = "c1", name: str = "t") -> ToolExecutionResult:
        execution: Any = {"call_id": call_id, "name": name, "arguments": arguments}
        return self.registry.execute(execution)


def text_of(result: ToolExecutionResult) -> str:
    return "".join(block["text"] for block in result["content"] if block["type"] == "text")


# --- a: arguments as models send them -----------------------------------------------------


def test_a01_null_for_an_optional_property() -> None:
    spec: Spec = {"kind": {"type": "string", "required": True}, "namespace": {"type": "string"}}
    args = {"kind": "Node", "namespace": None}
    (violation,) = validate_args(spec, args)
    assert "namespace" in violation and "null" in violation and "leave the key out" in violation
    assert args == {"kind": "Node", "namespace": None}
    assert validate_args(spec, {"kind": "Node"}) == []
    probe = Probe(spec)
    assert probe.call(args)["error"]["code"] == "INVALID_ARGS"
    assert probe.given == []


def test_a02_numbers_as_strings_and_the_reverse() -> None:
    probe = Probe({"page": {"type": "number"}, "title": {"type": "string"}})
    page, title = validate_args(
        {"page": {"type": "number"}, "title": {"type": "string"}}, {"page": "2", "title": 7}
    )
    assert page.startswith('"page" must be a number (a string arrived')
    assert title.startswith('"title" must be a string (a number arrived')
    assert probe.call({"page": "2", "title": 7})["is_error"]
    assert probe.given == []


@pytest.mark.parametrize("limit", [5, 5.0, 0.5, -0.0])
def test_a03_whole_numbers_as_floats(limit: float) -> None:
    probe = Probe({"limit": {"type": "number", "required": True}})
    assert text_of(probe.call({"limit": limit})) == "ran"
    assert repr(probe.given[0]["limit"]) == repr(limit)


def test_a03_with_an_integer() -> None:
    probe = Probe({"limit": {"type": "integer", "required": True}})
    assert probe.call({"limit": 5.0})["is_error"] is False
    assert probe.call({"limit": 0.5})["is_error"] is True
    assert repr(probe.given) == repr([{"limit": 5}])


def test_a05_booleans_as_strings() -> None:
    spec: Spec = {"auto_open": {"type": "boolean"}, "old_string": {"type": "string", "required": True}}
    (violation,) = validate_args(spec, {"auto_open": "False", "old_string": "true"})
    assert violation.startswith('"auto_open" must be a boolean (a string arrived, send true or false')
    probe = Probe(spec)
    probe.call({"old_string": "true"})
    assert probe.given == [{"old_string": "true"}]


def test_a06_containers_as_json_text() -> None:
    spec: Spec = {
        "tags": {"type": "array", "items": {"type": "string"}, "required": True},
        "meta": {"type": "object"},
    }
    tags, meta = validate_args(spec, {"tags": '["a","b"]', "meta": '{"k":1}'})
    assert tags == (
        '"tags" must be an array (a string arrived, send the array itself instead of JSON text)'
    )
    assert meta == (
        '"meta" must be an object (a string arrived, send the object itself instead of JSON text)'
    )


def test_a08_a_call_without_arguments() -> None:
    probe = Probe({})
    assert probe.call("")["error"]["code"] == "INVALID_ARGS"
    assert probe.call(None)["error"]["code"] == "INVALID_ARGS"
    assert probe.call({})["is_error"] is False
    assert parse_arguments("") == parse_arguments(None) == {}


def test_a09_empty_text_in_every_optional_property() -> None:
    spec: Spec = {
        "ns": {"type": "string"},
        "mode": {"type": "string", "enum": ["fast", "slow"]},
        "limit": {"type": "number"},
    }
    mode, limit = validate_args(spec, {"ns": "", "mode": "", "limit": ""})
    assert mode.startswith('"mode"') and limit.startswith('"limit"')
    probe = Probe(spec)
    probe.call({"ns": ""})
    assert probe.given == [{"ns": ""}]


def test_a10_undeclared_keys() -> None:
    spec: Spec = {"agent_name": {"type": "string", "required": True}}
    probe = Probe(spec)
    args = {"agent_name": "W", "tool_code": "print(1)", "description": "why"}
    assert text_of(probe.call(args)) == "ran"
    assert probe.given == [args]
    assert "additionalProperties" not in json.dumps(schema_spec_to_json_schema(spec))


def test_a11_numbers_that_json_does_not_have() -> None:
    spec: Spec = {
        "score": {"type": "number"},
        "max": {"type": "number"},
        "list": {"type": "array", "items": {"type": "number"}},
    }
    args = json.loads('{"score": NaN, "max": 1e400, "list": [-Infinity]}')
    paths = [violation.split('"')[1] for violation in validate_args(spec, args)]
    assert paths == ["score", "max", "list[0]"]
    assert json.dumps(Probe(spec).call(args), allow_nan=False)


def test_a12_big_integers() -> None:
    spec: Spec = {"id": {"type": "number"}, "name": {"type": "string"}}
    probe = Probe(spec)
    probe.call({"id": 725653563933458432})
    assert probe.given == [{"id": 725653563933458432}]
    (violation,) = validate_args(spec, {"name": 10**5000})
    assert violation.startswith('"name"')
    assert validate_args(spec, {"id": 10**5000}) == []


def test_a13_half_surrogates() -> None:
    spec: Spec = {"mode": {"type": "string", "enum": ["fast", "slow"]}}
    arguments: Any = parse_arguments('{"mode": "x\\ud99c", "k\\udc00": 1}')
    probe = Probe(spec, "Hello \ud800")
    refused = probe.call(arguments)
    assert '"mode"' in text_of(refused)
    for result in (refused, probe.call({}), probe.call({}, name="n\udc00")):
        json.dumps(result, ensure_ascii=False).encode()
    needs_k: Spec = {"k": {"type": "string", "required": True}}
    json.dumps(Probe(needs_k).call({"k\udc00": 1}), ensure_ascii=False).encode()


def test_a14_an_enum_in_the_wrong_case() -> None:
    spec: Spec = {
        "response_format": {"type": "string", "enum": ["markdown", "json"], "required": True}
    }
    (violation,) = validate_args(spec, {"response_format": "MARKDOWN"})
    assert violation == '"response_format" must be one of ["markdown","json"]'


def test_a15_very_deep_arguments() -> None:
    deep = nested(lambda inner: {"x": inner}, 20_000)
    deep_list = nested(lambda inner: [inner], 20_000)
    spec: Spec = {"payload": {"type": "object", "required": True}, "tree": {"type": "array"}}
    probe = Probe(spec)
    for arguments in ({"payload": deep}, {"payload": {}, "tree": deep_list}):
        assert probe.call(arguments)["is_error"] is False
    for arguments in ({"payload": [deep]}, {"payload": {}, "tree": deep}):
        assert probe.call(arguments)["error"]["code"] == "INVALID_ARGS"
        execution: Any = {"call_id": "c1", "name": "t", "arguments": arguments}
        assert probe.registry.present_call(execution)["card"] == "generic"


def test_a16_repeated_keys_mean_the_same_to_everybody() -> None:
    arguments = parse_arguments('{"path":"a.txt","path":"/etc/shadow"}')
    seen: list[Any] = []
    probe = Probe({"path": {"type": "string", "required": True}})

    def gate(execution: Any, next: Callable[[], Any]) -> Any:
        seen.append(execution["arguments"])
        return next()

    probe.registry.on_pre_execute(gate)
    probe.call(arguments)
    view: Any = probe.registry.present_call({"call_id": "c", "name": "t", "arguments": arguments})
    assert seen == probe.given == [view["raw_input"]] == [{"path": "/etc/shadow"}]


def test_a18_wrapped_arguments() -> None:
    probe = Probe({"command": {"type": "string", "required": True}})
    text = text_of(probe.call({"arguments": '{"command":"pwd"}'}))
    assert text.startswith('Error: invalid arguments: missing required property "command"')
    assert probe.given == []


def test_a19_a_renamed_key() -> None:
    spec: Spec = {
        "path": {"type": "string", "required": True},
        "content": {"type": "string", "required": True},
    }
    result = Probe(spec).call({"path": "/srv/o.txt", "file_content": "hi"}, call_id="k7")
    assert result["call_id"] == "k7"
    assert text_of(result) == (
        'Error: invalid arguments: missing required property "content" '
        '("file_content" arrived, which the schema does not know)'
    )


# --- b: schemas as providers take them ----------------------------------------------------


def test_b01_no_parameters() -> None:
    assert schema_spec_to_json_schema({}) == {"type": "object", "properties": {}}


def test_b02_no_empty_required() -> None:
    spec: Spec = {
        "a": {"type": "string"},
        "o": {"type": "object", "properties": {"b": {"type": "number"}}},
    }
    assert "required" not in json.dumps(schema_spec_to_json_schema(spec))


@pytest.mark.parametrize(
    "spec",
    [
        {"s": {"type": "string", "enum": []}},
        {"s": {"type": "string", "enum": ["a", 1]}},
    ],
)
def test_b05_enums_that_make_a_provider_refuse(spec: Spec) -> None:
    with pytest.raises(SchemaError, match='"s"'):
        Probe(spec)


def test_b06_an_array_without_items() -> None:
    spec: Spec = {"paths": {"type": "array", "required": True}}
    assert schema_spec_to_json_schema(spec)["properties"]["paths"] == {"type": "array"}
    assert validate_args(spec, {"paths": [1, "a", None]}) == []


def test_b08_nothing_mutable_is_shared() -> None:
    spec: Spec = {"items": {"type": "array", "default": []}}
    probe = Probe(spec)
    probe.call({})
    assert probe.given == [{}]
    before = json.dumps(probe.registry.schemas())
    returned: Any = probe.registry.schemas()
    returned[0]["parameters"]["properties"].clear()
    spec["items"]["default"].append("leak")
    assert json.dumps(probe.registry.schemas()) == before


def test_b09_text_is_left_alone() -> None:
    text = 'Use {"a": 1}, C:\\new, “quotes”,\nsecond line, 100% {x} 中文'
    spec: Spec = {"q": {"type": "string", "description": text}}
    tool = define_tool(name="t", description=text, parameters=spec, execute=lambda a, e: None)
    assert json.loads(json.dumps(tool["parameters"]))["properties"]["q"]["description"] == text
    assert tool["description"] == text


def test_b10_shared_and_recursive_specs() -> None:
    address: Any = {"type": "object", "properties": {"city": {"type": "string", "required": True}}}
    converted: Any = schema_spec_to_json_schema({"home": address, "work": address})
    assert "$ref" not in json.dumps(converted)
    assert converted["properties"]["home"] == converted["properties"]["work"]
    node: Any = {"type": "object"}
    node["properties"] = {"child": node}
    with pytest.raises(SchemaError):
        schema({"node": node})


# --- c: policy around calls ---------------------------------------------------------------


def test_c02_the_whole_reason_reaches_the_model() -> None:
    reason = "Use `make test`; direct pytest is blocked (rule 7).\nSecond line"
    probe = Probe({})
    probe.registry.on_pre_execute(lambda execution, next: {"kind": "deny", "reason": reason})
    result = probe.call({})
    assert (text_of(result), result["is_error"], probe.given) == (f"Error: {reason}", True, [])


def test_c03_every_call_has_its_result() -> None:
    probe = Probe({"command": {"type": "string"}}, ValueError("boom"), "bash")
    probe.registry.on_pre_execute(
        lambda execution, next: {"kind": "deny", "reason": "no"}
        if execution["call_id"] == "c1"
        else next()
    )
    calls: list[Any] = [("c1", "bash", {}), ("c2", "nope", {}), ("c3", "bash", []), ("c4", "bash", {})]
    for call_id, name, arguments in calls:
        result = probe.call(arguments, call_id, name)
        assert (result["call_id"], result["is_error"]) == (call_id, True)
        assert text_of(result)


@pytest.mark.parametrize(("reason", "shown"), [({}, "approval"), ({"reason": "touches prod"}, "touches prod")])
def test_c04_ask_with_nobody_to_ask(reason: Any, shown: str) -> None:
    probe = Probe({})
    decision: Any = {"kind": "ask", **reason}
    probe.registry.on_pre_execute(lambda execution, next: decision)
    result = probe.call({})
    assert result["is_error"] and shown in text_of(result) and "None" not in text_of(result)
    assert probe.given == []


def test_c05_the_first_registered_is_outermost_and_may_keep_the_others_out() -> None:
    order: list[str] = []

    def listener(name: str) -> Callable[..., Any]:
        def listen(execution: Any, next: Callable[[], Any]) -> Any:
            order.append(name)
            decision = next()
            order.append(f"{name}-")
            return decision

        return listen

    probe = Probe({})
    for name in "ABC":
        probe.registry.on_pre_execute(listener(name))
    probe.call({})
    assert order == ["A", "B", "C", "C-", "B-", "A-"]
    bold = Probe({})
    bold.registry.on_pre_execute(lambda execution, next: {"kind": "allow"})
    bold.registry.on_pre_execute(lambda execution, next: {"kind": "deny", "reason": "no"})
    assert text_of(bold.call({})) == "ran"
    bold.registry.guard(lambda execution: "a guard is not kept out")
    assert text_of(bold.call({})) == "Error: a guard is not kept out"


def test_c09_failures_are_reviewed_too() -> None:
    probe = Probe({"a": {"type": "string"}}, ValueError("boom"))
    seen: list[tuple[bool, str | None]] = []

    def review(execution: Any, result: Any, next: Callable[[], Any]) -> Any:
        seen.append((result["is_error"], result.get("error", {}).get("code")))
        return next()

    probe.registry.on_post_execute(review)
    probe.call({})
    probe.call({}, name="unknown")
    probe.call({"a": 1})
    assert seen == [(True, None), (True, "UNKNOWN_TOOL"), (True, "INVALID_ARGS")]


def test_c10_a_scanner_that_fails_after_the_tool_acted() -> None:
    probe = Probe({}, "SECRET")

    def scan(execution: Any, result: Any, next: Callable[[], Any]) -> Any:
        raise RuntimeError("scanner down")

    probe.registry.on_post_execute(scan)
    result = probe.call({})
    assert (text_of(result), result["is_error"]) == ("Error: scanner down", True)
    assert len(probe.given) == 1


def test_c11_contexts_stay_with_their_calls() -> None:
    registry = ToolRegistry()

    def body(args: Any, execution: Any) -> str:
        if args["number"] % 4 == 0:
            raise ValueError("a quarter fails")
        return f"content of {execution['call_id']}"

    spec: Spec = {"number": {"type": "integer", "required": True}}
    registry.register(define_tool(name="t", description="", parameters=spec, execute=body))

    def review(execution: Any, result: Any, next: Callable[[], Any]) -> Any:
        text = {"type": "text", "text": f"context of {execution['call_id']}"}
        context = {"content": [text], "source": {"kind": "plugin", "plugin": "p"}}
        if execution["arguments"]["number"] % 2:
            blocked = {"type": "text", "text": f"blocked {execution['call_id']}"}
            return {"kind": "block", "feedback": [blocked], "additional_context": context}
        return {**next(), "additional_context": context}

    registry.on_post_execute(review)
    results: dict[int, Any] = {}

    def work(number: int) -> None:
        execution: Any = {"call_id": f"c{number}", "name": "t", "arguments": {"number": number}}
        results[number] = registry.execute(execution)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, result in results.items():
        failed = "Error: a quarter fails" if number % 4 == 0 else f"content of c{number}"
        assert result["call_id"] == f"c{number}"
        assert text_of(result) == (f"blocked c{number}" if number % 2 else failed)
        assert result["additional_context"]["content"][0]["text"] == f"context of c{number}"
    assert len(results) == 20


@pytest.mark.parametrize(("answer", "runs"), [("deny", 0), ("allow", 1)])
def test_c12_next_called_twice(answer: str, runs: int) -> None:
    probe, asked = Probe({}), []

    def retrying(execution: Any, next: Callable[[], Any]) -> Any:
        decision = next()
        with pytest.raises(RuntimeError):
            next()
        return decision

    def counting(execution: Any, next: Callable[[], Any]) -> Any:
        asked.append(execution)
        return {"kind": answer, "reason": "no"}

    probe.registry.on_pre_execute(retrying)
    probe.registry.on_pre_execute(counting)
    probe.call({})
    assert (len(asked), len(probe.given)) == (1, runs)


# --- d: what a model reads when something went wrong --------------------------------------


def test_d01_all_faults_with_their_paths() -> None:
    spec: Spec = {
        "path": {"type": "string", "required": True},
        "opts": {"type": "object", "properties": {"depth": {"type": "number"}}},
        "ids": {"type": "array", "items": {"type": "number"}},
    }
    args = {"opts": {"depth": "x"}, "ids": [1, "b"]}
    violations = validate_args(spec, args)
    assert [violation.split('"')[1] for violation in violations] == ["path", "opts.depth", "ids[1]"]
    result = Probe(spec).call(args)
    assert result["error"]["code"] == "INVALID_ARGS"
    assert all(violation in text_of(result) for violation in violations)


def test_d02_a_bounded_text_without_values() -> None:
    spec: Spec = {"ids": {"type": "array", "items": {"type": "number"}}, "blob": {"type": "number"}}
    text = text_of(Probe(spec).call({"ids": ["x"] * 1000, "blob": "A" * 1_000_000}))
    assert len(text) <= len("Error: ") + 4096
    assert "AAAA" not in text
    assert '"ids[0]"' in text
    assert text.endswith("… and 981 more")


def test_d04_nothing_of_the_hosts_side() -> None:
    error = ValueError("lookup failed")
    error.__cause__ = RuntimeError("auth key=EXAMPLE-SECRET")
    text = text_of(Probe({}, error).call({}))
    assert text == "Error: lookup failed"


def test_d06_an_unknown_tool() -> None:
    registry = Probe({}, name="Shell").registry
    registry.register(Probe({}).tool({}, "", "Read"))
    execution: Any = {"call_id": "c1", "name": "bash", "arguments": {"command": "ls"}}
    result = registry.execute(execution)
    assert result["error"] == {"name": "ToolNotFoundError", "code": "UNKNOWN_TOOL"}
    assert text_of(result) == 'Error: unknown tool "bash" (available: Read, Shell)'
    execution["name"] = "b" * 10_000
    assert len(text_of(registry.execute(execution))) < 500


@pytest.mark.parametrize(
    ("output", "is_error"),
    [
        (None, False),
        ("", False),
        ("text", False),
        ([], False),
        ({"content": None}, True),
        ({"content": [{"type": "text", "text": "x"}], "meta": {"a": 1}}, False),
        (42, True),
    ],
)
def test_d07_content_is_always_a_list_of_blocks(output: object, is_error: bool) -> None:
    result = Probe({}, output).call({})
    assert isinstance(result["content"], list)
    assert result["is_error"] is is_error
    assert ("meta" in result) == (isinstance(output, dict) and not is_error)


# --- e: the registry ----------------------------------------------------------------------


def test_e01_a_name_registered_twice() -> None:
    probe = Probe({}, "v1", "read")
    with pytest.raises(Exception, match='tool "read" is already registered'):
        probe.registry.register(probe.tool({}, "v2", "read"))
    assert text_of(probe.call({}, name="read")) == "v1"
    assert len(probe.registry.schemas()) == 1


def test_e03_changes_while_the_list_is_read() -> None:
    registry = ToolRegistry()
    probe = Probe({})
    stop = threading.Event()

    def churn() -> None:
        for _ in range(1000):
            registry.register(probe.tool({}, "x", "b"))()
        stop.set()

    thread = threading.Thread(target=churn)
    thread.start()
    execution: Any = {"call_id": "c1", "name": "b", "arguments": {}}
    while not stop.is_set():
        assert [schema["name"] for schema in registry.schemas()] in ([], ["b"])
        assert text_of(registry.execute(execution)).startswith(("x", 'Error: unknown tool "b"'))
    thread.join()


@pytest.mark.parametrize(
    ("spec", "where"),
    [
        ({"limit": {"type": "int"}}, '"limit"'),
        ({"limit": "number"}, '"limit"'),
        ({"limit": {"type": "number", "requierd": True}}, '"limit"'),
        ({"o": {"type": "string", "properties": {}}}, '"o"'),
        ({"a": {"type": "array", "items": []}}, '"a[]"'),
        ({"x": {"type": "string", "required": "yes"}}, '"x"'),
        ([], "a spec must be a dict"),
    ],
)
def test_e04_a_malformed_spec_is_refused_where_it_is_defined(spec: Spec, where: str) -> None:
    with pytest.raises(SchemaError) as raised:
        Probe(spec, name="grep")
    assert 'tool "grep"' in str(raised.value)
    assert where in str(raised.value)


def test_e06_the_order_of_tools_is_that_of_registration() -> None:
    def listed(names: str) -> str:
        registry = ToolRegistry()
        handles = {name: registry.register(Probe({}).tool({}, "", name)) for name in names}
        handles["b"]()
        registry.register(Probe({}).tool({}, "", "b"))
        assert len({json.dumps(registry.schemas()) for _ in range(20)}) == 1
        return "".join(schema["name"] for schema in registry.schemas())

    assert (listed("abc"), listed("cba")) == ("acb", "cab")


# --- f: cards -----------------------------------------------------------------------------


def shown(call_view: Any, result_view: Any, result: Any, **options: Any) -> tuple[Any, Any]:
    """The two ACP updates of a tool with these cards."""
    tool = Probe({}).tool({}, "", "t")
    tool["present_call"] = lambda args: call_view
    tool["present_result"] = lambda args, result: result_view
    registry = ToolRegistry()
    registry.register(tool)
    acp = AcpTranslator(registry, **options)
    return acp.tool_call("c1", "t", "{}"), acp.tool_result("c1", result)


RAW: Any = {"content": [{"type": "text", "text": "raw"}], "is_error": False}


@pytest.mark.parametrize(("old", "new"), [(None, "x"), ("", "x"), ("x", "")])
def test_f01_a_new_file_is_none_and_an_empty_one_is_not(old: str | None, new: str) -> None:
    diff = {"path": "/w/a.py", "old_text": old, "new_text": new}
    called, ended = shown(
        {"card": "diff", "title": "x", "diffs": [diff]}, {"card": "diff", "diffs": [diff]}, RAW
    )
    expected = [{"type": "diff", "path": "/w/a.py", "oldText": old, "newText": new}]
    assert called["content"] == ended["content"] == expected


def test_f01_a_deletion_is_no_diff() -> None:
    diff = {"path": "/w/a.py", "old_text": "x", "new_text": None}
    called, _ = shown({"card": "diff", "title": "x", "diffs": [diff]}, None, RAW)
    assert (called["title"], called["kind"]) == ("t", "other")


def test_f03_how_a_command_ended() -> None:
    views: list[Any] = [
        {"card": "terminal", "exit_code": None, "signal": "SIGKILL", "output": "part"},
        {"card": "terminal", "exit_code": 0},
        {"card": "terminal", "exit_code": 137},
        {"card": "terminal"},
    ]
    command = {"card": "terminal", "title": "x"}
    ends = [shown(command, v, RAW, terminal=True)[1]["_meta"].get("terminal_exit") for v in views]
    assert ends == [
        {"terminal_id": "c1", "signal": "SIGKILL"},
        {"terminal_id": "c1", "exit_code": 0},
        {"terminal_id": "c1", "exit_code": 137},
        None,
    ]


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/srv/app/src/a.py", "src/a.py"),
        ("/srv/application/x.py", "/srv/application/x.py"),
        ("/srv/app/../b.py", "/srv/app/../b.py"),
        ("/srv/app", "/srv/app"),
        ("rel/c.py", "rel/c.py"),
    ],
)
def test_f04_titles(
    path: str, title: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    view = {"card": "generic", "title": path, "locations": [{"path": path}]}
    called, _ = shown(view, None, RAW, cwd="/srv/app")
    assert (called["title"], called["locations"]) == (title, [{"path": os.path.join("/srv/app", path)}])


def test_f07_the_diff_stays_when_an_edit_is_done() -> None:
    diffs = [{"path": "a", "old_text": str(n), "new_text": "x"} for n in (1, 2, 1)]
    call_view = {"card": "diff", "title": "Edit a", "diffs": diffs[:1]}
    _, done = shown(call_view, {"card": "diff", "diffs": diffs}, RAW)
    assert [content["oldText"] for content in done["content"]] == ["1", "2", "1"]
    failure: Any = {"content": [{"type": "text", "text": "Error: stale"}], "is_error": True}
    _, failed = shown(call_view, None, failure)
    assert (failed["status"], "title" in failed) == ("failed", False)
    assert failed["content"] == [
        {"type": "content", "content": {"type": "text", "text": "Error: stale"}}
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"),
        ("x = 'p\u2028q'\n\f\ny\n", "x = 'p\u2028q'\n\f\nz\n"),
        ("a", "a\n"),
    ],
)
def test_f02_texts_of_a_diff_are_left_alone(old: str, new: str) -> None:
    tool = Probe({}).tool({}, "ran", "edit")
    card: Any = {
        "card": "diff",
        "title": "Edit a.py",
        "diffs": [{"path": "a.py", "old_text": old, "new_text": new}],
    }
    tool["present_call"] = lambda args: card
    registry = ToolRegistry()
    registry.register(tool)
    assert registry.present_call({"call_id": "c", "name": "edit", "arguments": {}}) == card
    (shown,) = AcpTranslator(registry).tool_call("c", "edit", "{}")["content"]
    assert shown == {"type": "diff", "path": "a.py", "oldText": old, "newText": new}


def test_h03_type_checkers_believe_the_package_and_nothing_is_installed_with_it() -> None:
    assert (Path(dsh_tools.__file__).parent / "py.typed").is_file()
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text("utf-8"))
    assert project["project"]["dependencies"] == []
    targets = project["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["packages"] == ["dsh_tools"]
    assert "/dsh_tools" in targets["sdist"]["include"]


# --- cases that other files have ------------------------------------------------------------

CASES = (
    "a01 a02 a03 a05 a06 a08 a09 a10 a11 a12 a13 a14 a15 a16 a18 a19 b01 b02 b05 b06 b08 b09 b10 "
    "c02 c03 c04 c05 c09 c10 c11 c12 d01 d02 d04 d06 d07 e01 e03 e04 e06 f01 f02 f03 f04 f07 "
    "g03 g04 g05 g06 h02 h03"
).split()
ELSEWHERE = {
    "g03": ("typing/test_drive.py", "test_a_warm_cache_says_what_a_cold_run_says"),
    "g04": ("typing/test_configurations.py", "test_a_surprise_in_the_plugin"),
    "g05": ("typing/test_cases.py", "test_with_the_plugin"),
    "g06": ("unit/schema/test_typed_dicts.py", "class Page(TypedDict, Generic[T])"),
    "h02": ("typing/test_configurations.py", "test_a_renamed_copy_deep_in_a_host_by_path"),
}


@pytest.mark.parametrize("case", CASES)
def test_every_case_has_a_test(case: str) -> None:
    if case in ELSEWHERE:
        file, name = ELSEWHERE[case]
        assert name in (Path(__file__).parents[1] / file).read_text("utf-8")
    else:
        assert any(name.startswith(f"test_{case}_") for name in globals())
