"""Functors that reorder the elements of dimensions: flip and relatives, roll, rot90."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.errors import DimensionError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.cast import clone
from tritonflow.functions.join import cat
from tritonflow.functions.view import contiguous, narrow, reshape, unshared
from tritonflow.functions.view_orders import transpose
from tritonflow.functions.view_shapes import flatten
from tritonflow.interpreter.dispatch import dispatch1

_flip = op_expr("flip")


@functor("Flip")
def flip(input: Tensor, dims: Any) -> Any:
    ndim = input.meta.ndim
    found = tuple([wrap_dim(d, ndim) for d in dims])
    for dim in found:
        if found.count(dim) > 1:
            raise InvalidArgumentError(f"dim {dim} appears multiple times in the list of dims")
    return dispatch1(_flip, input, (tuple(sorted(found)) if ndim else (),))


@function("Tensor (Tensor input)", methods="fliplr", samples="matrix")
def fliplr(input: Tensor) -> Any:
    """The second dimension in reversed order.

    A copy.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N, ...) -> the same.

    Method: `Tensor.fliplr`.

    Raises:
        RuntimeError: fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.fliplr.

    Example:
        >>> import tritonflow as flow
        >>> flow.fliplr(flow.tensor([[1, 2], [3, 4]]))
        tensor([[2, 1],
                [4, 3]])
    """
    if input.meta.ndim < 2:
        raise ShapeError("Input must be >= 2-d.")
    return flip(input, (1,))


@function("Tensor (Tensor input)", methods="flipud", samples="matrix")
def flipud(input: Tensor) -> Any:
    """The first dimension in reversed order.

    A copy.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, ...) -> the same.

    Method: `Tensor.flipud`.

    Raises:
        RuntimeError: no dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.flipud.

    Example:
        >>> import tritonflow as flow
        >>> flow.flipud(flow.tensor([[1, 2], [3, 4]]))
        tensor([[3, 4],
                [1, 2]])
    """
    if input.meta.ndim < 1:
        raise ShapeError("Input must be >= 1-d.")
    return flip(input, (0,))


@function("Tensor (Tensor input, Int64List[1] shifts, Int32List[1] dims=None)", methods="roll", samples="roll")
def roll(input: Tensor, shifts: Any, dims: Any = None) -> Any:
    """Elements shifted along dimensions, from one end to the other.

    Element i moves to (i + shift) modulo the size. Without dims the flattened elements are shifted.

    Args:
        input: the input.
        shifts: how far, one number for each of dims.
        dims: the dimension, or several; negative ones count from the end. All elements unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.roll`.

    Raises:
        RuntimeError: no shifts, or another number of them than of dims.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.roll.

    Example:
        >>> import tritonflow as flow
        >>> flow.roll(flow.arange(5), 2)
        tensor([3, 4, 0, 1, 2])
        >>> flow.roll(flow.tensor([[1, 2], [3, 4]]), 1, 0)
        tensor([[3, 4],
                [1, 2]])
    """
    # The elements shifted along dimensions; what leaves at one end enters at the other.
    if not shifts:
        raise InvalidArgumentError("`shifts` required")
    dims = dims or ()
    if not dims and len(shifts) == 1:
        return unshared(reshape(roll(flatten(contiguous(input)), shifts, (0,)), input.meta.shape))
    if len(shifts) != len(dims):
        raise ShapeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if not input.meta.ndim:
        raise DimensionError("Dimension specified as 0 but tensor has no dimensions")
    rolled = input
    if input.meta.numel:
        for shift, dim in zip(shifts, dims):
            rolled = _rolled(rolled, shift, dim)
    return clone(input) if rolled is input else rolled


def _rolled(x: Tensor, shift: int, dim: int) -> Tensor:
    dim = wrap_dim(dim, x.meta.ndim)
    size = x.meta.shape[dim]
    shift %= size
    if not shift:
        return x
    return cat([narrow(x, dim, size - shift, shift), narrow(x, dim, 0, size - shift)], dim)  # type: ignore[no-any-return]


@function("Tensor (Tensor input, Int64 k=1, Int32List dims=(0, 1))", methods="rot90", samples="rot90")
def rot90(input: Tensor, k: int = 1, dims: Any = (0, 1)) -> Any:
    """k quarter turns in the plane of two dimensions.

    The turn is from the first dimension of dims towards the second.

    Args:
        input: the input.
        k: how many turns, negative ones the other way.
        dims: the dimension, or several; negative ones count from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, ..., n, ...) -> the same, or m and n exchanged where k is odd.

    Method: `Tensor.rot90`.

    Raises:
        RuntimeError: other than two different dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rot90.

    Example:
        >>> import tritonflow as flow
        >>> flow.rot90(flow.tensor([[1, 2], [3, 4]]))
        tensor([[2, 4],
                [1, 3]])
    """
    # k quarter turns in the plane of two dimensions, from the first towards the second.
    ndim = input.meta.ndim
    if len(dims) != 2:
        raise ShapeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if ndim < 2:
        raise ShapeError(f"expected total dims >= 2, but got total dims = {ndim}")
    for dim in dims:
        if not -ndim <= dim < ndim:
            raise ShapeError(f"Rotation dim0 out of range, dim0 = {dim}")
    first, second = [wrap_dim(d, ndim) for d in dims]
    if first == second:
        raise ShapeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    turns = k % 4
    if turns == 0:
        return clone(input)
    if turns == 2:
        return flip(input, (first, second))
    return unshared(transpose(flip(input, (second if turns == 1 else first,)), first, second))
