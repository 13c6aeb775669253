"""torch's tensors, as what programs exchange with tritonflow: their dtypes, memory and layout, arrays, capsules and files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
import torch

from tritonflow import dtypes, versions
from tritonflow.device import dlpack
from tritonflow.device.device import DEVICE_TYPES, Device
from tritonflow.dtypes import DType

versions.check("torch", torch.__version__)

_ALL = dtypes.ALL + dtypes.BAREBONES + dtypes.STORAGE + dtypes.COMPLEX_DTYPES
_TO_TORCH: dict[DType, torch.dtype] = {dtype: getattr(torch, dtype.name) for dtype in _ALL}
_FROM_TORCH = {theirs: ours for ours, theirs in _TO_TORCH.items()}


def to_torch_dtype(dtype: DType) -> torch.dtype:
    """torch's dtype of the same layout."""
    return _TO_TORCH[dtype]


def from_torch_dtype(dtype: torch.dtype) -> DType:
    """The dtype of the same layout as torch's.

    Raises:
        TypeError: there is none.
    """
    try:
        return _FROM_TORCH[dtype]
    except KeyError:
        raise TypeError(f"tritonflow has no dtype for {dtype}") from None


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor of torch's."""
    return isinstance(value, torch.Tensor)


def is_parameter(value: Any) -> bool:
    """Whether a value is a parameter of torch's."""
    return isinstance(value, torch.nn.Parameter)


class DenseTensor(NamedTuple):
    """A tensor of torch's, as far as it can be shared.

    Attributes:
        storage: torch's object for the memory.
        address: of the first element.
        shape, stride: counted in elements.
        dtype, device: ours.
    """

    storage: Any
    address: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: DType
    device: Device


def dense_tensor(x: Any) -> DenseTensor:
    """What is to know of a tensor of torch's to share its memory.

    Raises:
        TypeError: not a dense torch tensor of a dtype and a device that tritonflow has.
    """
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"from_torch(): argument 'x' must be torch.Tensor, not {type(x).__name__}")
    if x.layout != torch.strided or x.is_conj() or x.is_neg():
        raise TypeError("from_torch(): only dense tensors without lazy conjugation or negation are supported")
    if x.device.type not in DEVICE_TYPES:
        raise TypeError(f"from_torch(): tensors on {x.device} are not supported")
    device, dtype = Device(x.device.type, x.device.index or 0), from_torch_dtype(x.dtype)
    return DenseTensor(x.untyped_storage(), x.data_ptr(), tuple(x.shape), tuple(x.stride()), dtype, device)


def tensor_over(memory: torch.Tensor, dtype: DType, shape: tuple[int, ...], stride: tuple[int, ...]) -> torch.Tensor:
    """A tensor of torch's over bytes, as many as it spans."""
    return memory.view(to_torch_dtype(dtype)).as_strided(shape, stride)


def from_numpy(array: numpy.ndarray[Any, Any]) -> torch.Tensor:
    """A tensor of torch's that shares an array's memory."""
    return torch.from_numpy(array)


def from_dlpack(ext_tensor: Any, device: str | None = None, copy: bool | None = None) -> tuple[torch.Tensor, bool]:
    """A tensor of torch's that shares the memory of any object with `__dlpack__`, or of a capsule; whether that is read-only.

    Raises:
        ValueError: strides are negative, or reach too far.
    """
    if not hasattr(ext_tensor, "__dlpack__"):
        read_only = dlpack.check(ext_tensor)
        return torch.from_dlpack(ext_tensor, device=device, copy=copy), read_only
    exporter = dlpack.Exporter(ext_tensor)
    return torch.from_dlpack(exporter, device=device, copy=copy), exporter.read_only


def load_file(file: Any, map_location: Callable[[Any, str], Any]) -> Any:
    """What is in a file that torch saved, read by its restricted unpickler: tensors and plain containers."""
    return torch.load(file, map_location=map_location, weights_only=True)
