"""`torch.multiprocessing.spawn`: torch's own, which starts processes and watches them. It forks."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import NotYetImplementedError
from tritonflow.mock_torch.torch_names import shared_module

_theirs: Any = shared_module("torch.multiprocessing.spawn")
ProcessException = _theirs.ProcessException
ProcessRaisedException, ProcessExitedException = _theirs.ProcessRaisedException, _theirs.ProcessExitedException
ProcessContext, SpawnContext = _theirs.ProcessContext, _theirs.SpawnContext


def start_processes(
    fn: Any, args: Any = (), nprocs: int = 1, join: bool = True, daemon: bool = False, start_method: str = "spawn"
) -> Any:
    """Run `fn(index, *args)` in so many processes, which are forked: a spawned one would import the real torch.

    Raises:
        NotImplementedError: there is a GPU, which a forked process cannot use.
        ProcessRaisedException: `fn` raised in a process; the text has its traceback, and the others are ended.
    """
    import tritonflow as flow

    if flow.cuda.is_available():
        raise NotYetImplementedError("torch.multiprocessing: processes with a GPU; help: start ranks by torchrun")
    return _theirs.start_processes(fn, args, nprocs, join, daemon, "fork")


def spawn(
    fn: Any, args: Any = (), nprocs: int = 1, join: bool = True, daemon: bool = False, start_method: str = "spawn"
) -> Any:
    """Run `fn(index, *args)` in so many processes."""
    return start_processes(fn, args, nprocs, join, daemon, start_method)
