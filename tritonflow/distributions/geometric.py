"""The geometric distribution."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.binary import Binary
from tritonflow.distributions.utils import broadcast_all, uniform_inside
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.value_checks import require_all
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["Geometric"]


class Geometric(Binary):
    """How many trials fail before the first success: (1 - p)^k p for k = 0, 1, ...

    Args:
        probs: p in (0, 1], a number or a tensor.
        logits: log(p / (1 - p)), instead of `probs`.

    Source: https://pytorch.org/docs/stable/distributions.html#geometric

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Geometric(probs=0.25).log_prob(flow.tensor([0.0, 2.0]))
        tensor([-1.3863, -1.9617])
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._set_parameter(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)
        if self._validate_args and probs is not None:
            inside = self.probs > 0
            if inside.is_lazy:
                require_all(inside, ArgumentValueError("Expected parameter probs of Geometric to be positive"))
            elif not inside.all():
                raise ValueError(
                    f"Expected parameter probs (Tensor of shape {tuple(self.probs.shape)}) of distribution {self!r} to be"
                    f" positive but found invalid values:\n{self.probs}"
                )

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return _C.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            u = uniform_inside(self._extended_shape(sample_shape), self.probs)
            return (_C.log(u) / _C.log1p(-self.probs)).floor()

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = _C.where((probs == 1) & (value == 0), 0.0, probs)
        return value * _C.log1p(-probs) + _C.log(self.probs)

    def entropy(self) -> Tensor:
        return _C.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs
