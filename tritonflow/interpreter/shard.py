"""A consistent tensor and this rank's shard of it: the same memory by two metas. Autograd records nothing of it."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from tritonflow.device.device import META
from tritonflow.execution import eager_local, lazy, meta
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import slow_path, thread_state

# Impls of consistent tensors that local tensors have as well: there one rank may write without the others.
shared_with_local: WeakSet[Any] = WeakSet()


def local_shard(x: Tensor) -> Tensor:
    """This rank's shard as a local tensor on the same memory; without its history."""
    if slow_path.count and thread_state.observer.is_capturing:
        found: Tensor = thread_state.observer.over_ranks.shard(x)
        return found
    if x.meta.device is not META:
        x.impl.block  # noqa: B018 (a boxed view is brought up to date on every rank, whether or not the rank reads its shard)
    return Tensor(x.meta.local, x.impl, x.ptr)


def without_history(x: Tensor) -> Tensor:
    """The tensor, of which autograd records nothing."""
    if slow_path.count and thread_state.observer.is_capturing:
        found: Tensor = thread_state.observer.over_ranks.without_history(x, x.meta)
        return found
    return Tensor(x.meta, x.impl, x.ptr)


def run_local(op: OpExpr, inputs: tuple[Tensor | None, ...], context: OpContext) -> Any:
    """What a local op gives for shards: it is run, or recorded, or asked for metas."""
    if meta.is_without_data(inputs, context):
        return meta.apply(op, inputs, context)
    if slow_path.count and thread_state.observer.is_capturing:
        return lazy.apply(op, inputs, context)
    return eager_local.apply(op, inputs, context)


def from_local(x: Tensor, meta: ConsistentTensorMeta) -> Tensor:
    """A consistent tensor whose shard on this rank is `x`, on the same memory; without its history."""
    found = Tensor(meta, x.impl, x.ptr)
    if slow_path.count and thread_state.observer.is_capturing and not x.impl.is_lazy:
        found._view = x._view  # by which a capture knows the leaf whose memory it is
    return found
