"""The relaxed categorical distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.categorical import Categorical
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import ExpTransform
from tritonflow.distributions.utils import broadcast_all, clamp_probs
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]


class ExpRelaxedCategorical(Distribution):
    """The logarithms of `RelaxedOneHotCategorical`.

    Args:
        temperature: a tensor, positive.
        probs: probabilities of the shape (..., K), which are divided by their sum.
        logits: their logarithms, which need not be normalized, instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#relaxedonehotcategorical

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.distributions.relaxed_categorical import ExpRelaxedCategorical
        >>> ExpRelaxedCategorical(flow.tensor(1.0), probs=flow.ones(2)).event_shape
        tritonflow.Size([2])
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        new.temperature, new._categorical = self.temperature, self._categorical.expand(shape)

    @property
    def param_shape(self) -> Size:
        return self._categorical.param_shape

    @property
    def logits(self) -> Tensor:
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        return self._categorical.probs

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        u = clamp_probs(_C.rand(self._extended_shape(sample_shape), dtype=self.logits.dtype, **beside(self.logits)))
        scores = (self.logits - _C.log(-_C.log(u))) / self.temperature
        return _C.log_softmax(scores, -1)

    def log_prob(self, value: Any) -> Tensor:
        k = self.event_shape[-1]
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        scale = math.lgamma(k) + (k - 1) * _C.log(self.temperature)
        score = logits - value * self.temperature
        return _C.log_softmax(score, -1).sum(-1) + scale


class RelaxedOneHotCategorical(TransformedDistribution):
    """Probabilities near a single one for low temperatures, with gradients (Maddison and others, 2017; Jang and others, 2017).

    Args:
        temperature: a tensor, positive.
        probs: probabilities of the shape (..., K), which are divided by their sum.
        logits: their logarithms, which need not be normalized, instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#relaxedonehotcategorical

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.RelaxedOneHotCategorical(flow.tensor(0.5), probs=flow.ones(3)).rsample().shape
        tritonflow.Size([3])
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex
    has_rsample = True
    base_dist: ExpRelaxedCategorical

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def temperature(self) -> Tensor:
        return self.base_dist.temperature  # type: ignore[no-any-return]

    @property
    def logits(self) -> Tensor:
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        return self.base_dist.probs
