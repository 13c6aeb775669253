"""The expression language of the registry: pointwise arithmetic and derivatives.

An expression is Python syntax over the names of inputs, outputs, attributes and `d<output>`:

    dy * (y > 0)
    softmax_grad(dy, y, dim)
    needs(weight)

It is written out twice: as Triton source over scalars, where every call is a scalar function (`to_triton`), and as
Python over tensors, where every call is a functional name of `_C` (`to_python`). Imports nothing of tritonflow.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

META_ATTRIBUTES = ("shape", "stride", "dtype", "device", "ndim", "numel", "sbp")

# Operators whose arithmetic is that of a scalar function with rules of its own (rounding, the sign of zero).
OPERATOR_FUNCTIONS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.USub: "negative",
    ast.IfExp: "where",
}
_CALLED_IN_TRITON = (ast.Div, ast.Pow, ast.USub)

_NODES = (
    *(ast.Expression, ast.Name, ast.Load, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Attribute),
    *(ast.Tuple, ast.List, ast.IfExp, ast.Subscript, ast.Slice, ast.keyword, ast.BoolOp, ast.And, ast.Or),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.USub, ast.Invert, ast.Not),
    *(ast.BitAnd, ast.BitOr, ast.BitXor),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot),
)


class ExpressionError(ValueError):
    """An expression that is not in the language or names something unknown."""


class NotPointwise(Exception):
    """An expression that cannot be one kernel over scalars; the text says why."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression.

    Args:
        source: the text, with blanks normalised.
        tree: its syntax tree.
        data: names whose values it reads, in order of appearance.
        metas: names of which it reads only shape, stride, dtype, device, ndim or numel.
        needs: names that it asks `needs(...)` about.
        calls: names of the functions that it calls.
    """

    source: str
    tree: ast.expr
    data: tuple[str, ...]
    metas: tuple[str, ...]
    needs: tuple[str, ...]
    calls: tuple[str, ...]


def parse(text: str, names: frozenset[str], where: str) -> Expression:
    """Parse `text`, whose free names must be in `names`.

    Raises:
        ExpressionError: naming `where` and what is wrong.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ExpressionError(f"{where}: {text!r} is not an expression: {error.msg}") from None
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise ExpressionError(f"{where}: {text!r}: {type(node).__name__} is not in the expression language")
        if isinstance(node, ast.Compare) and len(node.ops) != 1:
            raise ExpressionError(f"{where}: {text!r}: write a chain of comparisons with &")
    try:
        reads = list(_reads(tree))
    except ExpressionError as error:
        raise ExpressionError(f"{where}: {text!r}: {error}") from None
    for _, name in reads:
        if name not in names and ("call", name) not in reads:
            known = ", ".join(sorted(names))
            close = difflib.get_close_matches(name, names, 1)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            raise ExpressionError(f"{where}: {text!r}: unknown name {name!r}; the names are {known}{meant}")
    data = _unique(name for kind, name in reads if kind == "data")
    metas = tuple(n for n in _unique(name for kind, name in reads if kind == "meta") if n not in data)
    return Expression(
        source=ast.unparse(tree),
        tree=tree,
        data=data,
        metas=metas,
        needs=_unique(name for kind, name in reads if kind == "needs"),
        calls=_unique(name for kind, name in reads if kind == "call"),
    )


def _reads(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The free names of a tree as (how it is read, name)."""
    match node:
        case ast.Name(id=name):
            yield "data", name
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            if attr not in META_ATTRIBUTES:
                raise ExpressionError(f"attribute {attr!r} of {name!r}: only {', '.join(META_ATTRIBUTES)} are known")
            yield "meta", name
        case ast.Attribute():
            raise ExpressionError("attributes are read from names only")
        case ast.Call(func=ast.Name(id="needs"), args=arguments):
            if len(arguments) != 1 or not isinstance(arguments[0], ast.Name):
                raise ExpressionError("needs(...) takes the name of an input")
            yield "needs", arguments[0].id
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            yield "call", name
            for argument in [*arguments, *keywords]:
                yield from _reads(argument)
        case ast.Call():
            raise ExpressionError("only functions called by their name are known")
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _reads(child)


def _unique(names: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def direct_call(expression: Expression) -> tuple[str, tuple[str, ...]] | None:
    """(function, argument names) if the expression is one function or operator applied to bare names."""
    match expression.tree:
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]):
            pass
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATOR_FUNCTIONS:
            function, arguments = OPERATOR_FUNCTIONS[type(op)], [left, right]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            function, arguments = "negative", [operand]
        case _:
            return None
    if not all(isinstance(a, ast.Name) for a in arguments):
        return None
    return function, tuple(a.id for a in arguments if isinstance(a, ast.Name))


def count_operations(expression: Expression) -> int:
    """How many kernels the expression takes when it is evaluated op by op."""
    operations = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call)
    return sum(isinstance(node, operations) for node in ast.walk(expression.tree) if not _is_literal(node))


def _is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)


# ---------------------------------------------------------------------------------------------- Triton

Resolve = Callable[[str, int], "str | None"]


def to_triton(expression: Expression, resolve: Resolve) -> tuple[str, tuple[str, ...]]:
    """The expression as Triton source over scalars, and the scalar functions that it calls.

    Args:
        resolve: the scalar function behind a called name with so many arguments; None if there is none.

    Raises:
        NotPointwise: something in it has no meaning for scalars.
    """
    writer = _TritonWriter(resolve)
    tree = writer.visit(ast.parse(expression.source, mode="eval").body)
    return ast.unparse(tree), tuple(dict.fromkeys(writer.functions))


class _TritonWriter(ast.NodeTransformer):
    """Replaces calls and those operators that scalar functions define."""

    def __init__(self, resolve: Resolve) -> None:
        self.resolve = resolve
        self.functions: list[str] = []

    def visit(self, node: ast.AST) -> ast.AST:
        allowed = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.IfExp)
        if isinstance(node, ast.expr) and not isinstance(node, allowed):
            raise NotPointwise(f"{ast.unparse(node)!r} has no meaning for scalars")
        if isinstance(node, (ast.FloorDiv, ast.Not, ast.Is, ast.IsNot)):
            raise NotPointwise(f"the operator {type(node).__name__} has no meaning for scalars")
        if isinstance(node, ast.Constant) and not isinstance(node.value, (int, float)):
            raise NotPointwise(f"{node.value!r} is not a number")
        result: ast.AST = super().visit(node)
        return result

    def visit_Call(self, node: ast.Call) -> ast.AST:
        assert isinstance(node.func, ast.Name)
        if node.keywords:
            raise NotPointwise(f"{ast.unparse(node)!r} has keyword arguments")
        return self._call(node.func.id, node.args)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return self._call("where", [node.test, node.body, node.orelse])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if isinstance(node.op, _CALLED_IN_TRITON):
            return self._call(OPERATOR_FUNCTIONS[type(node.op)], [node.left, node.right])
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, _CALLED_IN_TRITON) and not isinstance(node.operand, ast.Constant):
            return self._call(OPERATOR_FUNCTIONS[type(node.op)], [node.operand])
        return self.generic_visit(node)

    def _call(self, name: str, arguments: list[ast.expr]) -> ast.Call:
        function = self.resolve(name, len(arguments))
        if function is None:
            raise NotPointwise(f"{name!r} with {len(arguments)} arguments is no pointwise function")
        self.functions.append(function)
        visited = [self.visit(argument) for argument in arguments]
        return ast.Call(ast.Name(function, ast.Load()), visited, [])  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------- Python over _C


def to_python(expression: Expression, metas: Mapping[str, str], needs: Mapping[str, str]) -> str:
    """The expression as Python over tensors; functions are attributes of `_C`.

    Args:
        metas: for a name, the source of its TensorMeta, of which `x.shape` and the like are read.
        needs: for an input's name, the source of whether its gradient is wanted.
    """
    tree = _PythonWriter(metas, needs).visit(ast.parse(expression.source, mode="eval").body)
    return ast.unparse(tree)


class _PythonWriter(ast.NodeTransformer):
    def __init__(self, metas: Mapping[str, str], needs: Mapping[str, str]) -> None:
        self.metas = metas
        self.needs = needs

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        assert isinstance(node.value, ast.Name)
        return ast.parse(f"{self.metas[node.value.id]}.{node.attr}", mode="eval").body

    def visit_Call(self, node: ast.Call) -> ast.AST:
        assert isinstance(node.func, ast.Name)
        if node.func.id == "needs":
            assert isinstance(node.args[0], ast.Name)
            return ast.parse(self.needs[node.args[0].id], mode="eval").body
        function = ast.Attribute(ast.Name("_C", ast.Load()), node.func.id, ast.Load())
        arguments = [self.visit(a) for a in node.args]
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        return ast.Call(function, arguments, keywords)
