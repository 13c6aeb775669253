"""Planners of the optimizer steps that update many parameters in one launch (multi_tensor.py).

The inputs are whether the step is to be skipped (or None), then all parameters, all gradients, and each kind of state. All are
written in place but the gradients. The output is an empty tensor: an op has to have one.
"""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import float32, float64
from tritonflow.framework.meta import contiguous_meta
from tritonflow.ops.elementwise import triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.multi_tensor import Metas, TablePlan, are_aligned, chunking, scalar_dtype
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Operands, Scalar, Workspace
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("optimizer")
rules = KernelModule("optimizer_rules")
codes = KernelModule("optimizer_codes")

_SGD_COLUMNS, _ADAM_COLUMNS, _ADAM_COUNT = 4, 7, 5  # size, parameter, gradient, states; where Adam's count of steps is
_CODE_COLUMNS, _CODE_COUNT = 10, 7
_COUNTS_PER_PROGRAM = 128


def _update(
    kernel: Any, inputs: Metas, count: int, scalars: tuple[Operands, ...], flags: dict[str, Any], numbers: int = 0
) -> Launch:
    """`numbers`: how many columns of numbers stand before the states."""
    skip, parameter, gradient = inputs[0], inputs[1], inputs[1 + count]
    first = 1 + (2 + numbers) * count
    state = inputs[first] if len(inputs) > first else parameter
    assert parameter is not None and gradient is not None and state is not None
    config, programs = chunking(inputs[1 : 1 + count])
    constexprs = {
        "PARAMETER": triton_dtype(parameter.dtype),
        "GRADIENT": triton_dtype(gradient.dtype),
        "STATE": triton_dtype(state.dtype),
        "ALIGNED": facts_of(parameter.device).kind == "gpu" and are_aligned(_shaped(inputs, count, numbers), count),
        **flags,
        **config["constexprs"],
    }
    operands = (None if skip is None else Input(0), *Workspace.several(2), *scalars)
    return Launch(kernel, (programs,), operands, (), constexprs, num_warps=config["num_warps"])


def _shaped(inputs: Metas, count: int, numbers: int) -> Metas:
    """The inputs that have a parameter's shape, columns of numbers left out."""
    return (*inputs[1 : 1 + 2 * count], *inputs[1 + (2 + numbers) * count :]) if numbers else inputs[1:]


def _done(inputs: Metas) -> Any:
    parameter = inputs[1]
    assert parameter is not None
    return contiguous_meta((0,), parameter.dtype, parameter.device)


def sgd(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Attributes: (count, weight decay?, momentum?, first step?, nesterov, maximize)."""
    count, decay, momentum, first, nesterov, maximize = attrs
    flags = {"DECAY": decay, "MOMENTUM": momentum, "FIRST": first, "NESTEROV": nesterov, "MAXIMIZE": maximize}
    done = _done(inputs)
    launch = _update(kernels.sgd, inputs, count, Scalar.several(4, scalar_dtype(done.dtype)), flags)
    return TablePlan(inputs, (done,), [launch], 1, count, _SGD_COLUMNS)


def adam(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Attributes: (count, weight decay?, bias correction?, decoupled, amsgrad, maximize).

    The counts of steps are increased after the update.
    """
    count, decay, corrected, decoupled, amsgrad, maximize = attrs
    flags = {"DECAY": decay, "CORRECTED": corrected, "DECOUPLED": decoupled, "AMSGRAD": amsgrad, "MAXIMIZE": maximize}
    update = _update(kernels.adam, inputs, count, Scalar.several(5, float64), flags)
    counting = _counting(update, count, _ADAM_COLUMNS, _ADAM_COUNT)
    return TablePlan(inputs, (_done(inputs),), [update, counting], 1, count, _ADAM_COLUMNS)


def _counting(update: Launch, count: int, width: int, column: int) -> Launch:
    """What increases the counts of steps, which are in a column, behind an update."""
    constexprs = {"WIDTH": width, "COLUMN": column, "BLOCK": _COUNTS_PER_PROGRAM}
    grid = (-(-count // _COUNTS_PER_PROGRAM),)
    return Launch(kernels.count_steps, grid, (update.operands[0], Workspace(0)), (count,), constexprs, num_warps=1)


def adam8bit(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Attributes: (count, block size, weight decay?, decoupled, amsgrad, maximize)."""
    count, size, decay, decoupled, amsgrad, maximize = attrs
    skip, parameter, gradient = inputs[0], inputs[1], inputs[1 + count]
    assert parameter is not None and gradient is not None
    columns = inputs[1:]
    shaped = [meta for k in (0, 1, 2, 4, 7) for meta in columns[k * count : (k + 1) * count]]
    config, programs = chunking(columns[:count])
    rows = max(1, config["constexprs"]["BLOCK"] // size)
    constexprs = {
        "PARAMETER": triton_dtype(parameter.dtype),
        "GRADIENT": triton_dtype(gradient.dtype),
        "DECAY": decay, "DECOUPLED": decoupled, "AMSGRAD": amsgrad, "MAXIMIZE": maximize,
        "ALIGNED": facts_of(parameter.device).kind == "gpu" and are_aligned(tuple(shaped), count),
        "CHUNK": config["constexprs"]["CHUNK"], "ROWS": rows, "SIZE": size,
        "LOOKUP": facts_of(parameter.device).kind == "cpu",
    }  # fmt: skip
    operands = (None if skip is None else Input(0), *Workspace.several(2), *Scalar.several(5, float64))
    update = Launch(codes.adam_of_codes, (programs,), operands, (), constexprs, num_warps=config["num_warps"])
    counting = _counting(update, count, _CODE_COLUMNS, _CODE_COUNT)
    return TablePlan(inputs, (_done(inputs),), [update, counting], 1, count, _CODE_COLUMNS)


def update(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """A step by a rule of kernels/optimizer_rules.py; behind it the numbers of each parameter are advanced.

    Attributes: (count, rule, weight decay?, decoupled, maximize). Columns: parameters, gradients, the rule's numbers and states.
    """
    count, name, decay, decoupled, maximize = attrs
    rule = rules.RULES[name]
    width = 3 + rule.numbers + rule.states
    number = inputs[1 + 2 * count] if rule.numbers else None
    numbers = {"NUMBERS": rule.numbers, "NUMBER": triton_dtype(float32 if number is None else number.dtype)}
    flags = {"SCALARS": rule.scalars, "STEP": rule.step, "STATES": rule.states, **numbers}
    flags |= {"DECAY": decay, "DECOUPLED": decoupled, "MAXIMIZE": maximize}
    hyperparameters = Scalar.several(rule.hyperparameters, float64)
    launch = _update(kernels.update, inputs, count, (hyperparameters,), flags, rule.numbers)
    constexprs = {"ADVANCE": rule.advance, "WIDTH": width, **numbers}
    operands = (launch.operands[0], Workspace(0), hyperparameters)
    advance = Launch(kernels.advance, (count,), operands, (count,), constexprs, num_warps=1)
    launches = [launch, advance] if rule.advance is not rules.same else [launch]
    return TablePlan(inputs, (_done(inputs),), launches, 1, count, width)
