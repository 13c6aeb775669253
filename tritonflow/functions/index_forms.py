"""Functors that read and write by indices in other forms: take and put, index_copy, index_fill, index_put, masked_scatter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import BOOL, bool_, int64, torch_name, uint8
from tritonflow.errors import DTypeError, IndexOutOfRangeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import scalar_add
from tritonflow.functions.cast import cast, clone, copy_
from tritonflow.functions.creation import full, zeros, zeros_like
from tritonflow.functions.elementwise import scalar_remainder
from tritonflow.functions.generated import where
from tritonflow.functions.index import gather, index_get, index_put, nonzero
from tritonflow.functions.join import cat
from tritonflow.functions.scan_sort import cumsum
from tritonflow.functions.view import expand, narrow, reshape, unshared
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.ops.cast import scalar_of
from tritonflow.ops.elementwise import broadcast_shapes
from tritonflow.thread_state import thread_state


def _flat(x: Tensor) -> Tensor:
    return reshape(x, (x.meta.numel,))


@functor("Take")
def take(input: Tensor, index: Tensor) -> Any:
    if index.meta.dtype is not int64:
        raise DTypeError(f"take(): Expected a long tensor for index, but got {torch_name(index.meta.dtype)}")
    if not input.meta.numel and index.meta.numel:
        raise IndexOutOfRangeError("take(): tried to take from an empty tensor")
    taken = index_get(_flat(input), [_flat(index)], 0)
    return taken if index.meta.ndim == 1 else unshared(reshape(taken, index.meta.shape))


@functor("Put")
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False, inplace: bool = False) -> Any:
    if index.meta.dtype is not int64:
        raise DTypeError(f"put_(): Expected a long tensor for index, but got {torch_name(index.meta.dtype)}")
    if input.meta.dtype is not source.meta.dtype:
        names = [torch_name(t.meta.dtype) for t in (input, source)]
        raise DTypeError(
            f"put_(): Expected source and self to have the same dtype, but got self.dtype={names[0]} and {names[1]}"
        )
    if index.meta.numel != source.meta.numel:
        raise ShapeError(
            f"put_(): Expected source and index to have the same number of elements, but got source.numel() ="
            f" {source.meta.numel}, index.numel() = {index.meta.numel}"
        )
    if not input.meta.numel and index.meta.numel:
        raise IndexOutOfRangeError("put_(): Tried to put elements into an empty tensor")
    if inplace and input.meta.is_local and input.meta.is_contiguous:
        index_put(_flat(input), _flat(source), [_flat(index)], 0, accumulate, True, True)
        return input
    flat = index_put(_flat(input), _flat(source), [_flat(index)], 0, accumulate)
    written = flat if input.meta.ndim == 1 else unshared(reshape(flat, input.meta.shape))
    return copy_(input, written) if inplace else written


@functor("TakeAlongDim")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Any:
    if indices.meta.dtype is not int64:
        raise DTypeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {torch_name(indices.meta.dtype)}"
        )
    if dim is None:
        return gather(_flat(input), 0, _flat(indices))
    own, given = input.meta.shape, indices.meta.shape
    if len(own) != len(given):
        raise ShapeError(
            f"torch.take_along_dim(): input and indices should have the same number of dimensions, but got {len(own)}"
            f" dimensions for input, and {len(given)} dimensions for indices"
        )
    dim = wrap_dim(dim, len(own))
    shape = broadcast_shapes([own[:dim] + (1,) + own[dim + 1 :], given[:dim] + (1,) + given[dim + 1 :]]) if own else ()
    if own and own[dim]:
        indices = scalar_remainder(indices, own[dim])  # torch counts around
    sized = [shape[:dim] + x[dim : dim + 1] + shape[dim + 1 :] for x in (own, given)]
    return gather(expand(input, sized[0]), dim, expand(indices, sized[1]))


@functor("IndexCopy")
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor, inplace: bool = False) -> Any:
    dim = wrap_dim(dim, input.meta.ndim)
    _check_copied(input, dim, index, source)
    whole, vector = _at_least_1d(input), _flat(index)
    shape = [index.meta.numel if d == dim else n for d, n in enumerate(whole.meta.shape)]
    value = expand(source if source.meta.ndim else reshape(source, (1,) * len(shape)), tuple(shape))
    return _in_shape(input, index_put(whole, value, [vector], dim, False, False, inplace), inplace)


def _at_least_1d(x: Tensor) -> Tensor:
    return x if x.meta.ndim else reshape(x, (1,))


def _in_shape(x: Tensor, written: Tensor, inplace: bool) -> Any:
    """What was written to a tensor that had a dimension more where x has none."""
    return x if inplace else written if x.meta.ndim else unshared(reshape(written, ()))


def _check_copied(x: Tensor, dim: int, index: Tensor, source: Tensor) -> None:
    own, given, count = x.meta.shape, source.meta.shape, index.meta.numel
    if index.meta.ndim > 1:
        raise IndexOutOfRangeError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.meta.ndim})")
    if not given and count != 1:
        raise IndexOutOfRangeError(f"index_copy_(): When source is scalar, index should have one element (got {count})")
    if own and given and len(own) != len(given):
        raise IndexOutOfRangeError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source"
            f" dimensionality ({len(given)}), destination dimensionality ({len(own)})"
        )
    if index.meta.dtype is not int64:
        raise DTypeError(f"index_copy_(): Expected a long tensor for index, but got {torch_name(index.meta.dtype)}")
    if x.meta.dtype is not source.meta.dtype:
        names = [torch_name(t.meta.dtype) for t in (x, source)]
        raise DTypeError(
            f"index_copy_(): self and source expected to have the same dtype, but got (self) {names[0]} and {names[1]}"
        )
    rests = [shape[:dim] + shape[dim + 1 :] for shape in (own, given)]
    if rests[0] != rests[1] and given:
        raise ShapeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape:"
            f" {list(rests[0])} at dimension {dim} and source slice shape: {list(rests[1])}"
        )
    if given and count != given[dim]:
        raise IndexOutOfRangeError(
            f"index_copy_(): Number of indices ({count}) should be equal to source.size(dim) ({given[dim]})"
        )


@functor("IndexFill")
def index_fill(input: Tensor, dim: int, index: Tensor, value: Any, inplace: bool = False) -> Any:
    number = full((), scalar_of(value, input.meta.dtype), dtype=input.dtype, **beside(input))
    return index_fill_tensor(input, dim, index, number, inplace)


@functor("IndexFillTensor")
def index_fill_tensor(input: Tensor, dim: int, index: Tensor, value: Tensor, inplace: bool = False) -> Any:
    dim = wrap_dim(dim, input.meta.ndim)
    if value.meta.ndim:
        raise ShapeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.meta.ndim} dimension(s)."
        )
    if index.meta.dtype is not int64:
        raise IndexOutOfRangeError("index_fill_(): Expected dtype int64 for index.")
    if index.meta.ndim > 1:
        raise IndexOutOfRangeError("Index has to be a vector/scalar")
    whole = _at_least_1d(input)
    shape = [index.meta.numel if d == dim else n for d, n in enumerate(whole.meta.shape)]
    values = expand(cast(value, input.meta.dtype), tuple(shape))
    if thread_state.grad_enabled and wants_gradient(value):  # an element that several indices name is one
        marks = full(tuple(shape), True, dtype=bool_, **beside(input))
        mask = index_put(zeros_like(whole, dtype=bool_), marks, [_flat(index)], dim, False)
        filled = where(mask, cast(value, input.meta.dtype), whole)
        return _in_shape(input, copy_(input, reshape(filled, input.meta.shape)) if inplace else filled, inplace)
    return _in_shape(input, index_put(whole, values, [_flat(index)], dim, False, True, inplace), inplace)


@functor("IndexPutItems")
def index_put_items(
    input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool = False, inplace: bool = False
) -> Any:
    """`input[indices] = values`, or `+=`; a mask stands for as many dimensions as it has."""
    if input.meta.dtype is not values.meta.dtype:
        names = [torch_name(t.meta.dtype) for t in (input, values)]
        raise DTypeError(
            f"Index put requires the source and destination dtypes match, got {names[0]} for the destination and {names[1]}"
            " for the source."
        )
    if not values.meta.ndim:
        values = data_exchange.to_device_of(values, input)
    vectors: list[Tensor] = []
    for index in indices:
        vectors += _coordinates(data_exchange.to_device_of(index, input), input, len(vectors))
    count, own = len(vectors), input.meta.shape
    if count > len(own):
        raise IndexOutOfRangeError(f"too many indices for tensor of dimension {len(own)} (got {count})")
    if not count:
        return copy_(input, values) if inplace else copy_(clone(input), values)
    try:
        common = broadcast_shapes([v.meta.shape for v in vectors])
    except RuntimeError:
        shapes = ", ".join(str(list(v.meta.shape)) for v in vectors)
        raise IndexOutOfRangeError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    places = [expand(v, common) for v in vectors]
    return index_put(input, expand(values, (*common, *own[count:])), places, 0, accumulate, True, inplace)


def _coordinates(index: Tensor, x: Tensor, dim: int) -> list[Tensor]:
    """An index tensor as it is, a mask as the coordinates of its true elements."""
    if index.meta.dtype not in (bool_, uint8):
        if index.meta.dtype.is_floating_point:
            raise IndexOutOfRangeError("tensors used as indices must be long, int, byte or bool tensors")
        return [index]
    shape, own = index.meta.shape, x.meta.shape[dim:]
    if shape != own[: len(shape)]:
        raise IndexOutOfRangeError(
            f"The shape of the mask {list(shape)} does not match the shape of the indexed tensor {list(x.meta.shape)} at"
            f" dimension {dim}"
        )
    with no_grad():
        return list(nonzero(index, True))


@functor("MaskedScatter")
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor, inplace: bool = False) -> Any:
    """The k-th true element of the mask stands for the k-th element of the source; where that has none, it is an index error."""
    if input.meta.dtype is not source.meta.dtype:
        names = [torch_name(t.meta.dtype) for t in (input, source)]
        raise DTypeError(
            f"masked_scatter: expected self and source to have same dtypes but got {names[0]} and {names[1]}"
        )
    if mask.meta.dtype.category != BOOL:
        raise DTypeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {mask.meta.dtype.name}")
    own = input.meta.shape
    shape = own if inplace else broadcast_shapes([own, mask.meta.shape])
    broad, mask, values = expand(input, shape), expand(mask, shape), _flat(source)
    first = 0
    if not source.meta.numel:  # a place for what is not true; the true elements are behind it
        values, first = cat([values, zeros((1,), dtype=source.dtype, **beside(source))], 0), 1
    with no_grad():
        position = scalar_add(
            cumsum(_flat(mask), 0), first - 1
        )  # before the first true element -1, of which nothing is used
    written = where(mask, reshape(index_get(values, [position], 0), shape), broad)
    return copy_(input, written) if inplace else written


@functor("NonZeroStatic")
def nonzero_static(input: Tensor, size: int, fill_value: int = -1) -> Any:
    if size < 0:
        raise InvalidArgumentError("nonzero_static: 'size' must be an non-negative integer")
    found = nonzero(input)
    count, ndim = found.meta.shape
    if count >= size:
        return clone(narrow(found, 0, 0, size))
    return cat([found, full((size - count, ndim), fill_value, dtype=int64, **beside(input))], 0)
