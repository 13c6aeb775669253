"""Dropout."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.modules.module import Module


class Dropout(Module):
    """While training, zero each element with probability p and scale the rest by `1 / (1 - p)`.

    Args:
        p: the probability.
        inplace: whether to write the result into the input.
        generator: where randomness comes from; the device's default generator if None.

    Raises:
        ValueError: p outside [0, 1].

    Source: Hinton et al., 2012; torch.nn.Dropout. `generator` and `addend` are OneFlow's.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Dropout(0.5).eval()(flow.ones(3)).tolist()
        [1.0, 1.0, 1.0]
    """

    def __init__(self, p: float = 0.5, inplace: bool = False, generator: Any = None) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace
        self.generator = generator

    def forward(self, input: Tensor, addend: Tensor | None = None) -> Tensor:
        """The input with elements dropped, or as it is in evaluation mode; plus `addend`."""
        output = F.dropout(input, self.p, self.training, self.inplace, generator=self.generator)
        return output if addend is None else output + addend

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"
