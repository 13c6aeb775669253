"""`torch.testing.make_tensor`: a tensor of random numbers in an interval, for tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import tritonflow as flow

_DEFAULT_LOW, _DEFAULT_HIGH = -9, 10  # of integers; floating-point numbers lie in [-9, 9)


def make_tensor(
    *shape: int | Sequence[int], dtype: Any, device: Any, low: float | None = None, high: float | None = None,
    requires_grad: bool = False, noncontiguous: bool = False, exclude_zero: bool = False, memory_format: Any = None,
) -> Any:  # fmt: skip
    """Numbers drawn from [low, high), as torch.testing.make_tensor draws them; the numbers themselves are tritonflow's.

    Args:
        shape: sizes, or one sequence of them.
        low, high: the interval; -9 and 9, of whole numbers -9 and 10, of unsigned ones 0 and 10, and what the dtype holds.
        noncontiguous: every second element of a larger tensor.
        exclude_zero: zeros become ones, and the smallest normal number in floating-point dtypes.

    Raises:
        ValueError: the interval is empty or has no number of the dtype, or arguments that exclude each other.
    """
    sizes: Any = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], Sequence) else shape
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive,"
            f" but got {noncontiguous=} and {memory_format=}"
        )
    is_whole = not (dtype.is_floating_point or dtype.is_complex)
    if requires_grad and is_whole:
        raise ValueError(f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}")
    noncontiguous = noncontiguous and math.prod(sizes) > 1
    drawn = (*sizes[:-1], 2 * sizes[-1]) if noncontiguous else sizes
    first, last = _interval(dtype, low, high)
    if is_whole:
        result = flow.randint(math.ceil(first), math.ceil(last), drawn, device=device, dtype=dtype)
    else:
        result = _uniform(drawn, dtype, device, first, last)
    if noncontiguous:
        result = result[..., 1::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = 1 if is_whole else flow.finfo(dtype).tiny
    return result if is_whole else result.requires_grad_(requires_grad)


def _interval(dtype: Any, low: float | None, high: float | None) -> tuple[float, float]:
    """The bounds, moved to the nearest numbers that the dtype holds."""
    if dtype is flow.bool:
        least, most, default = 0.0, 2.0, (0.0, 2.0)
    elif dtype.is_floating_point or dtype.is_complex:
        info = flow.finfo(dtype)
        least, most, default = info.min, info.max, (-9.0, 9.0)
    else:
        whole = flow.iinfo(dtype)
        least, most, default = whole.min, whole.max + (dtype is not flow.int64), (_DEFAULT_LOW, _DEFAULT_HIGH)
    low, high = (default[k] if bound is None else bound for k, bound in enumerate((low, high)))
    if math.isnan(low) or math.isnan(high):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low >= high and not (low == high and (dtype.is_floating_point or dtype.is_complex)):
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    if high < least or low >= most:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only supports [{least}, {most})"
        )
    return min(max(low, least), most), min(max(high, least), most)


def _uniform(shape: Any, dtype: Any, device: Any, low: float, high: float) -> Any:
    if dtype.is_complex:
        result = flow.empty(shape, device=device, dtype=dtype)
        flow.view_as_real(result).uniform_(low, high)
        return result
    if "float8" in dtype.name:
        return flow.empty(shape, device=device, dtype=flow.float32).uniform_(low, high).to(dtype)
    result = flow.empty(shape, device=device, dtype=dtype)
    if high - low >= flow.finfo(dtype).max:  # the width itself is no number of the dtype
        return result.uniform_(low / 2, high / 2).mul_(2)
    return result.uniform_(low, high)
