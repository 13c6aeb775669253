"""The choice of a signature for an op on consistent tensors: one that fits as they are, else the one whose boxing takes least time.

It depends only on what every rank knows, so that all ranks choose the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import Route, route
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.sbp import NdSbp, plain
from tritonflow.ops.sbp.signature import NdSignature

Metas = tuple[ConsistentTensorMeta | None, ...]
Routes = tuple[Route | None, ...]


def choose(
    candidates: Sequence[NdSignature], metas: Metas, written: Sequence[int], over: ConsistentTensorMeta | None
) -> tuple[NdSignature, Routes] | None:
    """The best candidate, and the route of every input that has to be boxed for it.

    Args:
        candidates: the signatures of the op, the best first.
        metas: the inputs', None for absent ones.
        written: the inputs that the op writes, which cannot be boxed.
        over: the meta of the tensor that the output is written over, or None.

    Returns:
        None if no candidate has such outputs and such written inputs.
    """
    best: tuple[tuple[float, int], NdSignature, Routes] | None = None
    for candidate in candidates:
        if over is not None and any(not _lies_as(over, sbp) for sbp in candidate.outputs):
            continue
        if any(_route(candidate, metas, k) is not None for k in written):
            continue
        routes = tuple([_route(candidate, metas, k) for k in range(len(metas))])
        cost = sum([found.seconds for found in routes if found is not None]), _count_renamed(candidate, metas, routes)
        if best is None or cost < best[0]:
            best = cost, candidate, routes
            if cost == (0, 0):
                break
    return None if best is None else best[1:]


def _lies_as(meta: ConsistentTensorMeta, sbp: NdSbp) -> bool:
    return meta.sbp == sbp or plain(meta.sbp, meta.placement.shape) == plain(sbp, meta.placement.shape)


def _count_renamed(candidate: NdSignature, metas: Metas, routes: Routes) -> int:
    """How many inputs lie as the signature says by another name: the fewer, the more of their names the outputs have."""
    pairs = zip(metas, candidate.inputs, routes)
    return sum([meta is not None and found is None and sbp != meta.sbp for meta, sbp, found in pairs])


def _route(candidate: NdSignature, metas: Metas, k: int) -> Route | None:
    """None where nothing moves."""
    meta, sbp = metas[k], candidate.inputs[k]
    if meta is None or sbp is None or _lies_as(meta, sbp):
        return None
    source, target = Layout(meta.shape, meta.placement, meta.sbp), Layout(meta.shape, meta.placement, sbp)
    return route(source, target, meta.dtype)
