"""Which full name is ours, in which copy of the package, under whatever name it was copied."""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import MypyFile, TypeInfo, Var
from mypy.types import TypeAliasType

MARKER: Final = "MYPY_PLUGIN_MARKER"
READABLE: Final = 2  # the value of the marker in packages whose declarations we can read

_HOMES: Final = {
    "schema": ".schema.spec.schema",
    "prop": ".schema.spec.prop",
    "InferArgs": ".schema.spec.InferArgs",
    "Spec": ".schema.spec.Spec",
    "LongSpec": ".schema.spec.LongSpec",
    "Prop": ".schema.spec.Prop",
    "define_tool": ".calls.define.define_tool",
    "validate_args": ".schema.validation.validator.validate_args",
    "schema_spec_to_json_schema": ".schema.lowering.schema_spec_to_json_schema",
}


_SPEC: Final = ".schema.spec"


def our_name(fullname: str, modules: Mapping[str, MypyFile]) -> str:
    """"schema" for the full name of a copy's `schema`, and so on; "" for a name of others."""
    name = fullname.rpartition(".")[2]
    home = _HOMES.get(name)
    if home is None or not fullname.endswith(home):
        return ""
    return name if _is_marked(modules.get(_home_of(fullname, home))) else ""


def schema_module(fullname: str) -> str:
    """The module of a copy that declares `schema`, from the full name of something of ours."""
    return _home_of(fullname, _HOMES[fullname.rpartition(".")[2]])


def _home_of(fullname: str, home: str) -> str:
    return fullname.removesuffix(home) + _SPEC


def is_our_spec(info: TypeInfo, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a class is a copy's `Spec`, or that of the long form."""
    return our_name(info.fullname, modules) in ("Spec", "LongSpec")


def is_our_long_spec(info: TypeInfo, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a class is a copy's `LongSpec`."""
    return our_name(info.fullname, modules) == "LongSpec"


def is_our_prop(type_: TypeAliasType, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a type is a copy's `Prop`, with its arguments."""
    fullname = type_.alias.fullname if type_.alias is not None else ""
    return our_name(fullname, modules) == "Prop"


def _is_marked(module: MypyFile | None) -> bool:
    symbol = module.names.get(MARKER) if module is not None else None
    marker = symbol.node if symbol is not None else None
    return isinstance(marker, Var) and marker.final_value == READABLE
