"""Comparisons and logic: every function gives a truth value."""

import triton
import triton.language as tl


@triton.jit
def eq(x, y):
    return x == y


@triton.jit
def ne(x, y):
    return x != y


@triton.jit
def lt(x, y):
    return x < y


@triton.jit
def le(x, y):
    return x <= y


@triton.jit
def gt(x, y):
    return x > y


@triton.jit
def ge(x, y):
    return x >= y


@triton.jit
def logical_not(x):
    return x == 0


@triton.jit
def logical_and(x, y):
    return (x != 0) & (y != 0)


@triton.jit
def logical_or(x, y):
    return (x != 0) | (y != 0)


@triton.jit
def logical_xor(x, y):
    return (x != 0) ^ (y != 0)


@triton.jit
def isnan(x):
    return x != x


@triton.jit
def isinf(x):
    if x.dtype.is_floating():
        return tl.abs(x) == float("inf")
    else:
        return x != x


@triton.jit
def isfinite(x):
    if x.dtype.is_floating():
        return tl.abs(x) < float("inf")
    else:
        return x == x


@triton.jit
def isclose(x, y, rtol, atol):
    """|x - y| <= atol + rtol * |y|; an infinity is close to itself only, NaN to nothing."""
    difference = tl.abs(x - y)
    near = (difference <= atol + rtol * tl.abs(y)) & (difference < float("inf"))
    return near | (x == y)


@triton.jit
def isclose_or_nan(x, y, rtol, atol):
    """`isclose`, but NaN is close to NaN."""
    return isclose(x, y, rtol, atol) | ((x != x) & (y != y))


@triton.jit
def bitwise_and(x, y):
    return x & y


@triton.jit
def bitwise_or(x, y):
    return x | y


@triton.jit
def bitwise_xor(x, y):
    return x ^ y


@triton.jit
def bitwise_not(x):
    return ~x
