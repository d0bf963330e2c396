"""JSON values: reading a model's text, copying, and mending text that no UTF-8 can carry."""

from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from .vocabulary import JsonValue

if TYPE_CHECKING:
    from json import JSONDecoder

_T = TypeVar("_T")


def parse_arguments(text: str | None) -> JsonValue:
    """The value of a tool call's raw argument text, as a model wrote it. Never raises.

    Empty or absent text is `{}`: that is how providers send a call without arguments. JSON text
    is its value, the last of duplicate keys winning (as RFC 8259 section 4 reports of most
    parsers). Anything else, NaN and Infinity included, is the text itself, which validation then
    refuses with a message that the model can act on.
    """
    if not text:
        return {}
    try:
        value: JsonValue = _decoder().decode(text)
    except (ValueError, RecursionError, TypeError):  # not JSON, too deep, or not even a str
        return text
    return value


@cache
def _decoder() -> "JSONDecoder":
    from json import JSONDecoder  # the first call pays for it, importing the package does not

    return JSONDecoder(parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def copy_json(value: _T, *, repair: bool = False) -> _T:
    """A copy that shares no dict and no list with `value`; everything else is shared.

    With `repair`, every string in it is passed through `repair_text`. Works on any value: as
    deep as memory goes, cyclic or not (a value that occurs twice is copied once).
    """
    root: list[object] = [value]
    unfinished: list[object] = [root]
    copies: dict[int, object] = {}
    while unfinished:
        container = cast(dict[object, object], unfinished.pop())  # or a list: both take [key] = …
        for key, item in container.items() if type(container) is dict else enumerate(container):
            kind = type(item)
            if kind is str:
                if repair:
                    container[key] = repair_text(cast(str, item))
            elif issubclass(kind, (dict, list)):
                copied = copies.get(id(item))
                if copied is None:
                    copied = _shallow_copy(item)
                    copies[id(item)] = copied
                    unfinished.append(copied)
                container[key] = copied
    return cast(_T, root[0])


def _shallow_copy(container: object) -> object:
    """A plain dict or list with the same members; a subclass has no say in what they are."""
    if issubclass(type(container), dict):
        return dict(dict.items(cast(dict[object, object], container)))
    return list(list.__iter__(cast(list[object], container)))


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
