"""Random ops: distributions by their moments, seeds, generators, dtypes; and tensors whose values nobody promised."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where

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
    "flow.empty(N).bernoulli_(x[0] * 0.3)": (0.3, 0.21**0.5, 0, 1),
    "flow.empty(N).random_(5)": (2, 2**0.5, 0, 4),
    "flow.empty(N, dtype=flow.int8).random_().float()": (63.5, (128**2 / 12) ** 0.5, 0, 127),
    "flow.empty(N).log_normal_(0.5, 0.25)": (1.7011, 0.4319, 0, 20),
    "flow.empty(N).geometric_(0.25)": (4, 12**0.5, 1, 100),
    "((flow.empty(N).cauchy_(1.0, 2.0) - 1).abs() < 2).float()": (0.5, 0.5, 0, 1),
    "(flow.empty(N).cauchy_(1.0, 2.0) < 1).float()": (0.5, 0.5, 0, 1),
    "flow.normal(x * 2, x * 3)": (2, 3, -20, 24),
    "flow.normal(x * 2, 3.0)": (2, 3, -20, 24),
    "flow.normal(2.0, x * 3)": (2, 3, -20, 24),
    "flow.poisson(x * 0.5)": (0.5, 0.5**0.5, 0, 12),
    "flow.poisson(x * 4)": (4, 2, 0, 30),
    "flow.poisson(x * 10)": (10, 10**0.5, 0, 50),
    "flow.poisson(x * 400)": (400, 20, 200, 600),
    "flow.binomial(x * 7, x * 0.25)": (1.75, 1.3125**0.5, 0, 7),
    "flow.binomial(x * 100, x * 0.75)": (75, 18.75**0.5, 30, 100),
    "flow.binomial(x * 1000, x * 0.02)": (20, 19.6**0.5, 0, 80),
    "flow.multinomial(flow.tensor([1.0, 0.0, 3.0]), N, replacement=True).float()": (1.5, 0.75**0.5, 0, 2),
    "flow.multinomial(flow.tensor([[1.0, 0.0, 3.0]]).expand(N, 3), 1).squeeze(1).float()": (1.5, 0.75**0.5, 0, 2),
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


FLOATS = pytest.mark.parametrize("dtype", [flow.float16, flow.bfloat16, flow.float32, flow.float64], ids=lambda d: d.name)


@FLOATS
def test_intervals_are_half_open_in_each_dtype(dtype: flow.dtype) -> None:
    """Rounding reaches the upper bound of none, in eager mode or captured; an interval of a graph is one that eager mode has drawn."""

    def draw(low: float, high: float) -> flow.Tensor:
        return flow.empty(N, dtype=dtype).uniform_(low, high)

    eps = flow.finfo(dtype).eps
    for low, high in ((0, 1), (1, 1 + eps), (100, 101), (-3, -2.5), (0.1, 0.7), (-0.7, -0.1), (0, 1e-7), (-20000, 40000)):
        for call in (draw, flow.compile(draw)):
            values = call(low, high).double()
            assert low <= values.min().item() and values.max().item() < high, (low, high)
    assert len(draw(100, 101).unique()) >= 2
    assert draw(0.7, 0.7).unique().tolist() == [flow.tensor(0.7, dtype=dtype).item()]


@pytest.mark.parametrize(("dtype", "digits"), [(flow.float16, 11), (flow.bfloat16, 8), (flow.float32, 24)], ids=str)
def test_whole_numbers_that_a_dtype_rounds_stay_in_their_interval(dtype: flow.dtype, digits: int) -> None:
    one = 2**digits  # from here on every other number is one of the dtype
    for low, high in ((0, one + 2), (one + 1, one + 20), (-one - 7, 1 - one), (0, min(2**63 - 1, 60000))):
        values = flow.randint(low, high, (N,), dtype=dtype).double()
        assert low <= values.min().item() and values.max().item() < high, (low, high)
    with pytest.raises(RuntimeError, match="casted to dtype to be less than"):
        flow.empty(1, dtype=dtype).random_(one + 1, one + 2)


@FLOATS
def test_exponential_numbers_are_positive(dtype: flow.dtype) -> None:
    for rate in (1.0, 1000.0):
        assert flow.empty(N, dtype=dtype).exponential_(rate).min().item() > 0


@pytest.mark.parametrize("size", [3 * 2**23, 3 * 2**30, 3 * 2**61, 2**64 - 2**62 - 1])
def test_every_number_of_a_large_range_is_as_likely(size: int) -> None:
    """A word modulo the size, or times it over 2^64, would favour a third of the numbers, or the lower ones."""
    low = -(2**63) if size > 2**63 else -5
    for draw in (lambda: flow.randint(low, low + size, (N,)), lambda: flow.empty(N, dtype=flow.int64).random_(low, low + size)):
        values = [x - low for x in draw().tolist()]
        assert 0 <= min(values) and max(values) < size
        for parts in ([x % 3 for x in values], [x * 3 // size for x in values]):
            counts = numpy.bincount(parts, minlength=3)
            assert abs(counts - N / 3).max() < 5 * (N * 2 / 9) ** 0.5


def test_bounds_beyond_a_dtype_are_refused() -> None:
    x = flow.empty(1, dtype=flow.float16)
    with pytest.raises(RuntimeError, match="to is out of bounds for float16"):
        x.uniform_(0, 1e6)
    with pytest.raises(RuntimeError, match="to - from to be at most"):
        x.uniform_(-60000, 60000)


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


def test_draws_without_replacement_are_a_choice_in_order() -> None:
    """The first draw has the probabilities of the row, the second those of what is left."""
    weights = flow.tensor([1.0, 2.0, 0.0, 5.0])
    drawn = flow.multinomial(weights.expand(N, 4), 3).numpy()
    assert (numpy.sort(drawn, 1) == [0, 1, 3]).all()
    first = numpy.bincount(drawn[:, 0], minlength=4) / N
    assert numpy.abs(first - [0.125, 0.25, 0, 0.625]).max() < 0.02
    second = numpy.bincount(drawn[drawn[:, 0] == 3, 1], minlength=4) / (drawn[:, 0] == 3).sum()
    assert numpy.abs(second - [1 / 3, 2 / 3, 0, 0]).max() < 0.02


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("flow.multinomial(flow.tensor([1.0, -1.0]), 1)", "element < 0"),
        ("flow.multinomial(flow.tensor([1.0, float('nan')]), 1)", "nan"),
        ("flow.multinomial(flow.zeros(2, 3), 1)", "invalid multinomial distribution"),
        ("flow.multinomial(flow.ones(3), 4)", "without replacement"),
        ("flow.poisson(flow.tensor([1.0, -1.0]))", "invalid Poisson rate"),
        ("flow.binomial(flow.ones(1), flow.tensor([1.5]))", "probability"),
        ("flow.normal(flow.ones(1), -flow.ones(1))", "std >= 0.0"),
        ("flow.empty(1).geometric_(1.0)", "p to be in"),
    ],
)
def test_wrong_parameters(text: str, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        call(text)
        where.settle()


def test_counts_are_distributed_exactly() -> None:
    """Chi-squared against the probabilities, for every way in which counts are drawn."""
    stats = pytest.importorskip("scipy.stats")
    x = flow.ones(N)
    for drawn, law in (
        (flow.poisson(x * 3), stats.poisson(3)),
        (flow.poisson(x * 25), stats.poisson(25)),
        (flow.binomial(x * 12, x * 0.3), stats.binom(12, 0.3)),
        (flow.binomial(x * 80, x * 0.6), stats.binom(80, 0.6)),
    ):
        expected = law.pmf(numpy.arange(120)) * N
        found = numpy.bincount(drawn.numpy().astype(int), minlength=120)
        often = expected > 10
        rest = numpy.array([found[~often].sum(), expected[~often].sum()])
        chi = ((found - expected) ** 2 / expected)[often].sum() + (rest[0] - rest[1]) ** 2 / max(rest[1], 1)
        assert stats.chi2(often.sum()).sf(chi) > 1e-4


def test_zero_size() -> None:
    assert flow.rand(0, 3).shape == (0, 3) and flow.randint(0, 5, (0,)).shape == (0,)


def test_requires_grad() -> None:
    assert flow.randn(2, requires_grad=True).requires_grad


@pytest.mark.parametrize("dtype", [flow.bool, flow.int64, flow.float16, flow.float64], ids=lambda d: d.name)
def test_uninitialised_tensors(dtype: flow.dtype) -> None:
    for x in (flow.empty(2, 3, dtype=dtype), flow.empty_like(flow.ones(2, 3), dtype=dtype), flow.ones(1).new_empty((2, 3), dtype=dtype)):
        assert x.shape == (2, 3) and x.dtype is dtype and x.is_contiguous()
