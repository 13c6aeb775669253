"""The relaxed Bernoulli distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.binary import Binary
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import SigmoidTransform
from tritonflow.distributions.utils import broadcast_all, clamp_probs
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]


class LogitRelaxedBernoulli(Binary):
    """The log-odds of `RelaxedBernoulli`.

    Args:
        temperature: a tensor, positive.
        probs: the probability of 1, a number or a tensor.
        logits: log(p / (1 - p)), instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#relaxedbernoulli

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.distributions.relaxed_bernoulli import LogitRelaxedBernoulli
        >>> LogitRelaxedBernoulli(flow.tensor(1.0), probs=0.5).log_prob(flow.tensor(0.0))
        tensor(-1.3863)
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real
    has_rsample = True

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self.temperature = temperature
        self._set_parameter(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        super()._expand_parameters(new, shape)
        new.temperature = self.temperature

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        probs = clamp_probs(self.probs.expand(self._extended_shape(sample_shape)))
        u = clamp_probs(_C.rand(probs.shape, dtype=probs.dtype, **beside(probs)))
        return (_C.log(u) - _C.log1p(-u) + _C.log(probs) - _C.log1p(-probs)) / self.temperature

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        far = logits - value * self.temperature
        return _C.log(self.temperature) + far - 2 * _C.log1p(_C.exp(far))


class RelaxedBernoulli(TransformedDistribution):
    """Numbers in (0, 1) near 0 and 1 for low temperatures, with gradients (Maddison and others, 2017; Jang and others, 2017).

    Args:
        temperature: a tensor, positive.
        probs: the probability of 1, a number or a tensor.
        logits: log(p / (1 - p)), instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#relaxedbernoulli

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.RelaxedBernoulli(flow.tensor(1.0), probs=0.5).log_prob(flow.tensor(0.5))
        tensor(0.)
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    base_dist: LogitRelaxedBernoulli

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform(), validate_args=validate_args)

    @property
    def temperature(self) -> Tensor:
        return self.base_dist.temperature  # type: ignore[no-any-return]

    @property
    def logits(self) -> Tensor:
        return self.base_dist.logits  # type: ignore[no-any-return]

    @property
    def probs(self) -> Tensor:
        return self.base_dist.probs  # type: ignore[no-any-return]
