"""`python -m dsh_tools`."""

import io
import os
import sys
from typing import TextIO

from .commands.cli import main


def _usable(stream: TextIO | None) -> TextIO:
    """A stream that takes all text: UTF-8 to files and pipes, whatever the locale; to a terminal
    what it understands, and escapes for the rest. None, as for a stream that is closed, is a place
    where nobody looks."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        encoding = stream.encoding if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")
    return stream


if __name__ == "__main__":
    sys.stdout, sys.stderr = _usable(sys.stdout), _usable(sys.stderr)
    sys.exit(main())
