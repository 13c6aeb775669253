"""`Variable`, the name of tensors in torch before 0.4, which programs still use."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.framework.tensor import Tensor


class VariableMeta(type):
    """Every tensor is a Variable."""

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=VariableMeta):
    """`Variable(tensor, requires_grad=False)`: the tensor on the same memory, without its history.

    Source: https://pytorch.org/docs/stable/autograd.html#variable-deprecated

    Example:
        >>> import tritonflow as flow
        >>> x = flow.autograd.Variable(flow.ones(2), requires_grad=True)
        >>> x, isinstance(x, flow.autograd.Variable)
        (tensor([1., 1.], requires_grad=True), True)
    """

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None) -> Any:
        tensor = _C.full((0,), 0.0) if data is None else data.detach()
        if requires_grad:
            tensor.requires_grad_(True)
        return tensor
