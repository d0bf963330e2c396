"""`InferArgs[...]` of what is no spec."""

from typing import reveal_type

import specs
from dsh_tools import InferArgs, prop, schema

PARAMS = schema({"path": {"type": "string"}})
PLAIN = {"path": {"type": "string"}}
NUMBER = 5
PROP = prop({"type": "string"})
ALIAS = PARAMS


def function() -> None:
    pass


class Class:
    pass


def wrong(
    a: InferArgs[PLAIN],
    # E: InferArgs[...] needs the name of a schema(...) constant, "PLAIN" is none  [dsh-schema]
    b: InferArgs[NUMBER],
    # E: InferArgs[...] needs the name of a schema(...) constant, "NUMBER" is none  [dsh-schema]
    c: InferArgs[PROP],
    # E: InferArgs[...] needs the name of a schema(...) constant, "PROP" is none  [dsh-schema]
    d: InferArgs[ALIAS],
    # E: InferArgs[...] needs the name of a schema(...) constant, "ALIAS" is none  [dsh-schema]
    e: InferArgs[function],
    # E: InferArgs[...] needs the name of a schema(...) constant, "function" is none  [dsh-schema]
    f: InferArgs[Class],
    # E: InferArgs[...] needs the name of a schema(...) constant, "Class" is none  [dsh-schema]
    g: InferArgs[nowhere],
    # E: InferArgs[...] needs the name of a schema(...) constant, "nowhere" is none  [dsh-schema]
    # E: Name "nowhere" is not defined  [name-defined]
    h: InferArgs[specs.nowhere],
    # E: InferArgs[...] needs the name of a schema(...) constant, "specs.nowhere" is none  [dsh-schema]
    # E: Name "specs.nowhere" is not defined  [name-defined]
    i: InferArgs[int],
    # E: InferArgs[...] needs the name of a schema(...) constant, "int" is none  [dsh-schema]
    j: InferArgs[specs],
    # E: InferArgs[...] needs the name of a schema(...) constant, "specs" is none  [dsh-schema]
    k: InferArgs,  # E: InferArgs[...] takes one name, that of a schema(...) constant  [dsh-schema]
    m: InferArgs[PARAMS, PARAMS],
    # E: InferArgs[...] takes one name, that of a schema(...) constant  [dsh-schema]
    n: InferArgs[{"path": {"type": "string"}}],
    # E: InferArgs[...] takes one name, that of a schema(...) constant  [dsh-schema]
    # E: Name "string" is not defined  [name-defined]
    o: InferArgs[5],
    # E: InferArgs[...] takes one name, that of a schema(...) constant  [dsh-schema]
) -> None:
    reveal_type(a)  # R: Any
    reveal_type(k)  # R: Any
