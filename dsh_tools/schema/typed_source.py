"""TypedDicts as source text, for people and checkers that read types and no specs.

`typed_dict_source` writes a module from which `schema()` reads the same spec again: descriptions
and defaults stand in `Annotated`. `stub_source` writes a stub-only module for type checkers, with
descriptions as comments. Both read JSON Schema, so that raw tools, those of an MCP server say,
have stubs too; what JSON Schema says and no Python type does is `object`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from json import dumps as json_text
from keyword import iskeyword
from textwrap import wrap
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard
from unicodedata import normalize

from ..json_values import referenced
from ..vocabulary import SchemaProp
from .faults import spec_faults
from .lowering import schema_spec_to_json_schema

_Object: TypeAlias = Mapping[str, object]

_SCALARS: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
_TYPING: Final = ("Annotated", "Literal", "NotRequired", "TypeAlias", "TypedDict")
_WORDS: Final = {*_TYPING, *_SCALARS.values(), "dict", "list", "object"}
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
    JSON Schema. Raises SchemaError when the given spec is not well formed."""
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
        if isinstance(value, dict) and value and not spec_faults(value):
            yield ToolArgs(args_name(name), schema_spec_to_json_schema(value))
        for tool in _members(value):
            if _is_tool(tool):
                yield _tool_args(tool, tool["parameters"])


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


class _Key(NamedTuple):
    """A key of a TypedDict: its name, its type, and what is said about it in a comment."""

    name: str
    hint: str
    about: str


class _Writer:
    """Writes TypedDicts, each after those that stand in it.

    annotated: whether descriptions and defaults go into `Annotated`, or descriptions alone into
    comments.
    """

    def __init__(self, annotated: bool) -> None:
        self._annotated = annotated
        self._blocks: list[str] = []
        self._added: list[tuple[str, object]] = []
        self._taken = set(_WORDS)
        self._used: set[str] = set()
        self._classes: dict[int, tuple[_Object, str]] = {}  # by the id of the schema, kept alive
        self._root = ToolArgs("", None)
        self._following: list[str] = []

    def source(self) -> str:
        imports = f"from typing import {', '.join(sorted(self._used))}\n\n\n" if self._used else ""
        return imports + "\n\n".join(self._blocks)

    def add(self, tool: ToolArgs) -> None:
        """Write the arguments of a tool, unless the same stand there under that name."""
        if (tool.name, tool.schema) in self._added:
            return
        self._added.append((tool.name, tool.schema))
        self._root = tool
        hint = self._hint(tool.schema, tool.name)
        if not _is_class(tool.schema):
            alias = f"{self._free(tool.name)}: {self._word('TypeAlias')} = {hint}\n"
            self._blocks.append(alias)
        self._blocks[-1] = _comment(tool.description) + self._blocks[-1]

    # --- types ----------------------------------------------------------------------------

    def _hint(self, schema: object, name: str) -> str:
        """The type of what fits a schema, with what else the schema says where that goes into
        `Annotated`. `name` is for the TypedDict, if the type is one."""
        metadata = _metadata(schema) if self._annotated else []
        hint = self._type(schema, name)
        if not metadata:
            return hint
        return f"{self._word('Annotated')}[{', '.join([hint, *metadata])}]"

    def _type(self, schema: object, name: str) -> str:
        if not isinstance(schema, dict):
            return "object"
        if "$ref" in schema:
            return self._type_referred(schema["$ref"], name)
        literals = _literals(schema)
        if literals:
            return f"{self._word('Literal')}[{', '.join(literals)}]"
        choices = _choices(schema)
        if choices:
            return self._union(choices, name)
        if _is_class(schema):
            return self._typed_dict(schema, name)
        match schema.get("type"):
            case "object":
                return f"dict[str, {self._hint(schema.get('additionalProperties'), name)}]"
            case "array":
                return f"list[{self._hint(schema.get('items'), name)}]"
            case str(kind):
                return _SCALARS.get(kind, "object")
        return "object"

    def _union(self, choices: list[object], name: str) -> str:
        hints = list(dict.fromkeys(self._type(choice, name) for choice in choices))
        return "object" if "object" in hints else " | ".join(hints)

    def _type_referred(self, reference: object, name: str) -> str:
        """The type of the schema that a `$ref` leads to, which must be in the same document."""
        schema = referenced(reference, self._root.schema)
        if reference in self._following and id(schema) not in self._classes:
            return "object"  # contains itself, which only a class can
        self._following.append(str(reference))
        own_name = _camel(str(reference).rpartition("/")[2])
        hint = self._type(schema, f"{self._root.name}{own_name}" if own_name else name)
        self._following.pop()
        return hint

    # --- classes --------------------------------------------------------------------------

    def _typed_dict(self, schema: _Object, name: str) -> str:
        """Write a TypedDict, unless it is there, and return its name."""
        if id(schema) in self._classes:
            return self._classes[id(schema)][1]
        name = self._free(name)
        self._classes[id(schema)] = (schema, name)
        keys = list(self._keys(schema, name))
        self._word("TypedDict")
        write = _class_form if all(map(self._fits_a_class, keys)) else _functional_form
        self._blocks.append(write(name, keys))
        return name

    def _keys(self, schema: Any, name: str) -> Iterator[_Key]:
        properties, required = schema["properties"], schema.get("required", ())
        for key in dict.fromkeys([*properties, *required]):
            prop = properties.get(key)
            hint = self._hint(prop, name + _camel(key))
            if key not in required:
                hint = f"{self._word('NotRequired')}[{hint}]"
            yield _Key(key, hint, "" if self._annotated else _description(prop))

    def _fits_a_class(self, key: _Key) -> bool:
        """Whether a key can stand in the body of a class. There it must not hide a name that the
        types are written with, and `__x` would become `_Class__x`."""
        name = key.name
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


def _class_form(name: str, keys: list[_Key]) -> str:
    lines = [f"{_comment(key.about, 4)}    {key.name}: {key.hint}\n" for key in keys]
    return f"class {name}(TypedDict):\n" + "".join(lines or ["    pass\n"])


def _functional_form(name: str, keys: list[_Key]) -> str:
    lines = [f"{_comment(key.about, 8)}        {_code(key.name)}: {key.hint},\n" for key in keys]
    return f"{name} = TypedDict(\n    {_code(name)},\n    {{\n{''.join(lines)}    }},\n)\n"


# --- reading a JSON Schema ----------------------------------------------------------------


def _is_class(schema: object) -> bool:
    """Whether what fits a schema is a TypedDict."""
    return (
        isinstance(schema, dict)
        and isinstance(schema.get("properties"), dict)
        and schema.get("type", "object") == "object"
        and not _choices(schema)
    )


def _choices(schema: _Object) -> list[object]:
    """The schemas of which one must fit, empty when the schema offers no choice."""
    kinds, all_of = schema.get("type"), schema.get("allOf")
    if isinstance(kinds, list):
        return [{**schema, "type": kind} for kind in kinds]
    if isinstance(all_of, list) and len(all_of) == 1:
        return all_of
    choices = schema.get("anyOf", schema.get("oneOf"))
    return choices if isinstance(choices, list) else []


def _literals(schema: _Object) -> list[str]:
    """The values allowed, as they stand in a Literal; empty when it cannot hold them."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not isinstance(values, list) or schema.get("type") == "number":
        return []
    if not all(value is None or isinstance(value, (str, int)) for value in values):
        return []
    return list(dict.fromkeys(map(_code, values)))


def _metadata(schema: object) -> list[str]:
    """What a property says beside its type, as `typed_dicts` reads it in `Annotated`."""
    if not isinstance(schema, dict):
        return []
    description = _description(schema)
    unsaid = [] if _literals(schema) else ["enum"]
    others = {key: schema[key] for key in (*unsaid, "default") if key in schema}
    return [_code(value) for value in (description, others) if value]


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
