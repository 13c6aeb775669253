"""Which steps of a loop a profile records: `schedule`, and what is done with each recording.

Source: https://docs.pytorch.org/docs/stable/profiler.html
"""

from __future__ import annotations

import enum
import os
import socket
import time
from collections.abc import Callable
from typing import Any

from tritonflow.device import torch_cuda
from tritonflow.errors import ArgumentValueError


class ProfilerActivity(enum.Enum):
    """Whose work a profile records."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


def supported_activities() -> set[ProfilerActivity]:
    """What can be recorded in this process."""
    return {ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if torch_cuda.runtime.why_unavailable() is None else [])}


def kineto_available() -> bool:
    """torch's question whether profiles can be recorded: always."""
    return True


class ProfilerAction(enum.Enum):
    """What a profile does in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable[[int], ProfilerAction]:
    """A function from the number of a step to what a profile does in it.

    Args:
        wait, warmup, active: steps of a cycle, in this order: nothing, warming up, recording.
        repeat: how many cycles; 0: as many as there are steps.
        skip_first: steps before the first cycle.
        skip_first_wait: 1 says that the first cycle does not wait.

    Raises:
        ValueError: negative numbers, or no active step.

    Example:
        >>> import tritonflow as flow
        >>> actions = flow.profiler.schedule(wait=1, warmup=0, active=2)
        >>> [actions(step).name for step in range(4)]
        ['NONE', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise ArgumentValueError("schedule(): expected wait, warmup, repeat and skip_first >= 0, and active > 0")

    def action(step: int) -> ProfilerAction:
        step -= skip_first
        if step < 0:
            return ProfilerAction.NONE
        if skip_first_wait:
            step += wait
        cycle, position = divmod(step, wait + warmup + active)
        if (repeat > 0 and cycle >= repeat) or position < wait:
            return ProfilerAction.NONE
        if position < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if position < wait + warmup + active - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


def tensorboard_trace_handler(
    dir_name: str, worker_name: str | None = None, use_gzip: bool = False
) -> Callable[[Any], None]:
    """For `on_trace_ready`: a function that writes a Chrome trace into a folder.

    Args:
        dir_name: the folder; made if it is not there.
        worker_name: what file names begin with; host and process without it.
        use_gzip: whether the file is compressed.
    """

    def write(profile: Any) -> None:
        os.makedirs(dir_name, exist_ok=True)
        name = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        suffix = ".pt.trace.json.gz" if use_gzip else ".pt.trace.json"
        profile.export_chrome_trace(os.path.join(dir_name, f"{name}.{time.time_ns()}{suffix}"))

    return write
