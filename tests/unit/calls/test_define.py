import json
from collections.abc import AsyncIterator
from enum import Enum
from functools import partial
from typing import Any

import pytest
from dsh_tools import SchemaError, ToolArgsError, ToolExecution, define_tool, schema

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
    assert {key: value for key, value in tool.items() if key != "execute"} == {
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
    assert list(tool) == ["name", "description", "parameters", "execute"]


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
