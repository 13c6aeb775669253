"""Functors of tensors like another one."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import SbpList, target_like
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.memory_format import MemoryFormat
from tritonflow.framework.placement import Placement
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.functions.creation import checked_shape, full_at, leaf, make, new
from tritonflow.functions.join_layout import format_like, in_format
from tritonflow.interpreter.choice import with_batch_of
from tritonflow.thread_state import slow_path

Number = int | float | bool
Shape = tuple[int, ...]
_empty = op_expr("empty")


def _usual(input: Tensor, placement: Placement | None, sbp: SbpList | None) -> bool:
    """Whether a tensor beside the input is local and without examples of `vmap`, and no mode of the thread has to be asked."""
    usual = placement is None and sbp is None and not slow_path.count
    return usual and input.meta.is_local and input.impl.__class__ is not BatchedTensorImpl


@function(
    "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, "
    "SbpList sbp=None, MemoryFormat memory_format=None)",
    samples={"none": "nothing is said about the values: tests/ops/test_random.py looks at shapes"},
    derivative={"none": "reads no element"},
)
def empty_like(
    input: Tensor, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    """A tensor of the input's shape, with whatever is in its memory.

    Args:
        input: the input.
        dtype: of the numbers; default the input's.
        device: where it lies; default the input's.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Not differentiable: reads no element.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.empty_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty_like(flow.zeros(2, 3)).shape
        tritonflow.Size([2, 3])
    """
    meta = input.meta
    if memory_format is None and meta.is_contiguous and _usual(input, placement, sbp):
        given = meta.shape, dtype or meta.dtype, device or meta.device, None
        return new("empty_like", given, None, None, requires_grad)
    shape = meta.shape
    where = target_like("empty_like", input, len(shape), device, placement, sbp)
    made = make(_empty, (shape, dtype or input.meta.dtype), (), where, False)
    return leaf(with_batch_of(in_format(made, format_like(input, memory_format)), input), requires_grad)


@function(
    "Tensor (Tensor input, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False, "
    "Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
    samples="like_fill", derivative={"none": "reads no element"},
)
def full_like(
    input: Tensor, fill_value: Number, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    """A tensor of the input's shape, of one number.

    Args:
        input: the input.
        fill_value: the number.
        dtype: of the numbers; default the input's.
        device: where it lies; default the input's.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Not differentiable: reads no element.

    Raises:
        RuntimeError: a number that the dtype does not have.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.full_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.full_like(flow.zeros(2), 5.0)
        tensor([5., 5.])
    """
    shape = input.meta.shape
    where = target_like("full_like", input, len(shape), device, placement, sbp)
    made = full_at(where, shape, fill_value, dtype or input.meta.dtype)
    return leaf(with_batch_of(in_format(made, format_like(input, memory_format)), input), requires_grad)


@function(
    "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, "
    "SbpList sbp=None, MemoryFormat memory_format=None)",
    samples="like", derivative={"none": "reads no element"},
)
def zeros_like(
    input: Tensor, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    """A tensor of the input's shape, of zeros.

    Args:
        input: the input.
        dtype: of the numbers; default the input's.
        device: where it lies; default the input's.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Not differentiable: reads no element.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.zeros_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.zeros_like(flow.tensor([1, 2]))
        tensor([0, 0])
    """
    meta = input.meta
    if memory_format is None and meta.is_contiguous and _usual(input, placement, sbp):
        given = meta.shape, dtype or meta.dtype, device or meta.device, 0
        return new("zeros_like", given, None, None, requires_grad)
    shape = meta.shape
    where = target_like("zeros_like", input, len(shape), device, placement, sbp)
    made = full_at(where, shape, 0, dtype or input.meta.dtype)
    return leaf(with_batch_of(in_format(made, format_like(input, memory_format)), input), requires_grad)


@function(
    "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, "
    "SbpList sbp=None, MemoryFormat memory_format=None)",
    samples="like", derivative={"none": "reads no element"},
)
def ones_like(
    input: Tensor, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    """A tensor of the input's shape, of ones.

    Args:
        input: the input.
        dtype: of the numbers; default the input's.
        device: where it lies; default the input's.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Not differentiable: reads no element.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ones_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones_like(flow.tensor([3, 4]))
        tensor([1, 1])
    """
    meta = input.meta
    if memory_format is None and meta.is_contiguous and _usual(input, placement, sbp):
        given = meta.shape, dtype or meta.dtype, device or meta.device, 1
        return new("ones_like", given, None, None, requires_grad)
    shape = meta.shape
    where = target_like("ones_like", input, len(shape), device, placement, sbp)
    made = full_at(where, shape, 1, dtype or input.meta.dtype)
    return leaf(with_batch_of(in_format(made, format_like(input, memory_format)), input), requires_grad)


@function(
    "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement "
    "placement=None, SbpList sbp=None)",
    methods="new_empty", export=(),
    samples={"none": "nothing is said about the values: tests/ops/test_random.py looks at shapes"},
    derivative={"none": "reads no element"},
)
def new_empty(
    input: Tensor, size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """A tensor with whatever is in its memory, of the input's dtype and device.

    Args:
        input: which tensor.
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default the input's.
        device: where it lies; default the input's.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> size.

    Not differentiable: reads no element. Method: `Tensor.new_empty`.

    Raises:
        RuntimeError: a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.new_empty.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2).new_empty(2, 3).shape
        tritonflow.Size([2, 3])
    """
    if _usual(input, placement, sbp):
        given = size, dtype or input.meta.dtype, device or input.meta.device, None
        return new("new_empty", given, None, None, requires_grad)
    shape = checked_shape(size)
    where = target_like("new_empty", input, len(shape), device, placement, sbp)
    made = make(_empty, (shape, dtype or input.meta.dtype), (), where, False)
    return leaf(with_batch_of(made, input), requires_grad)


@function(
    "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement "
    "placement=None, SbpList sbp=None)",
    methods="new_zeros", export=(), reference="torch.Tensor.new_zeros", samples="new",
    derivative={"none": "reads no element"},
)
def new_zeros(
    input: Tensor, size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """A tensor of zeros, of the input's dtype and device.

    Args:
        input: which tensor.
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default the input's.
        device: where it lies; default the input's.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> size.

    Not differentiable: reads no element. Method: `Tensor.new_zeros`.

    Raises:
        RuntimeError: a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.new_zeros.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([5]).new_zeros(2, 3)
        tensor([[0, 0, 0],
                [0, 0, 0]])
    """
    if _usual(input, placement, sbp):
        given = size, dtype or input.meta.dtype, device or input.meta.device, 0
        return new("new_zeros", given, None, None, requires_grad)
    shape = checked_shape(size)
    where = target_like("new_zeros", input, len(shape), device, placement, sbp)
    return leaf(with_batch_of(full_at(where, shape, 0, dtype or input.meta.dtype), input), requires_grad)


@function(
    "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement "
    "placement=None, SbpList sbp=None)",
    methods="new_ones", export=(), reference="torch.Tensor.new_ones", samples="new", derivative={"none": "reads no element"},
)
def new_ones(
    input: Tensor, size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """A tensor of ones, of the input's dtype and device.

    Args:
        input: which tensor.
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default the input's.
        device: where it lies; default the input's.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> size.

    Not differentiable: reads no element. Method: `Tensor.new_ones`.

    Raises:
        RuntimeError: a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.new_ones.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([5]).new_ones(2, 3)
        tensor([[1, 1, 1],
                [1, 1, 1]])
    """
    if _usual(input, placement, sbp):
        given = size, dtype or input.meta.dtype, device or input.meta.device, 1
        return new("new_ones", given, None, None, requires_grad)
    shape = checked_shape(size)
    where = target_like("new_ones", input, len(shape), device, placement, sbp)
    return leaf(with_batch_of(full_at(where, shape, 1, dtype or input.meta.dtype), input), requires_grad)


@function(
    "Tensor (Tensor input, Shape size, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool "
    "requires_grad=False, Placement placement=None, SbpList sbp=None)",
    methods="new_full", export=(), reference="torch.Tensor.new_full", samples="new_full",
    derivative={"none": "reads no element"},
)
def new_full(
    input: Tensor, size: Shape, fill_value: Number, dtype: DType | None = None, device: Device | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """A tensor of one number, of the input's dtype and device.

    Args:
        input: which tensor.
        size: the shape, a sequence of integers.
        fill_value: the number.
        dtype: of the numbers; default the input's.
        device: where it lies; default the input's.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> size.

    Not differentiable: reads no element. Method: `Tensor.new_full`.

    Raises:
        RuntimeError: a negative size, or a number that the dtype does not have.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.new_full.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([0.5]).new_full((2,), 3)
        tensor([3., 3.])
    """
    shape = checked_shape(size)
    where = target_like("new_full", input, len(shape), device, placement, sbp)
    return leaf(with_batch_of(full_at(where, shape, fill_value, dtype or input.meta.dtype), input), requires_grad)
