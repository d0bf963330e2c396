"""On random patterns and texts the automaton finds what Python's `re` finds, and so does `re` where
it is said to be linear."""

import random
import re

import pytest
from dsh_tools.schema.pattern_syntax import Node, Refused, parsed
from dsh_tools.schema.patterns import Automaton, is_linear, search_of

ATOMS = ["a", "b", "c", ".", "[ab]", "[^a]", r"\d", r"\w", r"\b", "^", "$"]


def random_pattern(rng: random.Random, depth: int) -> str:
    if not depth or rng.random() < 0.3:
        return rng.choice(ATOMS)
    inner, other = random_pattern(rng, depth - 1), random_pattern(rng, depth - 1)
    repeated = f"(?:{inner}){rng.choice(['*', '+', '?', '{2}', '{1,3}', '*?'])}"
    return rng.choice([inner + other, f"(?:{inner}|{other})", repeated])


def node_of(pattern: str) -> Node | None:
    try:
        return parsed(pattern)
    except Refused:
        return None


@pytest.mark.parametrize("seed", range(20))
def test_the_automaton_finds_what_re_finds(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(250):
        pattern = random_pattern(rng, 4)
        node = node_of(pattern)
        if node is None:
            continue
        automaton, oracle = Automaton(node), re.compile(pattern.replace("$", r"\Z"), re.ASCII)
        for _ in range(4):
            text = "".join(rng.choice("abc1 \n") for _ in range(rng.randrange(8)))
            wanted = oracle.search(text) is not None
            assert automaton.search(text) == wanted, (pattern, text)
            assert search_of(pattern)(text) == wanted, (pattern, text, is_linear(node))
