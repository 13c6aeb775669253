"""profile: records what the virtual machine runs, and returns it as a table or a trace."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from tritonflow.device.device import is_gpu
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.profiler.schedule import ProfilerAction, ProfilerActivity
from tritonflow.profiler.summary import Averages, Columns, Events, nested
from tritonflow.vm.failure import describe
from tritonflow.vm.machine import machine
from tritonflow.vm.timeline import MemorySample, Span, Timeline

running: list[profile] = []
_IGNORED = frozenset({  # options of torch and OneFlow
    "custom_trace_id_callback", "execution_trace_observer", "experimental_config", "post_processing_timeout_s",
    "record_attrs", "record_bandwidth_for_cuda", "with_modules",
})  # fmt: skip
_METRICS = ("self_cpu_time_total", "self_cuda_time_total")


class profile:
    """Record the VM's instructions, their kernels, what is compiled, and the ranges of `record_function`: of ops and of graphs.

    While it records, every op takes the slow path, and a graph's kernels are launched one by one: what is between
    kernels takes longer than it does otherwise. On CUDA times are those of launches.

    Args:
        activities: which devices' work is recorded: CPU for ranges, compilations and instructions, CUDA for kernels of GPUs; all
            if it is None.
        schedule: which steps are recorded, as a function of a step's number, such as `flow.profiler.schedule(...)` gives;
            `step()` ends a step. Without it everything in the block is.
        on_trace_ready: called with the profile when recorded steps are over.
        record_shapes: whether shapes of inputs are stored, for `key_averages(group_by_input_shape=True)` and the trace.
        profile_memory: whether the table has the bytes of the tensors that instructions made, and the trace a curve of the
            memory in use and reserved.
        with_stack: whether the lines of the program that issued instructions are stored, for
            `key_averages(group_by_stack_n=1)`, `export_stacks` and the trace.
        with_flops: whether the table has the floating-point operations of instructions, by the formulas of the registry, and
            their rate on a CPU.
        acc_events: whether what was recorded in earlier cycles of the schedule stays.
        use_cuda: torch's older way to ask for CUDA in `activities`.
        options: other arguments of torch and OneFlow (`with_modules`, `record_attrs` ...), which change nothing.

    Attributes:
        wall: the nanoseconds that were recorded.
        step_num: how often `step` was called.
        schedule, on_trace_ready: what was given, or set since.

    Raises:
        RuntimeError: another profile is recording; `stop` without `start`; results are asked for while it records.
        TypeError: an unknown argument, or an activity that is none.
        ValueError: no activities.

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
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        acc_events: bool = False,
        use_cuda: bool | None = None,
        **options: Any,
    ) -> None:
        unknown = sorted(set(options) - _IGNORED)
        if unknown:
            raise ArgumentTypeError(f"profile(): got an unexpected keyword argument {unknown[0]!r}")
        self._activities = _checked(activities, use_cuda)
        self.schedule = schedule
        self.on_trace_ready = on_trace_ready
        self._with_shapes, self._with_lines = record_shapes, with_stack
        self._with_memory, self._with_flops = profile_memory, with_flops
        self._accumulates = acc_events
        self.step_num = 0
        self._action = self._scheduled()
        self.wall = 0
        self._spans: list[Span] = []
        self._memory: list[MemorySample] = []
        self._metadata: dict[str, Any] = {}
        self._begin = self._step_begin = 0
        self._first = self._first_sample = 0
        self._shared = False

    def start(self) -> None:
        """Wait for what was issued, and begin to record; as entering the `with` block does."""
        if running:
            raise RuntimeError("profile: another profile is recording; there can be one at a time")
        machine.drain("profile", machine.streams())
        running.append(self)
        self._shared = machine.engine.timeline is not None  # TRITONFLOW_VM_TIMELINE goes on recording afterwards
        timeline = machine.start_timeline()
        timeline.samples_memory = self._with_memory
        self._first, self._first_sample = len(timeline.spans), len(timeline.memory)
        self._begin = perf_counter_ns()

    def stop(self) -> None:
        """Wait for what was issued, and record no longer."""
        if self not in running:
            raise RuntimeError("profile: stop() without start()")
        timeline = machine.engine.timeline
        if self._shared or timeline is None:
            machine.drain("profile", machine.streams())
        else:
            machine.stop_timeline()
        running.remove(self)
        wall = perf_counter_ns() - self._begin
        if not self._accumulates:
            self.wall, self._spans, self._memory = 0, [], []
        self.wall += wall
        if timeline is not None:
            timeline.samples_memory = False
            self._spans += [self._stripped(span) for span in timeline.spans[self._first :] if self._is_wanted(span)]
            self._memory += timeline.memory[self._first_sample :]

    def _is_wanted(self, span: Span) -> bool:
        """By the activities: a GPU's instructions are launched by the CPU."""
        if self._activities is None:
            return True
        wanted = {ProfilerActivity.CUDA if is_gpu(span.device) else ProfilerActivity.CPU}
        if span.kind == "instruction":
            wanted.add(ProfilerActivity.CPU)
        return bool(wanted & self._activities)

    def _stripped(self, span: Span) -> Span:
        """The interval without what was not asked for."""
        details = span.details
        if details is None or self._with_shapes and self._with_lines:
            return span
        shapes = details.shapes if self._with_shapes else None
        return span._replace(details=details._replace(shapes=shapes, source_line=details.source_line if self._with_lines else None))

    def step(self) -> None:
        """End a step of the schedule, and begin the next one."""
        before = self._action
        if self.schedule is not None and self in running and machine.engine.timeline is not None:
            times = self._step_begin, self._step_begin, perf_counter_ns()
            machine.engine.timeline.spans.append(Span("python", "steps", f"ProfilerStep#{self.step_num}", *times, "range", "steps"))
        self.step_num += 1
        self._action = self._scheduled()
        if before is ProfilerAction.RECORD_AND_SAVE:
            self._finish()
        self._begin_step()

    def _scheduled(self) -> ProfilerAction:
        """What this step does: schedules that count their calls are asked once a step."""
        return ProfilerAction.RECORD if self.schedule is None else self.schedule(self.step_num)

    def _begin_step(self) -> None:
        """Record, if this step is recorded, and do not, if it is not."""
        wanted = self._action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        if wanted and self not in running:
            self.start()
        elif not wanted and self in running:
            self.stop()
        self._step_begin = perf_counter_ns()

    def _finish(self) -> None:
        if self in running:
            self.stop()
            if self.on_trace_ready is not None:
                self.on_trace_ready(self)

    def __enter__(self) -> profile:
        self._begin_step()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self.schedule is None and self not in running:
            raise RuntimeError("profile: stop() without start()")
        if kind is None:
            self._finish()
        elif self in running:
            self.stop()

    # ------------------------------------------------------------------------------------------------- results

    def events(self) -> Events:
        """What was recorded, in the order in which it ended."""
        self._refuse_running("events()")
        return Events(self._spans, self.wall, self._recorded())

    def _recorded(self) -> Columns:
        return Columns(self._with_shapes, self._with_lines, self._with_memory, self._with_flops)

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> Averages:
        """Calls and times by name: of ranges, of instructions (ops, graphs, copies), of kernels, and of what was compiled.

        Args:
            group_by_input_shape: a row for each op and shapes of its inputs; wants `record_shapes`.
            group_by_stack_n: more than 0: a row for each op and line of the program that issued it; wants `with_stack`.
            group_by_overload_name: torch's; ops have no overloads here.
        """
        self._refuse_running("key_averages()")
        return Events(self._spans, self.wall, self._recorded()).key_averages(group_by_input_shape, group_by_stack_n)

    def export_chrome_trace(self, path: str | os.PathLike[str]) -> None:
        """Write a trace for ui.perfetto.dev or chrome://tracing: a row for each stream, and for each thread with ranges or
        compilations; compressed if the name ends with `.gz`."""
        self._refuse_running("export_chrome_trace()")
        Timeline(self._spans, self._memory).export(path, self._metadata)

    def export_stacks(self, path: str | os.PathLike[str], metric: str = "self_cpu_time_total") -> None:
        """Write the lines of the program and their instructions for a flame graph: `line;op microseconds`.

        Raises:
            RuntimeError: lines were not recorded.
            ValueError: another metric than torch's two.
        """
        self._refuse_running("export_stacks()")
        if not self._with_lines:
            raise RuntimeError("profile.export_stacks(): help: record with profile(with_stack=True)")
        if metric not in _METRICS:
            raise ArgumentValueError(f"export_stacks(): metric must be one of {', '.join(_METRICS)}, not {metric!r}")
        times: dict[str, int] = {}
        for span, (own, _) in zip(self._spans, nested(self._spans)):
            if span.details is not None and span.details.source_line is not None:
                stack = f"{describe(span.details.source_line)};{span.name}"
                times[stack] = times.get(stack, 0) + own
        Path(path).write_text("".join(f"{stack} {time // 1000}\n" for stack, time in times.items()))

    def add_metadata(self, key: str, value: str) -> None:
        """Put a text into the trace, at its top."""
        self._metadata[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """Put something into the trace, at its top, that is given as JSON."""
        self._metadata[key] = json.loads(value)

    def __repr__(self) -> str:
        state = "recording" if self in running else f"{len(self._spans)} intervals in {self.wall / 1e6:.3f} ms"
        return f"<profile: {state}>"

    def _repr_html_(self) -> str:
        """For notebooks: the table."""
        return f"<p>{repr(self)[1:-1]}</p>" if self in running else self.key_averages()._repr_html_()

    def _refuse_running(self, what: str) -> None:
        if self in running:
            raise RuntimeError(f"profile.{what}: still recording; leave the `with` block, or call stop(), first")


def _checked(activities: Iterable[ProfilerActivity] | None, use_cuda: bool | None) -> set[ProfilerActivity] | None:
    """The activities as a set; None: all.

    Raises:
        TypeError, ValueError: one is none of torch's; there is none.
    """
    if activities is None and use_cuda is None:
        return None
    found = set(activities) if activities is not None else {ProfilerActivity.CPU, ProfilerActivity.CUDA}
    for each in found:
        if not isinstance(each, ProfilerActivity):
            raise ArgumentTypeError(f"profile(): activities must be of ProfilerActivity, not {each!r}")
    if use_cuda is not None:
        found = (found | {ProfilerActivity.CUDA}) if use_cuda else found - {ProfilerActivity.CUDA}
    if not found:
        raise ArgumentValueError("profile(): no activities; help: activities=[ProfilerActivity.CPU]")
    return found
