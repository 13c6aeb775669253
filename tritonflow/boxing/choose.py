"""The choice of a signature for an op on consistent tensors: one that fits as they are, else the one whose boxing takes least time.

It depends only on what every rank knows, so that all ranks choose the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import NANOSECOND, Route, least_seconds, route
from tritonflow.dtypes import DType
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


def possible(
    candidates: Sequence[NdSignature], metas: Metas, written: Sequence[int], over: ConsistentTensorMeta | None
) -> list[NdSignature]:
    """The candidates that an op may take.

    Args:
        candidates: the signatures of the op, the best first.
        metas: the inputs', None for absent ones.
        written: the inputs that the op writes, which cannot be boxed.
        over: the meta of the tensor that the output is written over, or None.
    """
    return [
        one
        for one in candidates
        if (over is None or all(_lies_as(over, sbp) for sbp in one.outputs))
        and all(_layouts(one, metas, k) is None for k in written)
    ]


def choose(signatures: Sequence[NdSignature], metas: Metas) -> Considered | None:
    """The first one of least cost; None if there is none.

    Routes are found in the order of what they cost at least, and only while that is not more than the best one costs.
    """
    best: tuple[tuple[float, int], int, Considered] | None = None
    for least, number in sorted([(_least_seconds(one, metas), k) for k, one in enumerate(signatures)]):
        if best is not None and (least > best[0][0] + NANOSECOND or best[0] == (0, 0)):
            break
        found = consider(signatures[number], metas)
        if best is None or (found.cost, number) < best[:2]:
            best = found.cost, number, found
    return None if best is None else best[2]


def consider(signature: NdSignature, metas: Metas) -> Considered:
    """What a signature takes."""
    layouts = [_layouts(signature, metas, k) for k in range(len(metas))]
    routes = tuple([None if both is None else route(*both) for both in layouts])
    seconds = sum([found.seconds for found in routes if found is not None])
    return Considered((seconds, _count_renamed(signature, metas, routes)), signature, routes)


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


def _least_seconds(signature: NdSignature, metas: Metas) -> float:
    """What boxing for a signature takes at least."""
    layouts = [_layouts(signature, metas, k) for k in range(len(metas))]
    return sum([least_seconds(*both) for both in layouts if both is not None])


def _layouts(signature: NdSignature, metas: Metas, k: int) -> tuple[Layout, Layout, DType] | None:
    """From where to where input k is boxed; None where it lies so."""
    meta, sbp = metas[k], signature.inputs[k]
    if meta is None or sbp is None or _lies_as(meta, sbp):
        return None
    return Layout(meta.shape, meta.placement, meta.sbp), Layout(meta.shape, meta.placement, sbp), meta.dtype
