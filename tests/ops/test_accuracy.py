"""Reductions, scans and norms of inputs that are long, large or cancel: errors bounded by the number of float32 roundings.

A tile has at most 4096 elements, which the CPU adds in chains of 128 and a tree; tiles are added up in float64. Scans and products
are computed in float64, and rounded once. bench/accuracy.py compares more of them with torch: docs/accuracy.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow

ROUNDING = 2.0**-24  # of float32, relative
TILE = 140  # roundings one after the other, of a tile and of what comes behind it
F = flow.nn.functional


def relative_error(actual: Any, exact: torch.Tensor) -> float:
    return ((flow.to_torch(actual).double() - exact).abs().max() / exact.abs().max()).item()


def around(mean: float, deviation: float, *shape: int) -> torch.Tensor:
    return (torch.randn(shape, dtype=torch.float64) * deviation + mean).float()


@pytest.mark.parametrize("compiled", (False, True), ids=("eager", "compiled"))
@pytest.mark.parametrize(("mean", "deviation"), ((1e8, 16.0), (1e4, 0.01)))
@pytest.mark.parametrize(("shape", "dim"), (((1 << 18,), 0), ((4, 3000), 1), ((3000, 20), 0)), ids=("all", "rows", "columns"))
def test_variances_around_a_large_mean(shape: tuple[int, ...], dim: int, mean: float, deviation: float, compiled: bool) -> None:
    x = around(mean, deviation, *shape)

    def program(x: Any) -> Any:
        x = x * 1.0
        return flow.std(x, dim), *flow.var_mean(x, dim)

    std, var, center = (flow.compile(program) if compiled else program)(flow.from_torch(x))
    exact = x.double()
    assert relative_error(std, exact.std(dim)) < TILE * ROUNDING
    assert relative_error(var, exact.var(dim)) < TILE * ROUNDING
    assert relative_error(center, exact.mean(dim)) < TILE * ROUNDING


def test_a_variance_of_equal_numbers_is_zero() -> None:
    assert flow.var(flow.full((3, 1000), 1e8 / 3), 1).tolist() == [0, 0, 0]


@pytest.mark.parametrize("columns", (8000, 20000), ids=("a tile", "several tiles"))
def test_layer_norm_of_wide_rows_around_a_large_mean(columns: int) -> None:
    x = around(1e8, 16.0, 2, columns)
    exact = torch.nn.functional.layer_norm(x.double(), (columns,))
    assert relative_error(F.layer_norm(flow.from_torch(x), (columns,)), exact) < TILE * ROUNDING


@pytest.mark.parametrize("shape", ((4, 3, 40, 40), (2000, 3)), ids=("images", "rows"))
def test_batch_statistics_around_a_large_mean(shape: tuple[int, ...]) -> None:
    x = around(1e8, 16.0, *shape)
    mean, var = flow.zeros(3), flow.zeros(3)
    F.batch_norm(flow.from_torch(x), mean, var, training=True, momentum=1.0)
    by_channel = x.double().transpose(0, 1).reshape(3, -1)
    assert relative_error(mean, by_channel.mean(1)) < TILE * ROUNDING
    assert relative_error(var, by_channel.var(1)) < TILE * ROUNDING


@pytest.mark.parametrize("name", ("cumsum", "cumprod"))
def test_a_scan_rounds_once(name: str) -> None:
    x = torch.rand(1 << 19) if name == "cumsum" else torch.exp(torch.randn(1 << 19) / 700)
    exact = getattr(torch, name)(x.double(), 0)
    scanned = getattr(flow, name)(flow.from_torch(x), 0)
    assert ((flow.to_torch(scanned).double() - exact).abs() <= ROUNDING * 1.001 * exact.abs()).all()


def test_a_long_product_rounds_once() -> None:
    x = torch.exp(torch.randn(1 << 19) / 700)
    assert relative_error(flow.prod(flow.from_torch(x)), x.double().prod()) <= ROUNDING * 1.001


@pytest.mark.parametrize("shape", ((1 << 20,), (1 << 16, 16)), ids=("all", "columns"))
def test_rounding_of_equal_numbers_does_not_add_up(shape: tuple[int, ...]) -> None:
    x = around(1e8, 16.0, *shape)
    assert relative_error(flow.mean(flow.from_torch(x), 0), x.double().mean(0)) < TILE * ROUNDING


def test_what_cancels_is_bounded_by_what_is_added() -> None:
    values = numpy.concatenate([numpy.full(1 << 16, 1e8), numpy.full(1 << 16, -1e8), numpy.random.standard_normal(1 << 17)])
    x = torch.from_numpy(numpy.random.permutation(values)).float()
    error = abs(flow.sum(flow.from_torch(x)).item() - x.double().sum().item())
    assert error < TILE * ROUNDING * x.double().abs().sum().item()


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16), ids=str)
@pytest.mark.parametrize("order", (3.0, 1.5))
def test_norms_of_half_types_round_once(order: float, dtype: torch.dtype) -> None:
    x = (torch.arange(1392) % 37).to(dtype)
    exact = x.double().pow(order).sum().pow(1 / order)
    actual = flow.norm(flow.from_torch(x), order)
    assert flow.to_torch(actual).dtype == dtype
    assert relative_error(actual, exact) <= torch.finfo(dtype).eps / 2 + TILE * ROUNDING


def _programs() -> dict[str, Callable[[Any, Any], Any]]:
    return {
        "logsumexp": lambda m, x: m.logsumexp(x, 1),
        "softmax": lambda m, x: m.softmax(x, 1),
        "cross entropy": lambda m, x: m.nn.functional.cross_entropy(x, m.zeros(x.shape[0], dtype=m.int64)),
    }


@pytest.mark.parametrize("name", _programs())
def test_exponentials_of_long_rows(name: str) -> None:
    x = around(0.0, 10.0, 3, 20000)
    program = _programs()[name]
    assert relative_error(program(flow, flow.from_torch(x)), program(torch, x.double())) < TILE * ROUNDING


LOSSES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "classes": lambda f, x, y: f.cross_entropy(x, y, reduction="none"),
    "smoothed": lambda f, x, y: f.cross_entropy(x, y, reduction="none", label_smoothing=0.1),
    "weights": lambda f, x, y: f.cross_entropy(x, y, x.new_full((3,), 2.0), label_smoothing=0.1),
    "image": lambda f, x, y: f.cross_entropy(x.t()[None], y[None], reduction="sum", label_smoothing=0.1),
    "probabilities": lambda f, x, y: f.cross_entropy(x, f.one_hot(y, 3).to(x.dtype), label_smoothing=0.1),
    "log_softmax": lambda f, x, y: f.nll_loss(f.log_softmax(x, 1), y),
}


@pytest.mark.parametrize("compiled", (False, True), ids=("eager", "compiled"))
@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize(("dtype", "far"), (("float32", 1e6), ("float32", -3e38), ("float64", -1e300), ("bfloat16", -1e9)))
@pytest.mark.sampled
def test_losses_of_logits_far_from_zero(dtype: str, far: float, name: str, compiled: bool) -> None:
    """What is added to all logits of a sample changes neither the loss nor its gradient."""

    def program(x: Any, y: Any) -> Any:
        return LOSSES[name](F, x, y)

    logits = torch.tensor([[0.0, 2, -4], [8, 0, 4], [0, 0, 0], [-2, 6, 2]], dtype=torch.float64)
    x = (logits + far).to(getattr(torch, dtype))
    exact = (x.double() - far if abs(far) < 1e7 else x.double() - x.double().amax(1, True)).requires_grad_()
    y = torch.tensor([0, 2, 1, 1])
    expected = LOSSES[name](torch.nn.functional, exact, y)
    expected.sum().backward()
    own = flow.from_torch(x).requires_grad_()
    found = (flow.compile(program) if compiled else program)(own, flow.from_torch(y))
    found.sum().backward()
    tolerance = {"float32": 1e-6, "float64": 1e-12, "bfloat16": 1e-2}[dtype]
    torch.testing.assert_close(flow.to_torch(found.detach()).double(), expected.detach(), rtol=tolerance, atol=tolerance)
    torch.testing.assert_close(flow.to_torch(own.grad).double(), exact.grad, rtol=tolerance, atol=tolerance)


def test_second_derivatives_and_batches_of_logits_far_from_zero() -> None:
    x, y = flow.tensor([[1e6, 1e6 + 1, 1e6 - 2]]), flow.tensor([1])
    near = flow.tensor([[0.0, 1.0, -2.0]], dtype=flow.float64)

    def loss(x: Any) -> Any:
        return F.cross_entropy(x, y, label_smoothing=0.1)

    numpy.testing.assert_allclose(flow.func.hessian(loss)(x).numpy(), flow.func.hessian(loss)(near).numpy(), atol=1e-6)
    each = flow.vmap(flow.func.grad(loss))
    numpy.testing.assert_allclose(each(x[None]).numpy(), each(near[None]).numpy(), atol=1e-6)
    chosen = [flow.distributions.Categorical(logits=logits).log_prob(y) for logits in (x, near)]
    numpy.testing.assert_allclose(chosen[0].numpy(), chosen[1].numpy(), atol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_curvature_of_binary_cross_entropy(dtype: str) -> None:
    """It is t / x ** 2 + (1 - t) / (1 - x) ** 2, and bounded as in torch where x is 0 or 1."""
    for target in (0.0, 0.3, 1.0):
        found = []
        for m in (torch, flow):
            wide = torch.float64 if m is torch else getattr(flow, dtype)
            x = m.tensor([0.0, 1.0, 2.0**-40, 2.0**-20, 0.5, 1 - 2.0**-20], dtype=wide, requires_grad=True)
            y = m.nn.functional.binary_cross_entropy(x, m.full_like(x, target), reduction="sum")
            (first,) = m.autograd.grad(y, x, create_graph=True)
            found.append([torch.tensor(g.tolist(), dtype=torch.float64) for g in (first, m.autograd.grad(first.sum(), x)[0])])
        torch.testing.assert_close(found[1], found[0], rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]], ids=str)
@pytest.mark.parametrize("targets", [[-100, -100], [2, 2], [0, -100]], ids=str)
def test_smoothed_means_of_ignored_samples(targets: list[int], weights: list[float] | None) -> None:
    """The gradient of what is ignored is 0, recorded or not. The mean of no weight is NaN."""
    found = []
    for m in (torch, flow):
        x = m.tensor([[0.0, 2.0, -4.0], [8.0, 0.0, 4.0]], requires_grad=True)
        w = None if weights is None else m.tensor(weights)
        y = m.nn.functional.cross_entropy(x, m.tensor(targets), w, label_smoothing=0.3)
        (recorded,) = m.autograd.grad(y, x, create_graph=True)
        (second,) = m.autograd.grad((recorded * recorded).sum(), x, retain_graph=True)
        results = (y, recorded, m.autograd.grad(y, x)[0], second)
        found.append([torch.tensor(t.tolist()) for t in results])
    torch.testing.assert_close(found[1], found[0], rtol=1e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32", "float64"])
def test_the_epsilon_of_rms_norm_is_that_of_the_dtype_it_is_computed_in(dtype: str) -> None:
    found = []
    for m in (torch, flow):
        x, weight = m.tensor([[1e-3, 2e-3], [3.0, 1.0]], dtype=getattr(m, dtype)), m.ones(2, dtype=getattr(m, dtype))
        results = m.nn.functional.rms_norm(x, (2,)), m.nn.functional.rms_norm(x, (2,), weight), m.nn.RMSNorm(2, dtype=x.dtype)(x)
        found.append([torch.tensor(y.tolist()) for y in results])
    torch.testing.assert_close(found[1], found[0], rtol=1e-2 if dtype == "bfloat16" else 2e-3, atol=0)
