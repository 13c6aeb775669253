"""Planners of tensors made from nothing: constants, ranges, eye; and one_hot.

The attributes begin with (shape or size, dtype, device); the numbers are dynamic scalars. Where an op makes a rank's shard of a
larger tensor, attributes and scalars behind the others say which (ops/sbp/creation.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.device.device import Device
from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, float64, int64
from tritonflow.errors import ShapeError
from tritonflow.framework.meta import TensorMeta, contiguous_meta, sized_meta
from tritonflow.ops.cast import filling
from tritonflow.ops.elementwise import scalar_dtype
from tritonflow.ops.kernel_modules import KernelModule, imported
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Operands, Output, Scalar
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("creation")


def empty(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Memory as it is."""
    return Plan((), (sized_meta(*attrs),), [])


def constant(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """One number everywhere."""
    y = sized_meta(*attrs)
    return Plan((), (y,), [filling(y, Output(0), Scalar(0, scalar_dtype(y.dtype)))])


def arange(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """start + i * step; dynamic: (start, step)."""
    return _ramp("arange", 2, *attrs)


def linspace(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Evenly from start to end; dynamic: (start, end, step)."""
    return _ramp("linspace", 3, *attrs)


def _ramp(name: str, scalars: int, n: int, dtype: DType, device: Device, whole: int | None = None) -> Plan:
    """Indices times a step, in float64 (as torch does on the CPU) or int64.

    Of a shard `whole` is the number of elements of all shards, and one more dynamic scalar the index of its first.
    """
    tl = imported("triton.language")
    y = contiguous_meta((n,), dtype, device)
    taken, compute = (float64, tl.float64) if dtype.is_floating_point else (int64, tl.int64)
    numbers = Scalar.several(scalars, taken)
    if whole is None:
        return Plan((), (y,), [_launch(getattr(kernels, name), n, (Output(0), *numbers), (n,), COMPUTE=compute)])
    operands = (Output(0), *numbers, Scalar(scalars, int64))
    return Plan((), (y,), [_launch(getattr(kernels, name + "_shard"), n, operands, (n, whole), COMPUTE=compute)])


def eye(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """1 on the diagonal; attributes: (shape, dtype, device), and of a shard the diagonal's column in the first row."""
    shape, dtype, device, *column = attrs
    y = contiguous_meta(shape, dtype, device)
    kernel = kernels.eye_shard if column else kernels.eye
    return Plan((), (y,), [_row_launch(kernel, y, (Output(0),), (y.shape[1], *column))])


def one_hot(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """A row of zeros with a one per label; attributes: (number of classes,)."""
    (labels,), (classes,) = inputs, attrs
    y = contiguous_meta((*labels.shape, classes), int64, labels.device)
    launch = _row_launch(kernels.one_hot, y, (Input(0), Output(0), ERROR_WORD), (classes,))
    message = "Class values must be non-negative and smaller than num_classes."
    return Plan(inputs, (y,), [launch], index_check=message, check_error=ShapeError)


def tril(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The lower triangle; attributes: (diagonal,)."""
    return _triangle(inputs[0], attrs[0], lower=True)


def triu(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The upper triangle; attributes: (diagonal,)."""
    return _triangle(inputs[0], attrs[0], lower=False)


def _triangle(x: TensorMeta, diagonal: int, lower: bool) -> Plan:
    y = x.contiguous()
    sizes = (*x.shape[-2:], max(-x.shape[-2], min(diagonal, x.shape[-1])))
    return Plan((x,), (y,), [_row_launch(kernels.triangle, y, (Input(0), Output(0)), sizes, LOWER=lower)])


def triangle_indices(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The coordinates of a triangle, two rows; attributes: (rows, columns, diagonal, whether the lower one, dtype, device)."""
    rows, cols, diagonal, lower, dtype, device = attrs
    diagonal = max(-rows, min(diagonal, cols))
    above = kernels.count_above(rows, cols, diagonal + 1 if lower else diagonal)
    count = above if lower else rows * cols - above
    y = contiguous_meta((2, count), dtype, device)
    sizes, fixed = (count, cols, diagonal), {"LOWER": lower, "BLOCK": 128}
    return Plan((), (y,), [Launch(kernels.triangle_indices, (rows,), (Output(0),), sizes, fixed, num_warps=4)])


def _launch(kernel: Any, n: int, operands: Sequence[Operands], sizes: tuple[int, ...], **constexprs: Any) -> Launch:
    options = kernels.config()
    warps = options.pop("num_warps")
    return Launch(kernel, (-(-n // options["BLOCK"]),), operands, sizes, constexprs | options, num_warps=warps)


def _row_launch(kernel: Any, y: TensorMeta, operands: Sequence[Operands], sizes: tuple[int, ...], **constexprs: Any) -> Launch:
    """A launch that computes the rows of `y`."""
    rows = y.numel // max(y.shape[-1], 1)
    options, tiles = kernels.row_config(facts_of(y.device), rows, y.shape[-1])
    warps = options.pop("num_warps")
    return Launch(kernel, (tiles,), operands, (rows, *sizes), constexprs | options, num_warps=warps)
