"""Products of operands that are read where they were loaded from: rows that begin anywhere, and panels."""

from __future__ import annotations

import math

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run


@triton.jit
def gathered(
    a, rows, b, c, M, N, K, step, PANEL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SHIFT: tl.constexpr
):  # fmt: skip
    """c[m, n] = sum over k of a[rows[m] + k] b[n // PANEL, k, n % PANEL]; a row of -1 is one of zeros."""
    m, n, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    at = tl.load(rows + m, mask=m < M, other=-1)
    j = tl.program_id(1) * (BN // PANEL) + n // PANEL
    column = b + (j * K * PANEL + n % PANEL)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        there = k < K - start
        mask = (at >= 0)[:, None] & there[None, :]
        x = tl.load((a + at * step)[:, None] + (start + k)[None, :], mask=mask, other=0)
        if SHIFT:  # not the loaded operand any more: it is packed
            x += 1
        y = tl.load(column[None, :] + ((start + k) * PANEL)[:, None], mask=there[:, None], other=0)
        acc = tl.dot(x, y, acc)
    col = tl.program_id(1) * BN + n
    tl.store(c + m[:, None] * N + col[None, :], acc, mask=(m < M)[:, None] & (col < N)[None, :])


@pytest.mark.sampled(most=6)
@pytest.mark.parametrize("target", [None, "avx2", "baseline"])
@pytest.mark.parametrize("blocks", [(16, 32, 16), (8, 64, 64), (64, 128, 32)])
@pytest.mark.parametrize("panel", [32, 64])
@pytest.mark.parametrize("shift", [False, True])
@pytest.mark.parametrize(("m", "n", "k"), [(1, 128, 5), (37, 100, 70), (64, 128, 64)])
def test_rows_and_panels(m, n, k, shift, panel, blocks, target):
    """Rows that a mask leaves out have addresses that no memory has, and around the others there is NaN."""
    if blocks[1] < panel:
        pytest.skip("a tile has whole panels")
    torch.manual_seed(0)
    step, count = k + 3, 50
    memory = torch.full((count, step), math.nan)
    memory[:, :k] = torch.randn(count, k)
    rows = torch.randint(0, count, (m,), dtype=torch.int32)
    rows[torch.rand(m) < 0.3] = -1
    rows = torch.where(rows < 0, torch.full_like(rows, -(2**25)), rows)  # an eighth of a gigabyte away and more
    b = torch.full((-(-n // panel) + 4, k, panel), math.nan)  # of panels that only columns without a store read
    whole = torch.randn(k, -(-n // panel) * panel)
    b[: -(-n // panel)] = whole.reshape(k, -1, panel).permute(1, 0, 2)
    c = torch.full((m, n), 7.0)
    grid = (triton.cdiv(m, blocks[0]), triton.cdiv(n, blocks[1]))
    constants = {"PANEL": panel, "BM": blocks[0], "BN": blocks[1], "BK": blocks[2], "SHIFT": shift}
    run(gathered, grid, memory, rows, b, c, m, n, k, step, cpu=target, **constants)
    a = torch.where((rows >= 0)[:, None], memory[rows.clamp_min(0).long(), :k], 0).double() + shift
    wanted, size = a @ whole[:, :n].double(), a.abs() @ whole[:, :n].double().abs()
    assert ((c.double() - wanted).abs() <= (k + 2) * 2.0**-23 * size).all()
