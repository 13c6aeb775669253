"""Mixtures of distributions of one family."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.categorical import Categorical
from tritonflow.distributions.distribution import Distribution
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """One of K distributions, each with its probability.

    Args:
        mixture_distribution: a Categorical over K classes.
        component_distribution: a distribution whose last batch dimension is K.

    Raises:
        ValueError: a distribution is of another kind, or their shapes do not fit.

    Source: https://pytorch.org/docs/stable/distributions.html#mixturesamefamily

    Example:
        >>> import tritonflow as flow
        >>> d = flow.distributions
        >>> components = d.Normal(flow.tensor([-1.0, 1.0]), flow.ones(2))
        >>> d.MixtureSameFamily(d.Categorical(flow.ones(2)), components).log_prob(flow.tensor(0.0))
        tensor(-1.4189)
    """

    arg_constraints: Any = {}
    has_rsample = False

    def __init__(
        self, mixture_distribution: Categorical, component_distribution: Distribution, validate_args: bool | None = None
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        *mixtures, k = mixture_distribution.param_shape
        components = component_distribution.batch_shape
        for a, b in zip(reversed(mixtures), reversed(components[:-1])):
            if a != b and 1 not in (a, b):
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({mixtures}) is not compatible with"
                    f" `component_distribution.batch_shape`({components[:-1]})"
                )
        if k != components[-1]:
            raise ValueError(
                f"`mixture_distribution component` ({k}) does not equal `component_distribution.batch_shape[-1]` ({components[-1]})"
            )
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        mixture_distribution.logits  # noqa: B018  repr shows them, as in torch
        super().__init__(components[:-1], component_distribution.event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        batch_shape = Size(batch_shape)
        new = self._get_checked_instance(MixtureSameFamily, _instance)
        k = self._mixture_distribution._num_events
        new._component_distribution = self._component_distribution.expand((*batch_shape, k))
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        return self._finish_expanded(new, batch_shape)

    @constraints.dependent_property
    def support(self) -> Any:  # type: ignore[override]
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Categorical:
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        return self._component_distribution

    def _over_components(self, value: Tensor) -> Tensor:
        """A value with a dimension for the components, in front of an event's."""
        return value.unsqueeze(-1 - len(self._event_shape))

    def _mean_over(self, values: Tensor) -> Tensor:
        probs = self._mixture_distribution.probs
        probs = probs.reshape((*probs.shape, *(1,) * len(self._event_shape)))
        return (probs * values).sum(-1 - len(self._event_shape))

    @property
    def mean(self) -> Tensor:
        return self._mean_over(self._component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        within = self._mean_over(self._component_distribution.variance)
        away = self._component_distribution.mean - self._over_components(self.mean)
        return within + self._mean_over(away.square())

    def cdf(self, x: Any) -> Tensor:
        return (self._component_distribution.cdf(self._over_components(x)) * self._mixture_distribution.probs).sum(-1)

    def log_prob(self, x: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(x)
        log_probs = self._component_distribution.log_prob(self._over_components(x))
        return _C.logsumexp(log_probs + _C.log_softmax(self._mixture_distribution.logits, dim=-1), -1)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            dim = len(sample_shape) + len(self.batch_shape)
            shape = Size(sample_shape) + self.batch_shape
            chosen = self._mixture_distribution.expand(self.batch_shape).sample(sample_shape)
            chosen = chosen.reshape((*shape, 1, *(1,) * len(self._event_shape)))
            values = self._component_distribution.sample(sample_shape)
            return values.gather(dim, chosen.expand((*shape, 1, *self._event_shape))).squeeze(dim)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
