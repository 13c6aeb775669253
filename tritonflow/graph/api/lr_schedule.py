"""The learning rate schedule of a training graph, which steps it behind each of its runs."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from tritonflow.optim.lr_scheduler import LRScheduler
from tritonflow.settings import settings


class GraphSchedule:
    """A learning rate scheduler that a graph steps. The next `scheduler.step()` of the program, as in OneFlow's, is the same step.

    Attributes:
        scheduler: as given.
    """

    def __init__(self, scheduler: LRScheduler) -> None:
        self.scheduler = scheduler
        scheduler.optimizer._is_scheduled = True
        self._log: StepLog | None = None

    def step(self) -> None:
        """Step it behind a run."""
        optimizer = self.scheduler.optimizer
        self._write_log(optimizer.param_groups[0]["lr"])
        self.scheduler.step()
        optimizer._opt_called = id(self.scheduler)

    def _write_log(self, lr: float) -> None:
        if self._log is None and settings.debug_mode:
            self._log = StepLog()
        if self._log is not None:
            self._log.write(lr)


class StepLog:
    """OneFlow's log of learning rates: `log/<host>/<process>-train_step2lr.csv`, a line "step,lr" for each step of a graph."""

    def __init__(self) -> None:
        self._path = Path("log", socket.gethostname(), f"{os.getpid()}-train_step2lr.csv")
        self._step = 0
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text("train_step, lr\n")

    def write(self, lr: float) -> None:
        """Append a line."""
        with self._path.open("a") as file:
            file.write(f"{self._step},{lr!r}\n")
        self._step += 1
