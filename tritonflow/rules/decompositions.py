"""What ops on consistent tensors are put together from, where a dimension is split that they reduce.

A rule then says `SbpSignature(decomposed=True)`. The ops below have rules of their own, which add up what the ranks have. Autograd
records the op itself, and not these. Every function takes inputs, static attributes and dynamic scalars as the op does, and gives
its outputs.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from math import inf, prod
from typing import Any

from tritonflow.boxing.views import absent_shard
from tritonflow.dtypes import DType, int64
from tritonflow.errors import IndexOutOfRangeError
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.sbp import broadcast, split
from tritonflow.framework.shards import Cut
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation import arange, empty, zeros
from tritonflow.functions.generated import abs as absolute
from tritonflow.functions.generated import (
    eq,
    exp,
    is_nan,
    log,
    logical_and,
    logical_or,
    mul,
    rsqrt,
    scalar_ne,
    sqrt,
)
from tritonflow.functions.index import index_select
from tritonflow.functions.join import stack
from tritonflow.functions.pointwise import clamp_min, square
from tritonflow.functions.reduction import amax, amin, sum
from tritonflow.functions.selection import where_scalar_y
from tritonflow.functions.view import narrow, reshape, select, squeeze, unsqueeze
from tritonflow.interpreter.decompositions import Decomposition
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.layout import box, write_cut
from tritonflow.interpreter.shard import from_local, local_shard
from tritonflow.ops.loss import OUT_OF_BOUNDS
from tritonflow.ops.sbp.region import slice_of_region

Outputs = tuple[Any, ...]

decompositions: dict[str, Decomposition] = {}

_sum, _prod, _cumsum, _cumprod = op_expr("sum"), op_expr("prod"), op_expr("cumsum"), op_expr("cumprod")
_cross_entropy = op_expr("cross_entropy")
_nll_loss = op_expr("nll_loss")


def decomposition(*names: str) -> Callable[[Decomposition], Decomposition]:
    """Register what ops are put together from."""

    def register(function: Decomposition) -> Decomposition:
        decompositions.update(dict.fromkeys(names, function))
        return function

    return register


def widened(x: Tensor) -> Tensor:
    """In the dtype in which it is computed."""
    return cast(x, x.meta.dtype.compute)  # type: ignore[no-any-return]


def settled(x: Tensor) -> Tensor:
    """With its partial values combined: more than one op reads them."""
    meta: Any = x.meta
    return box(x, meta.placement, tuple([broadcast if one.is_partial else one for one in meta.sbp]))


def _along(x: Tensor, dims: Any) -> int:
    """How many elements a reduction combines."""
    return prod([x.meta.shape[d] for d in dims])


# -------------------------------------------------------------------------------------- pieces of a split dimension


@decomposition("region_grad")
def region_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """Zeros around a slice."""
    (dy,), (shape, *_) = inputs, attrs
    cut = slice_of_region(dy.meta.shape, *attrs)
    assert cut is not None
    dx = zeros(shape, dtype=dy.meta.dtype, placement=dy.meta.placement, sbp=dy.meta.sbp)
    write_cut(dx, cut, dy)
    return (dx,)


@decomposition("cat")
def cat(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """Every tensor is written over its slice of the result."""
    (dim, _), meta = attrs, inputs[0].meta
    total = builtins.sum(x.meta.shape[dim] for x in inputs)
    shape = (*meta.shape[:dim], total, *meta.shape[dim + 1 :])
    y = empty(shape, dtype=meta.dtype, placement=meta.placement, sbp=meta.sbp)
    start = 0
    for x in inputs:
        write_cut(y, Cut(dim, total, start, 1), x)
        start += x.meta.shape[dim]
    return (y,)


def _by_rank(x: Tensor, dims: Any, op: OpExpr, attrs: tuple[Any, ...]) -> Tensor:
    """What a reduction over `dims` makes of the ranks' pieces: in order along these dimensions, all of it on every rank."""
    meta: Any = x.meta
    shape = tuple([_pieces(meta, d) if d in dims else n for d, n in enumerate(meta.shape)])
    if meta.coordinate is None:
        part = absent_shard(meta.dtype, meta.placement)
    else:
        part = eager_local.apply(op, (local_shard(x),), OpContext(attrs))
    pieces = from_local(part, ConsistentTensorMeta.get(shape, meta.dtype, meta.placement, meta.sbp, part.meta))
    return box(pieces, meta.placement, tuple([broadcast if one.dim in dims else one for one in meta.sbp]))


def _pieces(meta: Any, dim: int) -> int:
    """Into how many pieces a dimension is split."""
    return prod([n for one, n in zip(meta.sbp, meta.placement.shape) if one.dim == dim])


@decomposition("prod")
def product(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """The product of the pieces' products."""
    (x,), (dims, keepdim, dtype) = inputs, attrs
    result = dtype or (x.meta.dtype if x.meta.dtype.is_floating_point else int64)
    pieces = _by_rank(cast(x, result.compute), dims, _prod, (tuple(dims), True, None))
    return (cast(dispatch(_prod, (pieces,), (tuple(dims), keepdim, None)), result),)


@decomposition("cumsum")
def cumsum(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dim, dtype, reverse) = inputs, attrs
    return (_scanned(x, dim, dtype, reverse, _cumsum, (dim, None, reverse), _sum, add),)


@decomposition("cumprod")
def cumprod(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dim, dtype) = inputs, attrs
    return (_scanned(x, dim, dtype, False, _cumprod, (dim, None), _prod, mul),)


def _scanned(
    x: Tensor, dim: int, dtype: Any, reverse: bool, scan: OpExpr, attrs: tuple[Any, ...], reduction: OpExpr, join: Any
) -> Tensor:
    """Every rank scans its piece, and joins it with the total of the pieces before it; behind it, in reverse."""
    result = dtype or (x.meta.dtype if x.meta.dtype.is_floating_point else int64)
    wide = cast(x, result.compute)
    meta: Any = wide.meta
    totals = _by_rank(wide, (dim,), reduction, ((dim,), True, None))
    if meta.coordinate is None:
        return cast(wide, result)  # type: ignore[no-any-return]
    shard: Tensor = eager_local.apply(scan, (local_shard(wide),), OpContext(attrs))
    count, own = _pieces(meta, dim), 0
    for one, n, k in zip(meta.sbp, meta.placement.shape, meta.coordinate):
        own = own * n + k if one.dim == dim else own
    first, length = (own + 1, count - own - 1) if reverse else (0, own)
    if length:
        others = narrow(local_shard(totals), dim, first, length)
        shard = join(shard, eager_local.apply(reduction, (others,), OpContext(((dim,), True, None))))
    scanned = from_local(shard, ConsistentTensorMeta.get(meta.shape, meta.dtype, meta.placement, meta.sbp, shard.meta))
    return cast(scanned, result)  # type: ignore[no-any-return]


# ---------------------------------------------------------------------------------------------------- reductions


@decomposition("mean")
def mean(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dims, keepdim, dtype) = inputs, attrs
    result = dtype or x.meta.dtype
    return (cast(sum(widened(cast(x, result)), dims, keepdim) / _along(x, dims), result),)


@decomposition("var")
def var(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dims, correction, keepdim) = inputs, attrs
    return (cast(_moments(x, dims, correction, keepdim)[0], x.meta.dtype),)


@decomposition("std")
def std(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dims, correction, keepdim) = inputs, attrs
    return (cast(sqrt(_moments(x, dims, correction, keepdim)[0]), x.meta.dtype),)


@decomposition("var_mean")
def var_mean(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dims, correction, keepdim) = inputs, attrs
    variance, centre = _moments(x, dims, correction, keepdim)
    return cast(variance, x.meta.dtype), cast(centre, x.meta.dtype)


def _moments(x: Tensor, dims: Any, correction: int, keepdim: bool) -> Outputs:
    """(variance, mean) in the dtype in which they are computed."""
    wide, count = widened(x), _along(x, dims)
    centre = settled(sum(wide, dims, True) / count)
    variance = sum(square(wide - centre), dims, keepdim) / max(count - correction, 0)
    return variance, centre if keepdim else squeeze(centre, dims)


@decomposition("norm")
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
    indices = amin(where_scalar_y(here, _positions(x, dims), _along(x, dims)), dims, keepdim)
    return values if keepdim else squeeze(values, dims), indices


def _positions(x: Tensor, dims: Any) -> Tensor:
    """Of every element of x along `dims`, in row-major order; of size 1 along the other dimensions."""
    shape = x.meta.shape
    found: Any = None
    for k, dim in enumerate(dims):
        step = prod([shape[d] for d in dims[k + 1 :]])
        view = tuple([shape[dim] if d == dim else 1 for d in range(len(shape))])
        along = reshape(_whole_range(x, shape[dim]), view) * step
        found = along if found is None else found + along
    return found  # type: ignore[no-any-return]


def _whole_range(x: Tensor, n: int) -> Tensor:
    """0, 1 ... n - 1 over the ranks of x, all on each of them."""
    meta: Any = x.meta
    return arange(0, n, dtype=int64, placement=meta.placement, sbp=(broadcast,) * meta.placement.ndim)  # type: ignore[no-any-return]


@decomposition("argmax")
def argmax(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    return (_extremum_with_index(amax, *inputs, *attrs)[1],)


@decomposition("argmin")
def argmin(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    return (_extremum_with_index(amin, *inputs, *attrs)[1],)


@decomposition("max_dim")
def max_dim(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    return _extremum_with_index(amax, *inputs, *attrs)


@decomposition("min_dim")
def min_dim(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    return _extremum_with_index(amin, *inputs, *attrs)


# ---------------------------------------------------------------------------------------- along one dimension


@decomposition("softmax")
def softmax(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dim, dtype) = inputs, attrs
    powers = exp(_below_zero(x, dim))
    return (cast(powers / settled(sum(powers, (dim,), True)), dtype or x.meta.dtype),)


@decomposition("log_softmax")
def log_softmax(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dim, dtype) = inputs, attrs
    shifted = _below_zero(x, dim)
    return (cast(shifted - log(sum(exp(shifted), (dim,), True)), dtype or x.meta.dtype),)


def _below_zero(x: Tensor, dim: int) -> Tensor:
    """x - max(x)"""
    return widened(x) - widened(settled(amax(x, (dim,), True)))


@decomposition("softmax_grad")
def softmax_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (grad, y), (dim,) = inputs, attrs
    dy, wide = widened(grad), widened(y)
    return (cast((dy - settled(sum(dy * wide, (dim,), True))) * wide, grad.meta.dtype),)


@decomposition("log_softmax_grad")
def log_softmax_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (grad, y), (dim,) = inputs, attrs
    dy = widened(grad)
    return (cast(dy - exp(widened(y)) * settled(sum(dy, (dim,), True)), grad.meta.dtype),)


@decomposition("cosine_similarity")
def cosine_similarity(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x1, x2), (dim,), (eps,) = inputs, attrs, dynamic
    a, b = widened(x1), widened(x2)
    product = settled(sum(a * b, (dim,), True))
    norm1, norm2 = [clamp_min(sqrt(sum(square(x), (dim,), True)), eps) for x in (a, b)]
    return cast(product / norm1 / norm2, x1.meta.dtype), product, norm1, norm2


# ------------------------------------------------------------------------------------------------ normalisations


@decomposition("layer_norm")
def layer_norm(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x, weight, bias), (count, center), (eps,) = inputs, attrs, dynamic
    ndim = x.meta.ndim
    dims, rows = tuple(range(ndim - count, ndim)), x.meta.shape[: ndim - count]
    wide, n = widened(x), _along(x, tuple(range(ndim - count, ndim)))
    mean = settled(sum(wide, dims, True) / n) if center else sum(wide, dims, True) * 0
    centred = wide - mean if center else wide
    rstd = rsqrt(sum(square(centred), dims, True) / n + eps)
    y = centred * rstd
    if weight is not None:
        y = y * widened(weight)
    if bias is not None:
        y = y + widened(bias)
    return cast(y, x.meta.dtype), reshape(mean, rows), reshape(rstd, rows)


@decomposition("layer_norm_grad")
def layer_norm_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (grad, x, mean, rstd, weight), (count, center) = inputs, attrs
    ndim = x.meta.ndim
    dims, n = tuple(range(ndim - count, ndim)), _along(x, tuple(range(ndim - count, ndim)))
    columns = (*mean.meta.shape, *(1,) * count)
    scale = reshape(rstd, columns)
    dy = widened(grad) if weight is None else widened(grad) * widened(weight)
    xhat = (widened(x) - reshape(mean, columns) if center else widened(x)) * scale
    inner = dy - xhat * settled(sum(dy * xhat, dims, True) / n)
    if center:
        inner = inner - settled(sum(dy, dims, True) / n)
    return (cast(inner * scale, x.meta.dtype),)


@decomposition("batch_norm_statistics")
def batch_norm_statistics(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x, running_mean, running_var), (momentum, eps) = inputs, dynamic
    dims = tuple([d for d in range(x.meta.ndim) if d != 1])
    count = _along(x, dims)
    variance, mean = _moments(x, dims, 0, False)
    variance = settled(variance)
    for running, value in ((running_mean, mean), (running_var, variance * (count / max(count - 1, 1)))):
        if running is not None:
            copy_(running, widened(running) * (1 - momentum) + value * momentum)
    return mean, rsqrt(variance + eps)


# ---------------------------------------------------------------------------------------------- losses of classes


@decomposition("cross_entropy")
def cross_entropy(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """A mean is the ratio of two sums over all samples, of losses and of weights."""
    (x, target, weight), (reduction, ignore_index, smooth, dtype), (smoothing,) = inputs, attrs, dynamic
    result = dtype or x.meta.dtype
    if reduction == "mean":
        attrs = "sum", ignore_index, smooth, dtype
        _, largest, log_sum, totals = dispatch(_cross_entropy, tuple(inputs), attrs, tuple(dynamic))
        mean, totals = _ratio(totals, result)
        return mean, largest, log_sum, totals
    wide, top = widened(x), widened(settled(amax(x, (1,), True)))
    log_sum = settled(log(sum(exp(wide - top), (1,), True)))
    hits, weights = _targets(x, target, weight, ignore_index)
    losses = weights * squeeze(log_sum + (top - settled(_picked(wide, hits))), (1,))
    if smooth:
        of_classes = log_sum + (top - wide)
        if weight is not None:
            of_classes = of_classes * _by_class(weight, x)
        smoothed = where_scalar_y(scalar_ne(target, ignore_index), sum(of_classes, (1,)), 0.0)
        losses = losses * (1 - smoothing) + smoothed * (smoothing / x.meta.shape[1])
    out, totals = _reduced(losses, weights, reduction)
    return cast(out, result), squeeze(top, (1,)), squeeze(log_sum, (1,)), totals


@decomposition("cross_entropy_grad")
def cross_entropy_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (grad, x, target, largest, log_sum, totals, weight), (reduction, ignore_index, smooth), (smoothing,) = inputs, attrs, dynamic
    hits, weights = _targets(x, target, weight, ignore_index)
    powers = exp(widened(x) - unsqueeze(largest, 1) - unsqueeze(log_sum, 1))
    dx = (powers - cast(hits, powers.meta.dtype)) * unsqueeze(weights, 1)
    if smooth:
        if weight is None:
            share = powers * x.meta.shape[1] - 1
        else:
            share = powers * sum(widened(weight)) - _by_class(weight, x)
        share = where_scalar_y(unsqueeze(scalar_ne(target, ignore_index), 1), share, 0.0)
        dx = dx * (1 - smoothing) + share * (smoothing / x.meta.shape[1])
    row = widened(grad) if reduction != "mean" else widened(grad) / select(totals, 0, 1)
    return (cast(dx * (unsqueeze(row, 1) if reduction == "none" else row), x.meta.dtype),)


@decomposition("nll_loss")
def nll_loss(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """A mean is the ratio of two sums over all samples, of losses and of weights."""
    (x, target, weight), (reduction, ignore_index) = inputs, attrs
    if reduction == "mean":
        _, totals = dispatch(_nll_loss, tuple(inputs), ("sum", ignore_index))
        return _ratio(totals, x.meta.dtype)
    hits, weights = _targets(x, target, weight, ignore_index)
    losses = squeeze(_picked(widened(x), hits), (1,)) * weights * -1
    out, totals = _reduced(losses, weights, reduction)
    return cast(out, x.meta.dtype), totals


def _ratio(totals: Tensor, dtype: DType) -> Outputs:
    """The ratio, partial where the sum of losses is, as other means are; and both sums, whole."""
    both = settled(totals)
    return cast(select(totals, 0, 0) / select(both, 0, 1), dtype), both


def _targets(x: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int) -> tuple[Tensor, Tensor]:
    """Where the class is the target, as (n, classes, ...), and the weight of every sample.

    Raises:
        IndexOutOfRangeError: a target is no class.
    """
    counts = scalar_ne(target, ignore_index)
    index = where_scalar_y(counts, target, 0)
    classes = _whole_range(x, x.meta.shape[1])
    try:
        chosen = index_select(classes if weight is None else weight, 0, reshape(index, (-1,)))  # checks the targets, too
    except IndexOutOfRangeError:
        raise IndexOutOfRangeError(OUT_OF_BOUNDS.format(classes=x.meta.shape[1])) from None
    weights = cast(counts, x.meta.dtype.compute)
    if weight is not None:
        weights = weights * reshape(widened(chosen), index.meta.shape)
    own = box(classes, classes.meta.placement, tuple([split(0) if one == split(1) else broadcast for one in x.meta.sbp]))
    return logical_and(eq(_by_class(own, x), unsqueeze(index, 1)), unsqueeze(counts, 1)), weights


def _by_class(values: Tensor, x: Tensor) -> Tensor:
    """A value for each class, as (1, classes, 1 ...)."""
    return reshape(values, tuple([-1 if d == 1 else 1 for d in range(x.meta.ndim)]))


def _picked(x: Tensor, hits: Tensor) -> Tensor:
    """What x has at the target, as (n, 1, ...)."""
    return sum(where_scalar_y(hits, x, 0.0), (1,), True)  # type: ignore[no-any-return]


def _reduced(losses: Tensor, weights: Tensor, reduction: str) -> tuple[Tensor, Tensor]:
    """The losses or their sum, and the two totals, of which there are none where nothing is reduced."""
    if reduction == "none":
        meta: Any = losses.meta
        sbp = (broadcast,) * meta.placement.ndim
        return losses, zeros((0,), dtype=meta.dtype, placement=meta.placement, sbp=sbp)
    total = settled(sum(losses))
    return total, stack([total, settled(sum(weights))])
