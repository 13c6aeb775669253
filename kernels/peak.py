"""The most that a device can compute: loops of multiply-adds, and of products of tiles, that touch no memory."""

import triton
import triton.language as tl

from .facts import DeviceFacts
from .matmul import precision_of
from .product_tiles import product_tile
from .prologue import sum_dtype

OPERATIONS = 20  # of a lane in a step
LARGE = 8192  # the side of matrices that are multiplied in the largest tiles


def config(facts: DeviceFacts) -> dict:
    """Enough programs and steps that the launch does not count; enough lanes to hide the latency of ten chains."""
    if facts.kind == "gpu":
        return {"constexprs": {"BLOCK": 256}, "programs": 8192, "steps": 4096, "num_warps": 4}
    return {"constexprs": {"BLOCK": 32}, "programs": 64, "steps": 4096, "num_warps": 4}


@triton.jit
def multiply_adds(out, steps, BLOCK: tl.constexpr):
    """Each lane computes ten numbers, none of which waits for another: OPERATIONS * BLOCK * steps in a program."""
    lanes = tl.arange(0, BLOCK)
    x = lanes.to(tl.float32) * 1e-9 + 0.999
    a, b, c, d, e = x, x + 1, x + 2, x + 3, x + 4
    f, g, h, i, j = x + 5, x + 6, x + 7, x + 8, x + 9
    for _ in range(steps):
        a = a * x + 0.001
        b = b * x + 0.001
        c = c * x + 0.001
        d = d * x + 0.001
        e = e * x + 0.001
        f = f * x + 0.001
        g = g * x + 0.001
        h = h * x + 0.001
        i = i * x + 0.001
        j = j * x + 0.001
    total = (a + b + c + d + e) + (f + g + h + i + j)
    tl.store(out + tl.program_id(0) * BLOCK + lanes, total)


def product_config(facts: DeviceFacts, dtype: str) -> dict:
    """By the names of matmul.FLOATS, and "i8": on a GPU the tile of a large product, on several programs for each multiprocessor.

    A CPU packs B for each product, and A never: so A has many rows, and B few columns. One thread with AMX, bfloat16, multiply-adds
    a second of the best of 400 runs: 128 x 64 x 512 0.42e12, 256 x 64 x 256 0.49e12, 512 x 32 x 256 0.57e12.
    """
    if facts.kind == "cpu":
        blocks = {"BLOCK_M": 512, "BLOCK_N": 32, "BLOCK_K": 256, "PRECISION": "ieee"}
        return {"constexprs": blocks, "programs": 16, "steps": 16, "num_warps": 1, "num_stages": 1}
    tile = product_tile(facts, dtype, LARGE, LARGE, LARGE, 1, False)
    blocks = {"BLOCK_M": tile.block_m, "BLOCK_N": tile.block_n, "BLOCK_K": tile.block_k, "PRECISION": precision_of(dtype)}
    return {"constexprs": blocks, "programs": 4 * facts.processors, "steps": 1024, "num_warps": tile.warps, "num_stages": 1}


@triton.jit
def varied(i):
    """Multiples of 1/512 in [-1, 1), none like its neighbours: equal numbers take less power, and less time."""
    return ((i * 7919) % 1024).to(tl.float32) / 512 - 1


@triton.jit
def products(
    out,
    steps,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Each program adds one product of two tiles `steps` times, in the dtype of `out`: 2 * BLOCK_M * BLOCK_N * BLOCK_K * steps
    operations."""
    m, n, k = tl.arange(0, BLOCK_M), tl.arange(0, BLOCK_N), tl.arange(0, BLOCK_K)
    dtype: tl.constexpr = out.dtype.element_ty
    size: tl.constexpr = 127 if dtype.is_int() else 1
    x = (varied(m[:, None] * BLOCK_K + k[None, :]) * size).to(dtype)
    y = (varied(k[:, None] * BLOCK_N + n[None, :]) * size).to(dtype)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=sum_dtype(dtype, None))
    for _ in range(steps):
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=acc.dtype)
    tl.store(out + tl.program_id(0) * BLOCK_N + n, tl.sum(acc, axis=0).to(dtype))
