"""Random schemas of all keywords: every verdict is that of jsonschema, explained and checked."""

import copy
import random
from typing import Any

from dsh_tools import unchecked_keywords, validate_value
from dsh_tools.schema.generated import source_of
from dsh_tools.schema.validation.validator import Validator
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.property.random_schemas import random_document, random_value

from .generated import tally


@given(st.integers(0, 2**64))
def test_every_verdict_is_that_of_jsonschema(seed: int) -> None:
    rng = random.Random(seed)
    document = random_document(rng)
    Draft202012Validator.check_schema(document)
    assert unchecked_keywords(document) == []
    oracle, validator = Draft202012Validator(document), Validator(document)
    validator.compile()
    for _ in range(40):
        value = random_value(rng, 3)
        before = copy.deepcopy(value)
        fits = oracle.is_valid(value)
        violations = validate_value(document, value)
        context = f"schema = {document!r}\nvalue = {value!r}\n{violations}\n{source_of(validator.check)}"
        assert (violations == []) == fits, context
        assert fits or not validator.check(value), context
        assert repr(value) == repr(before)
        tally["verdicts on random schemas equal to jsonschema's"] += 1
