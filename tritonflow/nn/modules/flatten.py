"""Flattening dimensions into one, and back."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.module import Module


class Flatten(Module):
    """Make one dimension of the dimensions `start_dim` to `end_dim`, both included.

    Source: torch.nn.Flatten.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Flatten()(flow.ones(32, 1, 5, 5)).shape
        tritonflow.Size([32, 25])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        """Flatten; a view where the strides allow it."""
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Split dimension `dim` into the sizes `unflattened_size`.

    Source: torch.nn.Unflatten.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Unflatten(1, (2, 5))(flow.ones(3, 10)).shape
        tritonflow.Size([3, 2, 5])
    """

    def __init__(self, dim: int, unflattened_size: tuple[int, ...] | list[int]) -> None:
        super().__init__()
        if not isinstance(dim, int):
            raise TypeError(f"invalid argument type for dim parameter: {type(dim).__name__}")
        self.dim = dim
        self.unflattened_size = tuple(unflattened_size)

    def forward(self, input: Tensor) -> Tensor:
        """Split the dimension; a view where the strides allow it."""
        dim = self.dim % input.ndim
        return input.reshape((*input.shape[:dim], *self.unflattened_size, *input.shape[dim + 1 :]))

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
