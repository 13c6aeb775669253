"""Functors of casts, copies and fills."""

from __future__ import annotations

from typing import Any

import numpy

from tritonflow.binding import data_exchange, new_tensors
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.device.device import Device
from tritonflow.dtypes import DType, bool_
from tritonflow.errors import ArgumentTypeError, LocalityError, ShapeError, foreign_hint, type_name
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.memory_format import MemoryFormat, preserve_format
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.join_layout import copied, in_format
from tritonflow.functions.placement import to_global, whole
from tritonflow.functions.view import expand, narrow
from tritonflow.interpreter import complex_numbers
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.ops.cast import scalar_of

_cast = op_expr("cast")
_clone = op_expr("clone")
_copy = op_expr("copy_")
_fill = op_expr("fill_")


@functor("Cast")
def cast(x: Tensor, dtype: DType) -> Any:
    return x if x.meta.dtype is dtype else dispatch1(_cast, x, (dtype,))


def widened(x: Tensor) -> Any:
    """A half type's numbers as float32, others as they are: what is computed in several steps is then rounded once."""
    dtype = x.meta.dtype
    return cast(x, dtype.compute) if dtype.is_floating_point else x


def user_cast(x: Tensor, dtype: DType) -> Any:
    """A cast that a user asks for, by which complex numbers may lose their imaginary part. Inside of ops they never do."""
    if x.meta.dtype.is_complex and not dtype.is_complex and dtype is not bool_:
        x = complex_numbers.apply_named("movement.discard", x)
    return cast(x, dtype)


@function(
    "Tensor (Tensor input, DataType dtype, Bool non_blocking=False, Bool copy=False, *, MemoryFormat memory_format=None)",
    "Tensor (Tensor input, Device device=None, DataType dtype=None, Bool non_blocking=False, Bool copy=False, *, "
    "MemoryFormat memory_format=None) => ToDevice",
    "Tensor (Tensor input, Tensor other, Bool non_blocking=False, Bool copy=False, *, MemoryFormat memory_format=None) => "
    "ToOther",
    name="to", export=(), reference="torch.Tensor.to", samples="cast",
)
def to_dtype(
    input: Tensor, dtype: DType, non_blocking: bool = False, copy: bool = False, memory_format: MemoryFormat | None = None
) -> Any:
    """The input in another dtype or on another device.

    The input itself where it has both already, unless `copy` asks for a copy. Gradients flow back in
    its dtype, to its device.

    Overloads:
        - `to(input: Tensor, dtype: DType, non_blocking: bool = False, copy: bool = False, *, memory_format:
          MemoryFormat | None = None) -> Tensor`
        - `to(input: Tensor, device: Device | str | None = None, dtype: DType | None = None, non_blocking: bool = False,
          copy: bool = False, *, memory_format: MemoryFormat | None = None) -> Tensor`
        - `to(input: Tensor, other: Tensor, non_blocking: bool = False, copy: bool = False, *, memory_format:
          MemoryFormat | None = None) -> Tensor`

    Args:
        input: the input.
        dtype: of the result; its own unless given.
        non_blocking: torch's: the copy is always ordered with the work before and after it.
        copy: whether the result is a copy in any case.
        memory_format: the order of the dimensions in memory; as it is unless given.
        device: where the result lies; where the input does unless given.
        other: a tensor whose dtype and device are taken.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        RuntimeError: a device that is not there.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.to.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1.5, -2.5])
        >>> x.to(flow.int64)
        tensor([ 1, -2])
        >>> x.to("cpu", flow.float64)
        tensor([ 1.5000, -2.5000], dtype=tritonflow.float64)
    """
    return _laid_out(user_cast(input, dtype), input, copy, memory_format)


@functor("ToDevice")
def to_device(
    input: Tensor,
    device: Device | None = None,
    dtype: DType | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Any:
    """Copies never block, other than those to the host, which are done when the call returns."""
    if device is not None and not input.meta.is_local:
        moved = to_global(input, input.placement.on(device))
    else:
        moved = input if device is None else data_exchange.to_device(input, device)
    if dtype is not None:
        moved = user_cast(moved, dtype)
    return _laid_out(moved, input, copy, memory_format)


def _laid_out(moved: Tensor, input: Tensor, copy: bool, memory_format: MemoryFormat | None) -> Any:
    """What `to` has made of a tensor, in a format; with `copy` another tensor."""
    made = moved if memory_format is None else in_format(moved, memory_format)
    return clone(input, memory_format) if copy and made is input else made


@functor("ToOther")
def to_other(
    input: Tensor,
    other: Tensor,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Any:
    if not (input.meta.is_local and other.meta.is_local):
        raise LocalityError(
            "tensor.to(other) can only be called when tensor and other are local tensors. help: to_global(placement, sbp)"
        )
    return to_device(input, _device_of(other), other.dtype, non_blocking, copy, memory_format)


@function(
    "Tensor (Tensor input, Tensor other)",
    methods="type_as", export=(), reference="torch.Tensor.type_as", samples="type_as",
)
def type_as(input: Tensor, other: Tensor) -> Any:
    """The input in the dtype and on the device of another tensor.

    The input itself where both are so.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.type_as`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.type_as.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([1, 2]).type_as(flow.tensor(0.5))
        tensor([1., 2.])
    """
    return to_device(input, _device_of(other), other.dtype)


def _device_of(x: Tensor) -> Device | None:
    """None of a consistent tensor, which is not on one device."""
    return x.meta.device if x.meta.is_local else None


@functor("Clone")
def clone(input: Tensor, memory_format: MemoryFormat | None = None) -> Any:
    if memory_format is None or memory_format is preserve_format:
        return dispatch1(_clone, input)
    return copied(input, memory_format)


def kept(input: Tensor, inplace: bool) -> Tensor:
    """What an in-place op that is put together from others reads: a copy where their derivatives need the old values."""
    return clone(input) if inplace and is_grad_enabled() and wants_gradient(input) else input  # type: ignore[no-any-return]


@functor("Copy")
def copy_(input: Tensor, other: Tensor, non_blocking: bool = False) -> Any:
    if other.meta.dtype.is_complex and not input.meta.dtype.is_complex:
        other = user_cast(other, input.meta.dtype)
    if input.meta.is_local:
        other = data_exchange.to_device_of(other, input)
    elif not other.meta.is_local and other.placement is not input.placement:
        sbp = whole(input.sbp) if other.meta.shape == input.meta.shape else beside(input)["sbp"]
        other = to_global(other, input.placement, sbp)
    shape, own = other.meta.shape, input.meta.shape
    if shape != own and (
        len(shape) > len(own) or any(n not in (1, m) for n, m in zip(reversed(shape), reversed(own)))
    ):
        raise ShapeError(
            f"output with shape {list(own)} doesn't match the broadcast shape of the source {list(shape)}"
            if len(shape) > len(own)
            else _expand_error(own, shape)
        )
    return dispatch(_copy, (input, other), out=input)


def _expand_error(own: tuple[int, ...], shape: tuple[int, ...]) -> str:
    missing = len(own) - len(shape)
    dim = max(d for d, n in enumerate(shape) if n not in (1, own[d + missing]))
    a, b = own[dim + missing], shape[dim]
    return f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim + missing}"


@functor("FillNumber")
def fill_(input: Tensor, value: float) -> Any:
    meta = input.meta
    if 0 in (meta if meta.is_local else meta.on_one_rank).stride and not wants_gradient(input) and input.is_leaf:
        return _fill_once(input, value)
    return dispatch(_fill, (input,), (), (scalar_of(value, meta.dtype),), out=input)


def _fill_once(input: Tensor, value: float) -> Any:
    """Of elements that an expanded tensor has in one place of memory, one is written."""
    own = input
    for dim, (size, step) in enumerate(zip(input.meta.shape, input.meta.on_one_rank.stride)):
        if step == 0 and size > 1:
            own = narrow(own, dim, 0, 1)
    dispatch(_fill, (own,), (), (scalar_of(value, own.meta.dtype),), out=own)
    return input


@functor("CopyNumber")
def copy_number(input: Tensor, other: float, non_blocking: bool = False) -> Any:
    return fill_(input, other)


@functor("CopyArray")
def copy_array(input: Tensor, other: Any, non_blocking: bool = False) -> Any:
    if not isinstance(other, numpy.ndarray):
        raise ArgumentTypeError(f"copy_(): argument 'other' must be tensor, not {type_name(other)}{foreign_hint(other)}")
    return copy_(input, new_tensors.tensor(other, **beside(input)))


@functor("FillTensor")
def fill_tensor(input: Tensor, value: Tensor) -> Any:
    if value.meta.ndim:
        raise ShapeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.meta.ndim} dimensions."
        )
    return copy_(input, expand(value, input.meta.shape))


@function("Tensor (Tensor input)", methods="zero_", export="flow", reference="torch.Tensor.zero_", samples="zero")
def zero_(input: Tensor) -> Any:
    """Zeros written over input.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.zero_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.zero_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2).zero_()
        tensor([0., 0.])
    """
    return fill_(input, 0)


@function("Tensor (Tensor input, Scalar value)", "Tensor (Tensor input, Tensor value) => FillCopyTensor", samples="fill_copy")
def fill(input: Tensor, value: float) -> Any:
    """One number in the shape, dtype and place of input.

    Args:
        input: the input.
        value: the number, or a tensor without dimensions.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        RuntimeError: a tensor with dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.fill.

    Example:
        >>> import tritonflow as flow
        >>> flow.fill(flow.zeros(2), 3)
        tensor([3., 3.])
    """
    return fill_(clone(input), value)


@functor("FillCopyTensor")
def fill_copy_tensor(input: Tensor, value: Tensor) -> Any:
    return fill_tensor(clone(input), value)
