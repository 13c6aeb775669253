"""States of an optimizer whose parameters are dealt out whole, as a rank has them and as a state dict has them.

    in a rank's optimizer           whole states of the parameters that it steps
    in a state dict, on all ranks   the states of all parameters: tensors are split(0) over the ranks, numbers are on each

So no rank holds the states of all, and a checkpoint has each row once.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.boxing.pieces import Layout
from tritonflow.comm.movement import alone, moved, pieces
from tritonflow.dtypes import DType, from_name
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import split
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.shard import from_local, local_shard
from tritonflow.wire.record import Ranks
from tritonflow.wire.verbs import control_gather
from tritonflow.wire.world import this_rank

States = Mapping[int, Mapping[str, Any]]  # by numbers of parameters and names

_WHAT = "states of an optimizer"


class _Form(NamedTuple):
    """Of a tensor that another rank has."""

    shape: tuple[int, ...]
    dtype: str


class _Number(NamedTuple):
    """A tensor without dimensions."""

    value: Any
    dtype: str


class DealtStates:
    """Brings states from the ranks that step the parameters to all, and back.

    Args:
        ranks: that step together.
        owners: by numbers of parameters, which rank steps it.
        params: the parameters.
    """

    def __init__(self, ranks: Ranks, owners: Sequence[int], params: Sequence[Tensor]) -> None:
        self._ranks, self._owners, self._devices = ranks, owners, [p.device for p in params]

    @no_grad()
    def spread(self, own: States) -> dict[int, dict[str, Any]]:
        """The states of all parameters, from those of this rank's. All ranks call it."""
        forms = {number: {name: _form(x) for name, x in named.items()} for number, named in own.items()}
        told: dict[int, dict[str, Any]] = {}
        for text in control_gather(self._ranks, pickle.dumps(forms), _WHAT):
            told.update(pickle.loads(text))
        return {
            number: {name: self._spread(number, form, own.get(number, {}).get(name)) for name, form in told[number].items()}
            for number in sorted(told)
        }

    def _spread(self, number: int, form: Any, x: Any) -> Any:
        device = self._devices[number]
        if isinstance(form, _Number):
            return _C.full((), form.value, dtype=from_name(form.dtype), device=device)
        if not isinstance(form, _Form):
            return form
        shape, dtype = form.shape, from_name(form.dtype)
        given = _nothing(dtype, device) if x is None else x.contiguous()
        source, target = alone(shape, device.type, self._owners[number]), pieces(shape, device.type, self._ranks)
        shard = moved(given, source, target, _WHAT)
        placement = Placement(device.type, self._ranks, members_only=True)
        return from_local(shard, ConsistentTensorMeta.get(shape, dtype, placement, (split(0),), shard.meta))

    @no_grad()
    def own(self, states: States) -> dict[int, dict[str, Any]]:
        """The states of this rank's parameters, from those of all: as `spread` gives them, or whole. All ranks call it."""
        me, found = this_rank().index, {}
        for number, named in sorted(states.items()):
            values = {name: self._whole(number, x) for name, x in named.items()}
            if self._owners[number] == me:
                found[number] = values
        return found

    def _whole(self, number: int, x: Any) -> Any:
        """A state on the rank that steps its parameter; elsewhere, of one that is split, nothing."""
        if not isinstance(x, Tensor) or x.meta.is_local:
            return x
        meta: Any = x.meta
        source = Layout(meta.shape, meta.placement, meta.sbp)
        target = alone(meta.shape, meta.device.type, self._owners[number])
        return moved(local_shard(x), source, target, _WHAT)


def _form(x: Any) -> Any:
    """What the other ranks are told of a state: numbers as they are."""
    if not isinstance(x, Tensor):
        return x
    return _Form(tuple(x.meta.shape), x.meta.dtype.name) if x.meta.ndim else _Number(x.item(), x.meta.dtype.name)


def _nothing(dtype: DType, device: Any) -> Any:
    return _C.empty((0,), dtype=dtype, device=device)
