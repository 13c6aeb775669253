"""Unit: a module whose parameters are gathered, and whose gradients are reduced, together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.boxing.views import Window
from tritonflow.device.device import Device
from tritonflow.device.side_stream import beside
from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast, split
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

    The rows of this rank are one vector, on which the consistent parameters lie that optimizers see.

    Args:
        module: the module.
        owned: its parameters, of one dtype on one device.
        lines: the ranks.
        param_dtype, reduce_dtype: in which parameters are gathered and gradients reduced.
        host: where the vector is, if not beside the module.

    Attributes:
        name: of the module, for people.
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
        host: Device | None,
    ) -> None:
        self.name, self.module, self.owned, self.lines = type(module).__name__, module, list(owned), lines
        params = [one.param for one in owned]
        shapes = [p.meta.shape for p in params]
        self.dtype, self.device = params[0].meta.dtype, params[0].device
        rows = even_rows(shapes, len(lines.shards))
        self.gathered = PackedRows(lines.shards, shapes, rows, param_dtype, self.device)
        self.reduce_dtype = reduce_dtype
        self.host = host or self.device
        self.vector = self._filled(params)
        pairs = zip(params, self._windows)
        self.shards = [Parameter(self._on_vector(self.vector, k, w), p.requires_grad) for k, (p, w) in enumerate(pairs)]
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
        """Counts writes to the shards."""
        found: int = self.vector.impl.version
        return found

    def _filled(self, params: Sequence[Any]) -> Tensor:
        with no_grad():
            vector: Any = _C.zeros(self.gathered.vector().shape, dtype=self.dtype, device=self.host)
            for p, window, (first, last) in zip(params, self._windows, self.gathered.own_rows):
                if window.meta.numel:
                    window.of(vector).copy_(p.detach()[first:last])
        return vector  # type: ignore[no-any-return]

    @cached_property
    def _windows(self) -> list[Window]:
        """Of the shards in the vector."""
        return self.gathered.windows(self.gathered.vector(self.dtype, self.host))

    @cached_property
    def _metas(self) -> list[ConsistentTensorMeta]:
        """Of the shards as parts of whole tensors."""
        grid = self.lines.placement
        placement = Placement(self.host.type, grid.ranks, members_only=grid.members_only)
        sbp = (*[broadcast] * (placement.ndim - 1), split(0))
        shapes = self.gathered.shapes
        return [ConsistentTensorMeta.get(s, self.dtype, placement, sbp, w.meta) for s, w in zip(shapes, self._windows)]

    def rows_of(self, numbers: Sequence[int]) -> PackedRows:
        """How gradients of some parameters are reduced."""
        shapes = [self.gathered.shapes[k] for k in numbers]
        rows = even_rows(shapes, len(self.lines.shards))
        return PackedRows(self.lines.shards, shapes, rows, self.reduce_dtype, self.device)

    def _on_vector(self, vector: Tensor, k: int, window: Window) -> Tensor:
        return Tensor(self._metas[k], vector.impl, vector.ptr + window.offset)

    def check(self) -> None:
        """See that the parameters are those of the unit, on its memory.

        Raises:
            InvalidArgumentError: a parameter was replaced, or has other memory.
        """
        impl = self.vector.impl
        for one, shard in zip(self.owned, self.shards):
            owner, name = one.users[0]
            if owner._parameters.get(name) is not shard or shard.impl is not impl:
                raise InvalidArgumentError(
                    f"fully_shard: parameter '{name}' of unit '{self.name}' was replaced, or moved to other memory; help: call"
                    " fully_shard after it, or write the parameter in place"
                )

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

