"""Dtypes of ONNX, and arrays of it as tensors."""

from __future__ import annotations

from typing import Any

import numpy

import tritonflow as flow
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor

BY_NAME = {
    "FLOAT": flow.float32, "UINT8": flow.uint8, "INT8": flow.int8, "UINT16": flow.uint16, "INT16": flow.int16,
    "INT32": flow.int32, "INT64": flow.int64, "BOOL": flow.bool, "FLOAT16": flow.float16, "DOUBLE": flow.float64,
    "UINT32": flow.uint32, "UINT64": flow.uint64, "COMPLEX64": flow.complex64, "COMPLEX128": flow.complex128,
    "BFLOAT16": flow.bfloat16, "FLOAT8E4M3FN": flow.float8_e4m3fn, "FLOAT8E5M2": flow.float8_e5m2,
}  # fmt: skip
"""By the name in `TensorProto.DataType`. Codes of 4 bits are numbers of 8 (`NARROW`)."""

NARROW = {"INT4": (flow.int8, -8, 7), "UINT4": (flow.uint8, 0, 15)}
"""Integers of 4 bits: the dtype that has them here, and their limits."""


def name_of(code: int) -> str:
    """The name of a dtype of ONNX."""
    import onnx  # where it is used alone

    return str(onnx.TensorProto.DataType.Name(code))


def flow_dtype(code: int) -> DType:
    """The dtype of a tensor, by the number that ONNX has for it."""
    name = name_of(code)
    if name in NARROW:
        return NARROW[name][0]
    if name not in BY_NAME:
        raise TypeError(f"tensors of ONNX's dtype {name} are not supported")
    return BY_NAME[name]


_VIEWED = {
    "bfloat16": (numpy.int16, flow.bfloat16), "float8_e4m3fn": (numpy.uint8, flow.float8_e4m3fn),
    "float8_e5m2": (numpy.uint8, flow.float8_e5m2),
}  # fmt: skip


def dtype_of_array(array: Any) -> DType:
    """The dtype of the tensor of an array."""
    return tensor_of(array.reshape(-1)[:1]).dtype


def tensor_of(array: Any) -> Tensor:
    """A tensor of an array that `onnx.numpy_helper.to_array` made."""
    kind = array.dtype.name
    if kind in ("int4", "uint4"):
        array = array.astype(numpy.int8 if kind == "int4" else numpy.uint8)
    shape, array = array.shape, numpy.array(array.reshape(-1), order="C")  # a copy of our own
    if kind in _VIEWED:
        bits, dtype = _VIEWED[kind]
        return flow.from_numpy(array.view(bits)).view(dtype).reshape(shape)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"tensors of ONNX's dtype {array.dtype} are not supported")
    return flow.from_numpy(array).reshape(shape)
