"""DistributedDataParallel: a copy of a module on each rank, and gradients averaged over the ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any

from tritonflow.comm.groups import GroupLike, ProcessGroup, members
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
from tritonflow.nn.parallel.buckets import buckets_of, take_from
from tritonflow.nn.parallel.join import Join, Joinable
from tritonflow.nn.parallel.reducer import Hook, Reducer, watched
from tritonflow.thread_state import thread_state
from tritonflow.wire.record import Ranks, digest_of

_MEGABYTE = 1 << 20


class DistributedDataParallel(Module, Joinable):
    """Train copies of a module, one on each rank, with different batches: `backward()` averages the gradients over the ranks.

    Each rank makes the same module and wraps it. Parameters begin as those of the first rank. The averages are added in the
    order of the ranks, and have the same bits on every rank. They are computed bucket by bucket while backward goes on. A
    parameter that a rank does not use counts with zeros there, and gets a gradient on every rank.

    `state_dict()` and `load_state_dict()` are the module's, without a prefix, as in OneFlow. Other attributes of the module are
    found as well: `ddp.fc` is `ddp.module.fc`.

    Args:
        module: with local parameters, of any dtypes, on this rank's device.
        device_ids: None, or the one GPU that the module is on. Without a meaning for modules on a CPU.
        output_device: without a meaning, as there is one device.
        broadcast_buffers: whether each forward begins with the buffers of the first rank. They are compared by name. An earlier
            forward whose backward is to come still has those that it has seen: the buffers then get new memory.
        broadcast_parameters: whether parameters become those of the first rank now.
        bucket_cap_mb: megabytes in a bucket at most.
        bucket_size: how many parameters a bucket has at most; no limit if None.
        use_bucket: with False each parameter goes alone.
        find_unused_parameters: unused parameters are always found; the name is torch's.
        process_group: the ranks that have copies: a `flow.distributed.new_group`, or a mesh with one dimension. All ranks if None.
        gradient_as_bucket_view: whether the gradients of a bucket are views of one vector, which stays from step to step. No
            gradient has memory beside it then, and their addresses do not change; who holds one sees the next step's numbers.
        static_graph: without a meaning, as each step may use other parameters, and one more than once; the name is torch's.

    Raises:
        ArgumentTypeError: `module` is no module.
        InvalidArgumentError: the parameters are on several devices, or this rank is not in the group.
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
        process_group: GroupLike = None,
        gradient_as_bucket_view: bool = False,
        static_graph: bool = False,
    ) -> None:
        super().__init__()
        params = _check_module(module)
        _check_device(params, device_ids)
        most = _limit("bucket_size", 1 if not use_bucket else inf if bucket_size is None else bucket_size)
        max_bytes = _limit("bucket_cap_mb", bucket_cap_mb) * _MEGABYTE
        self.module = module
        self.static_graph = bool(static_graph)
        self.broadcast_buffers = broadcast_buffers
        self.require_backward_grad_sync = True
        self._ranks = members("DistributedDataParallel", process_group)
        self._limits = max_bytes, most
        self._has_renewed = False
        if broadcast_parameters:
            self._take("parameters", self._ranks[0])
        self._reducer = Reducer(params, self._ranks, max_bytes, most, gradient_as_bucket_view)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes."""
        syncs = self.require_backward_grad_sync
        if syncs and self.broadcast_buffers:
            self._share_buffers()
        outputs = self.module(*args, **kwargs)
        if not is_grad_enabled():
            return outputs
        note = self._reducer.note_forward if self.broadcast_buffers else None
        if syncs:
            return watched(outputs, self._begin_backward, note)
        return outputs if note is None else watched(outputs, self._begin_local_backward, note)

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

    def join(
        self, divide_by_initial_world_size: bool = True, enable: bool = True, throw_on_early_termination: bool = False
    ) -> Join:
        """A block in which ranks may have different numbers of inputs: a rank without one averages zeros.

        Behind the block all ranks have the parameters and buffers of one that had the most inputs.

        Args:
            divide_by_initial_world_size: divide sums of gradients by the number of all ranks, so that each input weighs the same
                in every step; with False by the number of ranks that have an input left.
            enable: False makes the block do nothing.
            throw_on_early_termination: raise on all ranks when the first one has no input left.

        Source: torch.nn.parallel.DistributedDataParallel.join.
        """
        return Join([self], enable, throw_on_early_termination, divide_by_initial_world_size=divide_by_initial_world_size)

    def register_comm_hook(self, state: object, hook: Hook) -> None:
        """Average buckets by a function, in place of the mean over the ranks.

        Args:
            state: the hook's first argument.
            hook: `hook(state, bucket)` gets a `GradBucket` with this rank's gradients, not yet divided by anything. It returns the
                vector that the gradients shall be, or a future of it: an object with `wait()`. It is called for all buckets in
                their order on every rank, while backward goes on.

        Raises:
            RuntimeError: there is a hook already.
            TypeError: the hook cannot be called.

        Source: torch.nn.parallel.DistributedDataParallel.register_comm_hook.

        Example:
            >>> import tritonflow as flow
            >>> def in_half(state, bucket):
            ...     half = bucket.buffer().to(flow.bfloat16)
            ...     return (flow.comm.all_reduce(half) / flow.env.get_world_size()).to(flow.float32)
            >>> model = flow.nn.parallel.DistributedDataParallel(flow.nn.Linear(2, 1))
            >>> model.register_comm_hook(None, in_half)
            >>> model(flow.ones(4, 2)).sum().backward()
            >>> model.bias.grad
            tensor([4.])
        """
        if not callable(hook):
            raise ArgumentTypeError(f"register_comm_hook(): argument 'hook' must be callable, not {type_name(hook)}")
        if self._reducer.hook is not None:
            raise InvalidArgumentError("register_comm_hook can only be called once, and there is a hook already")
        self._reducer.hook = hook, state

    @staticmethod
    def _set_params_and_buffers_to_ignore_for_model(module: Any, params_and_buffers_to_ignore: Iterable[str]) -> None:
        """Leave parameters and buffers of these names to each rank, when the module is wrapped."""
        module._ddp_params_and_buffers_to_ignore = list(params_and_buffers_to_ignore)

    # ---------------------------------------------------------------------------------------------- what is the same

    @property
    def process_group(self) -> ProcessGroup:
        """The ranks that have copies."""
        return ProcessGroup(self._ranks)

    def _take(self, what: str, source: int, renew: bool = False) -> None:
        """Write the parameters or buffers of a rank over those of the others. Their names and order are the same on all ranks."""
        named = self.module.named_parameters() if what == "parameters" else self.module.named_buffers()
        found = sorted(_not_ignored(self.module, named))
        if not found or len(self._ranks) == 1:
            return
        names = [name for name, _ in found]
        text = f"{len(names)} {what}, {names[0]} to {names[-1]}, of digest {digest_of(*names)}"
        for bucket in buckets_of([x for _, x in found], self._limits[0], inf):
            take_from(source, self._ranks, bucket, text, renew)

    def _share_buffers(self) -> None:
        if next(self.module.buffers(), None) is not None:
            renews = self._reducer.is_backward_to_come()
            thread_state.observer.depend(self._reducer, self._must_renew)
            if self._must_renew():
                thread_state.observer.forbid(
                    "DistributedDataParallel gives buffers new memory, as there are forwards before the backward of another one:"
                    " compile the module that it has"
                )
            self._has_renewed |= renews
            self._take("buffers", self.announce("buffers")[0], renews)

    def _must_renew(self) -> bool:
        """Whether buffers get new memory, now or once before: the same on all ranks, but for the one that has them."""
        return self._has_renewed or self._reducer.is_backward_to_come()

    # ---------------------------------------------------------------------------------------------------- the backward

    def _begin_backward(self) -> None:
        self._reducer.begin(self._announce_gradients)

    def _begin_local_backward(self) -> None:
        """The backward of a forward in `no_sync` averages nothing."""

    # ------------------------------------------------------------------------------------------------- uneven inputs

    @property
    def join_ranks(self) -> Ranks:
        """The ranks that have copies."""
        return self._ranks

    def _announce_gradients(self) -> None:
        self._divide_for(self.announce("gradients"))

    def _divide_for(self, active: Ranks) -> None:
        by_all = self.joined is None or self.joined.options.get("divide_by_initial_world_size", True)
        self._reducer.divisor = len(self._ranks if by_all else active)

    def shadow(self, what: str, active: Ranks) -> None:
        """The buffers of a rank with inputs, or zeros for the averages."""
        if what == "buffers":
            self._take("buffers", active[0])
        else:
            self._divide_for(active)
            self._reducer.reduce_nothing()

    def end_join(self, source: int) -> None:
        """Take over the parameters and buffers of a rank that was among the last."""
        self._take("parameters", source)
        self._take("buffers", source)

    # --------------------------------------------------------------------------------------------------- as the module

    def state_dict(self, *args: Any, **options: Any) -> dict[str, Any]:
        """The module's."""
        return self.module.state_dict(*args, **options)

    def load_state_dict(self, *args: Any, **options: Any) -> Any:
        """As of the module."""
        return self.module.load_state_dict(*args, **options)

    def _get_ddp_logging_data(self) -> dict[str, Any]:
        """Nothing: what torch advises by it, such as a static graph, changes nothing here."""
        return {}

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == "module" or name.startswith("__"):
                raise
            return getattr(self.module, name)

    def __reduce__(self) -> tuple[Any, ...]:
        max_bytes, most = self._limits
        options = {
            "broadcast_buffers": self.broadcast_buffers,
            "bucket_cap_mb": max_bytes / _MEGABYTE,
            "bucket_size": None if most == inf else most,
            "process_group": self._ranks,
            "gradient_as_bucket_view": any(bucket.owns_memory for bucket in self._reducer.buckets),
        }
        return _wrapped, (self.module, self.training, options)


def _wrapped(module: Module, training: bool, options: dict[str, Any]) -> Any:
    """A copy of a wrapper, or one out of a file."""
    ddp = DistributedDataParallel(module, broadcast_parameters=False, **options)
    ddp.training = training
    return ddp


def _not_ignored(module: Module, named: Iterable[tuple[str, Tensor]]) -> Iterator[tuple[str, Tensor]]:
    ignored = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
    return ((name, x) for name, x in named if name not in ignored)


def _check_module(module: Any) -> list[Tensor]:
    """The parameters that require grad."""
    if not isinstance(module, Module):
        raise ArgumentTypeError(f"DistributedDataParallel(): argument 'module' must be Module, not {type_name(module)}")
    for x in (*module.parameters(), *module.buffers()):
        require_local("DistributedDataParallel", x)
    params: list[Tensor] = [p for _, p in _not_ignored(module, module.named_parameters()) if p.requires_grad]
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
