"""Gamma-distributed numbers by rejection from normal ones (Marsaglia and Tsang, 2000).

Element i has the words i % 4 of Philox(seed, offset + i // 4) in streams 0, 1, 2 ..., as in kernels/counts.py: it takes one counter
for four elements, however often it is rejected. All of it is computed in float64.
"""

import triton
import triton.language as tl

from .functions.random import single_counters, word_of
from .index_math import mixed_radix

TWO_PI = tl.constexpr(6.283185307179586)


@triton.jit
def _uniform(state, number, stream):
    """A number in (0, 1) for each element."""
    a, b, c, d = single_counters(state, number, stream)
    return (word_of(a, b, c, d, number).to(tl.float64) + 0.5) * (1.0 / 4294967296.0)


@triton.jit
def _above_one(shape, state, number, active):
    """Numbers for shapes of at least 1: d v with v = (1 + c z)^3, which about 95 of 100 are."""
    d = shape - 1.0 / 3
    c = 1 / tl.sqrt(9 * d)
    found, more = shape * 0, active
    draw = 0
    while tl.max(more.to(tl.int32)) > 0:
        radius = tl.sqrt(-2 * tl.log(_uniform(state, number, 3 * draw + 1)))
        z = radius * tl.cos(TWO_PI * _uniform(state, number, 3 * draw + 2))
        u = _uniform(state, number, 3 * draw + 3)
        root = 1 + c * z
        v = root * root * root
        positive = v > 0
        bound = 0.5 * z * z + d - d * v + d * tl.log(tl.where(positive, v, 1))
        taken = more & positive & (tl.log(u) < bound)
        found = tl.where(taken, d * v, found)
        more = more & ~taken
        draw += 1
    return found


@triton.jit
def gamma(shapes, out, state, first, n, sizes, strides, UNIT: tl.constexpr, BLOCK: tl.constexpr):
    """A number for each shape; elements as in `poisson`. A shape below 1 is drawn as u^(1 / shape) times one of shape + 1."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    number = first * UNIT + mixed_radix(index, sizes, strides)
    shape = tl.load(shapes + index, mask=inside, other=1).to(tl.float64)
    usual = (shape > 0) & (shape < float("inf"))
    own = tl.where(usual, shape, 1)
    small = own < 1
    drawn = _above_one(tl.where(small, own + 1, own), state, number, inside & usual)
    u = _uniform(state, number, 0)
    drawn = tl.where(small, drawn * tl.exp(tl.log(u) / own), drawn)
    tl.store(out + index, tl.where(usual, drawn, shape).to(out.dtype.element_ty), mask=inside)
