"""What the README's MCP server serves in the tests, beside its own `add`."""

from threading import Event

from dsh_tools import (
    ContentBlock,
    PreToolDecision,
    PreToolListener,
    ToolDefinition,
    ToolExecution,
    ToolRegistry,
)

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

_state = "not called"
_hurry = Event()  # never set: something to wait on


def add_to(registry: ToolRegistry) -> None:
    """Register the tools, and the rule that forbids one of them."""
    for name, body in (("picture", picture), ("wait", wait), ("state", state), ("rm", rm)):
        definition: ToolDefinition = {
            "name": name,
            "description": body.__doc__ or "",
            "parameters": {},
            "execute": body,
        }
        registry.register(definition)
    registry.on_pre_execute(deny_rm)


def deny_rm(execution: ToolExecution, next: object) -> PreToolDecision:
    if execution["name"] == "rm":
        return {"kind": "deny", "reason": "nothing is removed here"}
    return {"kind": "allow"}


def picture(args: object, execution: ToolExecution) -> list[ContentBlock]:
    """A picture of one pixel, and where there is another."""
    return [
        {"type": "image", "url": f"data:image/png;base64,{PNG}"},
        {"type": "image", "url": "https://example.org/a.png"},
    ]


def wait(args: object, execution: ToolExecution) -> str:
    """Wait until the call is cancelled."""
    global _state
    _state = "waiting"
    while not execution["signal"].is_set():
        _hurry.wait(0.01)
    _state = "cancelled"
    return "nobody reads this"


def state(args: object, execution: ToolExecution) -> str:
    """What became of `wait`."""
    return _state


def rm(args: object, execution: ToolExecution) -> str:
    """Remove everything."""
    raise AssertionError("it was denied")
