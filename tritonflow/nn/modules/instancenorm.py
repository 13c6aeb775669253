"""Instance normalisation, and normalisation over neighbouring channels."""

from __future__ import annotations

from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.modules.batchnorm import _BatchNorm
from tritonflow.nn.modules.module import Module


class _InstanceNorm(_BatchNorm):
    """What instance norms of any rank share: the parameters and buffers of batch norms, none of them unless asked for."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Tensor) -> Tensor:
        """The normalised input, of the same shape."""
        if input.ndim not in self._ranks:
            raise ValueError(f"expected {self._ranks[0]}D or {self._ranks[1]}D input (got {input.ndim}D input)")
        batched = input.ndim == self._ranks[1]
        channels = input.shape[1 if batched else 0]
        if channels != self.num_features and self.affine:
            raise ValueError(
                f"expected input's size at dim={1 if batched else 0} to match num_features ({self.num_features}), but got:"
                f" {channels}."
            )
        y = F.instance_norm(
            input if batched else input.unsqueeze(0), self.running_mean, self.running_var, self.weight, self.bias,
            self.training or not self.track_running_stats, self.momentum if self.momentum is not None else 0.0, self.eps,
        )  # fmt: skip
        return y if batched else y.squeeze(0)


class InstanceNorm1d(_InstanceNorm):
    """`(x - mean) / sqrt(var + eps) * weight + bias`, with mean and variance of every channel of every signal.

    Args:
        num_features: C.
        eps: added to the variance.
        momentum: weight of a new batch in the running statistics.
        affine: whether to learn weight and bias.
        track_running_stats: whether to keep running statistics, and use them in evaluation mode.
        device, dtype: of parameters and buffers.

    Shape:
        x, y: `(N, C, L)` or `(C, L)`.

    Source: Ulyanov et al., 2016; torch.nn.InstanceNorm1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.InstanceNorm1d(1)(flow.tensor([[[1.0, 3.0]]])).round().tolist()
        [[[-1.0, 1.0]]]
    """

    _ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Instance normalisation of images `(N, C, H, W)` or `(C, H, W)`; see `InstanceNorm1d`.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.InstanceNorm2d(3)(flow.ones(2, 3, 4, 4)).abs().max().item()
        0.0
    """

    _ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Instance normalisation of volumes `(N, C, D, H, W)` or `(C, D, H, W)`; see `InstanceNorm1d`.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.InstanceNorm3d(3)(flow.ones(2, 3, 2, 4, 4)).shape
        tritonflow.Size([2, 3, 2, 4, 4])
    """

    _ranks = (4, 5)


class LocalResponseNorm(Module):
    """`x / (k + alpha * mean of squares of size neighbouring channels)^beta`.

    Source: Krizhevsky et al., 2012; torch.nn.LocalResponseNorm.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LocalResponseNorm(2, alpha=2.0, beta=1.0)(flow.ones(1, 3, 1)).flatten().tolist()
        [0.5, 0.3333333432674408, 0.3333333432674408]
    """

    def __init__(self, size: int, alpha: float = 0.0001, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        """`(N, C, *)` to the same shape."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
