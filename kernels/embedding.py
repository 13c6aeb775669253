"""Rows of two tables, added: the embeddings of tokens and of their positions.

A program has some tokens, and walks over the columns of each. What is added has one rounding.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .elementwise import cache_modifier
from .facts import DeviceFacts


@triton.jit
def bounded(index, limit, err):
    """The index, or 0 for a bad one, which is reported."""
    bad = (index < 0) | (index >= limit)
    tl.store(err, 1, mask=bad)
    return tl.where(bad, 0, index)


@triton.jit
def add_rows(
    tokens, positions, weight, places, out, err, scale, count, length, width, limits, weight_strides, place_strides,
    CACHE: tl.constexpr, TOKENS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """out[i] = scale * weight[tokens[i]] + places[position of i]; Grid: (groups of TOKENS tokens,).

    positions: (), and the position of i is i % length, or (pointer,) to `length` numbers, of which i has number i % length.
    limits: the rows of weight and of places.
    """
    dtype: tl.constexpr = compute_dtype(out.dtype.element_ty)
    first = tl.program_id(0).to(count.dtype) * TOKENS
    for i in range(first, tl.minimum(first + TOKENS, count)):
        token = bounded(tl.load(tokens + i), limits[0], err)
        position = i % length
        if len(positions):
            position = tl.load(positions[0] + position)
        position = bounded(position, limits[1], err)
        row, other = weight + token * weight_strides[0], places + position * place_strides[0]
        for start in range(0, width, BLOCK):
            c = start + tl.arange(0, BLOCK)
            inside = c < width
            x = tl.load(row + c * weight_strides[1], mask=inside).to(dtype)
            y = tl.load(other + c * place_strides[1], mask=inside).to(dtype)
            tl.store(out + i * width + c, (x * scale + y).to(out.dtype.element_ty), mask=inside, cache_modifier=CACHE)


def config(facts: DeviceFacts, tokens: int, width: int, itemsize: int) -> dict:
    """Constexprs and warps."""
    if facts.kind == "cpu":
        cache = cache_modifier(facts, 2 * tokens * width * itemsize)
        return {"constexprs": {"CACHE": cache, "TOKENS": 16, "BLOCK": 64}, "num_warps": 1}
    block = min(next_power_of_2(max(width, 1)), 2048)
    return {"constexprs": {"CACHE": "", "TOKENS": 1, "BLOCK": block}, "num_warps": 4 if block >= 512 else 1}
