import json
from collections.abc import AsyncIterator
from enum import Enum
from functools import partial
from typing import Any

import pytest
from dsh_tools import (
    SchemaError,
    ToolArgsError,
    ToolExecution,
    ToolRegistry,
    define_raw_tool,
    define_tool,
    schema,
)

from tests.unit.support import call

SPEC: Any = schema({"path": {"type": "string", "required": True}, "limit": {"type": "integer"}})
EXECUTION: ToolExecution = {"call_id": "c1", "name": "read", "arguments": {}}


def read(args: Any, execution: ToolExecution) -> str:
    """Read a file.

    Lines are numbered.
    """
    return f"{args}"


async def read_later(args: Any, execution: ToolExecution) -> str:
    return ""


async def read_lines(args: Any, execution: ToolExecution) -> AsyncIterator[str]:
    yield ""


class AsyncCallable:
    async def __call__(self, args: Any, execution: ToolExecution) -> str:
        return ""

    async def method(self, args: Any, execution: ToolExecution) -> str:
        return ""


def test_a_definition_is_a_plain_dict() -> None:
    tool = define_tool(name="read", description="Read.", parameters=SPEC, execute=read, strict=True)
    execute = tool["execute"]
    assert type(tool) is dict
    functions = ("execute", "violations")
    assert {key: value for key, value in tool.items() if key not in functions} == {
        "name": "read",
        "description": "Read.",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["path"],
        },
        "strict": True,
    }
    assert execute({"path": "a"}, EXECUTION) == "{'path': 'a'}"


def test_what_was_not_given_is_absent() -> None:
    tool = define_tool(name="read", description="", parameters=SPEC, execute=read)
    assert list(tool) == ["name", "description", "parameters", "execute", "violations"]


def test_as_a_decorator_it_takes_the_docstring() -> None:
    tool = define_tool(name="read", parameters=SPEC)(read)
    assert tool["description"] == "Read a file.\n\nLines are numbered."
    tool = define_tool(name="read", description="Mine.", parameters=SPEC)(read)
    assert tool["description"] == "Mine."


def test_the_body_gets_arguments_that_fit_extra_keys_and_all() -> None:
    given: list[Any] = []
    tool = define_tool(
        name="t",
        description="",
        parameters=SPEC,
        execute=lambda args, execution: given.append((args, execution)),
    )
    args = {"path": "a", "limit": 3.0, "extra": 3.0}
    tool["execute"](args, EXECUTION)
    assert repr(given) == repr([({"path": "a", "limit": 3, "extra": 3.0}, EXECUTION)])
    assert repr(args["limit"]) == "3.0"
    with pytest.raises(ToolArgsError):
        tool["execute"]({"limit": 3}, EXECUTION)
    assert len(given) == 1


def test_a_later_edit_of_the_spec_changes_nothing() -> None:
    spec: Any = {"mode": {"type": "string", "enum": ["a"]}}
    tool = define_tool(name="t", description="", parameters=spec, execute=read)
    before = json.dumps(tool["parameters"])
    spec["mode"]["enum"].append("b")
    spec["more"] = {"type": "string", "required": True}
    assert json.dumps(tool["parameters"]) == before
    assert tool["execute"]({"mode": "a"}, EXECUTION)
    with pytest.raises(ToolArgsError):
        tool["execute"]({"mode": "b"}, EXECUTION)


def test_presenters_get_arguments_that_fit_and_are_silent_for_others() -> None:
    tool = define_tool(
        name="t",
        description="",
        parameters=SPEC,
        execute=read,
        present_call=lambda args: {"card": "generic", "title": f"{args}"},
        present_result=lambda args, result: {"card": "generic", "title": f"{result['is_error']}"},
    )
    present_call, present_result = tool["present_call"], tool["present_result"]
    shown = {"card": "generic", "title": "{'path': 'a', 'limit': 1}"}
    assert present_call({"path": "a", "limit": 1.0}) == shown
    assert present_call({"limit": 1}) is None
    result: Any = {"content": [], "is_error": False}
    assert present_result({"path": "a"}, result) == {"card": "generic", "title": "False"}
    assert present_result("text", result) is None


@pytest.mark.parametrize(
    "body",
    [
        read_later,
        read_lines,
        partial(read_later),
        partial(partial(read_later)),
        AsyncCallable(),
        AsyncCallable().method,
        staticmethod(read_later),
    ],
)
def test_async_bodies_are_refused_with_the_remedy(body: Any) -> None:
    with pytest.raises(SchemaError, match="asyncio.run"):
        define_tool(name="t", description="", parameters=SPEC, execute=body)
    with pytest.raises(SchemaError, match="asyncio.run"):
        define_tool(name="t", description="", parameters=SPEC)(body)


def test_all_faults_come_at_once_with_the_tools_name() -> None:
    spec: Any = {"a": {"type": "int"}, "b": {"type": "string", "required": False}}
    body: Any = read_later
    with pytest.raises(SchemaError) as raised:
        define_tool(name="my tool", description="", parameters=spec, execute=body)
    assert len(raised.value.violations) == 4
    assert 'tool "my tool"' in str(raised.value)
    assert raised.value.tool_name == "my tool"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": None}, "1 to 64"),
        ({"description": 5}, "must be text, not an int"),
        ({"execute": "read"}, "must be a function, not a str"),
        ({"parameters": 5}, "must be a dict of properties, not an int"),
        ({"strict": "yes"}, '"strict" must be True, False or absent, not a str'),
        ({"present_call": 5}, '"present_call" must be a function, not an int'),
        ({"present_result": read_later}, '"present_result" cannot be an async function'),
        ({"parallel": "yes"}, '"parallel" must be a function, not a str'),
        ({"parallel": read_later}, '"parallel" cannot be an async function'),
        ({"render": 5}, '"render" must be a function, not an int'),
        ({"output": 5}, "output: a spec must be a dict"),
        ({"output": {"n": {"type": "int"}}}, 'output: "n": unknown type "int"'),
        ({"hints": ["read_only"]}, '"hints" must be a dict, not a list'),
        (
            {"hints": {"readOnly": True}},
            '"hints" may have title, read_only, destructive, idempotent, open_world, not "readOnly"',
        ),
        ({"hints": {5: True}}, "open_world, not an int"),
        ({"hints": {"read_only": 1}}, 'the hint "read_only" must be True or False, not an int'),
        ({"hints": {"title": True}}, 'the hint "title" must be text, not a bool'),
        ({"wire": 5}, '"wire" must be a dict of JSON'),
        ({"wire": {"anthropic": {"x": object()}}}, '"wire" must be a dict of JSON'),
        ({"wire": {"anthropic": True}}, '"wire" must hold a dict of extra keys for each adapter'),
    ],
)
def test_other_faults(wrong: Any, message: str) -> None:
    right: Any = {"name": "t", "description": "", "parameters": SPEC, "execute": read}
    with pytest.raises(SchemaError, match=message):
        define_tool(**{**right, **wrong})


def test_a_partial_has_the_docstring_of_its_function() -> None:
    tool = define_tool(name="read", parameters=SPEC)(partial(read))
    assert tool["description"].startswith("Read a file.")


def test_names_and_values_of_an_enum_are_its_texts() -> None:
    class Name(str, Enum):
        MODE = "mode"
        FAST = "fast"

    spec: Any = {Name.MODE: {"type": "string", "enum": [Name.FAST], "required": True}}
    tool = define_tool(name="t", description="", parameters=spec, execute=read)
    assert json.dumps(tool["parameters"]) == json.dumps(
        {
            "type": "object",
            "properties": {"mode": {"type": "string", "enum": ["fast"]}},
            "required": ["mode"],
        }
    )
    for args in ({}, {"mode": "slow"}):
        with pytest.raises(ToolArgsError, match='"mode"'):
            tool["execute"](args, EXECUTION)


def test_a_decorated_function_needs_a_docstring_or_a_description() -> None:
    with pytest.raises(SchemaError, match="docstring"):
        define_tool(name="t", parameters=SPEC)(lambda args, execution: None)


def test_violations_are_those_of_the_arguments() -> None:
    tool = define_tool(name="t", description="", parameters=SPEC, execute=read)
    assert tool["violations"]({"path": "a"}) == []
    (missing, wrong) = tool["violations"]({"limit": "3"})
    assert missing == 'missing required property "path"'
    assert wrong.startswith('"limit" must be an integer')
    assert tool["violations"]("text")[0].startswith('"arguments" must be an object')


def test_hints_and_wire_are_the_definitions_own() -> None:
    hints: Any = {"title": "Read", "read_only": True}
    wire: Any = {"anthropic": {"cache_control": {"type": "ephemeral"}}}
    tool = define_tool(
        name="t", description="", parameters=SPEC, execute=read, hints=hints, wire=wire
    )
    hints["read_only"] = False
    wire["anthropic"]["cache_control"]["type"] = "none"
    assert tool["hints"] == {"title": "Read", "read_only": True}
    assert tool["wire"] == {"anthropic": {"cache_control": {"type": "ephemeral"}}}


def test_parallel_is_asked_about_arguments_that_fit() -> None:
    tool = define_tool(
        name="t",
        description="",
        parameters=SPEC,
        execute=read,
        parallel=lambda args: args["path"] == "a",
    )
    parallel: Any = tool["parallel"]
    assert [parallel(args) for args in ({"path": "a"}, {"path": "b"}, {})] == [True, False, False]
    tool = define_tool(name="t", description="", parameters=SPEC, execute=read, parallel=True)
    assert tool["parallel"] is True


class TestOutput:
    OUTPUT: Any = {
        "n": {"type": "integer", "required": True},
        "tags": {"type": "array", "items": {"type": "string"}},
    }

    def result(self, value: object, render: Any = None, output: Any = OUTPUT) -> Any:
        """What a call comes to whose body returns `value`."""
        registry = ToolRegistry()
        registry.register(
            define_tool(
                name="t",
                description="",
                parameters=SPEC,
                output=output,
                render=render,
                execute=lambda args, execution: value,
            )
        )
        return registry.execute(call(arguments={"path": "a"}))

    def test_the_schema_is_the_definitions(self) -> None:
        tool = define_tool(
            name="t",
            description="",
            parameters=SPEC,
            output=self.OUTPUT,
            execute=lambda args, execution: {"n": 3},
        )
        assert tool["output_schema"] == {
            "type": "object",
            "properties": {
                "n": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["n"],
        }

    def test_a_value_is_kept_and_shown_as_json(self) -> None:
        assert self.result({"n": 3.0, "tags": ["é"], "more": None}) == {
            "call_id": "c1",
            "content": [{"type": "text", "text": '{"n":3,"tags":["é"],"more":null}'}],
            "is_error": False,
            "value": {"n": 3, "tags": ["é"], "more": None},
        }

    @pytest.mark.parametrize(
        ("shown", "content"),
        [
            ("three", [{"type": "text", "text": "three"}]),
            ([{"type": "image", "url": "3.png"}], [{"type": "image", "url": "3.png"}]),
            ([], []),
        ],
    )
    def test_render_says_what_the_model_reads(self, shown: Any, content: Any) -> None:
        seen: list[Any] = []

        def render(args: Any, value: Any) -> Any:
            seen.append((args, dict(value)))
            value.clear()
            return shown

        result = self.result({"n": 3}, render)
        assert (result["content"], result["value"]) == (content, {"n": 3})
        assert seen == [({"path": "a"}, {"n": 3})]

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            ({}, 'what does not fit its output: missing required property "n"'),
            ({"n": "3"}, 'what does not fit its output: "n" must be an integer (a string arrived'),
            (None, "what does not fit its output: the value must be an object"),
            ("text", "what does not fit its output: the value must be an object"),
            ({"n": 3, "more": {1, 2}}, "what is not JSON all the way down"),
            ({"n": 3, "more": float("nan")}, "what is not JSON all the way down"),
        ],
    )
    def test_a_value_that_does_not_fit(
        self, value: object, text: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        result = self.result(value)
        assert result["error"] == {"name": "HarnessError", "code": "INVALID_RESULT"}
        assert result["content"][0]["text"].startswith(f"Error: the tool returned {text}")
        assert "value" not in result
        assert len(caplog.records) == 1

    def test_many_violations_are_counted(self) -> None:
        items: Any = {"all": {"type": "array", "items": {"type": "string"}}}
        (block,) = self.result({"all": [1] * 1000}, output=items)["content"]
        assert block["text"].endswith("; … and 980 more")

    def test_render_may_return_text_or_blocks(self) -> None:
        for shown, text in ((5, "render returned an int"), (["x"], "[0] is a str")):
            result = self.result({"n": 3}, lambda args, value: shown)
            assert result["error"]["code"] == "INVALID_RESULT"
            assert text in result["content"][0]["text"]

    def test_an_awaitable_is_closed(self) -> None:
        late: Any = read_later(None, EXECUTION)
        assert "an awaitable" in self.result(late)["content"][0]["text"]
        assert late.cr_frame is None

    def test_a_value_has_no_lone_surrogates(self) -> None:
        result = self.result({"n": 3, "more": "\ud800"})
        assert result["value"] == {"n": 3, "more": "\ufffd"}
        assert result["content"][0]["text"] == '{"n":3,"more":"\ufffd"}'


class TestRaw:
    SCHEMA: Any = {
        "type": "object",
        "properties": {"path": {"type": "string", "format": "date"}, "n": {"type": "integer"}},
        "anyOf": [{"required": ["path"]}, {"required": ["n"]}],
        "unevaluatedProperties": False,
    }

    def test_any_json_schema_checks_the_arguments(self) -> None:
        given: list[Any] = []
        tool = define_raw_tool(
            name="t",
            description="",
            parameters=self.SCHEMA,
            execute=lambda args, execution: given.append(args),
        )
        assert tool["parameters"] == self.SCHEMA
        assert tool["parameters"] is not self.SCHEMA
        tool["execute"]({"path": "no date", "n": 3.0, "unevaluated": 1}, EXECUTION)
        assert repr(given) == "[{'path': 'no date', 'n': 3, 'unevaluated': 1}]"
        for wrong in ({}, {"n": "3"}, "text", None):
            assert tool["violations"](wrong)
            with pytest.raises(ToolArgsError):
                tool["execute"](wrong, EXECUTION)

    @pytest.mark.parametrize("parameters", [{}, {"type": ["object", "null"]}])
    def test_arguments_are_an_object_in_any_case(self, parameters: Any) -> None:
        tool = define_raw_tool(name="t", description="", parameters=parameters, execute=read)
        assert tool["parameters"] == parameters
        assert tool["violations"]({"any": 1}) == []
        for wrong in ("text", None, [1]):
            (violation,) = tool["violations"](wrong)
            assert violation.startswith('"arguments" must be an object')

    def test_output_is_any_json_schema_too(self) -> None:
        tool = define_raw_tool(
            name="t",
            description="",
            parameters={"type": "object"},
            output={"type": "array", "items": {"type": "integer"}},
            execute=lambda args, execution: args["rows"],
        )
        registry = ToolRegistry()
        registry.register(tool)
        assert registry.schemas()[0]["output_schema"]["type"] == "array"
        result: Any = registry.execute(call(arguments={"rows": [1, 2.0]}))
        assert (result["value"], result["content"][0]["text"]) == ([1, 2], "[1,2]")
        result = registry.execute(call(arguments={"rows": 5}))
        assert "its output: the value must be an array" in result["content"][0]["text"]

    def test_it_decorates(self) -> None:
        tool = define_raw_tool(name="t", parameters={"type": "object"}, hints={"read_only": True})(
            read
        )
        assert tool["description"].startswith("Read a file.")
        assert tool["hints"] == {"read_only": True}

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"parameters": 5}, '"parameters" must be a JSON Schema, not an int'),
            ({"parameters": {"default": {1}}}, '"parameters" must be JSON all the way down'),
            ({"output": []}, '"output" must be a JSON Schema, not a list'),
            ({"execute": read_later}, "asyncio.run"),
        ],
    )
    def test_faults(self, wrong: Any, message: str) -> None:
        right: Any = {"name": "t", "description": "", "parameters": {}, "execute": read}
        with pytest.raises(SchemaError, match=message):
            define_raw_tool(**{**right, **wrong})
