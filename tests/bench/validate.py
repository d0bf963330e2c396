"""Validating arguments, valid and invalid, against everybody who could do it instead."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from .measure import measure, statement
from .payloads import SHAPES, Shape
from .report import Table, versus
from .rivals import OURS, Rival, rivals

_JSON: Final = "json.loads of the payload's text"

# our time divided by the other's
_VALID_GOALS: Final[dict[str, dict[str, float]]] = {
    "small": {
        "pydantic TypeAdapter, strict": 0.40,
        "pydantic-core, strict": 0.60,
        "msgspec convert": 0.15,
        "jsonschema-rs is_valid": 1.0,
        "jsonschema-rs iter_errors": 1.0,
        "fastjsonschema": 0.20,
        _JSON: 0.15,
    },
    "medium": {
        "pydantic TypeAdapter, strict": 0.60,
        "msgspec convert": 0.40,
        "jsonschema-rs iter_errors": 1.0,
        "fastjsonschema": 0.25,
        _JSON: 0.25,
    },
    "large": {
        "pydantic TypeAdapter, strict": 0.70,
        "msgspec convert": 0.90,
        "fastjsonschema": 0.20,
    },
}
_INVALID_GOALS: Final[dict[str, dict[str, float]]] = {
    "small": {"pydantic-core, strict": 0.55, "jsonschema iter_errors": 0.05},
    "medium": {"pydantic-core, strict": 0.60, "jsonschema iter_errors": 0.05},
    "large": {"pydantic-core, strict": 1.6, "jsonschema iter_errors": 0.05},
}


def tables() -> Iterator[Table]:
    for shape in SHAPES:
        candidates = rivals(shape)
        _require_verdicts(shape, candidates)
        yield _valid(shape, candidates)
        yield _invalid(shape, candidates)


def _require_verdicts(shape: Shape, candidates: Mapping[str, Rival]) -> None:
    """A figure counts only for who accepts the valid payload and refuses the invalid one."""
    for name, rival in candidates.items():
        verdicts = rival.accepts(shape.valid), rival.accepts(shape.invalid)
        if verdicts != (True, False):
            raise AssertionError(f"{name}, {shape.name}: accepts (valid, invalid) = {verdicts}")


def _valid(shape: Shape, candidates: Mapping[str, Rival]) -> Table:
    timed = {name: rival.on_valid(shape.valid) for name, rival in candidates.items()}
    timed[_JSON] = statement("loads(text)", loads=json.loads, text=json.dumps(shape.valid))
    notes = {name: rival.valid_note for name, rival in candidates.items()}
    notes[_JSON] = "no validation"
    rows = versus(measure(timed), OURS, _VALID_GOALS[shape.name], notes)
    return Table(f"validate {shape.name}, valid", "time", "ours ÷ it", rows)


def _invalid(shape: Shape, candidates: Mapping[str, Rival]) -> Table:
    timed = {name: rival.on_invalid(shape.invalid) for name, rival in candidates.items()}
    notes = {name: rival.invalid_note for name, rival in candidates.items()}
    rows = versus(measure(timed), OURS, _INVALID_GOALS[shape.name], notes)
    text = "All faults with their paths, where no other note stands; pydantic with `errors()`."
    return Table(f"validate {shape.name}, invalid", "time", "ours ÷ it", rows, text)
