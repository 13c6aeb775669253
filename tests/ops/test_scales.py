"""Results and gradients of numbers far from 1: no square on the way is too large or too small for float32 where the result fits.

Each function is computed in float32 and, by torch, in float64, from one tensor times powers of 10.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy
import pytest
import torch

import tritonflow as flow

FLOAT32 = torch.finfo(torch.float32)
SMALL, LARGE = [1e-30, 1e-24, 1e-20, 1e-12], [1e12, 1e16, 1e20, 1e30]

# (function of a package and a tensor, the scales)
FUNCTIONS: dict[str, tuple[Callable[[Any, Any], Any], list[float]]] = {
    "std": (lambda p, x: x.std(), SMALL + LARGE),
    "std of rows": (lambda p, x: x.std(1), SMALL + LARGE),
    "std of columns": (lambda p, x: x.std(0), SMALL + LARGE),
    "std_mean": (lambda p, x: p.std_mean(x, 1)[0], SMALL + LARGE),
    "std around a number": (lambda p, x: (x + x.detach().abs().max() * 50).std(1), SMALL + LARGE),
    "var": (lambda p, x: x.var(1), [1e-18, 1e-12, 1e12, 1e18]),
    "cosine_similarity": (lambda p, x: p.nn.functional.cosine_similarity(x, x.flip(1) + x.flip(0)), LARGE[:2]),
    "asinh": (lambda p, x: p.asinh(x), SMALL + LARGE),
    "acosh": (lambda p, x: p.acosh(x.abs()), LARGE),
    "log_prob": (lambda p, x: p.distributions.Normal(x * 2, x.abs() + x.detach().abs().max()).log_prob(x), SMALL + LARGE),
}


def gradients(package: Any, function: Callable[[Any], Any], x: Any) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The result, and the gradient of the sum of the result times the numbers 1, 2, 3 ..."""
    x.requires_grad_()
    out = function(x)
    weights = package.arange(1, out.numel() + 1, dtype=out.dtype).reshape(out.shape)
    (gradient,) = package.autograd.grad((out * weights).sum(), x)
    return out.detach().numpy(), gradient.numpy()


def assert_close(found: numpy.ndarray, expected: numpy.ndarray) -> None:
    """Equal to six digits of the largest, where float32 has such numbers."""
    fits = numpy.abs(expected) <= FLOAT32.max
    error = numpy.abs(found - expected)[fits]
    assert (error <= 2e-5 * numpy.abs(expected[fits]).max() + FLOAT32.tiny).all(), (found, expected)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_scaled_numbers(name: str, compiled: bool) -> None:
    function, scales = FUNCTIONS[name]
    ours = flow.compile(lambda x: function(flow, x)) if compiled else lambda x: function(flow, x)
    numbers = torch.randn(5, 7, generator=torch.Generator().manual_seed(3))
    numbers[numbers.abs() < 0.1] = 0.3
    for scale in scales:
        x = numbers * scale
        expected = gradients(torch, lambda x: function(torch, x), x.double())
        for found, exact in zip(gradients(flow, ours, flow.tensor(x.numpy())), expected, strict=True):
            assert_close(found, exact)


@pytest.mark.parametrize("shape", [(70000,), (300, 1100), (2, 40000), (40000, 3)])
def test_deviations_of_many_tiny_and_huge_numbers(shape: tuple[int, ...]) -> None:
    """Those that several programs reduce."""
    numbers = torch.randn(shape, generator=torch.Generator().manual_seed(4))
    for scale in (1e-30, 1e-21, 1e21, 1e30):
        x = numbers * scale
        for dim in (None, 0, -1):
            found = flow.std(flow.tensor(x.numpy()), dim)
            numpy.testing.assert_allclose(found.numpy(), torch.std(x.double(), dim).numpy(), rtol=2e-5)


def test_deviations_of_what_is_no_number_are_none() -> None:
    x = flow.tensor([[math.inf, 1.0, 2.0], [math.nan, 1.0, 2.0], [0.0, 0.0, 0.0], [1e-45, 1e-45, 1e-45], [3e38, -3e38, 3e38]])
    found = x.std(1).numpy()
    assert numpy.isnan(found[:2]).all() and (found[2:4] == 0).all()
    assert (x.var(1).numpy()[4], found[4]) == (math.inf, numpy.float32(math.inf))


def test_slopes_of_erfcx_far_from_0() -> None:
    """2 x erfcx(x) and 2 / sqrt(pi) cancel where x is large."""
    points = [-2.0, 0.5, 10.0, 29.9, 30.1, 100.0, 1e4, 1e8]
    with mpmath.workdps(60):
        wide = [mpmath.mpf(x) for x in points]
        exact = [float(2 * x * mpmath.exp(x * x) * mpmath.erfc(x) - 2 / mpmath.sqrt(mpmath.pi)) for x in wide]
    for dtype, rtol in ((flow.float64, 1e-8), (flow.float32, 1e-5)):
        x = flow.tensor(points, dtype=dtype, requires_grad=True)
        flow.special.erfcx(x).sum().backward()
        numpy.testing.assert_allclose(x.grad.numpy(), exact, rtol=rtol)
    assert float(flow.autograd.grad(flow.special.erfcx(at := flow.tensor(math.inf, requires_grad=True)), at)[0]) == 0


@pytest.mark.parametrize("name", ["i0e", "i1e"])
def test_slopes_of_scaled_bessel_functions_far_from_0(name: str) -> None:
    """Of order x ** -1.5, where the terms are of order x ** -0.5."""
    points = [-1e4, -100.0, -0.5, 0.5, 5.0, 100.0, 1e4]
    order = int(name[1])
    with mpmath.workdps(40):
        exact = [float(mpmath.diff(lambda t: mpmath.besseli(order, t) * mpmath.exp(-abs(t)), mpmath.mpf(x))) for x in points]
    for dtype, rtol in ((flow.float64, 1e-9), (flow.float32, 1e-6), (flow.float16, 1e-3)):
        x = flow.tensor(points, dtype=dtype, requires_grad=True)
        getattr(flow.special, name)(x).sum().backward()
        numpy.testing.assert_allclose(x.grad.numpy(), exact, rtol=rtol, atol=6e-8 if dtype is flow.float16 else 0)


def test_slope_of_i1e_near_0() -> None:
    x = flow.tensor([1e-38, -1e-38, 1e-30, 0.0], requires_grad=True)
    flow.special.i1e(x).sum().backward()
    numpy.testing.assert_allclose(x.grad.numpy(), 0.5, rtol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_glu_of_half_types_rounds_once(dtype: torch.dtype) -> None:
    """Neither the gate nor a product of the backward pass is rounded, or overflows, on the way."""
    numbers = torch.randn(8, 32, generator=torch.Generator().manual_seed(5)) * 4
    numbers[0], numbers[1, ::2] = -2e4, 2e4
    narrow = numbers.to(dtype)
    ours = flow.tensor(narrow.float().numpy()).to(getattr(flow, str(dtype).removeprefix("torch.")))
    found = gradients(flow, lambda x: 2.0 * flow.nn.functional.glu(ours + x - x.detach()).float(), flow.zeros(8, 32))
    expected = gradients(torch, lambda x: 2 * torch.nn.functional.glu(x), narrow.double())
    for result, exact in zip(found, expected, strict=True):
        fits = numpy.abs(exact) <= torch.finfo(dtype).max
        numpy.testing.assert_allclose(result[fits], exact[fits], rtol=2 * torch.finfo(dtype).eps, atol=1e-4)
        assert not numpy.isnan(result).any()


def test_threshold_passes_gradients_of_nan_as_it_passes_nan() -> None:
    x = flow.tensor([math.nan, 0.5, 2.0], requires_grad=True)
    y = flow.threshold(x, 1.0, 20.0)
    y.backward(flow.tensor([1.0, 2.0, 3.0]))
    numpy.testing.assert_array_equal(y.detach().numpy(), [math.nan, 20.0, 2.0])
    numpy.testing.assert_array_equal(x.grad.numpy(), [1.0, 0.0, 3.0])
