"""Composite pointwise expressions and fused gradients.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""

import triton

from .activation import gelu, gelu_tanh, silu
from .arithmetic import abs, div, floor_divide, maximum, minimum, negative, pow, remainder, rsqrt, sign, sqrt, square
from .bessel import bessel_i0e_slope, bessel_i1_slope, bessel_i1e_slope, i1
from .comparison import bitwise_and, bitwise_or, bitwise_xor, isfinite, isnan
from .error import erfinv, normal_cdf
from .exponential import cosh, exp, sigmoid, sinh, tanh
from .float_parts import hypot, isneginf
from .gamma import digamma, lgamma, polygamma, trigamma, zeta
from .gamma_slope import gamma_slope
from .integers import bitwise_left_shift, bitwise_right_shift
from .logarithm import log, log1p, logaddexp, logsigmoid, xlog1py, xlogy
from .normal import erfcx, erfcx_slope
from .orthogonal import (
    chebyshev_polynomial_t,
    chebyshev_polynomial_u,
    chebyshev_polynomial_v,
    chebyshev_polynomial_w,
    hermite_polynomial_h,
    hermite_polynomial_he,
    laguerre_polynomial_l,
    legendre_polynomial_p,
    shifted_chebyshev_polynomial_t,
    shifted_chebyshev_polynomial_u,
    shifted_chebyshev_polynomial_v,
    shifted_chebyshev_polynomial_w,
)
from .quotient import quotient_im, quotient_re, reciprocal_im, reciprocal_re
from .rounding import round, trunc
from .select import clamp_min, where
from .trigonometric import cos, sin, sinc, sinc_slope
from .zero_power import zero_power_im, zero_power_re


@triton.jit
def scalar_add_reversed(input, other, alpha):
    return other + alpha * input


@triton.jit
def sub_scaled_backward_other(dout, alpha):
    return negative(dout) * alpha


@triton.jit
def scalar_sub_reversed(input, other, alpha):
    return other - alpha * input


@triton.jit
def scalar_sub_reversed_backward_input(dout, alpha):
    return negative(dout) * alpha


@triton.jit
def div_backward_other(dout, input, other):
    return div(negative(dout) * div(input, other), other)


@triton.jit
def scalar_div_reversed(other, input):
    return div(input, other)


@triton.jit
def scalar_div_reversed_backward_other(dout, other, input):
    return div(negative(dout) * div(input, other), other)


@triton.jit
def pow_backward_input(dout, input, exponent):
    return dout * where(exponent == 0, 0, exponent * pow(input, exponent - 1))


@triton.jit
def pow_backward_exponent(dout, input, exponent, out):
    return dout * where((input == 0) & (exponent >= 0), 0, out * log(input))


@triton.jit
def scalar_pow_backward_input(dout, input, exponent):
    return dout * where(exponent == 0, 0, exponent * pow(input, exponent - 1))


@triton.jit
def scalar_pow_reversed(exponent, input):
    return pow(input, exponent)


@triton.jit
def scalar_pow_reversed_backward_exponent(dout, exponent, out, input):
    return dout * where((input == 0) & (exponent >= 0), 0, out * log(input + 0 * exponent))


@triton.jit
def reciprocal_re_backward_u(dout, u, v):
    return dout * (square(reciprocal_im(u, v)) - square(reciprocal_re(u, v)))


@triton.jit
def reciprocal_re_backward_v(dout, u, v):
    return 2 * dout * reciprocal_re(u, v) * reciprocal_im(u, v)


@triton.jit
def reciprocal_im_backward_u(dout, u, v):
    return -2 * dout * reciprocal_re(u, v) * reciprocal_im(u, v)


@triton.jit
def reciprocal_im_backward_v(dout, u, v):
    return dout * (square(reciprocal_im(u, v)) - square(reciprocal_re(u, v)))


@triton.jit
def quotient_re_backward_x(dout, u, v):
    return dout * reciprocal_re(u, v)


@triton.jit
def quotient_re_backward_y(dout, u, v):
    return negative(dout) * where((u == 0) & (v == 0), 0, reciprocal_im(u, v))


@triton.jit
def quotient_re_backward_u(dout, x, y, u, v):
    return dout * (quotient_im(x, y, u, v) * reciprocal_im(u, v) - quotient_re(x, y, u, v) * reciprocal_re(u, v))


@triton.jit
def quotient_re_backward_v(dout, x, y, u, v):
    return dout * (quotient_re(x, y, u, v) * reciprocal_im(u, v) + quotient_im(x, y, u, v) * reciprocal_re(u, v))


@triton.jit
def quotient_im_backward_x(dout, u, v):
    return dout * where((u == 0) & (v == 0), 0, reciprocal_im(u, v))


@triton.jit
def quotient_im_backward_y(dout, u, v):
    return dout * reciprocal_re(u, v)


@triton.jit
def quotient_im_backward_u(dout, x, y, u, v):
    return negative(dout) * (
        quotient_re(x, y, u, v) * reciprocal_im(u, v) + quotient_im(x, y, u, v) * reciprocal_re(u, v)
    )


@triton.jit
def quotient_im_backward_v(dout, x, y, u, v):
    return dout * (quotient_im(x, y, u, v) * reciprocal_im(u, v) - quotient_re(x, y, u, v) * reciprocal_re(u, v))


@triton.jit
def zero_power_re_backward_u(dout, u, v, p, q):
    return dout * where((p == 0) & (q == 0), 0, p * zero_power_re(u, v, p - 1, q) - q * zero_power_im(u, v, p - 1, q))


@triton.jit
def zero_power_re_backward_v(dout, u, v, p, q):
    return dout * where(
        (p == 0) & (q == 0), 0, negative(p) * zero_power_im(u, v, p - 1, q) - q * zero_power_re(u, v, p - 1, q)
    )


@triton.jit
def zero_power_re_backward_p(dout, u, v, p, q):
    return dout * where((q == 0) & (p >= 0), 0, zero_power_im(u, v, 0 * p - 1, q))


@triton.jit
def zero_power_re_backward_q(dout, u, v, p, q):
    return dout * where((q == 0) & (p >= 0), 0, zero_power_im(u, v, 0 * p - 1, q))


@triton.jit
def zero_power_im_backward_u(dout, u, v, p, q):
    return dout * where((p == 0) & (q == 0), 0, p * zero_power_im(u, v, p - 1, q) + q * zero_power_re(u, v, p - 1, q))


@triton.jit
def zero_power_im_backward_v(dout, u, v, p, q):
    return dout * where((p == 0) & (q == 0), 0, p * zero_power_re(u, v, p - 1, q) - q * zero_power_im(u, v, p - 1, q))


@triton.jit
def zero_power_im_backward_p(dout, u, v, p, q):
    return dout * where((q == 0) & (p >= 0), 0, zero_power_im(u, v, 0 * p - 1, q))


@triton.jit
def zero_power_im_backward_q(dout, u, v, p, q):
    return dout * where((q == 0) & (p >= 0), 0, zero_power_im(u, v, 0 * p - 1, q))


@triton.jit
def where_scalar_x(condition, y, x):
    return where(condition, x, y)


@triton.jit
def maximum_backward_input(dout, input, other):
    return where(input == other, div(dout, 2), where(input < other, 0, dout))


@triton.jit
def maximum_backward_other(dout, input, other):
    return where(input == other, div(dout, 2), where(input > other, 0, dout))


@triton.jit
def minimum_backward_input(dout, input, other):
    return where(input == other, div(dout, 2), where(input > other, 0, dout))


@triton.jit
def minimum_backward_other(dout, input, other):
    return where(input == other, div(dout, 2), where(input < other, 0, dout))


@triton.jit
def fmax_backward_input(dout, input, other):
    return where((input >= other) | isnan(other), dout, 0)


@triton.jit
def fmax_backward_other(dout, input, other):
    return where((input >= other) | isnan(other), 0, dout)


@triton.jit
def fmin_backward_input(dout, input, other):
    return where((input <= other) | isnan(other), dout, 0)


@triton.jit
def fmin_backward_other(dout, input, other):
    return where((input <= other) | isnan(other), 0, dout)


@triton.jit
def fmod_backward_other(dout, input, other):
    return negative(dout) * trunc(div(input, other))


@triton.jit
def remainder_backward_other(dout, input, other):
    return negative(dout) * floor_divide(input, other)


@triton.jit
def scalar_remainder_reversed(other, input):
    return remainder(input, other)


@triton.jit
def scalar_remainder_reversed_backward_other(dout, other, input):
    return negative(dout) * floor_divide(input, other)


@triton.jit
def scalar_floor_divide_reversed(other, input):
    return floor_divide(input, other)


@triton.jit
def scalar_bitwise_and_reversed(other, input):
    return bitwise_and(input, other)


@triton.jit
def scalar_bitwise_or_reversed(other, input):
    return bitwise_or(input, other)


@triton.jit
def scalar_bitwise_xor_reversed(other, input):
    return bitwise_xor(input, other)


@triton.jit
def addcmul_backward_tensor1(dout, tensor2, value):
    return dout * tensor2 * value


@triton.jit
def addcmul_backward_tensor2(dout, tensor1, value):
    return dout * tensor1 * value


@triton.jit
def addcdiv_backward_tensor1(dout, tensor2, value):
    return div(dout * value, tensor2)


@triton.jit
def addcdiv_backward_tensor2(dout, tensor1, tensor2, value):
    return div(negative(dout) * value * tensor1, tensor2 * tensor2)


@triton.jit
def lerp_backward_start(dout, weight):
    return dout * (1 - weight)


@triton.jit
def lerp_backward_weight(dout, start, end):
    return dout * (end - start)


@triton.jit
def scalar_lerp_backward_start(dout, weight):
    return dout * (1 - weight)


@triton.jit
def clamp_both_backward_input(dout, input, low, high):
    return where((input >= low) & (input <= high), dout, 0)


@triton.jit
def clamp_low_backward_input(dout, input, low):
    return where(input >= low, dout, 0)


@triton.jit
def clamp_high_backward_input(dout, input, high):
    return where(input <= high, dout, 0)


@triton.jit
def clamp_tensors_backward_input(dout, input, low, high):
    return where((input >= low) & (input <= high), dout, 0)


@triton.jit
def clamp_tensors_backward_low(dout, input, low, high):
    return where((input < low) & (low < high), dout, 0)


@triton.jit
def clamp_tensors_backward_high(dout, input, low, high):
    return where((input > high) | (low > high), dout, 0)


@triton.jit
def clamp_low_tensor_backward_input(dout, input, low):
    return where(input >= low, dout, 0)


@triton.jit
def clamp_low_tensor_backward_low(dout, input, low):
    return where(input < low, dout, 0)


@triton.jit
def clamp_high_tensor_backward_input(dout, input, high):
    return where(input <= high, dout, 0)


@triton.jit
def clamp_high_tensor_backward_high(dout, input, high):
    return where(input > high, dout, 0)


@triton.jit
def atan2_backward_input(dout, input, other):
    return div(
        dout * div(other, hypot(where((input == 0) & (other == 0), 1, input), other)),
        hypot(where((input == 0) & (other == 0), 1, input), other),
    )


@triton.jit
def atan2_backward_other(dout, input, other):
    return div(
        negative(dout) * div(input, hypot(where((input == 0) & (other == 0), 1, input), other)),
        hypot(where((input == 0) & (other == 0), 1, input), other),
    )


@triton.jit
def logaddexp_backward_input(dout, input, other):
    return where(isneginf(maximum(input, other)), 0, dout) * sigmoid(
        where(isneginf(maximum(input, other)), 0, input - other)
    )


@triton.jit
def logaddexp_backward_other(dout, input, other):
    return where(isneginf(maximum(input, other)), 0, dout) * sigmoid(
        where(isneginf(maximum(input, other)), 0, other - input)
    )


@triton.jit
def logaddexp2_backward_input(dout, input, other):
    return where(isneginf(maximum(input, other)), 0, dout) * sigmoid(
        where(isneginf(maximum(input, other)), 0, (input - other) * 0.6931471805599453)
    )


@triton.jit
def logaddexp2_backward_other(dout, input, other):
    return where(isneginf(maximum(input, other)), 0, dout) * sigmoid(
        where(isneginf(maximum(input, other)), 0, (other - input) * 0.6931471805599453)
    )


@triton.jit
def hypot_backward_input(dout, input, out):
    return dout * div(input, out)


@triton.jit
def hypot_backward_other(dout, other, out):
    return dout * div(other, out)


@triton.jit
def copy_sign_backward_input(dout, input, out):
    return dout * sign(input) * sign(out)


@triton.jit
def scalar_copy_sign_backward_input(dout, input, out):
    return dout * sign(input) * sign(out)


@triton.jit
def next_after_backward_input(dout, input, other):
    return where(input == other, 0, dout)


@triton.jit
def next_after_backward_other(dout, input, other):
    return where(input == other, dout, 0)


@triton.jit
def next_after_float16_backward_input(dout, input, other):
    return where(input == other, 0, dout)


@triton.jit
def next_after_float16_backward_other(dout, input, other):
    return where(input == other, dout, 0)


@triton.jit
def next_after_bfloat16_backward_input(dout, input, other):
    return where(input == other, 0, dout)


@triton.jit
def next_after_bfloat16_backward_other(dout, input, other):
    return where(input == other, dout, 0)


@triton.jit
def x_log_y_backward_input(dout, input, other):
    return where((input == 0) & (other <= 0), 0, xlogy(dout, other))


@triton.jit
def x_log_y_backward_other(dout, input, other):
    return div(dout * input, other)


@triton.jit
def scalar_x_log_y_backward_input(dout, input, other):
    return where((input == 0) & (other <= 0), 0, xlogy(dout, other))


@triton.jit
def scalar_x_log_y_reversed(other, input):
    return xlogy(input, other)


@triton.jit
def scalar_x_log_y_reversed_backward_other(dout, other, input):
    return div(dout * input, other)


@triton.jit
def scalar_bitwise_left_shift_reversed(other, input):
    return bitwise_left_shift(input, other)


@triton.jit
def scalar_bitwise_right_shift_reversed(other, input):
    return bitwise_right_shift(input, other)


@triton.jit
def fake_quantize(input, scale, zero_point, quant_min, quant_max):
    return (minimum(maximum(round(input * div(1, scale)) + zero_point, quant_min), quant_max) - zero_point) * scale


@triton.jit
def fake_quantize_backward_input(dout, input, scale, zero_point, quant_min, quant_max):
    return where(
        round(input * div(1, scale)) + zero_point < quant_min,
        0,
        where(round(input * div(1, scale)) + zero_point > quant_max, 0, dout),
    )


@triton.jit
def exp2_backward_x(dy, y):
    return dy * y * 0.6931471805599453


@triton.jit
def expm1_backward_x(dy, y):
    return dy * (y + 1)


@triton.jit
def log2_backward_x(dy, x):
    return div(dy, x * 0.6931471805599453)


@triton.jit
def log10_backward_x(dy, x):
    return div(dy, x * 2.302585092994046)


@triton.jit
def log1p_backward_x(dy, x):
    return div(dy, x + 1)


@triton.jit
def sin_backward_x(dy, x):
    return dy * cos(x)


@triton.jit
def cos_backward_x(dy, x):
    return negative(dy) * sin(x)


@triton.jit
def tan_backward_x(dy, y):
    return dy * (1 + y * y)


@triton.jit
def sinh_backward_x(dy, x):
    return dy * cosh(x)


@triton.jit
def cosh_backward_x(dy, x):
    return dy * sinh(x)


@triton.jit
def sqrt_backward_x(dy, y):
    return div(dy, 2 * y)


@triton.jit
def rsqrt_backward_x(dy, y):
    return -0.5 * dy * y * y * y


@triton.jit
def reciprocal_backward_x(dy, y):
    return negative(dy) * y * y


@triton.jit
def erf_backward_x(dy, x):
    return dy * 1.1283791670955126 * exp(negative(x) * x)


@triton.jit
def erfinv_backward_x(dy, x):
    return dy * 0.886226925452758 * exp(square(erfinv(x)))


@triton.jit
def abs_backward_x(dy, x):
    return dy * sign(x)


@triton.jit
def square_backward_x(dy, x):
    return 2 * dy * x


@triton.jit
def round_to_parts(x, scale):
    return div(round(x * scale), scale)


@triton.jit
def round_to_multiples(x, scale):
    return round(div(x, scale)) * scale


@triton.jit
def acos_backward_input(dout, input):
    return negative(dout) * rsqrt(1 - input * input)


@triton.jit
def asin_backward_input(dout, input):
    return dout * rsqrt(1 - input * input)


@triton.jit
def atan_backward_input(dout, input):
    return div(dout, input * input + 1)


@triton.jit
def acosh_backward_input(dout, input):
    return dout * rsqrt(abs(input) - 1) * rsqrt(abs(input) + 1)


@triton.jit
def asinh_backward_input(dout, input):
    return where(
        abs(input) > 1000000000.0, div(dout, where(input == 0, 1, abs(input))), dout * rsqrt(input * input + 1)
    )


@triton.jit
def atanh_backward_input(dout, input):
    return div(dout, 1 - input * input)


@triton.jit
def sinc_backward_input(dout, input):
    return dout * sinc_slope(input)


@triton.jit
def sinc_slope_backward_input(dout, input):
    return dout * where(
        input == 0,
        -3.289868133696453,
        -9.869604401089358 * sinc(input) - div(2 * sinc_slope(input), where(input == 0, 1, input)),
    )


@triton.jit
def erfc_backward_input(dout, input):
    return dout * -1.1283791670955126 * exp(negative(input) * input)


@triton.jit
def logit_backward_input(dout, input):
    return div(dout, square(sqrt(input * (1 - input))))


@triton.jit
def logit_clamped_backward_input(dout, input, eps):
    return where((input < eps) | (input > 1 - eps), 0, div(dout, input * (1 - input)))


@triton.jit
def nan_to_num_backward_input(dout, input):
    return where(isfinite(input), dout, 0)


@triton.jit
def deg2rad(input):
    return input * 0.017453292519943295


@triton.jit
def rad2deg(input):
    return input * 57.29577951308232


@triton.jit
def lgamma_backward_input(dout, input):
    return dout * digamma(input)


@triton.jit
def digamma_backward_input(dout, input):
    return dout * trigamma(input)


@triton.jit
def trigamma_backward_input(dout, input):
    return dout * poly_gamma(input, 2)


@triton.jit
def poly_gamma(input, n):
    return polygamma(n, input)


@triton.jit
def poly_gamma_backward_input(dout, input, n):
    return dout * poly_gamma(input, n + 1)


@triton.jit
def special_xlog1py_backward_input(dout, input, other):
    return where((input == 0) & (other <= -1), 0, xlog1py(dout, other))


@triton.jit
def special_xlog1py_backward_other(dout, input, other):
    return div(dout * input, other + 1)


@triton.jit
def scalar_special_xlog1py_backward_input(dout, input, other):
    return where((input == 0) & (other <= -1), 0, xlog1py(dout, other))


@triton.jit
def scalar_special_xlog1py_reversed(other, input):
    return xlog1py(input, other)


@triton.jit
def scalar_special_xlog1py_reversed_backward_other(dout, other, input):
    return div(dout * input, other + 1)


@triton.jit
def special_zeta_backward_other(dout, input, other):
    return dout * negative(input) * zeta(input + 1, other)


@triton.jit
def scalar_special_zeta_reversed(other, input):
    return zeta(input, other)


@triton.jit
def scalar_special_zeta_reversed_backward_other(dout, other, input):
    return dout * negative(input) * zeta(input + 1, other)


@triton.jit
def igamma_backward_other(dout, input, other):
    return dout * exp((input - 1) * log(other) - other - lgamma(input))


@triton.jit
def igammac_backward_other(dout, input, other):
    return negative(dout) * exp((input - 1) * log(other) - other - lgamma(input))


@triton.jit
def i0_backward_input(dout, input):
    return dout * i1(input)


@triton.jit
def special_i0e_backward_input(dout, input):
    return dout * bessel_i0e_slope(input)


@triton.jit
def special_i1_backward_input(dout, input):
    return dout * bessel_i1_slope(input)


@triton.jit
def special_i1_slope_backward_input(dout, input):
    return dout * where(
        input == 0,
        0,
        i1(input)
        + div(div(i1(input), where(input == 0, 1, input)) - bessel_i1_slope(input), where(input == 0, 1, input)),
    )


@triton.jit
def special_i1e_backward_input(dout, input):
    return dout * bessel_i1e_slope(input)


@triton.jit
def special_entr_backward_input(dout, input):
    return dout * negative(1 + log(input))


@triton.jit
def special_erfcx_backward_input(dout, input):
    return dout * erfcx_slope(input)


@triton.jit
def special_erfcx_slope_backward_input(dout, input):
    return dout * 2 * (erfcx(input) + input * erfcx_slope(input))


@triton.jit
def normal_cdf_backward_input(dout, input):
    return dout * 0.3989422804014327 * exp(-0.5 * input * input)


@triton.jit
def special_ndtr_backward_input(dout, input):
    return dout * 0.3989422804014327 * exp(-0.5 * input * input)


@triton.jit
def special_ndtri_backward_input(dout, out):
    return dout * 2.5066282746310002 * exp(0.5 * out * out)


@triton.jit
def inverse_mills_ratio(x):
    return div(0.7978845608028654, erfcx(x * -0.7071067811865476))


@triton.jit
def inverse_mills_ratio_backward_x(dy, x, y):
    return negative(dy) * y * (x + y)


@triton.jit
def special_log_ndtr_backward_input(dout, input):
    return dout * inverse_mills_ratio(input)


@triton.jit
def scalar_special_chebyshev_polynomial_t_reversed(n, x):
    return chebyshev_polynomial_t(x, n)


@triton.jit
def scalar_special_chebyshev_polynomial_u_reversed(n, x):
    return chebyshev_polynomial_u(x, n)


@triton.jit
def scalar_special_chebyshev_polynomial_v_reversed(n, x):
    return chebyshev_polynomial_v(x, n)


@triton.jit
def scalar_special_chebyshev_polynomial_w_reversed(n, x):
    return chebyshev_polynomial_w(x, n)


@triton.jit
def scalar_special_shifted_chebyshev_polynomial_t_reversed(n, x):
    return shifted_chebyshev_polynomial_t(x, n)


@triton.jit
def scalar_special_shifted_chebyshev_polynomial_u_reversed(n, x):
    return shifted_chebyshev_polynomial_u(x, n)


@triton.jit
def scalar_special_shifted_chebyshev_polynomial_v_reversed(n, x):
    return shifted_chebyshev_polynomial_v(x, n)


@triton.jit
def scalar_special_shifted_chebyshev_polynomial_w_reversed(n, x):
    return shifted_chebyshev_polynomial_w(x, n)


@triton.jit
def scalar_special_hermite_polynomial_h_reversed(n, x):
    return hermite_polynomial_h(x, n)


@triton.jit
def scalar_special_hermite_polynomial_he_reversed(n, x):
    return hermite_polynomial_he(x, n)


@triton.jit
def scalar_special_laguerre_polynomial_l_reversed(n, x):
    return laguerre_polynomial_l(x, n)


@triton.jit
def scalar_special_legendre_polynomial_p_reversed(n, x):
    return legendre_polynomial_p(x, n)


@triton.jit
def tanh_backward_x(dy, y):
    return dy * (1 - y * y)


@triton.jit
def sigmoid_backward_x(dy, y):
    return dy * y * (1 - y)


@triton.jit
def logistic_backward_x(dy, x):
    return dy * sigmoid(x) * sigmoid(negative(x))


@triton.jit
def mish_gate(x):
    return tanh(negative(logsigmoid(negative(x))))


@triton.jit
def mish_gate_backward_x(dy, x):
    return dy * 4 * sigmoid(x) * square(div(sigmoid(negative(x)), 1 + square(sigmoid(negative(x)))))


@triton.jit
def logsigmoid_backward_x(dy, x):
    return dy * sigmoid(negative(x))


@triton.jit
def relu_backward_x(dy, y):
    return where(y <= 0, 0, dy)


@triton.jit
def leaky_relu_backward_x(dy, x, alpha):
    return where(x > 0, dy, dy * alpha)


@triton.jit
def leaky_relu_inplace_backward_x(dy, y, alpha):
    return where(y > 0, dy, dy * alpha)


@triton.jit
def elu_backward_x(dy, x, alpha):
    return where(x <= 0, dy * (alpha * exp(where(x < 0, x, 0))), dy)


@triton.jit
def celu_backward_x(dy, x, alpha):
    return where(x <= 0, dy * exp(div(where(x < 0, x, 0), alpha)), dy)


@triton.jit
def selu_backward_x(dy, x):
    return where(x <= 0, dy * (1.7580993408473766 * exp(where(x < 0, x, 0))), dy * 1.0507009873554805)


@triton.jit
def softplus_backward_x(dy, x, beta, threshold):
    return where(x * beta > threshold, dy, dy * sigmoid(x * beta))


@triton.jit
def softsign_backward_x(dy, x):
    return div(dy, (1 + abs(x)) * (1 + abs(x)))


@triton.jit
def silu_backward_x(dy, x):
    return dy * sigmoid(x) * (1 + x * sigmoid(negative(x)))


@triton.jit
def mish_backward_x(dy, x):
    return dy * (
        mish_gate(x) + 4 * x * sigmoid(x) * square(div(sigmoid(negative(x)), 1 + square(sigmoid(negative(x)))))
    )


@triton.jit
def hardsigmoid_backward_x(dy, x):
    return where((x > -3) & (x < 3), div(dy, 6), 0)


@triton.jit
def hardswish_backward_x(dy, x):
    return where(x <= -3, 0, where(x < 3, dy * (div(x, 3) + 0.5), dy))


@triton.jit
def hardtanh_backward_x(dy, x, min_val, max_val):
    return where((x <= min_val) | (x >= max_val), 0, dy)


@triton.jit
def hardtanh_inplace_backward_x(dy, y, min_val, max_val):
    return where((y <= min_val) | (y >= max_val), 0, dy)


@triton.jit
def threshold_backward_x(dy, x, threshold):
    return where(x <= threshold, 0, dy)


@triton.jit
def hardshrink_backward_x(dy, x, lambd):
    return where((x >= negative(lambd)) & (x <= lambd), 0, dy)


@triton.jit
def softshrink_backward_x(dy, x, lambd):
    return where((x >= negative(lambd)) & (x <= lambd), 0, dy)


@triton.jit
def quick_gelu_backward_x(dy, x):
    return dy * sigmoid(1.702 * x) * (1 + 1.702 * x * sigmoid(-1.702 * x))


@triton.jit
def gelu_exact_backward_x(dy, x):
    return dy * (normal_cdf(x) + x * 0.3989422804014327 * exp(-0.5 * x * x))


@triton.jit
def gelu_by_tanh_backward_x(dy, x):
    return (
        dy
        * sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))
        * (
            1
            + x
            * sigmoid(-1.5957691216057308 * (x + 0.044715 * x * x * x))
            * (1.5957691216057308 + 0.21406444881780073 * x * x)
        )
    )


@triton.jit
def sigmoid_gate(a, gate):
    return a * sigmoid(gate)


@triton.jit
def sigmoid_gate_backward_a(dout, gate):
    return dout * sigmoid(gate)


@triton.jit
def sigmoid_gate_backward_gate(dout, a, gate):
    return dout * a * (sigmoid(gate) * sigmoid(negative(gate)))


@triton.jit
def gated_by_silu(x, y):
    return silu(x) * y


@triton.jit
def gated_by_gelu(x, y):
    return gelu(x) * y


@triton.jit
def gated_by_gelu_tanh(x, y):
    return gelu_tanh(x) * y


@triton.jit
def log_of_sum_backward_x(dout, x):
    return div(where(x == 0, 0, dout), where(x == 0, 1, x))


@triton.jit
def mean_of_losses(total, weights, count):
    return div(total, weights + (count == 0)) + (div(weights, weights) - 1)


@triton.jit
def mean_of_losses_backward_total(dout, weights, count):
    return div(dout, weights + (count == 0))


@triton.jit
def l1_distance(input, target):
    return abs(input - target)


@triton.jit
def l1_distance_backward_input(dout, input, target):
    return dout * sign(input - target)


@triton.jit
def l1_distance_backward_target(dout, input, target):
    return negative(dout) * sign(input - target)


@triton.jit
def smooth_l1_distance(input, target, beta):
    return where(
        abs(input - target) < beta,
        div(0.5 * (input - target) * (input - target), beta),
        abs(input - target) - 0.5 * beta,
    )


@triton.jit
def smooth_l1_distance_backward_input(dout, input, target, beta):
    return dout * where(abs(input - target) >= beta, sign(input - target), div(input - target, beta))


@triton.jit
def smooth_l1_distance_backward_target(dout, input, target, beta):
    return negative(dout) * where(abs(input - target) >= beta, sign(input - target), div(input - target, beta))


@triton.jit
def huber_distance(input, target, delta):
    return where(
        abs(input - target) <= delta,
        0.5 * (input - target) * (input - target),
        delta * (abs(input - target) - 0.5 * delta),
    )


@triton.jit
def huber_distance_backward_input(dout, input, target, delta):
    return dout * where(abs(input - target) >= delta, delta * sign(input - target), input - target)


@triton.jit
def huber_distance_backward_target(dout, input, target, delta):
    return negative(dout) * where(abs(input - target) >= delta, delta * sign(input - target), input - target)


@triton.jit
def binary_entropy_slope(input, target):
    return div(input - target, clamp_min((1 - input) * input, 1e-12))


@triton.jit
def binary_entropy_slope_backward_input(dout, input, target):
    return dout * (
        target * square(div(1 - input, (input + 1e-12) * (1 - input + 1e-12)))
        + (1 - target) * square(div(input, (input + 1e-12) * (1 - input + 1e-12)))
    )


@triton.jit
def binary_entropy(input, target):
    return (target - 1) * clamp_min(log1p(negative(input)), -100.0) - target * clamp_min(log(input), -100.0)


@triton.jit
def binary_entropy_backward_input(dout, input, target):
    return dout * binary_entropy_slope(input, target)


@triton.jit
def binary_entropy_backward_target(dout, input):
    return dout * (log1p(negative(input)) - log(input))


@triton.jit
def binary_entropy_of_logits(input, target):
    return (1 - target) * input - logsigmoid(input)


@triton.jit
def binary_entropy_of_logits_backward_input(dout, input, target):
    return dout * ((1 - target) * sigmoid(input) - target * sigmoid(negative(input)))


@triton.jit
def binary_entropy_of_logits_backward_target(dout, input):
    return negative(dout) * input


@triton.jit
def weighted_binary_entropy_of_logits(input, target, pos_weight):
    return (1 - target) * input - (1 + (pos_weight - 1) * target) * logsigmoid(input)


@triton.jit
def weighted_binary_entropy_of_logits_backward_input(dout, input, target, pos_weight):
    return dout * ((1 - target) * sigmoid(input) - pos_weight * target * sigmoid(negative(input)))


@triton.jit
def weighted_binary_entropy_of_logits_backward_target(dout, input, pos_weight):
    return dout * (logsigmoid(negative(input)) - pos_weight * logsigmoid(input))


@triton.jit
def weighted_binary_entropy_of_logits_backward_pos_weight(dout, input, target):
    return negative(dout) * target * logsigmoid(input)


@triton.jit
def jensen_shannon(input, target, beta, rest, log_beta, log_rest):
    return beta * exp(target) * (
        clamp_min(target, -10000.0)
        - logaddexp(clamp_min(target, -10000.0) + log_beta, clamp_min(input, -10000.0) + log_rest)
    ) + rest * exp(input) * (
        clamp_min(input, -10000.0)
        - logaddexp(clamp_min(target, -10000.0) + log_beta, clamp_min(input, -10000.0) + log_rest)
    )


@triton.jit
def divergence(input, target):
    return where(target == 0, 0 * target, target * log(target)) - target * input


@triton.jit
def divergence_backward_input(dout, target):
    return negative(dout) * target


@triton.jit
def divergence_backward_target(dout, input, target):
    return where(target == 0, 0, dout * (log(target) + 1)) - dout * input


@triton.jit
def divergence_of_logarithm(input, target):
    return exp(target) * (target - input)


@triton.jit
def divergence_of_logarithm_backward_input(dout, target):
    return negative(dout) * exp(target)


@triton.jit
def divergence_of_logarithm_backward_target(dout, input, target):
    return dout * exp(target) * (target - input + 1)


@triton.jit
def soft_margin(input, target):
    return negative(logsigmoid(target * input))


@triton.jit
def soft_margin_backward_input(dout, input, target):
    return negative(dout) * target * sigmoid(negative(target) * input)


@triton.jit
def soft_margin_backward_target(dout, input, target):
    return negative(dout) * input * sigmoid(negative(target) * input)


@triton.jit
def cosine_similarity_backward_x1(dout, dproduct, dnorm1, x1, x2, product, norm1, norm2, eps):
    return (dproduct + div(dout, norm1 * norm2)) * x2 + where(
        norm1 > eps, (dnorm1 - div(dout * div(product, norm1 * norm2), norm1)) * div(x1, norm1), 0
    )


@triton.jit
def cosine_similarity_backward_x2(dout, dproduct, dnorm2, x1, x2, product, norm1, norm2, eps):
    return (dproduct + div(dout, norm1 * norm2)) * x1 + where(
        norm2 > eps, (dnorm2 - div(dout * div(product, norm1 * norm2), norm2)) * div(x2, norm2), 0
    )


@triton.jit
def random_gamma_backward_concentration(dout, concentration, out):
    return dout * gamma_slope(concentration, out)


@triton.jit
def random_dropout_backward_x(dy, kept, scale):
    return dy * kept * scale
