"""An MCP server on stdio whose tools have odd names and answer everything that MCP knows. It lists
them one to a page."""

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from .mcp_tools import PNG

LONG = "n" * 100

ANSWERS: dict[str, dict[str, object]] = {
    "files.read": {"content": [{"type": "text", "text": "dot"}]},
    "files/read": {"content": [{"type": "text", "text": "slash"}]},
    "files_read": {"content": [{"type": "text", "text": "line"}]},
    LONG: {"content": []},
    "everything": {
        "content": [
            {"type": "image", "data": PNG, "mimeType": "image/png"},
            {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
            {
                "type": "resource",
                "resource": {"uri": "file:///a.py", "mimeType": "text/x-python", "text": "a = 1\n"},
            },
            {"type": "resource", "resource": {"uri": "file:///a.png", "blob": PNG}},
            {"type": "resource_link", "uri": "file:///b.py", "name": "b.py", "size": 7},
        ],
        "_meta": {"example.org/cost": 3},
    },
    "structured": {"content": [], "structuredContent": {"files": ["a", "b"]}},
    "fails": {
        "content": [{"type": "text", "text": "slow down"}],
        "structuredContent": {"retry": 30},
        "isError": True,
    },
}


async def list_tools(
    context: ServerRequestContext, params: PaginatedRequestParams | None
) -> ListToolsResult:
    first, last = int(params.cursor) if params and params.cursor else 0, len(ANSWERS) - 1
    tool = {"name": list(ANSWERS)[first], "inputSchema": {"type": "object"}}
    page = {"tools": [tool], "nextCursor": str(first + 1) if first < last else None}
    return ListToolsResult.model_validate(page)


async def call_tool(context: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
    return CallToolResult.model_validate(ANSWERS[params.name])


async def serve() -> None:
    server = Server("odd", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(serve)
