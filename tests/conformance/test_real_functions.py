"""300 real function definitions and 3,103 calls to them."""

import json
import re

import pytest
from dsh_tools import schema_spec_to_json_schema, validate_args
from dsh_tools.schema.typed_source import typed_dict_source

from .corpus import Case, real_functions

FUNCTIONS = [pytest.param(function, id=function["name"]) for function in real_functions()]


def test_the_corpus_is_whole() -> None:
    functions = real_functions()
    assert (len(functions), sum(len(f["calls"]) for f in functions)) == (300, 3103)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_schema(function: Case) -> None:
    converted = schema_spec_to_json_schema(function["parameters"])
    assert json.dumps(converted) == json.dumps(function["json_schema"])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_schema_by_way_of_a_typed_dict(function: Case) -> None:
    source = typed_dict_source("Args", function["parameters"])
    namespace: dict[str, type[object]] = {}
    exec(source, namespace)
    converted = schema_spec_to_json_schema(namespace["Args"])
    assert json.dumps(converted) == json.dumps(function["json_schema"]), source


@pytest.mark.parametrize("function", FUNCTIONS)
def test_calls(function: Case) -> None:
    for call in function["calls"]:
        violations = validate_args(function["parameters"], call["arguments"])
        paths = {_path(violation) for violation in violations}
        assert paths == set(call["bad_paths"]), call["arguments"]


def _path(violation: str) -> str:
    found = re.match(r'(?:missing required property )?"(.*?)"(?: must be | \(|$)', violation)
    assert found is not None, violation
    return found[1]
