"""Two modules that import each other."""

from typing import reveal_type

import cycle_two
from dsh_tools import InferArgs, schema

ONE = schema({"one": {"type": "string", "required": True}})
COMPOSED = schema({**cycle_two.TWO, "more": {"type": "integer"}})


def uses_two(args: InferArgs[cycle_two.TWO], composed: InferArgs[COMPOSED]) -> None:
    reveal_type(args)  # R: TypedDict(cycle_two.InferArgs[TWO], {'two': str})
    reveal_type(composed)  # R: TypedDict(cycle_one.InferArgs[COMPOSED], {'two': str, 'more'?: int})
    args["one"]  # E: TypedDict "InferArgs[TWO]" has no key "one"  [typeddict-item]
