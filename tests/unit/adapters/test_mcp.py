"""Model Context Protocol: dicts in, dicts out."""

import re
from threading import Event
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolExecution, ToolRegistry, define_tool
from dsh_tools.adapters import mcp

from tests.unit.support import call, raw_tool, text_of

PNG = "iVBORw0KGgo="
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def executed(answer: object, **entry: Any) -> Any:
    """The result of a registered tool whose server gives that answer."""
    registry = ToolRegistry()
    listed = {"name": "t", "inputSchema": SCHEMA, **entry}
    (tool,) = mcp.tool_definitions([listed], lambda name, arguments, execution: answer)
    registry.register(tool)
    return registry.execute(call(name=tool["name"]))


class TestTools:
    def test_an_entry_has_the_names_of_the_protocol(self) -> None:
        registry = ToolRegistry()
        registry.register(
            define_tool(
                name="read",
                description="Read a file.",
                parameters={"path": {"type": "string", "required": True}},
                execute=lambda args, execution: None,
                strict=True,
            )
        )
        assert mcp.tools(registry.schemas()) == [
            {
                "name": "read",
                "description": "Read a file.",
                "inputSchema": {
                    "type": "object",
                    "properties": {"path": {"type": "string"}},
                    "required": ["path"],
                },
            }
        ]

    def test_entries_share_nothing_with_the_tools(self) -> None:
        tool = raw_tool(lambda args, execution: None)
        tool["parameters"] = {"properties": {}}
        (entry,) = mcp.tools([tool])
        entry["inputSchema"]["properties"] = None
        assert tool["parameters"] == {"properties": {}}

    def test_a_schema_without_a_type_is_that_of_an_object(self) -> None:
        tool = raw_tool(lambda args, execution: None)
        tool["parameters"] = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
        (entry,) = mcp.tools([tool])
        assert entry["inputSchema"] == {"type": "object", "properties": {}, **tool["parameters"]}

    def test_an_empty_description_is_left_out(self) -> None:
        tool = raw_tool(lambda args, execution: None)
        tool["description"] = ""
        assert "description" not in mcp.tools([tool])[0]

    @pytest.mark.parametrize("kind", ["array", ["object", "null"]])
    def test_a_schema_of_anything_else_is_refused(self, kind: object) -> None:
        tool = raw_tool(lambda args, execution: None, "listing")
        tool["parameters"] = {"type": kind}
        with pytest.raises(HarnessError, match='"listing": parameters.type: must be "object"') as e:
            mcp.tools([tool])
        assert e.value.code == "UNSUPPORTED_SCHEMA"

    def test_text_is_fit_for_utf_8(self) -> None:
        tool = raw_tool(lambda args, execution: None)
        tool["description"] = "half \ud83d"
        assert mcp.tools([tool])[0]["description"] == "half \ufffd"


class TestToolExecution:
    def test_params_become_an_execution(self) -> None:
        params = {"name": "read", "arguments": {"path": "a"}, "_meta": {"progressToken": 1}}
        signal = Event()
        assert mcp.tool_execution(params, 7, signal=signal) == {
            "call_id": "7",
            "name": "read",
            "arguments": {"path": "a"},
            "signal": signal,
        }

    @pytest.mark.parametrize("params", [{"name": "t"}, {"name": "t", "arguments": None}])
    def test_arguments_may_be_absent(self, params: object) -> None:
        assert mcp.tool_execution(params, "a") == call(call_id="a")

    @pytest.mark.parametrize(
        ("written", "arguments"),
        [('{"path": "a"}', {"path": "a"}), ("{path", "{path"), ("", {}), ("[]", [])],
    )
    def test_arguments_that_were_encoded_twice_are_read(
        self, written: str, arguments: object
    ) -> None:
        execution = mcp.tool_execution({"name": "t", "arguments": written}, 1)
        assert execution["arguments"] == arguments

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            (None, "params must be an object (null arrived)"),
            ({}, "params.name is missing: it must be a string"),
            ({"name": 1}, "params.name must be a string (an integer arrived)"),
            (
                {"name": "t", "arguments": ["SECRET"]},
                "params.arguments must be an object (an array arrived)",
            ),
            (
                {"name": "t", "arguments": False},
                "params.arguments must be an object (a boolean arrived)",
            ),
        ],
    )
    def test_what_is_no_request_is_named(self, params: object, message: str) -> None:
        with pytest.raises(HarnessError) as caught:
            mcp.tool_execution(params, 1)
        assert (caught.value.code, str(caught.value)) == ("INVALID_WIRE", message)


class TestCallResult:
    def test_text_and_pictures_stay_what_they_are(self) -> None:
        url = f"data:image/png;base64,{PNG}"
        result: Any = {
            "content": [text("a"), {"type": "image", "url": url}],
            "is_error": False,
            "meta": "private",
        }
        assert mcp.call_result(result) == {
            "content": [text("a"), {"type": "image", "data": PNG, "mimeType": "image/png"}],
            "isError": False,
        }

    @pytest.mark.parametrize(
        "block",
        [
            {"type": "image", "url": "https://example.org/a.png"},
            {"type": "reasoning", "text": "hm"},
            {"type": "tool-call", "id": "c1", "name": "read", "arguments": "{}"},
            {"type": "tool-result", "tool_call_id": "c1", "content": [text("inner")]},
        ],
    )
    def test_other_blocks_become_text_that_says_so(self, block: Any) -> None:
        result: Any = {"content": [block], "is_error": False}
        (content,) = mcp.call_result(result)["content"]
        assert content["type"] == "text"
        for said in ("url", "text", "name", "tool_call_id"):
            assert block.get(said, "") in content["text"]
        assert content["text"] != block.get("text")

    def test_what_a_listener_adds_comes_last(self) -> None:
        registry = ToolRegistry()
        registry.register(raw_tool(lambda args, execution: "done"))
        context: Any = {"content": [text("mind")], "source": {"kind": "user"}}
        registry.on_post_execute(
            lambda execution, result, next: {"kind": "accept", "additional_context": context}
        )
        answer = mcp.call_result(registry.execute(call()))
        assert answer["content"] == [text("done"), text("mind")]

    def test_every_failure_is_an_answer(self) -> None:
        answer = mcp.call_result(ToolRegistry().execute(call(name="gone")))
        assert answer["isError"] is True
        assert "no tools are available" in str(answer["content"])

    def test_text_is_fit_for_utf_8(self) -> None:
        result: Any = {"content": [text("\ud83d")], "is_error": False}
        answer = mcp.call_result(result)
        assert answer["content"] == [text("\ufffd")]


class TestToolDefinitions:
    def test_a_servers_tool_is_a_raw_tool(self) -> None:
        asked: list[object] = []

        def ask(name: str, arguments: dict[str, object], execution: ToolExecution) -> object:
            asked.append((name, arguments, execution.get("signal")))
            return {"content": [text("done")]}

        entry = {
            "name": "fs.read",
            "description": "Read a file.",
            "inputSchema": SCHEMA,
            "annotations": {"readOnlyHint": True},
        }
        (tool,) = mcp.tool_definitions([entry], ask)
        registry, signal = ToolRegistry(), Event()
        registry.register(tool)
        execution: ToolExecution = {
            "call_id": "c1",
            "name": tool["name"],
            "arguments": {"path": "a\ud83d"},
            "signal": signal,
        }
        assert registry.execute(execution)["content"] == [text("done")]
        assert asked == [("fs.read", {"path": "a\ufffd"}, signal)]
        (schema,) = registry.schemas()
        assert (schema["description"], schema["parameters"]) == ("Read a file.", SCHEMA)
        assert tool["mcp_tool"] == entry

    def test_definitions_share_nothing_with_the_list(self) -> None:
        entry: Any = {"name": "t", "inputSchema": {"type": "object"}}
        (tool,) = mcp.tool_definitions([entry], lambda *call: None)
        entry["inputSchema"]["type"] = "array"
        assert tool["parameters"] == {"type": "object"}

    def test_arguments_that_are_no_object_do_not_reach_the_server(self) -> None:
        (tool,) = mcp.tool_definitions([{"name": "t", "inputSchema": SCHEMA}], lambda *call: None)
        registry = ToolRegistry()
        registry.register(tool)
        result = registry.execute(call(arguments='{"path": '))
        assert result.get("error") == {"name": "ToolArgsError", "code": "INVALID_ARGS"}

    def test_what_the_call_raises_is_the_failure(self) -> None:
        def ask(*call: object) -> object:
            raise ConnectionError("the server is gone")

        (tool,) = mcp.tool_definitions([{"name": "t", "inputSchema": SCHEMA}], ask)
        registry = ToolRegistry()
        registry.register(tool)
        assert text_of(registry.execute(call())) == "Error: the server is gone"

    def test_a_call_that_nobody_awaits_is_a_failure(self) -> None:
        async def ask(*call: object) -> object:
            return {"content": []}

        (tool,) = mcp.tool_definitions([{"name": "t", "inputSchema": SCHEMA}], ask)
        registry = ToolRegistry()
        registry.register(tool)
        assert "an awaitable, which nobody awaits" in text_of(registry.execute(call()))

    @pytest.mark.parametrize(
        ("entry", "title"),
        [
            ({"title": "Read a file", "annotations": {"title": "Other"}}, "Read a file"),
            ({"title": None, "annotations": {"title": "Read"}}, "Read"),
            ({"annotations": {"title": ""}}, "t"),
            ({"annotations": None, "description": None}, "t"),
        ],
    )
    def test_a_card_has_the_title_that_the_server_gives(self, entry: Any, title: str) -> None:
        listed = {"name": "t", "inputSchema": SCHEMA, **entry}
        (tool,) = mcp.tool_definitions([listed], lambda *call: None)
        registry = ToolRegistry()
        registry.register(tool)
        assert registry.present_call(call(arguments={"path": "a"})) == {
            "card": "generic",
            "title": title,
            "raw_input": {"path": "a"},
        }

    @pytest.mark.parametrize(
        ("tools", "message"),
        [
            ({"tools": []}, "tools must be an array (an object arrived)"),
            ([None], "tools[0] must be an object (null arrived)"),
            ([{"inputSchema": {}}], "tools[0].name is missing: it must be a string"),
            (
                [{"name": 1, "inputSchema": {}}],
                "tools[0].name must be a string (an integer arrived)",
            ),
            ([{"name": "t"}], "tools[0].inputSchema is missing: it must be an object"),
            (
                [{"name": "t", "inputSchema": []}],
                "tools[0].inputSchema must be an object (an array arrived)",
            ),
            (
                [{"name": "t", "inputSchema": {"type": "SECRET"}}],
                'tools[0].inputSchema.type must be "object"',
            ),
            (
                [{"name": "t", "inputSchema": {}, "description": ["SECRET"]}],
                "tools[0].description must be a string (an array arrived)",
            ),
            (
                [{"name": "t", "inputSchema": {}, "title": 1}],
                "tools[0].title must be a string (an integer arrived)",
            ),
            (
                [{"name": "t", "inputSchema": {}, "annotations": True}],
                "tools[0].annotations must be an object (a boolean arrived)",
            ),
            (
                [{"name": "t", "inputSchema": {}, "annotations": {"title": 1}}],
                "tools[0].annotations.title must be a string (an integer arrived)",
            ),
            (
                [{"name": name, "inputSchema": {}} for name in ("a", "b", "a.b", "b")],
                "tools[3].name is that of tools[1] too",
            ),
        ],
    )
    def test_what_is_no_list_of_tools_is_named(self, tools: object, message: str) -> None:
        with pytest.raises(HarnessError) as caught:
            mcp.tool_definitions(tools, lambda *call: None)
        assert (caught.value.code, str(caught.value)) == ("INVALID_WIRE", message)


def named(*names: str, prefix: str = "") -> list[str]:
    """What a server's tools of those names are called, and that the calls go where they should."""
    listed = [{"name": name, "inputSchema": SCHEMA} for name in names]
    registry, asked = ToolRegistry(), list[str]()

    def ask(name: str, arguments: object, execution: object) -> object:
        asked.append(name)
        return {"content": []}

    tools = mcp.tool_definitions(listed, ask, prefix=prefix)
    for tool in tools:
        registry.register(tool)
        registry.execute(call(name=tool["name"]))
    assert asked == list(names)
    return [tool["name"] for tool in tools]


class TestNames:
    def test_a_name_that_fits_stays(self) -> None:
        names = ["read", "Read-2_x", "n" * 64]
        assert named(*names) == names

    @pytest.mark.parametrize(
        ("name", "stem"),
        [
            ("admin.tools.list", "admin_tools_list"),
            ("user-profile/update", "user-profile_update"),
            ("n" * 65, "n" * 55),
            ("читать файл", "_"),
            ("", ""),
            ("read\n", "read_"),
            ("é" * 300, "_"),
            ("a\ud83d", "a_"),
        ],
    )
    def test_any_other_is_made_to_fit(self, name: str, stem: str) -> None:
        listed = [{"name": name, "inputSchema": SCHEMA}]
        (tool,) = mcp.tool_definitions(listed, lambda *call: None)
        assert re.fullmatch(rf"{stem}_[0-9a-f]{{8}}", tool["name"])
        assert len(tool["name"]) <= 64

    def test_a_made_name_stays_the_same_for_good(self) -> None:
        """Logs and stored permissions hold it."""
        assert named("fs.read") == ["fs_read_4074bc02"]

    def test_a_name_does_not_depend_on_the_others(self) -> None:
        (alone,) = named("fs.read")
        assert named("fs_read", "fs.read", "fs/read")[1] == alone

    def test_names_that_look_alike_stay_apart(self) -> None:
        names = ["fs.read", "fs/read", "fs_read", "fs read", "FS.read", "n" * 65, "n" * 66]
        assert len(set(named(*names))) == len(names)

    def test_a_server_cannot_give_one_tool_the_name_of_another(self) -> None:
        (made,) = named("fs.read")
        for names in (["fs.read", made], [made, "fs.read"]):
            assert made in named(*names)
            assert len(set(named(*names))) == 2

    def test_a_prefix_tells_servers_apart(self) -> None:
        assert named("read", prefix="files_") == ["files_read"]
        (long,) = named("n" * 60, prefix="files_")
        (other,) = named("n" * 60, prefix="other_")
        assert (long[:7], other[:7], len(long)) == ("files_n", "other_n", 64)


class TestToolOutput:
    def test_text_and_pictures_stay_what_they_are(self) -> None:
        image = {"type": "image", "data": PNG, "mimeType": "image/png", "annotations": None}
        answer = {"content": [text("a"), image], "isError": False, "structuredContent": None}
        assert mcp.tool_output(answer) == {
            "content": [
                text("a"),
                {
                    "type": "image",
                    "url": f"data:image/png;base64,{PNG}",
                    "mime_type": "image/png",
                },
            ]
        }

    def test_a_picture_comes_back_from_a_round_trip(self) -> None:
        answer: Any = {
            "content": [{"type": "image", "data": PNG, "mimeType": "image/png"}],
            "isError": False,
        }
        assert mcp.call_result(executed(answer)) == answer

    @pytest.mark.parametrize(
        ("block", "texts"),
        [
            (
                {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
                ["[audio: audio/wav, 3 bytes, not shown here]"],
            ),
            (
                {"type": "resource", "resource": {"uri": "file:///a", "text": "  x\n"}},
                ["[resource: file:///a]", "  x\n"],
            ),
            (
                {
                    "type": "resource",
                    "resource": {"uri": "file:///a", "mimeType": "text/x-python", "text": ""},
                },
                ["[resource: file:///a, text/x-python]", ""],
            ),
            (
                {
                    "type": "resource",
                    "resource": {
                        "uri": "file:///a.pdf",
                        "mimeType": "application/pdf",
                        "blob": "AAA=",
                    },
                },
                [
                    "[resource: file:///a.pdf, application/pdf]",
                    "[data: application/pdf, 2 bytes, not shown here]",
                ],
            ),
            (
                {"type": "resource", "resource": {"uri": "x:a", "blob": "AA==", "text": None}},
                ["[resource: x:a]", "[data: application/octet-stream, 1 bytes, not shown here]"],
            ),
            (
                {"type": "resource_link", "uri": "file:///a", "name": "a"},
                ["[resource link: file:///a, a]"],
            ),
            (
                {
                    "type": "resource_link",
                    "uri": "file:///a",
                    "name": "a",
                    "title": "A",
                    "mimeType": "text/plain",
                    "description": "The first.",
                    "size": 3,
                },
                ["[resource link: file:///a, a, A, text/plain, The first.]"],
            ),
            (
                {"type": "hologram", "é": [1], "annotations": None},
                ['[content of type "hologram": {"type":"hologram","é":[1]}]'],
            ),
            (
                {"type": "image", "data": PNG, "mimeType": "png"},
                ["[image: png, 8 bytes, not shown here]"],
            ),
            (
                {"type": "image", "data": f"data:image/png;base64,{PNG}", "mimeType": "image/png"},
                ["[image: image/png, 24 bytes, not shown here]"],
            ),
        ],
    )
    def test_any_other_block_says_what_it_was(self, block: Any, texts: list[str]) -> None:
        result = executed({"content": [block, text("after")]})
        assert [block["text"] for block in result["content"]] == [*texts, "after"]
        assert result["meta"] == {"content": [block, text("after")]}

    def test_a_picture_that_is_a_resource_is_a_picture(self) -> None:
        resource = {"uri": "file:///a.png", "mimeType": "image/png", "blob": PNG}
        result = executed({"content": [{"type": "resource", "resource": resource}]})
        assert [block["type"] for block in result["content"]] == ["text", "image"]

    def test_line_breaks_in_a_picture_are_taken_out(self) -> None:
        image = {"type": "image", "data": f"{PNG[:4]}\r\n{PNG[4:]}\n", "mimeType": "image/png"}
        (block,) = executed({"content": [image]})["content"]
        assert block["url"] == f"data:image/png;base64,{PNG}"

    def test_structured_content_is_kept_for_programs(self) -> None:
        answer = {
            "content": [text("3 files")],
            "structuredContent": {"files": 3},
            "_meta": {"k": 1},
            "resultType": "complete",
        }
        result = executed(answer)
        assert result["content"] == [text("3 files")]
        assert result["meta"] == {"structuredContent": {"files": 3}, "_meta": {"k": 1}}

    @pytest.mark.parametrize("content", [[], [text("")], [text(" \n"), text("")]])
    def test_structured_content_speaks_where_the_content_says_nothing(self, content: Any) -> None:
        result = executed({"content": content, "structuredContent": {"é": [1, None]}})
        assert text_of(result) == '{"é":[1,null]}'
        assert result["meta"] == {"structuredContent": {"é": [1, None]}}

    def test_annotations_of_a_block_are_kept(self) -> None:
        block = {**text("a"), "annotations": {"audience": ["user"]}}
        assert executed({"content": [block]})["meta"] == {"content": [block]}

    def test_empty_content_is_a_success(self) -> None:
        assert executed({"content": []}) == {"call_id": "c1", "content": [], "is_error": False}

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            ({"content": [text("no such file")]}, "no such file"),
            ({"content": [text("a"), text("b")]}, "a\nb"),
            ({"content": [text("Error: no such file")]}, "no such file"),
            (
                {"content": [{"type": "image", "data": PNG, "mimeType": "image/png"}]},
                "[image: image/png, 8 bytes, not shown here]",
            ),
            ({"content": [], "structuredContent": {"code": 7}}, '{"code":7}'),
            (
                {"content": [text("slow down")], "structuredContent": {"retry": 30}},
                'slow down\n{"retry":30}',
            ),
            (
                {"content": [text('{ "code": 7 }')], "structuredContent": {"code": 7}},
                '{ "code": 7 }',
            ),
            ({"content": []}, "the tool failed and said nothing"),
            ({"content": [text(" ")]}, "the tool failed and said nothing"),
        ],
    )
    def test_an_error_says_all_there_is(self, answer: Any, message: str) -> None:
        result = executed({**answer, "isError": True})
        assert (text_of(result), result["is_error"]) == (f"Error: {message}", True)
        assert result["error"] == {"name": "HarnessError", "code": "MCP_TOOL_ERROR"}

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (None, "result must be an object (null arrived)"),
            ({}, "result.content is missing: it must be an array"),
            ({"content": "SECRET"}, "result.content must be an array (a string arrived)"),
            ({"content": ["SECRET"]}, "result.content[0] must be an object (a string arrived)"),
            ({"content": [{}]}, "result.content[0].type is missing: it must be a string"),
            (
                {"content": [{"type": "text"}]},
                "result.content[0].text is missing: it must be a string",
            ),
            (
                {"content": [{"type": "image", "mimeType": "image/png"}]},
                "result.content[0].data is missing: it must be a string",
            ),
            (
                {"content": [{"type": "audio", "data": ""}]},
                "result.content[0].mimeType is missing: it must be a string",
            ),
            (
                {"content": [{"type": "resource"}]},
                "result.content[0].resource is missing: it must be an object",
            ),
            (
                {"content": [{"type": "resource", "resource": {}}]},
                "result.content[0].resource.uri is missing: it must be a string",
            ),
            (
                {"content": [{"type": "resource", "resource": {"uri": "x:a"}}]},
                "result.content[0].resource.text is missing: it must be a string",
            ),
            (
                {"content": [{"type": "resource_link", "name": "a"}]},
                "result.content[0].uri is missing: it must be a string",
            ),
            (
                {"content": [{"type": "resource_link", "uri": "x:a", "name": "a", "title": 1}]},
                "result.content[0].title must be a string (an integer arrived)",
            ),
            (
                {"content": [], "isError": "true"},
                "result.isError must be a boolean (a string arrived)",
            ),
            (
                {"content": [], "is_error": True},
                "result.is_error must be isError: dump models with by_alias=True",
            ),
            (
                {"resultType": "input_required", "inputRequests": {}},
                'result.resultType must be "complete": the host drives the others',
            ),
        ],
    )
    def test_what_is_no_result_is_named(self, answer: object, message: str) -> None:
        result = executed(answer)
        assert text_of(result) == f"Error: {message}"
        assert result["error"] == {"name": "HarnessError", "code": "INVALID_WIRE"}


class TestChecks:
    """A server's tools, checked here before anything is sent."""

    ENTRY: Any = {
        "name": "t",
        "title": "T",
        "inputSchema": {
            "type": "object",
            "properties": {"n": {"type": "integer", "minimum": 1}},
            "required": ["n"],
        },
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }

    @pytest.mark.parametrize("checked", [True, False])
    def test_a_call_that_does_not_fit_is_not_sent(self, checked: bool) -> None:
        sent = list[object]()

        def ask(name: str, arguments: object, execution: object) -> object:
            sent.append(arguments)
            return {"content": []}

        registry = ToolRegistry()
        (tool,) = mcp.tool_definitions([self.ENTRY], ask, checked=checked)
        registry.register(tool)
        wrong = registry.execute({"call_id": "c", "name": "t", "arguments": {"n": 0}})
        assert wrong["is_error"] is checked
        assert sent == ([] if checked else [{"n": 0}])
        registry.execute({"call_id": "c", "name": "t", "arguments": {"n": 2.0}})
        assert sent[-1] == {"n": 2}

    def test_hints_and_output_go_in_and_out(self) -> None:
        (tool,) = mcp.tool_definitions([self.ENTRY], lambda *call: None)
        assert tool["hints"] == {"title": "T", "read_only": True, "open_world": False}
        assert tool["output_schema"] == {"type": "object"}
        assert mcp.tools([tool]) == [self.ENTRY]
