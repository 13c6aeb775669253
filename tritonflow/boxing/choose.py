"""The choice of a signature for an op on consistent tensors: one that fits as they are, else the one whose boxing takes least time.

It depends only on what every rank knows, so that all ranks choose the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import Route, route
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.sbp import NdSbp
from tritonflow.ops.sbp.signature import NdSignature

Metas = tuple[ConsistentTensorMeta | None, ...]
Routes = tuple[Route | None, ...]


def choose(
    candidates: Sequence[NdSignature], metas: Metas, written: Sequence[int], outputs: NdSbp | None
) -> tuple[NdSignature, Routes] | None:
    """The best candidate, and the route of every input that has to be boxed for it.

    Args:
        candidates: the signatures of the op, the best first.
        metas: the inputs', None for absent ones.
        written: the inputs that the op writes, which cannot be boxed.
        outputs: the nd-sbp that the outputs must have, or None.

    Returns:
        None if no candidate has such outputs and such written inputs.
    """
    best: tuple[float, NdSignature] | None = None
    for candidate in candidates:
        if outputs is not None and any(sbp != outputs for sbp in candidate.outputs):
            continue
        if any(_differs(candidate, metas, k) for k in written):
            continue
        seconds = sum(_seconds(candidate, metas, k) for k in range(len(metas)))
        if best is None or seconds < best[0]:
            best = seconds, candidate
            if seconds == 0:
                break
    if best is None:
        return None
    signature = best[1]
    return signature, tuple([_route(signature, metas, k) for k in range(len(metas))])


def _differs(candidate: NdSignature, metas: Metas, k: int) -> bool:
    meta = metas[k]
    return meta is not None and candidate.inputs[k] != meta.sbp


def _route(candidate: NdSignature, metas: Metas, k: int) -> Route | None:
    meta, sbp = metas[k], candidate.inputs[k]
    if meta is None or sbp is None or sbp == meta.sbp:
        return None
    source, target = Layout(meta.shape, meta.placement, meta.sbp), Layout(meta.shape, meta.placement, sbp)
    return route(source, target, meta.dtype)


def _seconds(candidate: NdSignature, metas: Metas, k: int) -> float:
    found = _route(candidate, metas, k)
    return 0.0 if found is None else found.seconds
