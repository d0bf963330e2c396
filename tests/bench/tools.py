"""A hundred tools, or as many as are asked for: five described parameters each, in ours and as
plain functions."""

from collections.abc import Callable
from typing import Any

from dsh_tools import SchemaSpec, ToolDefinition, ToolRegistry, define_tool

DESCRIPTION = "Search the files of the project for a pattern."


def spec() -> SchemaSpec:
    return {
        "pattern": {"type": "string", "required": True, "description": "A regular expression."},
        "path": {"type": "string", "description": "Where to start, by default the root."},
        "limit": {"type": "integer", "description": "How many matches to show at most."},
        "hidden": {"type": "boolean", "description": "Whether to look at hidden files too."},
        "globs": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Patterns of file names to look at.",
        },
    }


def define(name: str, parameters: SchemaSpec) -> ToolDefinition:
    return define_tool(
        name=name, description=DESCRIPTION, parameters=parameters, execute=_found_nothing
    )


def _found_nothing(args: object, execution: object) -> str:
    return ""


def registry(size: int) -> ToolRegistry:
    tools = ToolRegistry()
    for number in range(size):
        tools.register(define(f"search_{number}", spec()))
    return tools


def functions(size: int) -> list[Callable[..., Any]]:
    """As many functions, for those who derive a tool from one."""
    return [_function(number) for number in range(size)]


def _function(number: int) -> Callable[..., Any]:
    def search(
        pattern: str,
        path: str = ".",
        limit: int = 100,
        hidden: bool = False,
        globs: list[str] | None = None,
    ) -> str:
        """Search the files of the project for a pattern.

        Args:
            pattern: A regular expression.
            path: Where to start, by default the root.
            limit: How many matches to show at most.
            hidden: Whether to look at hidden files too.
            globs: Patterns of file names to look at.
        """
        return ""

    search.__name__ = f"search_{number}"
    return search
