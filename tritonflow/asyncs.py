"""OneFlow's workers on which ops may be issued. Here the VM orders ops by what they read and write, and these change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Thread", "thread"]


class Thread:
    """OneFlow's name for a worker.

    Source: oneflow.asyncs.Thread.
    """


@contextmanager
def thread(thread: Thread) -> Iterator[None]:
    """OneFlow's block whose ops are issued on a worker: here an ordinary block.

    Args:
        thread: the worker.

    Source: oneflow.asyncs.thread.

    Example:
        >>> import tritonflow as flow
        >>> with flow.asyncs.thread(flow.asyncs.Thread()):
        ...     y = flow.ones(2) + 1
        >>> y
        tensor([2., 2.])
    """
    yield
