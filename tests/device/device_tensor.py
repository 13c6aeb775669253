"""Tensors of torch's that lie on the stand-in: they say so, and refuse the company of the host's, as those on a GPU do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_map

CUDA = torch.device("cuda", 0)
_without_functions = torch._C.DisableTorchFunctionSubclass
_TOLD: dict[Any, Any] = {torch.Tensor.device.__get__: CUDA, torch.Tensor.is_cuda.__get__: True, torch.Tensor.is_cpu.__get__: False}
_BETWEEN_DEVICES = ("copy_", "__setitem__", "set_", "type_as", "to")  # which torch, too, calls with tensors of both
_ON_HOST = ("numpy", "__array__")
_OF_NO_NUMBERS = (
    "data_ptr", "size", "stride", "storage_offset", "dim", "numel", "element_size", "nelement", "is_contiguous", "is_pinned", "__len__", "__get__",
    "view", "as_strided", "reshape", "detach",
)  # fmt: skip
numbers_wanted: list[Callable[[], None]] = []
"""Called before torch reads or writes numbers: what is before it on its stream is done then."""


class DeviceTensor(torch.Tensor):
    """A tensor over memory of the stand-in."""

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if function in _TOLD:
            return _TOLD[function]
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "")
        if name not in _OF_NO_NUMBERS:
            for catch_up in numbers_wanted:
                catch_up()
        if name in _ON_HOST:
            raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.")
        if name == "cpu" or (name == "to" and _names_host(args[1:], kwargs)):
            return plain(args[0]).clone()
        if name not in _BETWEEN_DEVICES and not (name == "__getitem__" and isinstance(args[0], DeviceTensor)):
            _refuse_host(name, (args, kwargs))
        stays = name == "untyped_storage" or (name == "copy_" and not isinstance(args[0], DeviceTensor))
        with _without_functions():
            args, kwargs = tree_map(_for_host, (args, kwargs))
        found = function(*args, **kwargs)
        return found if stays else tree_map(_marked, found)


def on_device(t: torch.Tensor) -> torch.Tensor:
    """The same memory as a tensor that says that it is the stand-in's."""
    with _without_functions():
        return t.as_subclass(DeviceTensor)


def plain(t: torch.Tensor) -> torch.Tensor:
    """The same memory as a tensor of the host."""
    with _without_functions():
        return t.as_subclass(torch.Tensor)


def _marked(value: Any) -> Any:
    return on_device(value) if type(value) is torch.Tensor else value


def _for_host(value: Any) -> Any:
    if isinstance(value, DeviceTensor):
        return plain(value)
    return torch.device("cpu") if isinstance(value, torch.device) or (isinstance(value, str) and value.startswith("cuda")) else value


def _names_host(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    return any(str(each).startswith("cpu") for each in (*arguments, *keywords.values()) if isinstance(each, (str, torch.device)))


def _refuse_host(name: str, value: Any) -> None:
    for each in _tensors(value):
        if not isinstance(each, DeviceTensor) and each.dim() > 0:
            raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! ({name})")


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _tensors(each)
