"""The multinomial distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.binomial import Binomial
from tritonflow.distributions.categorical import Categorical
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["Multinomial"]


class Multinomial(Distribution):
    """How often each of K classes is drawn in n draws.

    Args:
        total_count: n, one number for the batch.
        probs: probabilities of the shape (..., K), which are divided by their sum.
        logits: their logarithms, which need not be normalized, instead of `probs`.

    Raises:
        NotImplementedError: the number of draws is no number.

    Source: https://pytorch.org/docs/stable/distributions.html#multinomial

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Multinomial(2, flow.tensor([1.0, 3.0])).log_prob(flow.tensor([1.0, 1.0]))
        tensor(-0.9808)
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(
        self, total_count: int = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        new.total_count, new._categorical = self.total_count, self._categorical.expand(shape)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:  # type: ignore[override]
        return constraints.multinomial(self.total_count)

    @property
    def probs(self) -> Tensor:
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        return self._categorical.logits

    @property
    def param_shape(self) -> Size:
        return self._categorical.param_shape

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        drawn = self._categorical.sample((self.total_count, *sample_shape))
        counts = _C.zeros(self._extended_shape(sample_shape), dtype=self.probs.dtype, **beside(self.probs))
        index = drawn.permute((*range(1, drawn.ndim), 0))
        ones = _C.ones(index.shape, dtype=self.probs.dtype, **beside(self.probs))
        return counts.scatter_add(-1, index, ones)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = _C.where((value == 0) & (logits == -math.inf), 0.0, logits)
        ways = _C.lgamma(value.sum(-1) + 1) - _C.lgamma(value + 1).sum(-1)
        return ways + (logits * value).sum(-1)

    def entropy(self) -> Tensor:
        n = self.total_count
        counts = Binomial(n, probs=self.probs)
        support = counts.enumerate_support(expand=False)[1:]
        expected = (_C.exp(counts.log_prob(support)) * _C.lgamma(support + 1)).sum((0, -1))
        return n * self._categorical.entropy() - math.lgamma(n + 1) + expected
