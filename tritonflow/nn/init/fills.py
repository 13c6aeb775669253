"""Every element the same number, or drawn from the same distribution."""

from __future__ import annotations

import math
import warnings

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.dtypes import float64
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.nn.init.without_grad import without_grad

_NEWTON_STEPS = 6  # from the worst of starts, at 0, to the last digits of float64


@without_grad
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill with values uniform in [a, b).

    Args:
        tensor: what is filled.
        a: the least value.
        b: the bound.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        RuntimeError: a is greater than b.

    Source: torch.nn.init.uniform_.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.nn.init.uniform_(flow.empty(3, 5), -1.0, 1.0)
        >>> bool((w.abs() <= 1).all())
        True
    """
    return tensor.uniform_(a, b, generator=generator)


@without_grad
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill with values normal with that mean and standard deviation.

    Args:
        tensor: what is filled.
        mean: the mean.
        std: the standard deviation.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        RuntimeError: std is negative.

    Source: torch.nn.init.normal_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.normal_(flow.empty(2), mean=3.0, std=0.0)
        tensor([3., 3.])
    """
    return tensor.normal_(mean, std, generator=generator)


@without_grad
def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Generator | None = None
) -> Tensor:
    """Fill with values normal with that mean and standard deviation, given that they lie in [a, b].

    The distribution function is drawn uniformly between its values at a and b, and inverted. Where the mean is outside, its
    logarithm is: in a tail that function is nearly constant.

    Args:
        tensor: what is filled.
        mean: the mean of the distribution before it is cut off.
        std: its standard deviation.
        a: the least value.
        b: the greatest value.
        generator: draws the numbers; the device's default generator unless given.

    Source: torch.nn.init.trunc_normal_.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.nn.init.trunc_normal_(flow.empty(100), std=2.0, a=-1.0, b=1.0)
        >>> bool((w.abs() <= 1).all())
        True
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=3,
        )

    low, high = (a - mean) / std, (b - mean) / std
    if low > 0 or high < 0:
        ends = (low, high) if low > 0 else (-high, -low)
        drawn = _tail(_C.rand(tensor.shape, dtype=float64, generator=generator, **beside(tensor)), *ends)
        tensor.copy_(drawn * math.copysign(std, low) + mean)
        return tensor.clamp_(a, b)

    def cdf(x: float) -> float:
        return (1.0 + math.erf((x - mean) / (std * math.sqrt(2.0)))) / 2.0

    tensor.uniform_(2 * cdf(a) - 1, 2 * cdf(b) - 1, generator=generator)
    tensor.copy_(_C.erfinv(tensor) * (std * math.sqrt(2.0)) + mean)
    return tensor.clamp_(a, b)


def _tail(u: Tensor, low: float, high: float) -> Tensor:
    """Normal numbers in [low, high], 0 < low, of uniform ones: log Q(x) = log Q(low) + log(1 - u (1 - Q(high) / Q(low))).

    Q(x) is the probability of more than x. The step of Newton's method for its logarithm, a concave function, begins at the number
    with exp(-x^2 / 2) in place of Q.
    """

    def log_q(x: Tensor) -> Tensor:
        return _C.special_log_ndtr(-x)

    first, last = (log_q(u.new_full((), end)) for end in (low, high))
    below = _C.log1p(u * _C.expm1(last - first))
    x = (low * low - 2 * below).sqrt()
    for _ in range(_NEWTON_STEPS):
        now = log_q(x)
        slope = _C.exp(-0.5 * x * x - 0.5 * math.log(2 * math.pi) - now)
        x = x + (now - first - below) / slope
    return x


@without_grad
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one value.

    Args:
        tensor: what is filled.
        val: the value.

    Source: torch.nn.init.constant_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.constant_(flow.empty(2), 0.5)
        tensor([0.5000, 0.5000])
    """
    return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones.

    Args:
        tensor: what is filled.

    Source: torch.nn.init.ones_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.ones_(flow.empty(2))
        tensor([1., 1.])
    """
    return constant_(tensor, 1)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros.

    Args:
        tensor: what is filled.

    Source: torch.nn.init.zeros_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.zeros_(flow.empty(2))
        tensor([0., 0.])
    """
    return constant_(tensor, 0)
