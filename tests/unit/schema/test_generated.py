import gc
import linecache
import traceback
from typing import Any

import pytest
from dsh_tools.schema.generated import compile_function, source_of

from tests.unit.support import check_of

NASTY = '"]); __import__("os").abort() #\n\\'


def test_constants_reach_the_function_by_name() -> None:
    check = compile_function("check", "def check(v):\n    return v == c0\n", {"c0": 5})
    assert (check(5), check(6)) == (True, False)


def test_the_source_can_be_read_and_stands_in_tracebacks() -> None:
    source = "def check(v):\n    return v / 0\n"
    check = compile_function("check", source, {})
    assert source_of(check) == source
    with pytest.raises(ZeroDivisionError) as raised:
        check(1)
    assert "return v / 0" in "".join(traceback.format_exception(raised.value))


def test_the_source_goes_with_the_function() -> None:
    check = check_of({"a": {"type": "string"}})
    filename = check.__code__.co_filename
    assert filename in linecache.cache
    del check
    gc.collect()
    assert filename not in linecache.cache


def test_no_text_of_an_author_is_in_the_source() -> None:
    check = check_of(
        {
            NASTY: {
                "type": "string",
                "enum": [NASTY],
                "default": NASTY,
                "description": NASTY,
                "required": True,
            }
        }
    )
    assert "os" not in source_of(check)
    assert check({NASTY: NASTY})
    assert not check({NASTY: "other"})


def test_nesting_beyond_what_one_function_may_have() -> None:
    root: Any = {"type": "integer"}
    value: Any = 5
    for _ in range(40):
        root = {"type": "array", "items": {"type": "object", "properties": {"x": root}}}
        value = [{"x": value}]
    check = check_of({"v": root})
    assert check({"v": value})
    assert not check({"v": [{"x": [{"x": "no"}]}]})
