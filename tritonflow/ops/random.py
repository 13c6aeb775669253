"""Planners of random ops.

The input `state` is a generator's {seed, offset}; every plan ends with the launch that moves the offset on.
"""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import DType, bfloat16, bool_, float16, float32, int64
from tritonflow.errors import ShapeError
from tritonflow.framework.meta import TensorMeta, sized_meta
from tritonflow.ops.elementwise import launch
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Output, Scalar
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("random")
functions = KernelModule("functions.random")


def uniform(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Numbers in [low, high); attributes: (shape, dtype); dynamic: (low, high)."""
    function = {float16: functions.uniform_half, bfloat16: functions.uniform_bfloat}.get(attrs[1], functions.uniform)
    return _fill(inputs, attrs, function, 2)


def normal(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Normally distributed numbers; attributes: (shape, dtype); dynamic: (mean, std)."""
    (state,), (shape, dtype) = inputs, attrs
    y = sized_meta(shape, dtype, state.device)
    return Plan(inputs, (y,), [_by_counters(kernels.normal, y, _scalars(dtype, 2)), _advance(Input(0), y.numel)])


def exponential(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Exponentially distributed numbers; attributes: (shape, dtype); dynamic: (rate,)."""
    return _fill(inputs, attrs, functions.exponential, 1)


def bernoulli(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """1 with probability p, else 0; attributes: (shape, dtype); dynamic: (p,)."""
    return _fill(inputs, attrs, functions.bernoulli, 1)


def bernoulli_of(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """1 with the probability in each element of the input, which is looked at first: it must be in [0, 1].

    A graph that draws within another kernel does not look.
    """
    p, _ = inputs
    y = p.contiguous()
    draw = launch(functions.bernoulli_of, None, y.shape, (p, y), (y,), (Input(0), (Input(1),)), (Output(0),))
    options = kernels.config()
    warps = options.pop("num_warps")
    grid = (-(-y.numel // options["BLOCK"]),)
    look = Launch(kernels.refuse_no_probability, grid, (Input(0), ERROR_WORD), (y.numel,), options, num_warps=warps)
    steps = [look, draw, _advance(Input(1), y.numel)]
    message = "bernoulli expects every element of the input to be in [0, 1]"
    return Plan(inputs, (y,), steps, index_check=message, check_error=ShapeError, validate=1)


def dropout(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(x * scale where kept else 0, kept); dynamic: (p, scale)."""
    x, _ = inputs
    y, kept = x.contiguous(), x.with_dtype(bool_)
    sources, targets = (Input(0), (Input(1),)), Output.several(2)
    draw = launch(functions.dropout, None, y.shape, (x, y), (y, kept), sources, targets, _scalars(x.dtype, 2))
    return Plan(inputs, (y, kept), [draw, _advance(Input(1), y.numel)])


def integers(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Whole numbers low + (0 ... size-1); attributes: (shape, dtype, whether size > 2^32); dynamic: (low, size)."""
    (state,), (shape, dtype, wide) = inputs, attrs
    if not wide:
        return _fill(inputs, (shape, dtype), functions.integer, 2, int64)
    y = sized_meta(shape, dtype, state.device)
    return Plan(inputs, (y,), [_by_counters(kernels.wide_integers, y, _scalars(int64, 2)), _advance(Input(0), y.numel)])


def reserve(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The state as it is, which moves on by so many numbers; attributes: (count,)."""
    (state,) = inputs
    counters = kernels.counters(attrs[0])
    return Plan(inputs, (state,), [Launch(kernels.reserve, (1,), (Input(0), Output(0)), (counters,), num_warps=1)])


def _fill(
    inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], function: Any, scalars: int, compute: DType | None = None
) -> Plan:
    """A tensor of (shape, dtype) of what a function makes of each word and the scalars."""
    (state,), (shape, dtype) = inputs, attrs
    y = sized_meta(shape, dtype, state.device)
    names = _scalars(compute or (dtype if dtype.is_floating_point else float32), scalars)
    draw = launch(function, None, shape, (y,), (y,), ((Input(0),),), (Output(0),), names)
    return Plan(inputs, (y,), [draw, _advance(Input(0), y.numel)])


def _scalars(dtype: DType, count: int) -> tuple[Scalar, ...]:
    return Scalar.several(count, dtype.compute)


def _by_counters(kernel: Any, y: TensorMeta, scalars: tuple[Scalar, ...]) -> Launch:
    options = kernels.config()
    warps = options.pop("num_warps")
    return Launch(
        kernel, (-(-y.numel // options["BLOCK"]),), (Output(0), Input(0), *scalars), (y.numel,), options, num_warps=warps
    )


def _advance(state: Input, n: int) -> Launch:
    return Launch(kernels.advance, (1,) if n else (0,), (state,), (kernels.counters(n),), num_warps=1)
