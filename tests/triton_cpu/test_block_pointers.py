"""Block pointers, which Triton has up to 3.6: windows on a matrix that are moved, with checked boundaries."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run
from tritonflow import triton_compat

pytestmark = pytest.mark.skipif(
    not hasattr(triton_compat.internals.passes.ttir, "add_rewrite_tensor_pointer"), reason="Triton has no block pointers any more"
)


@triton.jit
def product_kernel(a, b, c, M, N, K, sam, sak, sbk, sbn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    left = tl.make_block_ptr(a, (M, K), (sam, sak), (m, 0), (BM, BK), (1, 0))
    right = tl.make_block_ptr(b, (K, N), (sbk, sbn), (0, n), (BK, BN), (1, 0))
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        x = tl.load(left, boundary_check=(0, 1), padding_option="zero")
        total += tl.dot(x, tl.load(right, boundary_check=(0, 1), padding_option="zero"))
        left, right = tl.advance(left, (0, BK)), tl.advance(right, (BK, 0))
    out = tl.make_block_ptr(c, (M, N), (N, 1), (m, n), (BM, BN), (1, 0))
    tl.store(out, total.to(c.dtype.element_ty), boundary_check=(0, 1))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("sizes", [(64, 32, 32), (70, 45, 33), (1, 1, 1)])
def test_a_product(sizes: tuple[int, int, int], turned: bool) -> None:
    m, n, k = sizes
    a, b = torch.randn(m, k), torch.randn(n, k).T if turned else torch.randn(k, n)
    c = torch.full((m, n), float("nan"))
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 16))
    run(product_kernel, grid, a, b, c, m, n, k, *a.stride(), *b.stride(), BM=32, BN=16, BK=16)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-5, atol=1e-5)


@triton.jit
def window_kernel(x, y, ROWS, COLUMNS, row, column, NAN: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    window = tl.make_block_ptr(x, (ROWS, COLUMNS), (COLUMNS, 1), (0, 0), (R, C), (1, 0))
    window = tl.advance(tl.advance(window, (row, 0)), (0, column))
    if NAN:
        v = tl.load(window, boundary_check=(0, 1), padding_option="nan")
    else:
        v = tl.load(window, boundary_check=(1,), padding_option="zero")
    tl.store(y + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :], v)


@pytest.mark.parametrize(("row", "column"), [(0, 0), (3, 5), (-2, 9), (8, -7), (20, 20)])
def test_padding(row: int, column: int) -> None:
    x, y = torch.randn(10, 12), torch.zeros(8, 16)
    run(window_kernel, (1,), x, y, 10, 12, row, column, NAN=True, R=8, C=16)
    padded = torch.nn.functional.pad(x, (40, 40, 40, 40), value=float("nan"))
    want = padded[40 + row : 48 + row, 40 + column : 56 + column]
    assert torch.equal(y.nan_to_num(9), want.nan_to_num(9)) and torch.equal(y.isnan(), want.isnan())


def test_one_dimension_is_checked() -> None:
    x, y = torch.randn(10, 12), torch.zeros(8, 16)
    run(window_kernel, (1,), x, y, 10, 12, 2, 5, NAN=False, R=8, C=16)
    assert torch.equal(y, torch.nn.functional.pad(x[2:, 5:], (0, 9)))
