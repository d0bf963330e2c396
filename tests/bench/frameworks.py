"""The same trivial tool in what agents are built with.

Each function makes the tool and returns what binds arguments to it: `bind(args)()` is one
validated call, or a coroutine of one.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import smolagents
from agents import function_tool
from agents.tool_context import ToolContext
from anthropic import beta_tool
from langchain_core.tools import StructuredTool
from mcp.server.mcpserver import MCPServer
from pydantic_ai import FunctionToolset, RunContext
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models.test import TestModel
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.usage import RunUsage
from smolagents.tools import validate_tool_arguments

Args: TypeAlias = dict[str, Any]
Body: TypeAlias = Callable[..., Any]
Bind: TypeAlias = Callable[[Args], Callable[[], Any]]


def look(path: str, limit: int = 0, deep: bool = False) -> str:
    """Look at a file.

    Args:
        path: Which one.
        limit: How many lines.
        deep: Whether to look closely.
    """
    return "ok"


async def look_async(path: str, limit: int = 0, deep: bool = False) -> str:
    """Look at a file."""
    return "ok"


def anthropic_tool() -> Bind:
    tool = beta_tool(look)
    return lambda args: partial(tool.call, args)


def langchain_tool() -> Bind:
    tool = StructuredTool.from_function(look)
    return lambda args: partial(tool.invoke, args)


def smolagents_tool() -> Bind:
    tool = smolagents.tool(look)

    def validated_call(args: Args) -> object:
        validate_tool_arguments(tool, args)
        return tool(**args)

    return lambda args: partial(validated_call, args)


def openai_tool(body: Body) -> Bind:
    tool = function_tool(body, name_override="look", failure_error_function=None)

    def bind(args: Args) -> Callable[[], Any]:
        text = json.dumps(args)
        context = ToolContext(None, tool_name="look", tool_call_id="1", tool_arguments=text)
        return partial(tool.on_invoke_tool, context, text)

    return bind


async def pydantic_ai_tool(body: Body) -> Bind:
    toolset = FunctionToolset[None]()
    toolset.add_function(body, name="look")
    context = RunContext(deps=None, model=TestModel(), usage=RunUsage())
    manager = await ToolManager(toolset).for_run_step(context)
    return lambda args: partial(manager.handle_call, ToolCallPart("look", args, "1"))


def mcp_tool(body: Body) -> Bind:
    server = MCPServer("bench")
    server.add_tool(body, name="look")
    return lambda args: partial(server.call_tool, "look", args)
