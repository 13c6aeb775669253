"""Losses with margins, of vectors and of classes; and the loss of sequences without alignment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.modules.loss import _Loss, _WeightedLoss


class MarginRankingLoss(_Loss):
    """`max(-y (x1 - x2) + margin, 0)`, reduced: y is 1 where x1 should be the larger, -1 where x2 should.

    Source: torch.nn.MarginRankingLoss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.MarginRankingLoss()(flow.tensor([1.0]), flow.tensor([3.0]), flow.tensor([1.0])).item()
        2.0
    """

    def __init__(
        self, margin: float = 0.0, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """Two scores and what should be to a scalar, or to their shape with reduction 'none'."""
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_Loss):
    """`1 - cos(x1, x2)` where y is 1, `max(cos(x1, x2) - margin, 0)` where y is -1, reduced.

    Shape:
        x1, x2: `(N, D)` or `(D)`; y: `(N)` or `()`.

    Source: torch.nn.CosineEmbeddingLoss.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[3.0, 4.0]])
        >>> round(flow.nn.CosineEmbeddingLoss()(x, -x, flow.tensor([1.0])).item(), 4)
        2.0
    """

    def __init__(
        self, margin: float = 0.0, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """Two batches of vectors and what should be to a scalar, or to `(N)` with reduction 'none'."""
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """`max(d(anchor, positive) - d(anchor, negative) + margin, 0)`, reduced; d is the p-norm of the difference.

    Args:
        margin: greater than 0.
        p, eps: of `F.pairwise_distance`.
        swap: take the distance of the positive to the negative where it is the smaller one.

    Source: Balntas et al., 2016; torch.nn.TripletMarginLoss.

    Example:
        >>> import tritonflow as flow
        >>> a, b = flow.zeros(1, 2), flow.tensor([[3.0, 4.0]])
        >>> round(flow.nn.TripletMarginLoss()(a, b, a).item(), 3)
        6.0
    """

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead")
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """Three batches `(N, D)` of vectors to a scalar, or to `(N)` with reduction 'none'."""
        return F.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction
        )


class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` with any distance, `F.pairwise_distance` unless given.

    Source: torch.nn.TripletMarginWithDistanceLoss.

    Example:
        >>> import tritonflow as flow
        >>> loss = flow.nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs().sum(-1))
        >>> loss(flow.zeros(1, 2), flow.ones(1, 2), flow.zeros(1, 2)).item()
        3.0
    """

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction=reduction)
        if margin <= 0:
            raise ValueError(f"TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead")
        self.distance_function = distance_function if distance_function is not None else F.pairwise_distance
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """Three batches to a scalar, or to the shape of the distances with reduction 'none'."""
        return F.triplet_margin_with_distance_loss(
            anchor, positive, negative, distance_function=self.distance_function, margin=self.margin, swap=self.swap,
            reduction=self.reduction,
        )  # fmt: skip


class MultiMarginLoss(_WeightedLoss):
    """The mean over classes j other than y of `max(margin - x[y] + x[j], 0)^p`, weighted by y's weight, reduced.

    Args:
        p: 1 or 2.
        margin: by how much the score of y should be larger.
        weight: `(C)`, one for each class if None.

    Source: torch.nn.MultiMarginLoss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.MultiMarginLoss()(flow.zeros(1, 4), flow.tensor([0])).item()
        0.75
    """

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        self.p = p
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Scores `(N, C)` and classes `(N)` to a scalar, or to `(N)` with reduction 'none'."""
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


class MultiLabelMarginLoss(_Loss):
    """The mean over classes j of `max(1 - x[y] + x[j], 0)`, summed over a sample's classes y, reduced.

    Shape:
        x: `(N, C)` or `(C)`; y: the same; a sample's classes are those before its first negative number.

    Source: torch.nn.MultiLabelMarginLoss.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.MultiLabelMarginLoss()(flow.zeros(1, 4), flow.tensor([[3, -1, 0, 0]])).item()
        0.75
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Scores and classes to a scalar, or to `(N)` with reduction 'none'."""
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean over classes of the binary cross entropies of logits, reduced.

    Source: torch.nn.MultiLabelSoftMarginLoss.

    Example:
        >>> import tritonflow as flow
        >>> round(flow.nn.MultiLabelSoftMarginLoss()(flow.zeros(1, 3), flow.ones(1, 3)).item(), 4)
        0.6931
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Logits and truth values `(N, C)` to a scalar, or to `(N)` with reduction 'none'."""
        return F.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


class CTCLoss(_Loss):
    """`-log` of the probability of a target sequence over all its alignments with the input, reduced.

    Args:
        blank: the class of no label.
        reduction: 'mean' divides each loss by the length of its target first.
        zero_infinity: count targets that cannot be aligned as 0, with a gradient of 0.

    Shape:
        log_probs: `(T, N, C)` or `(T, C)`; targets: `(N, S)`, or the targets one after another; input_lengths and
        target_lengths: `(N)`, tensors or tuples of ints. float32 or float64.

    Raises:
        RuntimeError: lengths that do not fit.

    Source: Graves et al., 2006; torch.nn.CTCLoss.

    Example:
        >>> import tritonflow as flow
        >>> log_probs = flow.zeros(2, 1, 2).log_softmax(2)
        >>> round(flow.nn.CTCLoss()(log_probs, flow.tensor([[1]]), (2,), (1,)).item(), 4)  # -log(3 / 4)
        0.2877
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        """To a scalar, or to `(N)` with reduction 'none'."""
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
