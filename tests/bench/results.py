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
