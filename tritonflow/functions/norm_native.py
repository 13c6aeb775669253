"""Functors of torch's native_ normalisations, which give their statistics beside the result."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.binding.library import functor
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


@functor("NativeLayerNorm")
def native_layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    shape = tuple(normalized_shape)
    check_normalized_shape(input, shape, weight, bias)
    y, *statistics = dispatch(_layer_norm, (input, weight, bias), (len(shape), True), (float(eps),))
    by_row = (*input.meta.shape[: input.meta.ndim - len(shape)], *[1] * len(shape))
    dtype = _statistics_dtype(input, weight, bias)
    return y, *(unshared(reshape(cast(s, dtype), by_row)) for s in statistics)


@functor("NativeGroupNorm")
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
    """Gradients flow to the statistics, too, as in torch."""
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


@functor("NativeBatchNorm")
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
    """Running statistics are updated in training; otherwise there are no others, and the last two results are empty."""
    y, *statistics = dispatch(*batch_norm_call(input, running_mean, running_var, weight, bias, training, momentum, eps))
    dtype = _statistics_dtype(input, weight, bias, running_mean, running_var)
    if training:
        return y, *(cast(s, dtype) for s in statistics)
    return y, *(empty((0,), dtype=dtype, **beside(input)) for _ in range(2))
