"""Functors that combine the elements of tensors: broadcast_tensors, meshgrid, cartesian_prod, combinations, repeat_interleave."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations_with_replacement
from itertools import combinations as combinations_of
from math import comb, lgamma, log
from typing import Any

import numpy

from tritonflow.binding import data_exchange
from tritonflow.binding.library import functor
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
from tritonflow.functions.view import contiguous, expand, flatten, reshape, transpose, unshared, unsqueeze
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.elementwise import broadcast_shapes
from tritonflow.thread_state import thread_state


@functor("BroadcastTensors")
def broadcast_tensors(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    shape = broadcast_shapes([t.meta.shape for t in tensors]) if tensors else ()
    return tuple([t if t.meta.shape == shape else expand(t, shape) for t in tensors])


@functor("Meshgrid")
def meshgrid(tensors: Sequence[Tensor], indexing: str | None = None) -> tuple[Tensor, ...]:
    """Each vector along a dimension of its own, broadcast to all of them; "xy" has the first two dimensions exchanged."""
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


@functor("CartesianProd")
def cartesian_prod(tensors: Sequence[Tensor]) -> Any:
    """A row for each choice of one element of each vector, the last one changing first."""
    for tensor in tensors:
        if tensor.meta.ndim != 1:
            raise ShapeError(f"Expect a 1D vector, but got shape {list(tensor.meta.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    grids = meshgrid(tensors)
    return stack([reshape(g, (-1,)) if g.meta.numel else reshape(g, (0,)) for g in grids], 1)


@functor("Combinations")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    """A row for each choice of r elements of a vector, in the order of Python's itertools."""
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
    return index_get(input, [data_exchange.tensor(rows, dtype=int64, **places)], 0, False)


def _number_of_choices(n: int, r: int) -> int:
    """The binomial coefficient, or 2^60 if it is more: its digits alone can be too many."""
    logarithm = lgamma(n + 1) - lgamma(r + 1) - lgamma(n - r + 1) if r <= n else 0
    return comb(n, r) if logarithm < log(2**60) else 2**60


@functor("RepeatInterleave")
def repeat_interleave(input: Tensor, repeats: int, dim: int | None = None, output_size: int | None = None) -> Any:
    """Each entry of a dimension as often as said, one copy behind the other."""
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
        raise ShapeError("repeats must be 0-dim or 1-dim tensor")
    if repeats.meta.shape[0] != x.meta.shape[at]:
        raise ShapeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {repeats.meta.shape[0]} and"
            f" input.size({at}) = {x.meta.shape[at]}"
        )
    return index_select(x, at, repeated_positions(repeats, output_size))


def _check_repeats(repeats: Tensor) -> None:
    if repeats.meta.dtype not in (int32, int64):
        raise DTypeError("repeats has to be Long or Int tensor")


@functor("RepeatedPositions")
def repeated_positions(repeats: Tensor, output_size: int | None = None) -> Any:
    """Each position as often as its element says."""
    if repeats.meta.ndim != 1:
        raise ShapeError("repeat_interleave only accept 1D vector as repeat")
    _check_repeats(repeats)
    count = repeats.meta.shape[0]
    if not count:
        return empty((0,), dtype=repeats.dtype, **beside(repeats))
    if thread_state.lazy is not None and not repeats.is_lazy:
        thread_state.lazy.read_value(repeats)  # the capture holds while they are what they are
        with eager():
            return repeated_positions(repeats, output_size)
    with no_grad():
        least, most = (int(data_exchange.item(x)) for x in (reduction.amin(repeats), reduction.amax(repeats)))
        if least < 0:
            raise InvalidArgumentError("repeats can not be negative")
        if most * count >= 2**63 and sum(repeats.tolist()) >= 2**63:
            raise InvalidArgumentError("repeat_interleave(): the repeats add up to more than there are numbers of int64")
        ends = cumsum(repeats, 0)
        total = int(data_exchange.item(ends[count - 1]))
        if output_size is not None and output_size != total:
            raise ShapeError("allocated size does not match required size")
        places = arange_end(total, dtype=int64, **beside(repeats))
        return cast(searchsorted(ends, places, right=True), repeats.meta.dtype)
