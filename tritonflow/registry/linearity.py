"""In which of its parameters a scalar function is linear: read from its source, by the generator.

A function is linear in a set of parameters, the others held, if f(sum of shares) is the sum of f(shares). Then a pointwise op maps
partial sums to a partial sum without communication. x + y is linear in {x, y}, x * y in {x} and in {y}; x + 1 in no set, as every
rank would add the 1.

The source becomes a sum of terms. A term knows which parameters are its factors, and which it depends on in another way.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from tritonflow.registry.scalar_functions import ScalarFunction

Names = frozenset[str]
NOTHING: Names = frozenset()


class Term(NamedTuple):
    """A product.

    Attributes:
        factors: parameters that are factors of it, once each.
        others: parameters that it depends on otherwise: by a division, a condition, a function.
    """

    factors: Names
    others: Names


Terms = frozenset[Term]
ONE: Terms = frozenset([Term(NOTHING, NOTHING)])
ZERO: Terms = frozenset()


def linear_sets(function: ScalarFunction, functions: Mapping[str, ScalarFunction], count: int) -> tuple[tuple[int, ...], ...]:
    """The sets of positions, among the first `count` parameters, in which a function is linear; the larger ones first."""
    terms = _call(function, [_name(p) for p in function.parameters], functions)
    names = function.parameters[:count]
    found = []
    for size in range(count, 0, -1):
        for positions in combinations(range(count), size):
            chosen = frozenset(names[p] for p in positions)
            if terms and all(len(t.factors & chosen) == 1 and not t.others & chosen for t in terms):
                found.append(positions)
    return tuple(found)


def _name(name: str) -> Terms:
    return frozenset([Term(frozenset([name]), NOTHING)])


def _names(terms: Terms) -> Names:
    return frozenset(name for term in terms for side in term for name in side)


def _with_others(terms: Terms, names: Names) -> Terms:
    """The terms, each also depending on `names`."""
    return frozenset(Term(t.factors - names, t.others | names) for t in terms)


def _opaque(values: list[Terms]) -> Terms:
    """One term of which nothing is known but what it depends on."""
    return frozenset([Term(NOTHING, frozenset().union(*map(_names, values)))])


def _product(a: Terms, b: Terms) -> Terms:
    terms = set()
    for x in a:
        for y in b:
            twice = x.factors & y.factors
            others = x.others | y.others | twice
            terms.add(Term((x.factors | y.factors) - others, others))
    return frozenset(terms)


def _call(function: ScalarFunction, arguments: list[Terms], functions: Mapping[str, ScalarFunction]) -> Terms:
    """What a function makes of arguments."""
    scope = dict(zip(function.parameters, arguments))
    reader = _Reader(functions, scope)
    if function.source:
        return reader.value(ast.parse(function.source, mode="eval").body)
    found = reader.body(function.body)
    return _opaque(arguments) if found is None else found


class _Reader:
    """Reads a body whose names stand for terms. What it does not know becomes an opaque term."""

    def __init__(self, functions: Mapping[str, ScalarFunction], scope: dict[str, Terms]) -> None:
        self.functions = functions
        self.scope = scope

    def body(self, statements: tuple[ast.stmt, ...]) -> Terms | None:
        """What a body returns; None where a statement is not known."""
        for statement in statements:
            match statement:
                case ast.Expr(value=ast.Constant()):
                    continue
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.scope[name] = self.value(value)
                case ast.Return(value=ast.expr() as value):
                    return self.value(value)
                case ast.If(test=test, body=[*yes], orelse=[*no]) if yes and no and not _names(self.value(test)):
                    sides = [_Reader(self.functions, dict(self.scope)).body(tuple(side)) for side in (yes, no)]
                    return None if None in sides else sides[0] | sides[1]  # type: ignore[operator]
                case _:
                    return None
        return None

    def value(self, node: ast.expr) -> Terms:
        """The terms of an expression."""
        match node:
            case ast.Name(id=name):
                return self.scope.get(name, ONE)
            case ast.Constant(value=value):
                return ZERO if value == 0 else ONE
            case ast.Attribute(attr="dtype" | "shape"):
                return ONE
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.value(operand)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return self.value(left) | self.value(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return _product(self.value(left), self.value(right))
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return _with_others(self.value(left), _names(self.value(right)))
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self._called(function, [self.value(a) for a in arguments])
            case _:
                return _opaque([self.value(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)])

    def _called(self, function: ast.expr, arguments: list[Terms]) -> Terms:
        match function:
            case ast.Attribute(value=ast.Name(id="tl"), attr="where"):
                condition, yes, no = arguments
                return _with_others(yes | no, _names(condition))
            case ast.Attribute(value=ast.Name(id="tl"), attr="div_rn"):
                return _with_others(arguments[0], _names(arguments[1]))
            case ast.Name(id=name) if name in self.functions:
                return _call(self.functions[name], arguments, self.functions)
        return _opaque([*arguments, self.value(function)])
