"""Each form of a property and the type of its values."""

from typing import reveal_type

from dsh_tools import InferArgs, schema

PARAMS = schema(
    {
        "text": {"type": "string", "required": True},
        "ratio": {"type": "number", "required": True},
        "count": {"type": "integer", "required": True},
        "flag": {"type": "boolean", "required": True},
        "open": {"type": "object", "required": True},
        "anything": {"type": "array", "required": True},
        "mode": {"type": "string", "required": True, "enum": ["text", "binary"]},
        "one": {"type": "string", "required": True, "enum": ["only"]},
        "level": {"type": "integer", "required": True, "enum": [1, 2, 3]},
        "scale": {"type": "number", "required": True, "enum": [0.5, 1, 2]},
        "point": {
            "type": "object",
            "required": True,
            "properties": {
                "x": {"type": "number", "required": True},
                "y": {"type": "number"},
            },
        },
        "empty": {"type": "object", "required": True, "properties": {}},
        "names": {"type": "array", "required": True, "items": {"type": "string"}},
        "modes": {
            "type": "array",
            "required": True,
            "items": {"type": "string", "enum": ["r", "w"]},
        },
        "grid": {
            "type": "array",
            "required": True,
            "items": {"type": "array", "items": {"type": "integer"}},
        },
        "edits": {
            "type": "array",
            "required": True,
            "items": {
                "type": "object",
                "properties": {
                    "old": {"type": "string", "required": True},
                    "new": {"type": "string", "required": True},
                    "all": {"type": "boolean"},
                },
            },
        },
        "maybe": {"type": "string", "default": "x", "description": "May be absent"},
        "not an identifier": {"type": "string"},
    }
)


def body(args: InferArgs[PARAMS]) -> None:
    reveal_type(args["text"])  # R: str
    reveal_type(args["ratio"])  # R: float
    reveal_type(args["count"])  # R: int
    reveal_type(args["flag"])  # R: bool
    reveal_type(args["open"])  # R: dict[str, object]
    reveal_type(args["anything"])  # R: list[object]
    reveal_type(args["mode"])  # R: Literal['text'] | Literal['binary']
    reveal_type(args["one"])  # R: Literal['only']
    reveal_type(args["level"])  # R: Literal[1] | Literal[2] | Literal[3]
    reveal_type(args["scale"])  # R: float
    reveal_type(args["point"])  # R: TypedDict({'x': float, 'y'?: float})
    reveal_type(args["point"]["x"])  # R: float
    reveal_type(args["point"].get("y"))  # R: float | None
    reveal_type(args["empty"])  # R: TypedDict({})
    reveal_type(args["names"])  # R: list[str]
    reveal_type(args["modes"])  # R: list[Literal['r'] | Literal['w']]
    reveal_type(args["grid"])  # R: list[list[int]]
    reveal_type(args["edits"])  # R: list[TypedDict({'old': str, 'new': str, 'all'?: bool})]
    reveal_type(args.get("maybe"))  # R: str | None
    reveal_type(args.get("maybe", ""))  # R: str
    reveal_type(args["not an identifier"])  # R: str


def mistakes(args: InferArgs[PARAMS]) -> None:
    args["txt"]
    # E: TypedDict "InferArgs[PARAMS]" has no key "txt"  [typeddict-item]
    # N: Did you mean "text"?
    args["ratio"].upper()  # E: "float" has no attribute "upper"  [attr-defined]
    [0][args["ratio"]]
    # E: No overload variant of "__getitem__" of "list" matches argument type "float"  [call-overload]
    # N:     def __getitem__(self, SupportsIndex, /) -> int
    # N:     def __getitem__(self, slice[SupportsIndex | None, SupportsIndex | None, SupportsIndex | None], /) -> list[int]
    # N: Possible overload variants:
    [0][args["count"]]
    args["mode"] == "txt"
    # E: Non-overlapping equality check (left operand type: "Literal['text', 'binary']", right operand type: "Literal['txt']")  [comparison-overlap]
    args["open"]["key"].upper()  # E: "object" has no attribute "upper"  [attr-defined]
    args["anything"][0].upper()  # E: "object" has no attribute "upper"  [attr-defined]
    args["point"]["z"]  # E: "z" is not a valid TypedDict key; expected one of ("x", "y")  [misc]
    args["edits"][0]["nwe"]
    # E: "nwe" is not a valid TypedDict key; expected one of ("old", "new", "all")  [misc]
    args["edits"][0]["all"].upper()  # E: "bool" has no attribute "upper"  [attr-defined]
    args.get("maybe").upper()
    # E: Item "None" of "str | None" has no attribute "upper"  [union-attr]
    args["count"] = "5"
    # E: Value of "count" has incompatible type "str"; expected "int"  [typeddict-item]


def calls() -> None:
    small = schema({"a": {"type": "string", "required": True}, "b": {"type": "integer"}})

    def take(args: InferArgs[small]) -> None:
        reveal_type(args)  # R: TypedDict({'a': str, 'b'?: int})

    take({"a": "x"})
    take({"a": "x", "b": 1})
    take({"b": 1})  # E: Expected TypedDict key "a" but found no keys  [typeddict-item]
    take({"a": 1})
    # E: Incompatible types (expression has type "int", TypedDict item "a" has type "str")  [typeddict-item]
    take({"a": "x", "b": 1.5})
    # E: Incompatible types (expression has type "float", TypedDict item "b" has type "int")  [typeddict-item]
    take({"a": "x", "c": 1})
    # E: Expected TypedDict key "a" but found keys ("a", "c")  [typeddict-item]
