"""What each provider is sent, and what it is known to refuse: a table of formats, one of rules.

Providers refuse a whole request for one tool, and say so only once it is sent. What cannot be
said in a provider's format its adapter refuses by itself; the rules here are about the rest. Each
names where it is documented, or an error that a provider answered with.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Final, NamedTuple, NotRequired, TypeAlias, TypedDict

from ..errors import HarnessError
from ..vocabulary import ToolSchema

Place: TypeAlias = tuple[str, str]
"""What a rule is broken by: the path in the tool, "edits[].old", and what is wrong there."""


class ToolFault(TypedDict):
    """What keeps a tool from being used.

    tool: its name; absent when it is about the tools as a whole.
    path: the property or keyword it is about; absent when it is about the tool itself.
    text: what is wrong, for people.
    providers: who refuses the tool for it; absent when it is a fault whoever is sent it.
    source: where that is documented or was seen; absent when this package refuses it.
    """

    tool: NotRequired[str]
    path: NotRequired[str]
    text: str
    providers: NotRequired[list[str]]
    source: NotRequired[str]


class _Rule(NamedTuple):
    """A rule about one tool: whose it is, where it is from, and where a tool breaks it."""

    providers: Sequence[str]
    source: str
    broken: Callable[[ToolSchema], Iterator[Place]]


class _Limit(NamedTuple):
    """The most tools that a provider takes, and where that is from."""

    most_tools: int
    source: str


# --- what is sent -------------------------------------------------------------------------

# format → the provider it is for, the module of `adapters` and the function there
_FORMATS: Final = {
    "openai": ("openai", "openai", "chat_tools"),
    "responses": ("openai", "openai", "responses_tools"),
    "deepseek": ("deepseek", "openai", "chat_tools"),
    "anthropic": ("anthropic", "anthropic", "tools"),
    "mcp": ("mcp", "mcp", "tools"),
    "gemini": ("gemini", "gemini", "function_declarations"),
}
FORMATS: Final = ("dsh", *_FORMATS)
PROVIDERS: Final = ("openai", "deepseek", "anthropic", "gemini", "mcp")


def in_format(name: str, schemas: Iterable[ToolSchema]) -> list[object]:
    """The tools in one of the `FORMATS`; "dsh" is what `registry.schemas()` gives.

    Raises HarnessError when the provider cannot take one of them.
    """
    if name == "dsh":
        return list(schemas)
    _, module, function = _FORMATS[name]
    convert = getattr(import_module(f"..adapters.{module}", __package__), function)
    converted: list[object] = convert(schemas)
    return converted


# --- what is refused ----------------------------------------------------------------------


def refusals(
    schemas: Sequence[ToolSchema], providers: Iterable[str] = PROVIDERS
) -> Iterator[ToolFault]:
    """Why providers would refuse the tools: what breaks their rules, and what the adapters cannot
    say in a provider's format. The schemas are of registered tools, so they have proper names."""
    wanted = [provider for provider in PROVIDERS if provider in providers]
    for schema in schemas:
        for rule in _RULES:
            refusing = [provider for provider in wanted if provider in rule.providers]
            if refusing:
                yield from _broken(rule, schema, refusing)
        yield from _inexpressible(schema, wanted)
    for provider in wanted:
        if provider in _LIMITS and len(schemas) > _LIMITS[provider].most_tools:
            most, source = _LIMITS[provider]
            text = f"{len(schemas)} tools are too many, {most} is the most"
            yield {"text": text, "providers": [provider], "source": source}


def _broken(rule: _Rule, schema: ToolSchema, refusing: list[str]) -> Iterator[ToolFault]:
    for path, text in rule.broken(schema):
        fault: ToolFault = {"tool": schema["name"], "text": text, "source": rule.source}
        if path:
            fault["path"] = path
        if rule.providers != PROVIDERS:
            fault["providers"] = refusing
        yield fault


def _inexpressible(schema: ToolSchema, providers: list[str]) -> Iterator[ToolFault]:
    """What adapters say when they refuse a tool, each thing once."""
    said: dict[str, list[str]] = {}
    for name, (provider, *_) in _FORMATS.items():
        text = _refusal(name, schema) if provider in providers else None
        if text is not None and provider not in said.setdefault(text, []):
            said[text].append(provider)
    for text, refusing in said.items():
        yield {"tool": schema["name"], "text": text, "providers": refusing}


def _refusal(name: str, schema: ToolSchema) -> str | None:
    try:
        in_format(name, [schema])
    except HarnessError as error:
        return str(error).removeprefix(f'tool "{schema["name"]}": ')
    return None


# --- the rules ----------------------------------------------------------------------------


def _has_no_description(tool: ToolSchema) -> Iterator[Place]:
    if not tool["description"].strip():
        yield "", "there is no description: a model cannot know when to use the tool"


def _has_a_long_description(tool: ToolSchema) -> Iterator[Place]:
    length = len(tool["description"])
    if length > 1_024:
        yield "", f"a description of {length:,} characters is too long, 1,024 is the most"


def _has_arrays_without_items(tool: ToolSchema) -> Iterator[Place]:
    for path, schema in _parts(tool["parameters"], ""):
        kinds = schema.get("type")
        if "array" in (kinds if isinstance(kinds, list) else [kinds]) and "items" not in schema:
            yield path, 'an array must say what its "items" are'


def _parts(schema: object, path: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Every schema in a schema, itself included, with its path."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for keyword, inner in schema.items():
        if keyword == "properties" and isinstance(inner, dict):
            for name, prop in inner.items():
                yield from _parts(prop, f"{path}.{name}" if path else name)
        elif keyword == "items":
            yield from _parts(inner, f"{path}[]")
        elif keyword == "additionalProperties":
            yield from _parts(inner, f"{path}{{}}")
        elif keyword in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(inner, list):
            for choice in inner:
                yield from _parts(choice, path)
        elif keyword in ("$defs", "definitions") and isinstance(inner, dict):
            for name, definition in inner.items():
                yield from _parts(definition, f"{keyword}.{name}")


_RULES: Final = (
    _Rule(PROVIDERS, "https://ai.google.dev/api/caching#FunctionDeclaration", _has_no_description),
    _Rule(
        ("openai",),
        "https://github.com/getsentry/sentry-mcp/issues/106",
        _has_a_long_description,
    ),
    _Rule(
        ("openai", "gemini"),
        "https://github.com/cline/cline/issues/7339",
        _has_arrays_without_items,
    ),
)

_LIMITS: Final = {
    "openai": _Limit(128, "https://github.com/openai/openai-openapi/pull/76"),
    "deepseek": _Limit(128, "https://api-docs.deepseek.com/api/create-chat-completion"),
    "gemini": _Limit(
        512, "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Tool"
    ),
}
