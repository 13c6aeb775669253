"""Rules of ops along one dimension, whose rows are apart: every other dimension may be split."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.sbp import broadcast, split
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.factors import linear
from tritonflow.ops.sbp.signature import Metas, SbpSignature


def rows(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """sort: all that is known of a row is the whole row; attributes: (dim, ...)."""
    return _others(op, metas, attrs[0])


def scan(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """cumprod: a piece of a row needs the totals of those before it; attributes: (dim, ...)."""
    (x,), dim = metas, attrs[0]
    assert x is not None
    found = _others(op, metas, dim)
    return [*found, SbpSignature((split(dim),), (split(dim),), decomposed=True)] if x.ndim and x.numel else found


def cumsum(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """As cumprod, and sums of shares are shares of the sums; attributes: (dim, dtype, reverse)."""
    return [*scan(op, metas, attrs), *linear([frozenset([0])], metas, 1)]


def normalized(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """softmax, log_softmax, cosine_similarity: a decomposition adds up the pieces of a row; attributes: (dim, ...)."""
    return [*_others(op, metas, attrs[0]), *_decomposed(op, metas, attrs[0])]


def normalized_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Gradients of softmax and log_softmax, linear in that of the result; attributes: (dim,)."""
    return [*normalized(op, metas, attrs), *linear([frozenset([0])], metas, 1)]


def bilinear(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """cross: rows are apart, and it is linear in each of two inputs; attributes: (dim,)."""
    return [*_others(op, metas, attrs[0]), *linear([frozenset([0]), frozenset([1])], metas, 1)]


def _others(op: OpDef, metas: Metas, along: int) -> list[SbpSignature]:
    first = metas[0]
    assert first is not None
    return [
        SbpSignature((split(dim),) * len(metas), (split(dim),) * len(op.outputs)) for dim in range(first.ndim) if dim != along
    ]


def _decomposed(op: OpDef, metas: Metas, along: int) -> list[SbpSignature]:
    first = metas[0]
    assert first is not None
    if first.ndim == 0 or first.numel == 0:
        return []
    return [SbpSignature((split(along),) * len(metas), (broadcast,) * len(op.outputs), decomposed=True)]
