"""What the plugin costs: mypy's time for 200 tools, beside the same tools written by hand with
TypedDicts and no plugin, and as pydantic models with pydantic's plugin.

`python -m tests.bench.typing_overhead [ROUNDS]` needs mypy and pydantic. The projects take turns
in each round; the best time of each counts. Exits with 1 when a ratio is over its limit.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
REAL: Final = ROOT / "tests" / "conformance" / "real" / "bfcl_calls.json"
TOOLS: Final = 200
TOOLS_IN_A_MODULE: Final = 10
STATES: Final = ("cold", "edit", "same")

# (state, project to compare with): how many times its time the plugin may take.
LIMITS: Final = {
    ("cold", "by_hand"): 1.15,
    ("edit", "by_hand"): 1.4,
    ("same", "by_hand"): 1.05,
    ("cold", "pydantic"): 0.7,
    ("edit", "pydantic"): 1.1,
}

# A spec that came from JSON.
Spec = Mapping[str, Mapping[str, Any]]

_TYPES: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_OURS: Final = '''
PARAMS_{n} = schema({spec})
@define_tool(name="tool_{n}", description="d", parameters=PARAMS_{n})
def tool_{n}(args: InferArgs[PARAMS_{n}], execution: ToolExecution) -> str:
    return {body}
'''
_BY_HAND: Final = '''
{classes}
PARAMS_{n}: Spec[Args_{n}] = schema({spec})
@define_tool(name="tool_{n}", description="d", parameters=PARAMS_{n})
def tool_{n}(args: Args_{n}, execution: ToolExecution) -> str:
    return {body}
'''
_PYDANTIC: Final = '''
{classes}
@tool(name="tool_{n}", description="d", parameters=Args_{n})
def tool_{n}(args: Args_{n}, execution: ToolExecution) -> str:
    return {body}
'''
_PRELUDES: Final = {
    "ours": "from dsh_tools import InferArgs, ToolExecution, define_tool, schema\n",
    "by_hand": "from typing import Literal, NotRequired, TypedDict\n"
    "from dsh_tools import ToolExecution, define_tool, schema\nfrom dsh_tools.schema.spec import Spec\n",
    "pydantic": "from typing import Literal\nfrom pydantic import BaseModel, Field\n"
    "from dsh_tools import ToolExecution\nfrom tool import tool\n",
}
_PYDANTIC_TOOL: Final = '''
from collections.abc import Callable
from typing import TypeVar
from pydantic import BaseModel
from dsh_tools import ToolExecution
A = TypeVar("A", bound=BaseModel)
def tool(*, name: str, description: str, parameters: type[A]) -> Callable[
    [Callable[[A, ToolExecution], str]], Callable[[object, ToolExecution], str]
]:
    raise NotImplementedError
'''


class Classes:
    """The classes of one spec as source, nested ones first."""

    def __init__(self, is_pydantic: bool) -> None:
        self.source: list[str] = []
        self._is_pydantic = is_pydantic

    def add(self, name: str, spec: Spec) -> None:
        base = "BaseModel" if self._is_pydantic else "TypedDict"
        fields = [self._field(name, key, prop) for key, prop in spec.items()]
        self.source.append("\n".join([f"class {name}({base}):", *(fields or ["    pass"])]))

    def _field(self, owner: str, key: str, prop: Mapping[str, Any]) -> str:
        type_ = self._type(f"{owner}_{key}", prop)
        is_required = prop.get("required", False)
        if not self._is_pydantic:
            return f"    {key}: {type_ if is_required else f'NotRequired[{type_}]'}"
        default = "..." if is_required else "default=None"
        optional = type_ if is_required else f"{type_} | None"
        return f"    {key}: {optional} = Field({default}, description={prop.get('description')!r})"

    def _type(self, name: str, prop: Mapping[str, Any]) -> str:
        if "enum" in prop and prop["type"] != "number":
            return f"Literal{prop['enum']!r}"
        if prop["type"] == "array":
            return f"list[{self._type(name, prop['items']) if 'items' in prop else 'object'}]"
        if "properties" in prop:
            self.add(name, prop["properties"])
            return name
        return _TYPES.get(prop["type"], "dict[str, object]")


def write(folder: Path, kind: str) -> None:
    """Write one of the three projects."""
    folder.mkdir()
    (folder / "mypy.ini").write_text(_config(kind))
    tools = json.loads(REAL.read_text("utf-8"))["tools"][:TOOLS]
    if kind == "pydantic":
        (folder / "tool.py").write_text(_PYDANTIC_TOOL)
    for start in range(0, TOOLS, TOOLS_IN_A_MODULE):
        numbered = enumerate(tools[start : start + TOOLS_IN_A_MODULE], start)
        sources = [_tool(kind, number, tool["parameters"]) for number, tool in numbered]
        (folder / f"tools_{start}.py").write_text(_PRELUDES[kind] + "".join(sources), "utf-8")


def _config(kind: str) -> str:
    plugins = {"ours": f"{ROOT}/dsh_tools/mypy_plugin/entry.py", "pydantic": "pydantic.mypy"}
    line = f"plugins = {plugins[kind]}\n" if kind in plugins else ""
    return f"[mypy]\nstrict = true\nmypy_path = {ROOT}\n{line}"


def _tool(kind: str, number: int, spec: Spec) -> str:
    template = {"ours": _OURS, "by_hand": _BY_HAND, "pydantic": _PYDANTIC}[kind]
    classes = Classes(kind == "pydantic")
    classes.add(f"Args_{number}", spec)
    required = [key for key, prop in spec.items() if prop.get("required")]
    access = "args.{}" if kind == "pydantic" else 'args["{}"]'
    body = " + ".join(f"str({access.format(key)})" for key in required) or '""'
    return template.format(n=number, spec=repr(spec), classes="\n".join(classes.source), body=body)


def measure(rounds: int) -> dict[tuple[str, str], float]:
    """The best time of each state and project."""
    best: dict[tuple[str, str], float] = {}
    with tempfile.TemporaryDirectory() as folder:
        kinds = list(_PRELUDES)
        for kind in kinds:
            write(Path(folder) / kind, kind)
        for number in range(rounds):
            for kind in kinds:
                for state, seconds in _times(Path(folder) / kind, f"{number}").items():
                    best[state, kind] = min(seconds, best.get((state, kind), seconds))
    return best


def _times(project: Path, name: str) -> dict[str, float]:
    """The time of each state, in a cache of its own."""
    cold = _time(project, name)
    module = project / "tools_0.py"
    module.write_text(module.read_text("utf-8").replace("return ", f'return "{name}" + ', 1), "utf-8")
    later = module.stat().st_mtime + 10
    os.utime(module, (later, later))
    return {"cold": cold, "edit": _time(project, name), "same": _time(project, name)}


def _time(project: Path, cache: str) -> float:
    start = perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "mypy", f"--cache-dir=.cache-{cache}", "."],
        cwd=project,
        capture_output=True,
        text=True,
    )
    seconds = perf_counter() - start
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return seconds


def main() -> int:
    """Print times and ratios; 1 when a ratio is over its limit."""
    best = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    for state in STATES:
        times = ", ".join(f"{kind} {best[state, kind]:.2f} s" for kind in _PRELUDES)
        print(f"{state}: {times}")
    failed = False
    for (state, other), limit in LIMITS.items():
        ratio = best[state, "ours"] / best[state, other]
        failed = failed or ratio > limit
        print(f"{state} / {other}: {ratio:.2f} (at most {limit})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
