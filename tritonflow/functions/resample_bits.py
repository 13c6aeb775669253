"""How finely weights of pictures of bytes are divided: as 16 bits allow for the largest weight of a dimension."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy

from tritonflow.ops.resample import is_smooth, kernels, support_of

_MOST = 22  # bits behind the point: a product of a byte and a weight is a 32 bit integer

if TYPE_CHECKING:
    Numbers = numpy.ndarray[Any, numpy.dtype[numpy.float64]]


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
    while bits < _MOST and int(0.5 + largest * 2 ** (bits + 1)) < 2**15:
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
