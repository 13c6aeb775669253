"""Functions of `nn.functional` that are made of several ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow import _C
from tritonflow.errors import ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.loss import check_reduction, reduced
from tritonflow.ops.dtype_rules import require


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`min(max(x, 0), 6)`.

    Args:
        input: the input.
        inplace: whether the result is written over the input.

    Shape:
        any shape -> the same.

    Source: torch.nn.functional.relu6.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.functional.relu6(flow.tensor([-1.0, 3.0, 9.0]))
        tensor([0., 3., 6.])
    """
    return _C.hardtanh(input, 0.0, 6.0, inplace)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """`x` where x > 0, otherwise `weight * x`; one weight for all, or one for each channel (dimension 1).

    Args:
        input: the input.
        weight: the slope of negative numbers.

    Shape:
        (N, C, ...), (1) or (C) -> (N, C, ...).

    Raises:
        RuntimeError: another number of weights, a dtype that is not floating.

    Source: He et al., 2015; torch.nn.functional.prelu.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.functional.prelu(flow.tensor([-2.0, 3.0]), flow.tensor([0.5])).tolist()
        [-1.0, 3.0]
    """
    for argument, tensor in (("input", input), ("weight", weight)):
        require("prelu", "floating", tensor.dtype, argument)
    if weight.ndim > 1:
        raise ShapeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    count = weight.numel()
    channels = input.shape[1] if input.ndim > 1 else 1
    if count not in (1, channels):
        raise RuntimeError(
            f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {count} "
            f"and channel size = {channels}."
        )
    if count > 1:
        weight = weight.reshape((count,) + (1,) * (input.ndim - 2))
    elif not input.ndim:
        weight = weight.reshape(())
    return _C.where(input > 0, input, input * weight)


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


def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0, swap: bool = False, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """`max(d(anchor, positive) - d(anchor, negative) + margin, 0)`, reduced, for any distance d.

    Args:
        anchor: examples.
        positive: examples that should be near.
        negative: examples that should be at least the margin farther away.
        distance_function: d, of two batches a distance for each pair; `pairwise_distance` unless given.
        margin: a positive number.
        swap: whether d(positive, negative) stands for d(anchor, negative) where it is less.
        reduction: `"mean"` or `"sum"` of the losses, or `"none"`.

    Shape:
        three times (N, ...) -> (); the shape of the distances with reduction="none".

    Raises:
        ValueError: a margin of 0 or less, another reduction.
        RuntimeError: the numbers of dimensions differ.

    Source: torch.nn.functional.triplet_margin_with_distance_loss.

    Example:
        >>> import tritonflow as flow
        >>> a, b = flow.zeros(1, 2), flow.ones(1, 2)
        >>> d = lambda x, y: (x - y).abs().sum(-1)
        >>> flow.nn.functional.triplet_margin_with_distance_loss(a, b, a, distance_function=d).item()
        3.0
    """
    check_reduction(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance = _C.pairwise_distance if distance_function is None else distance_function
    ranks = [x.ndim for x in (anchor, positive, negative)]
    if len(set(ranks)) > 1:
        raise ShapeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor"
            f" {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs"
        )
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _C.minimum(far, distance(positive, negative))
    return reduced(_C.clamp(near - far + margin, 0), reduction)
