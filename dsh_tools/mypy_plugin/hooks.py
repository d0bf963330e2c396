"""What happens when: each hook decides whether it is asked about something of ours, and
delegates. No exception gets out of one: mypy would call it an error of its own and stop.

What does the work is imported when the first hook of ours is asked for: in a run in which nothing
changed that never happens, and its time is counted in milliseconds.
"""

import os
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy.errors import CompileError
from mypy.nodes import SymbolNode
from mypy.plugin import (
    AnalyzeTypeContext,
    ClassDefContext,
    DynamicClassDefContext,
    FunctionSigContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import AnyType, FunctionLike, Type, TypeOfAny

from .names import our_name, schema_module
from .reports import NO_BASE, SURPRISE, fail, note  # makes the error code known to the configuration

if TYPE_CHECKING:
    from .naming import Namer
    from .signatures import Signatures

RAISE: Final = "DSH_TOOLS_PLUGIN_RAISE"
"""The environment variable that lets exceptions out, for the tests of the plugin."""


class DshToolsPlugin(Plugin):
    """Types specs and the functions that take them, for every copy of the package in a run."""

    def get_dynamic_class_hook(
        self, fullname: str
    ) -> Callable[[DynamicClassDefContext], None] | None:
        """For `NAME = schema(...)` and `NAME = prop(...)`."""
        match self._our_name(fullname):
            case "schema":
                namer = self._namer(fullname)
                return partial(_quietly, namer.type_spec, namer.give_up)
            case "prop":
                namer = self._namer(fullname)
                return partial(_quietly, namer.type_prop, namer.give_up)
        return None

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """For `InferArgs[NAME]`."""
        if not fullname.endswith(".InferArgs"):
            return None  # mypy asks for every name in every annotation: this is the hot path
        if self._our_name(fullname) == "InferArgs":
            return partial(_or_any, self._namer(fullname).infer_args)
        return None

    def get_base_class_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """For `class Args(InferArgs[NAME])`."""
        return _refuse_base if self._our_name(fullname) == "InferArgs" else None

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """For calls of the functions that take specs."""
        match self._our_name(fullname):
            case "schema":
                return partial(_or_declared, self._signatures(fullname).of_schema)
            case "prop":
                return partial(_or_declared, self._signatures(fullname).of_prop)
            case "define_tool":
                return partial(_or_declared, self._signatures(fullname).of_define_tool)
            case "validate_args" | "schema_spec_to_json_schema":
                return partial(_or_declared, self._signatures(fullname).of_reader)
        return None

    def report_config_data(self, ctx: ReportConfigContext) -> str:
        """What caches depend on: every file of the plugin, of which mypy itself looks at one."""
        return _fingerprint()

    def _our_name(self, fullname: str) -> str:
        return our_name(fullname, self._modules or {})

    def _namer(self, fullname: str) -> "Namer":
        from .naming import Namer
        from .type_builder import TypeBuilder

        builder = TypeBuilder(self._named, schema_module(fullname))
        return Namer(self._modules or {}, builder)

    def _signatures(self, fullname: str) -> "Signatures":
        from .signatures import Signatures
        from .type_builder import TypeBuilder

        builder = TypeBuilder(self._named, schema_module(fullname))
        return Signatures(self._modules or {}, builder)

    def _named(self, fullname: str) -> SymbolNode:
        symbol = self.lookup_fully_qualified(fullname)
        if symbol is None or symbol.node is None:
            raise LookupError(f"no {fullname}")
        return symbol.node


def plugin(version: str) -> type[Plugin]:
    """The plugin class, for the mypy of that version."""
    return DshToolsPlugin


def _refuse_base(ctx: ClassDefContext) -> None:
    fail(ctx.api, NO_BASE, ctx.reason)


def _quietly(
    hook: Callable[[DynamicClassDefContext], None],
    give_up: Callable[[DynamicClassDefContext], None],
    ctx: DynamicClassDefContext,
) -> None:
    """Run a hook; that it failed is said when the call is checked."""
    try:
        hook(ctx)
    except Exception as surprise:
        _raise_if_asked(surprise)
        give_up(ctx)


def _or_any(hook: Callable[[AnalyzeTypeContext], Type], ctx: AnalyzeTypeContext) -> Type:
    try:
        return hook(ctx)
    except Exception as surprise:
        _raise_if_asked(surprise)
        fail(ctx.api, SURPRISE.format(type(surprise).__name__), ctx.context)
        return AnyType(TypeOfAny.from_error)


def _or_declared(
    hook: Callable[[FunctionSigContext], FunctionLike], ctx: FunctionSigContext
) -> FunctionLike:
    try:
        return hook(ctx)
    except Exception as surprise:
        _raise_if_asked(surprise)
        note(ctx.api.msg, SURPRISE.format(type(surprise).__name__), ctx.context)
        return ctx.default_signature


def _raise_if_asked(surprise: Exception) -> None:
    """Mypy stops a run by an exception, which is none of ours."""
    if isinstance(surprise, CompileError) or os.environ.get(RAISE):
        raise surprise


@cache
def _fingerprint() -> str:
    """A hash of the files that what the plugin does depends on."""
    folder = Path(__file__).resolve().parent
    words = (folder.parent / name for name in ("vocabulary.py", "errors.py", "json_values.py"))
    files = [*folder.glob("*.py"), *(folder.parent / "schema").glob("*.py"), *words]
    return sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()
