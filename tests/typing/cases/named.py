"""`InferArgs[NAME]` wherever a type may stand in one module."""

from collections.abc import Callable
from typing import ClassVar, Final, Generic, Optional, TypeAlias, TypeVar, cast, reveal_type

import dsh_tools
from dsh_tools import InferArgs, ToolExecution, define_tool, schema
from dsh_tools import schema as make_spec
from dsh_tools.schema.spec import Spec

T = TypeVar("T")


def before(args: InferArgs[PARAMS]) -> None:
    reveal_type(args)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str})


PARAMS = schema({"path": {"type": "string", "required": True}})
FINAL: Final = schema({"final": {"type": "string"}})
FIRST = SECOND = schema({"twice": {"type": "string"}})
RENAMED = make_spec({"renamed": {"type": "string"}})
DOTTED = dsh_tools.schema({"dotted": {"type": "string"}})
Args: TypeAlias = InferArgs[PARAMS]
Plain = InferArgs[PARAMS]

reveal_type(PARAMS)
# R: dsh_tools.schema.spec.Spec[TypedDict(named.InferArgs[PARAMS], {'path': str})]


def after(
    args: InferArgs[PARAMS],
    quoted: "InferArgs[PARAMS]",
    inner: InferArgs["PARAMS"],
    final: InferArgs[FINAL],
    first: InferArgs[FIRST],
    second: InferArgs[SECOND],
    renamed: InferArgs[RENAMED],
    dotted: InferArgs[DOTTED],
    alias: Args,
    plain: Plain,
    optional: Optional[InferArgs[PARAMS]],
    union: InferArgs[PARAMS] | None,
    many: list[InferArgs[PARAMS]],
    call: Callable[[InferArgs[PARAMS]], None],
) -> InferArgs[PARAMS]:
    reveal_type(args)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str})
    reveal_type(quoted)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str})
    reveal_type(inner)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str})
    reveal_type(final)  # R: TypedDict(named.InferArgs[FINAL], {'final'?: str})
    reveal_type(first)  # R: TypedDict(named.InferArgs[FIRST], {'twice'?: str})
    reveal_type(second)  # R: TypedDict(named.InferArgs[SECOND], {'twice'?: str})
    reveal_type(renamed)  # R: TypedDict(named.InferArgs[RENAMED], {'renamed'?: str})
    reveal_type(dotted)  # R: TypedDict(named.InferArgs[DOTTED], {'dotted'?: str})
    reveal_type(alias)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str})
    reveal_type(plain)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str})
    reveal_type(optional)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str}) | None
    reveal_type(union)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str}) | None
    reveal_type(many)  # R: list[TypedDict(named.InferArgs[PARAMS], {'path': str})]
    reveal_type(call)  # R: def (TypedDict(named.InferArgs[PARAMS], {'path': str}))
    return {"pat": "x"}
    # E: Extra key "pat" for TypedDict "InferArgs[PARAMS]"  [typeddict-unknown-key]
    # E: Missing key "path" for TypedDict "InferArgs[PARAMS]"  [typeddict-item]


variable: InferArgs[PARAMS] = {"path": 1}
# E: Incompatible types (expression has type "int", TypedDict item "path" has type "str")  [typeddict-item]
cast("InferArgs[PARAMS]", {})["pth"]
# E: TypedDict "InferArgs[PARAMS]" has no key "pth"  [typeddict-item]
# N: Did you mean "path"?


class Box(Generic[T]):
    content: T


def boxed(box: Box[InferArgs[PARAMS]]) -> None:
    reveal_type(box.content)  # R: TypedDict(named.InferArgs[PARAMS], {'path': str})


class Tool:
    PARAMS = schema({"depth": {"type": "integer", "required": True}})
    SHARED: ClassVar = schema({"shared": {"type": "string"}})

    def method(self, args: "InferArgs[Tool.PARAMS]") -> None:
        reveal_type(args)  # R: TypedDict(named.Tool.InferArgs[PARAMS], {'depth': int})

    def inside(self, args: InferArgs[PARAMS]) -> None:
        reveal_type(args)  # R: TypedDict(named.Tool.InferArgs[PARAMS], {'depth': int})

    def shared(self, args: InferArgs[SHARED]) -> None:
        reveal_type(args)  # R: TypedDict(named.Tool.InferArgs[SHARED], {'shared'?: str})

    class Nested:
        PARAMS = schema({"nested": {"type": "boolean"}})


def of_class(args: InferArgs[Tool.PARAMS], nested: InferArgs[Tool.Nested.PARAMS]) -> None:
    reveal_type(args)  # R: TypedDict(named.Tool.InferArgs[PARAMS], {'depth': int})
    reveal_type(nested)  # R: TypedDict(named.Tool.Nested.InferArgs[PARAMS], {'nested'?: bool})
    args["deep"]  # E: TypedDict "InferArgs[PARAMS]" has no key "deep"  [typeddict-item]


def local() -> None:
    params = schema({"local": {"type": "string", "required": True}})

    def inner(args: InferArgs[params]) -> None:
        reveal_type(args)  # R: TypedDict({'local': str})
        args["lokal"]  # E: "lokal" is not a valid TypedDict key; expected one of ("local")  [misc]

    class Local:
        PARAMS = schema({"attribute": {"type": "string", "required": True}})

        def method(self, args: "InferArgs[Local.PARAMS]") -> None:
            reveal_type(args)  # R: TypedDict({'attribute': str})

    inner({"local": 1})
    # E: Incompatible types (expression has type "int", TypedDict item "local" has type "str")  [typeddict-item]


async def coroutine(args: InferArgs[PARAMS]) -> str:
    return args["pth"]
    # E: Returning Any from function declared to return "str"  [no-any-return]
    # E: TypedDict "InferArgs[PARAMS]" has no key "pth"  [typeddict-item]
    # N: Did you mean "path"?


def for_params(args: InferArgs[PARAMS], execution: ToolExecution) -> str:
    return args["path"]


def for_final(args: InferArgs[FINAL], execution: ToolExecution) -> str:
    return args.get("final", "")


define_tool(name="a", description="d", parameters=PARAMS, execute=for_params)
define_tool(name="a", description="d", parameters=FINAL, execute=for_final)
define_tool(name="a", description="d", parameters=FINAL, execute=for_params)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[InferArgs[PARAMS], ToolExecution], str]"; expected "Callable[[InferArgs[FINAL], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
define_tool(name="a", description="d", parameters=Tool.PARAMS, execute=for_params)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[named.InferArgs[PARAMS], ToolExecution], str]"; expected "Callable[[named.Tool.InferArgs[PARAMS], ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
define_tool(name="a", description="d", parameters=PARAMS, execute=lambda a, e: a["pth"])
# E: TypedDict "InferArgs[PARAMS]" has no key "pth"  [typeddict-item]
# N: Did you mean "path"?
define_tool(
    name="a",
    description="d",
    parameters=schema({"path": {"type": "string", "required": True}}),
    execute=for_params,
)


def wants_spec(spec: Spec[InferArgs[PARAMS]]) -> None:
    pass


wants_spec(PARAMS)
wants_spec(FINAL)
# E: Argument 1 to "wants_spec" has incompatible type "Spec[InferArgs[FINAL]]"; expected "Spec[InferArgs[PARAMS]]"  [arg-type]
wants_spec(schema({"path": {"type": "string", "required": True}}))
