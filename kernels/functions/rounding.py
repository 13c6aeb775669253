"""Rounding to whole numbers; integers stay as they are."""

import triton
import triton.language as tl


@triton.jit
def floor(x):
    if x.dtype.is_floating():
        return tl.floor(x)
    else:
        return x


@triton.jit
def ceil(x):
    if x.dtype.is_floating():
        return tl.ceil(x)
    else:
        return x


@triton.jit
def trunc(x):
    if x.dtype.is_floating():
        return tl.where(x < 0, tl.ceil(x), tl.floor(x))
    else:
        return x


@triton.jit
def frac(x):
    return x - trunc(x)


@triton.jit
def round(x):
    """To the nearest whole number; a tie goes to the even one."""
    if x.dtype.is_floating():
        size = tl.abs(x)
        below = tl.floor(size)
        rest = size - below
        odd = tl.floor(below * 0.5) * 2 != below
        up = (rest > 0.5) | ((rest == 0.5) & odd)
        nearest = tl.where(up, below + 1, below)
        return tl.where(nearest == size, x, tl.where(x < 0, nearest * -1, nearest))
    else:
        return x
