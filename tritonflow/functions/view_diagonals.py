"""Functors of diagonals: matrices made of them, written to, summed; and copies of a tensor with a view of it replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import function
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.meta import contiguous_stride
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.cast import clone, copy_, fill_
from tritonflow.functions.creation import zeros
from tritonflow.functions.join import at_least_2d, cat
from tritonflow.functions.view import diagonal, reshape, select, slice_dim, unshared
from tritonflow.functions.view_copies import diagonal_copy
from tritonflow.functions.view_gradients import set_region
from tritonflow.functions.view_orders import movedim
from tritonflow.functions.view_strides import as_strided
from tritonflow.interpreter.choice import with_batch_of
from tritonflow.ops.dtype_rules import require


@function("Tensor (Tensor input, Int32 offset=0, Int32 dim1=-2, Int32 dim2=-1)", methods="diag_embed", samples="diag_embed")
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Matrices with the last dimension on their diagonals.

    Args:
        input: the input.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1: the dimension of rows in the result.
        dim2: the dimension of columns in the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n) -> (..., n + abs(offset), the same).

    Method: `Tensor.diag_embed`.

    Raises:
        RuntimeError: no dimension, or dim1 and dim2 are the same.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.diag_embed.

    Example:
        >>> import tritonflow as flow
        >>> flow.diag_embed(flow.tensor([[1, 2], [3, 4]]))
        tensor([[[1, 0],
                 [0, 2]],
        <BLANKLINE>
                [[3, 0],
                 [0, 4]]])
    """
    # Matrices in the dimensions dim1 and dim2, zero but for a diagonal, which the last dimension of the input is.
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


@function("Tensor (Tensor input, Int32 diagonal=0)", methods="diag", samples="diag")
def diag(input: Tensor, diagonal: int = 0) -> Any:
    """The matrix with a vector on its diagonal, or the diagonal of a matrix.

    A copy in both cases.

    Args:
        input: the input.
        diagonal: which diagonal: above the main one if positive, below it if negative.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n) -> (n + abs(diagonal), the same); (m, n) -> (length of the diagonal).

    Method: `Tensor.diag`.

    Raises:
        RuntimeError: other than 1 or 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.diag.

    Example:
        >>> import tritonflow as flow
        >>> flow.diag(flow.tensor([1, 2]))
        tensor([[1, 0],
                [0, 2]])
        >>> flow.diag(flow.tensor([[1, 2], [3, 4]]))
        tensor([1, 4])
    """
    ndim = input.meta.ndim
    if ndim not in (1, 2):
        raise ShapeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")
    return diag_embed(input, diagonal) if ndim == 1 else diagonal_copy(input, diagonal)


@function("Tensor (Tensor input, Int32 offset=0)", methods="diagflat", samples="diagflat")
def diagflat(input: Tensor, offset: int = 0) -> Any:
    """The matrix with all elements of the input on its diagonal.

    Args:
        input: the input.
        offset: which diagonal: above the main one if positive, below it if negative.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape of n elements -> (n + abs(offset), the same).

    Method: `Tensor.diagflat`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.diagflat.

    Example:
        >>> import tritonflow as flow
        >>> flow.diagflat(flow.tensor([1, 2]), 1)
        tensor([[0, 1, 0],
                [0, 0, 2],
                [0, 0, 0]])
    """
    return diag_embed(reshape(input, (-1,)), offset)


@function("Tensor (Tensor input)", methods="trace", samples="matrix", tolerance="reduction")
def trace(input: Tensor) -> Any:
    """The sum of the diagonal of a matrix.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, n) -> ().

    Method: `Tensor.trace`.

    Raises:
        RuntimeError: other than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.trace.

    Example:
        >>> import tritonflow as flow
        >>> flow.trace(flow.tensor([[1, 2], [3, 4]]))
        tensor(5)
    """
    if input.meta.ndim != 2:
        raise ShapeError("trace: expected a matrix")
    if not input.meta.dtype.is_complex:
        require("trace", "numeric", input.meta.dtype, "input")
    return reduction.sum(diagonal(input))


@function(
    "Tensor (Tensor input, Scalar fill_value, Bool wrap=False)",
    methods="fill_diagonal_", export=(), reference="torch.Tensor.fill_diagonal_",
    samples={"none": "in place: tests/framework/test_writes_of_parts.py"},
)
def fill_diagonal_(input: Tensor, fill_value: float, wrap: bool = False) -> Any:
    """A number written over the main diagonal.

    Args:
        input: the input.
        fill_value: the number.
        wrap: whether it goes on below in matrices with more rows than columns, after a row without.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, n), or more dimensions of one size -> the same.

    Method: `Tensor.fill_diagonal_`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or more than 2 of different sizes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.fill_diagonal_.

    Example:
        >>> import tritonflow as flow
        >>> flow.zeros(2, 3).fill_diagonal_(5.0)
        tensor([[5., 0., 0.],
                [0., 5., 0.]])
    """
    # A number on the main diagonal, of equal indices in all dimensions; `wrap` goes on below it in matrices with more rows.
    shape = input.meta.shape
    if len(shape) < 2:
        raise ShapeError("dimensions must larger than 1")
    if len(shape) > 2 and any(size != shape[0] for size in shape):
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


@function(
    "Tensor (Tensor input, Tensor src, Int32 offset=0, Int32 dim1=0, Int32 dim2=1)",
    methods="diagonal_scatter", samples="diagonal_scatter",
)
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A copy with the diagonal replaced.

    Args:
        input: the input.
        src: the new diagonal.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1: one of the two dimensions; a negative one counts from the end.
        dim2: one of the two dimensions; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, n, ...), the shape of the diagonal -> (m, n, ...).

    Method: `Tensor.diagonal_scatter`.

    Raises:
        RuntimeError: src has another shape than the diagonal.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.diagonal_scatter.

    Example:
        >>> import tritonflow as flow
        >>> flow.diagonal_scatter(flow.zeros(2, 2), flow.tensor([1.0, 2.0]))
        tensor([[1., 0.],
                [0., 2.]])
    """
    return _with_part("diagonal_scatter", input, lambda x: diagonal(x, offset, dim1, dim2), src)


@function("Tensor (Tensor input, Tensor src, Int32 dim, Int64 index)", methods="select_scatter", samples="select_scatter")
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Any:
    """A copy with one index of a dimension replaced.

    Args:
        input: the input.
        src: what comes there.
        dim: the dimension; a negative one counts from the end.
        index: which one, negative ones from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., ...) -> (..., n, ...).

    Method: `Tensor.select_scatter`.

    Raises:
        RuntimeError: src has another shape than the part.
        IndexError: there is no such index or dimension; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.select_scatter.

    Example:
        >>> import tritonflow as flow
        >>> flow.select_scatter(flow.zeros(2, 2), flow.tensor([1.0, 2.0]), 0, 1)
        tensor([[0., 0.],
                [1., 2.]])
    """
    return _with_part("select_scatter", input, lambda x: select(x, dim, index), src)


@function(
    "Tensor (Tensor input, Tensor src, Int32 dim=0, Int64 start=None, Int64 end=None, Int64 step=1)",
    methods="slice_scatter", samples="slice_scatter",
)
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """A copy with a slice of a dimension replaced.

    Args:
        input: the input.
        src: what comes there.
        dim: the dimension; a negative one counts from the end.
        start: the first index; default the first of all.
        end: the index behind the last one; default the last of all.
        step: the distance of indices, at least 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., ceil((end - start) / step), ...) -> (..., n, ...).

    Method: `Tensor.slice_scatter`.

    Raises:
        RuntimeError: src has another shape than the slice.
        ValueError: a step below 1.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.slice_scatter.

    Example:
        >>> import tritonflow as flow
        >>> flow.slice_scatter(flow.zeros(5), flow.ones(2), start=1, end=4, step=2)
        tensor([0., 1., 0., 1., 0.])
    """
    dim = wrap_dim(dim, input.meta.ndim)
    if not input.meta.ndim:
        raise ArgumentTypeError("slice() cannot be applied to a 0-dim tensor.")
    return _with_part("slice_scatter", input, lambda x: slice_dim(x, dim, slice(start, end, step)), src)


@function(
    "Tensor (Tensor input, Tensor src, Shape size, Shape stride, Int64 storage_offset=None)",
    methods="as_strided_scatter", reference="op_references.as_strided_scatter", samples="as_strided_scatter",
)
def as_strided_scatter(input: Tensor, src: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """A copy with a view by strides replaced.

    Args:
        input: the input.
        src: what comes there.
        size: the sizes of the view.
        stride: the distance of neighbours in each dimension, in elements.
        storage_offset: where its first element is; default where the input's is.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, size -> the first.

    Method: `Tensor.as_strided_scatter`.

    Raises:
        RuntimeError: src has another shape than the view, or elements outside of the storage.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.as_strided_scatter.

    Example:
        >>> import tritonflow as flow
        >>> flow.as_strided_scatter(flow.zeros(2, 2), flow.ones(2), (2,), (3,))
        tensor([[1., 0.],
                [0., 1.]])
    """
    # The storage is copied, up to the input's last element, and the result lies in it as the input in its own. Where
    # elements of the input share memory, the copy has a row-major storage.
    meta = input.meta.on_one_rank
    if any(s == 0 and n > 1 for s, n in zip(meta.stride, meta.shape)):
        return _with_part("as_strided_scatter", input, lambda x: as_strided(x, size, stride, storage_offset), src)
    begin = input.storage_offset() if input.meta.is_local and not input.is_lazy else 0
    storage = as_strided(input, (begin + meta.span(),), (1,), 0)
    offset = begin if storage_offset is None else storage_offset
    written = _with_part("as_strided_scatter", storage, lambda x: as_strided(x, size, stride, offset), src)
    return unshared(as_strided(written, meta.shape, meta.stride, begin))


@function("Tensor (TensorTuple tensors)", samples="block_diag")
def block_diag(tensors: Sequence[Tensor]) -> Tensor:
    """Matrices along the diagonal, zeros elsewhere.

    Args:
        tensors: matrices; a vector counts as a row.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M1, N1), (M2, N2), ... -> (M1 + M2 + ..., N1 + N2 + ...).

    Raises:
        RuntimeError: more than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.block_diag.

    Example:
        >>> import tritonflow as flow
        >>> flow.block_diag(flow.tensor([[1, 2]]), flow.tensor([[3], [4]]))
        tensor([[1, 2, 0],
                [0, 0, 3],
                [0, 0, 4]])
    """
    # The matrices one behind the other along the diagonal, zeros elsewhere; vectors are rows.
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
