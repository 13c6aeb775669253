"""Loops that rotate names, such as `before = last; last = x`: the two names must be two values where the loop begins.

Triton visits a loop's body once, to find the names that it changes: those whose value is another one after that visit. Where
`before` and `last` are one value at the loop's entry, `before = last` changes nothing in the first round, and Triton takes
`before` for a constant of the loop. Nothing tells of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[2] / "kernels"
Names = set[tuple[str, str]]


def copies(nodes: Iterable[ast.AST]) -> Names:
    """(name, other name) of each assignment that may give a value a second name."""
    found: Names = set()
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found.update(_pairs(target, node.value))
            for first, second in zip(node.targets, node.targets[1:]):
                found.update(_pairs(first, second))
    return found


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "to":
        value = value.func.value  # a cast to the same dtype gives the value itself
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(target.elts, value.elts):
            yield from _pairs(one, other)
    elif isinstance(value, ast.IfExp):
        yield from _pairs(target, value.body)
        yield from _pairs(target, value.orelse)
    elif isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id != value.id:
        yield target.id, value.id


def same_values(pairs: Names) -> list[set[str]]:
    """The names that may be one value, in groups."""
    groups: list[set[str]] = []
    for pair in pairs:
        joined = set(pair).union(*(group for group in groups if group & set(pair)))
        groups = [group for group in groups if not group & joined] + [joined]
    return groups


def lost(function: ast.FunctionDef) -> Iterator[str]:
    """The copies in loops between names that may be one value at the loop's entry."""
    for loop in ast.walk(function):
        if not isinstance(loop, (ast.For, ast.While)) or "static_range" in ast.dump(getattr(loop, "iter", loop.body[0])):
            continue
        inside = copies(node for statement in loop.body for node in ast.walk(statement))
        outside = copies(node for node in ast.walk(function) if node not in set(ast.walk(loop)))
        changed = {
            node.id for statement in loop.body for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }  # fmt: skip
        for name, other in sorted(inside):
            if other in changed and any({name, other} <= group for group in same_values(outside)):
                yield f"{function.name}, line {loop.lineno}: {name} = {other}"


def functions(source: str) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any("jit" in ast.unparse(made) for made in node.decorator_list):
            yield node


@pytest.mark.long
def test_no_kernel_begins_a_loop_with_one_value_under_two_rotating_names() -> None:
    files = list(KERNELS.rglob("*.py"))
    assert len(files) > 50
    assert not [f"{file.name}: {found}" for file in files for f in functions(file.read_text()) for found in lost(f)]


LOOP = """
@triton.jit
def f(x, out, n):
    {}
    for i in range(n):
        before = last
        last = last + i
    tl.store(out, before)
"""


@pytest.mark.parametrize("start", ["last = tl.load(x); before = last", "before = last = tl.load(x)",
                                   "last = tl.load(x); other = last; before = other.to(tl.float32)"])  # fmt: skip
def test_the_pattern_is_found(start: str) -> None:
    (function,) = functions(LOOP.format(start))
    assert list(lost(function)) == ["f, line 5: before = last"]


def test_two_values_are_no_fault() -> None:
    (function,) = functions(LOOP.format("last = tl.load(x); before = tl.load(x)"))
    assert not list(lost(function))
