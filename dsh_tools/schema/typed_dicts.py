"""A TypedDict class as a spec: `schema(ReadArgs)`.

Required and optional keys, nested TypedDicts, lists and `Literal` say what the dict of a spec
says. The rest stands in `Annotated`: a text is the description, a dict has the keys of a property
for which Python's types have no word, `Annotated[int, "Days to look ahead", {"default": 1}]`.
"""

import sys
from collections.abc import Callable, Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, Union
from typing import get_args, get_origin, get_type_hints

from ..json_values import DEEPEST
from ..vocabulary import SchemaProp, SchemaType
from .faults import Fault, Path

_SCALARS: Final[dict[object, SchemaType]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
}
_ANYTHING: Final = (object, Any)
_FORMS: Final = "str, int, float, bool, Literal, list, dict or a TypedDict"
_ANNOTATED_KEYS: Final = ("description", "enum", "default")

_CONTAINS_ITSELF: Final = "the type contains itself, which no JSON Schema without $ref can say"
_NO_NONE: Final = "null is not absence: mark the key NotRequired and leave None out of its type"
_NO_UNION: Final = "a property has one type, not a choice between several"

_Parents: TypeAlias = tuple[object, ...]
"""The TypedDicts and aliases inside which a type stands."""

_Bindings: TypeAlias = dict[object, object]
"""What each type variable stands for."""


def is_typed_dict(value: object) -> bool:
    """Whether it is a TypedDict class, of `typing` or of `typing_extensions`, or a generic one
    with its types (`Page[int]`)."""
    origin = get_origin(value) or value
    return (
        isinstance(origin, type)
        and issubclass(origin, dict)
        and isinstance(getattr(origin, "__required_keys__", None), frozenset)
    )


def read_typed_dict(typed_dict: object) -> tuple[dict[str, SchemaProp], list[Fault]]:
    """The spec that a TypedDict class stands for, as a new dict, and what no spec can say of it.
    Only keys without such a fault are in the spec."""
    reader = _Reader()
    return reader.spec(typed_dict, (), ()), reader.faults


class _Refused(Exception):
    """A type that no property can have, with the fault to report."""

    def __init__(self, path: Path, text: str) -> None:
        self.fault: Fault = (path, text)


class _Reader:
    """Reads a TypedDict and those nested in it; what it cannot say of them is in `faults`.

    In its methods `path` is where a type stands, as a path through the spec that comes out. Those
    that return a property raise _Refused when there is none.
    """

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def spec(self, typed_dict: object, path: Path, parents: _Parents) -> dict[str, SchemaProp]:
        cls, scope, spec = _class_of(typed_dict), _Scope(typed_dict), {}
        for name, annotation in cls.__annotations__.items():
            at = (*path, name)
            try:
                layers = _layers(lambda: scope.type_of(annotation), at)
                prop = self._prop(layers, at, (*parents, typed_dict))
            except _Refused as refused:
                self.faults.append(refused.fault)
                continue
            required = layers.required
            if name in cls.__required_keys__ if required is None else required:
                prop["required"] = True
            spec[name] = prop
        return spec

    def _prop(self, layers: "_Layers", path: Path, parents: _Parents) -> SchemaProp:
        inner = (*parents, *layers.aliases)
        if layers.core in inner or any(alias in parents for alias in layers.aliases):
            raise _Refused(path, _CONTAINS_ITSELF)
        prop = self._bare_prop(layers.core, path, inner)
        for item in layers.metadata:
            if isinstance(item, str):
                prop["description"] = item
            elif isinstance(item, dict):
                self._add_keys(prop, item, path)
        return prop

    def _bare_prop(self, core: object, path: Path, parents: _Parents) -> SchemaProp:
        """The property of a type without layers."""
        origin = get_origin(core) or core
        if is_typed_dict(core):
            return self._object(core, path, parents)
        if isinstance(origin, type) and origin in _SCALARS:
            return {"type": _SCALARS[origin]}
        if origin is list:
            return self._array(core, path, parents)
        if origin is dict:
            return _open_object(core, path)
        if origin is Literal:
            return _enum([core], path)
        if origin in (Union, UnionType):
            return _union(core, path)
        raise _Refused(path, _refusal(core))

    def _object(self, core: object, path: Path, parents: _Parents) -> SchemaProp:
        if len(parents) >= DEEPEST:  # a Page[T] that holds a Page[list[T]]: always another type
            raise _Refused(path, _CONTAINS_ITSELF)
        properties = self.spec(core, (*path, "properties"), parents)
        prop: SchemaProp = {"type": "object", "properties": properties}
        description = _docstring(_class_of(core))
        if description:
            prop["description"] = description
        return prop

    def _array(self, core: object, path: Path, parents: _Parents) -> SchemaProp:
        prop: SchemaProp = {"type": "array"}
        for element in get_args(core):
            path = (*path, "items")
            layers = _layers(lambda: element, path)
            if layers.core not in _ANYTHING:
                prop["items"] = self._prop(layers, path, parents)
        return prop

    def _add_keys(self, prop: Any, keys: dict[object, object], path: Path) -> None:
        """Add the keys that a dict in Annotated holds to a property."""
        for key, value in keys.items():
            if key not in _ANNOTATED_KEYS:
                text = f"a dict in Annotated may have {', '.join(_ANNOTATED_KEYS)}, no other key"
                self.faults.append((path, text))
            elif key == "enum" and "enum" in prop:
                self.faults.append((path, 'Literal lists the values allowed, "enum" must not'))
            else:
                prop[key] = value


def _open_object(core: object, path: Path) -> SchemaProp:
    """The property of a dict. What type its values are, a spec cannot say."""
    if get_args(core) and get_args(core)[0] is not str:
        raise _Refused(path, "the keys of a JSON object are strings: write dict[str, object]")
    return {"type": "object"}


def _union(core: object, path: Path) -> SchemaProp:
    members = [_layers(lambda: member, path).core for member in get_args(core)]
    if all(member in (int, float) for member in members):
        return {"type": "number"}
    if all(get_origin(member) is Literal for member in members):
        return _enum(members, path)
    if NoneType in members and len(members) == 2:
        raise _Refused(path, _NO_NONE)
    raise _Refused(path, _NO_UNION)


def _enum(literals: list[object], path: Path) -> SchemaProp:
    values = list(dict.fromkeys(_members(literals)))
    if all(type(value) is str for value in values):
        return {"type": "string", "enum": values}
    if all(type(value) is int for value in values):
        return {"type": "integer", "enum": values}
    raise _Refused(path, _literal_refusal(values))


def _members(literals: list[object]) -> Iterator[Any]:
    """The values of several Literals, those of aliases inside them included."""
    for literal in literals:
        for member in get_args(literal):
            if _is_lazy_alias(member):
                yield from _members([_Layers(member).core])
            else:
                yield member


class _Scope:
    """What the names in the annotations of a TypedDict stand for."""

    def __init__(self, typed_dict: object) -> None:
        cls = _class_of(typed_dict)
        self._globals = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
        self._bindings = _bindings(typed_dict)
        variables = {variable.__name__: variable for variable in _variables(typed_dict)}
        self._names = {cls.__name__: cls, **variables}

    def type_of(self, annotation: object) -> object:
        """The type an annotation writes, whatever of it is still text; raises what its
        evaluation raises."""

        def holder() -> None: ...

        holder.__annotations__ = {"key": annotation}
        hints = get_type_hints(holder, self._globals, self._names, include_extras=True)
        return _substituted(hints["key"], self._bindings)


class _Layers:
    """A type without the layers around it.

    core: the bare type.
    required: True for Required, False for NotRequired, None without either.
    metadata: what Annotated holds, the outermost last.
    aliases: the lazy aliases (`type Mode = ...`) that were followed.
    """

    def __init__(self, hint: object) -> None:
        self.core: Any = hint
        self.required: bool | None = None
        self.metadata: list[object] = []
        self.aliases: list[object] = []
        while self._take_one_off():
            pass

    def _take_one_off(self) -> bool:
        hint = self.core
        origin = get_origin(hint)
        qualifier = str(origin).rpartition(".")[2]
        if origin is Annotated:
            self.metadata = [*hint.__metadata__, *self.metadata]
            self.core = hint.__origin__
        elif qualifier in ("Required", "NotRequired", "ReadOnly"):
            if qualifier != "ReadOnly":
                self.required = qualifier == "Required"
            (self.core,) = get_args(hint)
        elif _is_lazy_alias(hint) and hint not in self.aliases:
            self.aliases.append(hint)
            self.core = _aliased(hint)
        elif hasattr(hint, "__supertype__"):  # of a NewType
            self.core = hint.__supertype__
        else:
            return False
        return True


def _layers(evaluate: Callable[[], object], path: Path) -> _Layers:
    """The type that is evaluated, as its layers."""
    try:
        return _Layers(evaluate())
    except Exception as error:  # an annotation and a lazy alias may be any expression
        raise _Refused(path, _not_evaluated(error)) from None


def _class_of(typed_dict: object) -> Any:
    """The class itself of a TypedDict that may have its types in brackets."""
    return get_origin(typed_dict) or typed_dict


def _is_lazy_alias(hint: object) -> bool:
    """Whether it is an alias of PEP 695, from Python 3.12 or from `typing_extensions`."""
    return hasattr(hint, "__value__") and hasattr(hint, "__type_params__")


def _aliased(alias: Any) -> object:
    return _substituted(alias.__value__, dict(zip(alias.__type_params__, get_args(alias))))


def _bindings(typed_dict: object) -> _Bindings:
    """What the type variables of a TypedDict and of its bases stand for."""
    cls = _class_of(typed_dict)
    bound: _Bindings = dict(zip(getattr(cls, "__parameters__", ()), get_args(typed_dict)))
    for base in filter(is_typed_dict, cls.__dict__.get("__orig_bases__", ())):
        for variable, value in _bindings(base).items():
            value = _substituted(value, bound)
            if bound.setdefault(variable, value) != value:
                bound[variable] = variable  # one variable for two types: left unbound, so refused
    return bound


def _variables(typed_dict: object) -> Iterator[Any]:
    """The type variables of a TypedDict and of its bases."""
    cls = _class_of(typed_dict)
    yield from getattr(cls, "__parameters__", ())
    for base in filter(is_typed_dict, cls.__dict__.get("__orig_bases__", ())):
        yield from _variables(base)


def _substituted(hint: Any, bindings: _Bindings) -> object:
    """A type with types in the place of its type variables."""
    if isinstance(hint, TypeVar):
        return bindings.get(hint, hint)
    variables = getattr(hint, "__parameters__", ()) if get_origin(hint) else ()
    if not variables:
        return hint
    substituted: object = hint[tuple(bindings.get(variable, variable) for variable in variables)]
    return substituted


def _docstring(cls: object) -> str:
    text = getattr(cls, "__doc__", None)
    if not isinstance(text, str):
        return ""
    from inspect import cleandoc  # dear to import

    return cleandoc(text)


# --- words --------------------------------------------------------------------------------


def _refusal(core: object) -> str:
    """Why a type is no property's."""
    if core in _ANYTHING:
        return f"a property must have a type, not just any: write {_FORMS}"
    if core is NoneType:
        return _NO_NONE
    if isinstance(core, TypeVar):
        return f"nothing says which type {core.__name__} stands for: write it as in Page[int]"
    if hasattr(core, "__members__"):
        return f"JSON has no enum classes: write Literal with the values of {_shown(core)}"
    return f"JSON has no {_shown(core)}: write {_FORMS}"


def _literal_refusal(values: list[Any]) -> str:
    """Why the values of a Literal are neither an enum of strings nor one of integers."""
    for value in values:
        if value is None:
            return _NO_NONE
        if isinstance(value, bool):
            return "a Literal holds strings or integers: write bool for True and False"
        if hasattr(type(value), "__members__"):
            member = f"{type(value).__name__}.{value.name}"
            return f"JSON has no enum members: write {value.value!r} for {member}"
    return "a Literal holds strings alone or integers alone"


def _not_evaluated(error: Exception) -> str:
    if isinstance(error, NameError):
        return f"{error} where the TypedDict stands: import or define it at the module's level"
    return f"the annotation is no type: {error}"


def _shown(hint: object) -> str:
    name = hint.__name__ if isinstance(hint, type) else str(hint)
    return name.removeprefix("typing.")
