"""Tensor's members by which Python's own syntax and functions work with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.errors import (
    BatchedValueError,
    DTypeError,
)
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.functions.view_orders import reversed_dims, transpose
from tritonflow.members import indexing, printing


def _t(self: Tensor) -> Tensor:
    """The tensor with its dimensions in reverse."""
    return reversed_dims(self)


def _mt(self: Tensor) -> Tensor:
    """The tensor with its last two dimensions swapped."""
    return transpose(self, -2, -1)


def __len__(self: Tensor) -> int:
    if not self.meta.shape:
        raise TypeError("len() of a 0-d tensor")
    return self.meta.shape[0]


def __iter__(self: Tensor) -> Iterator[Tensor]:
    if not self.meta.shape:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))  # type: ignore[attr-defined]


def _real_item(self: Tensor, kind: str) -> Any:
    value = data_exchange.item(self)
    if isinstance(value, complex):
        if value.imag:
            raise DTypeError(f"value cannot be converted to type {kind} without overflow")
        return value.real
    return value


def __bool__(self: Tensor) -> bool:
    if self.meta.numel != 1:
        what = "no values" if self.meta.numel == 0 else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
    if self.impl.__class__ is BatchedTensorImpl:
        raise BatchedValueError(
            "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that yet,"
            " please shout over at https://github.com/pytorch/functorch/issues/257 . help: choose between values with where()"
        )
    return bool(data_exchange.item(self))


def __int__(self: Tensor) -> int:
    return int(_real_item(self, "int64"))


def __float__(self: Tensor) -> float:
    return float(_real_item(self, "double"))


def __index__(self: Tensor) -> int:
    if self.meta.dtype.is_floating_point or self.meta.numel != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(data_exchange.item(self))


def __format__(self: Tensor, spec: str) -> str:
    """A tensor of one number is formatted as the number; without a format only where this rank has it, as of no subclass."""
    known = type(self) is Tensor and self.meta.is_local and not self.is_lazy
    if self.meta.ndim == 0 and (spec or known) and not self.is_meta:
        return format(data_exchange.item(self), spec)
    return object.__format__(self, spec)


def __contains__(self: Tensor, element: object) -> bool:
    return bool((self == element).any())  # type: ignore[attr-defined]


def __repr__(self: Tensor) -> str:
    return printing.representation(self)


METHODS: dict[str, Any] = {
    "T": property(_t),
    "mT": property(_mt),
    "__len__": __len__,
    "__iter__": __iter__,
    "__bool__": __bool__,
    "__int__": __int__,
    "__float__": __float__,
    "__index__": __index__,
    "__format__": __format__,
    "__contains__": __contains__,
    "__getitem__": indexing.getitem,
    "__setitem__": indexing.setitem,
    "__repr__": __repr__,
}
