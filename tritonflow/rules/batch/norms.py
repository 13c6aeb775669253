"""Batching rules of normalisations and of cross entropy."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import BatchingError
from tritonflow.execution.op_expr import op_expr
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.generated import mul
from tritonflow.functions.view import reshape
from tritonflow.interpreter.batched import BatchedCall
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.rules.batch.examples import every, folded, unfolded, widened

_layer_norm = op_expr("layer_norm")
_layer_norm_grad = op_expr("layer_norm_grad")


def layer_norm(call: BatchedCall) -> Any:
    """More rows; weights that differ from example to example are applied behind."""
    return _normalized(call, every(call, 0), 1)


def add_layer_norm(call: BatchedCall) -> Any:
    """The sum, and the rows of the sum normalised."""
    total = add(every(call, 0), every(call, 1))
    y, *statistics = _normalized(call, total, 2)
    return y, total, *statistics


def _normalized(call: BatchedCall, x: Any, first: int) -> Any:
    """Rows normalised, and their statistics; the call's input `first` is the weight, the bias follows."""
    weight, bias = call.inputs[first : first + 2]
    batched = call.batched[first : first + 2]
    if not any(batched):
        return dispatch(_layer_norm, (x, weight, bias), call.attrs, call.dynamic)
    y, mean, rstd = dispatch(_layer_norm, (cast(x, x.meta.dtype.compute), None, None), call.attrs, call.dynamic)
    ndim = x.meta.ndim - 1
    if weight is not None:
        y = mul(y, widened(weight, ndim) if batched[0] else weight)
    if bias is not None:
        y = add(y, widened(bias, ndim) if batched[1] else bias)
    return cast(y, x.meta.dtype), mean, rstd


def layer_norm_grad(call: BatchedCall) -> Any:
    """The gradient of the input: weights that differ from example to example are applied before."""
    grad, x, mean, rstd, weight = [every(call, k) if k < 4 else call.inputs[4] for k in range(5)]
    return _input_gradient(call, grad, x, mean, rstd, weight, call.attrs)


def add_layer_norm_grad(call: BatchedCall) -> Any:
    """The gradient of a sum that is normalised, and read besides."""
    return add(layer_norm_grad(call), every(call, 5))


def _input_gradient(call: BatchedCall, grad: Any, x: Any, mean: Any, rstd: Any, weight: Any, attrs: Any) -> Any:
    if weight is not None and call.batched[4]:
        grad, weight = cast(mul(grad, widened(weight, grad.meta.ndim - 1)), grad.meta.dtype), None
    return dispatch(_layer_norm_grad, (grad, x, mean, rstd, weight), attrs)


def layer_norm_param_grad(call: BatchedCall) -> Any:
    """Sums over the rows of each example."""
    dims, dtype = call.attrs
    grad, x, mean, rstd = [every(call, k) for k in range(4)]
    return _of_parameters(grad, x, mean, rstd, dims, True, dtype)


def layer_norm_gradients(call: BatchedCall) -> Any:
    """The gradients of input, weight and bias."""
    dims, center, dtype = call.attrs
    grad, x, mean, rstd = [every(call, k) for k in range(4)]
    dx = _input_gradient(call, grad, x, mean, rstd, call.inputs[4], (dims, center))
    if call.inputs[5] is not None:
        dx = add(dx, every(call, 5))
    return dx, *_of_parameters(grad, x, mean, rstd, dims, center, dtype)


def _of_parameters(grad: Any, x: Any, mean: Any, rstd: Any, dims: int, center: bool, dtype: Any) -> tuple[Any, Any]:
    wide = x.meta.dtype.compute
    rows = (*x.meta.shape[: x.meta.ndim - dims], *[1] * dims)
    grad, x = cast(grad, wide), cast(x, wide)
    xhat = mul(sub(x, reshape(mean, rows)) if center else x, reshape(rstd, rows))
    over = tuple(range(1, x.meta.ndim - dims))
    found = [reduction.sum(t, over) if over else t for t in (mul(grad, xhat), grad)]
    return cast(found[0], dtype), cast(found[1], dtype)


def batch_norm(call: BatchedCall) -> Any:
    """Each example has channels of its own: (batch, n, c, ...) is (n, batch * c, ...). Running statistics are written."""
    x, weight, bias, mean, var = [every(call, k) for k in range(5)]
    running = [call.inputs[3], call.inputs[4]]
    for tensor, mine in zip(running, call.batched[3:]):
        if tensor is not None and not mine:
            raise _statistics_without_batch()
    means, variances = (None if t is None else folded(t) for t in running)
    inputs = (folded(x, 1), *[None if t is None else folded(t) for t in (weight, bias)], means, variances)
    y, mean, rstd = dispatch(call.op, inputs, call.attrs, call.dynamic)
    for own, written in zip(running, (means, variances)):
        if own is not None and written is not None and written.impl is not own.impl:
            copy_(own, unfolded(written, call.size))
    return unfolded(y, call.size, 1), unfolded(mean, call.size), unfolded(rstd, call.size)


def _statistics_without_batch() -> Exception:
    return BatchingError(
        "Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in place, were not"
        " batched. If you are using a module and do not need eval mode, please set `track_running_stats` to be False. If you are"
        " using a prebuilt module and do not need eval mode, please see the functorch website for resources on how to patch your"
        " module to work with vmap"
    )


def batch_norm_eval(call: BatchedCall) -> Any:
    """The same with statistics that are given."""
    x, *others = [every(call, k) for k in range(5)]
    inputs = (folded(x, 1), *[None if t is None else folded(t) for t in others])
    y, rstd = dispatch(call.op, inputs, call.attrs, call.dynamic)
    return unfolded(y, call.size, 1), unfolded(rstd, call.size)


def batch_norm_grad(call: BatchedCall) -> Any:
    """The gradients of input, weight and bias."""
    grad, x, *others = [every(call, k) for k in range(5)]
    inputs = (folded(grad, 1), folded(x, 1), *[None if t is None else folded(t) for t in others])
    dx, *of_channels = dispatch(call.op, inputs, call.attrs, call.dynamic)
    return unfolded(dx, call.size, 1), *[unfolded(t, call.size) for t in of_channels]
