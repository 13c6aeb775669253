"""Cross entropy of a linear map, as one layer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.modules.linear import Linear
from tritonflow.nn.modules.loss import _WeightedLoss


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """How torch splits the work of `F.linear_cross_entropy`; it changes no result, and here a rule of our own splits it.

    Source: torch.nn.LinearCrossEntropyOptions.

    Example:
        >>> LinearCrossEntropyOptions(batch_chunk_size=16).batch_chunk_size
        16
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None


class LinearCrossEntropyLoss(_WeightedLoss):
    """The cross entropy of `x W' + b`, reduced; the layer owns W and b.

    Args:
        in_features: the width of x.
        num_classes: C.
        out_features: further sizes of the logits, `(N, C, *out_features)`.
        bias: whether there is b.
        device, dtype: of the parameters.
        reduction, weight, ignore_index, label_smoothing: as of `CrossEntropyLoss`.
        options: how torch splits the work.

    Source: torch.nn.LinearCrossEntropyLoss.

    Example:
        >>> import tritonflow as flow
        >>> loss = flow.nn.LinearCrossEntropyLoss(3, 4)
        >>> loss(flow.zeros(2, 3), flow.tensor([0, 3])).item() > 1.38
        True
    """

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: LinearCrossEntropyOptions | None = None,
    ) -> None:
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight, reduction=reduction)
        self.num_classes = num_classes
        self.out_features = tuple(out_features)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        rows = num_classes * math.prod(self.out_features)
        self.linear = Linear(in_features, rows, bias=bias, device=device, dtype=dtype)
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`(N, in_features)` and classes to a scalar, or to the target's shape with reduction 'none'."""
        sizes = (self.num_classes, *self.out_features)
        bias = self.linear.bias
        return F.linear_cross_entropy(
            input,
            self.linear.weight.reshape(*sizes, self.linear.in_features),
            target,
            linear_bias=None if bias is None else bias.reshape(*sizes),
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self) -> str:
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features}, "
            f"bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index}, "
            f"label_smoothing={self.label_smoothing}, options={self.options}"
        )
