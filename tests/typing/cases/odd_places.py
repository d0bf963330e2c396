"""Names that are bound in odd ways, and calls in odd forms."""

import sys
from functools import partial
from typing import Any, reveal_type

from dsh_tools import InferArgs, define_tool, prop, schema
from dsh_tools import schema as alias

if sys.version_info >= (3, 8):
    BRANCH = schema({"new": {"type": "string"}})
else:
    BRANCH = schema({"old": {"type": "string"}})

if len(sys.argv) > 1:
    EITHER = schema({"one": {"type": "string"}})
else:
    EITHER = schema({"two": {"type": "integer", "required": True}})
    # E: Incompatible types in assignment (expression has type "Spec[TypedDict({'two': int})]", variable has type "Spec[InferArgs[EITHER]]")  [assignment]

try:
    TRIED = schema({"tried": {"type": "string"}})
except ValueError:
    raise

for LOOPED in [schema({"looped": {"type": "string"}})]:
    pass

first, second = schema({"a": {"type": "string"}}), schema({"b": {"type": "string"}})
CHOSEN = schema({"a": {"type": "string"}}) if len(sys.argv) else schema({"b": {"type": "string"}})
COPY = schema({"a": {"type": "string"}}).copy()
# E: "Spec[TypedDict({'a'?: str})]" has no attribute "copy"  [attr-defined]
KEYWORD = schema(spec={"keyword": {"type": "string"}})
NOTHING = schema()  # E: Missing positional argument "spec" in call to "schema"  [call-arg]
TOO_MUCH = schema({}, {})  # E: Too many arguments for "schema"  [call-arg]
STARRED = schema(*[{}])
DOUBLE_STARRED = schema(**{})
EMPTY = schema({})
renamed = schema
BY_ALIAS = alias({"a": {"type": "strin"}})
# E: "a": unknown type "strin", did you mean "string"?  [dsh-schema]
NO_PROP = prop()  # E: Missing positional argument "spec" in call to "prop"  [call-arg]


def body(
    a: InferArgs[BRANCH],
    b: InferArgs[EITHER],
    c: InferArgs[TRIED],
    d: InferArgs[KEYWORD],
    e: InferArgs[EMPTY],
) -> None:
    reveal_type(a)  # R: TypedDict(odd_places.InferArgs[BRANCH], {'new'?: str})
    reveal_type(b)  # R: TypedDict(odd_places.InferArgs[EITHER], {'one'?: str})
    reveal_type(c)  # R: TypedDict(odd_places.InferArgs[TRIED], {'tried'?: str})
    reveal_type(d)  # R: TypedDict(odd_places.InferArgs[KEYWORD], {'keyword'?: str})
    reveal_type(e)  # R: TypedDict(odd_places.InferArgs[EMPTY], {})


reveal_type(schema({"inline": {"type": "string"}}))
# R: dsh_tools.schema.spec.Spec[TypedDict({'inline'?: str})]
reveal_type(first)  # R: dsh_tools.schema.spec.Spec[TypedDict({'a'?: str})]


def outer() -> None:
    global GLOBAL
    GLOBAL = schema({"global": {"type": "string"}})
    # E: Name "GLOBAL" is not defined  [name-defined]


class WithInit:
    def __init__(self) -> None:
        self.params = schema({"attribute": {"type": "string"}})
        reveal_type(self.params)  # R: dsh_tools.schema.spec.Spec[TypedDict({'attribute'?: str})]


kwargs: dict[str, Any] = {}
define_tool(**kwargs)
make = partial(define_tool, name="a", description="d", parameters={})
