"""Rules of rotary embeddings: batches, heads and positions are apart; a head's elements are not."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.signature import Metas, SbpSignature


def rotary(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(tensors, cos, sin, positions) -> the tensors turned, or an empty output; attributes: (order, interleaved, starts[, inplace])."""
    count = op.inputs.index("cos")
    xs, (cos, sin, positions) = metas[:count], metas[count:]
    (batch, length, heads), _, starts, *_ = attrs
    assert cos is not None and xs[0] is not None
    found = [_signature(op, metas, split(heads), None, None)]
    if cos.ndim == 2 or cos.shape[0] == xs[0].shape[batch]:
        of_positions = split(0) if positions is not None and (starts or positions.ndim == 2) else None
        found.insert(0, _signature(op, metas, split(batch), split(0) if cos.ndim == 3 else None, of_positions))
    if positions is not None and not starts:
        found.append(_signature(op, metas, split(length), None, split(positions.ndim - 1)))
    elif positions is None and cos.shape[-2] == xs[0].shape[length]:
        found.append(_signature(op, metas, split(length), split(cos.ndim - 2), None))
    if not _writes(op):
        found.append(_signature(op, metas, partial_sum, None, None))
    return found


def _writes(op: OpDef) -> bool:
    return bool(op.mut)


def _signature(op: OpDef, metas: Metas, of_x: Sbp, of_table: Sbp | None, of_positions: Sbp | None) -> SbpSignature:
    count = op.inputs.index("cos")
    others: tuple[tuple[TensorMeta | None, Sbp | None], ...] = tuple(zip(metas[count:], (of_table, of_table, of_positions)))
    inputs = (*[of_x] * count, *[None if meta is None else sbp or broadcast for meta, sbp in others])
    return SbpSignature(inputs, (broadcast,) if _writes(op) else (of_x,) * count)
