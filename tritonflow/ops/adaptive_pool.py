"""Planners of 2-d adaptive pooling over (n, c, h, w) and of its gradients."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import int64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Operands, Output
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("adaptive_pool")
pool = KernelModule("pool")

Attrs = tuple[Any, ...]


def _launch(name: str, operands: Sequence[Operands], x: TensorMeta, y: TensorMeta, backward: bool = False) -> Launch:
    """A launch for images like `x` and results like `y`: a program for each window, or for tiles of what is written."""
    facts, image, out = facts_of(x.device), x.shape[2:], y.shape[2:]
    fixed = {"LONG": kernels.is_long(image, out)}
    if kernels.is_wide(image, out):
        config = kernels.config(facts, image, out)
        fixed |= config["constexprs"]
        kernel = getattr(kernels, f"{name}_wide")
        return Launch(kernel, (y.numel,), operands, (y.numel, image, out), fixed, num_warps=config["num_warps"])
    written, sizes = (x, zip(out, image)) if backward else (y, zip(image, out))
    rows = prod(written.shape[:3])
    config, tiles = pool.row_config(facts, rows, written.shape[3])
    fixed |= config["constexprs"]
    most = tuple([kernels.most_inputs(*size) for size in sizes])
    return Launch(
        getattr(kernels, name), (tiles,), operands, (rows, image, out, most), fixed, num_warps=config["num_warps"]
    )


def adaptive_avg_pool2d(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """Means of windows that cover the image; attributes: (output size,)."""
    (x,), (out,) = inputs, attrs
    y = contiguous_meta((*x.shape[:2], *out), x.dtype, x.device)
    return Plan(inputs, (y,), [_launch("adaptive_avg_pool", (Input(0), Output(0)), x, y)])


def adaptive_avg_pool_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """dx from dy; attributes: (shape of x,)."""
    (dy,), (shape,) = inputs, attrs
    dx = contiguous_meta(shape, dy.dtype, dy.device)
    return Plan(inputs, (dx,), [_launch("adaptive_avg_pool_backward", (Input(0), Output(0)), dx, dy, backward=True)])


def adaptive_max_pool2d(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """(maxima of windows that cover the image, their positions in the plane); attributes: (output size,)."""
    (x,), (out,) = inputs, attrs
    y = contiguous_meta((*x.shape[:2], *out), x.dtype, x.device)
    launch = _launch("adaptive_max_pool", (Input(0), *Output.several(2)), x, y)
    return Plan(inputs, (y, y.with_dtype(int64)), [launch])


def adaptive_max_pool_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """dx from (dy, positions); attributes: (shape of x,)."""
    (dy, _), (shape,) = inputs, attrs
    dx = contiguous_meta(shape, dy.dtype, dy.device)
    operands = (Input(0), Input(1), Output(0))
    return Plan(inputs, (dx,), [_launch("adaptive_max_pool_backward", operands, dx, dy, backward=True)])
