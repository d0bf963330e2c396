"""Source to plain spec, and where in the source each key of it stands.

What is read are displays, `dict(...)`, `|`, `**`, constants, `schema(...)` and `prop(...)`; see
`constants` for what is known of names.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    CallExpr,
    DictExpr,
    Expression,
    ListExpr,
    MypyFile,
    OpExpr,
    RefExpr,
)
from mypy.types import AnyType, Instance, ProperType, TypedDictType, get_proper_type

from ..schema.faults import Path
from .constants import Constants, Unseen, hashable, why_unseen
from .names import is_our_spec, our_name
from .reports import REPEATED, UNSEEN_KEY, UNSEEN_PROP
from .type_builder import REQUIRED, VALUE, Opaque, literal_values, prop_of, properties_of

_OURS: Final = ("schema", "prop")
_SAYS_NO_TYPE: Final = ("description", "default")


class Entry(NamedTuple):
    """One entry of a dict in source. `where` is what to point at; `key` is None for `**value`,
    a str in `dict(key=value)`."""

    where: Expression
    key: Expression | str | None
    value: Expression


class Remark(NamedTuple):
    """Something to say about a place in the source: a mistake, or what cannot be seen."""

    where: Expression
    text: str
    is_mistake: bool


class SpecReader:
    """Reads the specs and the props of one module, each into new dicts.

    remarks: what there is to say about what was read.
    constants: how names were looked up.
    loose: mypy's own check of the source might refuse what is right.
    """

    def __init__(
        self, module: MypyFile, modules: Mapping[str, MypyFile], call: Expression
    ) -> None:
        """`call` is the call whose argument is read: a name that stands for it stands for what
        is being read."""
        self.remarks: list[Remark] = []
        self.constants = Constants(module)
        self._modules = modules
        self._call = call
        self._composed = False
        self._root: dict[object, object] | None = None

    @property
    def loose(self) -> bool:
        return self._composed or self.constants.followed

    def spec(self, source: Expression) -> object:
        """The spec in an expression, or whatever stands in its place. Raises Unseen."""
        if self.is_our_call(source):
            return self._inside_our_call(self.spec, source)
        told = self._told_by_type(source, self._spec_of_type)
        if told is not None:
            return told
        source = self.constants.source(source)
        if not is_dict_source(source):
            return self.constants.value(source)
        spec = self._new_dict()
        for is_spread, key, value in self._entries(source):
            if is_spread:
                spec.update(_mapping(self.spec(value)))
            else:
                spec[key] = self.prop(value)
        return spec

    def prop(self, source: Expression) -> object:
        """The property in an expression, or whatever stands in its place; an `Opaque` and a
        remark when the source does not tell."""
        try:
            return self.read_prop(source)
        except Unseen as unseen:
            self._remark(source, UNSEEN_PROP.format(why=unseen.why), unseen)
            return Opaque()

    def read_prop(self, source: Expression) -> object:
        """As `prop`, but raises Unseen when the source does not tell."""
        if self.is_our_call(source):
            return self._inside_our_call(self.read_prop, source)
        told = self._told_by_type(source, self._prop_of_type)
        if told is not None:
            return told
        source = self.constants.source(source)
        if not is_dict_source(source):
            return self.constants.value(source)
        prop = self._new_dict()
        for is_spread, key, value in self._entries(source):
            if is_spread:
                self._composed = True  # mypy lets no `Prop` be spread in a `SchemaProp`
                prop = _spread(prop, _mapping(self.read_prop(value)))
            else:
                self._read_key(prop, key, value)
        return prop

    def place(self, source: Expression, path: Path) -> Expression | None:
        """Where in the source the path of a fault leads; None when that is inside a call of
        ours: such a call prints its own faults."""
        where = source
        for step in path:
            entry = self._entry_at(self.constants.source(source), step)
            if entry is None:
                break
            where, source = entry.where, entry.value
            if self.is_our_call(source):
                return None
        return where

    def is_our_call(self, source: Expression) -> bool:
        """Whether an expression is a call of a copy's `schema` or `prop`."""
        callee = source.callee if isinstance(source, CallExpr) else None
        return isinstance(callee, RefExpr) and our_name(callee.fullname, self._modules) in _OURS

    def _read_key(self, prop: dict[object, object], key: object, source: Expression) -> None:
        readers: Mapping[object, Callable[[Expression], object]] = {
            "properties": self.spec,
            "items": self.prop,
        }
        try:
            prop[key] = readers.get(key, self.constants.value)(source)
        except Unseen as unseen:
            if key == "type":
                raise
            prop.pop(key, None)
            if key not in _SAYS_NO_TYPE:
                self._remark(source, UNSEEN_KEY.format(key=key, why=unseen.why), unseen)

    def _entries(self, source: Expression) -> Iterator[tuple[bool, object, Expression]]:
        """Whether an entry is a `**`, its key and its value, for each entry of a dict; with a
        remark for each key that comes twice in it."""
        if not isinstance(source, DictExpr):
            self._composed = True
        keys = set[object]()
        for entry in entries(source):
            key = self._key(entry)
            if entry.key is not None:
                if key in keys:
                    self.remarks.append(Remark(entry.where, REPEATED.format(key), is_mistake=True))
                keys.add(key)
            yield entry.key is None, key, entry.value

    def _key(self, entry: Entry) -> object:
        if isinstance(entry.key, Expression):
            return hashable(self.constants.value(entry.key))
        return entry.key

    def _entry_at(self, source: Expression, step: str | int) -> Entry | None:
        """The entry of a dict or the item of a list that a step of a path leads to."""
        if isinstance(source, ListExpr) and isinstance(step, int):
            item = source.items[step] if step < len(source.items) else None
            return None if item is None else Entry(item, None, item)
        found = None
        for entry in entries(source) if is_dict_source(source) else ():
            if entry.key is None:
                found = self._entry_at(self.constants.source(entry.value), step) or found
            elif self._key(entry) == step:
                found = entry
        return found

    def _told_by_type(
        self, source: Expression, tell: Callable[[ProperType], dict[object, object] | None]
    ) -> dict[object, object] | None:
        """What the declared type of a name tells about the dict behind it; the dict that is
        being read itself for the name that it will get."""
        if not isinstance(source, RefExpr):
            return None
        if self.constants.source(source) is self._call:
            return self._root
        type_ = self.constants.declared_type(source)
        if isinstance(type_, AnyType):
            raise Unseen("")
        return tell(type_) if type_ is not None else None

    def _spec_of_type(self, type_: ProperType) -> dict[object, object] | None:
        if not isinstance(type_, Instance) or not is_our_spec(type_.type, self._modules):
            return None
        arguments = get_proper_type(type_.args[0])
        if isinstance(arguments, TypedDictType):
            return properties_of(arguments)
        raise Unseen("" if isinstance(arguments, AnyType) else "nor could it where it is made")

    def _prop_of_type(self, type_: ProperType) -> dict[object, object] | None:
        if not isinstance(type_, TypedDictType) or VALUE not in type_.items:
            return None
        required = literal_values(type_.items[REQUIRED]) == [True]
        return prop_of(type_.items[VALUE], required=required)

    def _inside_our_call(
        self, read: Callable[[Expression], object], call: Expression
    ) -> object:
        """What a call of ours is about; the call itself makes the remarks."""
        assert isinstance(call, CallExpr)
        if len(call.args) != 1:
            raise Unseen(why_unseen(call))
        made = len(self.remarks)
        try:
            return read(call.args[0])
        finally:
            del self.remarks[made:]

    def _remark(self, where: Expression, text: str, unseen: Unseen) -> None:
        if unseen.why:
            self.remarks.append(Remark(where, text, is_mistake=False))

    def _new_dict(self) -> dict[object, object]:
        new: dict[object, object] = {}
        if self._root is None:
            self._root = new
        return new


def is_dict_source(source: Expression) -> bool:
    """Whether an expression is one whose entries `entries` gives."""
    match source:
        case DictExpr() | OpExpr(op="|"):
            return True
        case CallExpr(callee=RefExpr(fullname="builtins.dict")):
            return all(kind in (ARG_NAMED, ARG_POS) for kind in source.arg_kinds)
    return False


def entries(source: Expression) -> Iterator[Entry]:
    """The entries of a display, a `dict(...)` or a `|`, in order."""
    match source:
        case DictExpr():
            for key, value in source.items:
                yield Entry(value if key is None else key, key, value)
        case CallExpr():
            for name, value in zip(source.arg_names, source.args):
                yield Entry(value, name, value)
        case OpExpr():
            yield Entry(source.left, None, source.left)
            yield Entry(source.right, None, source.right)


def _mapping(value: object) -> dict[object, object]:
    if isinstance(value, dict):
        return value
    raise Unseen("it is no dict")


def _spread(prop: dict[object, object], inner: dict[object, object]) -> dict[object, object]:
    """`{**prop, **inner}`, where either may be known by type alone."""
    if not isinstance(inner, Opaque):
        return {**prop, **inner}
    merged = Opaque(inner.value)
    merged.update({key: value for key, value in prop.items() if key in _SAYS_NO_TYPE})
    merged.update(inner)
    return merged
