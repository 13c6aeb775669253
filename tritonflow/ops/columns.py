"""Planners of windows as columns (unfold) and of images as sums of columns (fold)."""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Output
from tritonflow.ops.plan import Launch, Plan, stride

kernels = KernelModule("columns")

Attrs = tuple[Any, ...]


def _plan(kernel: Any, inputs: tuple[TensorMeta, ...], y: TensorMeta, image: Any, out: Any, geometry: Attrs) -> Plan:
    size, step, padding, dilation = geometry
    config = kernels.config(facts_of(y.device))
    grid = (-(-y.numel // config["constexprs"]["BLOCK"]),)
    marked = [tuple([stride(v) for v in values]) for values in (step, padding, dilation)]
    sizes = (y.numel, image, size, out, *marked)
    operands = (Input(0), Output(0))
    launch = Launch(kernel, grid, operands, sizes, config["constexprs"], num_warps=config["num_warps"])
    return Plan(inputs, (y,), [launch])


def columns(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """(n, c, kh, kw, rows of windows, columns of windows) of (n, c, h, w); attributes: (kernel, stride, padding, dilation)."""
    (x,), (size, step, padding, dilation) = inputs, attrs
    image = x.shape[2:]
    out = tuple([(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in zip(image, size, step, padding, dilation)])
    y = contiguous_meta((*x.shape[:2], *size, *out), x.dtype, x.device)
    return _plan(kernels.unfold, inputs, y, image, out, attrs)


def columns_sum(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """(n, c, h, w) of such columns; attributes: ((h, w), kernel, stride, padding, dilation)."""
    (x,), (image, *geometry) = inputs, attrs
    y = contiguous_meta((*x.shape[:2], *image), x.dtype, x.device)
    return _plan(kernels.fold, inputs, y, image, x.shape[4:], tuple(geometry))
