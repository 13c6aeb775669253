"""The learning rate schedule of a training graph: the graph counts its steps itself, as in OneFlow."""

from __future__ import annotations

import copy
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tritonflow.optim import Optimizer
from tritonflow.optim.lr_scheduler import LRScheduler
from tritonflow.settings import settings


class GraphSchedule:
    """A learning rate scheduler as a graph follows it: the graph steps a copy, so that the scheduler and the options of its
    optimizer are what they were before the call.

    The copy is made at the first call, so that a graph goes on where the scheduler is then.
    """

    def __init__(self, scheduler: LRScheduler) -> None:
        self._scheduler = scheduler
        self._copy: LRScheduler | None = None
        self._scheduled: set[str] = {"lr"}  # the options that the schedule sets
        self._log: StepLog | None = None

    @property
    def copy(self) -> LRScheduler:
        """The scheduler that the graph steps, with its own optimizer options."""
        if self._copy is None:
            self._copy = _detached(self._scheduler)
        return self._copy

    @contextmanager
    def options(self) -> Iterator[None]:
        """A block in which the optimizer's groups have the options of the graph's step."""
        groups = self._scheduler.optimizer.param_groups
        before = [{name: group[name] for name in self._scheduled} for group in groups]
        for group, own in zip(groups, self.copy.optimizer.param_groups):
            group.update((name, own[name]) for name in self._scheduled)
        try:
            yield
        finally:
            for group, options in zip(groups, before):
                group.update(options)

    def step(self) -> None:
        """Count a step of the graph."""
        groups = self.copy.optimizer.param_groups
        self._write_log(groups[0]["lr"])
        before = [dict(group) for group in groups]
        self.copy.step()
        for old, new in zip(before, groups):
            self._scheduled.update(name for name in new if new[name] is not old.get(name))

    def state_dict(self) -> dict[str, Any]:
        """That of the copy."""
        return self.copy.state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state, with the options that the optimizer has now."""
        loaded = _detached(self._scheduler)
        loaded.load_state_dict(state)
        self._copy = loaded

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


def _detached(scheduler: LRScheduler) -> LRScheduler:
    """A copy of a scheduler, and of those it is made of, over a copy of its optimizer's options."""
    optimizer: Optimizer = copy.copy(scheduler.optimizer)
    optimizer.param_groups = [dict(group) for group in optimizer.param_groups]
    optimizer._opt_called = True  # the graph steps it
    detached: LRScheduler = _copied(scheduler, {id(scheduler.optimizer): optimizer})
    return detached


def _copied(value: Any, copies: dict[int, Any]) -> Any:
    """A copy of schedulers and containers; other objects, such as functions and what they belong to, are shared."""
    if id(value) in copies:
        return copies[id(value)]
    if isinstance(value, LRScheduler):
        copies[id(value)] = twin = copy.copy(value)
        vars(twin).update((name, _copied(part, copies)) for name, part in vars(value).items())
        return twin
    if type(value) in (list, tuple):
        return type(value)(_copied(part, copies) for part in value)
    return copy.copy(value) if isinstance(value, (dict, set)) else value
