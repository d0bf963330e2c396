"""Validation: do a call's arguments fit the spec, and if not, what does the model have to mend?

For each type there are two functions side by side. `_emit_…` writes the lines of a generated
check that answers True only for values that are sure to fit: exact JSON types, no whole-number
float in an integer's place. `_explain_…` builds the closure that defines what fits and writes
every violation. A valid call takes the check alone and allocates nothing per property; whatever
the check does not vouch for is explained, and fits when there is no violation. All words stand in
one place, at the end.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from marshal import dumps
from typing import Any, Final, TypeAlias, cast

from ...errors import ToolArgsError
from ...json_values import (
    elements_of,
    float_of,
    int_of,
    is_tree,
    items_of,
    keys_of,
    length_of,
    member_of,
    plain_json,
    text_of,
)
from ..generated import compile_function
from ..spec import require_spec

SchemaProp: TypeAlias = Any
SchemaSpec: TypeAlias = Any

Check: TypeAlias = Callable[[object], bool]
Explain: TypeAlias = Callable[[object, str, str, list[str]], None]
"""`explain(value, container, key, violations)`: append what is wrong with a value. Its path is
`container + key`: "" and "a", "a." and "b", "a" and "[0]". Most values need no path, and so it is
put together only for those that do."""

ExplainMembers: TypeAlias = Callable[[object, str, list[str]], None]
"""`explain(members, container, violations)`: append what is wrong in a dict. `container` is "a."
for the dict of path "a"."""

Describe: TypeAlias = Callable[[object, str, str], str]
"""`describe(value, container, key)`: the text of a violation."""

# A check costs about as much to generate as two hundred explanations of a small call, so a tool
# that is called a few times is explained and only one in use is compiled.
_EXPLAINED_CALLS: Final = 8

_MISSING: Final = object()

# A list that holds itself twice is a walk without end for arrays in arrays. So when this many of
# their elements have been looked at, it is time to ask whether the arguments are a tree.
_MANY_ELEMENTS: Final = 16_000_000
_COST_OF_A_VIOLATION: Final = 16  # in elements: its text takes memory


class Validator:
    """The compiled form of one spec.

    check: True when the arguments are sure to fit. False means "ask `violations`": for arguments
        that do not fit, for unusual ones (subclasses, whole-number floats for integers), and
        always before the check is generated.
    """

    __slots__ = ("check", "_root", "_explain_members", "_is_deep", "_valid_calls")

    check: Check

    def __init__(self, spec: SchemaSpec) -> None:
        """`spec` is well formed, made by `plain_json` and from now on the validator's own."""
        self.check = _not_sure
        self._root: SchemaProp = {"type": "object", "properties": spec}
        self._explain_members: ExplainMembers | None = None
        self._is_deep = False
        self._valid_calls = 0

    def violations(self, args: object) -> list[str]:
        """Every violation, in declaration order, depth first; empty when the arguments fit."""
        if not issubclass(type(args), dict):
            return [_wrong_root(_root_arrived(args))]
        explain = self._explain_members
        if explain is None:
            self._is_deep = _most_arrays(self._root) > 1
            explain = self._explain_members = _explain_members(self._root["properties"])
        violations = _Violations(args) if self._is_deep else []
        try:
            explain(args, "", violations)
        except Exception:  # of a key or a class that compares as it likes, or a walk without end
            return [_wrong_root(_NO_JSON)]
        if not violations and self.check is _not_sure:
            self._valid_calls += 1
            if self._valid_calls >= _EXPLAINED_CALLS:
                self._compile()
        return [*violations] if self._is_deep else violations

    def _compile(self) -> None:
        try:
            self.check = compile_check(self._root)
        except RecursionError:  # the caller stands deep in the stack: the next one may not
            self._valid_calls = 0

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


class _Violations(list[str]):
    """The violations of arguments with arrays in arrays, and how much has been looked at."""

    def __init__(self, args: object) -> None:
        self._args = args
        self._arrays = 0  # that stand around what is looked at now
        self._left: float = _MANY_ELEMENTS

    def enter(self, elements: int) -> None:
        """Note that an array is looked at. Raises ValueError when the arguments go on and on and
        are no tree."""
        if self._arrays:
            self._left -= elements
            if self._left < _COST_OF_A_VIOLATION * len(self):
                if not is_tree(self._args):
                    raise ValueError("the arguments hold a list or a dict in two places")
                self._left = float("inf")
        self._arrays += 1

    def leave(self) -> None:
        self._arrays -= 1


def _most_arrays(prop: SchemaProp) -> int:
    """How many arrays stand around each other at most."""
    inner = [*prop.get("properties", {}).values(), *([prop["items"]] if "items" in prop else [])]
    return ("items" in prop) + max(map(_most_arrays, inner), default=0)


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
_validators: dict[bytes, Validator] = {}  # single operations on a dict are atomic


def _validator_of(spec: Mapping[str, SchemaProp] | type[object]) -> Validator:
    """The validator of a spec, found by content: a plain dict can be edited behind our back and
    cannot be referred to weakly."""
    try:
        content = _content_of(cast(SchemaSpec, spec))
        validator = _validators.get(content)
    except ValueError:  # a TypedDict class, or it holds what marshal does not know, or no spec
        content, validator = None, None
    if validator is None:
        validator = Validator(plain_json(require_spec(spec)))
        if content is not None:
            _remember(content, validator)
    return validator


def _content_of(spec: SchemaSpec) -> bytes:
    """Version 2 of marshal writes equal content as equal bytes, and 1, 1.0 and True as others."""
    return dumps(spec, 2)


def _remember(content: bytes, validator: Validator) -> None:
    """Keep a validator, and forget the oldest ones."""
    _validators[content] = validator
    while len(_validators) > _MOST_VALIDATORS:
        _validators.pop(next(iter(_validators.copy())), None)


def _not_sure(args: object) -> bool:
    return False


def _with_integers(prop: SchemaProp, value: object) -> object:
    """A value that fits, with whole-number floats in integers' places made `int`. What needs no
    change is the same object, what does is copied."""
    if prop["type"] == "integer":
        return int(float_of(value)) if issubclass(type(value), float) else value
    if prop["type"] == "array" and "items" in prop:
        return _with_integers_in_items(prop["items"], value)
    if prop["type"] == "object" and "properties" in prop:
        return _with_integers_in_members(prop["properties"], value)
    return value


def _with_integers_in_items(items: SchemaProp, value: object) -> object:
    elements = list(elements_of(value))
    converted = [_with_integers(items, element) for element in elements]
    changed = any(new is not old for new, old in zip(converted, elements))
    return converted if changed else value


def _with_integers_in_members(properties: Mapping[str, SchemaProp], value: object) -> object:
    changes: dict[object, object] = {}
    for name, prop in properties.items():
        member = member_of(value, name, _MISSING)
        if member is not _MISSING:
            new = _with_integers(prop, member)
            if new is not member:
                changes[name] = new
    return {**dict(items_of(value)), **changes} if changes else value


# --- generating the check -----------------------------------------------------------------

# CPython allows 20 nested loops and 100 levels of indentation in one function.
_DEEPEST_FUNCTION: Final = 12


class _Code:
    """The source of a check while it is written."""

    def __init__(self) -> None:
        self.constants: dict[str, object] = {}
        self.functions: list[str] = []
        self.loops = 0  # that stand around what is written now

    def constant(self, value: object) -> str:
        """A name for a constant: the only way for an author's data into the source."""
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name

    def function(self, lines: list[str], answer: str) -> str:
        """Add a function with that body and answer, and return its name. Its arguments are the
        value `v0` and `n`, one more than the elements of arrays in arrays seen so far."""
        name = f"f{len(self.functions)}"
        body = "".join(f"    {line}\n" for line in lines)
        self.functions.append(f"def {name}(v0, n=1):\n{body}    return {answer}\n")
        return name

    def source(self) -> str:
        return "\n".join(self.functions)


def compile_check(root: SchemaProp) -> Check:
    """The generated check of a property. `generated.source_of` shows its source."""
    code = _Code()
    lines = _emit(code, root, "v0", 1)
    # Keys that compare as they like may raise what they like.
    guarded = ["try:", *_indented(lines), "except Exception:", "    return False"]
    name = code.function(guarded, "True")
    return compile_function(name, code.source(), code.constants)


def _emit(code: _Code, prop: SchemaProp, value: str, depth: int) -> list[str]:
    """Lines that return False unless `value` is sure to fit. It is the text of an expression, a
    variable where the lines mention it more than once; `v{depth}` is the first variable not in
    use."""
    if depth == _DEEPEST_FUNCTION:
        name = code.function(_emit(code, prop, "v0", 1), "n")
        return [f"n = {name}({value}, n)", *_refuse_unless("n")]
    emit, _ = _TYPES[prop["type"]]
    return emit(code, prop, value, depth)


def _emit_member(code: _Code, prop: SchemaProp, members: str, name: str, depth: int) -> list[str]:
    """The lines for a property of an object. What is missing is fetched as a value that fits when
    it is optional, and otherwise as None, which fits no type: either is faster than to look
    whether it is there, and far faster than a KeyError."""
    key = code.constant(name)
    if "required" in prop:
        fetched = f"{members}.get({key})"
    elif prop["type"] in _FITTING:
        fitting = prop["enum"][0] if "enum" in prop else _FITTING[prop["type"]]
        fetched = f"{members}.get({key}, {code.constant(fitting)})"
    else:
        lines = [f"v{depth} = {members}[{key}]", *_emit(code, prop, f"v{depth}", depth + 1)]
        return [f"if {key} in {members}:", *_indented(lines)]
    if prop["type"] in _MENTIONED_ONCE and "enum" not in prop:
        return _emit(code, prop, fetched, depth)
    return [f"v{depth} = {fetched}", *_emit(code, prop, f"v{depth}", depth + 1)]


_FITTING: Final[dict[str, object]] = {"string": "", "number": 0, "integer": 0, "boolean": False}
_MENTIONED_ONCE: Final = ("string", "integer", "boolean")


def _refuse_unless(condition: str) -> list[str]:
    return [f"if not ({condition}): return False"]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _and_member(code: _Code, prop: SchemaProp, value: str) -> str:
    return f" and {value} in {code.constant(frozenset(prop['enum']))}" if "enum" in prop else ""


# --- explaining ---------------------------------------------------------------------------


_Look: TypeAlias = tuple[type | None, frozenset[type], Describe, Explain]
"""How to look at the values of a property. Most need no more than a look at their type: there is
one of which every value fits (None: there is none), and there are those of which no value does,
and what describes them. All other values are explained."""


def _look(prop: SchemaProp, optional: bool) -> _Look:
    """`optional` is whether the property's key may be left out."""
    fitting, foreign = _KINDS[prop["type"]]
    _, explain = _TYPES[prop["type"]]
    return (
        None if prop.keys() & {"enum", "properties", "items"} else fitting,
        foreign,
        _wrong_type(prop["type"], optional),
        explain(prop, optional),
    )


_JSON_TYPES: Final[frozenset[type]] = frozenset((str, int, float, bool, dict, list, type(None)))
_KINDS: Final[dict[str, tuple[type, frozenset[type]]]] = {
    "string": (str, _JSON_TYPES - {str}),
    "number": (int, _JSON_TYPES - {int, float}),  # a float may be infinite
    "integer": (int, _JSON_TYPES - {int, float}),
    "boolean": (bool, _JSON_TYPES - {bool}),
    "object": (dict, _JSON_TYPES - {dict}),
    "array": (list, _JSON_TYPES - {list}),
}


# --- string -------------------------------------------------------------------------------


def _emit_string(code: _Code, prop: SchemaProp, value: str, depth: int) -> list[str]:
    return _refuse_unless(f"type({value}) is str" + _and_member(code, prop, value))


def _explain_string(prop: SchemaProp, optional: bool) -> Explain:
    enum = prop.get("enum")
    wrong_type, not_in_enum = _wrong_type("string", optional), _not_in_enum(enum)

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        if not issubclass(type(value), str):
            violations.append(wrong_type(value, container, key))
        elif enum is not None and text_of(value) not in enum:
            violations.append(not_in_enum(value, container, key))

    return explain


# --- integer and number -------------------------------------------------------------------


def _emit_integer(code: _Code, prop: SchemaProp, value: str, depth: int) -> list[str]:
    return _refuse_unless(f"type({value}) is int" + _and_member(code, prop, value))


def _explain_integer(prop: SchemaProp, optional: bool) -> Explain:
    enum = prop.get("enum")
    wrong_type, not_in_enum = _wrong_type("integer", optional), _not_in_enum(enum)

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        number = _finite_number(value)
        if number is None or not (type(number) is int or number.is_integer()):
            violations.append(wrong_type(value, container, key))
        elif enum is not None and number not in enum:
            violations.append(not_in_enum(value, container, key))

    return explain


def _emit_number(code: _Code, prop: SchemaProp, value: str, depth: int) -> list[str]:
    # x - x is 0.0 for every finite float, NaN for the others.
    number = f"(type({value}) is float and {value} - {value} == 0.0 or type({value}) is int)"
    return _refuse_unless(number + _and_member(code, prop, value))


def _explain_number(prop: SchemaProp, optional: bool) -> Explain:
    enum = prop.get("enum")
    wrong_type, not_in_enum = _wrong_type("number", optional), _not_in_enum(enum)

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        # A float that is finite needs no further look, unless there is an enum.
        number = value if type(value) is float and value - value == 0.0 else _finite_number(value)
        if number is None:
            violations.append(wrong_type(value, container, key))
        elif enum is not None and number not in enum:
            violations.append(not_in_enum(value, container, key))

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


def _emit_boolean(code: _Code, prop: SchemaProp, value: str, depth: int) -> list[str]:
    return _refuse_unless(f"type({value}) is bool")


def _explain_boolean(prop: SchemaProp, optional: bool) -> Explain:
    wrong_type = _wrong_type("boolean", optional)

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        if type(value) is not bool:
            violations.append(wrong_type(value, container, key))

    return explain


# --- array --------------------------------------------------------------------------------


def _emit_array(code: _Code, prop: SchemaProp, value: str, depth: int) -> list[str]:
    lines = _refuse_unless(f"type({value}) is list")
    if "items" in prop:
        if code.loops:
            lines += [f"n += len({value})", *_refuse_unless(f"n <= {_MANY_ELEMENTS}")]
        code.loops += 1
        lines.append(f"for v{depth} in {value}:")
        lines += _indented(_emit(code, prop["items"], f"v{depth}", depth + 1))
        code.loops -= 1
    return lines


def _explain_array(prop: SchemaProp, optional: bool) -> Explain:
    items = prop.get("items")
    look = None if items is None else _look(items, optional=False)
    wrong_type = _wrong_type("array", optional)

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        if not issubclass(type(value), list):
            violations.append(wrong_type(value, container, key))
        elif look is not None:
            fitting, foreign, wrong_item_type, explain_item = look
            path = container + key
            if type(violations) is _Violations:
                violations.enter(length_of(value))
            for index, item in enumerate(elements_of(value)):
                kind = type(item)
                if kind is fitting:
                    continue
                if kind in foreign:
                    violations.append(wrong_item_type(item, path, f"[{index}]"))
                else:
                    explain_item(item, path, f"[{index}]", violations)
            if type(violations) is _Violations:
                violations.leave()

    return explain


# --- object -------------------------------------------------------------------------------


def _emit_object(code: _Code, prop: SchemaProp, value: str, depth: int) -> list[str]:
    lines = _refuse_unless(f"type({value}) is dict")
    for name, inner in prop.get("properties", {}).items():
        lines += _emit_member(code, inner, value, name, depth)
    return lines


def _explain_object(prop: SchemaProp, optional: bool) -> Explain:
    wrong_type = _wrong_type("object", optional)
    explain_members = _explain_members(prop["properties"]) if prop.get("properties") else None

    def explain(value: object, container: str, key: str, violations: list[str]) -> None:
        if not issubclass(type(value), dict):
            violations.append(wrong_type(value, container, key))
        elif explain_members is not None:
            inside = f"{container}{key}." if container or key else ""
            explain_members(value, inside, violations)

    return explain


def _explain_members(properties: Mapping[str, SchemaProp]) -> ExplainMembers:
    fields = [
        (name, "required" in inner, *_look(inner, "required" not in inner))
        for name, inner in properties.items()
    ]
    missing = _missing(frozenset(properties))

    def explain(members: object, container: str, violations: list[str]) -> None:
        get = members.get if type(members) is dict else partial(member_of, members)
        for name, required, fitting, foreign, wrong_type, explain_member in fields:
            member = get(name, _MISSING)
            kind = type(member)
            if kind is fitting:
                continue
            if member is _MISSING:
                if required:
                    hinted = members if len(violations) < _MOST_HINTS else {}
                    violations.append(missing(hinted, container, name))
            elif kind in foreign:
                violations.append(wrong_type(member, container, name))
            else:
                explain_member(member, container, name, violations)

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

def _spells_nothing(text: str) -> bool:
    return False


def _spells_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal()


def _spells_integer(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _spells_boolean(text: str) -> bool:
    return text.lower() in ("true", "false")


def _spells_object(text: str) -> bool:
    return text.startswith("{")


def _spells_array(text: str) -> bool:
    return text.startswith("[")


# type → its name with an article, whether a text spells such a value, and what to say then. Of a
# long text only the beginning is looked at.
_WANTED: Final[dict[str, tuple[str, Callable[[str], bool], str]]] = {
    "string": ("a string", _spells_nothing, ""),
    "number": (
        "a number",
        _spells_number,
        "a string arrived, send the number without quotes",
    ),
    "integer": (
        "an integer",
        _spells_integer,
        "a string arrived, send the number without quotes",
    ),
    "boolean": (
        "a boolean",
        _spells_boolean,
        "a string arrived, send true or false without quotes",
    ),
    "object": (
        "an object",
        _spells_object,
        "a string arrived, send the object itself instead of JSON text",
    ),
    "array": (
        "an array",
        _spells_array,
        "a string arrived, send the array itself instead of JSON text",
    ),
}
# What arrives of a plain type. Null and a float may deserve more words.
_ARRIVED: Final[dict[type, str]] = {
    str: "a string arrived",
    bool: "a boolean arrived",
    int: "a number arrived",
    list: "an array arrived",
    dict: "an object arrived",
}
_NO_JSON: Final = "a value arrived that is not JSON"
_MOST_HINTS: Final = 20  # as many violations as a model is shown
_MOST_NAMES: Final = 3
_MOST_KEYS: Final = 100
_LONGEST_KEY: Final = 64


@cache
def _wrong_type(wanted: str, optional: bool) -> Describe:
    """Describes a value of another type than the wanted one."""
    article, spells, remedy = _WANTED[wanted]
    null = "null arrived, leave the key out instead" if optional else "null arrived"
    arrived = {**_ARRIVED, type(None): null}
    endings = {kind: f'" must be {article} ({hint})' for kind, hint in arrived.items()}
    mended = f'" must be {article} ({remedy})'

    def describe(value: object, container: str, key: str) -> str:
        ending = endings.get(type(value))
        if ending is None:
            ending = f'" must be {article} ({_unusual_arrived(value, wanted)})'
        elif type(value) is str and spells(value[:_LONGEST_KEY].strip()):
            ending = mended
        return f'"{container}{key}{ending}'

    return describe


def _wrong_root(hint: str) -> str:
    return f'"arguments" must be an object ({hint})'


def _root_arrived(value: object) -> str:
    """What arrived instead of an object: often the text of one that a model did not finish, or
    wrapped once more."""
    if value is None:
        return "null arrived"
    if issubclass(type(value), str):
        return "a string arrived, send the object itself, as one complete piece of valid JSON"
    return _unusual_arrived(value, "object")


def _unusual_arrived(value: object, wanted: str) -> str:
    kind = type(value)
    if issubclass(kind, float):
        if _finite_number(value) is None:
            return "a number arrived that is too large or no number at all"
        return "a number with a fraction arrived" if wanted == "integer" else "a number arrived"
    for plain, arrived in _ARRIVED.items():
        if issubclass(kind, plain):
            return arrived
    return _NO_JSON


def _not_in_enum(enum: list[str] | list[int] | list[float] | None) -> Describe:
    """Describes a value that is not among the allowed ones."""
    allowed = "" if enum is None else _compact(enum)

    def describe(value: object, container: str, key: str) -> str:
        return f'"{container}{key}" must be one of {allowed}'

    return describe


def _compact(enum: list[str] | list[int] | list[float]) -> str:
    from json import dumps as json_text  # only specs with an enum need it

    return json_text(enum, ensure_ascii=False, separators=(",", ":"))


def _missing(declared: frozenset[str]) -> Callable[[object, str, str], str]:
    """Describes what an object lacks, and names the undeclared keys in it that look like it."""

    def describe(members: object, container: str, name: str) -> str:
        text = f'missing required property "{container}{name}"'
        if type(members) is dict and declared.issuperset(members):
            return text
        undeclared = [key for key in keys_of(members) if type(key) is str and key not in declared]
        alike = [
            key
            for key in undeclared[:_MOST_KEYS]
            if len(key) <= _LONGEST_KEY and _is_meant_by(key, name)
        ]
        if not alike:
            return text
        sent = " and ".join(f'"{key}"' for key in alike[:_MOST_NAMES])
        return f"{text} ({sent} arrived, which the schema does not know)"

    return describe


@lru_cache(256)
def _is_meant_by(sent: str, wanted: str) -> bool:
    """Whether a key that a model made up can stand in a hint and looks like the wanted one."""
    return sent.isprintable() and not set('();"') & set(sent) and _alike(wanted, sent)


def _alike(wanted: str, sent: str) -> bool:
    """Whether somebody who means one name may write the other: a part of its words, or a slip."""
    from difflib import SequenceMatcher  # only for a call that misses a key and has others

    wanted_words, sent_words = _words(wanted), _words(sent)
    if sent_words and (wanted_words <= sent_words or sent_words <= wanted_words):
        return True
    return SequenceMatcher(None, wanted.lower(), sent.lower()).ratio() >= 0.75


def _words(name: str) -> set[str]:
    """The words in `snake_case`, `kebab-case` and `camelCase`, in lower case."""
    spaced = "".join(f" {letter}" if letter.isupper() else letter for letter in name)
    return set(spaced.replace("_", " ").replace("-", " ").lower().split())
