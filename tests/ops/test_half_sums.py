"""Sums and products of half types over many indices of one target are rounded once: they are those of float64, in eager mode and captured."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow

F = flow.nn.functional
N = 1500
_numbers = numpy.random.default_rng(0)
_ROWS, _PLACES = _numbers.integers(0, 3, N), _numbers.integers(0, 3, (N, 4))
HALVES = pytest.mark.parametrize(("dtype", "epsilon"), [(flow.bfloat16, 2.0**-8), (flow.float16, 2.0**-11)], ids=str)


def at() -> Any:
    """A target for each row, where tensors are made."""
    return flow.tensor(_ROWS)


def at_2() -> Any:
    """A target for each element."""
    return flow.tensor(_PLACES)


def gradient(function: Callable[[Any], Any], x: Any) -> Any:
    x = x.detach().requires_grad_()
    return flow.autograd.grad(function(x).sum(), x)[0]


def added(x: Any) -> Any:
    total = x[:3].clone()
    total.index_add_(0, at(), x)
    return total.t().scatter_add_(1, at_2().t(), x.t())  # a transposed target


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "in place": added,
    "index_add": lambda x: x[:3].index_add(0, at(), x, alpha=0.5),
    "scatter by add": lambda x: x[:3].scatter(0, at_2(), x, reduce="add"),
    "index_put": lambda x: x[:3].index_put((at(), at() % 2), x[:, 0], accumulate=True),
    "put": lambda x: x[:3].put(at(), x[:, 0], accumulate=True),
    "to few rows of many": lambda x: x.index_add(0, at()[:300], x[:300]),
    "mean": lambda x: x[:3].scatter_reduce(0, at_2(), x * 50, "mean", include_self=False),
    "mean by rows": lambda x: x[:3].index_reduce(0, at(), x, "mean"),
    "product": lambda x: x[:3].scatter_reduce(0, at_2()[:30], x[:30], "prod"),
    "equal maxima": lambda x: gradient(lambda v: v[:3].scatter_reduce(0, at_2(), v * 0 + 1, "amax") * 64, x),
    "gather": lambda x: gradient(lambda v: v.gather(0, at_2()) * x, x[:3]),
    "rows": lambda x: gradient(lambda v: v[at()] * x, x[:3]),
    "embedding": lambda x: gradient(lambda v: F.embedding(at(), v) * x, x[:3]),
    "embedding by frequency": lambda x: gradient(lambda v: F.embedding(at(), v, scale_grad_by_freq=True) * 50, x[:3]),
    "mean of a bag": lambda x: F.embedding_bag(at()[None], x[:3] * 50, mode="mean"),
    "means of bags": lambda x: F.embedding_bag(at(), x[:3] * 50, flow.tensor([0, 7]), mode="mean"),
    "segments": lambda x: flow.segment_reduce(x * 50, "mean", lengths=flow.tensor([5, N - 5])),
    "expand": lambda x: gradient(lambda v: v.expand(N, 4) * x, x[:1]),
    "repeat_interleave": lambda x: gradient(lambda v: v.repeat_interleave(flow.tensor([500, 1000]), 0) * x, x[:2]),
    "as_strided": lambda x: gradient(lambda v: v.as_strided((N, 4), (0, 1)) * x, x[:2]),
    "windows": lambda x: gradient(lambda v: v.as_strided((N - 300, 300), (1, 1)) / 8, x[:, 0].contiguous()),
    "unfold": lambda x: gradient(lambda v: v.unfold(0, 300, 1) / 8, x[:, 0]),
    "replicated": lambda x: gradient(lambda v: F.pad(v[None, None], (900, 900), mode="replicate"), x[:3, 0]),
}  # fmt: skip


@HALVES
@pytest.mark.parametrize("name", PROGRAMS)
def test_sums_are_rounded_once(name: str, dtype: flow.dtype, epsilon: float) -> None:
    x = flow.tensor(numpy.random.default_rng(1).uniform(0, 2, (N, 4))).to(dtype)
    found, expected = PROGRAMS[name](x), PROGRAMS[name](x.double())
    assert found.dtype is dtype
    close_by(found, expected, 1.5 * epsilon)


@HALVES
@pytest.mark.parametrize("p", [0.5, 1.0, 1.5, 2.0, 3.0, math.inf], ids=str)
def test_gradients_of_distances_are_rounded_once(p: float, dtype: flow.dtype, epsilon: float) -> None:
    x = flow.tensor(numpy.random.default_rng(1).normal(0, 4, (600, 3))).to(dtype)
    for program in (lambda v: flow.cdist(v, v[:20] * 2, p), lambda v: F.pdist(v[:150], p)):
        found, expected = gradient(program, x), gradient(program, x.double())
        close_by(found, expected, 1.5 * epsilon, expected.abs().max().item() * epsilon)


def close_by(found: Any, expected: Any, tolerance: float, least: float = 1e-6) -> None:
    numpy.testing.assert_allclose(found.double().numpy(), expected.numpy(), rtol=tolerance, atol=least)


@pytest.mark.parametrize("name", ["in place", "mean", "embedding", "unfold"])
def test_captured_sums_are_rounded_once(name: str) -> None:
    x = flow.tensor(numpy.random.default_rng(1).uniform(0, 2, (N, 4))).to(flow.bfloat16)
    close_by(flow.compile(PROGRAMS[name])(x), PROGRAMS[name](x.double()), 2.0**-7)


# Sums with a product that is rounded with them: input, beta, alpha, and the right result. The product is [[1, 2048]] @ ones(2, 1),
# or [[100, ...]] @ [[100], ...] of ten.
SUMS_WITH_PRODUCTS: dict[str, Callable[..., Any]] = {
    "addmm": lambda x, a, b, **k: flow.addmm(x, a, b, **k),
    "in place": lambda x, a, b, **k: x.clone().addmm_(a, b, **k),
    "compiled": lambda x, a, b, **k: flow.compile(lambda x, a, b: flow.addmm(x, a, b, **k))(x, a, b),
    "batched": lambda x, a, b, **k: flow.vmap(lambda a: flow.addmm(x, a, b, **k))(a[None]),
    "addmv": lambda x, a, b, **k: flow.addmv(x[0], a, b[:, 0], **k),
    "baddbmm": lambda x, a, b, **k: flow.baddbmm(x, a[None], b[None], **k),
    "addbmm": lambda x, a, b, **k: flow.addbmm(x, a.t()[:, None], b[:, None], **k),
}


@pytest.mark.parametrize("name", SUMS_WITH_PRODUCTS)
def test_sums_with_products_are_rounded_once(name: str) -> None:
    program = SUMS_WITH_PRODUCTS[name]

    def found(start: float, row: list[float], column: float, dtype: Any, **factors: float) -> float:
        a = flow.tensor([row], dtype=dtype)
        out = program(flow.tensor([[start]], dtype=dtype), a, flow.full((len(row), 1), column, dtype=dtype), **factors)
        assert out.dtype is dtype
        return out.item()

    assert found(-2048, [1, 2048], 1, flow.float16) == 1
    assert found(-256, [1, 256], 1, flow.bfloat16) == 1
    assert found(60000, [100] * 10, 100, flow.float16, beta=-1) == 40000
    assert found(0, [100] * 10, 100, flow.float16, beta=0, alpha=0.5) == 49984
    assert found(16, [100] * 10, 100, flow.float16, alpha=0.5) == 50016
    assert found(math.nan, [100] * 10, 100, flow.float16, beta=0, alpha=0.5) == 49984


def test_outer_products_and_bilinear_forms_are_rounded_once() -> None:
    def half(*values: float) -> flow.Tensor:
        return flow.tensor(values, dtype=flow.float16)

    assert flow.addr(half(-4096)[None], half(65), half(63)).item() == -1
    assert F.bilinear(half(1), half(1, 2048), flow.ones(1, 1, 2).half(), half(-2048)).item() == 1
    assert F.bilinear(half(300), half(300), flow.full((1, 1, 1), 0.5).half(), half(24)).item() == 45024


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("dims", [1, 2])
def test_transposed_convolutions_round_the_sum_with_the_bias(dims: int, groups: int) -> None:
    transposed = getattr(F, f"conv_transpose{dims}d")
    x = flow.tensor([1.0, 2048.0] * groups).half().reshape(1, 2 * groups, *[1] * dims)
    weight, bias = flow.ones(2 * groups, 1, *[1] * dims).half(), flow.full((groups,), -2048.0).half()
    expected = [1.0] * groups
    for call in (transposed, flow.compile(transposed)):
        found = call(x, weight, bias, groups=groups)
        assert found.dtype is flow.float16 and found.flatten().tolist() == expected
    many = flow.vmap(lambda w, b: transposed(x, w, b, groups=groups))(weight[None], bias[None])
    assert many.flatten().tolist() == expected


@HALVES
def test_gradients_of_transposed_convolutions(dtype: flow.dtype, epsilon: float) -> None:
    x = flow.tensor(numpy.random.default_rng(1).normal(0, 2, (2, 4, 5, 5))).to(dtype)
    for groups in (1, 4):

        def program(v: Any, groups: int = groups) -> Any:
            return F.conv_transpose2d(v, v[:, :, :3, :3].reshape(8, 9)[:4].reshape(4, 1, 3, 3), v[0, 0, 0, :groups], groups=groups)

        found, expected = gradient(program, x), gradient(program, x.double())
        close_by(found, expected, 4 * epsilon, expected.abs().max().item() * 2 * epsilon)


@HALVES
def test_gradients_of_sums_with_products(dtype: flow.dtype, epsilon: float) -> None:
    x = flow.tensor(numpy.random.default_rng(1).normal(0, 4, (8, 8))).to(dtype)
    for program in (
        lambda v: flow.addmm(v, v, v.t(), beta=2, alpha=0.5),
        lambda v: flow.addmv(v[0], v, v[1]),
        lambda v: flow.addr(v, v[0], v[1], alpha=2),
        lambda v: flow.baddbmm(v, v[None], v[None]),
        lambda v: flow.addmm(v, v, v, beta=0),
    ):
        found, expected = gradient(program, x), gradient(program, x.double())
        close_by(found, expected, 4 * epsilon, expected.abs().max().item() * 2 * epsilon)


def test_many_ones() -> None:
    """In bfloat16 256 + 1 is 256."""
    at, ones = flow.zeros(4096, dtype=flow.int64), flow.ones(4096, dtype=flow.bfloat16)
    assert flow.zeros(1, dtype=flow.bfloat16).scatter_add(0, at, ones).item() == 4096
