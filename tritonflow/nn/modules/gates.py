"""Activations with a gate or with random slopes."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.modules.module import Module


class GLU(Module):
    """`a * sigmoid(b)`, where a and b are the halves of a dimension.

    Source: Dauphin et al., 2017; torch.nn.GLU.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.GLU()(flow.tensor([2.0, 0.0])).tolist()
        [1.0]
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """The input with half the size along the dimension."""
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class RReLU(Module):
    """x where positive, otherwise x times a slope: drawn for each element while training, else the mean one.

    Args:
        lower, upper: between which slopes are drawn.
        inplace: whether to write the result into the input.

    Source: Xu et al., 2015; torch.nn.RReLU.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.RReLU(0.2, 0.3).eval()(flow.tensor([-4.0, 4.0])).tolist()
        [-1.0, 4.0]
    """

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """The input's shape."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"lower={self.lower}, upper={self.upper}" + (", inplace=True" if self.inplace else "")
