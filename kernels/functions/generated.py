"""Composite pointwise expressions and fused gradients.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

import triton

from .activation import softplus
from .arithmetic import abs, div, floor_divide, negative, pow, remainder, sign, square
from .comparison import bitwise_and, bitwise_or, bitwise_xor, isnan
from .error import erf, erfinv
from .exponential import cosh, exp, sigmoid, sinh, tanh
from .logarithm import log
from .rounding import floor, trunc
from .select import where
from .trigonometric import cos, sin


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
    return negative(dout) * floor(div(input, other))


@triton.jit
def scalar_remainder_reversed(other, input):
    return remainder(input, other)


@triton.jit
def scalar_remainder_reversed_backward_other(dout, other, input):
    return negative(dout) * floor(div(input, other))


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
def tanh_backward_x(dy, y):
    return dy * (1 - y * y)


@triton.jit
def sigmoid_backward_x(dy, y):
    return dy * y * (1 - y)


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
    return where(x <= 0, dy * (alpha * exp(x)), dy)


@triton.jit
def celu_backward_x(dy, x, alpha):
    return where(x <= 0, dy * exp(div(x, alpha)), dy)


@triton.jit
def selu_backward_x(dy, x):
    return where(x <= 0, dy * (1.7580993408473766 * exp(x)), dy * 1.0507009873554805)


@triton.jit
def softplus_backward_x(dy, x, beta, threshold):
    return where(x * beta > threshold, dy, dy * sigmoid(x * beta))


@triton.jit
def softsign_backward_x(dy, x):
    return div(dy, (1 + abs(x)) * (1 + abs(x)))


@triton.jit
def silu_backward_x(dy, x):
    return dy * sigmoid(x) * (1 + x * (1 - sigmoid(x)))


@triton.jit
def mish_backward_x(dy, x):
    return dy * (
        tanh(softplus(x, 1.0, 20.0))
        + x * sigmoid(x) * (1 - tanh(softplus(x, 1.0, 20.0)) * tanh(softplus(x, 1.0, 20.0)))
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
    return where(x > threshold, dy, 0)


@triton.jit
def hardshrink_backward_x(dy, x, lambd):
    return where((x >= negative(lambd)) & (x <= lambd), 0, dy)


@triton.jit
def softshrink_backward_x(dy, x, lambd):
    return where((x >= negative(lambd)) & (x <= lambd), 0, dy)


@triton.jit
def quick_gelu_backward_x(dy, x):
    return dy * sigmoid(1.702 * x) * (1 + 1.702 * x * (1 - sigmoid(1.702 * x)))


@triton.jit
def gelu_exact_backward_x(dy, x):
    return dy * (0.5 * (1 + erf(x * 0.7071067811865476)) + x * 0.3989422804014327 * exp(-0.5 * x * x))


@triton.jit
def gelu_by_tanh_backward_x(dy, x):
    return dy * (
        sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))
        + x
        * sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))
        * (1 - sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x)))
        * (1.5957691216057308 + 0.21406444881780073 * x * x)
    )


@triton.jit
def cosine_similarity_backward_x1(dout, dproduct, dnorm1, x1, x2, product, norm1, norm2, eps):
    return (dproduct + div(dout, norm1 * norm2)) * x2 + where(
        norm1 > eps, div((dnorm1 - div(dout * product, norm1 * norm1 * norm2)) * x1, norm1), 0
    )


@triton.jit
def cosine_similarity_backward_x2(dout, dproduct, dnorm2, x1, x2, product, norm1, norm2, eps):
    return (dproduct + div(dout, norm1 * norm2)) * x1 + where(
        norm2 > eps, div((dnorm2 - div(dout * product, norm1 * norm2 * norm2)) * x2, norm2), 0
    )


@triton.jit
def random_dropout_backward_x(dy, kept, scale):
    return dy * kept * scale
