"""Activation functions of neural networks."""

import triton
import triton.language as tl

from .error import normal_cdf
from .exponential import expm1, tanh
from .logarithm import log1p, logsigmoid

INV_SQRT_2PI = tl.constexpr(0.3989422804014327)
SQRT_2_OVER_PI = tl.constexpr(0.7978845608028654)
SELU_ALPHA = tl.constexpr(1.6732632423543772)
SELU_SCALE = tl.constexpr(1.0507009873554805)


@triton.jit
def relu(x):
    """max(x, 0); NaN stays NaN, and the zero of either sign itself."""
    return tl.where(x < 0, 0, x).to(x.dtype)


@triton.jit
def leaky_relu(x, alpha):
    return tl.where(x > 0, x, alpha * x)


@triton.jit
def hardsigmoid(x):
    """min(max(x + 3, 0), 6) / 6"""
    y = x + 3
    return tl.where(y <= 0, 0, tl.where(y > 6, 6, y)) / 6


@triton.jit
def hardswish(x):
    return x * hardsigmoid(x)


@triton.jit
def gelu(x):
    """x * Phi(x) = x/2 * (1 + erf(x / sqrt(2)))"""
    return x * normal_cdf(x)


@triton.jit
def gelu_tanh(x):
    """x/2 * (1 + tanh(u)) = x * sigmoid(2 u) with u = sqrt(2/pi) * (x + 0.044715 x^3)"""
    u = SQRT_2_OVER_PI * (x + 0.044715 * x * x * x)
    return x / (1 + tl.exp(-2 * u))


@triton.jit
def quick_gelu(x):
    """x * sigmoid(1.702 x)"""
    return x / (1 + tl.exp(-1.702 * x))


@triton.jit
def silu(x):
    """x * sigmoid(x)"""
    return x / (1 + tl.exp(-x))


@triton.jit
def silu_gate_slopes(dout, x, y):
    """The gradients of silu(x) * y."""
    gate = 1 / (1 + tl.exp(-x))
    return dout * y * gate * (1 + x * (1 - gate)), dout * x * gate


@triton.jit
def gelu_gate_slopes(dout, x, y):
    """The gradients of gelu(x) * y."""
    share = normal_cdf(x)
    return dout * y * (share + x * INV_SQRT_2PI * tl.exp(-0.5 * x * x)), dout * x * share


@triton.jit
def gelu_tanh_gate_slopes(dout, x, y):
    """The gradients of gelu_tanh(x) * y."""
    u = SQRT_2_OVER_PI * (x + 0.044715 * x * x * x)
    share = 1 / (1 + tl.exp(-2 * u))
    slope = 2 * SQRT_2_OVER_PI * (1 + 3 * 0.044715 * x * x)
    return dout * y * share * (1 + x * slope / (1 + tl.exp(2 * u))), dout * x * share


@triton.jit
def elu(x, alpha):
    return tl.where(x < 0, alpha * expm1(x), x)


@triton.jit
def celu(x, alpha):
    return tl.where(x < 0, alpha * expm1(x / alpha), x)


@triton.jit
def selu(x):
    return SELU_SCALE * tl.where(x > 0, x, SELU_ALPHA * expm1(x))


@triton.jit
def softplus(x, beta, threshold):
    """log(1 + exp(beta x)) / beta; x itself where beta x > threshold."""
    z = x * beta
    return tl.where(z > threshold, x, -logsigmoid(-z) / beta)


@triton.jit
def softsign(x):
    return x / (1 + tl.abs(x))


@triton.jit
def mish(x):
    """x * tanh(log(1 + exp(x)))"""
    return x * tanh(tl.where(x > 20, x, log1p(tl.exp(x))))


@triton.jit
def threshold(x, limit, value):
    return tl.where(x <= limit, value, x)


@triton.jit
def hardshrink(x, lambd):
    return tl.where((x >= -lambd) & (x <= lambd), 0, x)


@triton.jit
def softshrink(x, lambd):
    return tl.where(x > lambd, x - lambd, tl.where(x < -lambd, x + lambd, x * 0))
