"""profile: records what the virtual machine runs, and returns it as a table or a trace."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from time import perf_counter_ns
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.profiler.schedule import ProfilerAction, ProfilerActivity
from tritonflow.profiler.summary import Averages
from tritonflow.vm.machine import machine
from tritonflow.vm.timeline import Span, Timeline

_running: list[profile] = []
_OPTIONS = frozenset({  # of torch
    "acc_events", "custom_trace_id_callback", "execution_trace_observer", "experimental_config", "profile_memory", "record_shapes",
    "use_cuda", "with_flops", "with_modules", "with_stack",
})  # fmt: skip


class profile:
    """Record the VM's instructions, their kernels and the ranges of `record_function`, in eager mode and in graphs.

    While it records, every op takes the slow path, and a graph's kernels are launched one by one: what is between
    kernels takes longer than it does otherwise. On CUDA times are those of launches.

    Args:
        schedule: which steps are recorded, as a function of a step's number, such as `flow.profiler.schedule(...)` gives;
            `step()` ends a step. Without it everything in the block is.
        on_trace_ready: called with the profile when recorded steps are over.
        activities, options: torch's other arguments (`record_shapes`, `with_stack` ...), which change nothing.

    Attributes:
        wall: the nanoseconds that were recorded.

    Raises:
        RuntimeError: another profile is recording; `stop` without `start`; results are asked for while it records.

    Source: https://docs.pytorch.org/docs/stable/profiler.html

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(64, 64)
        >>> with flow.profiler.profile() as prof:
        ...     for _ in range(3):
        ...         y = flow.relu(x @ x)
        >>> [(average.name, average.count) for average in prof.key_averages() if average.kind == "instruction"]
        [('matmul', 3), ('relu', 3)]
    """

    def __init__(
        self,
        *,
        activities: Iterable[ProfilerActivity] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[profile], Any] | None = None,
        **options: Any,
    ) -> None:
        unknown = sorted(set(options) - _OPTIONS)
        if unknown:
            raise ArgumentTypeError(f"profile(): got an unexpected keyword argument {unknown[0]!r}")
        self._schedule = schedule
        self._on_trace_ready = on_trace_ready
        self.step_num = 0
        self.wall = 0
        self._spans: list[Span] = []
        self._begin = 0
        self._first = 0
        self._shared = False

    def start(self) -> None:
        """Wait for what was issued, and begin to record; as entering the `with` block does."""
        if _running:
            raise RuntimeError("profile: another profile is recording; there can be one at a time")
        machine.drain("profile", machine.streams())
        _running.append(self)
        self._shared = machine.engine.timeline is not None  # TRITONFLOW_VM_TIMELINE goes on recording afterwards
        self._first = len(machine.start_timeline().spans)
        self._begin = perf_counter_ns()

    def stop(self) -> None:
        """Wait for what was issued, and record no longer."""
        if self not in _running:
            raise RuntimeError("profile: stop() without start()")
        timeline = machine.engine.timeline
        if self._shared or timeline is None:
            machine.drain("profile", machine.streams())
        else:
            machine.stop_timeline()
        _running.remove(self)
        self.wall = perf_counter_ns() - self._begin
        self._spans = [] if timeline is None else timeline.spans[self._first :]

    def step(self) -> None:
        """End a step of the schedule, and begin the next one."""
        before = self._action()
        self.step_num += 1
        if before is ProfilerAction.RECORD_AND_SAVE:
            self._finish()
        self._begin_step()

    def _action(self) -> ProfilerAction:
        return ProfilerAction.RECORD if self._schedule is None else self._schedule(self.step_num)

    def _begin_step(self) -> None:
        """Record, if this step is recorded, and do not, if it is not."""
        wanted = self._action() in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        if wanted and self not in _running:
            self.start()
        elif not wanted and self in _running:
            self.stop()

    def _finish(self) -> None:
        if self in _running:
            self.stop()
            if self._on_trace_ready is not None:
                self._on_trace_ready(self)

    def __enter__(self) -> profile:
        self._begin_step()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self._schedule is None and self not in _running:
            raise RuntimeError("profile: stop() without start()")
        if kind is None:
            self._finish()
        elif self in _running:
            self.stop()

    def events(self) -> list[Span]:
        """What was recorded, in the order in which it ended."""
        self._refuse_running("events()")
        return self._spans

    def key_averages(self) -> Averages:
        """Calls and times by name: of ranges, of instructions (ops, graphs, copies), and of kernels."""
        self._refuse_running("key_averages()")
        return Averages(self._spans, self.wall)

    def export_chrome_trace(self, path: str | os.PathLike[str]) -> None:
        """Write a trace for ui.perfetto.dev or chrome://tracing: a row for each stream, and for each thread with ranges."""
        self._refuse_running("export_chrome_trace()")
        Timeline(self._spans).export(path)

    def _refuse_running(self, what: str) -> None:
        if self in _running:
            raise RuntimeError(f"profile.{what}: still recording; leave the `with` block, or call stop(), first")
