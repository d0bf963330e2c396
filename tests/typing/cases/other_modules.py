"""Constants of other modules, by every way to import them."""

from typing import reveal_type

import reexporting
import specs
import star
from dsh_tools import InferArgs, ToolExecution, define_tool
from reexporting import COMMON
from specs import PARAMS, Holder
from specs import PARAMS as RENAMED


def direct(
    args: InferArgs[PARAMS],
    renamed: InferArgs[RENAMED],
    dotted: InferArgs[specs.PARAMS],
    reexported: InferArgs[reexporting.PARAMS],
    twice: InferArgs[COMMON],
    starred: InferArgs[star.PARAMS],
    held: InferArgs[Holder.PARAMS],
    far: InferArgs[specs.Holder.PARAMS],
) -> None:
    reveal_type(args)  # R: TypedDict(specs.InferArgs[PARAMS], {'path': str})
    reveal_type(renamed)  # R: TypedDict(specs.InferArgs[PARAMS], {'path': str})
    reveal_type(dotted)  # R: TypedDict(specs.InferArgs[PARAMS], {'path': str})
    reveal_type(reexported)  # R: TypedDict(specs.InferArgs[PARAMS], {'path': str})
    reveal_type(twice)  # R: TypedDict(specs.InferArgs[COMMON], {'verbose'?: bool, 'depth': int})
    reveal_type(starred)  # R: TypedDict(specs.InferArgs[PARAMS], {'path': str})
    reveal_type(held)  # R: TypedDict(specs.Holder.InferArgs[PARAMS], {'held'?: str})
    reveal_type(far)  # R: TypedDict(specs.Holder.InferArgs[PARAMS], {'held'?: str})
    args["pth"]
    # E: TypedDict "InferArgs[PARAMS]" has no key "pth"  [typeddict-item]
    # N: Did you mean "path"?


def run(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    return args["path"]


define_tool(name="a", description="d", parameters=specs.PARAMS, execute=run)
define_tool(name="a", description="d", parameters=COMMON, execute=run)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[InferArgs[PARAMS], ToolExecution], str]"; expected "Callable[[InferArgs[COMMON], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
define_tool(name="a", description="d", parameters=specs.COMMON, execute=lambda a, e: a["dept"])
# E: TypedDict "InferArgs[COMMON]" has no key "dept"  [typeddict-item]
# N: Did you mean "depth"?
