"""Arrays of NumPy, tensors of torch and of tritonflow, and what else has DLPack: as addresses, and back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

BYTES = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1,
    "uint16": 2, "uint32": 4, "uint64": 8, "bool": 1, "complex64": 8, "complex128": 16, "float8_e4m3fn": 1, "float8_e5m2": 1,
    "complex32": 4,
}  # fmt: skip
_BITS = {"bfloat16": "uint16", "float8_e4m3fn": "uint8", "float8_e5m2": "uint8", "complex32": "uint32"}
"""What NumPy has no name for is given and returned as bits, unless ml_dtypes is there."""
ALIGNMENT = 64
_ENOUGH = 16


class Given(NamedTuple):
    """An input: its address, what keeps its memory, and the library that it comes from."""

    address: int
    keeps: Any
    library: str


def given(value: Any, name: str, dtype: str, shape: Sequence[int | None]) -> tuple[Given, tuple[int, ...]]:
    """An input of a program, and its shape.

    Args:
        shape: what it must be; None for a size that differs.

    Raises:
        TypeError: it is no array, or of another dtype.
        ValueError: it has another shape, or lies on a device.
    """
    library = type(value).__module__.partition(".")[0]
    if library in ("torch", "tritonflow") and hasattr(value, "data_ptr"):
        if str(getattr(value.device, "type", value.device)) != "cpu":
            raise ValueError(f"the input {name!r} is on {value.device}: a program takes tensors on the CPU")
        own, found = value.detach().contiguous(), str(value.dtype).rpartition(".")[2]
        _check(name, found, tuple(value.shape), dtype, shape)
        address = int(own.data_ptr()) if own.numel() else 0
        if address % _ENOUGH:
            own = own.clone()
            address = int(own.data_ptr())
        return Given(address, own, library), tuple(map(int, value.shape))
    array = _array(value, name)
    _check(name, array.dtype.name, array.shape, dtype, shape)
    if not array.flags.c_contiguous or array.ctypes.data % _ENOUGH or not array.dtype.isnative:
        copy = memory(array.nbytes)[: array.nbytes].view(array.dtype.newbyteorder("=")).reshape(array.shape)
        copy[...] = array
        array = copy
    return Given(array.ctypes.data, array, "numpy"), array.shape


def _array(value: Any, name: str) -> numpy.ndarray[Any, Any]:
    if isinstance(value, numpy.ndarray):
        return value
    if hasattr(value, "__dlpack__"):
        try:
            return numpy.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError) as error:
            raise TypeError(f"the input {name!r} cannot be read by DLPack: {error}") from None
    try:
        return numpy.asarray(memoryview(value))
    except TypeError:
        raise TypeError(f"the input {name!r} must be an array or a tensor, not {type(value).__name__}") from None


def _check(name: str, found: str, own: Sequence[int], dtype: str, shape: Sequence[int | None]) -> None:
    if found != dtype and found != _BITS.get(dtype):
        bits = f" (or {_BITS[dtype]}, as bits)" if dtype in _BITS else ""
        raise TypeError(f"the input {name!r} must be of dtype {dtype}{bits}, not {found}")
    if len(own) != len(shape) or any(want is not None and n != want for n, want in zip(own, shape)):
        wanted = ", ".join("*" if n is None else str(n) for n in shape)
        raise ValueError(f"the input {name!r} must be of shape ({wanted}), not ({', '.join(map(str, own))})")


def memory(nbytes: int) -> numpy.ndarray[Any, Any]:
    """So many bytes, which begin where vectors may."""
    block = numpy.empty(nbytes + 2 * ALIGNMENT, numpy.uint8)
    first = -block.ctypes.data % ALIGNMENT
    return block[first : first + nbytes + ALIGNMENT]


def made(block: numpy.ndarray[Any, Any], dtype: str, shape: Sequence[int], stride: Sequence[int], library: str) -> Any:
    """A result in a block of memory, for who gave arrays of a library."""
    if library == "torch" or (library == "tritonflow" and dtype in _BITS):
        torch = sys.modules["torch"]
        flat = torch.frombuffer(block, dtype=torch.uint8)[: len(block) - len(block) % BYTES[dtype]].view(getattr(torch, dtype))
        result = flat.as_strided(list(shape), list(stride))
        return result if library == "torch" else sys.modules["tritonflow"].from_torch(result)
    steps = [step * BYTES[dtype] for step in stride]
    array = numpy.ndarray(tuple(shape), _numpy_dtype(dtype), block, 0, tuple(steps))
    return sys.modules["tritonflow"].from_numpy(array) if library == "tritonflow" else array


def _numpy_dtype(dtype: str) -> Any:
    if dtype in _BITS:
        ml_dtypes = sys.modules.get("ml_dtypes")
        return getattr(ml_dtypes, dtype, None) or numpy.dtype(_BITS[dtype])
    return numpy.dtype(dtype)
