"""Functions of the binding: unary.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding
from tritonflow.functional.functors.generated import (abs as _abs, ceil as _ceil, cos as _cos, cosh as _cosh, erf as _erf,
        erfinv as _erfinv, exp as _exp, exp2 as _exp2, expm1 as _expm1, floor as _floor, frac as _frac, log as _log,
        log10 as _log10, log1p as _log1p, log2 as _log2, reciprocal as _reciprocal, round as _round, rsqrt as _rsqrt,
        sign as _sign, sin as _sin, sinh as _sinh, sqrt as _sqrt, tan as _tan, trunc as _trunc)
from tritonflow.functional.functors.pointwise import (bitwise_not as _bitwise_not, negative as _negative, square as _square)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_exp_slow = _Binding("exp", "Tensor (Tensor x, Bool inplace=False)", _exp, methods="exp", autocast="float32")
def exp(x=_missing, inplace=False, *extra, **unknown):
    """e ** x"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _exp(x, inplace)
    return _exp_slow((x, inplace), extra, unknown)

_exp__slow = _Binding("exp_", "Tensor (Tensor x)", _exp, methods="exp_", autocast="float32", inplace=True)
def exp_(x=_missing, *extra, **unknown):
    """In place: e ** x"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _exp(x, inplace=True)
    return _exp__slow((x,), extra, unknown)

_exp2_slow = _Binding("exp2", "Tensor (Tensor x, Bool inplace=False)", _exp2, methods="exp2")
def exp2(x=_missing, inplace=False, *extra, **unknown):
    """2 ** x"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _exp2(x, inplace)
    return _exp2_slow((x, inplace), extra, unknown)

_exp2__slow = _Binding("exp2_", "Tensor (Tensor x)", _exp2, methods="exp2_", inplace=True)
def exp2_(x=_missing, *extra, **unknown):
    """In place: 2 ** x"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _exp2(x, inplace=True)
    return _exp2__slow((x,), extra, unknown)

_expm1_slow = _Binding("expm1", "Tensor (Tensor x, Bool inplace=False)", _expm1, methods="expm1", autocast="float32")
def expm1(x=_missing, inplace=False, *extra, **unknown):
    """e ** x - 1, exact near 0"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _expm1(x, inplace)
    return _expm1_slow((x, inplace), extra, unknown)

_expm1__slow = _Binding("expm1_", "Tensor (Tensor x)", _expm1, methods="expm1_", autocast="float32", inplace=True)
def expm1_(x=_missing, *extra, **unknown):
    """In place: e ** x - 1, exact near 0"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _expm1(x, inplace=True)
    return _expm1__slow((x,), extra, unknown)

_log_slow = _Binding("log", "Tensor (Tensor x, Bool inplace=False)", _log, methods="log", autocast="float32")
def log(x=_missing, inplace=False, *extra, **unknown):
    """the natural logarithm"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log(x, inplace)
    return _log_slow((x, inplace), extra, unknown)

_log__slow = _Binding("log_", "Tensor (Tensor x)", _log, methods="log_", autocast="float32", inplace=True)
def log_(x=_missing, *extra, **unknown):
    """In place: the natural logarithm"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log(x, inplace=True)
    return _log__slow((x,), extra, unknown)

_log2_slow = _Binding("log2", "Tensor (Tensor x, Bool inplace=False)", _log2, methods="log2", autocast="float32")
def log2(x=_missing, inplace=False, *extra, **unknown):
    """the logarithm to base 2"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log2(x, inplace)
    return _log2_slow((x, inplace), extra, unknown)

_log2__slow = _Binding("log2_", "Tensor (Tensor x)", _log2, methods="log2_", autocast="float32", inplace=True)
def log2_(x=_missing, *extra, **unknown):
    """In place: the logarithm to base 2"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log2(x, inplace=True)
    return _log2__slow((x,), extra, unknown)

_log10_slow = _Binding("log10", "Tensor (Tensor x, Bool inplace=False)", _log10, methods="log10", autocast="float32")
def log10(x=_missing, inplace=False, *extra, **unknown):
    """the logarithm to base 10"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log10(x, inplace)
    return _log10_slow((x, inplace), extra, unknown)

_log10__slow = _Binding("log10_", "Tensor (Tensor x)", _log10, methods="log10_", autocast="float32", inplace=True)
def log10_(x=_missing, *extra, **unknown):
    """In place: the logarithm to base 10"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log10(x, inplace=True)
    return _log10__slow((x,), extra, unknown)

_log1p_slow = _Binding("log1p", "Tensor (Tensor x, Bool inplace=False)", _log1p, methods="log1p", autocast="float32")
def log1p(x=_missing, inplace=False, *extra, **unknown):
    """log(1 + x), exact near 0"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log1p(x, inplace)
    return _log1p_slow((x, inplace), extra, unknown)

_log1p__slow = _Binding("log1p_", "Tensor (Tensor x)", _log1p, methods="log1p_", autocast="float32", inplace=True)
def log1p_(x=_missing, *extra, **unknown):
    """In place: log(1 + x), exact near 0"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log1p(x, inplace=True)
    return _log1p__slow((x,), extra, unknown)

_sin_slow = _Binding("sin", "Tensor (Tensor x, Bool inplace=False)", _sin, methods="sin")
def sin(x=_missing, inplace=False, *extra, **unknown):
    """the sine"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sin(x, inplace)
    return _sin_slow((x, inplace), extra, unknown)

_sin__slow = _Binding("sin_", "Tensor (Tensor x)", _sin, methods="sin_", inplace=True)
def sin_(x=_missing, *extra, **unknown):
    """In place: the sine"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sin(x, inplace=True)
    return _sin__slow((x,), extra, unknown)

_cos_slow = _Binding("cos", "Tensor (Tensor x, Bool inplace=False)", _cos, methods="cos")
def cos(x=_missing, inplace=False, *extra, **unknown):
    """the cosine"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _cos(x, inplace)
    return _cos_slow((x, inplace), extra, unknown)

_cos__slow = _Binding("cos_", "Tensor (Tensor x)", _cos, methods="cos_", inplace=True)
def cos_(x=_missing, *extra, **unknown):
    """In place: the cosine"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _cos(x, inplace=True)
    return _cos__slow((x,), extra, unknown)

_tan_slow = _Binding("tan", "Tensor (Tensor x, Bool inplace=False)", _tan, methods="tan", autocast="float32")
def tan(x=_missing, inplace=False, *extra, **unknown):
    """the tangent"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _tan(x, inplace)
    return _tan_slow((x, inplace), extra, unknown)

_tan__slow = _Binding("tan_", "Tensor (Tensor x)", _tan, methods="tan_", autocast="float32", inplace=True)
def tan_(x=_missing, *extra, **unknown):
    """In place: the tangent"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _tan(x, inplace=True)
    return _tan__slow((x,), extra, unknown)

_sinh_slow = _Binding("sinh", "Tensor (Tensor x, Bool inplace=False)", _sinh, methods="sinh", autocast="float32")
def sinh(x=_missing, inplace=False, *extra, **unknown):
    """the hyperbolic sine"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sinh(x, inplace)
    return _sinh_slow((x, inplace), extra, unknown)

_sinh__slow = _Binding("sinh_", "Tensor (Tensor x)", _sinh, methods="sinh_", autocast="float32", inplace=True)
def sinh_(x=_missing, *extra, **unknown):
    """In place: the hyperbolic sine"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sinh(x, inplace=True)
    return _sinh__slow((x,), extra, unknown)

_cosh_slow = _Binding("cosh", "Tensor (Tensor x, Bool inplace=False)", _cosh, methods="cosh", autocast="float32")
def cosh(x=_missing, inplace=False, *extra, **unknown):
    """the hyperbolic cosine"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _cosh(x, inplace)
    return _cosh_slow((x, inplace), extra, unknown)

_cosh__slow = _Binding("cosh_", "Tensor (Tensor x)", _cosh, methods="cosh_", autocast="float32", inplace=True)
def cosh_(x=_missing, *extra, **unknown):
    """In place: the hyperbolic cosine"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _cosh(x, inplace=True)
    return _cosh__slow((x,), extra, unknown)

_sqrt_slow = _Binding("sqrt", "Tensor (Tensor x, Bool inplace=False)", _sqrt, methods="sqrt")
def sqrt(x=_missing, inplace=False, *extra, **unknown):
    """the square root"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sqrt(x, inplace)
    return _sqrt_slow((x, inplace), extra, unknown)

_sqrt__slow = _Binding("sqrt_", "Tensor (Tensor x)", _sqrt, methods="sqrt_", inplace=True)
def sqrt_(x=_missing, *extra, **unknown):
    """In place: the square root"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sqrt(x, inplace=True)
    return _sqrt__slow((x,), extra, unknown)

_rsqrt_slow = _Binding("rsqrt", "Tensor (Tensor x, Bool inplace=False)", _rsqrt, methods="rsqrt", autocast="float32")
def rsqrt(x=_missing, inplace=False, *extra, **unknown):
    """1 / sqrt(x)"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _rsqrt(x, inplace)
    return _rsqrt_slow((x, inplace), extra, unknown)

_rsqrt__slow = _Binding("rsqrt_", "Tensor (Tensor x)", _rsqrt, methods="rsqrt_", autocast="float32", inplace=True)
def rsqrt_(x=_missing, *extra, **unknown):
    """In place: 1 / sqrt(x)"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _rsqrt(x, inplace=True)
    return _rsqrt__slow((x,), extra, unknown)

_reciprocal_slow = _Binding("reciprocal", "Tensor (Tensor x, Bool inplace=False)", _reciprocal, methods="reciprocal",
        autocast="float32")
def reciprocal(x=_missing, inplace=False, *extra, **unknown):
    """1 / x"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _reciprocal(x, inplace)
    return _reciprocal_slow((x, inplace), extra, unknown)

_reciprocal__slow = _Binding("reciprocal_", "Tensor (Tensor x)", _reciprocal, methods="reciprocal_", autocast="float32",
        inplace=True)
def reciprocal_(x=_missing, *extra, **unknown):
    """In place: 1 / x"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _reciprocal(x, inplace=True)
    return _reciprocal__slow((x,), extra, unknown)

_erf_slow = _Binding("erf", "Tensor (Tensor x, Bool inplace=False)", _erf, methods="erf")
def erf(x=_missing, inplace=False, *extra, **unknown):
    """the error function"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _erf(x, inplace)
    return _erf_slow((x, inplace), extra, unknown)

_erf__slow = _Binding("erf_", "Tensor (Tensor x)", _erf, methods="erf_", inplace=True)
def erf_(x=_missing, *extra, **unknown):
    """In place: the error function"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _erf(x, inplace=True)
    return _erf__slow((x,), extra, unknown)

_erfinv_slow = _Binding("erfinv", "Tensor (Tensor x, Bool inplace=False)", _erfinv, methods="erfinv", autocast="float32")
def erfinv(x=_missing, inplace=False, *extra, **unknown):
    """the inverse of the error function"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _erfinv(x, inplace)
    return _erfinv_slow((x, inplace), extra, unknown)

_erfinv__slow = _Binding("erfinv_", "Tensor (Tensor x)", _erfinv, methods="erfinv_", autocast="float32", inplace=True)
def erfinv_(x=_missing, *extra, **unknown):
    """In place: the inverse of the error function"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _erfinv(x, inplace=True)
    return _erfinv__slow((x,), extra, unknown)

_negative_slow = _Binding("negative", "Tensor (Tensor x, Bool inplace=False)", _negative, methods="negative neg __neg__")
def negative(x=_missing, inplace=False, *extra, **unknown):
    """-x"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _negative(x, inplace)
    return _negative_slow((x, inplace), extra, unknown)

_negative__slow = _Binding("negative_", "Tensor (Tensor x)", _negative, methods="negative_ neg_", inplace=True)
def negative_(x=_missing, *extra, **unknown):
    """In place: -x"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _negative(x, inplace=True)
    return _negative__slow((x,), extra, unknown)

_neg_slow = _Binding("neg", "Tensor (Tensor x, Bool inplace=False)", _negative)
def neg(x=_missing, inplace=False, *extra, **unknown):
    """-x"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _negative(x, inplace)
    return _neg_slow((x, inplace), extra, unknown)

_abs_slow = _Binding("abs", "Tensor (Tensor x, Bool inplace=False)", _abs, methods="abs __abs__")
def abs(x=_missing, inplace=False, *extra, **unknown):
    """the absolute value"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _abs(x, inplace)
    return _abs_slow((x, inplace), extra, unknown)

_abs__slow = _Binding("abs_", "Tensor (Tensor x)", _abs, methods="abs_", inplace=True)
def abs_(x=_missing, *extra, **unknown):
    """In place: the absolute value"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _abs(x, inplace=True)
    return _abs__slow((x,), extra, unknown)

_sign_slow = _Binding("sign", "Tensor (Tensor x, Bool inplace=False)", _sign, methods="sign")
def sign(x=_missing, inplace=False, *extra, **unknown):
    """-1, 0 or 1"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sign(x, inplace)
    return _sign_slow((x, inplace), extra, unknown)

_sign__slow = _Binding("sign_", "Tensor (Tensor x)", _sign, methods="sign_", inplace=True)
def sign_(x=_missing, *extra, **unknown):
    """In place: -1, 0 or 1"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sign(x, inplace=True)
    return _sign__slow((x,), extra, unknown)

_square_slow = _Binding("square", "Tensor (Tensor x, Bool inplace=False)", _square, methods="square")
def square(x=_missing, inplace=False, *extra, **unknown):
    """x * x"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _square(x, inplace)
    return _square_slow((x, inplace), extra, unknown)

_square__slow = _Binding("square_", "Tensor (Tensor x)", _square, methods="square_", inplace=True)
def square_(x=_missing, *extra, **unknown):
    """In place: x * x"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _square(x, inplace=True)
    return _square__slow((x,), extra, unknown)

_floor_slow = _Binding("floor", "Tensor (Tensor x, Bool inplace=False)", _floor, methods="floor")
def floor(x=_missing, inplace=False, *extra, **unknown):
    """the largest whole number that is not larger"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _floor(x, inplace)
    return _floor_slow((x, inplace), extra, unknown)

_floor__slow = _Binding("floor_", "Tensor (Tensor x)", _floor, methods="floor_", inplace=True)
def floor_(x=_missing, *extra, **unknown):
    """In place: the largest whole number that is not larger"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _floor(x, inplace=True)
    return _floor__slow((x,), extra, unknown)

_ceil_slow = _Binding("ceil", "Tensor (Tensor x, Bool inplace=False)", _ceil, methods="ceil")
def ceil(x=_missing, inplace=False, *extra, **unknown):
    """the smallest whole number that is not smaller"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _ceil(x, inplace)
    return _ceil_slow((x, inplace), extra, unknown)

_ceil__slow = _Binding("ceil_", "Tensor (Tensor x)", _ceil, methods="ceil_", inplace=True)
def ceil_(x=_missing, *extra, **unknown):
    """In place: the smallest whole number that is not smaller"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _ceil(x, inplace=True)
    return _ceil__slow((x,), extra, unknown)

_trunc_slow = _Binding("trunc", "Tensor (Tensor x, Bool inplace=False)", _trunc, methods="trunc")
def trunc(x=_missing, inplace=False, *extra, **unknown):
    """the whole part"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _trunc(x, inplace)
    return _trunc_slow((x, inplace), extra, unknown)

_trunc__slow = _Binding("trunc_", "Tensor (Tensor x)", _trunc, methods="trunc_", inplace=True)
def trunc_(x=_missing, *extra, **unknown):
    """In place: the whole part"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _trunc(x, inplace=True)
    return _trunc__slow((x,), extra, unknown)

_frac_slow = _Binding("frac", "Tensor (Tensor x, Bool inplace=False)", _frac, methods="frac")
def frac(x=_missing, inplace=False, *extra, **unknown):
    """what trunc takes away"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _frac(x, inplace)
    return _frac_slow((x, inplace), extra, unknown)

_frac__slow = _Binding("frac_", "Tensor (Tensor x)", _frac, methods="frac_", inplace=True)
def frac_(x=_missing, *extra, **unknown):
    """In place: what trunc takes away"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _frac(x, inplace=True)
    return _frac__slow((x,), extra, unknown)

_round_slow = _Binding("round", "Tensor (Tensor x, Bool inplace=False)", _round, methods="round")
def round(x=_missing, inplace=False, *extra, **unknown):
    """the nearest whole number, the even one of two"""
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _round(x, inplace)
    return _round_slow((x, inplace), extra, unknown)

_round__slow = _Binding("round_", "Tensor (Tensor x)", _round, methods="round_", inplace=True)
def round_(x=_missing, *extra, **unknown):
    """In place: the nearest whole number, the even one of two"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _round(x, inplace=True)
    return _round__slow((x,), extra, unknown)

_bitwise_not_slow = _Binding("bitwise_not", "Tensor (Tensor x)", _bitwise_not, methods="bitwise_not __invert__")
def bitwise_not(x=_missing, *extra, **unknown):
    """the complement of the bits, or of a truth value"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_not(x)
    return _bitwise_not_slow((x,), extra, unknown)

_methods = _publish(globals())
