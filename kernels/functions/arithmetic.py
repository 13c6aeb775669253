"""Arithmetic of one or two numbers, with torch's rules for NaN, signs and rounding."""

import triton
import triton.language as tl


@triton.jit
def identity(x):
    return x


@triton.jit
def zero(x):
    """0 in the type of x, whose value is not looked at (and so not loaded)."""
    return tl.full(x.shape, 0, x.dtype)


@triton.jit
def add(x, y):
    return x + y


@triton.jit
def sub(x, y):
    return x - y


@triton.jit
def mul(x, y):
    return x * y


@triton.jit
def add_scaled(x, y, alpha):
    """x + alpha * y"""
    return x + alpha * y


@triton.jit
def add_unrounded(x, product, beta, alpha):
    """beta * x + alpha * product"""
    return beta * x + alpha * product


@triton.jit
def sub_scaled(x, y, alpha):
    """x - alpha * y"""
    return x - alpha * y


@triton.jit
def addcmul(x, tensor1, tensor2, value):
    return x + value * tensor1 * tensor2


@triton.jit
def addcdiv(x, tensor1, tensor2, value):
    return x + div(value * tensor1, tensor2)


@triton.jit
def lerp(start, end, weight):
    """start + weight * (end - start), from whichever end is nearer, so that weight 1 gives exactly `end`."""
    step = end - start
    near = start + weight * step
    far = end - step * (1 - weight)
    return tl.where((weight < 0.5) & (weight > -0.5), near, far)


@triton.jit
def negative(x):
    # Triton's unary minus is 0 - x, which loses the sign of zero.
    if x.dtype.is_floating():
        return x * -1
    else:
        return 0 - x


@triton.jit
def abs(x):
    return tl.abs(x)


@triton.jit
def sign(x):
    return (x > 0).to(x.dtype) - (x < 0).to(x.dtype)


@triton.jit
def square(x):
    return x * x


@triton.jit
def sqrt(x):
    if x.dtype.is_fp64():
        return tl.sqrt(x)
    else:
        return tl.sqrt_rn(x)


@triton.jit
def rsqrt(x):
    return div(1.0, sqrt(x))


@triton.jit
def reciprocal(x):
    return div(1.0, x)


@triton.jit
def div(x, y):
    """True division, correctly rounded (a plain `/` of float32 is approximate on GPUs)."""
    if (x + y).dtype.is_fp32():
        return tl.div_rn(x, y)
    else:
        return x / y


@triton.jit
def maximum(x, y):
    """The larger; NaN if either is."""
    return tl.where((x >= y) | (x != x), x, y)


@triton.jit
def minimum(x, y):
    """The smaller; NaN if either is."""
    return tl.where((x <= y) | (x != x), x, y)


@triton.jit
def fmax(x, y):
    """The larger; the other one if one is NaN."""
    return tl.where((x >= y) | (y != y), x, y)


@triton.jit
def fmin(x, y):
    """The smaller; the other one if one is NaN."""
    return tl.where((x <= y) | (y != y), x, y)


@triton.jit
def _safe_divisor(y):
    """1 in place of the divisors that trap: 0 always, and -1 for the most negative number."""
    if y.dtype.is_int_signed():
        return tl.where((y == 0) | (y == -1), 1, y).to(y.dtype)
    else:
        return tl.where(y == 0, 1, y).to(y.dtype)


@triton.jit
def _int_quotient(x, y):
    """x / y rounded towards zero; 0 for y == 0."""
    quotient = x // _safe_divisor(y)
    if y.dtype.is_int_signed():
        quotient = tl.where(y == -1, 0 - x, quotient)
    return tl.where(y == 0, 0, quotient).to(x.dtype)


@triton.jit
def _int_modulus(x, y):
    """x - y * trunc(x / y); 0 for y == 0."""
    modulus = x % _safe_divisor(y)
    if y.dtype.is_int_signed():
        modulus = tl.where(y == -1, 0, modulus)
    return tl.where(y == 0, 0, modulus).to(x.dtype)


@triton.jit
def trunc_divide(x, y):
    both = x + y
    if both.dtype.is_floating():
        quotient = div(x, y)
        return tl.where(quotient < 0, tl.ceil(quotient), tl.floor(quotient))
    else:
        return _int_quotient(tl.cast(x, both.dtype), tl.cast(y, both.dtype))


@triton.jit
def fmod(x, y):
    """The remainder with the sign of x."""
    both = x + y
    if both.dtype.is_floating():
        return x % y
    else:
        return _int_modulus(tl.cast(x, both.dtype), tl.cast(y, both.dtype))


@triton.jit
def remainder(x, y):
    """The remainder with the sign of y (Python's %)."""
    modulus = fmod(x, y)
    return tl.where((modulus != 0) & ((modulus < 0) != (y < 0)), modulus + y, modulus)


@triton.jit
def floor_divide(x, y):
    """Python's //. For floats the quotient is that of x - fmod(x, y), a multiple of y, as in CPython."""
    both = x + y
    modulus = fmod(x, y)
    borrow = (modulus != 0) & ((modulus < 0) != (y < 0))
    if both.dtype.is_floating():
        quotient = div(x - modulus, y)
        quotient = tl.where(borrow, quotient - 1, quotient)
        floor = tl.floor(quotient)
        floor = tl.where(quotient - floor > 0.5, floor + 1, floor)
        exact = div(x, y)
        return tl.where(y == 0, exact, tl.where(quotient == 0, exact * 0, floor))
    else:
        quotient = _int_quotient(tl.cast(x, both.dtype), tl.cast(y, both.dtype))
        return tl.where(borrow, quotient - 1, quotient)


@triton.jit
def _int_pow(base, exponent):
    """Repeated squaring, wrapping around; a negative exponent gives 0 unless the base is 1 or -1, as torch."""
    square = base + exponent * 0
    left = exponent + base * 0
    result = square * 0 + 1
    for _ in range(64):
        result = tl.where((left & 1) != 0, result * square, result)
        square = square * square
        left = left >> 1
    unit = tl.where(base == 1, 1, tl.where(base + 1 == 0, 1 - 2 * (exponent & 1), 0)).to(base.dtype)
    return tl.where(exponent < 0, unit, result)


@triton.jit
def _power_of_two(k):
    return ((k.to(tl.int64) + 1023) << 52).to(tl.float64, bitcast=True)


@triton.jit
def _log2_in_two(m):
    """log2 m of 1/sqrt(2) < m < sqrt(2) in float64, as a number and what it lacks: together some 65 bits.

    With s = (m - 1) / (m + 1) it is 2 / ln 2 (s + s^3/3 + s^5/5 + ...), where s and s^2/3 have two numbers each.
    """
    over = m - 1  # exact
    under = m + 1
    under_rest = m - (under - 1)
    s = over / under
    s_rest = (tl.fma(-s, under, over) - s * under_rest) / under
    square = s * s
    square_rest = tl.fma(s, s, -square) + 2 * s * s_rest
    series = square * 0
    for k in tl.static_range(12):
        series = series * square + 1.0 / (27 - 2 * k)  # 1/5 + s^2/7 + ...
    one_third = square * 0 + 0.3333333333333333  # a number by itself would be float32 to tl.fma
    third = square * one_third
    third_rest = tl.fma(square, one_third, -third) + square * 1.850371707708594e-17 + square_rest * one_third
    tail_rest = third_rest + square * square * series  # of third + tail_rest = log(m) / (2 s) - 1
    product = s * third
    product_rest = tl.fma(s, third, -product) + s * tail_rest + s_rest * third + s_rest
    half = s + product  # of ln m
    half_rest = product - (half - s) + product_rest
    to_base_2 = square * 0 + 2.8853900817779268
    result = half * to_base_2
    return result, tl.fma(half, to_base_2, -result) + half * 4.0710547481862066e-17 + half_rest * to_base_2


@triton.jit
def _wide_pow(x, y):
    """x ** y for x > 0 in float64: with x = m 2^e, 1/sqrt(2) < m < sqrt(2), the whole part of y e + y log2 m is kept
    apart, so that the fraction, whose error is the result's, does not lose the bits that the whole part takes."""
    simple = tl.exp2(y * tl.log2(x))
    bits = (x + y * 0).to(tl.int64, bitcast=True)
    exponent = ((bits >> 52) & 2047) - 1023
    mantissa = ((bits & 0xFFFFFFFFFFFFF) | (1023 << 52)).to(tl.float64, bitcast=True)
    high = mantissa > 1.4142135623730951
    mantissa = tl.where(high, mantissa * 0.5, mantissa)
    whole = tl.where(high, exponent + 1, exponent).to(tl.float64)
    log, log_rest = _log2_in_two(mantissa)
    fraction = y * log
    product = y * whole
    rest = tl.fma(y + whole * 0, whole, -product) + tl.fma(y + whole * 0, log, -fraction) + y * log_rest
    total = product + fraction
    usable = (x >= 2.2250738585072014e-308) & (x < float("inf")) & (tl.abs(total) < 2000)
    k = tl.floor(tl.where(usable, total, 0) + 0.5)
    half = tl.floor(k * 0.5)
    value = tl.exp2((product - k) + fraction + rest) * _power_of_two(half) * _power_of_two(k - half)
    return tl.where(usable, value, simple)


@triton.jit
def _float_pow(base, exponent):
    """2 ** (exponent * log2 |base|) in float64, then the sign and the special cases of C's pow.

    The product needs more bits than the result has: its absolute error is the result's relative error.
    """
    x = tl.cast(base, tl.float64)
    y = tl.cast(exponent, tl.float64)
    if (base + exponent).dtype.is_fp64():
        magnitude = _wide_pow(tl.abs(x), y)
    else:
        magnitude = tl.exp2(y * tl.log2(tl.abs(x)))
    whole = tl.floor(y) == y
    odd = whole & (tl.floor(y * 0.5) * 2 != y) & (tl.abs(y) < float("inf"))
    negative_base = (x < 0) | (1 / x == float("-inf"))
    result = tl.where(negative_base & odd, magnitude * -1, magnitude)
    undefined = (x < 0) & ~whole & (x > float("-inf"))
    result = tl.where(undefined, float("nan"), result)
    return tl.where((y == 0) | (x == 1) | ((x == -1) & (tl.abs(y) == float("inf"))), 1.0, result)


@triton.jit
def pow(base, exponent):
    both = base + exponent
    if both.dtype.is_floating():
        return _float_pow(base, exponent).to(both.dtype)
    else:
        return _int_pow(tl.cast(base, both.dtype), tl.cast(exponent, both.dtype))


@triton.jit
def determinant(a, b, c, d):
    """a * d - b * c"""
    return a * d - b * c
