"""Sorts on a GPU, a stand-in: by keys, with the values and positions that a CPU gives."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda
from tritonflow.kernels import sort_keys


@pytest.fixture(autouse=True)
def _short_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few elements take several merges."""
    monkeypatch.setattr(sort_keys, "TILE", 16)


def numbers(*shape: int, dtype: Any = flow.float32) -> Any:
    """Numbers with repetitions, both zeros, infinities and NaN."""
    drawn = numpy.random.default_rng(0).integers(-9, 9, shape) / 2.0
    if dtype.is_floating_point:
        for k, value in enumerate((-0.0, 0.0, numpy.inf, -numpy.inf, numpy.nan, -numpy.nan)):
            drawn.reshape(-1)[k * 3 + 1 : 40 : 20] = value
    return flow.tensor(drawn).to(dtype)


def same_on_both(x: Any, *arguments: Any, call: Any = flow.sort, **options: Any) -> None:
    for ours, theirs in zip(call(x.to("cuda"), *arguments, **options), call(x, *arguments, **options)):
        ours, theirs = (t.to("cpu").to(flow.float64).numpy() for t in (ours, theirs))
        numpy.testing.assert_array_equal(ours, theirs)
        assert (numpy.signbit(ours) == numpy.signbit(theirs))[theirs == theirs].all()


@pytest.mark.sampled(most=2)
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("n", [1, 16, 17, 300, 1500])
def test_lengths(compiled: list[str], n: int, descending: bool) -> None:
    same_on_both(numbers(2, n), 1, descending)
    assert "sort_runs" not in compiled and ("merge_tiles" in compiled) == (n > 16)


@pytest.mark.parametrize(
    "dtype",
    [
        flow.bfloat16,
        flow.int32,
        *[pytest.param(d, marks=pytest.mark.long) for d in (flow.float16, flow.int8, flow.uint8, flow.bool)],
    ],
    ids=lambda d: d.name,
)
def test_dtypes_and_dimensions(compiled: list[str], dtype: Any) -> None:
    x = numbers(5, 100, 3, dtype=dtype)
    same_on_both(x, 1)
    same_on_both(x.transpose(0, 1), 0, True)
    assert "sort_runs" not in compiled


def test_elements_of_64_bits(compiled: list[str]) -> None:
    """They leave no room for a position."""
    same_on_both(numbers(70, dtype=flow.float64))
    assert "sort_runs" in compiled


@pytest.mark.parametrize(
    ("n", "k"),
    [(17, 17), (300, 129), *[pytest.param(*k, marks=pytest.mark.long) for k in ((300, 20), (1500, 40), (9000, 3))]],
)
def test_topk(compiled: list[str], n: int, k: int) -> None:
    x = numbers(2, n)
    expected = flow.sort(x, 1, True)  # topk takes the first of equal elements here
    for ours, theirs in zip(flow.topk(x.to("cuda"), k, 1), expected):
        numpy.testing.assert_array_equal(ours.to("cpu").numpy(), theirs.numpy()[:, :k])


@pytest.mark.parametrize("dtype", [flow.float32, flow.int32], ids=lambda d: d.name)
@pytest.mark.parametrize("largest", [True, False])
def test_topk_of_long_rows_sorts_few_blocks(compiled: list[str], largest: bool, dtype: Any) -> None:
    """Equal elements by the order of their positions; the last block is not full, and has some of the first elements."""
    x = numbers(3, 5003, dtype=dtype)
    x[:, 5000:] = 100 if largest else -100
    expected = flow.sort(x, 1, largest)
    for found in (flow.topk(x.to("cuda"), 19, 1, largest), flow.topk(x.T.to("cuda"), 19, 0, largest)):
        for ours, theirs in zip(found, expected):
            ours = ours.to("cpu").numpy()
            numpy.testing.assert_array_equal(ours if ours.shape == (3, 19) else ours.T, theirs.numpy()[:, :19])
    assert "block_keys" in compiled and "sort_runs" not in compiled


def test_topk_where_most_elements_are_equal(compiled: list[str]) -> None:
    """NaN, which is the largest, in fewer places than are asked for."""
    x = flow.zeros(2, 4999)
    x[0, 4990:] = float("nan")
    x[1, 3] = float("-inf")
    for largest in (True, False):
        same_on_both(x, 18, 1, largest, call=_in_order)
    assert "block_keys" in compiled


def _in_order(x: Any, k: int, dim: int, largest: bool) -> Any:
    if x.device.type == "cuda":
        return flow.topk(x, k, dim, largest)
    return [y.narrow(dim, 0, k) for y in flow.sort(x, dim, largest)]


def test_no_elements(cuda: FakeCuda) -> None:
    same_on_both(flow.zeros(0, 4), 1)
    same_on_both(flow.zeros(3, 0), 1)
