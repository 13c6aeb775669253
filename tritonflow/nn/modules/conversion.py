"""Moving a module's parameters and buffers to another device or dtype, in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from tritonflow import dtypes
from tritonflow.binding.annotations import PlacementLike
from tritonflow.device.device import Device
from tritonflow.dtypes import DType, from_python
from tritonflow.errors import NoDataError
from tritonflow.first_use import did_you_mean
from tritonflow.framework.memory_format import MemoryFormat
from tritonflow.framework.module_version import module_version
from tritonflow.framework.sbp import Sbp
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.nn.graph import GraphModule

C = TypeVar("C", bound="ModuleConversion")


class ModuleConversion:
    """The part of Module that deals with devices and dtypes."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Tensor | None]
    modules: Callable[[], Iterator[Any]]
    parameters: Callable[[], Iterator[Any]]

    def _apply(self: C, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> C:
        """Replace the data of each parameter, gradient and buffer by `fn` of it; a parameter stays the same object."""
        done: dict[int, Tensor] = {}
        for module in self.modules() if recurse else (self,):
            module._apply_here(fn, done)
        return self

    def _apply_here(self, fn: Callable[[Tensor], Tensor], done: dict[int, Tensor]) -> None:
        for param in self._parameters.values():
            if param is None or id(param) in done:
                continue
            done[id(param)] = param
            with no_grad():
                grad = param.grad
                param.data = fn(param.detach())
                if grad is not None:
                    requires = grad.requires_grad
                    grad = fn(grad.detach())
                    param.grad = grad.requires_grad_() if requires else grad
        for name, buffer in self._buffers.items():
            if buffer is not None:
                with no_grad():
                    self._buffers[name] = done.setdefault(id(buffer), fn(buffer))
        module_version.advance()

    def to(self: C, *args: Any, **kwargs: Any) -> C:
        """Move and cast: `to(device)`, `to(dtype)`, `to(device, dtype)`, `to(tensor)`; keywords `device`, `dtype`.
        With `memory_format=flow.channels_last` those of four dimensions are laid out so.

        Only floating parameters and buffers are cast. The module itself is changed and returned. `to(nn.graph.GraphModule)`
        gives the module as graphs see it, with its settings for them, and `to(nn.Module)` the module.

        Raises:
            TypeError: an argument is no device, dtype or tensor; or `dtype` is not floating.

        Example:
            >>> import tritonflow as flow
            >>> flow.nn.Linear(2, 2).to(flow.float64).weight.dtype
            tritonflow.float64
        """
        if len(args) == 1 and isinstance(args[0], type) and issubclass(args[0], (GraphModule, ModuleConversion)):
            return args[0](self) if args[0] is GraphModule else self  # type: ignore[return-value, arg-type]
        device, dtype, memory_format = parsed_to(args, kwargs)
        if dtype is not None and not dtype.is_floating_point:
            raise TypeError(f"nn.Module.to only accepts floating point dtypes, but got desired dtype={dtype}")

        def convert(tensor: Tensor) -> Tensor:
            wanted = dtype if dtype is not None and tensor.is_floating_point() else tensor.dtype
            format = memory_format if tensor.ndim in (4, 5) else None
            try:
                return tensor.to(device=device, dtype=wanted, memory_format=format)
            except NoDataError as error:
                raise NoDataError(
                    f"{error} Please use nn.Module.to_empty() instead of nn.Module.to() when moving module from meta to a different"
                    " device."
                ) from None

        return self._apply(convert)

    def to_global(self: C, placement: PlacementLike | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> C:
        """Make all parameters and buffers consistent tensors, in place, or lay those that are out anew.

        Args:
            placement: over which ranks; may be left out where they are consistent.
            sbp: how; where a tensor is broadcast, the first rank's numbers count.

        Source: oneflow.nn.Module.to_global.

        Example:
            >>> import tritonflow as flow
            >>> m = flow.nn.Linear(2, 2).to_global(flow.placement.all("cpu"), flow.sbp.broadcast)
            >>> m.weight.sbp
            (tritonflow.sbp.broadcast,)
        """
        return self._apply(lambda t: t.to_global(placement, sbp))

    to_consistent = to_global

    def to_local(self: C) -> C:
        """Make all parameters and buffers local tensors, in place: this rank's shards.

        Source: oneflow.nn.Module.to_local.
        """
        return self._apply(lambda t: t.to_local())

    def _cast(self: C, dtype: DType) -> C:
        return self._apply(lambda t: t.to(dtype=dtype) if t.is_floating_point() else t)

    def float(self: C) -> C:
        """Cast floating parameters and buffers to float32."""
        return self._cast(dtypes.float32)

    def double(self: C) -> C:
        """Cast floating parameters and buffers to float64."""
        return self._cast(dtypes.float64)

    def half(self: C) -> C:
        """Cast floating parameters and buffers to float16."""
        return self._cast(dtypes.float16)

    def bfloat16(self: C) -> C:
        """Cast floating parameters and buffers to bfloat16."""
        return self._cast(dtypes.bfloat16)

    def type(self: C, dst_type: DType) -> C:
        """Cast all parameters and buffers to a dtype."""
        return self._apply(lambda t: t.to(dtype=dst_type))

    def cpu(self: C) -> C:
        """Move parameters and buffers to host memory."""
        return self._apply(lambda t: t.to(device="cpu"))

    def cuda(self: C, device: int | str | Device | None = None) -> C:
        """Move parameters and buffers to a GPU, the current one if none is named."""
        target = f"cuda:{device}" if isinstance(device, int) else device or "cuda"
        return self._apply(lambda t: t.to(device=target))

    def to_empty(self: C, *, device: str | Device | None, recurse: bool = True) -> C:
        """Move to a device without copying: the values are whatever is in the new memory."""
        from tritonflow import _C

        return self._apply(lambda t: _C.empty_like(t, device=device), recurse)

    def requires_grad_(self: C, requires_grad: bool = True) -> C:
        """Say of all parameters whether they require grad."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of all parameters, or set them to zero."""
        for param in self.parameters():
            if set_to_none:
                param.grad = None  # without a look, as a captured step would have to know what was there
            elif param.grad is not None:
                param.grad = param.grad.detach()
                param.grad.zero_()


def parsed_to(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Device | str | None, DType | None, MemoryFormat | None]:
    """Device, dtype and memory format among the arguments of `to`.

    Raises:
        TypeError: an argument is none of them.
    """
    known = {"device", "dtype", "tensor", "other", "non_blocking", "copy", "memory_format"}
    for name in kwargs:
        if name not in known:
            meant = did_you_mean(name, sorted(known))
            raise TypeError(f"to(): got an unexpected keyword argument '{name}'{meant}")
    device, dtype = kwargs.get("device"), from_python(kwargs.get("dtype"))
    for arg in (*args, kwargs.get("tensor"), kwargs.get("other")):
        if isinstance(arg, Tensor):
            device, dtype = arg.device, arg.dtype
        elif isinstance(arg := from_python(arg), DType):
            dtype = arg
        elif isinstance(arg, bool) or arg is None:
            continue  # non_blocking; copies are ordered by the VM
        elif isinstance(arg, (str, Device)):
            device = arg
        elif isinstance(arg, int):
            device = f"cuda:{arg}"
        else:
            raise TypeError(f"to(): expected a device, a dtype or a tensor, but got {type(arg)}")
    if dtype is not None and not isinstance(dtype, DType):
        raise TypeError(f"to(): argument 'dtype' must be a dtype, not {type(dtype)}")
    memory_format = kwargs.get("memory_format")
    if memory_format is not None and not isinstance(memory_format, MemoryFormat):
        raise TypeError(f"to(): argument 'memory_format' must be a memory format, not {type(memory_format)}")
    return device, dtype, memory_format
