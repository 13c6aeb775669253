"""DistributedDataParallel: a copy of a module on each rank, and gradients averaged over the ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any

from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DeviceMismatchError,
    InvalidArgumentError,
    type_name,
)
from tritonflow.framework.locality import require_local
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parallel.buckets import buckets_of, take_from_rank_0
from tritonflow.nn.parallel.reducer import Reducer
from tritonflow.thread_state import thread_state

_MEGABYTE = 1 << 20


class DistributedDataParallel(Module):
    """Train copies of a module, one on each rank, with different batches: `backward()` averages the gradients over the ranks.

    Each rank makes the same module and wraps it. Parameters begin as those of rank 0. The averages are added in the
    order of the ranks, and have the same bits on every rank. They are computed bucket by bucket while backward goes on. A
    parameter that a rank does not use counts with zeros there, and gets a gradient on every rank.

    `state_dict()` and `load_state_dict()` are the module's, without a prefix, as in OneFlow. Other attributes of the module are
    found as well: `ddp.fc` is `ddp.module.fc`.

    Args:
        module: with local parameters, of any dtypes, on this rank's device.
        device_ids: None, or the one GPU that the module is on. Without a meaning for modules on a CPU.
        output_device: without a meaning, as there is one device.
        broadcast_buffers: whether each forward begins with the buffers of rank 0. An earlier forward whose backward is to come
            still has those that it has seen: the buffers then get new memory.
        broadcast_parameters: whether parameters become those of rank 0 now.
        bucket_cap_mb: megabytes in a bucket at most.
        bucket_size: how many parameters a bucket has at most; no limit if None.
        use_bucket: with False each parameter goes alone.
        find_unused_parameters: unused parameters are always found; the name is torch's.

    Raises:
        ArgumentTypeError: `module` is no module.
        InvalidArgumentError: the parameters are on several devices.
        DeviceMismatchError: the module is on another GPU than `device_ids` says.
        LocalityError: a parameter is consistent, and its gradient is added up already.

    Source: oneflow.nn.parallel.DistributedDataParallel, torch.nn.parallel.DistributedDataParallel.

    Example:
        >>> import tritonflow as flow
        >>> model = flow.nn.parallel.DistributedDataParallel(flow.nn.Linear(2, 1))  # in a world of one rank
        >>> model(flow.ones(4, 2)).sum().backward()
        >>> model.module.bias.grad
        tensor([4.])
    """

    _is_ddp_module = True

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        *,
        broadcast_buffers: bool = True,
        broadcast_parameters: bool = True,
        bucket_cap_mb: float = 25,
        bucket_size: int | None = None,
        use_bucket: bool = True,
        find_unused_parameters: bool = False,
    ) -> None:
        super().__init__()
        params = _check_module(module)
        _check_device(params, device_ids)
        most = _limit("bucket_size", 1 if not use_bucket else inf if bucket_size is None else bucket_size)
        max_bytes = _limit("bucket_cap_mb", bucket_cap_mb) * _MEGABYTE
        self.module = module
        self.broadcast_buffers = broadcast_buffers
        self.require_backward_grad_sync = True
        self._limits = max_bytes, most
        if broadcast_parameters:
            self._take_from_rank_0(list(module.parameters()), "parameters")
        self._reducer = Reducer(params, max_bytes, most)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes.

        Raises:
            RuntimeError: in a program that is being captured: the ranks would average once, while it is captured. `flow.compile`
                runs it in eager mode; the module inside of it may be compiled.
        """
        thread_state.observer.forbid(
            "DistributedDataParallel averages gradients outside of programs: compile the module that it has"
        )
        syncs = self.require_backward_grad_sync
        if syncs and self.broadcast_buffers:
            self._take_from_rank_0(list(self.module.buffers()), "buffers", self._reducer.is_backward_to_come())
        outputs = self.module(*args, **kwargs)
        if not is_grad_enabled():
            return outputs
        if syncs:
            outputs = _watched(outputs, self._reducer)
        if self.broadcast_buffers:
            _mapped(outputs, self._reducer.note_forward)
        return outputs

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """In the block, forwards are local, and so is their backward: gradients add up on each rank.

        The first backward of a forward behind the block averages what has come together.

        Example:
            >>> import tritonflow as flow
            >>> model = flow.nn.parallel.DistributedDataParallel(flow.nn.Linear(2, 1))
            >>> with model.no_sync():
            ...     model(flow.ones(4, 2)).sum().backward()
            >>> model(flow.ones(4, 2)).sum().backward()
        """
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def _take_from_rank_0(self, tensors: list[Tensor], what: str, renew: bool = False) -> None:
        for bucket in buckets_of(tensors, self._limits[0], inf):
            take_from_rank_0(bucket, what, renew)

    def state_dict(self, *args: Any, **options: Any) -> dict[str, Any]:
        """The module's."""
        return self.module.state_dict(*args, **options)

    def load_state_dict(self, *args: Any, **options: Any) -> Any:
        """As of the module."""
        return self.module.load_state_dict(*args, **options)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == "module" or name.startswith("__"):
                raise
            return getattr(self.module, name)

    def __reduce__(self) -> tuple[Any, ...]:
        max_bytes, most = self._limits
        return _wrapped, (self.module, self.broadcast_buffers, max_bytes / _MEGABYTE, None if most == inf else most, self.training)


def _wrapped(module: Module, broadcast_buffers: bool, bucket_cap_mb: float, bucket_size: int | None, training: bool) -> Any:
    """A copy of a wrapper, or one out of a file."""
    ddp = DistributedDataParallel(
        module,
        broadcast_buffers=broadcast_buffers,
        broadcast_parameters=False,
        bucket_cap_mb=bucket_cap_mb,
        bucket_size=bucket_size,
    )
    ddp.training = training
    return ddp


def _check_module(module: Any) -> list[Tensor]:
    """The parameters that require grad."""
    if not isinstance(module, Module):
        raise ArgumentTypeError(f"DistributedDataParallel(): argument 'module' must be Module, not {type_name(module)}")
    for x in (*module.parameters(), *module.buffers()):
        require_local("DistributedDataParallel", x)
    params: list[Tensor] = [p for p in module.parameters() if p.requires_grad]
    devices = sorted({str(p.device) for p in params})
    if len(devices) > 1:
        raise InvalidArgumentError(f"DistributedDataParallel(): expected all parameters on one device, got {', '.join(devices)}")
    return params


def _check_device(params: list[Tensor], device_ids: Any) -> None:
    if device_ids is None or not params or params[0].device.type == "cpu":
        return
    device = params[0].device
    if [str(one) for one in device_ids] not in ([str(device)], [str(device.index)]):
        raise DeviceMismatchError(f"DistributedDataParallel(): expected device_ids None or [{device.index}], got {device_ids}")


def _limit(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ArgumentTypeError(f"DistributedDataParallel(): argument '{name}' must be a number, not {type_name(value)}")
    if value <= 0:
        raise ArgumentValueError(f"DistributedDataParallel(): expected {name} > 0, got {value}")
    return value


def _watched(outputs: Any, reducer: Reducer) -> Any:
    """The same structure, whose tensors that require grad are watched."""
    found: list[Tensor] = []
    _mapped(outputs, found.append)
    if not found:
        return outputs
    watched = iter(reducer.watch(found))
    return _mapped(outputs, lambda _: next(watched))


def _mapped(value: Any, function: Callable[[Tensor], Any]) -> Any:
    """The same structure with `function` of each tensor that requires grad."""
    if isinstance(value, Tensor):
        return function(value) if value.requires_grad else value
    if isinstance(value, dict):
        mapped = {key: _mapped(item, function) for key, item in value.items()}
        return mapped if type(value) is dict else type(value)(mapped)
    if isinstance(value, (list, tuple)):
        items = [_mapped(item, function) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value
