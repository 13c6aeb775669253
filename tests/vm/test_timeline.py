"""The timeline: every instruction while it is recorded, nothing otherwise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.vm.fakes import FakeBlock, inline, worker
from tritonflow.thread_state import slow_path


def test_every_instruction_is_recorded(vm, tmp_path):
    home, s = inline(), worker("copies")
    x = FakeBlock(home)
    vm.issue(home, lambda: None, name="before")
    vm.start_timeline()
    assert slow_path.count == 1, "the fast path is off"
    vm.issue(home, lambda: time.sleep(0.001), (), (x,), name="fill")
    vm.issue(s, lambda: time.sleep(0.002), (x,), (), name="copy")
    vm.issue(home, lambda: None, (), (x,), name="deferred")
    vm.access((x,), (), lambda: None, name="numpy")
    timeline = vm.stop_timeline()
    assert slow_path.count == 0
    vm.issue(home, lambda: None, (x,), (), name="after")
    spans = {span.name: span for span in timeline.spans}
    assert [span.name for span in timeline.spans] == ["fill", "copy", "deferred", "numpy"]
    assert (
        spans["copy"].stream == "copies" and spans["deferred"].stream == "compute" and spans["numpy"].device == "host"
    )
    for span in spans.values():
        assert 0 < span.issued <= span.start <= span.end
    assert spans["copy"].end - spans["copy"].start >= 2_000_000
    assert spans["deferred"].start >= spans["copy"].end

    timeline.export(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    complete = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    assert [e["name"] for e in complete] == ["fill", "copy", "deferred", "numpy"]
    assert len({(e["pid"], e["tid"]) for e in complete}) == 3
    names = {e["args"]["name"] for e in trace["traceEvents"] if e["ph"] == "M"}
    assert {"tritonflow cpu", "copies", "compute", "access"} <= names


def test_stopping_what_was_not_started(vm):
    with pytest.raises(RuntimeError, match="start_timeline"):
        vm.stop_timeline()


def test_a_variable_writes_it_at_exit(tmp_path):
    root = Path(__file__).parents[2]
    program = """
from tests.vm.fakes import worker
from tritonflow.vm.machine import machine
machine.issue(worker(), lambda: None, name="only")
"""
    path = tmp_path / "trace.json"
    environment = {"PYTHONPATH": f"{root}:{root / 'tests'}", "TRITONFLOW_VM_TIMELINE": str(path)}
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, **environment}, timeout=60)
    assert [e["name"] for e in json.loads(path.read_text())["traceEvents"] if e["ph"] == "X"] == ["only"]
