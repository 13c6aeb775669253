"""Resize and Upsample: each axis by itself, with weights that the host computes; the usual forms by `interpolate`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tritonflow as flow
from tritonflow.nn import functional as F
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import as_list, positive


@dataclass(frozen=True)
class Axis:
    """How one dimension is resized.

    Attributes:
        dim: which one.
        size, target: of the input and of the result.
        scale: result / input.
        start, end: of the region that tf_crop_and_resize takes.
    """

    dim: int
    size: Any
    target: Any
    scale: Any
    start: float = 0.0
    end: float = 1.0


@op("Upsample", numbers=(1,))
def _upsample(node: Any, x: Any, scales: Any = None) -> Any:
    factors = as_list(scales) if scales is not None else node.get("scales")
    axes = [Axis(k, x.shape[k], _scaled(x.shape[k], factor), factor) for k, factor in enumerate(factors)]
    return _resized(x, axes, ResizeForm(node.get("mode", "nearest"), "asymmetric", "floor"))


@op("Resize", since=10, numbers=(1,))
def _resize_10(node: Any, x: Any, scales: Any) -> Any:
    return _upsample(node, x, scales)


@op("Resize", since=11, numbers=(1, 2, 3))
def _resize(node: Any, x: Any, region: Any = None, scales: Any = None, sizes: Any = None) -> Any:
    form = ResizeForm(
        node.get("mode", "nearest"), node.get("coordinate_transformation_mode", "half_pixel"),
        node.get("nearest_mode", "round_prefer_floor"), node.get("cubic_coeff_a", -0.75), bool(node.get("exclude_outside", 0)),
        bool(node.get("antialias", 0)), node.get("extrapolation_value", 0.0),
    )  # fmt: skip
    dims = [positive(axis, x.ndim) for axis in node.get("axes") or range(x.ndim)]
    corners = None if region is None else as_list(region)
    starts, ends = [0.0] * len(dims), [1.0] * len(dims)
    if form.coordinates == "tf_crop_and_resize" and corners:
        starts, ends = corners[: len(dims)], corners[len(dims) :]
    factors = as_list(scales) if scales is not None else []
    if factors:
        targets = [_scaled(x.shape[dim] * (end - start) if (start, end) != (0, 1) else x.shape[dim], factor)
                   for dim, factor, start, end in zip(dims, factors, starts, ends)]  # fmt: skip
    elif sizes is not None:
        targets, factors = _targets(node, x, dims, as_list(sizes))
    else:
        raise ValueError("Resize needs scales or sizes")
    axes = [Axis(dim, x.shape[dim], target, factor, start, end)
            for dim, target, factor, start, end in zip(dims, targets, factors, starts, ends)]  # fmt: skip
    return _resized(x, axes, form)


def _targets(node: Any, x: Any, dims: list[int], sizes: list[Any]) -> tuple[list[Any], list[Any]]:
    policy = node.get("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return sizes, [None if type(x.shape[dim]) is not int else size / x.shape[dim] for dim, size in zip(dims, sizes)]
    ratios = [int(size) / int(x.shape[dim]) for dim, size in zip(dims, sizes)]
    ratio = min(ratios) if policy == "not_larger" else max(ratios)
    return [math.floor(ratio * int(x.shape[dim]) + 0.5) for dim in dims], [ratio] * len(dims)


def _scaled(size: Any, factor: float) -> Any:
    """floor(size * factor); symbolic sizes stay so where the factor is whole."""
    if float(factor).is_integer():
        return math.floor(size * factor) if isinstance(size, float) else size * int(factor)
    return math.floor(size * factor)


@dataclass(frozen=True)
class ResizeForm:
    mode: str
    coordinates: str
    nearest: str
    cubic: float = -0.75
    exclude_outside: bool = False
    antialias: bool = False
    extrapolation: float = 0.0


def _resized(x: Any, axes: list[Axis], form: ResizeForm) -> Any:
    if not x.dtype.is_floating_point and form.mode != "nearest":
        return flow.round(_resized(x.to(flow.float32), axes, form)).to(x.dtype)
    axes = [axis for axis in axes if not (_is_same(axis) and form.coordinates != "tf_crop_and_resize")]
    usual = _by_interpolate(x, axes, form)
    if usual is not None:
        return usual
    for axis in axes:
        x = _along(x, axis, form)
    return x


def _is_same(axis: Axis) -> bool:
    return bool(axis.size == axis.target) and axis.scale in (None, 1)


_INTERPOLATED = {
    ("nearest", "asymmetric"): "nearest", ("linear", "half_pixel"): "linear", ("linear", "align_corners"): "linear",
    ("cubic", "half_pixel"): "cubic", ("cubic", "align_corners"): "cubic",
}  # fmt: skip
_MODES = {"nearest": ("nearest",) * 3, "linear": ("linear", "bilinear", "trilinear"), "cubic": (None, "bicubic", None)}


def _by_interpolate(x: Any, axes: list[Axis], form: ResizeForm) -> Any:
    """The same by `interpolate`, or None if it has no such form."""
    name, rank = _INTERPOLATED.get((form.mode, form.coordinates)), x.ndim - 2
    by_size = all(axis.scale is None or float(axis.scale).is_integer() or _exact(axis) for axis in axes)
    if name is None or not axes or rank not in (1, 2, 3) or any(axis.dim < 2 for axis in axes) or not by_size:
        return None
    mode = _MODES[name][rank - 1]
    special = form.antialias or form.exclude_outside or form.cubic != -0.75
    if mode is None or special or (name == "nearest" and form.nearest != "floor"):
        return None
    targets = list(x.shape[2:])
    for axis in axes:
        targets[axis.dim - 2] = axis.target
    if name == "nearest":
        return F.interpolate(x, targets, mode=mode)
    return F.interpolate(x, targets, mode=mode, align_corners=form.coordinates == "align_corners")


def _exact(axis: Axis) -> bool:
    return bool(axis.scale == axis.target / axis.size)


def _along(x: Any, axis: Axis, form: ResizeForm) -> Any:
    """One dimension: a sum of its elements at indices, with weights."""
    size, target = int(axis.size), int(axis.target)
    scale = axis.scale if axis.scale is not None else target / size
    rows, outside = [], []
    for k in range(target):
        position = _coordinate(k, axis, form.coordinates, size, target, scale)
        outside.append(form.coordinates == "tf_crop_and_resize" and not 0 <= position <= size - 1)
        rows.append(_taps(position, size, scale, form))
    result: Any = None
    for tap in range(max(len(row) for row in rows)):
        chosen = [row[tap] if tap < len(row) else (0, 0.0) for row in rows]
        part = flow.index_select(x, axis.dim, flow.tensor([index for index, _ in chosen], device=x.device))
        if form.mode != "nearest":
            part = part * _column([weight for _, weight in chosen], x, axis.dim)
        result = part if result is None else result + part
    if any(outside):
        result = flow.where(_column(outside, x, axis.dim, flow.bool), form.extrapolation, result).to(x.dtype)
    return result


def _column(values: list[Any], x: Any, dim: int, dtype: Any = None) -> Any:
    shape = [1] * x.ndim
    shape[dim] = len(values)
    return flow.reshape(flow.tensor(values, dtype=dtype or x.dtype, device=x.device), shape)


def _coordinate(k: int, axis: Axis, form: str, size: int, target: int, scale: float) -> float:
    """Where in the input an element of the result is."""
    if form == "asymmetric":
        return k / scale
    if form == "align_corners":
        return 0.0 if target == 1 else k * (size - 1) / (target - 1)
    if form == "pytorch_half_pixel":
        return (k + 0.5) / scale - 0.5 if target > 1 else 0.0
    if form == "half_pixel_symmetric":
        adjustment = target / (scale * size)
        return size / 2 * (1 - adjustment) + (k + 0.5) / scale - 0.5
    if form == "tf_half_pixel_for_nn":
        return (k + 0.5) / scale
    if form == "tf_crop_and_resize":
        if target == 1:
            return 0.5 * (axis.start + axis.end) * (size - 1)
        return axis.start * (size - 1) + k * (axis.end - axis.start) * (size - 1) / (target - 1)
    if form != "half_pixel":
        raise NotImplementedError(f"the coordinates {form!r} of Resize are not supported")
    return (k + 0.5) / scale - 0.5


_NEAREST: dict[str, Callable[[float], int]] = {
    "round_prefer_floor": lambda p: math.ceil(p - 0.5), "round_prefer_ceil": lambda p: math.floor(p + 0.5),
    "floor": math.floor, "ceil": math.ceil,
}  # fmt: skip


def _taps(position: float, size: int, scale: float, form: ResizeForm) -> list[tuple[int, float]]:
    """Indices and weights of an element of the result."""
    if form.mode == "nearest":
        return [(min(max(_NEAREST[form.nearest](position), 0), size - 1), 1.0)]
    cubic = form.mode == "cubic"
    stretch = max(1 / scale, 1.0) if form.antialias else 1.0
    reach = (2 if cubic else 1) * stretch
    found = []
    for index in range(math.ceil(position - reach), math.floor(position + reach) + 1):
        distance = abs(index - position) / stretch
        weight = _cubic(distance, form.cubic) if cubic else max(1 - distance, 0.0)
        inside = 0 <= index < size
        if weight != 0 and (inside or not form.exclude_outside):
            found.append((min(max(index, 0), size - 1), weight))
    total = sum(weight for _, weight in found)
    return [(index, weight / total) for index, weight in found] if form.antialias or form.exclude_outside else found


def _cubic(distance: float, a: float) -> float:
    if distance <= 1:
        return ((a + 2) * distance - (a + 3)) * distance * distance + 1
    return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a if distance < 2 else 0.0
