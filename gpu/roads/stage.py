"""What roads share: the package, tensors on the device, and comparisons with torch in float64 on the host."""

from __future__ import annotations

from typing import Any

import torch

DEVICE = "cuda"
stand_in = False  # whether the stand-in for a GPU takes its place
_begun = False


def package() -> Any:
    """tritonflow, with the stand-in in place where that is wanted."""
    global _begun
    if stand_in and not _begun:
        from tests import where

        where.begin(DEVICE)
        _begun = True
    import tritonflow

    return tritonflow


def ours(t: torch.Tensor, grad: bool = False) -> Any:
    """A copy of a tensor of torch's, on the device."""
    x = package().from_torch(t.detach().clone() if stand_in else t.detach().cuda())
    return x.requires_grad_() if grad else x


def host(x: Any) -> torch.Tensor:
    """A copy of a tensor of ours, on the host."""
    return package().to_torch(x.detach()).cpu()


def close(x: Any, expected: torch.Tensor, tolerance: float) -> str:
    """The relative error of a tensor of ours.

    Raises:
        AssertionError: it is too large, or the shape is another.
    """
    a, b = host(x).double(), expected.detach().double().cpu()
    assert a.shape == b.shape, (a.shape, b.shape)
    assert not a.isnan().any() or b.isnan().any(), "NaN"
    error = float((a - b).norm() / b.norm().clamp_min(1e-30))
    assert error <= tolerance, f"relative error {error:.2e} > {tolerance:g}"
    return f"{error:.1e}"


def same_bits(runs: list[torch.Tensor], what: str) -> None:
    """Refuse results that differ from run to run."""
    assert all(torch.equal(run, runs[0]) for run in runs), f"{what} gives other bits the second time"
