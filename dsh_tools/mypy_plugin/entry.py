"""What mypy loads when the plugin is configured by path: `plugins = .../mypy_plugin/entry.py`.

mypy then imports this file as a top-level module, so nothing here may be imported relatively,
and the host's packages around the copy must not be run. The package is therefore given a name of
its own, under which only its folder is known, not its `__init__`.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from mypy.plugin import Plugin

_PACKAGE = "_dsh_tools_inside_mypy"


def plugin(version: str) -> type[Plugin]:
    """The plugin class, for the mypy of that version."""
    if _PACKAGE not in sys.modules:
        package = ModuleType(_PACKAGE)
        package.__path__ = [str(Path(__file__).resolve().parent.parent)]
        sys.modules[_PACKAGE] = package
    hooks = import_module(f"{_PACKAGE}.mypy_plugin.hooks")
    chosen: type[Plugin] = hooks.plugin(version)
    return chosen
