"""Functors that make tensors from nothing: empty, constants, ranges, eye; and one_hot."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import dtypes
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import DTypeNotImplementedError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.locality import local_device
from tritonflow.framework.tensor import Tensor
from tritonflow.functional import data_exchange
from tritonflow.functional.functors.cast import copy_
from tritonflow.functional.library import functor
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.interpreter.recording import require_grad
from tritonflow.ops.cast import scalar_of

Number = int | float | bool
Shape = tuple[int, ...]
CPU = Device("cpu")

_empty = op_expr("empty")
_constant = op_expr("full")
_arange = op_expr("arange")
_linspace = op_expr("linspace")
_eye = op_expr("eye")
_one_hot = op_expr("one_hot")
_tril = op_expr("tril")
_triu = op_expr("triu")


def leaf(x: Tensor, requires_grad: bool) -> Tensor:
    """x, marked as requiring grad if wanted."""
    if requires_grad:
        require_grad(x)
    return x


def checked_shape(shape: Shape) -> Shape:
    """A shape without negative sizes."""
    shape = tuple(shape)
    if shape and min(shape) < 0:
        raise ShapeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    return shape


@functor("Empty")
def empty(size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False) -> Any:
    attrs = (checked_shape(size), dtype or dtypes.get_default_dtype(), device or CPU)
    return leaf(dispatch(_empty, (), attrs), requires_grad)


@functor("Full")
def full(
    size: Shape,
    fill_value: Number,
    dtype: DType | None = None,
    device: Device | None = None,
    requires_grad: bool = False,
) -> Any:
    dtype = dtype or dtypes.of_scalar(fill_value.__class__)
    attrs = (checked_shape(size), dtype, device or CPU)
    return leaf(dispatch(_constant, (), attrs, (scalar_of(fill_value, dtype),)), requires_grad)


@functor("Zeros")
def zeros(size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False) -> Any:
    return full(size, 0, dtype or dtypes.get_default_dtype(), device, requires_grad)


@functor("Ones")
def ones(size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False) -> Any:
    return full(size, 1, dtype or dtypes.get_default_dtype(), device, requires_grad)


@functor("EmptyLike")
def empty_like(
    input: Tensor, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:
    return empty(input.meta.shape, dtype or input.meta.dtype, local_device("empty_like", input, device), requires_grad)


@functor("FullLike")
def full_like(
    input: Tensor,
    fill_value: Number,
    dtype: DType | None = None,
    device: Device | None = None,
    requires_grad: bool = False,
) -> Any:
    return full(input.meta.shape, fill_value, dtype or input.meta.dtype, local_device("full_like", input, device), requires_grad)


@functor("ZerosLike")
def zeros_like(
    input: Tensor, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:
    return zeros(input.meta.shape, dtype or input.meta.dtype, local_device("zeros_like", input, device), requires_grad)


@functor("OnesLike")
def ones_like(
    input: Tensor, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:
    return ones(input.meta.shape, dtype or input.meta.dtype, local_device("ones_like", input, device), requires_grad)


@functor("NewEmpty")
def new_empty(
    input: Tensor, size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:
    return empty(size, dtype or input.meta.dtype, local_device("new_empty", input, device), requires_grad)


@functor("NewZeros")
def new_zeros(
    input: Tensor, size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:
    return zeros(size, dtype or input.meta.dtype, local_device("new_zeros", input, device), requires_grad)


@functor("NewOnes")
def new_ones(
    input: Tensor, size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:
    return ones(size, dtype or input.meta.dtype, local_device("new_ones", input, device), requires_grad)


@functor("NewFull")
def new_full(
    input: Tensor,
    size: Shape,
    fill_value: Number,
    dtype: DType | None = None,
    device: Device | None = None,
    requires_grad: bool = False,
) -> Any:
    return full(size, fill_value, dtype or input.meta.dtype, local_device("new_full", input, device), requires_grad)


@functor("Arange")
def arange(
    start: Number, end: Number, step: Number = 1, dtype: DType | None = None, device: Device | None = None,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    if step == 0:
        raise InvalidArgumentError("step must be nonzero")
    if (end - start) * step < 0:
        raise InvalidArgumentError("upper bound and lower bound inconsistent with step sign")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise InvalidArgumentError(f"unsupported range: {start} -> {end}")
    if dtype is dtypes.bool_:
        raise DTypeNotImplementedError("\"arange\" not implemented for 'Bool': argument 'dtype' must not be bool")
    if dtype is None:
        whole = not any(isinstance(v, float) for v in (start, end, step))
        dtype = dtypes.int64 if whole else dtypes.get_default_dtype()
    if not dtype.is_floating_point:
        start, end, step = int(start), int(end), int(step)
        n = -(-(end - start) // step)
    else:
        start, step = float(start), float(step)
        n = math.ceil((end - start) / step)
    return leaf(dispatch(_arange, (), (n, dtype, device or CPU), (start, step)), requires_grad)


@functor("ArangeEnd")
def arange_end(
    end: Number, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:
    return arange(0, end, 1, dtype, device, requires_grad)


@functor("Linspace")
def linspace(
    start: Number,
    end: Number,
    steps: int,
    dtype: DType | None = None,
    device: Device | None = None,
    requires_grad: bool = False,
) -> Any:
    if steps < 0:
        raise InvalidArgumentError("number of steps must be non-negative")
    dtype = dtype or dtypes.get_default_dtype()
    if not dtype.is_floating_point:
        return data_exchange.tensor(_whole_steps(int(start), int(end), steps), dtype=dtype, device=device)
    values = (float(start), float(end), (end - start) / (steps - 1) if steps > 1 else 0.0)
    return leaf(dispatch(_linspace, (), (steps, dtype, device or CPU), values), requires_grad)


def _whole_steps(start: int, end: int, steps: int) -> list[int]:
    """torch's integer linspace: a float step, from either end, rounded towards zero."""
    step = (end - start) / (steps - 1) if steps > 1 else 0.0
    half = (steps + 1) // 2
    return [int(start + step * i) if i < half else int(end - step * (steps - 1 - i)) for i in range(steps)]


@functor("Eye")
def eye(
    n: int, m: int | None = None, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:
    m = n if m is None else m
    if n < 0 or m < 0:
        raise InvalidArgumentError(f"{'n' if n < 0 else 'm'} must be greater or equal to 0, got {n if n < 0 else m}")
    return leaf(dispatch(_eye, (), ((n, m), dtype or dtypes.get_default_dtype(), device or CPU)), requires_grad)


@functor("Tril")
def tril(input: Tensor, diagonal: int = 0, inplace: bool = False) -> Any:
    return _triangle(_tril, "tril", input, diagonal, inplace)


@functor("Triu")
def triu(input: Tensor, diagonal: int = 0, inplace: bool = False) -> Any:
    return _triangle(_triu, "triu", input, diagonal, inplace)


def _triangle(op: Any, name: str, input: Tensor, diagonal: int, inplace: bool) -> Any:
    if input.meta.ndim < 2:
        raise ShapeError(f"{name}: input tensor must have at least 2 dimensions")
    result = dispatch1(op, input, (diagonal,))
    return copy_(input, result) if inplace else result
