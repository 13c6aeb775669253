"""kernels/softmax.py against torch."""

import math

import pytest
import torch

from tests.kernels.harness import BACKENDS, CPU, GPU, compile_for, computed_in_float64, kernels, run, stride
from tritonflow.testing import assert_close

module = kernels("softmax")
rows = kernels("rows")
REFERENCE = {False: torch.softmax, True: torch.log_softmax}


def call(x, dim, log, blocks=None, facts=CPU):
    layout = rows.row_layout(x.shape, dim)
    config = module.config(facts, layout)
    constexprs = {"LOG": log, **config["constexprs"], **(blocks or {})}
    sizes = (layout.rows, layout.cols, tuple(stride(s) for s in layout.strides))
    return (rows.row_grid(layout, constexprs),), sizes, constexprs, config["num_warps"]


def check(backend, x, dim, log, blocks=None, tolerance=1e-5):
    grid, sizes, constexprs, _ = call(x, dim, log, blocks)
    y, dx, dy = torch.empty_like(x), torch.empty_like(x), torch.randn_like(x)
    run(backend, module.forward, grid, (x, y, *sizes), constexprs)
    leaf = x.double().requires_grad_()
    expected = REFERENCE[log](leaf, dim)
    torch.testing.assert_close(y.double(), expected, rtol=tolerance, atol=tolerance, equal_nan=True)
    run(backend, module.backward, grid, (dy, y, dx, *sizes), constexprs)
    y64 = y.double()
    g = dy.double()
    formula = g - y64.exp() * g.sum(dim, True) if log else y64 * (g - (g * y64).sum(dim, True))
    torch.testing.assert_close(dx.double(), formula, rtol=tolerance, atol=tolerance, equal_nan=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(("shape", "dim"), [((1,), 0), ((5, 10), 1), ((3, 130), 1), ((10, 7), 0), ((2, 5, 33), 1)])
def test_dims(backend, log, shape, dim):
    check(backend, torch.randn(shape) * 5, dim, log)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("fold", [0, 4])
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.sampled(most=2)
def test_rows_longer_than_a_tile(backend, log, dim, fold):
    x = torch.randn(75, 75) * 5
    x[:16] = -math.inf
    x[:, :16] = -math.inf
    check(backend, x, dim, log, {"COLS": 16, "ROWS": 4, "WHOLE": False, "FOLD": fold})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("log", [False, True])
def test_rows_at_odd_addresses(backend, log):
    """As on a GPU: tiles begin before the rows, and the whole ones have no masks."""
    check(backend, torch.randn(9, 71) * 5, 1, log, {"COLS": 16, "ROWS": 1, "WHOLE": False, "FOLD": 2, "ALIGN": 8})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_dtypes(backend, dtype):
    tolerance = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float64: 1e-12}[dtype]
    check(backend, torch.randn(6, 50).to(dtype), 1, False, tolerance=tolerance)
    check(backend, torch.randn(6, 50).to(dtype), 1, True, tolerance=2 * tolerance)
    check(backend, torch.randn(6, 50).to(dtype), 1, False, {"FOLD": 1}, tolerance=tolerance)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("blocks", [{}, {"COLS": 8, "ROWS": 2, "WHOLE": False, "FOLD": 2}], ids=["a tile", "of a GPU"])
def test_nonfinite(backend, log, blocks):
    x = torch.randn(5, 20)
    x[0, 3], x[1, 4], x[2, 5], x[3] = math.nan, math.inf, -math.inf, -math.inf
    grid, sizes, constexprs, _ = call(x, 1, log, blocks)
    y = torch.empty_like(x)
    run(backend, module.forward, grid, (x, y, *sizes), constexprs)
    assert_close(y, computed_in_float64(REFERENCE[log], x, 1), equal_nan=True)


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
@pytest.mark.parametrize(("shape", "dim"), [((8, 64), 1), ((4, 64, 64), 1), ((2, 20000), 1)])
@pytest.mark.sampled(most=3)
def test_compiles(arch, dtype, shape, dim):
    x = torch.empty(shape, dtype=dtype)
    _, sizes, constexprs, num_warps = call(x, dim, False, facts=GPU)
    assert compile_for(arch, module.forward, (x, x, *sizes), constexprs, num_warps=num_warps).asm["ptx"]
    assert compile_for(arch, module.backward, (x, x, x, *sizes), constexprs, num_warps=num_warps).asm["ptx"]
