"""Spec and arguments to violations, hints aside."""

from typing import Any

import pytest
from dsh_tools import SchemaError, ToolArgsError, parse_arguments, validate_args

from tests.unit.support import check_of

from .corpus import Case, cases, without_hint

# The case that DESIGN.md decides otherwise: blank text is that of a call without arguments
# (section 9).
DESIGN_DECIDES: dict[str, list[str]] = {"va-093": []}


def _arguments(case: Case) -> Any:
    if "args" in case:
        return case["args"]
    if "args_py" in case:
        return eval(case["args_py"])
    if "args_text" in case:
        return parse_arguments(case["args_text"])
    build = case["args_text_build"]
    text = build["prefix"] + build["unit"] * build["times"] + build["middle"]
    return parse_arguments(text + build["unit2"] * build["times"] + build["suffix"])


@pytest.mark.parametrize("case", cases("validate"))
def test_validate(case: Case) -> None:
    if case.get("expect_error"):
        with pytest.raises(SchemaError) as raised:
            validate_args(case["spec"], {})
        assert raised.value.code == case["expect_error"]
        return
    arguments = _arguments(case)
    violations = validate_args(case["spec"], arguments)
    stripped = [without_hint(violation) for violation in violations]
    expected = DESIGN_DECIDES.get(case["id"], case["expect"])
    assert stripped in [expected, *case.get("also_ok", [])]
    if "expect_message" in case and stripped == case["expect"]:
        error = ToolArgsError(stripped)
        assert (str(error), error.code) == (case["expect_message"], "INVALID_ARGS")


    """The first calls of a spec are explained, later ones are checked by generated code."""
    if case.get("expect_error"):
        pytest.skip("the spec is refused before anything is validated")
    check = check_of(case["spec"])
    arguments = _arguments(case)
    if check(arguments):
        assert validate_args(case["spec"], arguments) == []
    elif type(arguments) is dict and "python" not in case["kind"]:
        assert validate_args(case["spec"], arguments) != []
