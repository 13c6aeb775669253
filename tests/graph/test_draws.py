"""Random numbers in fused kernels: eager mode's, bit for bit, fresh in every run, and no launches of their own."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tests.graph.models import GPT, Block
from tests.graph.test_graph import Train
from tests.graph.test_launches import squares, text
from tritonflow import nn
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Graph, Words
from tritonflow.graph.passes import optimize
from tritonflow.graph.passes.assign_counters import assign_counters
from tritonflow.graph.plan.executable import Executable
from tritonflow.nn.graph import GraphModule
from tritonflow.testing import assert_close

F = nn.functional
FLOATS = (flow.float32, flow.float64, flow.float16, flow.bfloat16)


def captured(program: Any, *inputs: Any) -> Graph:
    with Capture() as capture:
        return capture.finish(list(program(*[capture.input(x.meta) for x in inputs])))


def check(program: Any, *inputs: Any, runs: int = 2) -> int:
    """The launches of a program whose bits are eager mode's in every run, as is the generator's state behind it."""
    with flow.no_grad():
        executable = Executable(optimize(captured(program, *inputs)), inputs[0].device)
    flow.manual_seed(5)
    expected = [program(*inputs) for _ in range(runs)]
    state = flow.get_rng_state()
    flow.manual_seed(5)
    for results in expected:
        for ours, theirs in zip(executable.run(inputs), results):
            assert ours.dtype is theirs.dtype
            if where.device == "cpu":
                assert torch.equal(flow.to_torch(ours), flow.to_torch(theirs))
            else:  # sums of rows are those of another kernel
                assert torch.equal(flow.to_torch(ours) == 0, flow.to_torch(theirs) == 0)
                assert_close(ours, theirs, op_class="reduction")
    assert flow.get_rng_state() == state
    return executable.launches


def losses(net: Any, data: list[Any], graph: bool) -> tuple[list[float], Any]:
    """Of steps with eager mode's numbers or a graph's, and the graph."""

    class Step(Train):
        def build(self, x: Any, target: Any) -> Any:
            value = squares(self.net(x), target)
            value.backward()
            return value

    optimizer = flow.optim.SGD(net.parameters(), lr=0.05)
    step = Step(net, optimizer)
    flow.manual_seed(9)
    found = []
    for x, target in data:
        if graph:
            found.append(step(x, target).item())
            continue
        optimizer.zero_grad()
        loss = squares(net(x), target)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found, step


def block(p: float = 0.1) -> Any:
    flow.manual_seed(1)
    return Block(16, 2, p=p)


def batches(count: int, width: int = 16) -> list[Any]:
    return [(flow.randn(4, 6, width), flow.randn(4, 6, width)) for _ in range(count)]


def test_a_chain_is_one_kernel_and_one_launch_moves_the_state_on() -> None:
    x, y = flow.randn(8, 12), flow.randn(12)
    assert check(lambda x, y: [F.dropout(F.relu(x) + 1, 0.3) * y, F.dropout(x, 0.5)], x, y) == 3
    assert check(lambda x, y: [F.dropout(F.dropout(F.relu(x) * 2, 0.3) - y, 0.6)], x, y) == 2


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_every_float(dtype: Any) -> None:
    x = flow.randn(6, 20, dtype=dtype)
    assert check(lambda x: [F.dropout(flow.exp(x), 0.3), flow.bernoulli(flow.sigmoid(x)) * x], x) == 3


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.sampled(most=2)
def test_behind_a_product(dtype: Any) -> None:
    x, w, b, r = (flow.randn(*s, dtype=dtype) for s in ((10, 7), (24, 7), (24,), (10, 24)))
    assert check(lambda x, w, b, r: [F.dropout(F.linear(x, w, b), 0.4), F.dropout(x, 0.5)], x, w, b, r) == 3

    def masked(x: Any, w: Any, b: Any, r: Any) -> Any:
        y = F.dropout(F.gelu(F.linear(x, w, b)), 0.4)
        return y == 0, y + r

    with flow.no_grad():
        executable = Executable(optimize(captured(masked, x, w, b, r)), x.device)
    assert executable.launches == 2
    flow.manual_seed(2)
    dropped, y = masked(x, w, b, r)
    flow.manual_seed(2)
    ours, z = executable.run((x, w, b, r))
    assert ours.tolist() == dropped.tolist()
    assert_close(z, y)


def test_where_neighbours_do_not_share_counters_dropout_stays_alone() -> None:
    x, w, images, k = flow.randn(10, 8), flow.randn(5, 8), flow.randn(2, 3, 6, 6), flow.randn(4, 3, 3, 3)
    assert check(lambda x, w: [F.dropout(F.linear(x, w), 0.4)], x, w) == 3
    assert check(lambda x, w: [F.dropout(x[:, :5] + w.sum(1), 0.4)], x, w) == 4
    assert check(lambda x, k: [F.dropout(F.conv2d(x, k), 0.4)], images, k) == 3
    assert check(lambda x, w: [F.dropout(flow.softmax(F.linear(x, w), -1), 0.4)], x, w) == 4
    assert check(lambda x: [F.dropout(x, 0.5).sum(0)], x) == 3
    assert check(lambda x: [F.dropout(x[0, :3].exp(), 0.5)], x) == 3  # fewer than a counter's numbers


def test_rows() -> None:
    x = flow.randn(6, 3, 12)
    assert check(lambda x: [F.dropout(flow.softmax(x * 2, -1), 0.3)], x) == 2


def test_other_random_ops_find_the_state_where_it_has_to_be() -> None:
    x = flow.randn(4, 8)

    def program(x: Any) -> Any:
        y = F.dropout(x, 0.5) + flow.randn(4, 8)
        z = F.dropout(y, 0.5) * flow.rand(8)
        return y, z, flow.randint(0, 9, (5,)), F.dropout(z, 0.2)

    check(program, x, runs=3)
    check(lambda x: [flow.randn(3, 3), F.dropout(x, 0.5), flow.empty(4, 8).bernoulli_(0.3) + x], x, runs=3)


def test_generators_are_told_apart() -> None:
    x = flow.randn(4, 8)
    own = flow.Generator(x.device)

    def program(x: Any) -> Any:
        return [F.dropout(F.dropout(x, 0.5, generator=own) + 1, 0.5), F.dropout(x, 0.5, generator=own)]

    f = flow.compile(program)
    for seed in (3, 4):
        results = []
        for run in (f, program):
            flow.manual_seed(seed)
            own.manual_seed(7)
            results.append([y.tolist() for _ in range(2) for y in run(x)])
        assert results[0] == results[1]


def test_runs_differ_and_a_seed_repeats_them() -> None:
    f = flow.compile(lambda x: F.dropout(x + 0, 0.5))
    x = flow.ones(64)
    flow.manual_seed(3)
    first = [f(x).tolist() for _ in range(3)]
    assert first[0] != first[1] != first[2]
    assert [f(x).tolist() for _ in range(3)] != first
    flow.manual_seed(3)
    assert [f(x).tolist() for _ in range(3)] == first


def test_a_block_trains_as_in_eager_mode_with_one_launch_for_its_dropouts() -> None:
    data = batches(20)
    (ours, step), (theirs, _) = losses(block(), data, True), losses(block(), data, False)
    assert_close(flow.tensor(ours), flow.tensor(theirs))
    _, plain = losses(block(0.0), data[:1], True)
    counts = [s._captured.captures()[0].executable.launches for s in (step, plain)]
    assert counts[0] == counts[1] + 1
    assert losses(block(), data, True)[0] == ours


class Drops(nn.Module):
    """A module that begins and ends with dropout."""

    def __init__(self) -> None:
        super().__init__()
        flow.manual_seed(1)
        self.first, self.second = nn.Linear(16, 16), nn.Linear(16, 16)

    def forward(self, x: Any) -> Any:
        return F.dropout(self.second(F.dropout(F.gelu(self.first(F.dropout(x, 0.1))), 0.2)), 0.3)


@pytest.mark.parametrize("module", (block, Drops))
def test_what_is_computed_again_draws_the_same_numbers(module: Any) -> None:
    data = batches(6)
    kept, dropped = (nn.Sequential(module(), module()) for _ in range(2))
    for part in dropped:
        part.to(GraphModule).activation_checkpointing = True
    assert_close(*[flow.tensor(losses(net, data, True)[0]) for net in (dropped, kept)])


def test_the_pass_alone() -> None:
    graph = assign_counters(captured(lambda x: [F.dropout(F.dropout(x, 0.5), 0.5)], flow.randn(6, 10)))
    graph.verify()
    assert [node.first for node in graph.nodes if isinstance(node, Words)] == [0, 15]
    assert [(node.op.name, node.dynamic) for node in graph.computes()][-1] == ("scalar_add", (30,))
    assert "words" in str(graph)


@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_any_shapes(data: Any) -> None:
    """Operands broadcast and permuted, in front and behind, ragged sizes, products and rows."""
    rows, cols = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 40))
    dtype = data.draw(st.sampled_from(FLOATS))
    x, v, w = (flow.randn(*s, dtype=dtype) for s in ((rows, cols), (cols,), (cols, cols)))
    kinds = st.sampled_from(("abs", "broadcast", "permuted", "dropout", "product", "rows", "reshape"))
    steps = data.draw(st.lists(kinds, min_size=1, max_size=5))

    def program(x: Any, v: Any, w: Any) -> Any:
        masks = []
        for kind in [*steps, "dropout"]:
            if kind == "dropout":
                kept = F.dropout(flow.ones_like(x), 0.4) if x.shape[0] % 2 else F.dropout(x.abs() + 1, 0.4)
                masks.append(kept != 0)
                x = x * kept.sign()
            else:
                x = {
                    "abs": lambda x: x.abs() + 1,
                    "broadcast": lambda x: flow.maximum(x, v),
                    "permuted": lambda x: x.t().contiguous().t() - 1,
                    "product": lambda x: F.linear(x, w),
                    "rows": lambda x: flow.softmax(x, -1),
                    "reshape": lambda x: (x.reshape(-1).abs()).reshape(x.shape),
                }[kind](x)
        return masks

    check(program, x, v, w)


def test_a_gpt_has_one_launch_for_all_dropouts() -> None:
    net = GPT(layers=2)

    class Step(Train):
        def build(self, x: Any, target: Any) -> Any:
            loss = F.cross_entropy(self.net(x), target)
            loss.backward()
            return loss

    step = Step(net, flow.optim.SGD(net.parameters(), lr=0.1))
    step(*text())
    (kept,) = step._captured.captures()
    names = [node.name() for node in kept.graph.nodes]
    assert sum("random_dropout," in name or "random_dropout]" in name for name in names) == 4
    assert [node.op.name for node in kept.graph.computes()].count("scalar_add") == 1
