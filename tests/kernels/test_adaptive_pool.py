"""kernels/adaptive_pool.py against torch.nn.functional."""

import math

import pytest
import torch
import torch.nn.functional as F

from tests.kernels.harness import BACKENDS, CPU, compile_for, kernels, run
from tritonflow.testing import assert_close, in_float64

module, pool = kernels("adaptive_pool"), kernels("pool")
IMAGE = (9, 21)
SIZES = [(1, 1), (3, 4), (4, 2), (9, 21), (11, 7), (20, 3), (3, 30)]


def launch(backend, name, written, image, out, operands, backward=False, long=False):
    """Runs a kernel as the planner does, the one of wide windows where it may."""
    planes = written.shape[0] * written.shape[1]
    fixed = {"LONG": long}
    if module.is_wide(image, out):
        total = planes * math.prod(out)
        fixed |= module.config(CPU, image, out)["constexprs"]
        return run(backend, getattr(module, f"{name}_wide"), (total,), (*operands, total, image, out), fixed)
    rows, sizes = planes * written.shape[2], zip(out, image) if backward else zip(image, out)
    config, tiles = pool.row_config(CPU, rows, written.shape[3])
    most = tuple(module.most_inputs(*size) for size in sizes)
    return run(backend, getattr(module, name), (tiles,), (*operands, rows, image, out, most), fixed | config["constexprs"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("out", SIZES)
def test_adaptive_avg_pool(backend, out):
    x = torch.randn(2, 2, *IMAGE)
    y, dx = torch.empty(2, 2, *out), torch.empty_like(x)
    launch(backend, "adaptive_avg_pool", y, IMAGE, out, (x, y), long=out == (4, 2))
    leaf = x.double().requires_grad_()
    expected = F.adaptive_avg_pool2d(leaf, out)
    assert_close(y, in_float64(expected))
    dy = torch.randn_like(y)
    expected.backward(dy.double())
    launch(backend, "adaptive_avg_pool_backward", dx, IMAGE, out, (dy, dx), backward=True, long=out == (4, 2))
    assert_close(dx, in_float64(leaf.grad))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("out", SIZES)
def test_adaptive_max_pool(backend, out):
    x = torch.randn(2, 2, *IMAGE)
    x[0, 0, 2, 3] = x[0, 0, 2, 5] = x[0, 0, 7, 20] = math.nan
    x[0, 1] = -math.inf
    x[1] = x[1].round()
    y, indices, dx = torch.empty(2, 2, *out), torch.empty(2, 2, *out, dtype=torch.int64), torch.empty_like(x)
    launch(backend, "adaptive_max_pool", y, IMAGE, out, (x, y, indices))
    leaf = x.double().requires_grad_()
    expected, where = F.adaptive_max_pool2d(leaf, out, return_indices=True)
    torch.testing.assert_close(y.double(), expected, equal_nan=True, rtol=0, atol=0)
    assert torch.equal(indices, where)
    dy = torch.randn_like(y)
    expected.backward(dy.double())
    launch(backend, "adaptive_max_pool_backward", dx, IMAGE, out, (dy, indices, dx), backward=True)
    assert_close(dx, in_float64(leaf.grad))


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles(arch):
    x, indices = torch.empty(1, 1, 8, 8, dtype=torch.float16), torch.empty(1, 1, 8, 8, dtype=torch.int64)
    two, fixed = (2, 2), {"LONG": False}
    in_rows, tile = {"BLOCK": 256, "BLOCK_W": 8, **fixed}, {"ROWS": 4, "COLS": 16, **fixed}
    for name, operands in (("avg", (x, x)), ("max", (x, x, indices))):
        for direction in ("", "_backward"):
            kernel = f"adaptive_{name}_pool{direction}"
            operands = (x, indices, x) if kernel == "adaptive_max_pool_backward" else operands
            assert compile_for(arch, getattr(module, kernel), (*operands, 64, two, two, two), in_rows).asm["ptx"]
            assert compile_for(arch, getattr(module, f"{kernel}_wide"), (*operands, 64, two, two), tile).asm["ptx"]


def test_most_inputs():
    for size in range(12):
        for out in range(1, 12):
            windows = [range(a * size // out, -(-(a + 1) * size // out)) for a in range(out)]
            assert module.most_inputs(size, out) == max(map(len, windows))
            if size:
                assert module.most_inputs(out, size) == max(sum(h in w for w in windows) for h in range(size))
    assert module.most_inputs(5, 0) == 0
    assert module.most_inputs(4, 2**40) == 1  # without visiting all windows
