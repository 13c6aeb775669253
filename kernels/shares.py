"""Partial sums become a sum, shares of a maximum a maximum.

Shares are combined from the first to the last, for each element by itself. So the bits of a result do not depend on how many
elements there are, nor on where an element stands among them.
"""

import triton
import triton.language as tl

from .functions.memory import load, store


@triton.jit
def combine_shares(x, out, n, shares, FUNCTION: tl.constexpr, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """out[i] = FUNCTION(...FUNCTION(x[0, i], x[1, i])..., x[shares - 1, i]) for rows of n elements"""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    value = load(x + index, inside, COMPUTE)
    for share in range(1, shares):
        value = FUNCTION(value, load(x + share * n + index, inside, COMPUTE))
    store(out + index, value, inside)


def config() -> dict:
    return {"BLOCK": 1024, "num_warps": 4}
