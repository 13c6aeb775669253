"""nonzero: count the elements of each block, scan the counts, write.

The number of results is known only after the kernel has run. `offsets` turns the counts of the blocks into the positions at which
the blocks begin, and stores the total.
"""

import triton
import triton.language as tl

from .index_math import mixed_radix


@triton.jit
def _flags(x, sizes, strides, n, BLOCK: tl.constexpr):
    """(index, whether element `index` in row-major order is not zero) for this program's block"""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + mixed_radix(index, sizes, strides), mask=index < n, other=0)
    return index, ((value != 0) & (index < n)).to(tl.int32)


@triton.jit
def count(x, counts, n, sizes, strides, BLOCK: tl.constexpr):
    _, flags = _flags(x, sizes, strides, n, BLOCK)
    tl.store(counts + tl.program_id(0), tl.sum(flags, 0).to(tl.int64))


@triton.jit
def offsets(counts, total, blocks, BLOCK: tl.constexpr):
    """counts[b] = counts[0] + ... + counts[b-1], in place; one program. `total` gets the sum of all."""
    carry = tl.zeros((), tl.int64)
    for first in range(0, blocks, BLOCK):
        at = first + tl.arange(0, BLOCK)
        here = tl.load(counts + at, mask=at < blocks, other=0)
        tl.store(counts + at, carry + tl.cumsum(here, 0) - here, mask=at < blocks)
        carry += tl.sum(here, 0)
    tl.store(total, carry)


@triton.jit
def write_coordinates(x, starts, out, n, sizes, strides, BLOCK: tl.constexpr):
    """out[k] = the coordinates of the k-th element that is not zero"""
    index, flags = _flags(x, sizes, strides, n, BLOCK)
    first = (tl.load(starts + tl.program_id(0)) + tl.cumsum(flags, 0) - flags) * len(sizes)
    rest = index
    for k in tl.static_range(len(sizes)):
        size = sizes[len(sizes) - 1 - k]
        tl.store(out + first + (len(sizes) - 1 - k), (rest % size).to(tl.int64), mask=flags != 0)
        rest = rest // size


def config() -> dict:
    return {"BLOCK": 1024, "num_warps": 4}
