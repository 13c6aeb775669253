"""A consistent tensor and this rank's shard of it: the same memory by two metas. Autograd records nothing of it."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.tensor import Tensor

# Impls of consistent tensors that local tensors have as well: there one rank may write without the others.
shared_with_local: WeakSet[Any] = WeakSet()


def local_shard(x: Tensor) -> Tensor:
    """This rank's shard as a local tensor on the same memory; without its history."""
    x.impl.block  # noqa: B018 (a boxed view is brought up to date on every rank, whether or not the rank reads its shard)
    return Tensor(x.meta.local, x.impl, x.ptr)


def from_local(x: Tensor, meta: ConsistentTensorMeta) -> Tensor:
    """A consistent tensor whose shard on this rank is `x`, on the same memory; without its history."""
    return Tensor(meta, x.impl, x.ptr)
