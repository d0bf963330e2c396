"""The loops of the README, run by the official clients against turns on loopback."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from dsh_tools import HarnessError, HookContext, ToolRegistry, define_tool
from dsh_tools.adapters import gemini
from dsh_tools.adapters.openai import chat_calls
from google.genai import types as genai
from openai.types.chat import ChatCompletionMessage

from tests.conformance.peers.playback import Playback, playing
from tests.conformance.peers.turns import (
    Turn,
    anthropic_turn,
    chat_call,
    chat_turn,
    function_call,
    gemini_call,
    gemini_turn,
    output_text,
    responses_turn,
    tool_use,
)
from tests.unit.test_readme import ROOT, programs_with_peers

PNG = "data:image/png;base64,iVBORw0KGgo="


def program(word: str) -> str:
    """The README's program that mentions a word."""
    (found,) = [code for code in programs_with_peers() if word in code]
    return found


def loop(word: str) -> str:
    """The same program without its registry."""
    imports, rest = program(word).split("\nregistry = ", 1)
    return imports + "\n\nclient = " + rest.split("\nclient = ", 1)[1]


def environment(url: str) -> dict[str, str]:
    """Where the clients look, and the keys they ask for."""
    return {
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": "none",
    }


REFUSED = 'Error: invalid arguments: missing required property "city"'
SUNNY = "Yes, it is sunny."


def as_pasted(word: str, turns: list[Turn], folder: Path) -> Playback:
    """Run a program of the README in a process of its own, against the turns."""
    pasted = folder / "pasted.py"
    pasted.write_text(program(word), "utf-8")
    with playing(turns) as server:
        run = subprocess.run(
            [sys.executable, str(pasted)],
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment(server.url)},
            capture_output=True,
            encoding="utf-8",
        )
    assert (run.stdout, run.stderr) == (f"{SUNNY}\n", "")
    return server


@pytest.fixture
def converse(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, list[Turn], ToolRegistry], Any]:
    """Run a loop of the README with another registry; what it sent, request by request."""

    def run(word: str, turns: list[Turn], registry: ToolRegistry) -> Any:
        with playing(turns) as server:
            for key, value in environment(server.url).items():
                monkeypatch.setenv(key, value)
            namespace: dict[str, Any] = {"registry": registry}
            exec(loop(word), namespace)
            namespace["client"].close()
        return server.requests

    return run


def registry_of(*results: Any, strict: bool | None = None) -> tuple[ToolRegistry, list[Any]]:
    """A registry with one tool that gives these results, and a list of what reaches it."""
    registry, seen, left = ToolRegistry(), list[Any](), iter(results)

    def weather(args: Any, execution: Any) -> Any:
        seen.append(args)
        return next(left)

    registry.register(
        define_tool(
            name="weather",
            description="The weather forecast for a city.",
            parameters={
                "city": {"type": "string", "required": True},
                "days": {"type": "integer", "default": 1},
                "parts": {"type": "array", "items": {"type": "string", "enum": ["day", "night"]}},
            },
            execute=weather,
            strict=strict,
        )
    )
    return registry, seen


def attach_note(registry: ToolRegistry) -> None:
    note: HookContext = {
        "content": [{"type": "text", "text": "A note."}],
        "source": {"kind": "user"},
    }
    registry.on_post_execute(
        lambda execution, result, next: {"kind": "accept", "additional_context": note}
    )


PICTURE = [{"type": "text", "text": "A map:"}, {"type": "image", "url": PNG}]


# --- Chat Completions ----------------------------------------------------------------------


def test_the_chat_program_runs_as_pasted(tmp_path: Path) -> None:
    calls = [
        chat_call("c1", "weather", '{"city": "Oslo"}'),
        chat_call("c2", "weather", '{"town": "Oslo"}'),
    ]
    server = as_pasted("chat_tools(", [chat_turn(None, *calls), chat_turn(SUNNY)], tmp_path)
    assert server.paths == ["/v1/chat/completions"] * 2
    parameters = {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    }
    assert server.requests[0]["tools"][0]["function"] == {
        "name": "weather",
        "description": "The weather forecast for a city.",
        "parameters": parameters,
    }
    user, assistant, good, bad = server.requests[1]["messages"]
    assert [call["id"] for call in assistant["tool_calls"]] == ["c1", "c2"]
    assert good == {"role": "tool", "tool_call_id": "c1", "content": "Oslo: sunny"}
    assert bad == {"role": "tool", "tool_call_id": "c2", "content": REFUSED}


def test_chat_arguments_that_a_model_got_wrong_are_answered(converse: Any) -> None:
    registry, seen = registry_of("sunny")
    written = ["", '{"city": "Os', '"{\\"city\\": \\"Oslo\\"}"', "null", '{"city": NaN}']
    calls = [chat_call(f"c{i}", "weather", text) for i, text in enumerate(written)]
    calls.append(chat_call("c5", "wether", '{"city": "Oslo"}'))
    sent = converse("chat_tools(", [chat_turn("", *calls), chat_turn("Sorry.")], registry)
    history, *answers = sent[1]["messages"][1:]
    again = [call["function"]["arguments"] for call in history["tool_calls"]]
    assert again == ["{}", "{}", "{}", "{}", "{}", '{"city": "Oslo"}']
    assert [answer["tool_call_id"] for answer in answers] == ["c0", "c1", "c2", "c3", "c4", "c5"]
    assert [answers[0]["content"], answers[3]["content"]] == [REFUSED, REFUSED]
    for answer in [answers[1], answers[2], answers[4]]:
        assert answer["content"].startswith('Error: invalid arguments: "arguments" must be')
    assert answers[5]["content"] == 'Error: unknown tool "wether" (available: weather)'
    assert seen == []


def test_deepseek_speaks_chat(converse: Any) -> None:
    """Its thoughts go back with the message, as its thinking models ask for."""
    registry, seen = registry_of("sunny")
    call = chat_call("call_00_sXqY", "weather", '{"city": "Oslo"}')
    turns = [chat_turn("Let me look!", call, reasoning_content="Hm."), chat_turn(SUNNY)]
    sent = converse("chat_tools(", turns, registry)
    assert sent[1]["messages"][1]["reasoning_content"] == "Hm."
    assert sent[1]["messages"][2]["content"] == "sunny"
    assert seen == [{"city": "Oslo"}]


def test_a_strict_chat_tool_never_sees_the_nulls(converse: Any) -> None:
    registry, seen = registry_of("sunny", strict=True)
    call = chat_call("c1", "weather", '{"city": "Oslo", "days": null, "parts": null}')
    sent = converse("chat_tools(", [chat_turn(None, call), chat_turn(SUNNY)], registry)
    function = sent[0]["tools"][0]["function"]
    assert function["strict"] is True
    assert function["parameters"]["required"] == ["city", "days", "parts"]
    assert seen == [{"city": "Oslo"}]


def test_a_chat_result_is_text_and_a_context_follows(converse: Any) -> None:
    registry, _ = registry_of(PICTURE)
    attach_note(registry)
    call = chat_call("c1", "weather", '{"city": "Oslo"}')
    sent = converse("chat_tools(", [chat_turn(None, call), chat_turn(SUNNY)], registry)
    assert sent[1]["messages"][2:] == [
        {
            "role": "tool",
            "tool_call_id": "c1",
            "content": "A map:\n[image: image/png, 8 bytes, not shown here]",
        },
        {"role": "user", "content": "A note."},
    ]


# --- Responses -----------------------------------------------------------------------------


def test_the_responses_program_runs_as_pasted(tmp_path: Path) -> None:
    turns = [
        responses_turn(
            function_call("c1", "weather", '{"city": "Oslo"}'),
            function_call("c2", "weather", '{"town": "Oslo"}'),
        ),
        responses_turn(output_text(SUNNY)),
    ]
    server = as_pasted("responses_tools(", turns, tmp_path)
    assert server.paths == ["/v1/responses"] * 2
    assert server.requests[0]["tools"][0]["strict"] is False
    kinds = [item.get("type") for item in server.requests[1]["input"]]
    assert kinds == [None, "reasoning"] + ["function_call"] * 2 + ["function_call_output"] * 2
    assert server.requests[1]["input"][4:] == [
        {"type": "function_call_output", "call_id": "c1", "output": "Oslo: sunny"},
        {"type": "function_call_output", "call_id": "c2", "output": REFUSED},
    ]


def test_a_responses_result_has_pictures_and_a_context_follows(converse: Any) -> None:
    registry, seen = registry_of(PICTURE, strict=True)
    attach_note(registry)
    call = function_call("c1", "weather", '{"city": "Oslo", "days": null, "parts": ["day"]}')
    turns = [responses_turn(call), responses_turn(output_text(SUNNY))]
    sent = converse("responses_tools(", turns, registry)
    assert seen == [{"city": "Oslo", "parts": ["day"]}]
    assert sent[1]["input"][3:] == [
        {
            "type": "function_call_output",
            "call_id": "c1",
            "output": [
                {"type": "input_text", "text": "A map:"},
                {"type": "input_image", "image_url": PNG, "detail": "auto"},
            ],
        },
        {"role": "user", "content": "A note."},
    ]


# --- Anthropic -----------------------------------------------------------------------------


def test_the_anthropic_program_runs_as_pasted(tmp_path: Path) -> None:
    turns = [
        anthropic_turn(
            {"type": "text", "text": "I will look."},
            tool_use("c1", "weather", {"city": "Oslo"}),
            tool_use("c2", "weather", {"town": "Oslo"}),
        ),
        anthropic_turn({"type": "text", "text": SUNNY}),
    ]
    server = as_pasted("anthropic.tools(", turns, tmp_path)
    assert server.paths == ["/v1/messages"] * 2
    user, assistant, answer = server.requests[1]["messages"]
    kinds = [block["type"] for block in assistant["content"]]
    assert kinds == ["thinking", "text", "tool_use", "tool_use"]
    good, bad = answer["content"]
    text = {"type": "text", "text": "Oslo: sunny"}
    assert good == {"type": "tool_result", "tool_use_id": "c1", "content": [text]}
    assert bad["is_error"] is True
    assert bad["content"] == [{"type": "text", "text": REFUSED}]


def test_an_anthropic_result_has_pictures_and_contexts_follow_them_all(converse: Any) -> None:
    registry, seen = registry_of(PICTURE, None, strict=True)
    attach_note(registry)
    calls = [tool_use(f"c{i}", "weather", {"city": "Oslo"}) for i in (1, 2)]
    turns = [anthropic_turn(*calls), anthropic_turn({"type": "text", "text": SUNNY})]
    sent = converse("anthropic.tools(", turns, registry)
    assert sent[0]["tools"][0]["strict"] is True
    assert sent[0]["tools"][0]["input_schema"]["required"] == ["city"]
    first, second, *notes = sent[1]["messages"][2]["content"]
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    assert first["content"] == [
        {"type": "text", "text": "A map:"},
        {"type": "image", "source": source},
    ]
    assert second == {"type": "tool_result", "tool_use_id": "c2"}
    assert notes == [{"type": "text", "text": "A note."}] * 2


# --- Gemini --------------------------------------------------------------------------------


def test_the_gemini_program_runs_as_pasted(tmp_path: Path) -> None:
    turns = [
        gemini_turn(
            gemini_call("weather", {"city": "Oslo"}), gemini_call("weather", {"town": "Oslo"})
        ),
        gemini_turn({"text": SUNNY}),
    ]
    server = as_pasted("gemini.function_declarations(", turns, tmp_path)
    assert [path.split("/")[-1] for path in server.paths] == [
        "gemini-2.5-flash:generateContent"
    ] * 2
    (tool,) = server.requests[0]["tools"]
    (declaration,) = tool["functionDeclarations"]
    assert declaration["parameters"]["properties"] == {"city": {"type": "STRING"}}
    user, model, answer = server.requests[1]["contents"]
    assert model["parts"][0]["thoughtSignature"] == "Ct8DAXLI2nzyZB3noFDS"
    assert answer["role"] == "user"
    name = "weather"
    assert answer["parts"] == [
        {"functionResponse": {"name": name, "response": {"output": "Oslo: sunny"}}},
        {"functionResponse": {"name": name, "response": {"error": REFUSED}}},
    ]


def test_gemini_numbers_reach_the_tool_as_integers_and_ids_come_back(converse: Any) -> None:
    registry, seen = registry_of("sunny", strict=True)
    attach_note(registry)
    call = gemini_call("weather", {"city": "Oslo", "days": 3.0}, id="g1")
    turns = [gemini_turn(call), gemini_turn({"text": SUNNY})]
    sent = converse("gemini.function_declarations(", turns, registry)
    assert repr(seen) == "[{'city': 'Oslo', 'days': 3}]"
    response = {"id": "g1", "name": "weather", "response": {"output": "sunny"}}
    assert sent[1]["contents"][2:] == [
        {"role": "user", "parts": [{"functionResponse": response}]},
        {"role": "user", "parts": [{"text": "A note."}]},
    ]


@pytest.mark.parametrize("content", [{}, {"content": {}}, {"content": {"role": "model"}}])
def test_a_call_that_gemini_itself_refuses_ends_the_loop(converse: Any, content: Any) -> None:
    registry, seen = registry_of("sunny")
    refusal = {**content, "finishReason": "MALFORMED_FUNCTION_CALL", "index": 0}
    sent = converse("gemini.function_declarations(", [{"candidates": [refusal]}], registry)
    assert (len(sent), seen) == (1, [])


def test_the_gemini_client_reads_the_pictures_of_a_result() -> None:
    data = "iVBORw0KGgo="
    call: Any = {"call_id": "c", "name": "a", "arguments": {}}
    picture: Any = {"type": "image", "url": f"data:image/png;base64,{data}"}
    result: Any = {"call_id": "c", "content": [picture], "is_error": False}
    (turn,) = gemini.contents([call], {"results": [result], "contexts": []})
    read = genai.Content.model_validate(turn).model_dump(mode="json", exclude_none=True)
    assert read == turn


# --- objects of the clients ----------------------------------------------------------------


def test_an_object_of_a_client_is_refused_and_says_what_is_wanted() -> None:
    message = ChatCompletionMessage(role="assistant", content="Hello")
    wanted = r"\(a ChatCompletionMessage, whose model_dump\(\) is wanted, arrived\)"
    with pytest.raises(HarnessError, match=wanted):
        chat_calls(cast(Any, message), [])
