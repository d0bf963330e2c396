"""The official optional cases of the eight formats that a spec checks, and of patterns."""

import json
from typing import Any

import pytest
from dsh_tools import unchecked_keywords, validate_value
from dsh_tools.schema.formats import FORMATS
from dsh_tools.schema.validation.validator import Validator

from .test_json_schema_suite import SUITE


def cases_of(name: str) -> list[Any]:
    text = SUITE.joinpath("optional", f"{name}.json").read_text("utf-8")
    return [
        pytest.param(group["schema"], test, id=f"{name}: {test['description']}")
        for group in json.loads(text)
        for test in group["tests"]
    ]


@pytest.mark.parametrize(
    ("json_schema", "test"), [one for name in FORMATS for one in cases_of(f"format/{name}")]
)
def test_formats(json_schema: Any, test: Any) -> None:
    violations = Validator(json_schema, formats=True).violations(test["data"])
    assert (violations == []) == test["valid"], violations
    assert validate_value(json_schema, test["data"]) == []


@pytest.mark.parametrize(
    ("json_schema", "test"), [*cases_of("ecmascript-regex"), *cases_of("non-bmp-regex")]
)
def test_patterns(json_schema: Any, test: Any) -> None:
    assert unchecked_keywords(json_schema) == []  # all are inside the portable subset
    assert (validate_value(json_schema, test["data"]) == []) == test["valid"]
