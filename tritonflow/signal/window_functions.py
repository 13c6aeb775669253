"""`flow.hann_window` and its like: windows of any floating dtype, periodic unless said otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.shared_docs import documented
from tritonflow.dtypes import DType, float64, get_default_dtype
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.signal.windows import bartlett_values, cosine_sum, kaiser_values

_documented = documented(
    "torch",
    {
        "window_length": "the number of elements.",
        "periodic": "whether the window is one period of a periodic function, otherwise it is symmetric.",
        "dtype": "a floating dtype; the default dtype unless given.",
        "layout": "strided.",
        "device": "where the window lies.",
        "pin_memory": "torch's; nothing here.",
        "requires_grad": "whether it records gradients.",
    },
    {"RuntimeError": "the length is negative, or the dtype is not a floating one."},
)


def _window(
    name: str, length: int, values: Callable[[], Tensor], dtype: DType | None, device: Any, requires_grad: bool
) -> Tensor:
    """
    Raises:
        RuntimeError: the length is negative, or the dtype is not a floating one.
    """
    dtype = get_default_dtype() if dtype is None else dtype
    if not dtype.is_floating_point:
        raise RuntimeError(f"{name} expects floating point dtypes, got: {dtype}")
    if length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={length}")
    made = values() if length > 1 else _C.ones((length,), dtype=float64)
    window: Tensor = made.to(device=device, dtype=dtype).detach()
    window.requires_grad_(requires_grad)
    return window


@_documented
def hann_window(
    window_length: int, periodic: bool = True, *, dtype: DType | None = None, layout: Any = None, device: DeviceLike | None = None,
    pin_memory: bool = False, requires_grad: bool = False, placement: Placement | None = None, sbp: Any = None,
) -> Tensor:  # fmt: skip
    """(1 - cos(2 pi n / N)) / 2, where N is the length, or one less if the window is not periodic.

    Args:
        placement: the ranks of a consistent window, as in OneFlow.
        sbp: how it lies over them.

    Shape:
        -> (window_length).

    Example:
        >>> import tritonflow as flow
        >>> flow.hann_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """

    def values() -> Tensor:
        return cosine_sum([0.5, 0.5], window_length, not periodic)

    if placement is None:
        return _window("hann_window", window_length, values, dtype, device, requires_grad)
    local = _window("hann_window", window_length, values, dtype, placement.type, False)
    everywhere = _C.to_global(local, placement, [broadcast] * placement.ndim)
    window: Tensor = _C.to_global(everywhere, None, sbp)
    return window.requires_grad_(requires_grad)


@_documented
def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: DType | None = None,
    layout: Any = None, device: DeviceLike | None = None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """alpha - beta cos(2 pi n / N), where N is the length, or one less if the window is not periodic.

    Args:
        alpha: the constant.
        beta: the factor of the cosine.

    Shape:
        -> (window_length).

    Example:
        >>> import tritonflow as flow
        >>> flow.hamming_window(4)
        tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """

    def values() -> Tensor:
        return cosine_sum([alpha, beta], window_length, not periodic)

    return _window("hamming_window", window_length, values, dtype, device, requires_grad)


@_documented
def blackman_window(
    window_length: int, periodic: bool = True, *, dtype: DType | None = None, layout: Any = None, device: DeviceLike | None = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N), where N is the length, or one less if the window is not periodic.

    Shape:
        -> (window_length).

    Example:
        >>> import tritonflow as flow
        >>> flow.blackman_window(4).shape
        tritonflow.Size([4])
    """

    def values() -> Tensor:
        return cosine_sum([0.42, 0.5, 0.08], window_length, not periodic)

    return _window("blackman_window", window_length, values, dtype, device, requires_grad)


@_documented
def bartlett_window(
    window_length: int, periodic: bool = True, *, dtype: DType | None = None, layout: Any = None, device: DeviceLike | None = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """1 - |2 n / N - 1|, where N is the length, or one less if the window is not periodic.

    Shape:
        -> (window_length).

    Example:
        >>> import tritonflow as flow
        >>> flow.bartlett_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """

    def values() -> Tensor:
        return bartlett_values(window_length, not periodic)

    return _window("bartlett_window", window_length, values, dtype, device, requires_grad)


@_documented
def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: DType | None = None, layout: Any = None,
    device: DeviceLike | None = None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """I0(beta sqrt(1 - (2 n / N - 1)^2)) / I0(beta), where N is the length, or one less if the window is not periodic.

    Args:
        beta: the shape: 0 gives ones, a large number a narrow window.

    Shape:
        -> (window_length).

    Example:
        >>> import tritonflow as flow
        >>> flow.kaiser_window(3, beta=0.0)
        tensor([1., 1., 1.])
    """

    def values() -> Tensor:
        return kaiser_values(window_length, abs(float(beta)), not periodic)

    return _window("kaiser_window", window_length, values, dtype, device, requires_grad)
