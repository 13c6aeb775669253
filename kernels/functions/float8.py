"""The 8-bit floats as bytes: casts from and to float32, in integers, since GPUs before sm_89 have no others.

e4m3fn has 4 bits of exponent, 3 of fraction, and no infinity: what is too large becomes the largest number. e5m2 is the upper
byte of a float16: there it becomes infinite. Rounding is to the nearest, ties to even. Source: torch's headers Float8_*.h.
"""

import triton
import triton.language as tl


@triton.jit
def e4m3fn_to_float(x):
    """The exponent and fraction are moved to where float32 has them; the product makes up for the two biases."""
    code = x.to(tl.int32)
    magnitude = ((code & 0x7F) << 20).to(tl.float32, bitcast=True) * 2.0**120
    magnitude = tl.where((code & 0x7F) == 0x7F, float("nan"), magnitude)
    return (magnitude.to(tl.int32, bitcast=True) | ((code & 0x80) << 24)).to(tl.float32, bitcast=True)


@triton.jit
def e5m2_to_float(x):
    return (x.to(tl.uint16) << 8).to(tl.float16, bitcast=True).to(tl.float32)


@triton.jit
def _rounded(magnitude, FRACTION: tl.constexpr, BIAS: tl.constexpr):
    """Exponent and fraction of a positive float32, given and found as bits; numbers below the smallest normal one are multiples
    of the smallest, which a sum with a larger float32 rounds to."""
    dropped: tl.constexpr = 23 - FRACTION
    odd = (magnitude >> dropped) & 1
    normal = (magnitude + odd + (((BIAS - 127) << 23) + (1 << (dropped - 1)) - 1)) >> dropped
    exponent: tl.constexpr = 128 - BIAS + dropped
    summed = magnitude.to(tl.float32, bitcast=True) + 2.0 ** (exponent - 127)
    small = summed.to(tl.int32, bitcast=True) - (exponent << 23)
    return tl.where(magnitude < ((128 - BIAS) << 23), small, normal)


@triton.jit
def _narrow(x, FRACTION: tl.constexpr, BIAS: tl.constexpr, LARGEST: tl.constexpr):
    bits = x.to(tl.int32, bitcast=True)
    magnitude = bits & 0x7FFFFFFF
    code = tl.minimum(_rounded(magnitude, FRACTION, BIAS), LARGEST)
    code = tl.where(magnitude > (255 << 23), 0x7F, code)  # nan
    return (code | ((bits >> 24) & 0x80)).to(tl.uint8)


@triton.jit
def float_to_e4m3fn(x):
    return _narrow(x, 3, 7, 0x7E)


@triton.jit
def float_to_e5m2(x):
    return _narrow(x, 2, 15, 0x7C)


@triton.jit
def e4m3fn_to_e5m2(x):
    return float_to_e5m2(e4m3fn_to_float(x))


@triton.jit
def e5m2_to_e4m3fn(x):
    return float_to_e4m3fn(e5m2_to_float(x))


@triton.jit
def e4m3fn_to_half(x):
    return e4m3fn_to_float(x).to(tl.float16)


@triton.jit
def e5m2_to_half(x):
    return (x.to(tl.uint16) << 8).to(tl.float16, bitcast=True)
