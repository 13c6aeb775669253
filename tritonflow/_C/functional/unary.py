"""Functions of the binding: unary.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding
from tritonflow.functions.generated import (abs as _abs, acos as _acos, acosh as _acosh, angle as _angle, asin as _asin,
        asinh as _asinh, atan as _atan, atanh as _atanh, ceil as _ceil, cos as _cos, cosh as _cosh, deg2rad as _deg2rad,
        erf as _erf, erfc as _erfc, erfinv as _erfinv, exp as _exp, exp2 as _exp2, expm1 as _expm1, floor as _floor,
        frac as _frac, isneginf as _isneginf, isposinf as _isposinf, log as _log, log10 as _log10, log1p as _log1p, log2 as _log2,
        rad2deg as _rad2deg, reciprocal as _reciprocal, round as _round, rsqrt as _rsqrt, sign as _sign, signbit as _signbit,
        sin as _sin, sinc as _sinc, sinc_slope as _sinc_slope, sinh as _sinh, sqrt as _sqrt, tan as _tan, trunc as _trunc)
from tritonflow.functions.unary import (bitwise_not as _bitwise_not, negative as _negative, round_decimals as _round_decimals,
        square as _square, absolute as _absolute, fix as _fix)
from tritonflow.functions.unary_complex import (adjoint as _adjoint, complex_of as _complex_of, conj_physical as _conj_physical,
        imag as _imag, polar as _polar, real as _real, resolve_conj as _resolve_conj, resolve_neg as _resolve_neg)
from tritonflow.functions.unary_parts import (frexp as _frexp, logit as _logit, nan_to_num as _nan_to_num,
        frexp_exponent as _frexp_exponent, isreal as _isreal, positive as _positive, sgn as _sgn)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing
from tritonflow.binding.torch_calls import in_place as _in_place

_exp_slow = _Binding("exp", "Tensor (Tensor x, Bool inplace=False)", _exp, methods="exp", autocast="float32")
def exp(x=_missing, inplace=False, *extra, **unknown):
    """e ** x.

    `out = exp(x)`.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.exp` and
    `Tensor.exp_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.exp.

    Example:
        >>> import tritonflow as flow
        >>> flow.exp(flow.tensor([0.0, 1.0]))
        tensor([1.0000, 2.7183])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _exp(x, inplace)
    return _exp_slow((x, inplace), extra, unknown)

_exp__slow = _Binding("exp_", "Tensor (Tensor x)", _exp, methods="exp_", autocast="float32", inplace=True)
def exp_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _exp(x, inplace=True)
    return _exp__slow((x,), extra, unknown)

_exp2_slow = _Binding("exp2", "Tensor (Tensor x, Bool inplace=False)", _exp2, methods="exp2")
def exp2(x=_missing, inplace=False, *extra, **unknown):
    """2 ** x.

    `out = 2 ** x`.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Methods: `Tensor.exp2` and `Tensor.exp2_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.exp2.

    Example:
        >>> import tritonflow as flow
        >>> flow.exp2(flow.tensor([0.0, 1.0, 3.0]))
        tensor([1., 2., 8.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _exp2(x, inplace)
    return _exp2_slow((x, inplace), extra, unknown)

_exp2__slow = _Binding("exp2_", "Tensor (Tensor x)", _exp2, methods="exp2_", inplace=True)
def exp2_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _exp2(x, inplace=True)
    return _exp2__slow((x,), extra, unknown)

_expm1_slow = _Binding("expm1", "Tensor (Tensor x, Bool inplace=False)", _expm1, methods="expm1", autocast="float32")
def expm1(x=_missing, inplace=False, *extra, **unknown):
    """e ** x - 1, exact near 0.

    `out = exp(x) - 1`, without the loss of digits that the subtraction has near 0.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.expm1` and
    `Tensor.expm1_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.expm1.

    Example:
        >>> import tritonflow as flow
        >>> flow.expm1(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 1.7183])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _expm1(x, inplace)
    return _expm1_slow((x, inplace), extra, unknown)

_expm1__slow = _Binding("expm1_", "Tensor (Tensor x)", _expm1, methods="expm1_", autocast="float32", inplace=True)
def expm1_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _expm1(x, inplace=True)
    return _expm1__slow((x,), extra, unknown)

_log_slow = _Binding("log", "Tensor (Tensor x, Bool inplace=False)", _log, methods="log", autocast="float32")
def log(x=_missing, inplace=False, *extra, **unknown):
    """The natural logarithm.

    `out = log(x)`: -inf at 0, NaN of negative numbers; complex numbers have their principal value.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.log` and
    `Tensor.log_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.log.

    Example:
        >>> import tritonflow as flow
        >>> flow.log(flow.tensor([1.0, 10.0, 0.0]))
        tensor([0.0000, 2.3026,   -inf])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log(x, inplace)
    return _log_slow((x, inplace), extra, unknown)

_log__slow = _Binding("log_", "Tensor (Tensor x)", _log, methods="log_", autocast="float32", inplace=True)
def log_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log(x, inplace=True)
    return _log__slow((x,), extra, unknown)

_log2_slow = _Binding("log2", "Tensor (Tensor x, Bool inplace=False)", _log2, methods="log2", autocast="float32")
def log2(x=_missing, inplace=False, *extra, **unknown):
    """The logarithm to base 2.

    `out = log2(x)`: -inf at 0, NaN of negative numbers.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.log2` and
    `Tensor.log2_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.log2.

    Example:
        >>> import tritonflow as flow
        >>> flow.log2(flow.tensor([1.0, 2.0, 8.0]))
        tensor([0., 1., 3.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log2(x, inplace)
    return _log2_slow((x, inplace), extra, unknown)

_log2__slow = _Binding("log2_", "Tensor (Tensor x)", _log2, methods="log2_", autocast="float32", inplace=True)
def log2_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log2(x, inplace=True)
    return _log2__slow((x,), extra, unknown)

_log10_slow = _Binding("log10", "Tensor (Tensor x, Bool inplace=False)", _log10, methods="log10", autocast="float32")
def log10(x=_missing, inplace=False, *extra, **unknown):
    """The logarithm to base 10.

    `out = log10(x)`: -inf at 0, NaN of negative numbers.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.log10` and
    `Tensor.log10_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.log10.

    Example:
        >>> import tritonflow as flow
        >>> flow.log10(flow.tensor([1.0, 10.0, 1000.0]))
        tensor([0., 1., 3.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log10(x, inplace)
    return _log10_slow((x, inplace), extra, unknown)

_log10__slow = _Binding("log10_", "Tensor (Tensor x)", _log10, methods="log10_", autocast="float32", inplace=True)
def log10_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log10(x, inplace=True)
    return _log10__slow((x,), extra, unknown)

_log1p_slow = _Binding("log1p", "Tensor (Tensor x, Bool inplace=False)", _log1p, methods="log1p", autocast="float32")
def log1p(x=_missing, inplace=False, *extra, **unknown):
    """log(1 + x), exact near 0.

    `out = log(1 + x)`, without the loss of digits that the addition has near 0.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.log1p` and
    `Tensor.log1p_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.log1p.

    Example:
        >>> import tritonflow as flow
        >>> flow.log1p(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 0.6931])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log1p(x, inplace)
    return _log1p_slow((x, inplace), extra, unknown)

_log1p__slow = _Binding("log1p_", "Tensor (Tensor x)", _log1p, methods="log1p_", autocast="float32", inplace=True)
def log1p_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log1p(x, inplace=True)
    return _log1p__slow((x,), extra, unknown)

_sin_slow = _Binding("sin", "Tensor (Tensor x, Bool inplace=False)", _sin, methods="sin")
def sin(x=_missing, inplace=False, *extra, **unknown):
    """The sine.

    `out = sin(x)`, of radians.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Methods: `Tensor.sin` and `Tensor.sin_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sin.

    Example:
        >>> import tritonflow as flow
        >>> flow.sin(flow.tensor([0.0, 1.5708]))
        tensor([0., 1.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sin(x, inplace)
    return _sin_slow((x, inplace), extra, unknown)

_sin__slow = _Binding("sin_", "Tensor (Tensor x)", _sin, methods="sin_", inplace=True)
def sin_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sin(x, inplace=True)
    return _sin__slow((x,), extra, unknown)

_cos_slow = _Binding("cos", "Tensor (Tensor x, Bool inplace=False)", _cos, methods="cos")
def cos(x=_missing, inplace=False, *extra, **unknown):
    """The cosine.

    `out = cos(x)`, of radians.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Methods: `Tensor.cos` and `Tensor.cos_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cos.

    Example:
        >>> import tritonflow as flow
        >>> flow.cos(flow.tensor([0.0, 3.1416]))
        tensor([ 1., -1.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _cos(x, inplace)
    return _cos_slow((x, inplace), extra, unknown)

_cos__slow = _Binding("cos_", "Tensor (Tensor x)", _cos, methods="cos_", inplace=True)
def cos_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _cos(x, inplace=True)
    return _cos__slow((x,), extra, unknown)

_tan_slow = _Binding("tan", "Tensor (Tensor x, Bool inplace=False)", _tan, methods="tan", autocast="float32")
def tan(x=_missing, inplace=False, *extra, **unknown):
    """The tangent.

    `out = tan(x)`, of radians.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.tan` and
    `Tensor.tan_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tan.

    Example:
        >>> import tritonflow as flow
        >>> flow.tan(flow.tensor([0.0, 0.7854]))
        tensor([0.0000, 1.0000])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _tan(x, inplace)
    return _tan_slow((x, inplace), extra, unknown)

_tan__slow = _Binding("tan_", "Tensor (Tensor x)", _tan, methods="tan_", autocast="float32", inplace=True)
def tan_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _tan(x, inplace=True)
    return _tan__slow((x,), extra, unknown)

_sinh_slow = _Binding("sinh", "Tensor (Tensor x, Bool inplace=False)", _sinh, methods="sinh", autocast="float32")
def sinh(x=_missing, inplace=False, *extra, **unknown):
    """The hyperbolic sine.

    `out = (exp(x) - exp(-x)) / 2`.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.sinh` and
    `Tensor.sinh_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sinh.

    Example:
        >>> import tritonflow as flow
        >>> flow.sinh(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 1.1752])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sinh(x, inplace)
    return _sinh_slow((x, inplace), extra, unknown)

_sinh__slow = _Binding("sinh_", "Tensor (Tensor x)", _sinh, methods="sinh_", autocast="float32", inplace=True)
def sinh_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sinh(x, inplace=True)
    return _sinh__slow((x,), extra, unknown)

_cosh_slow = _Binding("cosh", "Tensor (Tensor x, Bool inplace=False)", _cosh, methods="cosh", autocast="float32")
def cosh(x=_missing, inplace=False, *extra, **unknown):
    """The hyperbolic cosine.

    `out = (exp(x) + exp(-x)) / 2`.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.cosh` and
    `Tensor.cosh_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cosh.

    Example:
        >>> import tritonflow as flow
        >>> flow.cosh(flow.tensor([0.0, 1.0]))
        tensor([1.0000, 1.5431])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _cosh(x, inplace)
    return _cosh_slow((x, inplace), extra, unknown)

_cosh__slow = _Binding("cosh_", "Tensor (Tensor x)", _cosh, methods="cosh_", autocast="float32", inplace=True)
def cosh_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _cosh(x, inplace=True)
    return _cosh__slow((x,), extra, unknown)

_sqrt_slow = _Binding("sqrt", "Tensor (Tensor x, Bool inplace=False)", _sqrt, methods="sqrt")
def sqrt(x=_missing, inplace=False, *extra, **unknown):
    """The square root.

    NaN of negative real numbers; complex numbers have their principal value. The gradient at 0 is
    infinite.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Methods: `Tensor.sqrt` and `Tensor.sqrt_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sqrt.

    Example:
        >>> import tritonflow as flow
        >>> flow.sqrt(flow.tensor([0.0, 4.0, 9.0]))
        tensor([0., 2., 3.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sqrt(x, inplace)
    return _sqrt_slow((x, inplace), extra, unknown)

_sqrt__slow = _Binding("sqrt_", "Tensor (Tensor x)", _sqrt, methods="sqrt_", inplace=True)
def sqrt_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sqrt(x, inplace=True)
    return _sqrt__slow((x,), extra, unknown)

_rsqrt_slow = _Binding("rsqrt", "Tensor (Tensor x, Bool inplace=False)", _rsqrt, methods="rsqrt", autocast="float32")
def rsqrt(x=_missing, inplace=False, *extra, **unknown):
    """1 / sqrt(x).

    An infinity at 0, NaN of negative real numbers.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.rsqrt` and
    `Tensor.rsqrt_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rsqrt.

    Example:
        >>> import tritonflow as flow
        >>> flow.rsqrt(flow.tensor([1.0, 4.0]))
        tensor([1.0000, 0.5000])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _rsqrt(x, inplace)
    return _rsqrt_slow((x, inplace), extra, unknown)

_rsqrt__slow = _Binding("rsqrt_", "Tensor (Tensor x)", _rsqrt, methods="rsqrt_", autocast="float32", inplace=True)
def rsqrt_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _rsqrt(x, inplace=True)
    return _rsqrt__slow((x,), extra, unknown)

_reciprocal_slow = _Binding("reciprocal", "Tensor (Tensor x, Bool inplace=False)", _reciprocal, methods="reciprocal",
        autocast="float32")
def reciprocal(x=_missing, inplace=False, *extra, **unknown):
    """1 / x.

    An infinity at 0.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.reciprocal`
    and `Tensor.reciprocal_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.reciprocal.

    Example:
        >>> import tritonflow as flow
        >>> flow.reciprocal(flow.tensor([1.0, 4.0, -2.0]))
        tensor([ 1.0000,  0.2500, -0.5000])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _reciprocal(x, inplace)
    return _reciprocal_slow((x, inplace), extra, unknown)

_reciprocal__slow = _Binding("reciprocal_", "Tensor (Tensor x)", _reciprocal, methods="reciprocal_", autocast="float32",
        inplace=True)
def reciprocal_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _reciprocal(x, inplace=True)
    return _reciprocal__slow((x,), extra, unknown)

_erf_slow = _Binding("erf", "Tensor (Tensor x, Bool inplace=False)", _erf, methods="erf")
def erf(x=_missing, inplace=False, *extra, **unknown):
    """The error function.

    `out = 2 / sqrt(pi)` times the integral of `exp(-t ** 2)` from 0 to x.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `x`. Methods: `Tensor.erf` and `Tensor.erf_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.erf.

    Example:
        >>> import tritonflow as flow
        >>> flow.erf(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8427])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _erf(x, inplace)
    return _erf_slow((x, inplace), extra, unknown)

_erf__slow = _Binding("erf_", "Tensor (Tensor x)", _erf, methods="erf_", inplace=True)
def erf_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _erf(x, inplace=True)
    return _erf__slow((x,), extra, unknown)

_erfinv_slow = _Binding("erfinv", "Tensor (Tensor x, Bool inplace=False)", _erfinv, methods="erfinv", autocast="float32")
def erfinv(x=_missing, inplace=False, *extra, **unknown):
    """The inverse of the error function.

    Defined on [-1, 1]: infinite at the ends, NaN outside.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Methods: `Tensor.erfinv` and
    `Tensor.erfinv_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.erfinv.

    Example:
        >>> import tritonflow as flow
        >>> flow.erfinv(flow.tensor([0.0, 0.5]))
        tensor([0.0000, 0.4769])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _erfinv(x, inplace)
    return _erfinv_slow((x, inplace), extra, unknown)

_erfinv__slow = _Binding("erfinv_", "Tensor (Tensor x)", _erfinv, methods="erfinv_", autocast="float32", inplace=True)
def erfinv_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _erfinv(x, inplace=True)
    return _erfinv__slow((x,), extra, unknown)

_negative_slow = _Binding("negative", "Tensor (Tensor x, Bool inplace=False)", _negative, methods="negative neg __neg__")
def negative(x=_missing, inplace=False, *extra, **unknown):
    """-x.

    Unsigned integers wrap round.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input.

    Differentiable in `x`. Methods: `Tensor.negative`, `Tensor.negative_`, `Tensor.neg` and
    `Tensor.neg_`.

    Raises:
        RuntimeError: bool tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.negative.

    Example:
        >>> import tritonflow as flow
        >>> flow.negative(flow.tensor([1.0, -2.0]))
        tensor([-1.,  2.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _negative(x, inplace)
    return _negative_slow((x, inplace), extra, unknown)

_negative__slow = _Binding("negative_", "Tensor (Tensor x)", _negative, methods="negative_ neg_", inplace=True)
def negative_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _negative(x, inplace=True)
    return _negative__slow((x,), extra, unknown)

_neg_slow = _Binding("neg", "Tensor (Tensor x, Bool inplace=False)", _negative, like="negative")
def neg(x=_missing, inplace=False, *extra, **unknown):
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _negative(x, inplace)
    return _neg_slow((x, inplace), extra, unknown)

_abs_slow = _Binding("abs", "Tensor (Tensor x, Bool inplace=False)", _abs, methods="abs __abs__")
def abs(x=_missing, inplace=False, *extra, **unknown):
    """The absolute value.

    Of complex numbers `sqrt(re ** 2 + im ** 2)`, a real tensor. The gradient at 0 is 0.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is of any dtype but bool. The result has its dtype; of complex numbers it is real.

    Differentiable in `x`. Methods: `Tensor.abs` and `Tensor.abs_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.abs.

    Example:
        >>> import tritonflow as flow
        >>> flow.abs(flow.tensor([-1.5, 2.0]))
        tensor([1.5000, 2.0000])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _abs(x, inplace)
    return _abs_slow((x, inplace), extra, unknown)

_abs__slow = _Binding("abs_", "Tensor (Tensor x)", _abs, methods="abs_", inplace=True)
def abs_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _abs(x, inplace=True)
    return _abs__slow((x,), extra, unknown)

_sign_slow = _Binding("sign", "Tensor (Tensor x, Bool inplace=False)", _sign, methods="sign")
def sign(x=_missing, inplace=False, *extra, **unknown):
    """-1, 0 or 1.

    0 of 0; of bool the value itself. Complex numbers are refused: see `flow.sgn`.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input.

    Differentiable in `x`. Methods: `Tensor.sign` and `Tensor.sign_`.

    Raises:
        NotImplementedError: complex tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sign.

    Example:
        >>> import tritonflow as flow
        >>> flow.sign(flow.tensor([-1.5, 0.0, 2.0]))
        tensor([-1.,  0.,  1.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sign(x, inplace)
    return _sign_slow((x, inplace), extra, unknown)

_sign__slow = _Binding("sign_", "Tensor (Tensor x)", _sign, methods="sign_", inplace=True)
def sign_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sign(x, inplace=True)
    return _sign__slow((x,), extra, unknown)

_square_slow = _Binding("square", "Tensor (Tensor x, Bool inplace=False)", _square, methods="square")
def square(x=_missing, inplace=False, *extra, **unknown):
    """x * x.

    `out = x * x`.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; bool gives int64.

    Differentiable in `x`. Methods: `Tensor.square` and `Tensor.square_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.square.

    Example:
        >>> import tritonflow as flow
        >>> flow.square(flow.tensor([-1.5, 2.0]))
        tensor([2.2500, 4.0000])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _square(x, inplace)
    return _square_slow((x, inplace), extra, unknown)

_square__slow = _Binding("square_", "Tensor (Tensor x)", _square, methods="square_", inplace=True)
def square_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _square(x, inplace=True)
    return _square__slow((x,), extra, unknown)

_floor_slow = _Binding("floor", "Tensor (Tensor x, Bool inplace=False)", _floor, methods="floor")
def floor(x=_missing, inplace=False, *extra, **unknown):
    """The largest whole number that is not larger.

    Integers stay as they are.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is real, and not bool. The result has the dtype of the input.

    Differentiable in `x`. Methods: `Tensor.floor` and `Tensor.floor_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.floor.

    Example:
        >>> import tritonflow as flow
        >>> flow.floor(flow.tensor([-1.5, 1.5]))
        tensor([-2.,  1.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _floor(x, inplace)
    return _floor_slow((x, inplace), extra, unknown)

_floor__slow = _Binding("floor_", "Tensor (Tensor x)", _floor, methods="floor_", inplace=True)
def floor_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _floor(x, inplace=True)
    return _floor__slow((x,), extra, unknown)

_ceil_slow = _Binding("ceil", "Tensor (Tensor x, Bool inplace=False)", _ceil, methods="ceil")
def ceil(x=_missing, inplace=False, *extra, **unknown):
    """The smallest whole number that is not smaller.

    Integers stay as they are.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is real, and not bool. The result has the dtype of the input.

    Differentiable in `x`. Methods: `Tensor.ceil` and `Tensor.ceil_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ceil.

    Example:
        >>> import tritonflow as flow
        >>> flow.ceil(flow.tensor([-1.5, 1.5]))
        tensor([-1.,  2.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _ceil(x, inplace)
    return _ceil_slow((x, inplace), extra, unknown)

_ceil__slow = _Binding("ceil_", "Tensor (Tensor x)", _ceil, methods="ceil_", inplace=True)
def ceil_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _ceil(x, inplace=True)
    return _ceil__slow((x,), extra, unknown)

_trunc_slow = _Binding("trunc", "Tensor (Tensor x, Bool inplace=False)", _trunc, methods="trunc")
def trunc(x=_missing, inplace=False, *extra, **unknown):
    """The whole part.

    Rounds towards zero. Integers stay as they are.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is real, and not bool. The result has the dtype of the input.

    Differentiable in `x`. Methods: `Tensor.trunc` and `Tensor.trunc_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.trunc.

    Example:
        >>> import tritonflow as flow
        >>> flow.trunc(flow.tensor([-1.5, 1.5]))
        tensor([-1.,  1.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _trunc(x, inplace)
    return _trunc_slow((x, inplace), extra, unknown)

_trunc__slow = _Binding("trunc_", "Tensor (Tensor x)", _trunc, methods="trunc_", inplace=True)
def trunc_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _trunc(x, inplace=True)
    return _trunc__slow((x,), extra, unknown)

_frac_slow = _Binding("frac", "Tensor (Tensor x, Bool inplace=False)", _frac, methods="frac")
def frac(x=_missing, inplace=False, *extra, **unknown):
    """What trunc takes away.

    `out = x - trunc(x)`, with the sign of x.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`. Methods: `Tensor.frac` and `Tensor.frac_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.frac.

    Example:
        >>> import tritonflow as flow
        >>> flow.frac(flow.tensor([-1.5, 2.25]))
        tensor([-0.5000,  0.2500])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _frac(x, inplace)
    return _frac_slow((x, inplace), extra, unknown)

_frac__slow = _Binding("frac_", "Tensor (Tensor x)", _frac, methods="frac_", inplace=True)
def frac_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _frac(x, inplace=True)
    return _frac__slow((x,), extra, unknown)

_round_slow = _Binding("round", "Tensor (Tensor x, Bool inplace=False)", _round,
        "Tensor (Tensor x, *, Int32 decimals, Bool inplace=False)", _round_decimals, methods="round")
def round(x=_missing, inplace=False, *extra, decimals=_missing, **unknown):
    """The nearest whole number, the even one of two, or number of so many decimals.

    Halves are rounded to even numbers: 0.5 to 0, 1.5 to 2. With `decimals` it is `round(x * 10 **
    decimals) / 10 ** decimals`. Integers stay as they are.

    Overloads:
        - `round(x: Tensor) -> Tensor`
        - `round(x: Tensor, *, decimals: int) -> Tensor`

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        decimals: to how many decimals; of a negative number -n, to multiples of 10 ** n.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is real, and not bool. The result has the dtype of the input.

    Differentiable in `x`. Methods: `Tensor.round` and `Tensor.round_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.round.

    Example:
        >>> import tritonflow as flow
        >>> flow.round(flow.tensor([0.5, 1.5, -2.7]))
        tensor([ 0.,  2., -3.])
        >>> flow.round(flow.tensor([3.14159]), decimals=2)
        tensor([3.1400])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and decimals is _missing and not extra and not unknown:
        return _round(x, inplace)
    return _round_slow((x, inplace, decimals), extra, unknown)

_round__slow = _Binding("round_", "Tensor (Tensor x)", _round, "Tensor (Tensor x, *, Int32 decimals)", _round_decimals,
        methods="round_", inplace=True)
def round_(x=_missing, *extra, decimals=_missing, **unknown):
    if x.__class__ is _Tensor and decimals is _missing and not extra and not unknown:
        return _round(x, inplace=True)
    return _round__slow((x, decimals), extra, unknown)

_bitwise_not_slow = _Binding("bitwise_not", "Tensor (Tensor x)", _bitwise_not, methods="bitwise_not __invert__")
def bitwise_not(x=_missing, *extra, **unknown):
    """The complement of the bits, or of a truth value.

    Of integers `-x - 1`, of unsigned ones `255 - x`; of bool the logical not.

    Args:
        x: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is integers or bool. The result has the dtype of the input.

    Not differentiable. Methods: `Tensor.bitwise_not` and `Tensor.bitwise_not_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bitwise_not.

    Example:
        >>> import tritonflow as flow
        >>> flow.bitwise_not(flow.tensor([0, 5]))
        tensor([-1, -6])
    """
    if x.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_not(x)
    return _bitwise_not_slow((x,), extra, unknown)

_bitwise_not_over = _in_place(_bitwise_not)
_bitwise_not__slow = _Binding("bitwise_not_", "Tensor (Tensor x)", _bitwise_not_over, methods="bitwise_not_", inplace=True)
def bitwise_not_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_not_over(x, inplace=True)
    return _bitwise_not__slow((x,), extra, unknown)

_acos_slow = _Binding("acos", "Tensor (Tensor input, *, Bool inplace=False)", _acos, methods="acos", autocast="float32")
def acos(input=_missing, *extra, inplace=False, **unknown):
    """The arc cosine.

    Radians in [0, pi]; NaN of real numbers outside of [-1, 1].

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `input`. Under `flow.autocast` it computes in float32. Methods: `Tensor.acos` and
    `Tensor.acos_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.acos.

    Example:
        >>> import tritonflow as flow
        >>> flow.acos(flow.tensor([1.0, 0.0]))
        tensor([0.0000, 1.5708])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _acos(input, inplace)
    return _acos_slow((input, inplace), extra, unknown)

_acos__slow = _Binding("acos_", "Tensor (Tensor input)", _acos, methods="acos_", autocast="float32", inplace=True)
def acos_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _acos(input, inplace=True)
    return _acos__slow((input,), extra, unknown)

_arccos_slow = _Binding("arccos", "Tensor (Tensor input, *, Bool inplace=False)", _acos, methods="arccos", autocast="float32",
        like="acos")
def arccos(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _acos(input, inplace)
    return _arccos_slow((input, inplace), extra, unknown)

_arccos__slow = _Binding("arccos_", "Tensor (Tensor input)", _acos, methods="arccos_", autocast="float32", inplace=True)
def arccos_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _acos(input, inplace=True)
    return _arccos__slow((input,), extra, unknown)

_asin_slow = _Binding("asin", "Tensor (Tensor input, *, Bool inplace=False)", _asin, methods="asin", autocast="float32")
def asin(input=_missing, *extra, inplace=False, **unknown):
    """The arc sine.

    Radians in [-pi / 2, pi / 2]; NaN of real numbers outside of [-1, 1].

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `input`. Under `flow.autocast` it computes in float32. Methods: `Tensor.asin` and
    `Tensor.asin_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.asin.

    Example:
        >>> import tritonflow as flow
        >>> flow.asin(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 1.5708])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _asin(input, inplace)
    return _asin_slow((input, inplace), extra, unknown)

_asin__slow = _Binding("asin_", "Tensor (Tensor input)", _asin, methods="asin_", autocast="float32", inplace=True)
def asin_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _asin(input, inplace=True)
    return _asin__slow((input,), extra, unknown)

_arcsin_slow = _Binding("arcsin", "Tensor (Tensor input, *, Bool inplace=False)", _asin, methods="arcsin", autocast="float32",
        like="asin")
def arcsin(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _asin(input, inplace)
    return _arcsin_slow((input, inplace), extra, unknown)

_arcsin__slow = _Binding("arcsin_", "Tensor (Tensor input)", _asin, methods="arcsin_", autocast="float32", inplace=True)
def arcsin_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _asin(input, inplace=True)
    return _arcsin__slow((input,), extra, unknown)

_atan_slow = _Binding("atan", "Tensor (Tensor input, *, Bool inplace=False)", _atan, methods="atan")
def atan(input=_missing, *extra, inplace=False, **unknown):
    """The arc tangent.

    Radians in [-pi / 2, pi / 2].

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `input`. Methods: `Tensor.atan` and `Tensor.atan_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atan.

    Example:
        >>> import tritonflow as flow
        >>> flow.atan(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7854])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _atan(input, inplace)
    return _atan_slow((input, inplace), extra, unknown)

_atan__slow = _Binding("atan_", "Tensor (Tensor input)", _atan, methods="atan_", inplace=True)
def atan_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _atan(input, inplace=True)
    return _atan__slow((input,), extra, unknown)

_arctan_slow = _Binding("arctan", "Tensor (Tensor input, *, Bool inplace=False)", _atan, methods="arctan", like="atan")
def arctan(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _atan(input, inplace)
    return _arctan_slow((input, inplace), extra, unknown)

_arctan__slow = _Binding("arctan_", "Tensor (Tensor input)", _atan, methods="arctan_", inplace=True)
def arctan_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _atan(input, inplace=True)
    return _arctan__slow((input,), extra, unknown)

_acosh_slow = _Binding("acosh", "Tensor (Tensor input, *, Bool inplace=False)", _acosh, methods="acosh")
def acosh(input=_missing, *extra, inplace=False, **unknown):
    """The inverse of cosh.

    `out = log(x + sqrt(x ** 2 - 1))`; NaN of real numbers below 1.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `input`. Methods: `Tensor.acosh` and `Tensor.acosh_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.acosh.

    Example:
        >>> import tritonflow as flow
        >>> flow.acosh(flow.tensor([1.0, 2.0]))
        tensor([0.0000, 1.3170])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _acosh(input, inplace)
    return _acosh_slow((input, inplace), extra, unknown)

_acosh__slow = _Binding("acosh_", "Tensor (Tensor input)", _acosh, methods="acosh_", inplace=True)
def acosh_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _acosh(input, inplace=True)
    return _acosh__slow((input,), extra, unknown)

_arccosh_slow = _Binding("arccosh", "Tensor (Tensor input, *, Bool inplace=False)", _acosh, methods="arccosh", like="acosh")
def arccosh(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _acosh(input, inplace)
    return _arccosh_slow((input, inplace), extra, unknown)

_arccosh__slow = _Binding("arccosh_", "Tensor (Tensor input)", _acosh, methods="arccosh_", inplace=True)
def arccosh_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _acosh(input, inplace=True)
    return _arccosh__slow((input,), extra, unknown)

_asinh_slow = _Binding("asinh", "Tensor (Tensor input, *, Bool inplace=False)", _asinh, methods="asinh")
def asinh(input=_missing, *extra, inplace=False, **unknown):
    """The inverse of sinh.

    `out = log(x + sqrt(x ** 2 + 1))`.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `input`. Methods: `Tensor.asinh` and `Tensor.asinh_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.asinh.

    Example:
        >>> import tritonflow as flow
        >>> flow.asinh(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8814])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _asinh(input, inplace)
    return _asinh_slow((input, inplace), extra, unknown)

_asinh__slow = _Binding("asinh_", "Tensor (Tensor input)", _asinh, methods="asinh_", inplace=True)
def asinh_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _asinh(input, inplace=True)
    return _asinh__slow((input,), extra, unknown)

_arcsinh_slow = _Binding("arcsinh", "Tensor (Tensor input, *, Bool inplace=False)", _asinh, methods="arcsinh", like="asinh")
def arcsinh(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _asinh(input, inplace)
    return _arcsinh_slow((input, inplace), extra, unknown)

_arcsinh__slow = _Binding("arcsinh_", "Tensor (Tensor input)", _asinh, methods="arcsinh_", inplace=True)
def arcsinh_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _asinh(input, inplace=True)
    return _arcsinh__slow((input,), extra, unknown)

_atanh_slow = _Binding("atanh", "Tensor (Tensor input, *, Bool inplace=False)", _atanh, methods="atanh")
def atanh(input=_missing, *extra, inplace=False, **unknown):
    """The inverse of tanh.

    `out = log((1 + x) / (1 - x)) / 2`; infinite at -1 and 1, NaN of real numbers outside.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `input`. Methods: `Tensor.atanh` and `Tensor.atanh_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atanh.

    Example:
        >>> import tritonflow as flow
        >>> flow.atanh(flow.tensor([0.0, 0.5]))
        tensor([0.0000, 0.5493])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _atanh(input, inplace)
    return _atanh_slow((input, inplace), extra, unknown)

_atanh__slow = _Binding("atanh_", "Tensor (Tensor input)", _atanh, methods="atanh_", inplace=True)
def atanh_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _atanh(input, inplace=True)
    return _atanh__slow((input,), extra, unknown)

_arctanh_slow = _Binding("arctanh", "Tensor (Tensor input, *, Bool inplace=False)", _atanh, methods="arctanh", like="atanh")
def arctanh(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _atanh(input, inplace)
    return _arctanh_slow((input, inplace), extra, unknown)

_arctanh__slow = _Binding("arctanh_", "Tensor (Tensor input)", _atanh, methods="arctanh_", inplace=True)
def arctanh_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _atanh(input, inplace=True)
    return _arctanh__slow((input,), extra, unknown)

_sinc_slow = _Binding("sinc", "Tensor (Tensor input, *, Bool inplace=False)", _sinc, methods="sinc")
def sinc(input=_missing, *extra, inplace=False, **unknown):
    """sin(pi * input) / (pi * input), and 1 at 0.

    The normalised sinc function: 0 at all other whole numbers.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `input`. Methods: `Tensor.sinc` and `Tensor.sinc_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sinc.

    Example:
        >>> import tritonflow as flow
        >>> flow.sinc(flow.tensor([0.0, 0.5]))
        tensor([1.0000, 0.6366])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sinc(input, inplace)
    return _sinc_slow((input, inplace), extra, unknown)

_sinc__slow = _Binding("sinc_", "Tensor (Tensor input)", _sinc, methods="sinc_", inplace=True)
def sinc_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _sinc(input, inplace=True)
    return _sinc__slow((input,), extra, unknown)

_sinc_slope_slow = _Binding("sinc_slope", "Tensor (Tensor input)", _sinc_slope)
def sinc_slope(input=_missing, *extra, **unknown):
    """the derivative of sinc"""
    if input.__class__ is _Tensor and not extra and not unknown:
        return _sinc_slope(input)
    return _sinc_slope_slow((input,), extra, unknown)

_erfc_slow = _Binding("erfc", "Tensor (Tensor input, *, Bool inplace=False)", _erfc, methods="erfc")
def erfc(input=_missing, *extra, inplace=False, **unknown):
    """1 - erf(input).

    `out = 1 - erf(input)`, with all digits where that is small.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`. Methods: `Tensor.erfc` and `Tensor.erfc_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.erfc.

    Example:
        >>> import tritonflow as flow
        >>> flow.erfc(flow.tensor([0.0, 1.0, 5.0]))
        tensor([1.0000e+00, 1.5730e-01, 1.5375e-12])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _erfc(input, inplace)
    return _erfc_slow((input, inplace), extra, unknown)

_erfc__slow = _Binding("erfc_", "Tensor (Tensor input)", _erfc, methods="erfc_", inplace=True)
def erfc_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _erfc(input, inplace=True)
    return _erfc__slow((input,), extra, unknown)

_logit_slow = _Binding("logit", "Tensor (Tensor input, Double eps=None, *, Bool inplace=False)", _logit, methods="logit")
def logit(input=_missing, eps=None, *extra, inplace=False, **unknown):
    """log(x / (1 - x)), of x within [eps, 1 - eps] where eps is given.

    The inverse of `flow.sigmoid`. Without `eps` it is NaN of numbers outside of [0, 1].

    Args:
        input: the input.
        eps: the input is brought into [eps, 1 - eps] first; as it is unless given.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`. Methods: `Tensor.logit` and `Tensor.logit_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logit.

    Example:
        >>> import tritonflow as flow
        >>> flow.logit(flow.tensor([0.5, 0.9]))
        tensor([0.0000, 2.1972])
        >>> flow.logit(flow.tensor([0.0, 1.0]), eps=0.1)
        tensor([-2.1972,  2.1972])
    """
    if (input.__class__ is _Tensor and (eps is None or eps.__class__ is float) and (inplace is False or inplace is True) and
            not extra and not unknown):
        return _logit(input, eps, inplace)
    return _logit_slow((input, eps, inplace), extra, unknown)

_logit__slow = _Binding("logit_", "Tensor (Tensor input, Double eps=None)", _logit, methods="logit_", inplace=True)
def logit_(input=_missing, eps=None, *extra, **unknown):
    if input.__class__ is _Tensor and (eps is None or eps.__class__ is float) and not extra and not unknown:
        return _logit(input, eps, inplace=True)
    return _logit__slow((input, eps), extra, unknown)

_nan_to_num_slow = _Binding("nan_to_num",
        "Tensor (Tensor input, Double nan=None, Double posinf=None, Double neginf=None, *, Bool inplace=False)", _nan_to_num,
        methods="nan_to_num")
def nan_to_num(input=_missing, nan=None, posinf=None, neginf=None, *extra, inplace=False, **unknown):
    """Numbers in place of NaN and the infinities, the largest of the dtype unless given.

    Integers and bool stay as they are. The gradient of what is put in is 0.

    Args:
        input: the input.
        nan: what is put in for NaN; 0 unless given.
        posinf: what is put in for inf; the largest number of the dtype unless given.
        neginf: what is put in for -inf; the smallest number of the dtype unless given.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input.

    Differentiable in `input`. Methods: `Tensor.nan_to_num` and `Tensor.nan_to_num_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nan_to_num.

    Example:
        >>> import tritonflow as flow
        >>> flow.nan_to_num(flow.tensor([1.0, float("nan"), float("inf")]), nan=0.0, posinf=10.0)
        tensor([ 1.,  0., 10.])
    """
    if (input.__class__ is _Tensor and (nan is None or nan.__class__ is float) and (posinf is None or posinf.__class__ is float)
            and (neginf is None or neginf.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _nan_to_num(input, nan, posinf, neginf, inplace)
    return _nan_to_num_slow((input, nan, posinf, neginf, inplace), extra, unknown)

_nan_to_num__slow = _Binding("nan_to_num_", "Tensor (Tensor input, Double nan=None, Double posinf=None, Double neginf=None)",
        _nan_to_num, methods="nan_to_num_", inplace=True)
def nan_to_num_(input=_missing, nan=None, posinf=None, neginf=None, *extra, **unknown):
    if (input.__class__ is _Tensor and (nan is None or nan.__class__ is float) and (posinf is None or posinf.__class__ is float)
            and (neginf is None or neginf.__class__ is float) and not extra and not unknown):
        return _nan_to_num(input, nan, posinf, neginf, inplace=True)
    return _nan_to_num__slow((input, nan, posinf, neginf), extra, unknown)

_signbit_slow = _Binding("signbit", "Tensor (Tensor input)", _signbit, methods="signbit")
def signbit(input=_missing, *extra, **unknown):
    """Where the sign is a minus, that of -0.0 too.

    Of integers whether they are negative; of bool false.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result is bool.

    Not differentiable. Method: `Tensor.signbit`.

    Raises:
        NotImplementedError: complex tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.signbit.

    Example:
        >>> import tritonflow as flow
        >>> flow.signbit(flow.tensor([1.0, -0.0, -2.0]))
        tensor([False,  True,  True])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _signbit(input)
    return _signbit_slow((input,), extra, unknown)

_isposinf_slow = _Binding("isposinf", "Tensor (Tensor input)", _isposinf, methods="isposinf")
def isposinf(input=_missing, *extra, **unknown):
    """Where the input is inf.

    Integers and bool are never infinite.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result is bool.

    Not differentiable. Method: `Tensor.isposinf`.

    Raises:
        NotImplementedError: complex tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isposinf.

    Example:
        >>> import tritonflow as flow
        >>> flow.isposinf(flow.tensor([1.0, float("inf"), float("-inf")]))
        tensor([False,  True, False])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _isposinf(input)
    return _isposinf_slow((input,), extra, unknown)

_isneginf_slow = _Binding("isneginf", "Tensor (Tensor input)", _isneginf, methods="isneginf")
def isneginf(input=_missing, *extra, **unknown):
    """Where the input is -inf.

    Integers and bool are never infinite.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result is bool.

    Not differentiable. Method: `Tensor.isneginf`.

    Raises:
        NotImplementedError: complex tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isneginf.

    Example:
        >>> import tritonflow as flow
        >>> flow.isneginf(flow.tensor([1.0, float("inf"), float("-inf")]))
        tensor([False, False,  True])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _isneginf(input)
    return _isneginf_slow((input,), extra, unknown)

_angle_slow = _Binding("angle", "Tensor (Tensor input)", _angle, methods="angle")
def angle(input=_missing, *extra, **unknown):
    """pi of negative numbers, 0 of other real ones; of complex numbers that between them and the real axis.

    In radians, in [-pi, pi]; NaN stays NaN.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result is real: float32 of complex64, and so on; integers and bool give the default dtype.

    Differentiable in `input`. Method: `Tensor.angle`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.angle.

    Example:
        >>> import tritonflow as flow
        >>> flow.angle(flow.tensor([-1.0, 1.0]))
        tensor([3.1416, 0.0000])
        >>> flow.angle(flow.tensor([1j]))
        tensor([1.5708])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _angle(input)
    return _angle_slow((input,), extra, unknown)

_deg2rad_slow = _Binding("deg2rad", "Tensor (Tensor input, *, Bool inplace=False)", _deg2rad, methods="deg2rad")
def deg2rad(input=_missing, *extra, inplace=False, **unknown):
    """Degrees in radians.

    `out = input * pi / 180`.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`. Methods: `Tensor.deg2rad` and `Tensor.deg2rad_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.deg2rad.

    Example:
        >>> import tritonflow as flow
        >>> flow.deg2rad(flow.tensor([90.0, 180.0]))
        tensor([1.5708, 3.1416])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _deg2rad(input, inplace)
    return _deg2rad_slow((input, inplace), extra, unknown)

_deg2rad__slow = _Binding("deg2rad_", "Tensor (Tensor input)", _deg2rad, methods="deg2rad_", inplace=True)
def deg2rad_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _deg2rad(input, inplace=True)
    return _deg2rad__slow((input,), extra, unknown)

_rad2deg_slow = _Binding("rad2deg", "Tensor (Tensor input, *, Bool inplace=False)", _rad2deg, methods="rad2deg")
def rad2deg(input=_missing, *extra, inplace=False, **unknown):
    """Radians in degrees.

    `out = input * 180 / pi`.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`. Methods: `Tensor.rad2deg` and `Tensor.rad2deg_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rad2deg.

    Example:
        >>> import tritonflow as flow
        >>> flow.rad2deg(flow.tensor([0.0, 1.0]))
        tensor([ 0.0000, 57.2958])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _rad2deg(input, inplace)
    return _rad2deg_slow((input, inplace), extra, unknown)

_rad2deg__slow = _Binding("rad2deg_", "Tensor (Tensor input)", _rad2deg, methods="rad2deg_", inplace=True)
def rad2deg_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _rad2deg(input, inplace=True)
    return _rad2deg__slow((input,), extra, unknown)

_frexp_slow = _Binding("frexp", "TensorTuple[mantissa, exponent] (Tensor input)", _frexp, methods="frexp",
        result=_return_types.frexp)
def frexp(input=_missing, *extra, **unknown):
    """Mantissas in [0.5, 1) and exponents of 2.

    `input = mantissa * 2 ** exponent`; the mantissa of 0 is 0. Exponents are int32.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; mantissa and exponent have the same.

    Dtypes:
        The input is floating. The mantissa has its dtype, the exponent is int32.

    Returns:
        A named tuple `(mantissa, exponent)`.

    Differentiable in `input`. Method: `Tensor.frexp`.

    Raises:
        RuntimeError: integers, bool or complex numbers.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.frexp.

    Example:
        >>> import tritonflow as flow
        >>> flow.frexp(flow.tensor([8.0, 3.0]))
        tritonflow.return_types.frexp(
        mantissa=tensor([0.5000, 0.7500]),
        exponent=tensor([4, 2], dtype=tritonflow.int32))
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _return_types.frexp(*_frexp(input))
    return _frexp_slow((input,), extra, unknown)

_fix_slow = _Binding("fix", "Tensor (Tensor input, *, Bool inplace=False)", _fix, methods="fix")
def fix(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _fix(input, inplace)
    return _fix_slow((input, inplace), extra, unknown)

_fix__slow = _Binding("fix_", "Tensor (Tensor input)", _fix, methods="fix_", inplace=True)
def fix_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _fix(input, inplace=True)
    return _fix__slow((input,), extra, unknown)

_absolute_slow = _Binding("absolute", "Tensor (Tensor input, *, Bool inplace=False)", _absolute, methods="absolute")
def absolute(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _absolute(input, inplace)
    return _absolute_slow((input, inplace), extra, unknown)

_absolute__slow = _Binding("absolute_", "Tensor (Tensor input)", _absolute, methods="absolute_", inplace=True)
def absolute_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _absolute(input, inplace=True)
    return _absolute__slow((input,), extra, unknown)

_real_slow = _Binding("real", "Tensor (Tensor input)", _real)
def real(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _real(input)
    return _real_slow((input,), extra, unknown)

_imag_slow = _Binding("imag", "Tensor (Tensor input)", _imag)
def imag(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _imag(input)
    return _imag_slow((input,), extra, unknown)

_resolve_conj_slow = _Binding("resolve_conj", "Tensor (Tensor input)", _resolve_conj, methods="resolve_conj")
def resolve_conj(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _resolve_conj(input)
    return _resolve_conj_slow((input,), extra, unknown)

_resolve_neg_slow = _Binding("resolve_neg", "Tensor (Tensor input)", _resolve_neg, methods="resolve_neg")
def resolve_neg(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _resolve_neg(input)
    return _resolve_neg_slow((input,), extra, unknown)

_conj_physical_slow = _Binding("conj_physical", "Tensor (Tensor input, *, Bool inplace=False)", _conj_physical,
        methods="conj_physical")
def conj_physical(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _conj_physical(input, inplace)
    return _conj_physical_slow((input, inplace), extra, unknown)

_conj_physical__slow = _Binding("conj_physical_", "Tensor (Tensor input)", _conj_physical, methods="conj_physical_", inplace=True)
def conj_physical_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _conj_physical(input, inplace=True)
    return _conj_physical__slow((input,), extra, unknown)

_conj_slow = _Binding("conj", "Tensor (Tensor input)", _conj_physical, methods="conj", like="conj_physical")
def conj(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _conj_physical(input)
    return _conj_slow((input,), extra, unknown)

_adjoint_slow = _Binding("adjoint", "Tensor (Tensor input)", _adjoint, methods="adjoint")
def adjoint(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _adjoint(input)
    return _adjoint_slow((input,), extra, unknown)

_complex_slow = _Binding("complex", "Tensor (Tensor real, Tensor imag)", _complex_of)
def complex(real=_missing, imag=_missing, *extra, **unknown):
    if real.__class__ is _Tensor and imag.__class__ is _Tensor and not extra and not unknown:
        return _complex_of(real, imag)
    return _complex_slow((real, imag), extra, unknown)

_polar_slow = _Binding("polar", "Tensor (Tensor abs, Tensor angle)", _polar)
def polar(abs=_missing, angle=_missing, *extra, **unknown):
    if abs.__class__ is _Tensor and angle.__class__ is _Tensor and not extra and not unknown:
        return _polar(abs, angle)
    return _polar_slow((abs, angle), extra, unknown)

_frexp_exponent_slow = _Binding("frexp_exponent", "Tensor (Tensor input)", _frexp_exponent)
def frexp_exponent(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _frexp_exponent(input)
    return _frexp_exponent_slow((input,), extra, unknown)

_positive_slow = _Binding("positive", "Tensor (Tensor input)", _positive, methods="positive __pos__")
def positive(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _positive(input)
    return _positive_slow((input,), extra, unknown)

_sgn_slow = _Binding("sgn", "Tensor (Tensor input, *, Bool inplace=False)", _sgn, methods="sgn")
def sgn(input=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sgn(input, inplace)
    return _sgn_slow((input, inplace), extra, unknown)

_sgn__slow = _Binding("sgn_", "Tensor (Tensor input)", _sgn, methods="sgn_", inplace=True)
def sgn_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _sgn(input, inplace=True)
    return _sgn__slow((input,), extra, unknown)

_isreal_slow = _Binding("isreal", "Tensor (Tensor input)", _isreal, methods="isreal")
def isreal(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _isreal(input)
    return _isreal_slow((input,), extra, unknown)

_methods = _publish(globals())
