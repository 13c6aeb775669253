"""Where a program's time goes: VM instructions, the kernels in them, compilations, and ranges that the program names.

    with flow.profiler.profile() as prof:
        with flow.profiler.record_function("step"):
            train(x, target)
    print(prof.key_averages().table(sort_by="total"))
    prof.export_chrome_trace("trace.json")  # for ui.perfetto.dev
"""

from tritonflow.profiler.profile import profile
from tritonflow.profiler.ranges import range_pop, range_push, record_function
from tritonflow.profiler.schedule import (
    ProfilerAction,
    ProfilerActivity,
    kineto_available,
    schedule,
    supported_activities,
    tensorboard_trace_handler,
)
from tritonflow.profiler.summary import Average, Averages

__all__ = [
    "Average", "Averages", "ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "range_pop", "range_push",
    "record_function", "schedule", "supported_activities", "tensorboard_trace_handler",
]  # fmt: skip
