"""Fourier transforms along one dimension."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.fft.calls import along_one, conjugated, listed, of_half, to_half, transform
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.fourier import along
from tritonflow.functions.fourier.along import FORWARD, INVERSE


@transform
def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The forward transform along a dimension: `X[k] = sum over j of x[j] exp(-2 pi i j k / n)`, for k = 0 ... n - 1.

    Shape:
        (..., m, ...) -> (..., n, ...), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.fft(flow.tensor([1.0, 2.0])).tolist()
        [(3+0j), (-1+0j)]
    """
    return along_one("fft", input, n, dim, norm, FORWARD)


@transform
def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse transform along a dimension: `x[j] = sum over k of X[k] exp(2 pi i j k / n) / n`, for j = 0 ... n - 1.

    Shape:
        (..., m, ...) -> (..., n, ...), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ifft(flow.tensor([3.0, -1.0])).tolist()
        [(1+0j), (2+0j)]
    """
    return along_one("ifft", input, n, dim, norm, INVERSE)


@transform
def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The forward transform of real numbers along a dimension: its first n // 2 + 1 numbers, of which the others are conjugates.

    Shape:
        (..., m, ...), real -> (..., n // 2 + 1, ...), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.rfft(flow.tensor([1.0, 2.0])).tolist()
        [(3+0j), (-1+0j)]
    """
    s, dims = listed("rfft", input, n, dim)
    return along.numbers(to_half("rfft", input, s, dims, norm, FORWARD))


@transform
def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The n real numbers of which `rfft` makes the input. Unless n is given it is 2 (m - 1), an even number.

    Shape:
        (..., m, ...) -> (..., n, ...), real.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.irfft(flow.tensor([3.0, -1.0])).tolist()
        [1.0, 2.0]
    """
    s, dims = listed("irfft", input, n, dim)
    return of_half("irfft", input, s, dims, norm, INVERSE)


@transform
def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The forward transform, which is real, of n numbers of which the input has the first half.

    Number n - j is the conjugate of number j. Unless n is given it is 2 (m - 1).

    Shape:
        (..., m, ...) -> (..., n, ...), real.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.hfft(flow.tensor([1.5, -0.5])).tolist()
        [1.0, 2.0]
    """
    s, dims = listed("hfft", input, n, dim)
    return of_half("hfft", _C.conj_physical(input), s, dims, along.other_norm(norm), INVERSE)


@transform
def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse transform of real numbers along a dimension: its first n // 2 + 1 numbers. `hfft` undoes it.

    Shape:
        (..., m, ...), real -> (..., n // 2 + 1, ...), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ihfft(flow.tensor([1.0, 2.0])).abs().tolist()
        [1.5, 0.5]
    """
    s, dims = listed("ihfft", input, n, dim)
    return conjugated(to_half("ihfft", input, s, dims, along.other_norm(norm), FORWARD))
