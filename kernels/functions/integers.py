"""Functions of integers: common divisors and multiples, shifts."""

import triton
import triton.language as tl


@triton.jit
def gcd(x, y):
    """The greatest common divisor of the magnitudes, by Euclid; all elements go on until the last one is done."""
    a = tl.abs(x) + y * 0
    b = tl.abs(y) + x * 0
    while tl.max((b != 0).to(tl.int32)) > 0:
        done = b == 0
        rest = a % tl.where(done, 1, b).to(b.dtype)
        a = tl.where(done, a, b)
        b = tl.where(done, 0, rest).to(b.dtype)
    return a


@triton.jit
def lcm(x, y):
    """|x / gcd(x, y) * y|, and 0 where either is; short integers are multiplied as int32, and cut."""
    divisor = gcd(x, y)
    quotient = x // tl.where(divisor == 0, 1, divisor).to(x.dtype)
    if x.dtype.primitive_bitwidth < 32:
        return tl.abs(quotient.to(tl.int32) * y.to(tl.int32)).to(x.dtype)
    else:
        return tl.abs(quotient * y)


@triton.jit
def _out_of_range(x, y):
    """Whether a shift by y leaves no bit of x, or y is negative."""
    return (y < 0) | (y >= x.dtype.primitive_bitwidth)


@triton.jit
def bitwise_left_shift(x, y):
    """x * 2^y, cut to the type; 0 for shifts that are negative or as wide as the type."""
    outside = _out_of_range(x, y)
    return tl.where(outside, 0, x << tl.where(outside, 0, y).to(y.dtype)).to(x.dtype)


@triton.jit
def bitwise_right_shift(x, y):
    """floor(x / 2^y); for shifts that are negative or as wide as the type, the sign alone."""
    last = x.dtype.primitive_bitwidth - 1
    amount = tl.where(_out_of_range(x, y), last, y).to(y.dtype)
    shifted = x >> amount
    if x.dtype.is_int_signed():
        return shifted
    else:
        return tl.where(_out_of_range(x, y), 0, shifted).to(x.dtype)
