"""What the adapters give, where the official clients' own types are wanted: mypy reads this file,
and nothing runs it.

`{**value}` asks mypy about each key whether the client's type has it and takes its value, and
whether one is missing that the type requires. A plain assignment asks for the very same type: for
every optional key that the client's type has as well, and for values no narrower than its own
(PEP 589). Only the tools of Chat Completions are plain enough for that.
"""

# That a value may hold more than its declared keys is what the last check of --strict is about;
# ours do not.
# mypy: no-extra-checks

from base64 import b64decode
from collections.abc import Iterable

from anthropic.types import (
    Base64ImageSourceParam,
    ImageBlockParam,
    MessageParam,
    TextBlockParam,
    ToolParam,
    ToolResultBlockParam,
    URLImageSourceParam,
)
from dsh_tools import StepResult, ToolExecutionResult, ToolSchema
from dsh_tools.adapters import anthropic, gemini, openai
from google.genai import types as genai
from openai.types.chat import (
    ChatCompletionContentPartImageParam,
    ChatCompletionContentPartTextParam,
    ChatCompletionToolMessageParam,
    ChatCompletionToolUnionParam,
    ChatCompletionUserMessageParam,
)
from openai.types.responses import (
    EasyInputMessageParam,
    FunctionToolParam,
    ResponseInputImageContentParam,
    ResponseInputImageParam,
    ResponseInputTextContentParam,
    ResponseInputTextParam,
)
from openai.types.responses.response_input_item_param import FunctionCallOutput

# --- Chat Completions ----------------------------------------------------------------------


def chat_tools(schemas: list[ToolSchema]) -> Iterable[ChatCompletionToolUnionParam]:
    return openai.chat_tools(schemas)


def chat_message(result: ToolExecutionResult) -> ChatCompletionToolMessageParam:
    return {**openai.chat_message(result)}


def chat_context(message: openai.ChatUserMessage) -> ChatCompletionUserMessageParam:
    if isinstance(message["content"], str):
        return {"role": message["role"], "content": message["content"]}
    return {"role": message["role"], "content": map(chat_part, message["content"])}


def chat_part(
    part: openai.ChatText | openai.ChatImage,
) -> ChatCompletionContentPartTextParam | ChatCompletionContentPartImageParam:
    if part["type"] == "text":
        text: ChatCompletionContentPartTextParam = {**part}
        return text
    image: ChatCompletionContentPartImageParam = {**part, "image_url": {**part["image_url"]}}
    return image


# --- Responses -----------------------------------------------------------------------------


def responses_tools(schemas: list[ToolSchema]) -> list[FunctionToolParam]:
    return [{**tool} for tool in openai.responses_tools(schemas)]


def responses_item(item: openai.FunctionCallOutput) -> FunctionCallOutput:
    output = item["output"]
    if isinstance(output, str):
        return {**item, "output": output}
    return {**item, "output": [*map(output_part, output)]}


def output_part(
    part: openai.InputText | openai.InputImage,
) -> ResponseInputTextContentParam | ResponseInputImageContentParam:
    if part["type"] == "input_text":
        text: ResponseInputTextContentParam = {**part}
        return text
    image: ResponseInputImageContentParam = {**part}
    return image


def responses_context(message: openai.InputMessage) -> EasyInputMessageParam:
    content = message["content"]
    if isinstance(content, str):
        return {**message, "content": content}
    return {**message, "content": [*map(context_part, content)]}


def context_part(
    part: openai.InputText | openai.InputImage,
) -> ResponseInputTextParam | ResponseInputImageParam:
    if part["type"] == "input_text":
        text: ResponseInputTextParam = {**part}
        return text
    image: ResponseInputImageParam = {**part}
    return image


# --- Anthropic -----------------------------------------------------------------------------


def anthropic_tools(schemas: list[ToolSchema]) -> list[ToolParam]:
    return [{**tool} for tool in anthropic.tools(schemas)]


def anthropic_message(step: StepResult) -> MessageParam:
    message = anthropic.message(step)
    return {**message, "content": map(anthropic_block, message["content"])}


def anthropic_block(
    block: anthropic.AnthropicToolResult | anthropic.AnthropicText | anthropic.AnthropicImage,
) -> ToolResultBlockParam | TextBlockParam | ImageBlockParam:
    if block["type"] != "tool_result":
        return anthropic_content(block)
    content = map(anthropic_content, block.get("content", []))
    result: ToolResultBlockParam = {**block, "content": content}
    return result


def anthropic_content(
    block: anthropic.AnthropicText | anthropic.AnthropicImage,
) -> TextBlockParam | ImageBlockParam:
    if block["type"] == "text":
        text: TextBlockParam = {**block}
        return text
    image: ImageBlockParam = {**block, "source": anthropic_source(block["source"])}
    return image


def anthropic_source(
    source: anthropic.AnthropicData | anthropic.AnthropicUrl,
) -> Base64ImageSourceParam | URLImageSourceParam:
    if source["type"] == "url":
        url: URLImageSourceParam = {**source}
        return url
    data: Base64ImageSourceParam = {**source}
    return data


# --- Gemini --------------------------------------------------------------------------------
# The client's type of a schema wants an enum where JSON has the name of a type; that its models
# take the name is for test_schemas.py to show.


def gemini_response(part: gemini.GeminiResponsePart) -> genai.PartDict:
    given = part["function_response"]
    response: genai.FunctionResponseDict = {
        **given,
        "parts": [*map(gemini_picture, given.get("parts", []))],
    }
    return {"function_response": response}


def gemini_picture(part: gemini.GeminiPicturePart) -> genai.FunctionResponsePartDict:
    """The client's type wants bytes; its models read the protocol's base64 too."""
    picture = part["inline_data"]
    return {"inline_data": {**picture, "data": b64decode(picture["data"])}}


def gemini_text(part: gemini.GeminiTextPart) -> genai.PartDict:
    return {**part}
