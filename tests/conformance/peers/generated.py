"""Specs and JSON values as hypothesis makes them, and the count of what was done with them."""

from collections import Counter
from typing import Any

from hypothesis import strategies as st

tally: Counter[str] = Counter()

NAMES = st.sampled_from(["a", "b", "path", "größe", "", "a.b", "x[0]", 'q"', "type", "__proto__"])
WHOLE = st.integers(-3, 3) | st.sampled_from([2**53, -(2**63), 10**30])
REAL = st.sampled_from([0.0, -0.5, 1.0, 2.5, 1e300, -3.0])
TEXT = st.sampled_from(["", "a", "b", "1", "true", "{}", "[1]", "日本", "x" * 70])
SCALARS = st.none() | st.booleans() | WHOLE | REAL | TEXT

JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def _enum(members: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.just({}) | st.lists(members, min_size=1, max_size=3, unique=True).map(
        lambda enum: {"enum": enum}
    )


def _prop(kind: str, keys: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    required = st.sampled_from([{}, {"required": True}])
    return st.builds(lambda more, flag: {"type": kind, **more, **flag}, keys, required)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    specs = st.dictionaries(NAMES, inner, max_size=3).map(lambda spec: {"properties": spec})
    items = inner.map(lambda prop: {"items": prop})
    return _prop("object", specs) | _prop("array", items)


PROPS = st.recursive(
    _prop("string", _enum(TEXT))
    | _prop("integer", _enum(WHOLE))
    | _prop("number", _enum(WHOLE | REAL))
    | st.sampled_from(["boolean", "object", "array"]).flatmap(lambda kind: _prop(kind, st.just({}))),
    _containers,
    max_leaves=6,
)
SPECS = st.dictionaries(NAMES, PROPS, max_size=4)


def arguments(spec: Any) -> st.SearchStrategy[Any]:
    """Arguments for a spec: most values are near what it asks for, some are anything."""
    return st.fixed_dictionaries(
        {}, optional={name: _value(prop) for name, prop in spec.items()}
    ).flatmap(lambda known: st.dictionaries(NAMES, JSON, max_size=1).map(lambda odd: {**odd, **known}))


def _value(prop: Any) -> st.SearchStrategy[Any]:
    near = {
        "string": TEXT,
        "integer": WHOLE | REAL,
        "number": WHOLE | REAL,
        "boolean": st.booleans(),
        "object": JSON,
        "array": st.lists(JSON, max_size=3),
    }[prop["type"]]
    if "enum" in prop:
        near = st.sampled_from(prop["enum"]) | near
    if "properties" in prop:
        near = arguments(prop["properties"])
    if "items" in prop:
        near = st.lists(_value(prop["items"]), max_size=3)
    return st.one_of(near, near, near, near, JSON)


@st.composite
def calls(draw: st.DrawFn, most: int = 12) -> tuple[Any, list[Any]]:
    """A spec, and the arguments of several calls."""
    spec = draw(SPECS)
    return spec, draw(st.lists(arguments(spec) | JSON, min_size=1, max_size=most))
