"""The other one."""

from typing import reveal_type

import cycle_one
from dsh_tools import InferArgs, schema

TWO = schema({"two": {"type": "string", "required": True}})


def uses_one(args: InferArgs[cycle_one.ONE], composed: InferArgs[cycle_one.COMPOSED]) -> None:
    reveal_type(args)  # R: TypedDict(cycle_one.InferArgs[ONE], {'one': str})
    reveal_type(composed)  # R: TypedDict(cycle_one.InferArgs[COMPOSED], {'two': str, 'more'?: int})
    args["two"]  # E: TypedDict "InferArgs[ONE]" has no key "two"  [typeddict-item]
