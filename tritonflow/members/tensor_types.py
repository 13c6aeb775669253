"""Classes of tensors by dtype and device, such as `flow.LongTensor`, and their names, such as "torch.LongTensor".

The names are torch's, because programs compare them with what they expect.
"""

from __future__ import annotations

from typing import Any

from tritonflow import dtypes
from tritonflow.binding import new_tensors
from tritonflow.binding.annotations import DeviceLike
from tritonflow.device.device import Device, set_default_device
from tritonflow.dtypes import DType, set_default_dtype, torch_name
from tritonflow.errors import ArgumentValueError, type_name
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

PACKAGES = ("torch", "tritonflow", "oneflow", "flow")  # whose names of types are understood
_BY_NAME = {f"{torch_name(dtype)}Tensor": dtype for dtype in dtypes.ALL}


class TypedTensor(type):
    """The class of `flow.LongTensor` and the like: each makes tensors of one dtype and kind of device, which are its instances."""

    dtype: DType
    device_type: str

    def __call__(cls, *args: Any, device: DeviceLike | None = None, **options: Any) -> Tensor:
        """A tensor of a size given as integers or a shape, not initialised; or of data, which a tensor shares.

        Raises:
            TypeError: a tensor of another dtype is given.
        """
        if device is None and not options and cls.device_type != "cpu":
            device = cls.device_type
        if not args:
            return new_tensors.tensor([], dtype=cls.dtype, device=device, **options)
        data = args[0]
        if len(args) == 1 and isinstance(data, Tensor) and data.dtype is not cls.dtype and data.is_local:
            raise TypeError(f"expected {cls.__name__} (got {type_of(data)})")
        if len(args) == 1 and not isinstance(data, (int, Size, Tensor)) and not new_tensors.is_numpy_integer(data):
            return new_tensors.tensor(data, dtype=cls.dtype, device=device, **options)
        return new_tensors.legacy_tensor(list(args), device, **options).to(cls.dtype)  # type: ignore[no-any-return]

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, Tensor) and x.dtype is cls.dtype and x.is_local and x.device.type == cls.device_type


def typed_tensors(device_type: str) -> dict[str, TypedTensor]:
    """The classes of tensors on a kind of device, by name."""
    prefix = "tritonflow" if device_type == "cpu" else f"tritonflow.{device_type}"
    return {name: _typed_tensor(name, prefix, dtype, device_type) for name, dtype in _BY_NAME.items()}


def _typed_tensor(name: str, module: str, dtype: DType, device_type: str) -> TypedTensor:
    doc = f"As `flow.Tensor`, of {dtype.name}: of a size, or of data."
    members = {"dtype": dtype, "device_type": device_type, "__doc__": doc, "__module__": module}
    return TypedTensor(name, (), members)


def type_of(x: Tensor) -> str:
    """The name of a tensor's type, such as "torch.cuda.FloatTensor"."""
    name = f"{torch_name(x.dtype)}Tensor"
    return f"torch.{name}" if x.is_global or x.device.type == "cpu" else f"torch.{x.device.type}.{name}"


def parse_type(kind: Any) -> tuple[DType, str | None]:
    """The dtype and the kind of device that a type, its name, or a dtype stands for; None where it says nothing of devices.

    Raises:
        TypeError, ValueError: it is none of these.
    """
    if isinstance(kind, DType):
        return kind, None
    if isinstance(kind, TypedTensor):
        return kind.dtype, kind.device_type
    if kind is Tensor:
        return dtypes.get_default_dtype(), "cpu"
    if not isinstance(kind, str):
        raise TypeError(f"type(): argument 'dtype' must be a dtype, a tensor type or its name, not {type_name(kind)}")
    package, *between, name = kind.split(".")
    if package not in PACKAGES or len(between) > 1 or name not in (*_BY_NAME, "Tensor"):
        raise ArgumentValueError(f"invalid type: '{kind}'")
    return _BY_NAME.get(name, dtypes.get_default_dtype()), between[0] if between else "cpu"


def type_(self: Tensor, dtype: DType | str | type[Tensor] | TypedTensor | None = None, non_blocking: bool = False) -> Any:
    """The name of the tensor's type; or, given a dtype, a tensor type or its name, the tensor cast to it.

    Args:
        dtype: such as `flow.int64`, `flow.LongTensor` or "torch.LongTensor".
        non_blocking: torch's; nothing here.

    Raises:
        TypeError: an object of another class.
        ValueError: a name of no type.

    Source: torch.Tensor.type.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2)
        >>> x.type(), x.type(flow.int64).type(), x.type("torch.DoubleTensor").dtype
        ('torch.FloatTensor', 'torch.LongTensor', tritonflow.float64)
    """
    if dtype is None:
        return type_of(self)
    wanted, device_type = parse_type(dtype)
    if device_type is None or self.is_global or self.device.type == device_type:
        return self.to(wanted)
    return self.to(Device(device_type), wanted)


def new(self: Tensor, *args: Any, device: DeviceLike | None = None) -> Tensor:
    """A tensor of this dtype on this device: of a size given as integers or a shape, not initialised; or with a copy of data.

    Args:
        args: the sizes, or the data.
        device: where it lies; this tensor's unless given.

    Source: torch.Tensor.new.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, dtype=flow.int64).new([1, 2]).dtype
        tritonflow.int64
    """
    data = args[0] if len(args) == 1 else None
    if isinstance(data, (list, tuple)) and not isinstance(data, Size) or hasattr(data, "__array__"):
        return self.new_tensor(data, device=device)  # type: ignore[attr-defined, no-any-return]
    shape = tuple(data) if isinstance(data, Size) else args or (0,)
    return self.new_empty(shape, device=None if device is None else Device(device))


def set_default_tensor_type(t: Any) -> None:
    """Set the default dtype, and the device of new tensors, to those of a tensor type or its name.

    Args:
        t: such as `flow.FloatTensor` or "torch.DoubleTensor".

    Raises:
        TypeError: the type is not one of floating tensors.

    Source: torch.set_default_tensor_type.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_default_tensor_type(flow.FloatTensor)
    """
    dtype, device_type = parse_type(t)
    if not dtype.is_floating_point or device_type is None:
        raise TypeError("only floating-point types are supported as the default type")
    set_default_dtype(dtype)
    if device_type != "cpu" or t is not Tensor:
        set_default_device(device_type)


METHODS: dict[str, Any] = {"type": type_, "new": new}
TYPED_TENSORS = typed_tensors("cpu")
