"""Functions of the binding: reduction.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.generated import (combine_shares as _combine_shares, log_of_sum as _log_of_sum)
from tritonflow.functions.reduction import (amax as _a_max, amin as _a_min, argmax as _arg_max, argmin as _arg_min,
        max_dim as _max_dim, max_other as _max_other, min_dim as _min_dim, min_other as _min_other, norm as _norm,
        all as _reduce_all, any as _reduce_any, max as _reduce_max, mean as _reduce_mean, min as _reduce_min,
        nansum as _reduce_nan_sum, prod as _reduce_prod, sum as _reduce_sum, std as _std, std_all as _std_all,
        std_corrected as _std_correction, var as _var, var_all as _var_all, var_corrected as _var_correction,
        var_mean as _var_mean, var_mean_all as _var_mean_all, var_mean_corrected as _var_mean_correction,
        equals_grad as _equals_grad, extremum_grad as _extremum_grad, logsumexp as _logsumexp, mean_grad as _mean_grad,
        norm_grad as _norm_grad, prod_grad as _prod_grad, sum_to as _sum_to, var_grad as _var_grad)
from tritonflow.functions.reduction_calculus import (cumulative_trapezoid_points as _cumulative_trapezoid_points,
        gradient_points as _gradient_points, gradient_spacings as _gradient_spacings, trapezoid_points as _trapezoid_points,
        cumulative_trapezoid as _cumulative_trapezoid, diff as _diff, gradient as _gradient, trapezoid as _trapezoid)
from tritonflow.functions.reduction_histograms import (histogram_of_count as _histogram_of_count, histogram as _histogram,
        histogramdd as _histogramdd)
from tritonflow.functions.reduction_norms import (linalg_norm_of_name as _linalg_norm_of_name,
        matrix_norm_order as _matrix_norm_order, norm_of_name as _norm_of_name, linalg_norm as _linalg_norm,
        matrix_norm as _matrix_norm, renorm as _renorm, vector_norm as _vector_norm)
from tritonflow.functions.reduction_statistics import (std_mean_all as _std_mean_all, std_mean_corrected as _std_mean_correction,
        aminmax as _aminmax, corrcoef as _corrcoef, count_nonzero as _count_nonzero, cov as _cov, histc as _histc,
        nanmean as _nanmean, std_mean as _std_mean)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_sum_slow = _Binding("sum", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _reduce_sum, methods="sum", autocast="float32")
def sum(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """The sum over some dimensions, or over all.

    `out = sum of input[..., i, ...] over i`. Integers and bool are added up as int64. An empty sum is
    0. Half types are added up in float32.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the sum; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Under `flow.autocast` it computes in float32. Method: `Tensor.sum`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sum.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> flow.sum(x)
        tensor(10.)
        >>> flow.sum(x, dim=0, keepdim=True)
        tensor([[4., 6.]])
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _reduce_sum(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim,
                dtype)
    return _sum_slow((input, dim, keepdim, dtype), extra, unknown)

_nansum_slow = _Binding("nansum", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _reduce_nan_sum, methods="nansum")
def nansum(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """The sum over some dimensions, NaN counting as 0.

    `flow.sum` of the elements that are no NaN.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the sum; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Method: `Tensor.nansum`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nansum.

    Example:
        >>> import tritonflow as flow
        >>> flow.nansum(flow.tensor([1.0, float("nan"), 2.0]))
        tensor(3.)
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _reduce_nan_sum(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim,
                dtype)
    return _nansum_slow((input, dim, keepdim, dtype), extra, unknown)

_mean_slow = _Binding("mean", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _reduce_mean, methods="mean")
def mean(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """The mean over some dimensions, or over all.

    The sum divided by the number of elements; NaN of none.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the mean; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Method: `Tensor.mean`.

    Raises:
        RuntimeError: integers or bool without a floating `dtype`.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mean.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> flow.mean(x)
        tensor(2.5000)
        >>> flow.mean(x, 1)
        tensor([1.5000, 3.5000])
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _reduce_mean(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim,
                dtype)
    return _mean_slow((input, dim, keepdim, dtype), extra, unknown)

_prod_slow = _Binding("prod", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _reduce_prod, methods="prod", autocast="float32")
def prod(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """The product over a dimension, or over all.

    Integers and bool are multiplied as int64. An empty product is 1.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the product; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Under `flow.autocast` it computes in float32. Method: `Tensor.prod`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.prod.

    Example:
        >>> import tritonflow as flow
        >>> flow.prod(flow.tensor([[1.0, 2.0], [3.0, 4.0]]), 0)
        tensor([3., 8.])
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _reduce_prod(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim,
                dtype)
    return _prod_slow((input, dim, keepdim, dtype), extra, unknown)

_amax_slow = _Binding("amax", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)", _a_max, methods="amax")
def amax(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """The largest element over some dimensions, or over all.

    Equal largest elements share the gradient. NaN is larger than every number.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Method: `Tensor.amax`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: a dimension of size 0 is reduced; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.amax.

    Example:
        >>> import tritonflow as flow
        >>> flow.amax(flow.tensor([[1.0, 5.0], [3.0, 2.0]]), 1)
        tensor([5., 3.])
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _a_max(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _amax_slow((input, dim, keepdim), extra, unknown)

_amin_slow = _Binding("amin", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)", _a_min, methods="amin")
def amin(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """The smallest element over some dimensions, or over all.

    Equal smallest elements share the gradient. NaN is smaller than every number.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Method: `Tensor.amin`.

    Raises:
        NotImplementedError: complex tensors.
        IndexError: a dimension of size 0 is reduced; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.amin.

    Example:
        >>> import tritonflow as flow
        >>> flow.amin(flow.tensor([[1.0, 5.0], [3.0, 2.0]]), 1)
        tensor([1., 2.])
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _a_min(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _amin_slow((input, dim, keepdim), extra, unknown)

_combine_shares_slow = _Binding("combine_shares", "Tensor (Tensor input, String kind)", _combine_shares)
def combine_shares(input=_missing, kind=_missing, *extra, **unknown):
    """the shares of a partial tensor, along the first dimension, made one from the first to the last; kind is sum, max or min"""
    if input.__class__ is _Tensor and kind.__class__ is str and not extra and not unknown:
        return _combine_shares(input, kind)
    return _combine_shares_slow((input, kind), extra, unknown)

_max_slow = _Binding("max", "Tensor (Tensor input)", _reduce_max, "Tensor (Tensor input, Tensor other)", _max_other,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _max_dim, methods="max",
        result=_return_types.max)
def max(input=_missing, dim=_missing, keepdim=False, *extra, other=_missing, **unknown):
    """The largest element; along a dimension also where it is; of two tensors the larger elements.

    Without a dimension it returns a tensor without dimensions; along one a named tuple with the values
    and where they are; with a second tensor it is `flow.maximum`. NaN is larger than every number.
    Without a dimension all elements that are the largest, or NaN, share the gradient.

    Overloads:
        - `max(input: Tensor) -> Tensor`
        - `max(input: Tensor, other: Tensor) -> Tensor`
        - `max(input: Tensor, dim: int, keepdim: bool = False) -> return_types.max`

    Args:
        input: the input.
        other: a second tensor.
        dim: the dimension; all elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A tensor, or where several are returned a named tuple `(values, indices)`.

    Differentiable. Method: `Tensor.max`.

    Raises:
        NotImplementedError: complex tensors.
        RuntimeError: an empty tensor without `dim`.
        IndexError: a dimension of size 0 is reduced; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.max.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 5.0], [3.0, 2.0]])
        >>> flow.max(x)
        tensor(5.)
        >>> flow.max(x, dim=1)
        tritonflow.return_types.max(
        values=tensor([5., 3.]),
        indices=tensor([1, 0]))
    """
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and other is _missing and not extra and not unknown:
        return _reduce_max(input)
    if (input.__class__ is _Tensor and dim.__class__ is _Tensor and keepdim is False and other is _missing and not extra and
            not unknown):
        return _max_other(input, dim)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and other is _missing and
            not extra and not unknown):
        return _return_types.max(*_max_dim(input, dim, keepdim))
    return _max_slow((input, dim, keepdim, other), extra, unknown)

_min_slow = _Binding("min", "Tensor (Tensor input)", _reduce_min, "Tensor (Tensor input, Tensor other)", _min_other,
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)", _min_dim, methods="min",
        result=_return_types.min)
def min(input=_missing, dim=_missing, keepdim=False, *extra, other=_missing, **unknown):
    """The smallest element; along a dimension also where it is; of two tensors the smaller elements.

    Without a dimension it returns a tensor without dimensions; along one a named tuple with the values
    and where they are; with a second tensor it is `flow.minimum`. NaN is smaller than every number.
    Without a dimension all elements that are the smallest, or NaN, share the gradient.

    Overloads:
        - `min(input: Tensor) -> Tensor`
        - `min(input: Tensor, other: Tensor) -> Tensor`
        - `min(input: Tensor, dim: int, keepdim: bool = False) -> return_types.min`

    Args:
        input: the input.
        other: a second tensor.
        dim: the dimension; all elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Returns:
        A tensor, or where several are returned a named tuple `(values, indices)`.

    Differentiable. Method: `Tensor.min`.

    Raises:
        NotImplementedError: complex tensors.
        RuntimeError: an empty tensor without `dim`.
        IndexError: a dimension of size 0 is reduced; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.min.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 5.0], [3.0, 2.0]])
        >>> flow.min(x)
        tensor(1.)
        >>> flow.min(x, dim=1)
        tritonflow.return_types.min(
        values=tensor([1., 2.]),
        indices=tensor([0, 1]))
    """
    if input.__class__ is _Tensor and dim is _missing and keepdim is False and other is _missing and not extra and not unknown:
        return _reduce_min(input)
    if (input.__class__ is _Tensor and dim.__class__ is _Tensor and keepdim is False and other is _missing and not extra and
            not unknown):
        return _min_other(input, dim)
    if (input.__class__ is _Tensor and dim.__class__ is int and (keepdim is False or keepdim is True) and other is _missing and
            not extra and not unknown):
        return _return_types.min(*_min_dim(input, dim, keepdim))
    return _min_slow((input, dim, keepdim, other), extra, unknown)

_argmax_slow = _Binding("argmax", "Tensor (Tensor input, Int32 dim=None, Bool keepdim=False)", _arg_max, methods="argmax")
def argmax(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """Where the largest element is, the first of equals.

    Indices are int64; without a dimension those of the flattened tensor. NaN is larger than every
    number.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Dtypes:
        The input is real, and not bool.

    Not differentiable. Method: `Tensor.argmax`.

    Raises:
        IndexError: a dimension of size 0 is reduced, or an empty tensor; `dim` is out of range.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.argmax.

    Example:
        >>> import tritonflow as flow
        >>> flow.argmax(flow.tensor([[1.0, 5.0], [3.0, 2.0]]), 1)
        tensor([1, 0])
    """
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int) and (keepdim is False or keepdim is True) and
            not extra and not unknown):
        return _arg_max(input, dim, keepdim)
    return _argmax_slow((input, dim, keepdim), extra, unknown)

_argmin_slow = _Binding("argmin", "Tensor (Tensor input, Int32 dim=None, Bool keepdim=False)", _arg_min, methods="argmin")
def argmin(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """Where the smallest element is, the first of equals.

    Indices are int64; without a dimension those of the flattened tensor. NaN is smaller than every
    number.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Dtypes:
        The input is real, and not bool.

    Not differentiable. Method: `Tensor.argmin`.

    Raises:
        IndexError: a dimension of size 0 is reduced, or an empty tensor; `dim` is out of range.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.argmin.

    Example:
        >>> import tritonflow as flow
        >>> flow.argmin(flow.tensor([[1.0, 5.0], [3.0, 2.0]]), 1)
        tensor([0, 1])
    """
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int) and (keepdim is False or keepdim is True) and
            not extra and not unknown):
        return _arg_min(input, dim, keepdim)
    return _argmin_slow((input, dim, keepdim), extra, unknown)

_any_slow = _Binding("any", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)", _reduce_any, methods="any")
def any(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """Whether some element is true.

    A number counts as true where it is not 0; NaN is true. Of no elements it is false. The result is
    bool, of uint8 it is uint8.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Not differentiable. Method: `Tensor.any`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.any.

    Example:
        >>> import tritonflow as flow
        >>> flow.any(flow.tensor([[False, True], [False, False]]), 1)
        tensor([ True, False])
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _reduce_any(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _any_slow((input, dim, keepdim), extra, unknown)

_all_slow = _Binding("all", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)", _reduce_all, methods="all")
def all(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """Whether every element is true.

    A number counts as true where it is not 0; NaN is true. Of no elements it is true. The result is
    bool, of uint8 it is uint8.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Not differentiable. Method: `Tensor.all`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.all.

    Example:
        >>> import tritonflow as flow
        >>> flow.all(flow.tensor([[True, True], [False, True]]), 1)
        tensor([ True, False])
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _reduce_all(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _all_slow((input, dim, keepdim), extra, unknown)

_var_slow = _Binding("var", "Tensor (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)", _var,
        "Tensor (Tensor input, Bool unbiased)", _var_all,
        "Tensor (Tensor input, Int32List[1] dim=None, *, Double correction=None, Bool keepdim=False)", _var_correction,
        methods="var")
def var(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=None, **unknown):
    """The variance, divided by n - correction.

    `out = sum((input - mean) ** 2) / max(0, n - correction)`. Of complex numbers it is real.

    Overloads:
        - `var(input: Tensor, dim: int | Sequence[int] | None = None, unbiased: bool = True, keepdim: bool = False) -> Tensor`
        - `var(input: Tensor, unbiased: bool) -> Tensor`
        - `var(input: Tensor, dim: int | Sequence[int] | None = None, *, correction: float | None = None, keepdim: bool = False) -> Tensor`
        - `var(input: Tensor, *dim: int, correction: float | None = None, keepdim: bool = False) -> Tensor`

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        unbiased: True for a correction of 1, False for one of 0.
        keepdim: whether reduced dimensions stay, with size 1.
        correction: what is subtracted from the number of elements in the divisor; 1 unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Method: `Tensor.var`.

    Raises:
        RuntimeError: integers or bool.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.var.

    Example:
        >>> import tritonflow as flow
        >>> flow.var(flow.tensor([1.0, 2.0, 3.0, 4.0]))
        tensor(1.6667)
        >>> flow.var(flow.tensor([1.0, 2.0, 3.0, 4.0]), correction=0)
        tensor(1.2500)
    """
    if (input.__class__ is _Tensor and dim is _missing and unbiased is _missing and (keepdim is False or keepdim is True) and
            correction is None and not extra and not unknown):
        return _var(input, None, True, keepdim)
    if (input.__class__ is _Tensor and (dim is False or dim is True) and unbiased is _missing and keepdim is False and
            correction is None and not extra and not unknown):
        return _var_all(input, dim)
    return _var_slow((input, dim, unbiased, keepdim, correction), extra, unknown)

_std_slow = _Binding("std", "Tensor (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)", _std,
        "Tensor (Tensor input, Bool unbiased)", _std_all,
        "Tensor (Tensor input, Int32List[1] dim=None, *, Double correction=None, Bool keepdim=False)", _std_correction,
        methods="std")
def std(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=None, **unknown):
    """The standard deviation, the square root of the variance.

    `out = sqrt(sum((input - mean) ** 2) / max(0, n - correction))`. Of complex numbers it is real.

    Overloads:
        - `std(input: Tensor, dim: int | Sequence[int] | None = None, unbiased: bool = True, keepdim: bool = False) -> Tensor`
        - `std(input: Tensor, unbiased: bool) -> Tensor`
        - `std(input: Tensor, dim: int | Sequence[int] | None = None, *, correction: float | None = None, keepdim: bool = False) -> Tensor`
        - `std(input: Tensor, *dim: int, correction: float | None = None, keepdim: bool = False) -> Tensor`

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        unbiased: True for a correction of 1, False for one of 0.
        keepdim: whether reduced dimensions stay, with size 1.
        correction: what is subtracted from the number of elements in the divisor; 1 unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Method: `Tensor.std`.

    Raises:
        RuntimeError: integers or bool.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.std.

    Example:
        >>> import tritonflow as flow
        >>> flow.std(flow.tensor([1.0, 2.0, 3.0, 4.0]))
        tensor(1.2910)
    """
    if (input.__class__ is _Tensor and dim is _missing and unbiased is _missing and (keepdim is False or keepdim is True) and
            correction is None and not extra and not unknown):
        return _std(input, None, True, keepdim)
    if (input.__class__ is _Tensor and (dim is False or dim is True) and unbiased is _missing and keepdim is False and
            correction is None and not extra and not unknown):
        return _std_all(input, dim)
    return _std_slow((input, dim, unbiased, keepdim, correction), extra, unknown)

_var_mean_slow = _Binding("var_mean", "TensorTuple (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)",
        _var_mean, "TensorTuple (Tensor input, Bool unbiased)", _var_mean_all,
        "TensorTuple (Tensor input, Int32List[1] dim=None, *, Double correction=None, Bool keepdim=False)", _var_mean_correction)
def var_mean(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=None, **unknown):
    """The variance and the mean.

    Both are computed in one pass over the input: a tuple of `flow.var` and `flow.mean`.

    Overloads:
        - `var_mean(input: Tensor, dim: int | Sequence[int] | None = None, unbiased: bool = True, keepdim: bool = False) -> tuple[Tensor, ...]`
        - `var_mean(input: Tensor, unbiased: bool) -> tuple[Tensor, ...]`
        - `var_mean(input: Tensor, dim: int | Sequence[int] | None = None, *, correction: float | None = None, keepdim: bool = False) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        unbiased: True for a correction of 1, False for one of 0.
        keepdim: whether reduced dimensions stay, with size 1.
        correction: what is subtracted from the number of elements in the divisor; 1 unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> twice (..., ...), with `keepdim` (..., 1, ...).

    Differentiable.

    Raises:
        RuntimeError: integers or bool.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.var_mean.

    Example:
        >>> import tritonflow as flow
        >>> flow.var_mean(flow.tensor([1.0, 2.0, 3.0, 4.0]))
        (tensor(1.6667), tensor(2.5000))
    """
    if (input.__class__ is _Tensor and dim is _missing and unbiased is _missing and (keepdim is False or keepdim is True) and
            correction is None and not extra and not unknown):
        return _var_mean(input, None, True, keepdim)
    if (input.__class__ is _Tensor and (dim is False or dim is True) and unbiased is _missing and keepdim is False and
            correction is None and not extra and not unknown):
        return _var_mean_all(input, dim)
    return _var_mean_slow((input, dim, unbiased, keepdim, correction), extra, unknown)

_norm_slow = _Binding("norm",
        "Tensor (Tensor input, Float p=None, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)", _norm,
        "Tensor (Tensor input, String p, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)", _norm_of_name,
        methods="norm", autocast="float32")
def norm(input=_missing, p=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """The p-norm over some dimensions, or over all.

    `out = sum(abs(input) ** p) ** (1 / p)` for vectors. `p=None` is 2 over all elements.

    Args:
        input: the input.
        p: the order; an infinity takes the largest absolute value, 0 counts what is not 0; of matrices also
            `"fro"` and `"nuc"`.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the norm; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Differentiable. Under `flow.autocast` it computes in float32. Method: `Tensor.norm`.

    Raises:
        RuntimeError: integers or bool; an unknown order.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.norm.

    Example:
        >>> import tritonflow as flow
        >>> flow.norm(flow.tensor([3.0, 4.0]))
        tensor(5.)
        >>> flow.norm(flow.tensor([[3.0, -4.0], [1.0, 1.0]]), p=1, dim=1)
        tensor([7., 2.])
    """
    if (input.__class__ is _Tensor and p is _missing and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _norm(input, None, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim,
                dtype)
    if (input.__class__ is _Tensor and p.__class__ is str and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _norm_of_name(input, p, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim,
                dtype)
    return _norm_slow((input, p, dim, keepdim, dtype), extra, unknown)

_log_of_sum_slow = _Binding("log_of_sum", "Tensor (Tensor x)", _log_of_sum)
def log_of_sum(x=_missing, *extra, **unknown):
    """the logarithm of a sum of exponentials; its gradient is 0 where they are all 0"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _log_of_sum(x)
    return _log_of_sum_slow((x,), extra, unknown)

_logsumexp_slow = _Binding("logsumexp", "Tensor (Tensor input, Int32List[1] dim, Bool keepdim=False)", _logsumexp,
        methods="logsumexp")
def logsumexp(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and
            _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _logsumexp(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _logsumexp_slow((input, dim, keepdim), extra, unknown)

_sum_to_slow = _Binding("sum_to", "Tensor (Tensor input, Shape shape)", _sum_to)
def sum_to(input=_missing, shape=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and not extra and not unknown):
        return _sum_to(input, tuple(shape) if shape.__class__ is list else shape)
    return _sum_to_slow((input, shape), extra, unknown)

_mean_grad_slow = _Binding("mean_grad", "Tensor (Tensor dy, Shape shape, Int32List dim=None, Bool keepdim=False)", _mean_grad)
def mean_grad(dy=_missing, shape=_missing, dim=None, keepdim=False, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and (dim is None or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and
            _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _mean_grad(dy, tuple(shape) if shape.__class__ is list else shape, tuple(dim) if dim.__class__ is list else dim,
                keepdim)
    return _mean_grad_slow((dy, shape, dim, keepdim), extra, unknown)

_extremum_grad_slow = _Binding("extremum_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)",
        _extremum_grad)
def extremum_grad(dy=_missing, x=_missing, y=_missing, dim=None, keepdim=False, *extra, **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and
            (dim is None or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _extremum_grad(dy, x, y, tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _extremum_grad_slow((dy, x, y, dim, keepdim), extra, unknown)

_equals_grad_slow = _Binding("equals_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)",
        _equals_grad)
def equals_grad(dy=_missing, x=_missing, y=_missing, dim=None, keepdim=False, *extra, **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and
            (dim is None or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _equals_grad(dy, x, y, tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _equals_grad_slow((dy, x, y, dim, keepdim), extra, unknown)

_prod_grad_slow = _Binding("prod_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)",
        _prod_grad)
def prod_grad(dy=_missing, x=_missing, y=_missing, dim=None, keepdim=False, *extra, **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and
            (dim is None or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _prod_grad(dy, x, y, tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _prod_grad_slow((dy, x, y, dim, keepdim), extra, unknown)

_var_grad_slow = _Binding("var_grad", "Tensor (Tensor dy, Tensor x, Int32List dim, Int32 correction, Bool keepdim)", _var_grad)
def var_grad(dy=_missing, x=_missing, dim=_missing, correction=_missing, keepdim=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and
            (dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and _all_ints(dim)) and
            correction.__class__ is int and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _var_grad(dy, x, tuple(dim) if dim.__class__ is list else dim, correction, keepdim)
    return _var_grad_slow((dy, x, dim, correction, keepdim), extra, unknown)

_norm_grad_slow = _Binding("norm_grad", "Tensor (Tensor dy, Tensor x, Tensor y, Float order, Int32List dim, Bool keepdim)",
        _norm_grad)
def norm_grad(dy=_missing, x=_missing, y=_missing, order=_missing, dim=_missing, keepdim=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and order.__class__ is float and
            (dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and _all_ints(dim)) and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _norm_grad(dy, x, y, order, tuple(dim) if dim.__class__ is list else dim, keepdim)
    return _norm_grad_slow((dy, x, y, order, dim, keepdim), extra, unknown)

_diff_slow = _Binding("diff", "Tensor (Tensor input, Int32 n=1, Int32 dim=-1, Tensor prepend=None, Tensor append=None)", _diff,
        methods="diff")
def diff(input=_missing, n=1, dim=-1, prepend=None, append=None, *extra, **unknown):
    if (input.__class__ is _Tensor and n.__class__ is int and dim.__class__ is int and
            (prepend is None or prepend.__class__ is _Tensor) and (append is None or append.__class__ is _Tensor) and not extra
            and not unknown):
        return _diff(input, n, dim, prepend, append)
    return _diff_slow((input, n, dim, prepend, append), extra, unknown)

_trapezoid_slow = _Binding("trapezoid", "Tensor (Tensor y, *, Scalar dx=1, Int32 dim=-1)", _trapezoid,
        "Tensor (Tensor y, Tensor x, *, Int32 dim=-1)", _trapezoid_points)
def trapezoid(y=_missing, x=_missing, *extra, dx=1, dim=-1, **unknown):
    if (y.__class__ is _Tensor and (dx.__class__ is int or dx.__class__ is float) and dim.__class__ is int and x is _missing and
            not extra and not unknown):
        return _trapezoid(y, dx, dim)
    if (y.__class__ is _Tensor and x.__class__ is _Tensor and dim.__class__ is int and dx.__class__ is int and dx == 1 and
            not extra and not unknown):
        return _trapezoid_points(y, x, dim)
    return _trapezoid_slow((y, x, dx, dim), extra, unknown)

_trapz_slow = _Binding("trapz", "Tensor (Tensor y, *, Scalar dx=1, Int32 dim=-1)", _trapezoid,
        "Tensor (Tensor y, Tensor x, *, Int32 dim=-1)", _trapezoid_points, like="trapezoid")
def trapz(y=_missing, x=_missing, *extra, dx=1, dim=-1, **unknown):
    if (y.__class__ is _Tensor and (dx.__class__ is int or dx.__class__ is float) and dim.__class__ is int and x is _missing and
            not extra and not unknown):
        return _trapezoid(y, dx, dim)
    if (y.__class__ is _Tensor and x.__class__ is _Tensor and dim.__class__ is int and dx.__class__ is int and dx == 1 and
            not extra and not unknown):
        return _trapezoid_points(y, x, dim)
    return _trapz_slow((y, x, dx, dim), extra, unknown)

_cumulative_trapezoid_slow = _Binding("cumulative_trapezoid", "Tensor (Tensor y, *, Scalar dx=1, Int32 dim=-1)",
        _cumulative_trapezoid, "Tensor (Tensor y, Tensor x, *, Int32 dim=-1)", _cumulative_trapezoid_points)
def cumulative_trapezoid(y=_missing, x=_missing, *extra, dx=1, dim=-1, **unknown):
    if (y.__class__ is _Tensor and (dx.__class__ is int or dx.__class__ is float) and dim.__class__ is int and x is _missing and
            not extra and not unknown):
        return _cumulative_trapezoid(y, dx, dim)
    if (y.__class__ is _Tensor and x.__class__ is _Tensor and dim.__class__ is int and dx.__class__ is int and dx == 1 and
            not extra and not unknown):
        return _cumulative_trapezoid_points(y, x, dim)
    return _cumulative_trapezoid_slow((y, x, dx, dim), extra, unknown)

_gradient_slow = _Binding("gradient",
        "TensorTuple (Tensor input, *, Scalar spacing=None, Int32List[1] dim=None, Int32 edge_order=1)", _gradient,
        "TensorTuple (Tensor input, *, ScalarList spacing, Int32List[1] dim=None, Int32 edge_order=1)", _gradient_spacings,
        "TensorTuple (Tensor input, *, TensorTuple spacing, Int32List[1] dim=None, Int32 edge_order=1)", _gradient_points)
def gradient(input=_missing, *extra, spacing=_missing, dim=None, edge_order=1, **unknown):
    if (input.__class__ is _Tensor and spacing is _missing and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and edge_order.__class__ is int and not extra and not unknown):
        return _gradient(input, None, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim,
                edge_order)
    return _gradient_slow((input, spacing, dim, edge_order), extra, unknown)

_histogram_slow = _Binding("histogram",
        "TensorTuple[hist, bin_edges] (Tensor input, Tensor bins, *, Tensor weight=None, Bool density=False)", _histogram,
        "TensorTuple[hist, bin_edges] (Tensor input, Int32 bins=100, *, PyObject range=None, Tensor weight=None, Bool density=False)",
        _histogram_of_count, methods="histogram", result=_return_types.histogram)
def histogram(input=_missing, bins=_missing, *extra, weight=None, density=False, range=None, **unknown):
    if (input.__class__ is _Tensor and bins.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            (density is False or density is True) and range is None and not extra and not unknown):
        return _return_types.histogram(*_histogram(input, bins, weight, density))
    return _histogram_slow((input, bins, weight, density, range), extra, unknown)

_histogramdd_slow = _Binding("histogramdd",
        "Any (Tensor input, PyObject bins, PyObject range=None, Tensor weight=None, Bool density=False)", _histogramdd)
def histogramdd(input=_missing, bins=_missing, range=None, weight=None, density=False, *extra, **unknown):
    if (input.__class__ is _Tensor and bins is not _missing and range is None and (weight is None or weight.__class__ is _Tensor)
            and (density is False or density is True) and not extra and not unknown):
        return _histogramdd(input, bins, range, weight, density)
    return _histogramdd_slow((input, bins, range, weight, density), extra, unknown)

_renorm_slow = _Binding("renorm", "Tensor (Tensor input, Scalar p, Int32 dim, Scalar maxnorm, *, Bool inplace=False)", _renorm,
        methods="renorm", autocast="float32")
def renorm(input=_missing, p=_missing, dim=_missing, maxnorm=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and (p.__class__ is float or p.__class__ is int) and dim.__class__ is int and
            (maxnorm.__class__ is float or maxnorm.__class__ is int) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _renorm(input, p, dim, maxnorm, inplace)
    return _renorm_slow((input, p, dim, maxnorm, inplace), extra, unknown)

_renorm__slow = _Binding("renorm_", "Tensor (Tensor input, Scalar p, Int32 dim, Scalar maxnorm)", _renorm, methods="renorm_",
        autocast="float32", inplace=True)
def renorm_(input=_missing, p=_missing, dim=_missing, maxnorm=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (p.__class__ is float or p.__class__ is int) and dim.__class__ is int and
            (maxnorm.__class__ is float or maxnorm.__class__ is int) and not extra and not unknown):
        return _renorm(input, p, dim, maxnorm, inplace=True)
    return _renorm__slow((input, p, dim, maxnorm), extra, unknown)

_linalg_vector_norm_slow = _Binding("linalg_vector_norm",
        "Tensor (Tensor x, Scalar ord=2, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)", _vector_norm,
        autocast="float32")
def linalg_vector_norm(x=_missing, ord=2, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    if (x.__class__ is _Tensor and (ord.__class__ is int or ord.__class__ is float) and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _vector_norm(x, ord, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim,
                dtype)
    return _linalg_vector_norm_slow((x, ord, dim, keepdim, dtype), extra, unknown)

_linalg_matrix_norm_slow = _Binding("linalg_matrix_norm",
        "Tensor (Tensor A, String ord='fro', Int32List[2] dim=(-2, -1), Bool keepdim=False, *, DataType dtype=None)",
        _matrix_norm, "Tensor (Tensor A, Scalar ord, Int32List[2] dim=(-2, -1), Bool keepdim=False, *, DataType dtype=None)",
        _matrix_norm_order, autocast="float32")
def linalg_matrix_norm(A=_missing, ord=_missing, dim=(-2, -1), keepdim=False, *extra, dtype=None, **unknown):
    if (A.__class__ is _Tensor and ord is _missing and
            (dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and
            _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _matrix_norm(A, 'fro', (dim,) * 2 if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim,
                keepdim, dtype)
    if (A.__class__ is _Tensor and (ord.__class__ is float or ord.__class__ is int) and
            (dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and
            _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _matrix_norm_order(A, ord, (dim,) * 2 if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim,
                keepdim, dtype)
    return _linalg_matrix_norm_slow((A, ord, dim, keepdim, dtype), extra, unknown)

_linalg_norm_slow = _Binding("linalg_norm",
        "Tensor (Tensor A, Scalar ord=None, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)", _linalg_norm,
        "Tensor (Tensor A, String ord, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)", _linalg_norm_of_name,
        autocast="float32")
def linalg_norm(A=_missing, ord=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    if (A.__class__ is _Tensor and ord is _missing and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _linalg_norm(A, None, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim,
                dtype)
    if (A.__class__ is _Tensor and ord.__class__ is str and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _linalg_norm_of_name(A, ord, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim,
                keepdim, dtype)
    return _linalg_norm_slow((A, ord, dim, keepdim, dtype), extra, unknown)

_nanmean_slow = _Binding("nanmean", "Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
        _nanmean, methods="nanmean")
def nanmean(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and (keepdim is False or keepdim is True) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _nanmean(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim, keepdim, dtype)
    return _nanmean_slow((input, dim, keepdim, dtype), extra, unknown)

_count_nonzero_slow = _Binding("count_nonzero", "Tensor (Tensor input, Int32List[1] dim=None)", _count_nonzero,
        methods="count_nonzero")
def count_nonzero(input=_missing, dim=None, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and not extra and not unknown):
        return _count_nonzero(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim)
    if input.__class__ is _Tensor and dim.__class__ is int and not unknown and _all_ints(extra):
        return _count_nonzero(input, (dim, *extra))
    return _count_nonzero_slow((input, dim), extra, unknown)

_std_mean_slow = _Binding("std_mean", "TensorTuple (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)",
        _std_mean, "TensorTuple (Tensor input, Bool unbiased)", _std_mean_all,
        "TensorTuple (Tensor input, Int32List[1] dim=None, *, Double correction=None, Bool keepdim=False)", _std_mean_correction)
def std_mean(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=None, **unknown):
    if (input.__class__ is _Tensor and dim is _missing and unbiased is _missing and (keepdim is False or keepdim is True) and
            correction is None and not extra and not unknown):
        return _std_mean(input, None, True, keepdim)
    if (input.__class__ is _Tensor and (dim is False or dim is True) and unbiased is _missing and keepdim is False and
            correction is None and not extra and not unknown):
        return _std_mean_all(input, dim)
    return _std_mean_slow((input, dim, unbiased, keepdim, correction), extra, unknown)

_aminmax_slow = _Binding("aminmax", "TensorTuple[min, max] (Tensor input, *, Int32 dim=None, Bool keepdim=False)", _aminmax,
        methods="aminmax", result=_return_types.aminmax)
def aminmax(input=_missing, *extra, dim=None, keepdim=False, **unknown):
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int) and (keepdim is False or keepdim is True) and
            not extra and not unknown):
        return _return_types.aminmax(*_aminmax(input, dim, keepdim))
    return _aminmax_slow((input, dim, keepdim), extra, unknown)

_cov_slow = _Binding("cov", "Tensor (Tensor input, *, Int32 correction=1, Tensor fweights=None, Tensor aweights=None)", _cov,
        methods="cov")
def cov(input=_missing, *extra, correction=1, fweights=None, aweights=None, **unknown):
    if (input.__class__ is _Tensor and correction.__class__ is int and (fweights is None or fweights.__class__ is _Tensor) and
            (aweights is None or aweights.__class__ is _Tensor) and not extra and not unknown):
        return _cov(input, correction, fweights, aweights)
    return _cov_slow((input, correction, fweights, aweights), extra, unknown)

_corrcoef_slow = _Binding("corrcoef", "Tensor (Tensor input)", _corrcoef, methods="corrcoef")
def corrcoef(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _corrcoef(input)
    return _corrcoef_slow((input,), extra, unknown)

_histc_slow = _Binding("histc", "Tensor (Tensor input, Int32 bins=100, Scalar min=0, Scalar max=0)", _histc, methods="histc")
def histc(input=_missing, bins=100, min=0, max=0, *extra, **unknown):
    if (input.__class__ is _Tensor and bins.__class__ is int and (min.__class__ is int or min.__class__ is float) and
            (max.__class__ is int or max.__class__ is float) and not extra and not unknown):
        return _histc(input, bins, min, max)
    return _histc_slow((input, bins, min, max), extra, unknown)

_methods = _publish(globals())
