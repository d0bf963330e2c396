"""Agent Client Protocol: cards as `tool_call` and `tool_call_update` session updates.

Protocol: https://agentclientprotocol.com/protocol/tool-calls. Terminal cards follow the `_meta`
convention of Zed (`terminal_info`, `terminal_output`, `terminal_exit`) for clients that announce
it, and are fenced `console` blocks for the others.
"""

import os.path
from typing import Final, Literal, NotRequired, Protocol, TypeAlias, TypedDict

from ..json_values import copy_json, is_json, member_of, parse_arguments, repair_text
from ..vocabulary import (
    CallId,
    ContentBlock,
    DiffCallView,
    DiffResultView,
    FileDiff,
    FileLocation,
    GenericCallView,
    GenericResultView,
    ImageBlock,
    TerminalCallView,
    TerminalResultView,
    ToolCallKind,
    ToolCallView,
    ToolExecution,
    ToolExecutionResult,
    ToolResult,
    ToolResultView,
)
from .wire import image_data, wire_id

__all__ = [
    "AcpContent",
    "AcpDiff",
    "AcpImage",
    "AcpMeta",
    "AcpResourceLink",
    "AcpTerminal",
    "AcpTerminalExit",
    "AcpTerminalInfo",
    "AcpTerminalOutput",
    "AcpText",
    "AcpToolCall",
    "AcpToolCallContent",
    "AcpToolCallUpdate",
    "AcpTranslator",
    "Presenter",
    "has_terminal",
]


# --- the updates, with the protocol's own keys --------------------------------------------


class AcpText(TypedDict):
    """A text content block.

    type: always "text".
    text: the text.
    """

    type: Literal["text"]
    text: str


class AcpImage(TypedDict):
    """A picture itself.

    type: always "image".
    data: its bytes in base64.
    mimeType: its media type.
    """

    type: Literal["image"]
    data: str
    mimeType: str


class AcpResourceLink(TypedDict):
    """A picture elsewhere.

    type: always "resource_link".
    uri: where it is.
    name: what it is called: its address.
    """

    type: Literal["resource_link"]
    uri: str
    name: str


class AcpContent(TypedDict):
    """Content of a tool call.

    type: always "content".
    content: the block.
    """

    type: Literal["content"]
    content: AcpText | AcpImage | AcpResourceLink


class AcpDiff(TypedDict):
    """A change to a file.

    type: always "diff".
    path: of the file.
    oldText: None for a new file.
    newText: the text after the change.
    """

    type: Literal["diff"]
    path: str
    oldText: str | None
    newText: str


class AcpTerminal(TypedDict):
    """A terminal, shown in place.

    type: always "terminal".
    terminalId: the call's id.
    """

    type: Literal["terminal"]
    terminalId: str


AcpToolCallContent: TypeAlias = AcpContent | AcpDiff | AcpTerminal


class AcpTerminalInfo(TypedDict):
    """A terminal to create.

    terminal_id: the call's id.
    cwd: where the command runs; absent when nobody knows.
    """

    terminal_id: str
    cwd: NotRequired[str]


class AcpTerminalOutput(TypedDict):
    """What a terminal shows.

    terminal_id: the call's id.
    data: the text.
    """

    terminal_id: str
    data: str


class AcpTerminalExit(TypedDict):
    """How a terminal's command ended.

    terminal_id: the call's id.
    exit_code: absent when a signal ended it.
    signal: absent when it exited by itself.
    """

    terminal_id: str
    exit_code: NotRequired[int]
    signal: NotRequired[str]


class AcpMeta(TypedDict, total=False):
    """Zed's extension of a tool call.

    terminal_info: on a call; absent on a result.
    terminal_output: on a result; absent on a call.
    terminal_exit: on a result; absent on a call and when nobody knows how the command ended.
    """

    terminal_info: AcpTerminalInfo
    terminal_output: AcpTerminalOutput
    terminal_exit: AcpTerminalExit


class AcpToolCall(TypedDict):
    """The update that announces a call.

    sessionUpdate: always "tool_call".
    toolCallId: the call's id.
    title: one line, but for a command, which is shown as it is.
    kind: what the call does.
    status: always "in_progress": the call is announced when it runs.
    rawInput: absent when the card shows none of the arguments.
    locations: absent when the card names none.
    content: absent when the card has none.
    _meta: absent unless the client shows terminals.
    """

    sessionUpdate: Literal["tool_call"]
    toolCallId: str
    title: str
    kind: ToolCallKind
    status: Literal["in_progress"]
    rawInput: NotRequired[object]
    locations: NotRequired[list[FileLocation]]
    content: NotRequired[list[AcpToolCallContent]]
    _meta: NotRequired[AcpMeta]


class AcpToolCallUpdate(TypedDict):
    """The update that ends a call.

    sessionUpdate: always "tool_call_update".
    toolCallId: the call's id.
    status: "failed" when the result is an error.
    title: absent to keep the call's.
    content: replaces the call's; absent to keep it.
    _meta: absent unless the client shows terminals.
    """

    sessionUpdate: Literal["tool_call_update"]
    toolCallId: str
    status: Literal["completed", "failed"]
    title: NotRequired[str]
    content: NotRequired[list[AcpToolCallContent]]
    _meta: NotRequired[AcpMeta]


# --- the translator -----------------------------------------------------------------------


class Presenter(Protocol):
    """What the translator needs of a registry: the cards."""

    def present_call(self, execution: ToolExecution) -> ToolCallView:
        """The card of a call. Must not raise."""

    def present_result(
        self, execution: ToolExecution, result: ToolResult | ToolExecutionResult
    ) -> ToolResultView:
        """The card of an outcome. Must not raise."""


class AcpTranslator:
    """Turns the calls of one session and their results into ACP updates, live or on replay.

    It remembers a call until its first result, since a result does not say which tool it is of;
    a call id that is used again means the later call. Updates share nothing with what they are
    made from, and all their text is fit for UTF-8.
    """

    def __init__(
        self, registry: Presenter, *, cwd: str | None = None, terminal: bool = False
    ) -> None:
        """`cwd` is the session's working directory, an absolute path, or None when it has none.
        `terminal` is what `has_terminal` says of the client."""
        self._registry = registry
        self._cwd = cwd
        self._terminal = terminal
        self._running: dict[CallId, tuple[ToolExecution, bool]] = {}

    def tool_call(self, call_id: CallId, name: str, arguments_text: str) -> AcpToolCall:
        """The update for a call, from the raw argument text of the model. Never raises."""
        call_id, name = wire_id(call_id), wire_id(name)
        execution: ToolExecution = {
            "call_id": call_id,
            "name": name,
            "arguments": parse_arguments(arguments_text),
        }
        view = self._registry.present_call(execution)
        self._running[call_id] = (execution, view["card"] == "terminal")
        if view["card"] == "terminal":
            update = self._terminal_call(call_id, view)
        elif view["card"] == "diff":
            update = self._diff_call(call_id, view)
        else:
            update = self._generic_call(execution, view)
        update = copy_json(update, repair=True)
        shown = update.get("rawInput")
        if type(shown) is dict and not shown and wire_id(arguments_text).strip() == "null":
            del update["rawInput"]  # the model sent nothing, and nothing is shown
        # A presenter may have put anything into its card, and a model's 1e999 is an infinity.
        if not is_json(update.get("rawInput")):
            update["rawInput"] = repair_text(wire_id(arguments_text))
        return update

    def tool_result(
        self, call_id: CallId, result: ToolResult | ToolExecutionResult
    ) -> AcpToolCallUpdate:
        """The update for the result of a call; its raw content when the call is not known."""
        call_id = wire_id(call_id)
        update: AcpToolCallUpdate = {
            "sessionUpdate": "tool_call_update",
            "toolCallId": call_id,
            "status": "failed" if result["is_error"] else "completed",
        }
        execution, in_terminal = self._running.pop(call_id, (None, False))
        view: ToolResultView = {"card": "generic"}
        if execution is not None:
            view = self._registry.present_result(execution, result)
        if view["card"] == "terminal" and in_terminal:
            self._add_terminal_result(update, view)
        elif view["card"] == "diff":
            self._add_diff_result(update, view)
        elif view["card"] == "generic":
            _add_generic_result(update, view, result["content"])
        else:  # a terminal's result, and the call opened no terminal
            update["content"] = _contents(result["content"])
        return copy_json(update, repair=True)

    def _generic_call(self, execution: ToolExecution, view: GenericCallView) -> AcpToolCall:
        locations = view.get("locations")
        path = locations[0]["path"] if locations else None
        update: AcpToolCall = {
            "sessionUpdate": "tool_call",
            "toolCallId": execution["call_id"],
            "title": self._relative_title(view["title"], path),
            "kind": view.get("kind") or _kind_without_card(execution, view),
            "status": "in_progress",
        }
        if view.get("raw_input") is not None:
            update["rawInput"] = view["raw_input"]
        if locations is not None:
            update["locations"] = self._followable(locations)
        content = view.get("content")
        if content:
            update["content"] = _contents(content)
        return update

    def _diff_call(self, call_id: CallId, view: DiffCallView) -> AcpToolCall:
        locations = view.get("locations")
        paths: list[FileLocation] | list[FileDiff] = locations or view["diffs"]
        update: AcpToolCall = {
            "sessionUpdate": "tool_call",
            "toolCallId": call_id,
            "title": self._relative_title(view["title"], paths[0]["path"] if paths else None),
            "kind": "edit",
            "status": "in_progress",
        }
        if locations is not None:
            update["locations"] = self._followable(locations)
        if view["diffs"]:
            update["content"] = self._diff_contents(view["diffs"])
        return update

    def _terminal_call(self, call_id: CallId, view: TerminalCallView) -> AcpToolCall:
        update: AcpToolCall = {
            "sessionUpdate": "tool_call",
            "toolCallId": call_id,
            "title": view["title"],
            "kind": "execute",
            "status": "in_progress",
            "rawInput": view["title"],
        }
        content: list[AcpToolCallContent] = []
        description = view.get("description")
        if description is not None:
            content.append(_text_content(description))
        if self._terminal:
            content.append({"type": "terminal", "terminalId": call_id})
            info: AcpTerminalInfo = {"terminal_id": call_id}
            cwd = self._terminal_cwd(view.get("cwd"))
            if cwd is not None:
                info["cwd"] = cwd
            update["_meta"] = {"terminal_info": info}
        if content:
            update["content"] = content
        return update

    def _add_terminal_result(self, update: AcpToolCallUpdate, view: TerminalResultView) -> None:
        call_id, output = update["toolCallId"], view.get("output") or ""
        title = view.get("title")
        if title is not None:
            update["title"] = title
        if not self._terminal:
            update["content"] = [_text_content(_fenced(output))]
            return
        # No content: it would replace the terminal that the call put there.
        meta: AcpMeta = {"terminal_output": {"terminal_id": call_id, "data": output}}
        signal, exit_code = view.get("signal"), view.get("exit_code")
        if signal is not None:
            meta["terminal_exit"] = {"terminal_id": call_id, "signal": signal}
        elif exit_code is not None:
            meta["terminal_exit"] = {"terminal_id": call_id, "exit_code": exit_code}
        update["_meta"] = meta

    def _add_diff_result(self, update: AcpToolCallUpdate, view: DiffResultView) -> None:
        diffs, title = view["diffs"], view.get("title")
        if diffs:
            update["content"] = self._diff_contents(diffs)
        if title is not None:
            update["title"] = self._relative_title(title, diffs[0]["path"] if diffs else None)

    def _followable(self, locations: list[FileLocation]) -> list[FileLocation]:
        """The places with absolute paths, and without the lines that the protocol has no number
        for: it counts in uint32, and a line may come from a model's arguments."""
        places: list[FileLocation] = []
        for location in locations:
            place: FileLocation = {"path": self._absolute(location["path"])}
            if "line" in location and 0 <= (location["line"] or 0) < 2**32:
                place["line"] = location["line"]
            places.append(place)
        return places

    def _diff_contents(self, diffs: list[FileDiff]) -> list[AcpToolCallContent]:
        return [
            {
                "type": "diff",
                "path": self._absolute(diff["path"]),
                "oldText": diff["old_text"],
                "newText": diff["new_text"],
            }
            for diff in diffs
        ]

    def _relative_title(self, title: str, path: str | None) -> str:
        """The title in one line, with every mention of `path` made relative to the session's directory, when
        the path lies inside; for that whole components count, after resolving dots."""
        title = _one_line(title)
        if path is None or self._cwd is None:
            return title
        if not os.path.isabs(path) or not os.path.isabs(self._cwd):
            return title
        inside = os.path.join(os.path.normpath(self._cwd), "")
        target = os.path.normpath(path)
        if not target.startswith(inside) or target == inside:
            return title
        return title.replace(path, target[len(inside) :])

    def _terminal_cwd(self, cwd: str | None) -> str | None:
        return self._cwd if cwd is None else self._absolute(cwd)

    def _absolute(self, path: str) -> str:
        """A path as the protocol wants it, when the session has a directory to start from."""
        if os.path.isabs(path) or self._cwd is None:
            return path
        return os.path.normpath(os.path.join(self._cwd, path))


def has_terminal(client_capabilities: object) -> bool:
    """Whether a client shows terminals: `_meta.terminal_output` of its capabilities is True.

    `client_capabilities` is the object of the `initialize` request, or None without one.
    """
    if not issubclass(type(client_capabilities), dict):
        return False
    meta = member_of(client_capabilities, "_meta", None)
    return issubclass(type(meta), dict) and member_of(meta, "terminal_output", None) is True


def _add_generic_result(
    update: AcpToolCallUpdate, view: GenericResultView, raw_content: list[ContentBlock]
) -> None:
    content, title = view.get("content"), view.get("title")
    update["content"] = _contents(raw_content if content is None else content)
    if title is not None:
        update["title"] = _one_line(title)


_EXECUTES: Final = ("bash", "bash_output", "bash_kill")


def _kind_without_card(execution: ToolExecution, view: GenericCallView) -> ToolCallKind:
    """The kind of a card that names none. Where it is the generic card of a call without a card
    of its own, the names of well-known tools tell."""
    name = execution["name"]
    if not _is_fallback(view, execution):
        return "other"
    if name in _EXECUTES:
        return "execute"
    if name.startswith("read"):
        return "read"
    if name == "write" or name.startswith("edit"):
        return "edit"
    return "other"


def _is_fallback(view: GenericCallView, execution: ToolExecution) -> bool:
    """Whether it is the generic card of a call without a card of its own."""
    arguments = copy_json(execution["arguments"], repair=True)
    # What is not JSON may be without end, or refuse to be compared.
    return (
        view.keys() == {"card", "title", "raw_input"}
        and view["title"] == execution["name"]
        and is_json(arguments)
        and is_json(view["raw_input"])
        and view["raw_input"] == arguments
    )


def _contents(blocks: list[ContentBlock]) -> list[AcpToolCallContent]:
    """Texts and pictures, in their places; there is nothing for the others."""
    contents: list[AcpToolCallContent] = []
    for block in blocks:
        if block["type"] == "text":
            contents.append(_text_content(block["text"]))
        elif block["type"] == "image":
            contents.append({"type": "content", "content": _picture(block)})
    return contents


def _picture(block: ImageBlock) -> AcpImage | AcpResourceLink:
    picture = image_data(block)
    if picture is None:
        return {"type": "resource_link", "uri": block["url"], "name": block["url"]}
    media_type, data = picture
    return {"type": "image", "data": data, "mimeType": media_type}


def _text_content(text: str) -> AcpContent:
    return {"type": "content", "content": {"type": "text", "text": text}}


def _one_line(title: str) -> str:
    lines = title.splitlines(keepends=True)
    return title if lines == [title.strip("\r\n")] else " ".join(" ".join(lines).split())


def _fenced(output: str) -> str:
    """A console block, its fence longer than any run of backticks inside (CommonMark 4.5)."""
    longest = run = 0
    for character in output:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    return f"{fence}console\n{output.rstrip(chr(10))}\n{fence}"
