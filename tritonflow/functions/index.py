"""Functors of reads and writes by index tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tritonflow.binding.data_exchange import item
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import BOOL, FLOATING, bool_, int32, int64, torch_name
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DTypeError,
    ElementIndexError,
    IndexOutOfRangeError,
    InvalidArgumentError,
    ShapeError,
)
from tritonflow.execution.op_expr import op_expr
from tritonflow.first_use import at_first_use
from tritonflow.framework.sbp import NdSbp
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import ONE, checked_alpha
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation import zeros
from tritonflow.functions.elementwise import scalar_floor_divide, scalar_remainder
from tritonflow.functions.generated import scalar_eq, scalar_mul, where
from tritonflow.functions.index_lookup import by_frequency, shorten_rows
from tritonflow.functions.view import expand, narrow, reshape, unshared, unsqueeze
from tritonflow.functions.view_parts import unbind
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.elementwise import broadcast_shapes
from tritonflow.thread_state import slow_path, thread_state

_index_get = op_expr("index_get")
_index_get_grad = op_expr("index_get_grad")
_index_put = op_expr("index_put")
_gather = op_expr("gather")
_scatter_fold = op_expr("scatter_fold")
_nonzero = op_expr("nonzero")
_one_hot = op_expr("one_hot")


def check_index(name: str, index: Tensor) -> None:
    if index.meta.dtype not in (int32, int64):
        raise DTypeError(f"{name}(): Expected dtype int32 or int64 for index, but got {index.meta.dtype.name}")


def _refuse_empty(x: Tensor, indices: Sequence[Tensor], dim: int) -> None:
    """Refuse indices into a dimension of size 0. Ranks know it by the shapes, whichever elements they have.

    Raises:
        IndexError: in torch's words.
    """
    if not x.meta.numel and indices[0].meta.numel and 0 in x.meta.shape[dim : dim + len(indices)]:
        raise IndexOutOfRangeError("index is out of bounds for dimension with size 0")


def refuse_elements_of_empty(x: Tensor, dim: int, index: Tensor) -> None:
    """The same of an index for each element, as of gather and scatter.

    Raises:
        RuntimeError, IndexError: there is an index, and the dimension has no element.
    """
    if not x.meta.numel and index.meta.numel and not x.meta.shape[dim]:
        raise ElementIndexError(f"index out of range: an index is out of bounds for dimension {dim} with size 0")


@functor("IndexGet")
def index_get(input: Tensor, indices: Sequence[Tensor], dim: int = 0, wrap: bool = True) -> Tensor:
    _refuse_empty(input, indices, dim)
    return dispatch(_index_get, (input, *indices), (dim, wrap))


@functor("IndexGetGrad")
def index_get_grad(
    dy: Tensor, indices: Sequence[Tensor], shape: tuple[int, ...], dim: int, wrap: bool, sbp: NdSbp | None = None
) -> Tensor:
    return dispatch(_index_get_grad, (dy, *indices), (tuple(shape), dim, wrap), sbp=sbp)


@functor("IndexPut")
def index_put(
    input: Tensor,
    value: Tensor,
    indices: Sequence[Tensor],
    dim: int = 0,
    accumulate: bool = False,
    wrap: bool = True,
    inplace: bool = False,
) -> Tensor:
    _refuse_empty(input, indices, dim)
    attrs = (dim, accumulate, wrap, inplace)
    return dispatch(_index_put, (input, value, *indices), attrs, (), input if inplace else None)


@function("Tensor (Tensor input, Int32 dim, Tensor index)", methods="index_select", samples="index_select")
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The entries of a dimension at the indices of a vector.

    Indices from the end are refused. The gradient adds up where an index occurs twice.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int32 or int64.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k) -> (..., k, ...).

    Method: `Tensor.index_select`.

    Raises:
        IndexError: an index outside of the dimension, or more than 1 dimension of indices; `dim` is out of
            range.
        RuntimeError: indices of another dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_select.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_select(flow.tensor([[1, 2], [3, 4]]), 1, flow.tensor([1, 1, 0]))
        tensor([[2, 2, 1],
                [4, 4, 3]])
    """
    check_index("index_select", index)
    if index.meta.ndim > 1:
        raise IndexOutOfRangeError("index_select(): Index is supposed to be a vector")
    if input.meta.ndim == 0:
        if index.meta.numel != 1:
            raise ShapeError(f"index_select(): Index to scalar can have only 1 value, got {index.meta.numel} value(s)")
        wrap_dim(dim, 0)
        return unshared(reshape(index_get(reshape(input, (1,)), [reshape(index, (-1,))], 0, False), ()))
    return index_get(input, [reshape(index, (-1,))], wrap_dim(dim, input.meta.ndim), False)


def at_least_1d(x: Tensor) -> Tensor:
    return x if x.meta.ndim else reshape(x, (1,))


@function("Tensor (Tensor dy, TensorTuple indices, Int32 dim, Bool accumulate)", bind_python=False)
def index_put_grad(dy: Tensor, indices: Sequence[Tensor], dim: int, accumulate: bool) -> Tensor:
    """The gradient of the tensor written to: dy if values were added, else dy with zeros where values were replaced."""
    if accumulate:
        return dy
    shape = (*dy.meta.shape[:dim], *indices[0].meta.shape, *dy.meta.shape[dim + len(indices) :])
    zero = expand(zeros((), dtype=dy.dtype, **beside(dy)), shape)
    return index_put(dy, zero, indices, dim, False)


@function(
    "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False)",
    methods=("index_add", "index_add_"), samples="index_add", tolerance="reduction",
)
def index_add(
    input: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Any = 1, inplace: bool = False
) -> Tensor:
    """input with alpha * source added at the indices of a vector along a dimension.

    Where an index occurs several times, all are added.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int32 or int64.
        source: an entry for each index.
        alpha: the factor of the source.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k), (..., k, ...) -> (..., n, ...).

    Methods: `Tensor.index_add` and `Tensor.index_add_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: shapes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_add.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_add(flow.zeros(3), 0, flow.tensor([0, 2, 0]), flow.tensor([1.0, 2.0, 3.0]))
        tensor([4., 0., 2.])
    """
    dim = wrap_dim(dim, input.meta.ndim)
    _check_added(input, dim, index, source)
    if alpha is not ONE:
        alpha = checked_alpha(alpha, input, source)
    if alpha != 1:
        own = input.meta.dtype
        if own.is_floating_point and own.compute is not own:  # a half type, which would be rounded to twice
            y = index_add(cast(input, own.compute), dim, index, cast(source, own.compute), alpha)
            return copy_(input, y) if inplace else cast(y, own)
        source = cast(scalar_mul(source, alpha), own)
    whole = at_least_1d(input)
    y = index_put(whole, at_least_1d(source), [at_least_1d(index)], dim, True, False, inplace)
    return input if inplace else y if input.meta.ndim else unshared(reshape(y, ()))


def _check_added(x: Tensor, dim: int, index: Tensor, source: Tensor) -> None:
    """Torch's checks, in its words: an entry of `source` along `dim` for each index, and x's size along the other dimensions."""
    check_index("index_add", index)
    own, given = x.meta.shape, source.meta.shape
    if x.meta.dtype is not source.meta.dtype:
        names = [torch_name(t.meta.dtype) for t in (x, source)]
        raise DTypeError(f"index_add_(): self ({names[0]}) and source ({names[1]}) must have the same scalar type")
    if index.meta.ndim > 1:
        raise IndexOutOfRangeError(
            f"index_add_(): Index is supposed to be a vector, but got dim: {index.meta.ndim} with type:"
            f" {torch_name(index.meta.dtype)} and size: {list(index.meta.shape)}"
        )
    if dim and dim >= len(given):
        raise ShapeError(f"index_add_(): Indexing dim {dim} is out of bounds of the source tensor with dim {len(given)}")
    entries = given[dim] if given else 1
    if index.meta.numel != entries:
        raise ShapeError(
            f"index_add_(): Number of indices ({index.meta.numel}) should be equal to source.size(dim): ({entries}), for dim: {dim}"
        )
    if len(own) != len(given) or any(d != dim and n != m for d, (n, m) in enumerate(zip(own, given))):
        raise ShapeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension."
            f" Got self.shape = {list(own)} source.shape = {list(given)}"
        )


@function(
    "Tensor (Tensor input, Tensor weight, Int64 padding_idx=None, Float max_norm=None, Float norm_type=2.0, Bool "
    "scale_grad_by_freq=False, Bool sparse=False)",
    export="nn.functional", reference="torch.nn.functional.embedding", samples="embedding",
)
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of a table; the row `padding_idx` gets no gradient.

    out[...] = weight[input[...]].

    Args:
        input: row numbers, int32 or int64.
        weight: the table.
        padding_idx: the row that gets no gradient; a negative one counts from the end.
        max_norm: rows that are looked up and longer are shortened to this norm first, in place.
        norm_type: which norm max_norm is one of.
        scale_grad_by_freq: whether gradients are divided by how often their row is looked up.
        sparse: whether the gradient of the table is a sparse tensor, with entries in the rows that are looked up. In a
            graph, under vmap and over ranks it is dense.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, (rows, D) -> (..., D).

    Raises:
        IndexError: a row that does not exist.
        RuntimeError: row numbers of another dtype, or a table of other than 2 dimensions.
        ValueError: padding_idx is no row.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.embedding.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> table = flow.tensor([[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]])
        >>> F.embedding(flow.tensor([2, 0]), table)
        tensor([[3., 4.],
                [0., 0.]])
    """
    # Rows of `weight`. The row `padding_idx` gets no gradient.
    check_index("embedding", input)
    if weight.meta.ndim != 2:
        raise ShapeError(f"'weight' must be 2-D, got {weight.meta.ndim}-D")
    indices = at_least_1d(input)
    if max_norm is not None:
        shorten_rows(weight, indices, max_norm, norm_type)
    sparse_rows = sparse and _has_sparse_gradient(weight, indices)
    if sparse_rows:
        padding_row = None if padding_idx is None else padding_idx % max(weight.meta.shape[0], 1)
        rows = _sparse("looked_up_rows")(weight, indices, padding_row)
    else:
        rows = index_get(weight, [indices], 0, False)
    if scale_grad_by_freq:
        rows = by_frequency(rows, indices, weight.meta.shape[0])
    if padding_idx is not None:
        count = weight.meta.shape[0]
        if not -count <= padding_idx < count:
            raise ArgumentValueError("Padding_idx must be within num_embeddings")
        with no_grad():
            padding = unsqueeze(scalar_eq(indices, padding_idx % count), -1)
        rows = where(padding, rows.detach(), rows)
    return rows if input.meta.ndim else unshared(reshape(rows, (weight.meta.shape[1],)))


_sparse = at_first_use(__name__, {"looked_up_rows": "sparse.gradients.looked_up_rows"})


def _has_sparse_gradient(weight: Tensor, indices: Tensor) -> bool:
    """Whether a gradient is recorded, of a table and indices that lie in the memory of this process."""
    kinds = {weight.impl.__class__, indices.impl.__class__}
    return thread_state.grad_enabled and weight.meta.is_local and kinds == {EagerLocalTensorImpl} and not (
        slow_path.count and thread_state.observer.is_capturing
    )


@functor("NonZero")
def nonzero(input: Tensor, as_tuple: bool = False) -> Any:
    coordinates, _ = dispatch(_nonzero, (at_least_1d(input),))
    if not input.meta.ndim:
        if as_tuple:
            return (reshape(coordinates, (-1,)),)
        return narrow(coordinates, 1, 0, 0)
    return tuple(unbind(coordinates, 1)) if as_tuple else coordinates


@function("Tensor (Tensor input)", methods="argwhere", samples="any_real", derivative={"none": "gives no floating values"})
def argwhere(input: Tensor) -> Any:
    """The coordinates of the elements that are not zero, a row each.

    In row-major order. The number of rows depends on the numbers, so a graph cannot capture it;
    `flow.nonzero_static` has a fixed one.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        n dimensions -> (number of elements that are not 0, n), int64.

    Not differentiable: gives no floating values. Method: `Tensor.argwhere`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.argwhere.

    Example:
        >>> import tritonflow as flow
        >>> flow.argwhere(flow.tensor([[0, 5], [7, 0]]))
        tensor([[0, 1],
                [1, 0]])
    """
    return nonzero(input)


@function("Tensor (Tensor input, Tensor mask)", methods="masked_select", samples="masked_select")
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where the mask is true, as a vector.

    In row-major order; input and mask broadcast first.

    Args:
        input: the input.
        mask: bool.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> (number of true elements).

    Method: `Tensor.masked_select`.

    Raises:
        RuntimeError: a mask that is not bool, or shapes that do not broadcast.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_select.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1, 2, 3])
        >>> flow.masked_select(x, x > 1)
        tensor([2, 3])
    """
    if mask.meta.dtype.category != BOOL:
        raise DTypeError("masked_select: expected BoolTensor for mask")
    shape = broadcast_shapes([input.meta.shape, mask.meta.shape])
    if not shape:
        return masked_select(reshape(input, (1,)), reshape(mask, (1,)))
    with no_grad():
        indices = nonzero(expand(mask, shape), True)
    return index_get(expand(input, shape), list(indices), 0)


@functor("OneHot")
def one_hot(input: Tensor, num_classes: int = -1) -> Any:
    if input.meta.dtype is not int64:
        raise DTypeError("one_hot is only applicable to index tensor of type LongTensor.")
    if input.meta.numel == 0 and num_classes <= 0:
        raise ShapeError("Can not infer total number of classes from empty tensor.")
    if num_classes == -1:
        num_classes = int(item(reduction.amax(input))) + 1
        if num_classes <= 0:
            raise InvalidArgumentError("Class values must be non-negative.")
    elif num_classes <= 0:
        raise InvalidArgumentError(f"Class values must be smaller than num_classes, which is {num_classes}.")
    return dispatch(_one_hot, (input,), (num_classes,))


@function(
    "TensorTuple (Tensor indices, PyObject shape)",
    samples={"none": "indices have no gradients: tests/ops/test_histogram.py"},
)
def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """The indices into each dimension of a shape from indices into its elements in a row.

    An index outside of the shape is not refused: it counts around, as in torch.

    Args:
        indices: integers.
        shape: the sizes, an integer or a sequence of them.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> as many of that shape as shape has sizes.

    Raises:
        ValueError: a negative size.
        TypeError: indices or sizes that are no integers; an argument has the wrong type, or there is no
            such argument.

    Source: torch.unravel_index.

    Example:
        >>> import tritonflow as flow
        >>> flow.unravel_index(flow.tensor([0, 5]), (2, 3))
        (tensor([0, 1]), tensor([0, 2]))
    """
    dtype = indices.meta.dtype
    if dtype.category == FLOATING or dtype is bool_:
        raise ArgumentTypeError(f"expected 'indices' to be integer dtype, but got {dtype}")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if not all(isinstance(n, int) for n in sizes):
        raise ArgumentTypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape).__name__}")
    if any(n < 0 for n in sizes):
        raise ArgumentValueError(f"'shape' cannot have negative values, but got {sizes}")
    steps = [math.prod(sizes[k + 1 :]) for k in range(len(sizes))]
    return tuple([scalar_remainder(scalar_floor_divide(indices, step), n) for step, n in zip(steps, sizes)])
