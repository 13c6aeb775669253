"""kernels/matmul_panels.py against float64."""

import math

import pytest
import torch
import triton

from tests.kernels.harness import BACKENDS, CPU, Constant, kernels, run, stride

panels = kernels("matmul_panels")
epilogues = kernels("epilogue")


@triton.jit
def doubled(x):
    return x * 2


def in_panels(b, width):
    """(K, N) as (panels, K, width); NaN in columns that are none."""
    k, n = b.shape
    padded = torch.full((k, -(-n // width) * width), math.nan)
    padded[:, :n] = b
    return padded.reshape(k, -1, width).permute(1, 0, 2).contiguous()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("m", "n", "k"), [(1, 40, 3), (17, 33, 70), (70, 96, 64), (65, 130, 300)])
def test_products(backend, m, n, k):
    """Rows of A lie apart, with NaN between them; a bias, and a function in front of A."""
    blocks = {**panels.config(CPU, k, n, n * k), "BLOCK_M": 32}
    a = torch.full((m, k + 5), math.nan)
    a[:, :k] = torch.randn(m, k)
    b, bias, c = torch.randn(k, n), torch.randn(n), torch.full((m, n), 7.0)
    rows = (m, n, k, stride(k + 5), stride(n))
    along_bias = ((m,), (n,)), (((Constant(0),), (Constant(1),)),)
    args = (a, in_panels(b, blocks["PANEL"]), (bias,), (c,), *rows, *along_bias)
    fixed = {"PROLOGUE": doubled, "EPILOGUE": epilogues.add_bias, **blocks}
    run(backend, panels.matmul_panels, (panels.tiles(blocks, m, n),), args, fixed)
    exact = 2 * a[:, :k].double()
    wanted, size = exact @ b.double() + bias.double(), exact.abs() @ b.double().abs() + bias.double().abs()
    assert ((c.double() - wanted).abs() <= (k + 3) * 2.0**-24 * size).all()


def test_configurations():
    """Tiles are whole panels, of as many registers as the CPU at hand has."""
    for k, n in ((16, 8), (64, 64), (4608, 512), (300, 1000)):
        blocks = panels.config(CPU, k, n, n * k)
        assert blocks["BLOCK_N"] % blocks["PANEL"] == 0 and blocks["PANEL"] == 2 * CPU.lanes
        assert panels.tiles(blocks, 100, n) * blocks["BLOCK_M"] * blocks["BLOCK_N"] >= 100 * n
