"""Many tools: listing their schemas, holding them, and the memory they take."""

import tracemalloc
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Final

from dsh_tools import ToolExecution, ToolRegistry

from . import tools
from .measure import measure, statement
from .report import Row, Table, digits, duration

_SIZES: Final = (10, 100, 1000, 10_000)
_GOALS: Final = {100: 0.10}
_WARM_CALLS: Final = 20
_MEASURED_TOOLS: Final = 1000


def tables() -> Iterator[Table]:
    rows = [_listing(size) for size in _SIZES]
    yield Table("schemas()", "time", "ours ÷ deepcopy", rows, "`copy.deepcopy` of the same list.")
    yield _large_registry()
    yield _memory()


def _listing(size: int) -> Row:
    registry = tools.registry(size)
    rounds = measure(
        {
            "schemas": statement("schemas()", schemas=registry.schemas),
            "deepcopy": statement("copy(listed)", copy=deepcopy, listed=registry.schemas()),
        },
        rounds=9,
    )
    time, ratio = rounds.median("schemas"), rounds.ratio("schemas", "deepcopy")
    note = f"{duration(time / size)} per tool"
    return Row(f"{size:,} tools", duration(time), ratio, _GOALS.get(size), note)


def _large_registry() -> Table:
    """What depends on how many tools there are should not, schemas() apart."""
    registries = {size: tools.registry(size) for size in (1, 10_000)}
    rows = []
    for title, source in (
        ("register and dispose", "registry.register(tool)()"),
        ("get", "registry.get('search_0')"),
        ("execute", "registry.execute(call)"),
    ):
        candidates = {
            str(size): statement(source, registry=registry, tool=_NEW, call=_CALL)
            for size, registry in registries.items()
        }
        rounds = measure(candidates)
        one, large = list(rounds.seconds)
        rows.append(Row(title, duration(rounds.median(large)), rounds.ratio(large, one)))
    return Table("a registry of 10,000 tools", "time", "it ÷ with 1 tool", rows)


_NEW: Final = tools.define("new", tools.spec())
_CALL: Final[ToolExecution] = {
    "call_id": "1",
    "name": "search_0",
    "arguments": {"pattern": "x", "limit": 3},
}


def _memory() -> Table:
    """Bytes that Python's allocator gave out for each tool and has not got back."""
    tools.registry(1)  # what the first tool alone brings is no cost of a tool

    def registered() -> ToolRegistry:
        return tools.registry(_MEASURED_TOOLS)

    def in_use() -> ToolRegistry:
        registry = registered()
        for number in range(_MEASURED_TOOLS):
            for _ in range(_WARM_CALLS):
                registry.execute({**_CALL, "name": f"search_{number}"})
        return registry

    rows = [
        Row("registered", f"{_kept(registered):,.0f} bytes"),
        Row("called, its check generated", f"{_kept(in_use):,.0f} bytes"),
    ]
    return Table("memory per tool, five described parameters", "tracemalloc", "", rows)


def _kept(make: Callable[[], object]) -> float:
    tracemalloc.start()
    made = make()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del made
    return size / _MEASURED_TOOLS
