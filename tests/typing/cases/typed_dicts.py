"""TypedDict classes in place of specs, and specs with an author's own type."""

from typing import Generic, NotRequired, TypedDict, TypeVar, reveal_type

from dsh_tools import InferArgs, ToolExecution, define_tool, schema
from dsh_tools.schema.spec import Spec


class Read(TypedDict):
    path: str
    limit: NotRequired[int]


class Other(TypedDict):
    file: str


PARAMS = schema(Read)
reveal_type(PARAMS)
# R: dsh_tools.schema.spec.Spec[TypedDict(typed_dicts.Read, {'path': str, 'limit'?: int})]
reveal_type(schema(Read))
# R: dsh_tools.schema.spec.Spec[TypedDict(typed_dicts.Read, {'path': str, 'limit'?: int})]
COMPOSED = schema({**PARAMS, "more": {"type": "boolean"}})
LATER = schema(Later)  # E: Name "Later" is used before definition  [used-before-def]


class Later(TypedDict):
    when: str


def read(args: Read, execution: ToolExecution) -> str:
    return args["path"]


def inferred(args: InferArgs[PARAMS], composed: InferArgs[COMPOSED]) -> None:
    reveal_type(args)  # R: TypedDict(typed_dicts.Read, {'path': str, 'limit'?: int})
    reveal_type(composed)
    # R: TypedDict(typed_dicts.InferArgs[COMPOSED], {'path': str, 'limit'?: int, 'more'?: bool})
    args["pth"]
    # E: TypedDict "Read" has no key "pth"  [typeddict-item]
    # N: Did you mean "path"?


define_tool(name="a", description="d", parameters=PARAMS, execute=read)
define_tool(name="a", description="d", parameters=Read, execute=read)
define_tool(name="a", description="d", parameters=Read, execute=lambda a, e: a["pth"])
# E: TypedDict "Read" has no key "pth"  [typeddict-item]
# N: Did you mean "path"?
define_tool(name="a", description="d", parameters=Other, execute=read)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[Read, ToolExecution], str]"; expected "Callable[[Other, ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
define_tool(name="a", description="d", parameters=schema(Other), execute=read)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[Read, ToolExecution], str]"; expected "Callable[[Other, ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]


@define_tool(name="a", description="d", parameters=Read)
def decorated(args: Read, execution: ToolExecution) -> str:
    return args["path"]


@define_tool(name="a", description="d", parameters=Other)
# E: Argument 1 has incompatible type "Callable[[Read, ToolExecution], str]"; expected "Callable[[Other, ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
def decorated_wrong(args: Read, execution: ToolExecution) -> str:
    return args["path"]


ANNOTATED: Spec[Read] = schema(
    {"path": {"type": "string", "required": True}, "limit": {"type": "integer"}}
)
MISSING: Spec[Read] = schema({"limit": {"type": "integer"}})
# E: Incompatible types in assignment (expression has type "Spec[TypedDict({'limit'?: int})]", variable has type "Spec[Read]")  [assignment]
WRONG: Spec[Read] = schema({"path": {"type": "integer", "required": True}})
# E: Incompatible types in assignment (expression has type "Spec[TypedDict({'path': int})]", variable has type "Spec[Read]")  [assignment]


def annotated(args: InferArgs[ANNOTATED], missing: InferArgs[MISSING]) -> None:
    reveal_type(args)  # R: TypedDict(typed_dicts.Read, {'path': str, 'limit'?: int})
    reveal_type(missing)  # R: TypedDict(typed_dicts.Read, {'path': str, 'limit'?: int})


class NotTyped:
    path: str


NO_TYPED_DICT = schema(NotTyped)
# E: Argument 1 to "schema" has incompatible type "type[NotTyped]"; expected "Spec[Mapping[str, object]] | type[Mapping[str, object]] | dict[str, SchemaProp] | SchemaObject"  [arg-type]

# Classes by other names, and generic ones.
T = TypeVar("T")


class Page(TypedDict, Generic[T]):
    items: list[T]


Alias = Read
NUMBERS = schema(Page[int])
ALIASED = schema(Alias)
reveal_type(NUMBERS)
# R: dsh_tools.schema.spec.Spec[TypedDict(typed_dicts.Page, {'items': list[int]})]
reveal_type(ALIASED)
# R: dsh_tools.schema.spec.Spec[TypedDict(typed_dicts.Read, {'path': str, 'limit'?: int})]


def numbers(args: Page[int], execution: ToolExecution) -> str:
    return str(args["items"])


define_tool(name="a", description="d", parameters=NUMBERS, execute=numbers)
define_tool(name="a", description="d", parameters=ALIASED, execute=read)
define_tool(name="a", description="d", parameters=ALIASED, execute=numbers)
# E: Argument "execute" to "define_tool" has incompatible type "Callable[[Page[int], ToolExecution], str]"; expected "Callable[[Read, ToolExecution], str | list[ContentBlock] | ToolOutput | None]"  [arg-type]
