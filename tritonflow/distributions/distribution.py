"""The base of all distributions: shapes, checks of parameters and of values, expansion."""

from __future__ import annotations

import warnings
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.utils import lazy_property
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.value_checks import require_all
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["Distribution"]

_PACKAGE = __name__.rpartition(".")[0]


class Distribution:
    """A probability distribution: a batch of independent ones, each over events of one shape.

    Args:
        batch_shape: the shape over which parameters differ.
        event_shape: the shape of a single draw.
        validate_args: whether parameters and values are checked; in a captured graph, by each run.

    A sample has the shape `sample_shape + batch_shape + event_shape`, a log-probability `sample_shape + batch_shape`.

    Attributes:
        arg_constraints: what each parameter must satisfy.
        support: what values must satisfy.
        has_rsample: whether `rsample` draws with gradients for the parameters.
        has_enumerate_support: whether `enumerate_support` lists all values.

    Raises:
        ValueError: a parameter is outside of its constraint.

    Source: https://pytorch.org/docs/stable/distributions.html

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.Normal(flow.zeros(3), 1.0).sample((2,)).shape
        tritonflow.Size([2, 3])
    """

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__
    support: Any

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether distributions check their arguments where `validate_args` is not given."""
        if value not in (True, False):
            raise ValueError(f"expected True or False, got {value!r}")
        Distribution._validate_args = value

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: bool | None = None) -> None:
        self._batch_shape = Size(batch_shape)
        self._event_shape = Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()

    def _check_parameters(self) -> None:
        try:
            found = self.arg_constraints
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize the"
                " distribution with `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
            return
        for name, constraint in found.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name, None), lazy_property):
                continue
            value = getattr(self, name)
            if not _satisfied(constraint, value, f"parameter {name} of {type(self).__name__} to satisfy its constraint"):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r}"
                    f" to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    @property
    def batch_shape(self) -> Size:
        """The shape over which parameters differ."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of a single draw."""
        return self._event_shape

    @property
    def arg_constraints(self) -> dict[str, Any]:
        """What each parameter must satisfy."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Random values, without gradients."""
        with no_grad():
            return self.rsample(sample_shape).detach()

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Random values as functions of the parameters, with gradients for these."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """`sample((n,))`."""
        warnings.warn("sample_n(n) will be deprecated. Use .sample((n,)) instead", FutureWarning, stacklevel=2)
        return self.sample((n,))

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density, or of the probability, at a value."""
        raise NotImplementedError

    def cdf(self, value: Any) -> Tensor:
        """The probability of values up to this one."""
        raise NotImplementedError

    def icdf(self, value: Any) -> Tensor:
        """The inverse of `cdf`."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values of a discrete distribution, along the first dimension; over the batch shape if `expand`."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy, of the shape `batch_shape`."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """exp(entropy)."""
        return _C.exp(self.entropy())

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution over a larger batch shape, whose parameters are views."""
        shape = Size(batch_shape)
        new = self._get_checked_instance(Distribution, _instance)
        self._expand_parameters(new, shape)
        return self._finish_expanded(new, shape)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        """The parameters that are attributes, with the dimensions of an event behind the batch's."""
        for name, constraint in self.arg_constraints.items():
            value = self.__dict__.get(name)
            if isinstance(value, Tensor):
                new.__dict__[name] = value.expand(shape + value.shape[value.ndim - constraint.event_dim :])

    def _finish_expanded(self, new: Any, shape: Size, event_shape: Any = None) -> Any:
        new._validate_args = False
        Distribution.__init__(new, shape, self._event_shape if event_shape is None else event_shape)
        new._validate_args = self._validate_args
        return new

    def _get_checked_instance(self, cls: Any, _instance: Any = None) -> Any:
        """An instance without attributes for `expand`; a class of users' with its own __init__ has its own expand, too."""
        made_here = type(self).__init__.__module__.startswith(_PACKAGE)
        if _instance is None and not made_here and type(self).__init__ is not cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also define a"
                " custom .expand() method."
            )
        return type(self).__new__(type(self)) if _instance is None else _instance

    def _extended_shape(self, sample_shape: Any = ()) -> Size:
        """The shape of samples."""
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value: Any) -> None:
        """
        Raises:
            ValueError: the value is no tensor, does not broadcast with the distribution, or is outside of the support.
        """
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        start = value.ndim - len(self._event_shape)
        if tuple(value.shape[max(start, 0) :]) != tuple(self._event_shape):
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.shape} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        for size, wanted in zip(reversed(value.shape), reversed(expected)):
            if size != 1 and wanted != 1 and size != wanted:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {value.shape} vs {expected}."
                )
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `support` to enable sample validation. Please initialize the distribution with"
                " `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
            return
        if not _satisfied(support, value, f"value argument to be within the support of {type(self).__name__}"):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the support"
                f" ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def __repr__(self) -> str:
        values = {name: self.__dict__[name] for name in self.arg_constraints if name in self.__dict__}
        shown = (f"{name}: {value if value.numel() == 1 else value.shape}" for name, value in values.items())
        return f"{type(self).__name__}({', '.join(shown)})"


def _satisfied(constraint: Any, value: Tensor, what: str) -> bool:
    """Whether a tensor satisfies a constraint. In a graph each run looks, and raises."""
    with no_grad():
        inside = constraint.check(value)
    if inside.is_lazy:
        require_all(inside, ArgumentValueError(f"Expected {what}, but found invalid values"))
        return True
    return bool(inside.all())


