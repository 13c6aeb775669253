"""Trigonometric functions and their inverses, for float32 and float64."""

import triton
import triton.language as tl
from triton.language.extra import libdevice

from .polynomial import horner

PI = tl.constexpr(3.141592653589793)
# Of (z cos z - sin z) / z^3 = -1/3 + z^2/30 - z^4/840 + ..., the highest power of z^2 first.
SLOPE_OF_SINC = tl.constexpr(
    (1 / 22230464256000, -1 / 93405312000, 1 / 518918400, -1 / 3991680, 1 / 45360, -1 / 840, 1 / 30, -1 / 3)
)


@triton.jit
def sin(x):
    return tl.sin(x)


@triton.jit
def cos(x):
    return tl.cos(x)


@triton.jit
def tan(x):
    return tl.sin(x) / tl.cos(x)


@triton.jit
def asin(x):
    return libdevice.asin(x)


@triton.jit
def acos(x):
    return libdevice.acos(x)


@triton.jit
def atan(x):
    return libdevice.atan(x)


@triton.jit
def atan2(y, x):
    """The angle of the point (x, y), in [-pi, pi]."""
    return libdevice.atan2(y, x)


@triton.jit
def sin_pi(x):
    """sin(pi x), of what is left of |x| without whole turns and halves, which are exact to take away."""
    size = tl.abs(x)
    turn = size - 2 * tl.floor(0.5 * size)
    rest = tl.where(turn > 1.5, turn - 2, tl.where(turn > 0.5, 1 - turn, turn))
    return tl.sin(tl.where(x < 0, rest * -1, rest) * PI)


@triton.jit
def cos_pi(x):
    """cos(pi x) = sin(pi (1/2 - |x|)), of |x| without whole turns."""
    size = tl.abs(x)
    return sin_pi(0.5 - (size - 2 * tl.floor(0.5 * size)))


@triton.jit
def sinc(x):
    """sin(pi x) / (pi x), and 1 near 0, where pi times a denormal number has few digits."""
    near = tl.abs(x) < 1e-20
    return tl.where(near, 1, sin_pi(x) / tl.where(near, 1, x) / PI)


@triton.jit
def sinc_slope(x):
    """The derivative of sinc, (z cos z - sin z) / (pi x^2) with z = pi x; near 0, where that cancels, its series."""
    z = x * PI
    near = horner(z * z, SLOPE_OF_SINC) * z * PI
    far = (cos_pi(x) - sin_pi(x) / tl.where(x == 0, 1, z)) / tl.where(x == 0, 1, x)
    return tl.where(tl.abs(z) < 1, near, far)
