"""Alternatives: unions, which narrow on the tag of each alternative."""

from typing import reveal_type

from dsh_tools import InferArgs, schema, validate_args

PARAMS = schema(
    {
        "edits": {
            "type": "array",
            "required": True,
            "items": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"const": "insert", "required": True},
                            "text": {"type": "string", "required": True},
                        },
                    },
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {
                            "kind": {"enum": ["delete", "clear"]},
                            "line": {"type": "integer"},
                        },
                        "required": ["kind", "line"],
                    },
                ]
            },
        },
        "target": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "id": {"type": ["string", "integer"], "required": True},
        "size": {"anyOf": [{"type": "integer"}, {"const": "auto"}, {"const": "none"}]},
        "twice": {"anyOf": [{"type": "string"}, {"anyOf": [{"type": "string"}, {"type": "null"}]}]},
        "anything": {"anyOf": [{"type": "string"}, {}]},
    }
)


def body(args: InferArgs[PARAMS]) -> None:
    reveal_type(args["id"])  # R: str | int
    reveal_type(args.get("target"))  # R: str | list[str] | None
    reveal_type(args.get("size"))  # R: int | Literal['auto'] | Literal['none'] | None
    reveal_type(args.get("twice"))  # R: str | None
    reveal_type(args.get("anything"))
    # R: None | int | float | str | list[None | bool | int | float | str | list[...] | dict[str, ...]] | dict[str, None | bool | int | float | str | list[...] | dict[str, ...]]
    for edit in args["edits"]:
        if edit["kind"] == "insert":
            reveal_type(edit)  # R: TypedDict({'kind': Literal['insert'], 'text': str})
            edit["line"]
            # E: "line" is not a valid TypedDict key; expected one of ("kind", "text")  [misc]
        else:
            reveal_type(edit)
            # R: TypedDict({'kind': Literal['delete'] | Literal['clear'], 'line': int})
            reveal_type(edit["kind"])  # R: Literal['delete'] | Literal['clear']
            edit["text"]
            # E: "text" is not a valid TypedDict key; expected one of ("kind", "line")  [misc]
        edit["txet"]
        # E: "txet" is not a valid TypedDict key; expected one of ("kind", "line")  [misc]
        # E: "txet" is not a valid TypedDict key; expected one of ("kind", "text")  [misc]
    if isinstance(args["id"], str):
        reveal_type(args["id"])  # R: str


def tagged(args: InferArgs[PARAMS]) -> int:
    """Every alternative is handled, or mypy misses a return."""
    edit = args["edits"][0]
    match edit["kind"]:
        case "insert":
            return 1
        case "delete" | "clear":
            return 2


RIGHT: InferArgs[PARAMS] = {
    "edits": [{"kind": "insert", "text": "x"}, {"kind": "clear", "line": 1}],
    "target": ["a"],
    "id": 5,
    "size": "auto",
    "anything": {"deep": [None]},
}
assert validate_args(PARAMS, RIGHT) == []

WRONG: InferArgs[PARAMS] = {
    "edits": [
        {"kind": "insert", "line": 1},
        # E: Incompatible types (expression has type "Literal['insert']", TypedDict item "kind" has type "Literal['delete', 'clear']")  [typeddict-item]
        {"kind": "move", "text": "x"},
        # E: Incompatible types (expression has type "Literal['move']", TypedDict item "kind" has type "Literal['insert']")  [typeddict-item]
        {"kind": "delete", "line": "1"},
        # E: Incompatible types (expression has type "str", TypedDict item "line" has type "int")  [typeddict-item]
    ],
    "target": 5,
    # E: Incompatible types (expression has type "int", TypedDict item "target" has type "str | list[str]")  [typeddict-item]
    "id": 1.5,
    # E: Incompatible types (expression has type "float", TypedDict item "id" has type "str | int")  [typeddict-item]
    "size": "full",
    # E: Incompatible types (expression has type "Literal['full']", TypedDict item "size" has type "Literal['auto', 'none'] | int")  [typeddict-item]
}
assert len(validate_args(PARAMS, WRONG)) == 6
