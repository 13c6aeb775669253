"""fully_shard: each rank has 1/n of parameters, gradients and optimizer states; whole parameters exist while a module runs.

ZeRO-3 (Rajbhandari and others, 2020), in the form of torch's FSDP2 (Zhao and others, 2023).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tritonflow import _C
from tritonflow.comm.groups import GroupLike
from tritonflow.device.device import META
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, NotYetImplementedError, type_name
from tritonflow.framework.placement import Placement, placement_of
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import current_backward
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parallel.buckets import buckets_of, take_from
from tritonflow.nn.parallel.reducer import watched
from tritonflow.nn.parallel.slots import ParameterSlot
from tritonflow.nn.parallel.structure import mapped
from tritonflow.nn.parallel.unit import MeshLines, Owned, Unit
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import this_rank

_BUCKET_BYTES = 25 << 20


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    """In which dtypes a unit computes. Parameters and optimizer states stay in their own, and so do buffers.

    Attributes:
        param_dtype: of whole parameters, and of what is sent to gather them; their own if None.
        reduce_dtype: of gradients on the wire; they are added in float32, and get their parameter's dtype. `param_dtype` if None.
        output_dtype: of floating outputs of the forward; as they come if None.
        cast_forward_inputs: whether floating inputs of the forward get `param_dtype`.

    Source: torch.distributed.fsdp.MixedPrecisionPolicy.
    """

    param_dtype: DType | None = None
    reduce_dtype: DType | None = None
    output_dtype: DType | None = None
    cast_forward_inputs: bool = True


@dataclass
class OffloadPolicy:
    """Shards are beside the module. Source: torch.distributed.fsdp.OffloadPolicy."""


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Shards, gradients and optimizer states are on the host; whole parameters on the module's device.

    Attributes:
        pin_memory: accepted and ignored.

    Source: torch.distributed.fsdp.CPUOffloadPolicy.
    """

    pin_memory: bool = True


class FSDPModule:
    """What `fully_shard` adds to a module's class.

    Source: torch.distributed.fsdp.FSDPModule.
    """

    _sharding: Sharding

    def set_requires_gradient_sync(self, requires_gradient_sync: bool, *, recurse: bool = True) -> None:
        """Whether backward reduces gradients. While it does not, each rank adds up whole ones; the next that does, reduces them.

        Args:
            requires_gradient_sync: whether it does.
            recurse: also of units inside.
        """
        for module in _sharded(self) if recurse else [self]:
            for unit in module._sharding.units:
                if unit.syncs is not requires_gradient_sync:
                    thread_state.observer.forbid("{program} calls set_requires_gradient_sync(): call it outside")
                unit.syncs = requires_gradient_sync

    def __deepcopy__(self, memo: Any) -> Any:
        raise NotYetImplementedError("fully_shard: a sharded module cannot be copied; help: copy it before, or load its state_dict")


def fully_shard(
    module: Any,
    *,
    mesh: GroupLike = None,
    reshard_after_forward: bool | None = None,
    shard_placement_fn: Callable[[Any], Any] | None = None,
    mp_policy: MixedPrecisionPolicy = MixedPrecisionPolicy(),
    offload_policy: OffloadPolicy | None = None,
    ignored_params: set[Any] | None = None,
) -> Any:
    """Shard the parameters of a module over ranks, as a unit: its forward gathers them, its backward reduces their gradients.

    Begin with the modules inside, as the blocks of a transformer, and end with the whole model. Each is a unit of the parameters
    that no unit inside of it has. Then make the optimizer: parameters are consistent tensors of split(0), and so are gradients
    and states. Each rank has another part of the batch. Gradients are means over the ranks, added in their order.

    Whole parameters of units without units inside share one slot, as large as the largest one, so blocks should be units of about
    one size. The next unit's parameters are asked for while one computes, in backward in reverse.

    A module on the meta device has shards there. `to_empty(device=...)` of the model gives memory to those of this rank alone. Then
    `reset_parameters()` of each module, or a state dict, gives them numbers; or `load_state_dict(..., assign=True)` both.

    Args:
        module: is changed in place; its parameters become those of the first rank, and so do its buffers, but on the meta device.
        mesh: the ranks: of one dimension, or of two, (replicas, shards): rows are then split over the second one only. All if
            None.
        reshard_after_forward: whether other units may use the memory of whole parameters between forward and backward. If None,
            yes for units without units inside. Others have memory of their own in any case.
        shard_placement_fn: says of a parameter along which dimension it is split; only 0, or None for it.
        mp_policy: dtypes.
        offload_policy: `CPUOffloadPolicy()`: shards and optimizer are on the host.
        ignored_params: parameters to leave as they are on each rank; they are not averaged.

    Returns:
        The module, whose class is now also `FSDPModule`.

    Raises:
        TypeError: `module` is no module.
        RuntimeError: it is a unit already; a parameter belongs to another unit, or the parameters have several dtypes or
            devices; in a capture; in forward, where a parameter was replaced, cast or moved to another device, or is on the meta
            device.
        ValueError: a parameter has no dimension.
        NotImplementedError: another split than 0, a number as `reshard_after_forward`.

    Source: torch.distributed.fsdp.fully_shard.

    Example:
        >>> import tritonflow as flow
        >>> model = flow.nn.Sequential(flow.nn.Linear(2, 4), flow.nn.ReLU(), flow.nn.Linear(4, 1))
        >>> for layer in (model[0], model[2]):
        ...     layer = flow.distributed.fully_shard(layer)
        >>> model = flow.distributed.fully_shard(model)  # in a world of one rank
        >>> optimizer = flow.optim.AdamW(model.parameters(), lr=0.1)
        >>> model(flow.ones(3, 2)).sum().backward()
        >>> model[0].weight.grad.sbp
        (tritonflow.sbp.split(dim=0),)
        >>> optimizer.step()
    """
    if not isinstance(module, Module):
        raise ArgumentTypeError(f"fully_shard(): argument 'module' must be Module, not {type_name(module)}")
    thread_state.observer.forbid("{program} calls fully_shard(): call it outside")
    if isinstance(module, FSDPModule):
        raise InvalidArgumentError(f"fully_shard(): {type(module).__name__} is sharded already")
    if reshard_after_forward is not None and not isinstance(reshard_after_forward, bool):
        raise NotYetImplementedError("fully_shard(): reshard_after_forward is True or False; a number is not supported")
    owned = _owned(module, {id(p) for p in ignored_params or ()}, shard_placement_fn)
    placement = _placement(mesh, owned)
    lines = MeshLines.of(placement)
    _take_from_first(module, owned, lines)
    sharding = Sharding(module, reshard_after_forward, mp_policy)
    if owned:
        first = owned[0].param
        param_dtype = mp_policy.param_dtype or first.dtype
        offloads = isinstance(offload_policy, CPUOffloadPolicy)
        unit = Unit(module, owned, lines, param_dtype, mp_policy.reduce_dtype or param_dtype, offloads)
        _remember(owned, unit)
        sharding.units.append(unit)
    module.__class__ = type(f"FSDP{type(module).__name__}", (FSDPModule, type(module)), {})
    module._sharding = sharding
    return module


class Sharding:
    """What a sharded module does around its forward.

    Attributes:
        units: its unit; none where units inside have all parameters.
        group: the units that share a slot with it; None before the first forward.
    """

    def __init__(self, module: Any, reshard_after_forward: bool | None, policy: MixedPrecisionPolicy) -> None:
        self.reshard_after_forward, self.policy = reshard_after_forward, policy
        self.units: list[Unit] = []
        self.group: UnitGroup | None = None
        module.register_forward_pre_hook(self._enter, prepend=True, with_kwargs=True)
        module.register_forward_hook(self._leave, always_call=True)

    def _enter(self, module: Any, args: Any, kwargs: Any) -> Any:
        if self.group is None:
            UnitGroup(module)
        assert self.group is not None
        is_captured = thread_state.observer.is_capturing  # then passes decide what is asked for early
        if not is_captured:
            self.group.enter(module)
        for unit in self.units:
            unit.check()
            if not is_captured:
                self.group.note(unit)
            unit.depth += 1
            unit.show()
            if not is_captured:
                self.group.ask(unit.following if current_backward() is None else None)
        if self.policy.cast_forward_inputs and self.policy.param_dtype is not None:
            return _cast(args, self.policy.param_dtype), _cast(kwargs, self.policy.param_dtype)
        return None

    def _leave(self, module: Any, args: Any, output: Any) -> Any:
        for unit in self.units:
            unit.depth = max(unit.depth - 1, 0)  # 0 already, if the forward could not begin
            if unit.depth == 0:
                unit.hide()
        if self.policy.output_dtype is not None:
            output = _cast(output, self.policy.output_dtype)
        if not is_grad_enabled() or not self.units or thread_state.observer.is_capturing:
            return output
        return watched(output, self._begin_backward)

    def _begin_backward(self) -> None:
        assert self.group is not None
        for unit in self.units:
            self.group.begin_backward()
            self.group.ask(unit)
            self.group.ask(unit.leading)


class UnitGroup:
    """The units of a model: the sharded module whose forward ran first. Those without units inside share a slot."""

    def __init__(self, root: Any) -> None:
        names = {id(m): name for name, m in root.named_modules()}
        # Others' forwards ran alone before, and perhaps their backwards are to come.
        modules = [module for module in _sharded(root) if module._sharding.group is None]
        for module in modules:
            for unit in module._sharding.units:
                unit.name = names[id(module)] or type(module).__name__.removeprefix("FSDP")
                unit.check()
        inner = []
        for module in modules:
            sharding = module._sharding
            sharding.group = self
            for unit in sharding.units:
                if len(list(_sharded(module))) > 1 or sharding.reshard_after_forward is False:
                    unit.move_in(ParameterSlot(unit.nbytes, unit.device), reshards=False)
                else:
                    inner.append(unit)
        self.root = weakref.ref(root)
        self.slot: ParameterSlot | None = None
        if inner:
            self.slot = ParameterSlot(max(unit.nbytes for unit in inner), inner[0].device)
            for unit in inner:
                unit.move_in(self.slot, reshards=True)
        self._last: Unit | None = None  # whose forward began last
        self._backward: Any = lambda: None

    def enter(self, module: Any) -> None:
        """The forward of a module begins."""
        if module is self.root() and current_backward() is None:
            self._last = None
            if self.slot is not None:
                self.slot.begin_pass()

    def note(self, unit: Unit) -> None:
        """The forward of a unit begins: remember which one it followed."""
        if current_backward() is None:
            if self._last is not None and self._last is not unit:
                self._last.following, unit.leading = unit, self._last
            self._last = unit

    def begin_backward(self) -> None:
        """The backward of a unit begins."""
        backward = current_backward()
        if self._backward() is not backward:
            self._backward = weakref.ref(backward)
            self._last = None
            if self.slot is not None:
                self.slot.begin_pass()

    def ask(self, unit: Unit | None) -> None:
        """Ask for the whole parameters of a unit early."""
        if unit is not None:
            unit.ask()


def _sharded(module: Any) -> Iterator[Any]:
    """The sharded modules in a module, itself among them."""
    return (m for m in module.modules() if isinstance(m, FSDPModule))


# ------------------------------------------------------------------------------------------------------- parameters

# By the number of a parameter as it was: it, and the unit that has its rows.
_taken: dict[int, tuple[weakref.ref[Any], weakref.ref[Unit]]] = {}


def _remember(owned: list[Owned], unit: Unit) -> None:
    for one in owned:
        number = id(one.param)
        _taken[number] = weakref.ref(one.param, partial(_forget, number)), weakref.ref(unit)


def _forget(number: int, _: Any) -> None:
    _taken.pop(number, None)


def _owned(module: Any, ignored: set[int], shard_placement_fn: Callable[[Any], Any] | None) -> list[Owned]:
    """The parameters that no unit inside has.

    Raises:
        InvalidArgumentError: another unit has one, or they differ in dtype or device.
    """
    found: dict[int, Owned] = {}
    for where, owner in _own_modules(module, ""):
        for name, p in owner._parameters.items():
            if p is None or id(p) in ignored:
                continue
            full = f"{where}.{name}" if where else name
            _check_parameter(full, type(module).__name__, p, shard_placement_fn)
            found.setdefault(id(p), Owned(p, [])).users.append((owner, name))
    owned = list(found.values())
    kinds = {(p.meta.dtype, p.meta.device): None for p, _ in owned}
    if len(kinds) > 1:
        texts = [f"{dtype} on {device}" for dtype, device in kinds]
        raise InvalidArgumentError(
            f"fully_shard(): expected parameters of one dtype on one device in {type(module).__name__}, got {' and '.join(texts)};"
            " help: make the modules that have others units of their own"
        )
    return owned


def _own_modules(module: Any, where: str) -> Iterator[tuple[str, Any]]:
    """A module and those inside that are in no unit inside, with their names."""
    yield where, module
    for name, child in module.named_children():
        if not isinstance(child, FSDPModule):
            yield from _own_modules(child, f"{where}.{name}" if where else name)


def _check_parameter(name: str, unit: str, p: Any, shard_placement_fn: Callable[[Any], Any] | None) -> None:
    reference, other = _taken.get(id(p), (lambda: None, lambda: None))
    owner = other()
    parameter = f"fully_shard(): parameter '{name}' of unit '{unit}'"
    if reference() is p and owner is not None:
        raise InvalidArgumentError(
            f"{parameter} belongs to unit '{owner.name}', too; help: shard only the module that has both, which then owns it"
        )
    if not p.meta.is_local:
        raise InvalidArgumentError(f"{parameter} is a consistent tensor; help: shard units inside first")
    if p.ndim == 0:
        raise ValueError(f"{parameter} has no dimension to split; help: make it one of shape (1,)")
    wanted = None if shard_placement_fn is None else shard_placement_fn(p)
    if wanted is not None and wanted.dim != 0:
        raise NotYetImplementedError(f"{parameter} can be split along dimension 0 only, not {wanted.dim}")


def _placement(mesh: Any, owned: list[Owned]) -> Placement:
    """The ranks, in a grid of one dimension or two."""
    type_ = owned[0].param.device.type if owned else "cpu"
    if mesh is None:
        return Placement(type_, Placement.all(type_).order)
    found = placement_of(mesh)
    if found is None:
        raise ArgumentTypeError(f"fully_shard(): argument 'mesh' must be DeviceMesh or placement, not {type_name(mesh)}")
    if found.ndim > 2:
        raise InvalidArgumentError(f"fully_shard(): expected a mesh with one dimension or two, got one of shape {found.shape}")
    if type_ not in (found.type, META.type):
        raise InvalidArgumentError(f"fully_shard(): the mesh is on {found.type}, but parameters are on {type_}")
    me = this_rank().index
    if found.coordinate(me) is None:
        raise InvalidArgumentError(f"fully_shard(): rank {me} is outside of the mesh of ranks {found.ranks.tolist()}")
    return found


def _take_from_first(module: Any, owned: list[Owned], lines: MeshLines) -> None:
    """Parameters and buffers begin as those of the first rank, so that all replicas begin alike."""
    ranks = tuple(sorted(lines.placement.order))
    buffers = [x for _, owner in _own_modules(module, "") for x in owner._buffers.values() if x is not None and x.meta.is_local]
    for what, tensors in (("parameters", [one.param for one in owned]), ("buffers", buffers)):
        tensors = [x for x in tensors if not x.is_meta]
        for bucket in buckets_of(tensors, _BUCKET_BYTES, float("inf")) if len(ranks) > 1 else ():
            take_from(lines.placement.order[0], ranks, bucket, f"{what} of unit '{type(module).__name__}'")


def _cast(value: Any, dtype: DType) -> Any:
    """The same structure with its floating tensors in a dtype."""

    def cast(x: Tensor) -> Any:
        return _C.cast(x, dtype) if x.dtype.is_floating_point and x.dtype is not dtype else x

    return mapped(value, cast, all_tensors=True)
