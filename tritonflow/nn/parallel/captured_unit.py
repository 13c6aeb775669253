"""A unit in a capture: its gather and the reduction of its gradients are ops of the program. There are no slots.

    forward     shard, in param_dtype                        S(0) -> B    whole parameter
    backward    gradient, in reduce_dtype, times 1/n    P -> S(0) (-> B over replicas)    gradient of the shard, in its dtype

A gather is one that a backward may do again, where the unit shares a slot in eager mode. Passes decide what stays in memory, and
when what is sent. Each number is rounded and added as in eager mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tritonflow import _C
from tritonflow.dtypes import DType
from tritonflow.framework.sbp import broadcast, partial_sum
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.nn.parallel.slots import CapturedImpl
from tritonflow.nn.parallel.whole_parameters import WholeParameters
from tritonflow.thread_state import thread_state

if TYPE_CHECKING:
    from tritonflow.nn.parallel.unit import Unit


class CapturedUnit:
    """A unit in one capture.

    Args:
        unit: which; its capture is the thread's.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._node: WholeParameters | None = None
        self._wholes: list[Tensor] = []
        self._memory: list[tuple[Any, int]] = []  # of the shards that they have
        self._syncs = unit.gradient_sync  # one object, by which a capture knows it

    def wholes(self) -> list[Tensor]:
        """The whole parameters, as the module's forward sees them: gathered anew where eager mode would have to.

        Raises:
            CaptureError: no program can have what the unit does.
        """
        unit = self.unit
        self._refuse()
        for one in unit.owned:
            for owner, name in one.users:
                getattr(owner, name)  # so that a call looks whether it is still the shard
        memory = [(shard.impl, shard.impl.version) for shard in unit.shards]
        if not (self._memory == memory and unit.slot.captured is self):
            over_ranks = thread_state.observer.over_ranks
            with over_ranks.gathering(unit.name if unit.reshards else ""):
                self._wholes = [self._gathered(shard) for shard in unit.shards]
            self._memory, unit.slot.captured = memory, self
        self._connect()
        return self._wholes

    def _refuse(self) -> None:
        unit, observer = self.unit, thread_state.observer
        if unit.host is not unit.device:
            observer.forbid(
                f"fully_shard: unit '{unit.name}' has its shards on the host (CPUOffloadPolicy), and a program has one device"
            )
        if is_grad_enabled():
            observer.read_state(self._syncs)
            if not unit.gradient_sync():
                observer.forbid(
                    f"fully_shard: unit '{unit.name}' adds up gradients that it reduces later (set_requires_gradient_sync(False)),"
                    " which {program} cannot"
                )

    def _gathered(self, shard: Any) -> Tensor:
        x: Any = thread_state.observer.over_ranks.without_history(shard, shard.meta)
        x = _C.to_global(_in(x, self.unit.gathered.dtype), sbp=(broadcast,) * x.placement.ndim)
        x = _C.to_local(x)
        return Tensor(x.meta, CapturedImpl(self.unit, x.impl.value), x.ptr)

    def _connect(self) -> None:
        """Give the whole parameters the shards as their history."""
        sources = tuple([shard._node for shard in self.unit.shards])
        if self._node is None or self._node.sources != sources:
            trained = [k for k, node in enumerate(sources) if node is not None]
            self._node = WholeParameters(self.unit.whole_metas, sources, partial(self._reduced, trained))
        for number, (whole, source) in enumerate(zip(self._wholes, sources)):
            whole._node, whole._output_nr = (None, 0) if source is None else (self._node, number)

    def _reduced(self, trained: Sequence[int], grads: Sequence[Tensor | None]) -> list[Tensor | None]:
        """As `Unit.reduce`."""
        thread_state.observer.read_state(self._syncs)
        if self.unit.reshards:
            self.unit.slot.captured = None  # other units' parameters have come there
        return [self._mean(k, grad) if k in trained else None for k, grad in enumerate(grads)]

    def _mean(self, k: int, grad: Any) -> Tensor:
        unit = self.unit
        target: Any = unit.shards[k].meta
        if grad is None:
            grad = _C.zeros(target.shape, dtype=unit.reduce_dtype, device=unit.device)
        grad = _in(grad, unit.reduce_dtype)
        if unit.lines.size > 1:
            grad = _C.mul(grad, 1 / unit.lines.size)
        several = (partial_sum,) * target.placement.ndim
        x: Any = _C.local_to_global(grad, target.placement, several, target.shape)
        for sbp in ((*several[1:], target.sbp[-1]), target.sbp):  # over shards first
            x = _C.to_global(x, sbp=sbp)
        return _in(x, unit.dtype)


def _in(x: Any, dtype: DType) -> Any:
    return x if x.dtype is dtype else _C.cast(x, dtype)
