"""Functors of normalisations made of other ops: of vectors, over neighbouring channels, of single images."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.binding.library import functor
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


@functor("Normalize")
def normalize(input: Tensor, p: float = 2.0, dim: Any = (1,), eps: float = 1e-12, out: Tensor | None = None) -> Any:
    length = clamp_min(norm(input, p, dim, True), eps)
    found = div(input, expand(length, input.meta.shape))
    if out is None:
        return found
    with no_grad():
        return copy_(out, found)


@functor("LocalResponseNorm")
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    """input / (k + alpha * mean of squares of `size` neighbouring channels) ** beta (Krizhevsky et al., 2012)."""
    shape = input.meta.shape
    if len(shape) < 3:
        raise ArgumentValueError(f"Expected 3D or higher dimensionality input (got {len(shape)} dimensions)")
    if not input.meta.numel:
        return input
    squares = reshape(mul(input, input), (shape[0], 1, shape[1], prod(shape[2:])))
    squares = pad(squares, (0, 0, size // 2, (size - 1) // 2))
    means = reshape(avg_pool2d(squares, (size, 1), (1, 1)), shape)
    return div(input, scalar_pow(means * alpha + k, beta))


@functor("InstanceNorm")
def instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Batch normalisation of every channel of every image: as many channels as there are planes."""
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
