"""The errors the library raises, a small family with codes, and the log of what others raise."""

_MOST_VIOLATIONS = 20
_MOST_CHARACTERS = 4096
_LONGEST_NAME = 100


class HarnessError(Exception):
    """An error with a code. Raise it (or a subclass) in a tool to say what went wrong: the
    model reads the message, programs read `error` = {name: class name, code} in the result.

    `code` is an upper-case identifier such as "FILE_NOT_FOUND".
    """

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
        super().__init__(_bounded("invalid arguments: ", violations), "INVALID_ARGS")
        self.violations = list(violations)


class ToolNotFoundError(HarnessError):
    """No tool of that name is registered. Code "UNKNOWN_TOOL".

    `tool_name` is the name asked for; `known` the names there are, which the message lists
    sorted and bounded.
    """

    tool_name: str

    def __init__(self, tool_name: str, known: list[str] | None = None) -> None:
        message = f'unknown tool "{shown_name(tool_name)}"'
        if known is not None:
            message += f" ({_listed(known)})"
        super().__init__(message, "UNKNOWN_TOOL")
        self.tool_name = tool_name


class SchemaError(HarnessError):
    """A spec, a tool's name or its function is not well formed. Code "INVALID_SCHEMA".

    `violations` holds all faults, each a text that begins with where it is. `tool_name` is the
    tool whose definition was refused, None for a spec on its own.
    """

    violations: list[str]
    tool_name: str | None

    def __init__(self, violations: list[str], tool_name: str | None = None) -> None:
        where = "schema" if tool_name is None else f'definition of tool "{tool_name[:70]}"'
        super().__init__(f"invalid {where}: " + "; ".join(violations), "INVALID_SCHEMA")
        self.violations = list(violations)
        self.tool_name = tool_name


def _revived(cls: type[HarnessError], args: tuple[object, ...], state: dict[str, object]) -> object:
    """An error out of a pickle, or a copy of one."""
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _bounded(opening: str, violations: list[str]) -> str:
    """The opening and as many violations as fit, then how many were left out."""
    room = _MOST_CHARACTERS - len(opening)
    whole = "; ".join(violations[: _MOST_VIOLATIONS + 1])
    if len(violations) <= _MOST_VIOLATIONS and len(whole) <= room:
        return opening + whole
    room -= len(f"; … and {len(violations)} more")
    shown: list[str] = []
    for violation in violations[:_MOST_VIOLATIONS]:
        room -= len(violation) + len("; ")
        if room < 0:
            break
        shown.append(violation)
    if not shown:  # one violation longer than all the room: its beginning says where
        shown.append(violations[0][: room + len(violations[0])] + "…")
    left_out = len(violations) - len(shown)
    return opening + "; ".join(shown) + (f"; … and {left_out} more" if left_out else "")


def _listed(names: list[str]) -> str:
    """The names in order, as many as a model needs to see."""
    if not names:
        return "no tools are available"
    listed = ", ".join(sorted(names)[:_MOST_VIOLATIONS])
    more = len(names) - _MOST_VIOLATIONS
    return f"available: {listed}" + (f", … and {more} more" if more > 0 else "")


def shown_name(name: object) -> str:
    """The name of a tool for a message, bounded. A call may ask for anything, text or not."""
    if not issubclass(type(name), str):
        return "<no text>"
    text = str.__str__(name)
    return text if len(text) <= _LONGEST_NAME else text[:_LONGEST_NAME] + "…"


def log_fault(tool_name: object, text: str, error: Exception | None = None) -> None:
    """One record for a fault in code of the host's or of a tool's author: a model must not see
    more of it than its message, but who runs the program wants the traceback."""
    from logging import getLogger  # importing the package must not load logging

    try:
        details = None if error is None else (type(error), error, error.__traceback__)
        getLogger("dsh_tools").warning("%r: %s", shown_name(tool_name), text, exc_info=details)
    except Exception:  # a fault of the handler or the error must not cost a call its result
        from contextlib import suppress
        from traceback import print_exc

        with suppress(Exception):  # such an error may refuse to be printed, too
            print_exc()
