"""Default functors: an op's inputs and attributes, straight to dispatch.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from tritonflow.functional.library import functor
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch2
from tritonflow.interpreter.op_expr import op_expr

_div = op_expr("div")
_exp = op_expr("exp")
_log = op_expr("log")
_mul = op_expr("mul")
_pow = op_expr("pow")
_region_grad = op_expr("region_grad")
_relu = op_expr("relu")
_scalar_div = op_expr("scalar_div")
_scalar_mul = op_expr("scalar_mul")
_scalar_pow = op_expr("scalar_pow")
_sum = op_expr("sum")
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


@functor("ReduceSum")
def reduce_sum(input, dim=None, keepdim=False, dtype=None):
    return dispatch1(_sum, input, (dim, keepdim, dtype))


@functor("RegionGrad")
def region_grad(dy, shape, region_stride, elements):
    return dispatch1(_region_grad, dy, (shape, region_stride, elements))
