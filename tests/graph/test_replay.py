"""What a later call of a graph costs the host, and that threads may make such calls at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.settings import settings


class Train(flow.nn.Graph):
    def __init__(self, width: int) -> None:
        super().__init__()
        nn = flow.nn
        self.model = nn.Sequential(nn.Linear(4, width), nn.ReLU(), nn.Linear(width, 4))
        self.add_optimizer(flow.optim.SGD(self.model.parameters(), lr=0.1))

    def build(self, x: flow.Tensor) -> flow.Tensor:
        loss = (self.model(x) ** 2).mean()
        loss.backward()
        return loss


def calls(function: Callable[[], Any]) -> int:
    """How many functions, of Python and C, a call calls."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.skipif(settings.cpu_check, reason="checked kernels are launched one by one")
@pytest.mark.cpu_only(reason="a GPU's driver is called from Python")
def test_a_replay_is_little_python() -> None:
    """16 us on a busy machine, of which 4 are the native program's (bar: 20); in calls, which nothing else can disturb, 81."""
    train, x = Train(16), flow.randn(4, 4)
    for _ in range(3):
        train(x)
    assert calls(lambda: train(x)) <= 90

    def replay() -> float:
        start = time.thread_time()
        for _ in range(200):
            train(x)
        return (time.thread_time() - start) / 200

    assert min(replay() for _ in range(20)) < 60e-6


@pytest.mark.parametrize("size", [7, 1 << 20])
def test_threads_share_an_executable(size: int) -> None:
    """Small programs keep the interpreter's lock, large ones do not; either way no run sees another's arguments."""
    step = flow.compile(lambda x, k: flow.relu(x * k).sum() * 2.0)
    step(flow.ones(size), 1.0)
    wrong: list[Any] = []

    def work(value: float) -> None:
        x = flow.full((size,), value)
        for k in range(200 if size < 100 else 5):
            found = step(x, float(k)).item()
            if found != 2.0 * value * k * size:
                wrong.append((value, k, found))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(float(2**value),)) for value in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert wrong == []


@pytest.mark.cpu_only(reason="a GPU tells of it behind what was launched after it")
def test_a_bad_index_ends_the_run() -> None:
    """Nothing follows from it: parameters and the optimizer's state stay as they were, and the next step is right."""
    flow.manual_seed(0)
    model = flow.nn.Sequential(flow.nn.Linear(4, 8), flow.nn.ReLU(), flow.nn.Linear(8, 3))
    optimizer = flow.optim.Adam(model.parameters(), lr=0.1)

    class Classify(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(optimizer)

        def build(self, x: flow.Tensor, target: flow.Tensor) -> flow.Tensor:
            loss = flow.nn.functional.cross_entropy(self.model(x), target)
            loss.backward()
            return loss

    step, x = Classify(), flow.randn(5, 4)
    first = step(x, flow.tensor([0, 1, 2, 0, 1])).item()
    tensors = [*model.parameters(), *[t for state in optimizer.state.values() for t in state.values() if hasattr(t, "numpy")]]
    before = [t.numpy().copy() for t in tensors]
    with pytest.raises(IndexError, match=r"issued at .*test_replay\.py:\d+, in build"):
        step(x, flow.tensor([0, 1, 3, 0, 1]))
    assert all((t.numpy() == value).all() for t, value in zip(tensors, before, strict=True))
    assert step(x, flow.tensor([0, 1, 2, 0, 1])).item() < first


@pytest.mark.cpu_only(reason="a GPU tells of it behind what was launched after it")
def test_a_bad_index_ends_the_run_where_addresses_are_checked() -> None:
    """In a process of its own: kernels and memory know whether they are checked from the first on."""
    test = f"{__file__}::{test_a_bad_index_ends_the_run.__name__}"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", test]
    done = subprocess.run(command, env={**os.environ, "TRITONFLOW_CPU_CHECK": "1"}, capture_output=True, text=True)
    assert "1 passed" in done.stdout, done.stdout
