"""NCCL: messages from GPU to GPU, those of a collective as one launch.

It has never run on several GPUs. What is tested elsewhere (order, failures, who waits for whom) is the same code for all backends;
what is not is this file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import torch.distributed

from tritonflow.device import torch_cuda
from tritonflow.device.device import Device
from tritonflow.wire.backend_gloo import Works, meet
from tritonflow.wire.memory import bytes_of
from tritonflow.wire.record import Message, Ranks, Record

_NEVER = timedelta(days=1)  # the sentinel ends waits earlier


class NcclGroup:
    """Connections among the GPUs of some ranks; `GlooGroup` says what the arguments are.

    NCCL has no tags: messages of ranks that disagree may meet. The sentinel compares the records of what waits.
    """

    def __init__(self, store: Any, ranks: Ranks, me: int, device: Device, check: Callable[[], None]) -> None:
        os.environ["TORCH_NCCL_ASYNC_ERROR_HANDLING"] = "0"  # its own way ends the process
        self._positions = {rank: k for k, rank in enumerate(ranks)}
        self._check = check
        meet(store, ranks, me, check)
        torch_cuda.runtime.set_device(device.index)
        self._stream = torch_cuda.runtime.new_stream(device.index)
        options = torch.distributed.ProcessGroupNCCL.Options()
        options._timeout = _NEVER
        self._group = torch.distributed.ProcessGroupNCCL(store, self._positions[me], len(ranks), options)

    @property
    def can_be_cut(self) -> bool:
        """Whether `cut` ends every wait: NCCL promises it."""
        return True

    def start(self, works: Works, record: Record, sends: Sequence[Message], receives: Sequence[Message]) -> None:
        """Launch the messages of a collective. The caller has waited for the device, so that their memory is ready."""
        runtime = torch_cuda.runtime
        with runtime.on_stream(self._stream):
            self._group._start_coalescing()
            for message in receives:
                self._group.recv([bytes_of(message)], self._positions[message.peer], 0)
            for message in sends:
                self._group.send([bytes_of(message)], self._positions[message.peer], 0)
            launched = self._group._end_coalescing()
            if launched is not None:
                launched.wait()  # makes this stream wait, not this thread
            event = runtime.event()
            event.record(self._stream)
        works.received.append(_Launched(event, self._check))

    def cut(self) -> None:
        """End what has been launched."""
        self._group.abort()


class _Launched:
    """Messages that have been launched."""

    def __init__(self, event: Any, check: Callable[[], None]) -> None:
        self._event, self._check = event, check

    def wait(self) -> None:
        """Wait until the device is done with them.

        Raises:
            RankError: the world has failed, and they were ended.
        """
        self._event.synchronize()
        self._check()
