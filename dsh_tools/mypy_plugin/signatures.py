"""The signatures of calls, while they are checked: `define_tool(parameters={...})` and
`schema({...})` with the type of the arguments filled in, and everything there is to report.
"""

from collections.abc import Mapping

from mypy.checker import TypeChecker
from mypy.expandtype import expand_type
from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    LambdaExpr,
    MypyFile,
    RefExpr,
    Statement,
    StrExpr,
)
from mypy.plugin import FunctionSigContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    ProperType,
    Type,
    TypedDictType,
    TypeOfAny,
    TypeType,
    UnionType,
    flatten_nested_unions,
    get_proper_type,
)

from ..schema.faults import (
    ASYNC_BODY,
    NO_DESCRIPTION,
    Fault,
    fault_text,
    is_long_form,
    tool_name_fault,
)
from .constants import Constants, blocks
from .lowered import faults_of_prop, faults_of_spec
from .names import is_our_spec
from .naming import typed_dict_class
from .reports import UNSEEN_SPEC, Unseen, fail, note
from .spec_reader import SpecReader, is_dict_source
from .type_builder import TypeBuilder

class Signatures:
    """Rewrites the signatures of the functions of one copy of the package."""

    def __init__(self, modules: Mapping[str, MypyFile], builder: TypeBuilder) -> None:
        self._modules = modules
        self._builder = builder

    def of_schema(self, ctx: FunctionSigContext) -> CallableType:
        """`schema(...)`, with what its argument tells filled in."""
        return self._with_arguments(ctx, "spec", label=None)

    def of_prop(self, ctx: FunctionSigContext) -> CallableType:
        """`prop(...)`, returning the `Prop` that its argument makes."""
        source, reader = _actual(ctx, "spec"), self._reader(ctx)
        if source is None:
            return ctx.default_signature
        prop = reader.prop(source)
        is_faulty = _report(ctx, reader, source, faults_of_prop(prop), in_prop=True)
        accepted = self._anything(ctx) if is_faulty or reader.loose else None
        return _accepting(ctx.default_signature, "spec", accepted).copy_modified(
            ret_type=self._builder.prop_of(prop)
        )

    def of_define_tool(self, ctx: FunctionSigContext) -> CallableType:
        """`define_tool(...)`, with what `parameters` and `output` tell filled in."""
        call, signature = _call(ctx), ctx.default_signature
        for option in ("execute", "output"):
            if (option in call.arg_names) != (option in signature.arg_names):
                return signature  # another overload is the one that is called
        is_decorator = "execute" not in call.arg_names
        name = self._name(ctx)
        signature = self._with_arguments(ctx, "parameters", label=None if is_decorator else name)
        if "output" in call.arg_names:
            bound = ctx._replace(default_signature=signature)
            signature = self._with_arguments(bound, "output", label=None)
        body = _decorated(call, _tree(ctx).defs) if is_decorator else _actual(ctx, "execute")
        if isinstance(body, FuncDef) and "description" not in call.arg_names:
            self._require_docstring(ctx, body)
        if not _is_async(body):
            return signature
        fail(ctx.api, ASYNC_BODY, call if is_decorator or body is None else body)
        return self._accepting_any_body(signature)

    def of_reader(self, ctx: FunctionSigContext) -> CallableType:
        """`validate_args(...)` and `schema_spec_to_json_schema(...)`, for a spec that stands in
        the call."""
        source, reader = _actual(ctx, "spec"), self._reader(ctx)
        if source is None or not is_dict_source(source):
            return ctx.default_signature
        try:
            spec = reader.spec(source)
        except Unseen:
            return ctx.default_signature
        is_faulty = _report(ctx, reader, source, faults_of_spec(spec), in_prop=is_long_form(spec))
        accepted = self._anything(ctx) if is_faulty or reader.loose else None
        return _accepting(ctx.default_signature, "spec", accepted)

    def _require_docstring(self, ctx: FunctionSigContext, body: FuncDef) -> None:
        match body.body.body:
            case [ExpressionStmt(expr=StrExpr(value=docstring)), *_] if docstring.strip():
                return
        fail(ctx.api, NO_DESCRIPTION, _call(ctx))

    def _with_arguments(
        self, ctx: FunctionSigContext, formal: str, label: str | None
    ) -> CallableType:
        """The signature with its type variable bound to the type of the arguments that the
        spec in `formal` tells. `label` names that type in messages."""
        source, reader = _actual(ctx, formal), self._reader(ctx)
        if source is None or typed_dict_class(source) or reader.is_our_call(source):
            return ctx.default_signature  # mypy itself infers these
        declared = reader.constants.declared_type(source)
        if self._is_spec(declared):
            assert isinstance(declared, Instance)
            bound = _bound(ctx.default_signature, formal, declared.args[0], declared)
            return bound.copy_modified(ret_type=declared) if formal == "spec" else bound
        try:
            spec = reader.spec(source)
            arguments = self._arguments(ctx, spec, label)
        except Unseen as unseen:
            return self._unseen(ctx, formal, reader, unseen.why)
        is_long = is_long_form(spec)
        is_faulty = _report(ctx, reader, source, faults_of_spec(spec), in_prop=is_long)
        accepted = self._anything(ctx) if is_faulty or reader.loose else None
        bound = _bound(ctx.default_signature, formal, arguments, accepted)
        if is_long and formal == "spec":
            return bound.copy_modified(ret_type=self._builder.spec_of(arguments, is_long=True))
        return bound

    def _unseen(
        self, ctx: FunctionSigContext, formal: str, reader: SpecReader, why: str
    ) -> CallableType:
        """The signature for a spec that source does not tell: mypy's own, when the type of the
        expression says more than that it is some spec."""
        source = _actual(ctx, formal)
        assert source is not None
        if not is_dict_source(source) and self._is_told(ctx.api.get_expression_type(source), why):
            return ctx.default_signature
        _report(ctx, reader, source, [])
        if why:
            note(ctx.api.msg, UNSEEN_SPEC.format(why=why), source)
        return _bound(ctx.default_signature, formal, self._unseen_arguments(ctx, formal), None)

    def _unseen_arguments(self, ctx: FunctionSigContext, formal: str) -> Type:
        """A mapping of objects where a type is inferred from it; but what an author says
        (`PARAMS: Spec[Args] = schema(...)`), and beside annotated bodies the dict that it is."""
        wanted = get_proper_type(ctx.api.type_context[-1])
        if isinstance(wanted, Instance) and self._is_spec(wanted):
            return wanted.args[0]
        if formal != "parameters" or isinstance(_actual(ctx, "execute"), LambdaExpr):
            return self._builder.unseen_arguments()
        return self._builder.open_object()

    def _is_told(self, type_: Type, why: str) -> bool:
        proper = get_proper_type(type_)
        if isinstance(proper, AnyType):
            return not why
        return self._is_spec(proper) or isinstance(proper, (TypeType, FunctionLike))

    def _is_spec(self, type_: ProperType | None) -> bool:
        return isinstance(type_, Instance) and is_our_spec(type_.type, self._modules)

    def _arguments(self, ctx: FunctionSigContext, spec: object, label: str | None) -> Type:
        arguments = self._builder.arguments(spec) or self._builder.unseen_arguments()
        if label is None or not isinstance(arguments, TypedDictType):
            return arguments
        return self._builder.labelled(arguments, f"InferArgs[{label}]", _tree(ctx).fullname)

    def _name(self, ctx: FunctionSigContext) -> str | None:
        """The name of the tool when source tells; what is wrong with it is reported."""
        source = _actual(ctx, "name")
        try:
            name = None if source is None else Constants(_tree(ctx)).value(source)
        except Unseen:
            return None
        fault = None if source is None else tool_name_fault(name)
        if fault is None or source is None:
            return name if isinstance(name, str) else None
        fail(ctx.api, fault, source)
        return None

    def _accepting_any_body(self, signature: CallableType) -> CallableType:
        """The signature for a body that was reported already."""
        if "execute" in signature.arg_names:
            return _accepting(signature, "execute", self._object())
        decorator = get_proper_type(signature.ret_type)
        assert isinstance(decorator, CallableType)
        return signature.copy_modified(
            ret_type=decorator.copy_modified(arg_types=[self._object()])
        )

    def _reader(self, ctx: FunctionSigContext) -> SpecReader:
        return SpecReader(_tree(ctx), self._modules, _call(ctx))

    def _anything(self, ctx: FunctionSigContext) -> Type:
        """What a parameter accepts whose argument is read and judged already: `Any`, which costs
        mypy a third of what `object` does, unless an author wants to hear of every `Any`."""
        if ctx.api.options.disallow_any_expr:
            return self._object()
        return AnyType(TypeOfAny.special_form)

    def _object(self) -> Type:
        return self._builder.instance("builtins.object")


def _report(
    ctx: FunctionSigContext,
    reader: SpecReader,
    source: Expression,
    faults: list[Fault],
    in_prop: bool = False,
) -> bool:
    """Print what the reader remarked and the faults of what it read; whether there were any
    mistakes among them."""
    for remark in reader.remarks:
        if remark.is_mistake:
            fail(ctx.api, remark.text, remark.where)
        else:
            note(ctx.api.msg, remark.text, remark.where)
    for fault in faults:
        place = reader.place(source, fault[0])
        if place is not None:
            fail(ctx.api, fault_text(fault, in_prop=in_prop), place)
    return bool(faults) or any(remark.is_mistake for remark in reader.remarks)


def _actual(ctx: FunctionSigContext, formal: str) -> Expression | None:
    """The expression that a call passes for a parameter, None when a star passes it."""
    if formal not in ctx.default_signature.arg_names:
        return None
    call, actuals = _call(ctx), ctx.args[ctx.default_signature.arg_names.index(formal)]
    if len(actuals) != 1 or call.arg_kinds[call.args.index(actuals[0])].is_star():
        return None
    return actuals[0]


def _call(ctx: FunctionSigContext) -> CallExpr:
    assert isinstance(ctx.context, CallExpr)
    return ctx.context


def _bound(
    signature: CallableType, formal: str, arguments: Type, accepted: Type | None
) -> CallableType:
    """The signature for these arguments, or for such a value where `formal` is "output". `formal`
    accepts the type `accepted`, or when that is None a plain spec."""
    name = "R" if formal == "output" else "A"  # as the declarations call them
    others = [variable for variable in signature.variables if variable.name != name]
    told = {variable.id: arguments for variable in signature.variables if variable.name == name}
    bound = expand_type(signature.copy_modified(variables=others), told)
    return _accepting(bound, formal, accepted or _plain_spec(bound, formal))


def _accepting(signature: CallableType, formal: str, accepted: Type | None) -> CallableType:
    if accepted is None:
        return signature
    accepts = list(signature.arg_types)
    accepts[signature.arg_names.index(formal)] = accepted
    return signature.copy_modified(arg_types=accepts)


def _plain_spec(signature: CallableType, formal: str) -> Type | None:
    """The two forms of a `SchemaSpec` among the types that a parameter accepts."""
    accepts = get_proper_type(signature.arg_types[signature.arg_names.index(formal)])
    items = flatten_nested_unions(accepts.items) if isinstance(accepts, UnionType) else []
    forms = [item for item in map(get_proper_type, items) if _is_form(item)]
    return UnionType.make_union(forms) if forms else None


def _is_form(accepted: ProperType) -> bool:
    if isinstance(accepted, Instance):
        return accepted.type.fullname == "builtins.dict"
    return isinstance(accepted, TypedDictType)


def _tree(ctx: FunctionSigContext) -> MypyFile:
    assert isinstance(ctx.api, TypeChecker)
    return ctx.api.tree


def _is_async(body: Expression | FuncDef | None) -> bool:
    node = body.node if isinstance(body, RefExpr) else body
    function = node.func if isinstance(node, Decorator) else node
    return isinstance(function, FuncDef) and function.is_coroutine


def _decorated(call: CallExpr, statements: list[Statement]) -> FuncDef | None:
    """The function that a call decorates, searched where statements can nest."""
    for statement in statements:
        if isinstance(statement, Decorator) and call in statement.original_decorators:
            return statement.func
        end = statement.end_line
        if statement.line <= call.line and (end is None or call.line <= end):
            for block in blocks(statement):
                found = _decorated(call, block.body)
                if found is not None:
                    return found
    return None
