"""Signatures that many rules list: of ops that read one tensor, and of ops through which partial tensors pass."""

from __future__ import annotations

from collections.abc import Iterable

from tritonflow.dtypes import DType, bool_
from tritonflow.framework.sbp import PARTIAL_OPS, Sbp, partial, split
from tritonflow.ops.sbp.signature import Metas, SbpSignature

_PARTIALS = tuple([partial(op) for op in PARTIAL_OPS])


def moved(dims: Iterable[tuple[int, int]]) -> list[SbpSignature]:
    """One input, one output: dimension i of the input is dimension j of the output, for each pair (i, j)."""
    return [SbpSignature((split(i),), (split(j),)) for i, j in dims]


def partials(dtype: DType) -> tuple[Sbp, ...]:
    """How a tensor may be partial: truth values have no sums, complex numbers no maximum and minimum."""
    return _PARTIALS[1:] if dtype is bool_ else _PARTIALS[:1] if dtype.is_complex else _PARTIALS


def passed(metas: Metas) -> list[SbpSignature]:
    """All inputs and the output partial: of an op whose every element is one of the inputs', or 0.

    Sums, maxima and minima of such results are the results of sums, maxima and minima.
    """
    assert metas[0] is not None
    return [SbpSignature((p,) * len(metas), (p,)) for p in partials(metas[0].dtype)]


def made(ndim: int) -> list[SbpSignature]:
    """No input; each dimension of the output may be split."""
    return [SbpSignature((), (split(dim),)) for dim in range(ndim)]
