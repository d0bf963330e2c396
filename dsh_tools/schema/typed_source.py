"""TypedDicts as source text, for people and checkers that read types and no specs.

`typed_dict_source` writes a module from which `schema()` reads the same spec again: what a type
does not say stands in `Annotated`. `stub_source` writes a stub-only module for type checkers, with
descriptions as comments. Both read JSON Schema, so that raw tools, those of an MCP server say,
have stubs too: see `type_tree` for what type each has.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from json import dumps as json_text
from keyword import iskeyword
from textwrap import wrap
from typing import Final, NamedTuple, TypeAlias, TypeGuard
from unicodedata import normalize

from ..vocabulary import SchemaProp, SchemaSpec
from .faults import is_long_form, spec_faults
from .keywords import INSTEAD_OF_TYPE
from .lowering import schema_spec_to_json_schema
from .type_tree import (
    FLOAT,
    INT,
    NONE,
    Exactly,
    Key,
    ListOf,
    MapOf,
    Named,
    Node,
    Part,
    Record,
    parts_of,
    type_of,
)

_Object: TypeAlias = Mapping[str, object]

_JSON_NAMES: Final = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "None": "null",
}
_TYPING: Final = ("Annotated", "Literal", "NotRequired", "TypeAlias", "TypedDict")
_JSON_VALUE: Final = "JsonValue"
_ANY_JSON: Final = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"
_BUILTINS: Final = ("str", "int", "float", "bool", "None", "dict", "list", "object")
_WORDS: Final = {*_TYPING, *_BUILTINS, _JSON_VALUE}
"""The names that the types themselves are written with."""

_WIDTH: Final = 96


class ToolArgs(NamedTuple):
    """The arguments of a tool, or of a spec on its own.

    name: what their TypedDict is to be called.
    schema: their JSON Schema.
    description: what the tool does; empty when nothing says.
    """

    name: str
    schema: object
    description: str = ""


def typed_dict_source(name: str, spec: Mapping[str, SchemaProp] | type[object]) -> str:
    """A module that defines the TypedDict `name`, of which `schema()` makes a spec with the same
    JSON Schema, when that has no references and its root says nothing but properties. Raises
    SchemaError when the given spec is not well formed."""
    writer = _Writer(annotated=True)
    writer.add(ToolArgs(name, schema_spec_to_json_schema(spec)))
    return writer.source()


def stub_source(origin: str, tools: Iterable[ToolArgs]) -> str:
    """A stub-only module with a TypedDict for the arguments of each tool and each object in them.

    origin: where the tools come from, for the comment at the top. A name that is taken by another
    schema gets a number; the same tools always give the same text.
    """
    writer = _Writer(annotated=False)
    for tool in tools:
        writer.add(tool)
    return f"# Written by `dsh_tools stubs` from {origin}: do not edit.\n\n{writer.source()}"


def tools_of_module(names: Mapping[str, object]) -> Iterator[ToolArgs]:
    """The specs, tools, and lists and dicts of tools among the global names of a module, in their
    order."""
    for name, value in names.items():
        if _is_spec(value):
            yield ToolArgs(args_name(name), schema_spec_to_json_schema(value))
        for tool in _members(value):
            if _is_tool(tool):
                yield _tool_args(tool, tool["parameters"])


def _is_spec(value: object) -> TypeGuard[SchemaSpec]:
    """Whether a value is meant as a spec: a dict of dicts may be anything, so one of its
    properties must say what it is."""
    if not isinstance(value, dict) or spec_faults(value):
        return False
    return is_long_form(value) or any(not _SAYING.isdisjoint(prop) for prop in value.values())


_SAYING: Final = frozenset(("type", "enum", "const", *INSTEAD_OF_TYPE))


def _members(value: object) -> Iterable[object]:
    if isinstance(value, (list, tuple)):
        return value
    return value.values() if isinstance(value, dict) and not _is_tool(value) else [value]


def _is_tool(value: object) -> TypeGuard[_Object]:
    return isinstance(value, dict) and {"name", "parameters", "execute"} <= value.keys()


def tools_of_listing(listing: object) -> Iterator[ToolArgs]:
    """The tools of a list as programs exchange it: an MCP server's `tools/list`, or the tools of
    a request to OpenAI or Anthropic. Raises ValueError for anything else."""
    while isinstance(listing, dict):
        listing = listing.get("result", listing.get("tools"))
    if not isinstance(listing, list):
        raise ValueError('holds no list of tools, nor an object with "tools"')
    for entry in listing:
        tool = entry.get("function", entry) if isinstance(entry, dict) else None
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
            raise ValueError('has a tool that is no object with a "name"')
        schemas = (tool.get(key) for key in ("inputSchema", "input_schema", "parameters"))
        yield _tool_args(tool, next((found for found in schemas if found is not None), {}))


def args_name(name: str) -> str:
    """What the TypedDict is called of a spec or a tool of that name.

    >>> args_name("READ_FILE"), args_name("read-file"), args_name("2nd")
    ('ReadFileArgs', 'ReadFileArgs', 'Tool2ndArgs')
    """
    camel = _camel(name)
    if not camel.isidentifier():
        camel = f"Tool{camel}"
    return camel if camel.endswith("Args") else f"{camel}Args"


def _tool_args(tool: _Object, schema: object) -> ToolArgs:
    description = tool.get("description")
    text = description if isinstance(description, str) else ""
    return ToolArgs(args_name(str(tool["name"])), schema, text)


class _Line(NamedTuple):
    """A key of a TypedDict as it is written: its name, its type, and what is said about it in a
    comment."""

    name: str
    hint: str
    about: str


class _Writer:
    """Writes TypedDicts, each after those that stand in it.

    annotated: whether what a schema says beside the type goes into `Annotated`, or descriptions
    alone into comments.
    """

    def __init__(self, annotated: bool) -> None:
        self._annotated = annotated
        self._blocks: list[str] = []
        self._added: list[tuple[str, object]] = []
        self._taken = set(_WORDS)
        self._used: set[str] = set()
        self._classes: dict[int, tuple[Record, str]] = {}  # by the id of the type, kept alive
        self._root = ""

    def source(self) -> str:
        package = __name__.removesuffix(".schema.typed_source")
        lines, blocks = [], self._blocks
        if _JSON_VALUE in self._used and self._annotated:
            lines.append(f"from {package} import {_JSON_VALUE}\n")
        elif _JSON_VALUE in self._used:
            blocks = [f"{_JSON_VALUE}: {self._word('TypeAlias')} = {_ANY_JSON}\n", *blocks]
        words = sorted(self._used - {_JSON_VALUE})
        if words:
            lines.insert(0, f"from typing import {', '.join(words)}\n")
        return "\n".join(lines) + "\n\n" * bool(lines) + "\n\n".join(blocks)

    def add(self, tool: ToolArgs) -> None:
        """Write the arguments of a tool, unless the same stand there under that name."""
        if (tool.name, tool.schema) in self._added:
            return
        self._added.append((tool.name, tool.schema))
        self._root = tool.name
        node = type_of(tool.schema)
        if isinstance(node, Record):
            self._typed_dict(node, tool.name)
        else:
            name = self._free(tool.name)
            alias = f"{name}: {self._word('TypeAlias')} = {self._type(node, name)}\n"
            self._blocks.append(alias)
        self._blocks[-1] = _comment(tool.description) + self._blocks[-1]

    # --- types ----------------------------------------------------------------------------

    def _hint(self, part: Part, name: str) -> str:
        """A type, with what else its schema says where that goes into `Annotated`. `name` is for
        the TypedDict, if the type is one."""
        metadata = _metadata(part) if self._annotated else []
        if not metadata:
            return self._type(part.type, name)
        hint = "object" if _is_unsaid(part) else self._type(part.type, name)
        return f"{self._word('Annotated')}[{', '.join([hint, *metadata])}]"

    def _type(self, node: Node, name: str) -> str:
        match node:
            case Named(word):
                return self._word(word) if word == _JSON_VALUE else word
            case ListOf(items):
                return f"list[{self._hint(items, name)}]"
            case MapOf(values):
                return f"dict[str, {self._hint(values, name)}]"
            case Record():
                return self._typed_dict(node, name)
        return self._union(parts_of(node) or [Part(node, None)], name)

    def _union(self, parts: Iterable[Part], name: str) -> str:
        """The types in a row, the values of all literals in one `Literal`."""
        hints: dict[str, None] = {}
        values = [part.type.value for part in parts if isinstance(part.type, Exactly)]
        for part in parts:
            if isinstance(part.type, Exactly):
                hints[f"{self._word('Literal')}[{', '.join(map(_code, values))}]"] = None
            else:
                hints[self._type(part.type, name)] = None
        return " | ".join(hints)

    # --- classes --------------------------------------------------------------------------

    def _typed_dict(self, record: Record, name: str) -> str:
        """Write a TypedDict, unless it is there, and return its name."""
        if id(record) in self._classes:
            return self._classes[id(record)][1]
        label = _camel(record.label)
        name = self._free(f"{self._root}{label}" if label else name)
        self._classes[id(record)] = (record, name)
        lines = [self._line(key, name) for key in record.keys]
        self._word("TypedDict")
        write = _class_form if all(map(self._fits_a_class, lines)) else _functional_form
        self._blocks.append(write(name, lines))
        return name

    def _line(self, key: Key, name: str) -> _Line:
        hint = self._hint(key.part, name + _camel(key.name))
        if not key.required:
            hint = f"{self._word('NotRequired')}[{hint}]"
        return _Line(key.name, hint, "" if self._annotated else _description(key.part.schema))

    def _fits_a_class(self, line: _Line) -> bool:
        """Whether a key can stand in the body of a class. There it must not hide a name that the
        types are written with, and `__x` would become `_Class__x`."""
        name = line.name
        is_name = name.isidentifier() and not iskeyword(name) and normalize("NFKC", name) == name
        return is_name and name not in self._taken and not name.startswith("__")

    # --- names ----------------------------------------------------------------------------

    def _free(self, name: str) -> str:
        """Take a name, with a number behind it when it is taken."""
        numbered = (f"{name}{number}" for number in count(2))
        free = next(each for each in chain([name], numbered) if each not in self._taken)
        self._taken.add(free)
        return free

    def _word(self, name: str) -> str:
        """A name of `typing`, which is then imported."""
        self._used.add(name)
        return name


def _class_form(name: str, keys: list[_Line]) -> str:
    lines = [f"{_comment(key.about, 4)}    {key.name}: {key.hint}\n" for key in keys]
    return f"class {name}(TypedDict):\n" + "".join(lines or ["    pass\n"])


def _functional_form(name: str, keys: list[_Line]) -> str:
    lines = [f"{_comment(key.about, 8)}        {_code(key.name)}: {key.hint},\n" for key in keys]
    return f"{name} = TypedDict(\n    {_code(name)},\n    {{\n{''.join(lines)}    }},\n)\n"


# --- what a schema says beside its type ---------------------------------------------------


def _metadata(part: Part) -> list[str]:
    """What a schema says beside its type, as `typed_dicts` reads it in `Annotated`."""
    if not isinstance(part.schema, dict):
        return []
    said = {} if _is_unsaid(part) else _said_by_type(part)
    others = {key: value for key, value in part.schema.items() if key not in said}
    others.pop("description", None)
    return [_code(value) for value in (_description(part.schema), others) if value]


def _is_unsaid(part: Part) -> bool:
    """Whether the type says something else than the schema, which `Annotated` must then say as a
    whole beside a type that says nothing."""
    schema = part.schema
    said = _said_by_type(part) if isinstance(schema, dict) else {}
    return isinstance(schema, dict) and any(schema.get(key, part) != said[key] for key in said)


def _said_by_type(part: Part) -> dict[str, object]:
    """The schema that `typed_dicts` makes of a type without what stands in `Annotated`."""
    match part.type:
        case Named(name):
            return {"type": _JSON_NAMES[name]} if name in _JSON_NAMES else {}
        case ListOf(items):
            return {"type": "array", **({"items": items.schema} if items.schema else {})}
        case MapOf(values):
            others = {"additionalProperties": values.schema} if values.schema else {}
            return {"type": "object", **others}
        case Record():
            assert isinstance(part.schema, dict)
            said = ("type", "properties", "required")
            return {key: part.schema[key] for key in said if key in part.schema}
    return _said_by_union([*parts_of(part.type)] or [part])


def _said_by_union(parts: list[Part]) -> dict[str, object]:
    types = [part.type for part in parts]
    if all(isinstance(node, Exactly) or node is NONE for node in types):
        return _said_by_literal([getattr(node, "value", None) for node in types])
    if all(isinstance(node, Named) for node in types):
        types = [node for node in types if node is not INT or FLOAT not in types]  # which takes it
        return {"type": [_JSON_NAMES[node.name] for node in types if isinstance(node, Named)]}
    return {"anyOf": [_said_by_type(part) for part in parts]}


def _said_by_literal(values: list[str | int | None]) -> dict[str, object]:
    kinds = {type(value) for value in values}
    kind = {"type": _JSON_NAMES[kinds.pop().__name__]} if len(kinds) == 1 else {}
    return {**kind, **({"enum": values} if len(values) > 1 else {"const": values[0]})}


def _description(schema: object) -> str:
    description = schema.get("description") if isinstance(schema, dict) else None
    return description if isinstance(description, str) else ""


# --- text ---------------------------------------------------------------------------------


def _code(value: object) -> str:
    """A JSON value as Python source that any encoding can hold."""
    if isinstance(value, str):
        return json_text(value, ensure_ascii=False) if value.isprintable() else repr(value)
    if isinstance(value, dict):
        items = (f"{_code(key)}: {_code(inner)}" for key, inner in value.items())
        return f"{{{', '.join(items)}}}"
    return f"[{', '.join(map(_code, value))}]" if isinstance(value, list) else repr(value)


def _comment(text: str, indent: int = 0) -> str:
    """Lines of comment, or nothing. They open with `#:`, as those do that document attributes:
    what a description says (`type: ignore`) is then no order to a checker."""
    lines = []
    for line in text.splitlines():
        printable = "".join(c if c.isprintable() else " " for c in line)
        lines += wrap(printable, _WIDTH - indent) or [""]
    return "".join(f"{' ' * indent}#: {line}".rstrip() + "\n" for line in lines)


def _camel(name: str) -> str:
    """A name in CamelCase, of ASCII letters and digits alone."""
    words = re.findall(r"[A-Za-z0-9]+", name)
    words = [word.lower() if word.isupper() else word for word in words]
    return "".join(word[0].upper() + word[1:] for word in words)
