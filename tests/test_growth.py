"""A thousand training steps leave nothing behind: no blocks, plans, instructions or Python objects. And importing is quick."""

from __future__ import annotations

import gc
import os
import random
import resource
import statistics
import subprocess
import sys

import pytest

import tritonflow as flow
from tritonflow.execution.op_expr import all_op_exprs
from tritonflow.framework import meta
from tritonflow.graph.api import programs


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
    assert after["objects"] - before["objects"] < 50


DTYPES = (flow.float32, flow.int32)


def vary(chance: random.Random, most: int) -> None:
    """An op and views of a random shape, dtype and static attributes, with a right result."""
    shape, dtype, dim = (chance.randint(2, most), chance.randint(2, most)), chance.choice(DTYPES), chance.randrange(2)
    x = flow.full(shape, 3, dtype=dtype)
    start = chance.randrange(shape[dim])
    y = (x + x).narrow(dim, start, 1).t()
    assert y.shape[1 - dim] == 1 and y[0, 0].item() == 6


def test_plans_of_varying_calls_are_bounded(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance = random.Random(seed)
    vary(chance, 40)
    for expr in all_op_exprs():
        expr.clear_plans()
        monkeypatch.setattr(expr, "_limit", 32)
    gc.collect()
    before, blocks = len(meta._interned), flow.memory_stats()["blocks"]  # of other tests of this process
    for _ in range(600):
        vary(chance, 40)
    gc.collect()
    used = [expr for expr in all_op_exprs() if expr.plan_count]
    assert len(used) >= 4 and all(expr.plan_count <= 64 for expr in used)
    assert max(expr.plan_count for expr in used) > 32, "there were more"
    assert len(meta._interned) - before < 64 * 4 * len(used)
    assert flow.memory_stats()["blocks"] - blocks < 4000
    for expr in all_op_exprs():
        expr.clear_plans()


@pytest.mark.long
def test_captures_of_varying_calls_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "CACHE_SIZE", 3)
    function = flow.compile(lambda x, k: x * 2 + k, dynamic=False)  # others go by their bytes (tests/graph/test_sized_schedules.py)
    in_use = []
    for size in range(1, 6):
        for dtype in DTYPES:
            assert function(flow.ones(size, dtype=dtype), size % 3).tolist() == [2 + size % 3] * size
        in_use.append(counts()["blocks in use"])
    assert len(function.captures()) == 3 and in_use[-1] <= in_use[2] + 4


@pytest.mark.hours
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_varying_calls(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Sizes up to 4 MiB; what the process has does not grow with their number, once there are as many plans as are held."""
    for expr in all_op_exprs():
        monkeypatch.setattr(expr, "_limit", 4096)
    chance, peaks = random.Random(seed), []
    for _ in range(4):
        for _ in range(25_000):
            vary(chance, 1000)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[-1] < 1.2 * peaks[1], peaks
    assert flow.memory_stats()["peak_reserved_bytes"] < 400 << 20
    assert all(expr.plan_count <= 2 * expr._limit for expr in all_op_exprs())


@pytest.mark.long
def test_import_time() -> None:
    """`import tritonflow` takes at most 0.3 s more than `import torch`: median of fresh processes, in time on the CPU, since other
    tests run beside this one. The first process writes the byte code."""
    code = "import time, torch; start = time.process_time(); import tritonflow; print(time.process_time() - start)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(4):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        times.append(float(done.stdout))
    assert statistics.median(times[1:]) < 0.3, times


def test_rooms_are_imported_at_their_first_use() -> None:
    """Those of graphs and of ranks, which a program of local ops does not need, also where it trains. What an import brings is
    counted, as seconds vary from machine to machine."""
    code = """
import sys
import torch
before = set(sys.modules)
import tritonflow as flow
brought = set(sys.modules) - before
assert not {"tritonflow._C.derivatives", "llvmlite.binding", "triton.compiler.code_generator", "torch._dynamo"} & brought
assert len(brought) <= 450, len(brought)
linear = flow.nn.Linear(2, 2)
linear(flow.ones(1, 2)).sum().backward()
flow.optim.SGD(linear.parameters(), lr=0.1).step()
rooms = "graph", "boxing", "comm", "testing", "distributed", "interpreter.consistent", "wire.connection"
early = [room for room in rooms if f"tritonflow.{room}" in sys.modules]
assert not early, early
assert flow.compile is flow.graph.compile and flow.nn.Graph is flow.graph.Graph
assert flow.comm.all_reduce and flow.boxing.explain and flow.testing.assert_close and flow.distributed.restart
assert {"graph", "compile", "comm", "zeros"} < set(dir(flow))
assert not hasattr(flow, "nothing") and not hasattr(flow.nn, "nothing")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
