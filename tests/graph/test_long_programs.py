"""Compile time grows as a program does: what a recurrence does again and again is worked out once, and nothing looks at all for each."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import graph as room
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.fusion import price
from tritonflow.graph.fusion.group import Fused
from tritonflow.graph.fusion.structure import Structures
from tritonflow.graph.ir import Graph
from tritonflow.graph.passes import optimize
from tritonflow.graph.passes.order import Ordering
from tritonflow.graph.plan.memory import plan_memory

FOLDER = Path(room.__file__).parent


def recurrence(length: int) -> Graph:
    """A step of training an LSTM of two layers over so many times."""
    net = flow.nn.LSTM(3, 8, 2)
    optimizer = flow.optim.SGD(net.parameters(), lr=0.1)
    with Capture() as capture:
        y, _ = net(capture.input(flow.zeros(length, 4, 3).meta))
        (y[-1] ** 2).mean().backward()
        optimizer.step()
        return capture.finish([])


def plan(graph: Graph) -> None:
    """Passes and planners, but for whether the order is changed: then memory is planned for both."""
    graph = optimize(graph, without={"order"})
    ordering = Ordering(graph)
    ordering.peak(ordering.greedy())
    plan_memory(graph)


def lines(length: int) -> Counter[str]:
    """How many lines of each of the room's files planning a recurrence goes through."""
    graph = recurrence(length)
    found: Counter[str] = Counter()

    def line(frame: Any, event: str, argument: Any) -> Any:
        found[frame.f_code.co_filename] += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: line if frame.f_code.co_filename.startswith(str(FOLDER)) else None)
    try:
        plan(graph)
    finally:
        sys.settrace(before)
    return found


@pytest.mark.long
def test_three_times_the_steps_are_three_times_the_work() -> None:
    """In every file: 2.9 times in most, 3.6 where offsets are searched by halves. A look at all steps for each makes 5 to 9 times."""
    plan(recurrence(2))  # what a process does once
    short, long = lines(8), lines(24)
    assert not {name: (short[name], count) for name, count in long.items() if count > 4 * short[name]}


def test_steps_that_are_alike_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for sums over all times, which become one group step by step."""
    calls: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def call(*arguments: Any) -> Any:
            calls[name] += 1
            return function(*arguments)

        monkeypatch.setattr(owner, name, call)

    count(price, "arithmetic_of")
    count(Fused, "plan")
    found = []
    for length in (8, 24):
        calls.clear()
        plan(recurrence(length))
        found.append(dict(calls))
    short, long = found
    assert short.keys() == long.keys() == {"arithmetic_of", "plan"}
    assert all(long[name] <= 1.3 * count for name, count in short.items())


# ------------------------------------------------------------------------------------------------------------ structures


def sums(x: Any, y: Any) -> Any:
    return x + y, y + x, x + x, x + y.double(), x - y, x * 2, y * 3, x * 2.0, x[:2] + y[:2], x[2:] + y[2:], x[:2] + y[2:], x + flow.ones(4)


def test_structures() -> None:
    """What differs in values and numbers alone is the same; which values are, how they are seen, ops and dtypes are not."""
    with Capture() as capture:
        capture.finish(list(sums(*[capture.input(flow.zeros(4).meta) for _ in "xy"])))
    structures = Structures()
    ops = [node for node in capture.graph.computes() if node.op.name not in ("cast", "full")]
    first = [structures.once([node], "", lambda k=k: k) for k, node in enumerate(ops)]
    assert first == [0, 0, 2, 3, 4, 5, 5, 7, 8, 9, 10, 11]
    assert structures.once(ops[:2], "", lambda: "both") == structures.once(ops[1::-1], "", lambda: "turned") == "both"
    assert structures.once(ops[:1], "other work", lambda: "other") == "other"
