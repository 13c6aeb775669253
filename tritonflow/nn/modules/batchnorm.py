"""Batch normalisation."""

from __future__ import annotations

from typing import Any

from tritonflow import _C, dtypes
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn import init
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parameter import empty_parameter


class _BatchNorm(Module):
    """What batch norms of any rank share; a subclass names the ranks that it takes."""

    _version = 2
    _ranks: tuple[int, ...] = ()

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        size = (num_features,)
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            self.register_parameter(name, empty_parameter(size, device, dtype) if wanted else None)
        for name in ("running_mean", "running_var"):
            self.register_buffer(name, _C.zeros(size, device=device, dtype=dtype) if track_running_stats else None)
        counter = _C.zeros((), device=device, dtype=dtypes.int64) if track_running_stats else None
        self.register_buffer("num_batches_tracked", counter)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Mean 0, variance 1, no batch seen."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0, statistics as at the start."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """The normalised input, of the same shape."""
        if input.ndim not in self._ranks:
            expected = " or ".join(f"{r}D" for r in self._ranks)
            raise ValueError(f"expected {expected} input (got {input.ndim}D input)")
        counts = self.training and self.track_running_stats and self.num_batches_tracked is not None
        if counts:
            self.num_batches_tracked.add_(1)
        if counts and self.momentum is None:
            return self._with_plain_averages(input)
        keep = not self.training or self.track_running_stats
        mean, var = (self.running_mean, self.running_var) if keep else (None, None)
        by_batch = self.training or self.running_mean is None
        return F.batch_norm(input, mean, var, self.weight, self.bias, by_batch, self.momentum or 0.0, self.eps)

    def _with_plain_averages(self, input: Tensor) -> Tensor:
        """Over all batches; how many there are is a tensor's value, which a graph does not know."""
        averages = self.running_mean, self.running_var
        mean, var = (average.clone() for average in averages)
        y = F.batch_norm(input, mean, var, self.weight, self.bias, True, 1.0, self.eps)
        for average, new in zip(averages, (mean, var)):
            average += (new - average) / self.num_batches_tracked
        return y

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], *rest: Any) -> None:
        key = prefix + "num_batches_tracked"
        if local_metadata.get("version", 1) < 2 and self.track_running_stats and key not in state_dict:
            state_dict[key] = self.num_batches_tracked  # a dict without versions may come from elsewhere, and has no counter
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class BatchNorm1d(_BatchNorm):
    r"""`y = (x - mean) / sqrt(var + eps) * weight + bias` with mean and variance per channel over batch and length.

    While training, the batch's own (biased) variance is used and the running statistics follow:
    `running = (1 - momentum) * running + momentum * batch`, there with the unbiased variance.

    Args:
        num_features: C.
        eps: added to the variance.
        momentum: weight of a new batch; None averages over all batches.
        affine: whether to learn weight and bias.
        track_running_stats: whether to keep running statistics, used in evaluation mode.
        device, dtype: of parameters and buffers.
        bias: whether to learn bias, if affine.

    Shape:
        x, y: `(N, C)` or `(N, C, L)`.

    Source: Ioffe and Szegedy, 2015; torch.nn.BatchNorm1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.BatchNorm1d(4)(flow.randn(8, 4)).shape
        tritonflow.Size([8, 4])
    """

    _ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of images; see `BatchNorm1d`.

    Shape:
        x, y: `(N, C, H, W)`.

    Source: torch.nn.BatchNorm2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.BatchNorm2d(3)(flow.randn(2, 3, 4, 4)).shape
        tritonflow.Size([2, 3, 4, 4])
    """

    _ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of volumes, `(N, C, D, H, W)`; see `BatchNorm1d`."""

    _ranks = (5,)
