"""Pools of `nn.functional` whose arguments the registry cannot say, or that are made from the names of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow import _C
from tritonflow.framework.tensor import Tensor


def fractional_max_pool2d(
    input: Tensor, kernel_size: int | Sequence[int], output_size: int | Sequence[int] | None = None,
    output_ratio: float | Sequence[float] | None = None, return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:  # fmt: skip
    """Maxima of windows at random steps (Graham, 2014).

    The windows of a dimension begin at floor((i + u) * a) - floor(u * a) with a = (H - kH) / (H' - 1) and a random u, the
    last one at H - kH. So the size shrinks by any factor, and not by whole ones only.

    Args:
        input: images.
        kernel_size: the size of a window, an integer or a pair.
        output_size: the sizes (H', W'), an integer or a pair.
        output_ratio: the sizes as shares of the input's instead, between 0 and 1.
        return_indices: whether the position of each maximum in its plane H x W is returned as well.
        _random_samples: the random numbers u in [0, 1), of shape (N, C, 2).

    Shape:
        (N, C, H, W) -> (N, C, H', W'), also without N.

    Raises:
        ValueError: neither output_size nor output_ratio, or a ratio outside of its range.
        RuntimeError: other dimensions, or windows that are too large.

    Source: torch.nn.functional.fractional_max_pool2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.functional.fractional_max_pool2d(flow.ones(1, 5, 5), 2, output_size=3).shape
        tritonflow.Size([1, 3, 3])
    """
    return _C.fractional_max_pool2d(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool3d(
    input: Tensor, kernel_size: int | Sequence[int], output_size: int | Sequence[int] | None = None,
    output_ratio: float | Sequence[float] | None = None, return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:  # fmt: skip
    """Maxima of windows at random steps (Graham, 2014); `fractional_max_pool2d` over volumes.

    Args:
        input: volumes.
        kernel_size: the size of a window, an integer or three.
        output_size: the sizes (D', H', W'), an integer or three.
        output_ratio: the sizes as shares of the input's instead, between 0 and 1.
        return_indices: whether the position of each maximum in its volume is returned as well.
        _random_samples: the random numbers in [0, 1), of shape (N, C, 3).

    Shape:
        (N, C, D, H, W) -> (N, C, D', H', W'), also without N.

    Raises:
        ValueError: neither output_size nor output_ratio, or a ratio outside of its range.
        RuntimeError: other dimensions, or windows that are too large.

    Source: torch.nn.functional.fractional_max_pool3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.functional.fractional_max_pool3d(flow.ones(1, 5, 5, 5), 2, output_size=3).shape
        tritonflow.Size([1, 3, 3, 3])
    """
    return _C.fractional_max_pool3d(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def _with_indices(name: str, example: str) -> Callable[..., tuple[Tensor, Tensor]]:
    """A pool that returns positions as well; `example`: arguments of a call."""
    pool = globals().get(name) or getattr(_C, name)

    def pooled(*args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        found: tuple[Tensor, Tensor] = pool(*args, **{**kwargs, "return_indices": True})
        return found

    pooled.__name__ = pooled.__qualname__ = f"{name}_with_indices"
    pooled.__wrapped__ = pool  # type: ignore[attr-defined]
    pooled.__doc__ = f"""`{name}`, and the flat positions of the maxima.

    Args:
        args, kwargs: those of `{name}`; `return_indices` is True.

    Raises:
        RuntimeError, TypeError, ValueError: what `{name}` refuses.

    Source: torch.nn.functional.{name}_with_indices.

    Example:
        >>> import tritonflow as flow
        >>> values, indices = flow.nn.functional.{name}_with_indices({example})
        >>> values.shape == indices.shape, indices.dtype
        (True, tritonflow.int64)
    """
    return pooled


max_pool1d_with_indices = _with_indices("max_pool1d", "flow.ones(1, 4), 2")
max_pool2d_with_indices = _with_indices("max_pool2d", "flow.ones(1, 4, 4), 2")
max_pool3d_with_indices = _with_indices("max_pool3d", "flow.ones(1, 4, 4, 4), 2")
adaptive_max_pool1d_with_indices = _with_indices("adaptive_max_pool1d", "flow.ones(1, 4), 2")
adaptive_max_pool2d_with_indices = _with_indices("adaptive_max_pool2d", "flow.ones(1, 4, 4), 2")
adaptive_max_pool3d_with_indices = _with_indices("adaptive_max_pool3d", "flow.ones(1, 4, 4, 4), 2")
fractional_max_pool2d_with_indices = _with_indices("fractional_max_pool2d", "flow.ones(1, 5, 5), 2, 3")
fractional_max_pool3d_with_indices = _with_indices("fractional_max_pool3d", "flow.ones(1, 5, 5, 5), 2, 3")
