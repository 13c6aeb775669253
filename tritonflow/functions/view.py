"""Functors of the view ops: they normalise dimensions and shapes, and dispatch. Only `reshape` may copy."""

from __future__ import annotations

from itertools import accumulate
from math import prod
from typing import Any

from tritonflow.binding.library import functor
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


@functor("Reshape")
def reshape(input: Tensor, shape: tuple[int, ...]) -> Tensor:
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


@functor("Flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    shape = input.meta.shape
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if not shape:
        return reshape(input, (1,))
    if start > end:
        raise InvalidArgumentError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end:
        return input  # the tensor itself, as in torch
    return reshape(input, (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :]))


@functor("Ravel")
def ravel(input: Tensor) -> Tensor:
    return view(contiguous(input), (input.meta.numel,))


@functor("Unflatten")
def unflatten(input: Tensor, dim: int, sizes: tuple[int, ...]) -> Tensor:
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


@functor("PermuteInverse")
def permute_inverse(input: Tensor, dims: tuple[int, ...]) -> Tensor:
    order = [0] * len(dims)
    for position, dim in enumerate(dims):
        order[dim] = position
    return dispatch_view(_permute, input, (tuple(order),))


@functor("Transpose")
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    ndim = input.meta.ndim
    first, second = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
    order = list(range(ndim))
    if ndim:
        order[first], order[second] = second, first
    return dispatch_view(_permute, input, (tuple(order),))


@functor("MatrixTranspose")
def matrix_transpose(input: Tensor) -> Tensor:
    if input.meta.ndim > 2:
        raise ShapeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.meta.ndim}D")
    return dispatch_view(_permute, input, (tuple(range(input.meta.ndim))[::-1],))


@functor("Movedim")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
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


@functor("ExpandAs")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    return expand(input, other.meta.shape)


@functor("ViewAs")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    return view(input, other.meta.shape)


@functor("ReshapeAs")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    return reshape(input, other.meta.shape)


@functor("ExpandReduced")
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


@functor("Narrow")
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
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


@functor("Split")
def split(x: Tensor, split_size_or_sections: int, dim: int = 0) -> tuple[Tensor, ...]:
    size = split_size_or_sections
    dim = _dim_to_split(x, dim)
    n = x.meta.shape[dim]
    if size < 0:
        raise InvalidArgumentError(f"split expects split_size be non-negative, but got split_size={size}")
    if size == 0 and n:
        raise ShapeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
    return _cut(x, tuple([min(size, n - start) for start in (range(0, n, size) if n else range(1))]), dim)


@functor("SplitSections")
def split_sections(x: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
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


@functor("Chunk")
def chunk(x: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    if chunks <= 0:
        raise InvalidArgumentError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    if not x.meta.ndim:
        raise ShapeError("chunk expects at least a 1-dimensional tensor")
    n = x.meta.shape[wrap_dim(dim, x.meta.ndim)]
    if n == 0:
        check_parts("chunk", chunks)
        return split_sections(x, (0,) * chunks, dim)
    return split(x, -(-n // chunks), dim)


@functor("Unbind")
def unbind(x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    if not x.meta.ndim:
        raise DimensionError("Dimension specified as 0 but tensor has no dimensions")
    dim = wrap_dim(dim, x.meta.ndim)
    n = x.meta.shape[dim]
    return dispatch_split(_select, x, [(dim, i) for i in range(n)], dim, (1,) * n)


@functor("Detach")
def detach(x: Tensor) -> Tensor:
    """The same memory without history; the version counter is shared."""
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
