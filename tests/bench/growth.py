"""Time per element while one thing grows: it stays flat."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from dsh_tools import SchemaProp, SchemaSpec

from tests.unit.support import check_of, validator_of

from . import execute, tools
from .measure import Timed, measure, statement
from .report import Row, Table, duration

# How many times the first row's time per element a later row may take. Data that outgrows the
# processor's caches takes part of it, anything that is not linear far more.
_FLAT: Final = 2.0
_ROUNDS: Final = 9


def tables() -> Iterator[Table]:
    for title, sizes, make in (
        ("array length, checked", (10, 100, 1000, 10_000, 100_000), _array_checked),
        ("array length, every element explained", (10, 100, 1000, 10_000), _array_explained),
        ("spec width, checked", (10, 100, 1000), _width_checked),
        ("spec width, every property explained", (10, 100, 1000), _width_explained),
        ("spec width, check generated", (10, 100, 1000), _width_generated),
        ("spec depth, checked", (4, 16, 60), _depth_checked),
        ("spec depth, check generated", (4, 16, 60), _depth_generated),
        ("listeners on either side, one call", (1, 10, 100), _listeners),
        ("tools defined and registered", (10, 100, 1000, 10_000), _registering),
        ("tools listed by schemas()", (10, 100, 1000, 10_000), _listing),
    ):
        yield _grow(f"growth: {title}", sizes, make)


def _grow(title: str, sizes: tuple[int, ...], make: Callable[[int], Timed]) -> Table:
    rounds = measure({str(size): make(size) for size in sizes}, _ROUNDS)
    first = sizes[0]
    rows = [Row(f"{first:,}", duration(rounds.median(str(first)) / first))]
    for size in sizes[1:]:
        per_element = duration(rounds.median(str(size)) / size)
        ratio = rounds.ratio(str(size), str(first)) * first / size
        rows.append(Row(f"{size:,}", per_element, ratio, _FLAT))
    return Table(title, "time per element", "it ÷ first row", rows)


# --- arrays -------------------------------------------------------------------------------

_STRINGS: Final[SchemaSpec] = {"texts": {"type": "array", "items": {"type": "string"}}}


def _array_checked(length: int) -> Timed:
    return _checked(_STRINGS, {"texts": ["text"] * length})


def _array_explained(length: int) -> Timed:
    return _explained(_STRINGS, {"texts": [0] * length})


# --- specs --------------------------------------------------------------------------------


def _wide(width: int) -> SchemaSpec:
    return {f"property_{number}": {"type": "string"} for number in range(width)}


def _width_checked(width: int) -> Timed:
    return _checked(_wide(width), dict.fromkeys(_wide(width), "text"))


def _width_explained(width: int) -> Timed:
    return _explained(_wide(width), dict.fromkeys(_wide(width), 0))


def _width_generated(width: int) -> Timed:
    return _generated(_wide(width))


def _deep(depth: int) -> SchemaSpec:
    inner: SchemaProp = {"type": "string"}
    for _ in range(depth):
        inner = {"type": "object", "properties": {"inner": inner}}
    return {"inner": inner}


def _depth_checked(depth: int) -> Timed:
    args: Any = "text"
    for _ in range(depth + 1):
        args = {"inner": args}
    return _checked(_deep(depth), args)


def _depth_generated(depth: int) -> Timed:
    return _generated(_deep(depth))


def _checked(spec: SchemaSpec, args: object) -> Timed:
    check = check_of(spec)
    assert check(args)
    return statement("check(args)", check=check, args=args)


def _explained(spec: SchemaSpec, args: object) -> Timed:
    violations = validator_of(spec).violations
    assert violations(args)
    return statement("violations(args)", violations=violations, args=args)


def _generated(spec: SchemaSpec) -> Timed:
    return statement("compile()", compile=validator_of(spec).compile)


# --- registries ---------------------------------------------------------------------------


def _listeners(number: int) -> Timed:
    registry = execute.registry(number)
    return statement("execute(call)", execute=registry.execute, call=execute.CALL)


def _registering(number: int) -> Timed:
    return statement("registry(number)", registry=tools.registry, number=number)


def _listing(number: int) -> Timed:
    return statement("schemas()", schemas=tools.registry(number).schemas)
