"""A spec as it was read from source to JSON Schema: without what is at fault in it, and with the
types of which no more is known than that.

A property of which only the type is known is an `Opaque`: a dict that carries the mypy type of
the values, and what source says of it beside that.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from mypy.types import Type

from ..schema.faults import Fault, Path, is_long_form, prop_faults, spec_faults
from ..schema.keywords import TYPES_OF
from ..schema.lowering import json_schema_of
from ..schema.type_tree import Known

_Dict: TypeAlias = dict[object, object]

_OF_PROPS: Final = ("properties", "$defs", "definitions")
_OF_ONE_PROP: Final = ("items", "additionalProperties", "propertyNames")
_ALTERNATIVES: Final = ("anyOf", "oneOf")

SAYS_TYPE: Final = ("type", "const", "enum", "anyOf", "oneOf", "$ref")
"""The keywords that say a type by themselves."""


class Opaque(_Dict):
    """A property that is known by the type of its value: None when not even that is known."""

    def __init__(self, value: Type | None = None) -> None:
        super().__init__()
        self.value = value


def faults_of_spec(spec: object) -> list[Fault]:
    """The faults of a spec that was read, without those that are about what cannot be seen."""
    return [fault for fault in spec_faults(spec) if not _is_about_opaque(spec, fault[0])]


def faults_of_prop(prop: object) -> list[Fault]:
    """The same of one property."""
    return [fault for fault in prop_faults(prop) if not _is_about_opaque(prop, fault[0])]


def lowered(spec: object) -> object:
    """The JSON Schema of a spec, of what can be seen and is right in it; None for what is no spec
    at all."""
    sound = spec
    faults = faults_of_spec(spec)
    if faults:
        sound = _sound_spec(spec, [path for path, _ in faults])
        if not isinstance(sound, dict) or faults_of_spec(sound):
            return None
    root = sound if is_long_form(sound) else {"type": "object", "properties": sound}
    return _carried(root, json_schema_of(sound))


def _is_about_opaque(read: object, path: Path) -> bool:
    """Whether a path leads to what a property must have a type for of which only mypy's is known."""
    for step in path:
        if isinstance(read, Opaque):
            return step in TYPES_OF or step == "required"
        if isinstance(read, (dict, list)):
            read = read[step]  # type: ignore[index]  # the path of a fault leads through what was read
    return False


def _carried(read: object, lower: object) -> object:
    """What was lowered, with the known types in the places of their properties."""
    if isinstance(read, Opaque) and "type" not in read:
        return Known(read.value)
    if isinstance(read, dict) and isinstance(lower, dict):
        return {key: _carried(read.get(key), inner) for key, inner in lower.items()}
    if isinstance(read, list) and isinstance(lower, list):
        return [_carried(*pair) for pair in zip(read, lower)]
    return lower


# --- without what is at fault ---------------------------------------------------------------


def _sound_spec(spec: object, paths: Iterable[Path]) -> object:
    """A spec without that to which the paths of faults lead; no dict when that is all of it."""
    if () in paths or not isinstance(spec, dict):
        return None
    return _sound_prop(spec, paths) if is_long_form(spec) else _sound_props(spec, paths)


def _sound_prop(prop: object, paths: Iterable[Path]) -> object:
    inside = _by_first_step(paths)
    if () in paths or not isinstance(prop, dict) or "type" in inside:
        return Opaque()
    sound: _Dict = {}
    for keyword, value in prop.items():
        at_fault = inside.get(keyword, [])
        if not at_fault:
            sound[keyword] = value
        elif keyword in _OF_ONE_PROP:
            sound[keyword] = _sound_prop(value, at_fault)
        elif keyword in _OF_PROPS and () not in at_fault:
            sound[keyword] = _sound_props(value, at_fault)
        elif keyword in _ALTERNATIVES and () not in at_fault:
            sound[keyword] = _sound_branches(value, at_fault)
    return sound if any(word in sound for word in SAYS_TYPE) else Opaque()


def _sound_props(props: object, paths: Iterable[Path]) -> object:
    inside = _by_first_step(paths)
    assert isinstance(props, dict)
    return {
        name: _sound_prop(prop, inside[name]) if name in inside else prop
        for name, prop in props.items()
    }


def _sound_branches(branches: object, paths: Iterable[Path]) -> object:
    inside = _by_first_step(paths)
    assert isinstance(branches, list)
    return [
        _sound_prop(branch, inside[index]) if index in inside else branch
        for index, branch in enumerate(branches)
    ]


def _by_first_step(paths: Iterable[Path]) -> Mapping[object, list[Path]]:
    rests = defaultdict[object, list[Path]](list)
    for path in paths:
        if path:
            rests[path[0]].append(path[1:])
    return dict(rests)
