"""Choosing between values."""

import triton
import triton.language as tl

from .arithmetic import maximum, minimum


@triton.jit
def where(condition, x, y):
    return tl.where(condition != 0, x, y)


@triton.jit
def masked_fill(x, mask, value):
    return tl.where(mask != 0, value, x)


@triton.jit
def clamp(x, low, high):
    """min(max(x, low), high): NaN anywhere gives NaN, and `high` wins where low > high."""
    return minimum(maximum(x, low), high)


@triton.jit
def clamp_min(x, low):
    return maximum(x, low)


@triton.jit
def clamp_max(x, high):
    return minimum(x, high)


@triton.jit
def inside(x, low, high):
    """1 where clamp(x, low, high) passes the gradient on, else 0."""
    return (x >= low) & (x <= high)
