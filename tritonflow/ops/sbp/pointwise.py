"""The rule of pointwise ops: dimensions are aligned from the right, and each may be split."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.sbp import Sbp, broadcast
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.signature import Metas, Signature


def pointwise(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[Signature]:
    """Split along every dimension of the result; an input of size 1 there is broadcast, unless the result has that size."""
    ndim = max([m.ndim for m in metas if m is not None], default=0)
    return [_split(op, metas, dim - ndim, dim) for dim in range(ndim)]


def _split(op: OpDef, metas: Metas, from_right: int, dim: int) -> Signature:
    single = all(m is None or m.ndim < -from_right or m.shape[from_right] == 1 for m in metas)
    inputs: list[Sbp | None] = []
    for meta in metas:
        if meta is None:
            inputs.append(None)
        elif meta.ndim < -from_right or meta.shape[from_right] == 1 and not single:
            inputs.append(broadcast)
        else:
            inputs.append(Sbp("split", meta.ndim + from_right))
    return Signature(tuple(inputs), (Sbp("split", dim),) * len(op.outputs))
