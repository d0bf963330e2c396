"""Content blocks: what a model reads. Copied where they enter, and the copy checked."""

from typing import Final, cast

from ..json_values import copy_json, is_json, what_is
from ..vocabulary import ContentBlock

# block type → (keys that must hold text, keys that may)
_KEYS: Final = {
    "text": (("text",), ()),
    "image": (("url",), ("mime_type",)),
    "reasoning": (("text",), ()),
    "tool-call": (("id", "name", "arguments"), ()),
    "tool-result": (("tool_call_id",), ()),
}
_DEEPEST: Final = 16


def content_fault(blocks: object, depth: int = 0) -> str | None:
    """What keeps a copy of `own_content` from being a list of content blocks, None when it is one.
    A block may have more keys than its type asks for, as long as it is JSON."""
    if type(blocks) is not list:
        return f"it is {what_is(blocks)}"
    if depth > _DEEPEST:
        return f"it is nested more than {_DEEPEST} deep"
    for index, block in enumerate(blocks):
        fault = _block_fault(block, depth)
        if fault is not None:
            return f"[{index}] {fault}"
    return None


def own_content(blocks: object) -> list[ContentBlock]:
    """A copy of content, of plain dicts and lists with every text in it fit for UTF-8. It is what
    `content_fault` looks at: a subclass may show other members to each who asks."""
    return copy_json(cast(list[ContentBlock], blocks), repair=True)


def _block_fault(block: object, depth: int) -> str | None:
    if type(block) is not dict:
        return f"is {what_is(block)}"
    kind = block.get("type")
    if type(kind) is not str or kind not in _KEYS:
        return f'has no "type" that is one of {", ".join(_KEYS)}'
    required, optional = _KEYS[kind]
    for key in required:
        if type(block.get(key)) is not str:
            return f'has no text under "{key}"'
    for key in optional:
        if key in block and type(block[key]) is not str:
            return f'has no text under "{key}"'
    if kind == "tool-result":
        return _tool_result_fault(block, depth)
    if len(block) > 1 + len(required) and not is_json(block):
        return "is not JSON"
    return None


def _tool_result_fault(block: dict[object, object], depth: int) -> str | None:
    if type(block.get("is_error", False)) is not bool:
        return 'has no True or False under "is_error"'
    if depth == 0 and not is_json(block):
        return "is not JSON"
    fault = content_fault(block.get("content"), depth + 1)
    return None if fault is None else f'has no proper "content": {fault}'
