"""Rules of reductions: dimensions that stay may be split; a reduced one gives partial results, or takes a decomposition."""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import int64
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.sbp import Sbp, broadcast, partial_max, partial_min, partial_sum, split
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.signature import Metas, SbpSignature

_EXTREMA = {
    **dict.fromkeys(("amax", "max_all", "any"), partial_max),
    **dict.fromkeys(("amin", "min_all", "all"), partial_min),
}


def sum(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """A sum of sums of pieces, or of shares; attributes: (dims, keepdim, dtype)."""
    x, dims, keepdim = _of(metas), attrs[0], attrs[1]
    reduced = [SbpSignature((split(dim),), (partial_sum,)) for dim in dims]
    shares = x.dtype.is_floating_point or x.dtype is int64  # narrower integers wrap around before they are added in int64
    linear = [SbpSignature((partial_sum,), (partial_sum,))] if shares and op.name != "nansum" else []
    return [*_stay(x, dims, keepdim, 1), *reduced, *linear]


def extremum(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """amax, amin, max and min of pieces, none of which may be empty, any and all; attributes: (dims, keepdim)."""
    x, (dims, keepdim) = _of(metas), attrs
    share = _EXTREMA[op.name]
    full = op.name not in ("any", "all")
    reduced = [SbpSignature((split(dim),), (share,), full=full) for dim in dims]
    linear = [SbpSignature((share,), (share,))] if full else []
    return [*_stay(x, dims, keepdim, 1), *reduced, *linear]


def mean(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """A mean of shares; of pieces the sum of their sums, divided; attributes: (dims, keepdim, dtype)."""
    x, dims, keepdim = _of(metas), attrs[0], attrs[1]
    linear = [SbpSignature((partial_sum,), (partial_sum,))] if x.dtype.is_floating_point else []
    return [*_stay(x, dims, keepdim, 1), *linear, *_decomposed(x, dims, 1)]


def prod(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """A product of pieces' products: no result is partial in that way, so it is decomposed; attributes: (dims, keepdim, dtype)."""
    x, dims, keepdim = _of(metas), attrs[0], attrs[1]
    return [*_stay(x, dims, keepdim, 1), *_decomposed(x, dims, 1)]


def indexed(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Extrema with their indices, or these alone; attributes: (dims, keepdim)."""
    x, (dims, keepdim) = _of(metas), attrs
    return [*_stay(x, dims, keepdim, len(op.outputs)), *_decomposed(x, dims, len(op.outputs))]


def moments(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """var, std, var_mean; attributes: (dims, correction, keepdim)."""
    x, (dims, _, keepdim) = _of(metas), attrs
    return [*_stay(x, dims, keepdim, len(op.outputs)), *_decomposed(x, dims, len(op.outputs))]


def norm(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """attributes: (order, dims, keepdim)"""
    x, (_, dims, keepdim) = _of(metas), attrs
    return [*_stay(x, dims, keepdim, 1), *_decomposed(x, dims, 1)]


def _of(metas: Metas) -> TensorMeta:
    (meta,) = metas
    assert meta is not None
    return meta


def _stay(x: TensorMeta, dims: Shape, keepdim: bool, outputs: int) -> list[SbpSignature]:
    """Every dimension that is not reduced may be split."""
    found = []
    for dim in range(x.ndim):
        if dim not in dims:
            behind = dim if keepdim else dim - len([d for d in dims if d < dim])
            found.append(SbpSignature((split(dim),), (split(behind),) * outputs))
    return found


def _decomposed(x: TensorMeta, dims: Shape, outputs: int) -> list[SbpSignature]:
    """Every reduced dimension may be split, where the op is put together from others; of no elements that says nothing."""
    results: tuple[Sbp, ...] = (broadcast,) * outputs
    return [SbpSignature((split(dim),), results, decomposed=True) for dim in dims if x.numel]
