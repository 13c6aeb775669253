"""Processes of a run: each in a group of its own with a limit, ended with all its children, and none outlives the run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LEASH = Path(__file__).with_name("leash.py")
POLL = 0.1
GRACE = 2.0  # seconds between SIGTERM and SIGKILL
TEXT = 20_000  # characters of what a process said


@dataclass(frozen=True)
class Task:
    """A process to run.

    Attributes:
        name: which no other that runs at the time has.
        seconds: when it is ended.
        environment: beside this process's own.
        nice: how much others come first.
    """

    name: str
    command: Sequence[str]
    seconds: float
    environment: Mapping[str, str] = field(default_factory=dict)
    nice: int = 0


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        status: of the process, negative for a signal; None if it was over its limit.
        text: the end of what it wrote.
    """

    name: str
    status: int | None
    seconds: float
    text: str

    @property
    def why(self) -> str:
        """In words."""
        if self.status is None:
            return f"no end after {self.seconds:.0f} s"
        return f"ended by {signal.Signals(-self.status).name}" if self.status < 0 else f"ended with {self.status}"


class Child:
    """A process that runs."""

    def __init__(self, task: Task, output: Path) -> None:
        self.task, self.output = task, output
        self.began = time.monotonic()
        command = [sys.executable, "-I", "-S", str(LEASH), str(os.getpid()), str(task.nice), *task.command]
        environment = {**os.environ, **task.environment}
        with open(output, "wb") as file:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=environment, start_new_session=True
            )

    def ended(self, until: float) -> Ended | None:
        """How it ended; None while it runs. Over its limit, or behind `until`, it is ended."""
        status = self._process.poll()
        now = time.monotonic()
        if status is None and now < min(self.began + self.task.seconds, until):
            return None
        self.end()
        return Ended(self.task.name, status, now - self.began, self._said())

    def end(self) -> None:
        """End it and its children; those of a process that has ended, too."""
        for number, seconds in ((signal.SIGTERM, GRACE), (signal.SIGKILL, GRACE)):
            try:
                os.killpg(self._process.pid, number)
            except ProcessLookupError:
                break
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
        self._process.poll()

    def _said(self) -> str:
        with open(self.output, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TEXT))
            return file.read().decode(errors="replace")


class Processes:
    """Those of a run. Used as a context, it ends what still runs.

    Args:
        folder: for what they write, a file each.
        tick: called about ten times a second while they run.
    """

    def __init__(self, folder: Path, tick: Callable[[], None] = lambda: None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._tick = folder, tick
        self._running: list[Child] = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *error: object) -> None:
        self.end_all()

    def start(self, task: Task) -> Child:
        """Begin a process beside others."""
        child = Child(task, self._folder / f"{task.name}.txt")
        self._running.append(child)
        return child

    def run(self, task: Task) -> Ended:
        """Run a process to its end."""
        found: list[Ended] = []
        self.side_by_side([task], 1, float("inf"), found.append)
        return found[0]

    def finish(self, child: Child, until: float) -> Ended:
        """Wait for one that was started, and end it at a time of `time.monotonic`."""
        while True:
            ended = child.ended(until)
            self._tick()
            if ended is not None:
                self._running.remove(child)
                return ended
            time.sleep(POLL)

    def side_by_side(self, tasks: Sequence[Task], jobs: int, until: float, seen: Callable[[Ended], None]) -> None:
        """Run processes, so many at a time; at a time of `time.monotonic` those that run are ended, and none begins."""
        waiting, running = list(tasks), list[Child]()
        while waiting or running:
            while waiting and len(running) < jobs and time.monotonic() < until:
                running.append(self.start(waiting.pop(0)))
            if not running:
                return
            time.sleep(POLL)
            for child in list(running):
                ended = child.ended(until)
                if ended is not None:
                    running.remove(child)
                    self._running.remove(child)
                    seen(ended)
            self._tick()

    def end_all(self) -> None:
        """End all of them."""
        for child in self._running:
            child.end()
        self._running.clear()
