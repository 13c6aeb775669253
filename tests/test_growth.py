"""A thousand training steps leave nothing behind: no blocks, plans, instructions or Python objects. And importing is quick."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys

import tritonflow as flow
from tritonflow.interpreter.op_expr import all_op_exprs


def counts() -> dict[str, int]:
    """What could grow."""
    gc.collect()
    flow.sync()
    return {
        "blocks": flow.memory_stats()["blocks"],
        "blocks in use": flow.memory_stats()["blocks"] - flow.memory_stats()["free_blocks"],
        "plans": sum(op.plan_count for op in all_op_exprs()),
        "objects": len(gc.get_objects()),
    }


def test_training_leaves_no_growth() -> None:
    model = flow.nn.Sequential(flow.nn.Linear(8, 16), flow.nn.ReLU(), flow.nn.Dropout(0.1), flow.nn.Linear(16, 4))
    optimizer = flow.optim.Adam(model.parameters(), lr=1e-3)
    x, target = flow.randn(32, 8), flow.randint(0, 4, (32,))

    def step() -> None:
        optimizer.zero_grad()
        loss = flow.nn.functional.cross_entropy(model(x), target)
        loss.backward()
        optimizer.step()

    for _ in range(50):
        step()
    before = counts()
    for _ in range(1000):
        step()
    after = counts()
    assert after["blocks"] == before["blocks"]
    assert after["blocks in use"] == before["blocks in use"]
    assert after["plans"] == before["plans"]
    assert abs(after["objects"] - before["objects"]) < 50


def test_reference_cycles_are_not_made() -> None:
    """A step frees everything by reference counting alone: the garbage collector finds nothing."""
    x = flow.randn(4, 4, requires_grad=True)

    def step() -> None:
        x.grad = None
        y = flow.relu(x) @ x
        (y.softmax(1) * y[0]).sum().backward()

    step()  # compiles, which does make cycles
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            step()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_import_time() -> None:
    """`import tritonflow` takes at most 0.3 s more than `import torch`: median of fresh processes, in time on the CPU, since other
    tests run beside this one. The first process writes the byte code."""
    code = "import time, torch; start = time.process_time(); import tritonflow; print(time.process_time() - start)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(6):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        times.append(float(done.stdout))
    assert statistics.median(times[1:]) < 0.3, times
