"""The given cases, and what their runners share."""

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

HERE = Path(__file__).parent

_HINTED = ("Error: invalid arguments: ", "Error: unknown tool ")

# Cases come from JSON files whose shape each file's "case_format" explains.
Case = dict[str, Any]


def cases(name: str) -> list[Any]:
    """The cases of a vector file, as parameters that carry their ids."""
    data = json.loads((HERE / "vectors" / f"{name}.json").read_text("utf-8"))
    return [pytest.param(case, id=case["id"]) for case in data["cases"]]


def real_functions() -> list[Case]:
    """The 300 real function definitions with their calls."""
    data = json.loads((HERE / "real" / "bfcl_calls.json").read_text("utf-8"))
    return cast(list[Case], data["tools"])


def without_hint(text: str) -> str:
    """A violation without its one trailing hint in parentheses."""
    return re.sub(r' \([^();]*\)$', "", text)


def without_hints(value: Any) -> Any:
    """A result whose violations, or whose unknown tool, come without a hint."""
    if isinstance(value, list):
        return [without_hints(item) for item in value]
    if not isinstance(value, dict):
        return value
    stripped = {key: without_hints(item) for key, item in value.items()}
    text = stripped.get("text")
    if isinstance(text, str) and text.startswith(_HINTED):
        stripped["text"] = "; ".join(without_hint(part) for part in text.split("; "))
    return stripped
