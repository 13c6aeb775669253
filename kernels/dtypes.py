"""The dtype that a kernel computes in: float32 for half types and float8, int32 for narrow integers, any other dtype itself."""

import triton
import triton.language as tl


@triton.constexpr_function
def compute_dtype(dtype):
    """The type in which values of `dtype` are computed and accumulated; integers wrap when they are stored."""
    if dtype in (tl.float16, tl.bfloat16, tl.float8e4nv, tl.float8e5):
        return tl.float32
    return tl.int32 if dtype in (tl.int1, tl.int8, tl.uint8, tl.int16, tl.uint16) else dtype


@triton.constexpr_function
def own_dtype(dtype):
    """The type in which single values of `dtype` are computed: float32 for half floats, int8 for bool."""
    if dtype in (tl.float16, tl.bfloat16):
        return tl.float32
    return tl.int8 if dtype == tl.int1 else dtype
