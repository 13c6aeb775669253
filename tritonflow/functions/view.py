"""Functors of the view ops: they normalise dimensions and shapes, and dispatch. Only `reshape` may copy."""

from __future__ import annotations

from itertools import accumulate
from math import prod
from typing import Any

from tritonflow.binding.library import also, function, functor
from tritonflow.device.device import META
from tritonflow.device.memory import DISCARD
from tritonflow.errors import (
    ArgumentValueError,
    DimensionError,
    IndexOutOfRangeError,
    InvalidArgumentError,
    NotYetImplementedError,
    ShapeError,
    SliceStepError,
)
from tritonflow.execution.lazy import note_alias
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.functions.view_bounds import check_bounds
from tritonflow.interpreter.choice import batched_road
from tritonflow.interpreter.dispatch import dispatch1, dispatch_split, dispatch_view
from tritonflow.interpreter.recording import view_of_whole
from tritonflow.ops.view import view_stride
from tritonflow.thread_state import thread_state

_view = op_expr("view")
_permute = op_expr("permute")
_expand = op_expr("expand")
_squeeze = op_expr("squeeze")
_unsqueeze = op_expr("unsqueeze")
_select = op_expr("select")
_slice = op_expr("slice")
_as_strided = op_expr("as_strided")
_diagonal = op_expr("diagonal")
_unfold = op_expr("unfold_tensor")
_contiguous = op_expr("contiguous_copy")


def infer_shape(shape: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """Replace the one -1 of a shape by what the number of elements leaves for it.

    Raises:
        RuntimeError: the shape does not have that many elements, has two -1, or another negative size.
    """
    if -1 not in shape:
        if min(shape, default=0) < 0:
            raise ShapeError(f"invalid shape dimension {min(shape)}")
        if prod(shape) != numel:
            raise ShapeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
        return shape
    if shape.count(-1) > 1:
        raise ShapeError("only one dimension can be inferred")
    known = prod(n for n in shape if n != -1)
    if min((n for n in shape if n != -1), default=0) < 0:
        raise ShapeError(f"invalid shape dimension {min(shape)}")
    if known == 0:
        raise ShapeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified dimension size -1"
            " can be any value and is ambiguous"
        )
    if numel % known:
        raise ShapeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
    return tuple([numel // known if n == -1 else n for n in shape])


@functor("View")
def view(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    return dispatch_view(_view, x, (infer_shape(tuple(shape), x.meta.numel),))


@function("Tensor (Tensor input, Shape shape)", methods="reshape", samples="reshape")
def reshape(input: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The same elements in another shape.

    A view where the memory can be read in that shape, otherwise a copy.

    Args:
        input: the input.
        shape: the sizes; one may be -1, which is what the others leave.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> shape.

    Method: `Tensor.reshape`.

    Raises:
        RuntimeError: a shape of another number of elements.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.reshape.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.arange(6).reshape(2, 3)
        >>> flow.reshape(x.T, (-1,))
        tensor([0, 3, 1, 4, 2, 5])
    """
    meta = input.meta
    shape = infer_shape(tuple(shape), meta.numel)
    if _must_be_copied(meta, shape):
        return unshared(dispatch_view(_view, dispatch1(_contiguous, input), (shape,)))
    return dispatch_view(_view, input, (shape,))


def _must_be_copied(meta: TensorMeta, shape: tuple[int, ...]) -> bool:
    """Whether no strides read the memory in that shape."""
    return view_stride(meta if meta.is_local else meta.on_one_rank, shape) is None


def unshared(x: Tensor) -> Tensor:
    """A functor's result in memory that no other tensor has: no view, for those who write it or ask for its gradient."""
    x._view = None
    return x


@function("Tensor (Tensor input, Int32 start_dim=0, Int32 end_dim=-1)", methods="flatten", samples="flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Neighbouring dimensions as one.

    A view where the memory can be read so, otherwise a copy; the input itself where there is nothing to
    do.

    Args:
        input: the input.
        start_dim: the first dimension of them.
        end_dim: the last one.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., a, ..., b, ...) -> (..., a * ... * b, ...); (1) of a tensor without dimensions.

    Method: `Tensor.flatten`.

    Raises:
        RuntimeError: start_dim comes after end_dim.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.flatten.

    Example:
        >>> import tritonflow as flow
        >>> flow.flatten(flow.zeros(2, 3, 4), start_dim=1).shape
        tritonflow.Size([2, 12])
    """
    shape = input.meta.shape
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if not shape:
        return reshape(input, (1,))
    if start > end:
        raise InvalidArgumentError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end:
        return input  # the tensor itself, as in torch
    return reshape(input, (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :]))


@function("Tensor (Tensor input)", methods="ravel", samples="copy_of")
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension.

    A view where the memory is in row-major order, otherwise a copy.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> (number of elements).

    Method: `Tensor.ravel`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ravel.

    Example:
        >>> import tritonflow as flow
        >>> flow.ravel(flow.tensor([[1, 2], [3, 4]]))
        tensor([1, 2, 3, 4])
    """
    return view(contiguous(input), (input.meta.numel,))


@function("Tensor (Tensor input, Int32 dim, Shape sizes)", methods="unflatten", samples="unflatten")
def unflatten(input: Tensor, dim: int, sizes: tuple[int, ...]) -> Tensor:
    """A dimension cut into several.

    The inverse of `flow.flatten`: a view.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        sizes: its new sizes; one may be -1, which is what the others leave.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., sizes, ...).

    Method: `Tensor.unflatten`.

    Raises:
        RuntimeError: the product of the sizes is not n, or there are none.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unflatten.

    Example:
        >>> import tritonflow as flow
        >>> flow.unflatten(flow.zeros(2, 12), 1, (3, -1)).shape
        tritonflow.Size([2, 3, 4])
    """
    shape = input.meta.shape
    dim = wrap_dim(dim, len(shape))
    if not sizes:
        raise InvalidArgumentError("unflatten: sizes must be non-empty")
    n = shape[dim] if shape else 1
    try:
        parts = infer_shape(tuple(sizes), n)
    except ShapeError:
        raise ShapeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({n}) in the input tensor"
        ) from None
    return view(input, (*shape[:dim], *parts, *shape[dim + 1 :]))


@functor("Permute")
def permute(input: Tensor, dims: tuple[int, ...]) -> Tensor:
    ndim = input.meta.ndim
    if len(dims) != ndim:
        raise ShapeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired"
            f" ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = {len(dims)}"
        )
    order = tuple([wrap_dim(d, ndim) for d in dims])
    if len(set(order)) != ndim:
        raise InvalidArgumentError("permute(): duplicate dims are not allowed.")
    return dispatch_view(_permute, input, (order,))


@function("Tensor (Tensor input, Int32List dims)", bind_python=False)
def permute_inverse(input: Tensor, dims: tuple[int, ...]) -> Tensor:
    """The permutation that undoes `permute`."""
    order = [0] * len(dims)
    for position, dim in enumerate(dims):
        order[dim] = position
    return dispatch_view(_permute, input, (tuple(order),))


@function("Tensor (Tensor input, Int32 dim0, Int32 dim1)", methods=("transpose", "swapaxes", "swapdims"), samples="transpose")
@also("swapaxes", reference="torch.transpose")
@also("swapdims", reference="torch.transpose")
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dimensions exchanged: a view.

    Args:
        input: the input.
        dim0: one of the two dimensions; a negative one counts from the end.
        dim1: one of the two dimensions; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., a, ..., b, ...) -> (..., b, ..., a, ...).

    Methods: `Tensor.transpose`, `Tensor.swapaxes` and `Tensor.swapdims`.

    Raises:
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.transpose.

    Example:
        >>> import tritonflow as flow
        >>> flow.transpose(flow.tensor([[1, 2, 3], [4, 5, 6]]), 0, 1)
        tensor([[1, 4],
                [2, 5],
                [3, 6]])
    """
    ndim = input.meta.ndim
    first, second = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
    order = list(range(ndim))
    if ndim:
        order[first], order[second] = second, first
    return dispatch_view(_permute, input, (tuple(order),))


@function("Tensor (Tensor input)", name="t", methods="t", samples="matrix")
def matrix_transpose(input: Tensor) -> Tensor:
    """A matrix transposed: a view.

    Tensors of fewer than 2 dimensions are as they are.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N) -> (N, M).

    Method: `Tensor.t`.

    Raises:
        RuntimeError: more than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.t.

    Example:
        >>> import tritonflow as flow
        >>> flow.t(flow.tensor([[1, 2, 3], [4, 5, 6]]))
        tensor([[1, 4],
                [2, 5],
                [3, 6]])
    """
    if input.meta.ndim > 2:
        raise ShapeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.meta.ndim}D")
    return dispatch_view(_permute, input, (tuple(range(input.meta.ndim))[::-1],))


@function("Tensor (Tensor input, Int32List[1] source, Int32List[1] destination)", methods="movedim", samples="movedim")
@also("moveaxis", methods="moveaxis")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Dimensions moved to other places, the others in their order: a view.

    Args:
        input: the input.
        source: which dimensions, one or several.
        destination: the places that they have in the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        sizes -> the sizes in the new order.

    Method: `Tensor.movedim`.

    Raises:
        RuntimeError: different numbers of both, or a dimension twice.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.movedim.

    Example:
        >>> import tritonflow as flow
        >>> flow.movedim(flow.zeros(2, 3, 4), 0, -1).shape
        tritonflow.Size([3, 4, 2])
    """
    ndim = input.meta.ndim
    sources = [wrap_dim(d, ndim) for d in source]
    targets = [wrap_dim(d, ndim) for d in destination]
    if len(sources) != len(targets):
        raise InvalidArgumentError(
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should contain the same number of"
            f" dims as destination ({list(destination)} dims)"
        )
    if len(set(sources)) != len(sources) or len(set(targets)) != len(targets):
        raise InvalidArgumentError("movedim: repeated dim in `source` or `destination`")
    if not ndim:
        return dispatch_view(_permute, input, ((),))
    order = [-1] * ndim
    for s, t in zip(sources, targets):
        order[t] = s
    rest = iter(d for d in range(ndim) if d not in sources)
    return dispatch_view(_permute, input, (tuple(next(rest) if d < 0 else d for d in order),))


@functor("Expand")
def expand(input: Tensor, shape: tuple[int, ...]) -> Tensor:
    own = input.meta.shape
    new = len(shape) - len(own)
    if new < 0:
        raise ShapeError(
            f"expand(Tensor{list(own)}, size={list(shape)}): the number of sizes provided ({len(shape)}) must be greater or"
            f" equal to the number of dimensions in the tensor ({len(own)})"
        )
    target = []
    for dim, size in enumerate(shape):
        n = own[dim - new] if dim >= new else None
        if size == -1:
            if n is None:
                raise ShapeError(f"expand: -1 is not allowed in a leading, non-existing dimension {dim}")
            size = n
        elif n is not None and n != 1 and n != size:
            raise ShapeError(
                f"The expanded size of the tensor ({size}) must match the existing size ({n}) at non-singleton dimension"
                f" {dim}.  Target sizes: {list(shape)}.  Tensor sizes: {list(own)}"
            )
        elif size < 0:
            raise ShapeError(f"expand: invalid size {size} at dimension {dim}")
        target.append(size)
    return dispatch_view(_expand, input, (tuple(target),))


@function(
    "Tensor (Tensor input, Tensor other)",
    methods="expand_as", export=(), reference="torch.Tensor.expand_as", samples="pair_of_shapes",
)
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Expanded to the shape of another tensor: a view.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        sizes that are 1 or those of other, from the last on -> the shape of other.

    Method: `Tensor.expand_as`.

    Raises:
        RuntimeError: a size other than 1 that differs, or fewer dimensions than the input has.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.expand_as.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([[1], [2]]).expand_as(flow.zeros(2, 3))
        tensor([[1, 1, 1],
                [2, 2, 2]])
    """
    return expand(input, other.meta.shape)


@function(
    "Tensor (Tensor input, Tensor other)",
    methods="view_as", export=(), reference="torch.Tensor.view_as", samples="pair_of_shapes",
)
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """The same elements in the shape of another tensor, over the same memory.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the shape of other.

    Method: `Tensor.view_as`.

    Raises:
        RuntimeError: another number of elements, or memory that cannot be read in that shape.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.view_as.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(4).view_as(flow.zeros(2, 2))
        tensor([[0, 1],
                [2, 3]])
    """
    return view(input, other.meta.shape)


@function(
    "Tensor (Tensor input, Tensor other)",
    methods="reshape_as", export=(), reference="torch.Tensor.reshape_as", samples="pair_of_shapes",
)
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """The same elements in the shape of another tensor.

    A view where the memory can be read in that shape, otherwise a copy.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the shape of other.

    Method: `Tensor.reshape_as`.

    Raises:
        RuntimeError: another number of elements.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.reshape_as.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(4).reshape_as(flow.zeros(2, 2))
        tensor([[0, 1],
                [2, 3]])
    """
    return reshape(input, other.meta.shape)


@function("Tensor (Tensor input, Shape shape, Int32List dim=None, Bool keepdim=False)", bind_python=False)
def expand_reduced(input: Tensor, shape: tuple[int, ...], dim: Any = None, keepdim: bool = False) -> Tensor:
    """Broadcast the result of a reduction over `dim` back to `shape`: the adjoint of a sum."""
    if not keepdim and shape:
        dims = range(len(shape)) if dim is None or len(dim) == 0 else [wrap_dim(d, len(shape)) for d in dim]
        input = reshape(input, tuple([1 if d in dims else n for d, n in enumerate(shape)]))
    return expand(input, tuple(shape))


@functor("Squeeze")
def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    ndim = input.meta.ndim
    dims = tuple(range(ndim)) if dim is None else tuple([wrap_dim(d, ndim) for d in dim])
    return dispatch_view(_squeeze, input, (dims,))


@functor("Unsqueeze")
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    return dispatch_view(_unsqueeze, input, (wrap_dim(dim, input.meta.ndim + 1),))


@functor("Select")
def select(input: Tensor, dim: int, index: int) -> Tensor:
    shape = input.meta.shape
    if not shape:
        raise DimensionError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, len(shape))
    return dispatch_view(_select, input, (dim, checked_index(index, dim, shape[dim])))


def checked_index(index: int, dim: int, n: int) -> int:
    """The index as one from the front; OneFlow's words, and torch's behind them.

    Raises:
        IndexOutOfRangeError: there is no such one.
    """
    if not -n <= index < n:
        raise IndexOutOfRangeError(
            f"Index out of range (expected to be in range of [{-n},{n - 1}], but got {index}):"
            f" it is out of bounds for dimension {dim} with size {n}"
        )
    return index + n if index < 0 else index


@function(
    "Tensor (Tensor input, Int32 dim, Tensor start, Int64 length) => NarrowTensor",
    "Tensor (Tensor input, Int32 dim, Int64 start, Int64 length)",
    methods="narrow", samples="narrow",
)
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """length neighbouring indices of a dimension: a view.

    The same as x[start : start + length] in that dimension.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        start: the first index, negative ones from the end; an integer or a tensor without dimensions.
        length: how many.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., length, ...).

    Method: `Tensor.narrow`.

    Raises:
        RuntimeError: start + length is greater than the size, or length is negative.
        IndexError: start is out of range; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.narrow.

    Example:
        >>> import tritonflow as flow
        >>> flow.narrow(flow.arange(5), 0, 1, 3)
        tensor([1, 2, 3])
    """
    shape = input.meta.shape
    if not shape:
        raise ShapeError("narrow() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, len(shape))
    n = shape[dim]
    if length < 0:
        raise InvalidArgumentError("narrow(): length must be non-negative.")
    if not -n <= start <= n:
        raise DimensionError(
            f"Dimension out of range: start out of range (expected to be in range of [{-n}, {n}], but got {start})"
        )
    start = start + n if start < 0 else start
    if start + length > n:
        raise ShapeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
    return dispatch_view(_slice, input, (dim, start, length, 1))


@functor("Slice")
def slice_dims(x: Tensor, start: Any, stop: Any, step: Any) -> Tensor:
    """OneFlow's slice: one (start, stop, step) per leading dimension."""
    if not len(start) == len(stop) == len(step):
        raise ArgumentValueError("slice(): start, stop and step must have the same length")
    check_bounds(start, stop, step)
    for dim, bounds in enumerate(zip(start, stop, step)):
        x = slice_dim(x, dim, slice(*bounds))
    return x


@functor("SliceTuples")
def slice_tuples(input: Tensor, slice_tup_list: Any) -> Tensor:
    """The same with (start, stop, step) in tuples; None is a bound's default."""
    for dim, bounds in enumerate(slice_tup_list):
        if len(bounds) != 3:
            raise ArgumentValueError(f"slice(): expected (start, stop, step) for dimension {dim}, got {bounds}")
        input = slice_dim(input, dim, slice(*bounds))
    return input


@functor("SliceDim")
def slice_dim(x: Tensor, dim: int, bounds: slice) -> Tensor:
    """x with dimension `dim` indexed by a Python slice."""
    n = x.meta.shape[dim]
    if bounds.step is not None and bounds.step < 1:
        raise SliceStepError("slice step cannot be zero" if bounds.step == 0 else "step must be greater than zero")
    start, stop, step = bounds.indices(n)
    length = max(0, -(-(stop - start) // step))
    if start == 0 and step == 1 and length == n:
        return x
    return dispatch_view(_slice, x, (dim, start, length, step))


@functor("AsStrided")
def as_strided(
    input: Tensor, size: tuple[int, ...], stride: tuple[int, ...], storage_offset: int | None = None
) -> Tensor:
    if input.is_lazy:
        thread_state.lazy.read_by_strides(input, storage_offset is not None)
    return strided_view(input, size, stride, storage_offset)


def strided_view(
    input: Tensor, size: tuple[int, ...], stride: tuple[int, ...], storage_offset: int | None = None
) -> Tensor:
    """`as_strided` of memory whose layout does not depend on the arguments of a captured program."""
    if len(size) != len(stride):
        raise ShapeError("mismatch in length of strides and shape")
    if min(size, default=0) < 0 or min(stride, default=0) < 0:
        raise ShapeError("as_strided: negative sizes and strides are not supported")
    if not input.meta.is_local:
        input = _whole_storage(input)
    nbytes, begin = _storage(input)
    offset = begin if storage_offset is None else storage_offset
    last = offset + sum((n - 1) * s for n, s in zip(size, stride))
    room = nbytes // input.meta.dtype.itemsize
    if prod(size) and (offset < 0 or last >= room):
        raise ShapeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset} are out of bounds for"
            f" storage of size {nbytes} bytes"
        )
    view = dispatch_view(_as_strided, input, (tuple(size), tuple(stride), offset - begin))
    if input._view is not None:  # a write through it may lie outside of `input`, so its base is the whole memory
        view_of_whole(view, _as_strided)
    return view


def _whole_storage(x: Tensor) -> Tensor:
    """A consistent tensor that is no view, its shard without gaps.

    Raises:
        NotYetImplementedError: it is a view. The storage would be that of what it is a view of.
    """
    if base_of(x) != (x.ptr, x.meta):
        raise NotYetImplementedError("as_strided(): of a view of a global (consistent) tensor; clone() the view first")
    return contiguous(x)  # type: ignore[no-any-return]


def _storage(x: Tensor) -> tuple[int, int]:
    """The bytes of a tensor's storage, or of its value while a graph is captured; the tensor's offset in it, in elements.

    The storage of a consistent tensor is all of it, in row-major order, wherever its elements are.
    """
    impl = x.impl
    if not x.meta.is_local:
        return x.nbytes, 0
    if impl.__class__ is BatchedTensorImpl:
        return storage_nbytes(x), x.ptr // x.meta.dtype.itemsize
    if impl.is_lazy:
        return impl.value.meta.nbytes, x.ptr // x.meta.dtype.itemsize
    if x.meta.device is META:
        base = base_of(x)[1]
        return base.span() * base.dtype.itemsize, x.ptr // x.meta.dtype.itemsize
    return storage_nbytes(x), (x.ptr - impl.block.ptr) // x.meta.dtype.itemsize


def storage_nbytes(x: Tensor) -> int:
    """The bytes of a tensor's storage: what its memory was allocated for, which may be less than its block has."""
    (ptr, meta), block = base_of(x), x.impl.block
    if x.impl.__class__ is BatchedTensorImpl:  # of one example
        return meta.span() * meta.dtype.itemsize
    return meta.span() * meta.dtype.itemsize if ptr == block.ptr and block.free is not DISCARD else block.nbytes


def base_of(x: Tensor) -> tuple[int, TensorMeta]:
    """The address and meta of the tensor that the memory was allocated for, as far as views and impls know it."""
    if hasattr(x.impl, "base"):
        return x.impl.base  # type: ignore[no-any-return]
    while x._view is not None:
        x = x._view[0]
    return x.ptr, x.meta


@functor("Diagonal")
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    ndim = input.meta.ndim
    first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if first == second:
        raise InvalidArgumentError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return dispatch_view(_diagonal, input, (offset, first, second))


@functor("UnfoldTensor")
def unfold_tensor(x: Tensor, dimension: int, size: int, step: int) -> Tensor:
    dim = wrap_dim(dimension, x.meta.ndim)
    n = x.meta.shape[dim] if x.meta.ndim else 1
    if size < 0 or size > n:
        raise ShapeError(f"maximum size for tensor at dimension {dim} is {n} but size is {size}")
    if step <= 0:
        raise InvalidArgumentError(f"step is {step} but must be > 0")
    return dispatch_view(_unfold, x, (dim, size, step))


@function(
    "TensorTuple (Tensor x, Int64 split_size_or_sections, Int32 dim=0)",
    "TensorTuple (Tensor x, Int64List split_size_or_sections, Int32 dim=0) => split_sections",
    methods="split", samples="split",
)
def split(x: Tensor, split_size_or_sections: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of given sizes along a dimension: views.

    With one number all parts have that size, the last one what is left.

    Args:
        x: the input.
        split_size_or_sections: the size of the parts, or a list of sizes whose sum is the dimension's.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.split`.

    Raises:
        RuntimeError: a negative size, sizes of another sum, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.split.

    Example:
        >>> import tritonflow as flow
        >>> flow.split(flow.arange(5), 2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
        >>> flow.split(flow.arange(5), [1, 4])
        (tensor([0]), tensor([1, 2, 3, 4]))
    """
    size = split_size_or_sections
    dim = _dim_to_split(x, dim)
    n = x.meta.shape[dim]
    if size < 0:
        raise InvalidArgumentError(f"split expects split_size be non-negative, but got split_size={size}")
    if size == 0 and n:
        raise ShapeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
    return _cut(x, tuple([min(size, n - start) for start in (range(0, n, size) if n else range(1))]), dim)


@function(
    "TensorTuple (Tensor input, Int64List split_sizes, Int32 dim=0)",
    name="split_with_sizes", methods="split_with_sizes", samples="split_with_sizes",
)
def split_sections(x: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of given sizes along a dimension: views.

    Args:
        input: the input.
        split_sizes: their sizes, whose sum is the dimension's.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.split_with_sizes`.

    Raises:
        RuntimeError: a negative size, sizes of another sum, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.split_with_sizes.

    Example:
        >>> import tritonflow as flow
        >>> flow.split_with_sizes(flow.arange(5), [1, 4])
        (tensor([0]), tensor([1, 2, 3, 4]))
    """
    sizes = tuple(split_size_or_sections)
    dim = _dim_to_split(x, dim)
    n = x.meta.shape[dim]
    if sum(sizes) != n or min(sizes, default=0) < 0:
        raise ShapeError(
            f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {dim}), but got"
            f" split_sizes={list(sizes)}"
        )
    return _cut(x, sizes, dim)


def _cut(x: Tensor, sizes: tuple[int, ...], dim: int) -> tuple[Tensor, ...]:
    starts = accumulate(sizes, initial=0)
    return dispatch_split(_slice, x, [(dim, start, size, 1) for start, size in zip(starts, sizes)], dim, sizes)


def _dim_to_split(x: Tensor, dim: int) -> int:
    if not x.meta.ndim:
        raise ShapeError("split expects at least a 1-dimensional tensor")
    return wrap_dim(dim, x.meta.ndim)


MOST_PARTS = 1 << 24  # of a tensor: so many objects take some gigabytes already


def check_parts(name: str, parts: int) -> None:
    """Refuse a number of parts that no memory has objects for."""
    if parts > MOST_PARTS:
        raise InvalidArgumentError(f"{name}(): expected at most {MOST_PARTS} parts, but got {parts}")


@function("TensorTuple (Tensor x, Int64 chunks, Int32 dim=0)", methods="chunk", samples="chunk")
def chunk(x: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most so many parts of one size along a dimension: views.

    The size is ceil(n / chunks), the last part is what is left. There may be fewer parts;
    `flow.tensor_split` gives the number.

    Args:
        x: the input.
        chunks: how many parts, at least 1.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> several (..., size, ...).

    Method: `Tensor.chunk`.

    Raises:
        RuntimeError: chunks is not positive, or no dimension.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.chunk.

    Example:
        >>> import tritonflow as flow
        >>> flow.chunk(flow.arange(5), 3)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
        >>> len(flow.chunk(flow.arange(5), 4))
        3
    """
    if chunks <= 0:
        raise InvalidArgumentError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    if not x.meta.ndim:
        raise ShapeError("chunk expects at least a 1-dimensional tensor")
    n = x.meta.shape[wrap_dim(dim, x.meta.ndim)]
    if n == 0:
        check_parts("chunk", chunks)
        return split_sections(x, (0,) * chunks, dim)
    return split(x, -(-n // chunks), dim)


@function("TensorTuple (Tensor x, Int32 dim=0)", methods="unbind", samples="unbind")
def unbind(x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """All indices of a dimension: views.

    Args:
        x: the input.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> n times (..., ...).

    Method: `Tensor.unbind`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unbind.

    Example:
        >>> import tritonflow as flow
        >>> flow.unbind(flow.tensor([[1, 2], [3, 4]]))
        (tensor([1, 2]), tensor([3, 4]))
    """
    if not x.meta.ndim:
        raise DimensionError("Dimension specified as 0 but tensor has no dimensions")
    dim = wrap_dim(dim, x.meta.ndim)
    n = x.meta.shape[dim]
    return dispatch_split(_select, x, [(dim, i) for i in range(n)], dim, (1,) * n)


@function(
    "Tensor (Tensor x)",
    methods="detach", samples={"none": "the same tensor without history: tests/autograd/test_backward.py"},
)
def detach(x: Tensor) -> Tensor:
    """The input without history, over the same memory.

    No gradient flows through it to the input. A write to one of both is seen by the other.

    Args:
        x: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.detach`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.detach.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> flow.detach(x * 2).requires_grad
        False
    """
    # The same memory without history; the version counter is shared.
    if x.impl.__class__ is BatchedTensorImpl:
        return batched_road().detached(x)  # type: ignore[no-any-return]
    if x._view is not None and not hasattr(x.impl, "base"):
        x.impl.base = base_of(x)
    note_alias(x)
    return Tensor(x.meta, x.impl, x.ptr)


# -------------------------------------------------------------------------------------------------------- copies


def contiguous(input: Tensor) -> Tensor:
    """The tensor in row-major order: itself where it lies so."""
    meta = input.meta
    return input if (meta if meta.is_local else meta.on_one_rank).is_contiguous else dispatch1(_contiguous, input)
