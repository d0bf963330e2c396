"""An ACP agent on stdio, by the official SDK, that runs recorded calls with real tools.

It has no model: the prompt is the JSON of the calls, `[[call_id, name, arguments text], …]`. Each
runs in the session's directory, and the client is told of it by what `AcpTranslator` says.
"""

import asyncio
import json
from typing import Any

from acp import InitializeResponse, NewSessionResponse, PromptResponse, run_agent
from acp.interfaces import Client
from acp.schema import ClientCapabilities, SessionNotification
from dsh_tools import ToolRegistry, parse_arguments
from dsh_tools.adapters.acp import AcpTranslator, has_terminal

from tests.examples.coding_tools import coding_tools


class CodingAgent:
    """The part of `acp.Agent` that one session needs."""

    def on_connect(self, conn: Client) -> None:
        self.client = conn

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: ClientCapabilities | None,
        **rest: Any,
    ) -> InitializeResponse:
        given = client_capabilities and client_capabilities.model_dump(by_alias=True)
        self.terminal = has_terminal(given)
        return InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd: str, **rest: Any) -> NewSessionResponse:
        self.registry = ToolRegistry()
        for tool in coding_tools(cwd):
            self.registry.register(tool)
        self.translator = AcpTranslator(self.registry, cwd=cwd, terminal=self.terminal)
        return NewSessionResponse(session_id="s1")

    async def prompt(self, session_id: str, prompt: list[Any], **rest: Any) -> PromptResponse:
        for call_id, name, arguments in json.loads(prompt[0].text):
            await self.show(session_id, self.translator.tool_call(call_id, name, arguments))
            result = self.registry.execute(
                {"call_id": call_id, "name": name, "arguments": parse_arguments(arguments)}
            )
            await self.show(session_id, self.translator.tool_result(call_id, result))
        return PromptResponse(stop_reason="end_turn")

    async def show(self, session_id: str, update: object) -> None:
        sent = SessionNotification.model_validate({"sessionId": session_id, "update": update})
        await self.client.session_update(session_id, sent.update)


if __name__ == "__main__":
    agent: Any = CodingAgent()
    asyncio.run(run_agent(agent))
