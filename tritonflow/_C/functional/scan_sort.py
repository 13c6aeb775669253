"""Functions of the binding: scan_sort.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.scan_sort import (argsort_stable as _arg_sort_stable, cumprod as _cum_prod, cumsum as _cum_sum,
        median_dim as _median_dim, sort as _sort, sort_stable as _sort_stable, argsort as _argsort, cumprod_grad as _cumprod_grad,
        indexed_extremum_grad as _indexed_extremum_grad, median as _median, reversed_cumsum as _reversed_cumsum,
        sorted_grad as _sorted_grad, topk as _topk)
from tritonflow.functions.scan_sort_quantiles import (scalar_nanquantile as _scalar_nan_quantile,
        scalar_quantile as _scalar_quantile, nanquantile as _nanquantile, quantile as _quantile)
from tritonflow.functions.scan_sort_scans import (cummax as _cum_max, cummin as _cum_min, logcumsumexp as _log_cum_sum_exp,
        nanmedian_dim as _nan_median_dim, kthvalue as _kthvalue, logcumsumexp_grad as _logcumsumexp_grad, mode as _mode,
        msort as _msort, nanmedian as _nanmedian)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing
from tritonflow.binding.torch_calls import in_place as _in_place

_cumsum_slow = _Binding("cumsum", "Tensor (Tensor input, Int32 dim, *, DataType dtype=None)", _cum_sum, methods="cumsum",
        autocast="float32")
def cumsum(input=_missing, dim=_missing, *extra, dtype=None, **unknown):
    """The sums of the elements up to each one, along a dimension.

    `out[i] = input[0] + ... + input[i]`. Integers and bool are added up as int64.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        dtype: of the sums; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `input`.

    Differentiable. Under `flow.autocast` it computes in float32. Methods: `Tensor.cumsum` and
    `Tensor.cumsum_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cumsum.

    Example:
        >>> import tritonflow as flow
        >>> flow.cumsum(flow.tensor([[1, 2, 3], [4, 5, 6]]), 1)
        tensor([[ 1,  3,  6],
                [ 4,  9, 15]])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and (dtype is None or dtype.__class__ is _DType) and not extra and
            not unknown):
        return _cum_sum(input, dim, dtype)
    return _cumsum_slow((input, dim, dtype), extra, unknown)

_cum_sum_over = _in_place(_cum_sum)
_cumsum__slow = _Binding("cumsum_", "Tensor (Tensor input, Int32 dim, *, DataType dtype=None)", _cum_sum_over, methods="cumsum_",
        inplace=True)
def cumsum_(input=_missing, dim=_missing, *extra, dtype=None, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and (dtype is None or dtype.__class__ is _DType) and not extra and
            not unknown):
        return _cum_sum_over(input, dim, dtype, inplace=True)
    return _cumsum__slow((input, dim, dtype), extra, unknown)

_cumprod_slow = _Binding("cumprod", "Tensor (Tensor input, Int32 dim, *, DataType dtype=None)", _cum_prod, methods="cumprod",
        autocast="float32")
def cumprod(input=_missing, dim=_missing, *extra, dtype=None, **unknown):
    """The products of the elements up to each one, along a dimension.

    `out[i] = input[0] * ... * input[i]`. Integers and bool are multiplied as int64.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        dtype: of the products; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `input`.

    Differentiable. Under `flow.autocast` it computes in float32. Methods: `Tensor.cumprod` and
    `Tensor.cumprod_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cumprod.

    Example:
        >>> import tritonflow as flow
        >>> flow.cumprod(flow.tensor([1.0, 2.0, 3.0]), 0)
        tensor([1., 2., 6.])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and (dtype is None or dtype.__class__ is _DType) and not extra and
            not unknown):
        return _cum_prod(input, dim, dtype)
    return _cumprod_slow((input, dim, dtype), extra, unknown)

_cum_prod_over = _in_place(_cum_prod)
_cumprod__slow = _Binding("cumprod_", "Tensor (Tensor input, Int32 dim, *, DataType dtype=None)", _cum_prod_over,
        methods="cumprod_", inplace=True)
def cumprod_(input=_missing, dim=_missing, *extra, dtype=None, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and (dtype is None or dtype.__class__ is _DType) and not extra and
            not unknown):
        return _cum_prod_over(input, dim, dtype, inplace=True)
    return _cumprod__slow((input, dim, dtype), extra, unknown)

_sort_slow = _Binding("sort", "TensorTuple[values, indices] (Tensor input, Int32 dim=-1, Bool descending=False)", _sort,
        "TensorTuple[values, indices] (Tensor input, *, Bool stable, Int32 dim=-1, Bool descending=False)", _sort_stable,
        methods="sort", result=_return_types.sort)
def sort(input=_missing, dim=-1, descending=False, *extra, stable=_missing, **unknown):
    """The elements in order along a dimension, and where they were; equal ones keep their order.

    NaN counts as the largest. Indices are int64. Gradients flow to the elements that the values came
    from.

    Overloads:
        - `sort(input: Tensor, dim: int = -1, descending: bool = False) -> return_types.sort`
        - `sort(input: Tensor, *, stable: bool, dim: int = -1, descending: bool = False) -> return_types.sort`

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        descending: whether the largest is first.
        stable: whatever it is, equal elements keep their order.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        values and indices have the shape of `input`.

    Returns:
        A named tuple `(values, indices)`.

    Differentiable. Method: `Tensor.sort`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sort.

    Example:
        >>> import tritonflow as flow
        >>> flow.sort(flow.tensor([3.0, 1.0, 2.0]))
        tritonflow.return_types.sort(
        values=tensor([1., 2., 3.]),
        indices=tensor([1, 2, 0]))
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and (descending is False or descending is True) and stable is _missing
            and not extra and not unknown):
        return _return_types.sort(*_sort(input, dim, descending))
    return _sort_slow((input, dim, descending, stable), extra, unknown)

_cummax_slow = _Binding("cummax", "TensorTuple[values, indices] (Tensor input, Int32 dim)", _cum_max, methods="cummax",
        result=_return_types.cummax)
def cummax(input=_missing, dim=_missing, *extra, **unknown):
    """The largest element up to each one along a dimension, and where it is, the last of equals.

    `values[i] = max(input[0], ..., input[i])`. Indices are int64. NaN is larger than every number.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        values and indices have the shape of `input`.

    Returns:
        A named tuple `(values, indices)`.

    Method: `Tensor.cummax`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cummax.

    Example:
        >>> import tritonflow as flow
        >>> flow.cummax(flow.tensor([1.0, 3.0, 2.0]), 0)
        tritonflow.return_types.cummax(
        values=tensor([1., 3., 3.]),
        indices=tensor([0, 1, 1]))
    """
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _return_types.cummax(*_cum_max(input, dim))
    return _cummax_slow((input, dim), extra, unknown)

_cummin_slow = _Binding("cummin", "TensorTuple[values, indices] (Tensor input, Int32 dim)", _cum_min, methods="cummin",
        result=_return_types.cummin)
def cummin(input=_missing, dim=_missing, *extra, **unknown):
    """The smallest element up to each one along a dimension, and where it is, the last of equals.

    `values[i] = min(input[0], ..., input[i])`. Indices are int64. NaN is smaller than every number.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        values and indices have the shape of `input`.

    Returns:
        A named tuple `(values, indices)`.

    Method: `Tensor.cummin`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cummin.

    Example:
        >>> import tritonflow as flow
        >>> flow.cummin(flow.tensor([3.0, 1.0, 2.0]), 0)
        tritonflow.return_types.cummin(
        values=tensor([3., 1., 1.]),
        indices=tensor([0, 1, 1]))
    """
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _return_types.cummin(*_cum_min(input, dim))
    return _cummin_slow((input, dim), extra, unknown)

_logcumsumexp_slow = _Binding("logcumsumexp", "Tensor (Tensor input, Int32 dim)", _log_cum_sum_exp, methods="logcumsumexp")
def logcumsumexp(input=_missing, dim=_missing, *extra, **unknown):
    """The logarithms of the sums of exponentials up to each element along a dimension.

    `out[i] = log(exp(input[0]) + ... + exp(input[i]))`, without overflow.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `input`.

    Dtypes:
        The input is floating.

    Differentiable. Method: `Tensor.logcumsumexp`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logcumsumexp.

    Example:
        >>> import tritonflow as flow
        >>> flow.logcumsumexp(flow.tensor([0.0, 0.0, 100.0]), 0)
        tensor([  0.0000,   0.6931, 100.0000])
    """
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _log_cum_sum_exp(input, dim)
    return _logcumsumexp_slow((input, dim), extra, unknown)

_reversed_cumsum_slow = _Binding("reversed_cumsum", "Tensor (Tensor dy, Int32 dim, Bool reverse)", _reversed_cumsum)
def reversed_cumsum(dy=_missing, dim=_missing, reverse=_missing, *extra, **unknown):
    if dy.__class__ is _Tensor and dim.__class__ is int and (reverse is False or reverse is True) and not extra and not unknown:
        return _reversed_cumsum(dy, dim, reverse)
    return _reversed_cumsum_slow((dy, dim, reverse), extra, unknown)

_cumprod_grad_slow = _Binding("cumprod_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32 dim)", _cumprod_grad)
def cumprod_grad(dy=_missing, x=_missing, y=_missing, dim=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and dim.__class__ is int and not extra and
            not unknown):
        return _cumprod_grad(dy, x, y, dim)
    return _cumprod_grad_slow((dy, x, y, dim), extra, unknown)

_argsort_slow = _Binding("argsort", "Tensor (Tensor input, Int32 dim=-1, Bool descending=False)", _argsort,
        "Tensor (Tensor input, *, Bool stable, Int32 dim=-1, Bool descending=False)", _arg_sort_stable, methods="argsort")
def argsort(input=_missing, dim=-1, descending=False, *extra, stable=_missing, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and (descending is False or descending is True) and stable is _missing
            and not extra and not unknown):
        return _argsort(input, dim, descending)
    return _argsort_slow((input, dim, descending, stable), extra, unknown)

_topk_slow = _Binding("topk",
        "TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool largest=True, Bool sorted=True)", _topk,
        methods="topk", result=_return_types.topk)
def topk(input=_missing, k=_missing, dim=-1, largest=True, sorted=True, *extra, **unknown):
    if (input.__class__ is _Tensor and k.__class__ is int and dim.__class__ is int and (largest is True or largest is False) and
            (sorted is True or sorted is False) and not extra and not unknown):
        return _return_types.topk(*_topk(input, k, dim, largest, sorted))
    return _topk_slow((input, k, dim, largest, sorted), extra, unknown)

_sorted_grad_slow = _Binding("sorted_grad", "Tensor (Tensor dy, Tensor indices, Shape shape, Int32 dim)", _sorted_grad)
def sorted_grad(dy=_missing, indices=_missing, shape=_missing, dim=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and indices.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            dim.__class__ is int and not extra and not unknown):
        return _sorted_grad(dy, indices, tuple(shape) if shape.__class__ is list else shape, dim)
    return _sorted_grad_slow((dy, indices, shape, dim), extra, unknown)

_indexed_extremum_grad_slow = _Binding("indexed_extremum_grad",
        "Tensor (Tensor dy, Tensor index, Shape shape, Int32List dim, Bool keepdim)", _indexed_extremum_grad)
def indexed_extremum_grad(dy=_missing, index=_missing, shape=_missing, dim=_missing, keepdim=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and index.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            (dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _indexed_extremum_grad(dy, index, tuple(shape) if shape.__class__ is list else shape, tuple(dim) if
                dim.__class__ is list else dim, keepdim)
    return _indexed_extremum_grad_slow((dy, index, shape, dim, keepdim), extra, unknown)

_median_slow = _Binding("median", "Tensor (Tensor input)", _median,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _median_dim, methods="median",
        result=_return_types.median)
def median(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and not extra and not unknown:
        return _median(input)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and not extra and
            not unknown):
        return _return_types.median(*_median_dim(input, dim, keepdim))
    return _median_slow((input, dim, keepdim), extra, unknown)

_quantile_slow = _Binding("quantile",
        "Tensor (Tensor input, Tensor q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')", _quantile,
        "Tensor (Tensor input, Double q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')", _scalar_quantile,
        methods="quantile")
def quantile(input=_missing, q=_missing, dim=None, keepdim=False, *extra, interpolation='linear', **unknown):
    if (input.__class__ is _Tensor and q.__class__ is _Tensor and (dim is None or dim.__class__ is int) and
            (keepdim is False or keepdim is True) and interpolation.__class__ is str and not extra and not unknown):
        return _quantile(input, q, dim, keepdim, interpolation)
    if (input.__class__ is _Tensor and q.__class__ is float and (dim is None or dim.__class__ is int) and
            (keepdim is False or keepdim is True) and interpolation.__class__ is str and not extra and not unknown):
        return _scalar_quantile(input, q, dim, keepdim, interpolation)
    return _quantile_slow((input, q, dim, keepdim, interpolation), extra, unknown)

_nanquantile_slow = _Binding("nanquantile",
        "Tensor (Tensor input, Tensor q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')", _nanquantile,
        "Tensor (Tensor input, Double q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')",
        _scalar_nan_quantile, methods="nanquantile")
def nanquantile(input=_missing, q=_missing, dim=None, keepdim=False, *extra, interpolation='linear', **unknown):
    if (input.__class__ is _Tensor and q.__class__ is _Tensor and (dim is None or dim.__class__ is int) and
            (keepdim is False or keepdim is True) and interpolation.__class__ is str and not extra and not unknown):
        return _nanquantile(input, q, dim, keepdim, interpolation)
    if (input.__class__ is _Tensor and q.__class__ is float and (dim is None or dim.__class__ is int) and
            (keepdim is False or keepdim is True) and interpolation.__class__ is str and not extra and not unknown):
        return _scalar_nan_quantile(input, q, dim, keepdim, interpolation)
    return _nanquantile_slow((input, q, dim, keepdim, interpolation), extra, unknown)

_logcumsumexp_grad_slow = _Binding("logcumsumexp_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32 dim, Bool reverse)",
        _logcumsumexp_grad)
def logcumsumexp_grad(dy=_missing, x=_missing, y=_missing, dim=_missing, reverse=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and dim.__class__ is int and
            (reverse is False or reverse is True) and not extra and not unknown):
        return _logcumsumexp_grad(dy, x, y, dim, reverse)
    return _logcumsumexp_grad_slow((dy, x, y, dim, reverse), extra, unknown)

_msort_slow = _Binding("msort", "Tensor (Tensor input)", _msort, methods="msort")
def msort(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _msort(input)
    return _msort_slow((input,), extra, unknown)

_kthvalue_slow = _Binding("kthvalue", "TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool keepdim=False)",
        _kthvalue, methods="kthvalue", result=_return_types.kthvalue)
def kthvalue(input=_missing, k=_missing, dim=-1, keepdim=False, *extra, **unknown):
    if (input.__class__ is _Tensor and k.__class__ is int and dim.__class__ is int and (keepdim is False or keepdim is True) and
            not extra and not unknown):
        return _return_types.kthvalue(*_kthvalue(input, k, dim, keepdim))
    return _kthvalue_slow((input, k, dim, keepdim), extra, unknown)

_mode_slow = _Binding("mode", "TensorTuple[values, indices] (Tensor input, Int32 dim=-1, Bool keepdim=False)", _mode,
        methods="mode", result=_return_types.mode)
def mode(input=_missing, dim=-1, keepdim=False, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and not extra and
            not unknown):
        return _return_types.mode(*_mode(input, dim, keepdim))
    return _mode_slow((input, dim, keepdim), extra, unknown)

_nanmedian_slow = _Binding("nanmedian", "Tensor (Tensor input)", _nanmedian,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _nan_median_dim, methods="nanmedian",
        result=_return_types.nanmedian)
def nanmedian(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and not extra and not unknown:
        return _nanmedian(input)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and not extra and
            not unknown):
        return _return_types.nanmedian(*_nan_median_dim(input, dim, keepdim))
    return _nanmedian_slow((input, dim, keepdim), extra, unknown)

_methods = _publish(globals())
