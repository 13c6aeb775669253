"""`torch.autograd.profiler`: torch's older profiler, which is `flow.profiler` with fewer questions."""

from __future__ import annotations

import contextlib
from typing import Any

from tritonflow import profiler
from tritonflow.profiler import Average as FunctionEventAvg
from tritonflow.profiler import Averages as EventList
from tritonflow.profiler import record_function
from tritonflow.vm.timeline import Span as FunctionEvent

__all__ = ["EventList", "FunctionEvent", "FunctionEventAvg", "emit_itt", "emit_nvtx", "profile", "record_function"]


class profile(profiler.profile):
    """A block that is recorded if `enabled`.

    Args:
        use_device: "cuda" for `use_cuda=True`.
        use_kineto, use_cpu, activity_filters: torch's, which change nothing.
    """

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: str | None = None,
        use_kineto: bool = False,
        use_cpu: bool = True,
        activity_filters: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(use_cuda=use_cuda or use_device == "cuda", **options)
        self.enabled = enabled

    def __enter__(self) -> profile:
        if self.enabled:
            super().__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self.enabled:
            super().__exit__(kind, *error)

    @property
    def self_cpu_time_total(self) -> float:
        """Microseconds of all that was recorded."""
        return self.key_averages().self_cpu_time_total

    def total_average(self) -> FunctionEventAvg:
        """All instructions as one row."""
        return self.key_averages().total_average()

    def table(self, **options: Any) -> str:
        """The rows as text."""
        return self.key_averages().table(**options)

    def __str__(self) -> str:
        return self.table() if self.enabled else "<unfinished torch.autograd.profile>"


def emit_nvtx(enabled: bool = True, record_shapes: bool = False) -> Any:
    """A block; ops leave no marks in traces of other tools."""
    return contextlib.nullcontext()


emit_itt = emit_nvtx
