"""Composite pointwise expressions and fused gradients.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

import triton

from .arithmetic import div, negative, pow
from .exponential import log
from .select import where


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
def div_backward_other(dout, other, out):
    return div(negative(dout) * out, other)


@triton.jit
def scalar_div_reversed(other, input):
    return div(input, other)


@triton.jit
def scalar_div_reversed_backward_other(dout, other, out):
    return div(negative(dout) * out, other)


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
def relu_backward_x(dy, y):
    return dy * (y > 0)


@triton.jit
def where_scalar_x(condition, y, x):
    return where(condition, x, y)


@triton.jit
def random_dropout_backward_x(dy, kept, scale):
    return dy * kept * scale
