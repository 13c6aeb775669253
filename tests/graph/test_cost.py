"""Operations as torch counts them, and bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode, sdpa_backward_flop_count, sdpa_flop_count

import tritonflow as flow
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.cost import cost_of
from tritonflow.graph.passes import optimize


def captured(program: Callable[..., Any], *inputs: Any) -> Graph:
    with Capture() as capture:
        return capture.finish([program(*[capture.input(x.meta) for x in inputs])])


def operations(program: Callable[..., Any], *inputs: Any) -> int:
    """Of products and convolutions, which are what torch counts."""
    graph = captured(program, *inputs)
    products = [node for node in graph.computes() if node.op.definition.tolerance == "matmul"]
    return sum(cost_of(node).flops for node in products)


@pytest.mark.parametrize(
    "shapes", [((5, 7), (7, 3)), ((2, 5, 7), (2, 7, 3)), ((4, 1, 5, 7), (2, 7, 3)), ((5, 7), (7,)), ((7,), (7,))]
)
def test_products(shapes: tuple[tuple[int, ...], ...]) -> None:
    a, b = (torch.randn(*shape) for shape in shapes)
    with FlopCounterMode(display=False) as counter:
        torch.matmul(a, b)
    counted = counter.get_total_flops() or 2 * 5 * 7 if a.ndim > 1 else 14  # torch counts no products with vectors
    assert operations(flow.matmul, *map(flow.from_torch, (a, b))) == counted


def training(m: Any, step: Callable[..., Any], *shapes: tuple[int, ...]) -> Any:
    """The inputs, all of which want gradients, and a program that computes them."""
    inputs = [m.randn(shape) for shape in shapes]

    def program(*inputs: Any) -> Any:
        for x in inputs:
            x.requires_grad_()
        y = step(m, *inputs)
        y.sum().backward()
        return y

    return inputs, program


@pytest.mark.parametrize(
    ("step", "shapes"),
    [
        (lambda m, x, w: m.nn.functional.linear(x, w), ((6, 5, 8), (3, 8))),
        (lambda m, x, w: m.nn.functional.conv2d(x, w, stride=2, padding=1), ((2, 6, 9, 9), (4, 6, 3, 3))),
        (lambda m, x, w: m.nn.functional.conv2d(x, w), ((2, 6, 9, 8), (4, 6, 1, 3))),
    ],
)  # fmt: skip
def test_forward_and_backward(step: Callable[..., Any], shapes: tuple[tuple[int, ...], ...]) -> None:
    theirs, program = training(torch, step, *shapes)
    with FlopCounterMode(display=False) as counter:
        program(*theirs)
    ours, program = training(flow, step, *shapes)
    assert operations(program, *ours) == counter.get_total_flops()


def test_groups_are_convolutions_of_their_own() -> None:
    x, w = flow.randn(2, 6, 9, 9), flow.randn(4, 3, 3, 3)
    conv2d = flow.nn.functional.conv2d
    halves = operations(lambda x, w: conv2d(x[:, :3], w[:2]) + conv2d(x[:, 3:], w[2:]), x, w)
    assert operations(lambda x, w: conv2d(x, w, groups=2), x, w) == halves


def test_attention() -> None:
    q, k, v = (2, 3, 8, 16), (2, 3, 6, 16), (2, 3, 6, 12)
    attention = flow.nn.functional.scaled_dot_product_attention
    assert operations(attention, *map(flow.randn, (q, k, v))) == sdpa_flop_count(q, k, v)
    inputs, program = training(flow, lambda m, q, k, v: attention(q, k, v), q, k, v)
    assert operations(program, *inputs) == sdpa_flop_count(q, k, v) + sdpa_backward_flop_count(
        (*q[:-1], v[-1]), q, k, v
    )


def test_a_causal_mask_halves_attention() -> None:
    q = flow.randn(2, 3, 8, 16)
    attention = flow.nn.functional.scaled_dot_product_attention
    assert 2 * operations(lambda q: attention(q, q, q, is_causal=True), q) == operations(
        lambda q: attention(q, q, q), q
    )


def test_what_stays_inside_a_fused_kernel_moves_no_bytes() -> None:
    x, y = flow.randn(32, 16), flow.randn(16)
    program = lambda x, y: flow.relu(x * y + x)
    apart = [cost_of(node) for node in captured(program, x, y).nodes]
    (fused,) = [cost_of(node) for node in optimize(captured(program, x, y)).nodes]
    assert sum(cost.flops for cost in apart) == fused.flops == 3 * 32 * 16
    assert fused.read == 4 * (32 * 16 + 16) and fused.written == 4 * 32 * 16
    assert sum(cost.bytes for cost in apart) == 4 * (6 * 32 * 16 + 32 * 16 + 16)


def test_an_embedding_reads_the_rows_that_it_gives() -> None:
    table, rows = flow.randn(1000, 8), flow.zeros(5, dtype=flow.int64)
    graph = captured(lambda table, rows: flow.nn.functional.embedding(rows, table), table, rows)
    (cost,) = [cost_of(node) for node in graph.computes()]
    assert cost == (0, 4 * 5 * 8 + 8 * 5, 4 * 5 * 8)


def test_a_broadcast_operand_is_read_once() -> None:
    (cost,) = [cost_of(n) for n in captured(lambda x: flow.relu(x.expand(64, 16)), flow.randn(16)).computes()]
    assert cost.read == 4 * 16 and cost.written == 4 * 64 * 16


def test_an_optimizer_writes_all_but_gradients() -> None:
    net = flow.nn.Linear(8, 4, bias=False)

    class Train(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = net
            self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9))

        def build(self, x: Any) -> Any:
            loss = self.net(x).sum()
            loss.backward()
            return loss

    train = Train()
    for _ in range(2):
        train(flow.ones(2, 8))
    (update,) = [k for k in train.explain().kernels if k.kind == "optimizer"]
    assert update.cost == (4 * 32, 3 * 4 * 32, 2 * 4 * 32)
