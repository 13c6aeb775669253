"""How much arithmetic a function of kernels/functions is, counted in its source, the functions that it calls included.

An operator, a comparison, a call of `tl.where` or the like is one operation, a transcendental function of Triton's is `SLOW`, a
polynomial of so many, and a root takes as long as `ROOT`. Of two branches the shorter counts: the other one is for float64.

    >>> count("activation.gelu")  # x * Phi(x): the product waits for Phi, which is a polynomial and an exponential function
    Count(operations=24, chain=24, steps=5)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tritonflow.ops.kernel_modules import imported
from tritonflow.ops.transcendental import TRANSCENDENTAL

SLOW, ROOT = 20, 10
ROOTS = {"sqrt", "rsqrt", "sqrt_rn"}
FREE = {"to", "cast", "is_fp64", "is_floating", "static_range", "constexpr"}


class Count(NamedTuple):
    """Operations; the longest chain of them that wait for each other; its steps, of which a transcendental function is one."""

    operations: int = 0
    chain: int = 0
    steps: int = 0

    def then(self, other: Count) -> Count:
        """One behind the other."""
        return Count(*[a + b for a, b in zip(self, other)])


def beside(counts: Iterable[Count]) -> Count:
    """Several that do not wait for each other."""
    operations, chains, steps = zip(Count(), *counts)
    return Count(sum(operations), max(chains), max(steps))


@lru_cache(maxsize=4096)
def count(name: str) -> Count:
    """Of the function "file.function"."""
    file, _, function = name.partition(".")
    return _of_function(getattr(imported(f"tritonflow.kernels.functions.{file}"), function))


@lru_cache(maxsize=4096)
def _of_function(function: Any) -> Count:
    definition = function.parse().body[0]
    assert isinstance(definition, ast.FunctionDef)
    return _OperationCounter(function.fn.__globals__, definition).all(definition.body)


class _OperationCounter:
    """Counts syntax; `made` has for each local name the chain behind its value, whose operations were counted where it was made."""

    def __init__(self, names: dict[str, Any], definition: ast.FunctionDef) -> None:
        self.names = names
        self.made = {arg.arg: Count() for arg in definition.args.args if arg.annotation is None}

    def all(self, nodes: Iterable[ast.AST]) -> Count:
        return beside([self.of(node) for node in nodes])

    def of(self, node: ast.AST) -> Count:
        if isinstance(node, (ast.If, ast.IfExp)):
            return self.shorter([part if isinstance(part, list) else [part] for part in (node.body, node.orelse)])
        if isinstance(node, ast.For):
            return beside([self.all(node.body) for _ in range(_turns(node.iter))])
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            return self.assigned(node)
        if isinstance(node, ast.Name):
            return self.made.get(node.id, Count())
        if isinstance(node, ast.Call):
            method = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            return self.all([*node.args, *method]).then(self.call(node.func))
        inside = self.all(ast.iter_child_nodes(node))
        counts = isinstance(node, (ast.BinOp, ast.Compare)) and self.is_computed(node)
        return inside.then(Count(1, 1, 1)) if counts else inside

    def is_computed(self, node: ast.AST) -> bool:
        """Whether an expression is more than constants."""
        return any(isinstance(part, ast.Name) and part.id in self.made for part in ast.walk(node))

    def shorter(self, branches: Sequence[Sequence[ast.AST]]) -> Count:
        before, found = self.made, []
        for branch in branches:
            self.made = dict(before)
            found.append((self.all(branch), self.made))
        least, self.made = min(found, key=lambda each: each[0])
        return least

    def assigned(self, node: ast.Assign | ast.AugAssign) -> Count:
        found = self.of(node.value)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for name in [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]:
            self.made[name.id] = found._replace(operations=0)
        return found

    def call(self, function: ast.AST) -> Count:
        own = self.names.get(function.id) if isinstance(function, ast.Name) else None
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in FREE:
            return Count()
        if hasattr(own, "fn"):
            return _of_function(own)
        operations = SLOW if name in TRANSCENDENTAL else ROOT if name in ROOTS else 1
        return Count(operations, operations, 1)


def _turns(iterable: ast.AST) -> int:
    """How often a loop over `tl.static_range(n)` goes; once, where that is not written there."""
    numbers = [arg.value for arg in getattr(iterable, "args", ()) if isinstance(arg, ast.Constant)]
    return numbers[0] if len(numbers) == 1 and isinstance(numbers[0], int) else 1
