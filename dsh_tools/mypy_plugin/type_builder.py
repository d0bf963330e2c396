"""Type trees to mypy types, and back to properties for what other modules tell by type alone."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from mypy.nodes import Block, ClassDef, SymbolNode, SymbolTable, TypeAlias, TypeInfo
from mypy.types import (
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    UnionType,
    get_proper_type,
)

from ..schema.type_tree import (
    Choice,
    Exactly,
    Key,
    Known,
    ListOf,
    MapOf,
    Named,
    Node,
    Record,
    type_of,
    written_out,
)
from .lowered import Opaque, lowered
from .reports import Unseen

_SCALARS: Final = {
    "string": "builtins.str",
    "integer": "builtins.int",
    "number": "builtins.float",
    "boolean": "builtins.bool",
}
_LITERALS: Final[Mapping[str, type[str | int]]] = {"string": str, "integer": int}
_HAS_READONLY_KEYS: Final = hasattr(TypedDictType, "readonly_keys")  # since mypy 1.13
_MOST_TYPES: Final = 10_000
"""How many types the arguments may be, written out: mypy looks at each, wherever it stands."""


class TypeBuilder:
    """Builds mypy types. `named` looks a name up by its full name, `home` is the full name of the
    module that declares `Spec` and `Prop`."""

    def __init__(self, named: Callable[[str], SymbolNode], home: str) -> None:
        self._named = named
        self._home = home

    def spec_of(self, arguments: Type, *, is_long: bool) -> Instance:
        """`Spec[arguments]`, or `LongSpec[arguments]` of the long form."""
        return self.instance(f"{self._home}.{'LongSpec' if is_long else 'Spec'}", arguments)

    def prop_of(self, prop: object) -> Type:
        """`Prop[...]` for a property."""
        alias = self._class(f"{self._home}.Prop").special_alias
        assert alias is not None, "Prop is a TypedDict"
        flag = LiteralType(is_required(prop), self.instance("builtins.bool"))
        return TypeAliasType(alias, [self._value(prop), flag])

    def arguments(self, spec: object) -> Type | None:
        """The type of the arguments that fit a spec, None for what is no spec at all. Raises
        Unseen for one that is too large."""
        json_schema = lowered(spec)
        if json_schema is None:
            return None
        node = type_of(json_schema)
        if written_out(node, _MOST_TYPES) == _MOST_TYPES:
            raise Unseen(f"written out it is more than {_MOST_TYPES:,} types")
        return self._type(node)

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
        return Instance(self._class(fullname), list(args))

    def _class(self, fullname: str) -> TypeInfo:
        node = self._named(fullname)
        if not isinstance(node, TypeInfo):
            raise LookupError(f"no class {fullname}")
        return node

    def _value(self, prop: object) -> Type:
        """The type of the values that fit a property, `object` for one that is at fault."""
        arguments = get_proper_type(self.arguments({"value": prop}))
        return arguments.items["value"] if isinstance(arguments, TypedDictType) else self._object()

    def _type(self, node: Node) -> Type:
        match node:
            case Named(name):
                return self._named_type(name)
            case Exactly(value):
                return LiteralType(value, self.instance(f"builtins.{type(value).__name__}"))
            case ListOf(items):
                return self.instance("builtins.list", self._type(items.type))
            case MapOf(values):
                return self.instance("builtins.dict", self._text(), self._type(values.type))
            case Choice(parts):
                return UnionType.make_union([self._type(part.type) for part in parts])
            case Record(keys):
                return self._typed_dict(keys)
            case Known(type_):
                return type_ if isinstance(type_, Type) else self._object()

    def _named_type(self, name: str) -> Type:
        if name == "None":
            return NoneType()
        if name != "JsonValue":
            return self.instance(f"builtins.{name}")
        alias = self._named(f"{self._home.removesuffix('.schema.spec')}.vocabulary.JsonValue")
        assert isinstance(alias, TypeAlias), "JsonValue is an alias"
        return TypeAliasType(alias, [])

    def _typed_dict(self, keys: Iterable[Key]) -> TypedDictType:
        items = {key.name: self._type(key.part.type) for key in keys}
        required = {key.name for key in keys if key.required}
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
