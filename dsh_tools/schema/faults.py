"""The one list of what makes a spec ill-formed. `SchemaError` and the mypy plugin print it.

Plain data in, faults out. A fault is `(path, text)`: `path` leads to the offending key or value
through the author's own data, `("edits", "items", "properties", "old", "typ")`, so that a reader
of source code can point at it; `fault_text` writes both for people. An empty list means that the
spec is well formed, and then it is a tree of dicts no more than `DEEPEST` deep.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from ..json_values import DEEPEST, is_json, is_key, what_is, with_article

Path: TypeAlias = tuple[str | int, ...]
Fault: TypeAlias = tuple[Path, str]

TYPES: Final = ("string", "number", "integer", "boolean", "object", "array")
KEYS: Final = ("type", "required", "description", "enum", "default", "properties", "items")

# What people write who come from Python, JSON Schema or another library.
_OTHER_NAMES: Final = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "dict": "object",
    "map": "object",
    "list": "array",
    "tuple": "array",
    "obj": "object",
    "arr": "array",
    "desc": "description",
    "doc": "description",
    "choices": "enum",
    "options": "enum",
    "fields": "properties",
    "element": "items",
}
_CONTAINS_ITSELF: Final = "the spec contains itself, which no JSON Schema without $ref can say"
_LONE_SURROGATE: Final = (
    "the name of a property holds a lone surrogate, which no UTF-8 can carry"
)
_ITEM_TYPES: Final = {
    "string": "strings",
    "integer": "integers",
    "number": "finite numbers",
}
_NAME_CHARACTERS: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
)


def spec_faults(spec: object) -> list[Fault]:
    """Every fault of a spec, in the order of its keys."""
    if not isinstance(spec, dict):
        return [((), f"a spec must be a dict of properties, not {what_is(spec)}")]
    if _is_json_schema(spec):
        text = (
            'this is a JSON Schema, a spec is what stands under its "properties", '
            'with "required": True in each property that a call must carry'
        )
        return [((), text)]
    return _properties_faults(spec, (), ())


def prop_faults(prop: object) -> list[Fault]:
    """Every fault of one property on its own."""
    return _prop_faults(prop, (), ())


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
    path starts inside a property, not inside a spec.

    >>> fault_text((("edits", "items", "properties", "old", "typ"), 'unknown key "typ"'))
    '"edits[].old": unknown key "typ"'
    """
    path, text = fault
    if path and text.startswith(f'"{path[-1]}"'):
        path = path[:-1]  # a key of the property, which the text names
    where, named = "", False
    for step in path:
        if not in_prop:
            where += f".{step}" if where else str(step)
            in_prop = named = True
        elif step == "properties":
            in_prop = False
        elif step == "items":
            where, named = where + "[]", True
        else:
            break
    return f'"{where}": {text}' if named else text


_Parents: TypeAlias = tuple[int, ...]
"""The ids of the dicts inside which something stands."""


def _properties_faults(spec: object, path: Path, parents: _Parents) -> list[Fault]:
    """Faults of a dict of properties."""
    if not isinstance(spec, dict):
        return [(path, f'"properties" must be a dict of properties, not {what_is(spec)}')]
    if id(spec) in parents:
        return [(path, _CONTAINS_ITSELF)]
    inner = (*parents, id(spec))
    faults: list[Fault] = []
    for name, prop in spec.items():
        if not isinstance(name, str):
            text = f"the name of a property must be a string, not {what_is(name)}"
            faults.append((path, text))
        elif not is_key(name):
            faults.append((path, _LONE_SURROGATE))
        else:
            faults += _prop_faults(prop, (*path, name), inner)
    return faults


def _prop_faults(prop: object, path: Path, parents: _Parents) -> list[Fault]:
    if not isinstance(prop, dict):
        return [(path, f'a property must be a dict with a "type", not {what_is(prop)}')]
    if id(prop) in parents:
        return [(path, _CONTAINS_ITSELF)]
    if len(parents) >= DEEPEST:
        return [(path, f"the spec is nested more than {DEEPEST} dicts deep")]
    # Each list of faults is made only where there may be one: nearly all specs are well formed,
    # and this stands between an author and every tool of theirs.
    faults: list[Fault] = []
    if not _KNOWN_KEYS.issuperset(prop):
        faults += [(_at(path, key), _unknown_key(key)) for key in prop if key not in KEYS]
    if not _kind(prop):
        faults += _type_faults(prop, path)
    if prop.get("required", True) is not True or not isinstance(prop.get("description", ""), str):
        faults += _flag_faults(prop, path)
    if "enum" in prop:
        faults += _enum_faults(prop, path)
    nested_faults: list[Fault] = []
    if "properties" in prop or "items" in prop:
        nested_faults = _nested_faults(prop, path, (*parents, id(prop)))
        faults += nested_faults
    if "default" in prop:
        # Without faults further in it is sure that looking at all of a default comes to an end.
        fitting = {"type": prop.get("type")} if nested_faults else prop
        faults += _default_faults(fitting, prop["default"], path)
    return faults


_KNOWN_KEYS: Final = frozenset(KEYS)


def _type_faults(prop: dict[object, object], path: Path) -> Iterator[Fault]:
    if "type" not in prop:
        yield path, f'a property must have a "type": one of {", ".join(TYPES)}'
    elif not isinstance(prop["type"], str):
        yield (*path, "type"), f'"type" must be one of {", ".join(TYPES)}, not {what_is(prop["type"])}'
    else:
        hint = _did_you_mean(prop["type"], TYPES) or f", it must be one of {', '.join(TYPES)}"
        yield (*path, "type"), f'unknown type "{prop["type"]}"{hint}'


def _flag_faults(prop: dict[object, object], path: Path) -> Iterator[Fault]:
    if "required" in prop and prop["required"] is not True:
        text = '"required" must be True, leave the key out for an optional property'
        if isinstance(prop["required"], list):
            text = '"required" must be True in each property that must be there, not a list of them'
        yield (*path, "required"), text
    if "description" in prop and not isinstance(prop["description"], str):
        yield (*path, "description"), f'"description" must be text, not {what_is(prop["description"])}'


def _enum_faults(prop: dict[object, object], path: Path) -> Iterator[Fault]:
    enum, kind, path = prop["enum"], _kind(prop), (*path, "enum")
    if kind not in _ITEM_TYPES:
        if kind:
            yield path, f'"enum" is for a string, an integer or a number, not for {with_article(kind)}'
    elif not isinstance(enum, list):
        yield path, f'"enum" must be a list, not {what_is(enum)}'
    elif not enum:
        yield path, '"enum" must not be empty: no value could fit'
    else:
        seen: set[object] = set()
        for index, member in enumerate(enum):
            if not _has_type(member, kind):
                text = f'the "enum" of {with_article(kind)} must hold {_ITEM_TYPES[kind]} only'
                yield (*path, index), f"{text}, not {what_is(member)}"
            elif not is_json(member):
                yield (*path, index), '"enum" must not hold an integer too long to print'
            elif member in seen:
                yield (*path, index), '"enum" must not repeat a value'
            else:
                seen.add(member)


def _nested_faults(prop: dict[object, object], path: Path, parents: _Parents) -> list[Fault]:
    kind, faults = _kind(prop), []
    if "properties" in prop:
        if kind == "object" or not kind and isinstance(prop["properties"], dict):
            faults += _properties_faults(prop["properties"], (*path, "properties"), parents)
        elif kind:
            text = f'"properties" is for an object, not for {with_article(kind)}'
            faults.append(((*path, "properties"), text))
    if "items" in prop:
        if kind == "array" or not kind and isinstance(prop["items"], dict):
            faults += _prop_faults(prop["items"], (*path, "items"), parents)
        elif kind:
            faults.append(((*path, "items"), f'"items" is for an array, not for {with_article(kind)}'))
    return faults


def _default_faults(prop: object, default: object, path: Path) -> Iterator[Fault]:
    """A default must be a value that the property itself would accept."""
    path = (*path, "default")
    refusal = _refusal(prop, default)
    if refusal is not None:
        yield path, f'"default" {refusal}, as the property itself asks'
    elif not is_json(default):
        yield path, f'"default" must be JSON, no more than {DEEPEST} deep'


def _refusal(prop: object, value: object) -> str | None:
    """Why a property refuses a value, None when it does not or is itself at fault."""
    if not isinstance(prop, dict) or not _kind(prop):
        return None
    kind = _kind(prop)
    enum, items, properties = prop.get("enum"), prop.get("items"), prop.get("properties")
    whole_float = isinstance(value, float) and value.is_integer() and kind == "integer"
    if not whole_float and not _has_type(value, kind):
        return f"must be {'a finite number' if kind == 'number' else with_article(kind)}"
    if isinstance(enum, list) and kind in _ITEM_TYPES and value not in enum:
        return 'must be one of its "enum"'
    if isinstance(value, list) and isinstance(items, dict):
        refusals = (_refusal(items, item) for item in value)
        return next((f"has an item that {refusal}" for refusal in refusals if refusal), None)
    if isinstance(value, dict) and isinstance(properties, dict):
        for name, inner in properties.items():
            if name in value:
                refusal = _refusal(inner, value[name])
            else:
                required = isinstance(inner, dict) and inner.get("required") is True
                refusal = "is missing and must be there" if required else None
            if refusal is not None:
                return f'has a "{name}" that {refusal}'
    return None


def _kind(prop: dict[object, object]) -> str:
    """The type of a property, "" when it is itself at fault."""
    kind = prop.get("type")
    return kind if isinstance(kind, str) and kind in TYPES else ""


def _has_type(value: object, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            if isinstance(value, float):
                return value - value == 0.0  # false for NaN and the infinities
            return isinstance(value, int) and not isinstance(value, bool)
        case "array":
            return isinstance(value, list)
    return isinstance(value, dict)


def _is_json_schema(spec: dict[object, object]) -> bool:
    """True for a whole JSON Schema, which has the form of a spec but no props in it."""
    return spec.get("type") == "object" and isinstance(spec.get("properties"), dict)


def _unknown_key(key: object) -> str:
    if not isinstance(key, str):
        return f"a key of a property must be a string, not {what_is(key)}"
    if key in ("optional", "nullable"):
        return f'unknown key "{key}", a property without "required" is optional'
    hint = _did_you_mean(key, KEYS) or f", a property may have {', '.join(KEYS)}"
    return f'unknown key "{key}"{hint}'


def _did_you_mean(word: str, words: tuple[str, ...]) -> str:
    known = _OTHER_NAMES.get(word.lower())
    if known in words:
        return f', did you mean "{known}"?'
    from difflib import get_close_matches  # costs more than this whole package to import

    close = get_close_matches(word.lower(), words, n=1, cutoff=0.75)
    return f', did you mean "{close[0]}"?' if close else ""


def _at(path: Path, key: object) -> Path:
    return (*path, key) if isinstance(key, str) else path
