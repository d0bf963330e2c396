"""What a body returns is what `output` says, wherever the spec stands."""

from typing import TypedDict

from dsh_tools import InferArgs, Spec, ToolExecution, define_tool, schema

PATH = schema({"path": {"type": "string", "required": True}})
COUNT = schema({"n": {"type": "integer", "required": True}, "note": {"type": "string"}})


class Count(TypedDict):
    n: int


define_tool(
    name="inline",
    description="d",
    parameters={"path": {"type": "string", "required": True}},
    output={"n": {"type": "integer", "required": True}},
    execute=lambda args, execution: {"n": len(args["path"])},
    render=lambda args, value: f"{args['path']}: {value['n'] + 1}",
)
define_tool(
    name="wrong",
    description="d",
    parameters=PATH,
    output={"n": {"type": "integer", "required": True}},
    execute=lambda args, execution: {"n": args["path"]},
    # E: Incompatible types (expression has type "str", TypedDict item "n" has type "int")  [typeddict-item]
)
define_tool(
    name="wrong_render",
    description="d",
    parameters=PATH,
    output=COUNT,
    execute=lambda args, execution: {"n": 3},
    render=lambda args, value: value["m"],
    # E: TypedDict "InferArgs[COUNT]" has no key "m"  [typeddict-item]
)


@define_tool(name="decorated", parameters=PATH, output=COUNT)
def decorated(args: InferArgs[PATH], execution: ToolExecution) -> InferArgs[COUNT]:
    """Count."""
    if not args["path"]:
        return {"n": 0, "note": 5}
        # E: Incompatible types (expression has type "int", TypedDict item "note" has type "str")  [typeddict-item]
    return {"n": len(args["path"])}


@define_tool(name="other", parameters=PATH, output=COUNT)
# E: Argument 1 has incompatible type "Callable[[InferArgs[PATH], ToolExecution], str]"; expected "Callable[[InferArgs[PATH], ToolExecution], InferArgs[COUNT]]"  [arg-type]
def other(args: InferArgs[PATH], execution: ToolExecution) -> str:
    """Count."""
    return ""


@define_tool(name="from_class", parameters=PATH, output=Count, render=lambda args, value: str(value["n"]))
def from_class(args: InferArgs[PATH], execution: ToolExecution) -> Count:
    """Count."""
    return {"n": 3}


def count(args: InferArgs[PATH], execution: ToolExecution) -> Count:
    return {"n": 3}


define_tool(name="named", description="d", parameters=PATH, output=Count, execute=count)
define_tool(
    name="faulty",
    description="d",
    parameters=PATH,
    output={"n": {"type": "int"}},
    # E: "n": unknown type "int", did you mean "integer"?  [dsh-schema]
    execute=lambda args, execution: {},
)


def of_any_spec(spec: Spec[Count]) -> None:
    define_tool(name="passed", description="d", parameters=PATH, output=spec, execute=count)
