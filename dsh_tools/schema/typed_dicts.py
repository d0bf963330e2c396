"""A TypedDict class as a spec: `schema(ReadArgs)`.

Required and optional keys, nested TypedDicts, lists, maps, unions and `Literal` say what the dict
of a spec says. The rest stands in `Annotated`: a text is the description, a dict has the keywords
for which Python's types have no word, `Annotated[int, "Days to look ahead", {"minimum": 1}]`.
"""

from collections.abc import Iterator
from types import NoneType
from typing import Any, Final, Literal, NamedTuple, Never, NoReturn, TypeVar, cast
from typing import get_args, get_origin

from ..json_values import DEEPEST, plain_json
from ..vocabulary import SchemaProp, SchemaSpec, SchemaType
from .faults import MOST_WRITTEN, Fault, Path
from .hints import Layers, Scope, annotations_of, class_of, extra_items, shown
from .hints import is_endless, is_typed_dict, is_union

_SCALARS: Final[dict[object, SchemaType]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}
_ANYTHING: Final = (object, Any)
_NOTHING: Final = (False, Never, NoReturn)
_FORMS: Final = "str, int, float, bool, None, Literal, list, dict, a TypedDict or a union of them"
_INSTEAD: Final = {
    "bytes": "str",
    "bytearray": "str",
    "Path": "str",
    "Decimal": "float, or str for the digits as they are",
    "date": 'Annotated[str, {"format": "date"}]',
    "time": 'Annotated[str, {"format": "time"}]',
    "datetime": 'Annotated[str, {"format": "date-time"}]',
    "UUID": 'Annotated[str, {"format": "uuid"}]',
    "set": 'Annotated[list[...], {"uniqueItems": True}]',
    "frozenset": 'Annotated[list[...], {"uniqueItems": True}]',
    "tuple": "list[...]",
    "Sequence": "list[...]",
    "Iterable": "list[...]",
    "Mapping": "dict[str, ...]",
}
"""What to write for a type that JSON has not."""

_ENDLESS: Final = "the name stands for nothing but itself"
_TOO_DEEP: Final = f"what the type stands for is nested more than {DEEPEST} dicts deep"
_TOO_LARGE: Final = f"written out, the TypedDict has more than {MOST_WRITTEN:,} properties"


class _Refused(Exception):
    """A type that no property can have, with the fault to report."""

    def __init__(self, path: Path, text: str) -> None:
        self.fault: Fault = (path, text)


class _TooLarge(_Refused):
    """Reading on would take longer than anyone waits."""


class _Place(NamedTuple):
    """Where a type stands.

    path: through the object that comes out.
    parents: the types inside which it stands.
    scope: what the names in it stand for.
    """

    path: Path
    parents: tuple[object, ...]
    scope: Scope

    def at(self, *steps: str | int) -> "_Place":
        return self._replace(path=(*self.path, *steps))


def read_typed_dict(typed_dict: object) -> tuple[SchemaSpec, list[Fault]]:
    """The spec that a TypedDict class stands for, as a new dict, and what no spec can say of it.
    Only keys without such a fault are in the spec.

    It is in the long form when the class says something of keys that it does not declare, or
    when a type contains itself, which then stands under "$defs".
    """
    reader = _Reader()
    try:
        root = reader.root(typed_dict)
    except _TooLarge as refused:
        return {}, [refused.fault]
    if root.keys() == {"type", "properties"}:
        faults = [(path[1:], text) for path, text in reader.faults]
        return cast(SchemaSpec, root["properties"]), faults
    return cast(SchemaSpec, root), reader.faults


class _Reader:
    """Reads a TypedDict and those nested in it; what it cannot say of them is in `faults`.

    Its methods return a property, or raise _Refused when there is none.
    """

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self._recursive: list[tuple[object, str]] = []  # types, some not hashable, and their names
        self._definitions: dict[str, SchemaProp] = {}
        self._written = 0

    def root(self, typed_dict: object) -> SchemaProp:
        """The object of a whole TypedDict, with the definitions that it refers to."""
        root: Any = self._object(typed_dict, _Place((), (typed_dict,), Scope(typed_dict)))
        name = self._name_of(typed_dict)
        if name is not None:
            self._definitions[name] = plain_json(root)
        if self._definitions:
            root["$defs"] = self._definitions
        return cast(SchemaProp, root)

    def _object(self, typed_dict: object, place: _Place) -> SchemaProp:
        properties = self._properties(typed_dict, place.at("properties"))
        prop: SchemaProp = {"type": "object", "properties": properties}
        others = extra_items(typed_dict)
        if others is not None:
            self._add_others(prop, others, place.at("additionalProperties"))
        return prop

    def _properties(self, typed_dict: object, place: _Place) -> dict[str, SchemaProp]:
        required_keys: frozenset[str] = class_of(typed_dict).__required_keys__
        properties: dict[str, SchemaProp] = {}
        for name, annotation in _annotations(typed_dict, place).items():
            at = place.at(name)
            try:
                layers = _evaluated(annotation, at)
                prop = self._prop(layers, at)
            except _TooLarge:
                raise
            except _Refused as refused:
                self.faults.append(refused.fault)
                continue
            if name in required_keys if layers.required is None else layers.required:
                prop["required"] = True
            properties[name] = prop
        return properties

    def _add_others(self, prop: SchemaProp, annotation: object, place: _Place) -> None:
        """Add what is said of the keys that a TypedDict does not declare."""
        try:
            layers = _evaluated(annotation, place)
            others = False if layers.core in _NOTHING else self._prop(layers, place)
        except _TooLarge:
            raise
        except _Refused as refused:
            self.faults.append(refused.fault)
            return
        if others != {}:
            prop["additionalProperties"] = others

    def _prop(self, layers: Layers, place: _Place) -> SchemaProp:
        self._written += 1
        if self._written > MOST_WRITTEN:
            raise _TooLarge((), _TOO_LARGE)
        prop = self._bare_prop(layers, place)
        said = {"required", *prop} - {"description"}
        for item in layers.metadata:
            if isinstance(item, str):
                prop["description"] = item
            elif isinstance(item, dict):
                self._add_keys(prop, item, said, place)
        return prop

    def _add_keys(
        self, prop: Any, keys: dict[object, object], said: set[str], place: _Place
    ) -> None:
        """Add the keywords that a dict in Annotated holds to a property, but for those that the
        type has `said`: what is checked must be what type checkers know."""
        for key, value in keys.items():
            if key in said:
                words = "Required and NotRequired say" if key == "required" else "the type says"
                text = f'"{key}" must not stand in Annotated: {words} it'
                self.faults.append(((*place.path, key), text))
            else:
                prop[key] = value

    def _bare_prop(self, layers: Layers, place: _Place) -> SchemaProp:
        """The property of a type without layers."""
        core: Any = layers.core
        origin = get_origin(core) or core
        if core in _ANYTHING:
            return {}
        if isinstance(origin, type) and origin in _SCALARS:
            return {"type": _SCALARS[origin]}
        if origin is Literal:
            return _enum([*_members(core, place.scope)], place.path)
        if origin in (list, dict) or is_union(core) or is_typed_dict(core):
            return self._compound(layers, place)
        raise _Refused(place.path, _refusal(core))

    def _compound(self, layers: Layers, place: _Place) -> SchemaProp:
        """The property of a type that holds others, and may hold itself: then a reference."""
        core = layers.core
        name = self._name_of(core)
        if core in place.parents:
            name = name or self._new_name(layers)
        elif name is None:
            if len(place.path) >= DEEPEST:  # as a Page[T] that holds a Page[list[T]]
                raise _Refused(place.path, _TOO_DEEP)
            prop = self._holder(core, place._replace(parents=(*place.parents, core)))
            name = self._name_of(core)
            if name is None:
                return prop
            self._definitions[name] = prop
        return cast(SchemaProp, {"$ref": f"#/$defs/{name}"})

    def _name_of(self, core: object) -> str | None:
        return next((name for known, name in self._recursive if known == core), None)

    def _new_name(self, layers: Layers) -> str:
        """A name for the definition of a type that contains itself."""
        named = [layers.core, *reversed(layers.aliases)]
        names = [getattr(class_of(one), "__name__", "") for one in named if not is_union(one)]
        base = next((name for name in names if name.isidentifier()), "Value")
        taken = {name for _, name in self._recursive}
        name, number = base, 1
        while name in taken:
            name, number = f"{base}_{number + 1}", number + 1
        self._recursive.append((layers.core, name))
        return name

    def _holder(self, core: object, place: _Place) -> SchemaProp:
        if is_typed_dict(core):
            return self._nested(core, place)
        if is_union(core):
            return self._union(core, place)
        holder = self._array if (get_origin(core) or core) is list else self._map
        return holder(core, place)

    def _nested(self, typed_dict: object, place: _Place) -> SchemaProp:
        prop = self._object(typed_dict, place._replace(scope=Scope(typed_dict)))
        description = _docstring(class_of(typed_dict))
        if description:
            prop["description"] = description
        return prop

    def _array(self, core: object, place: _Place) -> SchemaProp:
        prop: SchemaProp = {"type": "array"}
        for element in get_args(core):
            items = self._inner(element, place.at("items"))
            if items:
                prop["items"] = items
        return prop

    def _map(self, core: object, place: _Place) -> SchemaProp:
        prop: SchemaProp = {"type": "object"}
        if not get_args(core):
            return prop
        name, value = get_args(core)
        names = self._inner(name, place.at("propertyNames"))
        if names.get("type") != "string":
            raise _Refused(place.path, _NO_KEYS)
        values = self._inner(value, place.at("additionalProperties"))
        if values:
            prop["additionalProperties"] = values
        if names != {"type": "string"}:
            prop["propertyNames"] = names
        return prop

    def _inner(self, hint: object, place: _Place) -> SchemaProp:
        return self._prop(_layers(hint, place), place)

    def _union(self, core: object, place: _Place) -> SchemaProp:
        if _is_json_value(core, place):
            return {}
        members = _alternatives(core, place)
        bare = [member.core for member in members if not member.metadata]
        if len(bare) == len(members) and all(member in _SCALARS for member in bare):
            return _typed([_SCALARS[member] for member in bare])
        if len(bare) == len(members) and all(map(_is_literal, bare)):
            values = [value for member in bare for value in _members(member, place.scope)]
            return _enum(values, place.path)
        props: list[SchemaProp] = []
        for member in members:
            prop = self._prop(member, place.at("anyOf", len(props)))
            if prop not in props:
                props.append(prop)
        if {} in props:
            return {}
        return props[0] if len(props) == 1 else {"anyOf": props}


def _annotations(typed_dict: object, place: _Place) -> dict[str, object]:
    try:
        return annotations_of(typed_dict)
    except Exception as error:  # an annotation may be any expression
        raise _Refused(place.path, _not_evaluated(error)) from None


def _evaluated(annotation: object, place: _Place) -> Layers:
    """The layers of an annotation as it stands in the class."""
    try:
        return Layers(place.scope.type_of(annotation), place.scope)
    except Exception as error:  # an annotation may be any expression
        raise _Refused(place.path, _not_evaluated(error)) from None


def _layers(hint: object, place: _Place) -> Layers:
    """The layers of a part of an annotation."""
    try:
        return Layers(hint, place.scope)
    except Exception as error:  # a lazy alias may be any expression
        raise _Refused(place.path, _not_evaluated(error)) from None


def _alternatives(union: object, place: _Place) -> list[Layers]:
    """The members of a union and of the unions among them; without `int` where `float` is, which
    takes it."""
    found: list[Layers] = []
    unions = [union]
    for union in unions:  # which grows on the way
        for hint in get_args(union):
            member = _layers(hint, place)
            if not is_union(member.core) or member.metadata:
                found.append(member)
            elif member.core not in unions:
                unions.append(member.core)
    bare = [member.core for member in found if not member.metadata]
    if float in bare:
        found = [member for member in found if member.metadata or member.core is not int]
    return found


def _is_literal(core: object) -> bool:
    return core is NoneType or get_origin(core) is Literal


def _is_json_value(hint: object, place: _Place, inside: tuple[object, ...] = ()) -> bool:
    """Whether a type takes whatever JSON has, as `JsonValue` does: the scalars, and lists and
    maps of itself. `inside` are the unions of which this is asked already."""
    core = _layers(hint, place).core
    if core in _ANYTHING or core in inside:
        return True
    if not is_union(core):
        return False
    members = [member.core for member in _alternatives(core, place)]
    if not all(scalar in members for scalar in (str, float, bool, NoneType)):
        return False
    holders = [member for member in members if (get_origin(member) or member) in (list, dict)]
    if {get_origin(holder) or holder for holder in holders} != {list, dict}:
        return False
    values = [get_args(holder)[-1] for holder in holders if get_args(holder)]
    return all(_is_json_value(value, place, (*inside, core)) for value in values)


def _typed(types: list[SchemaType]) -> SchemaProp:
    types = list(dict.fromkeys(types))
    return {"type": types[0] if len(types) == 1 else types}


def _members(literal: object, scope: Scope) -> Iterator[Any]:
    """The values of a Literal, those of aliases inside it included, and the one of None."""
    if literal is NoneType:
        yield None
    for member in get_args(literal):
        core = Layers(member, scope).core if hasattr(member, "__value__") else member
        if get_origin(core) is Literal:
            yield from _members(core, scope)
        else:
            yield member


def _enum(values: list[Any], path: Path) -> SchemaProp:
    for value in values:
        if type(value) not in _SCALARS:
            raise _Refused(path, _literal_refusal(value))
    values = list({(type(value), value): value for value in values}.values())
    types = {_SCALARS[type(value)] for value in values}
    if types == {"null"}:
        return {"type": "null"}
    prop: SchemaProp = {"type": types.pop()} if len(types) == 1 else {}
    if len(values) == 1:
        prop["const"] = values[0]
    else:
        prop["enum"] = values
    return prop


def _docstring(cls: object) -> str:
    text = getattr(cls, "__doc__", None)
    if not isinstance(text, str):
        return ""
    from inspect import cleandoc  # dear to import

    return cleandoc(text)


# --- words --------------------------------------------------------------------------------

_NO_KEYS: Final = "the keys of a JSON object are strings: write dict[str, ...]"


def _refusal(core: object) -> str:
    """Why a type is no property's."""
    if isinstance(core, TypeVar):
        return f"nothing says which type {core.__name__} stands for: write it as in Page[int]"
    if is_endless(core):
        return _ENDLESS
    if hasattr(core, "__members__"):
        return f"JSON has no enum classes: write Literal with the values of {shown(core)}"
    name = getattr(get_origin(core) or core, "__name__", "")
    return f"JSON has no {shown(core)}: write {_INSTEAD.get(name, _FORMS)}"


def _literal_refusal(value: Any) -> str:
    """Why a value of a Literal is no JSON."""
    if hasattr(type(value), "__members__"):
        member = f"{type(value).__name__}.{value.name}"
        return f"JSON has no enum members: write {value.value!r} for {member}"
    return f"a Literal holds strings, integers, booleans and None, not {type(value).__name__}"


def _not_evaluated(error: Exception) -> str:
    if isinstance(error, NameError):
        return f"{error} where the TypedDict stands: import or define it at the module's level"
    return f"the annotation is no type: {error}"
