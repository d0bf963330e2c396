"""JSON values: reading a model's text, copying, mending text that no UTF-8 can carry, and telling
what is JSON and what is not."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from .vocabulary import JsonValue

if TYPE_CHECKING:
    from json import JSONDecoder

_T = TypeVar("_T")


def parse_arguments(text: str | None) -> JsonValue:
    """The value of a tool call's raw argument text, as a model wrote it. Never raises.

    Absent, empty and blank text, and the text `null`, are `{}`: that is how providers send a call
    without arguments. JSON text is its value, the last of duplicate keys winning (as RFC 8259
    section 4 reports of most parsers); control characters that stand raw in its strings are read,
    since they can mean nothing else. Anything else, NaN and Infinity included, is the text itself,
    which validation then refuses with a message that the model can act on (`json_fault`). What is
    no text comes back as it is.
    """
    given: object = text
    if given is None:
        return {}
    if not issubclass(type(given), str):
        return text
    written = text_of(given)
    try:
        value: JsonValue = _decoder().decode(written)
    except (ValueError, RecursionError):  # not JSON, or too deep
        return written if written.strip() else {}
    return {} if value is None else value


@cache
def _decoder() -> "JSONDecoder":
    from json import JSONDecoder  # the first call pays for it, importing the package does not

    return JSONDecoder(parse_constant=_refuse_constant, strict=False)


class _NoNumber(ValueError):
    """A constant that Python reads as a number and JSON does not have."""


def _refuse_constant(name: str) -> float:
    raise _NoNumber(f"{name} is not JSON")


def copy_json(value: _T, *, repair: bool = False) -> _T:
    """A copy that shares no dict, list, tuple or set with `value`; everything else is shared.

    With `repair`, every string in it, keys too, is passed through `repair_text`, and a subclass
    of a JSON type becomes the plain type. Dicts and lists may be as deep as memory goes, and cyclic
    (one that occurs twice is copied once). Never raises: what refuses to be copied is shared.
    """
    given: Any = value
    try:
        if type(given) is dict and not repair:
            for member in given.values():
                if type(member) not in _SCALARS:
                    break
            else:  # as in most calls: it needs no walk
                return given.copy()  # type: ignore[return-value]  # a copy has the type
        return cast(_T, _walked_copy(value, repair))
    except Exception:  # a key or a class hashes or compares as it likes: no JSON text gives one
        return value


_SCALARS = frozenset((str, int, float, bool, type(None)))


def _walked_copy(value: object, repair: bool) -> object:
    top = _shallow_copy(value, repair)
    if top is None:
        return _other_copy(value, repair)
    copies = {id(value): top}
    unfinished = [top]
    for container in unfinished:  # it grows by each container found on the way
        for key, item in container.items() if type(container) is dict else enumerate(container):
            kind = type(item)
            if kind in _SCALARS:
                if repair and kind is str:
                    container[key] = repair_text(item)
                continue
            copied = copies.get(id(item))
            if copied is None:
                copied = _shallow_copy(item, repair)
                if copied is None:
                    container[key] = _other_copy(item, repair)
                    continue
                copies[id(item)] = copied
                unfinished.append(copied)
            container[key] = copied
    return top


def _other_copy(value: Any, repair: bool) -> Any:
    """The copy of what is neither dict nor list: of text the text, of the other containers of
    Python a deep copy, and of anything else, or where there is no copying it, the value itself."""
    kind = type(value)
    if repair and issubclass(kind, str):
        return repair_text(text_of(value))
    if repair and issubclass(kind, (int, float)) and kind is not bool:
        return int_of(value) if issubclass(kind, int) else float_of(value)
    if not issubclass(kind, (tuple, set, frozenset, bytearray)):
        return value
    from copy import deepcopy  # JSON never comes here

    try:
        return deepcopy(value)
    except Exception:  # whatever the objects inside raise: a lock cannot be copied, for one
        return value


def plain_json(value: object) -> Any:
    """A copy of a JSON value of bounded depth, with every subclass made the plain type."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if isinstance(value, dict):
        return {text_of(key): plain_json(item) for key, item in items_of(value)}
    if isinstance(value, list):
        return [plain_json(item) for item in elements_of(value)]
    if isinstance(value, str):
        return text_of(value)
    return int_of(value) if isinstance(value, int) else float_of(value)


def is_tree(value: object) -> bool:
    """Whether no list or dict stands in two places, as none does in what was read from text."""
    seen = set[int]()
    unfinished: list[object] = [[value]]
    for container in unfinished:  # it grows by each container found on the way
        inside = values_of(container) if issubclass(type(container), dict) else elements_of(container)
        for item in inside:
            if issubclass(type(item), (dict, list)):
                if id(item) in seen:
                    return False
                seen.add(id(item))
                unfinished.append(item)
    return True


def _shallow_copy(value: object, repair: bool) -> Any:
    """A plain dict or list with the same members, None when `value` is neither. A subclass has
    no say in what its members are."""
    if type(value) is list:
        return value.copy()
    if type(value) is dict:
        members = value.copy()
    elif issubclass(type(value), dict):
        members = dict(items_of(value))
    else:
        return list(elements_of(value)) if issubclass(type(value), list) else None
    return _with_repaired_keys(members) if repair else members


def _with_repaired_keys(given: dict[object, object]) -> dict[object, object]:
    if all(text_of(key).isascii() for key in given if issubclass(type(key), str)):
        return given
    return {
        repair_text(text_of(key)) if issubclass(type(key), str) else key: item
        for key, item in given.items()
    }


# A subclass of a JSON type may answer as it likes, or not at all; these ask the type itself. Each
# is called with values of that type only, which is what the ignored errors are about.
text_of: Callable[[object], str] = str.__str__
int_of: Callable[[object], int] = int.__int__  # type: ignore[assignment]
float_of: Callable[[object], float] = float.__float__  # type: ignore[assignment]
elements_of: Callable[[object], Iterator[object]] = list.__iter__  # type: ignore[assignment]
length_of: Callable[[object], int] = list.__len__  # type: ignore[assignment]
items_of: Callable[[object], Iterable[tuple[object, object]]] = dict.items  # type: ignore[assignment]
keys_of: Callable[[object], Iterable[object]] = dict.keys  # type: ignore[assignment]
values_of: Callable[[object], Iterable[object]] = dict.values  # type: ignore[assignment]
member_of: Callable[[object, object, object], object] = dict.get  # type: ignore[assignment]


def plain_text(value: object) -> str:
    """`str(value)` as a plain string, whatever its class makes of itself."""
    return text_of(str(value)) if type(value) is not str else value


def repair_text(text: str) -> str:
    """`text` with surrogate pairs joined and every lone surrogate replaced by U+FFFD.

    A lone surrogate has no UTF-8 form, and a provider refuses the whole conversation for one.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def referenced(reference: object, document: object) -> object:
    """What a `$ref` into the same document leads to: `#`, or `#/` and a JSON Pointer (RFC 6901,
    section 6). None when it leads nowhere, elsewhere or to null, which is no schema."""
    if not isinstance(reference, str) or reference != "#" and not reference.startswith("#/"):
        return None
    if "%" in reference:
        from urllib.parse import unquote  # hardly any name needs it

        reference = unquote(reference)
    found = document
    for step in reference.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict):
            found = found.get(name)
        elif isinstance(found, list) and name.isdecimal() and len(name) < 10:
            found = found[int(name)] if int(name) < len(found) else None
        else:
            return None
    return found


# --- what is wrong with a text that is no JSON --------------------------------------------


def json_fault(text: str) -> str:
    """What is wrong with a text that is no JSON, and where, for a model that has to mend it: one
    bounded phrase without parentheses and semicolons. Empty for a text that is JSON."""
    from json import JSONDecodeError

    try:
        _decoder().decode(text_of(text))
    except JSONDecodeError as error:
        return _fault_at(text_of(text), error.msg, error.pos)
    except _NoNumber as error:
        return str(error)
    except RecursionError:
        return "the JSON is nested too deeply"
    except ValueError:  # Python's own limit
        return "a number has too many digits"
    return ""


def _fault_at(text: str, message: str, place: int) -> str:
    """The hint for what the decoder said of a place in a text."""
    if text.lstrip().startswith("```"):
        return "a Markdown fence stands around the JSON, send the JSON alone"
    if not text[:place].strip():
        return _fault_at_the_start(text, place)
    if message == "Extra data":
        return _fault_behind(text, place)
    if message.startswith("Unterminated") or _is_cut(text[place:].strip()):
        return f"the JSON was cut off after character {len(text):,}, send less at once"
    if message.startswith("Invalid \\"):
        return _bad_escape(text, place)
    return _fault_of_comma(text, message, place) or _fault_of_word(text, message, place)


def _fault_at_the_start(text: str, place: int) -> str:
    """The hint for a text that begins with no JSON."""
    if text[place : place + 1] == "'":
        return _SINGLE_QUOTES.format(place + 1)
    begins = text.find("{")
    if begins < 0:
        return "there is no JSON in it, send the arguments as one JSON object"
    return f"something stands before the JSON, which begins at character {begins + 1:,}, {_ALONE}"


def _fault_behind(text: str, place: int) -> str:
    """The hint for a text that goes on after its JSON."""
    begins, what_follows = text.lstrip()[0], text[place:].lstrip(", \t\r\n")[:1]
    if what_follows and what_follows in "{[":
        several = "objects" if begins == what_follows == "{" else "values"
        return f"several JSON {several} arrived, send each in a call of its own"
    if what_follows and what_follows in "}]":
        return f"there is a bracket too many at character {place + 1:,}"
    if what_follows == ":":
        return "the braces around the object are missing"
    return f"something stands after the JSON, from character {place + 1:,} on, {_ALONE}"


_ALONE: Final = "send the JSON alone"
_SINGLE_QUOTES: Final = "single quotes at character {:,}, JSON wants double quotes"


def _is_cut(rest: str) -> bool:
    """Whether what the decoder could not read is where a text ends, but for part of a word, a
    number or an escape."""
    return rest in _BEGINNINGS or rest[:1] == "u" and len(rest) < 5


_BEGINNINGS: Final = frozenset(
    [word[:length] for word in ("true", "false", "null") for length in range(len(word))]
    + ["-", ".", "e", "e+", "e-", "E", "E+", "E-"]
)


def _bad_escape(text: str, place: int) -> str:
    place = text.rindex("\\", 0, place + 1)  # the decoder names the backslash or the "u" after it
    letter = text[place + 1]
    escape = f" \\{letter}" if letter.isascii() and letter.isalnum() else ""
    return f"bad escape{escape} at character {place + 1:,}, write \\\\ for a backslash"


def _fault_of_comma(text: str, message: str, place: int) -> str | None:
    """The hint for a comma or a colon that is missing or too much."""
    letter, before = text[place], text[:place].rstrip()
    if letter == "," and text[place + 1 :].lstrip()[:1] in ("}", "]"):
        return _TRAILING_COMMA.format(place + 1)
    if letter in "}]" and before.endswith(","):
        return _TRAILING_COMMA.format(len(before))
    if letter == ",":
        return f"nothing stands before the comma at character {place + 1:,}"
    if letter in "/#":
        return f"a comment at character {place + 1:,}, JSON has none"
    if letter in "}]" and "delimiter" in message:
        return f"the wrong bracket at character {place + 1:,}"
    if "','" in message:
        return f"a comma is missing before character {place + 1:,}, or a backslash before a quote"
    return f"a colon is missing before character {place + 1:,}" if "':'" in message else None


_TRAILING_COMMA: Final = "trailing comma at character {:,}, leave it out"


def _fault_of_word(text: str, message: str, place: int) -> str:
    """The hint for what is neither a value nor a key."""
    letter = text[place]
    if letter == "'":
        return _SINGLE_QUOTES.format(place + 1)
    if letter == "\\":
        return f"a backslash outside of a string at character {place + 1:,}, leave it out"
    for word, meant in (("True", "true"), ("False", "false"), ("None", "null")):
        if text.startswith(word, place):
            return f"{word} at character {place + 1:,}, JSON has {meant}"
    if "property name" in message:
        return f"a key without double quotes at character {place + 1:,}"
    return f"no JSON value at character {place + 1:,}"


# --- what a value is ----------------------------------------------------------------------

DEEPEST: Final = 128
_MOST_BITS: Final = 14_000  # some 4,200 digits; Python prints up to 4,300 (sys.int_info)
_MOST_VALUES: Final = 1_000_000
_LONGEST_CLASS: Final = 100


def what_is(value: object) -> str:
    """What a value is, for a message that must not print it: "None", "an int"."""
    if issubclass(type(value), float) and not is_finite(cast(float, value)):
        return "NaN or an infinity"
    return "None" if value is None else with_article(class_name(value))


def class_name(value: object) -> str:
    """The name of a value's class, bounded, whatever the class of that class makes of it."""
    return _name_of(type(value))[:_LONGEST_CLASS]


_name_of: Callable[[type], str] = type.__dict__["__name__"].__get__


def is_json(value: object, level: int = 0) -> bool:
    """Whether a value can be sent as JSON text: no NaN, no cycle, no integer that Python refuses
    to print, nothing deeper than `DEEPEST` where it stands at a `level` itself, and no more than a million values when what it holds
    in several places is written out at each. Subclasses of the JSON types will do."""
    size, depth = _extent(value, level, {})
    return size <= _MOST_VALUES and depth + level <= DEEPEST


def _extent(value: Any, level: int, known: dict[int, tuple[float, int]]) -> tuple[float, int]:
    """How many values a JSON value is, written out, and how many levels of containers: endlessly
    many for what is not JSON. `known` holds the extent of each container by its id, so that none
    is visited twice."""
    kind = type(value)
    inside: Iterable[object]
    keys: Iterable[object] = ()
    if issubclass(kind, list):
        inside, length = elements_of(value), length_of(value)
    elif issubclass(kind, dict):
        inside, keys, length = values_of(value), keys_of(value), dict.__len__(value)
    else:
        return (1 if _is_scalar(value) else _ENDLESS), 0
    if id(value) not in known:
        known[id(value)] = _ENDLESS, 0  # what holds itself finds this
        if level <= DEEPEST and length <= _MOST_VALUES and all(map(is_key, keys)):
            extents = [_extent(item, level + 1, known) for item in inside]
            size = 1 + sum(size for size, _ in extents)
            known[id(value)] = size, 1 + max((depth for _, depth in extents), default=0)
    return known[id(value)]


_ENDLESS: Final = float("inf")


def _is_scalar(value: Any) -> bool:
    kind = type(value)
    if issubclass(kind, int):
        return int.bit_length(value) <= _MOST_BITS
    if issubclass(kind, float):
        return is_finite(value)
    return value is None or issubclass(kind, str)


def is_finite(number: float) -> bool:
    return float.__sub__(number, number) == 0.0  # false for NaN and the infinities


def is_key(key: object) -> bool:
    """Whether a key is text that UTF-8 can carry; unlike other text a key cannot be mended."""
    if not issubclass(type(key), str):
        return False
    text = text_of(key)
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def with_article(noun: object) -> str:
    """A noun with its article: "an int"."""
    return f"an {noun}" if str(noun)[:1].lower() in "aeio" else f"a {noun}"
