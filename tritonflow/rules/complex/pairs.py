"""Arithmetic with pairs of a real and an imaginary part: + - * /, and the absolute value.

Quotients are those of NumPy and torch. Where both parts would be NaN, they are those of Annex G of the C standard.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation_like import zeros_like
from tritonflow.functions.elementwise_selection import where_scalar_x
from tritonflow.functions.generated import (
    atan2,
    hypot,
    quotient_im,
    quotient_re,
    reciprocal_im,
    reciprocal_re,
)


class Pair(NamedTuple):
    """The real and the imaginary part of an operand."""

    re: Any
    im: Any = None


def _plus(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def _minus(a: Any, b: Any) -> Any:
    return a if b is None else -b if a is None else a - b


def add(a: Pair, b: Pair) -> Pair:
    return Pair(a.re + b.re, _plus(a.im, b.im))


def sub(a: Pair, b: Pair) -> Pair:
    return Pair(a.re - b.re, _minus(a.im, b.im))


def mul(a: Pair, b: Pair) -> Pair:
    if b.im is None:
        return Pair(a.re * b.re, None if a.im is None else a.im * b.re)
    if a.im is None:
        return Pair(a.re * b.re, a.re * b.im)
    return Pair(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)


def reciprocal(a: Pair) -> Pair:
    return Pair(1 / a.re) if a.im is None else Pair(reciprocal_re(a.re, a.im), reciprocal_im(a.re, a.im))


def div(a: Pair, b: Pair) -> Pair:
    if b.im is None:
        return Pair(a.re / b.re, None if a.im is None else a.im / b.re)
    if not isinstance(b.re, Tensor) and math.isfinite(b.re) and math.isfinite(b.im) and (b.re or b.im):
        inverse = 1 / complex(b.re, b.im)
        return mul(a, Pair(inverse.real, inverse.imag))
    like = b.re if isinstance(b.re, Tensor) else a.re
    operands = [part if isinstance(part, Tensor) else zeros_like(like) + (part or 0.0) for part in (*a, *b)]
    return Pair(quotient_re(*operands), quotient_im(*operands))


def square(a: Pair) -> Pair:
    return Pair((a.re - a.im) * (a.re + a.im), 2 * a.re * a.im)


def modulus(a: Pair) -> Tensor:
    """The absolute value; its gradient at 0 is 0."""
    zero = (a.re == 0) & (a.im == 0)
    length = hypot(where_scalar_x(zero, 1.0, a.re), a.im)
    return where_scalar_x(zero, 0.0, length)  # type: ignore[no-any-return]


def angle(a: Pair) -> Tensor:
    return atan2(a.im, a.re)  # type: ignore[no-any-return]
