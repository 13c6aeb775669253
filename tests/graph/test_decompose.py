"""Composite ops in their parts: where that is done, that the numbers are torch's, and what is left as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Compute, Graph
from tritonflow.graph.passes import optimize
from tritonflow.graph.passes.decompose import parts_of
from tritonflow.graph.passes.rewrite import replaced
from tritonflow.graph.plan.executable import Executable
from tritonflow.testing import assert_close, in_float64

F = flow.nn.functional
Program = Callable[..., Any]
SHAPES = ((4, 3), (6, 5, 7), (3, 8, 5, 6), (2, 3, 4, 3, 2))


def optimized(program: Program, *inputs: Any, without: Any = ()) -> Graph:
    """The graph of a program, checked behind every pass."""
    with Capture() as capture:
        graph = capture.finish(list(program(*[capture.input(x.meta) for x in inputs])))
        return optimize(graph, lambda _, graph: graph.verify(), without)


def ops(graph: Graph) -> list[str]:
    return [op.op.name for node in graph.nodes for op in node.ops()]


def fused(graph: Graph) -> list[str]:
    return [node.name() for node in graph.nodes if node.name().startswith("fused")]


class Norm:
    """A batch norm in ours and in torch: the same input, weights and statistics."""

    def __init__(self, shape: tuple[int, ...], dtype: Any = torch.float32, affine: bool = True, running: bool = True) -> None:
        generator = torch.Generator().manual_seed(sum(shape))
        c = shape[1]
        draw = torch.rand(4, c, generator=generator)
        self.x = (torch.randn(shape, generator=generator) * 2 + 0.5).to(dtype)
        self.weights = [t + 0.5 for t in draw[:2]] if affine else [None, None]
        self.statistics = [draw[2] - 0.5, draw[3] + 0.5] if running else [None, None]

    def ours(self) -> list[Any]:
        """The input, running mean and variance, weight, bias."""
        return [None if t is None else flow.from_torch(t.clone()) for t in (self.x, *self.statistics, *self.weights)]

    def theirs(self, training: bool, then: Program, rounded: Any) -> list[Any]:
        """References of y, of the gradients at the y that ours has rounded, and of the running statistics."""
        x, *others = [None if t is None else t.to(torch.float64, copy=True) for t in (self.x, *self.statistics, *self.weights)]
        statistics, weights = others[:2], others[2:]
        leaves = [t.requires_grad_() for t in (x, *weights) if t is not None]
        y = then(torch, torch.nn.functional.batch_norm(x, *statistics, *weights, training, 0.2, 1e-3))
        dx, *gradients = torch.autograd.grad(y, leaves, 2 * flow.to_torch(rounded).cpu().double())
        half = [in_float64(t.detach(), self.x.dtype) for t in (y, dx)]
        return [*half, *map(in_float64, (*gradients, *[t for t in statistics if t is not None]))]

    def program(self, training: bool, then: Program, statistics: list[Any]) -> Program:
        def step(x: Any, *weights: Any) -> list[Any]:
            leaves = [t.requires_grad_() for t in (x, *weights)]
            y = then(flow, F.batch_norm(leaves[0], *statistics, *(leaves[1:] or (None, None)), training, 0.2, 1e-3))
            return [y, *flow.autograd.grad(y.float().square().sum(), leaves)]

        return step


def close(actual: Any, expected: Any) -> None:
    assert_close(actual, expected, op_class="norm")


# ------------------------------------------------------------------------------------------------------------ batch norm


@pytest.mark.sampled
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", (torch.float32, torch.bfloat16), ids=str)
@pytest.mark.parametrize("affine", (True, False))
@pytest.mark.parametrize("training", (True, False))
def test_batch_norm_and_relu(shape: tuple[int, ...], dtype: Any, affine: bool, training: bool) -> None:
    """One kernel, forward and backward; running statistics move as torch's do."""
    norm = Norm(shape, dtype, affine)
    x, mean, var, *weights = norm.ours()
    inputs = [x, *[w for w in weights if w is not None]]
    graph = optimized(norm.program(training, lambda m, y: m.relu(y), [mean, var]), *inputs)
    assert "batch_norm" not in ops(graph) and "batch_norm_eval" not in ops(graph)
    assert any("add, relu" in name or "mul, relu" in name or "cast, relu" in name for name in fused(graph))
    results = Executable(graph, x.device).run(inputs)
    for actual, wanted in zip((*results, mean, var), norm.theirs(training, lambda m, y: m.relu(y), results[0]), strict=True):
        close(actual, wanted)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", (torch.float32, torch.bfloat16), ids=str)
def test_training_has_eager_modes_bits(shape: tuple[int, ...], dtype: Any) -> None:
    """Forward and backward: a bias in front of a norm has a gradient of rounding errors alone, which Adam makes steps of."""
    norm = Norm(shape, dtype)
    x, *statistics, weight, bias = norm.ours()

    def program(x: Any) -> list[Any]:
        x.requires_grad_()
        y = flow.relu(F.batch_norm(flow.relu(x), *statistics, weight, bias, True))
        return [y, *flow.autograd.grad(y.float().square().sum(), [x])]

    graph = optimized(program, x)
    assert ops(graph).count("batch_norm_statistics") == ops(graph).count("batch_norm_sums") == 1
    for actual, expected in zip(Executable(graph, x.device).run([x]), program(x.detach())):
        assert torch.equal(flow.to_torch(actual), flow.to_torch(expected.detach()))


def test_without_running_statistics() -> None:
    norm = Norm((4, 6, 5, 5), running=False)
    x, _, _, *weights = norm.ours()
    graph = optimized(norm.program(True, lambda m, y: m.relu(y), [None, None]), x, *weights)
    assert "batch_norm_statistics" in ops(graph)
    results = Executable(graph, x.device).run([x, *weights])
    for actual, wanted in zip(results, norm.theirs(True, lambda m, y: m.relu(y), results[0]), strict=True):
        close(actual, wanted)


def test_statistics_far_from_zero() -> None:
    """Mean 1000 and deviation 1: what is subtracted first loses nothing."""
    x, mean, var = flow.randn(8, 4, 6, 6) + 1000, flow.full((4,), 1000.0), flow.ones(4)
    graph = optimized(lambda x: [flow.relu(F.batch_norm(x, mean, var))], x)
    assert "batch_norm_eval" not in ops(graph)
    theirs = torch.nn.functional.batch_norm(*[flow.to_torch(t).cpu().double() for t in (x, mean, var)]).relu()
    assert_close(Executable(graph, x.device).run([x])[0], in_float64(theirs))


def test_evaluation_is_part_of_the_convolution() -> None:
    """Convolution, norm, the other branch and relu are one kernel; the scale of each channel is another."""
    net = flow.nn.Sequential(flow.nn.Conv2d(3, 8, 3, padding=1, bias=False), flow.nn.BatchNorm2d(8))
    net[1].running_mean.uniform_(-1, 1), net[1].running_var.uniform_(0.5, 2)
    net.eval()
    x, other = flow.randn(2, 3, 9, 9), flow.randn(2, 8, 9, 9)
    with flow.no_grad():
        graph = optimized(lambda x, other: [flow.relu(net(x) + other)], x, other)
        expected = flow.relu(net(x) + other)
        assert fused(graph) == ["fused[scalar_add, rsqrt, mul]", "fused[conv2d, sub, mul, add, add, relu]"]
        close(Executable(graph, x.device).run([x, other])[0], expected)


def test_two_norms_meet() -> None:
    """As in a block of a ResNet that makes its images smaller: both in one kernel with the sum, and both gradients apart."""
    a, b = Norm((4, 6, 5, 5)), Norm((4, 6, 5, 5))
    (x, *p), (y, *q) = a.ours(), b.ours()
    graph = optimized(lambda x, y: [flow.relu(F.batch_norm(x, *p, True) + F.batch_norm(y, *q, True))], x, y)
    assert ops(graph).count("batch_norm_statistics") == 2
    assert [len(node.ops()) for node in graph.nodes if node.name() in fused(graph)] == [10]


def test_the_gradient_joins_what_comes_behind() -> None:
    """relu in front of the norm: its derivative is in the kernel that makes the norm's gradient."""
    norm = Norm((4, 6, 5, 5))
    x, *rest = norm.ours()

    def program(x: Any) -> list[Any]:
        x.requires_grad_()
        y = F.batch_norm(flow.relu(x), *rest, True)
        return [*flow.autograd.grad((y * y).sum(), [x])]

    graph = optimized(program, x)
    assert "batch_norm_sums" in ops(graph) and "batch_norm_grad" not in ops(graph)
    assert any("relu_backward_x" in name and "sub" in name for name in fused(graph))
    leaf = norm.x.clone().requires_grad_()
    statistics, weights = ([t.clone() for t in each] for each in (norm.statistics, norm.weights))
    y = torch.nn.functional.batch_norm(leaf.relu(), *statistics, *weights, True)
    (expected,) = torch.autograd.grad((y * y).sum(), [leaf])
    assert_close(Executable(graph, x.device).run([x])[0].cpu(), expected, op_class="matmul")


# ------------------------------------------------------------------------------------------------------------ copies over

COPIES: dict[str, tuple[Program, int]] = {  # what is done with a buffer of (8, 8), and how many copies are left
    "whole": (lambda m, b, x: b.copy_(b * 0.9 + x * 0.1), 0),
    "transposed": (lambda m, b, x: b.copy_((b * 2).t()), 1),
    "itself": (lambda m, b, x: b.copy_(b.t() + 1), 0),
    "row": (lambda m, b, x: b.copy_((x * 2)[0]), 1),
    "part": (lambda m, b, x: b[1:4].copy_(x[2:5] * 2), 0),
    "column": (lambda m, b, x: b[:, 1].copy_(x[:, 2] * 2), 1),
    "another dtype": (lambda m, b, x: b.copy_(x.double() * 0.1), 0),
    "a sum of columns": (lambda m, b, x: b[0].copy_((x * x).sum(0)), 1),
    "a sum of rows": (lambda m, b, x: b[0].copy_((x * x).sum(1)), 0),
    "an unaligned part": (lambda m, b, x: b.view(-1)[3:11].copy_(x[0] * 2), 1),
    "nothing to join": (lambda m, b, x: b.copy_(x), 1),
}


@pytest.mark.parametrize("name", COPIES)
def test_what_is_copied_over_a_buffer_is_made_there(name: str) -> None:
    change, left = COPIES[name]
    start, x = torch.randn(8, 8), torch.randn(8, 8)
    theirs = start.double()
    change(torch, theirs, x.double())
    buffer = flow.from_torch(start.clone())

    def program(x: Any) -> list[Any]:
        before = buffer + 0
        change(flow, buffer, x)
        return [before, buffer * 2]

    graph = optimized(program, flow.from_torch(x))
    assert ops(graph).count("copy_") == left
    before, twice = Executable(graph, buffer.device).run([flow.from_torch(x)])
    for actual, expected in ((before, start.double()), (buffer, theirs), (twice, theirs * 2)):
        assert_close(actual, in_float64(expected))


# ----------------------------------------------------------------------------------------------------- what stays, and why


def test_what_nothing_fuses_with_stays() -> None:
    x, mean, var = flow.randn(4, 3, 5, 5), flow.zeros(3), flow.ones(3)
    assert ops(optimized(lambda x: [F.batch_norm(x, mean, var, training=True)], x)) == ["batch_norm"]
    assert ops(optimized(lambda x: [F.batch_norm(x, mean, var)], x)) == ["batch_norm_eval"]
    assert ops(optimized(lambda x: [F.batch_norm(x, mean, var).sum((0, 2, 3)).exp()], x))[0] == "batch_norm_eval"


def test_an_empty_batch_stays() -> None:
    x, mean, var = flow.randn(0, 3, 5, 5), flow.zeros(3), flow.ones(3)
    graph = optimized(lambda x: [flow.relu(F.batch_norm(x, mean, var))], x)
    assert "batch_norm_eval" in ops(graph)


def test_parts_of_another_dtype_are_none() -> None:
    """Running statistics in half: the op computes in float32, its formula would not."""
    x, mean, var = flow.randn(4, 3, 5, 5).half(), flow.zeros(3).half(), flow.ones(3).half()
    assert "batch_norm_eval" in ops(optimized(lambda x: [flow.relu(F.batch_norm(x, mean, var))], x))


def test_it_can_be_switched_off() -> None:
    x, mean, var = flow.randn(4, 3, 5, 5), flow.zeros(3), flow.ones(3)
    graph = optimized(lambda x: [flow.relu(F.batch_norm(x, mean, var))], x, without=("decompose",))
    assert ops(graph) == ["batch_norm_eval", "relu"]


def test_autocast_outside_changes_nothing() -> None:
    x, mean, var = flow.randn(4, 3, 5, 5), flow.zeros(3), flow.ones(3)
    with flow.autocast(where.device):
        graph = optimized(lambda x: [flow.relu(F.batch_norm(x, mean, var))], x)
    assert "rsqrt" in ops(graph) and "cast" not in ops(graph)


def test_what_is_decided_is_told() -> None:
    x, mean, var = flow.randn(4, 3, 5, 5), flow.zeros(3), flow.ones(3)
    program = flow.compile(lambda x: flow.relu(F.batch_norm(x, mean, var)))
    program(x)
    assert "yes batch_norm_eval in parts with relu: " in program.explain(x).why()


# ------------------------------------------------------------------------------------------------------------- any formula


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_parts_compute_what_the_op_does(data: st.DataObject) -> None:
    """Every formula, wherever it would pay: with its op in the graph and with its parts."""
    shape = data.draw(st.sampled_from(SHAPES))
    dtype = data.draw(st.sampled_from((torch.float32, torch.float16)))
    norm = Norm(shape, dtype, data.draw(st.booleans()), data.draw(st.booleans()))
    training = data.draw(st.booleans()) or norm.statistics[0] is None
    results = []
    for apart in (False, True):
        x, *statistics, weight, bias = norm.ours()
        inputs = [x, *([weight, bias] if weight is not None else [])]
        with Capture() as capture:
            program = norm.program(training, lambda m, y: y, statistics)
            graph = capture.finish(program(*[capture.input(x.meta) for x in inputs]))
        if apart:
            parts = [apart_of(node) for node in graph.nodes]
            same = {old: new for _, seen in parts for old, new in seen.items()}
            graph = replaced(replace(graph, nodes=[node for nodes, _ in parts for node in nodes]), same)
            graph.verify()
            left = {node.op.name for node in graph.nodes if is_composite(node)}
            assert left <= (set() if training else {"batch_norm_grad"})
        found = Executable(graph, x.device).run(inputs)
        results.append([*found, *[t for t in statistics if t is not None]])
    for actual, expected in zip(*results):
        close(actual, expected)


def is_composite(node: Any) -> bool:
    return isinstance(node, Compute) and node.op.definition.composite


def apart_of(node: Any) -> tuple[list[Any], dict[Any, Any]]:
    parts, seen = parts_of(node) if is_composite(node) else ([], {})
    return parts or [node], seen
