"""What `scan` and `associative_scan` ask of the sequences that they read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.errors import DimensionError


def checked_dim(xs: Sequence[Any], dim: int, error: type[Exception]) -> int:
    """The dimension of the sequences, counted from the front.

    Args:
        xs: tensors.
        error: the class of errors about lengths.

    Raises:
        IndexError: the first tensor has no such dimension.
        error: another one has none, or the sequences are empty or not equally long.
    """
    ndim = max(int(xs[0].ndim), 1)
    if not -ndim <= dim < ndim:
        raise DimensionError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {dim})")
    dim %= ndim
    if any(x.ndim <= dim or x.shape[dim] == 0 for x in xs):
        raise error("All xs leaves must at least have 'dim' number of dimensions and scan dimension > 0")
    lengths = sorted({x.shape[dim] for x in xs})
    if len(lengths) > 1:
        raise error(f"All xs leaves must be equally long in dimension {dim}, but their lengths are {lengths}")
    return dim
