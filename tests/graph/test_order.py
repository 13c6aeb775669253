"""The order for the least peak: less memory where the program's order is bad, and the same bits in any case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Graph
from tritonflow.graph.passes import PASSES
from tritonflow.graph.passes.order import Ordering, order
from tritonflow.graph.plan.executable import Executable
from tritonflow.graph.plan.memory import plan_memory

SIZES = (16, 64, 256)

# what random programs do with two of their tensors
OPS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda x, y: flow.sin(x), lambda x, y: x + 1, lambda x, y: x.sum(), lambda x, y: x * y.mean(), lambda x, y: x[: x.numel() // 2],
    lambda x, y: flow.cat([x.reshape(-1), y.reshape(-1)])[:64], lambda x, y: flow.cumsum(x, 0), lambda x, y: flow.sort(x)[0],
    lambda x, y: x + flow.rand(x.shape), lambda x, y: flow.nn.functional.dropout(x, 0.5, training=True),
)  # fmt: skip


def optimized(program: Any, *inputs: Any) -> Graph:
    """The graph of a program, in its order."""
    with Capture() as capture:
        graph = capture.finish(list(program(*[capture.input(x.meta) for x in inputs])))
    for run in PASSES:
        graph = run(graph) if run is not order else graph
    return graph


def greedy(graph: Graph) -> Graph:
    """The graph in the order that is tried, whether it is better or not."""
    ordering = Ordering(graph)
    found = ordering.ordered(ordering.greedy())
    found.verify()
    assert sorted(map(id, found.computes())) == sorted(map(id, graph.computes()))
    return found


def fan_out(width: int) -> Callable[[Any], Any]:
    """Sums of many large products, which are all there before the first sum."""
    return lambda x: [sum(y.sum() for y in [flow.matmul(x, x[k]) for k in range(width)])]


def test_a_wide_fan_out_takes_one_product_at_a_time() -> None:
    x = flow.randn(8, 64, 64)
    graph = optimized(fan_out(8), x)
    ordered = order(graph)
    product = 8 * 64 * 64 * 4
    before, after = plan_memory(graph), plan_memory(ordered)
    assert before.arena >= 8 * product and after.arena < 1.1 * product
    assert len(before.steps) == len(after.steps)
    (expected,), (actual,) = Executable(graph, x.device).run([x]), Executable(ordered, x.device).run([x])
    assert actual.numpy().tobytes() == expected.numpy().tobytes()


def test_the_programs_order_stands_where_no_other_is_better() -> None:
    x = flow.randn(64, 64)
    graph = optimized(lambda x: [flow.matmul(flow.sort(x)[0], flow.cumsum(x, 0)), flow.matmul(x, x).sum()], x)
    assert order(graph).nodes == graph.nodes


def test_states_are_written_behind_what_reads_them() -> None:
    state = flow.randn(64)

    def program() -> list[Any]:
        ordered = flow.sort(state)[0]
        state.mul_(0.5)
        return [ordered.cumsum(0).sum()]

    graph = optimized(program)
    layout = plan_memory(greedy(graph))
    assert len(layout.steps) == len(plan_memory(graph).steps) and layout.written == {0}


@pytest.mark.cpu_only(reason="a GPU tells of it behind what was launched after it")
def test_parameters_are_written_behind_what_may_fail() -> None:
    table, bias = flow.randn(10, 4), flow.zeros(4)

    def program(index: Any, x: Any) -> list[Any]:
        found = flow.gather(table, 0, index)
        bias.add_(flow.matmul(x, x)[0])
        return [found.sum()]

    inputs = [flow.full((64, 4), 99, dtype=flow.int64), flow.ones(4, 4)]
    executable = Executable(greedy(optimized(program, *inputs)), bias.device)
    with pytest.raises(IndexError):
        executable.run(inputs)
    assert bias.tolist() == [0, 0, 0, 0]


@st.composite
def programs(draw: Any) -> Any:
    """Programs over one-dimensional tensors: ops, writes into parts, states that are read and written, random numbers."""
    steps = draw(st.lists(st.tuples(st.integers(0, 5), *[st.integers(0, 10**6)] * 3), min_size=2, max_size=16))

    def program(states: list[Any], inputs: list[Any]) -> list[Any]:
        made = list(inputs)
        for kind, which, a, b in steps:
            x, y, state = made[a % len(made)], made[b % len(made)], states[which % len(states)]
            if kind == 0:
                state.mul_(0.5).add_(x.mean())
            elif kind == 1:
                state[: state.numel() // 2].copy_(state[state.numel() // 2 :] * y.mean())
            elif kind == 2:
                made.append(state * 2)
            elif x.ndim:
                made.append(OPS[which % len(OPS)](x, y))
        return [sum(x.sum() for x in made[len(inputs) :][::2]) + made[0].sum(), *made[-2:]]

    return program


@pytest.mark.parametrize("count", (18, pytest.param(300, marks=pytest.mark.long), pytest.param(1000, marks=pytest.mark.hours)))
@pytest.mark.long
def test_random_programs_keep_their_bits(count: int) -> None:
    @settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs(), st.integers(0, 2**31))
    def check(program: Any, seed: int) -> None:
        flow.manual_seed(seed)
        states, inputs = ([flow.randn(n) for n in SIZES] for _ in range(2))
        begin = [state.clone() for state in states]
        graph = optimized(lambda *tensors: program(states, list(tensors)), *inputs)
        assert plan_memory(order(graph)).arena <= plan_memory(graph).arena
        assert len(plan_memory(greedy(graph)).steps) <= len(plan_memory(graph).steps), "as much is written in place"

        def run(graph: Graph) -> list[bytes]:
            for state, value in zip(states, begin):
                state.copy_(value)
            flow.manual_seed(seed)
            results = [tensor for _ in range(2) for tensor in Executable(graph, inputs[0].device).run(inputs)]
            return [tensor.numpy().tobytes() for tensor in (*results, *states)]

        assert run(greedy(graph)) == run(graph)

    check()
