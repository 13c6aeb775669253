"""Planners of 2-d pooling over (n, c, h, w) and of its gradients; every size in the attributes is a pair."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import int32, int64
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.ops.images import written_last
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Operands, Output
from tritonflow.ops.plan import Launch, Plan, constant, stride
from tritonflow.ops.scratch import Scratch

kernels = KernelModule("pool")
last = KernelModule("pool_last")

UNROLLED_TAPS, UNROLLED_WINDOWS = 9, 4  # of max pooling, of its gradient: up to so many the loop is unrolled

MOST_TAPS = 2**31  # of a window, which a kernel visits one by one: more would take minutes for each output

Attrs = tuple[Any, ...]


def _marked(values: Shape) -> tuple[stride, ...]:
    return tuple([stride(v) for v in values])


def _launch(kernel: Any, operands: Sequence[Operands], result: TensorMeta, sizes: Any, **constexprs: Any) -> Launch:
    """A launch that computes every element of `result`."""
    config = kernels.config(facts_of(result.device), result.numel)
    grid = (-(-result.numel // config["constexprs"]["BLOCK"]),)
    fixed = {**constexprs, **config["constexprs"]}
    return Launch(kernel, grid, operands, (result.numel, *sizes), fixed, num_warps=config["num_warps"])


def _row_launch(kernel: Any, operands: Sequence[Operands], result: TensorMeta, sizes: Any, **constexprs: Any) -> Launch:
    """A launch that computes the rows of `result`, of all planes."""
    rows, width = prod(result.shape[:3]), result.shape[3]
    config, tiles = kernels.row_config(facts_of(result.device), rows, width)
    fixed = {**constexprs, **config["constexprs"]}
    return Launch(kernel, (tiles,), operands, (rows, *sizes), fixed, num_warps=config["num_warps"])


def _last_launch(
    kernel: Any, operands: Sequence[Operands], result: TensorMeta, sizes: Any, **constexprs: Any
) -> Launch:
    """A launch that computes the channels of each position of `result`, which is channels-last."""
    channels = result.shape[1]
    positions = result.numel // channels
    config, tiles = last.config(facts_of(result.device), positions, channels)
    sizes = (positions, channels, *sizes)
    fixed = {**constexprs, **config["constexprs"]}
    return Launch(kernel, (tiles,), operands, sizes, fixed, num_warps=config["num_warps"])


def _steps(values: Shape) -> tuple[Any, ...]:
    """Strides, which the kernel knows up to 2: a CPU then loads every second pixel as vectors and a shuffle."""
    return tuple([constant(v) if v <= 2 else v for v in values])


def _counts(values: Shape, unrolled: bool) -> tuple[Any, ...]:
    """How often a loop runs, which the kernel knows where it is unrolled."""
    return tuple([constant(v) for v in values]) if unrolled else values


def _paired(extent: Shape, step: Shape, padding: Shape) -> bool:
    """Whether columns 2 k and 2 k + 1 have window k first."""
    return step[1] == 2 and extent[1] - padding[1] == 2


def _out(x: TensorMeta, kernel: Shape, step: Shape, padding: Shape, dilation: Shape, ceil_mode: bool) -> TensorMeta:
    if prod(kernel) >= MOST_TAPS:
        raise InvalidArgumentError(f"pooling: windows of {kernel} elements are too large: expected fewer than {MOST_TAPS} in all")
    geometry = zip(x.shape[2:], kernel, step, padding, dilation)
    sizes = [kernels.output_size(*g, ceil_mode) for g in geometry]
    return contiguous_meta((*x.shape[:2], *sizes), x.dtype, x.device)


def _windows(extent: Shape, step: Shape, dy: TensorMeta) -> tuple[int, ...]:
    """How many windows of `extent` inputs may contain one input: at most all that there are."""
    return tuple([min(kernels.windows_over(e, s), n) for e, s, n in zip(extent, step, dy.shape[2:])])


def max_pool2d(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """(maxima, their positions in the plane); attributes: (kernel, stride, padding, dilation, ceil_mode, return_indices).

    Positions that only the backward reads are of int32: they are half of the bytes that are written.
    """
    (x,), (kernel, step, padding, dilation, ceil_mode, return_indices) = inputs, attrs
    index = int64 if return_indices or prod(x.shape[2:]) >= 2**31 else int32
    y = _out(x, kernel, step, padding, dilation, ceil_mode)
    unrolled = prod(kernel) <= UNROLLED_TAPS
    sizes = (x.shape[2:], y.shape[2:], _counts(kernel, unrolled), _steps(step), padding, _marked(dilation))
    if x.is_channels_last:
        y, indices = (written_last(x, y.shape, dtype) for dtype in (x.dtype, index))
        launch = _last_launch(last.max_pool_last, (Input(0), *Output.several(2)), y, sizes, UNROLLED=unrolled)
        return Plan(inputs, (y, indices), [launch])
    launch = _row_launch(kernels.max_pool, (Input(0), *Output.several(2)), y, sizes, UNROLLED=unrolled)
    return Plan(inputs, (y, y.with_dtype(index)), [launch])


def max_pool_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """dx from (dy, positions); attributes: (shape of x, kernel, stride, padding, dilation)."""
    (dy, indices), (shape, kernel, step, padding, dilation) = inputs, attrs
    dx = contiguous_meta(shape, dy.dtype, dy.device)
    extent = tuple([d * (k - 1) + 1 for d, k in zip(dilation, kernel)])
    windows = _windows(extent, step, dy)
    scratch = Scratch()
    if indices.is_channels_last:
        gradient = Input(0) if dy.is_channels_last else scratch.channels_last(dy, Input(0), dy.dtype, None)[0]
        dx = written_last(indices, shape, dy.dtype)
        unrolled = prod(windows) <= UNROLLED_WINDOWS
        sizes = (shape[2:], dy.shape[2:], extent, _steps(step), padding, _counts(windows, unrolled))
        read: tuple[Operands, ...] = (gradient, Input(1), Output(0))
        launch = _last_launch(last.max_pool_backward_last, read, dx, sizes, UNROLLED=unrolled)
        return Plan(inputs, (dx,), [*scratch.launches, launch], scratch.workspaces)
    unrolled = prod(windows) <= UNROLLED_WINDOWS
    sizes = (shape[2:], dy.shape[2:], extent, _steps(step), padding, _counts(windows, unrolled))
    fixed = {"UNROLLED": unrolled, "PAIRED": _paired(extent, step, padding)}
    operands = (scratch.contiguous(dy, Input(0)), Input(1), Output(0))
    launch = _row_launch(kernels.max_pool_backward, operands, dx, sizes, **fixed)
    return Plan(inputs, (dx,), [*scratch.launches, launch], scratch.workspaces)


def max_pool_grad_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """x at the positions of the maxima, from (x, positions)."""
    x, indices = inputs
    y = contiguous_meta(indices.shape, x.dtype, x.device)
    sizes = (x.shape[2:], indices.shape[2:])
    return Plan(inputs, (y,), [_launch(kernels.pick, (Input(0), Input(1), Output(0)), y, sizes)])


def avg_pool2d(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """Means of windows; attributes: (kernel, stride, padding, ceil_mode, count_include_pad, divisor_override)."""
    (x,), (kernel, step, padding, ceil_mode, count_padding, divisor) = inputs, attrs
    y = _out(x, kernel, step, padding, (1, 1), ceil_mode)
    counting = {"COUNT_PADDING": count_padding, "OVERRIDE": divisor is not None}
    if x.is_channels_last:
        y, unrolled = written_last(x, y.shape, x.dtype), prod(kernel) <= UNROLLED_TAPS
        sizes = (x.shape[2:], y.shape[2:], _counts(kernel, unrolled), _steps(step), padding, divisor or 1)
        launch = _last_launch(last.avg_pool_last, (Input(0), Output(0)), y, sizes, UNROLLED=unrolled, **counting)
        return Plan(inputs, (y,), [launch])
    sizes = (x.shape[2:], y.shape[2:], kernel, _steps(step), padding, divisor or 1)
    return Plan(inputs, (y,), [_row_launch(kernels.avg_pool, (Input(0), Output(0)), y, sizes, **counting)])


def avg_pool_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """dx from dy; attributes: (shape of x, then those of avg_pool2d)."""
    (dy,), (shape, kernel, step, padding, _, count_padding, divisor) = inputs, attrs
    windows = _windows(kernel, step, dy)
    counting = {"COUNT_PADDING": count_padding, "OVERRIDE": divisor is not None}
    if dy.is_channels_last:
        dx = written_last(dy, shape, dy.dtype)
        unrolled = prod(windows) <= UNROLLED_WINDOWS
        counts = _counts(windows, unrolled)
        sizes = (shape[2:], dy.shape[2:], _counts(kernel, unrolled), _steps(step), padding, counts, divisor or 1)
        launch = _last_launch(
            last.avg_pool_backward_last, (Input(0), Output(0)), dx, sizes, UNROLLED=unrolled, **counting
        )
        return Plan(inputs, (dx,), [launch])
    dx = contiguous_meta(shape, dy.dtype, dy.device)
    sizes = (shape[2:], dy.shape[2:], kernel, _steps(step), padding, windows, divisor or 1)
    fixed = {**counting, "PAIRED": _paired(kernel, step, padding)}
    return Plan(inputs, (dx,), [_row_launch(kernels.avg_pool_backward, (Input(0), Output(0)), dx, sizes, **fixed)])
