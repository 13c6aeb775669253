"""profile: what ran is recorded, once and nested as it ran, in eager mode and in graphs; nothing is changed by it."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.profiler import Averages, profile, range_pop, range_push, record_function
from tritonflow.thread_state import slow_path
from tritonflow.vm.machine import machine
from tritonflow.vm.timeline import Span


def counts(prof: profile, kind: str) -> dict[str, int]:
    return {average.name: average.count for average in prof.key_averages() if average.kind == kind}


def test_eager_ops_and_their_kernels() -> None:
    x = flow.randn(32, 32)
    expected = flow.relu(x @ x).sum()
    with profile() as prof:
        for _ in range(3):
            y = flow.relu(x @ x).sum()
    assert y.item() == expected.item()
    assert counts(prof, "instruction") == {"matmul": 3, "relu": 3, "sum": 3}
    kernels = counts(prof, "kernel")
    assert kernels["flat[relu]"] == 3 and any(name.startswith("matmul") for name in kernels)


def test_backward_and_an_optimizer() -> None:
    net = flow.nn.Linear(4, 3)
    optimizer = flow.optim.Adam(net.parameters())
    x = flow.randn(5, 4)
    for _ in range(2):
        net(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    with profile() as prof:
        net(x).sum().backward()
        optimizer.step()
    assert counts(prof, "instruction")["multi_tensor_adam_update"] == 1
    assert counts(prof, "kernel")["adam"] == counts(prof, "kernel")["count_steps"] == 1


def test_a_graph_is_one_instruction_with_all_of_its_kernels() -> None:
    f = flow.compile(lambda x: (flow.relu(x * 2 + 1) @ x).sum())
    x = flow.randn(16, 16)
    expected = f(x)
    (captured,) = f.captures()
    with profile() as prof:
        results = [f(x) for _ in range(2)]
    assert all(y.item() == expected.item() for y in results)
    assert counts(prof, "instruction") == {"graph": 2}
    kernels = counts(prof, "kernel")
    assert sum(kernels.values()) == 2 * captured.executable.launches
    assert [count for name, count in kernels.items() if name.startswith("flat[fused_scalar_mul_")] == [2]


def test_nothing_is_left_on() -> None:
    x = flow.ones(4)
    with profile():
        flow.relu(x)
    assert slow_path.count == 0 and machine.engine.timeline is None
    with pytest.raises(ZeroDivisionError):
        with profile() as prof:
            flow.exp(x)
            1 / 0
    assert slow_path.count == 0 and counts(prof, "instruction") == {"exp": 1}


def test_ranges_nest_and_decorate() -> None:
    @record_function("inner")
    def inner(depth: int) -> Any:
        return inner(depth - 1) if depth else flow.relu(flow.ones(3))

    assert inner(1).tolist() == [1, 1, 1], "without a profile, too"
    with profile() as prof:
        with record_function("outer"):
            inner(1)
            assert range_push("pushed") == 0
            assert range_push("again") == 1
            assert range_pop() == 1
            assert range_pop() == 0
    assert counts(prof, "range") == {"inner": 2, "again": 1, "pushed": 1, "outer": 1}
    spans = {span.name: span for span in prof.events() if span.kind == "range"}
    assert spans["outer"].start <= spans["pushed"].start <= spans["again"].start
    assert spans["again"].end <= spans["pushed"].end <= spans["outer"].end
    (relu,) = (span for span in prof.events() if span.name == "relu")
    assert spans["outer"].start <= relu.issued <= spans["outer"].end


def test_a_range_that_began_before_the_profile_is_no_part_of_it() -> None:
    with record_function("early"):
        with profile() as prof:
            pass
    with profile() as other:
        with record_function("late"):
            pass
    assert counts(prof, "range") == {} and counts(other, "range") == {"late": 1}


def test_threads_have_rows_of_their_own(tmp_path: Path) -> None:
    def work() -> None:
        with record_function("work"):
            flow.relu(flow.ones(8))

    with profile() as prof:
        threads = [threading.Thread(target=work, name=f"worker {k}") for k in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    ranges = [span for span in prof.events() if span.kind == "range"]
    assert {(span.device, span.stream) for span in ranges} == {("python", f"worker {k}") for k in range(3)}
    assert all(span.thread for span in prof.events()) and counts(prof, "instruction")["relu"] == 3


def test_it_records_beside_a_timeline_that_is_on() -> None:
    timeline = machine.start_timeline()
    try:
        flow.exp(flow.ones(2))
        with profile() as prof:
            flow.relu(flow.ones(2))
        flow.exp(flow.ones(2))
        assert "relu" in counts(prof, "instruction") and "exp" not in counts(prof, "instruction")
    finally:
        assert machine.stop_timeline() is timeline
    assert [span.name for span in timeline.spans if span.kind == "instruction"].count("exp") == 2


def test_wrong_uses_are_refused() -> None:
    prof = profile()
    with pytest.raises(RuntimeError, match="stop\\(\\) without start"):
        prof.stop()
    with prof:
        with pytest.raises(RuntimeError, match="another profile"):
            profile().start()
        for ask in (prof.key_averages, prof.events, lambda: prof.export_chrome_trace("nowhere.json")):
            with pytest.raises(RuntimeError, match="still recording"):
                ask()
    with pytest.raises(TypeError, match="argument 'name' must be str, not int"):
        record_function(3)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="no range is open"):
        range_pop()
    with pytest.raises(ValueError, match="sort_by must be one of total"):
        prof.key_averages().table(sort_by="colour")


# ---- the table


def test_the_table() -> None:
    spans = [
        Span("cpu:0", "compute", name, start, start, start + length, kind)
        for kind, name, start, length in (
            ("instruction", "add", 0, 3000), ("kernel", "flat[add]", 1000, 1000), ("instruction", "add", 4000, 1000),
            ("instruction", "mul", 6000, 2000), ("range", "step", 0, 9000),
        )
    ]  # fmt: skip
    averages = Averages(spans, 10_000)
    add = next(a for a in averages if a.name == "add")
    assert (add.count, add.total, add.mean, add.least, add.most) == (2, 4000, 2000, 1000, 3000)
    assert add.share == pytest.approx(0.4)
    lines = [line.split() for line in averages.table().splitlines() if line]
    assert [line[0] for line in lines] == [
        "ranges",
        "step",
        "instructions",
        "add",
        "mul",
        "kernels",
        "flat[add]",
        "recorded:",
    ]
    assert lines[3] == ["add", "2", "0.004", "0.003", "2.00", "1.00", "3.00", "40.0%"]
    assert lines[1] == ["step", "1", "0.009", "0.003", "9.00", "9.00", "9.00", "90.0%"]
    tops = [line.split()[0] for line in averages.table(top_level_events_only=True).splitlines() if line]
    assert tops == ["ranges", "step", "recorded:"]
    assert averages.table("name").index("add") < averages.table("name").index("mul")
    assert [line.split()[0] for line in averages.table("mean", 1).splitlines() if line][2:5] == [
        "instructions",
        "add",
        "...",
    ]


# ---- the trace


def check_trace(trace: Any) -> list[dict[str, Any]]:
    """A JSON object of the trace-event format: what each phase must have, names of rows, and proper nesting in each row."""
    assert set(trace) <= {"traceEvents", "displayTimeUnit", "otherData", "metadata"} and trace["displayTimeUnit"] in (
        "ms",
        "ns",
    )
    rows: dict[tuple[int, int], list[dict[str, Any]]] = {}
    named = set()
    for event in trace["traceEvents"]:
        assert isinstance(event["name"], str) and isinstance(event["pid"], int) and isinstance(event["tid"], int)
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name") and isinstance(event["args"]["name"], str)
            named.add((event["name"], event["pid"], event["tid"]))
            continue
        assert event["ph"] == "X" and event["ts"] >= 0 and event["dur"] >= 0 and isinstance(event["cat"], str)
        rows.setdefault((event["pid"], event["tid"]), []).append(event)
    for (pid, tid), events in rows.items():
        assert ("thread_name", pid, tid) in named and any(name == "process_name" and p == pid for name, p, _ in named)
        stack: list[float] = []
        for event in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
            while stack and stack[-1] <= event["ts"]:
                stack.pop()
            assert not stack or event["ts"] + event["dur"] <= stack[-1] + 1e-3, (
                "spans of a row lie in one another or apart"
            )
            stack.append(event["ts"] + event["dur"])
    return [event for events in rows.values() for event in events]


def test_the_trace(tmp_path: Path) -> None:
    f = flow.compile(lambda x: flow.relu(x @ x).sum())
    x = flow.randn(16, 16)
    f(x)
    with profile() as prof:
        with record_function("a step"):
            f(x)
            numpy.testing.assert_array_less(-1, flow.relu(x).numpy())
            time.sleep(0.001)
    prof.export_chrome_trace(tmp_path / "trace.json")
    events = check_trace(json.loads((tmp_path / "trace.json").read_text()))
    assert {event["cat"] for event in events} == {"instruction", "kernel", "range"}
    assert sorted(e["name"] for e in events) == sorted(span.name for span in prof.events())
    (step,) = (event for event in events if event["name"] == "a step")
    assert step["dur"] >= 1000, "microseconds"
    assert all(step["ts"] <= e["ts"] and e["ts"] + e["dur"] <= step["ts"] + step["dur"] for e in events)


def test_a_schedule_of_steps(tmp_path):
    import tritonflow as flow

    profiler, ready = flow.profiler, []

    def on_ready(prof):
        ready.append((prof.step_num, [average.count for average in prof.key_averages() if average.name == "relu"]))

    activities = [profiler.ProfilerActivity.CPU]
    plan = profiler.schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    with profiler.profile(activities=activities, schedule=plan, on_trace_ready=on_ready, record_shapes=True) as prof:
        for _ in range(12):
            flow.relu(flow.ones(3))
            prof.step()
    assert ready == [(5, [2]), (9, [2])]
    with profiler.profile(on_trace_ready=profiler.tensorboard_trace_handler(str(tmp_path / "traces"))):
        flow.relu(flow.ones(3))
    assert len(list((tmp_path / "traces").iterdir())) == 1
    with pytest.raises(TypeError):
        profiler.profile(no_such=1)
    with pytest.raises(ValueError):
        profiler.schedule(wait=0, warmup=0, active=0)


def test_a_schedule_is_torchs():
    import torch

    import tritonflow as flow

    for options in ({"wait": 1, "warmup": 2, "active": 3}, {"wait": 2, "warmup": 0, "active": 1, "repeat": 2, "skip_first": 3}):
        ours, theirs = flow.profiler.schedule(**options), torch.profiler.schedule(**options)
        assert [ours(step).name for step in range(20)] == [theirs(step).name for step in range(20)]
