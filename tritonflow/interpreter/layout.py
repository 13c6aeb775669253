"""Consistent tensors from one layout to another. Autograd records nothing of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tritonflow.boxing.explain import explained, without_numbers
from tritonflow.boxing.links import node_size
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import Route, route
from tritonflow.boxing.steps import run_route
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp
from tritonflow.framework.shards import Cut
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.shard import from_local, local_shard, run_local, shared_with_local
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.wire.world import this_rank

_copy, _slice, _contiguous_copy = op_expr("copy_"), op_expr("slice"), op_expr("contiguous_copy")


def seen_alike(x: Tensor) -> tuple[Any, ...]:
    """Equal for tensors on one memory that are the same. Where all ranks have as much, that is so on all of them or on none."""
    meta: Any = x.meta
    return meta.on_one_rank, meta.placement, meta.sbp, x.ptr


def moved_shard(x: Tensor, route: Route, what: str = "") -> Tensor:
    """This rank's shard of a consistent tensor by a route."""
    shard = local_shard(x)
    if route.steps and slow_path.count and thread_state.observer.is_capturing:
        reused = route.combines_evenly and x.impl not in shared_with_local
        found: Tensor = thread_state.observer.over_ranks.box_once(x, route, shard, what, reused)
        return found
    return run_route(route, shard, what)


def box(x: Tensor, placement: Placement, sbp: NdSbp) -> Tensor:
    """A consistent tensor laid out anew; itself where it lies so already. Without its history."""
    meta: Any = x.meta
    if meta.placement is placement and meta.sbp == sbp:
        return x
    found = _boxing(meta, placement, sbp, node_size())
    if _is_explained(found.route):
        return without_numbers(ConsistentTensorMeta.get(meta.shape, meta.dtype, placement, sbp))
    shard = moved_shard(x, found.route)
    target = found.target
    if target is None or target.local is not shard.meta:
        stride = meta.on_one_rank.stride  # the shard may be a view of x
        target = found.target = ConsistentTensorMeta.get(meta.shape, meta.dtype, placement, sbp, shard.meta, stride)
    return from_local(shard, target)


class _Boxing:
    """What a boxing of tensors of one meta needs, found once.

    Attributes:
        route: the moves.
        target: the meta of the last result.
    """

    __slots__ = ("route", "target")

    def __init__(self, route: Route) -> None:
        self.route = route
        self.target: ConsistentTensorMeta | None = None


@lru_cache(maxsize=1024)
def _boxing(meta: ConsistentTensorMeta, placement: Placement, sbp: NdSbp, node: int) -> _Boxing:
    """That of a meta, which is of one rank, on nodes of so many ranks."""
    return _Boxing(route(Layout(meta.shape, meta.placement, meta.sbp), Layout(meta.shape, placement, sbp), meta.dtype))


def _is_explained(found: Route) -> bool:
    """Whether a route is told, not run."""
    if not slow_path.count or thread_state.explaining is None:
        return False
    thread_state.explaining.append(explained(found))
    return True


def box_cut(x: Tensor, cut: Cut, length: int, sbp: NdSbp) -> Tensor:
    """A slice of a consistent tensor, laid out anew: what a rank has of it goes where it belongs. Without its history."""
    meta: Any = x.meta
    source = _layout_of_cut(meta, cut, length)
    found = route(source, Layout(source.shape, meta.placement, sbp), meta.dtype)
    if _is_explained(found):
        return without_numbers(ConsistentTensorMeta.get(source.shape, meta.dtype, meta.placement, sbp))
    shard = run_route(found, _local_cut(x, cut, source))
    return from_local(shard, ConsistentTensorMeta.get(source.shape, meta.dtype, meta.placement, sbp, shard.meta))


def write_cut(x: Tensor, cut: Cut, part: Tensor) -> None:
    """Write a consistent tensor over a slice of another one."""
    meta: Any = part.meta
    target = _layout_of_cut(x.meta, cut, meta.shape[cut.dim])
    found = route(Layout(meta.shape, meta.placement, meta.sbp), target, meta.dtype)
    if _is_explained(found):
        return
    shard, own = run_route(found, local_shard(part)), _local_cut(x, cut, target)
    run_local(_copy, (own, shard), OpContext(out=own))


def _layout_of_cut(meta: Any, cut: Cut, length: int) -> Layout:
    return Layout(cut._replace(size=length).around(meta.shape), meta.placement, meta.sbp, cut)


def _local_cut(x: Tensor, cut: Cut, layout: Layout) -> Tensor:
    """What this rank has of a slice, on the memory of its shard."""
    meta: Any = x.meta
    shard = local_shard(x)
    holding = layout.holding(this_rank().index)
    if holding is None:
        return shard
    first, stop = holding.box[cut.dim]
    begin = meta.box[cut.dim][0]
    start = cut.start + first * cut.step - begin if stop > first else 0
    return eager_local.apply_view(_slice, shard, OpContext((cut.dim, start, stop - first, cut.step)))


def unshared(x: Tensor, old: Tensor) -> Tensor:
    """Without the strides and memory of `old`, of which x is another layout: a rank's shard may be a part of the old one."""
    shard = local_shard(x)
    if x.impl is old.impl or not shard.meta.is_contiguous:
        shard = run_local(_contiguous_copy, (shard,), OpContext())
    meta: Any = x.meta
    return from_local(shard, ConsistentTensorMeta.get(meta.shape, meta.dtype, meta.placement, meta.sbp, shard.meta))


def copy_over(out: Tensor, result: Tensor) -> None:
    """Write a consistent tensor over another one of its shape and dtype, which keeps its layout."""
    meta: Any = out.meta
    source, target = local_shard(box(result, meta.placement, meta.sbp)), local_shard(out)
    run_local(_copy, (target, source), OpContext(out=target))
