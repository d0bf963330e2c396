"""What is wrong with a tool beside its spec."""

from typing import Final

import specs
from dsh_tools import InferArgs, ToolExecution, define_tool, schema

PARAMS = schema({"path": {"type": "string", "required": True}})
NAME: Final = "read file"
LONG: Final = "x" * 65


def run(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    return args["path"]


async def run_async(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    return args["path"]


define_tool(name="read", description="d", parameters=PARAMS, execute=run)
define_tool(name="read file", description="d", parameters=PARAMS, execute=run)
# E: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not "read file"  [dsh-schema]
define_tool(name="", description="d", parameters=PARAMS, execute=run)
# E: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not ""  [dsh-schema]
define_tool(name="lesen_für", description="d", parameters=PARAMS, execute=run)
# E: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not "lesen_für"  [dsh-schema]
define_tool(
    name="a_name_that_is_longer_than_any_provider_lets_a_name_of_a_function_be",
    # E: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not "a_name_that_is_longer_than_any_provider_lets_a_name_of_a_function_be"  [dsh-schema]
    description="d",
    parameters=PARAMS,
    execute=run,
)
define_tool(name=NAME, description="d", parameters=PARAMS, execute=run)
# E: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not "read file"  [dsh-schema]
define_tool(name=specs.NAME, description="d", parameters=PARAMS, execute=run)
define_tool(name=LONG, description="d", parameters=PARAMS, execute=run)
# E: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"  [dsh-schema]
define_tool(name="read", description="d", parameters=PARAMS, execute=run_async)
# E: a tool is called synchronously and cannot be an async function: write a def and run the coroutine inside it, with asyncio.run or asyncio.run_coroutine_threadsafe  [dsh-schema]


@define_tool(name="bad name", parameters=PARAMS)
# E: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not "bad name"  [dsh-schema]
def decorated(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    """Decorated."""
    return args["path"]


@define_tool(name="read", parameters=PARAMS)
# E: a tool is called synchronously and cannot be an async function: write a def and run the coroutine inside it, with asyncio.run or asyncio.run_coroutine_threadsafe  [dsh-schema]
async def decorated_async(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    """Decorated."""
    return args["path"]


def inside() -> object:
    @define_tool(name="read", parameters=PARAMS)
    # E: a tool is called synchronously and cannot be an async function: write a def and run the coroutine inside it, with asyncio.run or asyncio.run_coroutine_threadsafe  [dsh-schema]
    async def inner(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
        """Decorated."""
        return args["path"]

    return inner


class Tools:
    if PARAMS:

        @define_tool(name="read", parameters=PARAMS)
        # E: a tool is called synchronously and cannot be an async function: write a def and run the coroutine inside it, with asyncio.run or asyncio.run_coroutine_threadsafe  [dsh-schema]
        async def conditional(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
            """Decorated."""
            return args["path"]


class Methods:
    async def method(self, args: InferArgs[PARAMS], execution: ToolExecution) -> str:
        return args["path"]

    def sync(self, args: InferArgs[PARAMS], execution: ToolExecution) -> str:
        return args["path"]


define_tool(name="read", description="d", parameters=PARAMS, execute=Methods().sync)
define_tool(name="read", description="d", parameters=PARAMS, execute=Methods().method)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[InferArgs[PARAMS], ToolExecution], Coroutine[Any, Any, str]]"; expected "Callable[[InferArgs[PARAMS], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
define_tool(name="read", description="d", parameters=PARAMS, execute=run, nonsense=1)
# E: No overload variant of "define_tool" matches argument types "str", "str", "Spec[InferArgs[PARAMS]]", "Callable[[InferArgs[PARAMS], ToolExecution], str]", "int"  [call-overload]
# E: Unexpected keyword argument "nonsense" for overloaded function "define_tool"  [call-overload]
# N:     def [A, R] define_tool(*, name: str, description: str | None = ..., parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, output: Spec[R] | type[R] | dict[str, SchemaProp] | SchemaObject, render: Callable[[A, R], str | list[ContentBlock]] | None = ..., hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> Callable[[Callable[[A, ToolExecution], R]], ToolDefinition]
# N:     def [A, R] define_tool(*, name: str, description: str, parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, execute: Callable[[A, ToolExecution], R], output: Spec[R] | type[R] | dict[str, SchemaProp] | SchemaObject, render: Callable[[A, R], str | list[ContentBlock]] | None = ..., hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> ToolDefinition
# N:     def [A] define_tool(*, name: str, description: str | None = ..., parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> Callable[[Callable[[A, ToolExecution], str | list[ContentBlock] | ToolOutput | None]], ToolDefinition]
# N:     def define_tool(*, name: str, description: str, parameters: Spec[InferArgs[PARAMS]], execute: Callable[[InferArgs[PARAMS], ToolExecution], str | list[ContentBlock] | ToolOutput | None], hints: ToolHints | None = ..., parallel: bool | Callable[[InferArgs[PARAMS]], bool] | None = ..., present_call: Callable[[InferArgs[PARAMS]], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[InferArgs[PARAMS], ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> ToolDefinition
# N: Possible overload variants:
define_tool(name="read", description="d", parameters=PARAMS, execute=run, strict="yes")
# E: No overload variant of "define_tool" matches argument types "str", "str", "Spec[InferArgs[PARAMS]]", "Callable[[InferArgs[PARAMS], ToolExecution], str]", "str"  [call-overload]
# N:     def [A, R] define_tool(*, name: str, description: str | None = ..., parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, output: Spec[R] | type[R] | dict[str, SchemaProp] | SchemaObject, render: Callable[[A, R], str | list[ContentBlock]] | None = ..., hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> Callable[[Callable[[A, ToolExecution], R]], ToolDefinition]
# N:     def [A, R] define_tool(*, name: str, description: str, parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, execute: Callable[[A, ToolExecution], R], output: Spec[R] | type[R] | dict[str, SchemaProp] | SchemaObject, render: Callable[[A, R], str | list[ContentBlock]] | None = ..., hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> ToolDefinition
# N:     def [A] define_tool(*, name: str, description: str | None = ..., parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> Callable[[Callable[[A, ToolExecution], str | list[ContentBlock] | ToolOutput | None]], ToolDefinition]
# N:     def define_tool(*, name: str, description: str, parameters: Spec[InferArgs[PARAMS]], execute: Callable[[InferArgs[PARAMS], ToolExecution], str | list[ContentBlock] | ToolOutput | None], hints: ToolHints | None = ..., parallel: bool | Callable[[InferArgs[PARAMS]], bool] | None = ..., present_call: Callable[[InferArgs[PARAMS]], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[InferArgs[PARAMS], ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> ToolDefinition
# N: Possible overload variants:
define_tool(name=5, description="d", parameters=PARAMS, execute=run)
# E: No overload variant of "define_tool" matches argument types "int", "str", "Spec[InferArgs[PARAMS]]", "Callable[[InferArgs[PARAMS], ToolExecution], str]"  [call-overload]
# E: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not an int  [dsh-schema]
# N:     def [A, R] define_tool(*, name: str, description: str | None = ..., parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, output: Spec[R] | type[R] | dict[str, SchemaProp] | SchemaObject, render: Callable[[A, R], str | list[ContentBlock]] | None = ..., hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> Callable[[Callable[[A, ToolExecution], R]], ToolDefinition]
# N:     def [A, R] define_tool(*, name: str, description: str, parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, execute: Callable[[A, ToolExecution], R], output: Spec[R] | type[R] | dict[str, SchemaProp] | SchemaObject, render: Callable[[A, R], str | list[ContentBlock]] | None = ..., hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> ToolDefinition
# N:     def [A] define_tool(*, name: str, description: str | None = ..., parameters: Spec[A] | type[A] | dict[str, SchemaProp] | SchemaObject, hints: ToolHints | None = ..., parallel: bool | Callable[[A], bool] | None = ..., present_call: Callable[[A], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[A, ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> Callable[[Callable[[A, ToolExecution], str | list[ContentBlock] | ToolOutput | None]], ToolDefinition]
# N:     def define_tool(*, name: str, description: str, parameters: Spec[InferArgs[PARAMS]], execute: Callable[[InferArgs[PARAMS], ToolExecution], str | list[ContentBlock] | ToolOutput | None], hints: ToolHints | None = ..., parallel: bool | Callable[[InferArgs[PARAMS]], bool] | None = ..., present_call: Callable[[InferArgs[PARAMS]], GenericCallView | TerminalCallView | DiffCallView | None] | None = ..., present_result: Callable[[InferArgs[PARAMS], ToolResult], GenericResultView | TerminalResultView | DiffResultView | None] | None = ..., strict: bool | None = ..., wire: Mapping[str, Mapping[str, object]] | None = ...) -> ToolDefinition
# N: Possible overload variants:
