"""Launches of users' kernels in captures: the numbers of eager launches, in the order of the program."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import triton
import triton.language as tl

import tritonflow as flow
from tritonflow import nn


@triton.jit
def axpy(x, n, y, a, out, BLOCK: tl.constexpr, TWICE: tl.constexpr = False, bias=None):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = a * tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n)
    if bias is not None:
        value += tl.load(bias)
    if TWICE:
        value *= 2
    tl.store(out + i, value, mask=i < n)


@triton.jit
def add_one(x, n, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@triton.jit
def with_pair(x, pair, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) * pair[0] + pair[1])


def grid(meta: dict[str, Any]) -> tuple[int]:
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


def run_axpy(x: Any, y: Any, a: Any, **more: Any) -> Any:
    out = flow.empty_like(x)
    axpy[grid](x, x.numel(), y, a, out, BLOCK=64, **more)
    return out


@pytest.fixture
def operands() -> tuple[Any, Any]:
    return flow.randn(100), flow.randn(100)


def same(a: Any, b: Any) -> None:
    numpy.testing.assert_array_equal(a.numpy(), b.numpy())


def test_a_launch_between_ops(operands: Any, poison: None) -> None:
    def program(x: Any, y: Any, a: float) -> Any:
        return run_axpy(x.exp(), y, a) * 2

    compiled = flow.compile(program)
    for a in (1.5, -2.25):  # one graph for both
        same(compiled(*operands, a), program(*operands, a))
    rows = [row for row in compiled.explain().kernels if row.title.endswith(".axpy")]
    assert len(rows) == 1 and "test_own_kernels.py" in str(rows[0].lines)
    assert any("tl.store(out + i, value" in text for text in compiled.explain().sources.values())


def test_constants_and_what_is_absent(operands: Any, poison: None) -> None:
    for more in ({"TWICE": True}, {"bias": flow.ones(1)}, {"num_warps": 8, "TWICE": True}):
        program = flow.compile(lambda x, y, more=more: run_axpy(x, y, 3, **more))
        same(program(*operands), run_axpy(*operands, 3, **more))


def test_what_is_written_is_written_in_order(poison: None) -> None:
    def program(x: Any) -> Any:
        y = x * 2
        before = y.sum()
        add_one[1,](y[1], 4, BLOCK=4)  # a row of it
        add_one[1,](y, 3, BLOCK=4)  # a part of its memory
        return before, y, y.sum()

    x = flow.arange(12, dtype=flow.float32).reshape(3, 4)
    for got, wanted in zip(flow.compile(program)(x), program(x)):
        same(got, wanted)


def test_states_and_inputs_are_written(poison: None) -> None:
    state = flow.zeros(5)

    @flow.compile
    def program(x: Any) -> Any:
        add_one[1,](state, 5, BLOCK=8)
        add_one[1,](x, 5, BLOCK=8)
        return state + x

    x = flow.zeros(5)
    for turn in (1, 2, 3):
        assert program(x).tolist() == [2.0 * turn] * 5
        assert state.tolist() == x.tolist() == [turn] * 5
    version = x._version
    program(x)
    assert x._version > version


class Scaled(flow.autograd.Function):
    """3 x + x, by the kernel both ways."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return run_axpy(x, x, 3.0)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return run_axpy(dy.contiguous(), dy.contiguous(), 3.0)


def test_a_training_step(poison: None) -> None:
    def made() -> tuple[Any, Any]:
        flow.manual_seed(0)
        layer = nn.Linear(8, 8)
        return layer, flow.optim.SGD(layer.parameters(), lr=0.01)

    def step(layer: Any, x: Any) -> Any:
        loss = Scaled.apply(layer(x)).square().mean()
        loss.backward()
        return loss

    eager, graphed = made(), made()

    class Step(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.layer = graphed[0]
            self.add_optimizer(graphed[1])

        def build(self, x: Any) -> Any:
            return step(self.layer, x)

    graph, x = Step(), flow.randn(4, 8)
    for _ in range(3):
        loss = step(eager[0], x)
        eager[1].step()
        eager[1].zero_grad()
        numpy.testing.assert_allclose(graph(x).numpy(), loss.detach().numpy(), rtol=1e-6)
    numpy.testing.assert_allclose(graphed[0].weight.detach().numpy(), eager[0].weight.detach().numpy(), rtol=1e-6)


def test_an_autotuner_measures_outside_of_the_capture(poison: None) -> None:
    configs = [triton.Config({"BLOCK": block}) for block in (32, 128)]
    tuned = triton.autotune(configs, key=["n"], do_bench=lambda call, quantiles: (call(), [1.0] * 3)[1])(add_one)

    def program(x: Any) -> Any:
        y = x * 2
        tuned[grid](y, 100)
        return y

    compiled = flow.compile(program)
    x = flow.ones(100)
    assert compiled(x).tolist() == [3.0] * 100
    assert sum(row.title.endswith(".add_one") for row in compiled.explain().kernels) == 1
    assert tuned.best_config in configs


def test_an_op_of_ones_own(operands: Any, poison: None) -> None:
    @flow.library.triton_op("tests::three_and_one", mutates_args=())
    def three_and_one(x: Any, y: Any) -> Any:
        out = flow.empty_like(x)
        flow.library.wrap_triton(axpy)[grid](x, x.numel(), y, 3.0, out, BLOCK=64)
        return out

    three_and_one.register_autograd(lambda ctx, dout: (dout * 3, dout))

    def program(x: Any, y: Any) -> Any:
        x = x.detach().requires_grad_()
        (three_and_one(x, y) * y).sum().backward()
        return three_and_one(x, y), x.grad

    for got, wanted in zip(flow.compile(program)(*operands), program(*operands)):
        same(got.detach(), wanted.detach())


def test_what_a_capture_does_not_take(operands: Any) -> None:
    x, _ = operands
    with pytest.raises(RuntimeError, match="with_pair: argument pair is a tuple; a kernel that is captured takes tensors"):
        flow.compile(lambda x: with_pair[1,](x * 1, (2, 3), BLOCK=64), fullgraph=True)(x)
    with pytest.raises(RuntimeError, match="add_one: a capture knows no option debug"):
        flow.compile(lambda x: add_one[1,](x, 4, BLOCK=4, debug=True), fullgraph=True)(x)
    with_pair[1,](x, (0, 3), BLOCK=64)  # which Triton itself takes
    assert x[:64].tolist() == [3.0] * 64
