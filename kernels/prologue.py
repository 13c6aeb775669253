"""What a product's kernel does with an operand's elements when it has loaded them: PROLOGUE(x), a scalar function.

It gives the type that the product is of, a half of a float32 or so, and 0 for the zeros that masks leave.
"""

import triton
import triton.language as tl


@triton.jit
def prologue(x, PROLOGUE: tl.constexpr):
    """PROLOGUE of a loaded tile; the tile as it is for None."""
    if PROLOGUE is None:
        return x
    else:
        return PROLOGUE(x)
