"""Normalisations along a split dimension: softmax, layers, batches."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.elementwise import clamp_min
from tritonflow.functions.generated import (
    exp,
    log,
    rsqrt,
    sqrt,
)
from tritonflow.functions.reduction import amax, sum
from tritonflow.functions.unary import square
from tritonflow.functions.view import reshape
from tritonflow.rules.split.reductions import moments
from tritonflow.rules.split.values import Outputs, count_along, settled, widened


def softmax(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dim, dtype) = inputs, attrs
    powers = exp(_below_zero(x, dim))
    return (cast(powers / settled(sum(powers, (dim,), True)), dtype or x.meta.dtype),)


def log_softmax(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x,), (dim, dtype) = inputs, attrs
    shifted = _below_zero(x, dim)
    return (cast(shifted - log(sum(exp(shifted), (dim,), True)), dtype or x.meta.dtype),)


def _below_zero(x: Tensor, dim: int) -> Tensor:
    """x - max(x)"""
    return widened(x) - widened(settled(amax(x, (dim,), True)))


def softmax_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (grad, y), (dim,) = inputs, attrs
    dy, wide = widened(grad), widened(y)
    return (cast((dy - settled(sum(dy * wide, (dim,), True))) * wide, grad.meta.dtype),)


def log_softmax_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (grad, y), (dim,) = inputs, attrs
    dy = widened(grad)
    return (cast(dy - exp(widened(y)) * settled(sum(dy, (dim,), True)), grad.meta.dtype),)


def cosine_similarity(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x1, x2), (dim,), (eps,) = inputs, attrs, dynamic
    a, b = widened(x1), widened(x2)
    product = settled(sum(a * b, (dim,), True))
    norm1, norm2 = [clamp_min(sqrt(sum(square(x), (dim,), True)), eps) for x in (a, b)]
    return cast(product / norm1 / norm2, x1.meta.dtype), product, norm1, norm2


def layer_norm(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x, weight, bias), (count, center), (eps,) = inputs, attrs, dynamic
    ndim = x.meta.ndim
    dims, rows = tuple(range(ndim - count, ndim)), x.meta.shape[: ndim - count]
    wide, n = widened(x), count_along(x, tuple(range(ndim - count, ndim)))
    mean = settled(sum(wide, dims, True) / n) if center else sum(wide, dims, True) * 0
    centred = wide - mean if center else wide
    rstd = rsqrt(sum(square(centred), dims, True) / n + eps)
    y = centred * rstd
    if weight is not None:
        y = y * widened(weight)
    if bias is not None:
        y = y + widened(bias)
    return cast(y, x.meta.dtype), reshape(mean, rows), reshape(rstd, rows)


def add_layer_norm(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    x, residual, weight, bias = inputs
    total = x + residual
    y, mean, rstd = layer_norm((total, weight, bias), attrs, dynamic)
    return y, total, mean, rstd


def layer_norm_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (grad, x, mean, rstd, weight), (count, center) = inputs, attrs
    ndim = x.meta.ndim
    dims, n = tuple(range(ndim - count, ndim)), count_along(x, tuple(range(ndim - count, ndim)))
    columns = (*mean.meta.shape, *(1,) * count)
    scale = reshape(rstd, columns)
    dy = widened(grad) if weight is None else widened(grad) * widened(weight)
    xhat = (widened(x) - reshape(mean, columns) if center else widened(x)) * scale
    inner = dy - xhat * settled(sum(dy * xhat, dims, True) / n)
    if center:
        inner = inner - settled(sum(dy, dims, True) / n)
    return (cast(inner * scale, x.meta.dtype),)


def batch_norm_statistics(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (x, running_mean, running_var), (momentum, eps) = inputs, dynamic
    dims = tuple([d for d in range(x.meta.ndim) if d != 1])
    count = count_along(x, dims)
    variance, mean = moments(x, dims, 0, False)
    variance = settled(variance)
    for running, value in ((running_mean, mean), (running_var, variance * (count / max(count - 1, 1)))):
        if running is not None:
            copy_(running, widened(running) * (1 - momentum) + value * momentum)
    return mean, rsqrt(variance + eps)
