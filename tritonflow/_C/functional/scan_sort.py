"""Functions of the binding: scan_sort.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functional.functors.scan_sort import (argsort as _arg_sort, cumprod as _cum_prod, cumprod_grad as _cum_prod_grad,
        cumsum as _cum_sum, median as _median, median_dim as _median_dim, reversed_cumsum as _reversed_cum_sum, sort as _sort,
        sort_stable as _sort_stable, sorted_grad as _sorted_grad, topk as _top_k)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_cumsum_slow = _Binding("cumsum", "Tensor (Tensor input, Int32 dim, *, DataType dtype=None)", _cum_sum, methods="cumsum",
        autocast="float32")
def cumsum(input=_missing, dim=_missing, *extra, dtype=None, **unknown):
    """the sums of the elements up to each one, along a dimension"""
    if (input.__class__ is _Tensor and dim.__class__ is int and (dtype is None or dtype.__class__ is _DType) and not extra and
            not unknown):
        return _cum_sum(input, dim, dtype)
    return _cumsum_slow((input, dim, dtype), extra, unknown)

_reversed_cumsum_slow = _Binding("reversed_cumsum", "Tensor (Tensor dy, Int32 dim, Bool reverse)", _reversed_cum_sum)
def reversed_cumsum(dy=_missing, dim=_missing, reverse=_missing, *extra, **unknown):
    """the gradient of cumsum"""
    if dy.__class__ is _Tensor and dim.__class__ is int and (reverse is False or reverse is True) and not extra and not unknown:
        return _reversed_cum_sum(dy, dim, reverse)
    return _reversed_cumsum_slow((dy, dim, reverse), extra, unknown)

_cumprod_slow = _Binding("cumprod", "Tensor (Tensor input, Int32 dim, *, DataType dtype=None)", _cum_prod, methods="cumprod",
        autocast="float32")
def cumprod(input=_missing, dim=_missing, *extra, dtype=None, **unknown):
    """the products of the elements up to each one, along a dimension"""
    if (input.__class__ is _Tensor and dim.__class__ is int and (dtype is None or dtype.__class__ is _DType) and not extra and
            not unknown):
        return _cum_prod(input, dim, dtype)
    return _cumprod_slow((input, dim, dtype), extra, unknown)

_cumprod_grad_slow = _Binding("cumprod_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32 dim)", _cum_prod_grad)
def cumprod_grad(dy=_missing, x=_missing, y=_missing, dim=_missing, *extra, **unknown):
    """the gradient of cumprod"""
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and dim.__class__ is int and not extra and
            not unknown):
        return _cum_prod_grad(dy, x, y, dim)
    return _cumprod_grad_slow((dy, x, y, dim), extra, unknown)

_sort_slow = _Binding("sort", "TensorTuple[values, indices] (Tensor input, Int32 dim=-1, Bool descending=False)", _sort,
        "TensorTuple[values, indices] (Tensor input, *, Bool stable, Int32 dim=-1, Bool descending=False)", _sort_stable,
        methods="sort", result=_return_types.sort)
def sort(input=_missing, dim=-1, descending=False, *extra, stable=_missing, **unknown):
    """the elements in order along a dimension, and where they were; equal ones keep their order"""
    if (input.__class__ is _Tensor and dim.__class__ is int and (descending is False or descending is True) and stable is _missing
            and not extra and not unknown):
        return _return_types.sort(*_sort(input, dim, descending))
    return _sort_slow((input, dim, descending, stable), extra, unknown)

_sorted_grad_slow = _Binding("sorted_grad", "Tensor (Tensor dy, Tensor indices, Shape shape, Int32 dim)", _sorted_grad)
def sorted_grad(dy=_missing, indices=_missing, shape=_missing, dim=_missing, *extra, **unknown):
    """the gradient of sort and topk"""
    if (dy.__class__ is _Tensor and indices.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and dim.__class__ is int and not extra and not unknown):
        return _sorted_grad(dy, indices, shape, dim)
    return _sorted_grad_slow((dy, indices, shape, dim), extra, unknown)

_argsort_slow = _Binding("argsort", "Tensor (Tensor input, Int32 dim=-1, Bool descending=False)", _arg_sort, methods="argsort")
def argsort(input=_missing, dim=-1, descending=False, *extra, **unknown):
    """the indices that sort a tensor along a dimension"""
    if (input.__class__ is _Tensor and dim.__class__ is int and (descending is False or descending is True) and not extra and
            not unknown):
        return _arg_sort(input, dim, descending)
    return _argsort_slow((input, dim, descending), extra, unknown)

_topk_slow = _Binding("topk",
        "TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool largest=True, Bool sorted=True)", _top_k,
        methods="topk", result=_return_types.topk)
def topk(input=_missing, k=_missing, dim=-1, largest=True, sorted=True, *extra, **unknown):
    """the k largest (or smallest) elements along a dimension, and where they are"""
    if (input.__class__ is _Tensor and k.__class__ is int and dim.__class__ is int and (largest is True or largest is False) and
            (sorted is True or sorted is False) and not extra and not unknown):
        return _return_types.topk(*_top_k(input, k, dim, largest, sorted))
    return _topk_slow((input, k, dim, largest, sorted), extra, unknown)

_median_slow = _Binding("median", "Tensor (Tensor input)", _median,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _median_dim, methods="median",
        result=_return_types.median)
def median(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    """the middle element (the lower of two) of a tensor, or along a dimension and where it is"""
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and not extra and not unknown:
        return _median(input)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and not extra and
            not unknown):
        return _return_types.median(*_median_dim(input, dim, keepdim))
    return _median_slow((input, dim, keepdim), extra, unknown)

_methods = _publish(globals())
