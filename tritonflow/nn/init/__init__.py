"""Initial values of parameters, written in place without a gradient.

Fans: a weight of shape `(out, in, *kernel)` has fan_in `in * prod(kernel)` and fan_out `out * prod(kernel)`.
"""

from __future__ import annotations

import functools
import math
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.dtypes import float64
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.interpreter.grad_mode import no_grad

F = TypeVar("F", bound=Callable[..., Any])
_NEWTON_STEPS = 6  # from the worst of starts, at 0, to the last digits of float64
_CONVOLUTIONS = ("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")


class _Skipping(threading.local):
    """Whether this thread leaves parameters as they are."""

    active = False


_skipping = _Skipping()


@contextmanager
def skipped() -> Iterator[None]:
    """A block in which the functions of this module return their tensor as it is: for modules that are given values at once."""
    before, _skipping.active = _skipping.active, True
    try:
        yield
    finally:
        _skipping.active = before


def _without_grad(function: F) -> F:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if _skipping.active:
            return args[0] if args else kwargs["tensor"]
        with no_grad():
            return function(*args, **kwargs)

    return wrapper  # type: ignore[return-value]


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which an activation's standard deviation should be made up for.

    1 for linear maps and sigmoid, 5/3 for tanh, sqrt(2) for relu, sqrt(2 / (1 + slope^2)) for leaky_relu, 3/4 for selu.

    Args:
        nonlinearity: "linear", "conv2d" and the like, "sigmoid", "tanh", "relu", "leaky_relu" or "selu".
        param: the slope of leaky_relu, 0.01 unless given.

    Raises:
        ValueError: an unknown activation, or a slope that is no number.

    Source: torch.nn.init.calculate_gain.

    Example:
        >>> import tritonflow as flow
        >>> round(flow.nn.init.calculate_gain("leaky_relu", 0.2), 4)
        1.3868
    """
    if nonlinearity in ("linear", "sigmoid", *_CONVOLUTIONS):
        return 1
    if nonlinearity == "leaky_relu":
        if param is None:
            param = 0.01
        if isinstance(param, bool) or not isinstance(param, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + param**2))
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


@_without_grad
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


@_without_grad
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


@_without_grad
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


@_without_grad
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


@_without_grad
def eye_(tensor: Tensor) -> Tensor:
    """Fill a matrix with the identity, as far as it goes.

    Args:
        tensor: a matrix.

    Raises:
        ValueError: other than 2 dimensions.

    Source: torch.nn.init.eye_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.eye_(flow.empty(2, 3))
        tensor([[1., 0., 0.],
                [0., 1., 0.]])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    tensor.zero_()
    for i in range(min(tensor.shape)):
        tensor[i, i].fill_(1)
    return tensor


@_without_grad
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill a convolution's weight so that it passes on as many channels as it can.

    Args:
        tensor: a weight (out, in, *kernel).
        groups: as of the convolution.

    Raises:
        ValueError: not 3 to 5 dimensions, or `groups` does not divide the output channels.

    Source: torch.nn.init.dirac_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.dirac_(flow.empty(1, 1, 3))
        tensor([[[0., 1., 0.]]])
    """
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = tensor.shape[0] // groups
    centre = tuple(n // 2 for n in tensor.shape[2:])
    tensor.zero_()
    for group in range(groups):
        for channel in range(min(per_group, tensor.shape[1])):
            index = (group * per_group + channel, channel, *centre)
            tensor[index].fill_(1)
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    modes = ("fan_in", "fan_out")
    if mode.lower() not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {list(modes)}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Uniform in [-k, k], `k = gain * sqrt(6 / (fan_in + fan_out))` (Glorot and Bengio, 2010).

    Args:
        tensor: a weight of at least two dimensions.
        gain: see `calculate_gain`.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        ValueError: fewer than 2 dimensions.

    Source: torch.nn.init.xavier_uniform_.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.nn.init.xavier_uniform_(flow.empty(2, 4))
        >>> bool((w.abs() <= 1).all())  # k is 1
        True
    """
    bound = gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal with standard deviation `gain * sqrt(2 / (fan_in + fan_out))` (Glorot and Bengio, 2010).

    Args:
        tensor: a weight of at least two dimensions.
        gain: see `calculate_gain`.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        ValueError: fewer than 2 dimensions.

    Source: torch.nn.init.xavier_normal_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.xavier_normal_(flow.empty(2, 4), gain=0.0)
        tensor([[0., 0., 0., 0.],
                [0., 0., 0., 0.]])
    """
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor))), generator)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Generator | None = None
) -> Tensor:
    """Uniform in [-k, k], `k = gain * sqrt(3 / fan)` (He et al., 2015).

    Args:
        tensor: a weight of at least two dimensions.
        a: the slope, for leaky_relu.
        mode: 'fan_in' keeps the variance forward, 'fan_out' backward.
        nonlinearity: for the gain, see `calculate_gain`.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        ValueError: fewer than 2 dimensions, another mode or an unknown activation.

    Source: torch.nn.init.kaiming_uniform_.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.nn.init.kaiming_uniform_(flow.empty(2, 6))
        >>> bool((w.abs() <= 1).all())  # k is 1
        True
    """
    if tensor.numel() == 0:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3.0 / _calculate_correct_fan(tensor, mode))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Generator | None = None
) -> Tensor:
    """Normal with standard deviation `gain / sqrt(fan)` (He et al., 2015).

    Args:
        tensor: a weight of at least two dimensions.
        a: the slope, for leaky_relu.
        mode: 'fan_in' keeps the variance forward, 'fan_out' backward.
        nonlinearity: for the gain, see `calculate_gain`.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        ValueError: fewer than 2 dimensions, another mode or an unknown activation.

    Source: torch.nn.init.kaiming_normal_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.kaiming_normal_(flow.empty(2, 4)).shape
        tritonflow.Size([2, 4])
    """
    if tensor.numel() == 0:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    return normal_(tensor, 0.0, std, generator)


@_without_grad
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """Fill with a (semi-)orthogonal matrix times `gain`, drawn uniformly (Saxe et al., 2013).

    Dimensions after the first are taken as one. A normal matrix is orthonormalised by Gram and Schmidt, each
    vector twice.

    Args:
        tensor: a weight of at least two dimensions.
        gain: the factor.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        ValueError: fewer than two dimensions.

    Source: torch.nn.init.orthogonal_.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.nn.init.orthogonal_(flow.empty(3, 5))
        >>> flow.allclose(w @ w.t(), flow.eye(3), atol=1e-5)
        True
    """
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows, cols = tensor.shape[0], tensor.numel() // tensor.shape[0]
    count, length = min(rows, cols), max(rows, cols)
    basis = normal_(_C.new_empty(tensor, (count, length)), generator=generator)
    for i in range(count):
        v = basis[i]
        for _ in range(2 if i else 0):
            known = basis[:i]
            v = v - (known @ v.reshape(length, 1) * known).sum(0)
        basis[i] = v / (v * v).sum().sqrt()
    matrix = basis if rows <= cols else basis.transpose(0, 1)
    tensor.copy_((matrix * gain).reshape(tuple(tensor.shape)))
    return tensor


@_without_grad
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Normal with standard deviation `std`, a fraction `sparsity` of each column zero (Martens, 2010).

    Args:
        tensor: a matrix.
        sparsity: the fraction, rounded up to whole rows.
        std: the standard deviation.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        ValueError: other than 2 dimensions.

    Source: torch.nn.init.sparse_.

    Example:
        >>> import tritonflow as flow
        >>> (flow.nn.init.sparse_(flow.empty(4, 3), 0.5) == 0).sum(0)
        tensor([2, 2, 2])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, cols = tensor.shape
    zeros = math.ceil(sparsity * rows)
    normal_(tensor, 0, std, generator)
    for col in range(cols):
        tensor[_C.randperm(rows, **beside(tensor))[:zeros], col] = 0
    return tensor


def _deprecated(function: Callable[..., Any]) -> Callable[..., Any]:
    """torch's older name without the underscore."""
    new = function.__name__
    old = new.removesuffix("_")

    @functools.wraps(function)
    def renamed(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    renamed.__name__ = old
    renamed.__doc__ = f"`{new}` under its older name, with a FutureWarning.\n\nSource: torch.nn.init.{old}."
    return renamed


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
