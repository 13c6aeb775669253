"""Dropout."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
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

    def __init__(self, p: float = 0.5, inplace: bool = False, generator: Generator | None = None) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace
        self.generator = generator

    def forward(self, input: Tensor, addend: Tensor | None = None) -> Tensor:
        """The input with elements dropped, or as it is in evaluation mode; plus `addend`."""
        return F.dropout(input, self.p, self.training, self.inplace, generator=self.generator, addend=addend)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class _DropoutNd(Module):
    """A dropout without a generator of its own."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout1d(_DropoutNd):
    """Dropout of whole channels of signals `(N, C, L)` or `(C, L)`.

    Args:
        p: the probability.
        inplace: whether to write the result into the input.

    Source: Tompson et al., 2015; torch.nn.Dropout1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Dropout1d(0.5).eval()(flow.ones(1, 2, 2)).sum().item()
        4.0
    """

    def forward(self, input: Tensor) -> Tensor:
        """The input with what is dropped, or as it is in evaluation mode."""
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Dropout of whole channels of images `(N, C, H, W)`.

    Args:
        p: the probability.
        inplace: whether to write the result into the input.

    Source: Tompson et al., 2015; torch.nn.Dropout2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Dropout2d(0.5).eval()(flow.ones(1, 2, 2, 2)).sum().item()
        8.0
    """

    def forward(self, input: Tensor) -> Tensor:
        """The input with what is dropped, or as it is in evaluation mode."""
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """Dropout of whole channels of volumes `(N, C, D, H, W)` or `(C, D, H, W)`.

    Args:
        p: the probability.
        inplace: whether to write the result into the input.

    Source: Tompson et al., 2015; torch.nn.Dropout3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Dropout3d(0.5).eval()(flow.ones(1, 2, 2, 2)).sum().item()
        8.0
    """

    def forward(self, input: Tensor) -> Tensor:
        """The input with what is dropped, or as it is in evaluation mode."""
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean 0 and variance 1, for `SELU`: what is dropped becomes selu's least value.

    Args:
        p: the probability.
        inplace: whether to write the result into the input.

    Source: Klambauer et al., 2017; torch.nn.AlphaDropout.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.AlphaDropout(0.5).eval()(flow.ones(1, 2, 2, 2)).sum().item()
        8.0
    """

    def forward(self, input: Tensor) -> Tensor:
        """The input with what is dropped, or as it is in evaluation mode."""
        return F.alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(_DropoutNd):
    """`AlphaDropout` of whole channels.

    Args:
        p: the probability.
        inplace: whether to write the result into the input.

    Source: Klambauer et al., 2017; torch.nn.FeatureAlphaDropout.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.FeatureAlphaDropout(0.5).eval()(flow.ones(1, 2, 2, 2)).sum().item()
        8.0
    """

    def forward(self, input: Tensor) -> Tensor:
        """The input with what is dropped, or as it is in evaluation mode."""
        return F.feature_alpha_dropout(input, self.p, self.training, self.inplace)
