"""Quantisation and products of integers, which are exact: they are computed in float64."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.onnx.reading.convolutions import convolution
from tritonflow.onnx.reading.dtypes import NARROW, flow_dtype, name_of
from tritonflow.onnx.reading.pointwise import cast
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import positive


def _spread(values: Any, node: Any, x: Any) -> Any:
    """Scales or zeros in a shape that fits the tensor's: of all, along an axis, or of blocks along it."""
    if values is None or values.ndim == 0:
        return values
    axis, block = positive(node.get("axis", 1), x.ndim), node.get("block_size", 0)
    if block:
        return flow.narrow(flow.repeat_interleave(values, block, axis), axis, 0, x.shape[axis])
    if values.ndim != 1:
        raise ValueError(f"{node.op} takes scales of rank 0 or 1, or a block_size, but got rank {values.ndim}")
    if values.shape[0] == 1 and x.shape[axis] != 1:
        return values
    shape = [1] * x.ndim
    shape[axis] = values.shape[0]
    return flow.reshape(values, shape)


@op("DequantizeLinear")
def _dequantize(node: Any, x: Any, scale: Any, zero: Any = None) -> Any:
    dtype = flow_dtype(node.get("output_dtype")) if node.get("output_dtype", 0) else scale.dtype
    factor = _spread(scale, node, x)
    if x.dtype.is_floating_point:
        return (x.to(flow.float32) * factor.to(flow.float32)).to(dtype)
    codes = x.to(flow.int64 if x.dtype is flow.int32 else flow.int32)
    if zero is not None:
        codes = codes - _spread(zero, node, x).to(codes.dtype)
    return (codes.to(flow.float32) * factor.to(flow.float32)).to(dtype)


@op("QuantizeLinear")
def _quantize(node: Any, x: Any, scale: Any, zero: Any = None) -> Any:
    code = node.get("output_dtype", 0)
    dtype = flow_dtype(code) if code else flow.uint8 if zero is None else zero.dtype
    factor = _spread(scale, node, x)
    wide = flow_dtype(node.get("precision")) if node.get("precision", 0) else factor.dtype
    scaled = x.to(wide) / factor.to(wide)
    if dtype.is_floating_point:
        return cast(scaled, dtype, bool(node.get("saturate", 1)))
    limits = flow.iinfo(dtype)
    low, high = NARROW[name_of(code)][1:] if code and name_of(code) in NARROW else (limits.min, limits.max)
    rounded = flow.round(scaled).to(flow.float32)
    if zero is not None:
        rounded = rounded + _spread(zero, node, x).to(flow.float32)
    return flow.clamp(rounded, low, high).to(dtype)


def _without_zero(x: Any, zero: Any) -> Any:
    wide = x.to(flow.float64)
    return wide if zero is None else wide - zero.to(flow.float64)


def _row_zeros(zero: Any) -> Any:
    """Zeros of rows as a column."""
    return zero if zero is None or zero.ndim != 1 or zero.shape[0] == 1 else flow.unsqueeze(zero, 1)


@op("MatMulInteger")
def _matmul_integer(node: Any, a: Any, b: Any, a_zero: Any = None, b_zero: Any = None) -> Any:
    product = flow.matmul(_without_zero(a, _row_zeros(a_zero)), _without_zero(b, b_zero))
    return product.to(flow.int32)


@op("ConvInteger")
def _conv_integer(node: Any, x: Any, weight: Any, x_zero: Any = None, weight_zero: Any = None) -> Any:
    if weight_zero is not None and weight_zero.ndim == 1:
        weight_zero = flow.reshape(weight_zero, (-1, *[1] * (weight.ndim - 1)))
    return convolution(node, _without_zero(x, x_zero), _without_zero(weight, weight_zero)).to(flow.int32)


def _requantized(exact: Any, scale: Any, zero: Any) -> Any:
    limits = flow.iinfo(zero.dtype)
    rounded = flow.round(exact * scale) + zero.to(exact.dtype)
    return flow.clamp(rounded, limits.min, limits.max).to(zero.dtype)


@op("QLinearMatMul")
def _qlinear_matmul(
    node: Any, a: Any, a_scale: Any, a_zero: Any, b: Any, b_scale: Any, b_zero: Any, y_scale: Any, y_zero: Any
) -> Any:
    exact = flow.matmul(_without_zero(a, _row_zeros(a_zero)), _without_zero(b, b_zero))
    scale = _row_zeros(a_scale).to(flow.float64) * b_scale.to(flow.float64) / y_scale.to(flow.float64)
    return _requantized(exact, scale, y_zero)


@op("QLinearConv")
def _qlinear_conv(
    node: Any, x: Any, x_scale: Any, x_zero: Any, w: Any, w_scale: Any, w_zero: Any, y_scale: Any, y_zero: Any, bias: Any = None
) -> Any:
    column = (-1, *[1] * (w.ndim - 1))
    zeros = flow.reshape(w_zero, column) if w_zero.ndim == 1 else w_zero
    exact = convolution(node, _without_zero(x, x_zero), _without_zero(w, zeros))
    if bias is not None:
        exact = exact + flow.reshape(bias.to(flow.float64), column[:-1])
    factor = flow.reshape(w_scale, column[:-1]) if w_scale.ndim == 1 else w_scale
    return _requantized(exact, x_scale.to(flow.float64) * factor.to(flow.float64) / y_scale.to(flow.float64), y_zero)


@op("DynamicQuantizeLinear")
def _dynamic_quantize(node: Any, x: Any) -> Any:
    low, high = flow.clamp(flow.amin(x), max=0), flow.clamp(flow.amax(x), min=0)
    scale = (high - low) / 255
    scale = flow.where(scale == 0, 1, scale).to(flow.float32)
    zero = flow.clamp(flow.round(-low / scale), 0, 255)
    codes = flow.clamp(flow.round(x / scale) + zero, 0, 255).to(flow.uint8)
    return codes, scale, zero.to(flow.uint8)
