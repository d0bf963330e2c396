"""Enums in constants."""

from typing import Final, Literal, get_args, reveal_type

import specs
from dsh_tools import InferArgs, schema
from specs import KIND, NAME, SIZES, WORDS, Color

Mode = Literal["r", "w"]
MODES = ["text", "binary"]
FINAL_MODES: Final = ["f", "g"]
LEVELS: Final[list[int]] = [1, 2]
TUPLE: Final = ("x", "y")
FIRST = "first"
GROWING = ["a"]
GROWING.append("b")
ONE: Final = "one"

PARAMS = schema(
    {
        "plain": {"type": "string", "enum": MODES},
        "final": {"type": "string", "enum": FINAL_MODES},
        "levels": {"type": "integer", "enum": LEVELS},
        "star": {"type": "string", "enum": [*MODES, "more"]},
        "tuple": {"type": "string", "enum": list(TUPLE)},
        "alias": {"type": "string", "enum": list(get_args(Mode))},
        "star_alias": {"type": "string", "enum": [*get_args(Mode)]},
        "other": {"type": "string", "enum": list(get_args(Color))},
        "dotted": {"type": "string", "enum": list(get_args(specs.Color))},
        "names": {"type": "string", "enum": [FIRST, ONE, NAME]},
        "words": {"type": "string", "enum": list(WORDS)},
        "sum": {"type": "string", "enum": MODES + ["more"]},
        "joined": {"type": "string", "enum": ["a" "b", "c" + "d"]},
        "negative": {"type": "integer", "enum": [-1, 0, 1]},
        "kind": {"type": KIND, "enum": [7]},
    }
)


def body(args: InferArgs[PARAMS]) -> None:
    reveal_type(args.get("plain"))  # R: Literal['text'] | Literal['binary'] | None
    reveal_type(args.get("final"))  # R: Literal['f'] | Literal['g'] | None
    reveal_type(args.get("levels"))  # R: Literal[1] | Literal[2] | None
    reveal_type(args.get("star"))  # R: Literal['text'] | Literal['binary'] | Literal['more'] | None
    reveal_type(args.get("tuple"))  # R: Literal['x'] | Literal['y'] | None
    reveal_type(args.get("alias"))  # R: Literal['r'] | Literal['w'] | None
    reveal_type(args.get("star_alias"))  # R: Literal['r'] | Literal['w'] | None
    reveal_type(args.get("other"))  # R: Literal['red'] | Literal['green'] | None
    reveal_type(args.get("dotted"))  # R: Literal['red'] | Literal['green'] | None
    reveal_type(args.get("names"))
    # R: Literal['first'] | Literal['one'] | Literal['from_constant'] | None
    reveal_type(args.get("words"))  # R: Literal['a'] | Literal['b'] | None
    reveal_type(args.get("sum"))  # R: Literal['text'] | Literal['binary'] | Literal['more'] | None
    reveal_type(args.get("joined"))  # R: Literal['ab'] | Literal['cd'] | None
    reveal_type(args.get("negative"))  # R: Literal[-1] | Literal[0] | Literal[1] | None
    reveal_type(args.get("kind"))  # R: Literal[7] | None


UNSEEN = schema(
    {
        "sizes": {"type": "string", "enum": SIZES},
        # N: mypy cannot see this "enum" ("SIZES" is no constant, assigned once in this module and never changed), so the type goes without it
        "dotted": {"type": "string", "enum": specs.SIZES},
        # N: mypy cannot see this "enum" ("SIZES" is no constant, assigned once in this module and never changed), so the type goes without it
        "grown": {"type": "string", "enum": GROWING},
        # N: mypy cannot see this "enum" ("GROWING" is no constant, assigned once in this module and never changed), so the type goes without it
        "made": {"type": "string", "enum": [str(n) for n in range(3)]},
        # N: mypy cannot see this "enum" (it is a comprehension), so the type goes without it
        "called": {"type": "string", "enum": sorted(MODES)},
        # N: mypy cannot see this "enum" (it is the result of a call), so the type goes without it
    }
)


def unseen(args: InferArgs[UNSEEN]) -> None:
    reveal_type(args)
    # R: TypedDict(enums.InferArgs[UNSEEN], {'sizes'?: str, 'dotted'?: str, 'grown'?: str, 'made'?: str, 'called'?: str})


TUPLES = schema({"tuple": {"type": "string", "enum": TUPLE}})
# E: "tuple": "enum" must be a list, not a tuple  [dsh-schema]
BAD = schema({"alias": {"type": "string", "enum": get_args(Mode)}})
# E: "alias": "enum" must be a list, not a tuple  [dsh-schema]

# A constant that a nested statement changes is none either.
IN_LOOP = ["a"]
for size in ("b", "c"):
    IN_LOOP.append(size)
IN_IF = ["a"]
if SIZES:
    IN_IF += ["b"]
IN_TRY: Final = ["a"]
try:
    pass
finally:
    IN_TRY.extend(SIZES)
IN_FUNCTION = ["a"]
GLOBAL = ["a"]
SHADOWED = ["a"]


def change() -> None:
    global GLOBAL
    GLOBAL = ["b"]
    SHADOWED = ["b"]
    with open("/dev/null"):
        IN_FUNCTION[0] = SHADOWED[0]


NESTED = schema(
    {
        "loop": {"type": "string", "enum": IN_LOOP},
        # N: mypy cannot see this "enum" ("IN_LOOP" is no constant, assigned once in this module and never changed), so the type goes without it
        "if": {"type": "string", "enum": IN_IF},
        # N: mypy cannot see this "enum" ("IN_IF" is no constant, assigned once in this module and never changed), so the type goes without it
        "try": {"type": "string", "enum": IN_TRY},
        # N: mypy cannot see this "enum" ("IN_TRY" is no constant, assigned once in this module and never changed), so the type goes without it
        "function": {"type": "string", "enum": IN_FUNCTION},
        # N: mypy cannot see this "enum" ("IN_FUNCTION" is no constant, assigned once in this module and never changed), so the type goes without it
        "global": {"type": "string", "enum": GLOBAL},
        # N: mypy cannot see this "enum" ("GLOBAL" is no constant, assigned once in this module and never changed), so the type goes without it
        "shadowed": {"type": "string", "enum": SHADOWED},
    }
)


def nested(args: InferArgs[NESTED]) -> None:
    reveal_type(args)
    # R: TypedDict(enums.InferArgs[NESTED], {'loop'?: str, 'if'?: str, 'try'?: str, 'function'?: str, 'global'?: str, 'shadowed'?: Literal['a']})
