"""Products of large matrices on GPUs that copy tiles by tensor descriptors: outs = EPILOGUE(A @ B, operands).

There is a program for each multiprocessor, which computes one tile after the other, and loads the next while it stores one. A
descriptor says where a matrix lies. The copy unit of sm_90 brings its tiles on chip by it: no thread computes an address or a mask.
Each sum is added in the order of `matmul` with the same BLOCK_K, so both have the same bits.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .epilogue import epilogue
from .facts import DeviceFacts
from .matmul import tile_of
from .product_tiles import HALVES, on_chip

TILE = {"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64, "GROUP_M": 8}
ROUNDS = 2  # tiles of a program: with fewer, nothing is loaded while a tile is stored


@triton.jit
def _described(x, rows, cols, strides, TRANSPOSED: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr):
    """The descriptor of a matrix that runs on along its columns, or transposed along its rows."""
    if TRANSPOSED:
        return tl.make_tensor_descriptor(x, [cols, rows], [strides[1], 1], [COLS, ROWS])
    else:
        return tl.make_tensor_descriptor(x, [rows, cols], [strides[0], 1], [ROWS, COLS])


@triton.jit
def _tile(described, row, col, TRANSPOSED: tl.constexpr):
    """The tile that begins at an element, zeros outside of the matrix."""
    if TRANSPOSED:
        return tl.trans(described.load([col, row]))
    else:
        return described.load([row, col])


@triton.jit
def matmul_persistent(
    a,
    b,
    operands,
    outs,
    M,
    N,
    K,
    a_strides,
    b_strides,
    c_strides,
    operand_sizes,
    operand_strides,
    TRANSPOSED_A: tl.constexpr,
    TRANSPOSED_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    """Grid: (programs,), of which each computes every so many-th tile. K is not 0."""
    a_tiles = _described(a, M, K, a_strides, TRANSPOSED_A, BLOCK_M, BLOCK_K)
    b_tiles = _described(b, K, N, b_strides, TRANSPOSED_B, BLOCK_K, BLOCK_N)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=True):
        tile_m, tile_n = tile_of(tile, tiles_m, tiles_n, GROUP_M)
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(a.dtype.element_ty))
        for k in range(0, K, BLOCK_K):
            x = _tile(a_tiles, tile_m * BLOCK_M, k, TRANSPOSED_A)
            y = _tile(b_tiles, k, tile_n * BLOCK_N, TRANSPOSED_B)
            acc = tl.dot(x, y, acc)
        m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
        n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
        offset = m * c_strides[0] + n * c_strides[1]
        epilogue(acc, (m, n), offset, (m < M) & (n < N), operands, outs, operand_sizes, operand_strides, EPILOGUE)


def config(facts: DeviceFacts, dtype: str, m: int, n: int, k: int) -> dict | None:
    """Constexprs and launch options for an (m, k) by (k, n) product; None where `matmul` is as fast."""
    tiles = -(-m // TILE["BLOCK_M"]) * -(-n // TILE["BLOCK_N"])
    suits = facts.capability >= 90 and dtype in HALVES and k >= 8 * TILE["BLOCK_K"]
    if not suits or tiles < ROUNDS * facts.processors or on_chip(facts) < 200 << 10:
        return None
    return {"constexprs": TILE, "programs": facts.processors, "num_warps": 8, "num_stages": 3}
