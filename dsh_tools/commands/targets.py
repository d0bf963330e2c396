"""The tools that a person names on the command line: `app.tools`, `app.tools:registry` or
`app/tools.py`, with definitions, lists of them and registries among its global names."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from operator import attrgetter
from pathlib import Path
from re import fullmatch
from traceback import walk_tb
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from ..calls.outcome import failure_text
from ..calls.registry import ToolRegistry
from ..errors import HarnessError
from ..vocabulary import ToolDefinition


class FoundTool(NamedTuple):
    """A tool and where it was found.

    where: the target that names this tool's holder alone, "app.tools:registry".
    definition: the tool.
    registry: the registry that holds it, None for one that stands on its own or in a list.
    """

    where: str
    definition: ToolDefinition
    registry: ToolRegistry | None


def found_tools(target: str) -> list[FoundTool]:
    """The tools of a target, in its order. What stands both on its own and in a registry counts
    as the registry's.

    Raises HarnessError with code "NO_TOOLS" when there is none or no such target, and with code
    "CANNOT_IMPORT", the exception as its cause, when the module raises.
    """
    source, attribute = _parsed(target)
    names: Mapping[str, object] = vars(module_of(source))
    if attribute:
        names = {attribute: _attribute(source, names, attribute)}
    found = [each for name, value in names.items() for each in _tools_in(f"{source}:{name}", value)]
    if not found:
        raise HarnessError(f"{target} {_nothing(names, attribute)}", "NO_TOOLS")
    return list(_without_repeats(found))


def sent_together(found: Iterable[FoundTool]) -> list[list[FoundTool]]:
    """The tools that a model is told of together: each registry's, and those that are in none."""
    groups: dict[int, list[FoundTool]] = {}
    for each in found:
        groups.setdefault(id(each.registry), []).append(each)
    return list(groups.values())


def module_of(source: str) -> ModuleType:
    """The module of that name, or that is in a file of that path.

    Raises HarnessError with code "CANNOT_IMPORT" when there is none or it raises.
    """
    is_file = source.endswith(".py")
    if not is_file and not all(map(str.isidentifier, source.split("."))):
        text = f'"{source}" is neither the name of a module nor a path that ends in .py'
        raise HarnessError(text, "CANNOT_IMPORT")
    try:
        return _module_in(Path(source)) if is_file else import_module(source)
    except ImportError as error:
        raise HarnessError(f"cannot import {source}: {error}", "CANNOT_IMPORT") from error
    except (Exception, SystemExit) as error:
        message = f"cannot import {source}: {error_line(error)}"
        raise HarnessError(message, "CANNOT_IMPORT") from error


def error_line(error: BaseException) -> str:
    """An exception on one line: class, message, and where it comes from outside this package."""
    name = type(error).__name__
    text = " ".join(failure_text(error).split())
    said = text if text.startswith(name) else f"{name}: {text}"
    own = str(Path(__file__).parent.parent)
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    places = [place for place in frames if not place[0].startswith((own, "<"))]
    if not places or isinstance(error, SyntaxError):  # which says it itself
        return said
    path, line = places[-1]
    return f"{said} ({Path(path).name}, line {line})"


# --- modules ------------------------------------------------------------------------------


def _parsed(target: str) -> tuple[str, str]:
    """Module or file, and attribute: "app.tools:registry", "C:\\app\\tools.py:registry"."""
    in_file = fullmatch(r"(.+\.py)(?::([\w.]+))?", target)
    if in_file:
        return in_file[1], in_file[2] or ""
    source, _, attribute = target.partition(":")
    return source, attribute


def _module_in(path: Path) -> ModuleType:
    """The module in a file, under the name it has in its package, if it is in one."""
    if not path.is_file():
        raise ImportError("there is no such file")
    root, names = path.resolve().parent, [path.stem]
    while (root / "__init__.py").is_file():
        root, names = root.parent, [root.name, *names]
    sys.path.insert(0, str(root))
    if len(names) > 1:
        return import_module(".".join(names).removesuffix(".__init__"))
    return _loaded(path)


def _loaded(path: Path) -> ModuleType:
    """A module that is in no package. Its name may be that of another that is loaded already."""
    name = path.stem if path.stem not in sys.modules else f"target {path.stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # it ends in .py
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _attribute(source: str, names: Mapping[str, object], attribute: str) -> object:
    first, _, rest = attribute.partition(".")
    try:
        return attrgetter(rest)(names[first]) if rest else names[first]
    except (KeyError, AttributeError):
        hint = did_you_mean(first, names)
        raise HarnessError(f'{source} has no "{attribute}"{hint}', "NO_TOOLS") from None


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """The end of a message about a word that is none of the words."""
    close = get_close_matches(word, list(words), n=1)
    return f', did you mean "{close[0]}"?' if close else ""


# --- tools --------------------------------------------------------------------------------


def _tools_in(where: str, value: Any) -> Iterator[FoundTool]:
    if _is_registry(value):
        for schema in value.schemas():
            yield FoundTool(where, value.get(schema["name"]), value)
    for each in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(each, dict) and {"name", "parameters", "execute"} <= each.keys():
            yield FoundTool(where, each, None)  # type: ignore[arg-type]  # is what `check` is for


def _is_registry(value: object) -> bool:
    """Whether a value is a registry, maybe of another copy of this package."""
    methods = ("schemas", "get", "execute", "present_call", "present_result")
    return all(callable(getattr(type(value), method, None)) for method in methods)


def _without_repeats(found: list[FoundTool]) -> Iterator[FoundTool]:
    registered = {id(each.definition) for each in found if each.registry is not None}
    seen = set[tuple[int, int]]()
    for each in found:
        key = (id(each.definition), id(each.registry))
        if key not in seen and (each.registry is not None or key[0] not in registered):
            seen.add(key)
            yield each


def _nothing(names: Mapping[str, object], attribute: str) -> str:
    if not attribute:
        return "holds no tools: no definitions, lists of them or registries"
    value = names[attribute]
    if isinstance(value, (list, tuple)) or _is_registry(value):
        return "holds no tools"
    kinds = {type: "class", FunctionType: "function", ModuleType: "module"}
    what = kinds.get(type(value), type(value).__name__)
    return f"is a {what}, not a definition, a list of them or a registry"
