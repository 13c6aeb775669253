"""Functors that make tensors by other functors: logarithmic ranges, indices of triangles, given strides, powers."""

from __future__ import annotations

import math
import warnings
from typing import Any

from tritonflow import dtypes
from tritonflow.binding.library import function, functor
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
from tritonflow.functions.view import unsqueeze
from tritonflow.functions.view_strides import strided_view

_triangle_indices = op_expr("triangle_indices")

Number = int | float | bool
Shape = tuple[int, ...]


@function(
    "Tensor (Scalar start, Scalar end, Int64 steps, Float base=10.0, *, DataType dtype=None, Device device=None, Bool "
    "requires_grad=False, Placement placement=None, SbpList sbp=None)",
    samples="logspace", tolerance="transcendental",
)
def logspace(
    start: Number, end: Number, steps: int, base: float = 10.0, dtype: DType | None = None, device: Device | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """Powers of a base, the exponents at equal distances from start to end.

    Number i is base ** (start + i * (end - start) / (steps - 1)).

    Args:
        start: the first exponent.
        end: the last exponent.
        steps: how many numbers.
        base: the base.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (steps).

    Raises:
        RuntimeError: steps is negative.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logspace.

    Example:
        >>> import tritonflow as flow
        >>> flow.logspace(0, 3, 4)
        tensor([   1.,   10.,  100., 1000.])
    """
    dtype = dtype or dtypes.get_default_dtype()
    if not dtype.is_floating_point:
        start, end = int(start), int(end)
    wide = dtype if dtype in (dtypes.float32, dtypes.float64) else dtypes.float64
    powers = scalar_pow_reversed(base, linspace(start, end, steps, wide, device, False, placement, sbp))
    return leaf(cast(powers, dtype), requires_grad)


@function(
    "Tensor (Scalar start, Scalar end, Scalar step=1, *, DataType dtype=None, Device device=None, Bool requires_grad=False,"
    " Placement placement=None, SbpList sbp=None)",
    name="range", samples="range",
)
def range_inclusive(
    start: Number, end: Number, step: Number = 1, dtype: DType | None = None, device: Device | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """From start to end, the end among them, in steps.

    There are floor((end - start) / step) + 1 numbers. It warns as torch does; `flow.arange` leaves the
    end out.

    Args:
        start: the first number.
        end: the last number, if a step leads there.
        step: the distance of numbers.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (floor((end - start) / step) + 1).

    Raises:
        RuntimeError: step is 0, or leads away from end.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.range.

    Example:
        >>> import tritonflow as flow
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     print(flow.range(1, 3))
        tensor([1., 2., 3.])
    """
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


@function(
    "Tensor (Scalar s, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, "
    "SbpList sbp=None)",
    samples="scalar_tensor",
)
def scalar_tensor(
    s: Number, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """A tensor of one number, without dimensions.

    Args:
        s: the number.
        dtype: of the number; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> ().

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scalar_tensor.

    Example:
        >>> import tritonflow as flow
        >>> flow.scalar_tensor(3)
        tensor(3.)
    """
    return full((), s, dtype or dtypes.get_default_dtype(), device, requires_grad, placement, sbp)


@function(
    "Tensor (Shape size, Shape stride, *, DataType dtype=None, Device device=None, Bool requires_grad=False)",
    samples={"none": "nothing is said about the values: tests/framework/test_torch_names.py looks at the strides"},
)
def empty_strided(
    size: Shape, stride: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:  # fmt: skip
    """A tensor with given strides, and whatever is in its memory.

    Args:
        size: the shape.
        stride: the distance of neighbours in each dimension, in elements.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: different numbers of sizes and strides, or negative ones.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.empty_strided.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
    """
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


@function(
    "Tensor (Shape size, Int64List physical_layout, *, DataType dtype=None, Device device=None, Bool requires_grad=False)",
    samples={"none": "nothing is said about the values: tests/framework/test_torch_names.py looks at the strides"},
)
def empty_permuted(
    size: Shape, physical_layout: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False
) -> Any:  # fmt: skip
    """A tensor whose dimensions lie in memory in a given order, with whatever is there.

    Args:
        size: the shape.
        physical_layout: the dimensions in the order in which they lie in memory, the fastest last.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: an order that does not name each dimension once.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.empty_permuted.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty_permuted((2, 3, 4), (0, 2, 1)).stride()
        (12, 1, 3)
    """
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


@function(
    "Tensor (Int64 row, Int64 col, Int64 offset=0, *, DataType dtype=kInt64, Device device=None)",
    samples="triangle_indices",
)
def tril_indices(row: int, col: int, offset: int = 0, dtype: DType = dtypes.int64, device: Device | None = None) -> Any:
    """The coordinates of a matrix's lower triangle, two rows.

    In row-major order; they index a matrix.

    Args:
        row: how many rows the matrix has.
        col: how many columns.
        offset: the last diagonal of it: above the main one if positive, below it if negative.
        dtype: of the coordinates.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (2, number of elements).

    Raises:
        RuntimeError: a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tril_indices.

    Example:
        >>> import tritonflow as flow
        >>> flow.tril_indices(3, 3)
        tensor([[0, 1, 1, 2, 2, 2],
                [0, 0, 1, 0, 1, 2]])
    """
    return triangle_indices(row, col, offset, True, dtype, device)


@function(
    "Tensor (Int64 row, Int64 col, Int64 offset=0, *, DataType dtype=kInt64, Device device=None)",
    samples="triangle_indices",
)
def triu_indices(row: int, col: int, offset: int = 0, dtype: DType = dtypes.int64, device: Device | None = None) -> Any:
    """The coordinates of a matrix's upper triangle, two rows.

    In row-major order; they index a matrix.

    Args:
        row: how many rows the matrix has.
        col: how many columns.
        offset: the first diagonal of it: above the main one if positive, below it if negative.
        dtype: of the coordinates.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (2, number of elements).

    Raises:
        RuntimeError: a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.triu_indices.

    Example:
        >>> import tritonflow as flow
        >>> flow.triu_indices(3, 3, 1)
        tensor([[0, 0, 1],
                [1, 2, 2]])
    """
    return triangle_indices(row, col, offset, False, dtype, device)


@function("Tensor (Tensor x, Int64 N=None, Bool increasing=False)", samples="vander")
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Any:
    """A row of powers for each element.

    Row i is x_i^(N - 1), ..., x_i, 1, or in rising order; the matrix of Vandermonde.

    Args:
        x: a vector.
        N: how many powers; default as many as x has elements.
        increasing: whether the powers rise.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n) -> (n, N).

    Raises:
        RuntimeError: other than 1 dimension, or a negative N.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.vander.

    Example:
        >>> import tritonflow as flow
        >>> flow.vander(flow.tensor([2, 3]), N=4)
        tensor([[ 8,  4,  2,  1],
                [27,  9,  3,  1]])
    """
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
