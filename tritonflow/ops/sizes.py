"""Sizes that the formulas for floating-point operations (`flops` in op_registry.yaml) count with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.framework.meta import TensorMeta

# Of the metas of inputs (None where one is absent) and outputs, and the static attributes: how many operations.
Flops = Callable[[Sequence[Any], Sequence[TensorMeta], tuple[Any, ...]], int]


def largest(metas: Sequence[TensorMeta | None]) -> int:
    """The elements of the largest tensor; none without a tensor."""
    return max((meta.numel for meta in metas if meta is not None), default=0)


def numel(metas: Sequence[TensorMeta]) -> int:
    """The elements of all tensors."""
    return sum(meta.numel for meta in metas)
