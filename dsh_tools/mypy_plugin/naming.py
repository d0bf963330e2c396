"""The types of constants, before anything is checked: `PARAMS = schema({...})` gets its type
while mypy still finds out what names mean, so that `InferArgs[PARAMS]` can be any annotation.

Nothing is reported here but a wrong `InferArgs[...]`: what is wrong with a spec is said when the
call is checked, once.
"""

from collections.abc import Mapping

from mypy.nodes import (
    AssignmentStmt,
    Expression,
    IndexExpr,
    MypyFile,
    NameExpr,
    PlaceholderNode,
    RefExpr,
    SymbolTableNode,
    TypeAlias,
    TypeApplication,
    TypeInfo,
    Var,
)
from mypy.plugin import AnalyzeTypeContext, DynamicClassDefContext
from mypy.semanal import SemanticAnalyzer
from mypy.server.trigger import make_trigger
from mypy.typeanal import TypeAnalyser
from mypy.types import (
    AnyType,
    Instance,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeOfAny,
    UnboundType,
    get_proper_type,
)

from ..schema.faults import is_long_form
from .names import is_our_spec
from .reports import NO_SPEC, ONE_SPEC, Unseen, fail
from .spec_reader import SpecReader
from .type_builder import TypeBuilder, typed_dict


class Namer:
    """Types the constants of the modules that one copy of the package serves."""

    def __init__(self, modules: Mapping[str, MypyFile], builder: TypeBuilder) -> None:
        self._modules = modules
        self._builder = builder

    def type_spec(self, ctx: DynamicClassDefContext) -> None:
        """Give `NAME = schema(...)` the type `Spec[InferArgs[NAME]]`."""
        api, target = _analyzer(ctx), _new_name(ctx)
        if target is None:
            return
        reader = SpecReader(api.cur_mod_node, self._modules, ctx.call)
        spec = _spec(reader, ctx.call.args[0])
        arguments = typed_dict_class(ctx.call.args[0]) or self._arguments(spec)
        if not _deferred(api, reader):
            if isinstance(arguments, TypedDictType):
                arguments = self._named(arguments, api, _var(target))
            type_ = self._builder.spec_of(arguments, is_long=is_long_form(spec))
            _set_type(target, type_)

    def type_prop(self, ctx: DynamicClassDefContext) -> None:
        """Give `NAME = prop(...)` the type `Prop[value, required]`."""
        api, target = _analyzer(ctx), _new_name(ctx)
        if target is None:
            return
        reader = SpecReader(api.cur_mod_node, self._modules, ctx.call)
        prop = reader.prop(ctx.call.args[0])
        if not _deferred(api, reader):
            _set_type(target, self._builder.prop_of(prop))

    def give_up(self, ctx: DynamicClassDefContext) -> None:
        """Let the name be of any type, so that a failure elsewhere makes no errors here."""
        target = _new_name(ctx)
        if target is not None:
            _set_type(target, AnyType(TypeOfAny.from_error))

    def infer_args(self, ctx: AnalyzeTypeContext) -> Type:
        """The type that `InferArgs[NAME]` stands for."""
        name = _only_argument(ctx.type)
        if name is None:
            fail(ctx.api, ONE_SPEC, ctx.context)
            return AnyType(TypeOfAny.from_error)
        assert isinstance(ctx.api, TypeAnalyser) and isinstance(ctx.api.api, SemanticAnalyzer)
        api = ctx.api.api
        symbol = api.lookup_qualified(name, ctx.context, suppress_errors=True)
        if _is_unknown(symbol) and not api.final_iteration:
            api.record_incomplete_ref()
            return AnyType(TypeOfAny.special_form)
        arguments = self._arguments_of(symbol)
        if arguments is None:
            fail(ctx.api, NO_SPEC.format(name), ctx.context)
            return AnyType(TypeOfAny.from_error)
        assert symbol is not None and symbol.fullname is not None
        api.add_plugin_dependency(make_trigger(symbol.fullname))
        return arguments

    def _arguments(self, spec: object) -> Type:
        try:
            arguments = self._builder.arguments(spec)
        except Unseen:
            arguments = None
        return arguments or self._builder.unseen_arguments()

    def _arguments_of(self, symbol: SymbolTableNode | None) -> Type | None:
        """The type of the arguments of a constant, None when it is no spec."""
        node = symbol.node if symbol is not None else None
        if not isinstance(node, Var) or node.is_inferred:
            return None
        type_ = get_proper_type(node.type)
        if isinstance(type_, Instance) and is_our_spec(type_.type, self._modules):
            return type_.args[0]
        return type_ if isinstance(type_, AnyType) else None

    def _named(self, arguments: TypedDictType, api: SemanticAnalyzer, var: Var) -> Type:
        """The TypedDict under the name `InferArgs[NAME]`, which messages print and caches refer
        to. Locals keep an anonymous one: nobody else can name them."""
        if api.is_nested_within_func_scope():
            return arguments
        base = self._builder.instance("typing._TypedDict")
        info = api.basic_new_typeinfo(f"InferArgs[{var.name}]", base, var.line)
        info.update_typeddict_type(typed_dict(arguments.items, arguments.required_keys, base))
        assert info.special_alias is not None
        _add_hidden(api, info)
        return TypeAliasType(info.special_alias, [])


def typed_dict_class(source: Expression) -> Type | None:
    """The type that a name of a TypedDict class stands for, None for any other source."""
    application = source.analyzed if isinstance(source, IndexExpr) else None
    args: list[Type] = []
    if isinstance(application, TypeApplication):
        source, args = application.expr, application.types
    node = source.node if isinstance(source, RefExpr) else None
    alias = node.special_alias if isinstance(node, TypeInfo) and node.typeddict_type else node
    if not isinstance(alias, TypeAlias):
        return None
    type_ = TypeAliasType(alias, args)
    return type_ if isinstance(get_proper_type(type_), TypedDictType) else None


def _spec(reader: SpecReader, source: Expression) -> object:
    """The spec in an expression, None when source does not tell."""
    try:
        return reader.spec(source)
    except Unseen:
        return None


def _add_hidden(api: SemanticAnalyzer, info: TypeInfo) -> None:
    """Put a class into the symbol table, where nobody can name it. The daemon finds out that it
    changed by way of a variable that has it as `info`, so there is one of these too."""
    assert info.special_alias is not None
    var = Var(f"{info.name}@", info.special_alias.target)
    var._fullname = api.qualified_name(var.name)
    var.info = info
    for name, node in ((info.name, info), (var.name, var)):
        api.current_symbol_table()[name] = SymbolTableNode(
            api.current_symbol_kind(), node, module_public=False, plugin_generated=True
        )


def _analyzer(ctx: DynamicClassDefContext) -> SemanticAnalyzer:
    assert isinstance(ctx.api, SemanticAnalyzer)
    return ctx.api


def _new_name(ctx: DynamicClassDefContext) -> NameExpr | None:
    """The name that is defined as the value of the call, when it is new and has no annotation."""
    statement = _analyzer(ctx).statement
    if not isinstance(statement, AssignmentStmt) or statement.rvalue is not ctx.call:
        return None
    for target in statement.lvalues:
        if isinstance(target, NameExpr) and target.name == ctx.name and target.is_new_def:
            is_untyped = isinstance(target.node, Var) and target.node.type is None
            return target if is_untyped and len(ctx.call.args) == 1 else None
    return None


def _var(target: NameExpr) -> Var:
    assert isinstance(target.node, Var)
    return target.node


def _set_type(target: NameExpr, type_: Type) -> None:
    """As if the name had been annotated: what is inferred later does not change it."""
    var = _var(target)
    var.type = type_
    var.is_ready = True
    var.is_inferred = False
    target.is_inferred_def = False


def _deferred(api: SemanticAnalyzer, reader: SpecReader) -> bool:
    """Whether to come back when mypy knows more names."""
    if reader.constants.incomplete and not api.final_iteration:
        api.defer()
        return True
    return False


def _only_argument(type_: UnboundType) -> str | None:
    if len(type_.args) != 1 or not isinstance(type_.args[0], UnboundType):
        return None
    return type_.args[0].name


def _is_unknown(symbol: SymbolTableNode | None) -> bool:
    """Whether a symbol may still become one that is typed."""
    if symbol is None or isinstance(symbol.node, PlaceholderNode):
        return True
    return isinstance(symbol.node, Var) and symbol.node.type is None
