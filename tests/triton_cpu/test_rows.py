"""Ranges cut in rows by `//` and `%`: the lanes of a chunk share a row or keep their distances, whatever the rows' length."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run

LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128)


@triton.jit
def copy_rows_kernel(x, o, height, width, step, BLOCK: tl.constexpr, ROW: tl.constexpr):
    j = tl.arange(0, BLOCK)
    row = tl.program_id(0) * (BLOCK // ROW) + j // ROW
    column = tl.program_id(1) * ROW + j % ROW
    mask = (row < height) & (column < width)
    value = tl.load(x + row * step + column, mask=mask, other=-1)
    tl.store(o + row * width + column, value * 10 + j % ROW, mask=mask)


@pytest.mark.parametrize("row", LENGTHS)
@pytest.mark.parametrize(("height", "width"), [(5, 7), (16, 64), (3, 130)])
def test_rows_of_an_image(height: int, width: int, row: int) -> None:
    x = torch.randint(0, 1000, (height, width + 9), dtype=torch.int32)
    o = torch.full((height, width), -7, dtype=torch.int32)
    grid = (triton.cdiv(height, 128 // row), triton.cdiv(width, row))
    run(copy_rows_kernel, grid, x, o, height, width, width + 9, BLOCK=128, ROW=row)
    assert torch.equal(o, x[:, :width] * 10 + torch.arange(width, dtype=torch.int32) % row)


@triton.jit
def parts_kernel(o, q, r, START: tl.constexpr, BLOCK: tl.constexpr, N: tl.constexpr):
    j = tl.arange(START, START + BLOCK)
    k = j - START
    tl.store(q + k, j // N)
    tl.store(r + k, j % N)
    tl.store(o + k, tl.sum((j // N)[:, None] * 3 + (j % N)[None, :], 1))


@pytest.mark.sampled
@pytest.mark.parametrize("n", [*LENGTHS, 3, 48, 1000])
@pytest.mark.parametrize("start", [0, 16, 5])
def test_quotients_and_remainders(start: int, n: int) -> None:
    o, q, r = (torch.zeros(64, dtype=torch.int32) for _ in range(3))
    run(parts_kernel, (1,), o, q, r, START=start, BLOCK=64, N=n)
    j = torch.arange(start, start + 64, dtype=torch.int32)
    assert torch.equal(q, j // n) and torch.equal(r, j % n)
    assert torch.equal(o, ((j // n)[:, None] * 3 + (j % n)[None, :]).sum(1).int())


@triton.jit
def gathered_product_kernel(x, y, o, width, limit, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, ROW: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(x + m[:, None] * K + k[None, :])
    place = n // ROW * width + n % ROW
    b = tl.load(y + k[:, None] * limit + place[None, :], mask=(n % ROW < width)[None, :] & (k < K - 3)[:, None], other=0)
    tl.store(o + m[:, None] * N + n[None, :], tl.dot(a, b))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("row", [8, 16, 32, 64])
def test_product_with_columns_in_rows(row: int, dtype: torch.dtype) -> None:
    """As convolutions have it: columns of B are neighbours in memory along short rows only."""
    m, n, k, width = 16, 64, 32, row - 1
    limit = n // row * width + 1
    x, y = torch.randint(-4, 4, (m, k)).to(dtype), torch.randint(-4, 4, (k, limit)).to(dtype)
    o = torch.zeros(m, n)
    run(gathered_product_kernel, (1,), x, y, o, width, limit, M=m, N=n, K=k, ROW=row)
    j = torch.arange(n)
    b = torch.where((j % row < width)[None, :], y.float()[:, (j // row * width + j % row).clamp(max=limit - 1)], 0.0)
    b[k - 3 :] = 0
    assert torch.equal(o, x.float() @ b)
