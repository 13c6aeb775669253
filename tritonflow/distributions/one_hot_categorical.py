"""The categorical distribution as vectors with a single one."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.categorical import Categorical
from tritonflow.distributions.distribution import Distribution
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough"]


class OneHotCategorical(Distribution):
    """A vector of K numbers, of which one is 1 and the others 0.

    Args:
        probs: probabilities of the shape (..., K), which are divided by their sum.
        logits: their logarithms, which need not be normalized, instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#onehotcategorical

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.OneHotCategorical(flow.tensor([1.0, 3.0])).log_prob(flow.tensor([0.0, 1.0]))
        tensor(-0.2877)
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        new._categorical = self._categorical.expand(shape)

    @property
    def _param(self) -> Tensor:
        return self._categorical._param

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
        return self._categorical.probs

    @property
    def mode(self) -> Tensor:
        return _C.one_hot(self.probs.argmax(-1), self.event_shape[-1]).to(self.probs.dtype)

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        drawn = self._categorical.sample(sample_shape)
        return _C.one_hot(drawn, self.event_shape[-1]).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self) -> Tensor:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        n = self.event_shape[0]
        values = _C.eye(n, dtype=self._param.dtype, **beside(self._param))
        values = values.reshape((n, *(1,) * len(self.batch_shape), n))
        return values.expand((n, *self.batch_shape, n)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """OneHotCategorical, whose samples have the gradients of the probabilities (Bengio and others, 2013).

    Args:
        probs: probabilities of the shape (..., K), which are divided by their sum.
        logits: their logarithms, which need not be normalized, instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#onehotcategoricalstraightthrough

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.OneHotCategoricalStraightThrough(flow.ones(3)).rsample().sum()
        tensor(1.)
    """

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = self.sample(sample_shape)
        return drawn + (self.probs - self.probs.detach())
