"""`define_tool` as a decorator."""

from typing import TypedDict, reveal_type

from dsh_tools import InferArgs, ToolDefinition, ToolExecution, define_tool, schema

PARAMS = schema({"path": {"type": "string", "required": True}, "limit": {"type": "integer"}})
OTHER = schema({"file": {"type": "string", "required": True}})


class Wanted(TypedDict):
    path: str


@define_tool(name="read", parameters=PARAMS)
def read(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    """Reads a file."""
    reveal_type(args)  # R: TypedDict(decorator.InferArgs[PARAMS], {'path': str, 'limit'?: int})
    return args["path"]


definition: ToolDefinition = read


@define_tool(name="read", parameters=PARAMS)
# E: Argument 1 has incompatible type "Callable[[InferArgs[OTHER], ToolExecution], str]"; expected "Callable[[InferArgs[PARAMS], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
def for_another_spec(args: InferArgs[OTHER], execution: ToolExecution) -> str:
    """Read."""
    return args["file"]


@define_tool(name="read", parameters={"path": {"type": "string", "required": True}})
def inline(args: Wanted, execution: ToolExecution) -> str:
    """Read."""
    return args["path"]


@define_tool(name="read", parameters={"path": {"type": "integer", "required": True}})
# E: Argument 1 has incompatible type "Callable[[Wanted, ToolExecution], str]"; expected "Callable[[TypedDict({'path': int}), ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
def inline_wrong(args: Wanted, execution: ToolExecution) -> str:
    """Read."""
    return args["path"]


@define_tool(name="read", parameters=PARAMS, present_call=lambda args: args["path"])
# E: Argument "present_call" to "define_tool" has incompatible type "Callable[[InferArgs[PARAMS]], str]"; expected "Callable[[InferArgs[PARAMS]], GenericCallView | TerminalCallView | DiffCallView | None] | None"  [arg-type]
# E: Incompatible return value type (got "str", expected "GenericCallView | TerminalCallView | DiffCallView | None")  [return-value]
def with_presenter(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    """Read."""
    return args["path"]


class Tools:
    @staticmethod
    @define_tool(name="read", parameters=PARAMS)
    def read(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
        """Read."""
        return args["pat"]
        # E: Returning Any from function declared to return "str"  [no-any-return]
        # E: TypedDict "InferArgs[PARAMS]" has no key "pat"  [typeddict-item]
        # N: Did you mean "path"?


def local() -> object:
    params = schema({"depth": {"type": "integer", "required": True}})

    @define_tool(name="walk", parameters=params)
    def walk(args: InferArgs[params], execution: ToolExecution) -> str:
        """Read."""
        reveal_type(args)  # R: TypedDict({'depth': int})
        return args["depht"]
        # E: "depht" is not a valid TypedDict key; expected one of ("depth")  [misc]
        # E: Returning Any from function declared to return "str"  [no-any-return]

    return walk


try:

    @define_tool(name="tried", parameters=PARAMS)
    # E: a tool is called synchronously and cannot be an async function: write a def and run the coroutine inside it, with asyncio.run or asyncio.run_coroutine_threadsafe  [dsh-schema]
    async def tried(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
        """Read."""
        return args["path"]
finally:
    pass


@define_tool(name="silent", parameters=PARAMS)
# E: a tool must have a description: pass one, or give the function a docstring  [dsh-schema]
def silent(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    return args["path"]


@define_tool(name="blank", parameters=PARAMS)
# E: a tool must have a description: pass one, or give the function a docstring  [dsh-schema]
def blank(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    """ """
    return args["path"]
