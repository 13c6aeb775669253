"""Attention whose weights are dropped: one op forward and one backward, with the very numbers that eager mode draws."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from importlib import import_module
from math import inf
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tests.graph.models import BertBlock
from tests.graph.test_fuse_attention import OPS, Block, Train, any_size, in_eager_mode, ops
from tests.graph.test_fusion import optimized
from tritonflow import nn
from tritonflow.graph.plan.executable import Executable
from tritonflow.nn.graph import GraphModule
from tritonflow.testing import assert_close

F = nn.functional
fuse_attention = import_module("tritonflow.graph.passes.fuse_attention")
Spelling = Callable[..., Any]  # of q, k, v, a mask, and a rate
UNFUSED = ["softmax", "softmax_grad"]

__all__ = ["any_size"]


def spelled(scores: Callable[[Any, Any], Any], q: Any, k: Any, v: Any, mask: Any, rate: float) -> Any:
    return F.dropout(F.softmax(scores(q @ k.mT * 0.25, mask), -1), rate) @ v


SPELLINGS: dict[str, Spelling] = {
    "plain": partial(spelled, lambda s, mask: s),
    "causal": partial(spelled, lambda s, mask: s.masked_fill(flow.ones(*s.shape[-2:]).triu(1).bool(), -inf)),
    "padding": partial(spelled, lambda s, mask: s.masked_fill(mask == 0, -1e9)),
    "added": partial(spelled, lambda s, mask: s + mask.to(s.dtype)),
    "cast": lambda q, k, v, mask, rate: (
        F.dropout(F.softmax(q @ k.mT / 4, -1, dtype=flow.float32).to(q.dtype), rate) @ v
    ),
    "function": lambda q, k, v, mask, rate: F.scaled_dot_product_attention(q, k, v, mask > 0, rate),
    "causal function": lambda q, k, v, mask, rate: F.scaled_dot_product_attention(q, k, v, None, rate, True),
}


def operands(*batch: int, rows: int = 20, keys: int = 24, size: int = 16, dtype: Any = flow.float32) -> list[Any]:
    """q, k, v and a mask; with values of as many columns as there are keys, and no others, results show the weights."""
    flow.manual_seed(0)
    q, k = (flow.randn(*batch, n, size, dtype=dtype) for n in (rows, keys))
    return [q, k, flow.eye(keys, dtype=dtype).expand(*batch, keys, keys).contiguous(), (flow.rand(rows, keys) > 0.2).float()]


def trained(program: Spelling, rate: float) -> Any:
    """The program's result and the gradients of q, k and v."""

    def run(*tensors: Any) -> Any:
        leaves = [x.detach().requires_grad_() for x in tensors[:3]]
        y = program(*leaves, *tensors[3:], rate)
        return [y, *flow.autograd.grad(y, leaves, y.detach() * 2 + 1)]

    return run


def check(program: Any, inputs: list[Any], expected: list[str] = OPS, runs: int = 2) -> Executable:
    """The executable, after a look at its ops, and at results, kept weights and the generator's state beside eager mode's."""
    graph = optimized(program, *inputs)
    graph.verify()
    assert ops(graph) == expected
    executable = Executable(graph, inputs[0].device)
    flow.manual_seed(5)
    wanted = [program(*inputs) for _ in range(runs)]
    state = flow.get_rng_state()
    flow.manual_seed(5)
    found = [executable.run(inputs) for _ in range(runs)]
    assert flow.get_rng_state() == state
    for ours, theirs in zip(found, wanted):
        assert torch.equal(flow.to_torch(ours[0]) == 0, flow.to_torch(theirs[0]) == 0)
        for a, b in zip(ours, theirs):
            assert_close(a, b, op_class="matmul", equal_nan=True)
    if runs == 2:
        assert not torch.equal(flow.to_torch(found[0][0]), flow.to_torch(found[1][0])), "the numbers are not fresh"
    return executable


@pytest.mark.sampled(most=2)
@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("rate", (0.1, 0.9))
def test_spellings(name: str, rate: float) -> None:
    check(trained(SPELLINGS[name], rate), operands(2, 3))


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.sampled(most=2)
def test_rows_that_share_counters(name: str) -> None:
    check(trained(SPELLINGS[name], 0.4), operands(2, 3, rows=7, keys=21))


@pytest.mark.usefixtures("any_size")
def test_forward_alone() -> None:
    with flow.no_grad():
        check(lambda *x: [SPELLINGS["causal"](*x, 0.3)], operands(2, 3), OPS[:1])


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("batch", (*(pytest.param(b, marks=pytest.mark.long) for b in ((), (3,))), (1, 3)))
def test_any_batch(batch: tuple[int, ...]) -> None:
    check(trained(SPELLINGS["padding"], 0.2), operands(*batch))


@pytest.mark.sampled(most=1)
@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("dtype", (flow.float64, flow.float16, flow.bfloat16), ids=str)
@pytest.mark.parametrize("name", ("added", "cast", "function"))
def test_dtypes(name: str, dtype: Any) -> None:
    if name != "cast" or dtype is not flow.float64:
        check(trained(SPELLINGS[name], 0.3), operands(2, 3, dtype=dtype))


@pytest.mark.usefixtures("any_size")
def test_under_autocast() -> None:
    inputs = operands(2, 3)
    inputs[2] = flow.randn(2, 3, 24, 16)

    def cast(*tensors: Any) -> Any:
        with flow.autocast(where.device, flow.bfloat16):
            return SPELLINGS["causal"](*tensors)

    graph = optimized(trained(cast, 0.3), *inputs)
    assert ops(graph) == OPS
    flow.manual_seed(5)
    actual = Executable(graph, flow.device(where.device)).run(inputs)
    results = []
    for program in (cast, SPELLINGS["causal"]):
        flow.manual_seed(5)
        results.append(trained(program, 0.3)(*inputs))
    for ours, eager, exact in zip(actual, *results):
        assert ours.dtype is eager.dtype
        assert (ours - exact).norm() <= 1.05 * (eager - exact).norm()


@pytest.mark.usefixtures("any_size")
def test_a_rate_of_nothing_is_no_dropout() -> None:
    executable = check(trained(SPELLINGS["causal"], 0.0), operands(2, 3), runs=1)
    assert not executable.states


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("name", ("all", "a wider softmax", "twice", "the mask is read", "a hook", "dropped scores"))
def test_what_stays(name: str) -> None:
    def program(q: Any, k: Any, v: Any, mask: Any, rate: float) -> Any:
        scores = q @ k.mT * 0.25
        if name == "dropped scores":
            return F.softmax(F.dropout(scores, rate), -1) @ v
        weights = F.softmax(scores, -1, dtype=flow.float64 if name == "a wider softmax" else None)
        weights = F.dropout(weights, 1.0 if name == "all" else rate)
        if name == "a hook":
            weights.register_hook(lambda grad: grad * 2)
        if name == "twice":
            weights = F.dropout(weights, rate)
        return weights.to(v.dtype) @ v + (weights.mean().to(v.dtype) if name == "the mask is read" else 0)

    check(trained(program, 0.3), operands(2, 3), UNFUSED, runs=1)


@pytest.mark.usefixtures("any_size")
def test_among_other_draws() -> None:
    """Every draw has the place in the stream that it has in eager mode, whoever moves the state on, in whatever order."""

    def program(q: Any, k: Any, v: Any, mask: Any) -> Any:
        x = F.dropout(q, 0.3)
        x = x + flow.randn(*x.shape) * 0.1 + F.dropout(SPELLINGS["plain"](x, k, v, mask, 0.2) @ v.mT @ k, 0.5)
        y = SPELLINGS["function"](x, k, v, mask, 0.4)
        return [y, F.dropout(y, 0.1), flow.rand(5)]

    with flow.no_grad():
        check(program, operands(2, 3), [OPS[0]] * 2)
        check(lambda *x: [F.dropout(program(*x)[0], 0.2)], operands(2, 3), [OPS[0]] * 2)


@pytest.mark.usefixtures("any_size")
def test_no_launch_of_its_own_draws() -> None:
    """Two attentions and a dropout behind: one launch each, one that moves the state on, and no more memory than without dropout."""

    def program(rate: float) -> Any:
        attend = SPELLINGS["plain"]
        return lambda q, k, v, mask: [F.dropout(attend(attend(q, k, v, mask, rate), k, v, mask, rate), rate) if rate else 0]

    with flow.no_grad():
        q, k, v, mask = operands(2, 3, keys=16)
        assert check(program(0.5), [q, k, v, mask], [OPS[0]] * 2).launches == 4


@pytest.mark.parametrize(
    ("keys", "batch", "causal", "fused"),
    [(128, 16, True, 2), (64, 16, True, 0), (256, 16, False, 2), (128, 16, False, 0), (255, 16, True, 0), (255, 65, False, 2)],
)
def test_it_is_done_where_it_pays(keys: int, batch: int, causal: bool, fused: int) -> None:
    tensors = [flow.randn(batch, keys, 8) for _ in range(3)]
    program = trained(lambda q, k, v, rate: SPELLINGS["causal" if causal else "plain"](q, k, v, None, rate), 0.1)
    assert ops(optimized(program, *tensors)) == (OPS if fused else UNFUSED)


def batches(count: int) -> list[tuple[Any, Any]]:
    flow.manual_seed(2)
    return [(flow.randn(4, 148, 32), flow.randn(4, 148, 32)) for _ in range(count)]


def captured_ops(graph: Train) -> list[str]:
    return [op.op.name for node in graph.captured.graph.nodes for op in node.ops()]


@pytest.mark.parametrize("checkpointing", (False, pytest.param(True, marks=pytest.mark.long)))
def test_a_block_trains_as_in_eager_mode(checkpointing: bool) -> None:
    flow.manual_seed(0)
    net = nn.Sequential(Block(p=0.2), nn.Dropout(0.1), Block(p=0.3))
    twin, data = deepcopy(net), batches(10)
    if checkpointing:
        net[0].to(GraphModule).activation_checkpointing = True
    graph = Train(net)
    flow.manual_seed(4)
    actual = flow.tensor([graph(*batch).item() for batch in data])
    found = captured_ops(graph)
    assert found.count("attention_grad") == 2 and found.count("scalar_add") == 1
    assert not {"softmax", "softmax_grad", "random_reserve"} & {*found}
    flow.manual_seed(4)
    assert_close(actual, flow.tensor(in_eager_mode(twin, data)), op_class="norm")


@pytest.mark.long
def test_accumulation_and_autocast() -> None:
    """Micro-batches draw one after the other, as in eager mode."""
    flow.manual_seed(0)
    net, ((x, target),) = Block(p=0.2), batches(1)
    twin, graph = deepcopy(net), Train(net)
    graph.config.set_gradient_accumulation_steps(2)
    graph.config.enable_amp(True, dtype=flow.bfloat16)
    flow.manual_seed(4)
    graph(x, target)
    assert captured_ops(graph).count("attention_grad") == 2
    flow.manual_seed(4)
    optimizer = flow.optim.SGD(twin.parameters(), lr=0.1, momentum=0.9)
    for part in (slice(0, 2), slice(2, 4)):
        with flow.autocast(where.device, flow.bfloat16):
            y = twin(x[part])
            loss = ((y - target[part]) ** 2).mean() / 2
        loss.backward()
    optimizer.step()
    for ours, theirs in zip(net.parameters(), twin.parameters()):
        assert (ours - theirs).norm() <= 1e-2 * (theirs - theirs.mean()).norm() + 1e-3


def test_launches_and_memory() -> None:
    """Nothing of the scores' size is in memory: not the weights, nor the dropped ones, nor which are kept."""
    flow.manual_seed(0)
    net, data = Block(p=0.2), batches(2)
    plain, fused = Train(deepcopy(net), fuse=False), Train(deepcopy(net))
    for graph in (plain, fused):
        flow.manual_seed(3)
        graph.losses = [graph(*batch) for batch in data]
    for a, b in zip(fused.losses, plain.losses):
        assert_close(a, b, op_class="norm")
    without = Train(Block())
    without(*data[0])
    weights = 4 * 4 * 148 * 148  # of all heads; those and the dropped ones in 4 bytes, which are kept in one
    assert fused.executable.arena_bytes <= without.executable.arena_bytes + 64
    assert fused.executable.arena_bytes <= plain.executable.arena_bytes - 8 * weights
    assert fused.executable.launches == without.executable.launches + 1 < plain.executable.launches


@pytest.mark.usefixtures("any_size")
def test_bert_trains_as_in_eager_mode() -> None:
    class Step(nn.Graph):
        def __init__(self, net: Any) -> None:
            super().__init__()
            self.net = net
            self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1))

        def build(self, x: Any, mask: Any) -> Any:
            loss = self.net(x, mask).square().mean()
            loss.backward()
            return loss

    flow.manual_seed(0)
    net = BertBlock()
    twin, mask = deepcopy(net), (flow.arange(24) < flow.tensor([[24], [13], [20]])).float()
    data, graph = [flow.randn(3, 24, 32) for _ in range(5)], Step(net)
    flow.manual_seed(4)
    actual = [graph(x, mask).item() for x in data]
    (captured,) = graph._captured.captures()
    assert "attention_grad" in [op.op.name for node in captured.graph.nodes for op in node.ops()]
    flow.manual_seed(4)
    optimizer, expected = flow.optim.SGD(twin.parameters(), lr=0.1), []
    for x in data:
        optimizer.zero_grad()
        loss = twin(x, mask).square().mean()
        loss.backward()
        optimizer.step()
        expected.append(loss.item())
    assert_close(flow.tensor(actual), flow.tensor(expected), op_class="norm")


@pytest.mark.long  # a graph is compiled for every example
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_shapes(data: Any) -> None:
    rows, keys, size = (data.draw(st.integers(1, n)) for n in (70, 140, 20))
    batch = data.draw(st.lists(st.integers(1, 3), max_size=2))
    name, rate = data.draw(st.sampled_from(sorted(SPELLINGS))), data.draw(st.sampled_from((0.05, 0.5, 0.95)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fuse_attention, "pays", lambda attention: True)
        check(trained(SPELLINGS[name], rate), operands(*batch, rows=rows, keys=keys, size=size), runs=1)
