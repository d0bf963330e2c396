"""Cards and the Agent Client Protocol updates that they become."""

import copy
import os.path
from typing import Any

import pytest
from dsh_tools import ToolDefinition, ToolRegistry, define_tool
from dsh_tools.adapters.acp import AcpTranslator, has_terminal

from .corpus import Case, cases

# The cases that DESIGN.md decides otherwise: a malformed card falls back to the generic card
# instead of raising (section 8). The value is the update that comes instead.
DESIGN_DECIDES: dict[str, Case] = {
    "pr-156": {
        "sessionUpdate": "tool_call",
        "toolCallId": "c1",
        "title": "tool",
        "kind": "other",
        "status": "in_progress",
        "rawInput": {},
    },
    "pr-157": {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "c1",
        "status": "completed",
        "content": [{"type": "content", "content": {"type": "text", "text": "raw result"}}],
    },
}


def tool(spec: Case, seen: list[Case]) -> ToolDefinition:
    def presenter(key: str) -> Any:
        def present(args: Any, *result: Any) -> Any:
            given = {"args": args, "result": result[0]} if result else {"args": args}
            if spec.get("see"):
                seen.append({key: copy.deepcopy(given)})
            if f"{key}_raises" in spec:
                raise RuntimeError(spec[f"{key}_raises"])
            return spec[key]

        return present if key in spec or f"{key}_raises" in spec else None

    call, result = presenter("present_call"), presenter("present_result")
    if "spec" in spec:
        return define_tool(
            name=spec["name"],
            description="",
            parameters=spec["spec"],
            execute=lambda args, execution: None,
            present_call=call,
            present_result=result,
        )
    raw: ToolDefinition = {
        "name": spec["name"],
        "description": "",
        "parameters": {"type": "object"},
        "execute": lambda args, execution: None,
    }
    if call is not None:
        raw["present_call"] = call
    if result is not None:
        raw["present_result"] = result
    return raw


@pytest.mark.parametrize("case", [p for p in cases("presentation") if "events" in p.values[0]])
def test_updates(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    registry, seen = ToolRegistry(), list[Case]()
    for spec in case["tools"]:
        registry.register(tool(spec, seen))
    session = case["session"]
    translator = AcpTranslator(registry, cwd=session["cwd"], terminal=session["terminal"])
    expected = [followable(update, session["cwd"]) for update in case["expect"]["updates"]]
    if case["id"] in DESIGN_DECIDES:
        expected.append(DESIGN_DECIDES[case["id"]])
    assert [translate(translator, event) for event in case["events"]] == expected
    assert seen == case["expect"].get("seen", [])
    warnings = case["expect"].get("warnings_startwith", [])
    if case["id"] in DESIGN_DECIDES:
        warnings = ["one"]
    assert [record.name for record in caplog.records] == ["dsh_tools"] * len(warnings)


def followable(update: Case, cwd: str | None) -> Case:
    """An update with absolute paths, which the cases do not have and DESIGN.md wants (section 8)."""
    update = copy.deepcopy(update)
    diffs = [part for part in update.get("content", ()) if part["type"] == "diff"]
    for place in (*update.get("locations", ()), *diffs):
        if cwd is not None:
            place["path"] = os.path.join(cwd, place["path"])
    return update


def translate(translator: AcpTranslator, event: Case) -> Any:
    if "call" in event:
        call = event["call"]
        return translator.tool_call(call["call_id"], call["name"], call["arguments_text"])
    result = dict(event["result"])
    call_id = result.pop("call_id")
    return translator.tool_result(call_id, result)  # type: ignore[arg-type]  # a result from JSON


@pytest.mark.parametrize(
    "case", [p for p in cases("presentation") if p.values[0]["kind"] == "capability"]
)
def test_capability(case: Case) -> None:
    assert has_terminal(case["client_capabilities"]) is case["expect"]["terminal"]
