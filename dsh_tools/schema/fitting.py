"""Does a property refuse a value? For the `default`, the `const` and the members of `enum` that
a spec itself holds, which are looked at once: `validation` is for the values of calls.

Every keyword counts. What is itself at fault in a property refuses nothing here, `faults` names
it. Each pair of a property and a value is looked at once, so that alternatives in alternatives
cost no more than others.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from operator import ge, gt, le, lt
from typing import Final, TypeAlias, TypeGuard

from ..errors import shown_name
from ..json_values import is_finite, is_json, referenced, with_article
from .keywords import DEFINITIONS, TYPES

_Object: TypeAlias = dict[object, object]

_UNFINISHED: Final = None
"""What a pair gives that is met while it is looked at: it adds no refusal of its own."""


class Fitting:
    """Compares values with properties of one spec, in whose `root` references lead to others."""

    def __init__(self, root: object) -> None:
        self._root = root
        self._known: dict[tuple[int, int], str | None] = {}
        self._allowed: dict[int, frozenset[Hashable]] = {}
        self._required: dict[int, list[object]] = {}

    def refusal(self, prop: object, value: object, *, without: str = "") -> str | None:
        """Why a property refuses a JSON value, "must be a string", None when it does not;
        `without` is a keyword of it that does not count."""
        if without or not isinstance(prop, dict):
            return self._first_refusal(prop, value, without)
        pair = id(prop), id(value)
        if pair not in self._known:
            self._known[pair] = _UNFINISHED
            self._known[pair] = self._first_refusal(prop, value, "")
        return self._known[pair]

    def _first_refusal(self, prop: object, value: object, without: str) -> str | None:
        if not isinstance(prop, dict):
            return None
        for keyword, asked in prop.items():
            refuse = _KEYWORDS.get(keyword) if keyword != without else None
            refusal = refuse(self, prop, asked, value) if refuse is not None else None
            if refusal is not None:
                return refusal
        return None

    # --- one keyword each -----------------------------------------------------------------

    def _enum(self, prop: _Object, members: object, value: object) -> str | None:
        if not isinstance(members, list):
            return None
        if id(members) not in self._allowed:
            keys = (equality_key(member) for member in members if is_scalar(member))
            self._allowed[id(members)] = frozenset(keys)
        fits = is_scalar(value) and equality_key(value) in self._allowed[id(members)]
        return None if fits else 'must be one of its "enum"'

    def _reference(self, prop: _Object, reference: object, value: object) -> str | None:
        return self.refusal(definition(self._root, reference), value)

    def _any_of(self, prop: _Object, branches: object, value: object) -> str | None:
        if not isinstance(branches, list) or self._fitting(branches, value):
            return None
        return f"must fit one of its {len(branches)} alternatives"

    def _one_of(self, prop: _Object, branches: object, value: object) -> str | None:
        if not isinstance(branches, list):
            return None
        fitting = self._fitting(branches, value)
        if fitting == 1:
            return None
        only = "only " if fitting else ""
        return f"must fit {only}one of its {len(branches)} alternatives"

    def _fitting(self, branches: list[object], value: object) -> int:
        return sum(self.refusal(branch, value) is None for branch in branches)

    def _items(self, prop: _Object, items: object, value: object) -> str | None:
        if not isinstance(value, list):
            return None
        refusals = (self.refusal(items, element) for element in value)
        return next((f"has an item that {refusal}" for refusal in refusals if refusal), None)

    def _properties(self, prop: _Object, properties: object, value: object) -> str | None:
        if not isinstance(value, dict) or not isinstance(properties, dict):
            return None
        for name in self._required_names(prop, properties):
            if name not in value:
                return f'has no "{shown_name(name)}", which must be there'
        for name, member in value.items():
            refusal = self.refusal(properties.get(name), member)
            if refusal is not None:
                return f'has a "{shown_name(name)}" that {refusal}'
        return None

    def _required_names(self, prop: _Object, properties: _Object) -> list[object]:
        if id(prop) not in self._required:
            self._required[id(prop)] = required_names(prop, properties)
        return self._required[id(prop)]

    def _other_members(self, prop: _Object, others: object, value: object) -> str | None:
        if not isinstance(value, dict) or others is True:
            return None
        properties = prop.get("properties")
        for name, member in value.items():
            if isinstance(properties, dict) and name in properties:
                continue
            if others is False:
                return f'has a "{shown_name(name)}", which is no declared property'
            refusal = self.refusal(others, member)
            if refusal is not None:
                return f'has a "{shown_name(name)}" that {refusal}'
        return None

    def _names(self, prop: _Object, names: object, value: object) -> str | None:
        for name in value if isinstance(value, dict) else ():
            refusal = self.refusal(names, name)
            if refusal is not None:
                return f'has a "{shown_name(name)}", whose name {refusal}'
        return None


# --- keywords that look no further --------------------------------------------------------


def _type(fitting: Fitting, prop: _Object, kinds: object, value: object) -> str | None:
    known = types_in(kinds)
    if not known or any(has_type(value, kind) for kind in known):
        return None
    return f"must be {listed_types(known)}"


def _const(fitting: Fitting, prop: _Object, const: object, value: object) -> str | None:
    if is_scalar(const) and not (is_scalar(value) and equality_key(value) == equality_key(const)):
        return 'must be its "const"'
    return None


def _bound(words: str, fits: Callable[[float, float], bool]) -> "_Refuse":
    def refuse(fitting: Fitting, prop: _Object, bound: object, value: object) -> str | None:
        if not is_number(value) or not _is_bound(bound) or fits(value, bound):
            return None
        return f"must be {words} {bound!r}"

    return refuse


def _extent(
    kind: type[str] | type[list[object]] | type[_Object],
    words: str,
    fits: Callable[[int, int], bool],
) -> "_Refuse":
    def refuse(fitting: Fitting, prop: _Object, bound: object, value: object) -> str | None:
        if not isinstance(value, kind) or not is_count(bound) or not is_json(bound):
            return None
        if fits(len(value), bound):
            return None
        one, many = _COUNTED[kind]
        return f"must {words} {bound} {one if bound == 1 else many}"

    return refuse


_COUNTED: Final[Mapping[type, tuple[str, str]]] = {
    str: ("character", "characters"),
    list: ("item", "items"),
    dict: ("property", "properties"),
}


def _multiple(fitting: Fitting, prop: _Object, factor: object, value: object) -> str | None:
    if not is_number(value) or not _is_bound(factor) or factor <= 0:
        return None
    return None if _is_multiple(value, factor) else f"must be a multiple of {factor!r}"


def _is_multiple(value: float, factor: float) -> bool:
    """Exact, of the numbers as they are written: 0.3 is a multiple of 0.1."""
    if isinstance(value, int) and isinstance(factor, int):
        return value % factor == 0
    from fractions import Fraction  # dear to import, and hardly ever needed

    return (Fraction(repr(value)) / Fraction(repr(factor))).denominator == 1


def _pattern(fitting: Fitting, prop: _Object, pattern: object, value: object) -> str | None:
    if not isinstance(value, str) or not isinstance(pattern, str):
        return None
    from .patterns import pattern_fault, search_of  # most specs have no pattern

    if pattern_fault(pattern) is not None or search_of(pattern)(value):
        return None
    return 'must match its "pattern"'


def _format(fitting: Fitting, prop: _Object, name: object, value: object) -> str | None:
    if not isinstance(value, str) or not isinstance(name, str):
        return None
    from .formats import FORMATS  # most specs have no format

    format_ = FORMATS.get(name)
    return None if format_ is None or format_.fits(value) else f"must be {format_.words}"


def _unique(fitting: Fitting, prop: _Object, unique: object, value: object) -> str | None:
    if unique is not True or not isinstance(value, list):
        return None
    keys = [equality_key(element) for element in value]
    return None if len(set(keys)) == len(keys) else "must not have equal items"


_Refuse: TypeAlias = Callable[[Fitting, _Object, object, object], str | None]
"""`refuse(fitting, prop, asked, value)`: why the keyword of that property that asks for `asked`
refuses a value, None when it does not."""

_KEYWORDS: Final[Mapping[object, _Refuse]] = {
    "type": _type,
    "enum": Fitting._enum,
    "const": _const,
    "minimum": _bound("at least", ge),
    "maximum": _bound("at most", le),
    "exclusiveMinimum": _bound("greater than", gt),
    "exclusiveMaximum": _bound("less than", lt),
    "multipleOf": _multiple,
    "minLength": _extent(str, "have at least", ge),
    "maxLength": _extent(str, "have at most", le),
    "pattern": _pattern,
    "format": _format,
    "minItems": _extent(list, "have at least", ge),
    "maxItems": _extent(list, "have at most", le),
    "uniqueItems": _unique,
    "items": Fitting._items,
    "minProperties": _extent(dict, "have at least", ge),
    "maxProperties": _extent(dict, "have at most", le),
    "properties": Fitting._properties,
    "additionalProperties": Fitting._other_members,
    "propertyNames": Fitting._names,
    "anyOf": Fitting._any_of,
    "oneOf": Fitting._one_of,
    "$ref": Fitting._reference,
}


# --- what a value and a part of a property are --------------------------------------------


def has_type(value: object, kind: str) -> bool:
    """Whether a value is of a type of JSON Schema, to which a float without fractional part is
    an integer."""
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "number":
            return is_number(value)
        case "integer":
            return is_number(value) and (isinstance(value, int) or value.is_integer())
        case "null":
            return value is None
        case "array":
            return isinstance(value, list)
    return isinstance(value, dict)


def is_number(value: object) -> TypeGuard[float]:
    if isinstance(value, float):
        return is_finite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_bound(value: object) -> TypeGuard[float]:
    """Whether it is a number that can be printed."""
    return is_number(value) and is_json(value)


def is_scalar(value: object) -> TypeGuard[str | int | float | bool | None]:
    return value is None or isinstance(value, (str, bool)) or is_number(value)


def equality_key(value: object) -> Hashable:
    """Equal for values that are equal in JSON: 1 equals 1.0, never True."""
    if isinstance(value, list):
        return "[", tuple(map(equality_key, value))
    if isinstance(value, dict):
        return "{", frozenset((name, equality_key(member)) for name, member in value.items())
    return isinstance(value, bool), value


def types_in(kinds: object) -> tuple[str, ...]:
    """The types that a "type" names, once each; () when it is at fault."""
    given = kinds if isinstance(kinds, list) else [kinds]
    known = tuple(dict.fromkeys(kind for kind in given if kind in TYPES))
    return known if len(known) == len(given) else ()


def listed_types(kinds: Iterable[str]) -> str:
    """Types in a sentence: "a string, an integer or null"."""
    named = ["null" if kind == "null" else with_article(kind) for kind in kinds]
    return " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))


def required_names(prop: Mapping[object, object], properties: object) -> list[object]:
    """The properties of an object that must be there, in the order of their declaration."""
    if not isinstance(properties, dict):
        return []
    said = prop.get("required")
    listed = set(filter(is_scalar, said)) if isinstance(said, list) else ()
    return [
        name
        for name, inner in properties.items()
        if name in listed or isinstance(inner, dict) and inner.get("required") is True
    ]


def definition(root: object, reference: object) -> object:
    """What a `$ref` names: a definition of the `root`, None for any other place."""
    if not isinstance(reference, str):
        return None
    match reference.split("/"):
        case ["#", holder, _] if holder in DEFINITIONS:
            return referenced(reference, root)
    return None
