"""`python -m dsh_tools`."""

import io
import sys

from .cli import main


def _print_anything(stream: object) -> None:
    """Write UTF-8 to files and pipes, whatever the locale; to a terminal what it understands,
    and escapes for the rest."""
    if isinstance(stream, io.TextIOWrapper):
        encoding = stream.encoding if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")


if __name__ == "__main__":
    _print_anything(sys.stdout)
    _print_anything(sys.stderr)
    sys.exit(main())
