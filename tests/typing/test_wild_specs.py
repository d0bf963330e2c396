"""Real schemas pasted into `schema(...)`: a call that is right type-checks as a literal of
`InferArgs[SPEC]`, and one that is wrong in form does not.

Wrong in form is what a type can say: a key that is missing, a value of another type, one that is
none of those allowed, a key that a closed object does not declare. Bounds, lengths, patterns and
counts are no type's. Three things are brought to Python's types by rule: keys that an open object
does not declare are left out, since no literal of a TypedDict may have them; a whole float is
written as the int that it is to JSON Schema; and a bool is an int.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import mypy.api
import pytest

from dsh_tools import SchemaError, schema
from dsh_tools.json_values import referenced
from tests.typing.expectations import printed

HERE: Final = Path(__file__).parent
TOOLS: Final = HERE.parent / "conformance" / "wild" / "tools.jsonl"
MODULES: Final = 4


class Call(NamedTuple):
    """A call on a line of a module, and whether it must type-check there: None when no type can
    tell."""

    module: int
    line: int
    is_right: bool | None
    about: str


class Form:
    """The form that one JSON Schema gives a value."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def fits(self, prop: Any, value: Any, followed: tuple[str, ...] = ()) -> bool:
        """Whether a value has the form of a schema, as far as types can say it."""
        if "$ref" in prop:
            reference = prop["$ref"]
            target = referenced(reference, self._document)
            return reference in followed or self.fits(target, value, (*followed, reference))
        if not _is_allowed(prop, value):
            return False
        branches = prop.get("anyOf", prop.get("oneOf"))
        if branches is not None:
            return any(self.fits(branch, value, followed) for branch in branches)
        kinds = prop.get("type", [])
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if kinds and not any(_has_type(kind, value) for kind in kinds):
            return False
        if isinstance(value, list):
            return all(self.fits(prop.get("items", {}), item, followed) for item in value)
        return not isinstance(value, dict) or self._fits_object(prop, value, followed)

    def _fits_object(self, prop: Any, value: Any, followed: tuple[str, ...]) -> bool:
        declared, others = prop.get("properties", {}), prop.get("additionalProperties", {})
        for name, inner in value.items():
            if name not in declared and others is False and "properties" in prop:
                return False
            if name in declared and not self.fits(declared[name], inner, followed):
                return False
            if not declared and isinstance(others, dict) and not self.fits(others, inner, followed):
                return False
        return all(name in value for name in prop.get("required", ()))

    def written(self, prop: Any, value: Any, followed: tuple[str, ...] = ()) -> Any:
        """A value as a literal of the type can have it."""
        if "$ref" in prop:
            reference = prop["$ref"]
            if reference in followed:
                return value
            target = referenced(reference, self._document)
            return self.written(target, value, (*followed, reference))
        branches = prop.get("anyOf", prop.get("oneOf"))
        if branches is not None:
            fitting = (branch for branch in branches if self.fits(branch, value, followed))
            return self.written(next(fitting, {}), value, followed)
        if isinstance(value, list):
            return [self.written(prop.get("items", {}), item, followed) for item in value]
        if isinstance(value, dict):
            return dict(self._entries(prop, value, followed))
        is_whole = isinstance(value, float) and value.is_integer()
        return int(value) if is_whole and "integer" in str(prop.get("type")) else value

    def _entries(
        self, prop: Any, value: Any, followed: tuple[str, ...]
    ) -> Iterator[tuple[str, object]]:
        declared, others = prop.get("properties"), prop.get("additionalProperties", {})
        for name, inner in value.items():
            if declared and name in declared:
                yield name, self.written(declared[name], inner, followed)
            elif not declared and isinstance(others, dict) and (others or declared is None):
                yield name, self.written(others, inner, followed)
            elif others is False or declared is None:
                yield name, inner


def _is_allowed(prop: Any, value: object) -> bool:
    """Whether a value is among those that `const` or `enum` list; any number is as good as one
    that is listed where a type is `float`."""
    values = [prop["const"]] if "const" in prop else prop.get("enum")
    if values is None or isinstance(value, float) and any(isinstance(v, float) for v in values):
        return True
    if isinstance(value, (int, float)) and prop.get("type") == "number":
        return True
    return any(type(value) is type(each) and value == each for each in values)


def _has_type(kind: str, value: object) -> bool:
    match kind:
        case "integer":
            return isinstance(value, int) or isinstance(value, float) and value.is_integer()
        case "number":
            return isinstance(value, (int, float))
        case "null":
            return value is None
    classes = {"string": str, "boolean": bool, "array": list, "object": dict}
    return isinstance(value, classes[kind])


def _tools() -> list[Any]:
    """The tools whose schemas are specs as they stand."""
    tools = [json.loads(line) for line in TOOLS.read_text("utf-8").splitlines()]
    return [tool for tool in tools if _is_spec(tool["parameters"])]


def _is_spec(parameters: Any) -> bool:
    try:
        schema(parameters)
    except SchemaError:
        return False
    return True


class Source:
    """The specs and their calls as modules."""

    def __init__(self) -> None:
        self.modules = [["from dsh_tools import InferArgs, schema"] for _ in range(MODULES)]
        self.calls: list[Call] = []
        for number, tool in enumerate(_tools()):
            self._add(number, tool)

    def _add(self, number: int, tool: Any) -> None:
        lines, parameters = self.modules[number % MODULES], tool["parameters"]
        lines.append(f"S{number} = schema({parameters!r})")
        form = Form(parameters)
        for is_valid, value in (
            *((True, call) for call in tool["valid"]),
            *((False, call) for call in tool["invalid"]),
        ):
            lines.append(f"c{len(self.calls)}: InferArgs[S{number}] = {form.written(parameters, value)!r}")
            is_right = True if is_valid else None if form.fits(parameters, value) else False
            about = f"{tool['source']} {tool['name']}: {value!r}"
            self.calls.append(Call(number % MODULES, len(lines), is_right, about))


@pytest.fixture(scope="module")
def source() -> Source:
    return Source()


@pytest.fixture(scope="module")
def refused(source: Source, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], str]:
    """The lines that do not type-check, each with what mypy says."""
    folder = tmp_path_factory.mktemp("wild")
    paths = [folder / f"wild_{number}.py" for number in range(MODULES)]
    for path, lines in zip(paths, source.modules):
        path.write_text("\n".join(lines), "utf-8")
    os.environ["DSH_TOOLS_PLUGIN_RAISE"] = "1"
    output, errors, _ = mypy.api.run(
        [f"--config-file={HERE / 'mypy.ini'}", f"--cache-dir={folder / 'cache'}", *map(str, paths)]
    )
    assert not errors, errors
    said = printed(output)
    return {
        (number, line): str(texts)
        for number, path in enumerate(paths)
        for line, texts in said.get(path.resolve(), {}).items()
    }


def test_every_spec_is_seen(source: Source, refused: dict[tuple[int, int], str]) -> None:
    specs = [
        (number, line)
        for number, lines in enumerate(source.modules)
        for line, text in enumerate(lines, 1)
        if text.startswith("S")
    ]
    assert len(specs) > 540
    assert not {place: refused[place] for place in specs if place in refused}


def test_right_calls_type_check(source: Source, refused: dict[tuple[int, int], str]) -> None:
    right = [call for call in source.calls if call.is_right]
    assert len(right) > 1_500
    wrong = {call.about: refused.get((call.module, call.line)) for call in right}
    assert not {about: said for about, said in wrong.items() if said}


def test_calls_that_are_wrong_in_form_do_not(
    source: Source, refused: dict[tuple[int, int], str]
) -> None:
    wrong = [call for call in source.calls if call.is_right is False]
    assert len(wrong) > 1_000
    assert not [call.about for call in wrong if (call.module, call.line) not in refused]
