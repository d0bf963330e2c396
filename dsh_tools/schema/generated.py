"""Generated code: source and named constants in, a function out. The package's only `exec`.

The source holds no text of an author or a model. Whatever comes from them (names of properties,
allowed values) is a constant that the source mentions by a name of its own. Each source is
registered with `linecache`, so that a traceback or a debugger shows its lines.
"""

from collections.abc import Callable, Mapping
from itertools import count
from typing import cast

_serial = count(1)


def compile_function(
    name: str, source: str, constants: Mapping[str, object]
) -> Callable[[object], bool]:
    """The function called `name` that `source` defines, with `constants` as its globals."""
    from linecache import cache  # drags in tokenize: not worth it before the first use
    from weakref import finalize

    filename = f"<dsh_tools.generated {name} {next(_serial)}>"
    namespace = {**constants, "__name__": __name__}
    exec(compile(source, filename, "exec"), namespace)
    function = cast(Callable[[object], bool], namespace.pop(name))
    cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    finalize(function, cache.pop, filename, None).atexit = False
    return function


def source_of(function: Callable[..., object]) -> str:
    """The source that `compile_function` made the function from."""
    from linecache import getlines

    return "".join(getlines(function.__code__.co_filename))
