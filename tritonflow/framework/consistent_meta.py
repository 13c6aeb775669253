"""ConsistentTensorMeta: what a consistent tensor is, besides the numbers of this rank's shard.

A consistent tensor is an ordinary `Tensor` with such a meta. Its impl and address are those of the shard of this rank. So a plan
for its shard, found by its meta, runs as for any tensor.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, ClassVar

from tritonflow.dtypes import DType
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta, contiguous_stride
from tritonflow.framework.placement import Coordinate, Placement
from tritonflow.framework.sbp import NdSbp, broadcast, nd_text
from tritonflow.framework.shards import Box, box_of, box_shape
from tritonflow.wire.world import this_rank


class ConsistentTensorMeta(TensorMeta):
    """The logical tensor (shape, ndim, numel, dtype), where and how it lies (placement, sbp), and this rank's shard.

    Make one with `ConsistentTensorMeta.get`. What is a matter of memory is the shard's: stride, device, aligned, nbytes.
    `is_contiguous` says that neither the shard nor the whole tensor on one rank has gaps.

    Attributes:
        placement, sbp: over which ranks, and how; one sbp for each dimension of the placement.
        coordinate: where in the placement this rank is; None outside of it, where the shard has no elements.
        local: the meta of the shard.
        box: the ranges of the logical tensor that the shard has; None outside of the placement.
        logical: the contiguous local meta of the whole tensor. Planners say by it what becomes of a tensor.
        on_one_rank: the local meta that the whole tensor would have, with strides if it is a view. What depends on strides (whether
            a reshape is a view, which elements share memory) is decided by it, on all ranks alike.
    """

    __slots__ = ("placement", "sbp", "coordinate", "local", "box", "logical", "on_one_rank")
    is_local: ClassVar[bool] = False

    def __init__(
        self, shape: Shape, dtype: DType, placement: Placement, sbp: NdSbp, rank: int, local: TensorMeta, stride: Shape | None
    ) -> None:
        super().__init__(shape, local.stride, dtype, local.device, local.aligned)
        self.nbytes = local.nbytes
        self.placement = placement
        self.sbp = sbp
        self.coordinate = placement.coordinate(rank)
        self.box = shard_box(shape, placement, sbp, self.coordinate)
        self.local = local  # type: ignore[misc]  # a property of local metas
        self.logical = whole = contiguous_meta(shape, dtype, local.device)
        one = whole if stride is None else TensorMeta.get(shape, stride, dtype, local.device)
        self.is_contiguous = local.is_contiguous and one.is_contiguous
        self.on_one_rank = one  # type: ignore[misc]  # a property of local metas

    @staticmethod
    def get(  # type: ignore[override]  # made of other things than a local one
        shape: Shape,
        dtype: DType,
        placement: Placement,
        sbp: NdSbp,
        local: TensorMeta | None = None,
        stride: Shape | None = None,
    ) -> ConsistentTensorMeta:
        """The one meta with these properties on the calling rank.

        Without `local` and `stride`, shard and tensor are contiguous.
        """
        rank = this_rank().index
        if local is None:
            box = shard_box(shape, placement, sbp, placement.coordinate(rank))
            local = contiguous_meta(box_shape(box) if box is not None else (0,), dtype, placement.device())
        if stride is not None and stride == contiguous_stride(shape):
            stride = None
        key = shape, dtype, placement, sbp, rank, local, stride
        meta = _interned.get(key)
        if meta is None:
            with _lock:
                meta = _interned.get(key)
                if meta is None:
                    meta = _interned[key] = ConsistentTensorMeta(*key)
        return meta

    @property
    def is_channels_last(self) -> bool:
        """Whether the whole tensor would be channels-last on one rank."""
        return self.on_one_rank.is_channels_last

    @property
    def is_channels_last_3d(self) -> bool:
        """The same for volumes."""
        return self.on_one_rank.is_channels_last_3d

    def with_dtype(self, dtype: DType) -> ConsistentTensorMeta:
        """A contiguous shard of the same piece with another dtype."""
        return ConsistentTensorMeta.get(self.shape, dtype, self.placement, self.sbp)

    def with_shard(self, local: TensorMeta) -> ConsistentTensorMeta:
        """That of new memory for such a tensor, of which this rank's shard has a meta."""
        stride = self.on_one_rank.allocated().stride
        return ConsistentTensorMeta.get(self.shape, self.dtype, self.placement, self.sbp, local, stride)

    def contiguous(self) -> ConsistentTensorMeta:
        """The same with a contiguous shard."""
        return self.with_dtype(self.dtype)

    def new(self, shape: Shape, dtype: DType | None = None) -> ConsistentTensorMeta:
        """The meta of a new tensor over this placement, broadcast."""
        return ConsistentTensorMeta.get(shape, dtype or self.dtype, self.placement, (broadcast,) * self.placement.ndim)

    def span(self) -> int:
        """How many elements lie between the first and the last of the shard in memory."""
        return self.local.span()

    def __repr__(self) -> str:
        return (
            f"ConsistentTensorMeta(shape={self.shape}, dtype={self.dtype}, placement={self.placement},"
            f" sbp={nd_text(self.sbp)}, local={self.local})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (ConsistentTensorMeta.get, (self.shape, self.dtype, self.placement, self.sbp, self.local, self.on_one_rank.stride))


def shard_box(shape: Shape, placement: Placement, sbp: NdSbp, coordinate: Coordinate | None) -> Box | None:
    """The ranges that a coordinate holds; None outside of the placement."""
    return None if coordinate is None else box_of(shape, placement.shape, sbp, coordinate)


_interned: weakref.WeakValueDictionary[Any, ConsistentTensorMeta] = weakref.WeakValueDictionary()
_lock = threading.Lock()
