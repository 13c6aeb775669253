"""One argument: the value of a parameter from what a caller gives, such as a NumPy scalar, a list or a device's name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy

from tritonflow.binding.signature import DataTypeName, Parameter
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.dtypes import from_name as _dtype_from_name
from tritonflow.dtypes import from_python as _dtype_from_python
from tritonflow.errors import type_name
from tritonflow.framework.placement import placement_of
from tritonflow.framework.runtime_scalar import RuntimeScalar, index_of
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.thread_state import thread_state

REJECTED: Any = type("Rejected", (), {"__repr__": lambda self: "<rejected>"})()

Converter = Callable[[Any], Any]


def _scalar_of(value: Any) -> Any:
    """A Python number for a NumPy scalar or a zero-dim tensor; other values as they are."""
    if isinstance(value, Tensor) and value.ndim == 0 and not _is_batched(value):
        is_read = not value.is_lazy or thread_state.reads_lazy_numbers
        return value.item() if is_read else value  # type: ignore[attr-defined]
    if isinstance(value, numpy.generic) or (isinstance(value, numpy.ndarray) and value.ndim == 0):
        return value.item()
    return value


def _is_batched(value: Tensor) -> bool:
    """Whether a tensor has a value for each example of a `vmap`: no number, but an operand where an overload takes a tensor."""
    return value.impl.__class__ is BatchedTensorImpl


def has_unread_numbers(value: Any) -> bool:
    """Whether a value, or an item of a list, is a tensor whose number is not known in a capture before the program looks at it."""
    items = value if isinstance(value, (list, tuple)) else (value,)
    return any(isinstance(x, Tensor) and x.is_lazy and x.ndim == 0 for x in items)


@contextmanager
def reading_lazy_numbers() -> Iterator[None]:
    """A block in which a captured program looks at a tensor where a number is wanted, as eager mode does."""
    before, thread_state.reads_lazy_numbers = thread_state.reads_lazy_numbers, True
    try:
        yield
    finally:
        thread_state.reads_lazy_numbers = before


def refuse_batched_numbers(value: Any) -> None:
    """Raise where numbers are wanted, and a tensor or an item of a list has others for each example of a `vmap`."""
    for x in value if isinstance(value, (list, tuple)) else (value,):
        if isinstance(x, Tensor) and x.ndim == 0 and _is_batched(x):
            x.item()  # type: ignore[attr-defined]


def _convert_scalar(value: Any) -> Any:
    if value.__class__ is float or value.__class__ is int:
        return value
    if isinstance(value, Tensor) and value.requires_grad:  # whose gradient a number would lose
        return REJECTED
    value = _scalar_of(value)
    return value if isinstance(value, (int, float, complex, RuntimeScalar)) else REJECTED


def _convert_int(value: Any) -> Any:
    if value.__class__ is int:
        return value
    value = _scalar_of(value)
    if isinstance(value, RuntimeScalar):  # sizes, dimensions and the like decide what a graph looks like
        return index_of(value)
    return int(value) if isinstance(value, int) else REJECTED


def _convert_float(value: Any) -> Any:
    if value.__class__ is float:
        return value
    value = _scalar_of(value)
    if isinstance(value, RuntimeScalar):
        return value
    return float(value) if isinstance(value, (int, float)) else REJECTED


def _convert_bool(value: Any) -> Any:
    if value is True or value is False:
        return value
    value = _scalar_of(value)
    return bool(value) if isinstance(value, int) else REJECTED


def _convert_complex(value: Any) -> Any:
    value = _scalar_of(value)
    return complex(value) if isinstance(value, (int, float, complex)) else REJECTED


def _convert_string(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return value if isinstance(value, str) else REJECTED


def _convert_tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else REJECTED


def _convert_dtype(value: Any) -> Any:
    if isinstance(value, DType):
        return value
    value = _dtype_from_python(value)
    return value if isinstance(value, DType) else REJECTED


def _convert_device(value: Any) -> Any:
    return Device(value) if isinstance(value, (str, Device)) else REJECTED


def _convert_placement(value: Any) -> Any:
    found = placement_of(value)
    return REJECTED if found is None else found


def _convert_object(value: Any) -> Any:
    return value


def _instance_of(module: str, name: str) -> Converter:
    """Accept instances of a class whose room is imported only when a value is checked."""
    found: list[type] = []

    def convert(value: Any) -> Any:
        if not found:
            found.append(getattr(import_module(module), name))
        return value if isinstance(value, found[0]) else REJECTED

    return convert


_CONVERTERS: dict[str, Converter] = {
    "Tensor": _convert_tensor,
    "Scalar": _convert_scalar,
    **dict.fromkeys(("Int", "Int32", "Int64"), _convert_int),
    **dict.fromkeys(("Float", "Double"), _convert_float),
    "Bool": _convert_bool,
    "Complex": _convert_complex,
    "String": _convert_string,
    "DataType": _convert_dtype,
    "Device": _convert_device,
    "Generator": _instance_of("tritonflow.functions.random_generator", "Generator"),
    "MemoryFormat": _instance_of("tritonflow.framework.memory_format", "MemoryFormat"),
    "Placement": _convert_placement,
    "Sbp": _instance_of("tritonflow.framework.sbp", "Sbp"),
    **dict.fromkeys(("TensorIndex", "PyObject", "Layout"), _convert_object),
}


def converter(parameter: Parameter) -> Converter:
    """A function that converts a value for `parameter`, or returns REJECTED."""
    kind = parameter.type
    if kind.element is None:
        convert = _CONVERTERS[kind.name]
    elif kind.element == "Shape":
        convert = _list_converter(_list_converter(_convert_int, None), None)
    else:
        size = 1 if kind.name == "SbpList" and parameter.size is None else parameter.size
        convert = _list_converter(_CONVERTERS[kind.element], size)
    if not parameter.optional:
        return convert
    return lambda value: None if value is None else convert(value)


def _list_converter(element: Converter, size: int | None) -> Converter:
    """Lists, tuples and 1-D NumPy arrays to a tuple; one element is repeated `size` times where a size is given."""

    def convert(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            result = tuple([element(v) for v in value])
            for v in result:
                if v is REJECTED:
                    return REJECTED
            return result
        if isinstance(value, numpy.ndarray) and value.ndim == 1:
            return convert(value.tolist())
        if isinstance(value, numpy.ndarray) and value.ndim == 0 and value.dtype.kind in "iu":  # as the size in zeros(array(3))
            return convert((value.item(),) * (size or 1))
        if size is None:
            return REJECTED
        one = element(value)
        return REJECTED if one is REJECTED else (one,) * size

    return convert


def default_value(value: Any) -> Any:
    """The run-time value of a default of the schema."""
    return _dtype_from_name(value.name.rstrip("_")) if isinstance(value, DataTypeName) else value


def describe(value: Any, parameter: Parameter | None = None) -> str:
    """The type of a value for an error; for lists also the type of the first element that does not fit."""
    name = type_name(value)
    if parameter is not None and parameter.type.element and isinstance(value, (tuple, list)):
        element = _CONVERTERS.get(parameter.type.element)
        wrong = [v for v in value if element is not None and element(v) is REJECTED]
        if wrong:
            return f"{name} of {type_name(wrong[0])}"
    return name
