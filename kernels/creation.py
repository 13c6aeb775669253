"""Tensors computed from their indices: arange, linspace, eye, one_hot, triangles. (Constant fills are elementwise `identity`.)"""

import triton
import triton.language as tl

from .facts import DeviceFacts
from .functions.memory import store
from .windows import position_tiles, row_block, scalar_row_tile


@triton.jit
def _stepped(start, index, step, COMPUTE: tl.constexpr):
    first = start
    distance = step
    return first.to(COMPUTE) + index.to(COMPUTE) * distance.to(COMPUTE)


@triton.jit
def _between(start, end, step, index, n, COMPUTE: tl.constexpr):
    """From `start` upwards in the first half, from `end` downwards in the second: both ends are exact."""
    last = end
    distance = step
    up = _stepped(start, index, step, COMPUTE)
    down = last.to(COMPUTE) - (n - 1 - index).to(COMPUTE) * distance.to(COMPUTE)
    return tl.where(index < (n + 1) // 2, up, down)


@triton.jit
def arange(out, start, step, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """out[i] = start + i * step"""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, _stepped(start, index, step, COMPUTE), index < n)


@triton.jit
def arange_shard(out, start, step, first, n, whole, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """The n elements from `first` on of an arange of `whole`."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, _stepped(start, index.to(tl.int64) + first, step, COMPUTE), index < n)


@triton.jit
def linspace(out, start, end, step, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """n numbers at equal distances."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, _between(start, end, step, index, n, COMPUTE), index < n)


@triton.jit
def linspace_shard(out, start, end, step, first, n, whole, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """The n elements from `first` on of a linspace of `whole`."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, _between(start, end, step, index.to(tl.int64) + first, whole, COMPUTE), index < n)


@triton.jit
def eye(out, rows, cols, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr):
    """Of `rows` of `cols` elements: 1 on the diagonal, else 0."""
    eye_shard(out, rows, cols, 0, BLOCK, BLOCK_W)


@triton.jit
def eye_shard(out, rows, cols, diagonal, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr):
    """The same with the diagonal that begins in column `diagonal` of the first row."""
    row, column = scalar_row_tile(tl.program_id(0).to(rows.dtype), (rows, cols), BLOCK, BLOCK_W)
    store(out + row * cols + column, tl.where(column == row + diagonal, 1, 0), (row < rows) & (column < cols))


@triton.jit
def one_hot(index, out, err, rows, classes, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr):
    """out[i, c] = (index[i] == c) for `rows` indices and so many classes."""
    row, c = scalar_row_tile(tl.program_id(0).to(rows.dtype), (rows, classes), BLOCK, BLOCK_W)
    inside = (row < rows) & (c < classes)
    label = tl.load(index + row, mask=row < rows, other=0)
    tl.store(err + c * 0, 1, mask=inside & ((label < 0) | (label >= classes)))
    store(out + row * classes + c, tl.where(label == c, 1, 0), inside)


@triton.jit
def triangle(x, out, rows, height, cols, diagonal, LOWER: tl.constexpr, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr):
    """Of `rows` in all of matrices height x cols: the elements on one side of a diagonal (it included), else 0."""
    row, column = scalar_row_tile(tl.program_id(0).to(rows.dtype), (rows, cols), BLOCK, BLOCK_W)
    distance = column - row % height
    keep = (distance <= diagonal) if LOWER else (distance >= diagonal)
    inside, index = (row < rows) & (column < cols), row * cols + column
    tl.store(out + index, tl.load(x + index, mask=inside & keep, other=0), mask=inside)


@triton.jit
def elements_above(row, cols, offset, LOWER: tl.constexpr):
    """How many elements of a triangle lie above a row of its matrix, whose rows have `cols` elements: 64-bit integers.

    Row r of the lower triangle has min(max(r + offset + 1, 0), cols) of them: so many that grow by one, then whole rows. Those
    of the upper triangle are the others of the lower one that ends beside it.
    """
    reach = offset + 1 if LOWER else offset
    skipped, full = tl.maximum(-reach, 0), tl.maximum(cols - reach, 0)
    grown = tl.minimum(row, full)
    first, last = tl.minimum(skipped, grown) + reach, grown + reach
    growing = (last * (last - 1) - first * (first - 1)) // 2
    lower = growing + (row - grown) * cols
    return lower if LOWER else row * cols - lower


@triton.jit
def triangle_indices(out, count, cols, offset, LOWER: tl.constexpr, BLOCK: tl.constexpr):
    """The row and then the column of each of the `count` elements of a triangle. Grid: (rows,)."""
    row = tl.program_id(0).to(count.dtype)
    reach = row + offset + 1 if LOWER else row + offset
    first = 0 if LOWER else tl.maximum(reach, 0)
    end = tl.minimum(reach, cols) if LOWER else cols
    at = elements_above(row.to(tl.int64), cols, offset, LOWER)
    for start in range(0, end - first, BLOCK):
        i = start + tl.arange(0, BLOCK)
        mask = i < end - first
        store(out + at + i, row + i * 0, mask)
        store(out + count + at + i, first + i, mask)


def config() -> dict:
    return {"BLOCK": 1024, "num_warps": 4}


def row_config(facts: DeviceFacts, rows: int, width: int) -> tuple[dict, int]:
    """`config` for rows of that width, and the number of tiles."""
    block, block_w = row_block(rows, width, 1024, facts.kind == "cpu")
    return {"BLOCK": block, "BLOCK_W": block_w, "num_warps": 4}, position_tiles(rows, width, block, block_w)


def count_above(rows: int, cols: int, reach: int) -> int:
    """How many elements (r, c) of a matrix have c < r + reach."""
    skipped, full = min(max(-reach, 0), rows), min(max(cols - reach, 0), rows)
    first, last = skipped + reach, full + reach
    growing = (last * (last - 1) - first * (first - 1)) // 2 if full > skipped else 0
    return growing + (rows - full) * cols
