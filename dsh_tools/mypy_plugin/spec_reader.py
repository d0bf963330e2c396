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
    StarExpr,
)
from mypy.types import (
    AnyType,
    Instance,
    Type,
    TypeAliasType,
    TypedDictType,
    get_proper_type,
)

from ..schema.faults import Path, is_long_form
from .constants import Constants, hashable, why_unseen
from .lowered import SAYS_TYPE, Opaque
from .names import is_our_long_spec, is_our_prop, is_our_spec, our_name
from .reports import REPEATED, UNSEEN_KEY, UNSEEN_PROP, Unseen
from .type_builder import literal_values, prop_of, properties_of

_OURS: Final = ("schema", "prop")
_SAYS_MORE: Final = frozenset(
    ("required", "properties", "items", "additionalProperties", "$defs", "definitions")
)
"""The keywords that say more of a type than those that say one by themselves."""


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
    loose: mypy's own check of the source might refuse what is right, or would find nothing new.
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
        self._unseen = False
        self._root: dict[object, object] | None = None

    @property
    def loose(self) -> bool:
        return self._composed or self.constants.followed or not self._unseen

    def spec(self, source: Expression) -> object:
        """The spec in an expression, or whatever stands in its place. Raises Unseen."""
        return self._whole(source, self._long_or_properties)

    def _long_or_properties(self, source: Expression) -> dict[object, object]:
        return self._keywords(source) if self._is_long(source) else self._properties(source)

    def _is_long(self, source: Expression, inside: tuple[Expression, ...] = ()) -> bool:
        """Whether the dict in an expression is an object as JSON Schema has it."""
        told = self._told_by_type(source, self._spec_of_type)
        if told is not None and not is_dict_source(source):
            return is_long_form(told)
        behind = self.constants.source(source)
        if self.is_our_call(behind) and isinstance(behind, CallExpr) and len(behind.args) == 1:
            return self._is_long(behind.args[0], inside)
        is_long = False
        for entry in entries(behind) if is_dict_source(behind) and behind not in inside else ():
            if entry.key is None:
                is_long = is_long or self._is_long(entry.value, (*inside, behind))
            elif self._key(entry) == "type":
                is_long = not is_dict_source(entry.value) and self._value(entry.value) == "object"
        return is_long

    def _value(self, source: Expression) -> object:
        try:
            return self.constants.value(source)
        except Unseen:
            return None

    def props(self, source: Expression) -> object:
        """The properties in an expression, or whatever stands in their place. Raises Unseen."""
        return self._whole(source, self._properties)

    def _whole(
        self, source: Expression, read: Callable[[Expression], dict[object, object]]
    ) -> object:
        told = self._told_by_type(source, self._spec_of_type)
        behind = self.constants.source(source)
        if self.is_our_call(behind) and (told is None or is_long_form(told)):
            return self._inside_our_call(self.spec, behind)  # the type of a long form tells less
        if told is not None:
            return told
        return self._of_dict(source, behind, read)

    def _properties(self, source: Expression) -> dict[object, object]:
        spec = self._new_dict()
        for is_spread, key, value in self._entries(source):
            if is_spread:
                spec.update(_mapping(self.props(value)))
            else:
                spec[key] = self.prop(value)
        return spec

    def prop(self, source: Expression) -> object:
        """The property in an expression, or whatever stands in its place; an `Opaque` and a
        remark when the source does not tell."""
        try:
            return self.read_prop(source)
        except Unseen as unseen:
            self._unseen = True
            self._remark(source, UNSEEN_PROP.format(why=unseen.why), unseen)
            return Opaque()

    def read_prop(self, source: Expression) -> object:
        """As `prop`, but raises Unseen when the source does not tell."""
        told = self._told_by_type(source, self._prop_of_type)
        behind = self.constants.source(source)
        if self.is_our_call(behind) and (told is None or is_long_form(told)):
            return self._inside_our_call(self.read_prop, behind)
        if told is not None:
            return told
        return self._of_dict(source, behind, self._keywords)

    def _of_dict(
        self,
        source: Expression,
        behind: Expression,
        read: Callable[[Expression], dict[object, object]],
    ) -> object:
        """What is read from the dict behind a source, or whatever stands in its place."""
        if not is_dict_source(behind):
            return self.constants.value(source)
        return read(behind) if behind is source else self.constants.once(behind, read)

    def _keywords(self, source: Expression) -> dict[object, object]:
        """The keywords of a property, or of a spec in the long form."""
        prop = self._new_dict()
        unseen: list[tuple[object, Expression, Unseen]] = []
        for is_spread, key, value in self._entries(source):
            if is_spread:
                prop = _spread(prop, _mapping(self.read_prop(value)))
                continue
            try:
                prop[key] = self._reader_of(key)(value)
            except Unseen as why:
                prop.pop(key, None)
                unseen.append((key, value, why))
        self._remark_keywords(prop, unseen)
        return prop

    def _remark_keywords(
        self, prop: dict[object, object], unseen: list[tuple[object, Expression, Unseen]]
    ) -> None:
        """Say what cannot be seen of a property. Raises Unseen when nothing else says its type."""
        self._unseen = self._unseen or bool(unseen)
        for key, where, why in unseen:
            if key in SAYS_TYPE and not any(word in prop for word in SAYS_TYPE):
                raise why
            if key in SAYS_TYPE or key in _SAYS_MORE:
                self._remark(where, UNSEEN_KEY.format(key=key, why=why.why), why)

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

    def _reader_of(self, key: object) -> Callable[[Expression], object]:
        """What reads the value of a keyword."""
        match key:
            case "properties" | "$defs" | "definitions":
                return self.props
            case "items" | "additionalProperties" | "propertyNames":
                return self.prop
            case "anyOf" | "oneOf":
                return self._alternatives
        return self.constants.value

    def _alternatives(self, source: Expression) -> object:
        source = self.constants.source(source)
        if not isinstance(source, ListExpr) or any(isinstance(i, StarExpr) for i in source.items):
            return self.constants.value(source)
        return [self.prop(item) for item in source.items]

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
            elif self._is_at(entry, step):
                found = entry
        return found

    def _is_at(self, entry: Entry, step: str | int) -> bool:
        """Whether a step leads to an entry; no step leads to one whose key cannot be seen."""
        try:
            return self._key(entry) == step
        except Unseen:
            return False

    def _told_by_type(
        self, source: Expression, tell: Callable[[Type], dict[object, object] | None]
    ) -> dict[object, object] | None:
        """What the declared type of a name tells about the dict behind it; the dict that is
        being read itself for the name that it will get."""
        if not isinstance(source, RefExpr):
            return None
        if self.constants.source(source) is self._call:
            return self._root
        type_ = self.constants.declared(source)
        if isinstance(get_proper_type(type_), AnyType):
            raise Unseen("")
        return tell(type_) if type_ is not None else None

    def _spec_of_type(self, declared: Type) -> dict[object, object] | None:
        type_ = get_proper_type(declared)
        if not isinstance(type_, Instance) or not is_our_spec(type_.type, self._modules):
            return None
        arguments = get_proper_type(type_.args[0])
        is_long = is_our_long_spec(type_.type, self._modules)
        if isinstance(arguments, TypedDictType):
            properties = properties_of(arguments)
            return {"type": "object", "properties": properties} if is_long else properties
        if is_long and isinstance(arguments, Instance):
            return {"type": "object", "additionalProperties": Opaque(arguments.args[-1])}
        raise Unseen("" if isinstance(arguments, AnyType) else "nor could it where it is made")

    def _prop_of_type(self, type_: Type) -> dict[object, object] | None:
        if isinstance(type_, Instance) and is_our_long_spec(type_.type, self._modules):
            return self._spec_of_type(type_)
        if not isinstance(type_, TypeAliasType) or not is_our_prop(type_, self._modules):
            return None
        value, required = type_.args
        return prop_of(value, required=literal_values(required) == [True])

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
    """`{**prop, **inner}`, where the inner one may be known by type alone."""
    if not isinstance(inner, Opaque):
        prop.update(inner)
        return prop
    merged = Opaque(inner.value)
    merged.update({key: value for key, value in prop.items() if key not in SAYS_TYPE})
    merged.update(inner)
    return merged
