"""Verdicts and violating paths are those of jsonschema, and of pydantic where its rules are ours."""

import random
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired, Required

from dsh_tools import ToolRegistry, define_tool, schema_spec_to_json_schema
from dsh_tools.json_values import is_json
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic wants this one below Python 3.12

from tests.property.test_validation import random_arguments, random_spec
from tests.unit.support import check_of, validator_of

from .generated import calls, tally

Path = tuple[str | int, ...]
Finding = tuple[str, Path]  # "missing" or "wrong", and where


def written(path: Path) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def check_violations(violations: list[str], findings: set[Finding], context: object) -> None:
    """Each finding is one of the violations, and there are no others."""
    openings = [
        f'missing required property "{written(path)}"' if what == "missing" else f'"{written(path)}" must be '
        for what, path in findings
    ]
    if ("wrong", ()) in findings:
        openings = ['"arguments" must be an object']
    assert len(violations) == len(openings), (context, violations, findings)
    for opening in openings:
        assert any(text.startswith(opening) for text in violations), (context, violations, findings)


def both_verdicts(spec: Any, arguments: Any) -> list[str]:
    """The violations, which the generated check must not contradict."""
    validator = validator_of(spec)
    violations = validator.violations(arguments)
    if check_of(spec)(arguments):
        assert violations == [], (spec, arguments)
    return violations


# --- jsonschema ---------------------------------------------------------------------------


def found_by_jsonschema(oracle: Draft202012Validator, arguments: Any) -> Iterator[Finding]:
    for error in oracle.iter_errors(arguments):
        path = tuple(error.absolute_path)
        if error.validator == "required":
            missing = [name for name in error.validator_value if name not in error.instance]
            yield from (("missing", (*path, name)) for name in missing)
        else:
            yield "wrong", path


@given(calls())
def test_jsonschema_finds_the_same(generated: tuple[Any, list[Any]]) -> None:
    spec, several = generated
    schema: Any = schema_spec_to_json_schema(spec)
    Draft202012Validator.check_schema(schema)
    oracle = Draft202012Validator(schema)
    for arguments in several:
        findings = set(found_by_jsonschema(oracle, arguments))
        check_violations(both_verdicts(spec, arguments), findings, (spec, arguments))
        tally["verdicts equal to jsonschema's"] += 1


@given(st.integers(0, 2**64))
def test_a_call_runs_exactly_when_jsonschema_finds_nothing(seed: int) -> None:
    rng = random.Random(seed)
    spec = random_spec(rng, 3)
    oracle = Draft202012Validator(dict(schema_spec_to_json_schema(spec)))
    registry, ran = ToolRegistry(), list[Any]()
    registry.register(
        define_tool(
            name="t", description="", parameters=spec, execute=lambda args, e: ran.append(args)
        )
    )
    registry.on_pre_execute(lambda execution, next: next())
    for number in range(100):
        arguments = random_arguments(rng, spec, rng.choice([0.8, 0.97, 1.0]))
        ran.clear()
        tally["generated calls"] += 1
        result = registry.execute({"call_id": str(number), "name": "t", "arguments": arguments})
        assert result["call_id"] == str(number)
        if is_json(arguments):
            fits = oracle.is_valid(arguments)
            assert result["is_error"] is not fits, (spec, arguments)
            assert ran == ([arguments] if fits else [])
        else:
            assert result["is_error"] is not bool(ran)
        if result["is_error"]:
            assert result["error"] == {"name": "ToolArgsError", "code": "INVALID_ARGS"}
        tally["results, one for each call and the right one"] += 1


# --- pydantic -----------------------------------------------------------------------------


class NoType(Exception):
    """pydantic has no type with the rules of a property."""


MAKE_TYPED_DICT: Any = TypedDict  # types made at run time are nothing that mypy can follow
LIST: Any = list


def typed(spec: Any) -> Any:
    keys = {
        name: Required[annotation(prop)] if "required" in prop else NotRequired[annotation(prop)]
        for name, prop in spec.items()
    }
    made = MAKE_TYPED_DICT("made", keys)
    made.__pydantic_config__ = ConfigDict(strict=True, extra="allow")
    return made


def annotation(prop: Any) -> Any:
    if "enum" in prop and (prop["type"] == "number" or {0, 1} & {*prop["enum"]}):
        raise NoType  # there is no Literal of floats, and Literal[0] takes False
    if "enum" in prop:
        return Literal[tuple(prop["enum"])]
    match prop["type"]:
        case "array":
            return LIST[annotation(prop["items"]) if "items" in prop else Any]
        case "object":
            return typed(prop["properties"]) if "properties" in prop else dict[str, Any]
        case "number":
            return Annotated[float, Field(allow_inf_nan=False)]
    return {"string": str, "integer": int, "boolean": bool}[prop["type"]]


def rules_coincide(value: Any) -> bool:
    """A whole-number float is an integer for JSON Schema and for us, not for pydantic, and an
    integer beyond a float is a number for us alone."""
    if isinstance(value, dict):
        return all(map(rules_coincide, value.values()))
    if isinstance(value, list):
        return all(map(rules_coincide, value))
    if isinstance(value, float):
        return not value.is_integer()
    return not isinstance(value, int) or abs(value) <= 2**53


def found_by_pydantic(oracle: TypeAdapter[Any], arguments: Any) -> Iterator[Finding]:
    try:
        oracle.validate_python(arguments)
    except ValidationError as errors:
        for error in errors.errors():
            yield "missing" if error["type"] == "missing" else "wrong", error["loc"]


@given(calls())
def test_pydantic_finds_the_same_where_its_rules_are_ours(generated: tuple[Any, list[Any]]) -> None:
    spec, several = generated
    try:
        oracle = TypeAdapter(typed(spec))
    except NoType:
        return
    for arguments in filter(rules_coincide, several):
        findings = set(found_by_pydantic(oracle, arguments))
        check_violations(both_verdicts(spec, arguments), findings, (spec, arguments))
        tally["verdicts equal to pydantic's"] += 1


