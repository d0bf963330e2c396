"""No text of an author or a model reaches `compile`, whatever properties and values are called."""

import builtins
import keyword
import sys
from typing import Any

import pytest
from dsh_tools import ToolRegistry, define_tool, parse_arguments, validate_args
from dsh_tools.schema.generated import source_of

from tests.unit.support import call, check_of, text_of, validator_of

_NASTY = [
    "",
    "'",
    '"',
    '"""',
    "\\",
    "\n",
    "\r\n    return True #",
    "\x00",
    "{}",
    "{0.__class__}",
    "%s",
    "\u2028",
    "\ufeff",
    "a\u0301",
    "x" * 100_000,
    *keyword.kwlist,
    *dir(builtins),
    *dir(object),
    *(f"{letter}{number}" for letter in "cfv" for number in range(3)),
    "n",
    "args",
    "MARKER_TEXT); raise SystemExit(",
]
NASTY = [*dict.fromkeys(_NASTY)]


def spec_of(names: list[str]) -> Any:
    return {name: {"type": "string", "required": True, "enum": [name, "other"]} for name in names}


def test_every_name_and_every_value_is_told_from_the_others() -> None:
    spec = spec_of(NASTY)
    check, validator = check_of(spec), validator_of(spec)
    fitting = {name: name for name in NASTY}
    assert check(fitting)
    assert validator.violations(fitting) == []
    for name in NASTY:
        wrong = {**fitting, name: "neither"}
        assert not check(wrong)
        (violation,) = validator.violations(wrong)
        whole = len(name) <= 1_000  # a longer name is cut
        assert violation.startswith(f'"{name}" must be one of [' if whole else f'"{name[:400]}')


@pytest.mark.parametrize("surrogate", ["\ud800", "a\udfff", "\udc00\ud800"])
def test_lone_surrogates_in_values(surrogate: str) -> None:
    spec: Any = {"v": {"type": "string", "enum": [surrogate, "\ufffd"]}}
    check = check_of(spec)
    assert check({"v": surrogate}) and check({"v": "\ufffd"}) and not check({"v": "\ud801"})
    assert len(validator_of(spec).violations({"v": "\ud801"})) == 1


def test_ten_thousand_properties() -> None:
    spec: Any = {f"p{number}": {"type": "integer", "required": True} for number in range(10_000)}
    tool = define_tool(name="t", description="", parameters=spec, execute=lambda args, e: "ran")
    registry = ToolRegistry()
    registry.register(tool)
    fitting = dict.fromkeys(spec, 1)
    for _ in range(12):  # explained first, then compiled
        assert text_of(registry.execute(call(arguments=fitting))) == "ran"
    text = text_of(registry.execute(call(arguments={"p_1": 1, "P2": 1, **dict.fromkeys("abc")})))
    assert text.endswith("… and 9980 more") and len(text) <= 4_200


def test_source_is_made_of_the_librarys_own_words() -> None:
    plain = spec_of([f"name{number}" for number in range(len(NASTY))])
    assert source_of(check_of(spec_of(NASTY))) == source_of(check_of(plain))


def test_an_audit_of_what_is_compiled_and_executed() -> None:
    """Python itself reports each source that is compiled, whoever asks for it."""
    marker, compiled = "MARKER_TEXT", list[str]()
    watching = [True]

    def hook(event: str, details: tuple[Any, ...]) -> None:
        if watching and event in ("compile", "exec"):
            source = details[0]
            code = source.co_code if hasattr(source, "co_code") else source
            names = getattr(source, "co_consts", ()) + getattr(source, "co_names", ())
            compiled.append(f"{event} {code!r} {names!r}")

    sys.addaudithook(hook)
    spec: Any = {
        marker: {
            "type": "object",
            "required": True,
            "description": marker,
            "properties": {marker: {"type": "string", "enum": [marker], "default": marker}},
        }
    }
    registry = ToolRegistry()
    registry.register(
        define_tool(name=marker, description=marker, parameters=spec, execute=lambda a, e: "ran")
    )
    for text in (f'{{"{marker}": {{"{marker}": "{marker}"}}}}', f'{{"{marker}": 1}}', marker):
        for _ in range(12):
            arguments = parse_arguments(text)
            registry.execute(call(name=marker, arguments=arguments))
            validate_args(spec, arguments)
    watching.clear()
    assert any("compile" in entry and "def f" in entry for entry in compiled)
    assert [entry for entry in compiled if marker in entry] == []
