"""Formulas of pointwise ops on the real and the imaginary parts of their operands.

A formula takes pairs (re, im), im None where the operand is real, and gives one. The parts are tensors, or Python numbers, of
one dtype. Gradients follow from the real formulas: that of a loss by x + iy is dL/dx + i dL/dy, which is torch's convention.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tritonflow.binding.target import beside
from tritonflow.dtypes import DType
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import creation
from tritonflow.functions.cast import cast
from tritonflow.functions.creation_like import zeros_like
from tritonflow.functions.elementwise_selection import where_scalar_x, where_scalar_y
from tritonflow.functions.generated import (
    is_finite,
    is_inf,
    is_nan,
    where,
    zero_power_im,
    zero_power_re,
)
from tritonflow.functions.join_grids import broadcast_tensors
from tritonflow.functions.unary_complex import imag, real
from tritonflow.functions.view_complex import made_of, pairs_of_complex
from tritonflow.interpreter.complex_numbers import Form
from tritonflow.interpreter.dispatch import dispatch1
from tritonflow.rules.complex.elementary import exponential, logarithm_of, logarithm_of_1_plus, square_root
from tritonflow.rules.complex.movement import as_numbers, joint_dtype
from tritonflow.rules.complex.pairs import Pair, add, div, modulus, mul, reciprocal, square, sub

Inputs = tuple[Any, ...]
Values = tuple[Any, ...]


# --------------------------------------------------------------------------------------------------- operands, results


def _pair(x: Tensor, dtype: DType) -> Pair:
    """The parts of a tensor, in the real dtype."""
    if not x.meta.dtype.is_complex:
        return Pair(cast(x, dtype))
    return Pair(cast(real(x), dtype), cast(imag(x), dtype))


def _pair_of_number(value: Any) -> Pair:
    return Pair(value.real, value.imag) if isinstance(value, complex) else Pair(float(value))


def _number(pair: Pair) -> Tensor:
    """The complex numbers of a result, whose parts are broadcast to each other."""
    re, im = pair
    if not isinstance(re, Tensor):
        re = zeros_like(im) + re
    if im is None:
        im = zeros_like(re)
    elif not isinstance(im, Tensor):
        im = zeros_like(re) + im
    if re.meta.shape != im.meta.shape:
        re, im = broadcast_tensors((re, im))
    return made_of(re, im)


def formula(function: Callable[..., Any], reverse: bool = False) -> Form:
    """The form of an op with a formula on its operands: tensors, then numbers; with `reverse`, numbers first."""

    def form(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
        dtype = joint_dtype(inputs, dynamic).to_real()
        tensors, numbers = [_pair(x, dtype) for x in inputs], [_pair_of_number(v) for v in dynamic]
        found = function(*numbers, *tensors) if reverse else function(*tensors, *numbers)
        return _number(found) if isinstance(found, Pair) else found

    return form


def linear(function: Callable[..., Any]) -> Form:
    """The form of + and -, which run on pairs where both operands are complex tensors."""
    general = formula(function)

    def form(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
        if not dynamic and all(x.meta.dtype.is_complex and x.meta.ndim for x in inputs):
            a, b = inputs
            return as_numbers(function(Pair(pairs_of_complex(a)), Pair(pairs_of_complex(b))).re)
        return general(op, inputs, attrs, dynamic)

    return form


# ----------------------------------------------------------------------------------------------------- + - * / **


def add_scaled(a: Pair, b: Pair, alpha: Pair) -> Pair:
    return add(a, mul(b, alpha))


def sub_scaled(a: Pair, b: Pair, alpha: Pair) -> Pair:
    return sub(a, mul(b, alpha))


def power(a: Pair, b: Pair) -> Pair:
    """exp(b log a), and `_power_of_zero` where a is 0."""
    if not isinstance(a.re, Tensor):
        base = complex(a.re, a.im or 0.0)
        if base == 0:
            zero = zeros_like(b.re)
            return _power_of_zero(Pair(zero, zero), b)
        logarithm = Pair(math.log(abs(base)), math.atan2(base.imag, base.real) or None)
        return exponential(mul(b, logarithm))
    special = _special_power(a, b)
    if special is not None:
        return special
    a = _filled(a)
    zero = (a.re == 0) & (a.im == 0)
    found = exponential(mul(b, logarithm_of(Pair(where_scalar_x(zero, 1.0, a.re), a.im))))
    return Pair(*[where(zero, at_zero, part) for at_zero, part in zip(_power_of_zero(a, b), found)])


def _power_of_zero(a: Pair, b: Pair) -> Pair:
    """The parts of a ** b where a is 0, with a gradient that is NaN where there is none."""
    operands = [*a, *[x if isinstance(x, Tensor) else _constant(x or 0.0, a.re) for x in b]]
    return Pair(zero_power_re(*operands), zero_power_im(*operands))


def _constant(value: float, like: Tensor) -> Any:
    return creation.full((), value, dtype=like.meta.dtype, **beside(like))


def _special_power(a: Pair, b: Pair) -> Pair | None:
    """Exponents for which products and square roots are more exact."""
    if isinstance(b.re, Tensor) or b.im or isinstance(b.im, Tensor) or a.im is None:
        return None
    if b.re == 0:
        return Pair(*[where_scalar_y(is_finite(part), part, 0.0) * 0 + value for part, value in zip(a, (1, 0))])
    if b.re == 1:
        return Pair(a.re * 1, a.im * 1)
    if b.re in (2, 3):
        return square(a) if b.re == 2 else mul(square(a), a)
    if b.re in (-1, -2):
        return reciprocal(a) if b.re == -1 else reciprocal(square(a))
    if b.re in (0.5, -0.5):
        return square_root(a) if b.re == 0.5 else reciprocal(square_root(a))
    return None


# --------------------------------------------------------------------------------------------------------- comparisons


def equal(a: Pair, b: Pair) -> Any:
    return (a.re == b.re) & _imaginary_parts(a, b, lambda x, y: x == y)


def unequal(a: Pair, b: Pair) -> Any:
    return (a.re != b.re) | _imaginary_parts(a, b, lambda x, y: x != y)


def _imaginary_parts(a: Pair, b: Pair, compare: Callable[[Any, Any], Any]) -> Any:
    x, y = 0.0 if a.im is None else a.im, 0.0 if b.im is None else b.im
    return compare(x, y) if isinstance(x, Tensor) else compare(y, x)


def _filled(a: Pair) -> Pair:
    return a if a.im is not None else Pair(a.re, zeros_like(a.re))


def close(a: Pair, b: Pair, rtol: Pair, atol: Pair) -> Any:
    a, b = _filled(a), _filled(b)
    distance, allowed = modulus(Pair(a.re - b.re, a.im - b.im)), modulus(b) * rtol.re + atol.re
    return equal(a, b) | (is_finite(distance) & (distance <= allowed))


def close_or_nan(a: Pair, b: Pair, rtol: Pair, atol: Pair) -> Any:
    return close(a, b, rtol, atol) | (either(is_nan)(_filled(a)) & either(is_nan)(_filled(b)))


def either(test: Callable[[Any], Any]) -> Callable[[Pair], Any]:
    return lambda a: test(a.re) | test(a.im)


def both(test: Callable[[Any], Any]) -> Callable[[Pair], Any]:
    return lambda a: test(a.re) & test(a.im)


def negative(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    return as_numbers(dispatch1(op, pairs_of_complex(inputs[0])))


def add_product(a: Pair, b: Pair, c: Pair, value: Pair) -> Pair:
    return add(a, mul(mul(b, c), value))


def add_quotient(a: Pair, b: Pair, c: Pair, value: Pair) -> Pair:
    return add(a, mul(div(b, c), value))


def between(start: Pair, end: Pair, weight: Pair) -> Pair:
    return add(start, mul(sub(end, start), weight))


def log_of_added_exponentials(a: Pair, b: Pair) -> Pair:
    """log(exp a + exp b) by the larger real part. Where both are the same infinite number, that is the result, too."""
    a, b = (Pair(*broadcast_tensors(tuple(_filled(x)))) for x in (a, b))
    swapped = a.re < b.re
    large = Pair(where(swapped, b.re, a.re), where(swapped, b.im, a.im))
    small = Pair(where(swapped, a.re, b.re), where(swapped, a.im, b.im))
    same = (large.re == small.re) & is_inf(large.re)
    gap = Pair(where_scalar_x(same, -math.inf, small.re - large.re), small.im - large.im)
    return add(large, logarithm_of_1_plus(exponential(gap)))
