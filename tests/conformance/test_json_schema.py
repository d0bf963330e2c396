"""Spec to JSON Schema, compared with key order."""

import json
from typing import Any

import pytest
from dsh_tools import SchemaError, schema, schema_spec_to_json_schema

from .corpus import Case, cases


@pytest.mark.parametrize("case", cases("json_schema"))
def test_json_schema(case: Case) -> None:
    if case.get("expect_error"):
        with pytest.raises(SchemaError) as raised:
            schema_spec_to_json_schema(case["spec"])
        assert raised.value.code == case["expect_error"]
        assert next(iter(case["spec"])) in str(raised.value)
    else:
        converted: Any = schema_spec_to_json_schema(schema(case["spec"]))
        assert json.dumps(converted) == json.dumps(case["expect"])
        assert json.dumps(schema_spec_to_json_schema(converted)) == json.dumps(converted)
