"""`define_tool` and `define_raw_tool`: a schema and a function become a tool."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias, cast, get_type_hints, overload

from ..errors import SchemaError, ToolArgsError, listed_violations
from ..json_values import copy_json, is_json, plain_json, what_is
from ..schema.faults import ASYNC_BODY, NO_DESCRIPTION, tool_name_fault
from ..schema.lowering import json_schema_of
from ..schema.spec import A, R, Spec, require_spec
from ..schema.validation.validator import Validator
from ..vocabulary import (
    ContentBlock,
    JsonValue,
    SchemaSpec,
    ToolCallView,
    ToolDefinition,
    ToolExecuteReturn,
    ToolExecution,
    ToolHints,
    ToolOutput,
    ToolResult,
    ToolResultView,
)
from .outcome import WrongOutput, close_awaitable

_CO_COROUTINE = 0x80  # inspect's numbers, without importing inspect
_CO_ASYNC_GENERATOR = 0x200

_Wire: TypeAlias = Mapping[str, Mapping[str, object]]


@overload
def define_tool(
    *,
    name: str,
    description: str,
    parameters: Spec[A] | type[A] | SchemaSpec,
    execute: Callable[[A, ToolExecution], ToolExecuteReturn],
    hints: ToolHints | None = None,
    parallel: bool | Callable[[A], bool] | None = None,
    present_call: Callable[[A], ToolCallView | None] | None = None,
    present_result: Callable[[A, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> ToolDefinition: ...


@overload
def define_tool(
    *,
    name: str,
    description: str | None = None,
    parameters: Spec[A] | type[A] | SchemaSpec,
    hints: ToolHints | None = None,
    parallel: bool | Callable[[A], bool] | None = None,
    present_call: Callable[[A], ToolCallView | None] | None = None,
    present_result: Callable[[A, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> Callable[[Callable[[A, ToolExecution], ToolExecuteReturn]], ToolDefinition]: ...


@overload
def define_tool(
    *,
    name: str,
    description: str,
    parameters: Spec[A] | type[A] | SchemaSpec,
    execute: Callable[[A, ToolExecution], R],
    output: Spec[R] | type[R] | SchemaSpec,
    render: Callable[[A, R], str | list[ContentBlock]] | None = None,
    hints: ToolHints | None = None,
    parallel: bool | Callable[[A], bool] | None = None,
    present_call: Callable[[A], ToolCallView | None] | None = None,
    present_result: Callable[[A, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> ToolDefinition: ...


@overload
def define_tool(
    *,
    name: str,
    description: str | None = None,
    parameters: Spec[A] | type[A] | SchemaSpec,
    output: Spec[R] | type[R] | SchemaSpec,
    render: Callable[[A, R], str | list[ContentBlock]] | None = None,
    hints: ToolHints | None = None,
    parallel: bool | Callable[[A], bool] | None = None,
    present_call: Callable[[A], ToolCallView | None] | None = None,
    present_result: Callable[[A, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> Callable[[Callable[[A, ToolExecution], R]], ToolDefinition]: ...


def define_tool(
    *,
    name: str,
    description: str | None = None,
    parameters: Spec[A] | type[A] | SchemaSpec,
    execute: Callable[[A, ToolExecution], Any] | None = None,
    output: Spec[R] | type[R] | SchemaSpec | None = None,
    render: Callable[[A, R], str | list[ContentBlock]] | None = None,
    hints: ToolHints | None = None,
    parallel: bool | Callable[[A], bool] | None = None,
    present_call: Callable[[A], ToolCallView | None] | None = None,
    present_result: Callable[[A, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> ToolDefinition | Callable[[Callable[[A, ToolExecution], Any]], ToolDefinition]:
    """A tool whose arguments are checked: a plain dict for `ToolRegistry.register`.

    name: 1 to 64 of A-Z a-z 0-9 _ and -.
    description: what the model is told; by default the docstring of the decorated function.
    parameters: the spec of the arguments, which is copied (later edits change nothing), or a
        TypedDict class.
    execute: the body, `execute(args, execution)`, called with arguments that fit the spec.
        Undeclared keys stay in them, defaults are not filled in, an integer is an `int`.
        Without it, `define_tool` is a decorator for the body.
    output: the spec of what the body returns, in any form that `parameters` may have. The value
        is then checked, kept as `value` of the result and shown to the model. Without it the
        body returns what a model reads (`ToolExecuteReturn`).
    render: `render(args, value)`, the text or the blocks that show the model such a value; by
        default it reads the value as JSON.
    hints, strict, wire: see `ToolSchema`; None for nothing.
    parallel: True when calls may run beside others, or `parallel(args)`, which says so of one;
        None for never.
    present_call, present_result: presenters, called with arguments that fit the spec.

    The definition's own `execute` raises ToolArgsError for arguments that do not fit; its
    presenters return None for them. Raises SchemaError, with all faults at once, for a bad name,
    a malformed spec, an `async def` body or a missing description.
    """

    def build(body: Callable[[A, ToolExecution], Any]) -> ToolDefinition:
        tool = _given(
            name=name,
            description=_docstring(body) if description is None else description,
            strict=strict,
            hints=hints,
            wire=wire,
            execute=body,
            render=render,
            parallel=parallel,
            present_call=present_call,
            present_result=present_result,
        )
        faults = definition_faults(tool)
        returned = None if output is None else _lowered_output(output, faults)
        json_schema = json_schema_of(require_spec(parameters, name, faults))
        return _checked_tool(tool, json_schema, returned, formats=True)

    return build if execute is None else build(execute)


_RawArgs: TypeAlias = dict[str, JsonValue]


@overload
def define_raw_tool(
    *,
    name: str,
    description: str,
    parameters: Mapping[str, object],
    execute: Callable[[_RawArgs, ToolExecution], ToolExecuteReturn],
    hints: ToolHints | None = None,
    parallel: bool | Callable[[_RawArgs], bool] | None = None,
    present_call: Callable[[_RawArgs], ToolCallView | None] | None = None,
    present_result: Callable[[_RawArgs, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> ToolDefinition: ...


@overload
def define_raw_tool(
    *,
    name: str,
    description: str | None = None,
    parameters: Mapping[str, object],
    hints: ToolHints | None = None,
    parallel: bool | Callable[[_RawArgs], bool] | None = None,
    present_call: Callable[[_RawArgs], ToolCallView | None] | None = None,
    present_result: Callable[[_RawArgs, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> Callable[[Callable[[_RawArgs, ToolExecution], ToolExecuteReturn]], ToolDefinition]: ...


@overload
def define_raw_tool(
    *,
    name: str,
    description: str,
    parameters: Mapping[str, object],
    execute: Callable[[_RawArgs, ToolExecution], object],
    output: Mapping[str, object],
    render: Callable[[_RawArgs, Any], str | list[ContentBlock]] | None = None,
    hints: ToolHints | None = None,
    parallel: bool | Callable[[_RawArgs], bool] | None = None,
    present_call: Callable[[_RawArgs], ToolCallView | None] | None = None,
    present_result: Callable[[_RawArgs, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> ToolDefinition: ...


@overload
def define_raw_tool(
    *,
    name: str,
    description: str | None = None,
    parameters: Mapping[str, object],
    output: Mapping[str, object],
    render: Callable[[_RawArgs, Any], str | list[ContentBlock]] | None = None,
    hints: ToolHints | None = None,
    parallel: bool | Callable[[_RawArgs], bool] | None = None,
    present_call: Callable[[_RawArgs], ToolCallView | None] | None = None,
    present_result: Callable[[_RawArgs, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> Callable[[Callable[[_RawArgs, ToolExecution], object]], ToolDefinition]: ...


def define_raw_tool(
    *,
    name: str,
    description: str | None = None,
    parameters: Mapping[str, object],
    execute: Callable[[_RawArgs, ToolExecution], Any] | None = None,
    output: Mapping[str, object] | None = None,
    render: Callable[[_RawArgs, Any], str | list[ContentBlock]] | None = None,
    hints: ToolHints | None = None,
    parallel: bool | Callable[[_RawArgs], bool] | None = None,
    present_call: Callable[[_RawArgs], ToolCallView | None] | None = None,
    present_result: Callable[[_RawArgs, ToolResult], ToolResultView | None] | None = None,
    strict: bool | None = None,
    wire: _Wire | None = None,
) -> ToolDefinition | Callable[[Callable[[_RawArgs, ToolExecution], Any]], ToolDefinition]:
    """A tool whose schema comes from elsewhere at run time: `define_tool` for JSON Schemas.

    parameters: any JSON Schema object. Arguments are an object in any case, and are checked by
        what `validate_value` checks: a keyword that it does not know refuses nothing, and
        `unchecked_keywords` names it.
    output: any JSON Schema object too, of whatever the body returns.

    All else is as in `define_tool`, SchemaError included.
    """

    def build(body: Callable[[_RawArgs, ToolExecution], Any]) -> ToolDefinition:
        tool = _given(
            name=name,
            description=_docstring(body) if description is None else description,
            strict=strict,
            hints=hints,
            wire=wire,
            execute=body,
            render=render,
            parallel=parallel,
            present_call=present_call,
            present_result=present_result,
        )
        faults = [*definition_faults(tool), *schema_faults("parameters", parameters)]
        if output is not None:
            faults += schema_faults("output", output)
        if faults:
            raise SchemaError(faults, name if isinstance(name, str) else None)
        returned = None if output is None else plain_json(output)
        return _checked_tool(tool, plain_json(parameters), returned, formats=False)

    return build if execute is None else build(execute)


def _given(**options: object) -> dict[str, object]:
    return {key: value for key, value in options.items() if value is not None}


def _lowered_output(output: object, faults: list[str]) -> Mapping[str, object] | None:
    """The JSON Schema of an output; what is wrong with its spec joins the faults."""
    try:
        return json_schema_of(require_spec(output))
    except SchemaError as error:
        faults += [f"output: {violation}" for violation in error.violations]
        return None


def _checked_tool(
    given: dict[str, Any],
    parameters: Mapping[str, object],
    output: Mapping[str, object] | None,
    *,
    formats: bool,
) -> ToolDefinition:
    """The definition of a tool that is without faults, around functions that only ever see
    arguments that fit."""
    # A raw schema may leave it out that arguments are an object, as they are to every body.
    validator = Validator({**parameters, "type": "object"}, formats=formats)
    body, render = given.pop("execute"), given.pop("render", None)
    tool: dict[str, Any] = {
        "name": given["name"],
        "description": given["description"],
        "parameters": parameters,
    }
    if "strict" in given:
        tool["strict"] = given["strict"]
    if output is not None:
        tool["output_schema"] = output
        body = _valued(body, Validator(output, formats=formats), render)
    for key in ("hints", "wire"):
        if key in given:
            tool[key] = plain_json(given[key])
    tool["execute"] = _checked_body(body, validator)
    tool["violations"] = _violations(validator)
    if callable(given.get("parallel")):
        tool["parallel"] = _checked(given["parallel"], validator, otherwise=False)
    elif "parallel" in given:
        tool["parallel"] = given["parallel"]
    for key in ("present_call", "present_result"):
        if key in given:
            tool[key] = _checked(given[key], validator, otherwise=None)
    return cast(ToolDefinition, tool)


# --- what is wrong with a definition ------------------------------------------------------

_FUNCTIONS: Final = ("execute", "violations", "render", "present_call", "present_result")


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
    for key in _FUNCTIONS:
        if key == "execute" or key in tool:
            faults.append(_function_fault(key, tool.get(key)))
    if not isinstance(tool.get("parallel", False), bool):
        faults.append(_function_fault("parallel", tool["parallel"]))
    if "hints" in tool:
        faults.append(_hints_fault(tool["hints"]))
    if "wire" in tool:
        faults.append(_wire_fault(tool["wire"]))
    return [fault for fault in faults if fault is not None]


def schema_faults(key: str, schema: object) -> list[str]:
    """What keeps the value of a key from being a JSON Schema of a tool."""
    if not isinstance(schema, dict):
        return [f'"{key}" must be a JSON Schema, not {what_is(schema)}']
    return [] if is_json(schema) else [f'"{key}" must be JSON all the way down']


def _function_fault(key: str, function: object) -> str | None:
    if not callable(function):
        return f'"{key}" must be a function, not {what_is(function)}'
    if is_async(function):
        return ASYNC_BODY if key == "execute" else f'"{key}" cannot be an async function'
    return None


def _hints_fault(hints: object) -> str | None:
    if not isinstance(hints, dict):
        return f'"hints" must be a dict, not {what_is(hints)}'
    types = get_type_hints(ToolHints)
    for hint, value in hints.items():
        if not isinstance(hint, str) or hint not in types:
            shown = f'"{hint[:70]}"' if isinstance(hint, str) else what_is(hint)
            return f'"hints" may have {", ".join(types)}, not {shown}'
        if not isinstance(value, types[hint]):
            wanted = "text" if types[hint] is str else "True or False"
            return f'the hint "{hint}" must be {wanted}, not {what_is(value)}'
    return None


def _wire_fault(wire: object) -> str | None:
    if not isinstance(wire, dict) or not is_json(wire):
        return '"wire" must be a dict of JSON'
    if not all(isinstance(extra, dict) for extra in wire.values()):
        return '"wire" must hold a dict of extra keys for each adapter'
    return None


# --- the functions of a definition --------------------------------------------------------


def _checked_body(
    body: Callable[[Any, ToolExecution], ToolExecuteReturn], validator: Validator
) -> Callable[[object, ToolExecution], ToolExecuteReturn]:
    # `validator.check` is asked here and not in `accept` alone: a valid call, the usual one, is
    # then one call shorter.
    def checked(args: object, execution: ToolExecution) -> ToolExecuteReturn:
        if not validator.check(args):
            args = validator.accept(args)
        return body(args, execution)

    return checked


def _violations(validator: Validator) -> Callable[[object], list[str]]:
    return lambda args: [] if validator.check(args) else validator.violations(args)


def _checked(
    function: Callable[..., object], validator: Validator, *, otherwise: object
) -> Callable[..., object]:
    """A presenter, or what tells whether calls may overlap, for arguments that fit; for others
    the answer is `otherwise`."""

    def checked(args: object, *result: ToolResult) -> object:
        try:
            fitting = validator.accept(args)
        except ToolArgsError:
            return otherwise
        return function(fitting, *result)

    return checked


def _valued(
    body: Callable[[Any, ToolExecution], object],
    output: Validator,
    render: Callable[[Any, Any], object] | None,
) -> Callable[[Any, ToolExecution], ToolOutput]:
    """A body whose value is checked, kept and shown."""

    def valued(args: object, execution: ToolExecution) -> ToolOutput:
        value = _own_value(body(args, execution), output)
        shown = _json(value) if render is None else render(args, copy_json(value))
        if isinstance(shown, str):
            shown = [{"type": "text", "text": shown}]
        if not isinstance(shown, list):
            close_awaitable(shown)
            text = "it must return text or a list of content blocks"
            raise WrongOutput(f"render returned {what_is(shown)}: {text}")
        return {"content": shown, "value": value}

    return valued


def _own_value(value: object, output: Validator) -> object:
    """A copy of a value that fits. Raises WrongOutput for one that does not."""
    if close_awaitable(value):
        raise WrongOutput("the tool returned an awaitable, which nobody awaits")
    try:
        fitting = output.accept(value)
    except ToolArgsError as error:
        opening = "the tool returned what does not fit its output: "
        violations = [_of_value(violation, value) for violation in error.violations]
        raise WrongOutput(listed_violations(opening, violations)) from None
    if not is_json(fitting):
        raise WrongOutput("the tool returned what is not JSON all the way down")
    return copy_json(fitting, repair=True)


def _of_value(violation: str, value: object) -> str:
    """A violation of the root in words for an output; it is told by there being no members."""
    if isinstance(value, dict):
        return violation
    return violation.replace('"arguments"', "the value", 1)


def _json(value: object) -> str:
    from json import dumps  # importing the package must not load it

    return dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- about functions ----------------------------------------------------------------------


def _docstring(body: object) -> str | None:
    docstring = getattr(_unwrapped(body), "__doc__", None)
    if not isinstance(docstring, str) or not docstring.strip():
        return None
    from inspect import cleandoc  # dear to import, and needed when tools are defined this way

    return cleandoc(docstring)


def is_async(function: object) -> bool:
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
