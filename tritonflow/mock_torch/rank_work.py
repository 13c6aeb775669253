"""What `async_op=True` returns: a collective that was issued. The machine orders what reads its tensors behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.mock_torch.torch_futures import Future
from tritonflow.vm.machine import machine


class Work:
    """A collective or message that was issued.

    Args:
        tensors: that it writes, or sends.
    """

    def __init__(self, tensors: Sequence[Any] = ()) -> None:
        self._tensors = list(tensors)

    def wait(self, timeout: Any = None) -> bool:
        """Wait until its tensors are written, or have been sent. `TRITONFLOW_COMM_TIMEOUT` counts, not `timeout`.

        Raises:
            RuntimeError: it failed.
        """
        for x in self._tensors:
            block = x.impl.block
            machine.access([block], [block], _nothing, name="Work.wait")
        return True

    synchronize = wait

    def is_completed(self) -> bool:
        """Whether it is over. Nothing waits."""
        return machine.is_over([x.impl.block for x in self._tensors])

    is_success = is_completed

    def result(self) -> list[Any]:
        """Its tensors."""
        return self._tensors

    def get_future(self) -> Future:
        """A future of its tensors, which may be used at once."""
        future = Future()
        future.set_result(self._tensors)
        return future


def _nothing() -> None:
    """The callback of an access that only waits."""
