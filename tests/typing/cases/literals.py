"""`enum` and `const`: literals of every scalar type that has them."""

from typing import reveal_type

from dsh_tools import InferArgs, schema, validate_args

PARAMS = schema(
    {
        "mixed": {"enum": ["a", 1, True, None], "required": True},
        "text": {"const": "only", "required": True},
        "number": {"const": 5, "required": True},
        "flag": {"const": True, "required": True},
        "null": {"const": None, "required": True},
        "ratio": {"const": 0.5, "required": True},
        "ratios": {"enum": ["auto", 0.5, 1], "required": True},
        "typed": {"type": "number", "enum": [1, 2], "required": True},
        "whole": {"type": "integer", "enum": [1, 2], "required": True},
        "yes": {"type": "boolean", "enum": [True], "required": True},
    }
)


def body(args: InferArgs[PARAMS]) -> None:
    reveal_type(args["mixed"])  # R: Literal['a'] | Literal[1] | Literal[True] | None
    reveal_type(args["text"])  # R: Literal['only']
    reveal_type(args["number"])  # R: Literal[5]
    reveal_type(args["flag"])  # R: Literal[True]
    reveal_type(args["null"])  # R: None
    reveal_type(args["ratio"])  # R: float
    reveal_type(args["ratios"])  # R: Literal['auto'] | float | Literal[1]
    reveal_type(args["typed"])  # R: float
    reveal_type(args["whole"])  # R: Literal[1] | Literal[2]
    reveal_type(args["yes"])  # R: Literal[True]


RIGHT: InferArgs[PARAMS] = {
    "mixed": None,
    "text": "only",
    "number": 5,
    "flag": True,
    "null": None,
    "ratio": 0.5,
    "ratios": "auto",
    "typed": 1,
    "whole": 2,
    "yes": True,
}
assert validate_args(PARAMS, RIGHT) == []

WRONG: InferArgs[PARAMS] = {
    "mixed": "b",
    # E: Incompatible types (expression has type "Literal['b']", TypedDict item "mixed" has type "Literal['a', 1, True] | None")  [typeddict-item]
    "text": "other",
    # E: Incompatible types (expression has type "Literal['other']", TypedDict item "text" has type "Literal['only']")  [typeddict-item]
    "number": 6,
    # E: Incompatible types (expression has type "Literal[6]", TypedDict item "number" has type "Literal[5]")  [typeddict-item]
    "flag": False,
    # E: Incompatible types (expression has type "Literal[False]", TypedDict item "flag" has type "Literal[True]")  [typeddict-item]
    "null": 0,
    # E: Incompatible types (expression has type "int", TypedDict item "null" has type "None")  [typeddict-item]
    "ratio": "0.5",
    # E: Incompatible types (expression has type "str", TypedDict item "ratio" has type "float")  [typeddict-item]
    "ratios": "none",
    # E: Incompatible types (expression has type "Literal['none']", TypedDict item "ratios" has type "Literal['auto', 1] | float")  [typeddict-item]
    "typed": "1",
    # E: Incompatible types (expression has type "str", TypedDict item "typed" has type "float")  [typeddict-item]
    "whole": 3,
    # E: Incompatible types (expression has type "Literal[3]", TypedDict item "whole" has type "Literal[1, 2]")  [typeddict-item]
    "yes": False,
    # E: Incompatible types (expression has type "Literal[False]", TypedDict item "yes" has type "Literal[True]")  [typeddict-item]
}
assert len(validate_args(PARAMS, WRONG)) == 10
