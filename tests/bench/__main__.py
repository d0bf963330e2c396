"""Run the tables, print them, and keep the results of a complete run."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from . import build, execute, growth, imports, keywords, schemas, validate
from .report import Table, markdown, summary
from .results import keep

TABLES: Final[dict[str, Callable[[], Iterable[Table]]]] = {
    "validate": validate.tables,
    "keywords": keywords.tables,
    "build": build.tables,
    "execute": execute.tables,
    "imports": imports.tables,
    "schemas": schemas.tables,
    "growth": growth.tables,
}


def main(names: list[str]) -> None:
    """Run the tables of those names, all of them when there are none."""
    unknown = set(names) - TABLES.keys()
    if unknown:
        sys.exit(f"no table {', '.join(sorted(unknown))}, there are {', '.join(TABLES)}")
    tables = list(_shown(names or list(TABLES)))
    print(summary(tables))
    if not names:
        keep(tables)


def _shown(names: Iterable[str]) -> Iterator[Table]:
    """The tables, each printed as soon as it is there."""
    for name in names:
        for table in TABLES[name]():
            print(markdown(table), flush=True)
            yield table


if __name__ == "__main__":
    main(sys.argv[1:])
