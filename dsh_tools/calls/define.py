"""`define_tool`: a spec and a function become a tool."""

from collections.abc import Callable
from functools import partial
from typing import cast, overload

from ..errors import ToolArgsError
from ..json_values import plain_json, what_is
from ..schema.faults import ASYNC_BODY, NO_DESCRIPTION, tool_name_fault
from ..schema.lowering import json_schema_of
from ..schema.spec import A, Spec, require_spec
from ..schema.validation.validator import Validator
from ..vocabulary import (
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
        given: dict[str, object] = {
            "name": name,
            "description": _docstring(body) if description is None else description,
            "parameters": parameters,
            "strict": strict,
            "execute": body,
            "present_call": present_call,
            "present_result": present_result,
        }
        tool = {key: value for key, value in given.items() if value is not None}
        faults = definition_faults(tool)
        spec = plain_json(require_spec(parameters, tool_name=name, faults=faults))
        validator = Validator(spec)
        tool["parameters"] = json_schema_of(spec)
        tool["execute"] = _checked_body(body, validator)
        for key, present in (("present_call", present_call), ("present_result", present_result)):
            if present is not None:
                tool[key] = _checked_presenter(present, validator)
        return cast(ToolDefinition, tool)

    return build if execute is None else build(execute)


def definition_faults(tool: dict[str, object]) -> list[str]:
    """What is wrong with a tool's definition, its parameters aside."""
    faults = [tool_name_fault(tool.get("name"))]
    description, strict = tool.get("description"), tool.get("strict", False)
    if description is None:
        faults.append(NO_DESCRIPTION)
    elif not isinstance(description, str):
        faults.append(f"a tool's description must be text, not {what_is(description)}")
    if not isinstance(strict, bool):
        faults.append(f'"strict" must be True, False or absent, not {what_is(strict)}')
    for key in ("execute", "present_call", "present_result"):
        if key == "execute" or key in tool:
            faults.append(_function_fault(key, tool.get(key)))
    return [fault for fault in faults if fault is not None]


def _function_fault(key: str, function: object) -> str | None:
    if not callable(function):
        return f'"{key}" must be a function, not {what_is(function)}'
    if _is_async(function):
        return ASYNC_BODY if key == "execute" else f'"{key}" cannot be an async function'
    return None


def _checked_body(
    body: Callable[[A, ToolExecution], ToolExecuteReturn], validator: Validator
) -> Callable[[object, ToolExecution], ToolExecuteReturn]:
    # `validator.check` is asked here and not in `accept` alone: a valid call, the usual one, is
    # then one call shorter.
    def checked(args: object, execution: ToolExecution) -> ToolExecuteReturn:
        if not validator.check(args):
            args = validator.accept(args)
        return body(args, execution)  # type: ignore[arg-type]  # what fits the spec is an A

    return checked


def _checked_presenter(
    present: Callable[..., object], validator: Validator
) -> Callable[..., object]:
    def checked(args: object, *result: ToolResult) -> object:
        try:
            fitting = validator.accept(args)
        except ToolArgsError:
            return None
        return present(fitting, *result)

    return checked


def _docstring(body: object) -> str | None:
    docstring = getattr(_unwrapped(body), "__doc__", None)
    if not isinstance(docstring, str) or not docstring.strip():
        return None
    from inspect import cleandoc  # dear to import, and needed when tools are defined this way

    return cleandoc(docstring)


def _is_async(function: object) -> bool:
    """Whether calling it gives a coroutine or an async generator."""
    function = _unwrapped(function)
    code = getattr(function, "__code__", None) or getattr(
        getattr(type(function), "__call__", None), "__code__", None
    )
    flags = getattr(code, "co_flags", 0)
    return bool(flags & (_CO_COROUTINE | _CO_ASYNC_GENERATOR))


def _unwrapped(function: object) -> object:
    """The function that stands behind `functools.partial` and `staticmethod`."""
    while isinstance(function, (partial, staticmethod)):
        function = function.func if isinstance(function, partial) else function.__func__
    return function
