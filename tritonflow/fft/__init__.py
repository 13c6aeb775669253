"""Fourier transforms under torch's names.

A forward transform is X[k] = sum over j of x[j] exp(-2 pi i j k / n). An inverse one has + in the exponent and is divided by n.
`norm` says what is divided: "backward" the inverse one by n, "forward" the forward one by n, "ortho" both by sqrt(n).
Inputs are real or complex tensors. Whole numbers count as the default dtype, and half types are refused.
All functions are differentiable any number of times.

Short transforms are one product with a matrix of roots of unity, longer ones several, those without small factors a convolution.

Sources: https://pytorch.org/docs/stable/fft.html; `functions/fourier` has those of the algorithms.

Example:
    >>> import tritonflow as flow
    >>> flow.fft.fft(flow.tensor([1.0, 0.0, 0.0, 0.0]))
    tensor([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
"""

from tritonflow.fft.frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from tritonflow.fft.one_dimension import fft, hfft, ifft, ihfft, irfft, rfft
from tritonflow.fft.several_dimensions import (
    fft2,
    fftn,
    hfft2,
    hfftn,
    ifft2,
    ifftn,
    ihfft2,
    ihfftn,
    irfft2,
    irfftn,
    rfft2,
    rfftn,
)

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft",
    "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip
