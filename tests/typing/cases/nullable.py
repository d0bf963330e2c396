"""Null: a value like any other, and no absence."""

from typing import reveal_type

from dsh_tools import InferArgs, schema, validate_args

PARAMS = schema(
    {
        "since": {"type": ["string", "null"], "format": "date", "required": True},
        "until": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "nothing": {"type": "null", "required": True},
        "only": {"const": None},
        "mode": {"type": ["string", "null"], "enum": ["a", "b", None], "required": True},
        "names": {"type": ["array", "null"], "items": {"type": ["string", "null"]}},
        "range": {
            "type": ["object", "null"],
            "properties": {"start": {"type": "integer", "required": True}},
        },
    }
)


def body(args: InferArgs[PARAMS]) -> None:
    reveal_type(args["since"])  # R: str | None
    reveal_type(args.get("until"))  # R: str | None
    reveal_type(args["nothing"])  # R: None
    reveal_type(args.get("only"))  # R: None
    reveal_type(args["mode"])  # R: Literal['a'] | Literal['b'] | None
    reveal_type(args.get("names"))  # R: list[str | None] | None
    reveal_type(args.get("range"))  # R: TypedDict({'start': int}) | None
    args["since"].upper()  # E: Item "None" of "str | None" has no attribute "upper"  [union-attr]
    if args["since"] is not None:
        reveal_type(args["since"])  # R: str
    if "range" in args and args["range"]:
        reveal_type(args["range"]["start"])  # R: int


RIGHT: InferArgs[PARAMS] = {
    "since": None,
    "until": None,
    "nothing": None,
    "mode": None,
    "names": ["a", None],
    "range": {"start": 1},
}
assert validate_args(PARAMS, RIGHT) == []

WRONG: InferArgs[PARAMS] = {
    "since": 5,
    # E: Incompatible types (expression has type "int", TypedDict item "since" has type "str | None")  [typeddict-item]
    "nothing": "",
    # E: Incompatible types (expression has type "str", TypedDict item "nothing" has type "None")  [typeddict-item]
    "mode": "c",
    # E: Incompatible types (expression has type "Literal['c']", TypedDict item "mode" has type "Literal['a', 'b'] | None")  [typeddict-item]
    "names": [1],  # E: List item 0 has incompatible type "int"; expected "str | None"  [list-item]
    "range": {"start": None},
    # E: Incompatible types (expression has type "dict[str, None]", TypedDict item "range" has type "TypedDict({'start': int}) | None")  [typeddict-item]
}
assert len(validate_args(PARAMS, WRONG)) == 5
