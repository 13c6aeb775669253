"""Window functions, as torch.signal.windows. Each is symmetric, or one period of a periodic function with `sym=False`.

Every function takes the number of elements M first, and the keywords of `_documented`. All are computed in float64.

Example:
    >>> import tritonflow as flow
    >>> flow.signal.windows.hann(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.shared_docs import documented
from tritonflow.dtypes import DType, float32, float64, get_default_dtype
from tritonflow.framework.tensor import Tensor

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann",
    "kaiser", "nuttall",
]  # fmt: skip

_documented = documented(
    "torch.signal.windows",
    {
        "M": "the number of elements.",
        "sym": "whether the window is symmetric, otherwise it is one period of a periodic function.",
        "dtype": "float32 or float64; the default dtype unless given.",
        "layout": "strided.",
        "device": "where the window lies.",
        "requires_grad": "whether it records gradients.",
    },
    {"ValueError": "M is negative, the dtype is another one, or a parameter is out of its range."},
)


def _window(
    name: str,
    m: int,
    values: Callable[[], Tensor],
    dtype: DType | None,
    layout: Any,
    device: Any,
    requires_grad: bool,
    least: int = 2,
) -> Tensor:
    """A checked window of `values()`; where it has fewer than `least` elements it is 1."""
    dtype = get_default_dtype() if dtype is None else dtype
    if m < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={m}")
    if layout is not None and "strided" not in str(layout):
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype not in (float32, float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    made = values() if m >= least else _C.ones((m,), dtype=float64)
    window: Tensor = made.to(device=device, dtype=dtype).detach()
    window.requires_grad_(requires_grad)
    return window


def _period(m: int, sym: bool) -> int:
    """How many steps a period has."""
    return m - 1 if sym else m


def _steps(m: int) -> Tensor:
    return _C.arange(m, dtype=float64)


def cosine_sum(coefficients: Sequence[float], m: int, sym: bool) -> Tensor:
    """sum_i (-1)^i a_i cos(2 pi i n / N) in float64, where N is the period."""
    angles = _steps(m) * (2 * math.pi / _period(m, sym))
    terms = [((-1) ** i * a) * _C.cos(angles * i) for i, a in enumerate(coefficients)]
    total: Tensor = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def bartlett_values(m: int, sym: bool) -> Tensor:
    heights: Tensor = 1 - (_steps(m) * (2 / _period(m, sym)) - 1).abs()
    return heights


def kaiser_values(m: int, beta: float, sym: bool) -> Tensor:
    """I0(beta sqrt(1 - x^2)) / I0(beta) with x from -1 to 1, by I0 without its exponential growth."""
    x = (_steps(m) * (2 / _period(m, sym)) - 1).clamp(-1, 1)
    inside = beta * (1 - x.square()).sqrt()
    largest = _C.special_i0e(_C.full((), float(beta), dtype=float64))
    return _C.special_i0e(inside) * _C.exp(inside - beta) / largest


@_documented
def bartlett(
    M: int, *, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False
) -> Tensor:
    """1 - |2 n / N - 1|, where N is M - 1, or M with `sym=False`.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.bartlett(5)
        tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return _window("bartlett", M, lambda: bartlett_values(M, sym), dtype, layout, device, requires_grad)


@_documented
def general_cosine(
    M: int, *, a: Iterable[float], sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """sum_i (-1)^i a_i cos(2 pi i n / N), where N is M - 1, or M with `sym=False`.

    Args:
        a: the coefficients, at least one.

    Shape:
        -> (M).

    Raises:
        TypeError: `a` is no sequence.

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.general_cosine(3, a=[0.5, 0.5])
        tensor([0., 1., 0.])
    """

    def values() -> Tensor:
        if not isinstance(a, Iterable):
            raise TypeError("Coefficients must be a list/tuple")
        if not a:
            raise ValueError("Coefficients cannot be empty")
        return cosine_sum(list(a), M, sym)

    return _window("general_cosine", M, values, dtype, layout, device, requires_grad)


@_documented
def general_hamming(
    M: int, *, alpha: float = 0.54, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """alpha - (1 - alpha) cos(2 pi n / N), where N is M - 1, or M with `sym=False`.

    Args:
        alpha: the share of the constant.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.general_hamming(3, alpha=0.5)
        tensor([0., 1., 0.])
    """
    return general_cosine(
        M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


@_documented
def hamming(
    M: int, *, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False
) -> Tensor:
    """0.54 - 0.46 cos(2 pi n / N), where N is M - 1, or M with `sym=False`.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.hamming(3)
        tensor([0.0800, 1.0000, 0.0800])
    """
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


@_documented
def hann(
    M: int, *, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False
) -> Tensor:
    """(1 - cos(2 pi n / N)) / 2, where N is M - 1, or M with `sym=False`.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.hann(4, sym=False)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


@_documented
def blackman(
    M: int, *, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False
) -> Tensor:
    """0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N), where N is M - 1, or M with `sym=False`.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.blackman(5).shape
        tritonflow.Size([5])
    """
    a = [0.42, 0.5, 0.08]
    return general_cosine(M, a=a, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


@_documented
def nuttall(
    M: int, *, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False
) -> Tensor:
    """The cosine sum of 0.3635819, 0.4891775, 0.1365995 and 0.0106411 (Nuttall, 1981).

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.nuttall(5).shape
        tritonflow.Size([5])
    """
    a = [0.3635819, 0.4891775, 0.1365995, 0.0106411]
    return general_cosine(M, a=a, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


@_documented
def cosine(
    M: int, *, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False
) -> Tensor:
    """sin(pi (n + 0.5) / N), where N is M, or M + 1 with `sym=False`.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.cosine(3)
        tensor([0.5000, 1.0000, 0.5000])
    """
    n = M if sym or M < 2 else M + 1
    return _window("cosine", M, lambda: _C.sin((_steps(M) + 0.5) * (math.pi / n)), dtype, layout, device, requires_grad)


@_documented
def exponential(
    M: int, *, center: float | None = None, tau: float = 1.0, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """exp(-|n - center| / tau).

    Args:
        center: the largest element, for windows that are not symmetric; M / 2 unless given.
        tau: how slowly it decays, positive.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.exponential(3)
        tensor([0.3679, 1.0000, 0.3679])
    """
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    at = _period(M, sym or M < 2) / 2 if center is None else center

    def values() -> Tensor:
        return _C.exp(-(_steps(M) - at).abs() / tau)

    return _window("exponential", M, values, dtype, layout, device, requires_grad, least=1)


@_documented
def gaussian(
    M: int, *, std: float = 1.0, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """exp(-((n - N / 2) / std)^2 / 2), where N is M - 1, or M with `sym=False`.

    Args:
        std: the standard deviation, positive.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.gaussian(3)
        tensor([0.6065, 1.0000, 0.6065])
    """
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")

    def values() -> Tensor:
        return _C.exp(-0.5 * ((_steps(M) - _period(M, sym) / 2) / std).square())

    return _window("gaussian", M, values, dtype, layout, device, requires_grad)


@_documented
def kaiser(
    M: int, *, beta: float = 12.0, sym: bool = True, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """I0(beta sqrt(1 - (2 n / N - 1)^2)) / I0(beta), where N is M - 1, or M with `sym=False`.

    Args:
        beta: the shape; not negative.

    Shape:
        -> (M).

    Example:
        >>> import tritonflow as flow
        >>> flow.signal.windows.kaiser(3, beta=0.0)
        tensor([1., 1., 1.])
    """
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    return _window("kaiser", M, lambda: kaiser_values(M, beta, sym), dtype, layout, device, requires_grad)
