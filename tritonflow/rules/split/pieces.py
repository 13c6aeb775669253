"""Ops along a split dimension, which every rank carries out on its piece: slices, joins, products, scans."""

from __future__ import annotations

import builtins
from math import prod as product_of
from typing import Any

from tritonflow.boxing.views import absent_shard
from tritonflow.dtypes import int64
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.shards import Cut
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import empty, zeros
from tritonflow.functions.generated import (
    mul,
)
from tritonflow.functions.view import narrow
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.layout import box, write_cut
from tritonflow.interpreter.shard import from_local, local_shard
from tritonflow.ops.sbp.region import slice_of_region
from tritonflow.rules.split.values import Outputs

_sum = op_expr("sum")
_prod = op_expr("prod")
_cumsum = op_expr("cumsum")
_cumprod = op_expr("cumprod")


def region_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """Zeros around a slice."""
    (dy,), (shape, *_) = inputs, attrs
    cut = slice_of_region(dy.meta.shape, *attrs)
    assert cut is not None
    dx = zeros(shape, dtype=dy.meta.dtype, placement=dy.meta.placement, sbp=dy.meta.sbp)
    write_cut(dx, cut, dy)
    return (dx,)


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
    return product_of([n for one, n in zip(meta.sbp, meta.placement.shape) if one.dim == dim])


def prod(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """The product of the pieces' products."""
    (x,), (dims, keepdim, dtype) = inputs, attrs
    result = dtype or (x.meta.dtype if x.meta.dtype.is_floating_point else int64)
    pieces = _by_rank(cast(x, result.compute), dims, _prod, (tuple(dims), True, None))
    return (cast(dispatch(_prod, (pieces,), (tuple(dims), keepdim, None)), result),)


def cumsum(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dim, dtype, reverse) = inputs, attrs
    return (_scanned(x, dim, dtype, reverse, _cumsum, (dim, None, reverse), _sum, add),)


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
