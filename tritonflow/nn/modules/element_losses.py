"""Losses of pairs of elements."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.modules.loss import _Loss


class L1Loss(_Loss):
    """`|x - y|`, reduced.

    Source: torch.nn.L1Loss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.L1Loss()(flow.zeros(2), flow.tensor([1.0, 3.0])).item()
        2.0
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """`0.5 (x - y)^2 / beta` where `|x - y| < beta`, otherwise `|x - y| - 0.5 beta`, reduced.

    Args:
        beta: where the parabola ends; 0 gives L1Loss.

    Source: Girshick, 2015; torch.nn.SmoothL1Loss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.SmoothL1Loss()(flow.zeros(2), flow.tensor([1.0, 3.0])).item()
        1.5
    """

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean", beta: float = 1.0
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """`0.5 (x - y)^2` where `|x - y| <= delta`, otherwise `delta (|x - y| - 0.5 delta)`, reduced.

    Source: Huber, 1964; torch.nn.HuberLoss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.HuberLoss(delta=2.0)(flow.zeros(2), flow.tensor([1.0, 3.0])).item()
        2.25
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class _BinaryLoss(_Loss):
    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class BCELoss(_BinaryLoss):
    """`-y log(x) - (1 - y) log(1 - x)`, reduced; a logarithm counts as -100 at least. x are probabilities.

    Args:
        weight: a factor for each element, which broadcasts.
        reduction: 'mean', 'sum' or 'none'.

    Raises:
        ValueError: shapes differ. Of a probability outside [0, 1] the loss is NaN.

    Source: torch.nn.BCELoss.

    Example:
        >>> import tritonflow as flow
        >>> round(flow.nn.BCELoss()(flow.tensor([0.5, 0.5]), flow.tensor([0.0, 1.0])).item(), 4)
        0.6931
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_BinaryLoss):
    """`BCELoss` of `sigmoid(x)`, computed from the logits x.

    Args:
        weight: a factor for each element, which broadcasts.
        reduction: 'mean', 'sum' or 'none'.
        pos_weight: a factor for the part of the positive class, which broadcasts.

    Source: torch.nn.BCEWithLogitsLoss.

    Example:
        >>> import tritonflow as flow
        >>> round(flow.nn.BCEWithLogitsLoss()(flow.zeros(2), flow.tensor([0.0, 1.0])).item(), 4)
        0.6931
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


class KLDivLoss(_Loss):
    """`y (log(y) - x)`, reduced: the divergence of probabilities y from those of which x are the logarithms.

    Args:
        reduction: 'batchmean' divides the sum by the first size, as the divergence is defined; 'mean', 'sum' or 'none'.
        log_target: whether y are logarithms, too.

    Source: torch.nn.KLDivLoss.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[0.5, 0.5]]).log()
        >>> round(flow.nn.KLDivLoss(reduction="batchmean")(x, flow.tensor([[1.0, 0.0]])).item(), 4)
        0.6931
    """

    reductions = (*_Loss.reductions, "batchmean")

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        log_target: bool = False,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class PoissonNLLLoss(_Loss):
    """`exp(x) - y x`, or `x - y log(x + eps)` unless log_input, reduced.

    Args:
        log_input: whether x are logarithms of the rates.
        full: whether to add Stirling's approximation of `log(y!)`.
        eps: added to the rate in its logarithm.

    Source: torch.nn.PoissonNLLLoss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.PoissonNLLLoss()(flow.zeros(2), flow.ones(2)).item()
        1.0
    """

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: bool | None = None,
        eps: float = 1e-8,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.poisson_nll_loss(
            log_input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


class GaussianNLLLoss(_Loss):
    """`0.5 (log(var) + (x - y)^2 / var)`, reduced; a variance counts as eps at least.

    Args:
        full: whether to add `0.5 log(2 pi)`.
        eps: the least variance.

    Raises:
        ValueError: a negative variance, or one of another shape.

    Source: Nix and Weigend, 1994; torch.nn.GaussianNLLLoss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.GaussianNLLLoss()(flow.zeros(2), flow.ones(2), flow.ones(2)).item()
        0.5
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Any) -> Tensor:
        """Means, values and variances to a scalar, or to the shape of the means with reduction 'none'."""
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """`log(1 + exp(-y x))`, reduced; y is 1 or -1.

    Source: torch.nn.SoftMarginLoss.

    Example:
        >>> import tritonflow as flow
        >>> round(flow.nn.SoftMarginLoss()(flow.zeros(2), flow.ones(2)).item(), 4)
        0.6931
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """x where y is 1, `max(margin - x, 0)` where y is -1, reduced. x are distances.

    Source: torch.nn.HingeEmbeddingLoss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.HingeEmbeddingLoss()(flow.tensor([0.5, 0.5]), flow.tensor([1.0, -1.0])).item()
        0.5
    """

    def __init__(
        self, margin: float = 1.0, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors of one shape to a scalar, or to their shape with reduction 'none'."""
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)
