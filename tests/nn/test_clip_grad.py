"""nn.utils.clip_grad_* against torch's in float64, over lists of gradients of any shapes and dtypes."""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tritonflow.device.torch_exchange import to_torch_dtype
from tritonflow.testing import assert_close, in_float64

DTYPES = ["float32", "float64", "float16", "bfloat16"]
SHAPES = st.lists(st.tuples(st.lists(st.integers(0, 5), max_size=3), st.sampled_from(DTYPES)), min_size=1, max_size=6)
ORDERS = [1, 2, math.inf, 3, 0.5, -math.inf, 2.5, -1.0, 0]


def pairs(described: list[tuple[list[int], str]], seed: int = 0, scale: float = 1.0) -> tuple[list[Any], list[Any]]:
    """Parameters with the same gradients on both sides, torch's in float64; some of ours are views with strides of their own."""
    rng = numpy.random.default_rng(seed)
    theirs, mine = [], []
    for number, (shape, dtype) in enumerate(described):
        gradient = torch.tensor(rng.standard_normal(shape) * scale).to(getattr(torch, dtype))
        p, q = torch.zeros(shape).double().requires_grad_(), flow.zeros(shape, dtype=getattr(flow, dtype)).requires_grad_()
        p.grad = gradient.to(torch.float64, copy=True)
        q.grad = flow.from_torch(gradient.clone())
        if len(shape) == 2 and number % 2:
            q.grad = flow.from_torch(gradient.t().contiguous()).t()
        theirs.append(p)
        mine.append(q)
    return theirs, mine


TOLERANCE = {torch.float32: 5e-6, torch.float64: 1e-12, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}


def coarsest(mine: list[Any]) -> float:
    """The tolerance of the coarsest dtype, to which the total may be rounded."""
    return max(TOLERANCE[to_torch_dtype(p.dtype)] for p in mine)


def assert_same(theirs: list[Any], mine: list[Any]) -> None:
    tolerance = coarsest(mine)
    for p, q in zip(theirs, mine):
        assert_close(q.grad, in_float64(p.grad, to_torch_dtype(q.dtype)), rtol=tolerance, atol=tolerance, equal_nan=True)


def assert_same_norm(expected: Any, got: Any, mine: list[Any], tolerance: float = 5e-6) -> None:
    dtype = functools.reduce(torch.promote_types, [to_torch_dtype(p.dtype) for p in mine])
    assert_close(got, in_float64(expected, dtype), rtol=tolerance, atol=0, equal_nan=True)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.lists(st.integers(1, 5), max_size=3), st.sampled_from(DTYPES)), min_size=1, max_size=6),
       st.sampled_from(ORDERS), st.floats(0.01, 10), st.integers(0, 1000))  # fmt: skip
def test_clip_grad_norm(described: Any, order: float, max_norm: float, seed: int) -> None:
    theirs, mine = pairs(described, seed)
    expected = torch.nn.utils.clip_grad_norm_(theirs, max_norm, order)
    got = flow.nn.utils.clip_grad_norm_(mine, max_norm, order)
    assert_same_norm(expected, got, mine, coarsest(mine))
    assert_same(theirs, mine)


@settings(max_examples=30, deadline=None)
@given(SHAPES, st.floats(0.01, 2), st.integers(0, 1000))
def test_clip_grad_value(described: Any, bound: float, seed: int) -> None:
    theirs, mine = pairs(described, seed)
    torch.nn.utils.clip_grad_value_(theirs, bound)
    flow.nn.utils.clip_grad_value_(mine, bound)
    assert_same(theirs, mine)


def test_a_norm_of_many_chunks_is_the_same_in_every_run() -> None:
    theirs, mine = pairs([([300, 700], "float32"), ([20000], "float32"), ([1], "float32")])
    total = flow.nn.utils.get_total_norm([p.grad for p in mine])
    again = flow.nn.utils.get_total_norm([p.grad for p in mine])
    assert total.item() == again.item()
    assert_same_norm(torch.nn.utils.get_total_norm([p.grad for p in theirs]), total, mine)


def test_order_0_counts_tensors() -> None:
    theirs, mine = pairs([([20000], "float32"), ([0], "float32"), ([3], "float32"), ([4], "bfloat16")])
    theirs[2].grad.zero_()
    mine[2].grad.zero_()
    assert_same_norm(torch.nn.utils.clip_grad_norm_(theirs, 1.0, 0), flow.nn.utils.clip_grad_norm_(mine, 1.0, 0), mine)
    assert flow.nn.utils.get_total_norm([mine[1].grad], 0).item() == 0


@pytest.mark.parametrize("order", [1, 2, math.inf])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_finite(order: float, bad: float) -> None:
    theirs, mine = pairs([([3], "float32"), ([2, 2], "float32")])
    theirs[0].grad[1] = bad
    mine[0].grad[1] = bad
    before = [p.grad.clone() for p in mine]
    with pytest.raises(RuntimeError, match="non-finite, so it cannot be clipped"):
        flow.nn.utils.clip_grad_norm_(mine, 1.0, order, error_if_nonfinite=True)
    for was, p in zip(before, mine):
        numpy.testing.assert_array_equal(p.grad.numpy(), was.numpy())
    assert_same_norm(torch.nn.utils.clip_grad_norm_(theirs, 1.0, order), flow.nn.utils.clip_grad_norm_(mine, 1.0, order), mine)
    assert_same(theirs, mine)


def test_parameters_in_other_forms() -> None:
    p = flow.zeros(2, requires_grad=True)
    without = flow.zeros(3, requires_grad=True)
    assert flow.nn.utils.clip_grad_norm_([], 1.0).item() == 0
    assert flow.nn.utils.clip_grad_norm_([without], 1.0).item() == 0
    p.grad = flow.tensor([3.0, 4.0])
    assert flow.nn.utils.clip_grad_norm_(p, 1.0).item() == 5
    assert flow.nn.utils.clip_grad_norm_((q for q in [without, p]), 0.5).item() == pytest.approx(1)
    with pytest.warns(UserWarning, match="empty generator"):
        flow.nn.utils.clip_grad_norm_((q for q in []), 1.0)
    flow.nn.utils.clip_grad_value_([without, p], 0.1)
    numpy.testing.assert_allclose(p.grad.numpy(), [0.1, 0.1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        flow.nn.utils.clip_grad_norm_([], 1.0)


def test_errors() -> None:
    p = flow.zeros(2, requires_grad=True)
    p.grad = flow.tensor([3.0, 4.0])
    for call in (
        lambda: flow.nn.utils.clip_grad_norm_([p], "much"),
        lambda: flow.nn.utils.clip_grad_norm_([p], 1.0, "much"),
        lambda: flow.nn.utils.clip_grad_value_([p], "much"),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        flow.nn.utils.clip_grad_norm_([p, 1], 1.0)
    with pytest.raises(RuntimeError):
        flow.nn.utils.get_total_norm([flow.ones(2, dtype=flow.int64)])
    assert p.grad.tolist() == [3, 4]


def test_groups_clip_by_their_own_norm() -> None:
    a, b, c = (flow.zeros(2, requires_grad=True) for _ in range(3))
    for p in (a, b, c):
        p.grad = flow.tensor([3.0, -4.0])
    groups = [
        {"params": [a], "clip_grad_max_norm": 1.0},
        {"params": [b], "clip_grad_max_norm": 2.0, "clip_grad_norm_type": math.inf},
        {"params": [c]},
    ]
    flow.optim.SGD(groups, lr=0.1).clip_grad()
    for p, expected in zip((a, b, c), ([0.6, -0.8], [1.5, -2.0], [3, -4])):
        numpy.testing.assert_allclose(p.grad.numpy(), expected, rtol=1e-5)


def test_the_gradients_are_written_in_place() -> None:
    p = flow.zeros(2, requires_grad=True)
    p.grad = gradient = flow.tensor([3.0, 4.0])
    version = gradient._version
    flow.nn.utils.clip_grad_norm_([p], 1.0)
    assert p.grad is gradient and gradient._version > version
