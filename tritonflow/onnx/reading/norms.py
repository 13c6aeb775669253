"""Normalisations and softmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tritonflow.nn import functional as F
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import positive


def _hardmax(x: Any, dim: int) -> Any:
    first = flow.argmax(x, dim, keepdim=True)
    shape = [1] * x.ndim
    shape[dim] = x.shape[dim]
    return (flow.reshape(flow.arange(x.shape[dim], device=x.device), shape) == first).to(x.dtype)


_ALONG: dict[str, Callable[[Any, int], Any]] = {"Softmax": F.softmax, "LogSoftmax": F.log_softmax, "Hardmax": _hardmax}


def _of_rows(name: str) -> Callable[..., Any]:
    """Of versions before 13: all dimensions from the axis on are one."""

    def run(node: Any, x: Any) -> Any:
        axis, rows = node.get("axis", 1), 1
        axis = axis + x.ndim if axis < 0 else axis
        for size in x.shape[:axis]:
            rows = rows * size
        return flow.reshape(_ALONG[name](flow.reshape(x, (rows, -1)), 1), x.shape)

    return run


def _of_axis(name: str) -> Callable[..., Any]:
    return lambda node, x: _ALONG[name](x, positive(node.get("axis", -1), x.ndim))


for _name in _ALONG:
    op(_name)(_of_rows(_name))
    op(_name, since=13)(_of_axis(_name))


@op("BatchNormalization")
def _batch_norm(node: Any, x: Any, scale: Any, bias: Any, mean: Any, var: Any) -> Any:
    epsilon, momentum = node.get("epsilon", 1e-5), node.get("momentum", 0.9)
    if not node.get("training_mode", 0):
        return _in_float(lambda *values: F.batch_norm(values[0], values[3], values[4], values[1], values[2], False, 0.0, epsilon),
                         x, scale, bias, mean, var)  # fmt: skip
    dims = [k for k in range(x.ndim) if k != 1]
    batch_mean, batch_var = flow.mean(x, dims), flow.var(x, dims, correction=0)
    result = F.batch_norm(x, None, None, scale, bias, True, 0.0, epsilon)
    return result, mean * momentum + batch_mean * (1 - momentum), var * momentum + batch_var * (1 - momentum)


def _in_float(function: Callable[..., Any], x: Any, *others: Any) -> Any:
    """A function in float32 where the dtypes differ, with the result in that of x."""
    if all(other.dtype is x.dtype for other in others):
        return function(x, *others)
    return function(x.to(flow.float32), *[other.to(flow.float32) for other in others]).to(x.dtype)


@op("InstanceNormalization")
def _instance_norm(node: Any, x: Any, scale: Any, bias: Any) -> Any:
    return F.instance_norm(x, None, None, scale, bias, True, 0.0, node.get("epsilon", 1e-5))


def _last_shape(node: Any, x: Any) -> Any:
    return x.shape[positive(node.get("axis", -1), x.ndim) :]


@op("LayerNormalization")
def _layer_norm(node: Any, x: Any, scale: Any, bias: Any = None) -> Any:
    shape, epsilon = _last_shape(node, x), node.get("epsilon", 1e-5)
    plain = scale.shape == shape and (bias is None or bias.shape == shape)
    if plain:
        result = F.layer_norm(x, shape, scale, bias, epsilon)
    else:
        result = F.layer_norm(x, shape, None, None, epsilon) * scale
        result = result if bias is None else result + bias
    if not (node.wants(1) or node.wants(2)):
        return result
    wide = x.to(flow.float32) if x.dtype in (flow.float16, flow.bfloat16) else x
    dims = list(range(x.ndim - len(shape), x.ndim))
    deviation = flow.rsqrt(flow.var(wide, dims, correction=0, keepdim=True) + epsilon)
    return result, flow.mean(wide, dims, keepdim=True), deviation


@op("RMSNormalization")
def _rms_norm(node: Any, x: Any, scale: Any) -> Any:
    shape, epsilon = _last_shape(node, x), node.get("epsilon", 1e-5)
    if scale.shape == shape and scale.dtype is x.dtype:
        return F.rms_norm(x, shape, scale, epsilon)
    return F.rms_norm(x, shape, None, epsilon).to(scale.dtype) * scale


@op("GroupNormalization")
def _group_norm(node: Any, x: Any, scale: Any, bias: Any) -> Any:
    groups = node.get("num_groups")
    if node.version < 21:  # one number for each group
        each = x.shape[1] // groups
        scale, bias = flow.repeat_interleave(scale, each), flow.repeat_interleave(bias, each)
    return F.group_norm(x, groups, scale, bias, node.get("epsilon", 1e-5))


@op("LRN")
def _lrn(node: Any, x: Any) -> Any:
    size, alpha, beta, bias = node.get("size"), node.get("alpha", 1e-4), node.get("beta", 0.75), node.get("bias", 1.0)
    before = (size - 1) // 2
    squares = F.pad(x * x, [0, 0] * (x.ndim - 2) + [before, size - 1 - before])
    total = flow.narrow(squares, 1, 0, x.shape[1])
    for k in range(1, size):
        total = total + flow.narrow(squares, 1, k, x.shape[1])
    return x / flow.pow(bias + alpha / size * total, beta)


@op("LpNormalization")
def _lp_normalization(node: Any, x: Any) -> Any:
    axis, p = positive(node.get("axis", -1), x.ndim), node.get("p", 2)
    length = flow.sum(flow.abs(x), axis, keepdim=True) if p == 1 else flow.sqrt(flow.sum(x * x, axis, keepdim=True))
    return flow.where(length == 0, 0, x / length).to(x.dtype)


@op("MeanVarianceNormalization")
def _mean_variance(node: Any, x: Any) -> Any:
    axes = list(node.get("axes") or (0, 2, 3))
    mean = flow.mean(x, axes, keepdim=True)
    deviation = flow.sqrt(flow.mean(x * x, axes, keepdim=True) - mean * mean)
    return (x - mean) / (deviation + 1e-9)
