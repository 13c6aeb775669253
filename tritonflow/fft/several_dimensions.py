"""Fourier transforms along several dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow import _C
from tritonflow.fft.calls import along_several, conjugated, of_half, to_half, transform
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.fourier import along
from tritonflow.functions.fourier.along import FORWARD, INVERSE


@transform
def fft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = (-2, -1), norm: str | None = None) -> Tensor:
    """The forward transform along two dimensions: `fft` along each of them.

    Shape:
        (..., m1, m2, ...) -> (..., n1, n2, ...), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.fft2(flow.ones(2, 2)).tolist()
        [[(4+0j), 0j], [0j, 0j]]
    """
    return along_several("fft2", input, s, dim, norm, FORWARD)


@transform
def ifft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse transform along two dimensions: `ifft` along each of them.

    Shape:
        (..., m1, m2, ...) -> (..., n1, n2, ...), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ifft2(flow.ones(2, 2)).tolist()
        [[(1+0j), 0j], [0j, 0j]]
    """
    return along_several("ifft2", input, s, dim, norm, INVERSE)


@transform
def rfft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = (-2, -1), norm: str | None = None) -> Tensor:
    """The forward transform of real numbers along two dimensions: `rfft` along the last one, `fft` along the other.

    Shape:
        (..., m1, m2), real -> (..., n1, n2 // 2 + 1), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.rfft2(flow.ones(4, 4)).shape
        tritonflow.Size([4, 3])
    """
    return along.numbers(to_half("rfft2", input, s, dim, norm, FORWARD))


@transform
def irfft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = (-2, -1), norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft2` makes the input. The last size is that of the result, 2 (m - 1) unless given.

    Shape:
        (..., m1, m2) -> (..., n1, n2), real.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.irfft2(flow.fft.rfft2(flow.ones(2, 4))).tolist()
        [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]
    """
    return of_half("irfft2", input, s, dim, norm, INVERSE)


@transform
def hfft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = (-2, -1), norm: str | None = None) -> Tensor:
    """The forward transform, which is real, along two dimensions; the input has half of the last one, as of `hfft`.

    Shape:
        (..., m1, m2) -> (..., n1, n2), real.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.hfft2(flow.ones(4, 4)).shape
        tritonflow.Size([4, 6])
    """
    return of_half("hfft2", _C.conj_physical(input), s, dim, along.other_norm(norm), INVERSE)


@transform
def ihfft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse transform of real numbers along two dimensions, of the last one n // 2 + 1 numbers. `hfft2` undoes it.

    Shape:
        (..., m1, m2), real -> (..., n1, n2 // 2 + 1), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ihfft2(flow.ones(4, 4)).shape
        tritonflow.Size([4, 3])
    """
    return conjugated(to_half("ihfft2", input, s, dim, along.other_norm(norm), FORWARD))


@transform
def fftn(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] | None = None, norm: str | None = None) -> Tensor:
    """The forward transform along several dimensions: `fft` along each of them.

    Shape:
        (..., m1, m2, ...) -> (..., n1, n2, ...), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.fftn(flow.ones(2, 2)).tolist()
        [[(4+0j), 0j], [0j, 0j]]
    """
    return along_several("fftn", input, s, dim, norm, FORWARD)


@transform
def ifftn(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] | None = None, norm: str | None = None) -> Tensor:
    """The inverse transform along several dimensions: `ifft` along each of them.

    Shape:
        (..., m1, m2, ...) -> (..., n1, n2, ...), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ifftn(flow.ones(2, 2)).tolist()
        [[(1+0j), 0j], [0j, 0j]]
    """
    return along_several("ifftn", input, s, dim, norm, INVERSE)


@transform
def rfftn(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] | None = None, norm: str | None = None) -> Tensor:
    """The forward transform of real numbers along several dimensions: `rfft` along the last one, `fft` along the others.

    Shape:
        (..., m1, m2), real -> (..., n1, n2 // 2 + 1), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.rfftn(flow.ones(4, 4)).shape
        tritonflow.Size([4, 3])
    """
    return along.numbers(to_half("rfftn", input, s, dim, norm, FORWARD))


@transform
def irfftn(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] | None = None, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfftn` makes the input. The last size is that of the result, 2 (m - 1) unless given.

    Shape:
        (..., m1, m2) -> (..., n1, n2), real.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.irfftn(flow.fft.rfftn(flow.ones(2, 4))).tolist()
        [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]
    """
    return of_half("irfftn", input, s, dim, norm, INVERSE)


@transform
def hfftn(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] | None = None, norm: str | None = None) -> Tensor:
    """The forward transform, which is real, along several dimensions; the input has half of the last one, as of `hfft`.

    Shape:
        (..., m1, m2) -> (..., n1, n2), real.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.hfftn(flow.ones(4, 4)).shape
        tritonflow.Size([4, 6])
    """
    return of_half("hfftn", _C.conj_physical(input), s, dim, along.other_norm(norm), INVERSE)


@transform
def ihfftn(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] | None = None, norm: str | None = None) -> Tensor:
    """The inverse transform of real numbers along several dimensions, of the last one n // 2 + 1 numbers. `hfftn` undoes it.

    Shape:
        (..., m1, m2), real -> (..., n1, n2 // 2 + 1), complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.fft.ihfftn(flow.ones(4, 4)).shape
        tritonflow.Size([4, 3])
    """
    return conjugated(to_half("ihfftn", input, s, dim, along.other_norm(norm), FORWARD))
