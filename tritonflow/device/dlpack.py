"""DLPack capsules, looked at before torch takes them: torch ends the process where the strides of one are negative.

A capsule holds a C structure: dlpack.h names its fields.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any

from tritonflow.errors import ArgumentValueError

_READ_ONLY = 1  # a bit of the flags


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("dtype_code", ctypes.c_uint8),
        ("dtype_bits", ctypes.c_uint8),
        ("dtype_lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    ]


_name_of = ctypes.pythonapi.PyCapsule_GetName
_name_of.restype, _name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class Exporter:
    """An object with `__dlpack__` for torch, whose capsule is looked at on its way.

    Attributes:
        read_only: whether the memory that it gave may not be written.
    """

    def __init__(self, source: Any) -> None:
        self._source = source
        self.read_only = False

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self._source.__dlpack__(**options)
        self.read_only = check(capsule)
        return capsule

    def __dlpack_device__(self) -> Any:
        return self._source.__dlpack_device__()


def check(capsule: Any) -> bool:
    """Whether the memory of a capsule may not be written. One that was used already is for torch to refuse.

    Raises:
        ValueError: its strides are negative, or what they reach has no address.
    """
    if type(capsule).__name__ != "PyCapsule":
        return False
    name = _name_of(capsule)
    if name == b"dltensor":
        _check_layout(_DLTensor.from_address(_pointer_of(capsule, name)))
    elif name == b"dltensor_versioned":
        managed = _Versioned.from_address(_pointer_of(capsule, name))
        if managed.major == 1:  # torch refuses others
            _check_layout(managed.tensor)
            return bool(managed.flags & _READ_ONLY)
    return False


def _check_layout(tensor: _DLTensor) -> None:
    shape = tensor.shape[: tensor.ndim] if tensor.ndim else []
    stride = tensor.strides[: tensor.ndim] if tensor.strides and tensor.ndim else []
    if any(size != 1 and step < 0 for size, step in zip(shape, stride)):
        raise ArgumentValueError(
            f"from_dlpack(): tensors with negative strides are not supported, and these are {stride} elements."
            " help: make a copy of the array, as with array.copy()"
        )
    reach = sum((size - 1) * step for size, step in zip(shape, stride)) + 1 if stride else math.prod(shape)
    nbytes = reach * tensor.dtype_lanes * ((tensor.dtype_bits + 7) // 8)
    if min(shape, default=0) < 0 or (0 not in shape and nbytes >= 2**63):
        raise ArgumentValueError(f"from_dlpack(): no memory has elements of sizes {shape} and strides {stride}")
