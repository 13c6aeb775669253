"""What a product's kernel does with its sum: outs = EPILOGUE(sum, *operands), a scalar function, on every element of a tile.

A tile's index has components: (row, column) of matrices, with rows counted through the batch; (image, channel, pixel) of planes.
The operands share the sizes of the components. Each operand has its own strides, 0 where it is broadcast. So operands may have any
rank whose dimensions make up the components. Run-time scalars are operands, too. All results lie at the same offsets.
"""

import triton
import triton.language as tl

from .elementwise import read, write_all
from .index_math import mixed_radix


@triton.jit
def identity(x):
    return x


@triton.jit
def add_bias(x, bias):
    return x + bias


@triton.jit
def scaled(x, scale_a, scale_b):
    return x * (scale_a * scale_b)


@triton.jit
def scaled_with_bias(x, scale_a, scale_b, bias):
    return x * (scale_a * scale_b) + bias


@triton.jit
def offset_of(index, sizes, strides):
    """The offset of an element from the components of its index."""
    offset = mixed_radix(index[0], sizes[0], strides[0])
    for part in tl.static_range(1, len(index)):
        offset = offset + mixed_radix(index[part], sizes[part], strides[part])
    return offset


@triton.jit
def columns(x, PARTS: tl.constexpr):
    """A tuple of tiles with the columns of one, from the left; PARTS is a power of two."""
    if PARTS == 1:
        return (x,)
    else:
        halves = tl.reshape(x, (x.shape[0], 2, x.shape[1] // 2))
        left, right = tl.split(tl.permute(halves, (0, 2, 1)))
        return columns(left, PARTS // 2) + columns(right, PARTS // 2)


@triton.jit
def epilogue(acc, index, offset, mask, operands, outs, sizes, strides, EPILOGUE: tl.constexpr):
    """Store EPILOGUE(acc, *operands), a value or a tuple of values, to every output at `offset`."""
    write_all(outs, offset, with_operands(acc, index, mask, operands, sizes, strides, EPILOGUE), mask, "")


@triton.jit
def with_operands(acc, index, mask, operands, sizes, strides, EPILOGUE: tl.constexpr):
    """EPILOGUE(acc, *operands)"""
    values = (acc,)
    for j in tl.static_range(len(operands)):
        values = values + (read(operands[j], offset_of(index, sizes, strides[j]), mask, None),)
    return EPILOGUE(*values)
