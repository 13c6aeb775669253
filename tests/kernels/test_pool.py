"""kernels/pool.py against torch.nn.functional."""

import math

import pytest
import torch
import torch.nn.functional as F

from tests.kernels.harness import BACKENDS, CPU, Constant, compile_for, kernels, run, stride
from tritonflow.testing import assert_close, in_float64

module = kernels("pool")
BLOCK = module.config(CPU, 1)["constexprs"]


def pair(values):
    return tuple(stride(v) for v in values)


def grid(tensor):
    return (-(-tensor.numel() // BLOCK["BLOCK"]),)


def rows(tensor):
    return math.prod(tensor.shape[:3])


def counts(values, unrolled):
    return tuple(Constant(v) for v in values) if unrolled else tuple(values)


def check_maxima(x, y, indices, geometry):
    expected, where = F.max_pool2d(x, *geometry, return_indices=True)
    torch.testing.assert_close(y, expected, equal_nan=True, rtol=0, atol=0)
    assert torch.equal(indices, where)


def sizes_of(x, kernel, step, padding, dilation, ceil_mode):
    geometry = zip(x.shape[2:], kernel, step, padding, dilation)
    return tuple(module.output_size(*g, ceil_mode) for g in geometry)


GEOMETRIES = [
    ((2, 2), (2, 2), (0, 0), (1, 1), False),
    ((3, 2), (2, 3), (1, 1), (1, 1), True),
    ((3, 3), (1, 2), (1, 0), (2, 1), False),
    ((2, 3), (3, 1), (1, 1), (2, 2), True),
    ((3, 3), (2, 2), (1, 1), (1, 1), False),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
@pytest.mark.sampled(most=6)
def test_max_pool(backend, geometry, dtype):
    kernel, step, padding, dilation, ceil_mode = geometry
    x = torch.randn(2, 3, 9, 10, dtype=torch.float64).to(dtype)
    x[0, 0, 2, 3] = x[0, 0, 2, 5] = math.nan
    x[0, 1] = -math.inf
    x[1] = x[1].round()
    out = sizes_of(x, *geometry)
    y, indices = torch.empty(2, 3, *out, dtype=dtype), torch.empty(2, 3, *out, dtype=torch.int64)
    image = tuple(x.shape[2:])
    for unrolled in (False, True):
        args = (x, y, indices, rows(y), image, out, counts(kernel, unrolled), pair(step), padding, pair(dilation))
        config, tiles = module.row_config(CPU, rows(y), y.shape[3])
        run(backend, module.max_pool, (tiles,), args, {"UNROLLED": unrolled, **config["constexprs"]})
        check_maxima(x, y, indices, geometry)

    dy, dx = torch.randn_like(y), torch.empty_like(x)
    extent = tuple(d * (k - 1) + 1 for d, k in zip(dilation, kernel))
    windows = tuple(module.windows_over(e, s) for e, s in zip(extent, step))
    config, tiles = module.row_config(CPU, rows(x), x.shape[3])
    leaf = x.double().requires_grad_()
    F.max_pool2d(leaf, kernel, step, padding, dilation, ceil_mode).backward(dy.double())
    paired = step[1] == 2 and extent[1] - padding[1] == 2
    for unrolled, pairs in {(False, paired), (True, paired), (True, False)}:
        args = (dy, indices, dx, rows(x), image, out, extent, pair(step), padding, counts(windows, unrolled))
        run(backend, module.max_pool_backward, (tiles,), args, {"UNROLLED": unrolled, "PAIRED": pairs, **config["constexprs"]})
        tolerance = 2e-2 if dtype == torch.bfloat16 else 1e-5
        assert_close(dx, in_float64(leaf.grad, dtype), rtol=tolerance, atol=tolerance)

    picked = torch.empty_like(y)
    run(backend, module.pick, grid(y), (x, indices, picked, y.numel(), image, out), BLOCK)
    torch.testing.assert_close(picked, y, equal_nan=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("count_padding", "override"), [(True, None), (False, None), (True, 5)])
def test_avg_pool(backend, geometry, count_padding, override):
    kernel, step, padding, _, ceil_mode = geometry
    x = torch.randn(2, 3, 9, 10)
    out = sizes_of(x, kernel, step, padding, (1, 1), ceil_mode)
    y, dx, image = torch.empty(2, 3, *out), torch.empty_like(x), tuple(x.shape[2:])
    counting = {"COUNT_PADDING": count_padding, "OVERRIDE": override is not None}
    config, tiles = module.row_config(CPU, rows(y), y.shape[3])
    args = (x, y, rows(y), image, out, kernel, pair(step), padding, override or 1)
    run(backend, module.avg_pool, (tiles,), args, {**counting, **config["constexprs"]})
    leaf = x.double().requires_grad_()
    expected = F.avg_pool2d(leaf, kernel, step, padding, ceil_mode, count_padding, override)
    assert_close(y, in_float64(expected))
    dy = torch.randn_like(y)
    expected.backward(dy.double())
    windows = tuple(module.windows_over(k, s) for k, s in zip(kernel, step))
    config, tiles = module.row_config(CPU, rows(x), x.shape[3])
    args = (dy, dx, rows(x), image, out, kernel, pair(step), padding, windows, override or 1)
    for paired in {False, step[1] == 2 and kernel[1] - padding[1] == 2}:
        run(backend, module.avg_pool_backward, (tiles,), args, {**counting, "PAIRED": paired, **config["constexprs"]})
        assert_close(dx, in_float64(leaf.grad))


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles(arch):
    x, indices = torch.empty(1, 1, 8, 8, dtype=torch.float16), torch.empty(1, 1, 8, 8, dtype=torch.int64)
    two, one, block = (2, 2), pair((1, 1)), {"BLOCK": 256}
    counting = {"COUNT_PADDING": True, "OVERRIDE": False, "BLOCK_W": 8, **block}
    in_rows, constant_two = {"UNROLLED": True, "BLOCK_W": 8, **block}, counts((2, 2), True)
    args = (x, x, indices, 64, two, two, constant_two, one, two, one)
    assert compile_for(arch, module.max_pool, args, in_rows).asm["ptx"]
    for paired in (False, True):
        args = (x, indices, x, 64, two, two, two, constant_two, two, constant_two)
        assert compile_for(arch, module.max_pool_backward, args, {"PAIRED": paired, **in_rows}).asm["ptx"]
    assert compile_for(arch, module.pick, (x, indices, x, 64, two, two), block).asm["ptx"]
    assert compile_for(arch, module.avg_pool, (x, x, 64, two, two, two, one, two, 1), counting).asm["ptx"]
    assert compile_for(arch, module.avg_pool_backward, (x, x, 64, two, two, two, one, two, two, 1), {"PAIRED": True, **counting}).asm["ptx"]
