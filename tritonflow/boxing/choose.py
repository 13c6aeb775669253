"""The choice of a signature for an op on consistent tensors: one that fits as they are, else the one whose boxing takes least time.

It depends only on what every rank knows, so that all ranks choose the same. To the time of the inputs' routes is added what they
leave for later, when the result is read, perhaps by several ops:

    B -> P            the result is partial, and will be combined; not where it would be anyway, as with a bias
    P -> S            the result is split, and will be gathered; unless other inputs are split
    S -> B, S -> S    a result that is partial nevertheless will be combined
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import NANOSECOND, Route, least_seconds, route
from tritonflow.dtypes import DType
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import TensorMeta, numel_of
from tritonflow.framework.sbp import NdSbp, broadcast, nd_text, plain
from tritonflow.ops.sbp.signature import NdSignature

Metas = tuple[ConsistentTensorMeta | None, ...]
Routes = tuple[Route | None, ...]

_LARGER = 1.01  # of what takes as long, that is chosen which leaves nothing for later


class Considered(NamedTuple):
    """A signature that an op may have.

    Attributes:
        cost: the seconds of boxing and of what it leaves for later, and how many inputs lie as it says by another name: along mesh
            dimensions of one rank, any sbp is broadcast. The fewer, the more of their names the outputs have.
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


def choose(signatures: Sequence[NdSignature], metas: Metas, made: Sequence[TensorMeta]) -> Considered | None:
    """The first one of least cost; None if there is none. `made` are the outputs' logical metas.

    Routes are found in the order of what they cost at least, and only while that is not more than the best one costs.
    """
    best: tuple[tuple[float, int], int, Considered] | None = None
    for least, number in sorted([(_least_seconds(one, metas), k) for k, one in enumerate(signatures)]):
        if best is not None and (least > best[0][0] + NANOSECOND or best[0] == (0, 0)):
            break
        found = consider(signatures[number], metas, made)
        if best is None or (found.cost, number) < best[:2]:
            best = found.cost, number, found
    return None if best is None else best[2]


def consider(signature: NdSignature, metas: Metas, made: Sequence[TensorMeta]) -> Considered:
    """What a signature takes, of an op with such outputs."""
    layouts = [_layouts(signature, metas, k) for k in range(len(metas))]
    routes = tuple([None if both is None else route(*both) for both in layouts])
    return Considered((_seconds(signature, routes, metas, made), _count_renamed(signature, metas, routes)), signature, routes)


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


def _seconds(signature: NdSignature, routes: Routes, metas: Metas, made: Sequence[TensorMeta]) -> float:
    # Of a large result that is partial anyway, the shares of a small input, as of a bias, are combined together with the others.
    partial_anyway = any(meta is not None and (found is None or not found.seconds_later) for meta, found in zip(metas, routes))
    size = max([meta.numel for meta in made], default=0) if partial_anyway else 0
    seconds = sum([found.seconds - found.seconds_later + _later(found, metas, size) for found in routes if found is not None])
    if any(found is not None and found.total_bytes for found in routes):
        placement = next(meta.placement for meta in metas if meta is not None)
        layouts = [Layout(meta.shape, placement, sbp) for meta, sbp in zip(made, signature.outputs)]
        seconds += sum([_seconds_to_broadcast(layout, meta.dtype) for layout, meta in zip(layouts, made)])
    return seconds


def _later(found: Route, metas: Metas, size: int) -> float:
    """What a route leaves for later, of an op with partial outputs of that size."""
    source, target = found.source, found.target
    if found.seconds_later:
        small = 2 * numel_of(source.shape) <= size
        return 0.0 if small else _LARGER * _seconds_to_broadcast(target, found.dtype)
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
