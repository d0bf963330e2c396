"""The 300 specs of the real-functions file as source: each is inferred, and a value that
type-checks against the inferred type is one that validation accepts.

Python's types cannot tell a bool from an int, nor can a TypedDict literal hold undeclared keys;
values that differ in that alone are left out.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, cast

import mypy.api
import pytest

from dsh_tools import SchemaProp, SchemaSpec, validate_args
from tests.typing.expectations import printed

HERE: Final = Path(__file__).parent
REAL: Final = HERE.parent / "conformance" / "real" / "bfcl_calls.json"
KINDS: Final[tuple[object, ...]] = (None, True, 7, 1.5, "text", [], ["text"], [7], {}, {"a": 1})


class Witness(NamedTuple):
    """A value for the arguments of a tool, on a line of the module."""

    line: int
    spec: SchemaSpec
    value: object


class Module(NamedTuple):
    """The specs and their witnesses as source."""

    source: str
    witnesses: list[Witness]


def _tools() -> list[tuple[SchemaSpec, list[object]]]:
    """The spec and the arguments of calls of each tool in the file."""
    tools = json.loads(REAL.read_text("utf-8"))["tools"]
    return [(tool["parameters"], [call["arguments"] for call in tool["calls"]]) for tool in tools]


def _module() -> Module:
    lines, witnesses = ["from dsh_tools import InferArgs, schema"], list[Witness]()
    for number, (spec, calls) in enumerate(_tools()):
        lines.append(f"S{number} = schema({spec!r})")
        for value in (*calls, *_generated(spec, calls)):
            if _python_can_tell(spec, value):
                lines.append(f"w{len(witnesses)}: InferArgs[S{number}] = {value!r}")
                witnesses.append(Witness(len(lines), spec, value))
    return Module("\n".join(lines), witnesses)


def _generated(spec: SchemaSpec, calls: list[object]) -> Iterator[object]:
    """Values with each property in turn missing and of each kind, beside a call that is right."""
    right = next((call for call in calls if not validate_args(spec, call)), None)
    if isinstance(right, dict):
        for name in spec:
            yield {key: value for key, value in right.items() if key != name}
            yield from ({**right, name: kind} for kind in KINDS)


def _python_can_tell(spec: SchemaSpec, value: object) -> bool:
    props = cast(Mapping[str, SchemaProp], spec)
    return isinstance(value, dict) and all(
        name in props and _can_tell(props[name], inner) for name, inner in value.items()
    )


def _can_tell(prop: SchemaProp, value: object) -> bool:
    kind = prop["type"]
    if kind in ("integer", "number") and isinstance(value, bool):
        return False
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return False
    if isinstance(value, list) and "items" in prop:
        return all(_can_tell(prop["items"], item) for item in value)
    if isinstance(value, dict) and "properties" in prop:
        return _python_can_tell(cast(SchemaSpec, prop["properties"]), value)
    return kind != "number" or "enum" not in prop


@pytest.fixture(scope="module")
def module() -> Module:
    return _module()


@pytest.fixture(scope="module")
def refused(module: Module, tmp_path_factory: pytest.TempPathFactory) -> set[int]:
    """The lines that do not type-check."""
    folder = tmp_path_factory.mktemp("real")
    path = folder / "real_specs.py"
    path.write_text(module.source, "utf-8")
    os.environ["DSH_TOOLS_PLUGIN_RAISE"] = "1"
    output, errors, _ = mypy.api.run(
        [f"--config-file={HERE / 'mypy.ini'}", f"--cache-dir={folder / 'cache'}", str(path)]
    )
    assert not errors, errors
    return set(printed(output).get(path.resolve(), {}))


def test_every_spec_is_seen(module: Module, refused: set[int]) -> None:
    specs = [n for n, line in enumerate(module.source.splitlines(), 1) if line.startswith("S")]
    assert len(specs) == 300 and refused.isdisjoint(specs)


def test_what_type_checks_is_what_validates(module: Module, refused: set[int]) -> None:
    assert len(module.witnesses) > 5_000
    for line, spec, value in module.witnesses:
        assert (line in refused) == bool(validate_args(spec, value)), (spec, value)
