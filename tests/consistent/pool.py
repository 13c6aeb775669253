"""Warm pools of ranks: processes over gloo that run functions by name, as torchrun's would.

A start costs seconds, so the processes stay for all tests. Behind an error the world is started anew in the same processes.
Processes that hang or have died are killed, and the next test gets new ones.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from datetime import timedelta
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0  # for one function; what takes longer hangs


class RankFailure(Exception):
    """A function failed on some rank; `errors` has the exceptions by rank, `seconds` when each came."""

    def __init__(self, errors: dict[int, BaseException], seconds: dict[int, float]) -> None:
        super().__init__("\n".join(f"rank {rank}: {type(error).__name__}: {error}" for rank, error in errors.items()))
        self.errors, self.seconds = errors, seconds


class Died(Exception):
    """A rank's process ended before it answered."""


class Hung(Exception):
    """A rank did not answer in time."""


class Pool:
    """`size` processes, each a rank.

    Example:
        pool.run("tests.consistent.programs:gathered", 3) gives the list of what each rank returned.
    """

    def __init__(self, size: int) -> None:
        from torch.distributed import TCPStore

        self.size = size
        self.store = TCPStore("127.0.0.1", 0, None, True, timedelta(seconds=SECONDS), wait_for_workers=False)
        self.processes: list[subprocess.Popen[bytes]] = []
        self.links: list[Connection] = []
        for rank in range(size):
            self._spawn(rank)
        self._collect(self.links)

    def _spawn(self, rank: int) -> None:
        ours, theirs = socket.socketpair()
        environment = {
            **os.environ,
            "RANK": str(rank),
            "WORLD_SIZE": str(self.size),
            "LOCAL_RANK": str(rank),
            "LOCAL_WORLD_SIZE": str(self.size),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(self.store.port),
            "TORCHELASTIC_USE_AGENT_STORE": "True",
            "OMP_NUM_THREADS": "1",
            "TRITONFLOW_NUM_THREADS": "1",
        }
        command = [sys.executable, "-m", "tests.consistent.pool", str(theirs.fileno())]
        self.processes.append(subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[theirs.fileno()]))
        theirs.close()
        self.links.append(Connection(ours.detach()))

    def run(self, function: str | Callable[..., Any], *args: Any, seconds: float = SECONDS, **kwargs: Any) -> list[Any]:
        """Call a function, "module:name" or one at the top of a module, on every rank; what each returned.

        Raises:
            RankFailure: it failed on a rank.
            Hung: a rank has not answered in time.
        """
        name = function if isinstance(function, str) else f"{function.__module__}:{function.__qualname__}"
        for link in self.links:
            link.send((name, args, kwargs))
        answers, times = self._collect(self.links, seconds)
        errors = {rank: answer for rank, (fine, answer) in answers.items() if not fine}
        if errors:
            if any(isinstance(error, Died) for error in errors.values()):
                self.close()
            else:
                self._restart()
            raise RankFailure(errors, times)
        return [answers[rank][1] for rank in range(self.size)]

    def _restart(self) -> None:
        for link in self.links:
            link.send(None)
        self._collect(self.links)

    def _collect(self, links: list[Connection], seconds: float = SECONDS) -> tuple[dict[int, Any], dict[int, float]]:
        """An answer of every rank, and after how many seconds it came."""
        begin = time.monotonic()
        answers: dict[int, Any] = {}
        times: dict[int, float] = {}
        while len(answers) < self.size:
            pending = [link for rank, link in enumerate(links) if rank not in answers]
            ready = wait(pending, timeout=max(begin + seconds - time.monotonic(), 0))
            if not ready:
                missing = [rank for rank in range(self.size) if rank not in answers]
                self.close()
                raise Hung(f"ranks {missing} have not answered for {seconds:g} s; the others: {answers}")
            for link in ready:
                rank = links.index(link)
                times[rank] = time.monotonic() - begin
                try:
                    answers[rank] = pickle.loads(link.recv_bytes())
                except EOFError:
                    answers[rank] = False, Died(f"the process ended: {self.processes[rank].wait()}")
        return answers, times

    @property
    def alive(self) -> bool:
        """Whether it can run something."""
        return bool(self.links)

    def close(self) -> None:
        """End the processes, whatever they do."""
        for link in self.links:
            link.close()
        self.links = []
        for process in self.processes:
            process.send_signal(signal.SIGCONT)
            process.kill()
        for process in self.processes:
            process.wait()

    def end(self) -> list[int]:
        """Let the processes end by themselves; their exit codes."""
        for link in self.links:
            link.close()
        self.links = []
        try:
            return [process.wait(SECONDS) for process in self.processes]
        finally:
            self.close()


def _serve(descriptor: int) -> None:
    """A rank's process: run what is asked for, until nobody asks any more."""
    from tritonflow.vm.machine import machine
    from tritonflow.wire import connection

    link = Connection(descriptor)
    connection.start()
    link.send_bytes(pickle.dumps((True, None)))
    while True:
        try:
            request = link.recv()
        except EOFError:
            return
        if request is None:
            connection.restart()
            machine.engine.failures.clear()
            answer = True, None
        else:
            answer = _call(*request)
        link.send_bytes(_pickled(answer))


def _call(name: str, args: Any, kwargs: Any) -> tuple[bool, Any]:
    from tritonflow.wire import connection

    module, _, function = name.partition(":")
    try:
        return True, getattr(importlib.import_module(module), function)(*args, **kwargs)
    except Exception as error:
        connection.report(error)
        print(f"rank {os.environ['RANK']}:", traceback.format_exc(), file=sys.stderr, flush=True)
        return False, error


def _pickled(answer: tuple[bool, Any]) -> bytes:
    try:
        text = pickle.dumps(answer)
        pickle.loads(text)
        return text
    except Exception as error:
        return pickle.dumps((False, RuntimeError(f"cannot send {answer[1]!r}: {error}")))


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
