"""The errors the library raises, a small family with codes, and the log of what others raise.

No text that is made here for a model or a log is longer than 4,096 characters.
"""

from collections.abc import Iterable

_MOST_VIOLATIONS = 20
_MOST_NAMES = 20
_MOST_CHARACTERS = 4096
_LONGEST_NAME = 100
_ALIKE = 0.3  # the share of pairs from which on two names are no strangers


class HarnessError(Exception):
    """An error with a code. Raise it (or a subclass) in a tool to say what went wrong: the
    model reads the message, programs read `error` = {name: class name, code} in the result.

    `code` is an upper-case identifier such as "FILE_NOT_FOUND". `tool_name` is the tool that was
    refused, where one was, None otherwise.
    """

    tool_name: str | None = None
    code: str = "ERROR"  # of a subclass that neither sets one nor calls this constructor
    _message: str = ""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message, code)
        self._message = message
        self.code = code

    def __str__(self) -> str:
        return str(self._message)

    def __reduce__(self) -> tuple[object, ...]:
        # By default the class would be called with `args`, and a subclass may take others.
        return _revived, (type(self), self.args, self.__dict__)


class ToolArgsError(HarnessError):
    """The arguments of a call do not fit the tool's schema. Code "INVALID_ARGS".

    `violations` holds every text of `validate_args`. The message is bounded, since a model
    reads it: at most 20 violations and 4,096 characters, then how many more there are.
    """

    violations: list[str]

    def __init__(self, violations: list[str]) -> None:
        super().__init__(listed_violations("invalid arguments: ", violations), "INVALID_ARGS")
        self.violations = list(violations)


class ToolNotFoundError(HarnessError):
    """No tool of that name is registered. Code "UNKNOWN_TOOL".

    `tool_name` is the name asked for; `known` the names there are, of which the message lists
    the twenty closest, the closest first.
    """

    tool_name: str

    def __init__(self, tool_name: str, known: list[str] | None = None) -> None:
        message = f'unknown tool "{shown_name(tool_name)}"'
        if known is not None:
            message += f" ({_listed(tool_name, known)})"
        super().__init__(message, "UNKNOWN_TOOL")
        self.tool_name = tool_name


class SchemaError(HarnessError):
    """A spec, a tool's name or its function is not well formed. Code "INVALID_SCHEMA".

    `violations` holds all faults, each a text that begins with where it is; the message as many
    as fit. `tool_name` is the tool whose definition was refused, None for a spec on its own.
    """

    violations: list[str]
    tool_name: str | None

    def __init__(self, violations: list[str], tool_name: str | None = None) -> None:
        where = "schema" if tool_name is None else f'definition of tool "{tool_name[:70]}"'
        most = len(violations)
        super().__init__(_bounded(f"invalid {where}: ", violations, most), "INVALID_SCHEMA")
        self.violations = list(violations)
        self.tool_name = tool_name


def _revived(cls: type[HarnessError], args: tuple[object, ...], state: dict[str, object]) -> object:
    """An error out of a pickle, or a copy of one."""
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def bounded(text: str) -> str:
    """A text for a model or a log, cut off where it gets too long."""
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


def listed_violations(opening: str, violations: list[str]) -> str:
    """The opening and the first violations, then how many were left out."""
    return _bounded(opening, violations, _MOST_VIOLATIONS)


def _bounded(opening: str, violations: list[str], most: int) -> str:
    """The opening and as many violations as fit, `most` of them, then how many were left out."""
    room = _MOST_CHARACTERS - len(opening)
    if len(violations) <= most and sum(map(len, violations)) + 2 * len(violations) <= room + 2:
        return opening + "; ".join(violations)
    room -= len(f"; … and {len(violations)} more")
    shown: list[str] = []
    for violation in violations[:most]:
        room -= len(violation) + len("; ")
        if room < 0:
            break
        shown.append(violation)
    if not shown:  # one violation longer than all the room: its beginning says where
        shown.append(violations[0][: room + len(violations[0])] + "…")
    left_out = len(violations) - len(shown)
    return opening + "; ".join(shown) + (f"; … and {left_out} more" if left_out else "")


# --- names of tools -----------------------------------------------------------------------


def _listed(asked: object, known: Iterable[str]) -> str:
    """As many names as a model needs to see, those first that it may have meant."""
    names = list(known)
    if not names:
        return "no tools are available"
    listed = ", ".join(map(shown_name, _closest(shown_name(asked), names)))
    more = len(names) - _MOST_NAMES
    return f"available: {listed}" + (f", … and {more} more" if more > 0 else "")


def _closest(asked: str, names: list[str]) -> list[str]:
    """The names that are like the one asked for, the most alike first, then others in order. The
    work for each is bounded by its length: there may be thousands."""
    from heapq import nsmallest  # a call for an unknown tool is rare

    pairs = _pairs(asked)

    def distance(name: str) -> tuple[float, str]:
        others = _pairs(name[:_LONGEST_NAME])
        alike = 2 * len(pairs & others) / (len(pairs) + len(others))
        return -alike if alike >= _ALIKE else 0.0, name

    return nsmallest(_MOST_NAMES, names, distance)


def _pairs(name: str) -> set[str]:
    """The pairs of neighbours among the letters and digits of a name, the ends of it included.
    Names that look alike share most of them (this is Dice's measure)."""
    letters = f"^{name.lower()}$".replace("_", "").replace("-", "").replace(".", "")
    return {letters[start : start + 2] for start in range(len(letters) - 1)}


def shown_name(name: object) -> str:
    """The name of a tool for a message, bounded. A call may ask for anything, text or not."""
    if not issubclass(type(name), str):
        return "<no text>"
    text = str.__str__(name)
    return text if len(text) <= _LONGEST_NAME else text[:_LONGEST_NAME] + "…"


# --- the log ------------------------------------------------------------------------------


def log_fault(tool_name: object, text: str, error: Exception | None = None) -> None:
    """One record for a fault in code of the host's or of a tool's author: a model must not see
    more of it than its message, but who runs the program wants the traceback."""
    from logging import getLogger  # importing the package must not load logging

    try:
        shown = None if error is None else _loggable(error)
        details = None if shown is None else (type(shown), shown, shown.__traceback__)
        getLogger("dsh_tools").warning(
            "%r: %s", shown_name(tool_name), bounded(text), exc_info=details
        )
    except Exception:  # a fault of the handler or the error must not cost a call its result
        from contextlib import suppress
        from traceback import print_exc

        with suppress(Exception):  # such an error may refuse to be printed, too
            print_exc()


def _loggable(error: Exception) -> Exception:
    """The error itself; for one whose text is too long for a log, one of the same name with the
    beginning of it."""
    try:
        text = str(error)
    except Exception:
        return error  # which the traceback then says of it
    if len(text) <= _MOST_CHARACTERS:
        return error
    name = type.__dict__["__name__"].__get__(type(error))
    stand_in: Exception = type(name, (Exception,), {"__module__": "builtins"})(bounded(text))
    return stand_in.with_traceback(error.__traceback__)
