"""Type hints as Python writes them: what a TypedDict says of its keys, on Python 3.11 to 3.14.

Text is evaluated where it stands, aliases are followed, type variables get their types, and the
layers around a type (`Required`, `Annotated`, ...) come off. Nothing here knows of JSON.
"""

import sys
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Annotated, Any, Final, ForwardRef, TypeAlias, TypeVar, Union
from typing import get_args, get_origin, get_type_hints

from ..vocabulary import JsonValue

_QUALIFIERS: Final = ("Required", "NotRequired", "ReadOnly")

Bindings: TypeAlias = dict[object, object]
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


def class_of(typed_dict: object) -> Any:
    """The class itself of a TypedDict that may have its types in brackets."""
    return get_origin(typed_dict) or typed_dict


def annotations_of(typed_dict: object) -> dict[str, object]:
    """The annotation of each key, inherited ones first; parts that nothing evaluates yet are text
    or a ForwardRef. Raises what evaluating them raises."""
    if sys.version_info >= (3, 14):  # which evaluates them when they are asked for (PEP 649)
        from annotationlib import Format, get_annotations

        return get_annotations(class_of(typed_dict), format=Format.FORWARDREF)
    annotations: dict[str, object] = class_of(typed_dict).__annotations__
    return annotations


def is_union(core: object) -> bool:
    return get_origin(core) in (Union, UnionType)


def extra_items(typed_dict: object) -> object:
    """What PEP 728 says of keys that are not declared: their annotation, False when there must be
    none, None when nothing is said. A subclass inherits it."""
    cls = class_of(typed_dict)
    items = cls.__dict__.get("__extra_items__")
    # Without importing typing_extensions, its word for "nothing said" is known by its name.
    if items is not None and not repr(items).endswith("NoExtraItems"):
        return items
    if cls.__dict__.get("__closed__"):
        return False
    inherited = map(extra_items, _typed_bases(cls))
    return next((items for items in inherited if items is not None), None)


class Scope:
    """What the names in the annotations of a TypedDict stand for."""

    def __init__(self, typed_dict: object) -> None:
        cls = class_of(typed_dict)
        self._globals = _names_of(cls.__module__)
        self._bindings = _bindings(typed_dict)
        variables = {variable.__name__: variable for variable in _variables(typed_dict)}
        self._names = {cls.__name__: cls, **variables}
        # Our own alias names itself in text, wherever it is used and under whatever name.
        self._names.setdefault("JsonValue", self._globals.get("JsonValue", JsonValue))

    def type_of(self, annotation: object) -> object:
        """The type an annotation writes, whatever of it is still text; raises what its
        evaluation raises."""
        module = getattr(annotation, "__forward_module__", None)
        names = self._globals
        if isinstance(annotation, ForwardRef) and isinstance(module, str):
            # It was text in that module. As text again, so is what it holds in quotes: Python
            # 3.14 would look for that nowhere.
            annotation, names = annotation.__forward_arg__, _names_of(module)

        def holder() -> None: ...

        holder.__annotations__ = {"key": annotation}
        hints = get_type_hints(holder, names, self._names, include_extras=True)
        return _substituted(hints["key"], self._bindings)


class Layers:
    """A type without the layers around it.

    core: the bare type.
    required: True for Required, False for NotRequired, None without either.
    metadata: what Annotated holds, the outermost last.
    aliases: the lazy aliases (`type Mode = ...`) and the texts that were followed.
    """

    def __init__(self, hint: object, scope: Scope) -> None:
        self.core: Any = hint
        self.required: bool | None = None
        self.metadata: list[object] = []
        self.aliases: list[object] = []
        while self._take_one_off(scope):
            pass

    def _take_one_off(self, scope: Scope) -> bool:
        hint = self.core
        origin = get_origin(hint)
        qualifier = str(origin).rpartition(".")[2]
        if origin is Annotated:
            self.metadata = [*hint.__metadata__, *self.metadata]
            self.core = hint.__origin__
        elif qualifier in _QUALIFIERS:
            if qualifier != "ReadOnly":
                self.required = qualifier == "Required"
            (self.core,) = get_args(hint)
        elif (follow := _link(hint, scope)) and hint not in self.aliases:
            self.aliases.append(hint)
            self.core = follow()
        elif hasattr(hint, "__supertype__"):  # of a NewType
            self.core = hint.__supertype__
        else:
            return False
        return True


def is_endless(core: object) -> bool:
    """Whether it is a name that stands for nothing but itself (`type Itself = Itself`)."""
    return isinstance(core, (str, ForwardRef)) or _is_lazy_alias(core)


def _link(hint: object, scope: Scope) -> Callable[[], object] | None:
    """How to follow what only names a type, None for a type."""
    if _is_lazy_alias(hint):
        return lambda: _aliased(hint)
    if isinstance(hint, (str, ForwardRef)):
        return lambda: scope.type_of(hint)
    return (lambda: type(None)) if hint is None else None


def _is_lazy_alias(hint: object) -> bool:
    """Whether it is an alias of PEP 695, from Python 3.12 or from `typing_extensions`."""
    return hasattr(hint, "__value__") and hasattr(hint, "__type_params__")


def _aliased(alias: Any) -> object:
    return _substituted(alias.__value__, dict(zip(alias.__type_params__, get_args(alias))))


def _names_of(module: str) -> dict[str, Any]:
    return vars(sys.modules[module]) if module in sys.modules else {}


def _typed_bases(cls: Any) -> Iterator[object]:
    """The TypedDicts that a class names as its bases, as far as Python keeps them."""
    return filter(is_typed_dict, cls.__dict__.get("__orig_bases__", ()))


def _bindings(typed_dict: object) -> Bindings:
    """What the type variables of a TypedDict and of its bases stand for."""
    cls = class_of(typed_dict)
    bound: Bindings = dict(zip(getattr(cls, "__parameters__", ()), get_args(typed_dict)))
    for base in _typed_bases(cls):
        for variable, value in _bindings(base).items():
            value = _substituted(value, bound)
            if bound.setdefault(variable, value) != value:
                bound[variable] = variable  # one variable for two types: left unbound, so refused
    return bound


def _variables(typed_dict: object) -> Iterator[Any]:
    """The type variables of a TypedDict and of its bases."""
    cls = class_of(typed_dict)
    yield from getattr(cls, "__parameters__", ())
    for base in _typed_bases(cls):
        yield from _variables(base)


def _substituted(hint: Any, bindings: Bindings) -> object:
    """A type with types in the place of its type variables."""
    if isinstance(hint, TypeVar):
        return bindings.get(hint, hint)
    variables = getattr(hint, "__parameters__", ()) if get_origin(hint) else ()
    if not variables:
        return hint
    substituted: object = hint[tuple(bindings.get(variable, variable) for variable in variables)]
    return substituted


def shown(hint: object) -> str:
    """A type as people write it."""
    name = hint.__name__ if isinstance(hint, type) else str(hint)
    return name.removeprefix("typing.")
