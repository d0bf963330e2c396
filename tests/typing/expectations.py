"""Expectations in case files: comments that say what mypy prints about the line they judge.

    args["pth"]
    # E: TypedDict "InferArgs[PARAMS]" has no key "pth"  [typeddict-item]

`E` is an error, `N` a note, `R` a revealed type. An expectation trails the line that it judges
or stands below it; a line without any must get no message.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

WIDTH: Final = 100
_MESSAGE: Final = re.compile(r"(?P<path>[^:]+):(?P<line>\d+): (?P<kind>error|note): (?P<text>.*)")
_EXPECTATION: Final = re.compile(r"\s*# (?P<kind>[ENR]): (?P<text>.*)")
_REVEALED: Final = re.compile(r'Revealed type is "(.*)"$')


class Expectation(NamedTuple):
    """What is said about a line: "E", "N" or "R", and the text."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"# {self.kind}: {self.text}"


Judged = dict[int, list[Expectation]]
"""Line number to what is said about the line, sorted."""


def expected(source: str) -> Judged:
    """The expectations in a case file."""
    judged: Judged = defaultdict(list)
    code_line = 0
    for number, line in enumerate(source.splitlines(), 1):
        code, expectation = _split(line)
        if code.strip() or expectation is None:
            code_line = number
        if expectation is not None:
            judged[code_line].append(expectation)
    return _sorted(judged)


def printed(output: str) -> Mapping[Path, Judged]:
    """What mypy printed, by file."""
    files: dict[Path, Judged] = defaultdict(lambda: defaultdict(list))
    for line in output.splitlines():
        match = _MESSAGE.fullmatch(line)
        if match:
            said = _said(match["kind"], match["text"])
            files[Path(match["path"]).resolve()][int(match["line"])].append(said)
    return {path: _sorted(judged) for path, judged in files.items()}


def renewed(source: str, judged: Judged) -> str:
    """A case file with what is said now in place of its expectations."""
    lines: list[str] = []
    for number, line in enumerate(source.splitlines(), 1):
        code, expectation = _split(line)
        if code.strip() or expectation is None:
            lines.extend(_with_expectations(code, judged.get(number, [])))
    return "\n".join(lines) + "\n"


def _split(line: str) -> tuple[str, Expectation | None]:
    """A line's code, and the expectation that trails or fills it."""
    match = _EXPECTATION.search(line)
    if match is None:
        return line, None
    return line[: match.start()], Expectation(match["kind"], match["text"])


def _with_expectations(code: str, said: list[Expectation]) -> Iterable[str]:
    if len(said) == 1 and len(code) + len(str(said[0])) + 2 <= WIDTH:
        return [f"{code}  {said[0]}"]
    indent = code[: len(code) - len(code.lstrip())]
    return [code, *(f"{indent}{expectation}" for expectation in said)]


def _said(kind: str, text: str) -> Expectation:
    revealed = _REVEALED.fullmatch(text)
    if revealed:
        return Expectation("R", revealed[1])
    return Expectation(kind[0].upper(), text)


def _sorted(judged: Judged) -> Judged:
    return {line: sorted(said) for line, said in judged.items()}
