"""References: the type of what they name, and any JSON where they lead back into themselves."""

from typing import reveal_type

from dsh_tools import InferArgs, JsonValue, schema, validate_args

PARAMS = schema(
    {
        "type": "object",
        "properties": {
            "from": {"$ref": "#/$defs/point"},
            "to": {"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]},
            "tree": {"$ref": "#/$defs/tree"},
            "old": {"type": "array", "items": {"$ref": "#/definitions/name"}},
            "any": {"description": "Whatever it is"},
        },
        "required": ["from", "tree", "any"],
        "$defs": {
            "point": {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"$ref": "#/definitions/name"}},
                "required": ["x"],
            },
            "tree": {
                "type": "object",
                "properties": {
                    "label": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                },
                "required": ["label"],
            },
        },
        "definitions": {"name": {"type": "string", "enum": ["n", "m"]}},
    }
)


def take(value: JsonValue) -> None: ...


def body(args: InferArgs[PARAMS]) -> None:
    reveal_type(args["from"])  # R: TypedDict({'x': float, 'y'?: Literal['n'] | Literal['m']})
    reveal_type(args.get("to"))
    # R: TypedDict({'x': float, 'y'?: Literal['n'] | Literal['m']}) | None
    reveal_type(args["tree"])
    # R: TypedDict({'label': str, 'children'?: list[None | bool | int | float | str | list[...] | dict[str, ...]]})
    reveal_type(args.get("old"))  # R: list[Literal['n'] | Literal['m']] | None
    take(args["any"])
    for child in args["tree"].get("children", []):
        take(child)
        child.upper()
        # E: Item "None" of "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None" has no attribute "upper"  [union-attr]
        # E: Item "bool" of "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None" has no attribute "upper"  [union-attr]
        # E: Item "dict[str, JsonValue]" of "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None" has no attribute "upper"  [union-attr]
        # E: Item "float" of "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None" has no attribute "upper"  [union-attr]
        # E: Item "int" of "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None" has no attribute "upper"  [union-attr]
        # E: Item "list[JsonValue]" of "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None" has no attribute "upper"  [union-attr]
    args["tree"]["lable"]
    # E: "lable" is not a valid TypedDict key; expected one of ("label", "children")  [misc]


RIGHT: InferArgs[PARAMS] = {
    "from": {"x": 1},
    "to": None,
    "tree": {"label": "a", "children": [{"label": "b", "children": [{"label": "c"}]}]},
    "any": [None, {"a": 1}],
}
assert validate_args(PARAMS, RIGHT) == []

WRONG: InferArgs[PARAMS] = {
    "from": {"y": "n"},  # E: Expected TypedDict key "x" but found no keys  [typeddict-item]
    "tree": {"children": []},
    # E: Expected TypedDict key "label" but found no keys  [typeddict-item]
    "old": ["o"],
    # E: List item 0 has incompatible type "Literal['o']"; expected "Literal['n', 'm']"  [list-item]
    "any": 1,
}
assert len(validate_args(PARAMS, WRONG)) == 3
