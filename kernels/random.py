"""Random numbers that take more than an element's word (`functions/random.py`), and the kernel that moves a generator on.

{seed, offset} are read from a buffer of two int64. `advance` moves the offset on after the last reader.
"""

import triton
import triton.language as tl

from .dtypes import own_dtype
from .functions.memory import store
from .functions.random import fraction, interleave, philox, single_counters, word_of
from .index_math import mixed_radix

TWO_PI = tl.constexpr(6.283185307179586)


@triton.jit
def _normal_pair(a, b, COMPUTE: tl.constexpr):
    """Box and Muller: sqrt(-2 ln u) times the cosine and the sine of 2 pi v, with u in (0, 1]."""
    radius = tl.sqrt(-2 * tl.log(1 - fraction(a, COMPUTE)))
    cosine, sine = _of_turns(fraction(b, COMPUTE))
    return radius * cosine, radius * sine


@triton.jit
def _of_turns(v):
    """(cos, sin) of 2 pi v for v in [0, 1). Chebyshev's polynomials on an eighth of a turn: v needs no reduction by 2 pi, which
    spills on a GPU, and float32 numbers are the same on every device. The error is 9e-8."""
    if v.dtype.is_fp64():
        return tl.cos(TWO_PI * v), tl.sin(TWO_PI * v)
    else:
        quarter = tl.floor(4 * v + 0.5)
        r = v - 0.25 * quarter
        t = r * r
        sine = r * (6.2831854820251465 + t * (-41.3416633605957 + t * (81.59254455566406 + t * -75.40184020996094)))
        wave = 64.93931579589844 + t * (-85.4428482055664 + t * 59.22028732299805)
        cosine = 1.0 + t * (-19.739208221435547 + t * wave)
        q = quarter.to(tl.int32)
        odd = (q & 1) != 0
        x, y = tl.where(odd, sine, cosine), tl.where(odd, cosine, sine)
        return tl.where((q == 1) | (q == 2), -x, x), tl.where((q & 2) != 0, -y, y)


@triton.jit
def _counters(generator, n, BLOCK: tl.constexpr):
    """The seed, and the counters of a program's BLOCK elements.

    `generator` is a pointer to {seed, offset}, or (pointer, how many counters behind the offset the elements begin).
    """
    program = tl.program_id(0).to(n.dtype)
    counters = program.to(tl.int64) * (BLOCK // 4) + tl.arange(0, BLOCK // 4)
    if isinstance(generator, tl.tensor):
        return tl.load(generator), tl.load(generator + 1) + counters
    else:
        return tl.load(generator[0]), tl.load(generator[0] + 1) + generator[1] + counters


@triton.jit
def _elements(n, BLOCK: tl.constexpr):
    return tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)


@triton.jit
def normal(out, state, mean, std, n, BLOCK: tl.constexpr):
    """mean + std * z for n elements, BLOCK of them to a program; a counter's words make four."""
    seed, counter = _counters(state, n, BLOCK)
    a, b, c, d = philox(seed, counter, 0)
    compute: tl.constexpr = own_dtype(out.dtype.element_ty)
    x, y = _normal_pair(a, b, compute)
    z, w = _normal_pair(c, d, compute)
    index = _elements(n, BLOCK)
    store(out + index, interleave(x, y, z, w) * std + mean, index < n)


@triton.jit
def wide_integers(out, state, low, size, n, BLOCK: tl.constexpr):
    """low + floor(96 random bits * size / 2^96), for large sizes; size 0 stands for 2^64."""
    seed, counter = _counters(state, n, BLOCK)
    a, b, c, d = philox(seed, counter, 0)
    e, f, g, h = philox(seed, counter, 1)
    i, j, k, m = philox(seed, counter, 2)
    index = _elements(n, BLOCK)
    upper, middle, lower = interleave(a, b, c, d), interleave(e, f, g, h), interleave(i, j, k, m)
    store(out + index, _of_96_bits(upper, middle, lower, low, size, BLOCK), index < n)


@triton.jit
def _of_96_bits(upper, middle, lower, low, size, BLOCK: tl.constexpr):
    """Digits of 32 bits are multiplied as on paper. A number comes more often than another by less than 2^-32 of its share."""
    span = (size + tl.zeros((BLOCK,), tl.int64)).to(tl.uint64)
    high_digit, low_digit = span >> 32, span & 0xFFFFFFFF
    upper, middle, lower = upper.to(tl.uint64), middle.to(tl.uint64), lower.to(tl.uint64)
    carry = _carry(lower * high_digit, middle * low_digit, (lower * low_digit) >> 32)
    carry = _carry(middle * high_digit, upper * low_digit, carry)
    scaled = upper * high_digit + carry
    return tl.where(span == 0, (upper << 32) | middle, scaled).to(tl.int64) + low


@triton.jit
def _carry(a, b, carry):
    """What the sum of two products and a carry adds to the next digit."""
    digit = (a & 0xFFFFFFFF) + (b & 0xFFFFFFFF) + carry
    return (a >> 32) + (b >> 32) + (digit >> 32)


@triton.jit
def normal_shard(out, state, mean, std, first, n, sizes, strides, UNIT: tl.constexpr, BLOCK: tl.constexpr):
    """`normal` of a shard: n elements with these strides in the whole tensor, from its element `first * UNIT` on."""
    index = _elements(n, BLOCK)
    number = first * UNIT + mixed_radix(index, sizes, strides)
    a, b, c, d = single_counters(state, number, 0)
    compute: tl.constexpr = own_dtype(out.dtype.element_ty)
    second = (number & 2) != 0
    x, y = _normal_pair(tl.where(second, c, a), tl.where(second, d, b), compute)
    store(out + index, tl.where((number & 1) != 0, y, x) * std + mean, index < n)


@triton.jit
def wide_integers_shard(out, state, low, size, first, n, sizes, strides, UNIT: tl.constexpr, BLOCK: tl.constexpr):
    """`wide_integers` of a shard, as in `normal_shard`."""
    index = _elements(n, BLOCK)
    number = first * UNIT + mixed_radix(index, sizes, strides)
    a, b, c, d = single_counters(state, number, 0)
    e, f, g, h = single_counters(state, number, 1)
    i, j, k, m = single_counters(state, number, 2)
    upper, middle, lower = word_of(a, b, c, d, number), word_of(e, f, g, h, number), word_of(i, j, k, m, number)
    store(out + index, _of_96_bits(upper, middle, lower, low, size, BLOCK), index < n)


@triton.jit
def advance(state, count):
    """offset += count, the number of counters that were used"""
    tl.store(state + 1, tl.load(state + 1) + count)


@triton.jit
def reserve(state, drawn, count):
    """drawn = the state from which `count` counters are used later; offset += count"""
    offset = tl.load(state + 1)
    tl.store(drawn, tl.load(state))
    tl.store(drawn + 1, offset)
    tl.store(state + 1, offset + count)


@triton.jit
def refuse_no_probability(p, err, n, BLOCK: tl.constexpr):
    """Sets the error word if one of n numbers is not in [0, 1], as NaN is not."""
    index = _elements(n, BLOCK)
    inside = index < n
    chance = tl.load(p + index, mask=inside, other=0).to(tl.float32)
    tl.store(err + index * 0, 1, mask=inside & ~((chance >= 0) & (chance <= 1)))


def config() -> dict:
    return {"BLOCK": 1024, "num_warps": 4}


def counters(n: int) -> int:
    """How many counters n elements use."""
    return -(-n // 4)
