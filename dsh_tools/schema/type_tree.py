"""JSON Schema to the Python type of the values that fit it, as a plain tree.

Any JSON Schema has one, a raw one too. What it says and no Python type does is left out, so that
a type may take more than the schema, but nothing that the schema takes is missing from it. Source
and mypy's types are both written from this tree, so that they cannot differ.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from ..json_values import DEEPEST, referenced

_Schema: TypeAlias = Mapping[str, object]


class Named(NamedTuple):
    """A type that has a name: a scalar, None, `object` or `JsonValue`."""

    name: str


class Exactly(NamedTuple):
    """`Literal[value]`."""

    value: str | int


class ListOf(NamedTuple):
    """`list[items]`."""

    items: "Part"


class MapOf(NamedTuple):
    """`dict[str, values]`."""

    values: "Part"


class Choice(NamedTuple):
    """A union of two or more types, none of which is a union."""

    parts: tuple["Part", ...]


class Record(NamedTuple):
    """A TypedDict. Two of the same keys are two types, and one that is referred to twice is one.

    keys: what it holds, in order.
    label: the last word of the reference that led to it; empty when none did.
    """

    keys: tuple["Key", ...]
    label: str


class Known(NamedTuple):
    """A type from elsewhere. One may stand in a JSON Schema in the place of a schema, for a value
    of which only the type is known, and comes out as it is."""

    type: object


Node: TypeAlias = Named | Exactly | ListOf | MapOf | Choice | Record | Known


class Part(NamedTuple):
    """A type, and the schema that says it with all that it says beside it."""

    type: Node
    schema: object


class Key(NamedTuple):
    """A key of a TypedDict."""

    name: str
    part: Part
    required: bool


STR: Final = Named("str")
INT: Final = Named("int")
FLOAT: Final = Named("float")
BOOL: Final = Named("bool")
NONE: Final = Named("None")
OBJECT: Final = Named("object")
JSON_VALUE: Final = Named("JsonValue")

_SCALARS: Final[Mapping[object, Named]] = {
    "string": STR,
    "integer": INT,
    "number": FLOAT,
    "boolean": BOOL,
    "null": NONE,
}


def type_of(json_schema: object) -> Node:
    """The type of the values that fit a JSON Schema: `JsonValue` where it says nothing or leads
    back into itself, `object` where it is no JSON Schema.

    What several references lead to is one node, so the tree is no larger than the schema; written
    out it may be.
    """
    return _Reader(json_schema).type_of(json_schema, "")


def written_out(node: Node, most: int) -> int:
    """How many types a type is when each is written where it stands, `most` when there are more."""
    sizes: dict[int, int] = {}

    def size(node: Node) -> int:
        if id(node) not in sizes:
            total = sum(size(part.type) for part in parts_of(node))
            sizes[id(node)] = min(most, 1 + total)
        return sizes[id(node)]

    return size(node)


def parts_of(node: Node) -> Iterable[Part]:
    """The types that stand in a type."""
    match node:
        case ListOf(part) | MapOf(part):
            return (part,)
        case Choice(parts):
            return parts
        case Record(keys):
            return [key.part for key in keys]
    return ()


class _Reader:
    """Reads the schemas of one document, each once."""

    def __init__(self, document: object) -> None:
        self._document = document
        self._read: dict[int, tuple[object, Node]] = {}  # by the id of a schema, kept alive
        self._entered: set[int] = set()  # the ids of those that are being read

    def type_of(self, schema: object, label: str) -> Node:
        """The type of a schema that a reference led to whose last word is `label`."""
        if isinstance(schema, bool):
            return JSON_VALUE if schema else OBJECT
        if isinstance(schema, Known) or not isinstance(schema, dict):
            return schema if isinstance(schema, Known) else OBJECT
        if id(schema) in self._read:
            return self._read[id(schema)][1]
        if id(schema) in self._entered or len(self._entered) >= DEEPEST:
            return JSON_VALUE
        self._entered.add(id(schema))
        node = self._type(schema, label)
        self._entered.remove(id(schema))
        self._read[id(schema)] = schema, node
        return node

    def _part(self, schema: object) -> Part:
        return Part(self.type_of(schema, ""), schema)

    def _type(self, schema: _Schema, label: str) -> Node:
        if "$ref" in schema:
            return self._referred(schema["$ref"])
        values = _values(schema)
        if values is not None:
            return _union([Part(_exactly(value, schema), value) for value in values])
        kinds = schema.get("type")
        if isinstance(kinds, list):
            alone = [{**schema, "type": kind} for kind in kinds]
            return _union([Part(self._of_kind(kind, label), kind) for kind in alone])
        own = self._of_kind(schema, label)
        if isinstance(own, Record):
            return _merged([own, *self._all_of(schema)])
        return self._chosen(schema) or self._composed(schema) or own

    def _referred(self, reference: object) -> Node:
        schema = referenced(reference, self._document)
        return self.type_of(schema, str(reference).rpartition("/")[2].removeprefix("#"))

    # --- by other schemas -------------------------------------------------------------------

    def _chosen(self, schema: _Schema) -> Node | None:
        """The type that `anyOf` or `oneOf` says, None when there is none: their schemas may only
        add to what the one says that they stand in, which names of it are required, say."""
        for branches in (schema.get("anyOf"), schema.get("oneOf")):
            if isinstance(branches, list) and branches:
                union = _union([self._part(branch) for branch in branches])
                if union is not JSON_VALUE:
                    return union
        return None

    def _composed(self, schema: _Schema) -> Node | None:
        nodes = [*self._all_of(schema)]
        return _merged(nodes) if nodes else None

    def _all_of(self, schema: _Schema) -> Iterator[Node]:
        """The types among the schemas of `allOf`, of those that say one."""
        branches = schema.get("allOf")
        for branch in branches if isinstance(branches, list) else ():
            node = self.type_of(branch, "")
            if node is not JSON_VALUE:
                yield node

    # --- by its own type --------------------------------------------------------------------

    def _of_kind(self, schema: _Schema, label: str) -> Node:
        kind = schema.get("type")
        if kind is None:
            kind = next((kind for word, kind in _KIND_OF.items() if word in schema), None)
        match kind:
            case None:
                return JSON_VALUE
            case "object":
                return self._object(schema, label)
            case "array":
                return ListOf(self._items(schema))
            case str():
                return _SCALARS.get(kind, OBJECT)
        return OBJECT

    def _items(self, schema: _Schema) -> Part:
        """The type of the elements of an array, which may stand there one by one."""
        items = schema.get("items", _NOTHING)
        first = schema.get("prefixItems", items)
        if not isinstance(first, list):
            return self._part(items)
        rest = schema.get("additionalItems", _NOTHING) if first is items else items
        parts = [self._part(schema) for schema in first]
        return Part(_union(parts if rest is False else [*parts, self._part(rest)]), None)

    def _object(self, schema: _Schema, label: str) -> Node:
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        is_map = isinstance(others, (dict, Known))
        if isinstance(properties, dict) and (properties or not is_map):
            return Record(tuple(self._keys(schema, properties)), label)
        return MapOf(self._part(others if is_map else _NOTHING))

    def _keys(self, schema: _Schema, properties: Mapping[str, object]) -> Iterator[Key]:
        """The keys of an object, those that are required and not declared at the end."""
        required, others = _names(schema.get("required")), schema.get("additionalProperties", True)
        for name in dict.fromkeys([*_names([*properties]), *required]):
            yield Key(name, self._part(properties.get(name, others)), name in required)


_NOTHING: Final[Any] = None
"""In the place of a schema: no schema at all, of which the type is `object`."""

_KIND_OF: Final = {
    "properties": "object",
    "additionalProperties": "object",
    "items": "array",
    "prefixItems": "array",
}
"""Which type a schema means that has one of these words and says none."""


def _names(names: object) -> dict[str, None]:
    """The names in a list, in order; none in what is no list."""
    listed = names if isinstance(names, list) else []
    return dict.fromkeys(name for name in listed if isinstance(name, str))


def _values(schema: _Schema) -> list[object] | None:
    """The values that `const` or `enum` allow; None without them, and where one is a list or a
    dict, which no type names."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not isinstance(values, list) or not values:
        return None
    return None if any(isinstance(value, (list, dict)) for value in values) else values


def _exactly(value: object, schema: _Schema) -> Node:
    """The type of one value that a schema allows."""
    kind = schema.get("type")
    if value is None:
        return NONE
    if isinstance(value, (bool, str)):
        return Exactly(value)
    if not isinstance(value, (int, float)):
        return OBJECT
    if isinstance(value, float) and kind == "integer" and value.is_integer():
        return Exactly(int(value))
    return FLOAT if isinstance(value, float) or kind == "number" else Exactly(value)


def _union(parts: Iterable[Part]) -> Node:
    """The union of types, each once; what takes anything takes all the others in."""
    flat: dict[object, Part] = {}
    for part in parts:
        for each in part.type.parts if isinstance(part.type, Choice) else (part,):
            flat.setdefault(_identity(each.type), each)
    for anything in (OBJECT, JSON_VALUE):
        if _identity(anything) in flat:
            return anything
    choices = tuple(flat.values())
    return choices[0].type if len(choices) == 1 else Choice(choices)


def _identity(node: Node) -> object:
    """What two types that are the same have in common; True is not 1."""
    match node:
        case Named(name):
            return name
        case Exactly(value):
            return type(value), value
    return id(node)


def _merged(nodes: list[Node]) -> Node:
    """The type of what fits all of several types: a TypedDict when they are TypedDicts, the first
    of them otherwise."""
    records = [node for node in nodes if isinstance(node, Record)]
    if len(nodes) == 1 or len(records) < len(nodes):
        return nodes[0]
    keys: dict[str, Key] = {}
    for key in chain.from_iterable(record.keys for record in records):
        known = keys.get(key.name, key)
        part = key.part if known.part.type is JSON_VALUE else known.part
        keys[key.name] = Key(key.name, part, known.required or key.required)
    return Record(tuple(keys.values()), records[0].label)
