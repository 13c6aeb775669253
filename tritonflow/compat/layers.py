"""OneFlow's layers beside torch's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tritonflow import _C, nn
from tritonflow.compat import fused, losses
from tritonflow.compat.checks import require
from tritonflow.dtypes import int8
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator


class RMSLayerNorm(nn.Module):
    """y = weight * x / sqrt(mean(x^2) + eps) along the last dimension (Zhang and Sennrich, 2019).

    Args:
        hidden_size: the size of that dimension.
        eps: added to the mean.

    Source: oneflow.nn.RMSLayerNorm

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.RMSLayerNorm(2)(flow.tensor([[3.0, 4.0]]))
        tensor([[0.8485, 1.1314]], grad_fn=<layer_norm_backward>)
    """

    def __init__(self, hidden_size: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(_C.ones((hidden_size,)))
        self.variance_epsilon = eps

    def forward(self, hidden_states: Tensor) -> Any:
        return fused.rms_layer_norm(hidden_states, self.weight, self.variance_epsilon)


class _AddRelu(nn.Module):
    """A batch norm whose call takes a tensor that is added in front of relu."""

    def forward(self, x: Tensor, addend: Tensor | None = None) -> Any:
        out = super().forward(x)
        return _C.relu(out if addend is None else out + addend)


class FusedBatchNorm1d(_AddRelu, nn.BatchNorm1d):
    """relu(batch_norm(x) + addend), over (n, c) or (n, c, l).

    Source: oneflow.nn.FusedBatchNorm1d

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.FusedBatchNorm1d(3)(flow.ones(2, 3), flow.ones(2, 3))[0].tolist()
        [1.0, 1.0, 1.0]
    """


class FusedBatchNorm2d(_AddRelu, nn.BatchNorm2d):
    """relu(batch_norm(x) + addend), over (n, c, h, w).

    Source: oneflow.nn.FusedBatchNorm2d

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.FusedBatchNorm2d(3)(flow.ones(2, 3, 4, 4)).shape
        tritonflow.Size([2, 3, 4, 4])
    """


class FusedBatchNorm3d(_AddRelu, nn.BatchNorm3d):
    """relu(batch_norm(x) + addend), over (n, c, d, h, w).

    Source: oneflow.nn.FusedBatchNorm3d

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.FusedBatchNorm3d(3)(flow.ones(2, 3, 2, 2, 2)).shape
        tritonflow.Size([2, 3, 2, 2, 2])
    """


class FusedMLP(nn.Module):
    """Linear layers, each with relu and dropout: y = dropout(relu(x @ weight.T + bias)).

    Args:
        in_features: size of the input's last dimension.
        hidden_features: the sizes between the layers.
        out_features: that of the result.
        hidden_dropout_rate: the dropout of each hidden layer.
        out_dropout_rate: that of the last layer.
        skip_final_activation: no relu behind the last layer.

    Source: oneflow.nn.FusedMLP

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.FusedMLP(8, [16, 16], 4)(flow.ones(2, 8)).shape
        tritonflow.Size([2, 4])
    """

    def __init__(
        self, in_features: int, hidden_features: Sequence[int], out_features: int,
        hidden_dropout_rate: Sequence[float] | None = None, out_dropout_rate: float = 0.0, skip_final_activation: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.in_features, self.hidden_features, self.out_features = in_features, list(hidden_features), out_features
        self.skip_final_activation = skip_final_activation
        self.hidden_layer_num = len(self.hidden_features)
        self.dropout_rate_list = [*(hidden_dropout_rate or [0.0] * self.hidden_layer_num), out_dropout_rate]
        sizes = [in_features, *self.hidden_features, out_features]
        for number, (size, width) in enumerate(zip(sizes, sizes[1:])):
            self.register_parameter(f"weight_{number}", nn.Parameter(_C.empty((width, size))))
            self.register_parameter(f"bias_{number}", nn.Parameter(_C.empty((width,))))
        self.reset_parameters()

    def weights(self) -> list[Any]:
        """The weight of each layer."""
        return [self.get_parameter(f"weight_{number}") for number in range(self.hidden_layer_num + 1)]

    def biases(self) -> list[Any]:
        """The bias of each layer."""
        return [self.get_parameter(f"bias_{number}") for number in range(self.hidden_layer_num + 1)]

    def reset_parameters(self) -> None:
        """Draw weights and biases as Linear does."""
        for weight, bias in zip(self.weights(), self.biases()):
            nn.init.kaiming_uniform_(weight, a=math.sqrt(5))
            bound = 1 / math.sqrt(weight.shape[1])
            nn.init.uniform_(bias, -bound, bound)

    def forward(self, input: Tensor) -> Any:
        rates = self.dropout_rate_list if self.training else [0.0] * len(self.dropout_rate_list)
        return fused.fused_matmul_bias_add_relu_dropout(input, self.weights(), self.biases(), self.skip_final_activation, rates)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, hidden_features={self.hidden_features}, out_features={self.out_features},"
            f" skip_final_activation={self.skip_final_activation}"
        )


class CombinedMarginLoss(nn.Module):
    """The cosines of a label moved by margins, cos(m1 * acos(x) + m2) - m3 (Deng et al., 2019); the input of a cross entropy.

    Args:
        m1, m2, m3: the margins.

    Source: oneflow.nn.CombinedMarginLoss

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.CombinedMarginLoss(1.0, 0.0, 0.5)(flow.tensor([[0.5, 0.25]]), flow.tensor([0]))
        tensor([[0.0000, 0.2500]])
    """

    def __init__(self, m1: float = 1.0, m2: float = 0.0, m3: float = 0.0) -> None:
        super().__init__()
        self.m1, self.m2, self.m3 = m1, m2, m3

    def forward(self, x: Tensor, label: Tensor) -> Any:
        return losses.combined_margin_loss(x, label, self.m1, self.m2, self.m3)


class CoinFlip(nn.Module):
    """1 with a probability, else 0, a number for each element of a batch, as int8.

    Args:
        batch_size: how many numbers a call gives.
        random_seed: of a stream of its own; None or -1: the device's default generator draws.
        probability: of a 1.
        device: of the numbers.
        placement, sbp: of consistent numbers.

    Shape:
        () -> (batch_size).

    Raises:
        RuntimeError: a probability outside 0 to 1.

    Source: oneflow.nn.CoinFlip.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.CoinFlip(batch_size=3, probability=1.0)().tolist()
        [1, 1, 1]
    """

    def __init__(
        self, batch_size: int = 1, random_seed: int | None = None, probability: float = 0.5, device: Any = None,
        placement: Any = None, sbp: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        require(0 <= probability <= 1, f"CoinFlip: expected a probability between 0 and 1, but got {probability}")
        self.batch_size, self.probability = batch_size, probability
        self.device, self.placement, self.sbp = device, placement, sbp
        self.generator = None if random_seed in (None, -1) else Generator("auto").manual_seed(random_seed)

    def forward(self) -> Any:
        numbers = _C.rand(
            (self.batch_size,), device=self.device, generator=self.generator, placement=self.placement, sbp=self.sbp
        )
        return (numbers < self.probability).to(int8)


__all__ = ["CoinFlip", "CombinedMarginLoss", "FusedBatchNorm1d", "FusedBatchNorm2d", "FusedBatchNorm3d", "FusedMLP", "RMSLayerNorm"]
