"""Model Context Protocol: a registry for an MCP server, and an MCP server's tools for a registry.

Specification: https://modelcontextprotocol.io/specification/2026-07-28/server/tools. Everything
here is JSON as it stands on the wire, with the protocol's own keys: what an SDK's objects give by
`model_dump(mode="json", by_alias=True)` and take by `model_validate`. An optional field that is
null counts as absent. What is not as the specification has it raises HarnessError with code
"INVALID_WIRE", which names the field.

To serve a registry: `tools` answers `tools/list`; `tool_execution` and `call_result` stand before
and after `registry.execute` for `tools/call`. To use a server: `tool_definitions` makes raw tools
of what it lists.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from itertools import count
from json import dumps
from re import compile as regex
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict, cast

from ..errors import HarnessError
from ..json_values import copy_json, is_json, parse_arguments, plain_json, repair_text
from ..schema.validation.validator import Validator
from ..vocabulary import (
    CancelSignal,
    ContentBlock,
    ToolCallView,
    ToolDefinition,
    ToolExecution,
    ToolExecutionResult,
    ToolHints,
    ToolOutput,
    ToolSchema,
)
from .normalising import Schema
from .wire import (
    OnRefused,
    block_text,
    content_text,
    data_text,
    image_data,
    invalid_wire,
    sent_parameters,
    sent_tools,
    wire_field,
    wire_id,
    wire_objects,
    wire_option,
    wire_value,
)

__all__ = [
    "McpCall",
    "McpCallResult",
    "McpImage",
    "McpMeta",
    "McpText",
    "McpTool",
    "McpToolDefinition",
    "call_result",
    "tool_definitions",
    "tool_execution",
    "tool_output",
    "tools",
]

# --- the wire, with the protocol's own keys -----------------------------------------------


class McpTool(TypedDict):
    """A tool as `tools/list` shows it.

    name: what `tools/call` asks for.
    inputSchema: the JSON Schema of the arguments, always of an object.
    description: what the model is told; absent for nothing.
    title: what a person is shown; absent for none.
    outputSchema: the JSON Schema of the structured content; absent when there is none.
    annotations: hints about what it does, no more to be trusted than its server.
    icons: pictures for a person; absent for none.
    """

    name: str
    inputSchema: dict[str, object]
    description: NotRequired[str]
    title: NotRequired[str]
    outputSchema: NotRequired[dict[str, object]]
    annotations: NotRequired[dict[str, object]]
    icons: NotRequired[list[object]]


class McpText(TypedDict):
    """Text.

    type: always "text".
    text: the text.
    """

    type: Literal["text"]
    text: str


class McpImage(TypedDict):
    """A picture.

    type: always "image".
    data: in base64.
    mimeType: its media type.
    """

    type: Literal["image"]
    data: str
    mimeType: str


class McpCallResult(TypedDict):
    """The answer to `tools/call`.

    content: what the model reads.
    isError: whether the call failed.
    structuredContent: the result's value; absent when there is none or it is no object.
    """

    content: list[McpText | McpImage]
    isError: bool
    structuredContent: NotRequired[dict[str, object]]


# --- a registry for a server --------------------------------------------------------------


def tools(
    schemas: Iterable[ToolSchema], *, on_refused: OnRefused | None = None
) -> list[McpTool]:
    """The entries of an answer to `tools/list`. `strict` is left out: MCP has no word for it.

    Raises HarnessError with code "UNSUPPORTED_SCHEMA" for a raw tool whose parameters are no
    object at the root: a client would refuse the whole list for it. With `on_refused` that gets
    the error, with its `tool_name`, and the other tools are listed.
    """
    return sent_tools(schemas, "mcp", _tool, on_refused)


def _tool(schema: ToolSchema) -> McpTool:
    tool: McpTool = {"name": schema["name"], "inputSchema": sent_parameters(schema)}
    if schema["description"]:
        tool["description"] = repair_text(schema["description"])
    hints = schema.get("hints", {})
    if "title" in hints:
        tool["title"] = repair_text(hints["title"])
    if said := {theirs: cast(Schema, hints)[ours] for ours, theirs in _HINTS.items() if ours in hints}:
        tool["annotations"] = said
    output: object = schema.get("output_schema")
    if isinstance(output, Mapping) and output.get("type") == "object":  # MCP has no other
        tool["outputSchema"] = copy_json(dict(output), repair=True)
    return tool


def tool_execution(
    params: object, request_id: str | int, *, signal: CancelSignal | None = None
) -> ToolExecution:
    """The execution that the `params` of a `tools/call` request ask for.

    `request_id` is the request's JSON-RPC id, or whatever else is to be the `call_id`. `signal` is
    to be set when the client cancels the request. Arguments that are absent are `{}`, and JSON
    text in their place is read by `parse_arguments`. Raises HarnessError with code "INVALID_WIRE"
    for params without a name, and for arguments of any other type.
    """
    asked = wire_value(params, dict, "params")
    execution: ToolExecution = {
        "call_id": wire_id(request_id),
        "name": wire_field(asked, "name", str, "params"),
        "arguments": _arguments(asked),
    }
    if signal is not None:
        execution["signal"] = signal
    return execution


def _arguments(params: dict[str, object]) -> object:
    arguments = params.get("arguments")
    if issubclass(type(arguments), str):
        return parse_arguments(cast(str, arguments))  # encoded twice, as some clients do
    return wire_option(params, "arguments", dict, "params") or {}


def call_result(result: ToolExecutionResult) -> McpCallResult:
    """The answer to `tools/call`: the result's content, then its additional context, for which
    MCP has no other place.

    Pictures in `data:` URLs stay pictures, and every other block that MCP has no type for becomes
    text that says what it was. A value that is an object is the structured content. A failure of
    any kind, an unknown tool included, is a result that the model can read. `meta` stays here: it
    is private.
    """
    blocks = list(result["content"])
    if "additional_context" in result:
        blocks += result["additional_context"]["content"]
    answer: McpCallResult = {
        "content": [_content(block) for block in blocks],
        "isError": result["is_error"],
    }
    value = result.get("value")
    if isinstance(value, dict):  # MCP has no other
        answer["structuredContent"] = value
    return copy_json(answer, repair=True)


def _content(block: ContentBlock) -> McpText | McpImage:
    picture = image_data(block) if block["type"] == "image" else None
    if picture is None:
        return {"type": "text", "text": block_text(block)}
    media_type, data = picture
    return {"type": "image", "data": data, "mimeType": media_type}


# --- a server's tools for a registry ------------------------------------------------------

McpCall: TypeAlias = Callable[[str, dict[str, object], ToolExecution], object]
"""`call(name, arguments, execution)`: sends `tools/call` to the server and gives its result, a
dict. What it raises is the call's failure. `execution` is the registry's, for its `signal`."""


class McpToolDefinition(ToolDefinition):
    """A server's tool, as `ToolRegistry.register` takes it.

    mcp_tool: the server's own entry: its name on the wire, and everything that the other keys
        have no place for, such as `annotations` and `outputSchema`.
    """

    mcp_tool: McpTool


class McpMeta(TypedDict, total=False):
    """The `meta` of a result that says more than its content. It may hold other fields of the
    server's result too.

    structuredContent: any JSON; absent when the server gave none.
    content: the server's own content, when some of it is not whole in ours; absent otherwise.
    _meta: what the server adds for programs; absent for nothing.
    """

    structuredContent: object
    content: list[object]
    _meta: dict[str, object]


def tool_definitions(
    entries: object,
    call: McpCall,
    *,
    prefix: str = "",
    checked: bool = True,
    on_refused: OnRefused | None = None,
) -> list[McpToolDefinition]:
    """Raw tools out of a list: the `tools` of all pages of a server's answer to `tools/list`.

    `prefix` goes before every name, to tell the tools of several servers apart. A name of more
    than 64 characters, with others than A-Z a-z 0-9 _ and -, or that begins with a digit or -, is
    made to fit and ends in a hash of the whole: a tool is called the same whatever the others are
    called, and no two alike. The server gets its own name in either case.

    A call whose arguments do not fit the server's schema is refused with every violation before
    anything is sent; with `checked` False they are the server's to check. Its answer becomes a
    result as `tool_output` says.

    Raises HarnessError with code "INVALID_WIRE" for an entry that is not as the specification has
    it, and for a second one of the same name. With `on_refused` that gets the error, with the name
    as its `tool_name`, and the other tools are there.
    """
    listed = _all_listed(wire_value(entries, list, "tools"), on_refused)
    names = _fitting([prefix + tool["name"] for tool in listed])
    return [
        _definition(tool, name, call, checked=checked)
        for tool, name in zip(listed, names, strict=True)
    ]


def _all_listed(entries: list[object], on_refused: OnRefused | None) -> list[McpTool]:
    """The entries that are tools of a name of their own."""
    listed, first = list[McpTool](), dict[str, int]()
    for index, entry in enumerate(entries):
        where = f"tools[{index}]"
        try:
            tool = _listed(wire_value(entry, dict, where), where)
            if first.setdefault(tool["name"], index) != index:
                raise invalid_wire(f"{where}.name is that of tools[{first[tool['name']]}] too")
        except HarnessError as refusal:
            name = entry.get("name") if isinstance(entry, dict) else None
            refusal.tool_name = name if isinstance(name, str) else where
            if on_refused is None:
                raise
            on_refused(refusal)
        else:
            listed.append(tool)
    return listed


def _listed(tool: dict[str, object], where: str) -> McpTool:
    wire_field(tool, "name", str, where)
    if wire_field(tool, "inputSchema", dict, where).get("type", "object") != "object":
        raise invalid_wire(f'{where}.inputSchema.type must be "object"')
    for key in ("description", "title"):
        wire_option(tool, key, str, where)
    wire_option(tool, "outputSchema", dict, where)
    annotations = wire_option(tool, "annotations", dict, where) or {}
    wire_option(annotations, "title", str, f"{where}.annotations")
    return cast(McpTool, copy_json(_present(tool), repair=True))


def _definition(tool: McpTool, name: str, call: McpCall, *, checked: bool) -> McpToolDefinition:
    called = tool["name"]
    validator = Validator(tool["inputSchema"] if checked else {"type": "object"})

    def execute(args: object, execution: ToolExecution) -> ToolOutput:
        accepted = cast(dict[str, object], validator.accept(args))
        result = call(called, copy_json(accepted, repair=True), execution)
        if hasattr(result, "__await__"):
            return cast(ToolOutput, result)  # which the registry closes, and says so
        return tool_output(result)

    definition: McpToolDefinition = {
        "name": name,
        "description": tool.get("description", ""),
        "parameters": tool["inputSchema"],
        "execute": execute,
        "violations": lambda args: [] if validator.check(args) else validator.violations(args),
        "mcp_tool": tool,
    }
    if "outputSchema" in tool:
        definition["output_schema"] = tool["outputSchema"]
    if hints := _hints(tool):
        definition["hints"] = hints
    if title := hints.get("title"):
        definition["present_call"] = _titled(title)
    return definition


def _hints(tool: McpTool) -> ToolHints:
    """What a server says of what its tool does."""
    annotations = tool.get("annotations", {})
    hints: dict[str, object] = {
        ours: annotations[theirs]
        for ours, theirs in _HINTS.items()
        if isinstance(annotations.get(theirs), bool)
    }
    if title := tool.get("title") or annotations.get("title"):
        hints["title"] = title
    return cast(ToolHints, hints)


_HINTS: Final = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


def _titled(title: str) -> Callable[[object], ToolCallView]:
    return lambda args: {"card": "generic", "title": title, "raw_input": args}


# --- names --------------------------------------------------------------------------------

_LONGEST: Final = 64  # of a name that every provider takes, with these characters
_FITS: Final = regex(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OTHERS: Final = regex(r"[^A-Za-z0-9_-]+")
_NO_FIRST: Final = (*"0123456789-",)


def _fitting(names: list[str]) -> list[str]:
    """Each name, or what stands for it."""
    taken = {name for name in names if _FITS.fullmatch(name)}
    fitting = []
    for name in names:
        if not _FITS.fullmatch(name):
            name = next(made for made in _substitutes(name) if made not in taken)
            taken.add(name)
        fitting.append(name)
    return fitting


def _substitutes(name: str) -> Iterable[str]:
    """What can stand for a name. The first is all that is ever needed, unless a server means to
    give one tool the name of another."""
    for attempt in count():
        digest = sha256(f"{name}{attempt or ''}".encode()).hexdigest()[:8]
        made = _OTHERS.sub("_", name)
        if made[:1] in _NO_FIRST:
            made = f"_{made}"
        yield f"{made[:_LONGEST - len(digest) - 1]}_{digest}"


# --- a server's results -------------------------------------------------------------------


def tool_output(result: object) -> ToolOutput:
    """What a tool returns for a server's answer to `tools/call`.

    Text and pictures stay what they are. Audio, resources and links become text that says what
    they are, with the text of those that hold some. Where the content says nothing, the structured
    content stands there as JSON. It is the `value` too. What the content does not show is in `meta`
    (see `McpMeta`).

    Raises HarnessError: with code "MCP_TOOL_ERROR" for an answer that is an error, whose content
    and structured content are the message; with code "INVALID_WIRE" for one that is not as the
    specification has it, or not the last word (`resultType`).
    """
    answer = _final(result)
    if "structuredContent" in answer:  # some servers take it for all there is to say
        answer.setdefault("content", [])
    given = wire_objects(wire_field(answer, "content", list, "result"), "result.content")
    read = [(block, _blocks(block, where)) for where, block in given]
    content = [ours for _, blocks in read for ours in blocks]
    structured = answer.get("structuredContent")
    if answer.get("isError"):
        raise HarnessError(_failure(content, structured), "MCP_TOOL_ERROR")
    if structured is not None and not content_text(content).strip():
        content = [_text(_json(structured))]
    meta = _meta(answer, content_is_whole=all(_is_whole(*pair) for pair in read))
    output: ToolOutput = {"content": content}
    if structured is not None and is_json(structured):
        output["value"] = structured
    if meta:
        output["meta"] = meta
    return output


def _final(result: object) -> dict[str, object]:
    """What is there of a result, which must be an object with its wire names that ends a call."""
    answer = _present(wire_value(result, dict, "result"))
    wire_option(answer, "isError", bool, "result")
    if "is_error" in answer:  # it would pass for a success
        raise invalid_wire("result.is_error must be isError: dump models with by_alias=True")
    if wire_option(answer, "resultType", str, "result") not in (None, "complete"):
        raise invalid_wire('result.resultType must be "complete": the host drives the others')
    return answer


def _meta(answer: dict[str, object], *, content_is_whole: bool) -> McpMeta:
    said = {"isError", "resultType", "content"} if content_is_whole else {"isError", "resultType"}
    return cast(McpMeta, {key: value for key, value in answer.items() if key not in said})


def _failure(content: list[ContentBlock], structured: object) -> str:
    """All that a server says of a failure, nothing twice."""
    texts = [block_text(block) for block in content]
    if structured is not None and structured not in [parse_arguments(text) for text in texts]:
        texts.append(_json(structured))
    said = "\n".join(texts).strip().removeprefix("Error: ")  # which the registry puts there
    return said or "the tool failed and said nothing"


def _is_whole(block: dict[str, object], ours: list[ContentBlock]) -> bool:
    """Whether what became of a server's block shows all that there was."""
    same = [block["type"]] == [made["type"] for made in ours]
    return same and _present(block).keys() <= {"type", "text", "data", "mimeType"}


def _blocks(block: dict[str, object], where: str) -> list[ContentBlock]:
    kind = wire_field(block, "type", str, where)
    if kind == "text":
        return [_text(wire_field(block, "text", str, where))]
    if kind in ("image", "audio"):
        data = wire_field(block, "data", str, where)
        return [_media(kind, wire_field(block, "mimeType", str, where), data)]
    if kind == "resource":
        return _resource(wire_field(block, "resource", dict, where), f"{where}.resource")
    if kind == "resource_link":
        return [_link(block, where)]
    return [_text(f'[content of type "{kind}": {_json(_present(block))}]')]  # of a later revision


_MEDIA_TYPE: Final = regex(r"image/[A-Za-z0-9.+-]+")
_BASE64: Final = regex(r"[A-Za-z0-9+/]+={0,2}")


def _media(kind: str, media_type: str, data: str) -> ContentBlock:
    """A picture, or a text that tells of what is none or would not come through as one: a
    provider refuses the whole conversation for a picture that it cannot read."""
    data = "".join(data.split())
    if kind == "image" and _MEDIA_TYPE.fullmatch(media_type) and _BASE64.fullmatch(data):
        url = f"data:{media_type};base64,{data}"
        return {"type": "image", "url": url, "mime_type": media_type}
    return _text(data_text(kind, media_type, data))


def _resource(resource: dict[str, object], where: str) -> list[ContentBlock]:
    """What it is, then what it holds: its text untouched, for a model that is to edit it."""
    uri = wire_field(resource, "uri", str, where)
    media_type = wire_option(resource, "mimeType", str, where)
    label = _text(f"[resource: {uri}, {media_type}]" if media_type else f"[resource: {uri}]")
    blob = wire_option(resource, "blob", str, where)
    if blob is None:
        return [label, _text(wire_field(resource, "text", str, where))]
    media_type = media_type or "application/octet-stream"
    kind = "image" if media_type.startswith("image/") else "data"
    return [label, _media(kind, media_type, blob)]


def _link(link: dict[str, object], where: str) -> ContentBlock:
    said: list[str | None] = [
        wire_field(link, "uri", str, where),
        wire_field(link, "name", str, where),
        *(wire_option(link, key, str, where) for key in ("title", "mimeType", "description")),
    ]
    return _text(f"[resource link: {', '.join(part for part in said if part)}]")


def _text(text: str) -> ContentBlock:
    return {"type": "text", "text": text}


def _present(given: dict[str, object]) -> dict[str, object]:
    """The members that are not null, under keys that JSON has."""
    return {
        key: value for key, value in given.items() if value is not None and type(key) is str
    }


def _json(value: object) -> str:
    if not is_json(value):
        raise invalid_wire("result must be JSON (a value arrived that is not, or is too much of it)")
    return dumps(plain_json(value), ensure_ascii=False, separators=(",", ":"))
