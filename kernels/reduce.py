"""The one template of all reductions: outs = FINISH(REDUCE(START(xs))). With a function MAP, START gets MAP(*xs).

The shape is seen as a matrix, KEPT x reduced. The dimensions that stay, collapsed, are the rows. The reduced dimensions but the
last are collapsed, too; a tile reads along the last. AXIS is the tile's dimension that is reduced. It is 1 where memory runs
along the reduced dimension (tile KEPT x COLS), and 0 where it runs along one that stays (tile COLS x KEPT). So the tile's last
dimension is the dense one.

The reduced elements are walked in steps of one tile. A program takes `steps` of them. If these are not all, it stores its state at
[split, row], and a second launch reduces over the splits. `steps` depends on the shape and on the device's facts alone, hence
the order of additions does.

The state between tiles has two forms. With FOLD = 0 it is one number for each row, and each tile is reduced to it: right for a
CPU, whose lanes are reduced without waiting. With FOLD > 0 it is a tile itself. There each FOLD elements of a tile that are
COLS / FOLD apart, which one thread of a GPU holds, become one lane of the state, and the lanes are reduced behind the loop. So
no thread waits for another one in the loop.

With a function SHIFTED, START gets beside each element a number near the row's mean: the mean of the program's first tile. The
state is of sums, from which SHIFTED(state, shift, count of the program's elements) makes that which FINISH gets.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2, next_power_of_4
from .elementwise import read
from .facts import DeviceFacts
from .functions.memory import cast, load
from .index_math import cut, mixed_radix, product

SHORT_LINE = 8  # rows of a line below which a program takes those of several


@triton.jit
def _rows_of(block, kept, sizes, KEPT: tl.constexpr, LINES: tl.constexpr):
    """KEPT rows, which of them there are, and with LINES the number of their line and their places in it."""
    if LINES:
        length = sizes[len(sizes) - 1]
        blocks = tl.cdiv(length, KEPT)
        line = block // blocks
        place = block % blocks * KEPT + tl.arange(0, KEPT)
        return line * length + place, place < length, line, place
    else:
        row = block * KEPT + tl.arange(0, KEPT)
        return row, row < kept, block, row


@triton.jit
def _row_offsets(xs, row, line, place, sizes, strides, AXIS: tl.constexpr, LINES: tl.constexpr):
    """For every operand the offsets of the rows."""
    offsets = ()
    for j in tl.static_range(len(xs)):
        if LINES:
            offset = mixed_radix(line, sizes, strides[j], 1) + place * strides[j][len(sizes) - 1]
        else:
            offset = mixed_radix(row, sizes, strides[j])
        offsets = offsets + (tl.expand_dims(offset, AXIS),)
    return offsets


@triton.jit
def _tile_state(
    xs,
    beside,
    row_offsets,
    there,
    step,
    per_row,
    col,
    sizes,
    strides,
    MAP: tl.constexpr,
    START: tl.constexpr,
    COMPUTE: tl.constexpr,
    AXIS: tl.constexpr,
    COLS: tl.constexpr,
):
    """The states of the elements of tile number `step`; `there` says which rows are, `beside` holds more values for START."""
    cols = sizes[len(sizes) - 1]
    outer = step // per_row
    c = tl.expand_dims(step % per_row * COLS + col, 1 - AXIS)
    keep = tl.expand_dims(there, AXIS) & (c < cols)
    position = outer * cols + c
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
    return START(values + beside, position + tl.zeros(keep.shape, position.dtype), keep)


@triton.jit
def _folded(state, FOLD: tl.constexpr, AXIS: tl.constexpr, REDUCE: tl.constexpr):
    """A tile of states with a lane for each FOLD columns."""
    if FOLD == 1:
        return state
    else:
        parts = ()
        for j in tl.static_range(len(state)):
            parts = parts + (cut(state[j], FOLD, AXIS),)
        return REDUCE(parts, AXIS)


@triton.jit
def _neutral_state(xs, beside, like, MAP: tl.constexpr, START: tl.constexpr, ACCUMULATE: tl.constexpr):
    """The state of no elements, of the shape of `like`."""
    values = ()
    for j in tl.static_range(len(xs) if MAP is None else 1):
        if ACCUMULATE is None:
            values = values + (tl.zeros(like.shape, xs[j].dtype.element_ty),)
        else:
            values = values + (tl.zeros(like.shape, ACCUMULATE),)
    return START(values + beside, like, like < 0)


@triton.jit
def _elements_before(step, per_row, cols, COLS: tl.constexpr):
    """How many elements of a row the tiles before number `step` have; it is at most the number of tiles."""
    return step // per_row * cols + step % per_row * COLS


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
    FOLD: tl.constexpr,
    SHIFTED: tl.constexpr,
    LINES: tl.constexpr,
):
    """`count` elements are reduced to each of `kept` results.

    A tile is reduced in COMPUTE; its state joins that of the tiles before it in ACCUMULATE, a wider type where many small
    rounding errors would add up. Both are None for states that are read back, which have the types that they were stored in.

    Every operand has strides of its own. With a function MAP, elements are MAP(*operands) instead of what lies in memory.

    A program has KEPT rows; with LINES they have the last of the dimensions that stay in common, a line, along which a CPU loads
    whole vectors.
    """
    cols = reduced_sizes[len(reduced_sizes) - 1]
    if LINES:
        blocks = product(kept_sizes, len(kept_sizes) - 1) * tl.cdiv(kept_sizes[len(kept_sizes) - 1], KEPT)
    else:
        blocks = tl.cdiv(kept, KEPT)
    program = tl.program_id(0).to(kept.dtype)
    split = program // blocks
    row, there, line, place = _rows_of(program % blocks, kept, kept_sizes, KEPT, LINES)
    col = tl.arange(0, COLS)
    row_offsets = _row_offsets(xs, row, line, place, kept_sizes, kept_strides, AXIS, LINES)
    per_row = tl.cdiv(cols, COLS)
    first = split * steps
    last = tl.minimum(first + steps, per_row * product(reduced_sizes, len(reduced_sizes) - 1))

    beside = ()
    if SHIFTED is not None:
        shift = tl.zeros((KEPT,), COMPUTE)
        start_tile = _tile_state(
            xs, (tl.expand_dims(shift, AXIS),), row_offsets, there, first, per_row, col, reduced_sizes,
            reduced_strides, MAP, START, COMPUTE, AXIS, COLS,
        )  # fmt: skip
        elements = tl.minimum(cols - first % per_row * COLS, COLS)
        shift = (tl.sum(start_tile[0].to(ACCUMULATE), AXIS) / elements).to(COMPUTE)
        beside = (tl.expand_dims(shift, AXIS),)
    if FOLD == 0:
        state = _neutral_state(xs, beside, row * 0, MAP, START, ACCUMULATE)
    else:
        lanes = tl.zeros((KEPT, COLS // FOLD) if AXIS == 1 else (COLS // FOLD, KEPT), row.dtype)
        state = _neutral_state(xs, beside, lanes, MAP, START, ACCUMULATE)
    for step in range(first, last):
        tile = _tile_state(
            xs, beside, row_offsets, there, step, per_row, col, reduced_sizes, reduced_strides, MAP, START,
            COMPUTE, AXIS, COLS,
        )  # fmt: skip
        if FOLD == 0:
            state = COMBINE(*state, *REDUCE(tile, AXIS))
        else:
            state = COMBINE(*state, *_folded(tile, FOLD, AXIS, REDUCE))
    if FOLD > 0:
        state = REDUCE(state, AXIS)
    if SHIFTED is not None:
        elements = _elements_before(last, per_row, cols, COLS) - _elements_before(first, per_row, cols, COLS)
        state = SHIFTED(state, shift, elements)

    results = FINISH(state, count)
    for j in tl.static_range(len(outs)):
        pointer = outs[j] + split * kept + row
        tl.store(pointer, cast(results[j], outs[j].dtype.element_ty), mask=there)


def along_lines(facts: DeviceFacts, kept_sizes: tuple[int, ...], axis: int) -> bool:
    """LINES: where the rows of a tile would else lie in several lines, and a CPU would load its elements one by one."""
    return facts.kind == "cpu" and axis == 0 and len(kept_sizes) > 1 and kept_sizes[-1] >= SHORT_LINE


def config(facts: DeviceFacts, kept: int, cols: int, axis: int, itemsize: int = 4) -> dict:
    """Blocks for `kept` results of rows of `cols` elements of `itemsize` bytes."""
    if facts.kind == "cpu" and kept == 1:
        # Masks bound the loops: a block four times too large costs 5 % and saves a compilation.
        return {"COLS": min(next_power_of_4(cols), 4096), "KEPT": 1, "FOLD": 0, "num_warps": 4}
    kept, cols = next_power_of_2(kept), next_power_of_2(cols)
    if axis == 1:
        width = min(cols, 4096)
        height = min(kept, 4096 // width, 16)
    elif facts.kind == "cpu":
        # Twice the tile: what a program does between tiles, for each kept element, is as much as ten rows of a variance.
        height = min(kept, 256)
        width = min(cols, 8192 // height, 64)
    else:
        height = min(kept, 64)
        width = min(cols, 4096 // height)
    return {"COLS": width, "KEPT": height, "FOLD": fold(facts, height, width, axis, itemsize), "num_warps": 4}


def fold(facts: DeviceFacts, kept: int, cols: int, axis: int, itemsize: int) -> int:
    """FOLD of a tile: how many of its elements a thread of 128 has that are as far apart as what all of them load at once."""
    if facts.kind == "cpu":
        return 0
    loaded = 128 * max(16 // itemsize, 8)
    return max((cols if axis == 1 else cols * kept) // loaded, 1)


def splits(facts: DeviceFacts, blocks: int, steps: int) -> tuple[int, int]:
    """(number of splits, steps of each) for `blocks` programs that have `steps` tiles each to walk."""
    enough, least = 8 * facts.processors if facts.kind == "gpu" else 64, 4
    each = max(least, -(-steps * blocks // enough)) if blocks < enough else steps
    return max(1, -(-steps // max(each, 1))), max(each, 1)
