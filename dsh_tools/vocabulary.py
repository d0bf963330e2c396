"""The words of the library: every shape that crosses its borders, as TypedDicts.

Values of these types are plain dicts, lists, strings and numbers, so each can be printed,
logged, compared and sent as JSON as it is. A choice is a union told apart by a `Literal` field
(`kind`, `card`, `type`). Keys marked `NotRequired` are left out when there is nothing to say.

This module defines no function and imports nothing but the standard library. It does without
`from __future__ import annotations`: with it, importing the TypedDicts costs two to four times
as much and hides `NotRequired` at run time. Only recursive names are quoted, and only inside
`list[…]` and `dict[…]`: elsewhere `typing` would compile the string, and the first `compile` of a
process costs more than all the classes here.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NotRequired, Protocol, TypeAlias, TypedDict

# --- JSON ---------------------------------------------------------------------------------

JsonValue: TypeAlias = (
    None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
)
"""Any value that JSON text can carry (RFC 8259), as `json.loads` gives it."""

# --- content: what a model reads and writes -----------------------------------------------


class TextBlock(TypedDict):
    """Text.

    type: always "text".
    text: the text itself.
    """

    type: Literal["text"]
    text: str


class ImageBlock(TypedDict):
    """A picture.

    type: always "image".
    url: where it is, or a `data:` URL that holds it.
    mime_type: its media type ("image/png"); absent when the URL tells.
    """

    type: Literal["image"]
    url: str
    mime_type: NotRequired[str]


class ReasoningBlock(TypedDict):
    """What a model thought on the way to an answer.

    type: always "reasoning".
    text: the thought.
    """

    type: Literal["reasoning"]
    text: str


class ToolCallBlock(TypedDict):
    """A model asks for a tool.

    type: always "tool-call".
    id: the provider's id of the call; its result names the same id.
    name: the tool's name as the model wrote it.
    arguments: the raw JSON text as the model wrote it; `parse_arguments` reads it.
    """

    type: Literal["tool-call"]
    id: str
    name: str
    arguments: str


class ToolResultBlock(TypedDict):
    """The answer to one tool call, as it stands in a conversation.

    type: always "tool-result".
    tool_call_id: the `id` of the call that is answered.
    content: what the tool said.
    is_error: True when the call failed; absent means False.
    """

    type: Literal["tool-result"]
    tool_call_id: str
    content: list["ContentBlock"]
    is_error: NotRequired[bool]


ContentBlock: TypeAlias = TextBlock | ImageBlock | ReasoningBlock | ToolCallBlock | ToolResultBlock
"""One piece of content, told apart by `type`."""


class UserSource(TypedDict):
    """The person at the keyboard.

    kind: always "user".
    """

    kind: Literal["user"]


class PluginSource(TypedDict):
    """A listener or an extension of the host.

    kind: always "plugin".
    plugin: its name.
    """

    kind: Literal["plugin"]
    plugin: str


class AgentSource(TypedDict):
    """Another agent.

    kind: always "agent".
    agent_id: its id in the host.
    """

    kind: Literal["agent"]
    agent_id: str


MessageSource: TypeAlias = UserSource | PluginSource | AgentSource
"""Who is behind a message, told apart by `kind`."""


class HookContext(TypedDict):
    """Something a post-execute listener wants the model to know, beside the result.

    content: what to say.
    source: who says it.
    """

    content: list[ContentBlock]
    source: MessageSource


# --- schema: the DSL a tool author writes, and the JSON Schema it becomes -----------------

SchemaType: TypeAlias = Literal[
    "string", "number", "integer", "boolean", "object", "array", "null"
]
"""The types a property can have, as JSON Schema names them."""

if TYPE_CHECKING:
    _Prop: TypeAlias = "SchemaProp"
    _JsonSchemaProp: TypeAlias = "JsonSchemaProp"
else:
    _Prop = _JsonSchemaProp = dict

_Scalar: TypeAlias = str | int | float | bool | None

# Keys that are no identifiers want the functional form, and a class can inherit from one.
_Reference = TypedDict("_Reference", {"$ref": NotRequired[str]})


class _Keywords(_Reference, total=False):
    """The keywords that a property and its JSON Schema have alike. All may be absent."""

    type: SchemaType | list[SchemaType]
    description: str
    enum: Sequence[_Scalar]
    const: _Scalar
    default: JsonValue
    title: str
    examples: list[JsonValue]
    deprecated: bool
    minimum: float
    maximum: float
    exclusiveMinimum: float
    exclusiveMaximum: float
    multipleOf: float
    minLength: int
    maxLength: int
    pattern: str
    format: str
    minItems: int
    maxItems: int
    uniqueItems: bool
    minProperties: int
    maxProperties: int


class SchemaProp(_Keywords, total=False):
    """One property of a spec: the keywords of JSON Schema (draft 2020-12), and `required`, which
    may be True. Every key may be absent, and then says nothing; a property that says neither
    `type`, `enum`, `const`, `anyOf`, `oneOf` nor `$ref` accepts any JSON value.

    Of any property:
    type: one of the `SchemaType` names, or a list of two or more of them.
    required: True when a call must carry the property, absent when it may be left out; or, of an
        object, a list of its `properties` that must be there.
    description: what the model is told about it; absent when the name says it all.
    title: a name for people.
    enum: the values allowed, scalars of the property's type; absent when all are.
    const: the one value allowed.
    default: what the tool does without the property, shown to the model and never filled in;
        absent when there is nothing to show.
    examples: values to show to the model.
    deprecated: True for a property that is better left out.

    Of a number or an integer:
    minimum, maximum: the least and the greatest value allowed.
    exclusiveMinimum, exclusiveMaximum: what the value must be greater and less than.
    multipleOf: what the value must be a multiple of, greater than 0.

    Of a string:
    minLength, maxLength: the fewest and the most characters (code points) allowed.
    pattern: a regular expression of ECMA-262 without look-around and back-references, found
        anywhere in the text.
    format: "date", "time", "date-time", "uuid", "email", "uri", "ipv4" and "ipv6" are checked;
        any other name, and every one beside a number, only tells the model.

    Of an array:
    items: the property that each element fits (its `required` says nothing); absent for an
        array that may hold anything.
    minItems, maxItems: the fewest and the most elements allowed.
    uniqueItems: True when no two elements may be equal.

    Of an object:
    properties: its own properties; absent for an object that may hold anything.
    additionalProperties: False when it holds nothing but `properties`, or the property that all
        others fit; absent, or True, when they may be anything.
    propertyNames: the property that each name of its members fits.
    minProperties, maxProperties: the fewest and the most members allowed.

    In the place of `type`:
    anyOf: two or more properties, of which the value fits at least one.
    oneOf: two or more properties, of which the value fits exactly one.
    $ref: "#/$defs/NAME" or "#/definitions/NAME", the property that a spec in the long form has
        there.
    """

    required: Literal[True] | list[str]
    properties: Mapping[str, "SchemaProp"]
    items: _Prop
    additionalProperties: bool | _Prop
    propertyNames: _Prop
    anyOf: list["SchemaProp"]
    oneOf: list["SchemaProp"]


_SpecRoot = TypedDict(
    "_SpecRoot",
    {
        "type": Literal["object"],
        "required": NotRequired[list[str]],
        "$schema": NotRequired[str],
        "$id": NotRequired[str],
        "$comment": NotRequired[str],
        "$defs": NotRequired[Mapping[str, SchemaProp]],
        "definitions": NotRequired[Mapping[str, SchemaProp]],
    },
)


class SchemaObject(_SpecRoot):
    """A tool's parameters in the long form: an object, as JSON Schema has it.

    type: always "object", by which it is told from properties alone.
    properties: its properties, in the order the model is to see them; absent when there is
        nothing to say of any.
    required: names of `properties` that must be there; absent when none must, or when each says
        so itself by its own `required`.
    additionalProperties: False when a call may carry nothing but `properties`, or the property
        that all others fit; absent, or True, when they may be anything.
    propertyNames, minProperties, maxProperties: as in a `SchemaProp`; absent for no bound.
    description, title, default, examples, deprecated: as in a `SchemaProp`; absent for nothing
        to say.
    $defs, definitions: properties that a `$ref` can name; absent when none does.
    $schema, $id, $comment: what they are in JSON Schema, passed on as they stand; absent for
        nothing to say.
    """

    properties: NotRequired[Mapping[str, SchemaProp]]
    additionalProperties: NotRequired[bool | SchemaProp]
    propertyNames: NotRequired[SchemaProp]
    minProperties: NotRequired[int]
    maxProperties: NotRequired[int]
    description: NotRequired[str]
    title: NotRequired[str]
    default: NotRequired[JsonValue]
    examples: NotRequired[list[JsonValue]]
    deprecated: NotRequired[bool]


SchemaSpec: TypeAlias = dict[str, SchemaProp] | SchemaObject
"""A tool's parameters: property name to property, in the order the model is to see them, or the
long form."""


class JsonSchemaProp(_Keywords, total=False):
    """One property in the JSON Schema that a spec becomes. Keys come in this order, each as in a
    `SchemaProp` and absent where the author wrote none; but `required` is always a list.

    type, description, enum, default: absent as said; an empty description is left out.
    properties: of an object; absent when nothing is said of any.
    required: names of the `properties` that must be there, in their order; absent when none must.
    items: what each element of an array fits; absent when it may hold anything.
    const, title, examples, deprecated.
    minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf.
    minLength, maxLength, pattern, format.
    minItems, maxItems, uniqueItems.
    additionalProperties, propertyNames, minProperties, maxProperties.
    anyOf, oneOf, $ref.
    """

    properties: dict[str, "JsonSchemaProp"]
    required: list[str]
    items: _JsonSchemaProp
    additionalProperties: bool | _JsonSchemaProp
    propertyNames: _JsonSchemaProp
    anyOf: list["JsonSchemaProp"]
    oneOf: list["JsonSchemaProp"]


_JsonSchemaRoot = TypedDict(
    "_JsonSchemaRoot",
    {
        "type": Literal["object"],
        "$schema": NotRequired[str],
        "$id": NotRequired[str],
        "$comment": NotRequired[str],
        "$defs": NotRequired[dict[str, JsonSchemaProp]],
        "definitions": NotRequired[dict[str, JsonSchemaProp]],
    },
)


class JsonSchemaObject(_JsonSchemaRoot):
    """The JSON Schema of a typed tool's arguments. Keys come in the order of a
    `JsonSchemaProp`, then those of a root alone.

    type: always "object".
    description: absent when the author wrote none, or an empty one.
    default: absent when the author gave none.
    properties: name to schema, in the spec's order; absent when a long form has none.
    required: names that must be there, in the spec's order; absent when none must.
    title, examples, deprecated, additionalProperties, propertyNames, minProperties,
    maxProperties: as in a `JsonSchemaProp`; absent where the author wrote none.
    $schema, $id, $comment, $defs, definitions: of a long form; absent where it has none.
    """

    description: NotRequired[str]
    default: NotRequired[JsonValue]
    properties: NotRequired[dict[str, JsonSchemaProp]]
    required: NotRequired[list[str]]
    title: NotRequired[str]
    examples: NotRequired[list[JsonValue]]
    deprecated: NotRequired[bool]
    additionalProperties: NotRequired[bool | JsonSchemaProp]
    propertyNames: NotRequired[JsonSchemaProp]
    minProperties: NotRequired[int]
    maxProperties: NotRequired[int]


# --- cards: what a person sees of a call --------------------------------------------------

ToolCallKind: TypeAlias = Literal[
    "read", "edit", "delete", "move", "search", "execute", "fetch", "other"
]
"""What a call does, for an icon. The names are those of the Agent Client Protocol."""


class FileLocation(TypedDict):
    """A place in a file that an editor can follow.

    path: as the tool got it.
    line: 1-based; absent for the file as a whole.
    """

    path: str
    line: NotRequired[int]


class FileDiff(TypedDict):
    """A change to one file, or to one stretch of it.

    path: as the tool got it.
    old_text: the text before, untouched; None only for a file that did not exist, so that an
        empty file stays "".
    new_text: the text after, untouched.
    """

    path: str
    old_text: str | None
    new_text: str


class GenericCallView(TypedDict):
    """A call of no particular look.

    card: always "generic".
    title: one line.
    kind: what it does; absent means "other".
    raw_input: what to show of the arguments; absent, or None, for nothing.
    content: more to show; absent for nothing.
    locations: files it is about; absent when it is about none.
    """

    card: Literal["generic"]
    title: str
    kind: NotRequired[ToolCallKind]
    raw_input: NotRequired[object]
    content: NotRequired[list[ContentBlock]]
    locations: NotRequired[list[FileLocation]]


class TerminalCallView(TypedDict):
    """A command that runs in a terminal.

    card: always "terminal".
    title: the command line.
    description: what it is for; absent when nobody said.
    cwd: where it runs, absolute or relative to the session's; absent for the session's own.
    """

    card: Literal["terminal"]
    title: str
    description: NotRequired[str]
    cwd: NotRequired[str]


class DiffCallView(TypedDict):
    """A change to files.

    card: always "diff".
    title: one line.
    diffs: the change as it was asked for.
    locations: files to follow; absent when the diffs name them all.
    """

    card: Literal["diff"]
    title: str
    diffs: list[FileDiff]
    locations: NotRequired[list[FileLocation]]


ToolCallView: TypeAlias = GenericCallView | TerminalCallView | DiffCallView
"""The card of a call that has started, told apart by `card`."""


class GenericResultView(TypedDict):
    """An outcome of no particular look.

    card: always "generic".
    title: replaces the call's title; absent to keep it.
    content: what to show; absent to show the result's own content.
    """

    card: Literal["generic"]
    title: NotRequired[str]
    content: NotRequired[list[ContentBlock]]


class TerminalResultView(TypedDict):
    """How a command ended.

    card: always "terminal".
    title: replaces the call's title; absent to keep it.
    output: what it printed; absent when it printed nothing.
    exit_code: absent, or None, when it did not exit by itself or nobody knows.
    signal: the signal that killed it ("SIGKILL"); absent, or None, when none did.
    """

    card: Literal["terminal"]
    title: NotRequired[str]
    output: NotRequired[str]
    exit_code: NotRequired[int | None]
    signal: NotRequired[str | None]


class DiffResultView(TypedDict):
    """The change as it was made.

    card: always "diff".
    title: replaces the call's title; absent to keep it.
    diffs: one for each file or hunk, in order.
    """

    card: Literal["diff"]
    title: NotRequired[str]
    diffs: list[FileDiff]


ToolResultView: TypeAlias = GenericResultView | TerminalResultView | DiffResultView
"""The card of a call that has ended, told apart by `card`."""

# --- tools and calls ----------------------------------------------------------------------

CallId: TypeAlias = str
"""The provider's id of one call. Opaque."""


class CancelSignal(Protocol):
    """Something that says whether a call is still wanted; a `threading.Event` is one."""

    def is_set(self) -> bool:
        """True once the call should stop."""


class ToolExecution(TypedDict):
    """One call, ready to run.

    call_id: the provider's id; the result carries the same.
    name: the tool that is asked for, known or not.
    arguments: as `parse_arguments` read them: an object when the model did well, its raw text
        when that was no JSON.
    agent: whatever the host calls the caller, an object of its own or data, which is copied;
        absent when there is only one.
    signal: says whether the call is still wanted; absent when it cannot be cancelled.
    wire: what the provider wants back beside the result (`namespace`, `caller`); the result
        carries the same. Absent when it wants nothing.
    """

    call_id: CallId
    name: str
    arguments: object
    agent: NotRequired[object]
    signal: NotRequired[CancelSignal]
    wire: NotRequired[Mapping[str, object]]


class ToolOutput(TypedDict):
    """What a tool returns when it has something to say to the host besides the content.

    content: what the model reads.
    meta: private payload for presenters and logs, never shown to the model; absent, or None,
        for none.
    value: the JSON value that the content shows, for programs; a tool of `define_tool(output=…)`
        returns that value alone. Absent for none: None is the value null.
    """

    content: list[ContentBlock]
    meta: NotRequired[object]
    value: NotRequired[object]


ToolExecuteReturn: TypeAlias = str | list[ContentBlock] | ToolOutput | None
"""What a tool may return: text, blocks, blocks with a payload, or None for "done"."""


class ToolResult(TypedDict):
    """The outcome of a call as `present_result` gets it.

    content: what the model reads.
    is_error: True when the call failed.
    value: the JSON value that the content shows; absent when the tool gave none or failed.
    meta: the tool's private payload; absent when it gave none or failed.
    """

    content: list[ContentBlock]
    is_error: bool
    value: NotRequired[object]
    meta: NotRequired[object]


class ToolErrorInfo(TypedDict):
    """Which error it was, for programs.

    name: the exception's class name.
    code: its `HarnessError.code`.
    """

    name: str
    code: str


class ToolExecutionResult(TypedDict):
    """What one call came to. `ToolRegistry.execute` always gives one.

    call_id: that of the execution.
    content: what the model reads.
    is_error: True when the tool failed, did not run or was blocked.
    error: class and code of a `HarnessError`; absent for success, denials and other exceptions.
    additional_context: what a post-execute listener adds beside the result; absent for nothing.
    value: the JSON value that the tool's own content shows; absent when it gave none, failed or
        was blocked. None is the value null.
    meta: the tool's private payload; absent when it gave none, failed or was blocked.
    wire: that of the execution; absent when it had none.
    """

    call_id: CallId
    content: list[ContentBlock]
    is_error: bool
    error: NotRequired[ToolErrorInfo]
    additional_context: NotRequired[HookContext]
    value: NotRequired[object]
    meta: NotRequired[object]
    wire: NotRequired[Mapping[str, object]]


class StepResult(TypedDict):
    """What one model step with several calls came to.

    results: one for each call, in call order.
    contexts: every `additional_context`, in call order; they go after all the results.
    """

    results: list[ToolExecutionResult]
    contexts: list[HookContext]


class ToolHints(TypedDict, total=False):
    """What a tool's author says of what it does: for policy and for people, no promise. The
    meanings are those of MCP's annotations.

    title: a name for people; absent for none.
    read_only: whether it changes nothing; absent when nobody said, like all that follow.
    destructive: whether it may undo or overwrite something.
    idempotent: whether a second call with the same arguments changes nothing more.
    open_world: whether it deals with things outside of the host, the web for instance.
    """

    title: str
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


class ToolSchema(TypedDict):
    """What a model is told about a tool.

    name: 1 to 64 of A-Z a-z 0-9 _ and -.
    description: what it does and when to use it.
    parameters: the JSON Schema of its arguments: a `JsonSchemaObject` for a typed tool, any
        JSON object for a raw one.
    strict: whether the provider is to enforce the schema; absent to leave that to the provider.
    output_schema: the JSON Schema of its results' `value`; absent for a tool that gives none.
    hints: what its author says of what it does; absent for nothing.
    wire: extra keys of the tool's entry in a request, by the adapter they are for
        (`{"anthropic": {"defer_loading": True}}`); absent for none.
    """

    name: str
    description: str
    parameters: Mapping[str, object]
    strict: NotRequired[bool]
    output_schema: NotRequired[Mapping[str, object]]
    hints: NotRequired[ToolHints]
    wire: NotRequired[Mapping[str, Mapping[str, object]]]


class ToolDefinition(ToolSchema):
    """A tool: what the model is told, and what runs. `define_tool` builds one, and
    `define_raw_tool` for any JSON Schema; a plain dict of this shape is run as it is, and nobody
    checks its arguments.

    name, description, parameters, strict, output_schema, hints, wire: see `ToolSchema`; each of
        the last four is absent when unset.
    execute: runs one call with its arguments.
    violations: what is wrong with the arguments of a call, nothing for a call that can run; asked
        before a person is. Absent for a tool that takes any.
    parallel: True when its calls may run beside others, or what says so of the arguments of one;
        absent, or False, when each runs alone.
    present_call: arguments to the card of a call, None for the generic one; absent for none.
    present_result: arguments and result to the card of the outcome; absent for none.
    """

    execute: Callable[[object, ToolExecution], ToolExecuteReturn]
    violations: NotRequired[Callable[[object], list[str]]]
    parallel: NotRequired[bool | Callable[[object], bool]]
    present_call: NotRequired[Callable[[object], ToolCallView | None]]
    present_result: NotRequired[Callable[[object, ToolResult], ToolResultView | None]]


# --- decisions: what a listener answers ---------------------------------------------------


class AllowDecision(TypedDict):
    """The call may run.

    kind: always "allow".
    """

    kind: Literal["allow"]


class DenyDecision(TypedDict):
    """The call may not run.

    kind: always "deny".
    reason: what the model is told.
    """

    kind: Literal["deny"]
    reason: str


class AskDecision(TypedDict):
    """A person must agree first; without anybody to ask the call is denied.

    kind: always "ask".
    reason: what the person is asked, or with nobody to ask what the model is told; absent for
        a standard text.
    """

    kind: Literal["ask"]
    reason: NotRequired[str]


PreToolDecision: TypeAlias = AllowDecision | DenyDecision | AskDecision
"""What a pre-execute listener answers, told apart by `kind`."""


class AcceptDecision(TypedDict):
    """The outcome stands.

    kind: always "accept".
    content: replaces the result's content, an empty list too; absent to keep it.
    additional_context: said to the model beside the result; absent for nothing.
    """

    kind: Literal["accept"]
    content: NotRequired[list[ContentBlock]]
    additional_context: NotRequired[HookContext]


class BlockDecision(TypedDict):
    """The outcome is withheld and the call counts as failed.

    kind: always "block".
    feedback: what the model reads instead of the result.
    additional_context: said to the model beside the feedback; absent for nothing.
    """

    kind: Literal["block"]
    feedback: list[ContentBlock]
    additional_context: NotRequired[HookContext]


PostToolDecision: TypeAlias = AcceptDecision | BlockDecision
"""What a post-execute listener answers, told apart by `kind`."""

PreToolListener: TypeAlias = Callable[
    [ToolExecution, Callable[[], PreToolDecision]], PreToolDecision
]
"""`listener(execution, next)`; `next()` gives the decision of the listeners further in."""

PostToolListener: TypeAlias = Callable[
    [ToolExecution, ToolExecutionResult, Callable[[], PostToolDecision]], PostToolDecision
]
"""`listener(execution, result, next)`; `next()` gives the decision of the listeners further in."""

ToolGuard: TypeAlias = Callable[[ToolExecution], str | None]
"""`check(execution)`: the reason of a final denial, or None to let the call pass."""

ResultListener: TypeAlias = Callable[[ToolExecution, ToolExecutionResult], object]
"""`listener(execution, result)`: sees what a call came to; what it returns is nothing to anybody."""

Approve: TypeAlias = Callable[[ToolExecution, str | None], bool | str]
"""`approve(execution, reason)`: True when a person agrees to a call that a listener asks for.
False refuses it, and so does a text: the person's own words, which the model reads."""

Dispose: TypeAlias = Callable[[], None]
"""Takes one registration back; calling it again does nothing."""
