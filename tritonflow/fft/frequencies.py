"""The frequencies of Fourier transforms, and their order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.torch_calls import call_into
from tritonflow.dtypes import DType, get_default_dtype
from tritonflow.fft.calls import Dims
from tritonflow.framework.tensor import Tensor, wrap_dim


def fftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    **options: Any,
) -> Tensor:
    """The frequencies of the numbers of a transform: 0, 1, ..., then the negative ones up to -1, divided by n d.

    Args:
        n: how many.
        d: the distance between samples.
        out: what is written.
        dtype: of the result, by default the default dtype.
        device: of the result.
        requires_grad: whether backward leaves a gradient in `.grad`.
        options: other ones of `flow.arange`.

    Shape:
        -> (n).

    Source: torch.fft.fftfreq.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.fftfreq(4).tolist()
        [0.0, 0.25, -0.5, -0.25]
    """
    numbers = _numbers(dtype, out)
    behind = _C.arange(-(n // 2), 0, dtype=numbers, device=device, **options)
    found = _C.cat([_C.arange(0, (n + 1) // 2, dtype=numbers, device=device, **options), behind], 0) * _step(n, d)
    return _made("fft_fftfreq", found, out, requires_grad)


def rfftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    **options: Any,
) -> Tensor:
    """The frequencies of the numbers of `rfft`: 0, 1, ..., n // 2, divided by n d.

    Args:
        n: how many numbers are transformed.
        d: the distance between samples.
        out: what is written.
        dtype: of the result, by default the default dtype.
        device: of the result.
        requires_grad: whether backward leaves a gradient in `.grad`.
        options: other ones of `flow.arange`.

    Shape:
        -> (n // 2 + 1).

    Source: torch.fft.rfftfreq.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.rfftfreq(4).tolist()
        [0.0, 0.25, 0.5]
    """
    found = _C.arange(0, n // 2 + 1, dtype=_numbers(dtype, out), device=device, **options) * _step(n, d)
    return _made("fft_rfftfreq", found, out, requires_grad)


def _step(n: int, d: float) -> float:
    """The distance of frequencies, infinite where there are no numbers."""
    return 1.0 / (n * d) if n * d else math.inf


def _numbers(dtype: DType | None, out: Tensor | None) -> DType:
    return dtype or (get_default_dtype() if out is None else out.dtype)


def _made(name: str, found: Tensor, out: Tensor | None, requires_grad: bool) -> Tensor:
    if out is not None:
        written: Tensor = call_into(name, out, lambda values: found, [], (), {})
        return written
    return found.requires_grad_() if requires_grad else found


def fftshift(input: Tensor, dim: Dims = None) -> Tensor:
    """The numbers of a transform with the frequency 0 in the middle: rolled by n // 2 along dimensions, by default all.

    Args:
        input: a transform, or its frequencies.
        dim: along which dimension, or dimensions; all unless given.

    Shape:
        any shape -> the same.

    Raises:
        IndexError: there is no such dimension.

    Source: torch.fft.fftshift.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.fftshift(flow.fft.fftfreq(4)).tolist()
        [-0.5, -0.25, 0.0, 0.25]
    """
    return _rolled(input, dim, lambda n: n // 2)


def ifftshift(input: Tensor, dim: Dims = None) -> Tensor:
    """What `fftshift` makes the input of: rolled by (n + 1) // 2 along dimensions, by default all.

    Args:
        input: a transform with the frequency 0 in the middle.
        dim: along which dimension, or dimensions; all unless given.

    Shape:
        any shape -> the same.

    Raises:
        IndexError: there is no such dimension.

    Source: torch.fft.ifftshift.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ifftshift(flow.tensor([-1, 0, 1])).tolist()
        [0, 1, -1]
    """
    return _rolled(input, dim, lambda n: (n + 1) // 2)


def _rolled(input: Tensor, dim: Dims, shift: Callable[[int], int]) -> Tensor:
    dims = list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if not dims:
        return input
    shifts = tuple([shift(input.shape[wrap_dim(d, input.ndim)]) for d in dims])
    rolled: Tensor = _C.roll(input, shifts, tuple(dims))
    return rolled
