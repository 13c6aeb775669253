"""The constants of Fourier transforms: roots of unity, and matrices of them, in float64 on the host.

The angle of a root is 2 pi r / n with a whole r. It is reduced to an eighth of the circle in integers, so that each number is right
to the last bit or nearly so, whatever n is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy

from tritonflow.binding import new_tensors
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.execution import lazy
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

Array = numpy.ndarray[Any, Any]


def root(numerator: Array, n: int) -> tuple[Array, Array]:
    """cos and sin of 2 pi numerator / n, of whole numerators."""
    eighths = 8 * (numerator % n)
    octant, rest = eighths // n, eighths % n  # the angle is (octant + rest / n) pi / 4
    odd = octant % 2 == 1
    angle = numpy.where(odd, n - rest, rest) * (numpy.pi / 4 / n)
    c, s = numpy.cos(angle), numpy.sin(angle)
    swapped = (octant + 1) // 2 % 2 == 1  # octants 1, 2, 5, 6: cos and sin change places
    c, s = numpy.where(swapped, s, c), numpy.where(swapped, c, s)
    cos = numpy.where((octant >= 2) & (octant < 6), -c, c)
    sin = numpy.where(octant >= 4, -s, s)
    return cos, sin


def matrix(n: int, sign: int, scale: float) -> Array:
    """(2n, 2n): what rows of n pairs are multiplied by to be transformed."""
    k = numpy.arange(n)
    cos, sin = root(numpy.outer(k, k), n)
    found = numpy.empty((n, 2, n, 2))
    found[:, 0, :, 0] = found[:, 1, :, 1] = cos
    found[:, 0, :, 1] = sign * sin
    found[:, 1, :, 0] = -sign * sin
    return found.reshape(2 * n, 2 * n) * scale


def matrix_of_real(n: int, sign: int, scale: float, half: bool) -> Array:
    """(n, 2m): what rows of n real numbers are multiplied by; m is n, or n // 2 + 1 with `half`."""
    m = n // 2 + 1 if half else n
    return matrix(n, sign, scale).reshape(n, 2, n, 2)[:, 0, :m].reshape(n, 2 * m)


def matrix_to_real(n: int, sign: int, scale: float) -> Array:
    """(2m, n) with m = n // 2 + 1: what rows of half a Hermitian spectrum are multiplied by."""
    m = n // 2 + 1
    found = matrix(n, sign, scale).reshape(n, 2, n, 2)[:m, :, :, 0].copy()
    found[1 : (n + 1) // 2] *= 2  # each stands for its conjugate as well
    return found.reshape(2 * m, n)


def twiddles(n1: int, n2: int, sign: int) -> Array:
    """(n2, n1, 2): the roots of n1 n2 between two steps, as pairs."""
    cos, sin = root(numpy.outer(numpy.arange(n2), numpy.arange(n1)), n1 * n2)
    return numpy.stack([cos, sign * sin], -1)


def chirp(n: int, sign: int) -> Array:
    """(n, 2): exp(sign pi i j^2 / n)."""
    j = numpy.arange(n)
    cos, sin = root(j * j, 2 * n)
    return numpy.stack([cos, sign * sin], -1)


def chirp_spectrum(n: int, m: int, sign: int, scale: float) -> Array:
    """(m, 2): the transform, of length m, of the conjugated chirp from -(n - 1) to n - 1, divided by m."""
    w = chirp(n, -sign)
    numbers = numpy.zeros(m, dtype=numpy.complex128)
    numbers[:n] = w[:, 0] + 1j * w[:, 1]
    numbers[m - n + 1 :] = numbers[1:n][::-1]
    found = numpy.fft.fft(numbers) * (scale / m)
    return numpy.stack([found.real, found.imag], -1)


@lru_cache(maxsize=256)
def _constant(make: Callable[..., Array], arguments: tuple[Any, ...], dtype: DType, device: Device) -> Tensor:
    with lazy.eager(), no_grad():
        return new_tensors.from_array(make(*arguments), dtype, device)


def constant(make: Callable[..., Array], *arguments: Any, like: Tensor) -> Tensor:
    """What one of these functions makes, as a tensor of the dtype of `like` beside it; made once for a device."""
    meta: Any = like.meta
    if meta.is_local:
        return _constant(make, arguments, meta.dtype, meta.device)
    placement = meta.placement
    found = _constant(make, arguments, meta.dtype, placement.device())
    with lazy.eager(), no_grad():
        return new_tensors.spread(found, placement, (broadcast,) * placement.ndim)
