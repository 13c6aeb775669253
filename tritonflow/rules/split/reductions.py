"""Reductions over a split dimension: means, moments, norms, and extrema with their positions."""

from __future__ import annotations

from math import inf, prod
from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import abs as absolute
from tritonflow.functions.generated import (
    eq,
    is_nan,
    logical_or,
    scalar_ne,
    sqrt,
)
from tritonflow.functions.reduction import amax, amin, sum
from tritonflow.functions.unary import square
from tritonflow.functions.view import reshape, squeeze
from tritonflow.rules.split.values import Outputs, count_along, settled, whole_range, widened


def mean(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dims, keepdim, dtype) = inputs, attrs
    result = dtype or x.meta.dtype
    return (cast(sum(widened(cast(x, result)), dims, keepdim) / count_along(x, dims), result),)


def var(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dims, correction, keepdim) = inputs, attrs
    return (cast(moments(x, dims, correction, keepdim)[0], x.meta.dtype),)


def std(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dims, correction, keepdim) = inputs, attrs
    return (cast(sqrt(moments(x, dims, correction, keepdim)[0]), x.meta.dtype),)


def var_mean(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dims, correction, keepdim) = inputs, attrs
    variance, centre = moments(x, dims, correction, keepdim)
    return cast(variance, x.meta.dtype), cast(centre, x.meta.dtype)


def moments(x: Tensor, dims: Any, correction: int, keepdim: bool) -> Outputs:
    """(variance, mean) in the dtype in which they are computed."""
    wide, count = widened(x), count_along(x, dims)
    centre = settled(sum(wide, dims, True) / count)
    variance = sum(square(wide - centre), dims, keepdim) / max(count - correction, 0)
    return variance, centre if keepdim else squeeze(centre, dims)


def norm(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (order, dims, keepdim) = inputs, attrs
    wide = widened(x)
    if order in (inf, -inf):
        result = (amax if order > 0 else amin)(absolute(wide), dims, keepdim)
    elif order == 2:
        result = sqrt(sum(square(wide), dims, keepdim))
    else:
        result = sum(absolute(wide) if order == 1 else cast(scalar_ne(x, 0), wide.meta.dtype), dims, keepdim)
    return (cast(result, x.meta.dtype),)


def _extremum_with_index(reduce: Any, x: Tensor, dims: Any, keepdim: bool) -> Outputs:
    """(values, indices): the first of the positions, in row-major order of `dims`, that have the value; NaN is the extremum."""
    values = settled(reduce(x, dims, True))
    here = eq(x, values)
    if x.meta.dtype.is_floating_point:
        here = logical_or(here, is_nan(x))
    indices = amin(where_scalar_y(here, _positions(x, dims), count_along(x, dims)), dims, keepdim)
    return values if keepdim else squeeze(values, dims), indices


def _positions(x: Tensor, dims: Any) -> Tensor:
    """Of every element of x along `dims`, in row-major order; of size 1 along the other dimensions."""
    shape = x.meta.shape
    found: Any = None
    for k, dim in enumerate(dims):
        step = prod([shape[d] for d in dims[k + 1 :]])
        view = tuple([shape[dim] if d == dim else 1 for d in range(len(shape))])
        along = reshape(whole_range(x, shape[dim]), view) * step
        found = along if found is None else found + along
    return found  # type: ignore[no-any-return]


def argmax(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    return (_extremum_with_index(amax, *inputs, *attrs)[1],)


def argmin(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    return (_extremum_with_index(amin, *inputs, *attrs)[1],)


def max_dim(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    return _extremum_with_index(amax, *inputs, *attrs)


def min_dim(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    return _extremum_with_index(amin, *inputs, *attrs)
