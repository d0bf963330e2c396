"""Constants for other modules."""

from typing import Final, Literal

from dsh_tools import prop, schema

PARAMS = schema({"path": {"type": "string", "required": True}})
COMMON = schema({"verbose": {"type": "boolean"}, "depth": {"type": "integer", "required": True}})
SERVER = prop(
    {
        "type": "object",
        "required": True,
        "properties": {
            "host": {"type": "string", "required": True},
            "port": {"type": "integer"},
        },
    }
)
MODE = prop({"type": "string", "enum": ["fast", "slow"]})
Color = Literal["red", "green"]
NAME: Final = "from_constant"
KIND: Final = "integer"
SIZES: Final = ["s", "m"]
WORDS: Final[tuple[Literal["a", "b"], ...]] = ("a", "b")


class Holder:
    PARAMS = schema({"held": {"type": "string"}})


LONG = schema(
    {
        "type": "object",
        "properties": {"host": {"type": "string"}, "port": {"type": ["integer", "null"]}},
    }
)
ENV = prop({"type": "object", "additionalProperties": {"type": "string"}})
EDIT = prop(
    {
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
                "properties": {
                    "kind": {"const": "delete", "required": True},
                    "line": {"type": "integer", "required": True},
                },
            },
        ]
    }
)
UNIONS = schema(
    {
        "since": {"type": ["string", "null"]},
        "tags": {"type": "object", "additionalProperties": {"type": "boolean"}},
        "flag": {"const": True},
        "size": {"enum": [1, "auto"], "required": True},
    }
)
