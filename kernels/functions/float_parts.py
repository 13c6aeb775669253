"""What floating numbers are made of: sign, exponent, mantissa, their neighbours, and what replaces NaN and infinities."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def signbit(x):
    """Whether the sign is a minus, that of -0.0 and NaN too."""
    if x.dtype.is_fp64():
        return x.to(tl.int64, bitcast=True) < 0
    elif x.dtype.is_floating():
        return x.to(tl.float32).to(tl.int32, bitcast=True) < 0
    else:
        return x < 0


@triton.jit
def copysign(x, y):
    """The magnitude of x with the sign of y."""
    size = tl.abs(x)
    return tl.where(signbit(y), size * -1, size)


@triton.jit
def isposinf(x):
    if x.dtype.is_floating():
        return x == float("inf")
    else:
        return x != x


@triton.jit
def isneginf(x):
    if x.dtype.is_floating():
        return x == float("-inf")
    else:
        return x != x


@triton.jit
def nan_to_num(x, nan, posinf, neginf):
    """x with numbers in place of NaN and the infinities."""
    value = tl.where(x == float("inf"), posinf, tl.where(x == float("-inf"), neginf, x))
    return tl.where(x != x, nan, value)


@triton.jit
def hypot(x, y):
    """sqrt(x^2 + y^2) without overflow on the way."""
    return libdevice.hypot(x, y)


@triton.jit
def heaviside(x, values):
    """0 for negative numbers and NaN, 1 for positive ones, `values` at 0."""
    return tl.where(x == 0, values, (x > 0).to(values.dtype))


@triton.jit
def angle(x):
    """pi for negative numbers, 0 for others; NaN stays NaN."""
    pi = tl.full(x.shape, 3.141592653589793, x.dtype)
    return tl.where(x != x, x, tl.where(x < 0, pi, 0))


@triton.jit
def _neighbour(x, y, FLOAT: tl.constexpr, BITS: tl.constexpr):
    """The next number after x towards y in the type FLOAT: its bits, as an integer, are one more or one less."""
    at = x.to(FLOAT)
    bits = at.to(BITS, bitcast=True)
    step = tl.where((y > x) == (x > 0), 1, -1).to(BITS)
    beside = (bits + step).to(BITS).to(FLOAT, bitcast=True).to(x.dtype)
    smallest = tl.full(bits.shape, 1, BITS).to(FLOAT, bitcast=True).to(x.dtype)
    beside = tl.where(x == 0, tl.where(y > 0, smallest, smallest * -1), beside)
    return tl.where((x != x) | (y != y), x + y, tl.where(x == y, y, beside))


@triton.jit
def nextafter(x, y):
    if x.dtype.is_fp64():
        return _neighbour(x, y, tl.float64, tl.int64)
    else:
        return _neighbour(x, y, tl.float32, tl.int32)


@triton.jit
def nextafter_float16(x, y):
    """Of float16 numbers, which are computed with as float32."""
    return _neighbour(x, y, tl.float16, tl.int16)


@triton.jit
def nextafter_bfloat16(x, y):
    """Of bfloat16 numbers, which are computed with as float32."""
    return _neighbour(x, y, tl.bfloat16, tl.int16)


@triton.jit
def _parts(x):
    """(x as a float64, its exponent e with |x| in [2^(e-1), 2^e), whether x has one: 0, NaN and infinities have not)."""
    wide = x.to(tl.float64)
    tiny = tl.abs(wide) < 2.2250738585072014e-308
    bits = tl.where(tiny, wide * 18014398509481984.0, wide).to(tl.int64, bitcast=True)  # 2^54
    exponent = ((bits >> 52) & 2047) - 1022 - tl.where(tiny, 54, 0)
    usual = (wide == wide) & (tl.abs(wide) < float("inf")) & (wide != 0)
    mantissa = ((bits & -9218868437227405313) | 4602678819172646912).to(tl.float64, bitcast=True)
    return mantissa, exponent, usual


@triton.jit
def frexp_mantissa(x):
    """m in [0.5, 1) with x = m 2^e; 0, NaN and infinities are their own."""
    mantissa, _, usual = _parts(x)
    return tl.where(usual, mantissa.to(x.dtype), x)


@triton.jit
def frexp_exponent(x):
    """e of x = m 2^e with m in [0.5, 1); 0 of 0, NaN and infinities."""
    _, exponent, usual = _parts(x)
    return tl.where(usual, exponent, 0).to(x.dtype)
