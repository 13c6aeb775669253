"""`torch.profiler.profiler`, beside `flow.profiler`."""

from __future__ import annotations

from tritonflow.profiler import ProfilerAction


def _default_schedule_fn(step: int) -> ProfilerAction:
    """The schedule that records every step."""
    return ProfilerAction.RECORD
