"""The official cases of JSON Schema, draft 2020-12: every schema that is wholly checked is judged
right, by the explanation and by the generated check.

See the README in `json_schema_test_suite` for the origin.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dsh_tools import SchemaError, schema, unchecked_keywords, validate_value
from dsh_tools.schema.generated import source_of
from dsh_tools.schema.validation.validator import Validator

SUITE = Path(__file__).parent / "json_schema_test_suite"
TESTS = 1257
WHOLLY_CHECKED = 948


def groups() -> Iterator[Any]:
    for path in sorted(SUITE.glob("*.json")):
        for group in json.loads(path.read_text("utf-8")):
            yield pytest.param(group, id=f"{path.stem}: {group['description']}")


GROUPS = [*groups()]


@pytest.mark.parametrize("group", GROUPS)
def test_what_is_wholly_checked_is_judged_right(group: Any) -> None:
    json_schema = group["schema"]
    if unchecked_keywords(json_schema):
        for test in group["tests"]:
            assert isinstance(validate_value(json_schema, test["data"]), list)
        return
    validator = Validator(json_schema)
    validator.compile()
    for test in group["tests"]:
        violations = validate_value(json_schema, test["data"])
        context = f"{test['description']}: {violations}\n{source_of(validator.check)}"
        assert (violations == []) == test["valid"], context
        assert test["valid"] or not validator.check(test["data"]), context


def test_so_many_are_wholly_checked() -> None:
    tests = {True: 0, False: 0}
    for (group,) in (parameters.values for parameters in GROUPS):
        tests[unchecked_keywords(group["schema"]) == []] += len(group["tests"])
    assert tests == {True: WHOLLY_CHECKED, False: TESTS - WHOLLY_CHECKED}


def test_a_default_that_does_not_fit_is_refused_when_the_spec_is_built() -> None:
    """The suite lets such a default stand, since it changes no verdict; here it is left out."""
    wrong: Any = {"foo": {"type": "integer", "default": []}}
    with pytest.raises(SchemaError, match='"foo": "default" must be an integer'):
        schema(wrong)
