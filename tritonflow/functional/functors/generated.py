"""Default functors: an op's inputs and attributes, straight to dispatch.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off

from tritonflow.execution.op_expr import op_expr
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch2, dispatch3, dispatch_number

_abs = op_expr("abs")
_addcdiv = op_expr("addcdiv")
_batch_norm_statistics = op_expr("batch_norm_statistics")
_batch_norm_sums = op_expr("batch_norm_sums")
_bitwise_and = op_expr("bitwise_and")
_bitwise_or = op_expr("bitwise_or")
_bitwise_xor = op_expr("bitwise_xor")
_ceil = op_expr("ceil")
_combine_shares = op_expr("combine_shares")
_cos = op_expr("cos")
_cosh = op_expr("cosh")
_div = op_expr("div")
_elu = op_expr("elu")
_eq = op_expr("eq")
_erf = op_expr("erf")
_erfinv = op_expr("erfinv")
_exp = op_expr("exp")
_exp2 = op_expr("exp2")
_expm1 = op_expr("expm1")
_floor = op_expr("floor")
_floor_divide = op_expr("floor_divide")
_fmax = op_expr("fmax")
_fmin = op_expr("fmin")
_fmod = op_expr("fmod")
_frac = op_expr("frac")
_ge = op_expr("ge")
_gt = op_expr("gt")
_hardshrink = op_expr("hardshrink")
_hardsigmoid = op_expr("hardsigmoid")
_hardswish = op_expr("hardswish")
_isfinite = op_expr("isfinite")
_isinf = op_expr("isinf")
_isnan = op_expr("isnan")
_le = op_expr("le")
_leaky_relu = op_expr("leaky_relu")
_lerp = op_expr("lerp")
_log = op_expr("log")
_log10 = op_expr("log10")
_log1p = op_expr("log1p")
_log2 = op_expr("log2")
_logical_and = op_expr("logical_and")
_logical_not = op_expr("logical_not")
_logical_or = op_expr("logical_or")
_logical_xor = op_expr("logical_xor")
_logsigmoid = op_expr("logsigmoid")
_lt = op_expr("lt")
_maximum = op_expr("maximum")
_minimum = op_expr("minimum")
_mish = op_expr("mish")
_mul = op_expr("mul")
_ne = op_expr("ne")
_pow = op_expr("pow")
_quick_gelu = op_expr("quick_gelu")
_random_bernoulli = op_expr("random_bernoulli")
_random_bernoulli_of = op_expr("random_bernoulli_of")
_random_dropout = op_expr("random_dropout")
_random_exponential = op_expr("random_exponential")
_random_integers = op_expr("random_integers")
_random_normal = op_expr("random_normal")
_random_reserve = op_expr("random_reserve")
_random_uniform = op_expr("random_uniform")
_reciprocal = op_expr("reciprocal")
_region_grad = op_expr("region_grad")
_relu = op_expr("relu")
_remainder = op_expr("remainder")
_round = op_expr("round")
_rsqrt = op_expr("rsqrt")
_scalar_bitwise_and = op_expr("scalar_bitwise_and")
_scalar_bitwise_and_reversed = op_expr("scalar_bitwise_and_reversed")
_scalar_bitwise_or = op_expr("scalar_bitwise_or")
_scalar_bitwise_or_reversed = op_expr("scalar_bitwise_or_reversed")
_scalar_bitwise_xor = op_expr("scalar_bitwise_xor")
_scalar_bitwise_xor_reversed = op_expr("scalar_bitwise_xor_reversed")
_scalar_div = op_expr("scalar_div")
_scalar_eq = op_expr("scalar_eq")
_scalar_floor_divide_reversed = op_expr("scalar_floor_divide_reversed")
_scalar_ge = op_expr("scalar_ge")
_scalar_gt = op_expr("scalar_gt")
_scalar_le = op_expr("scalar_le")
_scalar_lerp = op_expr("scalar_lerp")
_scalar_logical_and = op_expr("scalar_logical_and")
_scalar_logical_or = op_expr("scalar_logical_or")
_scalar_logical_xor = op_expr("scalar_logical_xor")
_scalar_lt = op_expr("scalar_lt")
_scalar_mul = op_expr("scalar_mul")
_scalar_ne = op_expr("scalar_ne")
_scalar_remainder_reversed = op_expr("scalar_remainder_reversed")
_selu = op_expr("selu")
_sigmoid = op_expr("sigmoid")
_sign = op_expr("sign")
_silu = op_expr("silu")
_sin = op_expr("sin")
_sinh = op_expr("sinh")
_softplus = op_expr("softplus")
_softsign = op_expr("softsign")
_sqrt = op_expr("sqrt")
_tan = op_expr("tan")
_tanh = op_expr("tanh")
_trunc = op_expr("trunc")
_trunc_divide = op_expr("trunc_divide")
_where = op_expr("where")

def mul(input, other, inplace=False):
    if inplace:
        return dispatch(_mul, (input, other), out=input)
    return dispatch2(_mul, input, other)

def scalar_mul(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_mul, (input,), (), (other,), out=input)
    return dispatch_number(_scalar_mul, input, other)

def div(input, other, inplace=False):
    if inplace:
        return dispatch(_div, (input, other), out=input)
    return dispatch2(_div, input, other)

def scalar_div(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_div, (input,), (), (other,), out=input)
    return dispatch_number(_scalar_div, input, other)

def pow(input, exponent):
    return dispatch2(_pow, input, exponent)

def eq(input, other):
    return dispatch2(_eq, input, other)

def scalar_eq(input, other):
    return dispatch_number(_scalar_eq, input, other)

def ne(input, other):
    return dispatch2(_ne, input, other)

def scalar_ne(input, other):
    return dispatch_number(_scalar_ne, input, other)

def lt(input, other):
    return dispatch2(_lt, input, other)

def scalar_lt(input, other):
    return dispatch_number(_scalar_lt, input, other)

def le(input, other):
    return dispatch2(_le, input, other)

def scalar_le(input, other):
    return dispatch_number(_scalar_le, input, other)

def gt(input, other):
    return dispatch2(_gt, input, other)

def scalar_gt(input, other):
    return dispatch_number(_scalar_gt, input, other)

def ge(input, other):
    return dispatch2(_ge, input, other)

def scalar_ge(input, other):
    return dispatch_number(_scalar_ge, input, other)

def logical_and(input, other):
    return dispatch2(_logical_and, input, other)

def scalar_logical_and(input, other):
    return dispatch_number(_scalar_logical_and, input, other)

def logical_or(input, other):
    return dispatch2(_logical_or, input, other)

def scalar_logical_or(input, other):
    return dispatch_number(_scalar_logical_or, input, other)

def logical_xor(input, other):
    return dispatch2(_logical_xor, input, other)

def scalar_logical_xor(input, other):
    return dispatch_number(_scalar_logical_xor, input, other)

def logical_not(input):
    return dispatch1(_logical_not, input)

def is_nan(input):
    return dispatch1(_isnan, input)

def is_inf(input):
    return dispatch1(_isinf, input)

def is_finite(input):
    return dispatch1(_isfinite, input)

def where(condition, x, y):
    return dispatch3(_where, condition, x, y)

def maximum(input, other):
    return dispatch2(_maximum, input, other)

def minimum(input, other):
    return dispatch2(_minimum, input, other)

def fmax(input, other):
    return dispatch2(_fmax, input, other)

def fmin(input, other):
    return dispatch2(_fmin, input, other)

def fmod(input, other, inplace=False):
    if inplace:
        return dispatch(_fmod, (input, other), out=input)
    return dispatch2(_fmod, input, other)

def remainder(input, other, inplace=False):
    if inplace:
        return dispatch(_remainder, (input, other), out=input)
    return dispatch2(_remainder, input, other)

def scalar_remainder_reversed(input, other):
    return dispatch_number(_scalar_remainder_reversed, other, input)

def floor_divide(input, other, inplace=False):
    if inplace:
        return dispatch(_floor_divide, (input, other), out=input)
    return dispatch2(_floor_divide, input, other)

def scalar_floor_divide_reversed(input, other):
    return dispatch_number(_scalar_floor_divide_reversed, other, input)

def trunc_divide(input, other):
    return dispatch2(_trunc_divide, input, other)

def bitwise_and(input, other):
    return dispatch2(_bitwise_and, input, other)

def scalar_bitwise_and(input, other):
    return dispatch_number(_scalar_bitwise_and, input, other)

def scalar_bitwise_and_reversed(input, other):
    return dispatch_number(_scalar_bitwise_and_reversed, other, input)

def bitwise_or(input, other):
    return dispatch2(_bitwise_or, input, other)

def scalar_bitwise_or(input, other):
    return dispatch_number(_scalar_bitwise_or, input, other)

def scalar_bitwise_or_reversed(input, other):
    return dispatch_number(_scalar_bitwise_or_reversed, other, input)

def bitwise_xor(input, other):
    return dispatch2(_bitwise_xor, input, other)

def scalar_bitwise_xor(input, other):
    return dispatch_number(_scalar_bitwise_xor, input, other)

def scalar_bitwise_xor_reversed(input, other):
    return dispatch_number(_scalar_bitwise_xor_reversed, other, input)

def add_c_div(input, tensor1, tensor2, value=1, inplace=False):
    if inplace:
        return dispatch(_addcdiv, (input, tensor1, tensor2), (), (value,), out=input)
    return dispatch(_addcdiv, (input, tensor1, tensor2), (), (value,))

def lerp(start, end, weight, inplace=False):
    if inplace:
        return dispatch(_lerp, (start, end, weight), out=start)
    return dispatch3(_lerp, start, end, weight)

def scalar_lerp(start, end, weight, inplace=False):
    if inplace:
        return dispatch(_scalar_lerp, (start, end), (), (weight,), out=start)
    return dispatch(_scalar_lerp, (start, end), (), (weight,))

def exp(x, inplace=False):
    if inplace:
        return dispatch(_exp, (x,), out=x)
    return dispatch1(_exp, x)

def exp2(x, inplace=False):
    if inplace:
        return dispatch(_exp2, (x,), out=x)
    return dispatch1(_exp2, x)

def expm1(x, inplace=False):
    if inplace:
        return dispatch(_expm1, (x,), out=x)
    return dispatch1(_expm1, x)

def log(x, inplace=False):
    if inplace:
        return dispatch(_log, (x,), out=x)
    return dispatch1(_log, x)

def log2(x, inplace=False):
    if inplace:
        return dispatch(_log2, (x,), out=x)
    return dispatch1(_log2, x)

def log10(x, inplace=False):
    if inplace:
        return dispatch(_log10, (x,), out=x)
    return dispatch1(_log10, x)

def log1p(x, inplace=False):
    if inplace:
        return dispatch(_log1p, (x,), out=x)
    return dispatch1(_log1p, x)

def sin(x, inplace=False):
    if inplace:
        return dispatch(_sin, (x,), out=x)
    return dispatch1(_sin, x)

def cos(x, inplace=False):
    if inplace:
        return dispatch(_cos, (x,), out=x)
    return dispatch1(_cos, x)

def tan(x, inplace=False):
    if inplace:
        return dispatch(_tan, (x,), out=x)
    return dispatch1(_tan, x)

def sinh(x, inplace=False):
    if inplace:
        return dispatch(_sinh, (x,), out=x)
    return dispatch1(_sinh, x)

def cosh(x, inplace=False):
    if inplace:
        return dispatch(_cosh, (x,), out=x)
    return dispatch1(_cosh, x)

def sqrt(x, inplace=False):
    if inplace:
        return dispatch(_sqrt, (x,), out=x)
    return dispatch1(_sqrt, x)

def rsqrt(x, inplace=False):
    if inplace:
        return dispatch(_rsqrt, (x,), out=x)
    return dispatch1(_rsqrt, x)

def reciprocal(x, inplace=False):
    if inplace:
        return dispatch(_reciprocal, (x,), out=x)
    return dispatch1(_reciprocal, x)

def erf(x, inplace=False):
    if inplace:
        return dispatch(_erf, (x,), out=x)
    return dispatch1(_erf, x)

def erfinv(x, inplace=False):
    if inplace:
        return dispatch(_erfinv, (x,), out=x)
    return dispatch1(_erfinv, x)

def abs(x, inplace=False):
    if inplace:
        return dispatch(_abs, (x,), out=x)
    return dispatch1(_abs, x)

def sign(x, inplace=False):
    if inplace:
        return dispatch(_sign, (x,), out=x)
    return dispatch1(_sign, x)

def floor(x, inplace=False):
    if inplace:
        return dispatch(_floor, (x,), out=x)
    return dispatch1(_floor, x)

def ceil(x, inplace=False):
    if inplace:
        return dispatch(_ceil, (x,), out=x)
    return dispatch1(_ceil, x)

def trunc(x, inplace=False):
    if inplace:
        return dispatch(_trunc, (x,), out=x)
    return dispatch1(_trunc, x)

def frac(x, inplace=False):
    if inplace:
        return dispatch(_frac, (x,), out=x)
    return dispatch1(_frac, x)

def round(x, inplace=False):
    if inplace:
        return dispatch(_round, (x,), out=x)
    return dispatch1(_round, x)

def tanh(x, inplace=False):
    if inplace:
        return dispatch(_tanh, (x,), out=x)
    return dispatch1(_tanh, x)

def sigmoid(x, inplace=False):
    if inplace:
        return dispatch(_sigmoid, (x,), out=x)
    return dispatch1(_sigmoid, x)

def logsigmoid(x):
    return dispatch1(_logsigmoid, x)

def relu(x, inplace=False):
    if inplace:
        return dispatch(_relu, (x,), out=x)
    return dispatch1(_relu, x)

def leaky_relu(x, alpha=0.01, inplace=False):
    if inplace:
        return dispatch(_leaky_relu, (x,), (), (alpha,), out=x)
    return dispatch_number(_leaky_relu, x, alpha)

def elu(x, alpha=1.0, inplace=False):
    if inplace:
        return dispatch(_elu, (x,), (), (alpha,), out=x)
    return dispatch_number(_elu, x, alpha)

def selu(x, inplace=False):
    if inplace:
        return dispatch(_selu, (x,), out=x)
    return dispatch1(_selu, x)

def softplus(x, beta=1.0, threshold=20.0):
    return dispatch(_softplus, (x,), (), (beta, threshold))

def softsign(x):
    return dispatch1(_softsign, x)

def silu(x, inplace=False):
    if inplace:
        return dispatch(_silu, (x,), out=x)
    return dispatch1(_silu, x)

def mish(x, inplace=False):
    if inplace:
        return dispatch(_mish, (x,), out=x)
    return dispatch1(_mish, x)

def hardsigmoid(x, inplace=False):
    if inplace:
        return dispatch(_hardsigmoid, (x,), out=x)
    return dispatch1(_hardsigmoid, x)

def hardswish(x, inplace=False):
    if inplace:
        return dispatch(_hardswish, (x,), out=x)
    return dispatch1(_hardswish, x)

def hardshrink(x, lambd=0.5):
    return dispatch_number(_hardshrink, x, lambd)

def quick_gelu(x):
    return dispatch1(_quick_gelu, x)

def combine_shares(input, kind):
    return dispatch1(_combine_shares, input, (kind,))

def batch_norm_statistics(input, running_mean=None, running_var=None, momentum=0.1, eps=1e-05):
    return dispatch(_batch_norm_statistics, (input, running_mean, running_var), (), (momentum, eps))

def batch_norm_sums(grad, x, mean, rstd):
    return dispatch(_batch_norm_sums, (grad, x, mean, rstd))

def region_grad(dy, shape, region_stride, elements):
    return dispatch1(_region_grad, dy, (shape, region_stride, elements))

def random_uniform(state, shape, dtype, low, high):
    return dispatch(_random_uniform, (state,), (shape, dtype), (low, high))

def random_normal(state, shape, dtype, mean, std):
    return dispatch(_random_normal, (state,), (shape, dtype), (mean, std))

def random_exponential(state, shape, dtype, rate):
    return dispatch(_random_exponential, (state,), (shape, dtype), (rate,))

def random_bernoulli(state, shape, dtype, p):
    return dispatch(_random_bernoulli, (state,), (shape, dtype), (p,))

def random_bernoulli_of(p, state):
    return dispatch2(_random_bernoulli_of, p, state)

def random_integers(state, shape, dtype, wide, low, size):
    return dispatch(_random_integers, (state,), (shape, dtype, wide), (low, size))

def random_dropout(x, state, p, scale):
    return dispatch(_random_dropout, (x, state), (), (p, scale))

def random_reserve(state, count):
    return dispatch1(_random_reserve, state, (count,))
