"""`define_tool`: a spec and a function become a tool."""

from collections.abc import Callable
from functools import partial
from typing import cast, overload

from .errors import ToolArgsError
from .json_schema import json_schema_of
from .schema import A, Spec, require_spec
from .spec_faults import ASYNC_BODY, tool_name_fault, what_is
from .validation import Validator
from .vocabulary import (
    SchemaSpec,
    ToolCallView,
    ToolDefinition,
    ToolExecuteReturn,
    ToolExecution,
    ToolResult,
    ToolResultView,
)

_CO_COROUTINE = 0x80  # inspect's numbers, without importing inspect
_CO_ASYNC_GENERATOR = 0x200


@overload
def define_tool(
    *,
    name: str,
    description: str,
    parameters: Spec[A] | type[A] | SchemaSpec,
    execute: Callable[[A, ToolExecution], ToolExecuteReturn],
    present_call: Callable[[A], ToolCallView | None] | None = None,
    present_result: Callable[[A, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
) -> ToolDefinition: ...


@overload
def define_tool(
    *,
    name: str,
    description: str | None = None,
    parameters: Spec[A] | type[A] | SchemaSpec,
    present_call: Callable[[A], ToolCallView | None] | None = None,
    present_result: Callable[[A, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
) -> Callable[[Callable[[A, ToolExecution], ToolExecuteReturn]], ToolDefinition]: ...


def define_tool(
    *,
    name: str,
    description: str | None = None,
    parameters: Spec[A] | type[A] | SchemaSpec,
    execute: Callable[[A, ToolExecution], ToolExecuteReturn] | None = None,
    present_call: Callable[[A], ToolCallView | None] | None = None,
    present_result: Callable[[A, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
) -> ToolDefinition | Callable[[Callable[[A, ToolExecution], ToolExecuteReturn]], ToolDefinition]:
    """A tool whose arguments are checked: a plain dict for `ToolRegistry.register`.

    name: 1 to 64 of A-Z a-z 0-9 _ and -.
    description: what the model is told; by default the docstring of the decorated function.
    parameters: the spec of the arguments, which is copied (later edits change nothing), or a
        TypedDict class.
    execute: the body, `execute(args, execution)`, called with arguments that fit the spec.
        Undeclared keys stay in them, defaults are not filled in, an integer is an `int`.
        Without it, `define_tool` is a decorator for the body.
    present_call, present_result: presenters, called with arguments that fit the spec.
    strict: whether the provider is to enforce the schema; None leaves it to the provider.

    The definition's own `execute` raises ToolArgsError for arguments that do not fit; its
    presenters return None for them. Raises SchemaError, with all faults at once, for a bad name,
    a malformed spec, an `async def` body or a missing description.
    """

    def build(body: Callable[[A, ToolExecution], ToolExecuteReturn]) -> ToolDefinition:
        text = _docstring(body) if description is None else description
        spec = _well_formed_spec(name, text, parameters, body)
        validator = Validator(spec)

        # `validator.check` is asked here and not in `accept` alone: a valid call, the usual one,
        # is then one call shorter.
        def checked_execute(args: object, execution: ToolExecution) -> ToolExecuteReturn:
            if not validator.check(args):
                args = validator.accept(args)
            return body(args, execution)  # type: ignore[arg-type]  # what fits the spec is an A

        definition: ToolDefinition = {
            "name": name,
            "description": cast(str, text),
            "parameters": json_schema_of(spec),
            "execute": checked_execute,
        }
        if strict is not None:
            definition["strict"] = strict
        if present_call is not None:
            definition["present_call"] = _checked_presenter(present_call, validator)
        if present_result is not None:
            definition["present_result"] = _checked_result_presenter(present_result, validator)
        return definition

    return build if execute is None else build(execute)


def _well_formed_spec(
    name: str, description: str | None, parameters: object, body: object
) -> SchemaSpec:
    """The spec of a tool's arguments; SchemaError with all that is wrong with its definition."""
    faults = []
    name_fault = tool_name_fault(name)
    if name_fault is not None:
        faults.append(name_fault)
    if description is None:
        faults.append("a tool must have a description: pass one, or give the function a docstring")
    elif not isinstance(description, str):
        faults.append(f"a tool's description must be text, not {what_is(description)}")
    if _is_async(body):
        faults.append(ASYNC_BODY)
    elif not callable(body):
        faults.append(f'"execute" must be a function, not {what_is(body)}')
    return require_spec(parameters, tool_name=str(name)[:70], faults=faults)


def _checked_presenter(
    present: Callable[[A], ToolCallView | None], validator: Validator
) -> Callable[[object], ToolCallView | None]:
    def checked(args: object) -> ToolCallView | None:
        try:
            fitting = validator.accept(args)
        except ToolArgsError:
            return None
        return present(cast(A, fitting))

    return checked


def _checked_result_presenter(
    present: Callable[[A, ToolResult], ToolResultView | None], validator: Validator
) -> Callable[[object, ToolResult], ToolResultView | None]:
    def checked(args: object, result: ToolResult) -> ToolResultView | None:
        try:
            fitting = validator.accept(args)
        except ToolArgsError:
            return None
        return present(cast(A, fitting), result)

    return checked


def _docstring(body: object) -> str | None:
    docstring = getattr(body, "__doc__", None)
    if not isinstance(docstring, str):
        return None
    from inspect import cleandoc  # dear to import, and needed when tools are defined this way

    return cleandoc(docstring)


def _is_async(body: object) -> bool:
    """Whether calling it gives a coroutine or an async generator."""
    while isinstance(body, partial):
        body = body.func
    code = getattr(body, "__code__", None) or getattr(
        getattr(type(body), "__call__", None), "__code__", None
    )
    flags = getattr(code, "co_flags", 0)
    return bool(flags & (_CO_COROUTINE | _CO_ASYNC_GENERATOR))
