"""Batching rules of matrix products, convolutions and attention."""

from __future__ import annotations

from typing import Any

from tritonflow.execution.op_expr import op_expr
from tritonflow.functions.arithmetic import add
from tritonflow.functions.matmul import matmul as product
from tritonflow.functions.view import expand, reshape, unsqueeze
from tritonflow.interpreter.batched import BatchedCall
from tritonflow.interpreter.dispatch import dispatch, dispatch2
from tritonflow.rules.batch.examples import aligned, every, folded, looped, unfolded, widened

_linear = op_expr("linear")


def matmul(call: BatchedCall) -> Any:
    """A product of matrices, whose dimensions in front broadcast."""
    ndim = max([meta.ndim for meta in call.metas if meta is not None])
    a, b = aligned(call, 0, ndim), aligned(call, 1, ndim)
    return product(a, b, *call.attrs)


def unrounded_product(call: BatchedCall) -> Any:
    """A product of matrices in float32, as `matmul`."""
    ndim = max([meta.ndim for meta in call.metas if meta is not None])
    return dispatch2(call.op, aligned(call, 0, ndim), aligned(call, 1, ndim))


def linear(call: BatchedCall) -> Any:
    """Rows of all examples times one weight, or a product for each."""
    x, weight, bias = call.inputs
    if not call.batched[1] and not call.batched[2]:
        return unfolded(dispatch(_linear, (folded(x), weight, bias)), call.size)
    out = product(x, weight, False, True) if call.batched[0] or call.batched[1] else unsqueeze(product(x, weight, False, True), 0)
    if bias is not None:
        out = add(out, widened(bias, 2) if call.batched[2] else bias)
    return out if out.meta.shape[0] == call.size else expand(out, (call.size, *out.meta.shape[1:]))


def quantized_linear(call: BatchedCall) -> Any:
    """Rows of all examples times one weight of few bits; a product for each where weights or biases differ."""
    x, *rest = call.inputs
    if any(call.batched[1:]):
        return looped(call)
    return unfolded(dispatch(call.op, (folded(x), *rest), call.attrs), call.size)


def conv2d(call: BatchedCall) -> Any:
    """Further images of one weight, or groups of channels with a weight each."""
    stride, padding, dilation, groups = call.attrs
    if not call.batched[1] and not call.batched[2]:
        _, weight, bias = call.inputs
        return unfolded(dispatch(call.op, (folded(call.inputs[0]), weight, bias), call.attrs), call.size)
    x, weight, bias = (every(call, k) for k in range(3))
    inputs = (folded(x, 1), folded(weight), None if bias is None else folded(bias))
    out = dispatch(call.op, inputs, (stride, padding, dilation, groups * call.size))
    return unfolded(out, call.size, 1)


def conv_data_grad(call: BatchedCall) -> Any:
    """The gradient of the input, as for `conv2d`."""
    (n, c, *image), *window, groups = call.attrs
    if not call.batched[1]:
        attrs = ((n * call.size, c, *image), *window, groups)
        return unfolded(dispatch2(call.op, folded(call.inputs[0]), call.inputs[1], attrs), call.size)
    attrs = ((n, c * call.size, *image), *window, groups * call.size)
    return unfolded(dispatch2(call.op, folded(every(call, 0), 1), folded(every(call, 1)), attrs), call.size, 1)


def conv_transpose_biased(call: BatchedCall) -> Any:
    """The same, with a bias."""
    (n, c, *image), *window, groups = call.attrs
    if not call.batched[1] and not call.batched[2]:
        _, weight, bias = call.inputs
        attrs = ((n * call.size, c, *image), *window, groups)
        return unfolded(dispatch(call.op, (folded(call.inputs[0]), weight, bias), attrs), call.size)
    attrs = ((n, c * call.size, *image), *window, groups * call.size)
    inputs = (folded(every(call, 0), 1), folded(every(call, 1)), folded(every(call, 2)))
    return unfolded(dispatch(call.op, inputs, attrs), call.size, 1)


def conv_filter_grad(call: BatchedCall) -> Any:
    """The gradient of the weight: each example is a group of channels."""
    (o, *kernel), *window, groups = call.attrs
    attrs = ((o * call.size, *kernel), *window, groups * call.size)
    out = dispatch2(call.op, folded(every(call, 0), 1), folded(every(call, 1), 1), attrs)
    return unfolded(out, call.size)


def attention(call: BatchedCall) -> Any:
    """Further batches of heads; `drawn` is the state that dropout draws from, of which each example has its own."""
    names = call.op.definition.inputs
    drawn = call.inputs[names.index("drawn")]
    if drawn is not None:
        return looped(call)
    count = call.metas[names.index("query")].shape[0]  # type: ignore[union-attr]
    inputs = []
    for k, name in enumerate(names):
        x = every(call, k)
        if x is not None and "mask" in name and x.meta.shape[1] != count:
            x = expand(x, (call.size, count, *x.meta.shape[2:]))
        inputs.append(None if x is None else folded(x))
    found = dispatch(call.op, tuple(inputs), call.attrs, call.dynamic)
    return tuple([unfolded(x, call.size) for x in found])


def searchsorted(call: BatchedCall) -> Any:
    """Rows and values of all examples; one row that all values share becomes one for each example."""
    row, values = call.metas
    assert row is not None and values is not None
    if row.ndim > 1:
        return dispatch2(call.op, every(call, 0), every(call, 1), call.attrs)
    if not call.batched[0]:
        return dispatch2(call.op, call.inputs[0], call.inputs[1], call.attrs)
    flat = reshape(every(call, 1), (call.size, values.numel))
    return reshape(dispatch2(call.op, call.inputs[0], flat, call.attrs), (call.size, *values.shape))
