"""The three shapes that are validated, each as a spec, a JSON Schema and a TypedDict."""

from typing import Any, Final, Literal, NamedTuple

from dsh_tools import SchemaSpec, schema_spec_to_json_schema
from dsh_tools.vocabulary import JsonSchemaObject

# pydantic wants this one below Python 3.12.
from typing_extensions import NotRequired, TypedDict


class Shape(NamedTuple):
    """A kind of payload.

    type: the TypedDict that says the same as `spec`.
    invalid: it has a few faults, in `large` one in each element.
    """

    name: str
    spec: SchemaSpec
    type: Any
    valid: object
    invalid: object

    @property
    def json_schema(self) -> JsonSchemaObject:
        return schema_spec_to_json_schema(self.spec)


class Small(TypedDict):
    path: str
    limit: NotRequired[int]
    deep: NotRequired[bool]


class Range(TypedDict):
    start: int
    end: NotRequired[int]


class Medium(TypedDict):
    path: str
    pattern: str
    mode: Literal["text", "binary", "auto"]
    limit: NotRequired[int]
    weight: NotRequired[float]
    recursive: NotRequired[bool]
    range: NotRequired[Range]
    globs: NotRequired[list[str]]
    encoding: NotRequired[str]
    comment: NotRequired[str]


class Record(TypedDict):
    id: int
    name: str
    score: NotRequired[float]
    active: NotRequired[bool]


class Large(TypedDict):
    records: list[Record]


SMALL: Final = Shape(
    name="small",
    spec={
        "path": {"type": "string", "required": True},
        "limit": {"type": "integer"},
        "deep": {"type": "boolean"},
    },
    type=Small,
    valid={"path": "src/main.py", "limit": 200, "deep": True},
    invalid={"limit": "many", "deep": True},
)

_MEDIUM_VALID: Final = {
    "path": "src/main.py",
    "pattern": "def .*",
    "mode": "text",
    "limit": 200,
    "weight": 0.5,
    "recursive": False,
    "range": {"start": 10, "end": 20},
    "globs": ["*.py", "*.pyi", "*.toml", "*.md", "*.txt"],
    "encoding": "utf-8",
    "comment": "what the model thinks",
}

MEDIUM: Final = Shape(
    name="medium",
    spec={
        "path": {"type": "string", "required": True},
        "pattern": {"type": "string", "required": True},
        "mode": {"type": "string", "enum": ["text", "binary", "auto"], "required": True},
        "limit": {"type": "integer"},
        "weight": {"type": "number"},
        "recursive": {"type": "boolean"},
        "range": {
            "type": "object",
            "properties": {
                "start": {"type": "integer", "required": True},
                "end": {"type": "integer"},
            },
        },
        "globs": {"type": "array", "items": {"type": "string"}},
        "encoding": {"type": "string"},
        "comment": {"type": "string"},
    },
    type=Medium,
    valid=_MEDIUM_VALID,
    invalid={
        **_MEDIUM_VALID,
        "mode": "utf-8",
        "range": {"end": 20},
        "globs": ["*.py", "*.pyi", 3, "*.md", "*.txt"],
        "comment": None,
    },
)

LARGE: Final = Shape(
    name="large",
    spec={
        "records": {
            "type": "array",
            "required": True,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer", "required": True},
                    "name": {"type": "string", "required": True},
                    "score": {"type": "number"},
                    "active": {"type": "boolean"},
                },
            },
        }
    },
    type=Large,
    valid={
        "records": [
            {"id": number, "name": f"record {number}", "score": number / 2, "active": True}
            for number in range(100)
        ]
    },
    invalid={
        "records": [
            {"id": f"{number} or so", "name": f"record {number}", "score": 0.5, "active": True}
            for number in range(100)
        ]
    },
)

SHAPES: Final = (SMALL, MEDIUM, LARGE)
