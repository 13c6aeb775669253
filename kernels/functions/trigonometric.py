"""Sine, cosine and tangent, for float32 and float64."""

import triton
import triton.language as tl


@triton.jit
def sin(x):
    return tl.sin(x)


@triton.jit
def cos(x):
    return tl.cos(x)


@triton.jit
def tan(x):
    return tl.sin(x) / tl.cos(x)
