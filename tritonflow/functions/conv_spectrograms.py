"""Functors of stft and istft, whose transforms are loaded with their first call."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.framework.tensor import Tensor


@functor("Stft")
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
    from tritonflow.functions.fourier import windows  # few programs have spectra

    sizes = windows.Windows.of(n_fft, hop_length, win_length, window)
    return windows.spectra(input, sizes, center, pad_mode, normalized, onesided, return_complex, align_to_window)


@functor("Istft")
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
    from tritonflow.functions.fourier import windows  # few programs have spectra

    sizes = windows.Windows.of(n_fft, hop_length, win_length, window)
    return windows.signal(input, sizes, center, normalized, onesided, length, return_complex)
