"""Tensors of torch as tensors of ours and back, without copying."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.framework.tensor import Tensor


def from_torch(torch_tensor: Any) -> Tensor:
    """A tensor of ours over a torch tensor's memory.

    Example:
        >>> import torch
        >>> from tritonflow.utils.tensor import from_torch
        >>> from_torch(torch.tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    """
    return _C.from_torch(torch_tensor)


def to_torch(flow_tensor: Tensor) -> Any:
    """A torch tensor over the memory of one of ours.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.utils.tensor import to_torch
        >>> to_torch(flow.ones(2))
        tensor([1., 1.])
    """
    return _C.to_torch(flow_tensor)
