"""The one list of what makes a spec ill-formed. `SchemaError` and the mypy plugin print it.

Plain data in, faults out. A fault is `(path, text)`: `path` leads to the offending key or value
through the author's own data, `("edits", "items", "properties", "old", "typ")`, so that a reader
of source code can point at it; `fault_text` writes both for people. An empty list means that the
spec is well formed, and then it is a tree of bounded size, no more than `DEEPEST` deep.

A spec has two forms: properties alone, or the long form, an object as JSON Schema has it, which is
told from the other by its `"type"` being the text `"object"`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import ge, gt
from typing import Final, TypeAlias

from ..errors import shown_name
from ..json_values import DEEPEST, is_json, is_key, what_is
from .fitting import (
    Fitting,
    definition,
    equality_key,
    has_type,
    is_count,
    is_number,
    listed_types,
    required_names,
    types_in,
)
from .keywords import (
    ALTERNATIVES,
    DEFINITIONS,
    INSTEAD_OF_TYPE,
    KEYWORDS,
    ONLY_JSON_SCHEMA,
    OTHER_NAMES,
    RANK,
    ROOT_ONLY,
    TYPES,
    TYPES_OF,
)

Path: TypeAlias = tuple[str | int, ...]
Fault: TypeAlias = tuple[Path, str]
_Object: TypeAlias = dict[object, object]

MOST_WRITTEN: Final = 100_000
"""The most properties that a spec may hold, each counted at every place it stands."""

_LONGEST_WHERE: Final = 200
_NAME_CHARACTERS: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
)


def spec_faults(spec: object) -> list[Fault]:
    """Every fault of a spec: those of a property, in the order of its keys, then of what stands in
    it."""
    if not isinstance(spec, dict):
        return [((), f"a spec must be a dict of properties, not {what_is(spec)}")]
    try:
        if is_long_form(spec):
            return _Finder(spec, 1).root_faults(spec)
        return _Finder(None, 2).properties_faults(spec)
    except _Endless as endless:
        return endless.faults_of(spec)


def prop_faults(prop: object) -> list[Fault]:
    """Every fault of one property on its own."""
    try:
        return _Finder(None, 3).prop_faults(prop)
    except _Endless as endless:
        return endless.faults_of(prop)


def is_long_form(spec: object) -> bool:
    """Whether a spec is an object as JSON Schema has it, and not properties alone."""
    kind = spec.get("type") if isinstance(spec, dict) else None
    return isinstance(kind, str) and kind == "object"


def tool_name_fault(name: object) -> str | None:
    """What is wrong with a tool's name: providers refuse the whole request for a bad one."""
    if isinstance(name, str) and 0 < len(name) <= 64 and _NAME_CHARACTERS.issuperset(name):
        return None
    shown = f'"{name[:70]}"' if isinstance(name, str) else what_is(name)
    return f"a tool's name must be 1 to 64 of A-Z a-z 0-9 _ and -, not {shown}"


NO_DESCRIPTION: Final = (
    "a tool must have a description: pass one, or give the function a docstring"
)
ASYNC_BODY: Final = (
    "a tool is called synchronously and cannot be an async function: write a def "
    "and run the coroutine inside it, with asyncio.run or asyncio.run_coroutine_threadsafe"
)


def fault_text(fault: Fault, *, in_prop: bool = False) -> str:
    """A fault as people read it: the property it is in, then the text. `in_prop` says that its
    path starts inside a property or in the long form of a spec, not among properties.

    >>> fault_text((("edits", "items", "properties", "old", "typ"), 'unknown key "typ"'))
    '"edits[].old": unknown key "typ"'
    """
    path, text = fault
    if path and text.startswith(f'"{path[-1]}"'):
        path = path[:-1]  # a key of the property, which the text names
    where = _where(path, in_prop)
    if where is not None and len(where) > _LONGEST_WHERE:
        where = "…" + where[-_LONGEST_WHERE:]
    return text if where is None else f'"{where}": {text}'


def _where(path: Path, in_prop: bool) -> str | None:
    """A path as people write it, "edits[].old", up to the property it leads to; None for the
    root."""
    where, named, steps = "", False, iter(path)
    for step in steps:
        if not in_prop:
            where += f".{shown_name(step)}" if where else shown_name(step)
            in_prop = named = True
        elif step == "properties":
            in_prop = False
        elif step in _SHOWN_STEPS:
            where, named = where + _SHOWN_STEPS[step], True
        elif step in ALTERNATIVES:
            index = next(steps, None)
            if index is None:
                break
            where, named = f"{where}.{step}[{index}]".lstrip("."), True
        elif step in DEFINITIONS:
            where, in_prop = str(step), False
        else:
            break
    return where if named else None


_SHOWN_STEPS: Final[Mapping[str | int, str]] = {
    "items": "[]",
    "additionalProperties": "{}",
    "propertyNames": "{name}",
}


# --- the walk -----------------------------------------------------------------------------


class _Endless(Exception):
    """A spec goes deeper, or on longer, than one may: often since it contains itself."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text

    def faults_of(self, spec: object) -> list[Fault]:
        """Where the spec contains itself; when it does not, where it went too far."""
        circles = list(_circles(spec))
        return [(path, _CONTAINS_ITSELF) for path in circles] or [(self._path, self._text)]


_CONTAINS_ITSELF: Final = 'the spec contains itself, which only a "$ref" can say'


def _circles(spec: object) -> Iterator[Path]:
    """Where a dict or list stands that it itself stands in; each is looked at once."""
    on_the_way: list[tuple[object, Iterator[tuple[Path, object]]]] = [(spec, _members(spec, ()))]
    entered, seen = {id(spec)}, {id(spec)}
    while on_the_way:
        container, members = on_the_way[-1]
        path, member = next(members, ((), None))
        if member is None:
            entered.remove(id(container))
            on_the_way.pop()
        elif id(member) in entered:
            yield path
        elif id(member) not in seen:
            entered.add(id(member))
            seen.add(id(member))
            on_the_way.append((member, _members(member, path)))


def _members(container: object, path: Path) -> Iterator[tuple[Path, object]]:
    """The dicts and lists in a dict or a list, and where they stand."""
    inside: Iterable[tuple[object, object]] = ()
    if isinstance(container, dict):
        inside = container.items()
    elif isinstance(container, list):
        inside = enumerate(container)
    for key, member in inside:
        if isinstance(member, (dict, list)):
            yield (*path, key) if isinstance(key, (str, int)) else path, member


class _Finder:
    """Collects the faults of one spec. `root` is the spec in the long form, None without one;
    `level` is how deep in the JSON Schema that comes out the walk begins. Its methods raise
    _Endless.

    The walk is a list and no recursion: a caller may stand deep in the stack. Nearly all specs are
    well formed, and this stands between an author and every tool of theirs: what most properties
    have is looked at in place, and what few have only where it is.
    """

    def __init__(self, root: _Object | None, level: int) -> None:
        self._root = root
        self._level = level
        self._faults: list[Fault] = []
        self._inside: list[tuple[object, Path]] = []  # what stands in the property looked at

    def root_faults(self, root: _Object) -> list[Fault]:
        self._object(root, ())
        self._walk()
        return self._faults or list(_circle_faults(root))

    def properties_faults(self, spec: _Object) -> list[Fault]:
        self._properties(spec, (), "properties")
        self._walk()
        return self._faults

    def prop_faults(self, prop: object) -> list[Fault]:
        self._inside.append((prop, ()))
        self._walk()
        return self._faults

    def _walk(self) -> None:
        """A property, then what stands in it, then the next."""
        unfinished, written = self._inside[::-1], 0
        while unfinished:
            prop, path = unfinished.pop()
            written += 1
            if len(path) + self._level > DEEPEST:
                raise _Endless(path, f"the spec is nested more than {DEEPEST} dicts deep")
            if written > MOST_WRITTEN:
                raise _Endless((), _TOO_LONG)
            if isinstance(prop, dict):
                self._inside = []
                self._object(prop, path)
                unfinished += reversed(self._inside)
            else:
                self._add(path, _no_property(prop, path))

    def _add(self, path: Path, text: str | None) -> None:
        if text is not None:
            self._faults.append((path, text))

    def _object(self, prop: _Object, path: Path) -> None:
        """The faults of a property, or of the root, but for those that stand in it."""
        is_root = prop is self._root
        kind = prop.get("type")
        kinds = _ALONE.get(kind, ()) if isinstance(kind, str) else types_in(kind)
        for key, value in prop.items():
            if _is_plain(key, value) and not is_root:
                continue
            place, text = _at(path, key), _misplaced(key, prop, kinds, is_root)
            if text is not None:
                self._add(place, text)
            else:
                self._value(str(key), value, prop, place, kinds)
        if not _BOUNDING.isdisjoint(prop):
            self._faults += _bound_faults(prop, path, kinds)
        if not _HOLDING.isdisjoint(prop):
            self._faults += self._refused_values(prop, path, kinds)

    def _value(
        self, key: str, value: object, prop: _Object, path: Path, kinds: tuple[str, ...]
    ) -> None:
        """The faults of the value of one keyword, which stands where it may."""
        match key:
            case "properties" | "$defs" | "definitions":
                self._properties(value, path, key)
            case "items":
                self._inside.append((value, path))
            case "propertyNames":
                self._names(value, path)
            case "additionalProperties":
                if not isinstance(value, bool):
                    self._inside.append((value, path))
            case "anyOf" | "oneOf":
                self._alternatives(value, path, key)
            case "type":
                self._faults += _type_faults(value, path)
            case "required":
                self._faults += _required_faults(value, prop, path, prop is self._root)
            case "enum":
                self._faults += _enum_faults(value, kinds, path)
            case "const":
                self._add(path, _scalar_fault("const", value, kinds))
            case "$ref":
                self._add(path, _reference_fault(value, self._root))
            case "default" | "examples":
                self._add(path, self._json_fault(key, value, path))
            case _:
                self._add(path, _FORMS[key](key, value))

    def _json_fault(self, key: str, value: object, path: Path) -> str | None:
        if key == "examples" and not isinstance(value, list):
            return f'"examples" must be a list of values, not {what_is(value)}'
        if is_json(value, len(path) + self._level - 1):
            return None
        return f'"{key}" must be JSON, and with the spec no more than {DEEPEST} deep'

    def _properties(self, properties: object, path: Path, keyword: str) -> None:
        if not isinstance(properties, dict):
            text = f'"{keyword}" must be a dict of properties, not {what_is(properties)}'
            return self._add(path, text)
        for name, prop in properties.items():
            if not isinstance(name, str):
                self._add(path, f"the name of a property must be a string, not {what_is(name)}")
            elif not is_key(name):
                self._add(path, _LONE_SURROGATE)
            elif not path and name in RANK and not isinstance(prop, dict):
                self._add((name,), _keyword_as_property(name, prop))
            else:
                self._inside.append((prop, (*path, name)))

    def _names(self, prop: object, path: Path) -> None:
        kinds = types_in(prop.get("type")) if isinstance(prop, dict) else ()
        if "string" not in (kinds or TYPES):
            self._add(path, '"propertyNames" refuses every name: names are strings')
        else:
            self._inside.append((prop, path))

    def _alternatives(self, branches: object, path: Path, key: str) -> None:
        if not isinstance(branches, list):
            self._add(path, f'"{key}" must be a list of properties, not {what_is(branches)}')
        elif len(branches) < 2:
            self._add(path, f'"{key}" must list two or more properties, not {len(branches)}')
        else:
            self._inside += [(branch, (*path, index)) for index, branch in enumerate(branches)]

    def _refused_values(
        self, prop: _Object, path: Path, kinds: tuple[str, ...]
    ) -> Iterator[Fault]:
        """Values that a property holds and itself refuses."""
        enum = () if _NARROWING.isdisjoint(prop) else prop.get("enum")
        for index, member in enumerate(enum) if isinstance(enum, list) else ():
            if _scalar_fault("enum", member, kinds) is None:
                refusal = self._refusal(prop, member, "enum")
                if refusal is not None:
                    text = f'"enum" has a member that {refusal}, as the property itself asks'
                    yield (*path, "enum", index), text
        if "const" in prop and _scalar_fault("const", prop["const"], kinds) is None:
            refusal = self._refusal(prop, prop["const"], "const")
            if refusal is not None:
                yield (*path, "const"), f'"const" {refusal}, as the property itself asks'
        if "default" in prop and is_json(prop["default"]):
            refusal = self._refusal(prop, prop["default"], "default")
            if refusal is not None:
                yield (*path, "default"), f'"default" {refusal}, as the property itself asks'

    def _refusal(self, prop: _Object, value: object, key: str) -> str | None:
        try:
            return Fitting(self._root).refusal(prop, value, without=key)
        except RecursionError:
            return "leads through too many references to be compared"


def _is_plain(key: object, value: object) -> bool:
    """Whether it is a type, a flag or a text as most properties have one, and nothing else."""
    if key == "type":
        return type(value) is str and value in _ALONE
    return key == "description" and type(value) is str or key == "required" and value is True


_ALONE: Final[Mapping[object, tuple[str, ...]]] = {kind: (kind,) for kind in TYPES}
_HOLDING: Final = frozenset(("enum", "const", "default"))
_NARROWING: Final = frozenset((*TYPES_OF, "const")) - {"items", "properties"}
"""Keywords that may refuse a scalar of the right type."""

_TOO_LONG: Final = f"written out, the spec holds more than {MOST_WRITTEN:,} properties"

# --- where a keyword may stand ------------------------------------------------------------


def _misplaced(
    key: object, prop: _Object, kinds: tuple[str, ...], is_root: bool
) -> str | None:
    """Why a key may not stand in that property, whatever its value."""
    if key not in RANK:
        return _unknown_key(key, kinds)
    if key in ROOT_ONLY:
        return None if is_root else f'"{key}" may stand only at the root of the long form'
    if key in INSTEAD_OF_TYPE:
        return _NO_CHOICE.format(key) if is_root else _beside(str(key), prop)
    owners = TYPES_OF.get(key, ())
    if key == "required" and isinstance(prop["required"], list):
        owners = ("object",)
    if not owners or "type" in prop and not kinds or any(kind in owners for kind in kinds):
        return None
    if kinds:
        return f'"{key}" is for {listed_types(owners)}, not for {listed_types(kinds)}'
    return f'"{key}" wants the type beside it: "type": "{owners[0]}"'


def _beside(key: str, prop: _Object) -> str | None:
    """Why a keyword may not stand in the place of "type" in that property."""
    for other in ("type", "enum", "const", *INSTEAD_OF_TYPE):
        if other == key:
            break
        if other in prop:
            return f'"{key}" stands in the place of "{other}": write one of them'
    return None


_NO_CHOICE: Final = (
    '"{}" cannot stand at the root: a call has one object of arguments, '
    "so say it of a property"
)


def _keyword_as_property(name: str, value: object) -> str:
    """What is wrong with a keyword among properties alone, where it is read as one's name."""
    if name == "type":
        shown = f'"{shown_name(value)}"' if isinstance(value, str) else what_is(value)
        return f'"type" of the root must be "object", as a call has an object of arguments, not {shown}'
    if name in INSTEAD_OF_TYPE:
        return _NO_CHOICE.format(name)
    return f'"{name}" is read as a property here: the long form says "type": "object" beside it'


def _unknown_key(key: object, kinds: tuple[str, ...]) -> str:
    if not isinstance(key, str):
        return f"a key of a property must be a string, not {what_is(key)}"
    shown = shown_name(key)
    if key in ONLY_JSON_SCHEMA:
        return f'"{shown}" is for raw tools: a spec has no such keyword, define_raw_tool takes it'
    if key == "optional":
        return 'unknown key "optional", a property without "required" is optional'
    if key == "nullable":
        return 'unknown key "nullable", write "null" into a list of types: ["string", "null"]'
    keywords = tuple(
        keyword
        for keyword in KEYWORDS
        if keyword not in TYPES_OF or any(kind in TYPES_OF[keyword] for kind in kinds)
    )
    hint = _did_you_mean(key, (*KEYWORDS, *ROOT_ONLY)) or f", it may have {', '.join(keywords)}"
    return f'unknown key "{shown}"{hint}'


def _did_you_mean(word: str, words: tuple[str, ...]) -> str:
    plain = word.lower().replace("_", "").replace("-", "")
    known = OTHER_NAMES.get(plain)
    if known not in words:
        known = next((each for each in words if each.lower() == plain), None)
    if known is not None:
        return f', did you mean "{known}"?'
    from difflib import get_close_matches  # costs more than this whole package to import

    spelt = {each.lower(): each for each in words}
    close = get_close_matches(plain[:_LONGEST_WHERE], spelt, n=1, cutoff=0.75)
    return f', did you mean "{spelt[close[0]]}"?' if close else ""


def _at(path: Path, key: object) -> Path:
    return (*path, key) if isinstance(key, str) else path


_LONE_SURROGATE: Final = (
    "the name of a property holds a lone surrogate, which no UTF-8 can carry"
)


# --- one keyword --------------------------------------------------------------------------


def _type_faults(kinds: object, path: Path) -> Iterator[Fault]:
    if not isinstance(kinds, list):
        if kinds not in TYPES:
            yield path, _type_fault(kinds)
        return
    seen = set[str]()
    for index, kind in enumerate(kinds):
        if kind not in TYPES:
            yield (*path, index), _type_fault(kind)
        elif kind in seen:
            yield (*path, index), f'"type" must not repeat "{kind}"'
        else:
            seen.add(kind)
    if len(kinds) < 2:
        yield path, '"type" must list two or more types, a single one stands without a list'


def _type_fault(kind: object) -> str:
    one_of = f"one of {', '.join(TYPES)}"
    if not isinstance(kind, str):
        return f'"type" must be {one_of}, or a list of them, not {what_is(kind)}'
    if kind.lower() == "any":
        return 'unknown type "any", a property without "type" accepts any JSON value'
    hint = _did_you_mean(kind, TYPES) or f", it must be {one_of}"
    return f'unknown type "{shown_name(kind)}"{hint}'


def _required_faults(
    required: object, prop: _Object, path: Path, is_root: bool
) -> Iterator[Fault]:
    if not isinstance(required, list):
        if is_root:
            yield path, f'"required" of the root must be a list of names, not {what_is(required)}'
        elif required is not True:
            text = "must be True or a list of names, leave the key out for an optional property"
            yield path, f'"required" {text}'
        return
    properties, seen = prop.get("properties"), set[str]()
    for index, name in enumerate(required):
        if not isinstance(name, str):
            text = f'"required" must hold names of properties only, not {what_is(name)}'
            yield (*path, index), text
        elif name in seen:
            yield (*path, index), f'"required" must not repeat "{shown_name(name)}"'
        else:
            seen.add(name)
            if not isinstance(properties, dict) or name not in properties:
                text = f'"required" names "{shown_name(name)}", which is not in "properties"'
                yield (*path, index), text


def _enum_faults(enum: object, kinds: tuple[str, ...], path: Path) -> Iterator[Fault]:
    if kinds and not _scalars_among(kinds):
        yield path, f'"enum" is for scalars, not for {listed_types(kinds)}'
    elif not isinstance(enum, list):
        yield path, f'"enum" must be a list, not {what_is(enum)}'
    elif not enum:
        yield path, '"enum" must not be empty: no value could fit'
    else:
        seen: set[object] = set()
        if kinds == ("string",) and set(map(type, enum)) == {str} and len(set(enum)) == len(enum):
            return  # as nearly all are
        for index, member in enumerate(enum):
            text, key = _scalar_fault("enum", member, kinds), None
            if text is None:
                key = equality_key(member)
                text = '"enum" must not repeat a value' if key in seen else None
                seen.add(key)
            if text is not None:
                yield (*path, index), text


def _scalar_fault(keyword: str, value: object, kinds: tuple[str, ...]) -> str | None:
    """What is wrong with a `const` or a member of `enum` beside those types."""
    allowed = _scalars_among(kinds or TYPES)
    if not any(has_type(value, kind) and _stays_exact(value, kind) for kind in allowed):
        if keyword == "const":
            words = listed_types(allowed) if allowed else "left out: it is for scalars"
            return f'"const" must be {words}, not {what_is(value)}'
        words = " or ".join(_SCALARS[kind] for kind in allowed)
        owner = f"of {listed_types(kinds)} " if kinds else ""
        return f'the "enum" {owner}must hold {words} only, not {what_is(value)}'
    if not is_json(value):
        return f'"{keyword}" must not hold an integer too long to print'
    return None


def _stays_exact(value: object, kind: str) -> bool:
    """Whether a value keeps its Python type as an allowed one: an integer is an `int` to types."""
    return kind != "integer" or isinstance(value, int)


def _scalars_among(kinds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kind for kind in kinds if kind in _SCALARS)


_SCALARS: Final = {
    "string": "strings",
    "integer": "integers",
    "number": "finite numbers",
    "boolean": "booleans",
    "null": "None",
}


def _reference_fault(reference: object, root: _Object | None) -> str | None:
    if not isinstance(reference, str):
        return f'"$ref" must be text, not {what_is(reference)}'
    if root is None:
        return '"$ref" wants the long form of a spec, where it names one of the "$defs" of the root'
    match reference.split("/"):
        case ["#", holder, _] if holder in DEFINITIONS:
            if isinstance(definition(root, reference), dict):
                return None
            return f'"$ref" leads to "{shown_name(reference)}", where there is nothing'
    return f'"$ref" must be "#/$defs/NAME" or "#/definitions/NAME", not "{shown_name(reference)}"'


def _no_property(value: object, path: Path) -> str:
    """What is wrong with what stands in the place of a property and is no dict."""
    hint = ""
    if value is True:
        hint = ", write {} for any value"
    elif isinstance(value, list) and path[-1:] == ("items",):
        hint = ", define_raw_tool takes a list of them"
    elif path[-1:] == ("additionalProperties",):
        hint = ", or True or False"
    return f"a property must be a dict, not {what_is(value)}{hint}"


def _text_fault(key: str, value: object) -> str | None:
    return None if isinstance(value, str) else f'"{key}" must be text, not {what_is(value)}'


def _pattern_fault(key: str, value: object) -> str | None:
    if not isinstance(value, str):
        return _text_fault(key, value)
    from .patterns import pattern_fault  # most specs have no pattern

    fault = pattern_fault(value)
    return None if fault is None else f'"pattern" is outside the portable subset: {fault}'


def _flag_fault(key: str, value: object) -> str | None:
    return None if isinstance(value, bool) else f'"{key}" must be True or False, not {what_is(value)}'


def _number_fault(key: str, value: object) -> str | None:
    if value is True and key.startswith("exclusive"):
        return f'"{key}" must be a number: write the bound itself here'
    if not is_number(value):
        return f'"{key}" must be a finite number, not {what_is(value)}'
    return None if is_json(value) else f'"{key}" must not be an integer too long to print'


def _factor_fault(key: str, value: object) -> str | None:
    if is_number(value) and value <= 0:
        return f'"{key}" must be greater than 0'
    return _number_fault(key, value)


def _count_fault(key: str, value: object) -> str | None:
    if is_count(value):
        return None if is_json(value) else f'"{key}" must not be an integer too long to print'
    shown = "a negative one" if isinstance(value, int) and value < 0 else what_is(value)
    return f'"{key}" must be an integer of 0 or more, not {shown}'


_FORMS: Final[Mapping[str, Callable[[str, object], str | None]]] = {
    **dict.fromkeys(("description", "title", "format"), _text_fault),
    **dict.fromkeys(("$schema", "$id", "$comment"), _text_fault),
    **dict.fromkeys(("deprecated", "uniqueItems"), _flag_fault),
    **dict.fromkeys(("minimum", "maximum"), _number_fault),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _number_fault),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _count_fault),
    **dict.fromkeys(("minProperties", "maxProperties"), _count_fault),
    "multipleOf": _factor_fault,
    "pattern": _pattern_fault,
}
"""What is wrong with the value of a keyword, told by the value alone."""


# --- keywords against each other ----------------------------------------------------------


def _bound_faults(prop: _Object, path: Path, kinds: tuple[str, ...]) -> Iterator[Fault]:
    """Bounds that leave nothing."""
    crossed = False
    for low, high, is_beyond in _BOUNDS:
        if low in prop and high in prop:
            least, most = prop[low], prop[high]
            if is_number(least) and is_number(most) and is_beyond(least, most):
                crossed = True
                words = "above" if least > most else "the same as"
                yield (*path, low), f'"{low}" is {words} "{high}", so that no value could fit'
    if kinds == ("integer",) and not crossed and _leaves_no_integer(prop):
        yield path, "no integer lies between the bounds"
    yield from _member_count_faults(prop, path)


def _leaves_no_integer(prop: _Object) -> bool:
    """Whether no integer, or no multiple that is one, is within the bounds of an integer."""
    given = ((keyword, prop.get(keyword)) for keyword in _SIDES)
    bounds = {keyword: bound for keyword, bound in given if is_number(bound)}
    step = prop.get("multipleOf", 1)
    if len(bounds) < 2 or not is_count(step) or step == 0:
        return False
    lowest = [-(-bounds["minimum"] // step)] if "minimum" in bounds else []
    if "exclusiveMinimum" in bounds:
        lowest.append(bounds["exclusiveMinimum"] // step + 1)
    highest = [bounds["maximum"] // step] if "maximum" in bounds else []
    if "exclusiveMaximum" in bounds:
        highest.append(-(-bounds["exclusiveMaximum"] // step) - 1)
    return bool(lowest and highest) and max(lowest) > min(highest)


def _member_count_faults(prop: _Object, path: Path) -> Iterator[Fault]:
    least, most, properties = (
        prop.get(keyword) for keyword in ("minProperties", "maxProperties", "properties")
    )
    if is_count(most) and most < len(required_names(prop, properties)):
        text = '"maxProperties" is less than the properties that must be there'
        yield (*path, "maxProperties"), text
    declared = len(properties) if isinstance(properties, dict) else 0
    if is_count(least) and prop.get("additionalProperties") is False and least > declared:
        yield (*path, "minProperties"), '"minProperties" is more than a closed object can hold'


_SIDES: Final = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
_BOUNDS: Final = (
    ("minimum", "maximum", gt),
    ("minimum", "exclusiveMaximum", ge),
    ("exclusiveMinimum", "maximum", ge),
    ("exclusiveMinimum", "exclusiveMaximum", ge),
    ("minLength", "maxLength", gt),
    ("minItems", "maxItems", gt),
    ("minProperties", "maxProperties", gt),
)
_BOUNDING: Final = frozenset((*(bound for pair in _BOUNDS for bound in pair[:2]), "multipleOf"))


# --- references that go round -------------------------------------------------------------


def _circle_faults(root: _Object) -> Iterator[Fault]:
    """Definitions that lead back to themselves with no object or array between, and so say
    nothing. The definitions are without faults."""
    steps = {id(prop): list(_next_props(root, prop)) for _, prop in _definitions(root)}
    finished = set[int]()
    for path, prop in _definitions(root):
        if _goes_round(prop, steps, finished):
            yield path, 'the definition leads back to itself by "$ref" and says nothing'


def _goes_round(
    start: _Object, steps: dict[int, list[_Object]], finished: set[int]
) -> bool:
    """Whether a definition leads back to itself. What is `finished` was asked before."""
    on_the_way = [(start, iter(steps[id(start)]))]
    entered = {id(start)}
    while on_the_way:
        prop, following = on_the_way[-1]
        inner = next(following, None)
        if inner is None:
            finished.add(id(prop))
            entered.discard(id(prop))
            on_the_way.pop()
        elif id(inner) in entered:
            finished |= entered
            return True
        elif id(inner) not in finished:
            entered.add(id(inner))
            on_the_way.append((inner, iter(steps.get(id(inner), ()))))
    return False


def _definitions(root: _Object) -> Iterator[tuple[Path, _Object]]:
    for holder in DEFINITIONS:
        definitions = root.get(holder)
        for name, prop in definitions.items() if isinstance(definitions, dict) else ():
            yield (holder, name), prop


def _next_props(root: _Object, prop: object) -> Iterator[_Object]:
    """The definitions that a value of a property must itself fit, or may."""
    if not isinstance(prop, dict):
        return
    found = definition(root, prop.get("$ref"))
    if isinstance(found, dict):
        yield found
    for keyword in ALTERNATIVES:
        for branch in prop.get(keyword, ()):
            yield from _next_props(root, branch)
