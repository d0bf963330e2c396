"""What the parts of the compiler have in common: the source of a check while it is written, and
the closures that explain.

For each family of keywords there are two functions side by side. `emit_…` writes the lines of a
generated check that answers True only for values that are sure to fit: exact JSON types, no
whole-number float in an integer's place. `explain_…` builds the closure that defines what fits and
writes every violation. Whatever a check does not vouch for is explained.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

from ...json_values import is_tree
from .reading import Node
from .words import MOST_HINTS

Explain: TypeAlias = Callable[[object, str, str, list[str]], None]
"""`explain(value, container, key, violations)`: append what is wrong with a value."""

MISSING: Final = object()
"""Stands for a property that is not there; it fits no type."""

# A list that holds itself twice is a walk without end for arrays in arrays. So when this many of
# their elements have been looked at, it is time to ask whether the arguments are a tree.
MANY_ELEMENTS: Final = 16_000_000
_COST_OF_A_VIOLATION: Final = 16  # in elements: its text takes memory


class Violations(list[str]):
    """The violations of a value whose schema has arrays in arrays, alternatives or references, and
    what is known of the walk through it."""

    def __init__(self, value: object, walk: "_Walk | None" = None) -> None:
        self.walk = walk or _Walk(value)
        self._said: set[str] = set()
        self._looked_at = 0

    def add_unsaid(self, texts: list[str]) -> None:
        """Append those texts that are not among the violations."""
        self._said.update(self[self._looked_at :])
        self._looked_at = len(self)
        self += [text for text in texts if text not in self._said]

    def enter(self, elements: int) -> None:
        """Note that a container with so many members is looked at. Raises ValueError when the
        value goes on and on and is no tree."""
        walk = self.walk
        if walk.around:
            walk.left -= elements
            if walk.left < _COST_OF_A_VIOLATION * len(self):
                if not is_tree(walk.value):
                    raise ValueError("the value holds a list or a dict in two places")
                walk.left = float("inf")
        walk.around += 1

    def leave(self) -> None:
        self.walk.around -= 1


class _Walk:
    """One walk through a value.

    known: the violations of values that a reference was followed for, by reference, value and path
        (which may be cut, and then is no path of one value alone). None stands for those that are being looked at: a reference that leads to itself, without a step
        into the value, asks for nothing more.
    around: how many containers stand around what is looked at now.
    hints: how often keys that look alike were looked for.
    left: how many elements may be looked at before `value` has to prove that it is a tree.
    """

    def __init__(self, value: object) -> None:
        self.value = value
        self.known: dict[tuple[str, int, str, str, bool], list[str] | None] = {}
        self.around = 0
        self.hints = 0
        self.left: float = MANY_ELEMENTS


def may_hint(violations: list[str]) -> bool:
    """Whether to look for keys that look alike, which is dear: for the first violations only, and
    those of alternatives that are not shown count too."""
    if len(violations) >= MOST_HINTS:
        return False
    if type(violations) is Violations:
        violations.walk.hints += 1
        return violations.walk.hints <= _MOST_TRIED
    return True


_MOST_TRIED: Final = 50


def found(
    explain: Explain, value: object, container: str, key: str, outer: list[str]
) -> list[str]:
    """What a closure has to say of a value in the middle of a walk, apart from what was said."""
    violations = Violations(value, outer.walk if type(outer) is Violations else None)
    explain(value, container, key, violations)
    return violations


class Explainers(Protocol):
    """Builds the closures of one schema."""

    def of(self, node: Node, *, optional: bool = False) -> Explain:
        """The closure of a node; `optional` is whether the value's key may be left out."""

    def resolved(self, node: Node) -> Node:
        """What a node leads to that is a reference and nothing else; any other is itself."""

    def kinds(self, node: Node) -> list[str]:
        """The JSON types of the values that may fit a node, in the schema's order; all of them
        when nothing says."""

    def fits(self, node: Node) -> Callable[[object], bool]:
        """Whether a value fits a node, in its every detail."""


class Emitter(Protocol):
    """Writes the source of one check.

    explainers: what explains the same schema.
    loops: how many loops stand around what is written now.
    """

    explainers: Explainers
    loops: int

    def constant(self, value: object) -> str:
        """A name for a constant: the only way for an author's data into the source."""

    def lines(
        self, node: Node, value: str, depth: int, known: frozenset[str] = frozenset()
    ) -> list[str]:
        """Lines that return False unless `value` is sure to fit. It is the text of an expression, a
        variable where the lines mention it more than once; `v{depth}` is the first variable not in
        use. Properties in `known` were looked at already."""

    def call(self, node: Node, value: str) -> str:
        """An expression that is true when `value` is sure to fit, by a function of its own."""

    def call_by_name(self, nodes: Mapping[str, Node], name: str, value: str) -> str:
        """The same for the one of several nodes that a variable names when the check runs."""


def refuse_unless(condition: str) -> list[str]:
    return [f"if not ({condition}): return False"]


def between(code: Emitter, low: float | None, value: str, high: float | None) -> list[str]:
    """The condition that a number lies between bounds, none when there are none. One comparison
    is faster than two."""
    if low is None and high is None:
        return []
    left = "" if low is None else f"{code.constant(low)} <= "
    right = "" if high is None else f" <= {code.constant(high)}"
    return [f"{left}{value}{right}"]


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]
