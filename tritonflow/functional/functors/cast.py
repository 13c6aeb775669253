"""Functors of casts, copies and fills."""

from __future__ import annotations

from typing import Any

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functional import data_exchange
from tritonflow.functional.functors.placement import to_global, whole
from tritonflow.functional.functors.view import expand
from tritonflow.functional.library import functor
from tritonflow.functional.target import beside
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.ops.cast import scalar_of

_cast = op_expr("cast")
_clone = op_expr("clone")
_copy = op_expr("copy_")
_fill = op_expr("fill_")


@functor("Cast")
def cast(x: Tensor, dtype: DType) -> Any:
    return x if x.meta.dtype is dtype else dispatch1(_cast, x, (dtype,))


@functor("ToDtype")
def to_dtype(input: Tensor, dtype: DType, copy: bool = False) -> Any:
    return clone(input) if copy and input.meta.dtype is dtype else cast(input, dtype)


@functor("ToDevice")
def to_device(input: Tensor, device: Device | None = None, dtype: DType | None = None, copy: bool = False) -> Any:
    if device is not None and not input.meta.is_local:
        moved = to_global(input, input.placement.on(device))
    else:
        moved = input if device is None else data_exchange.to_device(input, device)
    if dtype is not None:
        moved = cast(moved, dtype)
    return clone(input) if copy and moved is input else moved


@functor("ToOther")
def to_other(input: Tensor, other: Tensor, copy: bool = False) -> Any:
    return to_device(input, _device_of(other), other.dtype, copy)


@functor("TypeAs")
def type_as(input: Tensor, other: Tensor) -> Any:
    return to_device(input, _device_of(other), other.dtype)


def _device_of(x: Tensor) -> Device | None:
    """None of a consistent tensor, which is not on one device."""
    return x.meta.device if x.meta.is_local else None


@functor("Clone")
def clone(input: Tensor) -> Any:
    return dispatch1(_clone, input)


@functor("Copy")
def copy_(input: Tensor, other: Tensor) -> Any:
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


@functor("Fill")
def fill_(input: Tensor, value: float) -> Any:
    return dispatch(_fill, (input,), (), (scalar_of(value, input.meta.dtype),), out=input)


@functor("FillTensor")
def fill_tensor(input: Tensor, value: Tensor) -> Any:
    if value.meta.ndim:
        raise ShapeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.meta.ndim} dimensions."
        )
    return copy_(input, expand(value, input.meta.shape))


@functor("Zero")
def zero_(input: Tensor) -> Any:
    return fill_(input, 0)
