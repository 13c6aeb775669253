"""Ops with indices."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.errors import IndexOutOfRangeError
from tritonflow.functions.value_checks import require_all
from tritonflow.nn import functional as F
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import Known, as_list, as_number, positive, product_of


def from_front(indices: Any, size: Any) -> Any:
    """Indices of int64 from the front, of such that count from the end where they are negative."""
    indices = indices.to(flow.int64)
    return flow.where(indices < 0, indices + size, indices)


@op("Gather", numbers=(1,))
def _gather(node: Any, x: Any, indices: Any) -> Any:
    axis = positive(node.get("axis", 0), x.ndim)
    size = x.shape[axis]
    if isinstance(indices, Known):
        if indices.rank == 0:
            return flow.select(x, axis, indices.numbers[0])
        indices = indices.tensor(x.device)
    indices = from_front(indices, size)
    if axis == 0 and x.ndim == 2 and x.dtype.is_floating_point:
        return F.embedding(indices, x)
    found = flow.index_select(x, axis, flow.reshape(indices, (-1,)))
    return flow.reshape(found, (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


@op("GatherElements")
def _gather_elements(node: Any, x: Any, indices: Any) -> Any:
    axis = positive(node.get("axis", 0), x.ndim)
    return flow.gather(x, axis, from_front(indices, x.shape[axis]))


def _flat_positions(indices: Any, sizes: Any) -> Any:
    """Positions in dimensions of these sizes that are seen as one. Each index must be in its dimension."""
    flat: Any = 0
    inside: Any = True
    for k, size in enumerate(sizes):
        index = from_front(flow.select(indices, -1, k), size)
        inside = (index >= 0) & (index < size) & inside
        flat = flat * size + index
    require_all(inside, IndexOutOfRangeError(f"an index is out of range for dimensions of sizes {tuple(sizes)}"))
    return flat


@op("GatherND")
def _gather_nd(node: Any, x: Any, indices: Any) -> Any:
    shared = node.get("batch_dims", 0)
    depth = indices.shape[-1]
    sizes, rest = x.shape[shared : shared + depth], x.shape[shared + depth :]
    flat = _flat_positions(indices, sizes)
    batch = product_of(x.shape[:shared])
    flat = flow.reshape(flat, (batch, -1))
    flat = flat + flow.arange(batch, device=x.device).unsqueeze(1) * product_of(sizes)
    rows = flow.reshape(x, (batch * product_of(sizes), *rest))
    found = flow.index_select(rows, 0, flow.reshape(flat, (-1,)))
    return flow.reshape(found, (*indices.shape[:-1], *rest))


_REDUCTIONS = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}


def _scattered(x: Any, axis: int, indices: Any, updates: Any, reduction: str) -> Any:
    if reduction == "none":
        return flow.scatter(x, axis, indices, updates)
    return flow.scatter_reduce(x, axis, indices, updates, _REDUCTIONS[reduction], include_self=True)


@op("ScatterElements", "Scatter")
def _scatter_elements(node: Any, x: Any, indices: Any, updates: Any) -> Any:
    axis = positive(node.get("axis", 0), x.ndim)
    return _scattered(x, axis, from_front(indices, x.shape[axis]), updates, node.get("reduction", "none"))


@op("ScatterND")
def _scatter_nd(node: Any, x: Any, indices: Any, updates: Any) -> Any:
    depth = indices.shape[-1]
    sizes, rest = x.shape[:depth], x.shape[depth:]
    flat = flow.reshape(_flat_positions(indices, sizes), (-1, 1))
    rows = flow.reshape(x, (product_of(sizes), product_of(rest)))
    new = flow.reshape(updates, (flat.shape[0], product_of(rest)))
    result = _scattered(rows, 0, flat.expand(new.shape), new, node.get("reduction", "none"))
    return flow.reshape(result, x.shape)


@op("OneHot", numbers=(1,))
def _one_hot(node: Any, indices: Any, depth: Any, values: Any) -> Any:
    axis, count = node.get("axis", -1), as_number(depth)
    dim = positive(axis, indices.ndim + 1)
    positions = flow.unsqueeze(from_front(indices, count), dim)
    shape = [1] * (indices.ndim + 1)
    shape[dim] = count
    classes = flow.reshape(flow.arange(count, device=indices.device), shape)
    return flow.where(positions == classes, values[1], values[0])


@op("NonZero")
def _non_zero(node: Any, x: Any) -> Any:
    return flow.nonzero(x).t().contiguous()


@op("Compress")
def _compress(node: Any, x: Any, condition: Any) -> Any:
    axis = node.get("axis")
    if axis is None:
        x, axis = flow.reshape(x, (-1,)), 0
    return flow.index_select(x, axis, flow.reshape(flow.nonzero(condition), (-1,)))


@op("ReverseSequence")
def _reverse_sequence(node: Any, x: Any, lengths: Any) -> Any:
    time, batch = node.get("time_axis", 0), node.get("batch_axis", 1)
    steps = flow.arange(x.shape[time], device=x.device)
    steps = flow.reshape(steps, (-1, 1)) if time < batch else flow.reshape(steps, (1, -1))
    lengths = flow.reshape(lengths, (1, -1)) if time < batch else flow.reshape(lengths, (-1, 1))
    positions = flow.where(steps < lengths, lengths - 1 - steps, steps)
    return flow.gather(x, time, flow.reshape(positions, (*positions.shape, *[1] * (x.ndim - 2))).expand(x.shape))


@op("GridSample")
def _grid_sample(node: Any, x: Any, grid: Any) -> Any:
    mode = node.get("mode", "linear")
    mode = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)
    return F.grid_sample(x, grid, mode, node.get("padding_mode", "zeros"), bool(node.get("align_corners", 0)))


@op("AffineGrid", numbers=(1,))
def _affine_grid(node: Any, theta: Any, size: Any) -> Any:
    return F.affine_grid(theta, as_list(size), bool(node.get("align_corners", 0)))
