"""The sort of a CPU: radix sort of each row, by its digits from the lowest one on.

The key of an element is an unsigned integer of the same order. A pass moves keys and positions into the order of one digit, and
leaves equal digits as they are: so the sort is stable. A digit that all elements have in common takes no pass.

A program works through its rows one element after the other, in memory that it writes and reads again: a kernel for cores, not
for the threads of a GPU, which have sort_keys.py.
"""

import triton
import triton.language as tl

from .index_math import mixed_radix

PROGRAMS, BLOCK = 64, 256


@triton.jit
def unsigned_key(x, DESCENDING: tl.constexpr, WIDTH: tl.constexpr):
    """x as an unsigned integer of the same order, of WIDTH bits of an int32 or int64: NaN is the largest, the zeros are equal."""
    INT: tl.constexpr = tl.int64 if WIDTH == 64 else tl.int32
    SIGN: tl.constexpr = -(1 << (WIDTH - 1))
    if x.dtype.is_floating():
        wide = x.to(tl.float64 if WIDTH == 64 else tl.float32)
        bits = wide.to(INT, bitcast=True)
        bits = bits ^ ((bits >> (WIDTH - 1)) & ~SIGN)
        key = tl.where(wide == 0, 0, tl.where(wide != wide, ~SIGN, bits)) ^ SIGN
    elif x.dtype.is_int_signed():
        key = x.to(INT) ^ SIGN
    else:
        key = x.to(INT)
    key = ~key if DESCENDING else key
    return key if WIDTH >= 32 else key & ((1 << WIDTH) - 1)


@triton.jit
def _digit(key, d, BITS: tl.constexpr):
    """Digit d. Of the highest one the missing bits are copies of the key's first bit, which leave the order as it is."""
    return (key >> (BITS * d)) & ((1 << BITS) - 1)


@triton.jit
def _make_keys(source, keys, positions, n, step, DESCENDING: tl.constexpr, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(source + i * step, mask=i < n, other=0)
        tl.store(keys + i, unsigned_key(x, DESCENDING, WIDTH), mask=i < n)
        tl.store(positions + i, i, mask=i < n)


@triton.jit
def _count_digits(keys, counts, n, DIGITS: tl.constexpr, BITS: tl.constexpr):
    """counts[d, v] = how many keys have the value v as digit d."""
    bins = tl.arange(0, 1 << BITS)
    for d in tl.static_range(DIGITS):
        tl.store(counts + ((d << BITS) + bins), bins * 0)
    for i in range(n):
        key = tl.load(keys + i)
        for d in tl.static_range(DIGITS):
            bin = counts + ((d << BITS) + _digit(key, d, BITS))
            tl.store(bin, tl.load(bin) + 1)


@triton.jit
def _move(keys, positions, source, target, first, n, d, BITS: tl.constexpr):
    """Each key with its position to the next free place of its digit; first[v] is that of the value v."""
    for i in range(n):
        key = tl.load(keys + (source + i))
        position = tl.load(positions + (source + i))
        bin = first + _digit(key, d, BITS)
        rank = tl.load(bin)
        tl.store(bin, rank + 1)
        tl.store(keys + (target + rank), key)
        tl.store(positions + (target + rank), position)


@triton.jit
def radix_sort(
    x,
    values,
    order,
    keys,
    positions,
    counts,
    rows,
    each,
    n,
    sizes,
    x_strides,
    x_step,
    out_strides,
    out_step,
    keep,
    DESCENDING: tl.constexpr,
    WIDTH: tl.constexpr,
    BITS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Sorts rows of n elements, and writes the first `keep` values of each and their positions. Grid: (ceil(rows / each),).

    A program has 2 n keys and positions, and a count for each value of each digit, for itself.
    """
    DIGITS: tl.constexpr = (WIDTH + BITS - 1) // BITS
    program = tl.program_id(0).to(n.dtype)
    keys += program * 2 * n
    positions += program * 2 * n
    counts += (program * DIGITS) << BITS
    bins = tl.arange(0, 1 << BITS)
    for row in range(program * each, tl.minimum((program + 1) * each, rows)):
        start = x + mixed_radix(row, sizes, x_strides)
        _make_keys(start, keys, positions, n, x_step, DESCENDING, WIDTH, BLOCK)
        _count_digits(keys, counts, n, DIGITS, BITS)
        source, target = n * 0, n
        for d in range(DIGITS):
            first = counts + (d << BITS)
            count = tl.load(first + bins)
            if tl.max(count) < n:
                tl.store(first + bins, tl.cumsum(count) - count)
                _move(keys, positions, source, target, first, n, d, BITS)
                source, target = target, source
        to = mixed_radix(row, sizes, out_strides)
        for block in range(0, keep, BLOCK):
            i = block + tl.arange(0, BLOCK)
            position = tl.load(positions + (source + i), mask=i < keep, other=0)
            value = tl.load(start + position * x_step, mask=i < keep)
            tl.store(values + (to + i * out_step), value, mask=i < keep)
            tl.store(order + (to + i * out_step), position.to(tl.int64), mask=i < keep)


def digit_bits(n: int) -> int:
    """Long rows have few wide digits; a short row would wait for their counts."""
    return 11 if n >= 1024 else 8
