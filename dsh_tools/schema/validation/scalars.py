"""Types, allowed values, and the bounds of numbers and texts."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeAlias

from ...json_values import float_of, int_of, text_of
from .building import Emitter, between
from .equality import same
from .reading import Node
from .words import (
    must_be,
    not_in_enum,
    not_matching,
    out_of_bounds,
    too_long,
)

# --- what kind of value it is -------------------------------------------------------------

_KINDS: Final[dict[type, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    list: "array",
    dict: "object",
    type(None): "null",
}


def kind_of(value: object) -> str:
    """The narrowest JSON type of a value: "integer" for a whole-number float too, "number" for one
    with a fraction; "" for what is not JSON."""
    class_ = type(value)
    kind = _KINDS.get(class_)
    if kind is not None:
        return kind
    if issubclass(class_, float):
        number = float_of(value)
        if number - number != 0.0:
            return ""
        return "integer" if number.is_integer() else "number"
    return next((kind for plain, kind in _KINDS.items() if issubclass(class_, plain)), "")


def with_integers(kinds: Iterable[str]) -> frozenset[str]:
    """The types as a set in which "number" brings "integer"."""
    found = frozenset(kinds)
    return found | {"integer"} if "number" in found else found


_CONDITIONS: Final[dict[str, str]] = {
    "string": "type({0}) is str",
    "boolean": "type({0}) is bool",
    "integer": "type({0}) is int",
    # x - x is 0.0 for every finite float, NaN for the others.
    "number": "(type({0}) is float and {0} - {0} == 0.0 or type({0}) is int)",
    "null": "{0} is None",
    "array": "type({0}) is list",
    "object": "type({0}) is dict",
}


def emit_kind(kind: str, value: str) -> str:
    """The condition that a value is of a JSON type."""
    return _CONDITIONS[kind].format(value)


# --- what else a value must be ------------------------------------------------------------


class Rule(NamedTuple):
    """Something that a value of the right type must be besides.

    fits: whether a value is.
    text: what it must be.
    hint: what to say of a value that is not; "" for nothing.
    """

    fits: Callable[[Any], bool]
    text: str
    hint: Callable[[Any], str]


Rules: TypeAlias = list[Rule]


def _no_hint(value: object) -> str:
    return ""


def rules_of(node: Node, kind: str) -> Rules:
    """What a node asks of a scalar of that kind, in the order in which it is said."""
    rules = _rules_of_values(node)
    if kind in ("integer", "number"):
        rules += _rules_of_numbers(node)
    if kind == "string":
        rules += _rules_of_texts(node)
    return rules


def plain_scalar(value: object, kind: str) -> object:
    """A scalar as the plain value that rules look at."""
    if kind == "string":
        return text_of(value)
    if kind in ("integer", "number"):
        return int_of(value) if issubclass(type(value), int) else float_of(value)
    return value


# --- allowed values -----------------------------------------------------------------------


def _rules_of_values(node: Node) -> Rules:
    rules: Rules = []
    if "enum" in node:
        allowed = {same(member) for member in node["enum"]}
        rules.append(Rule(lambda value: same(value) in allowed, not_in_enum(node["enum"]), _no_hint))
    if "const" in node:
        wanted = same(node["const"])
        rules.append(Rule(lambda value: same(value) == wanted, must_be(node["const"]), _no_hint))
    return rules


def emit_values(code: Emitter, node: Node, kind: str, value: str) -> list[str]:
    """The conditions that a scalar of a kind is one of the allowed values."""
    conditions = []
    if "enum" in node:
        members = _members(node["enum"], kind)
        conditions.append(f"{value} in {code.constant(frozenset(members))}")
    if "const" in node:
        members = _members([node["const"]], kind)
        conditions.append(f"{value} == {code.constant(members[0])}" if members else "False")
    return conditions


def _members(allowed: list[object], kind: str) -> list[object]:
    """The allowed values that a plain value of that kind may equal."""
    classes = {"string": str, "boolean": bool, "null": type(None)}.get(kind, (int, float))
    is_boolean = kind == "boolean"
    return [
        member
        for member in allowed
        if isinstance(member, classes) and isinstance(member, bool) is is_boolean
    ]


# --- numbers ------------------------------------------------------------------------------

_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_FITS: Final[dict[str, Callable[[float], Callable[[float], bool]]]] = {
    "minimum": lambda bound: lambda number: number >= bound,
    "maximum": lambda bound: lambda number: number <= bound,
    "exclusiveMinimum": lambda bound: lambda number: number > bound,
    "exclusiveMaximum": lambda bound: lambda number: number < bound,
    "multipleOf": lambda bound: lambda number: is_multiple(number, bound),
}
_SIGNS: Final = {"exclusiveMinimum": ">", "exclusiveMaximum": "<"}


def _bounds(node: Node) -> list[tuple[str, float]]:
    given: Any = node
    return [(keyword, given[keyword]) for keyword in _BOUNDS if keyword in given]


def _rules_of_numbers(node: Node) -> Rules:
    return [
        Rule(_FITS[keyword](bound), out_of_bounds(keyword, bound), _no_hint)
        for keyword, bound in _bounds(node)
    ]


def emit_number(code: Emitter, node: Node, value: str) -> list[str]:
    conditions = between(code, node.get("minimum"), value, node.get("maximum"))
    for keyword, bound in _bounds(node):
        if keyword in _SIGNS:
            conditions.append(f"{value} {_SIGNS[keyword]} {code.constant(bound)}")
        elif keyword == "multipleOf":
            fits = code.constant(_FITS[keyword](bound))
            conditions.append(f"{fits}({value})")
    return conditions


def is_multiple(number: float, factor: float) -> bool:
    """Whether a finite number is a multiple of another one, as people write them: 0.3 is one of
    0.1, whatever their binary forms are."""
    if isinstance(number, int) and isinstance(factor, int):
        return number % factor == 0
    from fractions import Fraction  # dear to import, and few bounds are no whole numbers

    exact_number = Fraction(number) if isinstance(number, int) else Fraction(repr(number))
    exact_factor = Fraction(factor) if isinstance(factor, int) else Fraction(repr(factor))
    return exact_number % exact_factor == 0


# --- texts --------------------------------------------------------------------------------


def _rules_of_texts(node: Node) -> Rules:
    rules: Rules = []
    if "minLength" in node:
        fewest = node["minLength"]
        rules.append(Rule(lambda text: len(text) >= fewest, too_long("minLength", fewest), _length))
    if "maxLength" in node:
        most = node["maxLength"]
        rules.append(Rule(lambda text: len(text) <= most, too_long("maxLength", most), _length))
    return rules + _rules_of_forms(node)


def _rules_of_forms(node: Node) -> Rules:
    rules: Rules = []
    if "pattern" in node:
        pattern = node["pattern"]
        rules.append(Rule(search_of(pattern), not_matching(pattern), _no_hint))
    if "format" in node:
        from ..formats import FORMATS  # hardly any schema has one

        format_ = FORMATS[node["format"]]
        example = f"for example {format_.example}"
        rules.append(Rule(format_.fits, f"must be {format_.words}", lambda text: example))
    return rules


def _length(text: str) -> str:
    return f"it is {len(text)}"


def search_of(pattern: str) -> Callable[[str], bool]:
    """Whether a text holds what a pattern describes."""
    from .. import patterns  # hardly any schema has one

    return patterns.search_of(pattern)


def emit_text(code: Emitter, node: Node, value: str) -> list[str]:
    conditions = between(code, node.get("minLength"), f"len({value})", node.get("maxLength"))
    fits = [code.constant(rule.fits) for rule in _rules_of_forms(node)]
    return conditions + [f"{name}({value})" for name in fits]
