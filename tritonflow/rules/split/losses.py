"""Losses over classes that are split, or of samples that are."""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import DType
from tritonflow.errors import IndexOutOfRangeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.sbp import broadcast, split
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import zeros
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import (
    eq,
    exp,
    log,
    logical_and,
    scalar_ne,
)
from tritonflow.functions.index import index_select
from tritonflow.functions.join import stack
from tritonflow.functions.reduction import amax, sum
from tritonflow.functions.view import reshape, select, squeeze, unsqueeze
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.layout import box
from tritonflow.ops.loss import OUT_OF_BOUNDS
from tritonflow.rules.split.values import Outputs, settled, whole_range, widened

_cross_entropy = op_expr("cross_entropy")
_nll_loss = op_expr("nll_loss")


def cross_entropy(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """A mean is the ratio of two sums over all samples, of losses and of weights."""
    (x, target, weight), (reduction, ignore_index, smooth, dtype), (smoothing,) = inputs, attrs, dynamic
    result = dtype or x.meta.dtype
    if reduction == "mean":
        attrs = "sum", ignore_index, smooth, dtype
        _, largest, log_sum, totals = dispatch(_cross_entropy, tuple(inputs), attrs, tuple(dynamic))
        mean, totals = _ratio(totals, result)
        return mean, largest, log_sum, totals
    wide, top = widened(x), widened(settled(amax(x, (1,), True)))
    log_sum = settled(log(sum(exp(wide - top), (1,), True)))
    hits, weights = _targets(x, target, weight, ignore_index)
    losses = weights * squeeze(log_sum + (top - settled(_picked(wide, hits))), (1,))
    if smooth:
        of_classes = log_sum + (top - wide)
        if weight is not None:
            of_classes = of_classes * _by_class(weight, x)
        smoothed = where_scalar_y(scalar_ne(target, ignore_index), sum(of_classes, (1,)), 0.0)
        losses = losses * (1 - smoothing) + smoothed * (smoothing / x.meta.shape[1])
    out, totals = _reduced(losses, weights, reduction)
    return cast(out, result), squeeze(top, (1,)), squeeze(log_sum, (1,)), totals


def cross_entropy_grad(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    (grad, x, target, largest, log_sum, totals, weight), (reduction, ignore_index, smooth), (smoothing,) = inputs, attrs, dynamic
    hits, weights = _targets(x, target, weight, ignore_index)
    powers = exp(widened(x) - unsqueeze(largest, 1) - unsqueeze(log_sum, 1))
    dx = (powers - cast(hits, powers.meta.dtype)) * unsqueeze(weights, 1)
    if smooth:
        if weight is None:
            share = powers * x.meta.shape[1] - 1
        else:
            share = powers * sum(widened(weight)) - _by_class(weight, x)
        share = where_scalar_y(unsqueeze(scalar_ne(target, ignore_index), 1), share, 0.0)
        dx = dx * (1 - smoothing) + share * (smoothing / x.meta.shape[1])
    row = widened(grad) if reduction != "mean" else widened(grad) / select(totals, 0, 1)
    return (cast(dx * (unsqueeze(row, 1) if reduction == "none" else row), x.meta.dtype),)


def nll_loss(inputs: Any, attrs: Any, dynamic: Any) -> Outputs:
    """A mean is the ratio of two sums over all samples, of losses and of weights."""
    (x, target, weight), (reduction, ignore_index) = inputs, attrs
    if reduction == "mean":
        _, totals = dispatch(_nll_loss, tuple(inputs), ("sum", ignore_index))
        return _ratio(totals, x.meta.dtype)
    hits, weights = _targets(x, target, weight, ignore_index)
    losses = squeeze(_picked(widened(x), hits), (1,)) * weights * -1
    out, totals = _reduced(losses, weights, reduction)
    return cast(out, x.meta.dtype), totals


def _ratio(totals: Tensor, dtype: DType) -> Outputs:
    """The ratio, partial where the sum of losses is, as other means are; and both sums, whole."""
    both = settled(totals)
    return cast(select(totals, 0, 0) / select(both, 0, 1), dtype), both


def _targets(x: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int) -> tuple[Tensor, Tensor]:
    """Where the class is the target, as (n, classes, ...), and the weight of every sample.

    Raises:
        IndexOutOfRangeError: a target is no class.
    """
    counts = scalar_ne(target, ignore_index)
    index = where_scalar_y(counts, target, 0)
    classes = whole_range(x, x.meta.shape[1])
    try:
        chosen = index_select(classes if weight is None else weight, 0, reshape(index, (-1,)))  # checks the targets, too
    except IndexOutOfRangeError:
        raise IndexOutOfRangeError(OUT_OF_BOUNDS.format(x.meta.shape[1])) from None
    weights = cast(counts, x.meta.dtype.compute)
    if weight is not None:
        weights = weights * reshape(widened(chosen), index.meta.shape)
    own = box(classes, classes.meta.placement, tuple([split(0) if one == split(1) else broadcast for one in x.meta.sbp]))
    return logical_and(eq(_by_class(own, x), unsqueeze(index, 1)), unsqueeze(counts, 1)), weights


def _by_class(values: Tensor, x: Tensor) -> Tensor:
    """A value for each class, as (1, classes, 1 ...)."""
    return reshape(values, tuple([-1 if d == 1 else 1 for d in range(x.meta.ndim)]))


def _picked(x: Tensor, hits: Tensor) -> Tensor:
    """What x has at the target, as (n, 1, ...)."""
    return sum(where_scalar_y(hits, x, 0.0), (1,), True)  # type: ignore[no-any-return]


def _reduced(losses: Tensor, weights: Tensor, reduction: str) -> tuple[Tensor, Tensor]:
    """The losses or their sum, and the two totals, of which there are none where nothing is reduced."""
    if reduction == "none":
        meta: Any = losses.meta
        sbp = (broadcast,) * meta.placement.ndim
        return losses, zeros((0,), dtype=meta.dtype, placement=meta.placement, sbp=sbp)
    total = settled(sum(losses))
    return total, stack([total, settled(sum(weights))])
