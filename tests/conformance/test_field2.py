"""More of what went wrong for people with tools of this kind. `field2.json` holds the reports;
each test is named after its case."""

import json
import re
from pathlib import Path
from typing import Any, TypedDict, cast

import pytest
from dsh_tools import HarnessError, ToolExecution, ToolRegistry, define_tool, execute_step
from dsh_tools.adapters import anthropic, gemini, mcp, openai
from dsh_tools.adapters.acp import AcpTranslator
from dsh_tools.commands.providers import PROVIDERS, refusals

from tests.unit.support import call, raw_tool, text_of

REPORTS = json.loads(Path(__file__).with_name("field2.json").read_text("utf-8"))["cases"]


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"


def text(written: str) -> Any:
    return {"type": "text", "text": written}


def image(url: str) -> Any:
    return {"type": "image", "url": url}


def test_every_test_is_named_after_a_case() -> None:
    """A test is named after its case, `test_n23_…`; one case may have several."""
    ids = {report["id"].lower() for report in REPORTS}
    named = [name for name in globals() if name.startswith("test_") and name[6:7].isdigit()]
    assert {name.split("_")[1] for name in named} <= ids


# --- registry -----------------------------------------------------------------------------


@pytest.mark.parametrize("asked", ["functions.read_file", "ReadFile", "read-file", "raed_file"])
def test_n23_the_tool_that_was_meant_is_named(asked: str) -> None:
    registry = ToolRegistry()
    for name in [*(f"aaa_tool_{number:03}" for number in range(200)), "read_file"]:
        registry.register(raw_tool(lambda args, execution: "ran", name))
    result: Any = registry.execute(call(name=asked))
    assert text_of(result).startswith(f'Error: unknown tool "{asked}" (available: read_file, aaa_')


class Asked:
    """A registry that asks before each call, and what became of it."""

    def __init__(self, answer: bool | str) -> None:
        self.questions: list[str | None] = []
        self.answer = answer
        self.registry = ToolRegistry(approve=self.approve)
        self.registry.on_pre_execute(
            lambda execution, next: {"kind": "ask", "reason": "may I remove it?"}
        )
        self.registry.register(
            define_tool(
                name="rm",
                description="",
                parameters={"path": {"type": "string", "required": True}},
                execute=lambda args, execution: "removed",
            )
        )

    def approve(self, execution: ToolExecution, reason: str | None) -> bool | str:
        self.questions.append(reason)
        return self.answer

    def remove(self, **arguments: object) -> Any:
        return self.registry.execute(call(name="rm", arguments=arguments))


def test_f03_nobody_is_asked_about_a_call_that_cannot_run() -> None:
    asked = Asked(True)
    assert asked.remove()["error"]["code"] == "INVALID_ARGS"
    assert asked.questions == []
    assert text_of(asked.remove(path="a")) == "removed"
    assert asked.questions == ["may I remove it?"]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (False, 'Error: the user refused to run tool "rm"'),
        ("use trash", 'Error: the user refused to run tool "rm": use trash'),
    ],
)
def test_f04_a_refusal_is_no_question(answer: bool | str, text: str) -> None:
    assert text_of(Asked(answer).remove(path="a")) == text


def test_f05_a_hidden_tool_is_unknown_and_named_nowhere() -> None:
    registry, ran = ToolRegistry(), list[object]()
    for name in ("read", "wipe"):
        registry.register(raw_tool(lambda args, execution: ran.append(args), name))
    view = registry.view({"read"})
    result: Any = view.execute(call(name="wipe"))
    assert result["error"]["code"] == "UNKNOWN_TOOL"
    assert text_of(result) == 'Error: unknown tool "wipe" (available: read)'
    assert "wipe" not in str([view.schemas(), view.get("wipe"), view.execute(call(name="wip"))])
    assert ran == []


def test_f11_on_result_sees_what_a_faulty_listener_ended() -> None:
    registry, seen = ToolRegistry(), list[Any]()
    registry.register(raw_tool(lambda args, execution: "ran"))

    def fail(*call: object) -> Any:
        raise ValueError("broken")

    registry.on_pre_execute(fail)
    registry.on_post_execute(fail)
    registry.on_result(lambda execution, result: seen.append(result))
    result = registry.execute(call())
    assert (text_of(result), seen) == ("Error: broken", [result])


# --- calls in -----------------------------------------------------------------------------

NOTED = {"path": {"type": "string", "required": True}, "content": {"type": "string"}}


def chat(*calls: Any) -> Any:
    return {"role": "assistant", "content": None, "tool_calls": [*calls]}


def chat_call(arguments: object, name: str = "read", call_id: str | None = "c1") -> Any:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def outcome(arguments: str, spec: Any = NOTED) -> str:
    """What a model reads after its call, "ran {…}" when it ran."""
    registry = ToolRegistry()
    registry.register(
        define_tool(
            name="read",
            description="",
            parameters=spec,
            execute=lambda args, execution: f"ran {json.dumps(args)}",
        )
    )
    (execution,) = openai.chat_calls(chat(chat_call(arguments)), registry.schemas())
    return text_of(registry.execute(execution))


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        pytest.param('{"path":"a","content":"#!/usr/bin/env', "cut off", id="n14"),
        pytest.param('{"path":"a","content":"#!/usr/bin/env', "send less at once", id="n14-less"),
        pytest.param('{"path":"C:\\Users\\me"}', "bad escape", id="n16"),
        pytest.param('{"path":"a",}', "trailing comma", id="n17"),
        pytest.param('{"path":"a"}{"path":"b"}', "send each in a call of its own", id="n18"),
    ],
)
def test_n14_n16_n17_n18_broken_arguments_are_told(arguments: str, hint: str) -> None:
    said = outcome(arguments)
    assert said.startswith('Error: invalid arguments: "arguments" must be an object (')
    assert hint in said


def test_n15_raw_control_characters_are_read() -> None:
    ran = outcome('{"path":"a","content":"l1\nl2\tx"}')
    assert json.loads(ran.removeprefix("ran ")) == {"path": "a", "content": "l1\nl2\tx"}


@pytest.mark.parametrize(
    "arguments", [pytest.param(" \n", id="n19"), pytest.param("null", id="n20")]
)
def test_n19_n20_no_arguments_are_an_empty_object(arguments: str) -> None:
    assert outcome(arguments, {}) == "ran {}"


def test_n21_a_missing_id_is_made_and_stands_in_the_history() -> None:
    message = chat(chat_call("{}", "a", None), chat_call("{}", "b", "k"))
    first, second = openai.chat_calls(message, [])
    assert re.fullmatch("[A-Za-z0-9_-]{1,40}", first["call_id"])
    assert second["call_id"] == "k"
    turn = openai.chat_turn(message)
    assert [call["id"] for call in turn["tool_calls"]] == [first["call_id"], "k"]


def test_n24_arguments_one_level_too_deep() -> None:
    spec = {"command": {"type": "string", "required": True}}
    said = outcome('{"parameters":{"command":"pwd"}}', spec)
    assert '"parameters"' in said
    assert said.count(";") == 0


def test_n62_ids_that_we_make_are_short() -> None:
    call = {"functionCall": {"name": "a"}}
    made = [call["call_id"] for call in gemini.calls({"role": "model", "parts": [call, call]})]
    assert len(set(made)) == 2
    assert all(re.fullmatch("[A-Za-z0-9_-]{1,40}", identity) for identity in made)


def test_f06_namespace_and_caller_come_back() -> None:
    registry = ToolRegistry()
    registry.register(raw_tool(lambda args, execution: "ran", "crm_list"))
    caller = {"type": "program", "caller_id": "p1"}
    item = {"type": "function_call", "call_id": "c", "name": "crm_list", "arguments": "{}"}
    calls = openai.responses_calls([{**item, "namespace": "crm", "caller": caller}], [])
    (output,) = openai.responses_items(execute_step(registry, calls))
    assert output == {
        "type": "function_call_output", "call_id": "c", "output": "ran",
        "namespace": "crm", "caller": caller,
    }  # fmt: skip


def test_f08_a_custom_call_is_the_hosts() -> None:
    custom = {"id": "x", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    (execution,) = openai.chat_calls(chat(custom, chat_call("{}")), [])
    assert execution["call_id"] == "c1"


# --- history ------------------------------------------------------------------------------


def test_n12_malformed_arguments_do_not_stay_in_the_history() -> None:
    message = {**chat(chat_call('{"path":"a')), "refusal": None, "extra": 1}
    before = json.dumps(message)
    mended = {**message, "tool_calls": [chat_call("{}")]}
    assert openai.chat_turn(message) == mended
    assert json.dumps(message) == before


def test_n13_a_made_up_name_does_not_stay_in_the_history() -> None:
    (call,) = openai.chat_turn(chat(chat_call("{}", "functions.read")))["tool_calls"]
    assert re.fullmatch("[A-Za-z0-9_-]+", call["function"]["name"])


# --- results out --------------------------------------------------------------------------


def out(block: Any) -> dict[str, Any]:
    """What each provider gets for a result with one block, by the provider's name; and what it
    gets for a context with the same."""
    result: Any = {"call_id": "c", "content": [block], "is_error": False}
    step: Any = {"results": [], "contexts": [{"content": [block]}]}
    called: Any = {"call_id": "c", "name": "a", "arguments": {}}
    turns: Any = gemini.contents([called], {**step, "results": [result], "contexts": []})
    return {
        "chat": openai.chat_message(result)["content"],
        "chat context": openai.chat_messages(step)[0]["content"],
        "responses": openai.responses_item(result)["output"],
        "responses context": cast(Any, openai.responses_items(step)[0])["content"],
        "anthropic": anthropic.tool_result(result)["content"],
        "anthropic context": anthropic.message(step)["content"],
        "gemini": turns[0]["parts"][0]["function_response"],
        "gemini context": gemini.contents([], step)[-1]["parts"],
    }


@pytest.mark.parametrize("mime_type", ["image/svg+xml", "IMAGE/SVG+XML", "image/png"])
def test_n07_a_picture_that_nobody_takes_is_a_text(mime_type: str) -> None:
    for sent in out(image(f"data:{mime_type};base64,PHN2Zz4=")).values():
        assert "[image: image/svg+xml, 5 bytes, not shown here]" in json.dumps(sent)
        assert "base64" not in json.dumps(sent)


@pytest.mark.parametrize("mime_type", ["image/jpg", "image/JPG", "image/png"])
def test_n09_the_bytes_of_a_picture_decide(mime_type: str) -> None:
    data = "/9j/4AAQSkZJRgABAQEASABIAAD/2Q=="
    sent = out(image(f"data:{mime_type};base64,{data}"))
    url = f"data:image/jpeg;base64,{data}"
    source = {"type": "base64", "media_type": "image/jpeg", "data": data}
    inline = {"inline_data": {"mime_type": "image/jpeg", "data": data}}
    responses = [{"type": "input_image", "image_url": url, "detail": "auto"}]
    assert sent == {
        "chat": "[image: image/jpeg, 22 bytes, not shown here]",
        "chat context": [{"type": "image_url", "image_url": {"url": url}}],
        "responses": responses,
        "responses context": responses,
        "anthropic": [{"type": "image", "source": source}],
        "anthropic context": [{"type": "image", "source": source}],
        "gemini": {"id": "c", "name": "a", "response": {"output": ""}, "parts": [inline]},
        "gemini context": [inline],
    }


def test_n22_one_id_for_two_calls_of_a_step() -> None:
    calls: list[Any] = [{"call_id": "x", "name": name, "arguments": {}} for name in ("grep", "ls")]
    results = [{"call_id": "x", "content": [text("a")], "is_error": False}] * 2
    step: Any = {"results": results, "contexts": []}
    parts: Any = gemini.contents(calls, step)[0]["parts"]
    assert [part["function_response"]["name"] for part in parts] == ["grep", "ls"]


@pytest.mark.parametrize("rest", [{}, {"content": None}, {"content": []}])
def test_n41_structured_content_alone(rest: Any) -> None:
    output: Any = mcp.tool_output({"structuredContent": {"a": 1}, **rest})
    assert output["content"] == [text('{"a":1}')]


# --- specs --------------------------------------------------------------------------------


def test_f01_a_map_in_a_typed_dict_is_shown_and_checked() -> None:
    class P(TypedDict):
        counts: dict[str, int]

    def count(args: P, execution: ToolExecution) -> str:
        return "ran"

    registry = ToolRegistry()
    registry.register(define_tool(name="t", description="", parameters=P, execute=count))
    (shown,) = registry.schemas()
    counts: Any = cast(Any, shown["parameters"])["properties"]["counts"]
    assert counts == {"type": "object", "additionalProperties": {"type": "integer"}}
    assert text_of(registry.execute(call(arguments={"counts": {"a": 1}}))) == "ran"
    refused = text_of(registry.execute(call(arguments={"counts": {"a": "1"}})))
    assert refused.startswith('Error: invalid arguments: "counts.a" must be an integer')


# --- editors ------------------------------------------------------------------------------


def test_n10_pictures_reach_an_editor_in_their_places() -> None:
    registry = ToolRegistry()
    acp = AcpTranslator(registry)
    acp.tool_call("c1", "t", "{}")
    content: list[Any] = [text("a"), image(f"data:image/png;base64,{PNG}"), text("b")]
    update = acp.tool_result("c1", {"content": content, "is_error": False})
    assert [part["content"] for part in cast(Any, update["content"])] == [
        {"type": "text", "text": "a"},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "text", "text": "b"},
    ]


def test_n11_an_editor_can_follow_relative_paths() -> None:
    registry = ToolRegistry()
    card: Any = {"card": "generic", "title": "t", "locations": [{"path": "src/a.py", "line": 3}]}
    registry.register({**raw_tool(lambda args, execution: "ran"), "present_call": lambda args: card})
    update = AcpTranslator(registry, cwd="/srv/app").tool_call("c1", "t", "{}")
    assert update["locations"] == [{"path": "/srv/app/src/a.py", "line": 3}]


# --- tools --------------------------------------------------------------------------------


def test_o01_a_tool_with_an_output_schema() -> None:
    registry = ToolRegistry()
    registry.register(
        define_tool(
            name="t",
            description="",
            parameters={},
            output={"n": {"type": "integer", "required": True}},
            execute=lambda args, execution: {"n": 3},
        )
    )
    result = registry.execute(call())
    assert (result["value"], text_of(result)) == ({"n": 3}, '{"n":3}')
    (schema,) = registry.schemas()
    assert schema["output_schema"] == {
        "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
    }  # fmt: skip
    answer: Any = mcp.call_result(result)
    assert answer["structuredContent"] == {"n": 3}
    (entry,) = mcp.tools(registry.schemas())
    assert entry["outputSchema"] == schema["output_schema"]


def test_f12_what_a_server_says_of_its_tools_and_results_comes_out_as_it_went_in() -> None:
    entry: Any = {
        "name": "count",
        "title": "Count files",
        "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "annotations": {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }
    answer: Any = {
        "content": [{"type": "text", "text": "three"}],
        "isError": False,
        "structuredContent": {"n": 3, "deep": {"list": [1, None]}},
    }
    registry = ToolRegistry()
    for tool in mcp.tool_definitions([entry], lambda name, arguments, execution: answer):
        registry.register(tool)
    assert mcp.tools(registry.schemas()) == [entry]
    assert mcp.call_result(registry.execute(call(name="count"))) == answer


# --- tools out ----------------------------------------------------------------------------

SENDERS: dict[str, Any] = {
    "chat": openai.chat_tools,
    "responses": openai.responses_tools,
    "anthropic": anthropic.tools,
    "gemini": gemini.function_declarations,
    "mcp": mcp.tools,
}
HOLDERS = ("parameters", "input_schema", "parameters_json_schema", "inputSchema")


def with_parameters(parameters: Any, name: str = "x", *, strict: bool = False) -> Any:
    return {**raw_tool(lambda args, execution: None, name), "parameters": parameters} | (
        {"strict": True} if strict else {}
    )


def sent_to(provider: str, parameters: Any, *, strict: bool = False) -> Any:
    """The schema that a provider gets for a tool's parameters, None for none."""
    (sent,) = SENDERS[provider]([with_parameters(parameters, strict=strict)])
    sent = sent.get("function", sent)
    return next((sent[holder] for holder in HOLDERS if holder in sent), None)


def given(case: str) -> Any:
    found = next(report["input"] for report in REPORTS if report["id"] == case)
    return found["inputSchema"] if "inputSchema" in found else found


@pytest.mark.parametrize("provider", SENDERS)
@pytest.mark.parametrize("parameters", given("N01"))
def test_n01_a_tool_with_parameters_never_goes_out_without(provider: str, parameters: Any) -> None:
    sent = sent_to(provider, parameters)
    assert "q" in json.dumps(sent)
    assert "$ref" not in sent


@pytest.mark.parametrize("provider", SENDERS)
def test_n02_a_null_keyword_is_an_absent_one(provider: str) -> None:
    deep = {"type": "object", "properties": {"a": {"type": "string", "enum": None, "format": None}}}
    assert "null" not in json.dumps(sent_to(provider, given("N02")) or {})
    assert "null" not in json.dumps(sent_to(provider, deep))


@pytest.mark.parametrize("provider", ["chat", "responses", "anthropic", "mcp"])
def test_n03_older_drafts_go_out_as_draft_2020_12(provider: str) -> None:
    sent = sent_to(provider, given("N03"))
    assert sent["properties"]["n"] == {"type": "number", "exclusiveMinimum": 0}


@pytest.mark.parametrize("provider", SENDERS)
def test_n04_no_json_schema_is_mended_or_refused_by_name(provider: str) -> None:
    a_list, a_flag, a_type, a_reference = given("N04")
    mended = sent_to(provider, a_flag)
    assert mended["required"] == ["a"]
    assert mended["properties"]["a"] == {"type": "array", "items": {"type": "string"}}
    for parameters, place in [
        (a_list, "parameters.properties.required"),
        (a_type, "parameters.properties.a"),
        (a_reference, "parameters.properties.b"),
    ]:
        with pytest.raises(HarnessError) as caught:
            sent_to(provider, parameters)
        assert caught.value.code == "UNSUPPORTED_SCHEMA"
        assert f'tool "x": {place}: ' in str(caught.value)


@pytest.mark.parametrize("provider", SENDERS)
def test_n05_one_bad_tool_leaves_the_others(provider: str) -> None:
    refused = list[HarnessError]()
    tools = [with_parameters({"type": "string"}, "bad"), with_parameters({}, "good")]
    (sent,) = SENDERS[provider](tools, on_refused=refused.append)
    assert sent.get("function", sent)["name"] == "good"
    assert [(error.tool_name, error.code) for error in refused] == [("bad", "UNSUPPORTED_SCHEMA")]


def test_n04_check_names_them_for_each_provider() -> None:
    for parameters in given("N04")[2:]:
        found = list(refusals([with_parameters(parameters) | {"description": "d"}]))
        assert {name for fault in found for name in fault["providers"]} == {*PROVIDERS}


def test_n05_one_bad_entry_of_a_server_leaves_the_others() -> None:
    entries, refused = given("N05")["tools"], list[HarnessError]()
    with pytest.raises(HarnessError):
        mcp.tool_definitions(entries, lambda *call: None)
    (good,) = mcp.tool_definitions(entries, lambda *call: None, on_refused=refused.append)
    assert good["name"] == "good"
    assert [error.tool_name for error in refused] == ["x", "y", "z"]


@pytest.mark.parametrize("name", ["21st_magic", "-magic", "-", "9"])
def test_n06_a_name_begins_as_every_provider_takes_it(name: str) -> None:
    entries = [{"name": each, "inputSchema": {"type": "object"}} for each in (name, "_9", "magic")]
    tools = mcp.tool_definitions(entries, lambda *call: None)
    made, *others = [tool["name"] for tool in tools]
    assert others == ["_9", "magic"]
    assert made[0] == "_" and made not in others
    for send in SENDERS.values():
        assert len(send(tools)) == 3


@pytest.mark.parametrize("provider", ["chat", "responses", "anthropic"])
@pytest.mark.parametrize("strict", [False, True])
def test_n25_a_root_any_of_is_told(provider: str, strict: bool) -> None:
    sent = sent_to(provider, given("N25"), strict=strict)
    assert "anyOf" not in sent
    assert sent["properties"].keys() == {"id", "title", "body"}
    assert '[{"required": ["title"]}, {"required": ["body"]}]' in sent["description"]


def test_n26_a_type_that_is_implied_is_there() -> None:
    assert sent_to("gemini", given("N26"))["properties"]["k"]["type"] == "integer"


@pytest.mark.parametrize("provider", ["chat", "responses"])
def test_f02_no_list_of_types_with_array_or_object(provider: str) -> None:
    array = {"type": "array", "items": {"type": "string"}}
    parameters = {"type": "object", "properties": {"a": array}}
    sent = sent_to(provider, parameters, strict=True)
    assert sent["properties"]["a"] == {"anyOf": [array, {"type": "null"}]}
