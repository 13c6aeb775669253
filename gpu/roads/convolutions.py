"""Convolutions: 3x3, 1x1, 7x7, strides, groups, depthwise; forward and both gradients."""

from __future__ import annotations

from typing import Any

import torch

from gpu.roads.registry import road
from gpu.roads.stage import close, ours, package

SHAPES = ((32, 48, 3, 2, 1), (64, 64, 1, 1, 1), (3, 16, 7, 2, 1), (32, 32, 3, 1, 32))  # in, out, kernel, stride, groups


def _convolve(dtype: torch.dtype, tolerance: float, last: bool) -> Any:
    flow = package()
    found = {}
    for c, o, k, stride, groups in SHAPES:
        a, w = torch.randn(4, c, 29, 31).to(dtype), torch.randn(o, c // groups, k, k).to(dtype)
        a = a.contiguous(memory_format=torch.channels_last) if last else a
        x, weight = ours(a, True), ours(w, True)
        ta, tw = a.double().requires_grad_(), w.double().requires_grad_()
        y = flow.nn.functional.conv2d(x, weight, None, stride=stride, padding=k // 2, groups=groups)
        expected = torch.nn.functional.conv2d(ta, tw, None, stride, k // 2, 1, groups)
        gradient = torch.randn(expected.shape).to(dtype)
        flow.autograd.backward([y], [ours(gradient)])
        expected.backward(gradient.double())
        pairs = ((y, expected), (x.grad, ta.grad), (weight.grad, tw.grad))
        found[f"{c}->{o} {k}x{k}/{stride} g{groups}"] = [close(mine, theirs, tolerance) for mine, theirs in pairs]
    return found


@road()
def convolutions_float32() -> Any:
    """Convolutions in float32, whose products are in TF32."""
    return _convolve(torch.float32, 2e-3, False)


@road()
def convolutions_bfloat16() -> Any:
    """Convolutions in bfloat16."""
    return _convolve(torch.bfloat16, 2e-2, False)


@road()
def convolutions_channels_last() -> Any:
    """Convolutions in bfloat16, images stored by pixel."""
    return _convolve(torch.bfloat16, 2e-2, True)
