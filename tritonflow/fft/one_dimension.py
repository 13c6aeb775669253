"""Fourier transforms along one dimension."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.fft.calls import along_one, conjugated, listed, of_half, to_half, transform
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.functors.fourier import along
from tritonflow.functional.functors.fourier.along import FORWARD, INVERSE


@transform
def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The forward transform along a dimension: complex, of n numbers.

    Args:
        input: any shape with at least one dimension.
        n: how many numbers of the dimension are taken, zeros added behind them where there are fewer; default all.
        dim: along which dimension.
        norm: "backward" (default), "ortho" or "forward"; see the module.

    Raises:
        RuntimeError: no numbers, an unknown norm, or a dtype that is not taken.
        IndexError: there is no such dimension.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.fft(flow.tensor([1.0, 2.0])).tolist()
        [(3+0j), (-1+0j)]
    """
    return along_one("fft", input, n, dim, norm, FORWARD)


@transform
def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse transform along a dimension: complex, of n numbers.

    Args:
        input: any shape with at least one dimension.
        n: how many numbers of the dimension are taken, zeros added behind them where there are fewer; default all.
        dim: along which dimension.
        norm: "backward" (default), "ortho" or "forward"; see the module.

    Raises:
        RuntimeError: no numbers, an unknown norm, or a dtype that is not taken.
        IndexError: there is no such dimension.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ifft(flow.tensor([3.0, -1.0])).tolist()
        [(1+0j), (2+0j)]
    """
    return along_one("ifft", input, n, dim, norm, INVERSE)


@transform
def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The forward transform of real numbers along a dimension: its first n // 2 + 1 numbers, which say all.

    Args:
        input: any shape with at least one dimension.
        n: how many numbers of the dimension are taken, zeros added behind them where there are fewer; default all.
        dim: along which dimension.
        norm: "backward" (default), "ortho" or "forward"; see the module.

    Raises:
        RuntimeError: no numbers, an unknown norm, or a dtype that is not taken.
        IndexError: there is no such dimension.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.rfft(flow.tensor([1.0, 2.0])).tolist()
        [(3+0j), (-1+0j)]
    """
    s, dims = listed("rfft", input, n, dim)
    return along.numbers(to_half("rfft", input, s, dims, norm, FORWARD))


@transform
def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` makes the input; n of them, default 2 (m - 1) of m numbers.

    Args:
        input: any shape with at least one dimension.
        n: how many numbers of the dimension are taken, zeros added behind them where there are fewer; default all.
        dim: along which dimension.
        norm: "backward" (default), "ortho" or "forward"; see the module.

    Raises:
        RuntimeError: no numbers, an unknown norm, or a dtype that is not taken.
        IndexError: there is no such dimension.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.irfft(flow.tensor([3.0, -1.0])).tolist()
        [1.0, 2.0]
    """
    s, dims = listed("irfft", input, n, dim)
    return of_half("irfft", input, s, dims, norm, INVERSE)


@transform
def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The forward transform, which is real, of numbers of which the input has the first half; see `irfft`.

    Args:
        input: any shape with at least one dimension.
        n: how many numbers of the dimension are taken, zeros added behind them where there are fewer; default all.
        dim: along which dimension.
        norm: "backward" (default), "ortho" or "forward"; see the module.

    Raises:
        RuntimeError: no numbers, an unknown norm, or a dtype that is not taken.
        IndexError: there is no such dimension.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.hfft(flow.tensor([1.5, -0.5])).tolist()
        [1.0, 2.0]
    """
    s, dims = listed("hfft", input, n, dim)
    return of_half("hfft", _C.conj_physical(input), s, dims, along.other_norm(norm), INVERSE)


@transform
def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse transform of real numbers: its first n // 2 + 1 numbers.

    Args:
        input: any shape with at least one dimension.
        n: how many numbers of the dimension are taken, zeros added behind them where there are fewer; default all.
        dim: along which dimension.
        norm: "backward" (default), "ortho" or "forward"; see the module.

    Raises:
        RuntimeError: no numbers, an unknown norm, or a dtype that is not taken.
        IndexError: there is no such dimension.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ihfft(flow.tensor([1.0, 2.0])).abs().tolist()
        [1.5, 0.5]
    """
    s, dims = listed("ihfft", input, n, dim)
    return conjugated(to_half("ihfft", input, s, dims, along.other_norm(norm), FORWARD))
