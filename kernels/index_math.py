"""Index arithmetic and views of tiles that kernels share."""

import triton
import triton.language as tl


@triton.jit
def product(sizes, COUNT: tl.constexpr):
    """The product of the first COUNT sizes."""
    result = sizes[0] * 0 + 1
    for k in tl.static_range(COUNT):
        result *= sizes[k]
    return result


@triton.jit
def mixed_radix(index, sizes, strides, SKIP: tl.constexpr = 0):
    """The offset of element `index` (row-major) of a tensor of these sizes and strides.

    The last SKIP dimensions are left out. Strides of 0 and 1 are constexprs and cost nothing.
    """
    offset = index * 0
    rest = index
    for k in tl.static_range(len(sizes) - SKIP):
        if k == len(sizes) - SKIP - 1:
            offset += rest * strides[0]
        else:
            size = sizes[len(sizes) - SKIP - 1 - k]
            offset += rest % size * strides[len(sizes) - SKIP - 1 - k]
            rest = rest // size
    return offset


@triton.jit
def cut(x, FOLD: tl.constexpr, AXIS: tl.constexpr):
    """A tile whose dimension AXIS becomes two: FOLD parts, then the elements of a part."""
    size: tl.constexpr = x.shape[AXIS] // FOLD
    other: tl.constexpr = x.shape[1 - AXIS]
    return tl.reshape(x, (other, FOLD, size) if AXIS == 1 else (FOLD, size, other))
