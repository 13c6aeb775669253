"""Unit: a module whose parameters are gathered, and whose gradients are reduced, together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.boxing.views import Window
from tritonflow.device.device import META, Device
from tritonflow.device.side_stream import beside
from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast, nd_text, split
from tritonflow.framework.shards import Shape
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parallel.buckets import mean_over
from tritonflow.nn.parallel.captured_unit import CapturedUnit
from tritonflow.nn.parallel.packed_rows import PackedRows, even_rows
from tritonflow.nn.parallel.slots import ParameterSlot, SlotImpl, view_of_slot
from tritonflow.nn.parallel.whole_parameters import WholeParameters
from tritonflow.nn.parameter import Parameter
from tritonflow.observer import Observer
from tritonflow.thread_state import thread_state
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank

_ALIGNMENT = 64  # bytes, of whole parameters in a slot


class Owned(NamedTuple):
    """A parameter of a unit, and all (module, name) that have it."""

    param: Any
    users: list[tuple[Module, str]]


class MeshLines(NamedTuple):
    """The ranks of a mesh as a rank sees them.

    Attributes:
        placement: all, in one dimension or two: (replicas, shards).
        shards: those that have the other rows of what this rank has.
        replicas: those that have the same rows, this rank among them.
    """

    placement: Placement
    shards: Ranks
    replicas: Ranks

    @staticmethod
    def of(placement: Placement) -> MeshLines:
        """The lines of this rank in a placement."""
        grid = placement.ranks.reshape(1 if placement.ndim == 1 else placement.shape[0], -1)
        at = placement.coordinate(this_rank().index)
        assert at is not None
        return MeshLines(placement, tuple(grid[at[0] if placement.ndim == 2 else 0].tolist()), tuple(grid[:, at[-1]].tolist()))

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return self.placement.size


class Unit:
    """The parameters of a module that are gathered together.

    The rows of this rank are one vector, on which the consistent parameters lie that optimizers see. Parameters that were given
    other memory, as by `to_empty` where they were on the meta device, are copied to a new vector when a forward begins.

    Args:
        module: the module.
        owned: its parameters, of one dtype on one device.
        lines: the ranks.
        param_dtype, reduce_dtype: in which parameters are gathered and gradients reduced.
        offloads: whether the vector is on the host.

    Attributes:
        name: of the module, for people.
        device, host: where whole parameters are, and where the vector is.
        vector: this rank's rows.
        shards: the parameters, views of the vector.
        slot: the memory of whole parameters; None before the first forward.
        reshards: whether other units may use the slot's memory between forward and backward.
        depth: how many forwards of the module run, one in another.
        syncs: whether backward reduces gradients.
        reduce_dtype: in which it does.
        following, leading: the units that came after and before this one in the last forward, whose parameters are asked for early.
    """

    slot: ParameterSlot
    reshards = False

    def __init__(
        self,
        module: Module,
        owned: Sequence[Owned],
        lines: MeshLines,
        param_dtype: DType,
        reduce_dtype: DType,
        offloads: bool,
    ) -> None:
        self.name, self.module, self.owned, self.lines = type(module).__name__, module, list(owned), lines
        params = [one.param for one in owned]
        self.dtype, self.reduce_dtype, self._offloads = params[0].meta.dtype, reduce_dtype, offloads
        self._lie_on(params[0].device, [p.meta.shape for p in params], param_dtype)
        self.vector = self._new_vector()
        with no_grad():
            for k, (p, (first, last)) in enumerate(zip(params, self.gathered.own_rows)):
                self._fill(self.vector, k, p.detach()[first:last])
        self.shards = [Parameter(self._on_vector(self.vector, k), p.requires_grad) for k, p in enumerate(params)]
        self.impl = SlotImpl(self)
        self.depth = 0
        self.syncs = True
        self.following: Unit | None = None
        self.leading: Unit | None = None
        self._flight: tuple[int, Tensor] | None = None  # what was asked for early, and of which version
        self._pending: Any = None  # gradients that were not reduced, packed
        self._node: WholeParameters | None = None
        self._captured: WeakKeyDictionary[Observer, CapturedUnit] = WeakKeyDictionary()
        for one, shard in zip(owned, self.shards):
            for owner, name in one.users:
                owner._parameters[name] = shard

    # ---------------------------------------------------------------------------------------------------------- shards

    @property
    def version(self) -> int:
        """Counts writes to the vector."""
        found: int = self.vector.impl.version
        return found

    def _lie_on(self, device: Device, shapes: Sequence[Shape], param_dtype: DType) -> None:
        """Say where whole parameters are, and thereby shards."""
        self.device = device
        self.host = Device("cpu") if self._offloads and device is not META else device
        self.gathered = PackedRows(self.lines.shards, shapes, even_rows(shapes, len(self.lines.shards)), param_dtype, device)
        self._windows = self.gathered.windows(self.gathered.vector(self.dtype, self.host))
        metas = zip(shapes, self._windows)
        placement = self.lines.placement.on(self.host)
        sbp = (*[broadcast] * (placement.ndim - 1), split(0))
        self._metas = [ConsistentTensorMeta.get(shape, self.dtype, placement, sbp, window.meta) for shape, window in metas]

    def _new_vector(self) -> Tensor:
        found: Tensor = _C.zeros(self.gathered.vector().shape, dtype=self.dtype, device=self.host)
        return found

    def _fill(self, vector: Tensor, k: int, rows: Any) -> None:
        """Copy this rank's rows of a parameter to a vector."""
        if self._windows[k].meta.numel:
            self._windows[k].of(vector).copy_(rows)

    def rows_of(self, numbers: Sequence[int]) -> PackedRows:
        """How gradients of some parameters are reduced."""
        shapes = [self.gathered.shapes[k] for k in numbers]
        rows = even_rows(shapes, len(self.lines.shards))
        return PackedRows(self.lines.shards, shapes, rows, self.reduce_dtype, self.device)

    def _on_vector(self, vector: Tensor, k: int, window: Window | None = None) -> Tensor:
        """What lies at a window of a vector, that of a parameter unless given, as rows of a parameter."""
        return Tensor(self._metas[k], vector.impl, vector.ptr + (window or self._windows[k]).offset)

    def check(self) -> None:
        """See that the parameters are those of the unit, and have memory. In eager mode they lie on one vector then.

        Raises:
            InvalidArgumentError: a parameter was replaced, has another dtype or layout, or is on the meta device.
        """
        impl, is_moved = self.vector.impl, self.device is META
        for one, shard, meta in zip(self.owned, self.shards, self._metas):
            owner, name = one.users[0]
            if owner._parameters.get(name) is not shard:
                raise self._trouble(f"parameter '{name}'", "was replaced; help: call fully_shard after it, or write it in place")
            is_moved = is_moved or shard.impl is not impl or shard.meta is not meta
        if is_moved:
            self._check_moved()
            if not thread_state.observer.is_capturing:  # programs read parameters wherever they are
                self._pack()

    def _check_moved(self) -> None:
        """See that parameters with other memory are as the unit's; they say where a unit is that was on the meta device."""
        by_parameter = {id(p): name for name, p in self.module.named_parameters()}
        names = [by_parameter[id(shard)] for shard in self.shards]
        without = [name for name, shard in zip(names, self.shards) if shard.is_meta]
        if without:
            raise self._trouble(
                f"parameters {', '.join(map(repr, without))}",
                "are on the meta device, where they have no numbers; help: call to_empty(device=...) of the model, then"
                " reset_parameters() of each module, or load a state_dict",
            )
        device, grid = self.device, self.lines.placement
        if device is META:
            device = self.shards[0].meta.device if grid.type == META.type else grid.device()
        allowed = (device, Device("cpu")) if self._offloads else (device,)
        for name, shard, meta in zip(names, self.shards, self._metas):
            now: Any = shard.meta
            is_alike = (now.shape, now.dtype, now.sbp) == (meta.shape, meta.dtype, meta.sbp)
            if not is_alike or now.placement is not grid.on(now.device) or now.device not in allowed:
                raise self._trouble(
                    f"parameter '{name}'",
                    f"was {_described(meta)}, and is {_described(now)}; help: cast and move modules before fully_shard",
                )
        if device is not self.device:
            self._lie_on(device, self.gathered.shapes, self.gathered.dtype)

    def _trouble(self, what: str, text: str) -> InvalidArgumentError:
        return InvalidArgumentError(f"fully_shard: {what} of unit '{self.name}' {text}")

    def _pack(self) -> None:
        """Copy the parameters to a new vector, one by one, and let go of the memory that they had."""
        vector = self._new_vector()
        with no_grad():
            for k, shard in enumerate(self.shards):
                self._fill(vector, k, Tensor(shard.meta.local, shard.impl, shard.ptr))
                shard.data = self._on_vector(vector, k)
        vector.impl.version += self.version + 1  # which nobody has seen
        self.vector = vector

    # ---------------------------------------------------------------------------------------------------------- wholes

    @cached_property
    def nbytes(self) -> int:
        """What the whole parameters take in a slot."""
        return self._offsets[-1]

    @cached_property
    def _offsets(self) -> list[int]:
        found = [0]
        for meta in self.whole_metas:
            found.append(found[-1] + -(-meta.nbytes // _ALIGNMENT) * _ALIGNMENT)
        return found

    def move_in(self, slot: ParameterSlot, reshards: bool) -> None:
        """Use a slot, which other units may use in between."""
        self.slot, self.reshards = slot, reshards

    @cached_property
    def whole_metas(self) -> list[TensorMeta]:
        """Those of the whole parameters."""
        return [contiguous_meta(shape, self.gathered.dtype, self.device) for shape in self.gathered.shapes]

    @cached_property
    def _raw(self) -> list[Tensor]:
        """The whole parameters as memory of the slot."""
        memory = self.slot.memory
        return [Tensor(meta, memory.impl, memory.ptr + offset) for meta, offset in zip(self.whole_metas, self._offsets)]

    @cached_property
    def wholes(self) -> list[Tensor]:
        """The whole parameters, as the module's forward sees them."""
        return [view_of_slot(self.impl, raw) for raw in self._raw]

    def ask(self) -> None:
        """Ask for the whole parameters, without waiting, if they are neither there nor on their way."""
        if not self.slot.has(self) and (self._flight is None or self._flight[0] != self.version):
            self.slot.wait_for_room()
            self._flight = self.version, self._gather()

    def _gather(self) -> Tensor:
        with no_grad():
            vector: Any = self.vector
            vector = vector.to(device=self.device, dtype=self.gathered.dtype)
            return self.gathered.gather(vector, f"parameters of unit '{self.name}'")

    def bring(self) -> None:
        """Write the whole parameters into the slot, if they are not there."""
        if self.slot.has(self):
            return
        self.ask()
        assert self._flight is not None
        (_, matrix), self._flight = self._flight, None
        self.gathered.unpack(matrix, self._raw)
        self.slot.take(self)

    def show(self) -> None:
        """The module's forward begins: its parameters are whole."""
        if thread_state.observer.is_capturing:
            wholes = self._captured.setdefault(thread_state.observer, CapturedUnit(self)).wholes()
        else:
            self.bring()
            self._connect()
            wholes = self.wholes
        for one, found in zip(self.owned, wholes):
            for owner, name in one.users:
                owner.__dict__[name] = found

    def hide(self) -> None:
        """The module's forward is over: its parameters are shards."""
        for one in self.owned:
            for owner, name in one.users:
                owner.__dict__.pop(name, None)

    def _connect(self) -> None:
        """Give the whole parameters the shards as their history."""
        nodes = tuple([shard._node for shard in self.shards])
        if self._node is not None and self._node.sources == nodes:
            return
        trained = [k for k, node in enumerate(nodes) if node is not None]
        self._node = WholeParameters(self.whole_metas, nodes, partial(self.reduce, trained, self.rows_of(trained)))
        self._pending = None
        for number, (found, node) in enumerate(zip(self.wholes, nodes)):
            found._node = None if node is None else self._node
            found._output_nr = number

    # ------------------------------------------------------------------------------------------------------- gradients

    def gradient_sync(self) -> bool:
        """Whether backward reduces gradients, and has no earlier ones to reduce with them."""
        return self.syncs and self._pending is None

    def reduce(self, trained: Sequence[int], rows: PackedRows, grads: Sequence[Tensor | None]) -> list[Tensor | None]:
        """The shards of the mean over all ranks of gradients of whole parameters; None where they wait for later ones.

        Args:
            trained: which of the gradients count.
            rows: of these.
            grads: zeros where they are None.
        """
        with beside(self.device, rows.nbytes):
            return self._means(trained, rows, grads)

    def _means(self, trained: Sequence[int], rows: PackedRows, grads: Sequence[Tensor | None]) -> list[Tensor | None]:
        found: list[Tensor | None] = [None] * len(grads)
        given: list[Any] = [_C.zeros_like(self._raw[k]) if grads[k] is None else grads[k] for k in trained]
        matrix: Any = rows.pack(given)
        if self._pending is not None:
            matrix.add_(self._pending)
            self._pending = None
        if not self.syncs:
            self._pending = matrix
            return found
        what = f"gradients of unit '{self.name}'"
        vector: Any = rows.reduce_packed(matrix, 1 / self.lines.size, what)
        if len(self.lines.replicas) > 1:
            vector = mean_over(self.lines.replicas, vector, 1, what)
        vector = vector.to(device=self.host, dtype=self.dtype)
        for k, window in zip(trained, rows.windows(vector.meta)):
            found[k] = self._on_vector(vector, k, window)
        return found



def _described(meta: Any) -> str:
    where = f"on {meta.device}, a local tensor" if meta.is_local else f"over {meta.placement}, as {nd_text(meta.sbp)}"
    return f"{meta.dtype.name}{list(meta.shape)} {where}"
