"""Functors of torch's native_ normalisations, which give their statistics beside the result."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.dtypes import DType, float32
from tritonflow.errors import ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import empty
from tritonflow.functions.norm import batch_norm_call, check_normalized_shape, group_norm, normalized
from tritonflow.functions.reduction import mean
from tritonflow.functions.view import reshape, unshared
from tritonflow.interpreter.dispatch import dispatch

_layer_norm = op_expr("layer_norm")


def _statistics_dtype(input: Tensor, *parameters: Tensor | None) -> DType:
    """The input's dtype, unless its parameters have another: those of half inputs may be float32."""
    dtypes = [p.meta.dtype for p in parameters if p is not None]
    return next((d for d in dtypes if d is not input.meta.dtype), input.meta.dtype)


@function(
    "TensorTuple (Tensor input, Shape normalized_shape, Tensor weight=None, Tensor bias=None, Double eps=1e-5)",
    samples="native_layer_norm", tolerance="norm", autocast="float32",
)
def native_layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    """layer_norm, and the mean and the reciprocal deviation of each row.

    The reciprocal deviation is 1 / sqrt(var + eps).

    Args:
        input: the input.
        normalized_shape: the last sizes of the input, over which it is normalised.
        weight: a factor for each element, of that shape.
        bias: an addend for each element, of that shape.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., normalized_shape) -> the same, (..., 1 for each size), the same.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the input does not end with normalized_shape, or a weight or bias of another shape.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.native_layer_norm.

    Example:
        >>> import tritonflow as flow
        >>> y, mean, rstd = flow.native_layer_norm(flow.tensor([[1.0, 3.0]]), (2,))
        >>> mean, rstd
        (tensor([[2.]]), tensor([[1.0000]]))
    """
    shape = tuple(normalized_shape)
    check_normalized_shape(input, shape, weight, bias)
    y, *statistics = dispatch(_layer_norm, (input, weight, bias), (len(shape), True), (float(eps),))
    by_row = (*input.meta.shape[: input.meta.ndim - len(shape)], *[1] * len(shape))
    dtype = _statistics_dtype(input, weight, bias)
    return y, *(unshared(reshape(cast(s, dtype), by_row)) for s in statistics)


@function(
    "TensorTuple (Tensor input, Tensor weight=None, Tensor bias=None, Int32 N=None, Int32 C=None, Int32 HxW=None, Int32 "
    "group=1, Double eps=1e-5)",
    samples="native_group_norm", tolerance="norm", autocast="float32",
)
def native_group_norm(
    input: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    N: int | None = None,
    C: int | None = None,
    HxW: int | None = None,
    group: int = 1,
    eps: float = 1e-5,
) -> Any:
    """group_norm, and the mean and the reciprocal deviation of each group; N, C and HxW are the input's.

    The reciprocal deviation is 1 / sqrt(var + eps).

    Args:
        input: the input.
        weight: a factor for each channel.
        bias: an addend for each channel.
        N: the first size of the input, which is checked.
        C: the second size, which is checked.
        HxW: the product of the others, which is checked.
        group: how many groups.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same, (N, group), (N, group).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: fewer than 2 dimensions, channels that group does not divide, or sizes that are not
            the input's.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.native_group_norm.

    Example:
        >>> import tritonflow as flow
        >>> y, mean, rstd = flow.native_group_norm(flow.tensor([[1.0, 3.0, 10.0, 30.0]]), group=2)
        >>> mean
        tensor([[ 2., 20.]])
    """
    # Gradients flow to the statistics, too, as in torch.
    y = group_norm(input, group, weight, bias, eps)
    n, c, *image = input.meta.shape
    for given, name, size in ((N, "N", n), (C, "C", c), (HxW, "HxW", prod(image))):
        if given not in (None, size):
            raise ShapeError(f"native_group_norm(): expected {name} to be {size}, as the input's, but got {given}")
    rows = reshape(input, (n, group, c // group * prod(image)))
    if input.meta.dtype.itemsize < 4:
        rows = cast(rows, float32)
    dtype = _statistics_dtype(input, weight, bias)
    _, rstd = normalized(rows, (-1,), eps, True)
    return y, cast(mean(rows, (-1,)), dtype), unshared(reshape(cast(rstd, dtype), (n, group)))


@function(
    "TensorTuple (Tensor input, Tensor weight=None, Tensor bias=None, Tensor running_mean=None, Tensor running_var=None, "
    "Bool training=False, Double momentum=0.1, Double eps=1e-5)",
    samples="native_batch_norm", tolerance="norm",
)
def native_batch_norm(
    input: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """batch_norm, and the mean and the reciprocal deviation of each channel of the batch; empty ones where it is not in training.

    Args:
        input: the input.
        weight: a factor for each channel.
        bias: an addend for each channel.
        running_mean: the mean of each channel, used unless training.
        running_var: the variance of each channel, used unless training.
        training: whether the batch's statistics are used.
        momentum: how far the running statistics move.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same, (C), (C).

    Raises:
        RuntimeError: fewer than 2 dimensions, tensors that are not (C), or no running statistics outside of
            training.
        ValueError: a single value for each channel in training, or an eps in training that is not positive.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.native_batch_norm.

    Example:
        >>> import tritonflow as flow
        >>> y, mean, rstd = flow.native_batch_norm(flow.tensor([[1.0], [3.0]]), training=True)
        >>> mean, rstd
        (tensor([2.]), tensor([1.0000]))
    """
    # Running statistics are updated in training; otherwise there are no others, and the last two results are empty.
    y, *statistics = dispatch(*batch_norm_call(input, running_mean, running_var, weight, bias, training, momentum, eps))
    dtype = _statistics_dtype(input, weight, bias, running_mean, running_var)
    if training:
        return y, *(cast(s, dtype) for s in statistics)
    return y, *(empty((0,), dtype=dtype, **beside(input)) for _ in range(2))
