"""What the functions share: docstrings, dimensions, and an identity in place of the elements that do not count."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tritonflow import _C, dtypes
from tritonflow.binding.shared_docs import documented
from tritonflow.dtypes import DType
from tritonflow.errors import DimensionError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor

Dims = int | Sequence[int] | None

described = documented(
    "torch.masked",
    {
        "input": "the elements.",
        "other": "the elements to add.",
        "dim": "along which dimensions: a number, several, or None for all.",
        "keepdim": "whether these dimensions stay, with size 1.",
        "dtype": "of the result.",
        "mask": "True where an element counts; it broadcasts to the input. All count unless given.",
        "unbiased": "the older way to say correction=1 or 0.",
        "correction": "what is subtracted from n; 1 unless given.",
        "eps": "the least divisor.",
    },
    {
        "IndexError": "the mask has more dimensions than the input, or there is no such dimension.",
        "RuntimeError": "the mask does not broadcast to the input, or a dimension is named twice.",
    },
)


def sorted_dims(dim: Dims, ndim: int) -> tuple[int, ...]:
    """Sorted dimensions without negative ones; all of them for None and ()."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    ndim, found = max(ndim, 1), []
    for d in (dim,) if isinstance(dim, int) else dim:
        if not -ndim <= d < ndim:
            raise DimensionError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {d})")
        if d % ndim in found:
            raise InvalidArgumentError(f"dim={d} appears multiple times in the list of dims")
        found.append(d % ndim)
    return tuple(sorted(found))


def whole_mask(input: Tensor, mask: Tensor) -> Tensor:
    """The mask in the shape of the input."""
    if mask.ndim > input.ndim:
        raise DimensionError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
    return _C.broadcast_to(mask, input.shape).to(dtypes.bool_)


def least(dtype: DType) -> float:
    return -math.inf if dtype.is_floating_point else dtypes.iinfo(dtype).min


def greatest(dtype: DType) -> float:
    return math.inf if dtype.is_floating_point else dtypes.iinfo(dtype).max


def with_identity(input: Tensor, mask: Tensor | None, identity: float) -> Tensor:
    """The input with the identity of an operation where the mask is False."""
    if mask is None:
        return input
    return _C.masked_fill(input, _C.logical_not(whole_mask(input, mask)), identity)


def total_dtype(input: Tensor, dtype: DType | None) -> DType:
    if dtype is not None:
        return dtype
    return input.dtype if input.dtype.is_floating_point else dtypes.int64
