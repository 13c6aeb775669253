"""kernels/depthwise_rows.py against torch.nn.functional.conv2d in float64."""

import math

import pytest
import torch
import torch.nn.functional as F

from tests.kernels.harness import BACKENDS, CPU, Constant, kernels, run, stride

rows = kernels("depthwise_rows")
epilogues = kernels("epilogue")


def outputs(x, w, steps, padding, dilation):
    sizes = zip(x.shape[2:], w.shape[2:], steps, padding, dilation)
    return tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in sizes)


CASES = [  # image, taps, channels, results of each, stride, padding, dilation
    ((9, 11), (3, 3), 16, 1, (1, 1), (1, 1), (1, 1)),
    ((9, 11), (3, 3), 40, 1, (2, 2), (1, 1), (1, 1)),
    ((9, 12), (5, 5), 72, 1, (1, 1), (2, 2), (1, 1)),
    ((4, 3), (5, 5), 32, 1, (1, 1), (2, 2), (1, 1)),  # no column has all taps inside
    ((3, 8), (1, 4), 33, 2, (1, 1), (0, 3), (1, 2)),
    ((8, 3), (4, 1), 5, 3, (3, 1), (5, 0), (2, 1)),
    ((10, 9), (2, 3), 64, 1, (2, 3), (4, 5), (3, 2)),  # rows and columns without a tap inside
    ((1, 1), (7, 7), 8, 1, (1, 1), (3, 3), (1, 1)),
    ((13, 14), (7, 7), 34, 1, (1, 1), (0, 0), (1, 1)),
]


@pytest.mark.sampled(most=6)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("image", "taps", "channels", "multiplier", "steps", "padding", "dilation"), CASES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64], ids=str)
def test_rows(backend, image, taps, channels, multiplier, steps, padding, dilation, dtype):
    """What lies around the images is NaN: nothing of it may reach a result."""
    memory = torch.full((2 * channels * math.prod(image) + 4096,), math.nan, dtype=dtype)
    x = memory[2048:-2048].view(2, *image, channels).permute(0, 3, 1, 2)
    x.copy_(torch.randn(x.shape))
    made = channels * multiplier
    w = torch.randn(made, 1, *taps).to(dtype)
    out = outputs(x, w, steps, padding, dilation)
    y = torch.full((2, made, *out), 7.0, dtype=dtype).to(memory_format=torch.channels_last)
    config, tiles = rows.config(CPU, 2 * out[0], made)
    by_tap = w.reshape(made, math.prod(taps)).t().contiguous()
    known = Constant(1) if multiplier == 1 else multiplier
    sizes = (made, known, image, tuple(map(Constant, taps)), out, tuple(map(stride, steps)), padding, tuple(map(stride, dilation)))
    fixed = {"EPILOGUE": epilogues.identity, "SMALL": math.prod(taps) <= 9, **config["constexprs"]}
    run(backend, rows.forward_rows, (tiles,), (x, by_tap, (), (y,), *sizes, (), ()), fixed)
    wanted, size = (
        F.conv2d(a, b, None, steps, padding, dilation, groups=channels)
        for a, b in ((x.double(), w.double()), (x.double().abs(), w.double().abs()))
    )
    rounding = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-8, torch.float64: 2.0**-53}[dtype]
    bound = (math.prod(taps) + 1) * (2.0**-53 if dtype is torch.float64 else 2.0**-24) * size + rounding * wanted.abs()
    assert ((y.double() - wanted).abs() <= bound).all()
