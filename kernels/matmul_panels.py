"""Matrix products on a CPU whose second factor lies in panels: outs = EPILOGUE(PROLOGUE(A) @ B, operands).

B, (K, N), lies as (panels, K, PANEL): each panel has PANEL columns, those of the registers that a CPU sums in. A product reads it
where it lies, and A, too: nothing is laid out anew for a tile. That pays where B is a weight that is laid out once.
"""

import triton
import triton.language as tl

from .block_sizes import shape_class, tight_block
from .epilogue import epilogue
from .facts import DeviceFacts
from .prologue import prologue, sum_dtype


@triton.jit
def panel_of(b, first, tile, depth, columns, BLOCK_N: tl.constexpr, PANEL: tl.constexpr):
    """The addresses of a tile's columns in the first row of their panels, and which of them lie in a panel at all.

    `first` is the number of the matrix's first panel, of `depth` rows.
    """
    j = tl.arange(0, BLOCK_N)
    panel = first + tile * (BLOCK_N // PANEL) + j // PANEL
    return b + (panel * (depth * PANEL) + j % PANEL), tile * BLOCK_N + j < tl.cdiv(columns, PANEL) * PANEL


@triton.jit
def matmul_panels(
    a,
    b,
    operands,
    outs,
    M,
    N,
    K,
    a_row,
    c_row,
    operand_sizes,
    operand_strides,
    PROLOGUE: tl.constexpr,
    EPILOGUE: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    PANEL: tl.constexpr,
):
    """`a_row` and `c_row` lead from a row to the next one. Grid: (tiles of M x tiles of N,)."""
    tiles_n = tl.cdiv(N, BLOCK_N)
    pid = tl.program_id(0).to(M.dtype)
    tile = pid % tiles_n
    m, k = pid // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, BLOCK_K)
    column, in_panels = panel_of(b, 0, tile, K, N, BLOCK_N, PANEL)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=sum_dtype(a.dtype.element_ty, PROLOGUE))
    for start in range(0, K, BLOCK_K):
        there = k < K - start
        x = tl.load((a + m * a_row)[:, None] + (start + k)[None, :], mask=(m < M)[:, None] & there[None, :], other=0)
        y = tl.load(column[None, :] + ((start + k) * PANEL)[:, None], mask=there[:, None] & in_panels[None, :], other=0)
        acc = tl.dot(prologue(x, PROLOGUE), y, acc, input_precision="ieee", out_dtype=acc.dtype)
    n = tile * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (m < M)[:, None] & (n < N)[None, :]
    offset = m[:, None] * c_row + n[None, :]
    epilogue(acc, (m[:, None], n[None, :]), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


def panel(facts: DeviceFacts) -> int:
    """Columns of a panel: those of two registers, which a CPU sums for 8 rows at a time."""
    return 2 * facts.lanes


def config(facts: DeviceFacts, k: int, n: int, matrix: int) -> dict:
    """Constexprs for sums of runs of k, of a matrix B of so many elements. One that fills the cache is read for more rows at once.

    One thread, us of convolutions by tiles of 64, 128 and 256 rows: (256, 256) of 14x14, 3x3, 2211, 2029, 1912; (144, 24) of 56x56
    226, 228, 272.
    """
    width = panel(facts)
    return {
        "BLOCK_M": 64 if 4 * matrix < facts.cache // 2 else 256,
        "BLOCK_N": max(tight_block(n, (32, 64, 128)), width),
        "BLOCK_K": shape_class(k, (16, 32, 64, 128, 256)),
        "PANEL": width,
    }


def tiles(blocks: dict, m: int, n: int) -> int:
    """Programs of a matrix."""
    return -(-m // blocks["BLOCK_M"]) * -(-n // blocks["BLOCK_N"])
