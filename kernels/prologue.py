"""What a product's kernel does with an operand's elements after it has loaded them: PROLOGUE(x), a scalar function.

Its result has the dtype of the product, such as a half type from float32. It gives 0 for the zeros that masks leave.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype


@triton.constexpr_function
def sum_dtype(dtype, PROLOGUE):
    """The type of a product's sums, of operands that are loaded as `dtype`. Integers that a prologue reads are codes of float8."""
    return tl.float32 if PROLOGUE is not None and dtype.is_int() else compute_dtype(dtype)


@triton.jit
def prologue(x, PROLOGUE: tl.constexpr):
    """PROLOGUE of a loaded tile; the tile as it is for None."""
    if PROLOGUE is None:
        return x
    else:
        return PROLOGUE(x)
