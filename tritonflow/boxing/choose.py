"""The choice of a signature for an op on consistent tensors: one that fits as they are, else the one whose boxing takes least time.

It depends only on what every rank knows, so that all ranks choose the same. To the time of the inputs' routes is added what they
leave for later, when the result is read, perhaps by several ops:

    B -> P            the result is partial, and will be combined; not where it would be anyway, as with a bias
    P -> S            the result is split, and will be gathered; unless other inputs are split
    S -> B, S -> S    a result that is partial nevertheless will be combined
"""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import Route, route
from tritonflow.dtypes import DType
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import TensorMeta, numel_of
from tritonflow.framework.sbp import NdSbp, broadcast
from tritonflow.ops.sbp.signature import NdSignature

Metas = tuple[ConsistentTensorMeta | None, ...]
Routes = tuple[Route | None, ...]

_LARGER = 1.01  # of what takes as long, that is chosen which leaves nothing for later


def choose(
    candidates: Sequence[NdSignature],
    metas: Metas,
    written: Sequence[int],
    outputs: NdSbp | None,
    made: Sequence[TensorMeta] = (),
) -> tuple[NdSignature, Routes] | None:
    """The best candidate, and the route of every input that has to be boxed for it.

    Args:
        candidates: the signatures of the op, the best first.
        metas: the inputs', None for absent ones.
        written: the inputs that the op writes, which cannot be boxed.
        outputs: the nd-sbp that the outputs must have, or None.
        made: the outputs' logical metas.

    Returns:
        None if no candidate has such outputs and such written inputs.
    """
    best: tuple[float, NdSignature] | None = None
    for candidate in candidates:
        if outputs is not None and any(sbp != outputs for sbp in candidate.outputs):
            continue
        if any(_differs(candidate, metas, k) for k in written):
            continue
        seconds = _seconds(candidate, metas, made)
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


def _seconds(candidate: NdSignature, metas: Metas, made: Sequence[TensorMeta]) -> float:
    routes = [_route(candidate, metas, k) for k in range(len(metas))]
    size = max([meta.numel for meta in made], default=0)
    seconds = sum([0.0 if found is None else found.seconds + _later(found, metas, size) for found in routes])
    if any(found is not None and found.bytes for found in routes):
        placement = next(meta.placement for meta in metas if meta is not None)
        layouts = [Layout(meta.shape, placement, sbp) for meta, sbp in zip(made, candidate.outputs)]
        seconds += sum([_seconds_to_broadcast(layout, meta.dtype) for layout, meta in zip(layouts, made)])
    return seconds


def _later(found: Route, metas: Metas, size: int) -> float:
    """What a route leaves for later, of an op with outputs of that size."""
    source, target = found.source, found.target
    if found.seconds_later:  # shares of a small tensor, as of a bias, are combined together with those of the others
        small = 2 * numel_of(source.shape) <= size
        return (0.0 if small else _LARGER * _seconds_to_broadcast(target, found.dtype)) - found.seconds_later
    gathered = [
        k
        for k, (before, after) in enumerate(zip(source.sbp, target.sbp))
        if before.is_partial and after.is_split and not any(meta is not None and meta.sbp[k].is_split for meta in metas)
    ]
    if not gathered:
        return 0.0
    whole = tuple([broadcast if k in gathered else one for k, one in enumerate(target.sbp)])
    return _LARGER * route(target, target._replace(sbp=whole), found.dtype).seconds


def _seconds_to_broadcast(layout: Layout, dtype: DType) -> float:
    """What it takes to combine a partial tensor."""
    whole = tuple([broadcast if one.is_partial else one for one in layout.sbp])
    return route(layout, layout._replace(sbp=whole), dtype).seconds
