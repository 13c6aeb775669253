"""Functions of the binding: scan_sort.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.scan_sort import (argsort as _arg_sort, argsort_stable as _arg_sort_stable, cumprod as _cum_prod,
        cumprod_grad as _cum_prod_grad, cumsum as _cum_sum, indexed_extremum_grad as _indexed_extremum_grad, median as _median,
        median_dim as _median_dim, reversed_cumsum as _reversed_cum_sum, sort as _sort, sort_stable as _sort_stable,
        sorted_grad as _sorted_grad, topk as _top_k)
from tritonflow.functions.scan_sort_scans import (cummax as _cum_max, cummin as _cum_min, kthvalue as _kth_value,
        logcumsumexp as _log_cum_sum_exp, logcumsumexp_grad as _log_cum_sum_exp_grad, msort as _m_sort, mode as _mode,
        nanmedian as _nan_median, nanmedian_dim as _nan_median_dim, nanquantile as _nan_quantile, quantile as _quantile,
        scalar_nanquantile as _scalar_nan_quantile, scalar_quantile as _scalar_quantile)
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
    """In place: the sums of the elements up to each one, along a dimension.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.cumsum`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        dtype: of the sums; the input is cast to it first.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`; `input` is a leaf
            that requires grad.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cumsum.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and (dtype is None or dtype.__class__ is _DType) and not extra and
            not unknown):
        return _cum_sum_over(input, dim, dtype, inplace=True)
    return _cumsum__slow((input, dim, dtype), extra, unknown)

_reversed_cumsum_slow = _Binding("reversed_cumsum", "Tensor (Tensor dy, Int32 dim, Bool reverse)", _reversed_cum_sum)
def reversed_cumsum(dy=_missing, dim=_missing, reverse=_missing, *extra, **unknown):
    """the gradient of cumsum"""
    if dy.__class__ is _Tensor and dim.__class__ is int and (reverse is False or reverse is True) and not extra and not unknown:
        return _reversed_cum_sum(dy, dim, reverse)
    return _reversed_cumsum_slow((dy, dim, reverse), extra, unknown)

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
    """In place: the products of the elements up to each one, along a dimension.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.cumprod`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        dtype: of the products; the input is cast to it first.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`; `input` is a leaf
            that requires grad.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cumprod.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and (dtype is None or dtype.__class__ is _DType) and not extra and
            not unknown):
        return _cum_prod_over(input, dim, dtype, inplace=True)
    return _cumprod__slow((input, dim, dtype), extra, unknown)

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

_sorted_grad_slow = _Binding("sorted_grad", "Tensor (Tensor dy, Tensor indices, Shape shape, Int32 dim)", _sorted_grad)
def sorted_grad(dy=_missing, indices=_missing, shape=_missing, dim=_missing, *extra, **unknown):
    """the gradient of sort and topk"""
    if (dy.__class__ is _Tensor and indices.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and dim.__class__ is int and not extra and not unknown):
        return _sorted_grad(dy, indices, shape, dim)
    return _sorted_grad_slow((dy, indices, shape, dim), extra, unknown)

_argsort_slow = _Binding("argsort", "Tensor (Tensor input, Int32 dim=-1, Bool descending=False)", _arg_sort,
        "Tensor (Tensor input, *, Bool stable, Int32 dim=-1, Bool descending=False)", _arg_sort_stable, methods="argsort")
def argsort(input=_missing, dim=-1, descending=False, *extra, stable=_missing, **unknown):
    """The indices that sort a tensor along a dimension.

    The indices of `flow.sort`, int64.

    Overloads:
        - `argsort(input: Tensor, dim: int = -1, descending: bool = False) -> Tensor`
        - `argsort(input: Tensor, *, stable: bool, dim: int = -1, descending: bool = False) -> Tensor`

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        descending: whether that of the largest is first.
        stable: whatever it is, equal elements keep their order.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `input`.

    Not differentiable: gives no floating values. Method: `Tensor.argsort`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.argsort.

    Example:
        >>> import tritonflow as flow
        >>> flow.argsort(flow.tensor([3.0, 1.0, 2.0]))
        tensor([1, 2, 0])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and (descending is False or descending is True) and stable is _missing
            and not extra and not unknown):
        return _arg_sort(input, dim, descending)
    return _argsort_slow((input, dim, descending, stable), extra, unknown)

_topk_slow = _Binding("topk",
        "TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool largest=True, Bool sorted=True)", _top_k,
        methods="topk", result=_return_types.topk)
def topk(input=_missing, k=_missing, dim=-1, largest=True, sorted=True, *extra, **unknown):
    """The k largest (or smallest) elements along a dimension, and where they are.

    NaN counts as the largest. Indices are int64. Gradients flow to the elements that the values came
    from.

    Args:
        input: the input.
        k: how many.
        dim: the dimension; a negative one counts from the end.
        largest: whether the largest are wanted, or the smallest.
        sorted: whether they must be in order; here they always are.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> values and indices (..., k, ...).

    Returns:
        A named tuple `(values, indices)`.

    Method: `Tensor.topk`.

    Raises:
        IndexError: `k` is not within [0, n]; `dim` is out of range.
        NotImplementedError: bool or complex tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.topk.

    Example:
        >>> import tritonflow as flow
        >>> flow.topk(flow.tensor([3.0, 1.0, 2.0]), 2)
        tritonflow.return_types.topk(
        values=tensor([3., 2.]),
        indices=tensor([0, 2]))
    """
    if (input.__class__ is _Tensor and k.__class__ is int and dim.__class__ is int and (largest is True or largest is False) and
            (sorted is True or sorted is False) and not extra and not unknown):
        return _return_types.topk(*_top_k(input, k, dim, largest, sorted))
    return _topk_slow((input, k, dim, largest, sorted), extra, unknown)

_median_slow = _Binding("median", "Tensor (Tensor input)", _median,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _median_dim, methods="median",
        result=_return_types.median)
def median(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    """The middle element (the lower of two) of a tensor, or along a dimension and where it is.

    Of an even number of elements it is the lower middle one, NaN where there is any.

    Overloads:
        - `median(input: Tensor) -> Tensor`
        - `median(input: Tensor, dim: int, keepdim: bool = False) -> return_types.median`

    Args:
        input: the input.
        dim: the dimension; all elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A tensor, or where several are returned a named tuple `(values, indices)`.

    Method: `Tensor.median`.

    Raises:
        RuntimeError: bool or complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.median.

    Example:
        >>> import tritonflow as flow
        >>> flow.median(flow.tensor([3.0, 1.0, 2.0, 4.0]))
        tensor(2.)
        >>> flow.median(flow.tensor([[3.0, 1.0, 2.0]]), 1)
        tritonflow.return_types.median(
        values=tensor([2.]),
        indices=tensor([2]))
    """
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and not extra and not unknown:
        return _median(input)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and not extra and
            not unknown):
        return _return_types.median(*_median_dim(input, dim, keepdim))
    return _median_slow((input, dim, keepdim), extra, unknown)

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

_logcumsumexp_grad_slow = _Binding("logcumsumexp_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32 dim, Bool reverse)",
        _log_cum_sum_exp_grad)
def logcumsumexp_grad(dy=_missing, x=_missing, y=_missing, dim=_missing, reverse=_missing, *extra, **unknown):
    """the gradient of logcumsumexp"""
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and dim.__class__ is int and
            (reverse is False or reverse is True) and not extra and not unknown):
        return _log_cum_sum_exp_grad(dy, x, y, dim, reverse)
    return _logcumsumexp_grad_slow((dy, x, y, dim, reverse), extra, unknown)

_msort_slow = _Binding("msort", "Tensor (Tensor input)", _m_sort, methods="msort")
def msort(input=_missing, *extra, **unknown):
    """The elements in order along the first dimension.

    `flow.sort(input, dim=0)` without the indices.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `input`.

    Method: `Tensor.msort`.

    Raises:
        NotImplementedError: complex tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.msort.

    Example:
        >>> import tritonflow as flow
        >>> flow.msort(flow.tensor([[3.0, 1.0], [2.0, 4.0]]))
        tensor([[2., 1.],
                [3., 4.]])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _m_sort(input)
    return _msort_slow((input,), extra, unknown)

_kthvalue_slow = _Binding("kthvalue", "TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool keepdim=False)",
        _kth_value, methods="kthvalue", result=_return_types.kthvalue)
def kthvalue(input=_missing, k=_missing, dim=-1, keepdim=False, *extra, **unknown):
    """The k-th smallest element along a dimension, and where it is.

    NaN counts as the largest. Indices are int64.

    Args:
        input: the input.
        k: which, 1 for the smallest.
        dim: the dimension; a negative one counts from the end.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> values and indices (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A named tuple `(values, indices)`.

    Method: `Tensor.kthvalue`.

    Raises:
        RuntimeError: `k` is not within [1, n].
        NotImplementedError: bool or complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.kthvalue.

    Example:
        >>> import tritonflow as flow
        >>> flow.kthvalue(flow.tensor([3.0, 1.0, 2.0]), 2)
        tritonflow.return_types.kthvalue(
        values=tensor(2.),
        indices=tensor(2))
    """
    if (input.__class__ is _Tensor and k.__class__ is int and dim.__class__ is int and (keepdim is False or keepdim is True) and
            not extra and not unknown):
        return _return_types.kthvalue(*_kth_value(input, k, dim, keepdim))
    return _kthvalue_slow((input, k, dim, keepdim), extra, unknown)

_mode_slow = _Binding("mode", "TensorTuple[values, indices] (Tensor input, Int32 dim=-1, Bool keepdim=False)", _mode,
        methods="mode", result=_return_types.mode)
def mode(input=_missing, dim=-1, keepdim=False, *extra, **unknown):
    """The most frequent element along a dimension, the smallest of several, and where it is last.

    Indices are int64.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> values and indices (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A named tuple `(values, indices)`.

    Method: `Tensor.mode`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mode.

    Example:
        >>> import tritonflow as flow
        >>> flow.mode(flow.tensor([2, 1, 2, 1, 3]))
        tritonflow.return_types.mode(
        values=tensor(1),
        indices=tensor(3))
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and not extra and
            not unknown):
        return _return_types.mode(*_mode(input, dim, keepdim))
    return _mode_slow((input, dim, keepdim), extra, unknown)

_nanmedian_slow = _Binding("nanmedian", "Tensor (Tensor input)", _nan_median,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _nan_median_dim, methods="nanmedian",
        result=_return_types.nanmedian)
def nanmedian(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    """The middle element (the lower of two) of those that are no NaN, of a tensor or along a dimension and where it is.

    `flow.median` that leaves NaN out; NaN where there are no others.

    Overloads:
        - `nanmedian(input: Tensor) -> Tensor`
        - `nanmedian(input: Tensor, dim: int, keepdim: bool = False) -> return_types.nanmedian`

    Args:
        input: the input.
        dim: the dimension; all elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A tensor, or where several are returned a named tuple `(values, indices)`.

    Method: `Tensor.nanmedian`.

    Raises:
        RuntimeError: bool or complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nanmedian.

    Example:
        >>> import tritonflow as flow
        >>> flow.nanmedian(flow.tensor([3.0, float("nan"), 1.0]))
        tensor(1.)
    """
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and not extra and not unknown:
        return _nan_median(input)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and not extra and
            not unknown):
        return _return_types.nanmedian(*_nan_median_dim(input, dim, keepdim))
    return _nanmedian_slow((input, dim, keepdim), extra, unknown)

_quantile_slow = _Binding("quantile",
        "Tensor (Tensor input, Tensor q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')", _quantile,
        "Tensor (Tensor input, Double q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')", _scalar_quantile,
        methods="quantile")
def quantile(input=_missing, q=_missing, dim=None, keepdim=False, *extra, interpolation='linear', **unknown):
    """The elements below which the shares q of a tensor lie, or of a dimension.

    For a share q it is the element at position `q * (n - 1)` of those in order; `interpolation` says
    what is taken between two. NaN where there is any.

    Args:
        input: the input.
        q: a share or a tensor of shares within [0, 1], of the input's dtype.
        dim: the dimension; a negative one counts from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        interpolation: `"linear"`, `"lower"`, `"higher"`, `"midpoint"` or `"nearest"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with a tensor of q before it.

    Method: `Tensor.quantile`.

    Raises:
        RuntimeError: a dtype other than float32 and float64; q outside of [0, 1]; an unknown interpolation.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.quantile.

    Example:
        >>> import tritonflow as flow
        >>> flow.quantile(flow.tensor([1.0, 2.0, 3.0, 4.0]), 0.5)
        tensor(2.5000)
        >>> flow.quantile(flow.tensor([1.0, 2.0, 3.0, 4.0]), flow.tensor([0.25, 0.75]))
        tensor([1.7500, 3.2500])
    """
    if (input.__class__ is _Tensor and q.__class__ is _Tensor and (dim is None or dim.__class__ is int) and
            (keepdim is False or keepdim is True) and interpolation.__class__ is str and not extra and not unknown):
        return _quantile(input, q, dim, keepdim, interpolation)
    if (input.__class__ is _Tensor and q.__class__ is float and (dim is None or dim.__class__ is int) and
            (keepdim is False or keepdim is True) and interpolation.__class__ is str and not extra and not unknown):
        return _scalar_quantile(input, q, dim, keepdim, interpolation)
    return _quantile_slow((input, q, dim, keepdim, interpolation), extra, unknown)

_nanquantile_slow = _Binding("nanquantile",
        "Tensor (Tensor input, Tensor q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')", _nan_quantile,
        "Tensor (Tensor input, Double q, Int32 dim=None, Bool keepdim=False, *, String interpolation='linear')",
        _scalar_nan_quantile, methods="nanquantile")
def nanquantile(input=_missing, q=_missing, dim=None, keepdim=False, *extra, interpolation='linear', **unknown):
    """Quantile of the elements that are no NaN.

    `flow.quantile` that leaves NaN out; NaN where there are no others.

    Args:
        input: the input.
        q: a share or a tensor of shares within [0, 1], of the input's dtype.
        dim: the dimension; a negative one counts from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        interpolation: `"linear"`, `"lower"`, `"higher"`, `"midpoint"` or `"nearest"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with a tensor of q before it.

    Method: `Tensor.nanquantile`.

    Raises:
        RuntimeError: a dtype other than float32 and float64; q outside of [0, 1]; an unknown interpolation.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nanquantile.

    Example:
        >>> import tritonflow as flow
        >>> flow.nanquantile(flow.tensor([1.0, float("nan"), 3.0]), 0.5)
        tensor(2.)
    """
    if (input.__class__ is _Tensor and q.__class__ is _Tensor and (dim is None or dim.__class__ is int) and
            (keepdim is False or keepdim is True) and interpolation.__class__ is str and not extra and not unknown):
        return _nan_quantile(input, q, dim, keepdim, interpolation)
    if (input.__class__ is _Tensor and q.__class__ is float and (dim is None or dim.__class__ is int) and
            (keepdim is False or keepdim is True) and interpolation.__class__ is str and not extra and not unknown):
        return _scalar_nan_quantile(input, q, dim, keepdim, interpolation)
    return _nanquantile_slow((input, q, dim, keepdim, interpolation), extra, unknown)

_indexed_extremum_grad_slow = _Binding("indexed_extremum_grad",
        "Tensor (Tensor dy, Tensor index, Shape shape, Int32List dim, Bool keepdim)", _indexed_extremum_grad)
def indexed_extremum_grad(dy=_missing, index=_missing, shape=_missing, dim=_missing, keepdim=_missing, *extra, **unknown):
    """the gradient of max and min along a dimension"""
    if (dy.__class__ is _Tensor and index.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and (dim.__class__ is _Size or dim.__class__ is tuple and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _indexed_extremum_grad(dy, index, shape, dim, keepdim)
    return _indexed_extremum_grad_slow((dy, index, shape, dim, keepdim), extra, unknown)

_methods = _publish(globals())
