"""Pools."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.nn import functional as F
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.windows import SlidingWindows, padded, window_sum, windows_of

_MAX = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
_AVERAGE = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}


def _counts(node: Any, windows: SlidingWindows, sizes: Any) -> tuple[list[Any], list[Any]]:
    """How many windows there are along each dimension, and how many more elements behind they need."""
    counts, more = [], []
    for axis, size in enumerate(sizes):
        stride, reach = windows.strides[axis], windows.reach(axis)
        whole = size + windows.begins[axis] + windows.ends[axis]
        if whole < reach:
            raise ValueError(f"a window of {reach} elements is larger than {whole} elements with pads")
        count = (whole - reach) // stride + 1
        if node.get("ceil_mode", 0) and (whole - reach) % stride != 0:
            if count * stride < size + windows.begins[axis]:  # a window that begins behind the input is left out
                count = count + 1
        needed = (count - 1) * stride + reach - whole
        counts.append(count)
        more.append(needed if needed > 0 else 0)
    return counts, more



@op("MaxPool")
def _max_pool(node: Any, x: Any) -> Any:
    kernel, rank = node.get("kernel_shape"), x.ndim - 2
    windows = windows_of(node, kernel, x.shape[2:])
    _, more = _counts(node, windows, x.shape[2:])
    dtype = x.dtype
    if not dtype.is_floating_point:
        x = x.to(flow.float32 if dtype in (flow.int8, flow.uint8) else flow.float64)
    ends = [end + extra for end, extra in zip(windows.ends, more)]
    inside = padded(x, windows.begins, ends, float("-inf"))
    options = (windows.kernel, windows.strides, 0, windows.dilations)
    if not node.wants(1):
        return _MAX[rank](inside, *options).to(dtype)
    values, indices = _MAX[rank](inside, *options, return_indices=True)
    return values.to(dtype), _of_input(node, indices, inside.shape, x.shape, windows.begins)


def _of_input(node: Any, indices: Any, padded_shape: Any, shape: Any, begins: Any) -> Any:
    """Flat positions in the input, of positions in a channel with pads."""
    rest, positions = indices, []
    for axis in reversed(range(len(begins))):
        size = padded_shape[axis + 2]
        positions.append(rest % size - begins[axis])
        rest = flow.div(rest, size, rounding_mode="floor")
    positions.reverse()
    order = range(len(begins)) if not node.get("storage_order", 0) else reversed(range(len(begins)))
    flat: Any = 0
    count: Any = 1
    for axis in order:
        flat = flat * shape[axis + 2] + positions[axis]
        count = count * shape[axis + 2]
    channels = flow.arange(shape[0] * shape[1], device=indices.device).reshape(shape[0], shape[1], *[1] * len(begins))
    return flat + channels * count


@op("AveragePool")
def _average_pool(node: Any, x: Any) -> Any:
    rank, inclusive = x.ndim - 2, bool(node.get("count_include_pad", 0))
    windows = windows_of(node, node.get("kernel_shape"), x.shape[2:])
    fits = all(2 * pad <= size for pad, size in zip(windows.begins, windows.kernel))
    if windows.symmetric and fits and all(d == 1 for d in windows.dilations):
        return _AVERAGE[rank](x, windows.kernel, windows.strides, windows.begins, bool(node.get("ceil_mode", 0)), inclusive)
    counts, more = _counts(node, windows, x.shape[2:])
    ones = flow.ones((1, 1, *x.shape[2:]), dtype=x.dtype, device=x.device)
    number = padded(ones, windows.begins, windows.ends, 1 if inclusive else 0)
    number = padded(number, [0] * rank, more)
    ends = [end + extra for end, extra in zip(windows.ends, more)]
    return window_sum(padded(x, windows.begins, ends), windows, counts) / window_sum(number, windows, counts)


@op("LpPool")
def _lp_pool(node: Any, x: Any) -> Any:
    windows, p = windows_of(node, node.get("kernel_shape"), x.shape[2:]), node.get("p", 2)
    counts, more = _counts(node, windows, x.shape[2:])
    ends = [end + extra for end, extra in zip(windows.ends, more)]
    powers = flow.pow(flow.abs(padded(x, windows.begins, ends)), p)
    return flow.pow(window_sum(powers, windows, counts), 1 / p)


def _spatial(x: Any) -> list[int]:
    return list(range(2, x.ndim))


@op("GlobalAveragePool")
def _global_average_pool(node: Any, x: Any) -> Any:
    return flow.mean(x, _spatial(x), keepdim=True)


@op("GlobalMaxPool")
def _global_max_pool(node: Any, x: Any) -> Any:
    return flow.amax(x, _spatial(x), keepdim=True)


@op("GlobalLpPool")
def _global_lp_pool(node: Any, x: Any) -> Any:
    p = node.get("p", 2)
    return flow.pow(flow.sum(flow.pow(flow.abs(x), p), _spatial(x), keepdim=True), 1 / p)
