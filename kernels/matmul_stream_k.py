"""Products of few large tiles and a long K: a program for each multiprocessor has an equal share of all steps along K.

What one program has may begin and end inside of tiles, so a tile is the sum of the parts of some programs that follow each other:

    steps of K    | tile 0        | tile 1        | tile 2        |
    programs      | 0       | 1        | 2       | 3         | 4  |

This is Stream-K (Osama et al., "Stream-K: Work-centric Parallel Decomposition for Dense Matrix-Matrix Multiplication on the GPU",
2023), but parts wait for nobody: each goes to a workspace, and a second kernel adds them in order, so that bits are the same in
every run.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .epilogue import epilogue
from .matmul import sum_of_parts
from .matmul_persistent import described, tile_at


@triton.jit
def matmul_stream_k(
    a,
    b,
    parts,
    row_parts,
    M,
    N,
    K,
    share,
    part_stride,
    a_strides,
    b_strides,
    TRANSPOSED_A: tl.constexpr,
    TRANSPOSED_B: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    """parts[program - first program of the tile] = the program's sum. Grid: (programs,), of `share` steps each.

    `row_parts` is a tuple of no or one pointer: to the sums of a's rows, which matrix units multiply by ones.
    """
    a_tiles = described(a, M, K, a_strides, TRANSPOSED_A, BLOCK_M, BLOCK_K)
    b_tiles = described(b, K, N, b_strides, TRANSPOSED_B, BLOCK_K, BLOCK_N)
    tiles_n = tl.cdiv(N, BLOCK_N)
    steps = tl.cdiv(K, BLOCK_K)
    first = tl.program_id(0) * share
    end = tl.minimum(first + share, tl.cdiv(M, BLOCK_M) * tiles_n * steps)
    for tile in range(first // steps, tl.cdiv(end, steps)):
        tile_m, tile_n = tile // tiles_n, tile % tiles_n
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(a.dtype.element_ty))
        begin, stop = tl.maximum(first - tile * steps, 0), tl.minimum(end - tile * steps, steps)
        if len(row_parts) == 1 and tile_n == 0:
            sums = tl.zeros((BLOCK_M, 16), dtype=acc.dtype)
            ones = tl.full((BLOCK_K, 16), 1, a.dtype.element_ty)
            for step in range(begin, stop):
                x = tile_at(a_tiles, tile_m * BLOCK_M, step * BLOCK_K, TRANSPOSED_A)
                y = tile_at(b_tiles, step * BLOCK_K, tile_n * BLOCK_N, TRANSPOSED_B)
                acc = tl.dot(x, y, acc)
                sums = tl.dot(x, ones, sums)
            rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
            part = tl.program_id(0) - tile * steps // share
            tl.store(row_parts[0] + part * M + rows, tl.max(sums, 1), mask=rows < M)
        else:
            for step in range(begin, stop):
                x = tile_at(a_tiles, tile_m * BLOCK_M, step * BLOCK_K, TRANSPOSED_A)
                y = tile_at(b_tiles, step * BLOCK_K, tile_n * BLOCK_N, TRANSPOSED_B)
                acc = tl.dot(x, y, acc)
        m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
        n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
        part = tl.program_id(0) - tile * steps // share
        tl.store(parts + part * part_stride + m * N + n, acc, mask=(m < M) & (n < N))


@triton.jit
def add_parts(
    parts,
    row_parts,
    operands,
    outs,
    row_sums,
    M,
    N,
    K,
    share,
    part_stride,
    c_strides,
    operand_sizes,
    operand_strides,
    EPILOGUE: tl.constexpr,
    TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
    TILE_K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    """outs = EPILOGUE(sum of a tile's parts, operands), for a block inside of a tile; and the sums of a's rows.

    Grid: (blocks of M, of N).
    """
    first_m, first_n = tl.program_id(0).to(M.dtype) * BLOCK_M, tl.program_id(1).to(M.dtype) * BLOCK_N
    steps = tl.cdiv(K, TILE_K)
    begin = (first_m // TILE_M * tl.cdiv(N, TILE_N) + first_n // TILE_N) * steps
    count = (begin + steps - 1) // share - begin // share + 1
    m = first_m + tl.arange(0, BLOCK_M)[:, None]
    n = first_n + tl.arange(0, BLOCK_N)[None, :]
    mask = (m < M) & (n < N)
    acc = sum_of_parts(parts + m * N + n, count, part_stride, mask, BLOCK_M, BLOCK_N)
    if len(row_parts) == 1 and first_n == 0:
        mask_m = m < M
        of_rows = sum_of_parts(row_parts[0] + m, count, M, mask_m, BLOCK_M, 1)
        tl.store(row_sums[0] + m, of_rows.to(row_sums[0].dtype.element_ty), mask=mask_m)
    offset = m * c_strides[0] + n * c_strides[1]
    epilogue(acc, (m, n), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)
