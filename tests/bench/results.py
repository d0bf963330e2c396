"""RESULTS.md: one chapter for each Python version, renewed by a complete run."""

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path
from typing import Final

from .report import Table, markdown, summary

_PATH: Final = Path(__file__).with_name("RESULTS.md")
_PEERS: Final = (
    "pydantic",
    "msgspec",
    "jsonschema",
    "jsonschema-rs",
    "fastjsonschema",
    "cattrs",
    "typeguard",
    "trycast",
    "pydantic-ai-slim",
    "openai-agents",
    "langchain-core",
    "mcp",
    "anthropic",
    "smolagents",
)
_OPENING: Final = """\
# Results of `make bench`

Figures are medians of interleaved rounds in one process. Where a column says "ours ÷ it", our
time is divided by the other's: 0.25 means four times as fast, and only this ratio means anything
on another machine.

## Where the goals are out of reach

Each run lists the goals it missed. Those that are not named here (small, invalid; execute against
anthropic and openai-agents; `is_valid` on small) come and go with the run, within a quarter of the
goal. The others have these reasons; times are of Python 3.12.

- *medium, invalid, against pydantic-core* (0.7 to 0.8 instead of 0.6): of 2.8 µs the walk over
  the seven properties that are fine takes 1.5 µs (the nested object and the array 0.4 µs each),
  and the texts of four violations with their hints 1.3 µs. A second generated function, one that
  explains, would save half of the walk and cost every tool another 0.3 ms when it is first
  refused.
- *convert to JSON Schema* (0.04 instead of 0.025): half of it is looking for faults. A spec is a
  plain dict that anybody can edit, so it is looked at each time; `define_tool` does it once.
- *execute against smolagents* (0.6 to 0.75 instead of 0.5): of 1.3 µs copying call and arguments takes
  0.35 µs, the result 0.25 µs, the check and the call of the body 0.15 µs, that the execution is
  complete 0.1 µs. smolagents copies nothing, and its tool can change what its caller holds.
- *import* (1.6 times `typing` instead of 1.5 on 3.12, 1.98 instead of 1.8 on 3.13, 0.22 of pydantic
  instead of 0.2): a third of our part is making the 34 TypedDict classes of `vocabulary`, a fourth finding
  and reading the files.
- *large, valid, against pydantic and msgspec* (0.75 and 0.9 to 1.0 instead of 0.7 and 0.9): 150 ns for
  an object with four properties are some thirty bytecode instructions, none of them a call of
  Python code.
- *`schemas()` of 10,000 tools* (2.3 to 2.6 times the time per tool instead of 2): so many new
  objects outgrow the processor's caches, and Python's garbage collector looks through all of
  them; with the collector off it is 1.8.
"""
_CHAPTER: Final = re.compile(r"^## Python (\S+)\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)


def keep(tables: list[Table]) -> None:
    """Put the tables in place of what an earlier run of this Python version left."""
    old = _PATH.read_text("utf-8") if _PATH.exists() else ""
    chapters = {match[1]: match[0].rstrip() + "\n" for match in _CHAPTER.finditer(old)}
    chapters[platform.python_version()] = _chapter(tables)
    texts = [chapters[python] for python in sorted(chapters)]
    _PATH.write_text("\n".join([_OPENING, *texts]), "utf-8")


def _chapter(tables: list[Table]) -> str:
    parts = [f"## Python {platform.python_version()}\n", _where(), summary(tables)]
    return "\n".join([*parts, *map(markdown, tables)])


def _where() -> str:
    peers = ", ".join(f"{name} {version(name)}" for name in _PEERS)
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return f"{platform.python_implementation()} on {system}, {_processor()}.\n\nPeers: {peers}.\n"


def _processor() -> str:
    """The name of the processor as far as the system tells it."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor()
    named = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return named[1] if named else platform.processor()
