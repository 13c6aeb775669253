"""Arithmetic with pairs of a real and an imaginary part: + - * /, and the absolute value."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from tritonflow.framework.tensor import Tensor
from tritonflow.functional.functors.generated import abs as absolute
from tritonflow.functional.functors.generated import atan2, hypot, maximum
from tritonflow.functional.functors.selection import where_scalar_x
from tritonflow.functional.functors.view import detach


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
    """1 / a, divided by the larger part first, so that squares do not overflow. The scale cancels and is a constant."""
    if a.im is None:
        return Pair(1 / a.re)
    if not isinstance(a.re, Tensor) and not isinstance(a.im, Tensor):
        inverse = 1 / complex(a.re, a.im) if a.re or a.im else complex(math.nan, math.nan)
        return Pair(inverse.real, inverse.imag)
    scale = detach(maximum(absolute(a.re), absolute(a.im)))
    re, im = a.re / scale, a.im / scale
    length = (re * re + im * im) * scale
    return Pair(re / length, -im / length)


def div(a: Pair, b: Pair) -> Pair:
    if b.im is None:
        return Pair(a.re / b.re, None if a.im is None else a.im / b.re)
    return mul(a, reciprocal(b))


def square(a: Pair) -> Pair:
    return Pair((a.re - a.im) * (a.re + a.im), 2 * a.re * a.im)


def modulus(a: Pair) -> Tensor:
    """The absolute value; its gradient at 0 is 0."""
    zero = (a.re == 0) & (a.im == 0)
    length = hypot(where_scalar_x(zero, 1.0, a.re), a.im)
    return where_scalar_x(zero, 0.0, length)  # type: ignore[no-any-return]


def angle(a: Pair) -> Tensor:
    return atan2(a.im, a.re)  # type: ignore[no-any-return]
