"""Rules of rotary embeddings: batches, heads and positions are apart; a head's elements are not."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.signature import Metas, SbpSignature


def rotary(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(tensors, cos, sin, positions) -> the tensors turned, or nothing; attributes: (order, interleaved, starts[, inplace])."""
    count = op.inputs.index("cos")
    xs, (cos, _, positions) = metas[:count], metas[count:]
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


def paged_append(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(key, value, slots, key cache, value cache, query, cos, sin, positions) -> the queries turned, or nothing.

    Heads are apart: those of the query alone, or those of keys and values with their caches. Slots count rows of all tokens.
    """
    key, query = metas[0], metas[5]
    assert key is not None
    tables = [None if meta is None else broadcast for meta in metas[6:]]
    of_query = None if query is None else split(1)
    found = [SbpSignature((split(1), split(1), broadcast, split(2), split(2), of_query, *tables), (of_query or broadcast,))]
    if query is not None:
        found.append(SbpSignature((*[broadcast] * 5, split(1), *tables), (split(1),)))
        found.append(SbpSignature((split(1), split(1), broadcast, split(2), split(2), broadcast, *tables), (broadcast,)))
    return found


def _writes(op: OpDef) -> bool:
    return bool(op.mut)


def _signature(op: OpDef, metas: Metas, of_x: Sbp, of_table: Sbp | None, of_positions: Sbp | None) -> SbpSignature:
    count = op.inputs.index("cos")
    others: tuple[tuple[TensorMeta | None, Sbp | None], ...] = tuple(zip(metas[count:], (of_table, of_table, of_positions)))
    inputs = (*[of_x] * count, *[None if meta is None else sbp or broadcast for meta, sbp in others])
    return SbpSignature(inputs, (broadcast,) if _writes(op) else (of_x,) * count)
