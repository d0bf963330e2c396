"""Any JSON Schema as what is checked of it: a tree of well-formed keywords of draft 2020-12, each
`$ref` by the name of what it leads to, and the places that constrain nothing.

What older drafts spell otherwise, and could not mean anything else, is read as what it means:
boolean `exclusiveMinimum` (draft 4), `items` as a list with `additionalItems`, and `dependencies`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, TypedDict, cast

from ...json_values import (
    DEEPEST,
    elements_of,
    float_of,
    int_of,
    is_finite,
    is_json,
    items_of,
    plain_json,
    referenced,
    text_of,
)

_Place: TypeAlias = "tuple[_Place, str | int] | None"
"""Where something stands: what it stands in and the step to it, None for the whole schema."""

Node = TypedDict(
    "Node",
    {
        "type": list[str],
        "enum": list[object],
        "const": object,
        "minimum": float,
        "maximum": float,
        "exclusiveMinimum": float,
        "exclusiveMaximum": float,
        "multipleOf": float,
        "minLength": int,
        "maxLength": int,
        "pattern": str,
        "format": str,
        "minItems": int,
        "maxItems": int,
        "uniqueItems": bool,
        "prefixItems": "list[Node]",
        "items": "Node",
        "contains": "Node",
        "minContains": int,
        "maxContains": int,
        "minProperties": int,
        "maxProperties": int,
        "properties": "dict[str, Node]",
        "required": list[str],
        "patternProperties": "dict[str, Node]",
        "additionalProperties": "Node",
        "propertyNames": "Node",
        "dependentRequired": dict[str, list[str]],
        "dependentSchemas": "dict[str, Node]",
        "anyOf": "list[Node]",
        "oneOf": "list[Node]",
        "allOf": "list[Node]",
        "not": "Node",
        "if": "Node",
        "then": "Node",
        "else": "Node",
        "$ref": str,
        "never": bool,
    },
    total=False,
)
"""A JSON Schema of which every keyword is well formed and checked. "type" is always a list, "$ref"
a name in `Reading.definitions`, and "never" stands for the schema false."""


class Reading(NamedTuple):
    """What is checked of a JSON Schema, and what is not.

    root: the schema itself.
    definitions: what each "$ref" in it names.
    unchecked: the places that constrain nothing, each as "#/properties/a/pattern: why".
    """

    root: Node
    definitions: dict[str, Node]
    unchecked: list[str]


def read_schema(schema: object, *, formats: bool = False) -> Reading:
    """What is checked of any value that stands where a JSON Schema should. Never raises. With
    `formats` the keyword "format" is checked; without, it is an annotation."""
    reader = _Reader(schema, formats)
    try:
        root = reader.node(schema, None, 0)
        reader.read_definitions()
    except Exception:  # a key hashes or compares as it likes: no JSON text gives one
        return Reading({}, {}, ["#: this is no JSON Schema"])
    return Reading(root, reader.definitions, reader.unchecked)


class _Left(Exception):
    """A keyword that constrains nothing. `why` is "" when that is as its author meant it."""

    def __init__(self, why: str = "it is malformed") -> None:
        super().__init__(why)
        self.why = why


class _Reader:
    """Reads one document. `place` says where in it a method looks, `level` how deep. Those that
    read the value of a keyword raise _Left when nothing of it is checked."""

    def __init__(self, document: object, formats: bool) -> None:
        self.definitions: dict[str, Node] = {}
        self.unchecked: list[str] = []
        self._document = document
        self._formats = formats
        self._unread: list[tuple[str, object]] = []
        self._read = 0

    def node(self, schema: object, place: _Place, level: int) -> Node:
        if type(schema) is bool:
            return {} if schema else {"never": True}
        if not issubclass(type(schema), dict):
            self._leave(place, "this is no JSON Schema")
            return {}
        if level > DEEPEST:
            self._leave(place, f"it stands more than {DEEPEST} schemas deep")
            return {}
        self._read += 1
        if self._read > MOST_SCHEMAS:
            self._leave(place, f"written out, more than {MOST_SCHEMAS:,} schemas stand before it")
            return {}
        keywords = cast(dict[str, object], dict(items_of(schema)))
        if place is not None and type(keywords.get("$id")) is str:
            self._leave(place, '"$id" makes it a document of its own')
            return {}
        _as_draft_2020(keywords)
        node: dict[str, object] = {}
        for keyword, value in keywords.items():
            read = _READERS.get(keyword) if type(keyword) is str else None
            if read is None:
                continue
            try:
                node[keyword] = read(self, value, (place, keyword), level + 1)
            except _Left as left:
                if left.why:
                    self._leave((place, keyword), left.why)
        return cast(Node, node)

    def read_definitions(self) -> None:
        """Read what references lead to, and what those in there lead to."""
        while self._unread:
            name, schema = self._unread.pop()
            place: _Place = None
            for step in name.split("/")[1:]:
                place = (place, step.replace("~1", "/").replace("~0", "~"))
            self.definitions[name].update(self.node(schema, place, 0))

    # --- the value of one keyword ---------------------------------------------------------

    def schemas(self, value: object, place: _Place, level: int) -> list[Node]:
        if not issubclass(type(value), list) or not value:
            raise _Left
        return [self.node(each, (place, i), level) for i, each in enumerate(elements_of(value))]

    def members(self, value: object, place: _Place, level: int) -> dict[str, Node]:
        return {
            name: self.node(each, (place, name), level) for name, each in _members(value).items()
        }

    def patterns(self, value: object, place: _Place, level: int) -> dict[str, Node]:
        from ..patterns import pattern_fault  # hardly any schema has one

        nodes = {}
        for pattern, each in _members(value).items():
            fault = pattern_fault(pattern)
            if fault is None:
                nodes[pattern] = self.node(each, (place, pattern), level)
            else:
                self._leave((place, pattern), fault)
        return nodes

    def reference(self, value: object, place: _Place, level: int) -> str:
        """The name under which the definition will be."""
        found = referenced(value, self._document)
        if found is None:
            raise _Left("it leads to nothing in this document")
        name = text_of(value)
        if name not in self.definitions:
            self.definitions[name] = {}
            self._unread.append((name, found))
        return name

    def types(self, value: object, place: _Place, level: int) -> list[str]:
        kinds = list(elements_of(value)) if issubclass(type(value), list) else [value]
        if not kinds or not all(type(kind) is str and kind in TYPES for kind in kinds):
            raise _Left(f"a type is one of {', '.join(TYPES)}")
        return list(dict.fromkeys(cast(list[str], kinds)))

    def value(self, value: object, place: _Place, level: int) -> object:
        """A value of any kind, null among them."""
        if not is_json(value):
            raise _Left("it is not JSON")
        return cast(object, plain_json(value))

    def values(self, value: object, place: _Place, level: int) -> list[object]:
        if not issubclass(type(value), list):
            raise _Left
        return [self.value(each, place, level) for each in elements_of(value)]

    def number(self, value: object, place: _Place, level: int) -> float:
        return _number(value)

    def factor(self, value: object, place: _Place, level: int) -> float:
        number = _number(value)
        if number <= 0:
            raise _Left("it must be greater than 0")
        return number

    def count(self, value: object, place: _Place, level: int) -> int:
        number = _number(value)
        if number < 0 or number != int(number):
            raise _Left("it must be a whole number, 0 or more")
        return int(number)

    def flag(self, value: object, place: _Place, level: int) -> bool:
        if type(value) is not bool:
            raise _Left
        return value

    def names(self, value: object, place: _Place, level: int) -> list[str]:
        names = list(elements_of(value)) if issubclass(type(value), list) else [None]
        if not all(issubclass(type(name), str) for name in names):
            raise _Left("it must be a list of names")
        return list(dict.fromkeys(map(text_of, names)))

    def names_of_members(
        self, value: object, place: _Place, level: int
    ) -> dict[str, list[str]]:
        return {name: self.names(each, place, level) for name, each in _members(value).items()}

    def pattern(self, value: object, place: _Place, level: int) -> str:
        from ..patterns import pattern_fault  # hardly any schema has one

        if not issubclass(type(value), str):
            raise _Left
        fault = pattern_fault(text_of(value))
        if fault is not None:
            raise _Left(fault)
        return text_of(value)

    def format(self, value: object, place: _Place, level: int) -> str:
        if not self._formats or not issubclass(type(value), str):
            raise _Left("")
        from ..formats import FORMATS  # hardly any schema has one

        if text_of(value) not in FORMATS:
            raise _Left("")
        return text_of(value)

    def dialect(self, value: object, place: _Place, level: int) -> None:
        """What the keywords mean that are checked as those of draft 2020-12."""
        known = issubclass(type(value), str) and "json-schema.org/" in text_of(value)
        raise _Left("" if known else "a dialect that is not known may mean something else")

    def unsaid(self, value: object, place: _Place, level: int) -> None:
        """A keyword that is not checked. What is true constrains nothing anyway."""
        raise _Left("" if value is True or value == {} else "this keyword is not checked")

    def _leave(self, place: _Place, why: str) -> None:
        """Note that a place constrains nothing."""
        self.unchecked.append(f"{_pointer(place)}: {why}"[:_LONGEST_TEXT])


MOST_SCHEMAS: Final = 100_000
_LONGEST_TEXT: Final = 4096
_LONGEST_STEP: Final = 100

TYPES: Final = ("string", "number", "integer", "boolean", "object", "array", "null")

_Read: TypeAlias = Callable[[_Reader, Any, _Place, int], object]

_READERS: Final[Mapping[str, _Read]] = {
    "$schema": _Reader.dialect,
    "$ref": _Reader.reference,
    "$dynamicRef": _Reader.unsaid,
    "$recursiveRef": _Reader.unsaid,
    "type": _Reader.types,
    "enum": _Reader.values,
    "const": _Reader.value,
    "minimum": _Reader.number,
    "maximum": _Reader.number,
    "exclusiveMinimum": _Reader.number,
    "exclusiveMaximum": _Reader.number,
    "multipleOf": _Reader.factor,
    "minLength": _Reader.count,
    "maxLength": _Reader.count,
    "pattern": _Reader.pattern,
    "format": _Reader.format,
    "minItems": _Reader.count,
    "maxItems": _Reader.count,
    "uniqueItems": _Reader.flag,
    "prefixItems": _Reader.schemas,
    "items": _Reader.node,
    "contains": _Reader.node,
    "minContains": _Reader.count,
    "maxContains": _Reader.count,
    "unevaluatedItems": _Reader.unsaid,
    "minProperties": _Reader.count,
    "maxProperties": _Reader.count,
    "properties": _Reader.members,
    "required": _Reader.names,
    "patternProperties": _Reader.patterns,
    "additionalProperties": _Reader.node,
    "propertyNames": _Reader.node,
    "unevaluatedProperties": _Reader.unsaid,
    "dependentRequired": _Reader.names_of_members,
    "dependentSchemas": _Reader.members,
    "anyOf": _Reader.schemas,
    "oneOf": _Reader.schemas,
    "allOf": _Reader.schemas,
    "not": _Reader.node,
    "if": _Reader.node,
    "then": _Reader.node,
    "else": _Reader.node,
}


def _as_draft_2020(keywords: dict[str, object]) -> None:
    """Write what older drafts spell otherwise in the words of draft 2020-12."""
    for bound in ("minimum", "maximum"):
        exclusive = f"exclusive{bound.capitalize()}"
        if keywords.get(exclusive) is True and bound in keywords:
            keywords[exclusive] = keywords.pop(bound)
        elif type(keywords.get(exclusive)) is bool:
            del keywords[exclusive]
    if issubclass(type(keywords.get("items")), list):
        keywords["prefixItems"] = keywords.pop("items")
        if "additionalItems" in keywords:
            keywords["items"] = keywords["additionalItems"]
    dependencies = keywords.get("dependencies")
    if issubclass(type(dependencies), dict):
        for needs, is_list in (("Required", True), ("Schemas", False)):
            members = keywords.get(f"dependent{needs}", {})
            needed = {
                name: each
                for name, each in items_of(dependencies)
                if issubclass(type(each), list) is is_list
            }
            if needed and issubclass(type(members), dict):
                keywords[f"dependent{needs}"] = {**needed, **dict(items_of(members))}


def _members(value: object) -> dict[str, object]:
    """The members of an object, in a dict of its own."""
    if not issubclass(type(value), dict):
        raise _Left
    return {
        text_of(name): each for name, each in items_of(value) if issubclass(type(name), str)
    }


def _number(value: Any) -> float:
    """A finite number as a plain one."""
    kind = type(value)
    if kind is not bool and issubclass(kind, int) and is_json(value):
        return int_of(value)
    if issubclass(kind, float) and is_finite(value):
        return float_of(value)
    raise _Left("it must be a number")


def _pointer(place: _Place) -> str:
    """A place as the reference that would lead there, long names cut."""
    steps: list[str] = []
    while place is not None:
        place, step = place
        name = str(step).replace("~", "~0").replace("/", "~1")
        steps.append(name if len(name) <= _LONGEST_STEP else name[:_LONGEST_STEP] + "…")
    return "/".join(["#", *reversed(steps)])
