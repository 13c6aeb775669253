"""Expressions over sizes against Python's integers, and symbolic integers against plain ones."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tritonflow.framework.expression import ManyTermsError, SizeExpression, extreme, number, symbol
from tritonflow.framework.runtime_scalar import for_user
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.size_questions import slice_indices
from tritonflow.framework.symbolic_int import at_numbers, extreme_of, hint, known_equal

Formula = tuple[Any, Callable[[list[int]], int]]
_OPERATORS = (operator.add, operator.sub, operator.mul, operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod)


def _extreme(function: Any, a: Any, b: Any) -> Any:
    return (extreme if isinstance(a, SizeExpression) else extreme_of)(function, a, b)


_EXTREMES: dict[Any, Any] = {function: partial(_extreme, function) for function in (min, max)}


def formula(draw: random.Random, symbols: list[Any], constant: Callable[[int], Any], depth: int) -> Formula:
    """A random formula, and the same of plain integers."""
    if depth == 0 or draw.random() < 0.2:
        if draw.random() < 0.6:
            k = draw.randrange(len(symbols))
            return symbols[k], lambda n: n[k]
        value = draw.choice([0, 1, 2, 3, 4, 7, 16, 64, -1, -3, -16])
        return constant(value), lambda n: value
    function: Any = draw.choice([*_OPERATORS, *_EXTREMES])
    (a, left), (b, right) = formula(draw, symbols, constant, depth - 1), formula(draw, symbols, constant, depth - 1)
    if function in (operator.floordiv, operator.mod) and b == constant(0):
        return a, left
    return _EXTREMES.get(function, function)(a, b), lambda n: function(left(n), right(n))


@pytest.mark.parametrize("part", range(4))
def test_ten_thousand_formulas(part: int) -> None:
    """Values at random sizes are Python's, and lie in the range."""
    for seed in range(2500 * part, 2500 * (part + 1)):
        draw = random.Random(seed)
        highest = [draw.choice([5, 40, 1 << 40]) for _ in range(3)]
        symbols = [symbol(f"s{k}", k, 1, high) for k, high in enumerate(highest)]
        try:
            expression, plain = formula(draw, symbols, number, 4)
        except ManyTermsError:
            continue
        low, high = expression.range
        for _ in range(8):
            sizes = [draw.randint(1, min(most, 200)) for most in highest]
            try:
                expected = plain(sizes)
            except ZeroDivisionError:
                continue
            assert expression.evaluate(sizes) == expected and low <= expected <= high, (seed, expression, sizes)


def test_equal_polynomials_are_equal_expressions() -> None:
    n, m = symbol("n", 0, 1, 100), symbol("m", 1, 1, 100)
    assert (n + m) * (n - m) == n * n - m * m and (n * m * 64) // (m * 16) == n * 4
    assert (n * 6 + 3) // 9 == (n * 2 + 1) // 3
    assert hash(n + m) == hash(m + n) and n + m != n - m
    assert str((n + 15) // 16) == "(15 + n)//(16)"


def test_the_least_and_the_largest_of_two() -> None:
    n, m = symbol("n", 0, 0, 100), symbol("m", 1, 0, 100)
    assert extreme(min, n, m) == extreme(min, m, n) and str(extreme(max, n - m, 8)) == "max(-1*m + n, 8)"
    assert extreme(min, n, n + 1) == n and extreme(max, n, n + 1) == n + 1 and extreme(max, n, -1) == n
    assert extreme(min, n, 8).range == (0, 8) and extreme(min, n, 8).range_of_many == (2, 8)
    assert extreme(max, n, 1).range_of_many == (2, 100)


def test_an_expression_of_many_terms_is_refused() -> None:
    total: SizeExpression = number(0)
    with pytest.raises(ManyTermsError, match="more than 64 terms"):
        for k in range(100):
            total = total + symbol(f"s{k}", k, 1, 9)


def sized(*hints: int) -> tuple[SizeContext, list[Any]]:
    context = SizeContext(list(hints))
    return context, [context.symbol(f"s{k}", k) for k in range(len(hints))]


@pytest.mark.parametrize("seed", range(300))
def test_a_symbolic_integer_does_what_an_int_does(seed: int) -> None:
    """Outcomes are those of the hints; and where the guards hold for other sizes, these have the same outcomes."""
    draw = random.Random(seed)
    hints = [draw.randint(1, 20) for _ in range(2)]
    context, symbols = sized(*hints)
    asked: list[tuple[Callable[[Any, Any], Any], Any, Any, Any]] = []
    for _ in range(6):
        try:
            (a, left), (b, right) = formula(draw, symbols, int, 3), formula(draw, symbols, int, 2)
        except ZeroDivisionError:
            continue
        compare = draw.choice([operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
        outcome = compare(a, b)
        assert hint(a) == left(hints) and outcome == compare(left(hints), right(hints))
        asked.append((compare, left, right, outcome))
        assert bool(a) == bool(left(hints)) and slice_indices(slice(a, b), symbols[0]) is not None
    guards = context.close()
    assert all(guard.holds(hints) for guard in guards)
    for _ in range(60):
        sizes = [draw.randint(1, 20) for _ in range(2)]
        if all(guard.holds(sizes) for guard in guards):
            for compare, left, right, outcome in asked:
                assert compare(left(sizes), right(sizes)) == outcome


def test_slices_have_pythons_bounds() -> None:
    for n in range(1, 7):
        for start in (None, *range(-8, 9)):
            for stop in (None, *range(-8, 9)):
                context, (size,) = sized(n)
                found = slice_indices(slice(start, stop, None), size)
                assert tuple(map(hint, found)) == slice(start, stop).indices(n)


def test_floats_compare_as_they_do_with_ints() -> None:
    for n in (1, 2, 3):
        context, (size,) = sized(n)
        for value in (1.0, 1.5, 2.0, 2.5, float("inf"), float("-inf"), float("nan")):
            for compare in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
                assert compare(size, value) == compare(n, value) and compare(value, size) == compare(value, n)


def test_what_needs_the_number_pins() -> None:
    uses: list[Callable[[Any], Any]] = [range, int, float, "abcdefgh".__getitem__, "{:3}".format, lambda n: n & 3, lambda n: [0, 0] * n]
    for use in (*uses, lambda n: hash(for_user(n)), lambda n: {5: 1}[for_user(n)]):
        context, (size,) = sized(5)
        use(size)
        assert context.close()[0].is_pin
    context, (size,) = sized(5)
    assert list(range(size)) == [0, 1, 2, 3, 4] and isinstance(size, int) and size.__class__ is int
    (pin,) = context.close()
    assert pin.is_pin and pin.holds([5]) and not pin.holds([6])


def test_nobody_asks_behind_the_capture() -> None:
    context, (size,) = sized(5)
    doubled = size * 2
    context.close()
    assert doubled > 0 and known_equal(doubled, 2 * size) and at_numbers((doubled, [size]), [7]) == (14, [7])
    with pytest.raises(RuntimeError, match="behind its capture"):
        assert doubled > 12


def test_rules_are_guarded_by_what_they_give() -> None:
    context, (size,) = sized(50)
    assert context.rule(lambda n: 1 << (n - 1).bit_length(), (size,), {}) == 64
    (guard,) = context.close()
    assert guard.holds([33]) and guard.holds([64]) and not guard.holds([65])
