"""Losses."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.loss import named_reduction
from tritonflow.nn import functional as F
from tritonflow.nn.modules.module import Module


class _Loss(Module):
    """A loss with a reduction: 'mean', 'sum' or 'none'. `size_average` and `reduce` are torch's older words for it."""

    reductions: tuple[str, ...] = ("mean", "sum", "none")

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__()
        reduction = named_reduction(size_average, reduce, reduction, *self.reductions)
        if reduction not in self.reductions:
            raise ValueError(f"{reduction} is not a valid value for reduction")
        self.reduction = reduction


class _WeightedLoss(_Loss):
    """A loss over classes, each with a weight."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class MSELoss(_Loss):
    """`(x - y)^2`, reduced.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.MSELoss()(flow.zeros(2), flow.tensor([1.0, 3.0])).item()
        5.0
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.mse_loss(input, target, reduction=self.reduction)


class NLLLoss(_WeightedLoss):
    """`-weight[y_n] * x[n, y_n]`, reduced; the mean is weighted. x are log-probabilities.

    Args:
        weight: `(C)`, one for each class if None.
        ignore_index: targets that do not count.
        reduction: 'mean', 'sum' or 'none'.

    Shape:
        x: `(N, C)`, `(C)` or `(N, C, d1, ...)`; y: `(N)`, `()` or `(N, d1, ...)` integers.

    Source: torch.nn.NLLLoss.
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Log-probabilities and classes to a scalar, or to the target's shape with reduction 'none'."""
        return F.nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class CrossEntropyLoss(_WeightedLoss):
    """`-log softmax(x)[y]` over the classes, reduced: what trains a classifier.

    Args:
        weight: `(C)`, one for each class if None.
        ignore_index: targets that do not count.
        reduction: 'mean', 'sum' or 'none'.
        label_smoothing: how much of the target is spread over all classes, in [0, 1].

    Shape:
        x: `(N, C)`, `(C)` or `(N, C, d1, ...)` logits; y: `(N)`, `()` or `(N, d1, ...)` integers, or probabilities of
        x's shape.

    Source: torch.nn.CrossEntropyLoss.

    Example:
        >>> import tritonflow as flow
        >>> loss = flow.nn.CrossEntropyLoss()(flow.zeros(3, 4), flow.tensor([0, 1, 2]))
        >>> round(loss.item(), 4)
        1.3863
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Logits and classes to a scalar, or to the target's shape with reduction 'none'."""
        return F.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )
