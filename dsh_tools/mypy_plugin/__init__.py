"""The mypy plugin: `plugins = dsh_tools.mypy_plugin`, or the path of its `entry`.

It runs inside mypy only. `hooks` says what happens when, to `names` of ours; `spec_reader` turns
source, with what `constants` know, into a plain spec, `lowered` that into JSON Schema, and
`type_builder` into a mypy type; `naming` gives it to a constant and `signatures` to a call;
`reports` prints what is wrong with it. Of `schema` the faults, the lowering and the type tree may
enter here, and nothing imports from here.
"""

from .hooks import plugin as plugin
