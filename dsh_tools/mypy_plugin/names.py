"""Which full name is ours, in which copy of the package, under whatever name it was copied."""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import MypyFile, TypeInfo, Var

MARKER: Final = "MYPY_PLUGIN_MARKER"
READABLE: Final = 1  # the value of the marker in packages whose declarations we can read

_HOMES: Final = {
    "schema": ".schema.schema",
    "prop": ".schema.prop",
    "InferArgs": ".schema.InferArgs",
    "Spec": ".schema.Spec",
    "define_tool": ".define.define_tool",
    "validate_args": ".validation.validate_args",
    "schema_spec_to_json_schema": ".json_schema.schema_spec_to_json_schema",
}


def our_name(fullname: str, modules: Mapping[str, MypyFile]) -> str:
    """"schema" for the full name of a copy's `schema`, and so on; "" for a name of others."""
    name = fullname.rpartition(".")[2]
    home = _HOMES.get(name)
    if home is None or not fullname.endswith(home):
        return ""
    return name if _is_marked(modules.get(schema_module(fullname))) else ""


def schema_module(fullname: str) -> str:
    """The module of a copy that declares `schema`, from the full name of something of ours."""
    return fullname.rsplit(".", 2)[0] + ".schema"


def is_our_spec(info: TypeInfo, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a class is a copy's `Spec`."""
    return our_name(info.fullname, modules) == "Spec"


def _is_marked(module: MypyFile | None) -> bool:
    symbol = module.names.get(MARKER) if module is not None else None
    marker = symbol.node if symbol is not None else None
    return isinstance(marker, Var) and marker.final_value == READABLE
