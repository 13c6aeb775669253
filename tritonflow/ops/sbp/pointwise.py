"""The rule of pointwise ops: dimensions are aligned from the right, and each may be split; linear ops take partial sums."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.sbp import Sbp, broadcast, partial_sum
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.signature import Metas, SbpSignature


def pointwise(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Split along every dimension of the result; partial sums, where the op is linear in them."""
    ndim = max([m.ndim for m in metas if m is not None], default=0)
    return [*[_split(op, metas, dim - ndim, dim) for dim in range(ndim)], *_partial(op, metas)]


def _split(op: OpDef, metas: Metas, from_right: int, dim: int) -> SbpSignature:
    """An input of size 1 is broadcast where the result is larger."""
    single = all(m is None or m.ndim < -from_right or m.shape[from_right] == 1 for m in metas)
    inputs: list[Sbp | None] = []
    for meta in metas:
        if meta is None:
            inputs.append(None)
        elif meta.ndim < -from_right or meta.shape[from_right] == 1 and not single:
            inputs.append(broadcast)
        else:
            inputs.append(Sbp("split", meta.ndim + from_right))
    return SbpSignature(tuple(inputs), (Sbp("split", dim),) * len(op.outputs))


def _partial(op: OpDef, metas: Metas) -> list[SbpSignature]:
    """The sets of inputs in which the op is linear become partial sums together; the others are broadcast."""
    found = []
    for positions in op.linear:
        if _adds_up(op, metas, positions):
            inputs = [None if m is None else partial_sum if k in positions else broadcast for k, m in enumerate(metas)]
            found.append(SbpSignature(tuple(inputs), (partial_sum,) * len(op.outputs)))
    return found


def _adds_up(op: OpDef, metas: Metas, positions: tuple[int, ...]) -> bool:
    """Whether the result of shares adds up in its dtype: it is at least as wide as theirs, and floating.

    Sums of integers wrap around. So they stay integers of one dtype, and no dynamic scalar makes floats of them.
    """
    shares = [metas[k] for k in positions]
    if all(m is not None and m.dtype.is_floating_point for m in shares):
        return True
    whole = {m.dtype for m in metas if m is not None}
    integral = len(whole) == 1 and all(not d.is_floating_point and d.name != "bool" for d in whole)
    return integral and op.result == "promoted" and not op.dynamic
