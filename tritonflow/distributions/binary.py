"""What distributions of binary trials share: one parameter, a probability or its log-odds."""

from __future__ import annotations

from typing import Any

from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor


class Binary(Distribution):
    """The base of distributions with either `probs` or `logits`; the other one is computed when it is asked for."""

    def _set_parameter(self, probs: Any, logits: Any, *others: Any) -> tuple[Tensor, ...]:
        """Keep the one that is given, and return other parameters of its shape.

        Raises:
            ValueError: both are given, or none.
        """
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        *rest, given = broadcast_all(*others, logits if probs is None else probs)
        self._given = "logits" if probs is None else "probs"
        self.__dict__[self._given] = given
        return tuple(rest)

    @property
    def _param(self) -> Tensor:
        return self.__dict__[self._given]  # type: ignore[no-any-return]

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        super()._expand_parameters(new, shape)
        new._given = self._given

    @lazy_property
    def logits(self) -> Tensor:
        """log(probs / (1 - probs))"""
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self) -> Tensor:
        """The probability of success."""
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def param_shape(self) -> Size:
        return self._param.shape
