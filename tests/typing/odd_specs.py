"""Generated sources: specs that are odd, broken or fine, as an author might write them.

Everything comes from a seed, so that a failure can be run again.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeVar

T = TypeVar("T")

PRELUDE: Final = """
from typing import Any, Final, Literal, TypedDict, get_args
import dsh_tools
from dsh_tools import *
from dsh_tools.schema.spec import Spec
Mode = Literal["a", "b"]
MODES = ["a", "b"]
FINAL: Final = "string"
NUMBER: Final = 5
PROP = prop({"type": "string"})
COMMON = schema({"common": {"type": "integer", "required": True}})
UNION = prop({"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": PROP}]})
LONG = schema({"type": "object", "properties": {"a": {"type": ["string", "null"]}}})
BACK: SchemaSpec = {"a": {"properties": BACK}, "b": {**BACK}}
class Typed(TypedDict):
    key: str
def call() -> Any: ...
"""

_TYPES: Final = (
    *("string", "number", "integer", "boolean", "object", "array", "null"),
    *("str", "int", "", "ü"),
)
_OF_SPECS: Final = ("properties", "$defs", "definitions")
_OF_PROPS: Final = ("items", "additionalProperties", "propertyNames")
_KEYS: Final = (
    *("type", "required", "description", "enum", "default", "const", "minLength", "maximum"),
    *(*_OF_SPECS, *_OF_PROPS, "properties", "items", "anyOf", "oneOf", "$ref"),
)
_WRONG_KEYS: Final = ("typ", "requird", "allOf", "", "a b", "\\ud800", "\\0", "ключ", "$schema")
_ATOMS: Final = (
    *("None", "True", "False", "0", "-1", "1.5", "1e999", "-0.0", "1j", "10**9", "not 1"),
    *("'a'", "''", "b'x'", "f'{NUMBER}'", "'a' 'b'", "'a' + 'b'", "'\\ud800'", "...", "[]", "()"),
    *("{}", "set()", "{1}", "[1, 'a']", "[[]]", "(1,)", "lambda: 0", "call()", "unknown", "Typed"),
    *("FINAL", "NUMBER", "PROP", "COMMON", "MODES", "Mode", "get_args(Mode)", "[*MODES, 'c']"),
    *("list(get_args(Mode))", "[x for x in 'ab']", "{x: x for x in 'ab'}", "1 if call() else 2"),
    *("(y := 5)", "dsh_tools.schema.spec", "schema", "int", "dict", "list(5)", "[*5]", "MODES[0]"),
    *("'#/$defs/a'", "'#/definitions/b'", "'#'", "['a', 'b']", "['string', 'null']", "LONG"),
    *("{**LONG, 'required': ['a']}", "[PROP, UNION]", "[*[PROP]]", "{**UNION}", "BACK"),
    *("{**5}", "{**COMMON, **PROP}", "{None: 1}", "{[]: 1}", "{'a': 1, 'a': 2}", "dict(a=1)"),
)
_NAMES: Final = ("COMMON", "PROP", "MODES", "Mode", "Typed", "unknown", "'COMMON'", "5", "int, int")


class OddSpecs:
    """Sources from one seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def module(self, count: int) -> str:
        """A module with that many uses of specs."""
        statements = (self._statement(f"S{number}") for number in range(count))
        return PRELUDE + "\n".join(statements) + "\n"

    def _statement(self, name: str) -> str:
        spec = self._spec(0)
        uses: Sequence[Callable[[], str]] = (
            lambda: f"{name} = schema({spec})\ndef f{name}(a: InferArgs[{name}]) -> None: a['x']",
            lambda: f"{name} = prop({self._prop(0)})",
            lambda: f"define_tool(name={self._atom()}, description='d', parameters={spec}, "
            "execute=lambda args, execution: args['a'])",
            lambda: f"@define_tool(name='a', parameters={spec})\n"
            f"{self._pick(('', 'async '))}def b{name}(args: Any, execution: ToolExecution) -> str: ...",
            lambda: f"class {name}:\n    P = schema({spec})\n    def m(self, a: InferArgs[P]) -> None: ...",
            lambda: f"def g{name}() -> None:\n    p = schema({spec})\n"
            "    def inner(a: InferArgs[p]) -> None: ...",
            lambda: f"{name}: Spec[Any] = schema({spec})",
            lambda: f"{name}, = schema({spec}),",
            lambda: f"v{name}: InferArgs[{self._pick(_NAMES)}]",
            lambda: f"schema({self._pick(('*', '**', ''))}({self._atom()}))",
            lambda: f"prop({spec}, {spec})\nschema(spec={spec})\nschema()",
        )
        return self._pick(uses)()

    def _spec(self, depth: int) -> str:
        choice = self._random.random()
        if choice < 0.08:
            return self._atom()
        entries = [self._entry(depth) for _ in range(self._random.randrange(4))]
        display = "{" + ", ".join(entries) + "}"
        if choice < 0.14:
            return f"{display} | ({self._pick(('COMMON', '{}', self._atom()))})"
        if choice < 0.2:
            return f"schema({display})"
        return self._long_form(depth) if choice < 0.5 else display

    def _long_form(self, depth: int) -> str:
        keywords = [f"'properties': {self._spec(depth + 1)}"] if depth < 4 else []
        keywords += [self._keyword(depth) for _ in range(self._random.randrange(4))]
        return f"{{'type': 'object', {', '.join(keywords)}}}"

    def _entry(self, depth: int) -> str:
        choice = self._random.random()
        if choice < 0.1:
            return f"**({self._pick(('COMMON', self._spec(depth + 1), self._atom()))})"
        name = repr(self._pick("abc")) if choice < 0.9 else self._atom()
        return f"{name}: {self._prop(depth)}"

    def _prop(self, depth: int) -> str:
        choice = self._random.random()
        if choice < 0.08:
            return self._atom()
        if choice < 0.12:
            return f"prop({self._display(depth)})"
        if choice < 0.16:
            return f"dict(type='string', enum={self._atom()})"
        return self._display(depth)

    def _display(self, depth: int) -> str:
        entries = [f"'type': {self._type()}"] if self._random.random() < 0.9 else []
        for _ in range(self._random.randrange(4)):
            entries.append(self._keyword(depth))
        return "{" + ", ".join(entries) + "}"

    def _keyword(self, depth: int) -> str:
        choice = self._random.random()
        if choice < 0.1:
            return f"**({self._pick(('PROP', self._atom()))})"
        key = self._pick(_KEYS) if choice < 0.9 else self._pick(_WRONG_KEYS)
        if depth < 4 and key in _OF_SPECS:
            return f"'{key}': {self._spec(depth + 1)}"
        if depth < 4 and key in _OF_PROPS:
            return f"'{key}': {self._prop(depth + 1)}"
        if depth < 4 and key in ("anyOf", "oneOf"):
            branches = (self._prop(depth + 1) for _ in range(self._random.randrange(4)))
            return f"'{key}': [{', '.join(branches)}]"
        return f"'{key}': {self._atom()}"

    def _type(self) -> str:
        return repr(self._pick(_TYPES)) if self._random.random() < 0.9 else self._atom()

    def _atom(self) -> str:
        return self._pick(_ATOMS)

    def _pick(self, choices: Sequence[T]) -> T:
        return self._random.choice(choices)
