"""Random numbers: Philox 4x32-10 (Salmon et al., 2011).

Element i is made of word i % 4 of Philox(seed, offset + i // 4), whatever the block size, device or number of
programs. {seed, offset} are read from a buffer of two int64; `advance` moves the offset on behind the last reader.

`generate` is the one template: SPREAD turns the four words of a counter into four values, FN makes outputs of an
element's value, the inputs and the run-time scalars.
"""

import triton
import triton.language as tl

from .functions.memory import store

ROUND_A = tl.constexpr(0xD2511F53)
ROUND_B = tl.constexpr(0xCD9E8D57)
KEY_A = tl.constexpr(0x9E3779B9)
KEY_B = tl.constexpr(0xBB67AE85)
TWO_PI = tl.constexpr(6.283185307179586)


@triton.jit
def philox(seed, counter, stream):
    """Four 32-bit words for each 64-bit counter; `stream` tells apart several draws of one counter."""
    key_a = seed.to(tl.uint32)
    key_b = (seed >> 32).to(tl.uint32)
    a = counter.to(tl.uint32)
    b = (counter >> 32).to(tl.uint32)
    c = (counter * 0 + stream).to(tl.uint32)
    d = (counter * 0).to(tl.uint32)
    for _ in tl.static_range(10):
        product_a = a.to(tl.uint64) * ROUND_A
        product_c = c.to(tl.uint64) * ROUND_B
        a = (product_c >> 32).to(tl.uint32) ^ b ^ key_a
        c = (product_a >> 32).to(tl.uint32) ^ d ^ key_b
        b = product_c.to(tl.uint32)
        d = product_a.to(tl.uint32)
        key_a += KEY_A
        key_b += KEY_B
    return a, b, c, d


@triton.jit
def _fraction(word, COMPUTE: tl.constexpr):
    """A number in [0, 1) that COMPUTE represents exactly: 24 bits, or all 32 for float64."""
    if COMPUTE.is_fp64():
        return word.to(tl.float64) * (1.0 / 4294967296.0)
    else:
        return (word >> 8).to(tl.float32) * (1.0 / 16777216.0)


@triton.jit
def words(a, b, c, d, COMPUTE: tl.constexpr):
    return a, b, c, d


@triton.jit
def uniforms(a, b, c, d, COMPUTE: tl.constexpr):
    return _fraction(a, COMPUTE), _fraction(b, COMPUTE), _fraction(c, COMPUTE), _fraction(d, COMPUTE)


@triton.jit
def _normal_pair(a, b, COMPUTE: tl.constexpr):
    """Box and Muller: sqrt(-2 ln u) times the cosine and the sine of 2 pi v, with u in (0, 1]."""
    radius = tl.sqrt(-2 * tl.log(1 - _fraction(a, COMPUTE)))
    angle = TWO_PI * _fraction(b, COMPUTE)
    return radius * tl.cos(angle), radius * tl.sin(angle)


@triton.jit
def normals(a, b, c, d, COMPUTE: tl.constexpr):
    x, y = _normal_pair(a, b, COMPUTE)
    z, w = _normal_pair(c, d, COMPUTE)
    return x, y, z, w


@triton.jit
def uniform(u, low, high):
    return (u * (high - low) + low,)


@triton.jit
def uniform_half(u, low, high):
    """For float16: 11 bits of u, so that rounding never reaches `high`."""
    return (tl.floor(u * 2048) * (1.0 / 2048) * (high - low) + low,)


@triton.jit
def uniform_bfloat(u, low, high):
    """For bfloat16: 8 bits of u."""
    return (tl.floor(u * 256) * (1.0 / 256) * (high - low) + low,)


@triton.jit
def normal(z, mean, std):
    return (z * std + mean,)


@triton.jit
def exponential(u, rate):
    return (-tl.log(1 - u) / rate,)


@triton.jit
def bernoulli(u, p):
    return (tl.where(u < p, 1, 0),)


@triton.jit
def dropout(u, x, p, scale):
    """(x * scale, kept) where u >= p, else 0"""
    kept = u >= p
    return tl.where(kept, x * scale, 0), kept


@triton.jit
def integer(word, low, size):
    """low + floor(word * size / 2^32), for sizes up to 2^32"""
    return (((word.to(tl.uint64) * size.to(tl.uint64)) >> 32).to(tl.int64) + low,)


@triton.jit
def _interleave(a, b, c, d):
    """(a0, b0, c0, d0, a1, b1, ...)"""
    pairs = tl.join(tl.join(a, c), tl.join(b, d))
    return tl.reshape(pairs, (4 * a.shape[0],))


@triton.jit
def generate(
    xs, outs, state, scalars, n, SPREAD: tl.constexpr, FN: tl.constexpr, COMPUTE: tl.constexpr, BLOCK: tl.constexpr
):
    """outs = FN(random value, *xs, *scalars) for n elements, BLOCK of them to a program."""
    program = tl.program_id(0).to(n.dtype)
    seed = tl.load(state)
    offset = tl.load(state + 1)
    counter = offset + program.to(tl.int64) * (BLOCK // 4) + tl.arange(0, BLOCK // 4)
    a, b, c, d = philox(seed, counter, 0)
    p, q, r, s = SPREAD(a, b, c, d, COMPUTE)
    index = program * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    values = (_interleave(p, q, r, s),)
    for j in tl.static_range(len(xs)):
        values = values + (tl.load(xs[j] + index, mask=inside).to(COMPUTE),)
    for j in tl.static_range(len(scalars)):
        scalar = scalars[j]
        values = values + (scalar.to(COMPUTE),)
    results = FN(*values)
    for j in tl.static_range(len(outs)):
        store(outs[j] + index, results[j], inside)


@triton.jit
def wide_integers(out, state, low, size, n, BLOCK: tl.constexpr):
    """low + (64 random bits mod size), for sizes beyond 2^32; size 0 stands for 2^64."""
    program = tl.program_id(0).to(n.dtype)
    seed = tl.load(state)
    counter = tl.load(state + 1) + program.to(tl.int64) * (BLOCK // 4) + tl.arange(0, BLOCK // 4)
    a, b, c, d = philox(seed, counter, 0)
    e, f, g, h = philox(seed, counter, 1)
    upper = _interleave(a, b, c, d).to(tl.uint64)
    bits = (upper << 32) | _interleave(e, f, g, h).to(tl.uint64)
    span = (size + tl.zeros((BLOCK,), tl.int64)).to(tl.uint64)
    bits = tl.where(span == 0, bits, bits % tl.where(span == 0, 1, span).to(tl.uint64))
    index = program * BLOCK + tl.arange(0, BLOCK)
    store(out + index, bits.to(tl.int64) + low, index < n)


@triton.jit
def advance(state, count):
    """offset += count, the number of counters that were used"""
    tl.store(state + 1, tl.load(state + 1) + count)


def config(target: str) -> dict:
    return {"BLOCK": 1024, "num_warps": 4}


def counters(n: int) -> int:
    """How many counters n elements use."""
    return -(-n // 4)
