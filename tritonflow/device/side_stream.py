"""A stream beside the compute stream of each device, for what follows a collective that nobody reads soon.

    compute stream    backward of a layer | backward of the next one | ...
    side stream       packs its gradients |    ... waits for what comes from other ranks ...    | adds it up

On the compute stream the sum would stand before kernels that need not wait for it. The machine orders readers behind it as it does
between all streams: by the memory that they share.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from math import inf
from typing import Any

from tritonflow.device.device import Device
from tritonflow.device.provider import get_provider
from tritonflow.device.stream import Stream, use_stream
from tritonflow.thread_state import thread_state

SHORT = 512 << 10  # bytes from other ranks; the thread that asks for them has them before another one has begun

_streams: dict[Device, Stream] = {}


def beside(device: Device, nbytes: float = inf) -> AbstractContextManager[Any]:
    """A block whose ops go to the side stream, so that they, and what they wait for, hold up no other op.

    Not in captures, of which a pass orders the ops. Nor on simulated ranks: they share streams, on which an op of one could stand
    before what another one waits for.

    Args:
        device: of the ops.
        nbytes: that come from other ranks. Few stay on the compute stream.
    """
    if nbytes <= SHORT or thread_state.rank is not None or thread_state.observer.is_capturing:
        return nullcontext()
    if device not in _streams:
        _streams.setdefault(device, get_provider(device).new_stream("beside"))
    return use_stream(_streams[device])
