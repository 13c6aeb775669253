"""kernels/grid_sample.py against torch.nn.functional.grid_sample."""

import math

import pytest
import torch
import torch.nn.functional as F

from tests.kernels.harness import BACKENDS, CPU, Constant, compile_for, kernels, run

module = kernels("grid_sample")
CASES = [
    ("bilinear", "zeros", False, 2),
    ("nearest", "reflection", True, 2),
    pytest.param("bicubic", "border", False, 2, marks=pytest.mark.long),
    pytest.param("bilinear", "border", True, 3, marks=pytest.mark.long),
]


def fixed_of(mode, padding, aligned):
    return {"TAPS": module.TAPS[mode], "MODE": mode, "PADDING": padding, "ALIGNED": aligned}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("mode", "padding", "aligned", "dims"), CASES)
def test_sample_and_its_gradients(backend, mode, padding, aligned, dims):
    image = (4, 5, 3)[:dims]
    x = torch.randn(2, 3, *image, dtype=torch.float64)
    grid = torch.rand(2, 4, *[1] * (dims - 1), dims, dtype=torch.float64) * 4 - 2  # some points are far outside
    leaves = x.clone().requires_grad_(), grid.clone().requires_grad_()
    expected = F.grid_sample(*leaves, mode, padding, aligned)
    dy = torch.randn_like(expected)
    expected.backward(dy)

    fixed, orders = fixed_of(mode, padding, aligned), (Constant(0),) * dims
    blocks = module.config(CPU, module.TAPS[mode] ** dims)["constexprs"]
    y = torch.full_like(expected, math.nan).detach()
    run(backend, module.sample, (2 * 2,), (x, grid, y, 3, 4, 2, image, orders), {**fixed, **blocks})
    torch.testing.assert_close(y, expected.detach())

    slopes = torch.full_like(grid, math.nan)
    run(backend, module.slopes, (2,), (dy, x, grid, slopes, 3, 4, image, orders), {**fixed, **blocks})
    torch.testing.assert_close(slopes, leaves[1].grad)

    dx = torch.zeros(2, math.prod(image), 3, dtype=torch.float64)
    last = dy.reshape(2, 3, 4).transpose(1, 2).contiguous()
    args = (last, grid, dx, 3, 4, 2, 2, image, orders)  # two groups of channels, two bands of pixels
    run(backend, module.spread, (2 * 2 * 2,), args, {**fixed, "COLS": 2})
    torch.testing.assert_close(dx.transpose(1, 2).reshape(x.shape), leaves[0].grad)


def test_what_is_outside_is_not_read():
    """An infinite pixel at an edge does not reach points behind it."""
    x = torch.full((1, 1, 2, 2), math.inf, dtype=torch.float64)
    grid = torch.tensor([[-9.0, 0.0], [9.0, -9.0], [1e300, 1e300]], dtype=torch.float64)
    y = torch.full((1, 1, 3), math.nan, dtype=torch.float64)
    args = (x, grid, y, 1, 3, 1, (2, 2), (Constant(0),) * 2)
    run("cpu", module.sample, (1,), args, {**fixed_of("bilinear", "zeros", False), "BLOCK": 128})
    assert torch.equal(y, torch.zeros_like(y))


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_points_that_are_not_finite_show_as_in_torch(mode, padding):
    x = torch.arange(1.0, 13.0, dtype=torch.float64).reshape(1, 1, 3, 4)
    numbers = [[math.nan, 0.1], [0.1, math.nan], [math.nan, math.nan], [math.inf, 0.0], [-math.inf, 0.2], [0.0, -math.inf]]
    grid = torch.tensor(numbers, dtype=torch.float64).reshape(1, 1, 6, 2)
    y = torch.full((1, 1, 6), math.nan, dtype=torch.float64)
    args = (x, grid, y, 1, 6, 1, (3, 4), (Constant(0),) * 2)
    run("cpu", module.sample, (1,), args, {**fixed_of(mode, padding, False), "BLOCK": 128})
    torch.testing.assert_close(y, F.grid_sample(x, grid, mode, padding, False).reshape(1, 1, 6), equal_nan=True)


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles(arch):
    x, image, orders = torch.empty(4, 4, dtype=torch.float16), (4, 4), (Constant(0), Constant(1))
    fixed = fixed_of("bilinear", "reflection", False)
    assert compile_for(arch, module.sample, (x, x, x, 4, 4, 1, image, orders), {**fixed, "BLOCK": 128}).asm["ptx"]
    assert compile_for(arch, module.slopes, (x, x, x, x, 4, 4, image, orders), {**fixed, "BLOCK": 128}).asm["ptx"]
    args = (x, x, x.float(), 4, 4, 1, 1, image, orders)
    assert compile_for(arch, module.spread, args, {**fixed, "COLS": 32}, num_warps=1).asm["ptx"]
