"""Random programs: a graph computes what eager mode does, forward and gradient; eager mode is compared with torch elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.passes import PASSES
from tritonflow.testing import assert_close

SHAPES = ((4, 6), (6,), (4, 1), (), (1, 6))

# each takes the program's tensors so far and two numbers that choose among them
UNARY: tuple[Callable[[Any], Any], ...] = (
    flow.relu, flow.sigmoid, flow.tanh, lambda x: flow.exp(-x * x), lambda x: x * 0.5 + 1, lambda x: -x, lambda x: x.abs(),
    lambda x: x.sum(-1, keepdim=True) if x.ndim else x, lambda x: x.mean(), lambda x: flow.softmax(x, -1) if x.ndim else x,
    lambda x: x.t().contiguous().t() if x.ndim == 2 else x, lambda x: x.t() if x.ndim == 2 and x.shape[0] == x.shape[1] else x,
    lambda x: x[1:] if x.ndim and x.shape[0] > 1 else x, lambda x: x.reshape(-1), lambda x: x.expand(4, 6) if x.numel() == 1 else x,
    lambda x: x.clone(), lambda x: x.double().float(), lambda x: (x > 0.3).float() * x,
)  # fmt: skip
BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    lambda x, y: x + y, lambda x, y: x * y, lambda x, y: x - 2 * y, flow.maximum, lambda x, y: flow.where(x > y, x, y * y),
    lambda x, y: x / (y * y + 1),
)  # fmt: skip


def _write(x: Any, y: Any) -> Any:
    """In place, into a part, of a copy."""
    z = x.clone()
    (z[0] if z.ndim else z).add_(y.mean())
    z.mul_(1.5)
    return z


@st.composite
def programs(draw: Any) -> Any:
    steps = draw(st.lists(st.tuples(st.integers(0, 3), *[st.integers(0, 10**6)] * 3), min_size=1, max_size=14))

    def program(*inputs: Any) -> list[Any]:
        made = list(inputs)
        for kind, which, a, b in steps:
            x, y = made[a % len(made)], made[b % len(made)]
            if kind < 2:
                made.append(UNARY[which % len(UNARY)](x))
            elif _broadcast(x, y):
                made.append(_write(x, y) if kind == 3 and which % 3 == 0 else BINARY[which % len(BINARY)](x, y))
        return made[len(inputs) :][-4:] or made[:1]

    return program


def _broadcast(x: Any, y: Any) -> bool:
    return all(a == b or 1 in (a, b) for a, b in zip(reversed(x.shape), reversed(y.shape)))


def step(program: Any, inputs: list[Any]) -> list[Any]:
    """Results, and gradients of their sum."""
    leaves = [x.detach().requires_grad_() for x in inputs]
    results = program(*leaves)
    total = sum((r.sum() for r in results if r.requires_grad), flow.zeros(()))
    gradients = flow.autograd.grad(total, leaves, allow_unused=True) if total.requires_grad else ()
    return [*[r.detach() for r in results], *[g for g in gradients if g is not None]]


@pytest.mark.parametrize("count", (25, pytest.param(500, marks=pytest.mark.long), pytest.param(1500, marks=pytest.mark.hours)))
def test_random_programs(count: int) -> None:
    @settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs(), st.integers(0, 2**31))
    def check(program: Any, seed: int) -> None:
        flow.manual_seed(seed)
        inputs = [flow.randn(shape) for shape in SHAPES]
        expected = step(program, inputs)
        actual = flow.compile(lambda *tensors: step(program, list(tensors)))(*inputs)
        assert len(actual) == len(expected)
        for a, b in zip(actual, expected):
            assert_close(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)

    check()


@pytest.mark.parametrize("count", (15, pytest.param(500, marks=pytest.mark.long), pytest.param(1500, marks=pytest.mark.hours)))
@pytest.mark.long
def test_random_parts_of_models_train(count: int) -> None:
    """A compiled program between eager ones, run twice, before one backward."""

    @settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs(), st.integers(0, 2**31))
    def check(program: Any, seed: int) -> None:
        flow.manual_seed(seed)
        inputs = [flow.randn(shape) for shape in SHAPES]
        captured = flow.compile(program)

        def model(part: Any) -> Any:
            return lambda *given: [y * 0.7 for k in (1, 2) for y in part(*[x * k if n % 2 else x for n, x in enumerate(given)])]

        expected, actual = step(model(program), inputs), step(model(captured), inputs)
        assert len(actual) == len(expected)
        for a, b in zip(actual, expected):
            assert_close(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)
        assert len(captured.captures()) <= 2  # in the second call, some are no leaves

    check()


@settings(max_examples=25, deadline=None)
@given(programs())
def test_every_pass_leaves_a_valid_graph(program: Any) -> None:
    inputs = [flow.randn(shape) for shape in SHAPES]
    with Capture() as capture:
        graph = capture.finish(step(program, [capture.input(x.meta) for x in inputs]))
    graph.verify()
    for run in PASSES:
        graph = run(graph)
        graph.verify()
        assert str(graph)
