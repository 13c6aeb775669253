"""Every element the same number, or drawn alike."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.nn.init.without_grad import without_grad


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
