"""What a spec costs before its first use: defining tools, converting, making a checker."""

from collections.abc import Iterator
from typing import Any, Final

import fastjsonschema
import jsonschema_rs
import pydantic
import pydantic_ai
from dsh_tools import schema_spec_to_json_schema
from dsh_tools.schema.validation.validator import Validator

from . import tools
from .measure import measure, statement
from .payloads import SHAPES, Shape
from .report import Row, Table, digits, duration, versus

_EXPLAINED: Final = "dsh_tools, first call"
_GENERATED: Final = "dsh_tools, generated check"


def tables() -> Iterator[Table]:
    yield _definitions()
    yield _conversion()
    yield from map(_first_use, SHAPES)
    yield Table("when a generated check pays", "calls", "", [_payback(shape) for shape in SHAPES])


def _definitions() -> Table:
    specs = [tools.spec() for _ in range(100)]
    candidates = {
        "define_tool": statement(
            "for spec in specs: define('search', spec)", specs=specs, define=tools.define
        ),
        "pydantic-ai Tool": statement(
            "for function in functions: Tool(function)",
            functions=tools.functions(100),
            Tool=pydantic_ai.Tool,
        ),
    }
    rows = versus(measure(candidates), "define_tool", {"pydantic-ai Tool": 1 / 20})
    title = "define 100 tools, five described parameters each"
    return Table(title, "time", "ours ÷ it", rows)


def _conversion() -> Table:
    ours, peer = "schema_spec_to_json_schema", "pydantic model_json_schema"
    candidates = {
        ours: statement("convert(spec)", convert=schema_spec_to_json_schema, spec=tools.spec()),
        peer: statement("convert()", convert=_search_model().model_json_schema),
    }
    rows = versus(measure(candidates), ours, {peer: 1 / 40})
    return Table("convert to JSON Schema, five described parameters", "time", "ours ÷ it", rows)


def _search_model() -> Any:
    """The pydantic model with the fields of `tools.spec()`."""
    types = {"string": str, "integer": int, "boolean": bool, "array": list[str]}
    fields: dict[str, Any] = {}
    spec: dict[str, Any] = dict(tools.spec())
    for name, prop in spec.items():
        default = ... if prop.get("required") else None
        field = pydantic.Field(default, description=prop["description"])
        fields[name] = (types[prop["type"]], field)
    return pydantic.create_model("Search", **fields)


def _first_use(shape: Shape) -> Table:
    names: dict[str, Any] = {
        "args": shape.valid,
        "schema": shape.json_schema,
        "type": shape.type,
    }
    draft_7 = {**shape.json_schema, "$schema": "http://json-schema.org/draft-07/schema#"}
    candidates = {
        _EXPLAINED: statement(
            "Validator(schema).violations(args)", Validator=Validator, **names
        ),
        _GENERATED: statement(
            "compiled(schema).check(args)", compiled=_compiled, **names
        ),
        "pydantic TypeAdapter": statement(
            "Adapter(type).validate_python(args)", Adapter=pydantic.TypeAdapter, **names
        ),
        "jsonschema-rs": statement(
            "prepare(schema).is_valid(args)", prepare=jsonschema_rs.validator_for, **names
        ),
        "fastjsonschema": statement(
            "prepare(draft_7)(args)", prepare=fastjsonschema.compile, draft_7=draft_7, **names
        ),
    }
    text = "From the spec, schema or type to the first verdict. The first calls need no checker."
    rows = versus(measure(candidates), _EXPLAINED)
    return Table(f"first use, {shape.name}", "time", "first call ÷ it", rows, text)


def _payback(shape: Shape) -> Row:
    """How many valid calls make up for the time that generating the check takes."""
    validator = _compiled(shape.json_schema)
    names = {"args": shape.valid, "validator": validator}
    rounds = measure(
        {
            "generated": statement("validator.compile()", **names),
            "explained": statement("validator.violations(args)", **names),
            "checked": statement("validator.check(args)", **names),
        }
    )
    generated, explained, checked = map(rounds.median, rounds.seconds)
    note = ", ".join(f"{name} in {duration(rounds.median(name))}" for name in rounds.seconds)
    return Row(shape.name, digits(generated / (explained - checked)), note=note)


def _compiled(json_schema: object) -> Validator:
    validator = Validator(json_schema, formats=True)
    validator.compile()
    return validator
