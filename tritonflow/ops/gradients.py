"""Planners of what is done to all gradients in one launch (multi_tensor.py): norms, clipping, unscaling; of the loss's scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.dtypes import float32, int32
from tritonflow.framework.meta import contiguous_meta
from tritonflow.ops.elementwise import triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.multi_tensor import Metas, TablePlan, chunking, scalar_dtype
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Operands, Output, Scalar, Workspace
from tritonflow.ops.plan import Launch, Plan
from tritonflow.ops.reduce import norms_by_order, reductions_by_op

kernels = KernelModule("gradients")

_COLUMNS = 2  # size, gradient


def _launch(
    kernel: Any, inputs: Metas, single: int, operands: Sequence[Operands], constexprs: dict[str, Any]
) -> Launch:
    gradient = inputs[single]
    assert gradient is not None
    config, programs = chunking(inputs[single:])
    constexprs = {"GRADIENT": triton_dtype(gradient.dtype), **constexprs, **config["constexprs"]}
    return Launch(kernel, (programs,), operands, (), constexprs, num_warps=config["num_warps"])


def norms(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """The norm of every chunk of CHUNK elements; attributes: (order, None where it is a run-time scalar)."""
    (order,) = attrs
    gradient = inputs[0]
    assert gradient is not None
    names = (reductions_by_op()["sum"] if order is None else norms_by_order()[order]).functions()
    names["ROOT"] = 0 if order is None else 2 if order == 2 else 1
    compute = gradient.dtype.compute
    launch = _launch(
        kernels.norms, inputs, 0, [Output(0), Workspace(0), Workspace(1), Scalar(0, scalar_dtype(compute))], names
    )
    out = contiguous_meta((launch.grid[0],), compute, gradient.device)
    return TablePlan(inputs, (out,), [launch], 0, len(inputs), _COLUMNS)


def scale_to_norm(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Inputs: (total norm, gradients)."""
    gradient = inputs[1]
    assert gradient is not None
    operands = [Input(0), Workspace(0), Workspace(1), Scalar(0, scalar_dtype(gradient.dtype))]
    done = contiguous_meta((0,), gradient.dtype, gradient.device)
    launch = _launch(kernels.scale_to_norm, inputs, 1, operands, {})
    return TablePlan(inputs, (done,), [launch], 1, len(inputs) - 1, _COLUMNS)


def clip(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Inputs: the gradients."""
    gradient = inputs[0]
    assert gradient is not None
    done = contiguous_meta((0,), gradient.dtype, gradient.device)
    launch = _launch(kernels.clip, inputs, 0, [Workspace(0), Workspace(1), Scalar(0, scalar_dtype(gradient.dtype))], {})
    return TablePlan(inputs, (done,), [launch], 0, len(inputs), _COLUMNS)


def unscale(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Inputs: (scale, found_inf, gradients)."""
    gradient = inputs[2]
    assert gradient is not None
    done = contiguous_meta((0,), gradient.dtype, gradient.device)
    launch = _launch(kernels.unscale, inputs, 2, [Input(0), Input(1), Workspace(0), Workspace(1)], {})
    return TablePlan(inputs, (done,), [launch], 2, len(inputs) - 2, _COLUMNS)


def update_scale(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Inputs: (scale, growth tracker, found_inf), the first two are written."""
    scale = inputs[0]
    assert scale is not None
    done = contiguous_meta((0,), scale.dtype, scale.device)
    operands = [Input(0), Input(1), Input(2), *Scalar.several(2, float32), Scalar(2, int32)]
    return Plan(inputs, (done,), [Launch(kernels.update_scale, (1,), operands, num_warps=1)])
