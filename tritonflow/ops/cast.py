"""Planners of casts, copies and fills: the elementwise template with the identity, and layouts of the result's own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import isfinite
from typing import Any

from tritonflow.dtypes import INTEGER, DType, bool_, float32
from tritonflow.errors import DTypeError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar, calculated, for_user
from tritonflow.framework.symbolic_int import SymbolicInt
from tritonflow.ops.elementwise import launch, scalar_dtype, scalar_function
from tritonflow.ops.images import laid_out_like
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Output, Scalar
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("cast_together")

TOGETHER = 4096  # elements of a program that casts one of several tensors


def cast(
    op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], outputs: Sequence[TensorMeta] = ()
) -> Plan:
    """The input in another dtype, laid out as `copy.clone` does, or as `outputs` has it; attributes: (dtype,)."""
    (x,), (dtype,) = inputs, attrs
    (y,) = outputs or [laid_out_like(x, dtype)]
    return Plan(inputs, (y,), [move(x, Input(0), y, Output(0))])


def cast_together(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Contiguous inputs in another dtype, by one launch; attributes: (dtype,)."""
    (dtype,) = attrs
    outputs, count = [x.with_dtype(dtype) for x in inputs], len(inputs)
    sizes = tuple([x.numel for x in inputs])
    firsts = tuple(accumulate([-(-n // TOGETHER) for n in sizes], initial=0))
    operands, blocks = (Input.several(count), Output.several(count)), {"BLOCK": TOGETHER}
    return Plan(inputs, outputs, [
        Launch(kernels.cast_together, (firsts[-1],), operands, (sizes, firsts[:-1]), blocks, num_warps=4),
    ])  # fmt: skip


def copy(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(target, source): the source broadcast and cast into the target's memory."""
    target, source = inputs
    return Plan(inputs, (target,), [move(source, Input(1), target, Output(0))])


def fill(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The dynamic scalar in every element of the input's memory."""
    (x,) = inputs
    return Plan(inputs, (x,), [filling(x, Output(0), Scalar(0, scalar_dtype(x.dtype)))])


def move(x: TensorMeta, source: Input, y: TensorMeta, target: Output) -> Launch:
    """The launch that copies x to y, with a cast and a broadcast where they differ."""
    function, compute = conversion(x.dtype, y.dtype)
    return launch(scalar_function(function), compute, y.shape, (x,), (y,), (source,), (target,))


def conversion(source: DType, target: DType) -> tuple[str, DType]:
    """The scalar function of a cast, and the dtype that it takes: float8 is bytes, which a function makes or reads."""
    names = [dtype.name.removeprefix("float8_") for dtype in (source, target)]
    if source is target or not (source.is_storage or target.is_storage):
        return "arithmetic.identity", source.compute
    if not target.is_storage:
        return f"float8.{names[0]}_to_float", source.compute
    if not source.is_storage:
        return f"float8.float_to_{names[1]}", float32
    return f"float8.{names[0]}_to_{names[1]}", source.compute


def filling(y: TensorMeta, target: Output, scalar: Scalar) -> Launch:
    """The launch that writes one number everywhere."""
    function, compute = conversion(float32 if y.dtype.is_storage else y.dtype, y.dtype)
    return launch(scalar_function(function), compute, y.shape, (), (y,), (), (target,), (scalar,))


def scalar_of(value: Any, dtype: DType) -> Any:
    """A Python number converted as a cast to `dtype` would convert it.

    Raises:
        RuntimeError: an integer dtype cannot hold it; unsigned ones take negative integers modulo their range, as torch's do.
    """
    if type(value) is SymbolicInt or type(value) is RuntimeScalar:
        return _run_time_scalar_of(value, dtype)
    if dtype.is_complex:
        return complex(value)
    if value.__class__ is complex:
        if value.imag and dtype is not bool_:
            raise overflow_error(dtype)
        value = value.real or value.imag
    if dtype.is_floating_point:
        return float(value)
    if dtype is bool_:
        return int(bool(value))
    if value.__class__ is not int and not isfinite(value):
        raise overflow_error(dtype)
    whole = int(value)
    low, high = bounds_of(dtype, isinstance(value, int))
    if not low <= value <= high:
        raise overflow_error(dtype)
    return whole if dtype.is_signed else whole % (1 << 8 * dtype.itemsize)


def _run_time_scalar_of(value: Any, dtype: DType) -> Any:
    """The same of a number that differs from run to run: the number of the capture, where what comes of it depends on more."""
    if dtype.is_floating_point:
        return calculated(float, value)
    number = for_user(value)
    if dtype is bool_ or dtype.is_complex or not isinstance(number.value, int):
        return scalar_of(number.pin(), dtype)
    low, high = bounds_of(dtype, True)
    if not low <= number <= high:
        raise overflow_error(dtype)
    if not dtype.is_signed and number < 0:  # it counts from the end of the dtype's range
        return scalar_of(number.pin(), dtype)
    return number


def bounds_of(dtype: DType, whole: bool) -> tuple[int, int]:
    """The least and the greatest number that an integer dtype can be given; negative integers count for unsigned ones, too."""
    bits = 8 * dtype.itemsize
    high = (1 << (bits - 1 if dtype.is_signed else bits)) - 1
    return -high - 1 if dtype.is_signed else -high if whole else 0, high


def check_scalars(dtype: DType, *values: float | None) -> None:
    """Numbers that take part in an integer result have to fit its dtype; floats make the result floating.

    Raises:
        RuntimeError: one does not fit.
    """
    if dtype.category == INTEGER and not any(isinstance(v, float) for v in values):
        for value in values:
            if value is not None:
                scalar_of(value, dtype)


def overflow_error(dtype: DType) -> DTypeError:
    """What is raised where a number does not fit."""
    return DTypeError(f"value cannot be converted to type {dtype.name} without overflow")
