"""Programs for sizes: where their buffers lie, and how many of them a function keeps."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.graph.models import MODELS
from tests.graph.test_sizes import trainer
from tritonflow import nn
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.size_context import SizeContext
from tritonflow.graph.api import attempts
from tritonflow.graph.capture.sized_metas import SizedQuestion, integers_of, written
from tritonflow.graph.ir.numbers import Numbers, Outcomes
from tritonflow.graph.plan.memory import Buffer, assign_offsets
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.settings import settings


def program_of(name: str = "gpt") -> tuple[Any, list[Any]]:
    """The captured training step of a model, and the numbers of its first run."""
    model = MODELS[name]
    flow.manual_seed(0)
    compiled = flow.compile(trainer(model, model.make()), fullgraph=True)
    batch = model.batch()
    for n in (len(batch[0]), len(batch[0]) - 1):
        compiled(*[tensor[:n].contiguous() for tensor in batch])
    (template,) = next(iter(compiled.programs._families.values())).templates
    return template._forward, template._first.numbers


@pytest.mark.parametrize("name", ["gpt", pytest.param("lstm", marks=pytest.mark.long)])
def test_buffers_that_live_at_the_same_time_are_apart_in_a_small_arena(name: str) -> None:
    program, first = program_of(name)
    draw, ratios = random.Random(0), []
    for size in [2, 3, 300, *[draw.randint(2, 300) for _ in range(47)]]:
        numbers = [*first[:-1], size]
        selection = program._schedules.select(numbers, Outcomes(numbers)).selection
        nbytes, offsets = selection.binding.arena(numbers)
        at = Numbers(numbers)
        buffers = [Buffer(MemoryKind.ARENA, at.of(b.nbytes), 0, b.first, b.last, o) for b, o in zip(selection.buffers, offsets.values())]
        for k, one in enumerate(buffers):
            assert one.offset % 64 == 0 and one.offset + one.nbytes <= nbytes
            for other in buffers[:k]:
                if one.first <= other.last and other.first <= one.last:
                    assert one.offset + one.nbytes <= other.offset or other.offset + other.nbytes <= one.offset, size
        ratios.append(nbytes / assign_offsets(buffers))
    assert max(ratios) <= 1.10, sorted(ratios)[-5:]


def test_programs_go_by_their_bytes() -> None:
    f = flow.compile(lambda x: flow.relu(x) * 2)
    with settings.override(program_cache_bytes=40 * (20 << 10)), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            for n in range(1, 100):
                assert f(flow.full((n,), float(n))).tolist() == [2.0 * n] * n
            assert 16 <= len(f.captures()) <= 60
    told = [str(warning.message) for warning in caught if "program_cache_bytes" in str(warning.message)]
    assert len(told) == 1 and "keeps 0.781 MiB of programs and needs more" in told[0]


def test_few_programs_stay_whatever_they_take() -> None:
    f = flow.compile(lambda x: flow.relu(x) * 2)
    with settings.override(program_cache_bytes=1):
        for n in range(1, 40):
            f(flow.ones(n))
        assert len(f.captures()) == 16


@pytest.mark.hours
def test_ten_thousand_random_batches_and_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind the first calls there is no capture, and memory does not grow."""
    found: list[str] = []
    original = attempts.capture
    monkeypatch.setattr(
        "tritonflow.graph.api.function.capture", lambda f, call, device: found.append(f.name) or original(f, call, device)
    )
    net = nn.Sequential(nn.Embedding(32, 16), nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 32))
    optimizer = flow.optim.AdamW(net.parameters(), lr=1e-3)

    def step(x: Any) -> Any:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x).reshape(-1, 32), x.reshape(-1))
        loss.backward()
        optimizer.step()
        return loss

    words = numpy.random.default_rng(0).integers(0, 32, 64 * 128)
    f, draw, used = flow.compile(step, fullgraph=True), random.Random(0), []
    with settings.override(program_cache_bytes=8 << 20), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(10_000):
            rows, length = draw.randint(2, 64), draw.randint(2, 128)
            f(flow.from_numpy(words[: rows * length].reshape(rows, length)))  # ops of eager mode would have plans of each size
            if k % 1000 == 999:
                used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
    print(f"captures {len(found)}, programs {len(f.captures())}, MiB at each thousand {used}")
    assert len(found) <= 4 and used[-1] - used[2] <= 4, (found, used)


# ------------------------------------------------------------------------------------------------- on disk

PROCESS = """
import sys
import tritonflow as flow
from tritonflow.graph.api import sized_graph

counts = {"passes": 0}
passes = sized_graph.optimize

def counted(*args):
    counts["passes"] += 1
    return passes(*args)

sized_graph.optimize = counted
flow.manual_seed(0)
w = flow.randn(24, 16, requires_grad=True)

@flow.compile(dynamic=True)
def step(x):
    y = flow.nn.functional.gelu(x.reshape(-1, x.shape[1]) @ w.t()) * x.shape[0]
    loss = (flow.cat([y, y * 2], 1)[:, 1:] / y.shape[0]).square().mean()
    loss.backward()
    return loss, y.sum(0)

for n in map(int, sys.argv[1:]):
    x = flow.randn(n, 16)
    results = []
    for function in (step, step.function):
        w.grad = None
        results.append([*function(x), w.grad])
        if function is step:
            print(n, counts["passes"])
            counts["passes"] = 0
    for a, b in zip(*results):
        assert a.shape == b.shape and (a - b).abs().max().item() <= 1e-4 * b.abs().max().item(), n
"""


def in_a_process(folder: Path, *sizes: int) -> list[list[int]]:
    """A process that compares a compiled function with eager mode for some sizes: of each how often passes ran."""
    given = {**os.environ, "TRITONFLOW_CACHE_DIR": str(folder), "TRITONFLOW_KEEP_PLANS": "1", "TRITONFLOW_CPU_CODEGEN": "0"}
    command = [sys.executable, "-c", PROCESS, *map(str, sizes)]
    done = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [[int(number) for number in line.split()] for line in done.stdout.splitlines()]


def test_another_process_finds_the_schedules_of_sizes(tmp_path: Path) -> None:
    assert in_a_process(tmp_path, 12, 700)[0] == [12, 1]
    assert in_a_process(tmp_path, 12)[0] == [12, 0]
    other = in_a_process(tmp_path, 12, 13, 12, 700)
    assert other[0] == [12, 0] and other[1] == [13, 1]
    assert in_a_process(tmp_path, 13, 12)[0] == [13, 0]
    assert in_a_process(tmp_path, 55, 12)[0] == [55, 1]  # no size that is on disk


def test_metas_with_symbols_are_the_same_from_text() -> None:
    sizes = SizeContext([12, 5])
    n, m = sizes.symbol("s0", 0), sizes.symbol("s1", 1, high=100)
    metas = [
        TensorMeta.get((n, m * n + 3, n // 4 * 2), ((m * n + 3) * 8, 8, n % 3), flow.float32, flow.device("cpu"), True),
        None,
        TensorMeta.get((4, (n + m) // 3), (1, 4), flow.int64, flow.device("cpu"), False),
    ]
    question = SizedQuestion(integers_of(metas, ()), "sum", metas)
    found = question.metas(json.loads(json.dumps(written(metas))))
    assert found is not None and all(a is b for a, b in zip(found, metas)) and len(sizes.guards or ()) == 0
    with sizes.at([13, 5]):
        assert SizedQuestion(integers_of(metas, ()), "sum", metas).text != question.text
    other = SizeContext([12, 5]).symbol("s0", 0)
    alone = [TensorMeta.get((other,), (1,), flow.float32, flow.device("cpu"), True)]
    assert SizedQuestion(integers_of(alone, ()), "sum", alone).metas(written(metas)) is None  # there is no second number
