"""Naming a device: `flow.device("cuda:0")`."""

from __future__ import annotations

from typing import Any, Literal

from tritonflow.thread_state import default_devices, thread_state

# Each a file of this folder, which provides the devices of its type; and their kind, which is that of their facts. It is known of
# devices that this machine does not have, too.
DEVICE_TYPES: dict[str, Literal["cpu", "gpu"]] = {"cpu": "cpu", "cuda": "gpu"}

# Types of torch's that nobody provides: programs make such a device to compare others with it. No tensor can lie there.
ABSENT_TYPES = frozenset(
    ("mps", "xpu", "xla", "hpu", "ipu", "mtia", "maia", "privateuseone", "vulkan", "lazy", "hip", "ve", "fpga", "opengl", "opencl")
)


class Device:
    """A device by type and index, one object per device. `with device:` is a block in which new tensors of this thread lie on it.

    Args:
        name: "cpu", "cuda", "cuda:n" or "meta"; or a `Device`; or the number n of a GPU.
        index: the number of the device, if not part of `name`.

    Tensors on "meta" have shape, dtype and layout, and no memory: ops on them compute those of their results, and nothing else.

    torch's other types, such as "mps" and "xpu", can be named and compared. A tensor there is a RuntimeError.

    Source: torch.device.

    Example:
        >>> import tritonflow as flow
        >>> flow.device("cpu")
        device(type='cpu')
        >>> flow.device("cuda:1").index
        1
        >>> with flow.device("cpu"):
        ...     print(flow.zeros(2).device)
        cpu
        >>> flow.ones(2, 3, device="meta") @ flow.ones(3, 4, device="meta")
        tensor(..., device='meta', size=(2, 4))
    """

    __slots__ = ("type", "index")
    _known: dict[tuple[str, int | None], Device] = {}
    default_cuda = 0  # what "cuda" without an index is; `flow.cuda.set_device` sets it

    type: str
    index: Any  # None of the types with one device

    def __new__(cls, name: str | int | Device = "cpu", index: int | None = None, *, type: str | None = None) -> Device:
        if type is not None:
            name = type
        if isinstance(name, Device):
            return name
        if name.__class__ is int:
            return cls("cuda", name)
        if not isinstance(name, str):
            raise TypeError(f"device(): argument 'device' must be str or device, not {name.__class__.__name__}")
        kind, _, number = name.partition(":")
        if number:
            if index is not None:
                raise ValueError(f"device(): index given twice, in {name!r} and as {index}")
            if not number.isdigit():
                raise RuntimeError(f"Invalid device string: {name!r}")
            index = int(number)
        if kind not in DEVICE_TYPES and kind != "meta" and kind not in ABSENT_TYPES:
            raise RuntimeError(
                f"Expected one of {', '.join(DEVICE_TYPES)}, meta device type at start of device string: {name}"
            )
        if index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
        if index is None and kind not in ABSENT_TYPES:
            index = cls.default_cuda if kind == "cuda" else 0
        key = (kind, index)
        device = cls._known.get(key)
        if device is None:
            device = super().__new__(cls)
            device.type, device.index = kind, index if index or kind not in ("cpu", "meta") else None
            device = cls._known.setdefault(key, device)
        return device

    def __enter__(self) -> Device:
        default_devices.used = True
        thread_state.outer_devices += (thread_state.device,)
        thread_state.device = self
        return self

    def __exit__(self, *error: object) -> None:
        *outer, thread_state.device = thread_state.outer_devices
        thread_state.outer_devices = tuple(outer)

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type={self.type!r})" if self.index is None else f"device(type={self.type!r}, index={self.index})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Device, (self.type, self.index))

    def __copy__(self) -> Device:
        return self

    def __deepcopy__(self, memo: Any) -> Device:
        return self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            try:
                return Device(other) is self
            except RuntimeError:  # the name of no device
                return False
        return self is other

    __hash__ = object.__hash__  # there is one object of each device; that of Python code costs a key of plans 80 ns


META = Device("meta")


def kind_of(type: str) -> Literal["cpu", "gpu"]:
    """The kind of a type of devices. Where nothing moves, on the meta device, it would cost what it costs on the host."""
    return DEVICE_TYPES.get(type, "cpu")


def is_gpu(name: str) -> bool:
    """Whether a device, or a type of devices, is of kind "gpu": one of several, with memory of its own, that runs behind the host.

    Example:
        >>> from tritonflow.device.device import is_gpu
        >>> is_gpu("cuda:1"), is_gpu("cpu"), is_gpu("meta")
        (True, False, False)
    """
    return kind_of(name.partition(":")[0]) == "gpu"


def set_default_device(device: str | Device | None) -> None:
    """Let new tensors of this thread lie on a device, unless another one is given.

    What shares memory with an array or a tensor of torch stays where that is.

    Args:
        device: a device or its name; None is the CPU.

    Raises:
        TypeError, RuntimeError: `device` names no device.

    Source: torch.set_default_device.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_default_device("cpu")
        >>> flow.ones(3).device
        device(type='cpu')
    """
    chosen = None if device is None else Device(device)
    default_devices.used = True
    thread_state.device = chosen


def get_default_device() -> Device:
    """The device on which new tensors of this thread lie.

    Source: torch.get_default_device.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_default_device()
        device(type='cpu')
    """
    chosen: Device | None = thread_state.device if default_devices.used else None
    return Device("cpu") if chosen is None else chosen
