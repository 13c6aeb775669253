"""Default functors: an op's inputs and attributes, straight to dispatch.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from tritonflow.functional.library import functor
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch2
from tritonflow.interpreter.op_expr import op_expr

_div = op_expr("div")
_eq = op_expr("eq")
_exp = op_expr("exp")
_ge = op_expr("ge")
_gt = op_expr("gt")
_isfinite = op_expr("isfinite")
_isinf = op_expr("isinf")
_isnan = op_expr("isnan")
_le = op_expr("le")
_log = op_expr("log")
_logical_and = op_expr("logical_and")
_logical_not = op_expr("logical_not")
_logical_or = op_expr("logical_or")
_logical_xor = op_expr("logical_xor")
_lt = op_expr("lt")
_mul = op_expr("mul")
_ne = op_expr("ne")
_pow = op_expr("pow")
_random_bernoulli = op_expr("random_bernoulli")
_random_bernoulli_of = op_expr("random_bernoulli_of")
_random_dropout = op_expr("random_dropout")
_random_exponential = op_expr("random_exponential")
_random_integers = op_expr("random_integers")
_random_normal = op_expr("random_normal")
_random_uniform = op_expr("random_uniform")
_region_grad = op_expr("region_grad")
_relu = op_expr("relu")
_scalar_div = op_expr("scalar_div")
_scalar_eq = op_expr("scalar_eq")
_scalar_ge = op_expr("scalar_ge")
_scalar_gt = op_expr("scalar_gt")
_scalar_le = op_expr("scalar_le")
_scalar_logical_and = op_expr("scalar_logical_and")
_scalar_logical_or = op_expr("scalar_logical_or")
_scalar_logical_xor = op_expr("scalar_logical_xor")
_scalar_lt = op_expr("scalar_lt")
_scalar_mul = op_expr("scalar_mul")
_scalar_ne = op_expr("scalar_ne")
_scalar_pow = op_expr("scalar_pow")
_where = op_expr("where")


@functor("Mul")
def mul(input, other, inplace=False):
    if inplace:
        return dispatch(_mul, (input, other), out=input)
    return dispatch2(_mul, input, other)


@functor("ScalarMul")
def scalar_mul(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_mul, (input,), (), (other,), out=input)
    return dispatch(_scalar_mul, (input,), (), (other,))


@functor("Div")
def div(input, other, inplace=False):
    if inplace:
        return dispatch(_div, (input, other), out=input)
    return dispatch2(_div, input, other)


@functor("ScalarDiv")
def scalar_div(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_div, (input,), (), (other,), out=input)
    return dispatch(_scalar_div, (input,), (), (other,))


@functor("Pow")
def pow(input, exponent):
    return dispatch2(_pow, input, exponent)


@functor("ScalarPow")
def scalar_pow(input, exponent):
    return dispatch(_scalar_pow, (input,), (), (exponent,))


@functor("Exp")
def exp(x, inplace=False):
    if inplace:
        return dispatch(_exp, (x,), out=x)
    return dispatch1(_exp, x)


@functor("Log")
def log(x):
    return dispatch1(_log, x)


@functor("Relu")
def relu(x, inplace=False):
    if inplace:
        return dispatch(_relu, (x,), out=x)
    return dispatch1(_relu, x)


@functor("Where")
def where(condition, x, y):
    return dispatch(_where, (condition, x, y))


@functor("RegionGrad")
def region_grad(dy, shape, region_stride, elements):
    return dispatch1(_region_grad, dy, (shape, region_stride, elements))


@functor("Eq")
def eq(input, other):
    return dispatch2(_eq, input, other)


@functor("ScalarEq")
def scalar_eq(input, other):
    return dispatch(_scalar_eq, (input,), (), (other,))


@functor("Ne")
def ne(input, other):
    return dispatch2(_ne, input, other)


@functor("ScalarNe")
def scalar_ne(input, other):
    return dispatch(_scalar_ne, (input,), (), (other,))


@functor("Lt")
def lt(input, other):
    return dispatch2(_lt, input, other)


@functor("ScalarLt")
def scalar_lt(input, other):
    return dispatch(_scalar_lt, (input,), (), (other,))


@functor("Le")
def le(input, other):
    return dispatch2(_le, input, other)


@functor("ScalarLe")
def scalar_le(input, other):
    return dispatch(_scalar_le, (input,), (), (other,))


@functor("Gt")
def gt(input, other):
    return dispatch2(_gt, input, other)


@functor("ScalarGt")
def scalar_gt(input, other):
    return dispatch(_scalar_gt, (input,), (), (other,))


@functor("Ge")
def ge(input, other):
    return dispatch2(_ge, input, other)


@functor("ScalarGe")
def scalar_ge(input, other):
    return dispatch(_scalar_ge, (input,), (), (other,))


@functor("LogicalAnd")
def logical_and(input, other):
    return dispatch2(_logical_and, input, other)


@functor("ScalarLogicalAnd")
def scalar_logical_and(input, other):
    return dispatch(_scalar_logical_and, (input,), (), (other,))


@functor("LogicalOr")
def logical_or(input, other):
    return dispatch2(_logical_or, input, other)


@functor("ScalarLogicalOr")
def scalar_logical_or(input, other):
    return dispatch(_scalar_logical_or, (input,), (), (other,))


@functor("LogicalXor")
def logical_xor(input, other):
    return dispatch2(_logical_xor, input, other)


@functor("ScalarLogicalXor")
def scalar_logical_xor(input, other):
    return dispatch(_scalar_logical_xor, (input,), (), (other,))


@functor("LogicalNot")
def logical_not(input):
    return dispatch1(_logical_not, input)


@functor("IsNan")
def is_nan(input):
    return dispatch1(_isnan, input)


@functor("IsInf")
def is_inf(input):
    return dispatch1(_isinf, input)


@functor("IsFinite")
def is_finite(input):
    return dispatch1(_isfinite, input)


@functor("RandomUniform")
def random_uniform(state, shape, dtype, low, high):
    return dispatch(_random_uniform, (state,), (shape, dtype), (low, high))


@functor("RandomNormal")
def random_normal(state, shape, dtype, mean, std):
    return dispatch(_random_normal, (state,), (shape, dtype), (mean, std))


@functor("RandomExponential")
def random_exponential(state, shape, dtype, rate):
    return dispatch(_random_exponential, (state,), (shape, dtype), (rate,))


@functor("RandomBernoulli")
def random_bernoulli(state, shape, dtype, p):
    return dispatch(_random_bernoulli, (state,), (shape, dtype), (p,))


@functor("RandomBernoulliOf")
def random_bernoulli_of(p, state):
    return dispatch2(_random_bernoulli_of, p, state)


@functor("RandomIntegers")
def random_integers(state, shape, dtype, wide, low, size):
    return dispatch(_random_integers, (state,), (shape, dtype, wide), (low, size))


@functor("RandomDropout")
def random_dropout(x, state, p, scale):
    return dispatch(_random_dropout, (x, state), (), (p, scale))
