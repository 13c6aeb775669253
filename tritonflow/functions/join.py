"""Functors that join tensors: cat, stack and relatives, repeat, tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import also, function, functor
from tritonflow.dtypes import promote_types
from tritonflow.errors import ArgumentValueError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.view import contiguous, expand, reshape, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch

_cat = op_expr("cat")


@functor("Cat")
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    if not tensors:
        raise ArgumentValueError("cat(): expected a non-empty list of Tensors")
    first = tensors[0].meta
    if first.ndim == 1 and any(t.meta.ndim != 1 for t in tensors):
        first = next(t for t in tensors if t.meta.ndim != 1 or t.meta.shape != (0,)).meta
    if first.ndim == 0:
        raise ShapeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    dim = wrap_dim(dim, first.ndim)
    # An empty 1-d tensor goes with any shape, as in torch for historical reasons; its gradient is empty like itself.
    empty = (*first.shape[:dim], 0, *first.shape[dim + 1 :])
    shaped = [reshape(t, empty) if t.meta.ndim == 1 < first.ndim and t.meta.shape == (0,) else t for t in tensors]
    dtype = tensors[0].meta.dtype
    for position, tensor in enumerate(shaped):
        shape = tensor.meta.shape
        if len(shape) != first.ndim:
            raise ShapeError(f"Tensors must have same number of dimensions: got {first.ndim} and {len(shape)}")
        for d, (a, b) in enumerate(zip(first.shape, shape)):
            if d != dim and a != b:
                raise ShapeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {a} but got size {b} for tensor"
                    f" number {position} in the list."
                )
    for tensor in tensors:
        dtype = promote_types(dtype, tensor.meta.dtype)
    shaped = [t if t.meta.dtype is dtype else cast(t, dtype) for t in shaped]
    return dispatch(_cat, tuple(shaped), (dim, tuple([t.meta.shape[dim] for t in shaped])))


@function("Tensor (TensorTuple tensors, Int32 dim=0)", samples="stack")
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """tensors along a new dimension.

    They are promoted to one dtype.

    Args:
        tensors: tensors of one shape.
        dim: where the new dimension is in the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        N times (...) -> (..., N, ...).

    Raises:
        RuntimeError: different shapes, or no tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.stack.

    Example:
        >>> import tritonflow as flow
        >>> flow.stack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[1, 2],
                [3, 4]])
        >>> flow.stack([flow.tensor([1, 2]), flow.tensor([3, 4])], 1)
        tensor([[1, 3],
                [2, 4]])
    """
    if not tensors:
        raise ShapeError("stack expects a non-empty TensorList")
    first = tensors[0].meta
    dim = wrap_dim(dim, first.ndim + 1)
    for position, tensor in enumerate(tensors):
        if tensor.meta.shape != first.shape:
            raise ShapeError(
                f"stack expects each tensor to be equal size, but got {list(first.shape)} at entry 0 and"
                f" {list(tensor.meta.shape)} at entry {position}"
            )
    return cat([unsqueeze(t, dim) for t in tensors], dim)


def _require_some(name: str, tensors: Sequence[Tensor]) -> None:
    if not tensors:
        raise ShapeError(f"{name} expects a non-empty TensorList")


@function("Tensor (TensorTuple tensors)", samples="hstack")
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """tensors one behind the other along the second dimension, or along the only one.

    Args:
        tensors: tensors that have the same sizes but for that dimension; one without dimensions counts as a
            vector.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N1, ...), (M, N2, ...), ... -> (M, N1 + N2 + ..., ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.hstack.

    Example:
        >>> import tritonflow as flow
        >>> flow.hstack([flow.tensor([1, 2]), flow.tensor([3])])
        tensor([1, 2, 3])
    """
    _require_some("hstack", tensors)
    rows = [at_least_1d(t) for t in tensors]
    return cat(rows, 0 if rows[0].meta.ndim == 1 else 1)


@function("Tensor (TensorTuple tensors)", samples="vstack")
@also("row_stack")
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """tensors one below the other along the first dimension.

    Args:
        tensors: tensors that have the same sizes but for that dimension; a vector counts as a row.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M1, N, ...), (M2, N, ...), ... -> (M1 + M2 + ..., N, ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.vstack.

    Example:
        >>> import tritonflow as flow
        >>> flow.vstack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[1, 2],
                [3, 4]])
    """
    _require_some("vstack", tensors)
    return cat([unsqueeze(at_least_1d(t), 0) if t.meta.ndim < 2 else t for t in tensors], 0)


@function(
    "Tensor (Tensor input, Shape repeats)",
    methods="repeat", export=(), reference="torch.Tensor.repeat", samples="repeat",
)
def repeat(input: Tensor, repeats: Any) -> Tensor:
    """The input repeated along its dimensions.

    A copy. `flow.repeat_interleave` repeats elements instead.

    Args:
        input: the input.
        repeats: how often, for each dimension; more numbers than dimensions are for new ones in front.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n, ...) -> (n * repeats, ...).

    Method: `Tensor.repeat`.

    Raises:
        RuntimeError: fewer numbers than dimensions, or negative ones.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.repeat.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([1, 2]).repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]])
    """
    shape = input.meta.shape
    if len(repeats) < len(shape):
        raise ShapeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    if min(repeats, default=0) < 0:
        raise ShapeError(f"Trying to create tensor with negative dimension {min(repeats)}: {list(repeats)}")
    shape = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    paired = [n for size in shape for n in (1, size)]
    expanded = [n for count, size in zip(repeats, shape) for n in (count, size)]
    copies = contiguous(expand(reshape(input, tuple(paired)), tuple(expanded)))
    if copies._view is not None:  # repeated once: never a view, whose writes the input would see
        copies = clone(copies)
    return unshared(reshape(copies, tuple(count * size for count, size in zip(repeats, shape))))


@function("Tensor (Tensor input, Shape dims)", methods="tile", samples="tile")
def tile(input: Tensor, dims: Any) -> Tensor:
    """The input repeated along its dimensions.

    As `Tensor.repeat`, where fewer numbers than dimensions are for the last ones.

    Args:
        input: the input.
        dims: how often, for each dimension.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n, ...) -> (n * dims, ...).

    Method: `Tensor.tile`.

    Raises:
        RuntimeError: negative numbers.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tile.

    Example:
        >>> import tritonflow as flow
        >>> flow.tile(flow.tensor([[1, 2], [3, 4]]), (2,))
        tensor([[1, 2, 1, 2],
                [3, 4, 3, 4]])
    """
    return repeat(input, (1,) * (input.meta.ndim - len(dims)) + tuple(dims))


@function("Tensor (TensorTuple tensors)", samples="dstack")
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """tensors one behind the other along the third dimension.

    Args:
        tensors: tensors that have the same sizes but for that dimension; fewer dimensions count as
            `flow.atleast_3d` gives them.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N, K1), (M, N, K2), ... -> (M, N, K1 + K2 + ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.dstack.

    Example:
        >>> import tritonflow as flow
        >>> flow.dstack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[[1, 3],
                 [2, 4]]])
    """
    _require_some("dstack", tensors)
    return cat([at_least_3d(t) for t in tensors], 2)


@function("Tensor (TensorTuple tensors)", samples="column_stack")
def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Vectors and columns of matrices beside each other.

    Args:
        tensors: matrices of one height; a vector counts as a column.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N1), (M), ... -> (M, N1 + 1 + ...).

    Raises:
        RuntimeError: heights that differ, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.column_stack.

    Example:
        >>> import tritonflow as flow
        >>> flow.column_stack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[1, 3],
                [2, 4]])
    """
    return hstack([reshape(t, (t.meta.numel, 1)) if t.meta.ndim < 2 else t for t in tensors])


@function("Tensor (Tensor input)", "TensorTuple (TensorTuple tensors) => AllAtLeast1d", name="atleast_1d", samples="atleast")
def at_least_1d(input: Tensor) -> Tensor:
    """The input with at least one dimension.

    Several tensors give a tuple.

    Overloads:
        - `atleast_1d(input: Tensor) -> Tensor`
        - `atleast_1d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]`
        - `atleast_1d(*tensors: Tensor) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        tensors: several inputs.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        () -> (1); others as they are.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atleast_1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.atleast_1d(flow.tensor(3))
        tensor([3])
    """
    return reshape(input, (1,)) if input.meta.ndim == 0 else input


@function("Tensor (Tensor input)", "TensorTuple (TensorTuple tensors) => AllAtLeast2d", name="atleast_2d", samples="atleast")
def at_least_2d(input: Tensor) -> Tensor:
    """The input with at least two dimensions, the new ones in front.

    Several tensors give a tuple.

    Overloads:
        - `atleast_2d(input: Tensor) -> Tensor`
        - `atleast_2d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]`
        - `atleast_2d(*tensors: Tensor) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        tensors: several inputs.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (), (N) -> (1, 1), (1, N); others as they are.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atleast_2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.atleast_2d(flow.tensor([1, 2]))
        tensor([[1, 2]])
    """
    return unsqueeze(at_least_1d(input), 0) if input.meta.ndim < 2 else input


@function("Tensor (Tensor input)", "TensorTuple (TensorTuple tensors) => AllAtLeast3d", name="atleast_3d", samples="atleast")
def at_least_3d(input: Tensor) -> Tensor:
    """The input with at least three dimensions.

    A vector becomes (1, N, 1), a matrix (M, N, 1). Several tensors give a tuple.

    Overloads:
        - `atleast_3d(input: Tensor) -> Tensor`
        - `atleast_3d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]`
        - `atleast_3d(*tensors: Tensor) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        tensors: several inputs.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (), (N), (M, N) -> (1, 1, 1), (1, N, 1), (M, N, 1); others as they are.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atleast_3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.atleast_3d(flow.tensor([1, 2])).shape
        tritonflow.Size([1, 2, 1])
    """
    return unsqueeze(at_least_2d(input), -1) if input.meta.ndim < 3 else input


@functor("AllAtLeast1d")
def allat_least_1d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    return tuple([at_least_1d(t) for t in tensors])


@functor("AllAtLeast2d")
def all_at_least_2d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    return tuple([at_least_2d(t) for t in tensors])


@functor("AllAtLeast3d")
def all_at_least_3d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    return tuple([at_least_3d(t) for t in tensors])
