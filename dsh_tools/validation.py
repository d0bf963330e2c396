"""Validation: do a call's arguments fit the spec, and if not, what does the model have to mend?

For each type there are two functions side by side. `_emit_…` writes the lines of a generated
check that answers True only for values that are sure to fit: exact JSON types, no whole-number
float in an integer's place. `_explain_…` builds the closure that defines what fits and collects
every fault. A valid call takes the check alone and allocates nothing per property; whatever the
check does not vouch for is explained, and fits when no fault is found. A fault is data until the
last moment: `(link, rule, detail, value)`; all words stand in `_describe` and below it.
"""

from _thread import allocate_lock
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice
from marshal import dumps
from typing import Final, TypeAlias, cast

from .errors import ToolArgsError
from .generated import compile_function
from .json_values import (
    copy_json,
    elements_of,
    float_of,
    int_of,
    keys_of,
    member_of,
    text_of,
)
from .schema import require_spec
from .vocabulary import SchemaProp, SchemaSpec

Check: TypeAlias = Callable[[object], bool]
Link: TypeAlias = "tuple[Link, str | int] | None"
"""Where a value is: the link of its container and its key there; None for the arguments."""


Fault: TypeAlias = tuple[Link, str, object, object]
"""One thing wrong with the arguments, `(link, rule, detail, value)`. The rule is "missing" (detail:
the declared names, value: the object that lacks the property), "enum" (detail: the values allowed)
or the type that is wanted (detail: whether the key may be left out)."""

Explain: TypeAlias = Callable[[object, Link, list[Fault]], None]

# A check costs about as much to generate as two hundred explanations of a small call, so a tool
# that is called a few times is explained and only one in use is compiled.
_EXPLAINED_CALLS: Final = 8

_MISSING: Final = object()


class Validator:
    """The compiled form of one spec. It keeps its own copy: later edits do not reach it.

    check: True when the arguments are sure to fit. False means "ask `violations`": for arguments
        that do not fit, for unusual ones, and always before the check is generated.
    """

    __slots__ = ("check", "_root", "_explain", "_valid_calls")

    check: Check

    def __init__(self, spec: Mapping[str, SchemaProp]) -> None:
        """`spec` must be well formed."""
        self.check = _not_sure
        self._root: SchemaProp = {"type": "object", "properties": copy_json(cast(SchemaSpec, spec))}
        self._explain: Explain | None = None
        self._valid_calls = 0

    def violations(self, args: object) -> list[str]:
        """Every violation, in declaration order, depth first; empty when the arguments fit."""
        if self._explain is None:
            self._explain = _explainer(self._root, False)
        faults: list[Fault] = []
        self._explain(args, None, faults)
        if faults:
            return [_describe(fault) for fault in faults]
        self._valid_calls += 1
        if self._valid_calls == _EXPLAINED_CALLS:
            self.check = compile_check(self._root)
        return []

    def accept(self, args: object) -> object:
        """The arguments as a tool's body gets them: an integer is an `int`, all else unchanged.

        Raises ToolArgsError when they do not fit.
        """
        if self.check(args):
            return args
        violations = self.violations(args)
        if violations:
            raise ToolArgsError(violations)
        return _with_integers(self._root, args)


def validate_args(spec: Mapping[str, SchemaProp] | type[object], args: object) -> list[str]:
    """The violations of `args` against a spec or a TypedDict class, in declaration order; empty
    when they fit.

    Never raises on any `args`, never changes them and never prints a value of theirs. Raises
    SchemaError when the spec is not well formed. What a spec compiles to is kept for the next
    call, under the spec's content, so that an edited spec counts as another one.
    """
    validator = _validator_of(spec)
    return [] if validator.check(args) else validator.violations(args)


_MOST_VALIDATORS: Final = 256
_validators: dict[bytes, Validator] = {}
_validators_lock = allocate_lock()


def _validator_of(spec: Mapping[str, SchemaProp] | type[object]) -> Validator:
    """The validator of a spec, found by content: a plain dict can be edited behind our back and
    cannot be referred to weakly. Version 2 of marshal writes equal content as equal bytes."""
    try:
        content = dumps(cast(SchemaSpec, spec), 2)
    except ValueError:  # a TypedDict class, or it holds something like a subclass of str
        return Validator(require_spec(spec))
    validator = _validators.get(content)
    if validator is None:
        validator = Validator(require_spec(spec))
        with _validators_lock:
            while len(_validators) >= _MOST_VALIDATORS:
                del _validators[next(iter(_validators))]
            _validators[content] = validator
    return validator


def _not_sure(args: object) -> bool:
    return False


def _with_integers(prop: SchemaProp, value: object) -> object:
    """A value that fits, with whole-number floats in integers' places made `int`. What needs no
    change is the same object, what does is copied."""
    if prop["type"] == "integer":
        return int(cast(int, value)) if issubclass(type(value), float) else value
    if prop["type"] == "array" and "items" in prop:
        elements = cast(list[object], value)
        converted = [_with_integers(prop["items"], element) for element in elements]
        changed = any(new is not old for new, old in zip(converted, elements))
        return converted if changed else value
    if prop["type"] == "object" and "properties" in prop:
        members = cast(dict[str, object], value)
        changes: dict[str, object] = {}
        for name, inner in prop["properties"].items():
            if name in members:
                member = members[name]
                new = _with_integers(inner, member)
                if new is not member:
                    changes[name] = new
        return {**members, **changes} if changes else value
    return value


# --- generating the check -----------------------------------------------------------------

# CPython allows 20 nested loops and 100 levels of indentation in one function.
_DEEPEST_FUNCTION: Final = 12


class _Code:
    """The source of a check while it is written."""

    def __init__(self) -> None:
        self.constants: dict[str, object] = {}
        self.functions: list[str] = []

    def constant(self, value: object) -> str:
        """A name for a constant: the only way for an author's data into the source."""
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name

    def function(self, lines: list[str]) -> str:
        """Add a function with that body, whose argument is `v0`, and return its name."""
        name = f"f{len(self.functions)}"
        body = "".join(f"    {line}\n" for line in lines)
        self.functions.append(f"def {name}(v0):\n{body}    return True\n")
        return name

    def source(self) -> str:
        return "\n".join(self.functions)


def compile_check(root: SchemaProp) -> Check:
    """The generated check of a property. `generated.source_of` shows its source."""
    code = _Code()
    lines = _emit(code, root, 0)
    # A missing required property is a KeyError, which costs a valid call nothing.
    guarded = ["try:", *_indented(lines), "except KeyError:", "    return False"]
    name = code.function(guarded)
    return compile_function(name, code.source(), code.constants)


def _emit(code: _Code, prop: SchemaProp, depth: int) -> list[str]:
    """Lines that return False unless the variable `v{depth}` is sure to fit."""
    if depth == _DEEPEST_FUNCTION:
        return _refuse_unless(f"{code.function(_emit(code, prop, 0))}(v{depth})")
    emit, _ = _TYPES[prop["type"]]
    return emit(code, prop, depth)


def _refuse_unless(condition: str) -> list[str]:
    return [f"if not ({condition}): return False"]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _and_member(code: _Code, prop: SchemaProp, depth: int) -> str:
    return f" and v{depth} in {code.constant(frozenset(prop['enum']))}" if "enum" in prop else ""


def _explainer(prop: SchemaProp, optional: bool) -> Explain:
    """The closure that explains a value of this property. `optional` is whether its key may be
    left out."""
    _, explain = _TYPES[prop["type"]]
    return explain(prop, optional)


# --- string -------------------------------------------------------------------------------


def _emit_string(code: _Code, prop: SchemaProp, depth: int) -> list[str]:
    return _refuse_unless(f"type(v{depth}) is str" + _and_member(code, prop, depth))


def _explain_string(prop: SchemaProp, optional: bool) -> Explain:
    enum = prop.get("enum")

    def explain(value: object, link: Link, faults: list[Fault]) -> None:
        if not issubclass(type(value), str):
            faults.append((link, "string", optional, value))
        # A subclass may compare as it likes; what its text is, str alone knows.
        elif enum is not None and text_of(value) not in enum:
            faults.append((link, "enum", enum, value))

    return explain


# --- integer and number -------------------------------------------------------------------


def _emit_integer(code: _Code, prop: SchemaProp, depth: int) -> list[str]:
    return _refuse_unless(f"type(v{depth}) is int" + _and_member(code, prop, depth))


def _explain_integer(prop: SchemaProp, optional: bool) -> Explain:
    enum = prop.get("enum")

    def explain(value: object, link: Link, faults: list[Fault]) -> None:
        number = _finite_number(value)
        if number is None or not (type(number) is int or number.is_integer()):
            faults.append((link, "integer", optional, value))
        elif enum is not None and number not in enum:
            faults.append((link, "enum", enum, value))

    return explain


def _emit_number(code: _Code, prop: SchemaProp, depth: int) -> list[str]:
    value = f"v{depth}"
    # x - x is 0.0 for every finite float, NaN for the others.
    number = f"(type({value}) is int or type({value}) is float and {value} - {value} == 0.0)"
    return _refuse_unless(number + _and_member(code, prop, depth))


def _explain_number(prop: SchemaProp, optional: bool) -> Explain:
    enum = prop.get("enum")

    def explain(value: object, link: Link, faults: list[Fault]) -> None:
        number = _finite_number(value)
        if number is None:
            faults.append((link, "number", optional, value))
        elif enum is not None and number not in enum:
            faults.append((link, "enum", enum, value))

    return explain


def _finite_number(value: object) -> float | None:
    """A number as a plain int or float, None for what JSON would not call a number."""
    kind = type(value)
    if kind is bool:
        return None
    if issubclass(kind, int):
        return int_of(value)
    if issubclass(kind, float):
        number = float_of(value)
        return number if number - number == 0.0 else None
    return None


# --- boolean ------------------------------------------------------------------------------


def _emit_boolean(code: _Code, prop: SchemaProp, depth: int) -> list[str]:
    return _refuse_unless(f"v{depth} is True or v{depth} is False")


def _explain_boolean(prop: SchemaProp, optional: bool) -> Explain:
    def explain(value: object, link: Link, faults: list[Fault]) -> None:
        if value is not True and value is not False:
            faults.append((link, "boolean", optional, value))

    return explain


# --- array --------------------------------------------------------------------------------


def _emit_array(code: _Code, prop: SchemaProp, depth: int) -> list[str]:
    lines = _refuse_unless(f"type(v{depth}) is list")
    if "items" in prop:
        lines.append(f"for v{depth + 1} in v{depth}:")
        lines += _indented(_emit(code, prop["items"], depth + 1))
    return lines


def _explain_array(prop: SchemaProp, optional: bool) -> Explain:
    explain_item = _explainer(prop["items"], False) if "items" in prop else None

    def explain(value: object, link: Link, faults: list[Fault]) -> None:
        if not issubclass(type(value), list):
            faults.append((link, "array", optional, value))
        elif explain_item is not None:
            for index, item in enumerate(elements_of(value)):
                explain_item(item, (link, index), faults)

    return explain


# --- object -------------------------------------------------------------------------------


def _emit_object(code: _Code, prop: SchemaProp, depth: int) -> list[str]:
    lines = _refuse_unless(f"type(v{depth}) is dict")
    for name, inner in prop.get("properties", {}).items():
        key = code.constant(name)
        fetch = [f"v{depth + 1} = v{depth}[{key}]", *_emit(code, inner, depth + 1)]
        lines += fetch if "required" in inner else [f"if {key} in v{depth}:", *_indented(fetch)]
    return lines


def _explain_object(prop: SchemaProp, optional: bool) -> Explain:
    properties = prop.get("properties", {})
    fields = [
        (name, "required" in inner, _explainer(inner, "required" not in inner))
        for name, inner in properties.items()
    ]
    names = frozenset(properties)

    def explain(value: object, link: Link, faults: list[Fault]) -> None:
        if not issubclass(type(value), dict):
            faults.append((link, "object", optional, value))
            return
        for name, required, explain_member in fields:
            member = member_of(value, name, _MISSING)
            if member is not _MISSING:
                explain_member(member, (link, name), faults)
            elif required:
                faults.append(((link, name), "missing", names, value))

    return explain


_TYPES: Final = {
    "string": (_emit_string, _explain_string),
    "number": (_emit_number, _explain_number),
    "integer": (_emit_integer, _explain_integer),
    "boolean": (_emit_boolean, _explain_boolean),
    "object": (_emit_object, _explain_object),
    "array": (_emit_array, _explain_array),
}

# --- words --------------------------------------------------------------------------------

_WANTED: Final = {
    "string": "a string",
    "number": "a number",
    "integer": "an integer",
    "boolean": "a boolean",
    "object": "an object",
    "array": "an array",
}
_INSTEAD: Final = {
    "number": "send the number without quotes",
    "integer": "send the number without quotes",
    "boolean": "send true or false without quotes",
    "object": "send the object itself instead of JSON text",
    "array": "send the array itself instead of JSON text",
}
_NO_OBJECT: Final = "send the object itself, as one complete piece of valid JSON"
_MOST_NAMES: Final = 3
_MOST_KEYS: Final = 100
_LONGEST_KEY: Final = 64


def _describe(fault: Fault) -> str:
    """The text of a violation: what is wrong and, in parentheses, what helps to mend it."""
    link, rule, detail, value = fault
    if rule == "missing":
        hint = _sent_instead(link, cast(frozenset[str], detail), value)
        text = f'missing required property "{_path(link)}"'
    elif rule == "enum":
        return f'"{_path(link)}" must be one of {_compact(detail)}'
    else:
        hint = _arrived(value, rule, detail is True, link is None)
        text = f'"{"arguments" if link is None else _path(link)}" must be {_WANTED[rule]}'
    return f"{text} ({hint})" if hint else text


def _path(link: Link) -> str:
    steps = []
    while link is not None:
        link, step = link
        steps.append(step)
    path = ""
    for step in reversed(steps):
        if type(step) is int:
            path = f"{path}[{step}]"
        else:
            path = f"{path}.{step}" if path else str(step)
    return path


def _compact(enum: object) -> str:
    from json import dumps as json_text  # refusals alone need it

    return json_text(enum, ensure_ascii=False, separators=(",", ":"))


def _arrived(value: object, wanted: str, optional: bool, is_root: bool) -> str:
    """What JSON type arrived, and what to send instead where that is plain."""
    kind = type(value)
    if value is None:
        return "null arrived, leave the key out instead" if optional else "null arrived"
    if issubclass(kind, str):
        if _looks_like(wanted, text_of(value)):
            return f"a string arrived, {_NO_OBJECT if is_root else _INSTEAD[wanted]}"
        return "a string arrived"
    if kind is bool:
        return "a boolean arrived"
    if issubclass(kind, int):
        return "a number arrived"
    if issubclass(kind, float):
        if _finite_number(value) is None:
            return "NaN or an infinity arrived, which JSON does not have"
        return "a number with a fraction arrived" if wanted == "integer" else "a number arrived"
    if issubclass(kind, list):
        return "an array arrived"
    return "an object arrived" if issubclass(kind, dict) else "a value arrived that is not JSON"


def _looks_like(wanted: str, text: str) -> bool:
    """Whether a text seems to spell a value of the wanted type."""
    start = text[:64].strip()
    match wanted:
        case "object":
            return start[:1] == "{"
        case "array":
            return start[:1] == "["
        case "boolean":
            return start.lower() in ("true", "false")
        case "number" | "integer":
            return start[:1].isdecimal() or start[:1] == "-" and start[1:2].isdecimal()
    return False


def _sent_instead(link: Link, declared: frozenset[str], members: object) -> str:
    """The undeclared keys of an object that look like the one that is missing from it."""
    wanted = cast(tuple[Link, str], link)[1]
    undeclared = (key for key in keys_of(members) if type(key) is str and key not in declared)
    sent = [key for key in islice(undeclared, _MOST_KEYS) if _is_plain(key) and _alike(wanted, key)]
    if not sent:
        return ""
    quoted = " and ".join(f'"{key}"' for key in sent[:_MOST_NAMES])
    return f"{quoted} arrived, which the schema does not know"


def _is_plain(key: str) -> bool:
    """Whether a key that a model made up can stand in a hint."""
    return len(key) <= _LONGEST_KEY and key.isprintable() and not set('();"') & set(key)


@lru_cache(256)
def _alike(wanted: str, sent: str) -> bool:
    from difflib import SequenceMatcher  # only for a call that misses a key and has others

    wanted, sent = (key.lower().replace("_", "").replace("-", "") for key in (wanted, sent))
    if len(wanted) > 2 < len(sent) and (wanted in sent or sent in wanted):
        return True
    return SequenceMatcher(None, wanted, sent).ratio() >= 0.7


