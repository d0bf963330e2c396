"""The generated check and the explanation agree on random specs and arguments."""

import json
import random
from typing import Any

import pytest
from dsh_tools import schema, schema_spec_to_json_schema
from dsh_tools.schema.generated import source_of

from tests.unit.support import check_of, validator_of

KINDS = ["string", "number", "integer", "boolean", "object", "array"]
NAMES = ["a", "b", "", "a.b", 'q"', "path", "größe", "x" * 40]
SCALARS: list[Any] = ["", "a", "b", "text", 0, 1, -1, 2, 0.5, 1.0, 1e300, True, False, None]
ODD: list[Any] = [float("nan"), float("inf"), (1,), {1}, b"x", 10**400, object()]


class Text(str):
    pass


class Members(dict[str, Any]):
    pass


def random_prop(rng: random.Random, depth: int) -> Any:
    kind = rng.choice(KINDS if depth else KINDS[:4])
    prop: Any = {"type": kind}
    if rng.random() < 0.5:
        prop["required"] = True
    if kind == "string" and rng.random() < 0.3:
        prop["enum"] = rng.sample(["a", "b", "", "c"], 2)
    if kind == "integer" and rng.random() < 0.3:
        prop["enum"] = rng.sample([0, 1, 2, 10**20], 2)
    if kind == "number" and rng.random() < 0.3:
        prop["enum"] = rng.sample([0, 1, 0.5, -2.5], 2)
    if kind == "object" and rng.random() < 0.8:
        prop["properties"] = random_spec(rng, depth - 1)
    if kind == "array" and rng.random() < 0.8:
        prop["items"] = random_prop(rng, depth - 1)
    return prop


def random_spec(rng: random.Random, depth: int) -> Any:
    return {name: random_prop(rng, depth) for name in rng.sample(NAMES, rng.randint(0, 4))}


def random_value(rng: random.Random, prop: Any, trust: float) -> Any:
    """A value that fits with a likelihood that grows with `trust`, and is odd otherwise."""
    if rng.random() > trust:
        return rng.choice([*SCALARS, *ODD, [], {}, ["a"], {"a": 1}, Text("a"), Members(a="a")])
    if "enum" in prop:
        return rng.choice(prop["enum"])
    match prop["type"]:
        case "string":
            return rng.choice(["", "a", Text("b")])
        case "number":
            return rng.choice([0, 1.5, -2])
        case "integer":
            return rng.choice([0, 7, 3.0])
        case "boolean":
            return rng.choice([True, False])
        case "array":
            items = prop.get("items", {"type": "string"})
            return [random_value(rng, items, trust) for _ in range(rng.randint(0, 3))]
    return random_arguments(rng, prop.get("properties", {}), trust)


def random_arguments(rng: random.Random, spec: Any, trust: float) -> Any:
    arguments = {
        name: random_value(rng, prop, trust)
        for name, prop in spec.items()
        if prop.get("required") and rng.random() < 0.5 + trust / 2 or rng.random() < 0.5
    }
    if rng.random() < 0.2:
        arguments["extra"] = None
    return Members(arguments) if rng.random() < 0.1 else arguments


def is_plain(value: Any) -> bool:
    """Whether a value is made of what `json.loads` makes, whole-number floats aside."""
    if isinstance(value, list):
        return type(value) is list and all(map(is_plain, value))
    if isinstance(value, dict):
        return type(value) is dict and all(map(is_plain, value.values()))
    if isinstance(value, float):
        return not value.is_integer()
    return type(value) in (str, int, bool, type(None))


@pytest.mark.parametrize("seed", range(200))
def test_the_check_and_the_explanation_agree(seed: int) -> None:
    rng = random.Random(seed)
    spec: Any = schema(random_spec(rng, 3))
    validator = validator_of(spec)
    check = check_of(spec)
    for _ in range(60):
        arguments = random_arguments(rng, spec, rng.choice([0.5, 0.9, 0.97, 1.0]))
        violations = validator.violations(arguments)
        context = f"spec = {spec!r}\narguments = {arguments!r}\n{source_of(check)}"
        if check(arguments):
            assert violations == [], context
        elif is_plain(arguments):
            assert violations != [], context


@pytest.mark.parametrize("seed", range(50))
def test_accepted_arguments_fit_again_and_hold_no_float_for_an_integer(seed: int) -> None:
    rng = random.Random(seed)
    spec = schema(random_spec(rng, 3))
    validator = validator_of(spec)
    for _ in range(30):
        arguments = random_arguments(rng, spec, 1.0)
        before = repr(arguments)
        if not validator.violations(arguments):
            accepted = validator.accept(arguments)
            assert repr(arguments) == before
            assert accepted == arguments
            assert validator.violations(accepted) == []
            check_integers(spec, accepted)


def check_integers(spec: Any, members: Any) -> None:
    for name, prop in spec.items():
        if name in members:
            value = members[name]
            if prop["type"] == "integer":
                assert isinstance(value, int)
            if prop["type"] == "object":
                check_integers(prop.get("properties", {}), value)
            if prop["type"] == "array" and prop.get("items", {}).get("type") == "integer":
                assert all(isinstance(item, int) for item in value)


@pytest.mark.parametrize("seed", range(50))
def test_a_default_is_refused_exactly_when_the_property_refuses_it(seed: int) -> None:
    from dsh_tools.schema.faults import spec_faults

    rng = random.Random(seed)
    for _ in range(40):
        prop = random_prop(rng, 2)
        prop.pop("required", None)
        default = random_value(rng, prop, 0.9)
        try:
            json.dumps(default, allow_nan=False)
        except (TypeError, ValueError):
            continue
        faults = spec_faults({"p": {**prop, "default": default}})
        violations = validator_of({"p": prop}).violations({"p": default})
        assert (faults == []) == (violations == []), (prop, default)


def test_every_random_spec_becomes_json_schema() -> None:
    for seed in range(200):
        converted = schema_spec_to_json_schema(schema(random_spec(random.Random(seed), 3)))
        assert json.loads(json.dumps(converted)) == converted
