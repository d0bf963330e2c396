"""The changes: each is one node of the source that becomes another one."""

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple


class Change(NamedTuple):
    """One change.

    number: which of the source's nodes, in the order of `ast.walk`.
    variant: which of the ways to change it.
    line: where it stands.
    text: the statement's line before and after, for people.
    """

    number: int
    variant: int
    line: int
    text: str


COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


def changes(source: str) -> list[Change]:
    """Every change of a source that this module knows."""
    tree = ast.parse(source)
    skipped = {id(inner) for node in ast.walk(tree) for inner in _not_code(node)}
    found = []
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in skipped:
            continue
        for variant, other in enumerate(_others(node)):
            line: int = getattr(node, "lineno", 0)
            text = f"{_shown(node)} → {_shown(other)}"
            found.append(Change(number, variant, line, f"{_within(tree, node)}{text}"))
    return found


def changed_source(source: str, change: Change) -> str:
    tree = ast.parse(source)
    node = [*ast.walk(tree)][change.number]
    other = [*_others(node)][change.variant]

    class Replace(ast.NodeTransformer):
        def visit(self, visited: ast.AST) -> ast.AST:
            return other if visited is node else self.generic_visit(visited)

    return ast.unparse(ast.fix_missing_locations(Replace().visit(tree)))


def _not_code(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a node and is for readers and type checkers alone."""
    for annotation in ("annotation", "returns"):
        inner = getattr(node, annotation, None)
        if isinstance(inner, ast.AST):
            yield from ast.walk(inner)
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
        yield from ast.walk(node)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield from ast.walk(node)
    if isinstance(node, ast.FunctionDef):
        for decorator in node.decorator_list:
            yield from ast.walk(decorator)
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("cast", "TypeVar"):
        yield from (inner for argument in node.args[:1] for inner in ast.walk(argument))
        yield from (inner for keyword in node.keywords for inner in ast.walk(keyword))
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        if ast.unparse(node).startswith(("Registrations[", "list[", "dict[", "Generic[")):
            yield from ast.walk(node.slice)


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """What a node may become."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            other = copy.deepcopy(node)
            other.ops = [COMPARISONS[type(op)]()]
            yield other
        case ast.BoolOp(op=op):
            other_op = copy.deepcopy(node)
            other_op.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield other_op
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.BinOp(op=operator) if type(operator) in OPERATORS:
            other_bin = copy.deepcopy(node)
            other_bin.op = OPERATORS[type(operator)]()
            yield other_bin
        case ast.AugAssign(op=operator) if type(operator) in OPERATORS:
            other_aug = copy.deepcopy(node)
            other_aug.op = OPERATORS[type(operator)]()
            yield other_aug
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value:
            yield ast.Constant(value + "?")
        case ast.If() | ast.IfExp() | ast.While():
            for answer in (True, False):
                if not isinstance(node, ast.While) or not answer:
                    other_if = copy.deepcopy(node)
                    other_if.test = ast.Constant(answer)
                    yield other_if
        case ast.Return(value=ast.AST()):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Continue() | ast.Raise() | ast.Assign():
            if not isinstance(node, ast.Assign) or isinstance(node.targets[0], ast.Attribute):
                yield ast.Pass()


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= 70 else text[:70] + "…"


def _within(tree: ast.AST, node: ast.AST) -> str:
    """The innermost function or class around a node, for a name that outlives moved lines."""
    around = [
        outer
        for outer in ast.walk(tree)
        if isinstance(outer, (ast.FunctionDef, ast.ClassDef)) and outer is not node
        if any(inner is node for inner in ast.walk(outer))
    ]
    return "".join(f"{outer.name}: " for outer in around)
