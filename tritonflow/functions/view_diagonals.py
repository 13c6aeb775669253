"""Functors of diagonals: matrices made of them, written to, summed; and copies of a tensor with a view of it replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.meta import contiguous_stride
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.cast import clone, copy_, fill_
from tritonflow.functions.creation import zeros
from tritonflow.functions.join import at_least_2d, cat
from tritonflow.functions.view import as_strided, diagonal, movedim, reshape, select, slice_dim, unshared
from tritonflow.functions.view_copies import diagonal_copy
from tritonflow.functions.view_gradients import set_region
from tritonflow.interpreter.choice import with_batch_of
from tritonflow.ops.dtype_rules import require


@functor("DiagEmbed")
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Matrices in the dimensions dim1 and dim2, zero but for a diagonal, which the last dimension of the input is."""
    ndim = input.meta.ndim + 1
    first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if first == second:
        raise InvalidArgumentError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    if not input.meta.ndim:
        raise ShapeError("diag_embed(): expected a tensor with at least one dimension")
    *lead, length = input.meta.shape
    size = length + abs(offset)
    shape = (*lead, size, size)
    stride = contiguous_stride(shape)
    start = offset if offset >= 0 else -offset * size
    made = set_region(input, shape, (*stride[:-2], size + 1), start)
    if (first, second) == (ndim - 2, ndim - 1):
        return made
    return unshared(movedim(made, (-2, -1), (first, second)))


@functor("Diag")
def diag(input: Tensor, diagonal: int = 0) -> Any:
    ndim = input.meta.ndim
    if ndim not in (1, 2):
        raise ShapeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")
    return diag_embed(input, diagonal) if ndim == 1 else diagonal_copy(input, diagonal)


@functor("DiagFlat")
def diagflat(input: Tensor, offset: int = 0) -> Any:
    return diag_embed(reshape(input, (-1,)), offset)


@functor("Trace")
def trace(input: Tensor) -> Any:
    if input.meta.ndim != 2:
        raise ShapeError("trace: expected a matrix")
    if not input.meta.dtype.is_complex:
        require("trace", "numeric", input.meta.dtype, "input")
    return reduction.sum(diagonal(input))


@functor("FillDiagonalInplace")
def fill_diagonal_(input: Tensor, fill_value: float, wrap: bool = False) -> Any:
    """A number on the main diagonal, of equal indices in all dimensions; `wrap` goes on below it in matrices with more rows."""
    shape = input.meta.shape
    if len(shape) < 2:
        raise ShapeError("dimensions must larger than 1")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise ShapeError("all dimensions of input must be of equal length")
    view = input
    while view.meta.ndim > 1:
        view = diagonal(view, 0, 0, view.meta.ndim - 1)
    fill_(view, fill_value)
    rows, columns = shape[:2]
    if wrap and len(shape) == 2 and columns:
        for first in range(columns + 1, rows, columns + 1):
            fill_(diagonal(slice_dim(input, 0, slice(first, None))), fill_value)
    return input


def _with_part(name: str, x: Tensor, part: Any, src: Tensor) -> Any:
    """A copy of x with `src` in place of a view, which `part` makes of the copy."""
    copy = with_batch_of(clone(x), src)
    view = part(copy)
    if view.meta.shape != src.meta.shape:
        raise ShapeError(
            f"expected src to have a size equal to the slice of self. src size = {list(src.meta.shape)}, slice size ="
            f" {list(view.meta.shape)} ({name})"
        )
    copy_(view, src)
    return copy


@functor("DiagonalScatter")
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    return _with_part("diagonal_scatter", input, lambda x: diagonal(x, offset, dim1, dim2), src)


@functor("SelectScatter")
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Any:
    return _with_part("select_scatter", input, lambda x: select(x, dim, index), src)


@functor("SliceScatter")
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    dim = wrap_dim(dim, input.meta.ndim)
    if not input.meta.ndim:
        raise ArgumentTypeError("slice() cannot be applied to a 0-dim tensor.")
    return _with_part("slice_scatter", input, lambda x: slice_dim(x, dim, slice(start, end, step)), src)


@functor("AsStridedScatter")
def as_strided_scatter(input: Tensor, src: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """The storage is copied, up to the input's last element, and the result lies in it as the input in its own.

    Where elements of the input share memory, the copy has a row-major storage.
    """
    meta = input.meta.on_one_rank
    if any(s == 0 and n > 1 for s, n in zip(meta.stride, meta.shape)):
        return _with_part("as_strided_scatter", input, lambda x: as_strided(x, size, stride, storage_offset), src)
    begin = input.storage_offset() if input.meta.is_local and not input.is_lazy else 0
    storage = as_strided(input, (begin + meta.span(),), (1,), 0)
    offset = begin if storage_offset is None else storage_offset
    written = _with_part("as_strided_scatter", storage, lambda x: as_strided(x, size, stride, offset), src)
    return unshared(as_strided(written, meta.shape, meta.stride, begin))


@functor("BlockDiag")
def block_diag(tensors: Sequence[Tensor]) -> Tensor:
    """The matrices one behind the other along the diagonal, zeros elsewhere; vectors are rows."""
    blocks = []
    for position, tensor in enumerate(tensors):
        if tensor.meta.ndim > 2:
            raise ShapeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {position} has {tensor.meta.ndim}"
                " dimensions"
            )
        blocks.append(at_least_2d(tensor))
    if not blocks:
        return zeros((1, 0))  # type: ignore[no-any-return]
    width = sum([b.meta.shape[1] for b in blocks])
    rows, start = [], 0
    for block in blocks:
        height, own = block.meta.shape
        stride = contiguous_stride((height, width))
        rows.append(set_region(block, (height, width), stride, start))
        start += own
    return cat(rows, 0)
