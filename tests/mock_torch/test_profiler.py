"""A program for torch's profiler runs as it is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import tritonflow as flow

PROGRAM = """
import torch
import torch.autograd.profiler as old
from torch.profiler import ProfilerActivity, profile, record_function, schedule, supported_activities, tensorboard_trace_handler

def main(folder):
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU())
    inputs = torch.randn(5, 8)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True, profile_memory=True, with_stack=True) as prof:
        with record_function("model_inference"):
            model(inputs)
    for sort_by in ("cpu_time_total", "self_cpu_time_total", "self_cpu_memory_usage", "cuda_time_total", "count", None):
        print(prof.key_averages().table(sort_by=sort_by, row_limit=10))
    print(prof.key_averages(group_by_input_shape=True).table(sort_by="cpu_time_total", row_limit=10))
    print(prof.key_averages(group_by_stack_n=5).table(sort_by="self_cuda_time_total", max_src_column_width=40))
    prof.export_chrome_trace(folder + "/trace.json.gz")
    prof.export_stacks(folder + "/stacks.txt", "self_cpu_time_total")

    def trace_handler(p):
        handled.append((p.step_num, p.key_averages().table(sort_by="self_cpu_time_total", row_limit=-1)))
        p.export_chrome_trace(folder + "/trace_" + str(p.step_num) + ".json")

    handled = []
    with profile(activities=supported_activities(), schedule=schedule(wait=1, warmup=1, active=2, repeat=1), on_trace_ready=trace_handler) as p:
        for step in range(5):
            model(inputs)
            p.step()
    with old.profile(use_cuda=False, record_shapes=True) as o:
        model(inputs)
    rows = [(row.key, row.count, row.cpu_time_total, row.input_shapes) for row in o.key_averages(group_by_input_shape=True)]
    return handled, rows, str(o)
"""


def test_the_recipes(write: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(mt_recipe=PROGRAM)
    with flow.mock_torch.enable():
        import mt_recipe  # type: ignore[import-not-found]
    handled, rows, text = mt_recipe.main(str(folder))
    printed = capsys.readouterr().out
    missing = [word for word in ("model_inference", "[[5, 8], [8, 8], [8]]", "mt_recipe.py:", "bytes made") if word not in printed]
    assert not missing, printed
    trace = json.loads(gzip.decompress((folder / "trace.json.gz").read_bytes()))
    assert [e["args"]["Input Dims"] for e in trace["traceEvents"] if e["name"] == "relu" and e["cat"] == "instruction"] == [[[5, 8]]]
    stacks = (folder / "stacks.txt").read_text().splitlines()
    assert stacks and all(line.rpartition(" ")[2].isdigit() and ";" in line for line in stacks)
    ((number, table),) = handled
    assert number == 4 and "ProfilerStep*" in table and (folder / "trace_4.json").exists()
    assert [(key, count) for key, count, _, shapes in rows if shapes] == [("linear", 1), ("relu", 1)]
    assert all(time > 0 for _, _, time, _ in rows) and "relu" in text


def test_the_profiler_that_is_recording_is_found_and_ended(write: Callable[..., Path]) -> None:
    write(mt_profiler_enabled="""
import torch
from torch.profiler.profiler import _default_schedule_fn

def main():
    found = [torch.autograd._profiler_enabled()]
    prof = torch.profiler.profile(schedule=_default_schedule_fn)
    prof.__enter__()
    found.append(torch.autograd._profiler_enabled())
    torch.autograd._disable_profiler()
    return [*found, torch.autograd._profiler_enabled()]
""")
    with flow.mock_torch.enable():
        import mt_profiler_enabled  # type: ignore[import-not-found]
    assert mt_profiler_enabled.main() == [False, True, False]
