"""Distributions of transformed variables."""

from __future__ import annotations

from typing import Any

from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.independent import Independent
from tritonflow.distributions.transform import ComposeTransform, Transform
from tritonflow.distributions.utils import sum_rightmost
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """The distribution of y = f(x), where x is of a base distribution and f a chain of transforms:

        log p(y) = log p(x) - log |det dy/dx|

    Args:
        base_distribution: that of x.
        transforms: a transform, or a list of them, the first one first.

    Raises:
        ValueError: `transforms` is something else, or the base's shape has too few dimensions.

    Source: https://pytorch.org/docs/stable/distributions.html#transformeddistribution

    Example:
        >>> import tritonflow as flow
        >>> d = flow.distributions
        >>> logistic = d.TransformedDistribution(d.Uniform(0.0, 1.0), [d.SigmoidTransform().inv])
        >>> logistic.log_prob(flow.tensor(0.0))
        tensor(-1.3863)
    """

    arg_constraints: Any = {}

    def __init__(self, base_distribution: Distribution, transforms: Any, validate_args: bool | None = None) -> None:
        if isinstance(transforms, Transform):
            self.transforms = [transforms]
        elif isinstance(transforms, list) and all(isinstance(t, Transform) for t in transforms):
            self.transforms = transforms
        else:
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        base_event_dim = len(base_distribution.event_shape)
        transform = ComposeTransform(self.transforms)
        if len(base_shape) < transform.domain.event_dim:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {transform.domain.event_dim}, but got {base_shape}."
            )
        forward_shape = transform.forward_shape(base_shape)
        expanded = transform.inverse_shape(forward_shape)
        if base_shape != expanded:
            base_distribution = base_distribution.expand(expanded[: len(expanded) - base_event_dim])
        more = transform.domain.event_dim - base_event_dim
        self.base_dist = Independent(base_distribution, more) if more > 0 else base_distribution
        event_dim = transform.codomain.event_dim + max(base_event_dim - transform.domain.event_dim, 0)
        cut = len(forward_shape) - event_dim
        super().__init__(forward_shape[:cut], forward_shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        batch_shape = Size(batch_shape)
        new = self._get_checked_instance(TransformedDistribution, _instance)
        new.transforms = self.transforms
        shape = ComposeTransform(self.transforms).inverse_shape(batch_shape + self._event_shape)
        new.base_dist = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        self._expand_parameters(new, batch_shape)
        return self._finish_expanded(new, batch_shape)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return self.base_dist.has_rsample

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:  # type: ignore[override]
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self._event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            x = self.base_dist.sample(sample_shape)
            for transform in self.transforms:
                x = transform(x)
            return x

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        x = self.base_dist.rsample(sample_shape)
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        event_dim = len(self.event_shape)
        result: Any = 0.0
        y = value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            slope = transform.log_abs_det_jacobian(x, y)
            result = result - sum_rightmost(slope, event_dim - transform.domain.event_dim)
            y = x
        rest = sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))
        return result + rest  # type: ignore[no-any-return]

    def _sign(self) -> Any:
        """1 where the transforms grow, -1 where they fall."""
        sign: Any = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        return sign

    @staticmethod
    def _mirrored(sign: Any, value: Any) -> Any:
        """`value`, or 1 - value where the sign is -1."""
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value: Any) -> Tensor:
        sign = self._sign()
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._mirrored(sign, self.base_dist.cdf(value))  # type: ignore[no-any-return]

    def icdf(self, value: Any) -> Tensor:
        value = self.base_dist.icdf(self._mirrored(self._sign(), value))
        for transform in self.transforms:
            value = transform(value)
        return value  # type: ignore[no-any-return]
