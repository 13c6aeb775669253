"""Functors named after views that give their elements in memory of their own."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import view, view_orders, view_strides
from tritonflow.functions.cast import clone


@function("Tensor (Tensor input)", samples="copy_of")
def alias_copy(input: Tensor) -> Any:
    """A copy of the input.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.alias_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.alias_copy(flow.tensor([1, 2]))
        tensor([1, 2])
    """
    return clone(input)


@function("Tensor (Tensor input, Shape size, Shape stride, Int64 storage_offset=None)", samples="as_strided")
def as_strided_copy(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """A copy of elements at given strides.

    `flow.as_strided` in memory of its own.

    Args:
        input: the input.
        size: the sizes of the result.
        stride: the distance of neighbours in each dimension, in elements.
        storage_offset: where the first element is; default where the input's is.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> size.

    Raises:
        RuntimeError: different numbers of sizes and strides, negative ones, or elements outside of the
            storage.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.as_strided_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.as_strided_copy(flow.arange(5), (2, 2), (2, 1))
        tensor([[0, 1],
                [2, 3]])
    """
    return clone(view_strides.as_strided(input, size, stride, storage_offset))


@function("Tensor (Tensor input)", samples={"none": "a copy without history: alias_copy has the same samples"})
def detach_copy(input: Tensor) -> Any:
    """A copy without history.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.detach_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.detach_copy(flow.ones(2, requires_grad=True)).requires_grad
        False
    """
    return clone(input.detach())


@function("Tensor (Tensor input, Int32 offset=0, Int32 dim1=0, Int32 dim2=1)", samples="diagonal")
def diagonal_copy(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A copy of a diagonal.

    `flow.diagonal` in memory of its own.

    Args:
        input: the input.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1: one of the two dimensions; a negative one counts from the end.
        dim2: one of the two dimensions; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, n, ...) -> (..., length of the diagonal).

    Raises:
        RuntimeError: dim1 and dim2 are the same.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.diagonal_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.diagonal_copy(flow.tensor([[1, 2], [3, 4]]))
        tensor([1, 4])
    """
    return clone(view.diagonal(input, offset, dim1, dim2))


@function("Tensor (Tensor input, Shape size)", samples="expand")
def expand_copy(input: Tensor, size: Any) -> Any:
    """A copy with dimensions of size 1, and new ones in front, repeated.

    `flow.expand` in memory of its own.

    Args:
        input: the input.
        size: the sizes; -1 leaves a size as it is.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        sizes that are 1 or those of size, from the last on -> size.

    Raises:
        RuntimeError: a size other than 1 that differs, or fewer dimensions than the input has.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.expand_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.expand_copy(flow.tensor([[1], [2]]), (2, 3))
        tensor([[1, 1, 1],
                [2, 2, 2]])
    """
    return clone(view.expand(input, size))


@function("Tensor (Tensor input, Int32List dims)", samples="permute")
def permute_copy(input: Tensor, dims: Any) -> Any:
    """A copy with dimensions in another order.

    `flow.permute` in memory of its own.

    Args:
        input: the input.
        dims: the dimension, or several; negative ones count from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        sizes -> the sizes in the order dims.

    Raises:
        RuntimeError: dims does not name each dimension once.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.permute_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.permute_copy(flow.zeros(2, 3, 4), (2, 0, 1)).shape
        tritonflow.Size([4, 2, 3])
    """
    return clone(view_orders.permute(input, dims))


@function("Tensor (Tensor input, Int32List[1] dim=None)", samples="squeeze")
def squeeze_copy(input: Tensor, dim: Any = None) -> Any:
    """A copy without dimensions of size 1.

    `flow.squeeze` in memory of its own.

    Args:
        input: the input.
        dim: which dimensions, one or several; default all.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., 1, ...) -> (..., ...).

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.squeeze_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.squeeze_copy(flow.zeros(1, 3, 1)).shape
        tritonflow.Size([3])
    """
    return clone(view.squeeze(input, dim))


@function("Tensor (Tensor input)", samples="matrix")
def t_copy(input: Tensor) -> Any:
    """A copy of a matrix transposed.

    `flow.t` in memory of its own.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N) -> (N, M).

    Raises:
        RuntimeError: more than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.t_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.t_copy(flow.tensor([[1, 2], [3, 4]]))
        tensor([[1, 3],
                [2, 4]])
    """
    return clone(view_orders.matrix_transpose(input))


@function("Tensor (Tensor input, Int32 dim0, Int32 dim1)", samples="transpose")
def transpose_copy(input: Tensor, dim0: int, dim1: int) -> Any:
    """A copy with two dimensions exchanged.

    `flow.transpose` in memory of its own.

    Args:
        input: the input.
        dim0: one of the two dimensions; a negative one counts from the end.
        dim1: one of the two dimensions; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., a, ..., b, ...) -> (..., b, ..., a, ...).

    Raises:
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.transpose_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.transpose_copy(flow.tensor([[1, 2], [3, 4]]), 0, 1)
        tensor([[1, 3],
                [2, 4]])
    """
    return clone(view_orders.transpose(input, dim0, dim1))


@function("Tensor (Tensor input, Int32 dimension, Int32 size, Int32 step)", samples="unfold")
def unfold_copy(input: Tensor, dimension: int, size: int, step: int) -> Any:
    """A copy of the windows along a dimension, as a new last one.

    `Tensor.unfold` in memory of its own.

    Args:
        input: the input.
        dimension: along which one.
        size: how many elements a window has.
        step: the distance of windows.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., windows, ..., size).

    Raises:
        RuntimeError: size is greater than the dimension or negative, or step is not positive.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unfold_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.unfold_copy(flow.arange(5), 0, 3, 2)
        tensor([[0, 1, 2],
                [2, 3, 4]])
    """
    return clone(view.unfold_tensor(input, dimension, size, step))


@function("Tensor (Tensor input, Int32 dim)", samples="unsqueeze")
def unsqueeze_copy(input: Tensor, dim: int) -> Any:
    """A copy with a new dimension of size 1.

    `flow.unsqueeze` in memory of its own.

    Args:
        input: the input.
        dim: where it is in the result, -input.ndim - 1 to input.ndim.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (...) -> (..., 1, ...).

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unsqueeze_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.unsqueeze_copy(flow.tensor([1, 2]), 1)
        tensor([[1],
                [2]])
    """
    return clone(view.unsqueeze(input, dim))


@function("Tensor (Tensor input, Shape size)", samples="reshape")
def view_copy(input: Tensor, size: Any) -> Any:
    """A copy in another shape.

    Args:
        input: the input.
        size: the sizes; one may be -1, which is what the others leave.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> size.

    Raises:
        RuntimeError: a shape of another number of elements.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.view_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.view_copy(flow.arange(4), (2, -1))
        tensor([[0, 1],
                [2, 3]])
    """
    return clone(view.reshape(input, size))
