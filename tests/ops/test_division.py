"""Integers divided by zero raise on both sides; floats, and what is never computed, do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.errors import IntegerDivisionByZeroError

DIVISIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "floor_divide": lambda lib, x, y: x // y,
    "remainder": lambda lib, x, y: x % y,
    "fmod": lambda lib, x, y: lib.fmod(x, y),
    "div floor": lambda lib, x, y: lib.div(x, y, rounding_mode="floor"),
    "div trunc": lambda lib, x, y: lib.div(x, y, rounding_mode="trunc"),
}
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")


def outcome(call: Callable[..., Any], *args: Any) -> Any:
    """The values, or the class of the error that the caller of either side catches."""
    try:
        return call(*args).tolist()
    except RuntimeError:
        return RuntimeError


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", DIVISIONS)
@pytest.mark.sampled(most=10)
def test_a_zero_in_the_divisor(name: str, dtype: str) -> None:
    results = []
    for lib in (flow, torch):
        x = lib.arange(24, dtype=getattr(lib, dtype)).reshape(4, 6)
        y = x % 5
        divisors = [y, y + 1, y.t().reshape(6, 4).t(), (y + 1)[:, ::2].expand(2, 4, 3), y[0], y[0, 0], y[1:2], (y + 1)[2, 1], y[:0]]
        operands = [(x, d) if d.ndim < 3 else (x[:, ::2], d) for d in divisors[:-1]] + [(x[:0], divisors[-1])]
        results.append([outcome(DIVISIONS[name], lib, *pair) for pair in operands])
    assert results[0] == results[1]
    assert RuntimeError in results[0]


@pytest.mark.parametrize("name", DIVISIONS)
def test_by_a_number(name: str) -> None:
    x = flow.tensor([3, -4])
    for zero in (0, False):
        with pytest.raises(ZeroDivisionError, match="ZeroDivisionError: .*argument 'other' is 0"):
            DIVISIONS[name](flow, x, zero)
            flow.sync()
    assert DIVISIONS[name](flow, x[:0], 0).shape == (0,)
    for values, divisor in (([3.0, -4.0], 0), ([3, -4], 0.0), ([3, -4], 2), ([3.0, 0.0], 0.0)):
        ours, expected = (DIVISIONS[name](lib, lib.tensor(values), divisor) for lib in (flow, torch))
        torch.testing.assert_close(flow.to_torch(ours), expected, equal_nan=True, rtol=0, atol=0)


def test_a_number_divided() -> None:
    y = flow.tensor([2, 0])
    for call in (lambda: 7 // y, lambda: 7 % y, lambda: 7 % flow.tensor([True, False])):
        with pytest.raises(ZeroDivisionError):
            call()
            flow.sync()
    assert (7.0 // y).tolist() == [3.0, float("inf")] and (7 // (y + 1)).tolist() == [2, 7]


def test_the_error_names_op_and_argument() -> None:
    x, y = flow.tensor([7, 8, 9]), flow.tensor([2, 0, 3])
    with pytest.raises(IntegerDivisionByZeroError, match="remainder\\(\\): argument 'other' has a zero"):
        x % y
        flow.sync()


@pytest.mark.cpu_only(reason="a GPU tells of it behind the write")
def test_nothing_is_written() -> None:
    x, y = flow.tensor([7, 8, 9]), flow.tensor([2, 0, 3])
    for method in ("floor_divide_", "remainder_", "fmod_"):
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            getattr(x, method)(y)
        assert x.tolist() == [7, 8, 9]
    assert x.floor_divide_(flow.tensor([2, 1, 3])).tolist() == [3, 8, 3]


def test_large_and_strided_divisors() -> None:
    y = flow.ones(300, 700, dtype=flow.int32)
    x = y * 5
    y[299, 699] = 0
    for a, b in ((x, y), (x.t(), y.t()), (x[::3, 2:], y[2::3, 2:]), (x[:1], y[299:])):
        with pytest.raises(ZeroDivisionError):
            a // b
            flow.sync()
    assert (x[:299] // y[:299]).sum().item() == 5 * 299 * 700


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.cuda
def test_on_a_gpu_the_next_synchronisation_raises() -> None:
    x, y = flow.tensor([7, 8], device="cuda"), flow.tensor([2, 0], device="cuda")
    with pytest.raises(ZeroDivisionError, match="in an op issued at"):
        (x // y).numpy()
    assert (x // (y + 1)).tolist() == [2, 8]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gradients_of_remainders_count_the_whole_quotients(dtype: str) -> None:
    """1 / 0.1 is rounded to 10, and 1 holds 0.1 only 9 times."""
    gradients = []
    for lib in (torch, flow):
        x = lib.tensor([1.0, -1.0, 1.0, 0.6, -0.6, 2.1, 5.5, 1.0], dtype=getattr(lib, dtype), requires_grad=True)
        y = lib.tensor([0.1, 0.1, -0.1, 0.2, 0.2, 0.7, 1.1, -float("inf")], dtype=getattr(lib, dtype), requires_grad=True)
        pairs = lib.autograd.grad(lib.remainder(x, y).sum(), (x, y))
        scalar = lib.autograd.grad(lib.remainder(lib.tensor(1.0, dtype=y.dtype), y).sum(), y)
        gradients.append([g.tolist() for g in (*pairs, *scalar)])
    assert gradients[0] == gradients[1]


@pytest.mark.parametrize("mode", ["floor", "trunc", None])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "uint8"])
def test_a_number_divided_and_rounded(dtype: str, mode: str | None) -> None:
    for number in (7, -7.5, True, float("inf"), 0):
        ours, expected = (lib.div(number, lib.tensor([1, 2, 3], dtype=getattr(lib, dtype)), rounding_mode=mode) for lib in (flow, torch))
        torch.testing.assert_close(flow.to_torch(ours), expected, equal_nan=True, rtol=0, atol=0)
