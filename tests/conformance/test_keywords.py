"""The keywords of JSON Schema: what is refused in a spec, and what comes out of one."""

import json
from typing import Any

import pytest
from dsh_tools import SchemaError, schema, schema_spec_to_json_schema

from .corpus import Case, cases

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
