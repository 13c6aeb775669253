"""Functors that make tensors by other functors: logarithmic ranges, indices of triangles, given strides, powers."""

from __future__ import annotations

import math
import warnings
from typing import Any

from tritonflow import dtypes
from tritonflow.binding.library import functor
from tritonflow.binding.target import SbpList, beside, target
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import contiguous_stride
from tritonflow.framework.placement import Placement
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import scalar_pow_reversed
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import arange, checked_shape, empty, full, leaf, linspace, make, ones, require_real
from tritonflow.functions.generated import pow as tensor_pow
from tritonflow.functions.view import strided_view, unsqueeze

_triangle_indices = op_expr("triangle_indices")

Number = int | float | bool
Shape = tuple[int, ...]


@functor("Logspace")
def logspace(
    start: Number, end: Number, steps: int, base: float = 10.0, dtype: DType | None = None, device: Device | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    dtype = dtype or dtypes.get_default_dtype()
    if not dtype.is_floating_point:
        start, end = int(start), int(end)
    wide = dtype if dtype in (dtypes.float32, dtypes.float64) else dtypes.float64
    powers = scalar_pow_reversed(base, linspace(start, end, steps, wide, device, False, placement, sbp))
    return leaf(cast(powers, dtype), requires_grad)


@functor("Range")
def range_inclusive(
    start: Number, end: Number, step: Number = 1, dtype: DType | None = None, device: Device | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's"
        " range builtin. Instead, use torch.arange, which produces values in [start, end).",
        UserWarning,
        stacklevel=3,
    )
    require_real(start, end, step)
    if step == 0:
        raise InvalidArgumentError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise InvalidArgumentError(f"unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise InvalidArgumentError("upper bound and lower bound inconsistent with step sign")
    count = math.floor((end - start) / step) + 1
    dtype = dtype or dtypes.get_default_dtype()
    last = start + (count - 0.5) * step if dtype.is_floating_point else int(start) + count * int(step)
    return arange(start, last, step, dtype, device, requires_grad, placement, sbp)


@functor("ScalarTensor")
def scalar_tensor(
    s: Number, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    return full((), s, dtype or dtypes.get_default_dtype(), device, requires_grad, placement, sbp)


@functor("EmptyStrided")
def empty_strided(
    size: Shape, stride: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:  # fmt: skip
    shape = checked_shape(size)
    if len(shape) != len(stride):
        raise ShapeError(f"dimensionality of sizes ({len(shape)}) must match dimensionality of strides ({len(stride)})")
    if stride and min(stride) < 0:
        raise ShapeError(f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}")
    span = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, stride))
    memory = empty((span,), dtype, device)
    view = strided_view(memory, shape, tuple(stride), 0)
    view._view = None  # the memory has no other use
    return leaf(view, requires_grad)


@functor("EmptyPermuted")
def empty_permuted(
    size: Shape, physical_layout: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:  # fmt: skip
    shape = checked_shape(size)
    if sorted(physical_layout) != list(range(len(shape))):
        raise ShapeError(
            f"Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = {len(shape)} is"
            f" not equal to len(physical_layout) = {len(physical_layout)}, or a dimension occurs twice"
        )
    packed = contiguous_stride(tuple([shape[d] for d in physical_layout]))
    stride = tuple([packed[physical_layout.index(d)] for d in range(len(shape))])
    return empty_strided(shape, stride, dtype, device, requires_grad)


@functor("TriangleIndices")
def triangle_indices(
    row: int, col: int, offset: int, lower: bool, dtype: DType, device: Device | None = None,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """Where a triangle of ones has its ones."""
    for name, size in (("row", row), ("col", col)):
        if size < 0:
            raise InvalidArgumentError(f"{name} must be non-negative, got{size}")
    if lower:  # neither columns to the right of all ones, nor rows below them, are visited
        col = min(col, max(row + offset, 0))
    else:
        row = min(row, max(col - offset, 0))
    where = target("triangle_indices", 2, device, placement, sbp)
    return make(_triangle_indices, (row, col, offset, lower, dtype), (), where, False)


@functor("TrilIndices")
def tril_indices(row: int, col: int, offset: int = 0, dtype: DType = dtypes.int64, device: Device | None = None) -> Any:
    return triangle_indices(row, col, offset, True, dtype, device)


@functor("TriuIndices")
def triu_indices(row: int, col: int, offset: int = 0, dtype: DType = dtypes.int64, device: Device | None = None) -> Any:
    return triangle_indices(row, col, offset, False, dtype, device)


@functor("Vander")
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Any:
    if x.meta.ndim != 1:
        raise ShapeError("x must be a one-dimensional tensor.")
    count = x.meta.shape[0] if N is None else N
    if count < 0:
        raise InvalidArgumentError("N must be non-negative.")
    if not x.meta.dtype.is_floating_point:
        x = cast(x, dtypes.int64)
    if count <= 1:
        return ones((x.meta.shape[0], count), x.meta.dtype, **beside(x))  # a constant
    first, last, step = (0, count, 1) if increasing else (count - 1, -1, -1)
    return tensor_pow(unsqueeze(x, 1), arange(first, last, step, dtypes.int64, **beside(x)))
