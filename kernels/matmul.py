"""Matrix products: outs[b] = EPILOGUE(PROLOGUE_A(A[b]) @ PROLOGUE_B(B[b]), operands), any strides, any broadcast batch dimensions.

One program computes one BLOCK_M x BLOCK_N tile of one matrix of the batch. Batch dimensions come as a tuple of sizes with one
tuple of strides for each matrix (0 where it is broadcast), so the ranks that `matmul` allows need no copy. The epilogue
(epilogue.py) is a scalar function: `identity`, the bias of a linear layer, or what a fusion sets. A prologue (prologue.py) is
None, or a cast or the like that a fusion sets.

If there are few tiles and K is long, K is split as well. Each split's sum goes to a workspace, and `reduce_splits` adds the sums
in a fixed order. The number of splits follows from the shape class alone, never from a timing. So do block sizes, but in tuned
graphs: `candidates` has other tiles, never another order of the sum.
"""

from collections.abc import Iterator

import triton
import triton.language as tl

from .block_sizes import in_one_unit, shape_class, tight_block, tiles_on_chip, variants
from .dtypes import compute_dtype
from .epilogue import columns, epilogue
from .facts import DeviceFacts
from .index_math import mixed_radix
from .product_tiles import Tile, product_splits, product_tile, size_of
from .prologue import prologue, sum_dtype

# What products are computed in, as `config` is asked for it: "tf32" and "tf32x3" are float32 in that PRECISION.
FLOATS = ("fp8", "fp16", "bf16", "fp32", "tf32", "tf32x3", "fp64")

# What tuning tries for large matrices: (BLOCK_M, BLOCK_N, BLOCK_K, warps, stages), as in Triton's tutorials.
OF_HALVES = (
    (128, 256, 64, 8, 3), (128, 128, 64, 8, 3), (128, 128, 32, 4, 4), (64, 256, 32, 4, 4),
    (64, 128, 64, 4, 4), (128, 64, 64, 4, 4), (64, 64, 64, 4, 4),
)  # fmt: skip
OF_FLOAT32 = (
    (64, 64, 32, 4, 2), (128, 64, 16, 4, 2), (64, 128, 16, 4, 2), (128, 128, 16, 8, 2),
    (128, 128, 16, 8, 3), (32, 64, 32, 4, 2), (64, 32, 32, 4, 2),
)  # fmt: skip
OF_TF32 = ((128, 128, 32, 8, 3), (128, 64, 32, 4, 3), (64, 128, 32, 4, 3), (64, 64, 32, 4, 3))
OF_TF32X3 = ((64, 128, 16, 4, 3), (64, 64, 16, 4, 3), (128, 128, 16, 8, 2))  # of one depth, which orders the sum
TILES = {"fp16": OF_HALVES, "bf16": OF_HALVES, "fp32": OF_FLOAT32, "tf32": OF_TF32, "tf32x3": OF_TF32X3}


@triton.jit
def sum_of_parts(part, count, part_stride, mask, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """The sum of a block's parts, in order; `part` is the address of the first."""
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=part.dtype.element_ty)
    for _ in range(count):
        acc += tl.load(part, mask=mask, other=0)
        part += part_stride
    return acc


@triton.jit
def tile_of(pid, tiles_m, tiles_n, GROUP_M: tl.constexpr):
    """Tile (m, n) of a program. Groups of GROUP_M rows of tiles are walked column by column, which keeps B in cache."""
    if GROUP_M == 1:
        return pid // tiles_n, pid % tiles_n
    else:
        group_size = GROUP_M * tiles_n
        first_m = (pid // group_size) * GROUP_M
        rows = tl.minimum(tiles_m - first_m, GROUP_M)
        return first_m + (pid % group_size) % rows, (pid % group_size) // rows


@triton.jit
def dot(x, y, acc, DOT: tl.constexpr, PRECISION: tl.constexpr):
    """acc + x @ y; without DOT as a sum of products, for types that no matrix unit takes (wide integers).

    Matrix units add float8 in fewer bits than float32 has: what they add of a block is added to the sums in float32.
    """
    if DOT and x.dtype.is_fp8():
        return tl.dot(x, y, acc, max_num_imprecise_acc=x.shape[1], out_dtype=acc.dtype)
    elif DOT:
        return tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=acc.dtype)
    else:
        return acc + tl.sum(x.to(acc.dtype)[:, :, None] * y.to(acc.dtype)[None, :, :], axis=1)


@triton.jit
def add_products(
    acc,
    a_tile,
    b_tile,
    rows,
    cols,
    depth,
    steps,
    PROLOGUE_A: tl.constexpr,
    PROLOGUE_B: tl.constexpr,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    """acc + PROLOGUE_A(A) @ PROLOGUE_B(B) over `depth` of K, from the addresses of the first tiles.

    `rows` and `cols` say which of a tile there are. `steps` lead from the tiles of a BLOCK_K to the next ones.
    """
    zero: tl.constexpr = 0.0 if a_tile.dtype.element_ty.is_fp8() else 0
    k = tl.arange(0, BLOCK_K)
    for start in range(0, depth, BLOCK_K):
        inside = depth - start
        x = tl.load(a_tile, mask=rows[:, None] & (k[None, :] < inside), other=zero)
        y = tl.load(b_tile, mask=(k[:, None] < inside) & cols[None, :], other=zero)
        acc = dot(prologue(x, PROLOGUE_A), prologue(y, PROLOGUE_B), acc, DOT, PRECISION)
        a_tile += steps[0]
        b_tile += steps[1]
    return acc


@triton.jit
def matmul(
    a,
    b,
    operands,
    outs,
    M,
    N,
    K,
    k_per_split,
    batch_sizes,
    a_batch_strides,
    b_batch_strides,
    c_batch_strides,
    a_strides,
    b_strides,
    c_strides,
    operand_sizes,
    operand_strides,
    split_stride,
    PROLOGUE_A: tl.constexpr,
    PROLOGUE_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    PARTS: tl.constexpr,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    """Grid: (tiles of M x tiles of N x matrices, splits of K).

    An epilogue takes the columns of a tile in PARTS, one after the other: registers beside the sums are for one part.
    """
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    pid = tl.program_id(0).to(M.dtype)
    index = pid // (tiles_m * tiles_n)
    tile_m, tile_n = tile_of(pid % (tiles_m * tiles_n), tiles_m, tiles_n, GROUP_M)
    first_k = tl.program_id(1).to(M.dtype) * k_per_split
    depth = tl.minimum(K - first_k, k_per_split)

    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_tile = a + mixed_radix(index, batch_sizes, a_batch_strides) + first_k * a_strides[1]
    a_tile += m[:, None] * a_strides[0] + k[None, :] * a_strides[1]
    b_tile = b + mixed_radix(index, batch_sizes, b_batch_strides) + first_k * b_strides[0]
    b_tile += k[:, None] * b_strides[0] + n[None, :] * b_strides[1]

    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=sum_dtype(a.dtype.element_ty, PROLOGUE_A))
    steps = (BLOCK_K * a_strides[1], BLOCK_K * b_strides[0])
    acc = add_products(acc, a_tile, b_tile, m < M, n < N, depth, steps, PROLOGUE_A, PROLOGUE_B, DOT, PRECISION, BLOCK_K)

    first = tl.program_id(1) * split_stride + mixed_radix(index, batch_sizes, c_batch_strides)
    row = (index * M + m)[:, None]
    parts = columns(acc, PARTS)
    for part in tl.static_range(PARTS):
        col = (tile_n * BLOCK_N + part * (BLOCK_N // PARTS) + tl.arange(0, BLOCK_N // PARTS))[None, :]
        offset = first + m[:, None] * c_strides[0] + col * c_strides[1]
        mask = (m[:, None] < M) & (col < N)
        epilogue(parts[part], (row, col), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def reduce_splits(
    parts,
    operands,
    outs,
    splits,
    split_stride,
    M,
    N,
    c_strides,
    operand_sizes,
    operand_strides,
    EPILOGUE: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    """outs = EPILOGUE(sum over the splits of K, operands). `parts` is (splits, M, N), contiguous. Grid: (tiles of M, of N)."""
    m = tl.program_id(0).to(M.dtype) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    n = tl.program_id(1).to(M.dtype) * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    mask = (m < M) & (n < N)
    acc = sum_of_parts(parts + m * N + n, splits, split_stride, mask, BLOCK_M, BLOCK_N)
    offset = m * c_strides[0] + n * c_strides[1]
    epilogue(acc, (m, n), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def matvec(
    a,
    x,
    y,
    M,
    K,
    batch_sizes,
    a_batch_strides,
    x_batch_strides,
    y_batch_strides,
    a_strides,
    x_stride,
    y_stride,
    BLOCK_M: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    """y[b] = A[b] @ x[b]: bound by memory, so products and a sum, no matrix unit. Grid: (tiles of M x matrices,)."""
    tiles = tl.cdiv(M, BLOCK_M)
    pid = tl.program_id(0).to(M.dtype)
    index = pid // tiles
    m = (pid % tiles) * BLOCK_M + tl.arange(0, BLOCK_M)
    k = tl.arange(0, BLOCK_K)
    a_tile = a + mixed_radix(index, batch_sizes, a_batch_strides)
    a_tile += m[:, None] * a_strides[0] + k[None, :] * a_strides[1]
    x_tile = x + mixed_radix(index, batch_sizes, x_batch_strides) + k * x_stride
    dtype: tl.constexpr = compute_dtype(a.dtype.element_ty)
    acc = tl.zeros((BLOCK_M, BLOCK_K), dtype=dtype)
    for start in range(0, K, BLOCK_K):
        inside = k < K - start
        row = tl.load(a_tile, mask=(m[:, None] < M) & inside[None, :], other=0).to(dtype)
        acc += row * tl.load(x_tile, mask=inside, other=0).to(dtype)[None, :]
        a_tile += BLOCK_K * a_strides[1]
        x_tile += BLOCK_K * x_stride
    y_tile = y + mixed_radix(index, batch_sizes, y_batch_strides) + m * y_stride
    tl.store(y_tile, tl.sum(acc, axis=1).to(y.dtype.element_ty), mask=m < M)


@triton.jit
def few_rows(
    a, b, operands, outs, M, N, K, a_strides, b_strides, c_strides, operand_sizes, operand_strides,
    EPILOGUE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """outs = EPILOGUE(A @ B, operands) of ROWS rows of A and COLUMNS of B, whose sums stay in registers.

    So each column is read once for all of the rows. The columns of a program are far apart: each is a stream of its own, which goes
    on in the next program. Programs of the same columns follow each other. Grid: (blocks of M, N / COLUMNS).
    """
    first, column, apart = tl.program_id(0).to(M.dtype) * ROWS, tl.program_id(1).to(M.dtype), tl.cdiv(N, COLUMNS)
    k = tl.arange(0, BLOCK_K)
    dtype: tl.constexpr = compute_dtype(b.dtype.element_ty)
    a_tile, b_tile = a + k * a_strides[1], b + k * b_strides[0]
    sums = ()
    for _ in tl.static_range(ROWS * COLUMNS):
        sums = sums + (tl.zeros((BLOCK_K,), dtype=dtype),)
    for start in range(0, K, BLOCK_K):
        inside = k < K - start
        xs = ()
        for r in tl.static_range(ROWS):
            xs = xs + (tl.load(a_tile + tl.minimum(first + r, M - 1) * a_strides[0], mask=inside, other=0).to(dtype),)
        added = ()
        for c in tl.static_range(COLUMNS):
            y = tl.load(b_tile + tl.minimum(column + c * apart, N - 1) * b_strides[1], mask=inside, other=0).to(dtype)
            for r in tl.static_range(ROWS):
                added = added + (sums[c * ROWS + r] + xs[r] * y,)
        sums = added
        a_tile += BLOCK_K * a_strides[1]
        b_tile += BLOCK_K * b_strides[0]
    at = tl.arange(0, 1)
    for c in tl.static_range(COLUMNS):
        for r in tl.static_range(ROWS):
            row, col = (first + r + at)[:, None], (column + c * apart + at)[None, :]
            acc = tl.sum(sums[c * ROWS + r], 0) + tl.zeros((1, 1), dtype=dtype)
            offset, mask = row * c_strides[0] + col * c_strides[1], (row < M) & (col < N)
            epilogue(acc, (row, col), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


def config(
    facts: DeviceFacts, dtype: str, m: int, n: int, k: int, prologue: bool = False, batch: int = 1, few_registers: bool = False,
    narrow: bool = False,
) -> dict:  # fmt: skip
    """Constexprs of `matmul` and its launch options. Classes are few: each is one compilation.

    With a `prologue`, halves may be loaded as float32: a GPU's shared memory holds two stages of them, not three. With
    `few_registers`, threads need some beside their sums, for an epilogue's functions; with `narrow` loads for operands, which few
    bytes at a time are loaded into.
    """
    if dtype == "i8":
        return _config_of_bytes(facts, m, n, k, batch)
    if dtype not in FLOATS:
        blocks = {"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16, "GROUP_M": 1}
        return {"constexprs": {**blocks, "DOT": False, "PRECISION": "ieee"}, "num_warps": 4, "num_stages": 1}
    if facts.kind == "cpu":
        tiles = facts.tiles and dtype == "bf16"
        block_m, block_n = cpu_tile(m, n, tiles, facts.threads)
        block_k = shape_class(k, (16, 64, 256, 512) if tiles else (16, 64, 256))
        blocks = {"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": block_k, "GROUP_M": 1}
        return {"constexprs": {**blocks, "DOT": True, "PRECISION": "ieee"}, "num_warps": 1, "num_stages": 1}
    tile = product_tile(facts, dtype, m, n, k, batch, prologue or few_registers or narrow)
    if narrow and tile.warps <= 4:
        tile = tile._replace(block_k=min(tile.block_k, 32))
    blocks = {"BLOCK_M": tile.block_m, "BLOCK_N": tile.block_n, "BLOCK_K": tile.block_k, "GROUP_M": 8}
    return {
        "constexprs": {**blocks, "DOT": True, "PRECISION": precision_of(dtype)},
        "num_warps": tile.warps,
        "num_stages": min(tile.stages, 2) if prologue else tile.stages,
    }


def _config_of_bytes(facts: DeviceFacts, m: int, n: int, k: int, batch: int) -> dict:
    """That of int8, whose products are added in int32: matrix units, and CPUs that add four products at once, take it."""
    if facts.kind == "cpu":
        block_m, block_n = cpu_tile(m, n, facts.tiles, facts.threads)
        block_k = shape_class(k, (64, 256, 512) if facts.tiles else (64, 256))
        blocks = {"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": block_k, "GROUP_M": 1}
        return {"constexprs": {**blocks, "DOT": True, "PRECISION": "ieee"}, "num_warps": 1, "num_stages": 1}
    tile = product_tile(facts, "fp8", m, n, k, batch, False)
    blocks = {"BLOCK_M": tile.block_m, "BLOCK_N": tile.block_n, "BLOCK_K": tile.block_k, "GROUP_M": 8}
    return {"constexprs": {**blocks, "DOT": True, "PRECISION": "ieee"}, "num_warps": tile.warps, "num_stages": tile.stages}


def epilogue_parts(facts: DeviceFacts, blocks: dict, warps: int) -> int:
    """In how many parts an epilogue takes a tile that has functions, or operands of its own: a thread of a GPU has registers for
    8 elements of them beside the sums. Two programs of 128 x 128 fit on a multiprocessor so, and one multiplies meanwhile.
    """
    if facts.kind == "cpu" or not blocks["DOT"]:
        return 1
    of_thread = blocks["BLOCK_M"] * blocks["BLOCK_N"] // (32 * warps)
    return max(min(of_thread // 8, blocks["BLOCK_N"] // 16), 1)


def candidates(facts: DeviceFacts, dtype: str, m: int, n: int, rule: dict, prologue: bool = False) -> Iterator[dict]:
    """The rule's configuration, and others that may be faster. With the same number of splits of K, all add in the same order."""
    if dtype not in FLOATS:
        return variants(rule)
    if facts.kind == "cpu":
        rows, depth = rule["constexprs"]["BLOCK_M"], rule["constexprs"]["BLOCK_K"]
        tiles = ((rows, 32), (rows, 64), (64, 64), (128, 128), (256, 128), (256, 256))
        fitting = [{"BLOCK_M": block_m, "BLOCK_N": block_n} for block_m, block_n in tiles if block_m < 2 * m and block_n < 2 * n]
        return in_one_unit(facts, variants(rule, *fitting, {"BLOCK_K": min(64, depth)}))
    size = 4 if prologue else size_of(dtype)
    return variants(rule, *tiles_on_chip(facts, TILES.get(dtype, ()), size, m, n))


def precision_of(dtype: str) -> str:
    """`input_precision` of `tl.dot`."""
    return dtype if dtype in ("tf32", "tf32x3") else "ieee"


def cpu_tile(m: int, n: int, tiles: bool = False, threads: int = 1) -> tuple[int, int]:
    """(BLOCK_M, BLOCK_N); `tiles` are a matrix unit's. Operands are packed for every tile, so tiles are large where enough remain
    for the threads, two for each, and wide where B is most of the bytes. They change the order of no sum, which runs down K.

    The elements of a tile outside of the result cost packing only. One thread, share of the peak with 128 x 128 and with
    256 x 128: (256, 1024) @ (1024, 1024) 85 and 89 %; with 32 x 128 and 256 x 128: (257, 500) @ (500, 1100) 75 and 84 %.

    A matrix unit multiplies 10 times as fast as vectors do, and what is packed takes as long: its tiles are larger. One thread, ms
    with 256 x 256 x 256 and 512 x 512 x 512, a side of 2048 in bfloat16: 30.7 and 27.6.
    """
    larger = ((512, 512), (256, 512)) if tiles else ()
    for block_m, block_n in (*larger, (256, 256), (256, 128), (128, 256)):
        if (m // block_m) * (n // block_n) >= max(8, 2 * threads):
            return block_m, block_n
    side = (16, 32, 64, 128)
    return tight_block(m, side), tight_block(n, (*side, 256) if m <= 64 and n >= 1024 else side)


def splits_of_k(facts: DeviceFacts, dtype: str, m: int, n: int, k: int, batch: int, rule: dict) -> tuple[int, int]:
    """The number of splits of `k`, and how much of it each has: a device gets enough programs although the result has few tiles."""
    blocks = rule["constexprs"]
    if facts.kind == "gpu":
        tile = Tile(blocks["BLOCK_M"], blocks["BLOCK_N"], blocks["BLOCK_K"], rule["num_warps"], rule["num_stages"])
        splits = product_splits(facts, dtype, m, n, k, batch, tile)
        depth = -(-k // splits)
        depth = depth if splits == 1 else -(-depth // 64) * 64  # so that each begins where a load of 16 bytes may
        return max(-(-k // max(depth, 1)), 1), max(depth, 1)
    tiles = -(-m // blocks["BLOCK_M"]) * -(-n // blocks["BLOCK_N"]) * batch
    splits = 2 if batch == tiles == 1 and k >= 4096 else 1
    return splits, max(-(-k // splits), 1)


def matvec_config(facts: DeviceFacts, k: int) -> dict:
    if facts.kind == "cpu":
        # A row is one stream, and its sums stay in registers. 8192 x 4096, one thread, GB/s with 1 x 32 and with 4 x 256: float32
        # 29.5 and 16.8, bfloat16 29.0 and 14.6, where a sum reads 28.8.
        return {"constexprs": {"BLOCK_M": 1, "BLOCK_K": 32}, "num_warps": 1, "num_stages": 1}
    return {"constexprs": {"BLOCK_M": 16, "BLOCK_K": shape_class(k, (64, 256))}, "num_warps": 4, "num_stages": 1}


def few_rows_config(facts: DeviceFacts, itemsize: int, m: int, n: int, k: int) -> dict | None:
    """Constexprs of `few_rows`, for float32 or halves; None where tiles are faster.

    (8192, 4096) of float32, one thread, ms with tiles and so: 1 row and a bias 15.6 and 4.7, 2 rows 15.3 and 6.5, 4 rows 15.7 and
    8.2. Of 60 MB in weights of 512 columns a Xeon reads 8.3 GB/s as one stream, and 13.0 as eight; 5.6 and 12.2 of bfloat16. With
    8 rows (1024, 1024) takes 0.31 and 0.48. Halves are cast for each row: 2 rows of bfloat16 8.9 and 4.4, 4 rows 9.0 and 8.9.
    """
    if facts.kind != "cpu" or m > (4 if itemsize == 4 else 2) or k < 256 or n * k < 1 << 16:
        return None
    rows = shape_class(m, (1, 2, 4))
    columns = 1 if n < 256 else 8 if rows == 1 else 4
    return {"constexprs": {"ROWS": rows, "COLUMNS": columns, "BLOCK_K": 32 if rows < 4 else 16}}
