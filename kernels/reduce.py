"""The one template of all reductions: outs = FINISH(REDUCE(START(xs))). With a function MAP, START gets MAP(*xs).

The shape is seen as a matrix, KEPT x reduced. The dimensions that stay, collapsed, are the rows. The reduced dimensions but the
last are collapsed, too; a tile reads along the last. AXIS is the tile's dimension that is reduced. It is 1 where memory runs
along the reduced dimension (tile KEPT x COLS), and 0 where it runs along one that stays (tile COLS x KEPT). So the tile's last
dimension is the dense one.

The reduced elements are walked in steps of one tile. A program takes `steps` of them. If these are not all, it stores its state at
[split, row], and a second launch reduces over the splits. `steps` depends on the shape alone, hence the order of additions does.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2, next_power_of_4
from .elementwise import read
from .facts import DeviceFacts
from .functions.memory import cast, load
from .index_math import mixed_radix, product


@triton.jit
def _row_offsets(xs, row, sizes, strides, AXIS: tl.constexpr):
    """For every operand the offsets of the rows."""
    offsets = ()
    for j in tl.static_range(len(xs)):
        offsets = offsets + (tl.expand_dims(mixed_radix(row, sizes, strides[j]), AXIS),)
    return offsets


@triton.jit
def _tile_state(
    xs,
    row_offsets,
    outer,
    c,
    sizes,
    strides,
    position,
    keep,
    MAP: tl.constexpr,
    START: tl.constexpr,
    COMPUTE: tl.constexpr,
):
    values = ()
    for j in tl.static_range(len(xs)):
        base = mixed_radix(outer, sizes, strides[j], 1)
        offset = row_offsets[j] + (base + c * strides[j][len(sizes) - 1])
        if MAP is not None:
            values = values + (read(xs[j], offset, keep, None),)
        elif COMPUTE is None:
            values = values + (tl.load(xs[j] + offset, mask=keep),)
        else:
            values = values + (load(xs[j] + offset, keep, COMPUTE),)
    if MAP is not None:
        values = (cast(MAP(*values), COMPUTE),)
    return START(values, position + tl.zeros(keep.shape, position.dtype), keep)


@triton.jit
def _neutral_state(xs, like, MAP: tl.constexpr, START: tl.constexpr, ACCUMULATE: tl.constexpr):
    """The state of no elements, of the shape of `like`."""
    values = ()
    for j in tl.static_range(len(xs) if MAP is None else 1):
        if ACCUMULATE is None:
            values = values + (tl.zeros(like.shape, xs[j].dtype.element_ty),)
        else:
            values = values + (tl.zeros(like.shape, ACCUMULATE),)
    return START(values, like, like < 0)


@triton.jit
def reduce(
    xs,
    outs,
    count,
    kept,
    kept_sizes,
    kept_strides,
    reduced_sizes,
    reduced_strides,
    steps,
    MAP: tl.constexpr,
    START: tl.constexpr,
    COMBINE: tl.constexpr,
    REDUCE: tl.constexpr,
    FINISH: tl.constexpr,
    COMPUTE: tl.constexpr,
    ACCUMULATE: tl.constexpr,
    AXIS: tl.constexpr,
    KEPT: tl.constexpr,
    COLS: tl.constexpr,
):
    """`count` elements are reduced to each of `kept` results.

    A tile is reduced in COMPUTE; its state joins that of the tiles before it in ACCUMULATE, a wider type where many small
    rounding errors would add up. Both are None for states that are read back, which have the types that they were stored in.

    Every operand has strides of its own. With a function MAP, elements are MAP(*operands) instead of what lies in memory.
    """
    cols = reduced_sizes[len(reduced_sizes) - 1]
    blocks = tl.cdiv(kept, KEPT)
    program = tl.program_id(0).to(kept.dtype)
    split = program // blocks
    row = program % blocks * KEPT + tl.arange(0, KEPT)
    col = tl.arange(0, COLS)
    row_offsets = _row_offsets(xs, row, kept_sizes, kept_strides, AXIS)
    per_row = tl.cdiv(cols, COLS)
    first = split * steps
    last = tl.minimum(first + steps, per_row * product(reduced_sizes, len(reduced_sizes) - 1))

    state = _neutral_state(xs, row * 0, MAP, START, ACCUMULATE)
    for step in range(first, last):
        outer = step // per_row
        c = tl.expand_dims(step % per_row * COLS + col, 1 - AXIS)
        keep = tl.expand_dims(row < kept, AXIS) & (c < cols)
        position = outer * cols + c
        tile = _tile_state(
            xs, row_offsets, outer, c, reduced_sizes, reduced_strides, position, keep, MAP, START, COMPUTE
        )
        state = COMBINE(*state, *REDUCE(tile, AXIS))

    results = FINISH(state, count)
    for j in tl.static_range(len(outs)):
        pointer = outs[j] + split * kept + row
        tl.store(pointer, cast(results[j], outs[j].dtype.element_ty), mask=row < kept)


def config(facts: DeviceFacts, kept: int, cols: int, axis: int) -> dict:
    """Block sizes for `kept` results of rows of `cols` elements."""
    tile = 4096 if facts.kind == "cpu" else 2048
    if facts.kind == "cpu" and kept == 1:
        # Masks bound the loops: a block four times too large costs 5 % and saves a compilation.
        return {"COLS": min(next_power_of_4(cols), tile), "KEPT": 1, "num_warps": 4}
    kept, cols = next_power_of_2(kept), next_power_of_2(cols)
    if axis == 1:
        width = min(cols, tile)
        return {"COLS": width, "KEPT": min(kept, tile // width, 16), "num_warps": 4}
    # Twice the tile: what a program does between tiles, for each kept element, is as much as ten rows of a variance.
    width, tile = (min(kept, 256), 2 * tile) if facts.kind == "cpu" else (min(kept, 64), tile)
    return {"COLS": min(cols, tile // width, 64), "KEPT": width, "num_warps": 4}


def splits(blocks: int, steps: int) -> tuple[int, int]:
    """(number of splits, steps of each) for `blocks` programs that have `steps` tiles each to walk."""
    enough, least = 64, 4
    each = max(least, -(-steps * blocks // enough)) if blocks < enough else steps
    return max(1, -(-steps // max(each, 1))), max(each, 1)
