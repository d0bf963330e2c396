import pytest
from dsh_tools.schema.pattern_syntax import parsed
from dsh_tools.schema.patterns import Automaton, is_linear, pattern_fault, search_of

FOUND = [
    ("b+", "abbc", "ac"),
    ("^[a-z]+$", "abc", "ab\n"),
    (r"^\d+$", "12", "٣"),
    (r"^\w+$", "a_1", "é"),
    (r"^\s$", "\ufeff", "\u200b"),
    (r"\bcat\b", "a cat.", "concat"),
    (r"^\B$", "", "a"),
    ("^.$", "é", "\u2028"),
    ("^(?:a|b){2,3}$", "aba", "abab"),
    ("^(?<year>[0-9]{4})$", "2026", "26"),
    ("^a*?b$", "aab", "aa"),
    (r"^[^\d-]+$", "ab", "a-b"),
    (r"^[\w-.]+$", "a-b.c", "a b"),
    ("^[]$|^x$", "x", ""),
    ("^[^]$", "\n", ""),
    (r"^\u{1F600}$", "😀", "x"),
    (r"^\uD83D\uDE00$", "😀", "\ud83d"),
    (r"^\x41\t\cJ\0$", "A\t\n\0", "A"),
    (r"^\p{Lu}\p{Letter}+$", "Éa", "éa"),
    (r"^\P{Nd}$", "a", "٣"),
    (r"^a\/\-\.$", "a/-.", "a/-x"),
    ("^{x}]$", "{x}]", "x"),
    ("a|^$", "", "b"),
    (r"^\p{Currency_Symbol}\p{gc=Nd}$", "€1", "a1"),
    (r"^[\p{LC}\p{P}]+$", "a.B", "ª"),
    ("^.{1,4096}$", "a" * 4_096, "a" * 4_097),
    ("^a{0000000000002}$", "aa", "a"),
    ("^a{2400}b$", "a" * 2_400 + "b", "ab"),
    ("", "anything", None),
]


WILD = [
    (r"^(Time)?SlicerStyle(Light|Dark|Other)\d$", "TimeSlicerStyleDark3", "SlicerStyleDark33"),
    ("^=", "=A1", "A=1"),
    (r"^I?\d+[:|-]\d+(?:;\d+[:|-]\d+)*$", "I1:2;33-4", "I1:2;"),
    ("^[0-9a-fA-F]{3}([0-9a-fA-F]{3})?$", "a0Fa0F", "a0Fa"),
    ("^[0-9a-fA-F]{6}$", "00ffAA", "00ffAA0"),
    ("^[A-Z][A-Z0-9_]+$", "A_1", "A"),
    (r"^[A-Z][A-Z0-9_]+-\d+(?:-\d+)*$", "AB-12-3", "AB-12-"),
    ("^[a-zA-Z0-9]+$", "aZ9", "aZ9\n"),
    ("^[a-zA-Z0-9][a-zA-Z0-9._-]*$", "a.b-c", ".a"),
    ("^[a-zA-Z0-9_-]+$", "a-b_c", "a.b"),
    (r"^[a-zA-Z0-9_.-]+\.(png|svg|gif)$", "a.b.png", "a.pngx"),
    (r"^\d{4}-\d{2}-\d{2}$", "2026-01-31", "2026-1-31"),
    (r"^\d{4}-\d{2}-\d{2}to\d{4}-\d{2}-\d{2}$", "2026-01-31to2026-02-01", "2026-01-31"),
]
"""The patterns of real tools' schemas."""


@pytest.mark.parametrize(("pattern", "found", "other"), [*FOUND, *WILD])
def test_a_pattern_is_found_where_it_is(pattern: str, found: str, other: str | None) -> None:
    assert pattern_fault(pattern) is None
    for search in (search_of(pattern), Automaton(parsed(pattern)).search):
        assert search(found)
        assert other is None or not search(other)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("(?=a)b", "look-ahead cannot be matched in linear time"),
        ("(?<!a)b", "look-behind cannot be matched in linear time"),
        (r"(a)\1", "a back-reference cannot be matched in linear time"),
        (r"(?<n>a)\k<n>", "a back-reference cannot be matched in linear time"),
        ("(?i)a", 'a group begins with "(?" and what no other dialect knows'),
        ("(?<1>a)", "a group has no proper name"),
        ("(a", 'a "(" is not closed'),
        ("a)", 'a ")" closes no group'),
        ("[a", 'a "[" is not closed'),
        ("a**", '"*" repeats nothing'),
        ("{1}", '"{" repeats nothing'),
        ("^*", "what has no width is repeated"),
        ("a{3,2}", "the bounds of a repetition are in the wrong order"),
        ("a{,3}", '"{,n}" counts in some languages only, "{0,n}" in all'),
        ("[z-a]", "the ends of a range are in the wrong order"),
        ("a{1" + "0" * 5_000 + "}", "a repetition is for more than 1,000,000 times"),
        ("a*a{9999}", "its repetitions written out are more than 5,000 states"),
        ("(((a|b){100}){100}){9}", "its repetitions written out are more than 5,000 states"),
        ("(" * 200 + ")" * 200, "its groups are nested more than 50 deep"),
        (r"\01", r'"\0" is followed by a digit'),
        (r"\p{Lq}", 'the property "Lq" is not known here, general categories are'),
        (r"\p{}", 'the property "" is not known here, general categories are'),
        ("(" * 50_000, "it is longer than 20,000 characters"),
        ("\\", "it ends with a backslash"),
        (r"\Z", r'the escape "\Z" is not known here'),
        (r"\xg1", "an escape is not followed by 2 hexadecimal digits"),
        (r"\u{110000}", r'"\u{" is not followed by a code point and "}"'),
        (r"\p{Script=Greek}", 'the property "Script=Greek" is not known here, general categories are'),
        (r"[\b-\d]\B[\B]", "a class holds what is no character"),
        ("a{2", None),
        ("\ud800", None),
    ],
)
def test_what_is_outside_the_subset_is_told(pattern: str, fault: str | None) -> None:
    assert pattern_fault(pattern) == fault


HOSTILE = [
    r"(a+)+$",
    r"(a|a)*b",
    r"(.*)*x",
    r"a*b",
    r"^(\w+\s?)*$",
    r"\d+\d+x",
    r"(a|aa)+$",
    r"a*a*b",
    r"^(a?){30}a{30}$",
    r"^a*a$",
    r"(?:a{0,40}){40}c",
    r"a{0,500}a{500}",
]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_hostile_patterns_take_steps_in_proportion_to_the_text(pattern: str) -> None:
    node = parsed(pattern)
    assert not is_linear(node)
    for unit in ("a", "a ", "1", "ab1 "):
        steps = []
        for times in (2_000, 4_000):
            automaton = Automaton(node)
            automaton.search(unit * times + "!")
            steps.append(automaton.steps)
        assert steps[1] <= 2.2 * steps[0]


def test_a_text_of_many_characters_does_not_fill_the_memory() -> None:
    automaton = Automaton(parsed("a.*b"))
    assert automaton.search("a" + "".join(map(chr, range(0x3000, 0xD000))) + "b")
    assert len(automaton._known) <= 10


def test_what_is_remembered_is_bounded_however_many_states_a_place_has() -> None:
    automaton = Automaton(parsed("a[ab]{200}c"))
    assert not automaton.search(f"{3**1_500:b}".replace("0", "a").replace("1", "b"))
    assert automaton.steps > 3 * 50_000
    assert automaton.held < 51_000


def test_categories_said_many_times_are_read() -> None:
    assert pattern_fault(r"[\p{L}\P{Lu}\p{Currency_Symbol}]\p{Zs}" * 400) is None


@pytest.mark.parametrize("pattern", ["^[a-z]+$", r"^\d{4}-\d{2}$", "^(a|b)c*d$", "^=", "abc", "[ab]{150}c", "a{0,2400}b"])
def test_what_is_sure_to_be_linear_goes_to_re(pattern: str) -> None:
    assert is_linear(parsed(pattern))
