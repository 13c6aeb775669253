"""Rules of random ops: the numbers are those that one process draws, whatever the placement and the sbp.

An element's number depends on its position in the whole tensor. A rank is told at which word its shard begins, and how far
apart its rows are in the whole. The generator's state is the same on all ranks, and moves on by the whole.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import Shape, contiguous_stride, numel_of
from tritonflow.framework.sbp import broadcast, partial_sum, split
from tritonflow.framework.shards import Box, box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.build import made
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer


def draw(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The input is the state, the attributes begin with the shape."""
    return [s._replace(inputs=(broadcast,)) for s in made(len(attrs[0]))]


@localizer(draw)
def _draw(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    shape, *rest = attrs
    box = shards.outputs[0]
    return _drawn(shape, box, (box_shape(box), *rest), dynamic)


def elementwise(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The inputs are tensors, with an element for each number, and the state."""
    *tensors, _ = metas
    (first, *_) = tensors
    assert first is not None
    return [
        SbpSignature((*(split(d),) * len(tensors), broadcast), (split(d),) * len(op.outputs)) for d in range(first.ndim)
    ]


def dropout(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(x, state) -> (y, kept): every rank keeps the same of its share as the others do of theirs."""
    return [*elementwise(op, metas, attrs), SbpSignature((partial_sum, broadcast), (partial_sum, broadcast))]


@localizer(dropout)
@localizer(elementwise)
def _elementwise(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    tensor = shards.metas[0]
    assert tensor is not None
    return _drawn(tensor.shape, shards.outputs[0], attrs, dynamic)


def _drawn(shape: Shape, box: Box, attrs: tuple[Any, ...], dynamic: tuple[Any, ...]) -> Local:
    """Behind the other attributes the shape of the whole, and whether rows begin at counters; behind the other scalars where."""
    local = box_shape(box)
    if local == shape:
        return Local(attrs, dynamic)
    first = sum([start * stride for (start, _), stride in zip(box, contiguous_stride(shape))]) if numel_of(local) else 0
    fours = first % 4 == 0 and _rows_share_counters(shape, local)
    return Local((*attrs, shape, fours), dynamic, (first // 4 if fours else first,))


def _rows_share_counters(whole: Shape, local: Shape) -> bool:
    """Whether four neighbours in a row of a shard have the words of one counter, if those of the first row have."""
    strides = contiguous_stride(whole)
    rows = [(n, stride) for n, stride in zip(local, strides) if n != 1]
    if all(stride == own for (_, stride), own in zip(rows, contiguous_stride(tuple([n for n, _ in rows])))):
        return True
    return local[-1] >= 4 and all(stride % 4 == 0 for n, stride in zip(local[:-1], strides) if n != 1)
