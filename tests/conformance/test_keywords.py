"""The keywords of JSON Schema: what is refused in a spec, and what comes out of one."""

import json
from typing import Any

import pytest
from dsh_tools import (
    SchemaError,
    ToolArgsError,
    define_tool,
    schema,
    schema_spec_to_json_schema,
    unchecked_keywords,
    validate_args,
    validate_value,
)
from dsh_tools.schema.validation.validator import Validator

from tests.unit.support import call, check_of

from .corpus import Case, cases, without_hint

CASES = cases("keywords")


def cases_with(key: str) -> list[object]:
    return [case for case in CASES if key in case.values[0]]


@pytest.mark.parametrize("case", cases_with("expect_error"))
def test_a_malformed_spec_is_refused(case: Case) -> None:
    with pytest.raises(SchemaError) as raised:
        schema(case["spec"])
    assert raised.value.code == case["expect_error"]


@pytest.mark.parametrize("case", cases_with("expect_schema"))
def test_a_spec_comes_out_as_json_schema(case: Case) -> None:
    converted: Any = schema_spec_to_json_schema(schema(case["spec"]))
    assert json.dumps(converted) == json.dumps(case["expect_schema"])
    assert json.dumps(schema_spec_to_json_schema(converted)) == json.dumps(converted)


@pytest.mark.parametrize("case", cases_with("args"))
def test_a_spec_is_well_formed(case: Case) -> None:
    assert schema(case["spec"]) is case["spec"]


@pytest.mark.parametrize("case", cases_with("args"))
def test_arguments_are_judged(case: Case) -> None:
    spec, args, expected = case["spec"], case["args"], case["expect"]
    assert list(map(without_hint, validate_args(spec, args))) == expected
    if check_of(spec)(args):
        assert expected == []
    tool = define_tool(name="t", description="t", parameters=spec, execute=lambda args, _: "ran")
    if not expected:
        assert tool["execute"](args, call()) == "ran"
        return
    with pytest.raises(ToolArgsError) as raised:
        tool["execute"](args, call())
    assert list(map(without_hint, raised.value.violations)) == expected


@pytest.mark.parametrize("case", cases_with("value"))
def test_values_are_judged_by_a_raw_schema(case: Case) -> None:
    violations = list(map(without_hint, validate_value(case["json_schema"], case["value"])))
    assert len(violations) == case.get("expect_count", len(case.get("expect", violations)))
    assert violations == case.get("expect", violations)
    validator = Validator(case["json_schema"])
    validator.compile()
    assert not (validator.check(case["value"]) and violations)


@pytest.mark.parametrize("case", cases_with("expect_unchecked"))
def test_what_is_not_checked_is_named(case: Case) -> None:
    assert len(unchecked_keywords(case["json_schema"])) == case["expect_unchecked"]
    assert validate_value(case["json_schema"], {"a": "anything"}) == []
