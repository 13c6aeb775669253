"""Texts of `torch._assert` that are made only where the assertion fails.

    torch._assert(len(boxes.shape) == 2, f"expected [N, 4], got {boxes.shape}")

makes its text in each call. A compiled function would then be captured for each number of boxes, as the text has it. A foreign
module that has such statements is executed with `if not condition:` in front of them.
"""

from __future__ import annotations

import ast
from importlib.machinery import SourceFileLoader
from types import ModuleType


def execute(module: ModuleType, loader: SourceFileLoader) -> bool:
    """Execute a module in which there are such statements; False, and nothing is done, where there are none."""
    file = loader.get_filename(module.__name__)
    source = loader.get_data(file)
    if b"torch._assert(" not in source:
        return False
    tree = _Late().visit(ast.parse(source, file))
    exec(compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True), module.__dict__)
    return True


class _Late(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if not (isinstance(call, ast.Call) and _is_assert(call.func) and len(call.args) == 2 and not call.keywords):
            return node
        condition, text = call.args
        if not isinstance(text, ast.JoinedStr):
            return node
        call.args = [ast.copy_location(ast.Constant(False), condition), text]
        negated = ast.copy_location(ast.UnaryOp(ast.Not(), condition), condition)
        return ast.copy_location(ast.If(negated, [node], []), node)


def _is_assert(function: ast.expr) -> bool:
    if not (isinstance(function, ast.Attribute) and function.attr == "_assert"):
        return False
    return isinstance(function.value, ast.Name) and function.value.id == "torch"
