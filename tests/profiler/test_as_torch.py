"""What a profile was asked for is in its tables and traces, by torch's names; tests/mock_torch/test_profiler.py has a program of torch's."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import compilations
from tritonflow.profiler import ProfilerActivity, profile, record_function, schedule, tensorboard_trace_handler
from tritonflow.vm.machine import machine


def test_shapes_bytes_and_lines() -> None:
    x, y = flow.ones(4, 4), flow.ones(4)
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        flow.relu(x)
        flow.relu(x)
        flow.relu(y)
    relus = {row.shapes: row for row in prof.key_averages(group_by_input_shape=True) if row.name == "relu" and row.kind == "instruction"}
    assert {shapes: (row.count, row.nbytes) for shapes, row in relus.items()} == {((4, 4),): (2, 128), ((4,),): (1, 16)}
    assert relus[(4,),].input_shapes == [[4]] and relus[(4,),].cpu_memory_usage == 16
    lines = [row.line for row in prof.key_averages(group_by_stack_n=1) if row.name == "relu" and row.kind == "instruction"]
    assert len(lines) == 3 and all("test_as_torch.py:" in line and "test_shapes_bytes_and_lines" in line for line in lines)
    with profile() as plain:
        flow.relu(x)
    with pytest.warns(UserWarning, match="record_shapes=True"):
        assert [row.shapes for row in plain.key_averages(group_by_input_shape=True)] == [None, None]
    with pytest.raises(RuntimeError, match="with_stack=True"):
        plain.export_stacks("nowhere.txt")


def test_operations() -> None:
    f = flow.compile(lambda x: flow.relu(x @ x))
    x = flow.ones(16, 16)
    f(x)
    with profile(with_flops=True) as prof:
        flow.relu(x @ x)
        f(x)
    averages = prof.key_averages()
    flops = {row.name: row.flops for row in averages if row.kind == "instruction"}
    assert flops == {"matmul": 2 * 16**3, "relu": 256, "graph": 2 * 16**3 + 256}
    assert averages.total_average().flops == 2 * flops["graph"]
    (line,) = (line for line in averages.table().splitlines() if line.startswith("matmul "))
    (row,) = (row for row in averages if row.name == "matmul")
    assert line.split()[-2:] == ["0.008", f"{8192 / row.total:.2f}"]


def test_memory_in_the_trace(tmp_path: Path) -> None:
    before = machine.streams()  # the pool of the CPU is there
    x = flow.ones(1000)
    with profile(profile_memory=True) as prof:
        held = [flow.relu(x) for _ in range(3)]
    prof.add_metadata("experiment", "first")
    prof.add_metadata_json("sizes", "[1, 2]")
    prof.export_chrome_trace(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    samples = [event["args"] for event in trace["traceEvents"] if event["ph"] == "C"]
    assert len(samples) == len(held) == 3 and all(sample["allocated"] <= sample["reserved"] for sample in samples)
    assert samples[2]["allocated"] - samples[0]["allocated"] == 2 * 4096 and before is not None
    assert trace["experiment"] == "first" and trace["sizes"] == [1, 2]


def test_activities() -> None:
    def kinds(activities: Any) -> set[str]:
        with profile(activities=activities) as prof, record_function("a range"):
            flow.relu(flow.ones(2))
        return {span.kind for span in prof.events()}

    assert kinds([ProfilerActivity.CPU]) == kinds(None) == {"instruction", "kernel", "range"}
    assert kinds({ProfilerActivity.CUDA}) == set()
    with pytest.raises(ValueError, match="no activities"):
        profile(activities=[])
    with pytest.raises(TypeError, match="must be of ProfilerActivity, not 'cpu'"):
        profile(activities=["cpu"])  # type: ignore[list-item]


def test_what_is_compiled_is_recorded() -> None:
    with profile() as prof:
        flow.compile(lambda x: flow.relu(x) * 2)(flow.ones(3))
        with compilations.running("compile", "a kernel", "*fp32"):
            pass
    rows = {(row.kind, row.name) for row in prof.key_averages()}
    assert {("capture", "<lambda>"), ("plan", "<lambda>"), ("compile", "a kernel")} <= {(kind, name.rpartition(".")[2]) for kind, name in rows}
    assert prof.key_averages().table().count("captured graphs") == 1
    assert not compilations.listeners
    assert all(row.device_time_total == 0 and math.isfinite(row.cpu_time) for row in prof.key_averages())


def test_events_of_several_cycles(tmp_path: Path) -> None:
    for accumulates in (False, True):
        with profile(schedule=schedule(wait=0, warmup=0, active=1), acc_events=accumulates) as prof:
            for _ in range(3):
                flow.relu(flow.ones(2))
                prof.step()
        assert sum(span.name == "relu" for span in prof.events()) == (3 if accumulates else 0)
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path), "worker", use_gzip=True)):
        flow.relu(flow.ones(2))
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("worker.") and json.loads(gzip.decompress(file.read_bytes()))["traceEvents"]


def test_in_notebooks() -> None:
    x = flow.ones(2)
    with profile() as prof:
        assert "recording" in prof._repr_html_()
        flow.relu(x)
    averages = prof.key_averages()
    assert repr(averages) == averages.table() and repr(prof).startswith("<profile: 2 intervals in ")
    assert "<td>relu</td>" in averages._repr_html_() == prof._repr_html_()


def test_events_add_up_and_a_schedule_is_asked_once_a_step() -> None:
    asked, handled = [], []

    def schedule(step: int) -> flow.profiler.ProfilerAction:
        asked.append(step)
        return flow.profiler.ProfilerAction.RECORD_AND_SAVE if step == 1 else flow.profiler.ProfilerAction.NONE

    prof = flow.profiler.profile(schedule=schedule, record_shapes=True)
    prof.on_trace_ready = lambda each: handled.append(each.step_num)
    with prof:
        for _ in range(3):
            flow.relu(flow.ones(2, 3))
            prof.step()
    assert asked == [0, 1, 2, 3] and handled == [2]
    (relu,) = (row for row in prof.events().key_averages(group_by_input_shapes=True) if row.key == "relu")
    assert (relu.count, relu.input_shapes) == (1, [[2, 3]])
    assert prof.events().table() == prof.key_averages().table()
    assert prof.events().self_cpu_time_total == prof.key_averages().self_cpu_time_total
    assert prof.events().total_average() == prof.key_averages().total_average()
