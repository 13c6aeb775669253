"""Where values lie: buffers that live at the same time never share memory, and what is still read is never overwritten."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import tritonflow as flow
from tests.poison import poisoned
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.passes import optimize
from tritonflow.graph.plan.executable import Executable
from tritonflow.graph.plan.memory import Buffer, assign_offsets, plan_memory
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.testing import assert_close


def optimized(program: Any, *inputs: Any) -> Any:
    with Capture() as capture:
        return optimize(capture.finish(list(program(*[capture.input(x.meta) for x in inputs]))))


lives = st.tuples(st.integers(0, 4096), st.integers(0, 30), st.integers(0, 12))


@given(st.lists(lives, max_size=40))
def test_buffers_alive_together_do_not_overlap(given_lives: list[tuple[int, int, int]]) -> None:
    buffers = [Buffer(MemoryKind.ARENA, nbytes, first=first, last=first + length) for nbytes, first, length in given_lives]
    size = assign_offsets(buffers)
    for k, a in enumerate(buffers):
        assert a.offset + a.nbytes <= size
        for b in buffers[:k]:
            alive_together = a.first <= b.last and b.first <= a.last
            apart = a.offset + a.nbytes <= b.offset or b.offset + b.nbytes <= a.offset
            assert not alive_together or apart


@given(st.lists(lives, max_size=40))
def test_the_largest_buffers_come_first_and_lie_as_low_as_they_can(given_lives: list[tuple[int, int, int]]) -> None:
    buffers = [Buffer(MemoryKind.ARENA, nbytes, first=first, last=first + length) for nbytes, first, length in given_lives]
    assign_offsets(buffers)
    placed: list[Buffer] = []
    for buffer in sorted(buffers, key=lambda b: (-b.nbytes, b.first)):
        taken = [range(b.offset, b.offset + b.nbytes) for b in placed if b.first <= buffer.last and buffer.first <= b.last]
        ends = [-(-other.stop // 64) * 64 for other in taken]
        room = [low for low in (0, *ends) if all(low + buffer.nbytes <= r.start or r.stop <= low for r in taken if r)]
        assert buffer.offset == min(room)
        placed.append(buffer)


def test_memory_is_used_again() -> None:
    x = flow.ones(1024)
    with Capture() as capture:
        y = capture.input(x.meta)
        for _ in range(10):
            y = flow.exp(y)
        graph = capture.finish([y])
    assert plan_memory(graph).arena == 2 * x.nbytes


def test_outputs_are_computed_in_place() -> None:
    x = flow.ones(4)
    with Capture() as capture:
        graph = capture.finish([flow.exp(capture.input(x.meta))])
    layout = plan_memory(graph)
    assert len(layout.steps) == 1 and layout.arena == 0


def test_a_state_is_written_where_it_lies() -> None:
    p = flow.ones(4)
    with Capture() as capture:
        p.add_(capture.input(p.meta))
        graph = capture.finish([])
    layout = plan_memory(graph)
    assert len(layout.steps) == 1 and layout.arena == 0 and layout.written == {0}


def test_what_is_still_read_is_copied_before_it_is_overwritten() -> None:
    x = flow.ones(4)
    with Capture() as capture:
        y = flow.exp(capture.input(x.meta))
        before = capture.read(y)
        y[0] = 2.0
        graph = capture.finish([y])
    graph = replace(graph, outputs=[*graph.outputs, before])  # as a pass might that finds y's first value wanted elsewhere
    graph.verify()
    layout = plan_memory(graph)
    written = [step.locations[-1].buffer for step in layout.steps if step.locations[-1] is not None]
    assert len({id(b) for b in written}) > 1


def test_fused_kernels_write_over_what_they_read_last() -> None:
    x, w = flow.randn(64, 32), flow.randn(32)

    def program(x: Any, w: Any) -> Any:
        y = flow.matmul(x, x.t())
        z = (flow.matmul(y, x) * 2 + w).relu()
        return [flow.matmul(flow.softmax(y * 0.1, -1), z)]

    layout = plan_memory(optimized(program, x, w))
    assert len(layout.steps) == 4
    assert layout.arena == 4 * (64 * 64 + 64 * 32), "the softmax lies where the first product lay"


def test_what_is_read_otherwise_is_not_written_over() -> None:
    x = flow.randn(32, 32)
    for program in (
        lambda x: [flow.matmul(y := flow.matmul(x, x), y.t()) + y],
        lambda x: [((y := flow.matmul(x, x)) * 2 + y.t()).matmul(x)],
        lambda x: [((y := flow.matmul(x, x)) * 2 + y[:1]).matmul(x)],
        lambda x: [(y := flow.matmul(x, x)) * 2, flow.matmul(y + 1, y)],
    ):
        (actual, *_), (expected, *_) = Executable(optimized(program, x), x.device).run([x]), program(x)
        assert_close(actual, expected)


def test_what_an_op_writes_into_states_is_not_copied() -> None:
    net = flow.nn.Linear(4, 4)
    optimizer = flow.optim.Adam(net.parameters())
    x = flow.ones(2, 4)
    with Capture() as capture:
        net(capture.input(x.meta)).sum().backward()
        optimizer.step()
        graph = capture.finish([])
    layout = plan_memory(graph)
    assert len(layout.steps) == len(graph.computes()) and len(layout.written) == 8  # parameters, two averages and a count each


def index_writes(x: flow.Tensor, state: flow.Tensor) -> tuple[flow.Tensor, ...]:
    rows = flow.tensor([2, 0, 1])
    y, old = x.clone(), x.clone()
    y[rows] = old[:3]  # of a copy of the input, which no pass keeps
    z = x * 2
    z[1:].index_add_(0, rows, x[:3])
    kept = z + 0
    z.scatter_(0, rows.reshape(1, 3).expand(1, 3), 7.0)
    state[:2].scatter_add_(0, flow.zeros(1, 3, dtype=flow.int64), x[:1])
    return y, old, kept, z


def test_an_index_write_leaves_the_rest_as_it_is() -> None:
    """Its result lies in its input's memory, or in a copy where that is read otherwise."""
    x = flow.arange(12.0).reshape(4, 3)
    state, expected_state = flow.ones(4, 3), flow.ones(4, 3)
    expected = index_writes(x, expected_state)
    with poisoned():
        program = flow.compile(lambda t: index_writes(t, state))
        assert [y.tolist() for y in program(x)] == [y.tolist() for y in expected]
    assert x.tolist() == flow.arange(12.0).reshape(4, 3).tolist()
    assert state.tolist() == expected_state.tolist()


def test_an_index_write_into_what_is_read_no_more_makes_no_copy() -> None:
    x, rows = flow.ones(4, 3), flow.tensor([1, 2])
    with Capture() as capture:
        y = flow.softmax(capture.input(x.meta), 0)
        y.index_add_(0, rows, flow.softmax(y[:2], 1))
        graph = capture.finish([flow.softmax(y, 0)])
    layout = plan_memory(graph)
    assert not [step for step in layout.steps if step.node is None]
    (write,) = [step for step in layout.steps if step.node is not None and step.node.op.name == "index_put"]
    assert write.locations[0] == write.locations[-1]


def _step_and_gradients(clip: bool) -> tuple[Any, list[flow.nn.Parameter]]:
    """A compiled training step with clipped gradients, and its parameters, more than a launch writes addresses for."""
    flow.manual_seed(0)
    model = flow.nn.Sequential(*[flow.nn.Linear(8, 8) for _ in range(9)])
    parameters = list(model.parameters())
    optimizer = flow.optim.AdamW(parameters, lr=0.01)

    def step(x: flow.Tensor) -> flow.Tensor:
        optimizer.zero_grad()
        loss = (model(x) ** 2).sum()
        loss.backward()
        if clip:
            flow.nn.utils.clip_grad_norm_(parameters, 0.5)
        optimizer.step()
        return loss.detach()

    return step, parameters


def test_gradients_are_made_where_the_caller_finds_them() -> None:
    """An optimizer's table of addresses has those of a run's outputs."""
    x = flow.randn(4, 8)
    for clip in (False, True):
        runs = []
        for compiled in (False, True):
            step, parameters = _step_and_gradients(clip)
            run = flow.compile(step) if compiled else step
            found = []
            for _ in range(3):
                loss = run(x)
                found.append([loss, *[p.grad for p in parameters], *[p.detach().clone() for p in parameters]])
            runs.append(found)
            if compiled:
                assert " copy " not in str(run.explain())
        for expected, actual in zip(*runs):
            for e, a in zip(expected, actual):  # gradients of earlier runs, too, stay what they were
                assert_close(a, e)


def test_what_becomes_an_output_is_not_made_there_while_something_reads_it() -> None:
    def build(x: flow.Tensor) -> tuple[flow.Tensor, flow.Tensor, flow.Tensor]:
        y = x * 2
        part = y[1:]  # another output, of what y was
        z = y.t()
        y = y.clone().add_(1)
        return part, y, z

    x = flow.randn(3, 3)
    for expected, actual in zip(build(x), flow.compile(build)(x)):
        assert_close(actual, expected)
