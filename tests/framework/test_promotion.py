"""Type promotion is torch's: every pair of dtypes, every mix of dimensioned tensors, zero-dim tensors and Python numbers."""

from __future__ import annotations

import itertools

import pytest
import torch

import tritonflow as flow
from tritonflow import dtypes
from tritonflow.device.torch_exchange import to_torch_dtype

ALL = dtypes.ALL


def _theirs(dtype: dtypes.DType, ndim: int) -> torch.Tensor:
    return torch.ones((2,) * ndim, dtype=to_torch_dtype(dtype))


@pytest.mark.parametrize("a", ALL, ids=lambda d: d.name)
def test_promote_types(a: dtypes.DType) -> None:
    for b in ALL:
        assert to_torch_dtype(dtypes.promote_types(a, b)) == torch.promote_types(
            to_torch_dtype(a), to_torch_dtype(b)
        ), (a, b)


@pytest.mark.parametrize(("m", "n"), list(itertools.product((0, 1), repeat=2)))
def test_result_type_of_two_tensors(m: int, n: int) -> None:
    for a, b in itertools.product(ALL, ALL):
        expected = torch.result_type(_theirs(a, m), _theirs(b, n))
        assert to_torch_dtype(dtypes.result_type([(a, m), (b, n)])) == expected, (a, m, b, n)


@pytest.mark.parametrize("scalar", [True, 2, 0.5])
@pytest.mark.parametrize("ndim", [0, 1])
def test_result_type_with_a_number(ndim: int, scalar: float) -> None:
    for a in ALL:
        expected = torch.result_type(_theirs(a, ndim), scalar)
        assert to_torch_dtype(dtypes.result_type([(a, ndim)], [type(scalar)])) == expected, (a, ndim, scalar)


def test_dtypes_of_results() -> None:
    """The op itself, for some pairs: the dtype, and values computed in it."""
    for a, b in itertools.product((dtypes.bool_, dtypes.uint8, dtypes.int64, dtypes.float16, dtypes.float32), repeat=2):
        left, right = _theirs(a, 1), _theirs(b, 0)
        assert to_torch_dtype((flow.from_torch(left) * flow.from_torch(right)).dtype) == (left * right).dtype, (a, b)


def test_plans_follow_the_default_dtype() -> None:
    n, f = flow.arange(3), flow.compile(lambda n: n / 2)
    try:
        for dtype in (flow.float32, flow.float64, flow.float32):
            flow.set_default_dtype(dtype)
            assert (n / 2).dtype is f(n).dtype is dtype
    finally:
        flow.set_default_dtype(flow.float32)


def test_default_dtype() -> None:
    assert flow.get_default_dtype() is flow.float32
    flow.set_default_dtype(flow.float64)
    try:
        assert flow.tensor([1.0]).dtype is flow.float64
        assert (flow.tensor([1, 2]) / 2).dtype is flow.float64
    finally:
        flow.set_default_dtype(flow.float32)
    with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
        flow.set_default_dtype(flow.int64)


@pytest.mark.parametrize("alpha", [2, -1, 0, True, False])
def test_alpha_of_truth_values(alpha: int) -> None:
    """An alpha is no operand: sums of truth values are truth values."""
    for other in ([True, False], True):
        ours, theirs = (
            lib.add(lib.tensor([True, False]), lib.tensor(other) if isinstance(other, list) else other, alpha=alpha)
            for lib in (flow, torch)
        )
        assert ours.dtype is flow.bool and ours.tolist() == theirs.tolist()


def test_sizes_and_limits_are_torchs() -> None:
    for dtype in dtypes.ALL:
        theirs = to_torch_dtype(dtype)
        assert (dtype.itemsize, dtype.is_signed) == (theirs.itemsize, theirs.is_signed), dtype
        if dtype.is_floating_point:
            mine, limits = flow.finfo(dtype), torch.finfo(theirs)
            for name in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution"):
                assert getattr(mine, name) == getattr(limits, name), (dtype, name)
        elif dtype is not dtypes.bool_:
            whole, limits = flow.iinfo(dtype), torch.iinfo(theirs)
            assert (whole.bits, whole.max, whole.min) == (limits.bits, limits.max, limits.min), dtype
