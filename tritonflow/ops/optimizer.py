"""Planners of the optimizer steps that update many parameters in one launch (multi_tensor.py).

The inputs are whether the step is to be skipped (or None), then all parameters, all gradients, and each kind of state. All are
written in place but the gradients. The output is an empty tensor: an op has to have one.
"""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, float64
from tritonflow.framework.meta import contiguous_meta
from tritonflow.ops.elementwise import triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.multi_tensor import Metas, TablePlan, are_aligned, chunking, scalar_dtype
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Scalar, Workspace
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("optimizer")

_SGD_COLUMNS, _ADAM_COLUMNS, _ADAM_COUNT = 4, 7, 5  # size, parameter, gradient, states; where Adam's count of steps is
_COUNTS_PER_PROGRAM = 128


def _update(kernel: Any, inputs: Metas, count: int, scalars: tuple[int, DType], flags: dict[str, Any]) -> Launch:
    skip, parameter, gradient = inputs[0], inputs[1], inputs[1 + count]
    state = inputs[1 + 2 * count] if len(inputs) > 1 + 2 * count else parameter
    assert parameter is not None and gradient is not None and state is not None
    config, programs = chunking(inputs[1 : 1 + count])
    constexprs = {
        "PARAMETER": triton_dtype(parameter.dtype),
        "GRADIENT": triton_dtype(gradient.dtype),
        "STATE": triton_dtype(state.dtype),
        "ALIGNED": facts_of(parameter.device).kind == "gpu" and are_aligned(inputs[1:], count),
        **flags,
        **config["constexprs"],
    }
    operands = (None if skip is None else Input(0), *Workspace.several(2), *Scalar.several(*scalars))
    return Launch(kernel, (programs,), operands, (), constexprs, num_warps=config["num_warps"])


def _done(inputs: Metas) -> Any:
    parameter = inputs[1]
    assert parameter is not None
    return contiguous_meta((0,), parameter.dtype, parameter.device)


def sgd(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Attributes: (count, weight decay?, momentum?, first step?, nesterov, maximize)."""
    count, decay, momentum, first, nesterov, maximize = attrs
    flags = {"DECAY": decay, "MOMENTUM": momentum, "FIRST": first, "NESTEROV": nesterov, "MAXIMIZE": maximize}
    done = _done(inputs)
    launch = _update(kernels.sgd, inputs, count, (4, scalar_dtype(done.dtype)), flags)
    return TablePlan(inputs, (done,), [launch], 1, count, _SGD_COLUMNS)


def adam(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Attributes: (count, weight decay?, bias correction?, decoupled, amsgrad, maximize).

    The counts of steps are increased after the update.
    """
    count, decay, corrected, decoupled, amsgrad, maximize = attrs
    flags = {"DECAY": decay, "CORRECTED": corrected, "DECOUPLED": decoupled, "AMSGRAD": amsgrad, "MAXIMIZE": maximize}
    update = _update(kernels.adam, inputs, count, (5, float64), flags)
    counting = Launch(
        kernels.count_steps,
        (-(-count // _COUNTS_PER_PROGRAM),),
        (update.operands[0], Workspace(0)),
        (count,),
        {"WIDTH": _ADAM_COLUMNS, "COLUMN": _ADAM_COUNT, "BLOCK": _COUNTS_PER_PROGRAM},
        num_warps=1,
    )
    return TablePlan(inputs, (_done(inputs),), [update, counting], 1, count, _ADAM_COLUMNS)
