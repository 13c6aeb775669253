"""Consistent tensors and their shards: from one to the other, and from one layout to another. Autograd records nothing of it."""

from __future__ import annotations

from typing import Any

from tritonflow.boxing.explain import explained, without_numbers
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import route
from tritonflow.boxing.steps import run_route
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import slow_path, thread_state

_copy = op_expr("copy_")


def local_shard(x: Tensor) -> Tensor:
    """This rank's shard as a local tensor on the same memory; without its history."""
    x.impl.block  # noqa: B018 (a boxed view is brought up to date on every rank, whether or not the rank reads its shard)
    return Tensor(x.meta.local, x.impl, x.ptr)


def from_local(x: Tensor, meta: ConsistentTensorMeta) -> Tensor:
    """A consistent tensor whose shard on this rank is `x`, on the same memory; without its history."""
    return Tensor(meta, x.impl, x.ptr)


def box(x: Tensor, placement: Placement, sbp: NdSbp) -> Tensor:
    """A consistent tensor laid out anew; itself where it lies so already. Without its history."""
    meta: Any = x.meta
    if meta.placement is placement and meta.sbp == sbp:
        return x
    found = route(Layout(meta.shape, meta.placement, meta.sbp), Layout(meta.shape, placement, sbp), meta.dtype)
    if slow_path.count and thread_state.explaining is not None:
        thread_state.explaining.append(explained(found))
        return without_numbers(ConsistentTensorMeta.get(meta.shape, meta.dtype, placement, sbp))
    shard = run_route(found, local_shard(x))
    stride = meta.on_one_rank.stride  # the shard may be a view of x
    return from_local(shard, ConsistentTensorMeta.get(meta.shape, meta.dtype, placement, sbp, shard.meta, stride))


def unshared(x: Tensor, old: Tensor) -> Tensor:
    """Without the strides and memory of `old`, of which x is another layout: a rank's shard may be a part of the old one."""
    shard = local_shard(x)
    if x.impl is old.impl or not shard.meta.is_contiguous:
        shard = eager_local.contiguous_copy(shard)
    meta: Any = x.meta
    return from_local(shard, ConsistentTensorMeta.get(meta.shape, meta.dtype, meta.placement, meta.sbp, shard.meta))


def copy_over(out: Tensor, result: Tensor) -> None:
    """Write a consistent tensor over another one of its shape and dtype, which keeps its layout."""
    meta: Any = out.meta
    source, target = local_shard(box(result, meta.placement, meta.sbp)), local_shard(out)
    eager_local.apply(_copy, (target, source), OpContext(out=target))
