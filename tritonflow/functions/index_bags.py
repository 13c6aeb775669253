"""Functors of embedding bags: sums, means or maxima of rows of a table; and of tables whose rows are kept short."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.dtypes import int32, int64
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, type_name
from tritonflow.framework.runtime_scalar import index_of
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast, widened
from tritonflow.functions.creation import arange_end, zeros
from tritonflow.functions.creation_like import new_zeros, ones_like
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.index import embedding
from tritonflow.functions.view import reshape, unsqueeze
from tritonflow.ops.dtype_rules import require
from tritonflow.thread_state import thread_state

MODES = ("sum", "mean", "max")


def _check(input: Tensor, offsets: Tensor | None, weights: Tensor | None, mode: str) -> None:
    if mode not in MODES:
        raise ArgumentValueError("mode has to be one of sum, mean or max")
    if input.meta.dtype not in (int32, int64):
        raise InvalidArgumentError(f"embedding_bag: expected indices of dtype int32 or int64, but got {input.meta.dtype.name}")
    if weights is not None and weights.meta.shape != input.meta.shape:
        raise ArgumentValueError(
            f"embedding_bag: If per_sample_weights ({list(weights.shape)}) is not None, then it must have the same shape as the"
            f" input ({list(input.shape)})"
        )
    if weights is not None and mode != "sum":
        raise NotImplementedError(
            f"embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum'"
            f" (got mode='{mode}'). Please open a feature request on GitHub."
        )
    if input.meta.ndim == 2 and offsets is not None:
        raise ArgumentValueError(
            f"if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However,"
            f" found offsets of type {type_name(offsets)}"
        )
    if input.meta.ndim not in (1, 2):
        raise ArgumentValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.meta.ndim}")
    if input.meta.ndim == 1 and offsets is None:
        raise ArgumentValueError("offsets has to be a 1D Tensor but got None")
    if offsets is not None and offsets.meta.ndim != 1:
        raise ArgumentValueError("offsets has to be a 1D Tensor")


@function(
    "Tensor (Tensor input, Tensor weight, Tensor offsets=None, Float max_norm=None, Float norm_type=2.0, Bool "
    "scale_grad_by_freq=False, String mode='mean', Bool sparse=False, Tensor per_sample_weights=None, Bool "
    "include_last_offset=False, Int64 padding_idx=None)",
    export="nn.functional", reference="torch.nn.functional.embedding_bag", samples="embedding_bag", tolerance="reduction",
)
def embedding_bag(
    input: Tensor, weight: Tensor, offsets: Any = None, max_norm: float | None = None, norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False, padding_idx: int | None = None,
) -> Any:  # fmt: skip
    """sums, means or maxima of rows of a table.

    Bags are the rows of a matrix of row numbers, or the parts of a vector that begin at offsets. An
    empty bag gives zeros.

    Args:
        input: row numbers, int32 or int64.
        weight: the table.
        offsets: where each bag of a vector begins, the first at 0.
        max_norm: rows that are looked up and longer are shortened to this norm first, in place.
        norm_type: which norm max_norm is one of.
        scale_grad_by_freq: whether gradients are divided by how often their row is looked up.
        mode: "sum", "mean" or "max".
        sparse: as of `embedding`.
        per_sample_weights: a factor for each row number, with mode="sum".
        include_last_offset: whether the last offset is the end of the last bag.
        padding_idx: the row that does not count.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (B, n), (rows, D) -> (B, D); (n), (rows, D), offsets (B) -> (B, D).

    Raises:
        ValueError: another mode, or offsets and weights that do not fit.
        NotImplementedError: per_sample_weights with another mode.
        RuntimeError: row numbers of another dtype, or padding_idx is no row.
        IndexError: a row that does not exist.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.embedding_bag.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> table = flow.tensor([[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]])
        >>> F.embedding_bag(flow.tensor([1, 2, 2]), table, flow.tensor([0, 2]), mode="sum")
        tensor([[4., 6.],
                [3., 4.]])
    """
    # Bags are the rows of a matrix of indices, or the parts of a vector that start at `offsets`. An empty bag is 0.
    if offsets is not None and not isinstance(offsets, Tensor):
        raise ArgumentTypeError(f"embedding_bag(): argument 'offsets' must be Tensor, not {type_name(offsets)}")
    _check(input, offsets, per_sample_weights, mode)
    require("embedding_bag", "floating", weight.meta.dtype, "weight")
    if weight.meta.ndim != 2:
        raise InvalidArgumentError(f"'weight' must be 2-D, but got shape {list(weight.meta.shape)}")
    rows = weight.meta.shape[0]
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise InvalidArgumentError(
                f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, but got {padding_idx}"
            )
        padding_idx %= rows
    vectors = embedding(input, weight, None, max_norm, norm_type, scale_grad_by_freq, sparse)
    dtype = vectors.meta.dtype
    if per_sample_weights is not None:  # products and their sum are rounded once
        vectors = widened(vectors) * widened(unsqueeze(per_sample_weights, -1))
    elif mode == "mean":
        vectors = widened(vectors)
    if input.meta.ndim == 2 and mode != "max" and padding_idx is None:  # bags of one size
        total = vectors.sum(1)
        return cast(total if mode == "sum" else total / max(input.meta.shape[1], 1), dtype)
    counted = ones_like(input).bool() if padding_idx is None else input != padding_idx
    if input.meta.ndim == 1:
        assert offsets is not None
        return cast(_ragged(vectors, counted, offsets, mode, include_last_offset), dtype)
    if mode == "max":
        return _largest(vectors, counted)
    total = where_scalar_y(unsqueeze(counted, -1), vectors, 0.0).sum(1)
    if mode == "sum":
        return cast(total, dtype)
    return cast(total / unsqueeze(cast(counted, vectors.meta.dtype).sum(1), 1).clamp(min=1), dtype)


def _largest(vectors: Tensor, counted: Tensor) -> Any:
    """The maxima over dimension 1 of what counts, 0 where nothing does."""
    if not vectors.meta.shape[1]:
        return new_zeros(vectors, (vectors.meta.shape[0], vectors.meta.shape[2]))
    known = unsqueeze(counted, -1)
    largest = where_scalar_y(known, vectors, float("-inf")).max(1)[0]
    return where_scalar_y(known.any(1), largest, 0.0)


def _check_offsets(offsets: Tensor, length: int) -> None:
    first = int(offsets[0].item())
    if first != 0:
        raise ArgumentValueError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got"
            f" {first}"
        )
    if int(offsets.max().item()) > length:
        raise ArgumentValueError(f"offsets[-1] can not be greater than input's length({length})")


def _ragged(vectors: Tensor, counted: Tensor, offsets: Tensor, mode: str, include_last_offset: bool) -> Any:
    """Bags that start at offsets, of which the last may be the end."""
    length, width = vectors.meta.shape
    bags = offsets.meta.numel - int(include_last_offset)
    if bags < 0 or (not offsets.meta.numel and length):
        raise InvalidArgumentError("include_last_offset: number of offset should be at least 1")
    if not length or not bags:
        return new_zeros(vectors, (bags, width)) + vectors.sum(0)
    if not thread_state.observer.is_capturing:  # captured ones are refused where they lead out of the bags
        _check_offsets(offsets, length)
    place = beside(vectors)
    starts = cast(offsets[:bags], int64)
    steps = zeros((length + 1,), dtype=int64, **place).scatter_add(0, starts, ones_like(starts))
    bag = steps.cumsum(0)[:length] - 1
    shares = cast(counted, vectors.meta.dtype)
    if mode != "max":
        total = new_zeros(vectors, (bags, width)).index_add(0, bag, where_scalar_y(unsqueeze(counted, 1), vectors, 0.0))
        if mode == "sum":
            return total
        counts = new_zeros(shares, (bags,)).index_add(0, bag, shares)
        return total / unsqueeze(counts.clamp(min=1), 1)
    sizes = zeros((bags,), dtype=int64, **place).index_add(0, bag, ones_like(bag))
    longest = index_of(sizes.max().item())
    at = unsqueeze(starts, 1) + arange_end(longest, **place)
    valid = at < unsqueeze(starts + sizes, 1)
    at = at.clamp(max=length - 1)
    seen = reshape(vectors[reshape(at, (-1,))], (bags, longest, width))
    return _largest(seen, valid & reshape(counted[reshape(at, (-1,))], (bags, longest)))
