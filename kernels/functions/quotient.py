"""The quotient of complex numbers by their parts: Smith's formula, and Annex G of the C standard where it gives NaN."""

import triton
import triton.language as tl

from .arithmetic import div
from .comparison import isinf
from .float_parts import copysign

INFINITY = tl.constexpr(float("inf"))


@triton.jit
def _smith(x, y, u, v):
    """(x + iy) / (u + iv), divided by the larger part first, so that squares do not overflow (Smith, 1962)."""
    turned = tl.abs(u) < tl.abs(v)
    large, small = tl.where(turned, v, u), tl.where(turned, u, v)
    ratio = div(small, large)
    length = large + small * ratio
    re = tl.where(turned, x * ratio + y, x + y * ratio)
    im = tl.where(turned, y * ratio - x, y - x * ratio)
    return div(re, length), div(im, length)


@triton.jit
def _corner(part):
    """A part of an infinite number as one of (1, 1), (1, 0), (0, 1) and their mirror images, which has its direction."""
    return copysign(tl.where(isinf(part), 1.0, 0.0).to(part.dtype), part)


@triton.jit
def _quotient(x, y, u, v):
    """(x + iy) / (u + iv); by 0 both parts are divided by 0, as in NumPy and torch."""
    re, im = _smith(x, y, u, v)
    lost = (re != re) & (im != im)
    by_zero = (u == 0) & (v == 0)
    far, far_divisor = isinf(x) | isinf(y), isinf(u) | isinf(v)
    near_divisor = (tl.abs(u) < INFINITY) & (tl.abs(v) < INFINITY)
    large = lost & far & near_divisor
    small = lost & far_divisor & (tl.abs(x) < INFINITY) & (tl.abs(y) < INFINITY)
    x_, y_ = tl.where(far, _corner(x), x), tl.where(far, _corner(y), y)
    u_, v_ = tl.where(far_divisor, _corner(u), u), tl.where(far_divisor, _corner(v), v)
    along, across = x_ * u_ + y_ * v_, y_ * u_ - x_ * v_
    re = tl.where(large, along * INFINITY, tl.where(small, along * 0, re))
    im = tl.where(large, across * INFINITY, tl.where(small, across * 0, im))
    return tl.where(by_zero, div(x, tl.abs(u)), re), tl.where(by_zero, div(y, tl.abs(u)), im)


@triton.jit
def quotient_re(x, y, u, v):
    re, im = _quotient(x, y, u, v)
    return re


@triton.jit
def quotient_im(x, y, u, v):
    re, im = _quotient(x, y, u, v)
    return im


@triton.jit
def reciprocal_re(u, v):
    re, im = _quotient(tl.full(u.shape, 1, u.dtype), tl.full(u.shape, 0, u.dtype), u, v)
    return re


@triton.jit
def reciprocal_im(u, v):
    re, im = _quotient(tl.full(u.shape, 1, u.dtype), tl.full(u.shape, 0, u.dtype), u, v)
    return im
