"""Functors of the view ops: they normalise dimensions and shapes, and dispatch. Only `reshape` may copy."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.device.memory import DISCARD
from tritonflow.errors import (
    ArgumentValueError,
    DimensionError,
    IndexOutOfRangeError,
    InvalidArgumentError,
    ShapeError,
    SliceStepError,
)
from tritonflow.execution.lazy import note_alias
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.size_questions import slice_indices
from tritonflow.framework.symbolic_int import known_equal
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.choice import batched_road
from tritonflow.interpreter.dispatch import dispatch1, dispatch_view
from tritonflow.ops.view import view_stride

_view = op_expr("view")
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
        if any(n < 0 for n in shape):
            raise ShapeError(f"invalid shape dimension {min(shape)}")
        if prod(shape) != numel:
            raise ShapeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
        return shape
    if shape.count(-1) > 1:
        raise ShapeError("only one dimension can be inferred")
    known = prod(n for n in shape if n != -1)
    if any(n < -1 for n in shape):
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
    return dispatch_view(_view, x, (shape,), _view_attributes)


def _view_attributes(meta: TensorMeta, shape: tuple[int, ...]) -> tuple[Any, ...]:
    return (infer_shape(tuple(shape), meta.numel),)


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
    result = dispatch_view(_view, input, (shape,), reshape_attributes)
    return unshared(view(dispatch1(_contiguous, input), shape)) if result is None else result


def reshape_attributes(meta: TensorMeta, shape: tuple[int, ...]) -> tuple[Any, ...] | None:
    """Those of a view; None where no strides read the memory in that shape."""
    shape = infer_shape(tuple(shape), meta.numel)
    return None if view_stride(meta if meta.is_local else meta.on_one_rank, shape) is None else (shape,)


def unshared(x: Tensor) -> Tensor:
    """A functor's result in memory that no other tensor has: no view, for those who write it or ask for its gradient."""
    x._view = None
    return x


@functor("Expand")
def expand(input: Tensor, shape: tuple[int, ...]) -> Tensor:
    return dispatch_view(_expand, input, (shape,), _expand_attributes)


def _expand_attributes(meta: TensorMeta, shape: tuple[int, ...]) -> tuple[Any, ...]:
    own = meta.shape
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
        elif n is not None and n is not size and (n != 1 and n != size if type(n) is int else n != size and n != 1):
            raise ShapeError(
                f"The expanded size of the tensor ({size}) must match the existing size ({n}) at non-singleton dimension"
                f" {dim}.  Target sizes: {list(shape)}.  Tensor sizes: {list(own)}"
            )
        elif size < 0:
            raise ShapeError(f"expand: invalid size {size} at dimension {dim}")
        target.append(size)
    return (tuple(target),)


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


@function("Tensor (Tensor input, Shape shape, Int32List dim=None, Bool keepdim=False)", bind_python=False)
def expand_reduced(input: Tensor, shape: tuple[int, ...], dim: Any = None, keepdim: bool = False) -> Tensor:
    """Broadcast the result of a reduction over `dim` back to `shape`: the adjoint of a sum."""
    if not keepdim and shape:
        dims = range(len(shape)) if dim is None or len(dim) == 0 else [wrap_dim(d, len(shape)) for d in dim]
        input = reshape(input, tuple([1 if d in dims else n for d, n in enumerate(shape)]))
    return expand(input, tuple(shape))


@functor("Squeeze")
def squeeze(input: Tensor, dim: tuple[int, ...] | None = None) -> Tensor:
    return dispatch_view(_squeeze, input, (dim,), _squeeze_attributes)


def _squeeze_attributes(meta: TensorMeta, dim: tuple[int, ...] | None) -> tuple[Any, ...]:
    ndim = meta.ndim
    return (tuple(range(ndim)) if dim is None else tuple([wrap_dim(d, ndim) for d in dim]),)


@functor("Unsqueeze")
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    return dispatch_view(_unsqueeze, input, (dim,), _unsqueeze_attributes)


def _unsqueeze_attributes(meta: TensorMeta, dim: int) -> tuple[Any, ...]:
    return (wrap_dim(dim, meta.ndim + 1),)


@functor("Select")
def select(input: Tensor, dim: int, index: int) -> Tensor:
    return dispatch_view(_select, input, (dim, index), select_attributes)


def select_attributes(meta: TensorMeta, dim: int, index: int) -> tuple[Any, ...]:
    """Those of one index of a dimension, in the order of the registry."""
    shape = meta.shape
    if not shape:
        raise DimensionError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, len(shape))
    return dim, checked_index(index, dim, shape[dim])


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
    return dispatch_view(_slice, input, (dim, start, length), _narrow_attributes)


def _narrow_attributes(meta: TensorMeta, dim: int, start: int, length: int) -> tuple[Any, ...]:
    shape = meta.shape
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
    return dim, start, length, 1


@functor("Slice")
def slice_dims(x: Tensor, start: Any, stop: Any, step: Any) -> Tensor:
    """OneFlow's slice: one (start, stop, step) per leading dimension."""
    if not len(start) == len(stop) == len(step):
        raise ArgumentValueError("slice(): start, stop and step must have the same length")
    check_bounds(start, stop, step)
    for dim, bounds in enumerate(zip(start, stop, step)):
        x = slice_dim(x, dim, slice(*bounds))
    return x


def check_bounds(start: Sequence[int], stop: Sequence[int], step: Sequence[int]) -> None:
    """Raises RuntimeError unless they are bounds of OneFlow's slices: none is negative, no step 0."""
    for number, (first, last, stride) in enumerate(zip(start, stop, step)):
        if stride <= 0:
            raise InvalidArgumentError(f"The step list elements must be greater than 0, but got {stride} at index {number}")
        for name, bound in (("start", first), ("stop", last)):
            if bound < 0:
                raise InvalidArgumentError(
                    f"The {name} list elements must be greater than or equal to 0, but got {bound} at index {number}"
                )
        if first > last:
            raise InvalidArgumentError(
                f"The element in start list must be less than or equal to the element in stop list at index {number}, but got"
                f" {first} and {last}"
            )


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
    start, stop, step = bounds.start, bounds.stop, bounds.step
    if start is None and stop is None and step is None:
        return x
    found = dispatch_view(_slice, x, (dim, (start, stop, step)), slice_attributes)
    return x if found is None else found


def slice_attributes(meta: TensorMeta, dim: int, bounds: tuple[int | None, int | None, int | None]) -> tuple[Any, ...] | None:
    """Those of a Python slice; None where it is the whole dimension."""
    n, step = meta.shape[dim], bounds[2]
    if step is not None and step < 1:
        raise SliceStepError("slice step cannot be zero" if step == 0 else "step must be greater than zero")
    start, stop, step = slice_indices(slice(*bounds), n)
    length = -(-(stop - start) // step)
    if length < 0:
        length = 0
    return None if start == 0 and step == 1 and known_equal(length, n) else (dim, start, length, step)


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
    return dispatch_view(_diagonal, input, (offset, dim1, dim2), _diagonal_attributes)


def _diagonal_attributes(meta: TensorMeta, offset: int, dim1: int, dim2: int) -> tuple[Any, ...]:
    ndim = meta.ndim
    first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if first == second:
        raise InvalidArgumentError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return offset, first, second


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
