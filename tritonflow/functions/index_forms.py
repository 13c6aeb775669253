"""Functors that read and write by indices in other forms: take and put, index_copy, index_fill, index_put, masked_scatter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import BOOL, bool_, int64, torch_name, uint8
from tritonflow.errors import DTypeError, IndexOutOfRangeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import scalar_add
from tritonflow.functions.cast import cast, clone, copy_
from tritonflow.functions.creation import full, zeros
from tritonflow.functions.creation_like import zeros_like
from tritonflow.functions.elementwise import scalar_remainder
from tritonflow.functions.generated import where
from tritonflow.functions.index import index_get, index_put, nonzero
from tritonflow.functions.index_gather import gather
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


@function("Tensor (Tensor input, Tensor index)", methods="take", samples="take")
def take(input: Tensor, index: Tensor) -> Any:
    """The elements at indices into the flattened input.

    Args:
        input: the input.
        index: int64, negative ones from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, any shape -> the shape of index.

    Method: `Tensor.take`.

    Raises:
        IndexError: an index outside of the input.
        RuntimeError: indices of another dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.take.

    Example:
        >>> import tritonflow as flow
        >>> flow.take(flow.tensor([[1, 2], [3, 4]]), flow.tensor([3, 0]))
        tensor([4, 1])
    """
    if index.meta.dtype is not int64:
        raise DTypeError(f"take(): Expected a long tensor for index, but got {torch_name(index.meta.dtype)}")
    if not input.meta.numel and index.meta.numel:
        raise IndexOutOfRangeError("take(): tried to take from an empty tensor")
    taken = index_get(_flat(input), [_flat(index)], 0)
    return taken if index.meta.ndim == 1 else unshared(reshape(taken, index.meta.shape))


@function(
    "Tensor (Tensor input, Tensor index, Tensor source, Bool accumulate=False, Bool inplace=False)",
    methods=("put", "put_"), samples="put", tolerance="reduction",
)
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False, inplace: bool = False) -> Any:
    """input with source written (or added) at indices into the flattened input.

    A copy.

    Args:
        input: the input.
        index: int64, negative ones from the end.
        source: a number for each index.
        accumulate: whether they are added, all where indices are the same.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, k elements, k elements -> the shape of input.

    Methods: `Tensor.put` and `Tensor.put_`.

    Raises:
        IndexError: an index outside of the input.
        RuntimeError: dtypes that differ, or numbers of elements that do.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.put.

    Example:
        >>> import tritonflow as flow
        >>> flow.put(flow.zeros(2, 2), flow.tensor([3, 0]), flow.tensor([5.0, 7.0]))
        tensor([[7., 0.],
                [0., 5.]])
    """
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


@function("Tensor (Tensor input, Tensor indices, Int32 dim=None)", methods="take_along_dim", samples="take_along_dim")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Any:
    """gather, with input and indices broadcast along the other dimensions.

    It applies what argsort, argmax and the like give. Without dim both are flattened.

    Args:
        input: the input.
        indices: positions along dim, int64.
        dim: along which dimension; default of all elements, flattened.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., k, ...) -> (..., k, ...).

    Method: `Tensor.take_along_dim`.

    Raises:
        RuntimeError: indices of another dtype, or another number of dimensions.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.take_along_dim.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[3, 1, 2], [5, 6, 4]])
        >>> flow.take_along_dim(x, flow.argsort(x, 1), 1)
        tensor([[1, 2, 3],
                [4, 5, 6]])
    """
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


@function(
    "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, Bool inplace=False)",
    methods=("index_copy", "index_copy_"), samples="index_copy",
)
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor, inplace: bool = False) -> Any:
    """input with the entries of source at the indices of a vector along a dimension.

    A copy.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int64.
        source: an entry for each index.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k), (..., k, ...) -> (..., n, ...).

    Methods: `Tensor.index_copy` and `Tensor.index_copy_`.

    Raises:
        IndexError: an index outside of the dimension, or another number of them than of entries; `dim` is
            out of range.
        RuntimeError: dtypes or shapes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_copy(flow.zeros(3), 0, flow.tensor([2, 0]), flow.tensor([5.0, 7.0]))
        tensor([7., 0., 5.])
    """
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


@function(
    "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, Bool inplace=False)",
    "Tensor (Tensor input, Int32 dim, Tensor index, Tensor value, Bool inplace=False) => IndexFillTensor",
    methods=("index_fill", "index_fill_"), samples="index_fill",
)
def index_fill(input: Tensor, dim: int, index: Tensor, value: Any, inplace: bool = False) -> Any:
    """input with a number at the indices of a vector along a dimension.

    A copy.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int64, negative ones from the end.
        value: a number, or a tensor without dimensions.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k) -> (..., n, ...).

    Methods: `Tensor.index_fill` and `Tensor.index_fill_`.

    Raises:
        IndexError: an index outside of the dimension, or of another dtype; `dim` is out of range.
        RuntimeError: a value with dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_fill.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_fill(flow.zeros(2, 3), 1, flow.tensor([0, 2]), 5.0)
        tensor([[5., 0., 5.],
                [5., 0., 5.]])
    """
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


@function(
    "Tensor (Tensor input, TensorTuple indices, Tensor values, Bool accumulate=False, Bool inplace=False)",
    name="index_put", methods=("index_put", "index_put_"), samples="index_put", tolerance="reduction", autocast="widest",
)
def index_put_items(
    input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool = False, inplace: bool = False
) -> Any:
    """input with values written (or added) at indices, one for each of the first dimensions.

    A copy; input[indices] = values writes over it instead. A mask stands for as many indices as it has
    dimensions.

    Args:
        input: the input.
        indices: integer tensors that broadcast, negative ones from the end; or masks.
        values: what is written, which broadcasts to the indices and the other dimensions.
        accumulate: whether values are added, all where places are the same.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n1, ..., nk, ...), k shapes that broadcast, values -> the shape of input.

    Under `flow.autocast` it computes in the widest dtype of its operands. Methods: `Tensor.index_put`
    and `Tensor.index_put_`.

    Raises:
        IndexError: an index outside of its dimension, too many of them, or shapes that do not broadcast.
        RuntimeError: dtypes that differ, or values that do not broadcast.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_put.

    Example:
        >>> import tritonflow as flow
        >>> rows, columns = flow.tensor([0, 1]), flow.tensor([1, 0])
        >>> flow.index_put(flow.zeros(2, 2), (rows, columns), flow.tensor([5.0, 7.0]))
        tensor([[0., 5.],
                [7., 0.]])
    """
    # `input[indices] = values`, or `+=`; a mask stands for as many dimensions as it has.
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


@function(
    "Tensor (Tensor input, Tensor mask, Tensor source, Bool inplace=False)",
    methods=("masked_scatter", "masked_scatter_"), samples="masked_scatter",
)
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor, inplace: bool = False) -> Any:
    """input with the elements of source, one after the other, where the mask is true.

    A copy: the k-th true element has the k-th element of the source.

    Args:
        input: the input.
        mask: bool, which broadcasts with the input.
        source: at least as many elements as the mask has true ones.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast, any shape -> the common shape.

    Methods: `Tensor.masked_scatter` and `Tensor.masked_scatter_`.

    Raises:
        RuntimeError: a mask that is not bool, or dtypes that differ.
        IndexError: too few elements.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_scatter.

    Example:
        >>> import tritonflow as flow
        >>> flow.masked_scatter(flow.zeros(3), flow.tensor([True, False, True]), flow.tensor([5.0, 7.0]))
        tensor([5., 0., 7.])
    """
    # The k-th true element of the mask stands for the k-th element of the source; where that has none, it is an index
    # error.
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


@function(
    "Tensor (Tensor input, *, Int64 size, Int64 fill_value=-1)",
    methods="nonzero_static", samples="nonzero_static", derivative={"none": "gives no floating values"},
)
def nonzero_static(input: Tensor, size: int, fill_value: int = -1) -> Any:
    """The coordinates of the first elements that are not zero, as many rows as said.

    Args:
        input: the input.
        size: how many rows.
        fill_value: what stands in rows for which there is no element.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        n dimensions -> (size, n), int64.

    Not differentiable: gives no floating values. Method: `Tensor.nonzero_static`.

    Raises:
        RuntimeError: size is negative.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nonzero_static.

    Example:
        >>> import tritonflow as flow
        >>> flow.nonzero_static(flow.tensor([0, 5, 7]), size=3)
        tensor([[ 1],
                [ 2],
                [-1]])
    """
    if size < 0:
        raise InvalidArgumentError("nonzero_static: 'size' must be an non-negative integer")
    found = nonzero(input)
    count, ndim = found.meta.shape
    if count >= size:
        return clone(narrow(found, 0, 0, size))
    return cat([found, full((size - count, ndim), fill_value, dtype=int64, **beside(input))], 0)
