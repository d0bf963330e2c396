"""Plain specs to mypy types, and back for what other modules tell by type alone.

A spec is the author's dict as `spec_reader` read it. A property of which only the type is known
is an `Opaque`: a dict without "type" that carries the mypy type instead.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeGuard

from mypy.nodes import Block, ClassDef, SymbolTable, TypeInfo
from mypy.types import (
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    UnionType,
    get_proper_type,
)

VALUE: Final = "__dsh_value__"
REQUIRED: Final = "__dsh_required__"

_SCALARS: Final = {
    "string": "builtins.str",
    "integer": "builtins.int",
    "number": "builtins.float",
    "boolean": "builtins.bool",
}
_LITERALS: Final[Mapping[str, type[str | int]]] = {"string": str, "integer": int}
_HAS_READONLY_KEYS: Final = hasattr(TypedDictType, "readonly_keys")  # since mypy 1.13


class Opaque(dict[object, object]):
    """A property that is known by the type of its value: None when not even that is known."""

    def __init__(self, value: Type | None = None) -> None:
        super().__init__()
        self.value = value


class TypeBuilder:
    """Builds mypy types. `class_named` looks a class up by its full name, `home` is the full name
    of the module that declares `Spec` and `Prop`."""

    def __init__(self, class_named: Callable[[str], TypeInfo], home: str) -> None:
        self._class_named = class_named
        self._home = home

    def spec_of(self, arguments: Type) -> Instance:
        """`Spec[arguments]`."""
        return self.instance(f"{self._home}.Spec", arguments)

    def prop_of(self, prop: object) -> Type:
        """`Prop[...]` for a property."""
        alias = self._class_named(f"{self._home}.Prop").special_alias
        assert alias is not None, "Prop is a TypedDict"
        flag = LiteralType(is_required(prop), self.instance("builtins.bool"))
        return TypeAliasType(alias, [self._value(prop, ()), flag])

    def arguments(self, spec: object) -> TypedDictType | None:
        """The TypedDict of the arguments that fit a spec, None for what is no spec at all."""
        return self._typed_dict(spec, ()) if _is_spec(spec) else None

    def unseen_arguments(self) -> Type:
        """`Mapping[str, object]`, for a spec that cannot be seen."""
        return self.instance("typing.Mapping", self._text(), self._object())

    def open_object(self) -> Type:
        """`dict[str, object]`, for an object that may hold anything."""
        return self.instance("builtins.dict", self._text(), self._object())

    def labelled(self, arguments: TypedDictType, label: str, module: str) -> Type:
        """The TypedDict under a name that messages print. No symbol table holds it, so it must
        not get into the type of anything that a cache keeps."""
        base = self.instance("typing._TypedDict")
        definition = ClassDef(label, Block([]))
        definition.fullname = f"{module}.{label}"
        definition.info = info = TypeInfo(SymbolTable(), definition, module)
        info.bases = [base]
        info.mro = [info, *base.type.mro]
        info.update_typeddict_type(arguments)
        return typed_dict(arguments.items, arguments.required_keys, Instance(info, []))

    def instance(self, fullname: str, *args: Type) -> Instance:
        """The class of that name with these type arguments."""
        return Instance(self._class_named(fullname), list(args))

    def _value(self, prop: object, parents: tuple[int, ...]) -> Type:
        """The type of the values that fit a property, `object` for one that is at fault."""
        if not isinstance(prop, dict) or id(prop) in parents:
            return self._object()
        if isinstance(prop, Opaque) and "type" not in prop:
            return prop.value or self._object()
        parents = (*parents, id(prop))
        match prop.get("type"):
            case "object":
                return self._open_or_closed(prop.get("properties"), parents)
            case "array":
                return self.instance("builtins.list", self._value(prop.get("items"), parents))
            case str() as kind if kind in _SCALARS:
                return self._scalar(kind, prop.get("enum"))
        return self._object()

    def _open_or_closed(self, properties: object, parents: tuple[int, ...]) -> Type:
        if isinstance(properties, dict) and id(properties) not in parents:
            return self._typed_dict(properties, parents)
        return self.open_object()

    def _scalar(self, kind: str, enum: object) -> Type:
        scalar = self.instance(_SCALARS[kind])
        members = _distinct(enum, _LITERALS.get(kind))
        literals = [LiteralType(member, scalar) for member in members]
        return UnionType.make_union(literals) if literals else scalar

    def _typed_dict(
        self, properties: Mapping[object, object], parents: tuple[int, ...]
    ) -> TypedDictType:
        parents = (*parents, id(properties))
        items = {
            name: self._value(prop, parents)
            for name, prop in properties.items()
            if isinstance(name, str)
        }
        required = {name for name in items if is_required(properties[name])}
        return typed_dict(items, required, self.instance("typing._TypedDict"))

    def _text(self) -> Instance:
        return self.instance("builtins.str")

    def _object(self) -> Instance:
        return self.instance("builtins.object")


def typed_dict(items: dict[str, Type], required: set[str], fallback: Instance) -> TypedDictType:
    """A TypedDict of these items; it is a named one when `fallback` is its class."""
    if _HAS_READONLY_KEYS:
        return TypedDictType(items, required, set(), fallback)
    older: Callable[..., TypedDictType] = TypedDictType
    return older(items, required, fallback)


def is_required(prop: object) -> bool:
    """Whether a property says that a call must carry it."""
    return isinstance(prop, dict) and prop.get("required") is True


def properties_of(arguments: TypedDictType) -> dict[object, object]:
    """The spec whose arguments have that type, as far as a type tells."""
    return {
        name: prop_of(value, required=name in arguments.required_keys)
        for name, value in arguments.items.items()
    }


def prop_of(value: Type, *, required: bool) -> dict[object, object]:
    """The property whose values have that type, as far as a type tells."""
    proper = get_proper_type(value)
    prop = _scalar_prop(proper) or _container_prop(proper) or Opaque(value)
    if required:
        prop["required"] = True
    return prop


def literal_values(type_: Type) -> list[str | int] | None:
    """The values of a `Literal[...]` of strings and ints, None for any other type."""
    proper = get_proper_type(type_)
    items = proper.items if isinstance(proper, UnionType) else [proper]
    values: list[str | int] = []
    for item in map(get_proper_type, items):
        if not isinstance(item, LiteralType) or not isinstance(item.value, (str, int)):
            return None
        values.append(item.value)
    return values


def element_values(type_: Type) -> list[str | int] | None:
    """The values that a tuple or list of literals can hold, None for any other type."""
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return literal_values(UnionType.make_union(proper.items))
    if isinstance(proper, Instance) and len(proper.args) == 1:
        return literal_values(proper.args[0])
    return None


def _is_spec(spec: object) -> TypeGuard[dict[object, object]]:
    """Whether it is a dict of properties, whatever may be wrong in them; a JSON Schema is none."""
    return isinstance(spec, dict) and all(isinstance(prop, dict) for prop in spec.values())


def _scalar_prop(value: ProperType) -> dict[object, object] | None:
    if isinstance(value, Instance):
        kinds = (kind for kind, name in _SCALARS.items() if name == value.type.fullname)
        kind = next(kinds, None)
        return None if kind is None else {"type": kind}
    values = literal_values(value)
    for kind, class_ in _LITERALS.items():
        if values and all(type(member) is class_ for member in values):
            return {"type": kind, "enum": list(values)}
    return None


def _container_prop(value: ProperType) -> dict[object, object] | None:
    if isinstance(value, TypedDictType) and value.is_anonymous():
        return {"type": "object", "properties": properties_of(value)}
    if isinstance(value, Instance) and value.type.fullname == "builtins.list":
        return {"type": "array", "items": prop_of(value.args[0], required=False)}
    return None


def _distinct(enum: object, class_: type[str | int] | None) -> list[str | int]:
    """The members of an enum that can stand in a `Literal`, each once."""
    if class_ is None or not isinstance(enum, list):
        return []
    return list(dict.fromkeys(member for member in enum if type(member) is class_))
