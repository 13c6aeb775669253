"""Planners of resampling and padding along one dimension, and of their gradients."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, prod
from typing import TYPE_CHECKING, Any

import numpy

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, float32, float64, int32
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Output, Scalar, Workspace
from tritonflow.ops.plan import Launch, Plan, constant, stride

kernels = KernelModule("resample")
bytes_kernels = KernelModule("resample_bytes")
edges = KernelModule("edges")

Attrs = tuple[Any, ...]
if TYPE_CHECKING:
    Numbers = numpy.ndarray[Any, numpy.dtype[numpy.float64]]
_MOST_BITS = 22  # behind the point: a product of a byte and a weight is a 32 bit integer


def is_smooth(mode: str) -> bool:
    """Whether the mode has a filter against aliasing."""
    return mode.startswith("smooth")


def support_of(mode: str, scale: float) -> float:
    """Half the width of a filter, in elements of the input."""
    return kernels.WIDTHS[mode] * 0.5 * max(scale, 1.0)


def reach_of(mode: str, scale: float) -> float:
    """How far behind its source an output reads: nearest modes, of whose source the floor is read, read none behind it."""
    if is_smooth(mode):
        return support_of(mode, scale) + 1
    return {"cubic": 2.0, "linear": 1.0}.get(mode, 0.0)


def _windows(mode: str, scale: float, outputs: int) -> int:
    """How many outputs, from the first that may, read one input: three more for rounding; without a scale all read one."""
    if not scale:
        return outputs
    width = 1.0 if kernels.TAPS.get(mode) == 1 else 2 * reach_of(mode, scale)
    return min(ceil(width / scale) + 3, outputs)


def shift_of(mode: str, aligned: bool, scale: float) -> float:
    """The source of output 0."""
    if mode == "nearest-exact":
        return 0.5 * scale
    return 0.0 if mode == "nearest" or (aligned and not is_smooth(mode)) else 0.5 * scale - 0.5


def scalars_of(mode: str, aligned: bool, scale: float) -> tuple[float, ...]:
    """(scale, narrowing, support, inverse, reach, shift): the dynamic scalars of both ops (kernels/resample.py)."""
    smooth = is_smooth(mode)
    support = support_of(mode, scale) if smooth else 0.0
    narrowing = 1.0 / scale if scale > 1 else 1.0
    inverse = 1.0 / scale if scale else 0.0
    return (scale, narrowing, support, inverse, reach_of(mode, scale), shift_of(mode, aligned, scale))


def _scalars(x: TensorMeta) -> list[Scalar]:
    """The dynamic scalars in the dtype that computes."""
    dtype = float64 if x.dtype is float64 else float32
    return [Scalar(k, dtype) for k in range(6)]


def _resized(x: TensorMeta, dim: int, size: int, dtype: DType) -> TensorMeta:
    return contiguous_meta((*x.shape[:dim], size, *x.shape[dim + 1 :]), dtype, x.device)


def _inner(x: TensorMeta, dim: int) -> stride:
    """How many elements are behind a dimension."""
    return stride(prod(x.shape[dim + 1 :]))


def _launch(kernel: Any, operands: Any, result: TensorMeta, dim: int, sizes: Any, **constexprs: Any) -> Launch:
    """A launch that computes the rows of `result`, given their number, `sizes` and the elements behind `dim`."""
    outer, size, inner = prod(result.shape[:dim]), result.shape[dim], _inner(result, dim)
    config, tiles = kernels.config(facts_of(result.device), outer, size, inner)
    rows = outer if inner == 1 else outer * size
    fixed = {**constexprs, **config["constexprs"]}
    return Launch(kernel, (tiles,), operands, (rows, *sizes), fixed, num_warps=config["num_warps"])


def _taps(mode: str, scale: float) -> int:
    return ceil(support_of(mode, scale)) * 2 + 1


def resample(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """x with `size` elements along `dim`; attributes: (dim, size, mode, aligned, scale, dtype of the result)."""
    (x,), (dim, size, mode, aligned, scale, dtype) = inputs, attrs
    y = _resized(x, dim, size, dtype)
    sizes = (x.shape[dim], size, _inner(x, dim))
    if is_smooth(mode):
        operands = (Input(0), Output(0), *_scalars(x))
        launch = _launch(kernels.resample_smooth, operands, y, dim, (*sizes, _taps(mode, scale)), MODE=mode)
    else:
        operands = (Input(0), Output(0), *_scalars(x))
        launch = _launch(kernels.resample, operands, y, dim, sizes, TAPS=kernels.TAPS[mode], ALIGNED=aligned, MODE=mode)
    return Plan(inputs, (y,), [launch])


def resample_bytes(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """Bytes x with `size` elements along `dim`, by weights that are integers; attributes: (dim, size, mode, aligned, scale)."""
    (x,), (dim, size, mode, aligned, scale) = inputs, attrs
    y, n, bits = _resized(x, dim, size, x.dtype), x.shape[dim], Scalar(3, int32)
    taps = _taps(mode, scale) if is_smooth(mode) else kernels.TAPS[mode]
    operands, block = (Workspace(0), *Scalar.several(3, float64), bits), bytes_kernels.BLOCK_OF_TABLE
    grid, warps = (-(-size // block),), facts_of(x.device).warps(1)
    if is_smooth(mode):
        fixed: dict[str, Any] = {"MODE": mode, "BLOCK": block}
        table = Launch(bytes_kernels.smooth_byte_weights, grid, operands, (n, size, taps), fixed, num_warps=warps)
    else:
        fixed = {"TAPS": taps, "ALIGNED": aligned, "MODE": mode, "BLOCK": block}
        table = Launch(bytes_kernels.byte_weights, grid, operands, (n, size), fixed, num_warps=warps)
    sizes = (n, size, _inner(x, dim), taps)
    sums = _launch(bytes_kernels.resample_bytes, (Input(0), Workspace(0), Output(0), bits), y, dim, sizes)
    return Plan(inputs, (y,), [table, sums], workspaces=(((1 + taps) * size, int32),))


@lru_cache(maxsize=1024)
def weight_bits(n: int, m: int, mode: str, aligned: bool, scale: float) -> int:
    """How many bits weights have behind the point: the largest one becomes an integer below 2 ** 15.

    Args:
        n: the elements of the dimension.
        m: those of the result.
        mode: along the dimension.
        aligned: whether the first and the last elements stay where they are.
        scale: how many elements an output is apart from the next.

    Source: the weights of torch's `upsample_bilinear2d` of uint8 on CPUs.
    """
    largest = (_smooth_weights(n, m, mode, scale) if is_smooth(mode) else _weights(n, m, mode, aligned, scale)).max()
    bits = 0
    while bits < _MOST_BITS and int(0.5 + largest * 2 ** (bits + 1)) < 2**15:
        bits += 1
    return bits


def _cubic(x: Numbers, a: float) -> Numbers:
    """Keys' kernel at distances x."""
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return numpy.where(x < 1, near, numpy.where(x < 2, far, 0))


def _weights(n: int, m: int, mode: str, aligned: bool, scale: float) -> Numbers:
    """What each neighbour of each output counts: those that an end stands for are one, at the end."""
    outputs = numpy.arange(m)
    at = outputs * scale if aligned else scale * (outputs + 0.5) - 0.5
    if mode == "linear" and not aligned:
        at = numpy.maximum(at, 0)
    first = numpy.minimum(numpy.floor(at), n - 1)
    rest = numpy.clip(at - first, 0, 1)
    taps = kernels.TAPS[mode]
    offsets = numpy.arange(taps) - (taps // 2 - 1)
    distances = numpy.abs(rest[:, None] - offsets)
    weights = 1 - distances if mode == "linear" else _cubic(distances, -0.75)
    positions = numpy.clip(first[:, None] + offsets, 0, n - 1)
    return numpy.where(positions[:, :, None] == positions[:, None], weights[:, None], 0).sum(-1)


def _smooth_weights(n: int, m: int, mode: str, scale: float) -> Numbers:
    """What each element under the filter of each output counts."""
    support = support_of(mode, scale)
    centre = scale * (numpy.arange(m) + 0.5)[:, None]
    first = numpy.maximum((centre - support + 0.5).astype(int), 0)
    end = numpy.minimum((centre + support + 0.5).astype(int), n)
    positions = first + numpy.arange(int(numpy.ceil(support)) * 2 + 1)
    x = numpy.abs((positions - centre + 0.5) / max(scale, 1.0))
    if mode == "smooth linear":
        weights = numpy.maximum(1 - x, 0)
    elif mode == "smooth lanczos":
        weights = numpy.where(x < 3, numpy.sinc(x) * numpy.sinc(x / 3), 0)
    else:
        weights = _cubic(x, -0.5)
    weights = numpy.where(positions < end, weights, 0)
    return weights / weights.sum(1, keepdims=True)


UNROLLED = 4  # repeats that are constants of a kernel: their loads are of whole vectors


def _repeats(mode: str, size: int, outputs: int, scale: float) -> bool:
    """Whether so many neighbouring outputs show each input: 1 / scale is a power of two, and nothing is rounded."""
    times, rest = divmod(outputs, max(size, 1))
    return mode in ("nearest", "nearest-exact") and times > 0 and not rest and not times & (times - 1) and scale * times == 1


def resample_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """The gradient of an input with `size` elements along `dim`; attributes as above."""
    (dy,), (dim, size, mode, aligned, scale, dtype) = inputs, attrs
    dx = _resized(dy, dim, size, dtype)
    outputs = dy.shape[dim]
    windows = _windows(mode, scale, outputs)
    sizes = (size, outputs, _inner(dy, dim))
    if _repeats(mode, size, outputs, scale):
        times = outputs // size
        repeats = constant(times) if times <= UNROLLED else times
        operands = (Input(0), Output(0), *_scalars(dy))
        launch = _launch(kernels.repeat_backward, operands, dx, dim, (size, _inner(dy, dim), repeats))
    elif is_smooth(mode):
        operands = (Input(0), Output(0), *_scalars(dy))
        counts = (_taps(mode, scale), windows)
        launch = _launch(kernels.resample_smooth_backward, operands, dx, dim, (*sizes, *counts), MODE=mode)
    else:
        operands = (Input(0), Output(0), *_scalars(dy))
        fixed = {"TAPS": kernels.TAPS[mode], "ALIGNED": aligned, "MODE": mode}
        launch = _launch(kernels.resample_backward, operands, dx, dim, (*sizes, windows), **fixed)
    return Plan(inputs, (dx,), [launch])


def pad_edges(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """x continued before and after along `dim`; attributes: (dim, before, after, mode)."""
    (x,), (dim, before, after, mode) = inputs, attrs
    n = x.shape[dim]
    y = _resized(x, dim, before + n + after, x.dtype)
    sizes = (n, before, after, _inner(x, dim))
    return Plan(inputs, (y,), [_launch(edges.pad, (Input(0), Output(0)), y, dim, sizes, MODE=mode)])


def pad_edges_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: Attrs) -> Plan:
    """The gradient of what was continued; attributes: (dim, before, after, mode)."""
    (dy,), (dim, before, after, mode) = inputs, attrs
    n = dy.shape[dim] - before - after
    dx = _resized(dy, dim, n, dy.dtype)
    sizes = (n, before, after, _inner(dy, dim))
    return Plan(inputs, (dx,), [_launch(edges.pad_backward, (Input(0), Output(0)), dx, dim, sizes, MODE=mode)])
