"""Products of large matrices on GPUs that copy tiles by tensor descriptors: outs = EPILOGUE(A @ B, operands).

There is a program for each multiprocessor, which computes one tile after the other, and loads the next while it stores one. A
descriptor says where a matrix lies. The copy unit of sm_90 brings its tiles on chip by it: no thread computes an address or a mask.
Each sum is added in the order of `matmul` with the same BLOCK_K, so both have the same bits. Few tiles are shared out along K
(matmul_stream_k.py).
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .epilogue import columns, epilogue
from .facts import DeviceFacts
from .matmul import tile_of
from .product_tiles import HALVES, Tile, on_chip, persistent_share

TILE = Tile(128, 256, 64, 8, 3)
SHORTEST = 512  # of K
PARTS = 4  # of a tile, for epilogues that take registers or shared memory


@triton.jit
def described(x, rows, cols, strides, TRANSPOSED: tl.constexpr, ROWS: tl.constexpr, COLS: tl.constexpr):
    """The descriptor of a matrix that runs on along its columns, or transposed along its rows."""
    if TRANSPOSED:
        return tl.make_tensor_descriptor(x, [cols, rows], [strides[1], 1], [COLS, ROWS])
    else:
        return tl.make_tensor_descriptor(x, [rows, cols], [strides[0], 1], [ROWS, COLS])


@triton.jit
def tile_at(matrix, row, col, TRANSPOSED: tl.constexpr):
    """The tile that begins at an element, zeros outside of the matrix."""
    if TRANSPOSED:
        return tl.trans(matrix.load([col, row]))
    else:
        return matrix.load([row, col])


@triton.jit
def matmul_persistent(
    a,
    b,
    operands,
    outs,
    M,
    N,
    K,
    stored_columns,
    a_strides,
    b_strides,
    c_strides,
    operand_sizes,
    operand_strides,
    TRANSPOSED_A: tl.constexpr,
    TRANSPOSED_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    PARTS: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    """Grid: (programs,), of which each computes every so many-th tile. K is not 0.

    Where rows of the result are padded, `stored_columns` are more than N. An epilogue takes the columns of a tile in PARTS, one
    after the other: registers beside the sums are for one part.
    """
    a_tiles = described(a, M, K, a_strides, TRANSPOSED_A, BLOCK_M, BLOCK_K)
    b_tiles = described(b, K, N, b_strides, TRANSPOSED_B, BLOCK_K, BLOCK_N)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    for index in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=True):
        tile_m, tile_n = tile_of(index, tiles_m, tiles_n, GROUP_M)
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(a.dtype.element_ty))
        for k in range(0, K, BLOCK_K):
            x = tile_at(a_tiles, tile_m * BLOCK_M, k, TRANSPOSED_A)
            y = tile_at(b_tiles, k, tile_n * BLOCK_N, TRANSPOSED_B)
            acc = tl.dot(x, y, acc)
        m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
        parts = columns(acc, PARTS)
        for part in tl.static_range(PARTS):
            n = tile_n * BLOCK_N + part * (BLOCK_N // PARTS) + tl.arange(0, BLOCK_N // PARTS)[None, :]
            offset = m * c_strides[0] + n * c_strides[1]
            mask = (m < M) & (n < stored_columns)
            epilogue(parts[part], (m, n), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


def epilogue_parts(facts: DeviceFacts, light: bool, itemsize: int) -> int:
    """In how many parts an epilogue takes a tile. A `light` one takes all at once, which is a few instructions less.

    Results of float32 are laid out for their stores in shared memory: a whole tile of them is more than stages leave. Sums in
    tensor memory are brought to registers, a part at a time.
    """
    whole = light and itemsize <= 2 and facts.architecture.matrix_units == "group"
    return 1 if whole else PARTS


def config(facts: DeviceFacts, dtype: str, m: int, n: int, k: int, operations: int = 0) -> dict | None:
    """Constexprs and launch options for an (m, k) by (k, n) product, None where `matmul` is faster.

    `share` is the number of steps along K that each program has where tiles are shared out, and 0 where they are not.

    The only program of a multiprocessor multiplies nothing while an epilogue of so many `operations` on each element runs: 16 take
    as long as a step of the product does for one of K. Where tiles are shared out, another kernel has the epilogue.
    """
    has, room = facts.architecture, on_chip(facts) >= 200 << 10
    suits = has.descriptors and has.operands_on_chip and room and dtype in HALVES and k >= SHORTEST
    share = persistent_share(facts, dtype, TILE, m, n, k) if suits else None
    if share is None or share == 0 and 16 * operations > k // 4:
        return None
    blocks = {"BLOCK_M": TILE.block_m, "BLOCK_N": TILE.block_n, "BLOCK_K": TILE.block_k}
    order = {} if share else {"GROUP_M": 8}
    programs = {"programs": facts.processors, "share": share, "num_warps": TILE.warps, "num_stages": TILE.stages}
    return {"constexprs": {**blocks, **order}, **programs}
