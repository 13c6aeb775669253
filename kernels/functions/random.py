"""Random numbers: Philox 4x32-10 (Salmon et al., 2011), and the functions of an element's word.

Element i has word i % 4 of Philox(seed, offset + i // 4), whatever the kernel, the block size or the device.
"""

import triton
import triton.language as tl

ROUND_A = tl.constexpr(0xD2511F53)
ROUND_B = tl.constexpr(0xCD9E8D57)
KEY_A = tl.constexpr(0x9E3779B9)
KEY_B = tl.constexpr(0xBB67AE85)


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
def interleave(a, b, c, d):
    """(a0, b0, c0, d0, a1, b1, ...) along the last dimension"""
    pairs = tl.join(tl.join(a, c), tl.join(b, d))
    outer: tl.constexpr = a.shape[: len(a.shape) - 1]
    return tl.reshape(pairs, outer + (4 * a.shape[len(a.shape) - 1],))


@triton.jit
def every_fourth(index):
    """Of the last dimension."""
    outer: tl.constexpr = index.shape[: len(index.shape) - 1]
    fourths = tl.reshape(index, outer + (index.shape[len(index.shape) - 1] // 4, 2, 2))
    even, _ = tl.split(fourths)
    first, _ = tl.split(even)
    return first


@triton.jit
def single_counters(state, index, stream):
    """The four words of the counter of each element."""
    return philox(tl.load(state), tl.load(state + 1) + (index // 4).to(tl.int64), stream)


@triton.jit
def word_of(a, b, c, d, index):
    """Which of its counter's words is an element's."""
    odd = (index & 1) != 0
    return tl.where((index & 2) != 0, tl.where(odd, d, c), tl.where(odd, b, a))


@triton.jit
def words(generator, index):
    """The words of a tile of elements whose last dimension has four neighbours of each counter, from a multiple of 4 on.

    `generator` is (a pointer to {seed, offset},) and maybe how many counters behind the offset the elements begin. As
    (number of the first element, pointer) it stands for any elements behind the first one: each computes a counter of its own.
    """
    if not generator[0].dtype.is_ptr():
        number = generator[0] + index
        a, b, c, d = single_counters(generator[1], number, 0)
        return word_of(a, b, c, d, number)
    else:
        start = tl.load(generator[0] + 1)
        if len(generator) == 2:
            start += generator[1]
        a, b, c, d = philox(tl.load(generator[0]), start + (every_fourth(index) // 4).to(tl.int64), 0)
        return interleave(a, b, c, d)


@triton.jit
def shifted_words(generator, index):
    """`words` of rows that begin at any element: four neighbours have words of two counters."""
    first = every_fourth(index)
    seed, counter = tl.load(generator[0]), tl.load(generator[0] + 1) + generator[1] + (first // 4).to(tl.int64)
    a, b, c, d = philox(seed, counter, 0)
    e, f, g, _ = philox(seed, counter + 1, 0)
    two, one = (first & 2) != 0, (first & 1) != 0
    a, b, c = tl.where(two, c, a), tl.where(two, d, b), tl.where(two, e, c)
    d, e = tl.where(two, f, d), tl.where(two, g, e)
    return interleave(tl.where(one, b, a), tl.where(one, c, b), tl.where(one, d, c), tl.where(one, e, d))


@triton.jit
def fraction(word, COMPUTE: tl.constexpr):
    """A number in [0, 1) that COMPUTE represents exactly: 24 bits, or all 32 for float64."""
    if COMPUTE.is_fp64():
        return word.to(tl.float64) * (1.0 / 4294967296.0)
    else:
        return (word >> 8).to(tl.float32) * (1.0 / 16777216.0)


@triton.jit
def uniform(word, low, high):
    return _below(fraction(word, low.dtype) * (high - low) + low, low, high)


@triton.jit
def uniform_half(word, low, high):
    """For float16: 11 bits of a fraction, which float16 has all."""
    x = tl.floor(fraction(word, low.dtype) * 2048) * (1.0 / 2048) * (high - low) + low
    return _below(x.to(tl.float16).to(low.dtype), low, high)


@triton.jit
def uniform_bfloat(word, low, high):
    """For bfloat16: 8 bits."""
    x = tl.floor(fraction(word, low.dtype) * 256) * (1.0 / 256) * (high - low) + low
    return _below(x.to(tl.bfloat16).to(low.dtype), low, high)


@triton.jit
def _below(x, low, high):
    """x, which was rounded; where that has made it `high`, it is `low`. The numbers in between are as likely as they were."""
    return tl.where(x < high, x, low)


@triton.jit
def exponential(word, rate):
    """-ln(1 - u) / rate for u in [0, 1). 0 is no draw: the least logarithm is that of the least u above 0."""
    least: tl.constexpr = 2.0**-32 if rate.dtype.is_fp64() else 2.0**-24
    return tl.maximum(-tl.log(1 - fraction(word, rate.dtype)), least) / rate


@triton.jit
def exponential_half(word, rate):
    """For float16, whose least number is 2^-24."""
    return tl.maximum(exponential(word, rate), 2.0**-24)


@triton.jit
def bernoulli(word, p):
    return tl.where(fraction(word, p.dtype) < p, 1, 0)


@triton.jit
def bernoulli_of(p, word):
    return bernoulli(word, p)


@triton.jit
def dropout(x, word, p, scale):
    """(x * scale, kept) where the word's fraction >= p, else 0"""
    kept = fraction(word, x.dtype) >= p
    return tl.where(kept, x * scale, 0), kept


@triton.jit
def integer(word, low, size):
    """low + floor(word * size / 2^32), for sizes up to 2^32"""
    return ((word.to(tl.uint64) * size.to(tl.uint64)) >> 32).to(tl.int64) + low
