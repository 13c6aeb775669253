"""How long each step of a graph takes, alone: measured on copies of its states, so that nothing of the program changes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from tritonflow.device.program import LaunchLoop
from tritonflow.device.provider import get_provider
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.ir import Graph, State
from tritonflow.graph.plan.executable import Executable
from tritonflow.graph.plan.memory import MemoryLayout, plan_memory
from tritonflow.graph.plan.schedule import schedule_of
from tritonflow.graph.plan.timing import seconds_of
from tritonflow.vm.machine import machine

RUNS, SECONDS = (3, 25), 1.0  # runs, at least and at most; after so long no further one begins


class Rehearsal(NamedTuple):
    """A graph's layout; seconds of each of its steps, and of a whole run: medians."""

    layout: MemoryLayout
    steps: list[float]
    whole: float


def rehearse(graph: Graph, device: Any, inputs: Sequence[Tensor], numbers: Sequence[Any]) -> Rehearsal:
    """Run a graph some times, step by step, each launched and waited for by itself, and as a whole.

    Of one over ranks the kernels run by themselves, and as a whole it runs as often on each: all of them do this.
    """
    copied = replace(graph, states=[_copied(state) for state in graph.states])
    layout, provider = plan_memory(copied), get_provider(device)
    executable = Executable(copied, device, schedule_of(layout, copied, provider))
    programs = [LaunchLoop(launches) for launches in executable.lasting_launches]
    run = executable.execute if executable.folds is None else partial(executable.execute, versions=executable.folds.versions())
    steps: list[list[float]] = [[] for _ in programs]
    whole: list[float] = []

    def timed(live: list[Any]) -> None:
        run(live)
        start, runs = time.perf_counter(), 0
        while runs < RUNS[0] or (runs < RUNS[1] and time.perf_counter() - start < SECONDS):
            runs += 1
            for program, times in zip(programs, steps):
                times.append(seconds_of(provider, program.run, (live,)))
            if not executable.communicates:
                whole.append(seconds_of(provider, run, (live,)))

    executable.issue(timed, inputs, numbers)
    machine.sync()
    for _ in range(RUNS[0] if executable.communicates else 0):
        start = time.perf_counter()
        executable.run(inputs, numbers)
        machine.sync()
        whole.append(time.perf_counter() - start)
    return Rehearsal(layout, [statistics.median(times) for times in steps], statistics.median(whole))


def _copied(state: State) -> State:
    """The state with a copy of its memory."""
    tensor: Any = Tensor(state.value.meta, state.impl, state.impl.block.ptr)
    return replace(state, impl=tensor.clone().impl)
