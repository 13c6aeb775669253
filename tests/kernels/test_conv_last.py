"""kernels/conv_last.py against torch.nn.functional.conv2d in float64."""

import math

import pytest
import torch
import torch.nn.functional as F
import triton

from tests.kernels.harness import BACKENDS, kernels, run, stride

conv = kernels("conv_last")
panels = kernels("matmul_panels")
epilogues = kernels("epilogue")
PANEL = 32


@triton.jit
def doubled(x):
    return x * 2


def outputs(x, w, steps, padding, dilation):
    sizes = zip(x.shape[2:], w.shape[2:], steps, padding, dilation)
    return tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in sizes)


def in_panels(w, groups):
    """The weight as (groups, panels, taps, channels, PANEL); NaN in columns that are no channels."""
    channels, taps = w.shape[1], math.prod(w.shape[2:])
    o = w.shape[0] // groups
    panels = -(-o // PANEL)
    padded = torch.full((groups, panels * PANEL, channels, taps), math.nan)
    padded[:, :o] = w.reshape(groups, o, channels, taps)
    return padded.reshape(groups, panels, PANEL, channels, taps).permute(0, 1, 4, 3, 2).contiguous()


GEOMETRIES = [
    {},
    {"padding": (1, 1)},
    {"stride": (2, 2), "padding": (1, 1)},
    {"stride": (2, 3), "padding": (2, 1), "dilation": (2, 2)},
    {"stride": (3, 2), "dilation": (1, 3), "padding": (0, 2)},
]
SHAPES = [  # images, weight, groups
    ((2, 16, 9, 8), (33, 16, 1, 1), 1),
    ((1, 40, 9, 10), (24, 40, 3, 2), 1),
    ((3, 36, 7, 9), (70, 18, 2, 3), 2),
]


@pytest.mark.sampled(most=3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("x_shape", "w_shape", "groups"), SHAPES)
@pytest.mark.parametrize("block_k", [16, 64])
def test_dense(backend, geometry, x_shape, w_shape, groups, block_k):
    """What lies behind the images, and in a panel behind its channels, is NaN: nothing of it may reach a result."""
    steps, padding, dilation = (geometry.get(k, d) for k, d in (("stride", (1, 1)), ("padding", (0, 0)), ("dilation", (1, 1))))
    memory = torch.full((math.prod(x_shape) + 64,), math.nan)
    n, c, h, v = x_shape
    x = memory[32:-32].view(n, h, v, c).permute(0, 3, 1, 2)
    x.copy_(torch.randn(x_shape))
    w, out = torch.randn(w_shape), outputs(x, torch.empty(w_shape), steps, padding, dilation)
    y = torch.full((n, w_shape[0], *out), 7.0).to(memory_format=torch.channels_last)
    o, plain = w_shape[0] // groups, math.prod(w_shape[2:]) == 1 and not geometry
    blocks = {"BLOCK_M": 16, "BLOCK_N": 64, "BLOCK_K": block_k, "PANEL": PANEL}
    positions = n * math.prod(out)
    sizes = (positions, groups, w_shape[1], o, x_shape[2:], w_shape[2:], out, tuple(map(stride, steps)), padding)
    sizes = (tuple(map(stride, (c * h * v, c * v, c))), *sizes, tuple(map(stride, dilation)))
    args = (x, in_panels(w, groups), (), (y,), *sizes, (), ())
    fixed = {"PROLOGUE": doubled if block_k == 64 else None, "EPILOGUE": epilogues.identity, "PLAIN": plain, "LAST": True}
    run(backend, conv.forward, (panels.tiles(blocks, positions, o), groups), args, {**fixed, **blocks})
    factor = 2 if block_k == 64 else 1
    wanted, size = (F.conv2d(a, b, None, steps, padding, dilation, groups) for a, b in (
        (factor * x.double(), w.double()), (factor * x.double().abs(), w.double().abs())))  # fmt: skip
    assert ((y.double() - wanted).abs() <= (math.prod(w_shape[1:]) + 2) * 2.0**-24 * size).all()
