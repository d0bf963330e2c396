"""Patterns as JSON Schema has them (ECMA-262, read as Unicode) into a small tree: the portable
subset without look-around and back-references, which can be searched for in linear time.

A node is one of
    ("set", ranges)               one character of these
    ("start",) ("end",)           the very start and end of the text
    ("word", True or False)       whether a word (A-Z a-z 0-9 _) begins or ends here
    ("all", nodes)                one after the other
    ("any", nodes)                one of them
    ("repeat", node, low, high)   so many times; `high` is None for any number
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Code points, from and to, in order and apart from each other."""

Node: TypeAlias = tuple[Any, ...]

LAST: Final = 0x10FFFF
_MOST_TIMES: Final = 1_000_000
_DEEPEST: Final = 50
_LONGEST: Final = 20_000


class Refused(Exception):
    """A pattern that is outside the subset, or none at all; the message says why."""


def parsed(pattern: str) -> Node:
    """The tree of a pattern. Raises Refused."""
    if len(pattern) > _LONGEST:
        raise Refused(f"it is longer than {_LONGEST:,} characters")
    parser = _Parser(pattern)
    node = parser.choice(0)
    if parser.at < len(pattern):
        raise Refused('a ")" closes no group')
    return node


def states_of(node: Node) -> int:
    """How many states of an automaton a node takes, repetitions written out."""
    match node:
        case ("all" | "any", nodes):
            return sum(map(states_of, nodes)) + len(nodes)
        case ("repeat", inner, low, high):
            times: int = max(low, high or low + 1)
            return (states_of(inner) + 1) * times
    return 1


# --- sets of characters -------------------------------------------------------------------


def union(*sets: Ranges) -> Ranges:
    """The characters of any of the sets."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(one for ranges in sets for one in ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """All other characters."""
    others, at = [], 0
    for first, last in ranges:
        if at < first:
            others.append((at, first - 1))
        at = last + 1
    return (*others, (at, LAST)) if at <= LAST else tuple(others)


def _of(*members: str) -> Ranges:
    """The set of characters and of ranges such as "a-z"."""
    return union(*(((ord(one[0]), ord(one[-1])),) for one in members))


DIGITS: Final = _of("0-9")
WORDS: Final = _of("0-9", "A-Z", "a-z", "_")
SPACES: Final = _of(
    *("\t-\r", " ", "\u00a0", "\u1680", "\u2000-\u200a", "\u2028", "\u2029"),
    *("\u202f", "\u205f", "\u3000", "\ufeff"),
)
_NO_LINE_END: Final = complement(_of("\n", "\r", "\u2028", "\u2029"))
_CLASSES: Final[Mapping[str, Ranges]] = {
    "d": DIGITS,
    "D": complement(DIGITS),
    "w": WORDS,
    "W": complement(WORDS),
    "s": SPACES,
    "S": complement(SPACES),
}
_CONTROLS: Final = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "0": "\0"}

# Names of the general categories (PropertyValueAliases of the Unicode Character Database).
_CATEGORIES: Final = {
    "L": "Letter",
    "LC": "Cased_Letter",
    "Lu": "Uppercase_Letter",
    "Ll": "Lowercase_Letter",
    "Lt": "Titlecase_Letter",
    "Lm": "Modifier_Letter",
    "Lo": "Other_Letter",
    "M": "Mark",
    "Mn": "Nonspacing_Mark",
    "Mc": "Spacing_Mark",
    "Me": "Enclosing_Mark",
    "N": "Number",
    "Nd": "Decimal_Number",
    "Nl": "Letter_Number",
    "No": "Other_Number",
    "P": "Punctuation",
    "Pc": "Connector_Punctuation",
    "Pd": "Dash_Punctuation",
    "Ps": "Open_Punctuation",
    "Pe": "Close_Punctuation",
    "Pi": "Initial_Punctuation",
    "Pf": "Final_Punctuation",
    "Po": "Other_Punctuation",
    "S": "Symbol",
    "Sm": "Math_Symbol",
    "Sc": "Currency_Symbol",
    "Sk": "Modifier_Symbol",
    "So": "Other_Symbol",
    "Z": "Separator",
    "Zs": "Space_Separator",
    "Zl": "Line_Separator",
    "Zp": "Paragraph_Separator",
    "C": "Other",
    "Cc": "Control",
    "Cf": "Format",
    "Cs": "Surrogate",
    "Co": "Private_Use",
    "Cn": "Unassigned",
}
_BY_NAME: Final[Mapping[str, str]] = {
    **{name: name for name in _CATEGORIES},
    **{long: name for name, long in _CATEGORIES.items()},
    **{"Combining_Mark": "M", "digit": "Nd", "punct": "P", "cntrl": "Cc"},
}
_CASED: Final = ("Lu", "Ll", "Lt")


@lru_cache(len(_CATEGORIES))
def _category(name: str) -> Ranges:
    """The characters of a general category by its short name, a letter for all that begin so."""
    wanted = _CASED if name == "LC" else (name,)
    return union(*(ranges for one, ranges in _categories().items() if one.startswith(wanted)))


@lru_cache(1)
def _categories() -> Mapping[str, Ranges]:
    """The characters of every category of two letters. All characters are looked at, once."""
    from itertools import groupby
    from unicodedata import category

    found: dict[str, list[tuple[int, int]]] = {}
    at = 0
    for name, run in groupby(map(category, map(chr, range(LAST + 1)))):
        end = at + sum(1 for _ in run)
        found.setdefault(name, []).append((at, end - 1))
        at = end
    return {name: tuple(ranges) for name, ranges in found.items()}


# --- the parser ---------------------------------------------------------------------------

_BACK_REFERENCE: Final = "a back-reference cannot be matched in linear time"
_LOOK_AROUND: Final = {
    "=": "look-ahead cannot be matched in linear time",
    "!": "look-ahead cannot be matched in linear time",
    "<=": "look-behind cannot be matched in linear time",
    "<!": "look-behind cannot be matched in linear time",
}


class _Parser:
    """Reads a pattern from left to right; `at` is where it stands."""

    def __init__(self, pattern: str) -> None:
        self.at = 0
        self._pattern = pattern

    def choice(self, depth: int) -> Node:
        """Alternatives, up to the end of a group or of the pattern."""
        if depth > _DEEPEST:
            raise Refused(f"its groups are nested more than {_DEEPEST} deep")
        branches = [self._sequence(depth)]
        while self._took("|"):
            branches.append(self._sequence(depth))
        return branches[0] if len(branches) == 1 else ("any", tuple(branches))

    def _sequence(self, depth: int) -> Node:
        nodes: list[Node] = []
        while self.at < len(self._pattern) and self._pattern[self.at] not in "|)":
            nodes.append(self._repeated(self._atom(depth)))
        return nodes[0] if len(nodes) == 1 else ("all", tuple(nodes))

    def _atom(self, depth: int) -> Node:
        letter = self._next()
        match letter:
            case "^":
                return ("start",)
            case "$":
                return ("end",)
            case ".":
                return ("set", _NO_LINE_END)
            case "(":
                return self._group(depth)
            case "[":
                return ("set", self._class())
            case "\\":
                return self._escape()
            case "*" | "+" | "?":
                raise Refused(f'"{letter}" repeats nothing')
        self.at -= 1
        if letter == "{" and self._counts() is not None:
            raise Refused('"{" repeats nothing')
        return ("set", _of(self._next()))

    def _group(self, depth: int) -> Node:
        if self._took("?"):
            for mark, why in _LOOK_AROUND.items():
                if self._took(mark):
                    raise Refused(why)
            if self._took("<"):
                name, found, _ = self._pattern[self.at :].partition(">")
                if not found or not name.isidentifier():
                    raise Refused("a group has no proper name")
                self.at += len(name) + 1
            elif not self._took(":"):
                raise Refused('a group begins with "(?" and what no other dialect knows')
        node = self.choice(depth + 1)
        if not self._took(")"):
            raise Refused('a "(" is not closed')
        return node

    def _repeated(self, node: Node) -> Node:
        counts = self._counts()
        if counts is None:
            return node
        if node[0] in ("start", "end", "word"):
            raise Refused("what has no width is repeated")
        self._took("?")  # whether a pattern is found does not depend on it
        low, high = counts
        if high is not None and low > high:
            raise Refused("the bounds of a repetition are in the wrong order")
        if max(low, high or 0) > _MOST_TIMES:
            raise Refused(f"a repetition is for more than {_MOST_TIMES:,} times")
        return ("repeat", node, low, high)

    def _counts(self) -> tuple[int, int | None] | None:
        """How often what stands before is repeated, None when it is not. A brace that is no such
        bound stands for itself."""
        for mark, counts in _MARKS.items():
            if self._took(mark):
                return counts
        if self._pattern[self.at : self.at + 1] != "{":
            return None
        inside, closed, _ = self._pattern[self.at + 1 :].partition("}")
        low, comma, high = inside.partition(",")
        if closed and comma and not low and _is_count(high):
            raise Refused('"{,n}" counts in some languages only, "{0,n}" in all')
        if not closed or not _is_count(low) or high and not _is_count(high):
            return None
        self.at += len(inside) + 2
        return _count(low), (_count(high) if high else None) if comma else _count(low)

    def _class(self) -> Ranges:
        is_negated = self._took("^")
        members: list[Ranges] = []
        while not self._took("]"):
            first = self._member()
            if self._pattern[self.at : self.at + 1] == "-" and not self._ends_class(self.at + 1):
                self._next()
                members += self._range(first, self._member())
            else:
                members.append(first)
        ranges = union(*set(members))  # a category said a thousand times is merged once
        return complement(ranges) if is_negated else ranges

    def _range(self, first: Ranges, last: Ranges) -> list[Ranges]:
        if any(len(one) != 1 or one[0][0] != one[0][1] for one in (first, last)):
            return [first, last, _of("-")]
        if first[0][0] > last[0][0]:
            raise Refused("the ends of a range are in the wrong order")
        return [((first[0][0], last[0][0]),)]

    def _ends_class(self, at: int) -> bool:
        return self._pattern[at : at + 1] in ("]", "")

    def _member(self) -> Ranges:
        letter = self._next('a "[" is not closed')
        if letter != "\\":
            return _of(letter)
        if self._took("b"):
            return _of("\b")
        node = self._escape()
        if node[0] != "set":
            raise Refused("a class holds what is no character")
        ranges: Ranges = node[1]
        return ranges

    def _escape(self) -> Node:
        letter = self._next("it ends with a backslash")
        if letter in _CLASSES:
            return ("set", _CLASSES[letter])
        if letter in "bB":
            return ("word", letter == "b")
        if letter in "pP":
            ranges = self._property()
            return ("set", ranges if letter == "p" else complement(ranges))
        if letter in "123456789k":
            raise Refused(_BACK_REFERENCE)
        return ("set", ((self._escaped(letter),) * 2,))

    def _escaped(self, letter: str) -> int:
        """The code point that an escape stands for."""
        if letter == "0" and self._pattern[self.at : self.at + 1] in _DIGITS:
            raise Refused('"\\0" is followed by a digit')
        if letter in _CONTROLS:
            return ord(_CONTROLS[letter])
        if letter == "c":
            control = self._next()
            if not (control.isascii() and control.isalpha()):
                raise Refused('"\\c" is not followed by a letter')
            return ord(control) % 32
        if letter == "x":
            return self._hex(2)
        if letter == "u":
            return self._unicode()
        if letter.isalnum():
            raise Refused(f'the escape "\\{letter}" is not known here')
        return ord(letter)

    def _unicode(self) -> int:
        if self._took("{"):
            digits, closed, _ = self._pattern[self.at : self.at + 10].partition("}")
            if not closed or not _is_hex(digits) or int(digits, 16) > LAST:
                raise Refused('"\\u{" is not followed by a code point and "}"')
            self.at += len(digits) + 1
            return int(digits, 16)
        code = self._hex(4)
        if 0xD800 <= code < 0xDC00 and self._pattern[self.at : self.at + 2] == "\\u":
            digits = self._pattern[self.at + 2 : self.at + 6]
            if len(digits) == 4 and _is_hex(digits) and 0xDC00 <= int(digits, 16) < 0xE000:
                self.at += 6
                return 0x10000 + ((code - 0xD800) << 10) + int(digits, 16) - 0xDC00
        return code

    def _hex(self, length: int) -> int:
        digits = self._pattern[self.at : self.at + length]
        if len(digits) < length or not _is_hex(digits):
            raise Refused(f"an escape is not followed by {length} hexadecimal digits")
        self.at += length
        return int(digits, 16)

    def _property(self) -> Ranges:
        if not self._took("{"):
            raise Refused('"\\p" is not followed by a property in braces')
        name, closed, _ = self._pattern[self.at : self.at + 80].partition("}")
        if not closed:
            raise Refused('"\\p{" is not closed')
        self.at += len(name) + 1
        value = name.removeprefix("General_Category=").removeprefix("gc=")
        if value not in _BY_NAME:
            raise Refused(f'the property "{name[:40]}" is not known here, general categories are')
        return _category(_BY_NAME[value])

    def _next(self, why: str = "it ends too early") -> str:
        if self.at >= len(self._pattern):
            raise Refused(why)
        self.at += 1
        return self._pattern[self.at - 1]

    def _took(self, mark: str) -> bool:
        if not self._pattern.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True


_DIGITS: Final = frozenset("0123456789")
_MARKS: Final[Mapping[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _count(digits: str) -> int:
    """A number that may be too long to be read: then it is one that is refused."""
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) < 10 else _MOST_TIMES + 1


def _is_hex(text: str) -> bool:
    return text != "" and all(letter in "0123456789abcdefABCDEF" for letter in text)
