"""All words of validation in one place: what a value must be, and the one hint that tells a model
how to mend the call.

A hint stands in parentheses behind the text and holds neither parentheses nor semicolons. No value
that was sent is ever printed; a key is, when it is one that can stand in a hint.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Final, TypeAlias

from ...json_values import float_of, json_fault, keys_of, member_of, text_of, what_is

Describe: TypeAlias = Callable[[object, str, str], str]
"""`describe(value, container, key)`: the text of a violation. The value's path is `container +
key`: "" and "a", "a." and "b", "a" and "[0]". Most values need no path, and so it is put together
only for those that do."""

ROOT: Final = "".join(("argu", "ments"))
"""The key of the whole value. A property may be called the same, and so it is told by identity:
this is an object of its own."""

MOST_HINTS: Final = 20  # as many violations as a model is shown
_MOST_NAMES: Final = 3
_MOST_KEYS: Final = 100
_LONGEST_KEY: Final = 64
_LONGEST_LIST: Final = 2_000
_LONGEST_PATH: Final = 1_000

# --- types --------------------------------------------------------------------------------

ARTICLES: Final[Mapping[str, str]] = {
    "string": "a string",
    "number": "a number",
    "integer": "an integer",
    "boolean": "a boolean",
    "object": "an object",
    "array": "an array",
    "null": "null",
}


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


# type → whether a text spells such a value, and what to say then. Of a long text only the beginning
# is looked at.
_SPELT: Final[Mapping[str, tuple[Callable[[str], bool], str]]] = {
    "number": (_spells_number, "a string arrived, send the number without quotes"),
    "integer": (_spells_integer, "a string arrived, send the number without quotes"),
    "boolean": (_spells_boolean, "a string arrived, send true or false without quotes"),
    "object": (_spells_object, "a string arrived, send the object itself instead of JSON text"),
    "array": (_spells_array, "a string arrived, send the array itself instead of JSON text"),
}
# What arrives of a plain type. Null and a float may deserve more words.
_ARRIVED: Final[dict[type, str]] = {
    str: "a string arrived",
    bool: "a boolean arrived",
    int: "a number arrived",
    list: "an array arrived",
    dict: "an object arrived",
}
_LEFT_OUT: Final = "null arrived, leave the key out instead"
NO_JSON: Final = "a value arrived that is not JSON"


@cache
def wrong_type(wanted: tuple[str, ...], optional: bool) -> Describe:
    """Describes a value that is of none of the wanted types; `optional` is whether its key may be
    left out."""
    must_be = f'" must be {listed_types(wanted)}'
    null = _LEFT_OUT if optional else "null arrived"
    arrived = {**_ARRIVED, type(None): null}
    endings = {kind: f"{must_be} ({hint})" for kind, hint in arrived.items()}
    spelt = [
        (_SPELT[kind][0], f"{must_be} ({_SPELT[kind][1]})") for kind in wanted if kind in _SPELT
    ]
    spells, mended = spelt[0] if spelt else (_spells_nothing, "")
    others = spelt[1:]

    def describe(value: object, container: str, key: str) -> str:
        ending = endings.get(type(value))
        if ending is None:
            ending = f"{must_be} ({_unusual_arrived(value, wanted)})"
        elif type(value) is str:
            beginning = value[:_LONGEST_KEY].strip()
            if spells(beginning):
                ending = mended
            elif others:
                also = (other for spells_other, other in others if spells_other(beginning))
                ending = next(also, ending)
        return f'"{shown_path(container + key)}{ending}'

    return describe


def listed_types(wanted: Iterable[str]) -> str:
    """Types with their articles: "a string, an integer or null"."""
    words = [ARTICLES[kind] for kind in wanted]
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _unusual_arrived(value: object, wanted: tuple[str, ...]) -> str:
    kind = type(value)
    if issubclass(kind, float):
        number = float_of(value)
        if number - number != 0.0:
            return "a number arrived that is too large or no number at all"
        return "a number with a fraction arrived" if "integer" in wanted else "a number arrived"
    for plain, arrived in _ARRIVED.items():
        if issubclass(kind, plain):
            return arrived
    return NO_JSON


def wrong_root(value: object) -> str:
    """The arguments are no object. Often they are the text of one that a model did not finish, or
    wrapped once more."""
    if value is None:
        hint = "null arrived"
    elif issubclass(type(value), str):
        hint = json_fault(text_of(value)) or _UNREAD
    else:
        hint = _unusual_arrived(value, ("object",))
    return f'"arguments" must be an object ({hint})'


_UNREAD: Final = "a string arrived, send the object itself, as one complete piece of valid JSON"


def no_json() -> str:
    """The arguments hold what no JSON text gives, or go on without end."""
    return f'"arguments" must be an object ({NO_JSON})'


def too_deep() -> str:
    """The value is nested deeper than the interpreter's stack takes."""
    return '"arguments" must be nested less deeply'


# --- one value ----------------------------------------------------------------------------


def at(container: str, key: str) -> str:
    """A path in quotation marks."""
    return f'"{shown_path(container + key)}"'


def shown_path(path: str) -> str:
    """A path, of a very long one its beginning and its end: each of many violations has one."""
    if len(path) <= _LONGEST_PATH:
        return path
    return f"{path[:_LONGEST_PATH // 2]}…{path[1 - _LONGEST_PATH // 2:]}"


def not_in_enum(allowed: list[object]) -> str:
    """What a value must be that is none of the allowed ones."""
    return f"must be one of {_listed(allowed)}"


def must_be(value: object) -> str:
    return f"must be {_cut(json_text(value))}"


def _listed(allowed: list[object]) -> str:
    """The values allowed as a JSON array; of very many, the first and how many there are."""
    text = json_text(allowed)
    if len(text) <= _LONGEST_LIST:
        return text
    shown: list[str] = []
    room = _LONGEST_LIST
    for value in allowed:
        shown.append(json_text(value))
        room -= len(shown[-1]) + 1
        if room < 0:
            shown.pop()
            break
    return f"[{','.join(shown)},… {len(allowed)} in all]"


def json_text(value: object) -> str:
    """A value as compact JSON, with letters as they are."""
    from json import dumps  # only a spec with such a keyword needs it

    return dumps(value, ensure_ascii=False, separators=(",", ":"))


BOUNDS: Final[Mapping[str, str]] = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "greater than",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
}


def out_of_bounds(keyword: str, bound: float) -> str:
    return f"must be {BOUNDS[keyword]} {_cut(json_text(bound))}"


def too_long(keyword: str, bound: int) -> str:
    """What the length of a text must be."""
    return f"must be {_BOUND[keyword[:3]]} {_counted(bound, 'character')} long"


def too_many(keyword: str, bound: int) -> str:
    """How many items or properties there must be: `keyword` is minItems, maxProperties, …"""
    noun = "item" if keyword.endswith("Items") else "property"
    return f"must have {_BOUND[keyword[:3]]} {_counted(bound, noun)}"


_BOUND: Final[Mapping[str, str]] = {"min": "at least", "max": "at most"}
_PLURALS: Final[Mapping[str, str]] = {
    "character": "characters",
    "item": "items",
    "property": "properties",
}


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else _PLURALS[noun]}"


def not_matching(pattern: str) -> str:
    return f"must match the pattern {_cut(json_text(pattern))}"


def _cut(text: str) -> str:
    """A text that an author may have made very long."""
    return text if len(text) <= _LONGEST_LIST else f"{text[:_LONGEST_LIST]}…"


EQUAL_ITEMS: Final = "must not have equal items"
NEVER: Final = "must be left out"
EXCLUDED: Final = 'must not fit what its schema excludes by "not"'


def too_few_contained(fewest: int, most: int | None) -> str:
    """How many items must be of a kind that the schema says."""
    if most is None:
        return f"must have at least {_counted(fewest, 'item')} of the kind that its schema asks for"
    if fewest <= 1:
        return f"must have at most {_counted(most, 'item')} of the kind that its schema counts"
    return f"must have {fewest} to {_counted(most, 'item')} of the kind that its schema counts"


def none_fits(number: int, hint: str) -> str:
    text = f"must fit one of its {number} alternatives"
    return f"{text} ({hint})" if hint else text


def several_fit(number: int) -> str:
    return f"must fit only one of its {number} alternatives"


def as_hint(violation: str) -> str:
    """A violation as the hint of another: without its own hint, "" when it cannot stand in one."""
    text = _without_hint(violation)
    return text if len(text) <= _LONGEST_LIST and not set("();") & set(text) else ""


def left_out(violation: str) -> str:
    """A violation of null in the place of what may be left out."""
    return f"{_without_hint(violation)} ({_LEFT_OUT})"


def _without_hint(violation: str) -> str:
    return violation.rpartition(" (")[0] if violation.endswith(")") else violation


def no_text_key(key: object) -> str:
    return f"must have text as keys (one of them is {what_is(key)})"


# --- keys ---------------------------------------------------------------------------------


def missing(
    members: object, container: str, name: str, declared: frozenset[str], hinted: bool
) -> str:
    """An object lacks a property. The hint names undeclared keys in it that look like the missing
    one, or the only key, when what is wanted stands inside of it."""
    text = f"missing required property {at(container, name)}"
    if not hinted or type(members) is dict and declared.issuperset(members):
        return text
    undeclared = _undeclared(members, declared)
    alike = [key for key in undeclared if len(key) <= _LONGEST_KEY and _is_meant_by(key, name)]
    if alike:
        sent = " and ".join(f'"{key}"' for key in alike[:_MOST_NAMES])
        return f"{text} ({sent} arrived, which the schema does not know)"
    wrapper = _wrapper(members, undeclared, declared)
    return f"{text} ({_UNWRAP.format(wrapper)})" if wrapper else text


def undeclared(
    members: object, container: str, key: object, declared: frozenset[str], hinted: bool
) -> str:
    """A closed object has a key that it must not have. The hint names the declared one that is
    meant, as long as that was not sent itself."""
    name = text_of(key) if issubclass(type(key), str) else "…"
    text = f'{at(container, name)} is not a declared property'
    if not hinted or len(name) > _LONGEST_KEY:
        return text
    wrapper = _wrapper(members, [name], declared) if _is_alone(members) else ""
    if wrapper:
        return f"{text} ({_UNWRAP.format(wrapper)})"
    for wanted in sorted(declared, key=len)[:_MOST_KEYS]:
        if len(wanted) <= _LONGEST_KEY and _is_meant_by(wanted, name):
            if member_of(members, wanted, _NOTHING) is _NOTHING:
                return f'{text} ("{wanted}" is)'
    return text


_UNWRAP: Final = 'send what is inside "{}" without it'
_NOTHING: Final = object()


def _undeclared(members: object, declared: frozenset[str]) -> list[str]:
    """The first of the keys that a model made up."""
    found: list[str] = []
    for key in keys_of(members):
        if type(key) is str and key not in declared:
            found.append(key)
            if len(found) == _MOST_KEYS:
                break
    return found


def _is_alone(members: object) -> bool:
    return len(list(zip(keys_of(members), range(2)))) == 1


def _wrapper(members: object, undeclared: list[str], declared: frozenset[str]) -> str:
    """The only key of an object when declared ones stand inside of it, "" otherwise."""
    if len(undeclared) != 1 or not _is_alone(members) or not _can_be_shown(undeclared[0]):
        return ""
    inner = member_of(members, undeclared[0], None)
    return undeclared[0] if type(inner) is dict and not declared.isdisjoint(inner) else ""


def _can_be_shown(key: str) -> bool:
    """Whether a key that a model made up can stand in a hint."""
    return len(key) <= _LONGEST_KEY and key.isprintable() and not set('();"') & set(key)


@lru_cache(256)
def _is_meant_by(sent: str, wanted: str) -> bool:
    """Whether a key can stand in a hint and looks like the wanted one."""
    return _can_be_shown(sent) and len(wanted) <= _LONGEST_KEY and _alike(wanted, sent)


def _alike(wanted: str, sent: str) -> bool:
    """Whether somebody who means one name may write the other: a part of its words, or a slip."""
    from difflib import SequenceMatcher  # only for a call that misses a key and has others

    wanted_words, sent_words = _words(wanted), _words(sent)
    if sent_words and (wanted_words <= sent_words or sent_words <= wanted_words):
        return True
    matcher = SequenceMatcher(None, wanted.lower(), sent.lower())
    return matcher.quick_ratio() >= 0.75 and matcher.ratio() >= 0.75  # the first is never less


def _words(name: str) -> set[str]:
    """The words in `snake_case`, `kebab-case` and `camelCase`, in lower case."""
    spaced = "".join(f" {letter}" if letter.isupper() else letter for letter in name)
    return set(spaced.replace("_", " ").replace("-", " ").lower().split())
