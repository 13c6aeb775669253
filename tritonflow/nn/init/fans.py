"""Weights drawn so that values, or gradients, have the same variance behind a layer as before it.

A weight of shape `(out, in, *kernel)` has fan_in `in * prod(kernel)` and fan_out `out * prod(kernel)`.
"""

from __future__ import annotations

import math
import warnings

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.nn.init.fills import normal_, uniform_

_CONVOLUTIONS = ("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")


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
