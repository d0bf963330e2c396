"""The test suite beside a copy of the package, in a folder that has nothing else of this project.

The copy is `host/_vendor/dsh_tools`, and the tests that are copied along import it under that
name: where they say `dsh_tools`, they are rewritten. Nothing then is importable as `dsh_tools`.
"""

import re
from pathlib import Path
from shutil import copyfile, copytree, ignore_patterns
from typing import Final

from dsh_tools import __version__
from dsh_tools.commands.vendoring import vendor

ROOT: Final = Path(__file__).parents[2]
PATH: Final = "host/_vendor/dsh_tools"
NAME: Final = PATH.replace("/", ".")

LEFT_OUT: Final = {
    "relocated": "what runs the copied suite",
    "bench": "no tests",
    "checkers": "no tests: `make checkers`",
    "peers": "needs what others wrote: `make conformance`",
    "test_readme.py": "about the README",
}

# Names of modules in code, in messages of mypy and on command lines; paths of the plugin.
_MENTIONS: Final = (
    (re.compile(r"\b(from|import) dsh_tools\b"), rf"\1 {NAME}"),
    (re.compile(r"(?<![\w./])dsh_tools(?=\.\w)"), NAME),
    (re.compile(r'(-m |"-m", ")dsh_tools\b'), rf"\1{NAME}"),
    (re.compile(r"\bdsh_tools/mypy_plugin\b"), f"{PATH}/mypy_plugin"),
)


def relocate(folder: Path) -> None:
    """Put a copy of the package, and the suite rewritten for it, into an empty folder."""
    (folder / "host").mkdir()
    (folder / "host" / "__init__.py").touch()
    vendor(folder / PATH, version=__version__)
    copytree(ROOT / "stubs", folder / "stubs")
    copyfile(ROOT / "LICENSE", folder / "LICENSE")
    copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    copytree(ROOT / "tests", folder / "tests", ignore=ignore_patterns("__pycache__", *LEFT_OUT))
    for path in (folder / "pyproject.toml", *(folder / "tests").rglob("*")):
        if path.suffix in (".py", ".ini", ".toml"):
            path.write_text(rewritten(path.read_text("utf-8")), "utf-8", newline="")


def rewritten(text: str) -> str:
    """The text of a file with the package's new name in it."""
    for mention, replacement in _MENTIONS:
        text = mention.sub(replacement, text)
    return text
