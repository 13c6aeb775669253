"""Softmax over very many classes, of which most are rare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.target import beside
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.modules.container import ModuleList, Sequential
from tritonflow.nn.modules.linear import Linear
from tritonflow.nn.modules.module import Module


class _ASMoutput(NamedTuple):
    """The log-probability of each target, and the loss."""

    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log-softmax over classes sorted by frequency: the rare ones are in clusters, with smaller projections.

    Args:
        in_features: the width of x.
        n_classes: how many classes there are.
        cutoffs: where clusters begin.
        div_value: by which power the width of a cluster is divided.
        head_bias: whether the first projection has a bias.
        device, dtype: of the parameters.

    Shape:
        x: `(N, in_features)` or `(in_features)`; target: `(N)` or `()`; output: `(N)`; loss: a scalar.

    Raises:
        ValueError: cutoffs that are not sorted, unique and between 0 and n_classes.

    Source: Grave et al., 2017; torch.nn.AdaptiveLogSoftmaxWithLoss.

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 10], div_value=2.0)
        >>> m.log_prob(flow.ones(3, 8)).shape
        tritonflow.Size([3, 20])
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        fits = cutoffs == sorted(set(cutoffs)) and min(cutoffs) > 0 and max(cutoffs) <= n_classes - 1
        if not fits or any(int(c) != c for c in cutoffs):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is"
                " between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **where)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            width = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(Linear(in_features, width, bias=False, **where), Linear(width, size, bias=False, **where))
            )

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input: Tensor, target: Tensor) -> _ASMoutput:
        """Log-probabilities of the targets, and the mean of their negatives."""
        batched = target.ndim > 0
        if input.ndim != target.ndim + 1:
            expected = "a 2-D input tensor with a 1-D target tensor" if batched else "a 1-D input tensor with a 0-D target tensor"
            raise RuntimeError(f"AdaptiveLogSoftmaxWithLoss: expected {expected}")
        if batched and input.shape[0] != target.shape[0]:
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        x, y = (input, target) if batched else (input.unsqueeze(0), target.unsqueeze(0))
        low, high = int(y.min().item()), int(y.max().item())
        if low < 0 or high >= self.n_classes:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{low}, {high}] were found. "
            )
        head = F.log_softmax(self.head(x), dim=1)
        column = y.clamp(max=self.shortlist_size - 1)
        output = _C.zeros(tuple(y.shape), dtype=head.dtype, **beside(head))
        for i in range(self.n_clusters):
            begin, end = self.cutoffs[i], self.cutoffs[i + 1]
            mine = (y >= begin) & (y < end)
            column = _C.where(mine, self.shortlist_size + i, column)
            rows = mine.nonzero().squeeze(1)
            if rows.numel():
                within = F.log_softmax(self.tail[i](x[rows]), dim=1)
                chosen = within.gather(1, (y[rows] - begin).unsqueeze(1)).squeeze(1)
                output = output.index_add(0, rows, chosen)
        output = output + head.gather(1, column.unsqueeze(1)).squeeze(1)
        return _ASMoutput(output if batched else output.squeeze(0), (-output).mean())

    def _get_full_log_prob(self, input: Tensor, head_output: Tensor) -> Tensor:
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for i, tail in enumerate(self.tail):
            column = self.shortlist_size + i
            parts.append(F.log_softmax(tail(input), dim=1) + head[:, column : column + 1])
        return _C.cat(parts, 1)

    def log_prob(self, input: Tensor) -> Tensor:
        """`(N, in_features)` to the log-probabilities `(N, n_classes)`."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """`(N, in_features)` to the most probable classes `(N)`."""
        return self.log_prob(input).argmax(1)
