"""Patterns that are searched for in time in proportion to the text, whatever the pattern and the
text: a server's schema and a model's text may both be hostile.

Python's `re` is used where it is sure to be linear (see `is_linear`), an automaton of our own
everywhere else.
"""

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import Final, NamedTuple

from .pattern_syntax import WORDS, Node, Ranges, Refused, parsed, states_of, union

_MOST_STATES: Final = 5_000


def pattern_fault(pattern: str) -> str | None:
    """Why a pattern is outside the portable subset, None for one that is inside. Never raises."""
    try:
        _parsed(pattern)
    except Refused as refused:
        return str(refused)
    return None


@lru_cache(256)
def search_of(pattern: str) -> Callable[[str], bool]:
    """Whether a pattern without a fault is found anywhere in a text."""
    node = _parsed(pattern)
    return _by_re(node) if _goes_to_re(pattern, node) else Automaton(node).search


@lru_cache(64)
def _parsed(pattern: str) -> Node:
    node = parsed(pattern)
    if not _goes_to_re(pattern, node) and states_of(node) > _MOST_STATES:
        raise Refused(f"its repetitions written out are more than {_MOST_STATES:,} states")
    return node


# --- Python's re, where it is linear ------------------------------------------------------

_LONGEST_FOR_RE: Final = 1_000
_MOST_RANGES: Final = 5_000


def _goes_to_re(pattern: str, node: Node) -> bool:
    """Whether `re` searches for a pattern: where that is linear, the proof costs little (it
    compares sets of characters with each other) and `re` is quick to compile its classes (one of
    letters has hundreds of ranges)."""
    is_small = len(pattern) <= _LONGEST_FOR_RE and _ranges_in(node) <= _MOST_RANGES
    return is_small and is_linear(node)


def _ranges_in(node: Node) -> int:
    match node:
        case ("set", ranges):
            return len(ranges)
        case ("all" | "any", nodes):
            return sum(map(_ranges_in, nodes))
        case ("repeat", inner, _, _):
            return _ranges_in(inner)
    return 0


def is_linear(node: Node) -> bool:
    """Whether `re` takes time in proportion to the text.

    It backtracks, so it does when at each choice the next character alone tells which way to go:
    the other way then fails at once. That is so when alternatives begin with different characters,
    and when what is repeated is never empty and begins with other characters than what may follow.
    And it begins anew at each place of the text, so the pattern must be bound to the start, or be
    done after so many characters at most as an automaton may have states.
    """
    try:
        _require_plain(node, ())
    except _Unsure:
        return False
    return _is_anchored(node) or _longest(node) <= _MOST_STATES


class _Unsure(Exception):
    """The next character does not tell which way to go."""


def _require_plain(node: Node, follow: Ranges) -> None:
    """Raise _Unsure where the next character does not tell; `follow` may come after the node."""
    match node:
        case ("all", nodes):
            for inner in reversed(nodes):
                _require_plain(inner, follow)
                first, is_empty = _first(inner)
                follow = union(first, follow) if is_empty else first
        case ("any", nodes):
            firsts = [_first(inner) for inner in nodes]
            taken = [union(first, follow) if is_empty else first for first, is_empty in firsts]
            if _overlap(taken) or sum(is_empty for _, is_empty in firsts) > 1:
                raise _Unsure
            for inner in nodes:
                _require_plain(inner, follow)
        case ("repeat", inner, low, high):
            first, is_empty = _first(inner)
            if is_empty or low != high and _overlap([first, follow]):
                raise _Unsure
            _require_plain(inner, union(first, follow))


def _first(node: Node) -> tuple[Ranges, bool]:
    """The characters that a node may begin with, and whether it may be empty."""
    match node:
        case ("set", ranges):
            return ranges, False
        case ("all", nodes):
            begins: Ranges = ()
            for inner in nodes:
                first, is_empty = _first(inner)
                begins = union(begins, first)
                if not is_empty:
                    return begins, False
            return begins, True
        case ("any", nodes):
            firsts = [_first(inner) for inner in nodes]
            return union(*(first for first, _ in firsts)), any(empty for _, empty in firsts)
        case ("repeat", inner, low, high):
            first, is_empty = _first(inner)
            return (first if high != 0 else ()), is_empty or low == 0
    return (), True


def _overlap(sets: list[Ranges]) -> bool:
    ordered = sorted(one for ranges in sets for one in ranges)
    return any(before[1] >= after[0] for before, after in zip(ordered, ordered[1:]))


def _is_anchored(node: Node) -> bool:
    match node:
        case ("start",):
            return True
        case ("all", (first, *_)):
            return _is_anchored(first)
        case ("any", nodes):
            return all(map(_is_anchored, nodes))
    return False


def _longest(node: Node) -> float:
    """How many characters a node may read at most."""
    match node:
        case ("set", _):
            return 1
        case ("all", nodes):
            return sum(map(_longest, nodes))
        case ("any", nodes):
            return max(map(_longest, nodes))
        case ("repeat", inner, _, high):
            return 0 if high == 0 else _longest(inner) * (inf if high is None else high)
    return 0


def _by_re(node: Node) -> Callable[[str], bool]:
    from re import ASCII, compile as compiled

    search = compiled(_python_source(node), ASCII).search
    return lambda text: search(text) is not None


def _python_source(node: Node) -> str:
    match node:
        case ("set", ranges):
            return f"[{''.join(map(_python_range, ranges))}]" if ranges else "(?!)"
        case ("start",):
            return r"\A"
        case ("end",):
            return r"\Z"
        case ("word", begins):
            return r"\b" if begins else r"(?:\B|\A\Z)"  # `re` finds no \B in an empty text
        case ("all", nodes):
            return "".join(map(_python_source, nodes))
        case ("any", nodes):
            return f"(?:{'|'.join(map(_python_source, nodes))})"
    _, inner, low, high = node
    return f"(?:{_python_source(inner)}){{{low},{'' if high is None else high}}}"


def _python_range(ends: tuple[int, int]) -> str:
    return f"\\U{ends[0]:08x}-\\U{ends[1]:08x}"


# --- the automaton ------------------------------------------------------------------------


class _State(NamedTuple):
    """A state of the automaton: what it waits for, and the states behind it.

    ranges: the characters that lead on; None for one that leads on without a character.
    condition: "start", "end", "word" or "no word" where only such a place leads on.
    """

    ranges: Ranges | None
    condition: str
    behind: list[int]


class _Moves(dict[str, "_Moves | None"]):
    """Where the automaton stands after a text, and where each character leads that was seen there:
    None when the pattern is found before it.

    states: those that the text led to.
    before: "start", "word" or "other": what stands to the left.
    """

    def __init__(self, states: frozenset[int], before: str) -> None:
        self.states = states
        self.before = before


_FOUND: Final = 0
_MOST_HELD: Final = 50_000


class Automaton:
    """Searches for a pattern by following all its states at once (Thompson's construction), and
    remembers where each character led.

    steps: how many states were looked at so far, which the tests count.
    held: how many moves and states are remembered; at a bound all are forgotten.
    """

    def __init__(self, node: Node) -> None:
        self.steps = 0
        self.held = 0
        self._states: list[_State] = [_State((), "", [])]
        self._begin = self._built(node, _FOUND)
        self._known: dict[tuple[frozenset[int], str], _Moves] = {}

    def search(self, text: str) -> bool:
        """Whether the pattern is found anywhere in a text."""
        here = self._place(frozenset(), "start")
        for letter in text:
            try:
                there = here[letter]
            except KeyError:
                there = self._moved(here, letter)
            if there is None:
                return True
            here = there
        return _FOUND in self._closure(here, "end")

    def _moved(self, here: _Moves, letter: str) -> _Moves | None:
        """Where a character leads, looked up in the states themselves."""
        code = ord(letter)
        after = "word" if _holds(WORDS, code) else "other"
        states = self._closure(here, after)
        there = None
        if _FOUND not in states:
            led = (self._states[state] for state in states)
            behind = frozenset(
                state
                for one in led
                if one.ranges is not None and _holds(one.ranges, code)
                for state in one.behind
            )
            there = self._place(behind, after)
        self.held += 1
        if self.held > _MOST_HELD:  # a search goes on from where it stands
            self._known.clear()
            self.held = 0
        here[letter] = there
        return there

    def _place(self, states: frozenset[int], before: str) -> _Moves:
        place = self._known.get((states, before))
        if place is None:
            place = self._known[states, before] = _Moves(states, before)
            self.held += len(states)
        return place

    def _closure(self, here: _Moves, after: str) -> set[int]:
        """The states that are reached without a character, at a place between `before` and
        `after`. A search may begin at any place."""
        found: set[int] = set()
        unfinished = [self._begin, *here.states]
        while unfinished:
            number = unfinished.pop()
            if number in found:
                continue
            found.add(number)
            self.steps += 1
            state = self._states[number]
            if state.ranges is None and _holds_here(state.condition, here.before, after):
                unfinished += state.behind
        return found

    def _built(self, node: Node, behind: int) -> int:
        """Add the states of a node, with a state behind it; the number of the first one."""
        match node:
            case ("set", ranges):
                return self._added(_State(ranges, "", [behind]))
            case ("start",) | ("end",):
                return self._added(_State(None, node[0], [behind]))
            case ("word", begins):
                return self._added(_State(None, "word" if begins else "no word", [behind]))
            case ("all", nodes):
                for inner in reversed(nodes):
                    behind = self._built(inner, behind)
                return behind
            case ("any", nodes):
                return self._added(_State(None, "", [self._built(one, behind) for one in nodes]))
        _, inner, low, high = node
        return self._repeated(inner, low, high, behind)

    def _repeated(self, node: Node, low: int, high: int | None, behind: int) -> int:
        if high is None:
            loop = self._added(_State(None, "", [behind]))
            self._states[loop].behind.append(self._built(node, loop))
            behind = loop
        else:
            end = behind
            for _ in range(high - low):
                behind = self._added(_State(None, "", [end, self._built(node, behind)]))
        for _ in range(low):
            behind = self._built(node, behind)
        return behind

    def _added(self, state: _State) -> int:
        self._states.append(state)
        return len(self._states) - 1


def _holds(ranges: Ranges, code: int) -> bool:
    at = bisect_right(ranges, (code, code))
    return at > 0 and ranges[at - 1][1] >= code or at < len(ranges) and ranges[at][0] == code


def _holds_here(condition: str, before: str, after: str) -> bool:
    match condition:
        case "":
            return True
        case "start":
            return before == "start"
        case "end":
            return after == "end"
    return ((before == "word") != (after == "word")) == (condition == "word")
