"""Objects without properties of their own: dicts."""

from typing import reveal_type

from dsh_tools import InferArgs, schema, validate_args

PARAMS = schema(
    {
        "env": {
            "type": "object",
            "required": True,
            "additionalProperties": {"type": "string"},
            "propertyNames": {"type": "string", "pattern": "^[A-Z]+$"},
            "maxProperties": 3,
        },
        "limits": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {"cpu": {"type": "number", "required": True}},
            },
        },
        "maybe": {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
        "maps": {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": {"type": "boolean"}},
        },
        "any": {"type": "object", "additionalProperties": {}},
        "open": {"type": "object", "additionalProperties": True},
        "none": {"type": "object", "additionalProperties": False},
        "closed": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"x": {"type": "integer"}},
        },
        "both": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "properties": {"x": {"type": "integer"}},
        },
        "empty": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "properties": {},
        },
    }
)
OPEN = schema({"type": "object", "additionalProperties": {"type": "string"}})


def body(args: InferArgs[PARAMS], all_open: InferArgs[OPEN]) -> None:
    reveal_type(args["env"])  # R: dict[str, str]
    reveal_type(args["env"]["HOME"])  # R: str
    reveal_type(args.get("limits"))  # R: dict[str, TypedDict({'cpu': float})] | None
    reveal_type(args.get("maybe"))  # R: dict[str, int | None] | None
    reveal_type(args.get("maps"))  # R: dict[str, dict[str, bool]] | None
    reveal_type(args.get("any"))
    # R: dict[str, None | bool | int | float | str | list[...] | dict[str, ...]] | None
    reveal_type(args.get("open"))  # R: dict[str, object] | None
    reveal_type(args.get("none"))  # R: dict[str, object] | None
    reveal_type(args.get("closed"))  # R: TypedDict({'x'?: int}) | None
    reveal_type(args.get("both"))  # R: TypedDict({'x'?: int}) | None
    reveal_type(args.get("empty"))  # R: dict[str, str] | None
    reveal_type(all_open)  # R: dict[str, str]
    args["env"]["HOME"] = 5
    # E: Incompatible types in assignment (expression has type "int", target has type "str")  [assignment]


RIGHT: InferArgs[PARAMS] = {"env": {"HOME": "/"}, "limits": {"a": {"cpu": 1}}, "maybe": {"a": None}}
assert validate_args(PARAMS, RIGHT) == []

WRONG: InferArgs[PARAMS] = {"env": {"HOME": 5}, "limits": {"a": {"gpu": 1}}, "closed": {"y": 1}}
# E: Dict entry 0 has incompatible type "str": "int"; expected "str": "str"  [dict-item]
# E: Expected TypedDict key "cpu" but found key "gpu"  [typeddict-item]
# E: Expected TypedDict key "cpu" but found no keys  [typeddict-item]
# E: Unexpected TypedDict key "y"  [misc]
assert len(validate_args(PARAMS, WRONG)) == 3
