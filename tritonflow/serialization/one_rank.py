"""Files of consistent tensors that one rank reads: it has them, and the others know of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tritonflow.device.device import Device
from tritonflow.dtypes import from_name
from tritonflow.errors import ArgumentValueError, FileFormatError
from tritonflow.execution.transfer import allocate
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.rank_metas import ask_all
from tritonflow.interpreter.shard import from_local
from tritonflow.nn.parameter import Parameter
from tritonflow.serialization.structure import Decoder, Encoder, numbered, to_json
from tritonflow.wire.world import this_rank


def check_rank(function: str, name: str, rank: Any) -> int:
    """The number of a rank of the world.

    Raises:
        ValueError: it is none.
    """
    size = this_rank().world_size
    if type(rank) is not int or not 0 <= rank < size:
        raise ArgumentValueError(f"{function}(): {name} out of range (expected to be in range of [0, {size}), but got {rank})")
    return rank


def load_on(source: int, name: str, read: Callable[[], Any], allow_pickle: bool) -> Any:
    """What `read` gives on rank `source`, with its tensors over that rank alone. Every rank of the world calls this.

    Raises:
        FileFormatError: on the other ranks, where `read` raised on that one.
    """
    tensors: list[Tensor] = []
    told: Any = None
    failure: Exception | None = None
    if this_rank().index == source:
        try:
            told = _described(read(), tensors, allow_pickle)
        except Exception as error:
            told, failure = str(error), error
    told = ask_all(told, "load")[source]
    if failure is not None:
        raise failure
    if isinstance(told, str):
        raise FileFormatError(name, f"rank {source} could not read it: {told}")
    structure, metas = told
    own: list[Tensor | None] = list(tensors) or [None] * len(metas)
    made = [_over(source, meta, tensor) for meta, tensor in zip(metas, own)]
    return Decoder(numbered(made), allow_pickle).decode(json.loads(structure))


def _described(obj: Any, tensors: list[Tensor], allow_pickle: bool) -> tuple[str, list[tuple[Any, ...]]]:
    """The structure as text, and shape, dtype, type of device and flags of each tensor, which `tensors` gets."""
    known: dict[int, int] = {}

    def add(tensor: Tensor, path: str) -> int:
        if id(tensor) not in known:
            known[id(tensor)] = len(tensors)
            tensors.append(tensor)
        return known[id(tensor)]

    structure = to_json(Encoder(add, allow_pickle).encode(obj))
    metas = [(tuple(t.shape), t.dtype.name, t.device.type, t.requires_grad, type(t) is Parameter) for t in tensors]
    return structure, metas


def _over(source: int, described: tuple[Any, ...], data: Tensor | None) -> Tensor:
    """A tensor over one rank, which has the data."""
    shape, dtype, device, requires_grad, is_parameter = described
    meta = ConsistentTensorMeta.get(shape, from_name(dtype), Placement(Device(device).type, [source]), (broadcast,))
    shard = allocate(meta.local) if data is None else data.detach().contiguous().to(device=meta.device)
    tensor = from_local(shard, meta)
    if is_parameter:
        return Parameter(tensor, requires_grad)
    return tensor.requires_grad_() if requires_grad else tensor
