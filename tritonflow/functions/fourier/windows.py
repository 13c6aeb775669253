"""Short-time Fourier transforms: windows of a signal, transformed; and the signal of such transforms.

Source: Griffin and Lim, Signal estimation from modified short-time Fourier transform (1984).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from tritonflow.binding.target import beside
from tritonflow.dtypes import torch_name
from tritonflow.errors import DTypeError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.conv_columns import fold, unfold
from tritonflow.functions.creation import ones
from tritonflow.functions.fourier import along
from tritonflow.functions.generated import abs as absolute
from tritonflow.functions.generated import div, mul, scalar_ge
from tritonflow.functions.join_constant_pad import constant_pad_nd
from tritonflow.functions.join_pad import pad
from tritonflow.functions.unary_complex import imag, real
from tritonflow.functions.value_checks import require_all
from tritonflow.functions.view import expand, narrow, reshape, squeeze, unsqueeze
from tritonflow.functions.view_complex import made_of, pairs_of_complex, view_as_real
from tritonflow.functions.view_orders import transpose


@dataclass(frozen=True)
class Windows:
    """How windows lie over a signal.

    Attributes:
        n_fft: how many numbers are transformed.
        hop: the distance between two windows.
        length: how many numbers a window weighs, in the middle of the n_fft.
        weights: these weights, or None for ones.
    """

    n_fft: int
    hop: int
    length: int
    weights: Tensor | None

    @staticmethod
    def of(n_fft: int, hop_length: int | None, win_length: int | None, window: Tensor | None) -> Windows:
        """With torch's defaults: a hop of a quarter, and windows of all n_fft numbers."""
        length = n_fft if win_length is None else win_length
        return Windows(n_fft, n_fft // 4 if hop_length is None else hop_length, length, window)

    def padded(self, like: Tensor) -> Tensor:
        """The n_fft weights, with zeros around those given."""
        weights = self.weights
        if weights is None:
            weights = ones((self.length,), dtype=like.meta.dtype.to_real(), **beside(like))
        before = (self.n_fft - self.length) // 2
        if self.length == self.n_fft:
            return weights
        return constant_pad_nd(weights, (before, self.n_fft - self.length - before))

    @property
    def are_complex(self) -> bool:
        """Whether the weights are."""
        return self.weights is not None and self.weights.meta.dtype.is_complex

    def check(self, name: str, x: Tensor) -> None:
        """Refuse a length, or weights, that do not fit.

        Raises:
            RuntimeError: names what was expected.
        """
        if not 0 < self.length <= self.n_fft:
            raise InvalidArgumentError(f"{name}: Expected 0 < win_length <=n_fft ,but got win_length={self.length}")
        if self.weights is not None and self.weights.meta.shape != (self.length,):
            raise InvalidArgumentError(
                f"{name}: Expected a 1D window tensor of size equal to win_length={self.length}, but got window with size"
                f" {list(self.weights.meta.shape)}"
            )


def spectra(
    input: Tensor,
    sizes: Windows,
    center: bool,
    pad_mode: str,
    normalized: bool,
    onesided: bool | None,
    return_complex: bool | None,
    align_to_window: bool | None,
) -> Tensor:
    """(..., frequencies, windows) of (..., numbers): the transforms of the windows of signals."""
    x = input
    if not x.meta.dtype.has_gradient:
        raise DTypeError(f"stft: expected a tensor of floating point or complex values, not of {torch_name(x.meta.dtype)}")
    if x.meta.ndim not in (1, 2):
        raise InvalidArgumentError(f"stft: Expected a 1D or 2D tensor,but got one of shape {list(x.meta.shape)}")
    is_complex = x.meta.dtype.is_complex or sizes.are_complex
    if return_complex is None:
        if not is_complex:
            raise InvalidArgumentError(
                "stft requires the return_complex parameter be given for real inputs, and will further require that"
                " return_complex=True in a future PyTorch release."
            )
        return_complex = True
    if align_to_window is not None and center:
        raise InvalidArgumentError("stft align_to_window should only be set when center = false")
    if onesided and is_complex:
        raise InvalidArgumentError("Cannot have onesided output if window or input is complex")
    rows = unsqueeze(x, 0) if x.meta.ndim == 1 else x
    around = sizes.n_fft // 2 if center else (sizes.n_fft - sizes.length) // 2 if align_to_window else 0
    if around:
        rows = _of_parts(rows, lambda part: squeeze(pad(unsqueeze(part, 1), (around, around), pad_mode), (1,)))
    if not 0 < sizes.n_fft <= rows.meta.shape[1]:
        raise InvalidArgumentError(f"stft: Expected 0 < n_fft < {rows.meta.shape[1]}, but got n_fft={sizes.n_fft}")
    if sizes.hop <= 0:
        raise InvalidArgumentError(f"stft: Expected hop_length > 0, but got hop_length={sizes.hop}")
    sizes.check("stft", x)
    frames = _of_parts(rows, lambda part: _frames(part, sizes))
    weighted = frames if sizes.weights is None and sizes.length == sizes.n_fft else mul(frames, sizes.padded(x))
    norm = "ortho" if normalized else "backward"
    if is_complex or onesided is False:
        found = along.transformed(weighted, [2], [sizes.n_fft], along.FORWARD, norm)
    else:
        found = along.numbers(along.half_spectrum(weighted, [2], [sizes.n_fft], along.FORWARD, norm))
    found = transpose(found, 1, 2)
    if x.meta.ndim == 1:
        found = squeeze(found, (0,))
    return found if return_complex else view_as_real(found)


def _of_parts(x: Tensor, function: Any) -> Tensor:
    """What a linear function makes of real numbers, or of both parts of complex ones."""
    if not x.meta.dtype.is_complex:
        return function(x)  # type: ignore[no-any-return]
    return made_of(function(real(x)), function(imag(x)))


def _frames(x: Tensor, sizes: Windows) -> Tensor:
    """(rows, windows, n_fft) of real rows."""
    rows, numbers = x.meta.shape
    if not rows:
        count = (numbers - sizes.n_fft) // sizes.hop + 1
        return reshape(narrow(x, 1, 0, 1), (0, count, sizes.n_fft))
    columns = unfold(reshape(x, (rows, 1, 1, numbers)), (1, sizes.n_fft), stride=(1, sizes.hop))
    return transpose(columns, 1, 2)


def signal(
    input: Tensor,
    sizes: Windows,
    center: bool,
    normalized: bool,
    onesided: bool | None,
    length: int | None,
    return_complex: bool,
) -> Tensor:
    """(..., numbers) of (..., frequencies, windows): the signals whose windows have transforms nearest to the input."""
    meta = input.meta
    if not meta.dtype.is_complex:
        raise DTypeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    if not meta.numel:
        raise InvalidArgumentError("istft: input tensor cannot be empty.")
    if meta.ndim not in (2, 3):
        wrap_dim(-3, meta.ndim)
        raise InvalidArgumentError(f"istft: expected a tensor with 2 or 3 dimensions, but got {meta.ndim}")
    onesided = meta.shape[-2] != sizes.n_fft if onesided is None else onesided
    _check_signal(input, sizes, onesided, return_complex)
    x = transpose(unsqueeze(input, 0) if meta.ndim == 2 else input, 1, 2)
    norm = "ortho" if normalized else "backward"
    if return_complex:
        numbers = along.transformed(x, [2], [sizes.n_fft], along.INVERSE, norm)
    else:
        half = pairs_of_complex(x)
        numbers = along.of_half_spectrum(half, [2], [sizes.n_fft], along.INVERSE, norm)
    weights = sizes.padded(numbers)
    total = sizes.n_fft + sizes.hop * (x.meta.shape[1] - 1)
    summed = _of_parts(mul(numbers, weights), lambda part: _overlapped(part, sizes, total))
    squares = expand(mul(weights, weights), (1, x.meta.shape[1], sizes.n_fft))
    envelope = _of_parts(squares, lambda part: _overlapped(part, sizes, total))
    start = sizes.n_fft // 2 if center else 0
    end = start + length if length is not None else total - start
    kept = min(end, total) - start
    summed, envelope = narrow(summed, 1, start, kept), narrow(envelope, 1, start, kept)
    error = InvalidArgumentError("istft: window overlap add min: 1; the windows leave numbers of the signal out")
    require_all(scalar_ge(absolute(envelope), 1e-11), error)
    found = div(summed, envelope)
    if end > total:
        warnings.warn(
            "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail."
            " Please check your center and hop_length settings.",
            UserWarning,
            stacklevel=4,
        )
        found = constant_pad_nd(found, (0, end - total))
    return squeeze(found, (0,)) if meta.ndim == 2 else found


def _check_signal(input: Tensor, sizes: Windows, onesided: bool, return_complex: bool) -> None:
    frequencies = input.meta.shape[-2]
    expected = sizes.n_fft // 2 + 1 if onesided else sizes.n_fft
    if frequencies != expected:
        size = "n_fft / 2 + 1" if onesided else "n_fft"
        raise InvalidArgumentError(
            f"istft: expected the frequency dimension (3rd to the last) of the input tensor to match {size} when"
            f" onesided={onesided}, but got {frequencies}"
        )
    if not 0 < sizes.hop <= sizes.length:
        raise InvalidArgumentError("istft: expected 0 < hop_length <= win_length")
    sizes.check("istft", input)
    if return_complex and onesided:
        raise InvalidArgumentError("Cannot have onesided output if window or input is complex")
    if not return_complex and sizes.are_complex:
        raise InvalidArgumentError("Complex windows are incompatible with return_complex=False")


def _overlapped(frames: Tensor, sizes: Windows, total: int) -> Tensor:
    """(rows, total) of (rows, windows, n_fft): the sum where windows overlap."""
    found = fold(transpose(frames, 1, 2), (1, total), (1, sizes.n_fft), stride=(1, sizes.hop))
    return reshape(found, (frames.meta.shape[0], total))
