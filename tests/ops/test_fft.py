"""Fourier transforms beside torch's, whose errors in float64 are of the size of ours."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow

# One product, a product of a prime, two steps, a step and a convolution, a convolution, three steps.
LENGTHS = (1, 2, 7, 64, 127, 144, 326, 163, 4160)


def ours(x: torch.Tensor) -> Any:
    return flow.tensor(x.resolve_conj().numpy())


def agree(mine: Any, right: torch.Tensor, most: float = 4e-14) -> None:
    mine = flow.to_torch(mine.detach().cpu())
    assert mine.dtype is right.dtype and mine.shape == right.shape
    assert (mine - right).abs().max() <= most * right.abs().max()


def numbers(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.complex128, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("n", LENGTHS)
def test_lengths(n: int) -> None:
    x = numbers(2, n)
    agree(flow.fft.fft(ours(x)), torch.fft.fft(x))
    agree(flow.fft.ifft(ours(x), norm="ortho"), torch.fft.ifft(x, norm="ortho"))
    agree(flow.fft.rfft(ours(x.real)), torch.fft.rfft(x.real))
    half = x[:, : n // 2 + 1]
    agree(flow.fft.irfft(ours(half), n=n), torch.fft.irfft(half, n=n))


@pytest.mark.hours
@pytest.mark.parametrize("n", range(1, 600))
def test_every_length(n: int) -> None:
    test_lengths(n)


def test_float64_is_exact() -> None:
    """Beside the sum itself, in a wider float."""
    x, k = numbers(1, 254).numpy(), numpy.arange(254)
    angle = -2 * numpy.pi * (numpy.outer(k, k) % 254).astype(numpy.longdouble) / 254
    exact = x.astype(numpy.clongdouble) @ (numpy.cos(angle) + 1j * numpy.sin(angle))
    found = flow.fft.fft(flow.tensor(x)).cpu().numpy()
    assert abs(found - exact).max() < 4e-15 * abs(exact).max()


SEVERAL: dict[str, Callable[..., Any]] = {
    "fft2": lambda f, x: f.fft2(x, s=(3, 8)),
    "ifftn": lambda f, x: f.ifftn(x, dim=(0, -1), norm="forward"),
    "rfftn": lambda f, x: f.rfftn(x.real, s=(5, 4), norm="ortho"),
    "irfft2": lambda f, x: f.irfft2(x, s=(4, 5)),
    "hfft": lambda f, x: f.hfft(x, 5, 1),
    "ihfft": lambda f, x: f.ihfft(x.real, dim=0),
    "hfftn": lambda f, x: f.hfftn(x, norm="ortho"),
    "ihfft2": lambda f, x: f.ihfft2(x.real),
    "fft of real": lambda f, x: f.fftn(x.imag),
    "fftshift": lambda f, x: f.fftshift(x, dim=(0, 2)) + f.ifftshift(x),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_dimensions_and_their_gradients(name: str) -> None:
    x = numbers(3, 4, 6)
    right, mine = x.clone().requires_grad_(), ours(x).requires_grad_()
    expected, found = SEVERAL[name](torch.fft, right), SEVERAL[name](flow.fft, mine)
    agree(found, expected)
    (expected.abs() ** 2).sum().backward()
    (found.abs() ** 2).sum().backward()
    assert right.grad is not None
    agree(mine.grad, right.grad)


def test_frequencies_and_out() -> None:
    for n, d in ((1, 1.0), (4, 0.5), (5, 2.0)):
        assert flow.fft.fftfreq(n, d).tolist() == torch.fft.fftfreq(n, d).tolist()
        assert flow.fft.rfftfreq(n, d).tolist() == torch.fft.rfftfreq(n, d).tolist()
    assert flow.fft.fftfreq(4, device="cpu", requires_grad=True).requires_grad
    out = flow.empty(0, dtype=flow.complex64)
    assert flow.fft.fft(flow.tensor([1, 2]), out=out) is out and out.tolist() == [3, -1]


REFUSED = [
    ("f.fft(p.ones(3), n=0)", RuntimeError), ("f.fft(p.ones(()))", IndexError), ("f.fft(p.ones(3), dim=1)", IndexError),
    ("f.fft(p.ones(3), norm='x')", RuntimeError), ("f.rfft(p.ones(3) + 1j)", RuntimeError), ("f.irfft(p.ones(1))", RuntimeError),
    ("f.fft(p.ones(3, dtype=p.float16))", RuntimeError), ("f.fft2(p.ones(3))", IndexError), ("f.fft(p.ones(0))", RuntimeError),
    ("f.fftn(p.ones(3, 3), dim=(0, 0))", RuntimeError), ("f.fftn(p.ones(3, 3), s=(1,), dim=(0, 1))", RuntimeError),
    ("f.rfftn(p.ones(3, 3), dim=())", RuntimeError), ("f.fftn(p.ones(3), s=(1, 2))", RuntimeError),
    ("f.fftshift(p.ones(3), dim=1)", IndexError),
]  # fmt: skip


@pytest.mark.parametrize(("source", "error"), REFUSED, ids=[source for source, _ in REFUSED])
def test_what_is_refused(source: str, error: type[Exception]) -> None:
    for package in (torch, flow):
        with pytest.raises(error):
            eval(source, {"f": package.fft, "p": package})


SPECTRA: dict[str, dict[str, Any]] = {
    "plain": {"return_complex": True},
    "window": {"return_complex": True, "window": torch.hann_window(6, dtype=torch.float64), "win_length": 6, "hop_length": 3},
    "whole": {"return_complex": True, "onesided": False, "normalized": True, "pad_mode": "constant"},
    "pairs": {"return_complex": False, "center": False},
}


def _options(options: dict[str, Any]) -> dict[str, Any]:
    return {name: ours(value) if isinstance(value, torch.Tensor) else value for name, value in options.items()}


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.filterwarnings("ignore")
def test_spectra(name: str) -> None:
    x = numbers(2, 40).real.contiguous()
    agree(flow.stft(ours(x), 8, **_options(SPECTRA[name])), torch.stft(x, 8, **SPECTRA[name]))


def test_a_signal_comes_back_from_its_spectra() -> None:
    x, window = ours(numbers(40).real.contiguous()).requires_grad_(), flow.hann_window(8, dtype=flow.float64)
    back = flow.istft(x.stft(8, window=window, return_complex=True), 8, window=window)
    assert flow.allclose(back, x)
    back.sum().backward()
    assert flow.allclose(x.grad, flow.ones_like(x))
    with pytest.raises(RuntimeError, match="return_complex parameter be given"):
        flow.stft(x, 8)
    with pytest.raises(RuntimeError, match="window overlap add min"):
        flow.istft(flow.stft(x, 8, return_complex=True), 8, window=window * 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = flow.compile(lambda x: flow.stft(x, 8, window=window, return_complex=True).abs())
        assert flow.allclose(compiled(x.detach()), flow.stft(x.detach(), 8, window=window, return_complex=True).abs())
