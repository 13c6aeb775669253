"""Random counts: Poisson and binomial numbers, each by as many uniform numbers as it takes.

Element i has the words i % 4 of Philox(seed, offset + i // 4) in streams 0, 1, 2 ..., so that it takes one counter for four
elements, however often it is rejected. Small means are drawn by inversion, term by term; others by transformed rejection
(Hörmann, 1993: PTRS for Poisson, BTRS for binomial numbers). All of it is computed in float64.
"""

import triton
import triton.language as tl

from .functions.random import single_counters, word_of
from .index_math import mixed_radix

FEW = tl.constexpr(10.0)  # the mean from which on numbers are drawn by rejection
LAST = tl.constexpr(300.0)  # of inversion: a count that far behind a mean below FEW has no probability


@triton.jit
def _uniforms(state, number, draw):
    """Two numbers in (0, 1) for each element."""
    a, b, c, d = single_counters(state, number, 2 * draw)
    e, f, g, h = single_counters(state, number, 2 * draw + 1)
    u = (word_of(a, b, c, d, number).to(tl.float64) + 0.5) * (1.0 / 4294967296.0)
    v = (word_of(e, f, g, h, number).to(tl.float64) + 0.5) * (1.0 / 4294967296.0)
    return u, v


@triton.jit
def _log_factorial(k):
    """log(k!) for k >= 0: Stirling's series of Gamma(k + 11), and the ten factors between."""
    z = k + 11
    factors = (k + 1) * (k + 2) * (k + 3) * (k + 4) * (k + 5)
    factors *= (k + 6) * (k + 7) * (k + 8) * (k + 9) * (k + 10)
    square = z * z
    tail = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / z
    return (z - 0.5) * tl.log(z) - z + 0.9189385332046727 + tail - tl.log(factors)


@triton.jit
def _poisson_by_inversion(rate, u, active):
    k, term = rate * 0, tl.exp(-rate)
    total = term
    more = active & (u > total)
    while tl.max(more.to(tl.int32)) > 0:
        k = tl.where(more, k + 1, k)
        term = tl.where(more, term * rate / tl.maximum(k, 1), term)
        total = tl.where(more, total + term, total)
        more = more & (u > total) & (k < LAST)
    return k


@triton.jit
def _poisson_by_rejection(rate, state, number, active):
    b = 0.931 + 2.53 * tl.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    limit = 0.9277 - 3.6224 / (b - 2)
    found, more = rate * 0, active
    draw = 0
    while tl.max(more.to(tl.int32)) > 0:
        u, v = _uniforms(state, number, draw)
        u -= 0.5
        near = 0.5 - tl.abs(u)
        k = tl.floor((2 * a / near + b) * u + rate + 0.43)
        least = tl.maximum(k, 0)
        weight = tl.log(v * inverse_alpha / (a / (near * near) + b))
        taken = weight <= least * tl.log(rate) - rate - _log_factorial(least)
        taken = (k >= 0) & ((near >= 0.013) | (v <= near)) & taken
        taken = more & (((near >= 0.07) & (v <= limit)) | taken)
        found = tl.where(taken, least, found)
        more = more & ~taken
        draw += 1
    return found


@triton.jit
def poisson(rates, out, state, first, n, sizes, strides, UNIT: tl.constexpr, BLOCK: tl.constexpr):
    """A number for each rate. The elements have these strides in the whole tensor, from its element `first * UNIT` on."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    number = first * UNIT + mixed_radix(index, sizes, strides)
    rate = tl.load(rates + index, mask=inside, other=0).to(tl.float64)
    few = rate < FEW
    u, _ = _uniforms(state, number, 0)
    small = _poisson_by_inversion(tl.where(few, rate, 0), u, inside & few)
    large = _poisson_by_rejection(tl.where(few, FEW, rate), state, number, inside & ~few)
    tl.store(out + index, tl.where(few, small, large).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _binomial_by_inversion(count, p, u, active):
    ratio = p / (1 - p)
    k, term = count * 0, tl.exp(count * tl.log(1 - p))
    total = term
    more = active & (u > total) & (k < count)
    while tl.max(more.to(tl.int32)) > 0:
        term = tl.where(more, term * (count - k) / (k + 1) * ratio, term)
        k = tl.where(more, k + 1, k)
        total = tl.where(more, total + term, total)
        more = more & (u > total) & (k < count) & (k < LAST)
    return k


@triton.jit
def _binomial_by_rejection(count, p, state, number, active):
    spread = tl.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    limit = 0.92 - 4.2 / b
    alpha = (2.83 + 5.1 / b) * spread
    mode = tl.floor((count + 1) * p)
    log_ratio = tl.log(p / (1 - p))
    highest = _log_factorial(mode) + _log_factorial(count - mode)
    found, more = count * 0, active
    draw = 0
    while tl.max(more.to(tl.int32)) > 0:
        u, v = _uniforms(state, number, draw)
        u -= 0.5
        near = 0.5 - tl.abs(u)
        k = tl.floor((2 * a / near + b) * u + count * p + 0.5)
        least = tl.minimum(tl.maximum(k, 0), count)
        weight = tl.log(v * alpha / (a / (near * near) + b))
        taken = weight <= highest - _log_factorial(least) - _log_factorial(count - least) + (least - mode) * log_ratio
        taken = (k == least) & (taken | ((near >= 0.07) & (v <= limit)))
        found = tl.where(more & taken, least, found)
        more = more & ~taken
        draw += 1
    return found


@triton.jit
def binomial(counts, chances, out, state, first, n, sizes, strides, UNIT: tl.constexpr, BLOCK: tl.constexpr):
    """How many of so many trials of a chance succeed; elements as in `poisson`. Of chances above a half failures are drawn."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    number = first * UNIT + mixed_radix(index, sizes, strides)
    count = tl.floor(tl.load(counts + index, mask=inside, other=0).to(tl.float64))
    chance = tl.load(chances + index, mask=inside, other=0).to(tl.float64)
    p = tl.where(chance > 0.5, 1 - chance, chance)
    few = count * p < FEW
    u, _ = _uniforms(state, number, 0)
    small = _binomial_by_inversion(tl.where(few, count, 0), p, u, inside & few)
    large = _binomial_by_rejection(
        tl.where(few, 4 * FEW, count), tl.where(few, 0.5, p), state, number, inside & ~few
    )
    k = tl.where(few, small, large)
    tl.store(out + index, tl.where(chance > 0.5, count - k, k).to(out.dtype.element_ty), mask=inside)


@triton.jit
def refuse_outside(x, err, n, CHANCES: tl.constexpr, BLOCK: tl.constexpr):
    """Sets the error word if one of n numbers is negative or NaN; or more than 1, where they are chances."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    value = tl.load(x + index, mask=inside, other=0).to(tl.float64)
    bad = (value < 0) | (value != value)
    if CHANCES:
        bad = bad | (value > 1)
    tl.store(err + index * 0, 1, mask=inside & bad)


def config() -> dict:
    return {"BLOCK": 256, "num_warps": 4}
