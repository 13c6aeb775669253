"""Loads that cast up and stores that cast down."""

import triton
import triton.language as tl


@triton.jit
def cast(x, DTYPE: tl.constexpr):
    """x as DTYPE: half types are reached by way of float32, as in torch; floats reach narrow integers by way of
    int32, and uint32 and uint64 by way of int64, so that out-of-range values wrap the same way everywhere (the direct
    conversion is undefined for them)."""
    if x.dtype.is_floating() and DTYPE.is_int() and DTYPE.primitive_bitwidth > 1 and DTYPE.primitive_bitwidth < 32:
        return x.to(tl.int32).to(DTYPE)
    elif x.dtype.is_floating() and DTYPE == tl.uint32:
        return x.to(tl.int64).to(DTYPE)
    elif x.dtype.is_floating() and DTYPE == tl.uint64:
        wide = x.to(tl.float64) if x.dtype.primitive_bitwidth == 64 else x.to(tl.float32)
        high = wide >= 9223372036854775808.0  # the numbers that int64 has not
        bits = tl.where(high, wide - 9223372036854775808.0, wide).to(tl.int64).to(DTYPE)
        return tl.where(high, bits + tl.full((), 9223372036854775808, DTYPE), bits)
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
