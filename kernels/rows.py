"""Rows of a tensor along one dimension, as tiles: what softmax, the losses and the norms share.

A contiguous tensor seen as (outer, cols, inner) has outer * inner rows of `cols` elements. A program takes ROWS rows
that are neighbours in memory: along `outer` where inner is 1, along `inner` otherwise, so that no index is divided
element by element. That leaves `groups` of `rows` rows each, with strides (group, row, col):

    inner == 1:  groups = 1,     rows = outer, strides = (0, cols, 1)
    inner > 1:   groups = outer, rows = inner, strides = (cols * inner, 1, inner)

The tile's last dimension is the one that is contiguous in memory: AXIS, the columns' dimension, is 1 or 0 accordingly.

What is summed up over the tiles of a long row has one number for each row on a CPU (FOLD = 0). On a GPU (FOLD > 0) it has many,
its lanes, one for each FOLD elements that a thread holds. They become one behind the loop, so that no thread waits inside it.

Rows of an odd width begin at any address. With ALIGN > 0 the tiles of such a row begin at the last multiple of ALIGN elements
before it. The first tile and those at the end have masks; the whole ones between are loaded and stored 16 bytes at a time.
"""

from typing import NamedTuple

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .facts import DeviceFacts
from .index_math import cut


class RowLayout(NamedTuple):
    groups: int
    rows: int
    cols: int
    strides: tuple[int, int, int]
    axis: int


def row_layout(shape: tuple[int, ...], dim: int) -> RowLayout:
    """The rows along `dim` of a contiguous tensor of this shape."""
    outer, cols, inner = 1, shape[dim], 1
    for size in shape[:dim]:
        outer *= size
    for size in shape[dim + 1 :]:
        inner *= size
    if inner == 1:
        return RowLayout(1, outer, cols, (0, cols, 1), 1)
    return RowLayout(outer, inner, cols, (cols * inner, 1, inner), 0)


def row_blocks(layout: RowLayout, whole: int, tile: int) -> dict:
    """ROWS, COLS, AXIS and WHOLE: a row that fits in `whole` columns is one tile, a longer one is walked."""
    cols = min(next_power_of_2(max(layout.cols, 1)), whole)
    limit = max(tile // cols, 1) if layout.axis == 1 else max(tile // cols, 32)
    rows = min(next_power_of_2(max(layout.rows, 1)), limit)
    return {"ROWS": rows, "COLS": cols, "AXIS": layout.axis, "WHOLE": layout.cols <= cols}


def row_fold(facts: DeviceFacts, blocks: dict, warps: int) -> int:
    """FOLD for these blocks: a thread holds 8 elements side by side, or as many lanes of fewer."""
    if facts.kind == "cpu":
        return 0
    elements = blocks["COLS"] if blocks["AXIS"] == 1 else blocks["COLS"] * blocks["ROWS"]
    return max(elements // (8 * facts.lanes * warps), 1)


def row_align(facts: DeviceFacts, layout: RowLayout, blocks: dict) -> int:
    """ALIGN for these blocks: the elements of 16 bytes or more, for long rows that begin anywhere, and 0 for others."""
    anywhere = layout.axis == 1 and layout.cols % 16 > 0
    return 8 if facts.kind == "gpu" and anywhere and layout.cols > 2 * blocks["COLS"] else 0


def row_grid(layout: RowLayout, blocks: dict) -> int:
    return layout.groups * -(-layout.rows // blocks["ROWS"])


@triton.jit
def row_tile(rows, ROWS: tl.constexpr, COLS: tl.constexpr, AXIS: tl.constexpr):
    """(group, row indices, first column indices) of this program; indices broadcast to the tile."""
    tiles = tl.cdiv(rows, ROWS)
    pid = tl.program_id(0).to(rows.dtype)
    r = (pid % tiles) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, COLS)
    r = r[:, None] if AXIS == 1 else r[None, :]
    c = c[None, :] if AXIS == 1 else c[:, None]
    return pid // tiles, r, c


@triton.jit
def row_vector(value, ROWS: tl.constexpr, AXIS: tl.constexpr, dtype: tl.constexpr):
    """One `value` for every row of the tile, in the form of a reduction over AXIS with keep_dims."""
    return tl.full((ROWS, 1) if AXIS == 1 else (1, ROWS), value, dtype)


@triton.jit
def lane_vector(
    value, ROWS: tl.constexpr, COLS: tl.constexpr, AXIS: tl.constexpr, FOLD: tl.constexpr, dtype: tl.constexpr
):
    """One `value` for every lane."""
    if FOLD == 0:
        return row_vector(value, ROWS, AXIS, dtype)
    else:
        return tl.full((ROWS, COLS // FOLD) if AXIS == 1 else (COLS // FOLD, ROWS), value, dtype)


@triton.jit
def lane_sums(x, AXIS: tl.constexpr, FOLD: tl.constexpr):
    """The sums of a tile for every lane."""
    if FOLD == 0:
        return tl.sum(x, axis=AXIS, keep_dims=True)
    else:
        return tl.sum(cut(x, FOLD, AXIS), axis=AXIS)


@triton.jit
def row_sums(lanes, AXIS: tl.constexpr, FOLD: tl.constexpr):
    """The sums of rows from those of their lanes."""
    return lanes if FOLD == 0 else tl.sum(lanes, axis=AXIS, keep_dims=True)


@triton.jit
def row_start(pointer, group, r, strides):
    """Pointers to the first elements of the rows."""
    return pointer + group * strides[0] + r * strides[1]


@triton.jit
def tiles_start(pointer, group, r, strides, ALIGN: tl.constexpr):
    """Pointers to where the tiles of the rows begin."""
    if ALIGN == 0:
        return row_start(pointer, group, r, strides)
    else:
        return pointer + (group * strides[0] + r * strides[1]) // ALIGN * ALIGN


@triton.jit
def row_lead(group, r, strides, ALIGN: tl.constexpr):
    """How many elements before the rows their tiles begin."""
    return 0 if ALIGN == 0 else (group * strides[0] + r * strides[1]) % ALIGN


@triton.jit
def whole_tile(start, cols, COLS: tl.constexpr, ALIGN: tl.constexpr):
    """Whether the tile at `start` needs no mask; without ALIGN each has one."""
    return False if ALIGN == 0 else (start > 0) & (start + COLS <= cols)


@triton.jit
def tile_mask(column, cols, row_mask, ALIGN: tl.constexpr):
    """Which elements of a tile exist."""
    return row_mask & (column < cols) if ALIGN == 0 else row_mask & (column >= 0) & (column < cols)


@triton.jit
def load_tile(pointer, column, cols, row_mask, other, whole, ALIGN: tl.constexpr):
    """A tile of elements, `other` where there is none."""
    if ALIGN == 0:
        x = tl.load(pointer, mask=tile_mask(column, cols, row_mask, ALIGN), other=other)
    else:
        if whole:
            x = tl.load(pointer)
        else:
            x = tl.load(pointer, mask=tile_mask(column, cols, row_mask, ALIGN), other=other)
    return x


@triton.jit
def store_tile(pointer, value, column, cols, row_mask, whole, ALIGN: tl.constexpr):
    """Writes the elements of a tile that exist, cast to what lies there."""
    value = value.to(pointer.dtype.element_ty)
    if ALIGN == 0:
        tl.store(pointer, value, mask=tile_mask(column, cols, row_mask, ALIGN))
    else:
        if whole:
            tl.store(pointer, value)
        else:
            tl.store(pointer, value, mask=tile_mask(column, cols, row_mask, ALIGN))
