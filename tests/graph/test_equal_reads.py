"""What is read twice is read once: values that are computed alike have one number."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.graph.api.captured import Captured
from tritonflow.graph.path.program import PathProgram
from tritonflow.nn import functional as F


def parts_of(compiled: Any) -> int:
    """How many parts the latest program of a function has."""
    captured: Captured = next(iter(compiled.programs))
    assert captured.path is not None
    return len(captured.path.steps)


def replaced(x: flow.Tensor, w: flow.Tensor, k: int) -> flow.Tensor:
    """Rows that a mask chooses, which is made anew each time, are written back."""
    out = x * 1
    out[x[:, k] > 0] = F.relu(x[x[:, k] > 0]) * w[x[:, k] > 0].unsqueeze(1)
    return out


def test_one_mask_is_one_read() -> None:
    compiled = flow.compile(replaced)
    for seed in range(6):
        flow.manual_seed(seed)
        x, w = flow.randn(7, 3), flow.randn(7)
        x[:, 1] = x[:, 1].abs() * (-1 if seed == 2 else 1 if seed == 3 else 0.5 - (flow.arange(7) % 2))
        assert flow.equal(compiled(x, w, 1), replaced(x, w, 1))
    assert parts_of(compiled) == 2
    assert len(compiled.captures()) == 1


def test_other_values_are_other_reads() -> None:
    """A mask behind a write, a random mask, another column, and the number of a tensor that changes in between."""

    def f(x: flow.Tensor) -> Any:
        first = x[x > 0].sum()
        x[0] = 1 - x[0]
        second = x[x > 0].sum()
        count = int((x > 0).sum())
        x += 1
        return first, second, count, int((x > 0).sum()), flow.nonzero(flow.rand(9) > 0.5), flow.nonzero(flow.rand(9) > 0.5)

    compiled = flow.compile(f)
    for seed in range(6):
        results = []
        for each in (f, compiled):
            flow.manual_seed(seed)
            x = flow.randn(5, 2)
            results.append([*each(x), x, flow.rand(1)])
        for a, b in zip(*results):
            assert a == b if isinstance(a, int) else flow.equal(a, b), seed


@pytest.mark.parametrize("training", [False, True])
def test_a_state_that_is_written_is_another_value(training: bool) -> None:
    norm = nn.BatchNorm1d(3)
    norm.train(training)

    def f(x: flow.Tensor) -> Any:
        before = float(norm.running_mean.sum())
        y = norm(x)
        return y * (before + 2 * float(norm.running_mean.sum()))

    compiled = flow.compile(f)
    for seed in range(4):
        flow.manual_seed(seed)
        x = flow.randn(4, 3)
        state = {name: value.clone() for name, value in norm.state_dict().items()}
        expected = f(x)
        after = {name: value.clone() for name, value in norm.state_dict().items()}
        norm.load_state_dict(state)
        assert flow.allclose(compiled(x), expected, rtol=1e-6, atol=1e-6)
        assert all(flow.allclose(value, after[name]) for name, value in norm.state_dict().items())


def test_a_way_that_is_not_right_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two masks with as many elements each: a program for 3 and 3 has another size in its result than one for 1 and 1."""

    def f(x: flow.Tensor) -> flow.Tensor:
        rows = flow.stack([x, 2 * x], 1)[(x > 0) | (x > 5)]
        return flow.einsum("b,be->be", x[x > 0], rows) + 1

    compiled, runs, run = flow.compile(f), list[int](), PathProgram.run

    def counted(self: PathProgram, *arguments: Any) -> Any:
        runs.append(1)
        return run(self, *arguments)

    monkeypatch.setattr(PathProgram, "run", counted)
    for count in (3, 1, 4, 1, 0, 1, 2, 0):
        x = flow.where(flow.arange(6) < count, 1.0, -1.0) * (1 + flow.arange(6))
        before = len(runs)
        assert compiled(x).tolist() == f(x).tolist(), count
        assert len(runs) - before <= 4
