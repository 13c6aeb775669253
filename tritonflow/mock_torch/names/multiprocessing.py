"""`torch.multiprocessing`: Python's, and `spawn`. Tensors are copied on their way between processes."""

from __future__ import annotations

import multiprocessing
from multiprocessing import *  # noqa: F403
from typing import Any

from tritonflow.errors import NotYetImplementedError

_context: Any = multiprocessing.get_context()


def any_name(name: str) -> Any:
    """What a name is that this file does not have."""
    return getattr(multiprocessing, name, None)


def set_sharing_strategy(new_strategy: str) -> None:
    """Nothing: memory is not shared."""


def get_sharing_strategy() -> str:
    """What torch has by default."""
    return "file_descriptor"


def get_all_sharing_strategies() -> set[str]:
    """What torch has."""
    return {"file_descriptor", "file_system"}


class ProcessRaisedException(Exception):
    """A process of `spawn` raised."""


class ProcessContext:
    """The processes of `spawn`."""

    def __init__(self, processes: list[Any]) -> None:
        self.processes = processes

    def pids(self) -> list[int]:
        """Their numbers."""
        return [process.pid for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait for all; raises if one has failed."""
        for index, process in enumerate(self.processes):
            process.join(timeout)
            if process.exitcode not in (0, None):
                for other in self.processes:
                    other.terminate()
                raise ProcessRaisedException(f"process {index} terminated with exit code {process.exitcode}")
        return all(process.exitcode is not None for process in self.processes)


def start_processes(
    fn: Any, args: Any = (), nprocs: int = 1, join: bool = True, daemon: bool = False, start_method: str = "spawn"
) -> ProcessContext | None:
    """Run `fn(index, *args)` in so many processes, which are forked: a spawned one would import the real torch.

    Raises:
        NotImplementedError: there is a GPU, which a forked process cannot use.
    """
    import tritonflow as flow

    if flow.cuda.is_available():
        raise NotYetImplementedError("torch.multiprocessing: processes with a GPU; help: start ranks by torchrun")
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=fn, args=(index, *args), daemon=daemon) for index in range(nprocs)]  # type: ignore[attr-defined]
    for process in processes:
        process.start()
    started = ProcessContext(processes)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(
    fn: Any, args: Any = (), nprocs: int = 1, join: bool = True, daemon: bool = False, start_method: str = "spawn"
) -> ProcessContext | None:
    """Run `fn(index, *args)` in so many processes."""
    return start_processes(fn, args, nprocs, join, daemon, start_method)
