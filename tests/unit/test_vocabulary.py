"""The words: documented key by key, and usable at run time."""

import typing
from typing import get_type_hints, is_typeddict

import pytest
from dsh_tools import vocabulary
from dsh_tools.adapters import acp

SHAPES = [
    pytest.param(shape, id=f"{module.__name__}.{name}")
    for module in (vocabulary, acp)
    for name, shape in vars(module).items()
    if is_typeddict(shape) and shape.__module__ == module.__name__ and not name.startswith("_")
]
"""Those whose name starts with an underscore are documented where another inherits from them."""


@pytest.mark.parametrize("shape", SHAPES)
def test_every_key_is_documented(shape: type) -> None:
    doc = shape.__doc__ or ""
    for key in get_type_hints(shape):
        assert key in doc
    if getattr(shape, "__optional_keys__") and getattr(shape, "__total__"):
        assert "absent" in doc


@pytest.mark.parametrize("shape", SHAPES)
def test_hints_resolve_at_run_time(shape: type) -> None:
    hints = get_type_hints(shape, include_extras=True)
    optional = {key for key, hint in hints.items() if typing.get_origin(hint) is typing.NotRequired}
    if getattr(shape, "__total__"):
        assert optional == getattr(shape, "__optional_keys__")


def test_it_defines_no_function() -> None:
    functions = [
        name
        for name, value in vars(vocabulary).items()
        if hasattr(value, "__code__")
        and value.__module__ == vocabulary.__name__
        and name != "__annotate__"  # which Python 3.14 makes of the annotations
    ]
    assert functions == []
