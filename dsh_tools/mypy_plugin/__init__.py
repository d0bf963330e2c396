"""The mypy plugin: `plugins = dsh_tools.mypy_plugin`, or the path of `entry.py`.

It runs inside mypy only. `hooks` says what happens when; `spec_reader` turns source into a plain
spec, `type_builder` turns that into a TypedDict, `reports` prints what is wrong with it.
"""

from .hooks import plugin as plugin
