"""Random ops: distributions by their moments, seeds, generators, dtypes; and tensors whose values nobody promised."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow

N = 20_000
# Call, mean, standard deviation, bounds of the values.
DISTRIBUTIONS = {
    "flow.rand(N)": (0.5, 12**-0.5, 0, 1),
    "flow.randn(N)": (0, 1, -7, 7),
    "flow.rand_like(x)": (0.5, 12**-0.5, 0, 1),
    "flow.randn_like(x)": (0, 1, -7, 7),
    "flow.normal(2.0, 3.0, (N,))": (2, 3, -20, 24),
    "flow.empty(N).normal_(1.0, 2.0)": (1, 2, -14, 16),
    "flow.empty(N).uniform_(-1.0, 3.0)": (1, 4 * 12**-0.5, -1, 3),
    "flow.empty(N).exponential_(2.0)": (0.5, 0.5, 0, 20),
    "flow.randint(-2, 3, (N,)).float()": (0, 2**0.5, -2, 2),
    "flow.randint_like(x, 0, 10)": (4.5, 8.25**0.5, 0, 9),
    "flow.empty(N).random_(0, 4)": (1.5, 1.25**0.5, 0, 3),
    "flow.bernoulli(x * 0 + 0.3)": (0.3, 0.21**0.5, 0, 1),
    "flow.empty(N).bernoulli_(0.3)": (0.3, 0.21**0.5, 0, 1),
    "flow.nn.functional.dropout(x * 0 + 1, 0.25)": (1, 3**-0.5, 0, 4 / 3 + 1e-6),
}


def call(text: str) -> Any:
    return eval(text, {"flow": flow, "N": N, "x": flow.ones(N)})


@pytest.mark.parametrize("text", DISTRIBUTIONS)
def test_moments_and_bounds(text: str) -> None:
    mean, deviation, low, high = DISTRIBUTIONS[text]
    values = call(text).numpy().astype(numpy.float64)
    assert values.shape == (N,)
    assert abs(values.mean() - mean) < 5 * deviation / N**0.5
    assert abs(values.std() - deviation) < 0.05 * deviation
    assert low <= values.min() and values.max() <= high


@pytest.mark.parametrize("text", DISTRIBUTIONS)
def test_seed_decides_the_values(text: str) -> None:
    flow.manual_seed(5)
    first, second = call(text).numpy().copy(), call(text).numpy().copy()
    flow.manual_seed(5)
    assert numpy.array_equal(call(text).numpy(), first)
    assert not numpy.array_equal(first, second)


def test_generators_are_independent_of_the_default_one() -> None:
    flow.manual_seed(1)
    expected = flow.rand(8).tolist()
    flow.manual_seed(1)
    own = flow.Generator()
    own.manual_seed(7)
    a = flow.rand(8, generator=own).tolist()
    assert flow.rand(8).tolist() == expected
    own.manual_seed(7)
    assert flow.rand(8, generator=own).tolist() == a


@pytest.mark.parametrize("dtype", [flow.float16, flow.bfloat16, flow.float32, flow.float64], ids=lambda d: d.name)
@pytest.mark.parametrize("name", ["rand", "randn"])
def test_dtypes(name: str, dtype: flow.dtype) -> None:
    x = getattr(flow, name)(1000, dtype=dtype)
    assert x.dtype is dtype
    values = x.float().numpy()
    assert len(numpy.unique(values)) > 50
    if name == "rand":
        assert 0 <= values.min() and values.max() < 1


def test_block_size_and_shape_do_not_matter() -> None:
    """Element i depends on the seed and i alone."""
    flow.manual_seed(3)
    flat = flow.randn(5000).numpy().copy()
    flow.manual_seed(3)
    assert numpy.array_equal(flow.randn(50, 100).numpy().reshape(-1), flat)


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
def test_randperm(n: int) -> None:
    x = flow.randperm(n)
    assert x.dtype is flow.int64 and sorted(x.tolist()) == list(range(n))
    if n == 1000:
        assert x.tolist() != list(range(n))


def test_dropout() -> None:
    dropout = flow.nn.functional.dropout
    x = flow.ones(1000, requires_grad=True)
    y = dropout(x, 0.5)
    assert set(y.tolist()) == {0.0, 2.0}
    y.sum().backward()
    assert x.grad.tolist() == y.tolist()
    assert dropout(x, 0.5, training=False).tolist() == x.tolist()
    assert set(dropout(x, 1.0).tolist()) == {0.0} and dropout(x, 0.0).tolist() == x.tolist()
    with pytest.raises((RuntimeError, ValueError), match="dropout probability has to be between 0 and 1"):
        dropout(x, 1.5)


def test_zero_size() -> None:
    assert flow.rand(0, 3).shape == (0, 3) and flow.randint(0, 5, (0,)).shape == (0,)


def test_requires_grad() -> None:
    assert flow.randn(2, requires_grad=True).requires_grad


@pytest.mark.parametrize("dtype", [flow.bool, flow.int64, flow.float16, flow.float64], ids=lambda d: d.name)
def test_uninitialised_tensors(dtype: flow.dtype) -> None:
    for x in (flow.empty(2, 3, dtype=dtype), flow.empty_like(flow.ones(2, 3), dtype=dtype), flow.ones(1).new_empty((2, 3), dtype=dtype)):
        assert x.shape == (2, 3) and x.dtype is dtype and x.is_contiguous()
