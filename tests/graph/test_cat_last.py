"""Pointwise ops behind a cat, and sums of gradients of slices: done on parts, with the same numbers, in few launches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests.graph.test_fusion import optimized
from tests.graph.test_layouts import run
from tritonflow.graph.plan.executable import Executable
from tritonflow.testing import assert_close

B, H, T, D = 2, 3, 5, 64


def rotate(x: Any) -> Any:
    return flow.cat((-x[..., D // 2 :], x[..., : D // 2]), dim=-1)


def rope(x: Any, cos: Any, sin: Any) -> Any:
    """Rotary embedding, as most models write it."""
    return x * cos + rotate(x) * sin


def rope_by_halves(x: Any, cos: Any, sin: Any) -> Any:
    a, b = x.chunk(2, -1)
    c, s = cos[..., : D // 2], sin[..., : D // 2]
    return flow.cat((a * c - b * s, b * c + a * s), -1)


def rope_of_a_part(x: Any, cos: Any, sin: Any) -> Any:
    return flow.cat((rope(x, cos, sin), x.exp()[..., 3:]), -1)


def tables(dtype: Any = flow.float32) -> tuple[Any, Any, Any]:
    angles = flow.arange(T).unsqueeze(1) * flow.tensor([1.0, 0.3, 0.1, 0.03] * (D // 4))
    return flow.randn(B, H, T, D).to(dtype), angles.cos().to(dtype), angles.sin().to(dtype)


@pytest.mark.parametrize(("program", "launches"), [(rope, 1), (rope_by_halves, 1), (rope_of_a_part, 3)])
def test_rotary_embedding_is_one_kernel(program: Callable[..., Any], launches: int) -> None:
    """It reads x once, and writes the result once; beside them it reads the tables."""
    x, cos, sin = tables()
    found, nbytes = run(lambda *args: [program(*args)], x, cos, sin)
    assert found == launches
    halves = {rope: 4, rope_by_halves: 2}.get(program, 0)
    assert not halves or nbytes == 4 * (2 * x.numel() + halves * T * D // 2)


@pytest.mark.parametrize("dtype", [flow.float32, flow.bfloat16, flow.float64])
@pytest.mark.parametrize("program", [rope, rope_by_halves])
def test_its_gradient_is_one_kernel_too(program: Callable[..., Any], dtype: Any) -> None:
    def gradient(x: Any, cos: Any, sin: Any, dy: Any) -> Any:
        x = x.detach().requires_grad_()
        return flow.autograd.grad(program(x, cos, sin), x, dy)

    x, cos, sin = tables(dtype)
    dy = flow.randn(B, H, T, D).to(dtype)
    graph = optimized(gradient, x, cos, sin, dy)
    executable = Executable(graph, x.device)
    assert executable.launches == 1, str(graph)
    (found,) = executable.run((x, cos, sin, dy))
    assert_close(found, *gradient(x, cos, sin, dy))
    a, b = flow.to_torch(dy * cos).double(), flow.to_torch(dy * sin).double()
    right = a + torch.cat((b[..., D // 2 :], -b[..., : D // 2]), -1)
    assert_close(found, flow.from_torch(right).to(dtype))


def test_short_rows_are_copied() -> None:
    """A CPU's kernel of rows of 8 elements is slower than a copy of them; a GPU reads them as any others."""
    x = flow.randn(4, 8)
    assert run(lambda x: [flow.cat([x.exp(), x.sin()], 1) * 2], x)[0] == (1 if x.is_cuda else 5)


def test_what_else_reads_a_cat_gets_it_whole() -> None:
    x = flow.randn(4, 64)
    run(lambda x: [a := flow.cat([x, -x], 1), a.exp()], x)
    run(lambda x: [flow.cat([x, -x], 1).exp().sum(0), flow.cat([x, -x]).exp().softmax(1)], x)
    run(lambda x: [(flow.cat([x, -x], 1).t() * 2).exp()], x)
    run(lambda x: [flow.cat([x, -x], 1).exp() + x[:, :1], flow.cat([x[:, :1], x[:, 1:2]], 1) + x[:, :1]], x)
    run(lambda x: [flow.cat([x, -x], 0).exp().view(2, 4, 64) + flow.cat([x, -x], 0).view(2, 4, 64)], x)
    run(lambda x: [flow.cat([flow.cat([x, -x], 1).exp(), x, flow.cat([x, x])[:4]], 1) * 2], x)
    run(lambda x: [flow.cat([flow.cat([x, -x], 1), flow.cat([x, -x], 1).neg()], 0).exp()], x)
    run(lambda x: [flow.cat([x.int(), x.mul(3).int()], 1) // 2, (flow.cat([x, -x]) > 0).float()], x)
    run(lambda x: [flow.cat([x[:0], x, -x]).exp(), flow.cat([x[:, k : k + 1] for k in range(64)], 1).exp()], x)


def test_slices_that_are_returned_share_memory() -> None:
    """As views of one tensor do; only what kernels read may be made by parts."""

    def program(x: Any) -> tuple[Any, ...]:
        y = x * 3
        return y[:, :32], y[:, 32:], flow.cat((-x[:, 32:], x[:, :32]), 1) + 1, (y[:, :32] + 1).sum()

    f = flow.compile(program, fullgraph=True)
    x = flow.randn(4, 64)
    for _ in range(2):
        left, right, *_ = f(x)
        left.fill_(7.0)
        assert left.untyped_storage().data_ptr() == right.untyped_storage().data_ptr()
        assert left.as_strided((4, 64), (64, 1))[:, :32].eq(7).all() and right.equal(program(x)[1])


def test_gradients_of_overlapping_slices() -> None:
    """Where no slice has a gradient, what is multiplied, cast or added to there is 0, not nothing."""

    def gradient(x: Any, w: Any) -> Any:
        x = x.detach().requires_grad_()
        y = x.to(flow.float64) * w
        z = y[:, 32:64] * y[:, 32:64].sin() + (y[:, 32:96] * y[:, 32:96])[:, :32]
        return flow.autograd.grad((z * z).sum(), x)

    x, w = flow.randn(4, 128), flow.full((4, 128), 3.0, dtype=flow.float64)
    graph = optimized(gradient, x, w)
    assert str(graph).count("region_grad") < 2
    assert_close(*Executable(graph, x.device).run((x, w)), *gradient(x, w))


def test_parts_of_broadcast_values() -> None:
    """A cat of one row, done by parts and then broadcast, is whole where another cat of all rows is cut elsewhere."""

    def program(x: Any, row: Any) -> Any:
        bias = flow.cat((row[:, :32], -row[:, 32:]), 1) * 2
        return flow.cat((x[:, 64:], x[:, :64]), 1) * (bias + x)

    run(lambda *args: [program(*args)], flow.randn(4, 128), flow.randn(1, 128))


def test_zeros_keep_their_signs() -> None:
    """A gradient of -0 plus the zeros beside a slice's gradient is 0, as in eager mode."""

    def gradient(x: Any, w: Any) -> Any:
        x = x.detach().requires_grad_()
        return flow.autograd.grad((x * w).sum() + (x[:, :40] * 2).sum(), x)

    x, w = flow.randn(3, 80), flow.full((3, 80), -0.0)
    (eager,) = gradient(x, w)
    (found,) = Executable(optimized(gradient, x, w), x.device).run((x, w))
    assert numpy.array_equal(numpy.signbit(found.numpy()), numpy.signbit(eager.numpy()))


@st.composite
def programs(draw: st.DrawFn) -> list[tuple[int, ...]]:
    """Steps: what each does, with the values that it takes, and where it cuts."""
    return [tuple(draw(st.integers(0, 2**16)) for _ in range(4)) for _ in range(draw(st.integers(2, 9)))]


MADE: tuple[Callable[[Any, Any, int, int], Any], ...] = (
    lambda x, y, dim, at: flow.cat((x.narrow(dim, 0, at), y.narrow(dim, at, y.shape[dim] - at)), dim),
    lambda x, y, dim, at: flow.cat((x.narrow(dim, 0, at) * 2, -y.narrow(dim, at, y.shape[dim] - at)), dim),
    lambda x, y, dim, at: flow.cat((y.narrow(dim, at, y.shape[dim] - at), x.narrow(dim, 0, at)), dim),
    lambda x, y, dim, at: x + y,
    lambda x, y, dim, at: x * y[:1],
    lambda x, y, dim, at: (x - y).clamp(-3, 3),
    lambda x, y, dim, at: flow.cat((x.narrow(dim, 0, at) * x.narrow(dim, 0, at), y.narrow(dim, at, y.shape[dim] - at)), dim) * y[:1],
    lambda x, y, dim, at: (x.narrow(dim, 0, at).sum() + flow.cat((-x[:1, :32], y[:1, 32:]), 1)) + y,
    lambda x, y, dim, at: (x > y).to(x.dtype) + x,
    lambda x, y, dim, at: x.to(flow.float64).mul(0.5).to(x.dtype),
)


def run_steps(steps: list[tuple[int, ...]], values: list[Any]) -> list[Any]:
    """Values of (4, 96), which slices, cats and pointwise ops make of each other."""
    values = list(values)
    for kind, a, b, cut in steps:
        x, y, dim = values[a % len(values)], values[b % len(values)], cut % 2
        values.append(MADE[kind % len(MADE)](x, y, dim, (1 + cut // 2 % 3) if dim == 0 else 32 * (1 + cut // 2 % 2)))
    return values


@settings(max_examples=30)
@given(programs(), st.sampled_from((flow.float64, flow.bfloat16)), st.lists(st.integers(0, 100), min_size=1, max_size=3))
def test_random_programs(steps: list[tuple[int, ...]], dtype: Any, wanted: list[int]) -> None:
    """Results and gradients, as eager mode has them."""
    x, y, w = (flow.randn(4, 96).to(dtype) for _ in range(3))

    def program(x: Any, y: Any, w: Any) -> list[Any]:
        x, y = x.detach().requires_grad_(), y.detach().requires_grad_()
        values = run_steps(steps, [x, y])
        results = [values[k % len(values)] for k in wanted]
        loss = sum((value * w).sum() for value in results)
        return [*[value.detach() * 1 for value in results], *flow.autograd.grad(loss, (x, y), allow_unused=True, materialize_grads=True)]

    executable = Executable(optimized(program, x, y, w), x.device)
    for found, expected in zip(executable.run((x, y, w)), program(x, y, w), strict=True):
        assert_close(found, expected)
