"""Reductions, sums along a dimension, and the largest elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import as_number, axes_of, positive


def _sum(x: Any, dims: list[int], keep: bool) -> Any:
    return flow.sum(x, dims, keepdim=keep, dtype=x.dtype)


def _prod(x: Any, dims: list[int], keep: bool) -> Any:
    for dim in sorted(dims, reverse=True):
        x = flow.prod(x, dim, keepdim=keep, dtype=x.dtype)
    return x


def _mean(x: Any, dims: list[int], keep: bool) -> Any:
    if x.dtype.is_floating_point:
        return flow.mean(x, dims, keepdim=keep)
    count: Any = 1
    for dim in dims:
        count = count * x.shape[dim]
    return flow.div(_sum(x, dims, keep), count, rounding_mode="trunc")


def _extreme(function: Callable[..., Any], highest: bool) -> Callable[..., Any]:
    def reduce(x: Any, dims: list[int], keep: bool) -> Any:
        if x.numel() == 0:
            shape = [1 if k in dims else size for k, size in enumerate(x.shape) if keep or k not in dims]
            return flow.full(shape, _bound(x.dtype, highest), dtype=x.dtype, device=x.device)
        if x.dtype is flow.bool:
            return function(x.to(flow.uint8), dims, keepdim=keep).to(flow.bool)
        return function(x, dims, keepdim=keep)

    return reduce


def _bound(dtype: Any, highest: bool) -> Any:
    if dtype is flow.bool:
        return highest
    if dtype.is_floating_point:
        return float("inf") if highest else float("-inf")
    limits = flow.iinfo(dtype)
    return limits.max if highest else limits.min


def _lengths(x: Any, dims: list[int], keep: bool) -> Any:
    return flow.sqrt(_sum(x * x, dims, keep)) if x.dtype.is_floating_point else flow.sqrt(_sum(x * x, dims, keep)).to(x.dtype)


def _log_sum_exp(x: Any, dims: list[int], keep: bool) -> Any:
    if x.numel() == 0:
        return flow.log(_sum(x, dims, keep))
    return flow.logsumexp(x, dims, keepdim=keep)


_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "ReduceSum": _sum, "ReduceProd": _prod, "ReduceMean": _mean, "ReduceL2": _lengths, "ReduceLogSumExp": _log_sum_exp,
    "ReduceMax": _extreme(flow.amax, False), "ReduceMin": _extreme(flow.amin, True),
    "ReduceL1": lambda x, dims, keep: _sum(flow.abs(x), dims, keep),
    "ReduceSumSquare": lambda x, dims, keep: _sum(x * x, dims, keep),
    "ReduceLogSum": lambda x, dims, keep: flow.log(_sum(x, dims, keep)),
}  # fmt: skip

_OF_NO_AXES: dict[str, Callable[[Any], Any]] = {
    "ReduceSumSquare": lambda x: x * x, "ReduceL1": flow.abs, "ReduceL2": flow.abs, "ReduceLogSum": flow.log,
}  # fmt: skip


def _reduction(name: str) -> Callable[..., Any]:
    function = _REDUCTIONS[name]

    def reduce(node: Any, x: Any, axes: Any = None) -> Any:
        given = axes_of(node, axes)
        if not given:
            if node.get("noop_with_empty_axes", 0):
                return _OF_NO_AXES.get(name, lambda value: value)(x)
            given = list(range(x.ndim))
        dims = [positive(axis, x.ndim) for axis in given]
        return function(x, dims, bool(node.get("keepdims", 1))) if dims else _OF_NO_AXES.get(name, lambda value: value)(x)

    return reduce


for _name in _REDUCTIONS:
    op(_name, numbers=(1,))(_reduction(_name))


def _position(function: Callable[..., Any]) -> Callable[..., Any]:
    def find(node: Any, x: Any) -> Any:
        axis, keep = positive(node.get("axis", 0), x.ndim), bool(node.get("keepdims", 1))
        if not node.get("select_last_index", 0):
            return function(x, axis, keepdim=keep)
        return x.shape[axis] - 1 - function(flow.flip(x, [axis]), axis, keepdim=keep)

    return find


op("ArgMax")(_position(flow.argmax))
op("ArgMin")(_position(flow.argmin))


def _cumulative(function: Callable[..., Any], first: int) -> Callable[..., Any]:
    def run(node: Any, x: Any, axis: Any) -> Any:
        dim = positive(int(as_number(axis)), x.ndim)
        x = flow.flip(x, [dim]) if node.get("reverse", 0) else x
        if node.get("exclusive", 0):
            start = flow.full_like(flow.narrow(x, dim, 0, 1), first)
            x = flow.cat([start, flow.narrow(x, dim, 0, x.shape[dim] - 1)], dim)
        result = function(x, dim, dtype=x.dtype)
        return flow.flip(result, [dim]) if node.get("reverse", 0) else result

    return run


op("CumSum", numbers=(1,))(_cumulative(flow.cumsum, 0))
op("CumProd", numbers=(1,))(_cumulative(flow.cumprod, 1))


@op("TopK", numbers=(1,))
def _top_k(node: Any, x: Any, k: Any = None) -> Any:
    """Of equal elements the first one comes first, which a stable sort gives."""
    axis, count = positive(node.get("axis", -1), x.ndim), as_number(k, node.get("k"))
    values, indices = flow.sort(x, dim=axis, descending=bool(node.get("largest", 1)), stable=True)
    return flow.narrow(values, axis, 0, count), flow.narrow(indices, axis, 0, count)
