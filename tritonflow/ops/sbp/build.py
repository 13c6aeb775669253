"""Signatures that many rules list: of ops that read one tensor, and of ops through which partial tensors pass."""

from __future__ import annotations

from collections.abc import Iterable

from tritonflow.dtypes import bool_
from tritonflow.framework.sbp import PARTIAL_OPS, partial, split
from tritonflow.ops.sbp.signature import Metas, Signature

PARTIALS = tuple([partial(op) for op in PARTIAL_OPS])


def moved(dims: Iterable[tuple[int, int]]) -> list[Signature]:
    """One input, one output: dimension i of the input is dimension j of the output, for each pair (i, j)."""
    return [Signature((split(i),), (split(j),)) for i, j in dims]


def passed(metas: Metas) -> list[Signature]:
    """All inputs and the output partial: of an op whose every element is one of the inputs', or 0.

    Sums, maxima and minima of such results are the results of sums, maxima and minima.
    """
    kinds = PARTIALS if all(m is None or m.dtype is not bool_ for m in metas) else PARTIALS[1:]  # no sums of truth values
    return [Signature(tuple([None if m is None else p for m in metas]), (p,)) for p in kinds]


def made(ndim: int) -> list[Signature]:
    """No input; each dimension of the output may be split."""
    return [Signature((), (split(dim),)) for dim in range(ndim)]
