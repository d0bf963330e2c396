"""When two values are the same to JSON: 1 is 1.0 and never true, and keys of an object have no
order (JSON Schema, draft 2020-12, core 4.2.2)."""

from typing import Final, TypeAlias

from ...json_values import (
    elements_of,
    float_of,
    int_of,
    is_tree,
    items_of,
    length_of,
    text_of,
)

Same: TypeAlias = str | tuple[str, ...]

_END: Final = object()


def same(value: object) -> Same:
    """A key that two values share when they are equal. Texts alone make it up, whose hashes nobody
    can foresee: who sends numbers with equal hashes slows nothing down.

    Raises ValueError for a value that is not JSON, or holds a list or a dict in two places.
    """
    scalar = _same_scalar(value)
    if scalar is not None:
        return scalar
    if not is_tree(value):
        raise ValueError("a list or a dict stands in two places")
    return tuple(_tokens(value))


def has_equal(values: object) -> bool:
    """Whether two elements of a list are equal. Raises ValueError as `same` does."""
    kinds = set(map(type, elements_of(values)))
    if kinds == {str}:
        return len(set(elements_of(values))) < length_of(values)
    if not kinds <= _SCALARS and not is_tree(values):
        raise ValueError("a list or a dict stands in two places")
    return len({_same_inside(value) for value in elements_of(values)}) < length_of(values)


_SCALARS: Final[frozenset[type]] = frozenset((str, int, float, bool, type(None)))


def _same_inside(value: object) -> Same:
    scalar = _same_scalar(value)
    return tuple(_tokens(value)) if scalar is None else scalar


def _tokens(value: object) -> list[str]:
    """A container as a flat list of texts, whatever its depth."""
    tokens: list[str] = []
    unfinished = [value]
    while unfinished:
        item = unfinished.pop()
        scalar = "]" if item is _END else _same_scalar(item)
        if scalar is not None:
            tokens.append(scalar)
            continue
        unfinished.append(_END)
        if issubclass(type(item), dict):
            tokens.append("{")
            for key, inner in sorted(items_of(item), key=lambda pair: str(pair[0]), reverse=True):
                unfinished += (inner, key)
        else:
            tokens.append("[")
            unfinished += reversed(list(elements_of(item)))
    return tokens


def _same_scalar(value: object) -> str | None:
    """The key of a scalar, None for a list or a dict."""
    kind = type(value)
    if issubclass(kind, str):
        return f'"{text_of(value)}'
    if kind is bool or value is None:
        return str(value)
    if issubclass(kind, int):
        return hex(int_of(value))
    if issubclass(kind, float):
        number = float_of(value)
        return hex(int(number)) if number.is_integer() else repr(number)
    if issubclass(kind, (list, dict)):
        return None
    raise ValueError("it is not JSON")
