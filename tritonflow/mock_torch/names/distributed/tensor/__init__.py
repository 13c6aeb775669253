"""`torch.distributed.tensor`: words for layouts. Tensors over several ranks are `Tensor.to_global` here (docs/consistent.md)."""

from __future__ import annotations

from dataclasses import dataclass


class TensorPlacement:
    """A word for how a tensor lies along a dimension of a mesh."""

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether it is split, along a dimension if one is given."""
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self) -> bool:
        """Whether every rank has it whole."""
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op: str | None = None) -> bool:
        """Whether the ranks' tensors are to be reduced."""
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)


Placement = TensorPlacement


@dataclass(frozen=True)
class Shard(TensorPlacement):
    """Split along a dimension."""

    dim: int


@dataclass(frozen=True)
class Replicate(TensorPlacement):
    """Whole on every rank."""


@dataclass(frozen=True)
class Partial(TensorPlacement):
    """To be reduced."""

    reduce_op: str = "sum"
