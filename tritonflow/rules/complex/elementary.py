"""Formulas of the elementary functions on pairs: exponentials, logarithms, roots, trigonometry and their inverses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.elementwise_selection import where_scalar_x, where_scalar_y
from tritonflow.functions.generated import abs as absolute
from tritonflow.functions.generated import (
    asinh,
    atan2,
    cos,
    cosh,
    exp,
    expm1,
    hypot,
    is_inf,
    is_nan,
    log,
    log1p,
    signbit,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)
from tritonflow.functions.view import detach
from tritonflow.rules.complex.infinities import angle_unless, chosen, factor, infinite
from tritonflow.rules.complex.pairs import Pair, angle, div, modulus, mul, reciprocal

_LARGE = 1e3  # 1 + x and x differ, and squares do not overflow


def exponential(a: Pair) -> Pair:
    if not isinstance(a.re, Tensor):
        scale = math.exp(a.re)
        return Pair(scale) if a.im is None else Pair(scale * cos(a.im), scale * sin(a.im))
    length = exp(a.re)
    if a.im is None:
        return Pair(length)
    x, y = a
    re = length * cos(angle_unless(is_inf(x), y))
    return Pair(re, factor(length, y) * sin(angle_unless(x == -math.inf, y)))


def exponential_minus_1(a: Pair) -> Pair:
    y = angle_unless(is_inf(a.re), a.im)
    half = sin(y * 0.5)
    return Pair(expm1(a.re) * cos(y) - 2 * half * half, exponential(a).im)


def logarithm_of(a: Pair) -> Pair:
    """log |a| and the angle. Its gradient is infinite at 0, and 0 at infinity."""
    zero, far = (a.re == 0) & (a.im == 0), infinite(*a)
    a = Pair(*[where(far, detach(part), part) for part in a])
    return Pair(log(modulus(a)) + steep(zero, a.re), angle(a) + steep(zero, a.im))


def steep(zero: Tensor, x: Tensor) -> Any:
    """0 everywhere, with a gradient where x is 0: that of a root, which is infinite."""
    return where_scalar_y(zero, sqrt(where_scalar_y(zero, absolute(detach(x)) + (x - detach(x)), 1.0)), 0.0)


def logarithm_of_1_plus(a: Pair) -> Pair:
    """The formula for small numbers has squares, which would overflow in large ones, and be nothing beside -1."""
    x, y = a
    far = (absolute(x) > _LARGE) | (absolute(y) > _LARGE) | ((absolute(1 + x) < 0.5) & (absolute(y) < 0.5))
    small_x, small_y = where_scalar_x(far, 0.0, x), where_scalar_x(far, 0.0, y)
    small = 0.5 * log1p(small_x * (2 + small_x) + small_y * small_y)
    beyond = logarithm_of(Pair(1 + x, y))
    return Pair(where(far, beyond.re, small), beyond.im)


def scaled(function: Callable[[Pair], Pair], before: float = 1.0, behind: float = 1.0) -> Callable[[Pair], Pair]:
    def between(a: Pair) -> Pair:
        if before != 1.0:
            a = Pair(a.re * before, a.im * before)
        found = function(a)
        return found if behind == 1.0 else Pair(found.re * behind, found.im * behind)

    return between


def direction(a: Pair) -> Pair:
    """sgn: a / |a|, and 0 of 0."""
    zero = (a.re == 0) & (a.im == 0)
    length = where_scalar_x(zero, 1.0, modulus(a))
    return Pair(where_scalar_x(zero, 0.0, a.re / length), where_scalar_x(zero, 0.0, a.im / length))


def square_root(a: Pair) -> Pair:
    """The root with a real part that is not negative. The signs are constants, so that gradients hold on the axes, too."""
    right = 2 * cast(a.re >= 0, a.re.meta.dtype) - 1
    up = 1 - 2 * cast(signbit(a.im), a.im.meta.dtype)
    zero = (a.re == 0) & (a.im == 0)
    length = sqrt(where_scalar_x(zero, 1.0, (hypot(where_scalar_x(zero, 1.0, a.re), a.im) + a.re * right) * 0.5))
    other = a.im * up / (2 * length)
    length, far = where(zero, steep(zero, a.re), length), is_inf(a.im)
    other = where(zero, steep(zero, a.im), other)
    length, other = where_scalar_x(far, math.inf, length), where_scalar_x(far, math.inf, other)
    return Pair(where(a.re >= 0, length, other), where(a.re >= 0, other, length) * up)


# ------------------------------------------------------------------------------------------------------- trigonometry


def turned(function: Callable[[Pair], Pair]) -> Callable[[Pair], Pair]:
    """-i f(i a): sin of sinh, tan of tanh, and their inverses; the other way round it is the same."""

    def rotated(a: Pair) -> Pair:
        found = function(Pair(-a.im, a.re))
        return Pair(found.im, -found.re)

    return rotated


def cardinal_sine(a: Pair) -> Pair:
    """sin(pi a) / (pi a), and 1 of 0."""
    zero = (a.re == 0) & (a.im == 0)
    x = Pair(where_scalar_x(zero, 0.5, a.re) * math.pi, a.im * math.pi)
    found = div(sine(x), x)
    return Pair(where_scalar_x(zero, 1.0, found.re), where_scalar_x(zero, 0.0, found.im))


def hyperbolic_sine(a: Pair) -> Pair:
    x, y = a
    re = sinh(x) * cos(angle_unless((x == 0) | is_inf(x), y))
    return Pair(re, factor(cosh(x), y) * sin(y))


def hyperbolic_cosine(a: Pair) -> Pair:
    x, y = a
    re = cosh(x) * cos(angle_unless(is_inf(x), y))
    return Pair(re, factor(sinh(x), y) * sin(angle_unless(x == 0, y)))


def cosine(a: Pair) -> Pair:
    return hyperbolic_cosine(Pair(-a.im, a.re))


sine = turned(hyperbolic_sine)


def hyperbolic_tangent(a: Pair) -> Pair:
    """By tanh and tan of the parts: no cosh that overflows."""
    x, y = a
    t, u = tanh(x), tan(angle_unless(is_inf(x), y))
    side = 2 * cast(x >= 0, x.meta.dtype) - 1  # a constant, so that gradients hold at 0
    falling = exp(-side * x)
    narrow = 2 * falling / (1 + falling * falling)  # 1 / cosh(x), which does not overflow
    length = 1 + t * t * u * u
    of_zero = angle_unless(x == 0, u)  # tanh(0 + iy) has no real part
    re = t * (1 + of_zero * of_zero) / (1 + t * t * of_zero * of_zero)
    return Pair(re, u * factor(narrow * narrow / length, y))


def logistic(a: Pair) -> Pair:
    """1 / (1 + exp(-a)), and exp(a) / (1 + exp(a)) where the real part is negative: no exp that overflows."""
    right = a.re >= 0
    side = 2 * cast(right, a.re.meta.dtype) - 1  # a constant
    e = exponential(Pair(-side * a.re, -side * a.im))
    found = reciprocal(Pair(1 + e.re, e.im))
    left = mul(e, found)
    return Pair(where(right, found.re, left.re), where(right, found.im, left.im))


def times_logistic(a: Pair) -> Pair:
    return mul(a, logistic(a))


# Kahan, Branch cuts for complex elementary functions (1987).


def _roots_around_one(a: Pair) -> tuple[Pair, Pair]:
    """sqrt(1 - a) and sqrt(1 + a)."""
    return square_root(Pair(1 - a.re, -a.im)), square_root(Pair(1 + a.re, a.im))


def _unless_infinite(a: Pair, found: Pair, re: Any, im: Any) -> Pair:
    """A result, and other parts of infinite numbers."""
    far = infinite(*a)
    return Pair(chosen(far, re, found.re), chosen(far, im, found.im))


def _detached(a: Pair) -> Pair:
    """The parts for results of infinite numbers, which have no gradient."""
    return Pair(detach(a.re), detach(a.im))


def arc_sine(a: Pair) -> Pair:
    below, above = _roots_around_one(a)
    re = atan2(a.re, mul(below, above).re)
    found = Pair(_zero_stays(a, re), asinh(below.re * above.im - below.im * above.re))
    x, y = _detached(a)
    return _unless_infinite(a, found, atan2(x, absolute(y)), _signed(math.inf, y))


def _zero_stays(a: Pair, re: Tensor) -> Any:
    """A real part that is 0 for all numbers 0 + iy, with its sign: also where y is NaN."""
    return where((a.re == 0) & is_nan(a.im), a.re, re)


def _signed(value: float, sign: Tensor) -> Any:
    """A value with the sign of each number."""
    return value * (1 - 2 * cast(signbit(sign), sign.meta.dtype))


def arc_cosine(a: Pair) -> Pair:
    below, above = _roots_around_one(a)
    re = where_scalar_x((a.re == 0) & is_nan(a.im), math.pi / 2, 2 * atan2(below.re, above.re))
    found = Pair(re, asinh(above.re * below.im - above.im * below.re))
    x, y = _detached(a)
    return _unless_infinite(a, found, atan2(absolute(y), x), _signed(-math.inf, y))


def area_cosine(a: Pair) -> Pair:
    below, above = square_root(Pair(a.re - 1, a.im)), square_root(Pair(a.re + 1, a.im))
    im = where_scalar_x((a.re == 0) & is_nan(a.im), math.pi / 2, 2 * atan2(below.im, above.re))
    found = Pair(asinh(below.re * above.re + below.im * above.im), im)
    x, y = _detached(a)
    return _unless_infinite(a, found, math.inf, atan2(y, x))


def area_tangent(a: Pair) -> Pair:
    x, y = a
    side = 2 * cast(x >= 0, x.meta.dtype) - 1  # a constant, so that gradients hold at 0
    size = x * side
    length, near_one = modulus(Pair(1 - size, y)), (absolute(1 - size) < 0.5) & (absolute(y) < 0.5)
    apart = where_scalar_x(near_one, 1.0, length)
    re = 0.25 * side * log1p(4 * (size / apart) / apart)
    near = 0.5 * side * (log(hypot(where_scalar_y(near_one, 1 + size, 1.0), y)) - logarithm_of(Pair(1 - size, y)).re)
    re = where(near_one, near, re)
    found = Pair(_zero_stays(a, re), 0.5 * atan2(2 * y, (1 - x) * (1 + x) - y * y))
    x, y = _detached(a)
    quarter = where_scalar_x(is_nan(y), math.nan, _signed(math.pi / 2, y))
    return _unless_infinite(a, found, _signed(0.0, x), quarter)
