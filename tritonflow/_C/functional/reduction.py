"""Functions of the binding: reduction.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functional.functors.generated import (combine_shares as _combine_shares)
from tritonflow.functional.functors.reduction import (amax as _a_max, amin as _a_min, argmax as _arg_max, argmin as _arg_min,
        extremum_grad as _extremum_grad, logsumexp as _log_sum_exp, max_dim as _max_dim, max_other as _max_other,
        mean_grad as _mean_grad, min_dim as _min_dim, min_other as _min_other, norm as _norm, norm_grad as _norm_grad,
        norm_of_name as _norm_of_name, prod_grad as _prod_grad, all as _reduce_all, any as _reduce_any, max as _reduce_max,
        mean as _reduce_mean, min as _reduce_min, nansum as _reduce_nan_sum, prod as _reduce_prod, sum as _reduce_sum,
        std as _std, std_all as _std_all, std_corrected as _std_correction, var as _var, var_all as _var_all,
        var_corrected as _var_correction, var_grad as _var_grad, var_mean as _var_mean, var_mean_all as _var_mean_all,
        var_mean_corrected as _var_mean_correction)
from tritonflow.functional.functors.scan_sort import (indexed_extremum_grad as _indexed_extremum_grad)
from tritonflow.functional.functors.view import (expand_reduced as _expand_reduced)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_expand_reduced_slow = _Binding("expand_reduced", "Tensor (Tensor input, Shape shape, Int32List dim=None, Bool keepdim=False)",
        _expand_reduced)
def expand_reduced(input=_missing, shape=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of a sum, broadcast over the dimensions that were summed"""
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            (dim is None or dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _expand_reduced(input, shape, dim, keepdim)
    return _expand_reduced_slow((input, shape, dim, keepdim), extra, unknown)

_sum_slow = _Binding("sum", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _reduce_sum, methods="sum", autocast="float32")
def sum(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the sum over some dimensions, or over all"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _reduce_sum(input, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _sum_slow((input, dim, keepdim, dtype), extra, unknown)

_nansum_slow = _Binding("nansum", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _reduce_nan_sum, methods="nansum")
def nansum(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the sum over some dimensions, NaN counting as 0"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _reduce_nan_sum(input, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _nansum_slow((input, dim, keepdim, dtype), extra, unknown)

_mean_slow = _Binding("mean", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _reduce_mean, methods="mean")
def mean(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the mean over some dimensions, or over all"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _reduce_mean(input, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _mean_slow((input, dim, keepdim, dtype), extra, unknown)

_mean_grad_slow = _Binding("mean_grad", "Tensor (Tensor dy, Shape shape, Int32List dim=None, Bool keepdim=False)", _mean_grad)
def mean_grad(dy=_missing, shape=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of a mean"""
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            (dim is None or dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _mean_grad(dy, shape, dim, keepdim)
    return _mean_grad_slow((dy, shape, dim, keepdim), extra, unknown)

_prod_slow = _Binding("prod", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _reduce_prod, methods="prod", autocast="float32")
def prod(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the product over a dimension, or over all"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _reduce_prod(input, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _prod_slow((input, dim, keepdim, dtype), extra, unknown)

_prod_grad_slow = _Binding("prod_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)",
        _prod_grad)
def prod_grad(dy=_missing, x=_missing, y=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of a product"""
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and
            (dim is None or dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _prod_grad(dy, x, y, dim, keepdim)
    return _prod_grad_slow((dy, x, y, dim, keepdim), extra, unknown)

_amax_slow = _Binding("amax", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)", _a_max, methods="amax")
def amax(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the largest element over some dimensions, or over all"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _a_max(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _amax_slow((input, dim, keepdim), extra, unknown)

_amin_slow = _Binding("amin", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)", _a_min, methods="amin")
def amin(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the smallest element over some dimensions, or over all"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _a_min(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _amin_slow((input, dim, keepdim), extra, unknown)

_combine_shares_slow = _Binding("combine_shares", "Tensor (Tensor input, String kind)", _combine_shares)
def combine_shares(input=_missing, kind=_missing, *extra, **unknown):
    """the shares of a partial tensor, along the first dimension, made one from the first to the last; kind is sum, max or min"""
    if input.__class__ is _Tensor and kind.__class__ is str and not extra and not unknown:
        return _combine_shares(input, kind)
    return _combine_shares_slow((input, kind), extra, unknown)

_extremum_grad_slow = _Binding("extremum_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)",
        _extremum_grad)
def extremum_grad(dy=_missing, x=_missing, y=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of amax and amin"""
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and
            (dim is None or dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _extremum_grad(dy, x, y, dim, keepdim)
    return _extremum_grad_slow((dy, x, y, dim, keepdim), extra, unknown)

_max_slow = _Binding("max", "Tensor (Tensor input)", _reduce_max,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _max_dim,
        "Tensor (Tensor input, Tensor other)", _max_other, methods="max", result=_return_types.max)
def max(input=_missing, dim=_missing, keepdim=False, *extra, other=_missing, **unknown):
    """the largest element; along a dimension also where it is; of two tensors the larger elements"""
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and other is _missing and not extra and not unknown:
        return _reduce_max(input)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and other is _missing and
            not extra and not unknown):
        return _return_types.max(*_max_dim(input, dim, keepdim))
    return _max_slow((input, dim, keepdim, other), extra, unknown)

_min_slow = _Binding("min", "Tensor (Tensor input)", _reduce_min,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _min_dim,
        "Tensor (Tensor input, Tensor other)", _min_other, methods="min", result=_return_types.min)
def min(input=_missing, dim=_missing, keepdim=False, *extra, other=_missing, **unknown):
    """the smallest element; along a dimension also where it is; of two tensors the smaller elements"""
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and other is _missing and not extra and not unknown:
        return _reduce_min(input)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and other is _missing and
            not extra and not unknown):
        return _return_types.min(*_min_dim(input, dim, keepdim))
    return _min_slow((input, dim, keepdim, other), extra, unknown)

_indexed_extremum_grad_slow = _Binding("indexed_extremum_grad",
        "Tensor (Tensor dy, Tensor index, Shape shape, Int32List dim, Bool keepdim)", _indexed_extremum_grad)
def indexed_extremum_grad(dy=_missing, index=_missing, shape=_missing, dim=_missing, keepdim=_missing, *extra, **unknown):
    """the gradient of max and min along a dimension"""
    if (dy.__class__ is _Tensor and index.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and (dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _indexed_extremum_grad(dy, index, shape, dim, keepdim)
    return _indexed_extremum_grad_slow((dy, index, shape, dim, keepdim), extra, unknown)

_argmax_slow = _Binding("argmax", "Tensor (Tensor input, Int32 dim=None, Bool keepdim=False)", _arg_max, methods="argmax")
def argmax(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """where the largest element is, the first of equals"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int) and (keepdim is False or keepdim is True) and
            not extra and not unknown):
        return _arg_max(input, dim, keepdim)
    return _argmax_slow((input, dim, keepdim), extra, unknown)

_argmin_slow = _Binding("argmin", "Tensor (Tensor input, Int32 dim=None, Bool keepdim=False)", _arg_min, methods="argmin")
def argmin(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """where the smallest element is, the first of equals"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int) and (keepdim is False or keepdim is True) and
            not extra and not unknown):
        return _arg_min(input, dim, keepdim)
    return _argmin_slow((input, dim, keepdim), extra, unknown)

_any_slow = _Binding("any", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)", _reduce_any, methods="any")
def any(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """whether some element is true"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _reduce_any(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _any_slow((input, dim, keepdim), extra, unknown)

_all_slow = _Binding("all", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)", _reduce_all, methods="all")
def all(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """whether every element is true"""
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _reduce_all(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _all_slow((input, dim, keepdim), extra, unknown)

_var_slow = _Binding("var", "Tensor (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)", _var,
        "Tensor (Tensor input, Bool unbiased)", _var_all,
        "Tensor (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False)", _var_correction, methods="var")
def var(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=1, **unknown):
    """the variance, divided by n - correction"""
    if (input.__class__ is _Tensor and dim is _missing and unbiased is _missing and (keepdim is False or keepdim is True) and
            correction.__class__ is int and correction == 1 and not extra and not unknown):
        return _var(input, None, True, keepdim)
    if (input.__class__ is _Tensor and (dim is False or dim is True) and unbiased is _missing and keepdim is False and
            correction.__class__ is int and correction == 1 and not extra and not unknown):
        return _var_all(input, dim)
    return _var_slow((input, dim, unbiased, keepdim, correction), extra, unknown)

_std_slow = _Binding("std", "Tensor (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)", _std,
        "Tensor (Tensor input, Bool unbiased)", _std_all,
        "Tensor (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False)", _std_correction, methods="std")
def std(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=1, **unknown):
    """the standard deviation, the square root of the variance"""
    if (input.__class__ is _Tensor and dim is _missing and unbiased is _missing and (keepdim is False or keepdim is True) and
            correction.__class__ is int and correction == 1 and not extra and not unknown):
        return _std(input, None, True, keepdim)
    if (input.__class__ is _Tensor and (dim is False or dim is True) and unbiased is _missing and keepdim is False and
            correction.__class__ is int and correction == 1 and not extra and not unknown):
        return _std_all(input, dim)
    return _std_slow((input, dim, unbiased, keepdim, correction), extra, unknown)

_var_mean_slow = _Binding("var_mean", "TensorTuple (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)",
        _var_mean, "TensorTuple (Tensor input, Bool unbiased)", _var_mean_all,
        "TensorTuple (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False)", _var_mean_correction)
def var_mean(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=1, **unknown):
    """the variance and the mean"""
    if (input.__class__ is _Tensor and dim is _missing and unbiased is _missing and (keepdim is False or keepdim is True) and
            correction.__class__ is int and correction == 1 and not extra and not unknown):
        return _var_mean(input, None, True, keepdim)
    if (input.__class__ is _Tensor and (dim is False or dim is True) and unbiased is _missing and keepdim is False and
            correction.__class__ is int and correction == 1 and not extra and not unknown):
        return _var_mean_all(input, dim)
    return _var_mean_slow((input, dim, unbiased, keepdim, correction), extra, unknown)

_var_grad_slow = _Binding("var_grad", "Tensor (Tensor dy, Tensor x, Int32List dim, Int32 correction, Bool keepdim)", _var_grad)
def var_grad(dy=_missing, x=_missing, dim=_missing, correction=_missing, keepdim=_missing, *extra, **unknown):
    """the gradient of a variance"""
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and (dim.__class__ is _Size or dim.__class__ is tuple and
            _all_ints(dim)) and correction.__class__ is int and (keepdim is False or keepdim is True) and not extra and
            not unknown):
        return _var_grad(dy, x, dim, correction, keepdim)
    return _var_grad_slow((dy, x, dim, correction, keepdim), extra, unknown)

_norm_slow = _Binding("norm",
        "Tensor (Tensor input, Float p=2.0, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)", _norm,
        "Tensor (Tensor input, String p, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)", _norm_of_name,
        methods="norm", autocast="float32")
def norm(input=_missing, p=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the p-norm over some dimensions, or over all"""
    if (input.__class__ is _Tensor and p is _missing and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and not extra and not unknown):
        return _norm(input, 2.0, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    if (input.__class__ is _Tensor and p.__class__ is str and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and not extra and not unknown):
        return _norm_of_name(input, p, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _norm_slow((input, p, dim, keepdim, dtype), extra, unknown)

_norm_grad_slow = _Binding("norm_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Float order, Int32List dim, Bool keepdim)",
        _norm_grad)
def norm_grad(dy=_missing, x=_missing, y=_missing, order=_missing, dim=_missing, keepdim=_missing, *extra, **unknown):
    """the gradient of a norm"""
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and order.__class__ is float and
            (dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and (keepdim is False or keepdim is True) and
            not extra and not unknown):
        return _norm_grad(dy, x, y, order, dim, keepdim)
    return _norm_grad_slow((dy, x, y, order, dim, keepdim), extra, unknown)

_logsumexp_slow = _Binding("logsumexp", "Tensor (Tensor input, Int32List[1] dim, Bool keepdim=False)", _log_sum_exp,
        methods="logsumexp")
def logsumexp(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    """the logarithm of the sum of exponentials"""
    if (input.__class__ is _Tensor and (dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple and
            _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _log_sum_exp(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _logsumexp_slow((input, dim, keepdim), extra, unknown)

_methods = _publish(globals())
