"""What programs take from OneFlow's compiled module."""

from __future__ import annotations

from importlib import import_module

from tritonflow import _C as _C
from tritonflow.compat import TensorTuple as TensorTuple
from tritonflow.framework.tensor import Tensor as Tensor
from tritonflow.wire.world import this_rank


def cpu_broadcast(data: bytes | None, source: int) -> bytes:
    """The bytes that rank `source` gives, on every rank of the world."""
    world = this_rank().world_size
    if world == 1:
        return data or b""
    from tritonflow.wire.verbs import control_gather  # programs on one rank need no wire

    return control_gather(tuple(range(world)), data or b"", "cpu_broadcast")[source]


eager, exception, flags = [import_module(f"{__name__}.{name}") for name in ("eager", "exception", "flags")]
