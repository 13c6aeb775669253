"""Functors of normalisations made of other ops: of vectors, over neighbouring channels, of single images."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic_powers import scalar_pow
from tritonflow.functions.cast import copy_
from tritonflow.functions.elementwise import clamp_min
from tritonflow.functions.generated import div, mul
from tritonflow.functions.join_pad import pad
from tritonflow.functions.norm import batch_norm
from tritonflow.functions.pool import avg_pool2d
from tritonflow.functions.reduction import norm
from tritonflow.functions.view import expand, reshape, unshared
from tritonflow.interpreter.grad_mode import no_grad


@function(
    "Tensor (Tensor input, Double p=2.0, Int32List[1] dim=1, Double eps=1e-12, Tensor out=None)",
    "Tensor (Tensor input, Double p=2.0, Int32 dim=1, Double eps=1e-12, *, Bool use_l2_norm_kernel) => NormalizeChosen",
    export="nn.functional", reference="torch.nn.functional.normalize", samples="normalize", tolerance="norm",
)
def normalize(input: Tensor, p: float = 2.0, dim: Any = (1,), eps: float = 1e-12, out: Tensor | None = None) -> Any:
    """input / max(norm(input), eps) along a dimension.

    Overloads:
        - `normalize(input: Tensor, p: float = 2.0, dim: int | Sequence[int] = 1, eps: float = 1e-12, out: Tensor | None
          = None) -> Tensor`
        - `normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, *, use_l2_norm_kernel: bool) -> Tensor`

    Args:
        input: the input.
        p: which norm.
        dim: the dimension, or several; negative ones count from the end.
        eps: the least norm.
        out: a tensor that the result is copied into; no gradient is recorded then.
        use_l2_norm_kernel: OneFlow's choice of a kernel, of which there is one here.

    Shape:
        any shape -> the same.

    Raises:
        RuntimeError: a dtype that is neither floating nor complex.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.normalize.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.normalize(flow.tensor([[3.0, 4.0], [0.0, 0.0]]))
        tensor([[0.6000, 0.8000],
                [0.0000, 0.0000]])
    """
    length = clamp_min(norm(input, p, dim, True), eps)
    found = div(input, expand(length, input.meta.shape))
    if out is None:
        return found
    with no_grad():
        return copy_(out, found)


@function(
    "Tensor (Tensor input, Int32 size, Double alpha=1e-4, Double beta=0.75, Double k=1.0)",
    export="nn.functional", reference="torch.nn.functional.local_response_norm", samples="local_response_norm",
    tolerance="norm",
)
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    """input / (k + alpha * mean of squares of neighbouring channels) ** beta.

    The mean is over `size` channels around each one, zeros beyond the first and the last. After
    Krizhevsky, Sutskever and Hinton, ImageNet classification with deep convolutional neural networks,
    2012.

    Args:
        input: the input.
        size: how many channels.
        alpha: the factor of the mean.
        beta: the exponent.
        k: what is added to the mean.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, L) or with more dimensions -> the same.

    Raises:
        ValueError: fewer than 3 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.local_response_norm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.local_response_norm(flow.ones(1, 3, 1), size=3, alpha=3.0, beta=1.0).flatten()
        tensor([0.3333, 0.2500, 0.3333])
    """
    # input / (k + alpha * mean of squares of `size` neighbouring channels) ** beta (Krizhevsky et al., 2012).
    shape = input.meta.shape
    if len(shape) < 3:
        raise ArgumentValueError(f"Expected 3D or higher dimensionality input (got {len(shape)} dimensions)")
    if not input.meta.numel:
        return input
    squares = reshape(mul(input, input), (shape[0], 1, shape[1], prod(shape[2:])))
    squares = pad(squares, (0, 0, size // 2, (size - 1) // 2))
    means = reshape(avg_pool2d(squares, (size, 1), (1, 1)), shape)
    return div(input, scalar_pow(means * alpha + k, beta))


@function(
    "Tensor (Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, Bool "
    "use_input_stats=True, Double momentum=0.1, Double eps=1e-5)",
    export="nn.functional", reference="torch.nn.functional.instance_norm", samples="instance_norm", tolerance="norm",
    autocast="float32",
)
def instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Batch normalisation of every channel of every image by itself.

    Mean and variance are those of each plane. The running statistics move towards the mean of the
    planes' statistics. After Ulyanov, Vedaldi and Lempitsky, Instance normalization, 2016.

    Args:
        input: the input.
        running_mean: the mean of each channel, used unless use_input_stats.
        running_var: the variance of each channel, used unless use_input_stats.
        weight: a factor for each channel.
        bias: an addend for each channel.
        use_input_stats: whether the planes' own statistics are used.
        momentum: how far the running statistics move.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same.

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: planes of one element, or no running statistics where they are used.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.instance_norm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.instance_norm(flow.tensor([[[1.0, 3.0], [10.0, 30.0]]]))
        tensor([[[-1.0000,  1.0000],
                 [-1.0000,  1.0000]]])
    """
    # Batch normalisation of every channel of every image: as many channels as there are planes.
    if input.meta.ndim < 2:
        raise ArgumentValueError(f"instance_norm(): expected at least 2 dimensions, but got input of size {list(input.meta.shape)}")
    n, c, *image = input.meta.shape
    if use_input_stats and prod(image) == 1:
        raise ArgumentValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    if not use_input_stats and (running_mean is None or running_var is None):
        raise ArgumentValueError("Expected running_mean and running_var to be defined when use_input_stats is false")
    planes = reshape(input, (1, n * c, *image))
    mean, variance, factor, addend = (None if t is None else t.repeat(n) for t in (running_mean, running_var, weight, bias))
    y = batch_norm(planes, mean, variance, factor, addend, use_input_stats, momentum, eps)
    if use_input_stats:
        with no_grad():
            for running, moved in zip((running_mean, running_var), (mean, variance)):
                if running is not None and moved is not None:
                    copy_(running, reshape(moved, (n, c)).mean(0))
    return unshared(reshape(y, input.meta.shape))


@functor("NormalizeChosen")
def normalize_chosen(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, use_l2_norm_kernel: bool = True
) -> Any:
    """OneFlow's choice between two kernels, of which there is one here."""
    ndim = input.meta.ndim
    axis = dim + ndim if dim < 0 else dim
    if axis < 0:
        raise InvalidArgumentError(f"Axis should >=0 but axis is {axis} now.")
    if axis >= ndim:
        raise InvalidArgumentError(f"Axis should < {ndim} but axis is {axis} now.")
    return normalize(input, p, (axis,), eps)
