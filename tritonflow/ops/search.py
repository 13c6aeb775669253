"""The planner of searchsorted."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Output
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("search")


def searchsorted(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The position of each value in a sorted row, one for all or one for each row of values; attributes: (right, dtype)."""
    (rows, values), (right, dtype) = inputs, attrs
    out = contiguous_meta(values.shape, dtype, values.device)
    length = rows.shape[-1]
    count = values.shape[-1] if values.ndim else 1
    options = kernels.config()
    warps = options.pop("num_warps")
    grid = (-(-values.numel // options["BLOCK"]),)
    row_stride = 0 if rows.ndim == 1 else length
    sizes = (values.numel, count, length, row_stride, length.bit_length())
    operands = (*Input.several(2), Output(0))
    launch = Launch(kernels.positions, grid, operands, sizes, {"RIGHT": right, **options}, num_warps=warps)
    return Plan(inputs, (out,), [launch])
