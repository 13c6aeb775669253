"""Loads that cast up and stores that cast down."""

import triton
import triton.language as tl


@triton.jit
def cast(x, DTYPE: tl.constexpr):
    """x as DTYPE: half types are reached by way of float32, as in torch; floats reach narrow integers by way of
    int32, so that out-of-range values wrap the same way everywhere (the direct conversion is undefined for them)."""
    if x.dtype.is_floating() and DTYPE.is_int() and DTYPE.primitive_bitwidth > 1 and DTYPE.primitive_bitwidth < 32:
        return x.to(tl.int32).to(DTYPE)
    elif DTYPE.is_fp16() or DTYPE.is_bf16():
        return x.to(tl.float32).to(DTYPE)
    else:
        return x.to(DTYPE)


@triton.jit
def load(pointer, mask, COMPUTE: tl.constexpr):
    return cast(tl.load(pointer, mask=mask), COMPUTE)


@triton.jit
def store(pointer, value, mask):
    result = value
    tl.store(pointer, cast(result, pointer.dtype.element_ty), mask=mask)
