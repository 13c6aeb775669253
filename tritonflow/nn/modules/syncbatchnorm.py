"""Batch normalisation with the statistics of all ranks."""

from __future__ import annotations

from typing import Any

from tritonflow import _C, dtypes
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.nn.modules.batchnorm import _BatchNorm
from tritonflow.nn.modules.module import Module
from tritonflow.wire.world import this_rank


class SyncBatchNorm(_BatchNorm):
    """`BatchNorm1d` to `3d` whose mean and variance, while training, are those of the batches of all ranks together.

    Ranks may have batches of different sizes, none at all too. In evaluation with running statistics no rank asks another.

    Args:
        num_features: C.
        eps, momentum, affine, track_running_stats, device, dtype: as of `BatchNorm2d`.
        process_group: the ranks that take part: a `flow.distributed.new_group`, or a mesh with one dimension. All ranks if None.

    Shape:
        x, y: `(N, C, *)`.

    Raises:
        ValueError: the input has less than two dimensions.
        RuntimeError: this rank is not in the group.

    Source: torch.nn.SyncBatchNorm.

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.SyncBatchNorm.convert_sync_batchnorm(flow.nn.Sequential(flow.nn.BatchNorm2d(3)))
        >>> m  # in a world of one rank
        Sequential(
          (0): SyncBatchNorm(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
        )
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any = None,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)
        self.process_group = process_group

    def forward(self, input: Tensor) -> Tensor:
        """The normalised input, of the same shape."""
        if input.ndim < 2:
            raise ValueError(f"expected at least 2D input (got {input.ndim}D input)")
        self._ranks = (input.ndim,)
        by_batch = self.training or self.running_mean is None
        if not by_batch or this_rank().world_size == 1:
            return super().forward(input)
        return self._over_ranks(input)

    def _sum(self, x: Tensor) -> Tensor:
        """The sum over ranks, as a new tensor with a gradient."""
        from tritonflow import comm  # a room that is imported at its first use

        return comm.all_reduce(x + 0, ranks=self.process_group)

    def _over_ranks(self, input: Tensor) -> Tensor:
        c = self.num_features
        dims = (0, *range(2, input.ndim))
        by_channel = (1, c, *[1] * (input.ndim - 2))
        x = input if input.dtype.itemsize >= 4 else input.to(dtypes.float32)
        here = _C.full((1,), float(input.numel() // c), dtype=x.dtype, device=x.device)
        sums = self._sum(_C.cat([x.sum(dims), here]))
        count = sums[c:].detach()
        mean = sums[:c] / count
        centred = x - mean.reshape(by_channel)
        variance = self._sum((centred * centred).sum(dims)) / count
        y = centred * (variance + self.eps).rsqrt().reshape(by_channel)
        if self.training and self.track_running_stats:
            self._follow(mean.detach(), (variance * (count / (count - 1))).detach())
        if self.weight is not None:
            y = y * self.weight.reshape(by_channel)
        if self.bias is not None:
            y = y + self.bias.reshape(by_channel)
        return y.to(input.dtype)

    def _follow(self, mean: Tensor, variance: Tensor) -> None:
        """Move the running statistics."""
        with no_grad():
            self.num_batches_tracked.add_(1)
            for running, new in ((self.running_mean, mean), (self.running_var, variance)):
                share = self.momentum if self.momentum is not None else 1.0 / self.num_batches_tracked
                running.add_((new - running) * share)

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """The module with every batch norm replaced by one over all ranks, with the same parameters and buffers."""
        found = module
        if isinstance(module, _BatchNorm):
            found = cls(
                module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats, process_group
            )
            found.weight, found.bias = module.weight, module.bias
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                setattr(found, name, getattr(module, name))
            found.training = module.training
        for name, child in module.named_children():
            found.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return found
