"""The categorical distribution."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import lazy_property, logits_to_probs, probs_to_logits
from tritonflow.dtypes import finfo
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

__all__ = ["Categorical"]


class Categorical(Distribution):
    """A class 0 ... K - 1, each with its probability.

    Args:
        probs: probabilities of the shape (..., K), which are divided by their sum.
        logits: their logarithms, which need not be normalized, instead of `probs`.

    Raises:
        ValueError: both are given or none, or they have no dimension.

    Source: https://pytorch.org/docs/stable/distributions.html#categorical

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Categorical(flow.tensor([1.0, 3.0])).log_prob(flow.tensor([0, 1]))
        tensor([-1.3863, -0.2877])
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        if given.ndim < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self.logits = _C.log_softmax(logits, -1)
        else:
            self.probs = probs / probs.sum(-1, True)
        self._given = name
        super().__init__(self._param.shape[:-1], validate_args=validate_args)

    @property
    def _param(self) -> Tensor:
        return self.__dict__[self._given]  # type: ignore[no-any-return]

    @property
    def _num_events(self) -> int:
        return self._param.shape[-1]

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        super()._expand_parameters(new, shape)
        new._given = self._given

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:  # type: ignore[override]
        return constraints.integer_interval(0, self._num_events - 1)

    @lazy_property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities."""
        return probs_to_logits(self.probs)

    @lazy_property
    def probs(self) -> Tensor:
        """The probabilities."""
        return logits_to_probs(self.logits)

    @property
    def param_shape(self) -> Size:
        return self._param.shape

    @property
    def mean(self) -> Tensor:
        return _C.full(self._extended_shape(), math.nan, dtype=self.probs.dtype, **beside(self.probs))

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(-1)

    @property
    def variance(self) -> Tensor:
        return self.mean

    def sample(self, sample_shape: Any = ()) -> Tensor:
        rows = self.probs.detach().reshape((-1, self._num_events))
        drawn = _C.multinomial(rows, math.prod(sample_shape), True)
        return drawn.t().reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        index, logits = _C.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, index[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = _C.arange(self._num_events, **beside(self._param))
        values = values.reshape((-1, *(1,) * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values
