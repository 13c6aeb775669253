"""Functors that combine the elements of tensors: broadcast_tensors, meshgrid, cartesian_prod, combinations, repeat_interleave."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations_with_replacement
from itertools import combinations as combinations_of
from math import comb, lgamma, log
from typing import Any

import numpy

from tritonflow.binding import data_exchange, new_tensors
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import int32, int64
from tritonflow.errors import DTypeError, InvalidArgumentError, LocalityError, ShapeError
from tritonflow.execution.lazy import eager
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import arange_end, empty
from tritonflow.functions.creation_sequences import triangle_indices
from tritonflow.functions.index import index_get, index_select
from tritonflow.functions.index_search import searchsorted
from tritonflow.functions.join import stack
from tritonflow.functions.scan_sort import cumsum
from tritonflow.functions.view import contiguous, expand, reshape, unshared, unsqueeze
from tritonflow.functions.view_orders import transpose
from tritonflow.functions.view_shapes import flatten
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.elementwise import broadcast_shapes
from tritonflow.thread_state import thread_state


@function("TensorTuple (TensorTuple tensors)", samples="broadcast_tensors")
def broadcast_tensors(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """tensors expanded to the shape that they broadcast to: views.

    Args:
        tensors: tensors whose shapes broadcast.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> all the same.

    Raises:
        RuntimeError: shapes that do not broadcast.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.broadcast_tensors.

    Example:
        >>> import tritonflow as flow
        >>> flow.broadcast_tensors(flow.tensor([1, 2]), flow.tensor([[3], [4]]))
        (tensor([[1, 2],
                [1, 2]]), tensor([[3, 3],
                [4, 4]]))
    """
    shape = broadcast_shapes([t.meta.shape for t in tensors]) if tensors else ()
    return tuple([t if t.meta.shape == shape else expand(t, shape) for t in tensors])


@function("TensorTuple (TensorTuple tensors, *, String indexing=None)", samples="meshgrid")
def meshgrid(tensors: Sequence[Tensor], indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates of a grid, each along a dimension of its own.

    Args:
        tensors: vectors, or numbers.
        indexing: "ij": tensor i changes along dimension i; "xy": the first along the columns, the second
            along the rows. Default "ij", with a warning.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N1), (N2), ... -> as many of (N1, N2, ...); N1 and N2 exchanged with "xy".

    Raises:
        RuntimeError: more than 1 dimension, different dtypes or devices, or another indexing.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.meshgrid.

    Example:
        >>> import tritonflow as flow
        >>> x, y = flow.meshgrid(flow.tensor([1, 2]), flow.tensor([3, 4, 5]), indexing="ij")
        >>> x
        tensor([[1, 1, 1],
                [2, 2, 2]])
        >>> y
        tensor([[3, 4, 5],
                [3, 4, 5]])
    """
    # Each vector along a dimension of its own, broadcast to all of them; "xy" has the first two dimensions exchanged.
    if not tensors:
        raise InvalidArgumentError("meshgrid expects a non-empty TensorList")
    if indexing not in (None, "ij", "xy"):
        raise InvalidArgumentError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    for tensor in tensors:
        if tensor.meta.ndim > 1:
            raise ShapeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {tensor.meta.shape}."
                " Expected scalar or 1D tensor in the tensor list"
            )
        if tensor.meta.is_local is not tensors[0].meta.is_local:
            raise LocalityError("meshgrid expects all tensors are global tensor, or all are local")
        if tensor.meta.dtype is not tensors[0].meta.dtype:
            raise DTypeError("torch.meshgrid expects all tensors to have the same dtype")
    dims = list(range(len(tensors)))  # the dimension of each tensor
    if indexing == "xy" and len(tensors) > 1:
        dims[:2] = 1, 0
    shape = [1] * len(tensors)
    for tensor, dim in zip(tensors, dims):
        shape[dim] = tensor.meta.numel
    rows = [reshape(t, tuple([n if d == dim else 1 for d, n in enumerate(shape)])) for t, dim in zip(tensors, dims)]
    return tuple([expand(row, tuple(shape)) for row in rows])


@function("Tensor (TensorTuple tensors)", samples="meshgrid")
def cartesian_prod(tensors: Sequence[Tensor]) -> Any:
    """A row for each choice of one element of each vector.

    Args:
        tensors: vectors.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N1), ..., (Nk) -> (N1 * ... * Nk, k); (N1) of one vector.

    Raises:
        RuntimeError: other than 1 dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cartesian_prod.

    Example:
        >>> import tritonflow as flow
        >>> flow.cartesian_prod(flow.tensor([1, 2]), flow.tensor([3, 4]))
        tensor([[1, 3],
                [1, 4],
                [2, 3],
                [2, 4]])
    """
    # A row for each choice of one element of each vector, the last one changing first.
    for tensor in tensors:
        if tensor.meta.ndim != 1:
            raise ShapeError(f"Expect a 1D vector, but got shape {list(tensor.meta.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    grids = meshgrid(tensors)
    return stack([reshape(g, (-1,)) if g.meta.numel else reshape(g, (0,)) for g in grids], 1)


@function("Tensor (Tensor input, Int64 r=2, Bool with_replacement=False)", samples="combinations")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    """A row for each choice of r elements.

    In the order of the elements, as itertools.combinations gives them.

    Args:
        input: the input.
        r: how many elements of each choice.
        with_replacement: whether an element may be chosen more than once.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N) -> (number of choices, r).

    Raises:
        RuntimeError: other than 1 dimension, or a negative r.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.combinations.

    Example:
        >>> import tritonflow as flow
        >>> flow.combinations(flow.tensor([1, 2, 3]))
        tensor([[1, 2],
                [1, 3],
                [2, 3]])
    """
    # A row for each choice of r elements of a vector, in the order of Python's itertools.
    if input.meta.ndim != 1:
        raise ShapeError(f"Expect a 1D vector, but got shape {list(input.meta.shape)}")
    if r < 0:
        raise InvalidArgumentError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return empty((0,), dtype=input.dtype, **beside(input))
    places = beside(input)
    if r == 2:
        count = input.meta.shape[0]
        pairs = triangle_indices(count, count, 0 if with_replacement else 1, False, int64, **places)
        return index_get(input, [transpose(pairs, 0, 1)], 0, False)
    count = input.meta.shape[0]
    choices = _number_of_choices(count + r - 1 if with_replacement else count, r) if count else 0
    if choices * r >= 2**60:
        raise InvalidArgumentError(f"combinations(): no memory has all choices of {r} of {count} elements")
    choose = combinations_with_replacement if with_replacement else combinations_of
    try:
        elements = chain.from_iterable(choose(range(count), r)) if choices else ()
        rows = numpy.fromiter(elements, numpy.int64, choices * r).reshape(choices, r)
    except MemoryError as error:
        raise InvalidArgumentError(f"combinations(): no memory for the {choices} choices of {r} of {count} elements") from error
    return index_get(input, [new_tensors.tensor(rows, dtype=int64, **places)], 0, False)


def _number_of_choices(n: int, r: int) -> int:
    """The binomial coefficient, or 2^60 if it is more: its digits alone can be too many."""
    logarithm = lgamma(n + 1) - lgamma(r + 1) - lgamma(n - r + 1) if r <= n else 0
    return comb(n, r) if logarithm < log(2**60) else 2**60


@function(
    "Tensor (Tensor input, Int64 repeats, Int32 dim=None, *, Int64 output_size=None)",
    "Tensor (Tensor input, Tensor repeats, Int32 dim=None, *, Int64 output_size=None) => RepeatInterleaveTensor",
    "Tensor (Tensor repeats, *, Int64 output_size=None) => RepeatedPositions",
    methods="repeat_interleave", samples="repeat_interleave",
)
def repeat_interleave(input: Tensor, repeats: int, dim: int | None = None, output_size: int | None = None) -> Any:
    """Each entry of a dimension as often as said.

    Of `repeats` alone it gives the indices: i repeated repeats[i] times.

    Overloads:
        - `repeat_interleave(input: Tensor, repeats: int, dim: int | None = None, *, output_size: int | None = None) -> Tensor`
        - `repeat_interleave(input: Tensor, repeats: Tensor, dim: int | None = None, *, output_size: int | None = None) -> Tensor`
        - `repeat_interleave(repeats: Tensor, *, output_size: int | None = None) -> Tensor`

    Args:
        input: the input.
        repeats: how often, one number or one for each entry.
        dim: along which dimension; default of all elements, flattened.
        output_size: the size of the result, where it is known.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., sum of repeats, ...).

    Method: `Tensor.repeat_interleave`.

    Raises:
        RuntimeError: negative numbers, numbers that do not fit the dimension, or another output_size.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.repeat_interleave.

    Example:
        >>> import tritonflow as flow
        >>> flow.repeat_interleave(flow.tensor([[1, 2], [3, 4]]), flow.tensor([1, 2]), 0)
        tensor([[1, 2],
                [3, 4],
                [3, 4]])
        >>> flow.repeat_interleave(flow.tensor([2, 0, 1]))
        tensor([0, 0, 2])
    """
    # Each entry of a dimension as often as said, one copy behind the other.
    if repeats < 0:
        raise InvalidArgumentError("repeats can not be negative")
    x, at = _flat_unless(input, dim)
    shape = x.meta.shape
    size = shape[at] * repeats
    if output_size is not None and output_size != size:
        raise ShapeError(f"repeat_interleave: Invalid output_size, expected {size} but got {output_size}")
    if repeats == 1:
        return clone(x)
    copies = contiguous(expand(unsqueeze(x, at + 1), (*shape[: at + 1], repeats, *shape[at + 1 :])))
    return unshared(reshape(copies, (*shape[:at], size, *shape[at + 1 :])))


def _flat_unless(x: Tensor, dim: int | None) -> tuple[Tensor, int]:
    if dim is None:
        return reshape(x, (x.meta.numel,)), 0
    at = wrap_dim(dim, x.meta.ndim)
    return (x if x.meta.ndim else flatten(x)), at


@functor("RepeatInterleaveTensor")
def repeat_interleave_tensor(
    input: Tensor, repeats: Tensor, dim: int | None = None, output_size: int | None = None
) -> Any:
    if repeats.meta.ndim == 0 or (repeats.meta.ndim == 1 and repeats.meta.shape[0] == 1):
        _check_repeats(repeats)
        return repeat_interleave(input, int(data_exchange.item(repeats)), dim, output_size)
    x, at = _flat_unless(input, dim)
    if repeats.meta.ndim != 1:
        raise ShapeError("repeats must be 0-dim or 1-dim tensor: repeat_interleave only accept 1D vector as repeat")
    if repeats.meta.shape[0] != x.meta.shape[at]:
        raise ShapeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {repeats.meta.shape[0]} and"
            f" input.size({at}) = {x.meta.shape[at]}"
        )
    return index_select(x, at, repeated_positions(repeats, output_size))


def _check_repeats(repeats: Tensor) -> None:
    if repeats.meta.dtype not in (int32, int64):
        raise DTypeError("repeats has to be Long tensor or Int tensor")


@functor("RepeatedPositions")
def repeated_positions(repeats: Tensor, output_size: int | None = None) -> Any:
    """Each position as often as its element says."""
    if repeats.meta.ndim != 1:
        raise ShapeError("repeat_interleave only accept 1D vector as repeat")
    _check_repeats(repeats)
    count = repeats.meta.shape[0]
    if not count:
        return empty((0,), dtype=repeats.dtype, **beside(repeats))
    if thread_state.observer.is_capturing and not repeats.is_lazy:
        thread_state.observer.read_value(repeats)  # the capture holds while they are what they are
        with eager():
            return repeated_positions(repeats, output_size)
    with no_grad():
        least, most = (data_exchange.item(x) for x in (reduction.amin(repeats), reduction.amax(repeats)))
        if least < 0:
            raise InvalidArgumentError("repeats can not be negative")
        if most * count >= 2**63 and sum(repeats.tolist()) >= 2**63:
            raise InvalidArgumentError("repeat_interleave(): the repeats add up to more than there are numbers of int64")
        ends = cumsum(repeats, 0)
        total = data_exchange.item(ends[count - 1])
        if output_size is not None and output_size != total:
            raise ShapeError("allocated size does not match required size")
        places = arange_end(total, dtype=int64, **beside(repeats))
        return cast(searchsorted(ends, places, right=True), repeats.meta.dtype)
