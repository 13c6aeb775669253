"""Batching rules of cross entropy and nll_loss: the loss of every row of all examples, reduced for each example."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.target import beside
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction as reductions
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import zeros
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import div, mul, scalar_ne
from tritonflow.functions.index import index_get
from tritonflow.functions.join import stack
from tritonflow.functions.view import expand, reshape, select
from tritonflow.interpreter.batched import BatchedCall
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.rules.batch.examples import every, folded, looped, unfolded

_cross_entropy = op_expr("cross_entropy")
_nll_loss = op_expr("nll_loss")


def cross_entropy(call: BatchedCall) -> Any:
    """(loss, largest logit and log-sum of rows, sums of losses and weights)."""
    if call.batched[2]:
        return looped(call)
    reduction, ignored, smooth, dtype = call.attrs
    x, target, weight = every(call, 0), every(call, 1), call.inputs[2]
    own = x.meta.dtype
    attrs = ("none", ignored, smooth, dtype if reduction == "none" else own.compute)
    *of_rows, totals = dispatch(_cross_entropy, (folded(x), folded(target), weight), attrs, call.dynamic)
    losses, largest, log_sum = [unfolded(each, call.size) for each in of_rows]
    if reduction == "none":
        return losses, largest, log_sum, _no_totals(totals, call.size)
    loss, totals = _reduced(losses, target, weight, reduction, ignored)
    return cast(loss, dtype or own), largest, log_sum, totals


def nll_loss(call: BatchedCall) -> Any:
    """(loss, sums of losses and weights)."""
    if call.batched[2]:
        return looped(call)
    reduction, ignored = call.attrs
    x, target, weight = every(call, 0), every(call, 1), call.inputs[2]
    own = x.meta.dtype
    wide = x if reduction == "none" else cast(x, own.compute)
    wide_weight = weight if weight is None else cast(weight, wide.meta.dtype)
    losses, totals = dispatch(_nll_loss, (folded(wide), folded(target), wide_weight), ("none", ignored))
    losses = unfolded(losses, call.size)
    if reduction == "none":
        return losses, _no_totals(totals, call.size)
    loss, totals = _reduced(losses, target, weight, reduction, ignored)
    return cast(loss, own), totals


def cross_entropy_grad(call: BatchedCall) -> Any:
    """The gradient of the logits."""
    if call.batched[6]:
        return looped(call)
    reduction, ignored, smooth = call.attrs
    _, x, target, largest, log_sum, totals = [every(call, k) for k in range(6)]
    grad = _of_rows(call, target, totals, reduction)
    rows = [folded(each) for each in (grad, x, target, largest, log_sum)]
    inputs = (*rows, _nothing(totals), call.inputs[6])
    return unfolded(dispatch(call.op, inputs, ("none", ignored, smooth), call.dynamic), call.size)


def nll_loss_grad(call: BatchedCall) -> Any:
    """The gradient of the log-probabilities."""
    if call.batched[3]:
        return looped(call)
    (rows, *shape), reduction, ignored = call.attrs
    target, totals = every(call, 1), every(call, 2)
    grad = _of_rows(call, target, totals, reduction)
    inputs = (folded(grad), folded(target), _nothing(totals), call.inputs[3])
    return unfolded(dispatch(call.op, inputs, ((rows * call.size, *shape), "none", ignored)), call.size)


def _reduced(losses: Tensor, target: Tensor, weight: Any, reduction: str, ignored: int) -> tuple[Any, Any]:
    """(the loss of each example, its sums of losses and of weights)."""
    counts = scalar_ne(target, ignored)
    if weight is None:
        weights = cast(counts, losses.meta.dtype)
    else:
        of_rows = index_get(weight, [where_scalar_y(counts, target, 0)], 0, False)
        weights = mul(cast(of_rows, losses.meta.dtype), counts)
    over = tuple(range(1, losses.meta.ndim))
    loss, count = reductions.sum(losses, over), reductions.sum(weights, over)
    totals = stack([loss.detach(), count], 1)
    return (div(loss, count) if reduction == "mean" else loss), totals


def _of_rows(call: BatchedCall, target: Tensor, totals: Tensor, reduction: str) -> Any:
    """The gradient of each row's loss."""
    grad = every(call, 0)
    if reduction == "none":
        return grad
    if reduction == "mean":
        grad = div(cast(grad, totals.meta.dtype), select(totals, 1, 1))
    grad = expand(reshape(grad, (call.size, *[1] * (target.meta.ndim - 1))), target.meta.shape)
    return cast(grad, call.metas[0].dtype)  # type: ignore[union-attr]


def _nothing(totals: Tensor) -> Any:
    return zeros((0,), dtype=totals.meta.dtype, **beside(totals))


def _no_totals(totals: Tensor, size: int) -> Any:
    return zeros((size, 0), dtype=totals.meta.dtype, **beside(totals))
