"""Rules of ops over many tensors: a row is a parameter, its gradient and its states, which all lie as the parameter does.

Rows differ, so these rules ask how the tensors lie already. Nothing else in a row would save communication.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import Sbp, broadcast, partial_max, split
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.signature import Metas, SbpSignature

Row = tuple[Sbp, ...]  # the sbp of the tensors in the first column, one for each row


def update(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """A step of an optimizer: (found_inf, parameters, gradients, states); the first attribute is the number of rows."""
    found_inf, *tensors = metas
    count = attrs[0]
    skip = None if found_inf is None else broadcast
    return [
        SbpSignature((skip, *_columns(tensors, row)), (broadcast,))
        for row in _rows(tensors[:count])
        if not any(sbp.is_partial for sbp in row)
    ]


def scale(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(norm, tensors): all multiplied by one number that is not negative; shares may be, too."""
    _, *tensors = metas
    return [SbpSignature((broadcast, *row), (broadcast,)) for row in _rows(tensors)]


def clip(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(tensors): every element for itself."""
    return [SbpSignature(row, (broadcast,)) for row in _rows(metas) if not any(sbp.is_partial for sbp in row)]


def unscale(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(scale, found_inf, tensors): a rank sees what overflowed in its pieces, so found_inf becomes a partial maximum."""
    _, _, *tensors = metas
    rows = [row for row in _rows(tensors) if not any(sbp.is_partial for sbp in row)]
    whole = [SbpSignature((broadcast, partial_max, *row), (broadcast,)) for row in [*rows, (broadcast,) * len(tensors)]]
    return whole


def _rows(first: Any) -> list[Row]:
    """How the tensors of the first column may lie over one dimension of a placement: as they do over some of its dimensions.

    Where nothing says how they lie, all are split along a dimension that they have.
    """
    if all(isinstance(meta, ConsistentTensorMeta) for meta in first):
        return list(dict.fromkeys(zip(*[meta.sbp for meta in first])))
    ndim = max([meta.ndim for meta in first], default=0)
    return [tuple([split(dim) if dim < meta.ndim else broadcast for meta in first]) for dim in range(ndim)]


def _columns(tensors: list[TensorMeta | None], row: Row) -> tuple[Sbp | None, ...]:
    """The sbp of all tensors of all columns: those with the shape of the first in their row lie as it does."""
    found: list[Sbp | None] = []
    for k, meta in enumerate(tensors):
        first = tensors[k % len(row)]
        found.append(None if meta is None or first is None else row[k % len(row)] if meta.shape == first.shape else broadcast)
    return tuple(found)
