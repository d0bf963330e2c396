"""Specs in both forms that say what types can: null, alternatives, maps and references."""

from typing import Final

from dsh_tools import schema

EDIT_LINES: Final = schema(
    {
        "path": {"type": ["string", "null"], "required": True},
        "count": {"type": "integer", "minimum": 1, "maximum": 100},
        "edit": {
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
            ],
            "required": True,
        },
        "marks": {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "required": True,
        },
    }
)

OUTLINE: Final = schema(
    {
        "type": "object",
        "properties": {
            "root": {"$ref": "#/$defs/section"},
            "notes": {"description": "Whatever belongs to it."},
        },
        "required": ["root"],
        "additionalProperties": False,
        "$defs": {
            "section": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "sections": {"type": "array", "items": {"$ref": "#/$defs/section"}},
                },
                "required": ["title"],
            },
        },
    }
)
