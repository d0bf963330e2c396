"""Tables: rows with a figure, a ratio and perhaps a goal for it, as Markdown."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from .measure import Rounds


class Row(NamedTuple):
    """One line of a table.

    ratio: what the table's ratio column says, None when there is nothing to compare with.
    goal: the ratio that must not be exceeded, None when none is set.
    note: what a reader must know to judge the figure.
    """

    name: str
    figure: str
    ratio: float | None = None
    goal: float | None = None
    note: str = ""

    @property
    def missed(self) -> bool:
        return self.ratio is not None and self.goal is not None and self.ratio > self.goal


class Table(NamedTuple):
    """A question and its answer.

    figure, ratio: the headings of those columns.
    text: what was measured and how.
    """

    title: str
    figure: str
    ratio: str
    rows: list[Row]
    text: str = ""


_UNITS: Final = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))


def duration(seconds: float) -> str:
    """Three significant digits with the unit that suits: "1.25 µs"."""
    unit, size = next((pair for pair in _UNITS if seconds >= pair[1]), _UNITS[-1])
    return f"{digits(seconds / size)} {unit}"


def digits(number: float) -> str:
    """Three significant digits, without an exponent."""
    decimals = 0 if number >= 100 else 1 if number >= 10 else 2 if number >= 0.1 else 3
    return f"{number:,.{decimals}f}"


def versus(
    rounds: Rounds,
    ours: str,
    goals: Mapping[str, float] | None = None,
    notes: Mapping[str, str] | None = None,
) -> list[Row]:
    """A row for each candidate, with how many times its time `ours` takes."""
    goals, notes = goals or {}, notes or {}
    return [
        Row(
            name,
            duration(rounds.median(name)),
            None if name == ours else rounds.ratio(ours, name),
            goals.get(name),
            notes.get(name, ""),
        )
        for name in rounds.seconds
    ]


def markdown(table: Table) -> str:
    """The table under its title, in columns that line up as plain text too."""
    cells = [["", table.figure, table.ratio, "goal", ""], *map(_cells, table.rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(5)]
    heading, *body = (_line(row, widths) for row in cells)
    rule = "|".join(["", *("-" * (width + 1) + side for width, side in zip(widths, "-:::-")), ""])
    text = f"{table.text}\n\n" if table.text else ""
    return f"### {table.title}\n\n{text}" + "\n".join([heading, rule, *body]) + "\n"


def _cells(row: Row) -> list[str]:
    ratio = "" if row.ratio is None else digits(row.ratio)
    goal = "" if row.goal is None else f"≤ {row.goal:g} {'**missed**' if row.missed else 'met'}"
    return [row.name, row.figure, ratio, goal, row.note]


def _line(cells: list[str], widths: list[int]) -> str:
    name, *figures, note = cells
    padded = [name.ljust(widths[0])]
    padded += [cell.rjust(width) for cell, width in zip(figures, widths[1:])]
    return "| " + " | ".join([*padded, note.ljust(widths[-1])]) + " |"


def summary(tables: list[Table]) -> str:
    """How many goals were met, and a line for each that was not."""
    goals = [row for table in tables for row in table.rows if row.goal is not None]
    missed = list(_missed(tables))
    return "\n".join([f"{len(goals) - len(missed)} of {len(goals)} goals met.", *missed]) + "\n"


def _missed(tables: list[Table]) -> Iterator[str]:
    for table in tables:
        for row in table.rows:
            if row.missed:
                ratio = digits(row.ratio or 0.0)
                yield f"- missed: {table.title}, {row.name}: {ratio} instead of {row.goal:g}"
