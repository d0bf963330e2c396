"""Model turns as the APIs send them, whole response bodies.

Their fields are those of answers of the live APIs that the tests of pydantic-ai recorded
(https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes, files
`test_deepseek_deferred_capability_with_thinking`, `test_image_as_binary_content_tool_response`,
`test_anthropic_extended_thinking_with_tool_use` and `test_google_model_retry`); what the model
says in them is made up here.
"""

from typing import Any

Turn = dict[str, Any]


# --- Chat Completions ----------------------------------------------------------------------


def chat_turn(content: str | None, *calls: Turn, **message: Any) -> Turn:
    """An assistant's message. `message` are more of its fields, DeepSeek's `reasoning_content`."""
    message = {"role": "assistant", "content": content, **message}
    if calls:
        message["tool_calls"] = [*calls]
    return {
        "id": "0841b0a3-0321-47fa-a8a5-f08e5a4b3cb3",
        "object": "chat.completion",
        "created": 1781082253,
        "model": "model",
        "choices": [
            {
                "index": 0,
                "message": message,
                "logprobs": None,
                "finish_reason": "tool_calls" if calls else "stop",
            }
        ],
        "usage": {"completion_tokens": 1, "prompt_tokens": 1, "total_tokens": 2},
    }


def chat_call(call_id: str, name: str, arguments: str) -> Turn:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "index": 0, "type": "function", "function": function}


# --- Responses -----------------------------------------------------------------------------


def responses_turn(*output: Turn) -> Turn:
    """Output items, a reasoning item before them."""
    reasoning: Turn = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": None}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1769786524,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": "model",
        "output": [reasoning, *output],
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
    }


def function_call(call_id: str, name: str, arguments: str) -> Turn:
    return {
        "id": f"fc_{call_id}",
        "type": "function_call",
        "status": "completed",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
    }


def output_text(text: str) -> Turn:
    content = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {
        "id": "msg_1",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [content],
    }


# --- Messages ------------------------------------------------------------------------------


def anthropic_turn(*content: Turn) -> Turn:
    """An assistant's message, a thought before the rest."""
    calls = any(block["type"] == "tool_use" for block in content)
    return {
        "id": "msg_013P9c4TAXU7k4zbswpYAQkV",
        "type": "message",
        "role": "assistant",
        "model": "model",
        "content": [{"type": "thinking", "thinking": "Hm.", "signature": "EskFCkYI"}, *content],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def tool_use(call_id: str, name: str, arguments: Turn) -> Turn:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


# --- generateContent -----------------------------------------------------------------------


def gemini_turn(*parts: Turn) -> Turn:
    """A model's turn."""
    return {
        "candidates": [
            {
                "content": {"parts": [*parts], "role": "model"},
                "finishReason": "STOP",
                "index": 0,
            }
        ],
        "modelVersion": "model",
        "responseId": "SVd8aaP0E4etz7IPqonx0A8",
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    }


def gemini_call(name: str, arguments: Turn, **more: Any) -> Turn:
    call = {"name": name, "args": arguments, **more}
    return {"functionCall": call, "thoughtSignature": "Ct8DAXLI2nzyZB3noFDS"}
