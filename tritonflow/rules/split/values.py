"""What functions of ops with a split dimension are written with."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.dtypes import int64
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import arange
from tritonflow.interpreter.layout import box

Outputs = tuple[Any, ...]


def widened(x: Tensor) -> Tensor:
    """In the dtype in which it is computed."""
    return cast(x, x.meta.dtype.compute)  # type: ignore[no-any-return]


def settled(x: Tensor) -> Tensor:
    """With its partial values combined: more than one op reads them."""
    meta: Any = x.meta
    return box(x, meta.placement, tuple([broadcast if one.is_partial else one for one in meta.sbp]))


def count_along(x: Tensor, dims: Any) -> int:
    """How many elements a reduction combines."""
    return prod([x.meta.shape[d] for d in dims])


def whole_range(x: Tensor, n: int) -> Tensor:
    """0, 1 ... n - 1 over the ranks of x, all on each of them."""
    meta: Any = x.meta
    return arange(0, n, dtype=int64, placement=meta.placement, sbp=(broadcast,) * meta.placement.ndim)  # type: ignore[no-any-return]
