"""Distances of vectors."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.modules.module import Module


class CosineSimilarity(Module):
    """`x1 . x2 / (|x1| |x2|)` along a dimension; a length counts as eps at least.

    Source: torch.nn.CosineSimilarity.

    Example:
        >>> import tritonflow as flow
        >>> round(flow.nn.CosineSimilarity(dim=0)(flow.tensor([3.0, 4.0]), flow.tensor([6.0, 8.0])).item(), 4)
        1.0
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Two tensors that broadcast to one with a dimension less."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm of `x1 - x2 + eps` along the last dimension.

    Source: torch.nn.PairwiseDistance.

    Example:
        >>> import tritonflow as flow
        >>> round(flow.nn.PairwiseDistance()(flow.zeros(2), flow.tensor([3.0, 4.0])).item(), 4)
        5.0
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """`(N, D)` or `(D)` to `(N)` or `()`."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
