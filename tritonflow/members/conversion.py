"""Tensor's members that give its numbers in another form: NumPy's, Python's, another dtype's, another device's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tritonflow import dtypes
from tritonflow.binding import data_exchange, new_tensors
from tritonflow.binding.annotations import DeviceLike, PlacementLike
from tritonflow.binding.target import target_like
from tritonflow.device.device import DEVICE_TYPES, Device
from tritonflow.dtypes import DType
from tritonflow.errors import (
    AutogradError,
    DeviceError,
)
from tritonflow.framework.memory_format import MemoryFormat
from tritonflow.framework.sbp import Sbp, broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.placement import to_global, to_local
from tritonflow.interpreter.recording import edges_of


def numpy(self: Tensor, *, force: bool = False) -> np.ndarray[Any, Any]:
    """An array that shares the memory of a CPU tensor; a copy of a GPU's.

    Args:
        force: accepted for torch's sake; what it allows there, is allowed here without it.

    It has no history: what NumPy computes from it is unknown to backward. As in OneFlow, and other than in torch, a tensor that
    requires grad need not be detached first. Where NumPy converts a tensor by itself, one that requires grad is refused.

    Raises:
        TypeError: NumPy has no such dtype (bfloat16, float8).

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, requires_grad=True).numpy()
        array([1., 1.], dtype=float32)
    """
    return data_exchange.numpy_of(self)


def __array__(self: Tensor, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    """What NumPy calls where it wants an array; who writes `numpy.exp(x)` does not ask for a result without a gradient."""
    if edges_of((self,))[0] is not None:
        raise AutogradError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    array = data_exchange.numpy_of(self)
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(f"Unable to avoid copy while creating an array of {np.dtype(dtype)} of a tensor of {array.dtype}.")
        return array.astype(dtype)
    return array.copy() if copy else array


def __array_wrap__(self: Tensor, array: np.ndarray[Any, Any], context: Any = None, return_scalar: bool = False) -> Any:
    """What NumPy calls with a result of its functions of tensors: a tensor of it, of uint8 for bools, as with torch."""
    if array.dtype == bool:
        array = array.astype(np.uint8)
    return data_exchange.from_numpy(array)


def __dlpack__(
    self: Tensor,
    *,
    stream: Any = -1,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[Any, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A capsule with the tensor's memory, for another library; its arguments are those of torch.Tensor.__dlpack__."""
    if edges_of((self,))[0] is not None:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    options = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
    return data_exchange.to_torch(self).__dlpack__(**options)


def __dlpack_device__(self: Tensor) -> tuple[int, int]:
    return data_exchange.to_torch(self).__dlpack_device__()


def new_tensor(
    self: Tensor,
    data: Any,
    dtype: DType | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    placement: PlacementLike | None = None,
    sbp: Sbp | Sequence[Sbp] | None = None,
) -> Tensor:
    """`flow.tensor(data)`, with the dtype of this tensor, on its device or over its placement, unless others are given.

    Args:
        data: a number, nested sequences of numbers, a NumPy array, or a tensor.
        dtype: of the result; this tensor's unless given.
        device: where it lies; this tensor's unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement, sbp: over which ranks it lies, and how; this tensor's unless given.

    Raises:
        TypeError, ValueError: `data` is not rectangular or not made of numbers.

    Source: torch.Tensor.new_tensor.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, dtype=flow.float64).new_tensor([1, 2])
        tensor([1., 2.], dtype=tritonflow.float64)
    """
    dtype = self.meta.dtype if dtype is None else dtype
    if placement is None and sbp is None:
        ndim = data.ndim if hasattr(data, "ndim") else np.ndim(data)
        like = target_like("new_tensor", self, ndim, None if device is None else Device(device))
        device, placement, sbp = like.device if like.placement is None else None, like.placement, like.sbp
    return new_tensors.tensor(data, dtype=dtype, device=device, requires_grad=requires_grad, placement=placement, sbp=sbp)


def full(self: Tensor) -> Tensor:
    """A local tensor with all elements of a consistent one, on every rank of the world; itself if it is local.

    Every rank of the world calls this; of a tensor over a mesh, its ranks alone. Gradients of all ranks add up.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, placement=flow.placement.all("cpu"), sbp=flow.sbp.split(0))
        >>> x.full()
        tensor([1., 1.])
    """
    if self.meta.is_local:
        return self
    everyone = self.placement.everyone()
    whole: Tensor = to_local(to_global(self, everyone, (broadcast,) * everyone.ndim))
    return whole


_DTYPE_OF = {
    "float": "float32",
    "double": "float64",
    "cdouble": "complex128",
    "cfloat": "complex64",
    "chalf": "complex32",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
}


def _to_dtype(name: str, of: str) -> Callable[..., Tensor]:
    dtype = dtypes.from_name(of)

    def method(self: Tensor, memory_format: MemoryFormat | None = None) -> Tensor:
        if memory_format is not None:
            return self.to(dtype, memory_format=memory_format)  # type: ignore[attr-defined, no-any-return]
        return self if self.meta.dtype is dtype else self.to(dtype)  # type: ignore[attr-defined, no-any-return]

    method.__name__ = method.__qualname__ = name
    method.__doc__ = _TO_DTYPE.format(dtype=dtype.name, name=name)
    return method


_TO_DTYPE = """The tensor in {dtype}; itself if it is.

    Args:
        memory_format: the order of the dimensions in memory; as they lie unless given.

    Source: torch.Tensor.{name}.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, dtype=flow.uint8).{name}().dtype
        tritonflow.{dtype}
    """


def cpu(self: Tensor, memory_format: MemoryFormat | None = None) -> Tensor:
    """The tensor in host memory; itself if it is there.

    Args:
        memory_format: the order of the dimensions in memory; as they lie unless given.

    Source: torch.Tensor.cpu.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, device="cpu")
        >>> x.cpu() is x
        True
    """
    if self.meta.device.type == "cpu" and memory_format is None:
        return self
    return self.to(data_exchange.CPU, memory_format=memory_format)  # type: ignore[attr-defined, no-any-return]


def cuda(
    self: Tensor,
    device: DeviceLike | int | None = None,
    non_blocking: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """The tensor on an NVIDIA GPU; itself if it is there. Of a consistent one, each shard on its rank's.

    Args:
        device: which one, a number or a device; the current one unless given.
        non_blocking: torch's; copies to a GPU do not block.
        memory_format: the order of the dimensions in memory; as they lie unless given.

    Raises:
        RuntimeError: there is no such GPU.

    Source: torch.Tensor.cuda.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2)
        >>> y = x.cuda() if flow.cuda.is_available() else x
    """
    where = Device(f"cuda:{device}" if isinstance(device, int) else device or "cuda")
    return self.to(where, memory_format=memory_format)  # type: ignore[attr-defined, no-any-return]


def method_to(function: Any) -> Callable[..., Tensor]:
    """`Tensor.to` over the binding's function; `x.to(flow.Tensor)` is x, as OneFlow's graphs write it of parameters."""

    def to(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if not self.meta.is_local:
            _check_device_type(args[0] if args else kwargs.get("device"))
        return self if args and args[0] is Tensor else function(self, *args, **kwargs)

    to.__doc__ = function.__doc__
    to.__signature__ = function.__signature__.of_method()  # type: ignore[attr-defined]
    return to


def _check_device_type(device: Any) -> None:
    """Raises RuntimeError for a text that names no device type; the words are OneFlow's for global tensors."""
    if isinstance(device, str) and device.partition(":")[0] not in (*DEVICE_TYPES, "meta"):
        raise DeviceError(
            f'Only string device without device id (eg. "cpu" or "cuda") is expected for global tensor, but got {device}'
        )


METHODS: dict[str, Any] = {
    "numpy": numpy,
    "item": data_exchange.item,
    "tolist": data_exchange.tolist,
    "data_ptr": data_exchange.data_ptr,
    "_run_kernel": data_exchange.run_kernel,
    "__array__": __array__,
    "__array_wrap__": __array_wrap__,
    "__array_priority__": 1000,  # NumPy's scalars and arrays leave operators with tensors to these
    "__dlpack__": __dlpack__,
    "__dlpack_device__": __dlpack_device__,
    "new_tensor": new_tensor,
    "full": full,
    "cpu": cpu,
    "cuda": cuda,
    **{name: _to_dtype(name, dtype) for name, dtype in _DTYPE_OF.items()},
}
