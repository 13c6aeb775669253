"""Reductions on a GPU, a stand-in: variances in one pass, and the first largest element by lanes."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda

SHAPES = [((3, 20000), 1), ((20000, 3), 0), ((7, 100), 1), ((4, 5, 5000), (0, 2)), ((200003,), 0)]


@pytest.mark.parametrize(
    ("shape", "dim", "dtype"),
    [
        *[(*s, flow.float32) for s in SHAPES[::3]],
        *[pytest.param(*s, flow.float32, marks=pytest.mark.long) for k, s in enumerate(SHAPES) if k % 3],
        (*SHAPES[0], flow.bfloat16),
        pytest.param(*SHAPES[1], flow.float64, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_variance(cuda: FakeCuda, shape: Any, dim: Any, dtype: Any) -> None:
    """Of numbers around 0, around 1000, and around 0 with a large one in the first tile."""
    rng = numpy.random.default_rng(0)
    x = rng.standard_normal(shape)
    outlier = x.copy()
    outlier.flat[5] = 1e6
    for values in (x, x + 1000, outlier):
        t = flow.tensor(values, dtype=dtype)
        exact = t.to(flow.float64).numpy()
        ours = t.to("cuda").var(dim).to("cpu").to(flow.float64).numpy()
        tolerance = {flow.float32: 1e-6, flow.bfloat16: 4e-3, flow.float64: 1e-11}[dtype]
        numpy.testing.assert_allclose(ours, exact.var(dim, ddof=1), rtol=tolerance)


def test_variance_of_special_values(cuda: FakeCuda) -> None:
    x = numpy.ones((4, 20000), dtype=numpy.float32)
    x[0, 19000], x[1, 3], x[2, 3] = numpy.nan, numpy.inf, 3e38
    ours = flow.tensor(x, device="cuda").var(1).to("cpu").numpy()
    numpy.testing.assert_array_equal(ours, [numpy.nan, numpy.nan, numpy.inf, 0])


@pytest.mark.parametrize(
    ("shape", "dim", "dtype"),
    [
        (*SHAPES[1], flow.float32),
        *[pytest.param(*s, flow.float32, marks=pytest.mark.long) for s in SHAPES if isinstance(s[1], int) and s is not SHAPES[1]],
        pytest.param(*SHAPES[0], flow.float64, marks=pytest.mark.long),
        (*SHAPES[0], flow.uint8),
    ],
    ids=str,
)
@pytest.mark.sampled(most=1)
def test_where_the_largest_is(cuda: FakeCuda, shape: Any, dim: int, dtype: Any) -> None:
    """Few distinct numbers, so that the first of equals is asked for, in tiles and among them."""
    rng = numpy.random.default_rng(0)
    x = flow.tensor(rng.integers(0, 4, shape), dtype=dtype)
    check_where(x, dim)


@pytest.mark.parametrize("n", [300, 20000])
def test_where_special_values_are(cuda: FakeCuda, n: int) -> None:
    inf, nan = numpy.inf, numpy.nan
    x = numpy.random.default_rng(0).standard_normal((6, n)).astype(numpy.float32)
    x[0, 99::100], x[1], x[2], x[3, 200:], x[4, n - 1] = nan, -inf, inf, -inf, nan
    x[5], x[5, 7] = -inf, -1
    check_where(flow.tensor(x), 1)


def check_where(x: flow.Tensor, dim: int) -> None:
    """The GPU finds what the CPU does."""
    y = x.to("cuda")
    for name in ("argmax", "argmin"):
        numpy.testing.assert_array_equal(getattr(y, name)(dim).to("cpu").numpy(), getattr(x, name)(dim).numpy())
    for name in ("max", "min"):
        for ours, expected in zip(getattr(y, name)(dim), getattr(x, name)(dim), strict=True):
            ours, expected = ours.to("cpu").to(flow.float64), expected.to(flow.float64)
            numpy.testing.assert_array_equal(ours.numpy(), expected.numpy())
