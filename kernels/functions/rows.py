"""Functions of whole rows, for fused kernels: their arguments are tiles (ROWS, COLS) or one number for each row (ROWS, 1).

Every function gets `mask`, which says which elements of the tile exist, and `count`, the number of elements of a row. Results have
either form. The order of additions is that of the tile, as in the kernels of these ops for rows that fit in one.
"""

import triton
import triton.language as tl

from ..reductions import (
    finish_std,
    finish_var,
    reduce_max,
    reduce_min,
    reduce_moments,
    start_max,
    start_min,
    start_moments,
)


@triton.jit
def row_sum(x, mask, count):
    return tl.sum(tl.where(mask, x, 0), axis=1, keep_dims=True)


@triton.jit
def row_mean(x, mask, count):
    return row_sum(x, mask, count) / count.to(x.dtype)


@triton.jit
def row_amax(x, mask, count):
    return reduce_max(start_max((x,), 0, mask), 1)[0][:, None]


@triton.jit
def row_amin(x, mask, count):
    return reduce_min(start_min((x,), 0, mask), 1)[0][:, None]


@triton.jit
def row_moments(x, mask):
    mean, squares, _ = reduce_moments(start_moments((x,), 0, mask), 1)
    return mean[:, None], squares[:, None]


@triton.jit
def row_var(x, mask, count, correction: tl.constexpr):
    return finish_var(row_moments(x, mask), count - correction)[0].to(x.dtype)


@triton.jit
def row_std(x, mask, count, correction: tl.constexpr):
    return finish_std(row_moments(x, mask), count - correction)[0].to(x.dtype)


@triton.jit
def row_var_mean(x, mask, count, correction: tl.constexpr):
    moments = row_moments(x, mask)
    return finish_var(moments, count - correction)[0].to(x.dtype), moments[0].to(x.dtype)


@triton.jit
def shifted(x, mask):
    """x minus the largest element of its row."""
    return x - tl.max(tl.where(mask, x, -float("inf")), axis=1, keep_dims=True)


@triton.jit
def row_softmax(x, mask, count):
    e = tl.exp(shifted(x, mask))
    return e / row_sum(e, mask, count)


@triton.jit
def row_log_softmax(x, mask, count):
    v = shifted(x, mask)
    return v - tl.log(row_sum(tl.exp(v), mask, count))


@triton.jit
def row_softmax_grad(grad, y, mask, count):
    return y * (grad - row_sum(grad * y, mask, count))


@triton.jit
def row_log_softmax_grad(grad, y, mask, count):
    return grad - tl.exp(y) * row_sum(grad, mask, count)


@triton.jit
def add_pairs(a, b, c, d):
    return a + c, b + d


@triton.jit
def row_deviations(x, mask, count):
    """(x - mean, mean, variance)

    The sum of a wide row is rounded so often that its mean may be far from the middle of values that are much larger than their
    deviations: there the mean of the deviations is taken off again, and its square off theirs. It costs a fifth of a layer norm.
    """
    mean = row_mean(x, mask, count)
    v = tl.where(mask, x - mean, 0)
    if x.shape[1] > 1024:
        error, squares = tl.reduce((v, v * v), 1, add_pairs, keep_dims=True)
        error /= count.to(x.dtype)
        return tl.where(mask, v - error, 0), mean + error, squares / count.to(x.dtype) - error * error
    else:
        return v, mean, row_mean(v * v, mask, count)


@triton.jit
def row_layer_norm(x, weight, bias, eps, mask, count, center: tl.constexpr):
    """(y, mean, rstd)"""
    if center:
        v, mean, var = row_deviations(x, mask, count)
    else:
        v = tl.where(mask, x, 0)
        mean = tl.full((mask.shape[0], 1), 0, x.dtype)
        var = row_mean(v * v, mask, count)
    rstd = 1 / tl.sqrt(var + eps)
    y = v * rstd
    if weight is not None:
        y *= weight
    if bias is not None:
        y += bias
    return y, mean, rstd


@triton.jit
def row_layer_norm_grad(grad, x, mean, rstd, weight, mask, count, center: tl.constexpr):
    g = grad if weight is None else grad * weight
    xhat = (x - mean) * rstd
    result = g - xhat * row_mean(g * xhat, mask, count)
    if center:
        result -= row_mean(g, mask, count)
    return result * rstd
