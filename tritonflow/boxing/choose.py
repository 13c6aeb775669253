"""The choice of a signature for an op on consistent tensors: one that fits as they are, else the one whose boxing takes least time.

It depends only on what every rank knows, so that all ranks choose the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import Route, route
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.sbp import NdSbp, nd_text, plain
from tritonflow.ops.sbp.signature import NdSignature

Metas = tuple[ConsistentTensorMeta | None, ...]
Routes = tuple[Route | None, ...]


class Considered(NamedTuple):
    """A signature that an op may have.

    Attributes:
        cost: the seconds of boxing, and how many inputs lie as it says by another name: along mesh dimensions of one rank, any
            sbp is broadcast. The fewer, the more of their names the outputs have.
        signature: of the op.
        routes: of every input that has to be boxed for it.
    """

    cost: tuple[float, int]
    signature: NdSignature
    routes: Routes

    def __str__(self) -> str:
        return text_of(self.signature)


def choose(considered: Iterable[Considered]) -> Considered | None:
    """The first one of least cost; None if there is none."""
    best: Considered | None = None
    for one in considered:
        if best is None or one.cost < best.cost:
            best = one
            if one.cost == (0, 0):
                break
    return best


def consider(
    candidates: Sequence[NdSignature], metas: Metas, written: Sequence[int], over: ConsistentTensorMeta | None
) -> Iterator[Considered]:
    """The candidates that are possible, in their order.

    Args:
        candidates: the signatures of the op, the best first.
        metas: the inputs', None for absent ones.
        written: the inputs that the op writes, which cannot be boxed.
        over: the meta of the tensor that the output is written over, or None.
    """
    for candidate in candidates:
        if over is not None and any(not _lies_as(over, sbp) for sbp in candidate.outputs):
            continue
        if any(_route(candidate, metas, k) is not None for k in written):
            continue
        routes = tuple([_route(candidate, metas, k) for k in range(len(metas))])
        seconds = sum([found.seconds for found in routes if found is not None])
        yield Considered((seconds, _count_renamed(candidate, metas, routes)), candidate, routes)


def text_of(signature: NdSignature) -> str:
    """For people: `(S0, B) -> S0`."""
    inputs = ", ".join("none" if sbp is None else nd_text(sbp) for sbp in signature.inputs)
    outputs = ", ".join(map(nd_text, signature.outputs))
    return f"({inputs}) -> {outputs}"


def _lies_as(meta: ConsistentTensorMeta, sbp: NdSbp) -> bool:
    return meta.sbp == sbp or plain(meta.sbp, meta.placement.shape) == plain(sbp, meta.placement.shape)


def _count_renamed(candidate: NdSignature, metas: Metas, routes: Routes) -> int:
    pairs = zip(metas, candidate.inputs, routes)
    return sum([meta is not None and found is None and sbp != meta.sbp for meta, sbp, found in pairs])


def _route(candidate: NdSignature, metas: Metas, k: int) -> Route | None:
    """None where nothing moves."""
    meta, sbp = metas[k], candidate.inputs[k]
    if meta is None or sbp is None or _lies_as(meta, sbp):
        return None
    source, target = Layout(meta.shape, meta.placement, meta.sbp), Layout(meta.shape, meta.placement, sbp)
    return route(source, target, meta.dtype)
