"""Rotary embeddings (Su et al., RoFormer, 2021): pairs of elements are turned by an angle of their position.

    (a, b) -> (a cos - b sin, b cos + a sin)

The pairs of a head are its first and second half, or neighbours (INTERLEAVED). Only the first 2 * half elements of a head turn;
`rest` others behind them are copied, or stay where they are where the results are written over the operands. The derivative is
the rotation by the negative angle: `sign` is 1 or -1.

`xs` are one or several tensors of (batch, length, heads, size) in any strides, which differ in their heads only. Rows are batches
times lengths. cos and sin have a row for each position: the row's own, that of `positions`, or with STARTS the row's own behind the
start of its batch.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .elementwise import cache_modifier
from .facts import DeviceFacts
from .index import wrapped


@triton.jit
def rotate(
    xs,
    cos,
    sin,
    positions,
    outs,
    err,
    sign,
    rows,
    length,
    half,
    rest,
    heads,
    per_program,
    limit,
    x_strides,
    cos_strides,
    sin_strides,
    position_strides,
    out_strides,
    INTERLEAVED: tl.constexpr,
    WORDS: tl.constexpr,
    STARTS: tl.constexpr,
    WHOLE: tl.constexpr,
    ROWS: tl.constexpr,
    HALF: tl.constexpr,
    REST: tl.constexpr,
    CACHE: tl.constexpr,
):
    """Grid: (tiles of rows, groups of `per_program` heads). Strides are those of (batch, length, heads, size)."""
    compute: tl.constexpr = compute_dtype(xs[0].dtype.element_ty)
    r = tl.program_id(0).to(rows.dtype) * ROWS + tl.arange(0, ROWS)
    inside = r < rows
    batch, step = r // length, r % length
    position, use = step, inside
    if len(positions) == 1:
        given = tl.load(positions[0] + batch * position_strides[0] + step * position_strides[1], mask=inside, other=0)
        if STARTS:
            given += step
        position, use = wrapped(given, limit, inside, err, False)
    cos += (batch * cos_strides[0] + position * cos_strides[1])[:, None]
    sin += (batch * sin_strides[0] + position * sin_strides[1])[:, None]
    head = tl.program_id(1).to(rows.dtype) * per_program
    for start in range(0, half, HALF):
        column = start + tl.arange(0, HALF)[None, :]
        mask = None
        if not WHOLE:
            mask = use[:, None] & (column < half)
        c = tl.load(cos + column * cos_strides[2], mask=mask).to(compute)
        s = tl.load(sin + column * sin_strides[2], mask=mask).to(compute) * sign
        first = head
        for j in tl.static_range(len(xs)):
            x = xs[j] + (batch * x_strides[j][0] + step * x_strides[j][1])[:, None]
            out = outs[j] + (batch * out_strides[j][0] + step * out_strides[j][1])[:, None]
            for h in range(tl.maximum(first, 0), tl.minimum(first + per_program, heads[j])):
                source, target = x + h * x_strides[j][2], out + h * out_strides[j][2]
                if WORDS:
                    _turn_words(source, target, c, s, column, mask, CACHE)
                else:
                    steps = x_strides[j][3], out_strides[j][3]
                    _turn(source, target, c, s, start, mask, half, steps[0], steps[1], INTERLEAVED, HALF, CACHE)
            first -= heads[j]
    if REST:
        column = 2 * half + tl.arange(0, REST)[None, :]
        mask = inside[:, None] & (column < 2 * half + rest)
        for j in tl.static_range(len(xs)):
            x = xs[j] + (batch * x_strides[j][0] + step * x_strides[j][1])[:, None] + column * x_strides[j][3]
            out = outs[j] + (batch * out_strides[j][0] + step * out_strides[j][1])[:, None] + column * out_strides[j][3]
            for h in range(tl.maximum(head, 0), tl.minimum(head + per_program, heads[j])):
                value = tl.load(x + h * x_strides[j][2], mask=mask)
                tl.store(out + h * out_strides[j][2], value, mask=mask, cache_modifier=CACHE)
            head -= heads[j]


@triton.jit
def _turn(
    x, out, c, s, start, mask, half, step, out_step, INTERLEAVED: tl.constexpr, HALF: tl.constexpr, CACHE: tl.constexpr
):  # fmt: skip
    """HALF pairs, from `start` on, of one head of a tile of rows."""
    column = start + tl.arange(0, HALF)[None, :]
    if INTERLEAVED:
        every = 2 * start + tl.arange(0, 2 * HALF)[None, :]
        inside = None
        if mask is not None:
            inside = tl.reshape(tl.join(mask, mask), (c.shape[0], 2 * HALF))
        pairs = tl.load(x + every * step, mask=inside).to(c.dtype)
        a, b = tl.split(tl.reshape(pairs, (c.shape[0], HALF, 2)))
        turned = tl.reshape(tl.join(a * c - b * s, b * c + a * s), (c.shape[0], 2 * HALF))
        store_past(out + every * out_step, turned, inside, CACHE)
    else:
        a = tl.load(x + column * step, mask=mask).to(c.dtype)
        b = tl.load(x + (column + half) * step, mask=mask).to(c.dtype)
        store_past(out + column * out_step, a * c - b * s, mask, CACHE)
        store_past(out + (column + half) * out_step, b * c + a * s, mask, CACHE)


@triton.jit
def _turn_words(x, out, c, s, column, mask, CACHE: tl.constexpr):
    """Pairs of neighbours of 16 bits, each a word of 32: no lane moves to another."""
    dtype: tl.constexpr = x.dtype.element_ty
    word = tl.load(x.to(tl.pointer_type(tl.int32)) + column, mask=mask)
    if dtype == tl.bfloat16:
        a, b = (word << 16).to(tl.float32, bitcast=True), (word & -65536).to(tl.float32, bitcast=True)
    else:
        a = word.to(tl.int16).to(dtype, bitcast=True).to(tl.float32)
        b = (word >> 16).to(tl.int16).to(dtype, bitcast=True).to(tl.float32)
    low = (a * c - b * s).to(dtype).to(tl.uint16, bitcast=True).to(tl.uint32)
    high = (b * c + a * s).to(dtype).to(tl.uint16, bitcast=True).to(tl.uint32)
    turned = (low | (high << 16)).to(tl.int32, bitcast=True)
    tl.store(out.to(tl.pointer_type(tl.int32)) + column, turned, mask=mask, cache_modifier=CACHE)


@triton.jit
def store_past(pointer, value, mask, CACHE: tl.constexpr):
    tl.store(pointer, value.to(pointer.dtype.element_ty), mask=mask, cache_modifier=CACHE)


def config(
    facts: DeviceFacts, rows: int, heads: int, half: int, rest: int, across: bool, nbytes: int, words: bool
) -> dict:  # fmt: skip
    """Constexprs, the heads of a program, and warps.

    Args:
        across: whether a row's heads are neighbours in memory, and not a head's rows.
        words: whether pairs are words (`_turn_words`).
        nbytes: that are read and written, 0 where the results are written over the operands.
    """
    width = next_power_of_2(half)
    if facts.kind == "cpu":
        if half % 8 == 0:
            width = min(half & -half, 32 if words else 16)
        height, per_program = 1, heads if across else min(heads, 4)
    else:
        height, per_program = max(min(next_power_of_2(max(rows, 1)), 512 // width), 1), heads
        while per_program > 1 and -(-rows // height) * -(-heads // per_program) < 4 * facts.processors:
            per_program = -(-per_program // 2)
    whole = rows % height == 0 and half % width == 0
    return {
        "blocks": {"WHOLE": whole, "ROWS": height, "HALF": width, "REST": next_power_of_2(rest) if rest else 0},
        "per_program": max(per_program, 1),
        "cache": cache_modifier(facts, nbytes),
        "num_warps": facts.warps(max(min(height * width // 128, 4), 1)),
    }
