"""Consistent tensors and their shards: from one to the other, and from one layout to another. Autograd records nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp
from tritonflow.framework.tensor import Tensor
from tritonflow.wire.world import this_rank

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
    rank = this_rank()
    found = _boxing(meta, placement, sbp, rank.world_size, rank.nodes)
    shard = found.run(local_shard(x))
    target = found.target
    if target is None or target.local is not shard.meta:
        target = found.target = ConsistentTensorMeta.get(meta.shape, meta.dtype, placement, sbp, shard.meta)
    return from_local(shard, target)


class _Boxing:
    """What a boxing of tensors of one meta needs, found once.

    Attributes:
        run: from this rank's shard to that of the result.
        target: the meta of the last result.
    """

    __slots__ = ("run", "target")

    def __init__(self, run: Callable[[Tensor], Tensor]) -> None:
        self.run = run
        self.target: ConsistentTensorMeta | None = None


@lru_cache(maxsize=1024)
def _boxing(meta: ConsistentTensorMeta, placement: Placement, sbp: NdSbp, world_size: int, nodes: int) -> _Boxing:
    """That of a meta, which is of one rank. Local tensors need none: the first one imports what boxing is."""
    from tritonflow.boxing.pieces import Layout
    from tritonflow.boxing.routes import route
    from tritonflow.boxing.steps import run_route

    source, target = Layout(meta.shape, meta.placement, meta.sbp), Layout(meta.shape, placement, sbp)
    return _Boxing(partial(run_route, route(source, target, meta.dtype)))


def unshared(x: Tensor) -> Tensor:
    """A copy: where x is laid out anew a rank's shard may be a part of the old one, and must not be written with it."""
    shard = eager_local.contiguous_copy(local_shard(x))
    meta: Any = x.meta
    return from_local(shard, ConsistentTensorMeta.get(meta.shape, meta.dtype, meta.placement, meta.sbp, shard.meta))


def copy_over(out: Tensor, result: Tensor) -> None:
    """Write a consistent tensor over another one of its shape and dtype, which keeps its layout."""
    meta: Any = out.meta
    source, target = local_shard(box(result, meta.placement, meta.sbp)), local_shard(out)
    eager_local.apply(_copy, (target, source), OpContext(out=target))
