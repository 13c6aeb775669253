"""Functors of stft and istft, whose transforms are loaded with their first call."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.framework.tensor import Tensor


@function(
    "Tensor (Tensor input, Int64 n_fft, Int64 hop_length=None, Int64 win_length=None, Tensor window=None, Bool center=True,"
    " String pad_mode=\"reflect\", Bool normalized=False, Bool onesided=None, Bool return_complex=None, Bool "
    "align_to_window=None)",
    methods="stft", samples={"none": "gives complex numbers: tests/ops/test_fft.py"},
)
def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Any:
    """The Fourier transforms of windows of a signal, at equal distances.

        out[f, t] = sum over k of window[k] * input[t * hop_length + k] * exp(-2 pi i f k / n_fft)

    After Allen and Rabiner, A unified approach to short-time Fourier analysis and synthesis, 1977.

    Args:
        input: signals, real or complex.
        n_fft: how many numbers are transformed at a time.
        hop_length: the distance of two windows; default n_fft / 4.
        win_length: the length of the window, in the middle of the n_fft numbers; default n_fft.
        window: the weights of a window; default ones.
        center: whether the signal is padded by n_fft / 2 at both ends, so that window t has its middle at t
            * hop_length.
        pad_mode: how, as in `flow.nn.functional.pad`.
        normalized: whether the result is divided by sqrt(n_fft).
        onesided: whether only the n_fft / 2 + 1 frequencies are given that a real signal has; default True
            for real signals and windows.
        return_complex: whether the result is complex; otherwise its last dimension has the two parts. Real
            signals must give it.
        align_to_window: with center=False, whether the signal is padded so that the first window begins
            with it.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (L) or (N, L) -> (frequencies, windows) or (N, frequencies, windows), and (..., 2) without
        return_complex.

    Method: `Tensor.stft`.

    Raises:
        RuntimeError: a size that does not fit the signal, a window of another length, or no return_complex
            for a real signal.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.stft.

    Example:
        >>> import tritonflow as flow
        >>> signal = flow.cos(2 * flow.pi * flow.arange(16) / 4)  # a quarter of the sampling rate
        >>> spectrum = flow.stft(signal, 8, hop_length=4, center=False, return_complex=True)
        >>> spectrum.shape, abs(spectrum[:, 0]).argmax().item()
        (tritonflow.Size([5, 3]), 2)
    """
    from tritonflow.functions.fourier import windows  # few programs have spectra

    sizes = windows.Windows.of(n_fft, hop_length, win_length, window)
    return windows.spectra(input, sizes, center, pad_mode, normalized, onesided, return_complex, align_to_window)


@function(
    "Tensor (Tensor input, Int64 n_fft, Int64 hop_length=None, Int64 win_length=None, Tensor window=None, Bool center=True,"
    " Bool normalized=False, Bool onesided=None, Int64 length=None, Bool return_complex=False)",
    methods="istft", samples={"none": "of complex numbers: tests/ops/test_fft.py"},
)
def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Any:
    """The signal of which stft makes the input, by least squares where windows overlap.

    Each window's inverse transform is multiplied by the window and added; the sum is divided by that of
    the squared windows. Source: Griffin and Lim, Signal estimation from modified short-time Fourier
    transform, 1984.

    Args:
        input: complex spectra, as stft gives them.
        n_fft: how many numbers were transformed at a time.
        hop_length: the distance of two windows; default n_fft / 4.
        win_length: the length of the window; default n_fft.
        window: the weights of a window; default ones.
        center: whether the signal had been padded by n_fft / 2 at both ends.
        normalized: whether the spectra had been divided by sqrt(n_fft).
        onesided: whether the spectra have only n_fft / 2 + 1 frequencies; default by their number.
        length: how many numbers the signal has.
        return_complex: whether the signal is complex.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (frequencies, windows) or (N, frequencies, windows) -> (L) or (N, L).

    Method: `Tensor.istft`.

    Raises:
        RuntimeError: spectra that are real, empty or of another number of frequencies, or windows that
            leave numbers of the signal out.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.istft.

    Example:
        >>> import tritonflow as flow
        >>> signal, window = flow.arange(16.0), flow.hann_window(8)
        >>> spectrum = flow.stft(signal, 8, window=window, return_complex=True)
        >>> flow.allclose(flow.istft(spectrum, 8, window=window, length=16), signal, atol=1e-4)
        True
    """
    from tritonflow.functions.fourier import windows  # few programs have spectra

    sizes = windows.Windows.of(n_fft, hop_length, win_length, window)
    return windows.signal(input, sizes, center, normalized, onesided, length, return_complex)
