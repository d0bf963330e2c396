"""What the plugin says: errors and notes with the code `dsh-schema`, and the words that a fault
of source code needs. The words for faults of the spec itself are `spec_faults`'.
"""

from typing import Final, Protocol

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context

DSH_SCHEMA: Final = ErrorCode("dsh-schema", "Check the specs of dsh_tools", "dsh_tools")

NO_SPEC: Final = 'InferArgs[...] needs the name of a schema(...) constant, "{}" is none'
ONE_SPEC: Final = "InferArgs[...] takes one name, that of a schema(...) constant"
NO_BASE: Final = (
    "no class inherits from InferArgs[...]: compose the specs instead, schema({**PARAMS, ...})"
)
REPEATED: Final = '"{}" is given twice'
UNSEEN_SPEC: Final = "mypy cannot see this spec ({why}), so the arguments are a mapping of objects"
UNSEEN_PROP: Final = "mypy cannot see this property ({why}), so its value is object"
UNSEEN_KEY: Final = 'mypy cannot see this "{key}" ({why}), so the type goes without it'
SURPRISE: Final = "the dsh_tools plugin failed here ({}), so the declared types stand"


class Unseen(Exception):
    """Source that does not tell what it is worth. `why` is "" when there is nothing to say: it
    is `Any`, which the author's own settings made it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Reporter(Protocol):
    """The part of mypy's interfaces that prints; the checker and the analyser both have it."""

    def fail(self, msg: str, ctx: Context, /, *, code: ErrorCode | None = None) -> object: ...


class Notes(Protocol):
    """The part of mypy's message builder that prints notes."""

    def note(self, msg: str, context: Context, *, code: ErrorCode | None = None) -> object: ...


def fail(api: Reporter, text: str, where: Context) -> None:
    """Print an error."""
    api.fail(_printable(text), where, code=DSH_SCHEMA)


def note(messages: Notes, text: str, where: Context) -> None:
    """Print a note."""
    messages.note(_printable(text), where, code=DSH_SCHEMA)


def _printable(text: str) -> str:
    """mypy writes UTF-8 and does not survive a lone surrogate."""
    return text.encode("utf-8", "backslashreplace").decode()
