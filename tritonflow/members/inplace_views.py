"""Methods that turn a tensor into a view of itself, such as `unsqueeze_`. They change its shape and strides, no element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.errors import InplaceError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import view as views
from tritonflow.functions import view_orders
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.recording import edges_of
from tritonflow.thread_state import slow_path, thread_state


def become(x: Tensor, view_of: Callable[[Tensor], Tensor]) -> Tensor:
    """Make a tensor what `view_of` makes of it; its history goes through the view.

    Raises:
        RuntimeError: a leaf requires grad.
    """
    if slow_path.count:
        thread_state.observer.change_memory(x)
    edge = edges_of((x,))[0]
    if edge is not None and thread_state.grad_enabled and isinstance(x._node, AccumulateGrad):
        raise InplaceError("a leaf Variable that requires grad is being used in an in-place operation.")
    before = Tensor(x.meta, x.impl, x.ptr)
    before._node, before._view, before._output_nr = x._node, x._view, x._output_nr
    after = view_of(before)
    if x._view is not None or edge is not None:
        x._view = after._view
    x.meta, x.impl, x.ptr = after.meta, after.impl, after.ptr
    x._node, x._output_nr = after._node, after._output_nr
    x._was_viewed = True
    return x


def unsqueeze_(self: Tensor, dim: int) -> Tensor:
    """`unsqueeze`, in place: the tensor gets a dimension of size 1.

    Args:
        dim: where it is in the result.

    Raises:
        RuntimeError: a leaf requires grad.
        IndexError: `dim` is out of range.

    Source: torch.Tensor.unsqueeze_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2).unsqueeze_(1).shape
        tritonflow.Size([2, 1])
    """
    return become(self, lambda x: views.unsqueeze(x, dim))


def squeeze_(self: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """`squeeze`, in place: the tensor loses dimensions of size 1.

    Args:
        dim: which dimensions, one or several; all unless given.

    Raises:
        RuntimeError: a leaf requires grad.
        IndexError: `dim` is out of range.

    Source: torch.Tensor.squeeze_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(1, 2, 1).squeeze_().shape
        tritonflow.Size([2])
    """
    return become(self, lambda x: x.squeeze() if dim is None else x.squeeze(dim))


def transpose_(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """`transpose`, in place: two dimensions are exchanged.

    Args:
        dim0: one of them.
        dim1: the other one.

    Raises:
        RuntimeError: a leaf requires grad.
        IndexError: there is no such dimension.

    Source: torch.Tensor.transpose_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3).transpose_(0, 1).shape
        tritonflow.Size([3, 2])
    """
    return become(self, lambda x: view_orders.transpose(x, dim0, dim1))


def t_(self: Tensor) -> Tensor:
    """`t`, in place: the matrix is transposed.

    Raises:
        RuntimeError: a leaf requires grad, or more than 2 dimensions.

    Source: torch.Tensor.t_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3).t_().shape
        tritonflow.Size([3, 2])
    """
    return become(self, lambda x: x.t())


def as_strided_(self: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None) -> Tensor:
    """`as_strided`, in place: the tensor becomes other elements of its storage.

    Args:
        size: the sizes.
        stride: the distance of neighbours in each dimension, in elements.
        storage_offset: where the first element is; where it was unless given.

    Raises:
        RuntimeError: a leaf requires grad, or elements outside of the storage.

    Source: torch.Tensor.as_strided_.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(5).as_strided_((2, 2), (2, 1))
        tensor([[0, 1],
                [2, 3]])
    """
    return become(self, lambda x: x.as_strided(size, stride, storage_offset))


METHODS: dict[str, Any] = {
    "unsqueeze_": unsqueeze_,
    "squeeze_": squeeze_,
    "transpose_": transpose_,
    "swapaxes_": transpose_,
    "swapdims_": transpose_,
    "t_": t_,
    "as_strided_": as_strided_,
}
