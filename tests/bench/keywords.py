"""Validating what takes more than types: bounds, closed objects, alternatives, maps, null."""

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, NamedTuple

import fastjsonschema
import jsonschema_rs
import msgspec
import pydantic
from dsh_tools import SchemaSpec, schema_spec_to_json_schema
from dsh_tools.schema.validation.validator import Validator

# pydantic wants this one below Python 3.12.
from typing_extensions import NotRequired, TypedDict

from .measure import measure
from .report import Table, versus
from .rivals import OURS, Rival

_GOALS: Final = {
    "pydantic-core, strict": 0.6,
    "msgspec convert": 0.6,
    "jsonschema-rs is_valid": 1.2,
    "fastjsonschema": 0.3,
}


class Shape(NamedTuple):
    """A kind of payload. `pydantic` and `msgspec` are types that say what `spec` says."""

    name: str
    spec: SchemaSpec
    pydantic: Any
    msgspec: Any
    valid: object
    invalid: object


# --- bounds and lengths -------------------------------------------------------------------


class Bounds(TypedDict):
    title: Annotated[
        str, pydantic.Field(min_length=1, max_length=80), msgspec.Meta(min_length=1, max_length=80)
    ]
    count: Annotated[int, pydantic.Field(ge=1, le=100), msgspec.Meta(ge=1, le=100)]
    share: NotRequired[Annotated[float, pydantic.Field(ge=0, lt=1), msgspec.Meta(ge=0, lt=1)]]
    tags: NotRequired[
        Annotated[
            list[str], pydantic.Field(min_length=1, max_length=8), msgspec.Meta(min_length=1, max_length=8)
        ]
    ]


_BOUNDS: Final = Shape(
    "bounds and lengths",
    {
        "title": {"type": "string", "minLength": 1, "maxLength": 80, "required": True},
        "count": {"type": "integer", "minimum": 1, "maximum": 100, "required": True},
        "share": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 8},
    },
    Bounds,
    Bounds,
    {"title": "A title", "count": 20, "share": 0.25, "tags": ["a", "b", "c"]},
    {"title": "", "count": 20, "share": 0.25, "tags": ["a", "b", "c"]},
)

# --- a closed object ----------------------------------------------------------------------


class Closed(TypedDict):
    __pydantic_config__ = pydantic.ConfigDict(extra="forbid")  # type: ignore[misc]  # as pydantic has it
    path: str
    query: str
    limit: NotRequired[int]
    deep: NotRequired[bool]


_CLOSED_STRUCT: Final[Any] = msgspec.defstruct(
    "Closed",
    [("path", str), ("query", str), ("limit", int, 0), ("deep", bool, False)],
    forbid_unknown_fields=True,
)

_CLOSED: Final = Shape(
    "a closed object",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["path", "query"],
        "properties": {
            "path": {"type": "string"},
            "query": {"type": "string"},
            "limit": {"type": "integer"},
            "deep": {"type": "boolean"},
        },
    },
    Closed,
    _CLOSED_STRUCT,
    {"path": "src", "query": "def", "limit": 5, "deep": True},
    {"path": "src", "query": "def", "limit": 5, "depth": True},
)

# --- a tagged union of five ---------------------------------------------------------------

# Types made at run time are nothing that mypy can follow.
MAKE_TYPED_DICT: Any = TypedDict
LIST: Any = list
ANNOTATED: Any = Annotated
LITERAL: Any = Literal

_KINDS: Final = ("insert", "delete", "move", "copy", "rename")


def _typed_dict(kind: str) -> Any:
    return MAKE_TYPED_DICT(kind.title(), {"kind": LITERAL[kind], "line": int, kind: str})


def _struct(kind: str) -> Any:
    fields: list[Any] = [("line", int), (kind, str)]
    return msgspec.defstruct(kind.title(), fields, tag_field="kind", tag=kind)


def _union(types: list[Any]) -> Any:
    union = types[0]
    for one in types[1:]:
        union = union | one
    return union


_TYPED_DICTS: Final = _union([_typed_dict(kind) for kind in _KINDS])
_EDITS: Final = [{"kind": kind, "line": 5, kind: "text"} for kind in _KINDS]

_TAGGED: Final = Shape(
    "a tagged union of five",
    {
        "edits": {
            "type": "array",
            "required": True,
            "items": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"const": kind},
                            "line": {"type": "integer"},
                            kind: {"type": "string"},
                        },
                        "required": ["kind", "line", kind],
                    }
                    for kind in _KINDS
                ]
            },
        }
    },
    pydantic.create_model(
        "Edits",
        edits=(LIST[ANNOTATED[_TYPED_DICTS, pydantic.Discriminator("kind")]], ...),
    ),
    msgspec.defstruct("Edits", [("edits", LIST[_union([_struct(kind) for kind in _KINDS])])]),
    {"edits": _EDITS},
    {"edits": [*_EDITS[:4], {"kind": "rename", "line": 5}]},
)

# --- a map of a hundred, nullable fields --------------------------------------------------


class Map(TypedDict):
    env: dict[str, str]


_MAP: Final = Shape(
    "a map of a hundred",
    {
        "env": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "required": True,
        }
    },
    Map,
    Map,
    {"env": {f"NAME_{number}": f"value {number}" for number in range(100)}},
    {"env": {f"NAME_{number}": number for number in range(100)}},
)


class Nullable(TypedDict):
    path: str | None
    limit: int | None
    since: NotRequired[str | None]
    share: NotRequired[float | None]
    deep: NotRequired[bool | None]
    tags: NotRequired[list[str] | None]


_NULLABLE: Final = Shape(
    "nullable fields",
    {
        "path": {"type": ["string", "null"], "required": True},
        "limit": {"type": ["integer", "null"], "required": True},
        "since": {"type": ["string", "null"]},
        "share": {"type": ["number", "null"]},
        "deep": {"type": ["boolean", "null"]},
        "tags": {"type": ["array", "null"], "items": {"type": "string"}},
    },
    Nullable,
    Nullable,
    {"path": "src", "limit": None, "since": None, "share": 0.5, "deep": None, "tags": ["a"]},
    {"path": "src", "limit": "5", "since": None, "share": 0.5, "deep": None, "tags": ["a"]},
)

SHAPES: Final = (_BOUNDS, _CLOSED, _TAGGED, _MAP, _NULLABLE)


def tables() -> Iterator[Table]:
    for shape in SHAPES:
        candidates = _rivals(shape)
        for name, rival in candidates.items():
            verdicts = rival.accepts(shape.valid), rival.accepts(shape.invalid)
            if verdicts != (True, False):
                raise AssertionError(f"{name}, {shape.name}: accepts (valid, invalid) = {verdicts}")
        timed = {name: rival.on_valid(shape.valid) for name, rival in candidates.items()}
        notes = {name: rival.valid_note for name, rival in candidates.items()}
        rows = versus(measure(timed), OURS, _GOALS, notes)
        yield Table(f"validate {shape.name}, valid", "time", "ours ÷ it", rows)


def _rivals(shape: Shape) -> dict[str, Rival]:
    json_schema = schema_spec_to_json_schema(shape.spec)
    draft_7 = {**json_schema, "$schema": "http://json-schema.org/draft-07/schema#"}
    validator = Validator(json_schema, formats=True)
    validator.compile()
    core = pydantic.TypeAdapter(shape.pydantic).validator
    return {
        OURS: Rival(
            "validator.check(args) or validator.violations(args)",
            {"validator": validator},
            fits=lambda answer: answer in (True, []),
        ),
        "pydantic-core, strict": Rival(
            "core.validate_python(args, strict=True)",
            {"core": core},
            pydantic.ValidationError,
            valid_note="builds a copy",
        ),
        "msgspec convert": Rival(
            "convert(args, type)",
            {"convert": msgspec.convert, "type": shape.msgspec},
            msgspec.ValidationError,
            valid_note="builds a copy",
        ),
        "jsonschema-rs is_valid": Rival(
            "validator.is_valid(args)",
            {"validator": jsonschema_rs.validator_for(json_schema)},
            fits=bool,
            valid_note="a verdict without reasons",
        ),
        "fastjsonschema": Rival(
            "validate(args)",
            {"validate": fastjsonschema.compile(draft_7)},
            fastjsonschema.JsonSchemaException,
        ),
    }
