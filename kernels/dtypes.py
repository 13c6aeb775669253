"""In which type a kernel computes: float32 for the half types and float32, every other type in itself."""

import triton
import triton.language as tl


@triton.constexpr_function
def compute_dtype(dtype):
    """The type in which values of `dtype` are computed and accumulated."""
    return tl.float32 if dtype in (tl.float16, tl.bfloat16) else dtype
