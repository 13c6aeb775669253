"""Programs take and give shards; around them tensors are global."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.framework.tensor import Tensor


def globals_among(tensors: Sequence[Tensor]) -> list[tuple[int, Any]]:
    """The global tensors among some, by their positions: their metas."""
    return [(k, x.meta) for k, x in enumerate(tensors) if not x.meta.is_local]


def from_shard(shard: Tensor, meta: Any) -> Tensor:
    """A global tensor of which a program gave this rank's shard, as one of a meta was captured."""
    return Tensor(meta.with_shard(shard.meta), shard.impl, shard.ptr)


def to_layout(x: Tensor, meta: Any) -> Tensor:
    """A global tensor as it is captured: laid out as another one. Without its history."""
    from tritonflow.interpreter.layout import box  # programs on one rank need no boxing

    return box(x, meta.placement, meta.sbp)
