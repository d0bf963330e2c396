"""What an expression is worth, when source tells: literals, constants, `Literal` types.

Constants of the module in hand are read from its source, those of other modules by their types
alone: mypy does not keep the source of a module that it took from its cache. For a like reason a
type counts only when it was declared, or set by this plugin: whether one that the checker
inferred is there depends on the order of checking.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from mypy.nodes import (
    AssignmentStmt,
    Block,
    BytesExpr,
    CallExpr,
    ClassDef,
    Decorator,
    DelStmt,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    FloatExpr,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    GlobalDecl,
    IfStmt,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    OperatorAssignmentStmt,
    OpExpr,
    PlaceholderNode,
    RefExpr,
    SetExpr,
    StarExpr,
    Statement,
    StrExpr,
    TryStmt,
    TupleExpr,
    TypeAlias,
    UnaryExpr,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.types import AnyType, ProperType, Type, get_proper_type

from .reports import Unseen
from .type_builder import element_values, literal_values

T = TypeVar("T")

_NAMED: Final[Mapping[str, object]] = {
    "builtins.True": True,
    "builtins.False": False,
    "builtins.None": None,
}
_MAKERS: Final[Mapping[str, type[list[object]] | type[tuple[object, ...]]]] = {
    "builtins.list": list,
    "builtins.tuple": tuple,
}
_GET_ARGS: Final = ("typing.get_args", "typing_extensions.get_args")
_COMPREHENSIONS: Final = (DictionaryComprehension, ListComprehension, GeneratorExpr)


class Constants:
    """The values of expressions in one module.

    incomplete: mypy did not know every name that was asked for yet.
    followed: a constant's own source was read.
    """

    def __init__(self, module: MypyFile) -> None:
        self.incomplete = False
        self.followed = False
        self._module = module
        self._entered: list[Expression] = []
        self._sources: Mapping[str, Expression] | None = None

    def source(self, expression: Expression) -> Expression:
        """The source of a constant of this module, any other expression as it is."""
        seen: list[Expression] = []
        while expression not in seen:
            seen.append(expression)
            expression = self._assigned(expression) or expression
        self.followed = self.followed or len(seen) > 1
        return expression

    def value(self, expression: Expression) -> object:
        """The value of a literal, a display of literals, or a constant. Raises Unseen."""
        match expression:
            case StrExpr() | IntExpr() | FloatExpr():
                return expression.value
            case BytesExpr():
                return expression.value.encode()
            case UnaryExpr(op="-"):
                return _negative(self.value(expression.expr))
            case ListExpr() | TupleExpr() | SetExpr() | OpExpr() | CallExpr():
                return self._composed(expression)
            case DictExpr():
                return dict(map(self._item, expression.items))
            case RefExpr():
                return self._constant(expression)
        raise Unseen(why_unseen(expression))

    def declared_type(self, expression: Expression) -> ProperType | None:
        """The type of a variable that does not depend on the order of checking, or None."""
        declared = self.declared(expression)
        return None if declared is None else get_proper_type(declared)

    def declared(self, expression: Expression) -> Type | None:
        """The same, an alias as it is."""
        node = expression.node if isinstance(expression, RefExpr) else None
        if isinstance(expression, RefExpr) and (node is None or isinstance(node, PlaceholderNode)):
            self.incomplete = True
        if not isinstance(node, Var) or node.type is None or node.is_inferred:
            return None
        return node.type

    def _composed(self, expression: Expression) -> object:
        match expression:
            case ListExpr():
                return list(self._elements(expression.items))
            case TupleExpr():
                return tuple(self._elements(expression.items))
            case SetExpr():
                return frozenset(map(hashable, self._elements(expression.items)))
            case OpExpr(op="+"):
                return _sum(self.value(expression.left), self.value(expression.right))
            case CallExpr(callee=RefExpr(fullname=maker), args=[argument]):
                return self._made(maker, argument, expression)
        raise Unseen(why_unseen(expression))

    def _made(self, maker: str, argument: Expression, call: Expression) -> object:
        """The value of `list(...)`, `tuple(...)` or `get_args(...)`."""
        if maker in _GET_ARGS and isinstance(argument, RefExpr):
            return tuple(self._alias_values(argument))
        elements = self.value(argument) if maker in _MAKERS else None
        if isinstance(elements, (list, tuple)):
            return _MAKERS[maker](elements)
        raise Unseen(why_unseen(call))

    def _alias_values(self, alias: RefExpr) -> list[str | int]:
        node = alias.node
        if node is None or isinstance(node, PlaceholderNode):
            self.incomplete = True
        values = literal_values(node.target) if isinstance(node, TypeAlias) else None
        if values is None:
            raise Unseen("get_args is given no alias of a Literal")
        return values

    def _elements(self, items: list[Expression]) -> Iterator[object]:
        for item in items:
            if isinstance(item, StarExpr):
                elements = self.value(item.expr)
                if not isinstance(elements, (list, tuple)):
                    raise Unseen(why_unseen(item.expr))
                yield from elements
            else:
                yield self.value(item)

    def _item(self, item: tuple[Expression | None, Expression]) -> tuple[object, object]:
        key, value = item
        if key is None:
            raise Unseen("it holds a **")
        return hashable(self.value(key)), self.value(value)

    def _constant(self, name: RefExpr) -> object:
        if name.fullname in _NAMED:
            return _NAMED[name.fullname]
        if isinstance(name.node, Var) and name.node.final_value is not None:
            return name.node.final_value
        source = self.source(name)
        if source is not name:
            return self.once(source, self.value)
        return self._value_of_type(name)

    def once(self, source: Expression, read: Callable[[Expression], T]) -> T:
        """What is read from the source of a constant. Raises Unseen for one that is made of
        itself."""
        if source in self._entered:
            raise Unseen("it is made of itself")
        self._entered.append(source)
        try:
            return read(source)
        finally:
            self._entered.pop()

    def _value_of_type(self, name: RefExpr) -> object:
        """What a declared `Literal` of one value tells, or a declared tuple of literals."""
        type_ = self.declared_type(name)
        if isinstance(type_, AnyType):
            raise Unseen("")
        values = literal_values(type_) if type_ is not None else None
        if values is not None and len(values) == 1:
            return values[0]
        elements = element_values(type_) if type_ is not None else None
        if elements:
            return tuple(elements)
        if isinstance(name.node, Var) and name.node.type is None:
            self.incomplete = True
        raise Unseen(why_unseen(name))

    def _assigned(self, expression: Expression) -> Expression | None:
        node = expression.node if isinstance(expression, RefExpr) else None
        if not isinstance(node, Var) or node.fullname != f"{self._module.fullname}.{node.name}":
            return None
        if self._sources is None:
            self._sources = _constant_sources(self._module.defs)
        return self._sources.get(node.name)


def hashable(value: object) -> object:
    """A value that can be a key. Raises Unseen for others: such source fails at run time."""
    try:
        hash(value)
    except TypeError:
        raise Unseen("a key must be hashable") from None
    return value


def why_unseen(expression: Expression) -> str:
    """Why the value of an expression is not known, for a note."""
    if isinstance(expression, CallExpr):
        return "it is the result of a call"
    if isinstance(expression, _COMPREHENSIONS):
        return "it is a comprehension"
    if isinstance(expression, (NameExpr, MemberExpr)):
        return f'"{expression.name}" is no constant, assigned once in this module and never changed'
    return "it is computed"


def _negative(value: object) -> object:
    if isinstance(value, (int, float)):
        return -value
    raise Unseen("it is computed")


def _sum(left: object, right: object) -> object:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, list) and isinstance(right, list):
        return [*left, *right]
    raise Unseen("it is computed")


def _constant_sources(statements: list[Statement]) -> dict[str, Expression]:
    """What each name of a module is assigned to, for names that are assigned once and that no
    statement changes in place, wherever it stands."""
    sources: dict[str, Expression] = {}
    changed: set[str] = set()
    for statement in statements:
        if isinstance(statement, AssignmentStmt):
            for target in statement.lvalues:
                if isinstance(target, NameExpr) and target.name not in sources:
                    sources[target.name] = statement.rvalue
                else:
                    changed.add(_base_name(target))
        else:
            changed.update(_names_changed(statement, in_function=False))
    return {name: source for name, source in sources.items() if name not in changed}


def _names_changed(statement: Statement, in_function: bool) -> Iterator[str]:
    """The names that a statement such as `X += ...`, `X.append(...)` or `del X[...]` changes, and
    those inside of it. A plain `X = ...` in a function or a class makes a name of its own."""
    match statement:
        case AssignmentStmt():
            for target in statement.lvalues:
                if not (in_function and isinstance(target, NameExpr)):
                    yield _base_name(target)
        case GlobalDecl():
            yield from statement.names
        case OperatorAssignmentStmt():
            yield _base_name(statement.lvalue)
        case DelStmt():
            yield _base_name(statement.expr)
        case ExpressionStmt(expr=CallExpr(callee=MemberExpr() as method)):
            yield _base_name(method.expr)
    in_function = in_function or isinstance(statement, (ClassDef, Decorator, FuncDef))
    for block in blocks(statement):
        for inner in block.body:
            yield from _names_changed(inner, in_function)


def blocks(statement: Statement) -> Iterator[Block]:
    """The blocks of statements in a statement."""
    match statement:
        case ClassDef():
            yield statement.defs
        case FuncDef():
            yield statement.body
        case Decorator():
            yield statement.func.body
        case IfStmt():
            yield from [*statement.body, *filter(None, [statement.else_body])]
        case ForStmt() | WhileStmt():
            yield from [statement.body, *filter(None, [statement.else_body])]
        case WithStmt():
            yield statement.body
        case MatchStmt():
            yield from statement.bodies
        case TryStmt():
            last = filter(None, [statement.else_body, statement.finally_body])
            yield from [statement.body, *statement.handlers, *last]


def _base_name(target: Expression) -> str:
    while isinstance(target, (IndexExpr, MemberExpr)):
        target = target.base if isinstance(target, IndexExpr) else target.expr
    return target.name if isinstance(target, NameExpr) else ""
