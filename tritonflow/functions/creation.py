"""Functors that make tensors from nothing: empty, constants, ranges, eye; and one_hot."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import dtypes
from tritonflow.binding import new_tensors
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import Destination, SbpList, target
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentValueError, DTypeNotImplementedError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.memory_format import MemoryFormat, preserve_format
from tritonflow.framework.placement import Placement
from tritonflow.framework.runtime_scalar import index_of
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import copy_
from tritonflow.functions.join_layout import in_format
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch_new, keep_new
from tritonflow.interpreter.recording import require_grad
from tritonflow.ops.cast import scalar_of
from tritonflow.thread_state import default_devices

Number = int | float | bool
Shape = tuple[int, ...]
Given = tuple[Shape, DType | None, Device | None, Number | None]

_empty = op_expr("empty")
_constant = op_expr("full")
_arange = op_expr("arange")
_linspace = op_expr("linspace")
_eye = op_expr("eye")
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
    if any(n < 0 for n in shape):  # `min` would compare sizes with each other
        raise ShapeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    return shape


def make(op: OpExpr, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], where: Destination, requires_grad: bool) -> Any:
    """A new tensor by an op whose last static attribute is the device."""
    made = dispatch(op, (), (*attrs, where.device), dynamic, None, where.placement, where.sbp)
    return leaf(made, True) if requires_grad else made


def new(
    function: str, given: Given, placement: Placement | None, sbp: SbpList | None, requires_grad: bool = False
) -> Any:
    """A tensor of one number, or with whatever is in its memory.

    Args:
        function: the name, for errors.
        given: shape, dtype and device as a user gave them, and the number. A plan that is found by them proves that these are a
            shape and a device; plans are forgotten where the default dtype changes.
        placement, sbp: over which ranks it lies, and how.
        requires_grad: whether it is a leaf that requires grad.
    """
    usual = placement is None and sbp is None and not default_devices.used
    if usual:
        made = dispatch_new(_empty if given[3] is None else _constant, given)
        if made is not None:
            return leaf(made, True) if requires_grad else made
    size, dtype, device, value = given
    shape, dtype = checked_shape(size), dtype or dtypes.get_default_dtype()
    where = target(function, len(shape), device, placement, sbp)
    attrs = shape, dtype, where.device
    op, number = (_empty, None) if value is None else (_constant, scalar_of(value, dtype))
    made = dispatch(op, (), attrs, () if value is None else (number,), None, where.placement, where.sbp)
    if usual and where.placement is None:
        keep_new(op, given, attrs, number)
    return leaf(made, True) if requires_grad else made


def full_at(where: Destination, shape: Shape, value: Number, dtype: DType, requires_grad: bool = False) -> Any:
    """One number everywhere."""
    attrs = shape, dtype, where.device
    made = dispatch(_constant, (), attrs, (scalar_of(value, dtype),), None, where.placement, where.sbp)
    return leaf(made, True) if requires_grad else made


@functor("Empty")
def empty(
    size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    if memory_format is None:
        return new("empty", (size, dtype, device, None), placement, sbp, requires_grad)
    if memory_format is preserve_format:
        raise InvalidArgumentError("unsupported memory format Preserve")
    return leaf(in_format(new("empty", (size, dtype, device, None), placement, sbp), memory_format), requires_grad)


@functor("Full")
def full(
    size: Shape, fill_value: Number, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    shape = checked_shape(size)
    where = target("full", len(shape), device, placement, sbp)
    return full_at(where, shape, fill_value, dtype or dtypes.of_scalar(fill_value.__class__), requires_grad)


@function(
    "Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, "
    "SbpList sbp=None)",
    samples="creation",
)
def zeros(
    size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """A tensor of zeros.

    Args:
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.zeros.

    Example:
        >>> import tritonflow as flow
        >>> flow.zeros(2, 3)
        tensor([[0., 0., 0.],
                [0., 0., 0.]])
    """
    return new("zeros", (size, dtype, device, 0), placement, sbp, requires_grad)


@function(
    "Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, "
    "SbpList sbp=None)",
    samples="creation",
)
def ones(
    size: Shape, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """A tensor of ones.

    Args:
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ones.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3)
        tensor([[1., 1., 1.],
                [1., 1., 1.]])
    """
    return new("ones", (size, dtype, device, 1), placement, sbp, requires_grad)


def require_real(*ends: Number) -> None:
    """Refuse complex numbers as ends of a sequence, or as its step.

    Raises:
        DTypeNotImplementedError: one is complex.
    """
    if any(isinstance(end, complex) for end in ends):
        raise DTypeNotImplementedError("arange(): the ends and the step must be real numbers, not complex ones")


def _whole(value: Number) -> Any:
    """The integer towards 0; a symbolic one as it is."""
    return index_of(value) if isinstance(value, int) else int(value)


@functor("Arange")
def arange(
    start: Number, end: Number, step: Number = 1, dtype: DType | None = None, device: Device | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    require_real(start, end, step)
    if step == 0:
        raise InvalidArgumentError("step must be nonzero")
    if (end - start) * step < 0:
        raise InvalidArgumentError("upper bound and lower bound inconsistent with step sign")
    if not (isinstance(start, int) or math.isfinite(start)) or not (isinstance(end, int) or math.isfinite(end)):
        raise InvalidArgumentError(f"unsupported range: {start} -> {end}")
    if dtype is dtypes.bool_:
        raise DTypeNotImplementedError("\"arange\" not implemented for 'Bool': argument 'dtype' must not be bool")
    if dtype is not None and dtype.is_complex:
        raise DTypeNotImplementedError(f"\"arange_cpu\" not implemented for '{dtypes.torch_name(dtype)}'")
    if dtype is None:
        whole = not any(isinstance(v, float) for v in (start, end, step))
        dtype = dtypes.int64 if whole else dtypes.get_default_dtype()
    if not dtype.is_floating_point:
        start, end, step = _whole(start), _whole(end), _whole(step)
        if step == 0:
            raise ArgumentValueError("step must be nonzero")
        n = -(-(end - start) // step)
    else:
        if all(isinstance(each, int) for each in (start, end, step)):
            n = -(-(_whole(end) - _whole(start)) // _whole(step))
        else:
            n = math.ceil((float(end) - float(start)) / float(step))
        start, step = float(start), float(step)
    return make(_arange, (n, dtype), (start, step), target("arange", 1, device, placement, sbp), requires_grad)


@functor("ArangeEnd")
def arange_end(
    end: Number, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    return arange(0, end, 1, dtype, device, requires_grad, placement, sbp)


@functor("Linspace")
def linspace(
    start: Number, end: Number, steps: int, dtype: DType | None = None, device: Device | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    if steps < 0:
        raise InvalidArgumentError("number of steps must be non-negative")
    ends = [dtypes.of_scalar(v.__class__) for v in (start, end)]
    if dtype is None:
        dtype = dtypes.promote_types(dtypes.get_default_dtype(), dtypes.promote_types(*ends))
    if dtype.is_complex:
        values = (complex(start), complex(end), complex(end - start) / (steps - 1) if steps > 1 else 0j)
        return make(_linspace, (steps, dtype), values, target("linspace", 1, device, placement, sbp), requires_grad)
    if not dtype.is_floating_point:
        whole = _whole_steps(int(start), int(end), steps)
        return new_tensors.tensor(whole, dtype=dtype, device=device, placement=placement, sbp=sbp)
    values = (float(start), float(end), (end - start) / (steps - 1) if steps > 1 else 0.0)
    return make(_linspace, (steps, dtype), values, target("linspace", 1, device, placement, sbp), requires_grad)


def _whole_steps(start: int, end: int, steps: int) -> list[int]:
    """torch's integer linspace: a float step, from either end, rounded towards zero."""
    step = (end - start) / (steps - 1) if steps > 1 else 0.0
    half = (steps + 1) // 2
    return [int(start + step * i) if i < half else int(end - step * (steps - 1 - i)) for i in range(steps)]


@functor("Eye")
def eye(
    n: int, m: int | None = None, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    m = n if m is None else m
    if n < 0 or m < 0:
        raise InvalidArgumentError(f"{'n' if n < 0 else 'm'} must be greater or equal to 0, got {n if n < 0 else m}")
    where = target("eye", 2, device, placement, sbp)
    return make(_eye, ((n, m), dtype or dtypes.get_default_dtype()), (), where, requires_grad)


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
