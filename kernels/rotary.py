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
from .functions.memory import store
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
    STARTS: tl.constexpr,
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
    column = tl.arange(0, HALF)[None, :]
    turning = use[:, None] & (column < half)
    at = (batch * cos_strides[0] + position * cos_strides[1])[:, None] + column * cos_strides[2]
    c = tl.load(cos + at, mask=turning, other=0).to(compute)
    at = (batch * sin_strides[0] + position * sin_strides[1])[:, None] + column * sin_strides[2]
    s = tl.load(sin + at, mask=turning, other=0).to(compute) * sign
    first = tl.program_id(1).to(rows.dtype) * per_program
    for j in tl.static_range(len(xs)):
        x = xs[j] + (batch * x_strides[j][0] + step * x_strides[j][1])[:, None]
        out = outs[j] + (batch * out_strides[j][0] + step * out_strides[j][1])[:, None]
        for h in range(tl.maximum(first, 0), tl.minimum(first + per_program, heads[j])):
            source, target = x + h * x_strides[j][2], out + h * out_strides[j][2]
            _turn(source, target, c, s, turning, half, x_strides[j][3], out_strides[j][3], INTERLEAVED, HALF, CACHE)
            if REST:
                others = 2 * half + tl.arange(0, REST)[None, :]
                mask = inside[:, None] & (others < 2 * half + rest)
                value = tl.load(source + others * x_strides[j][3], mask=mask)
                tl.store(target + others * out_strides[j][3], value, mask=mask, cache_modifier=CACHE)
        first -= heads[j]


@triton.jit
def _turn(x, out, c, s, mask, half, step, out_step, INTERLEAVED: tl.constexpr, HALF: tl.constexpr, CACHE: tl.constexpr):
    """One head of a tile of rows."""
    column = tl.arange(0, HALF)[None, :]
    if INTERLEAVED:
        a = tl.load(x + column * (2 * step), mask=mask, other=0).to(c.dtype)
        b = tl.load(x + (column * (2 * step) + step), mask=mask, other=0).to(c.dtype)
        pairs = tl.join(a * c - b * s, b * c + a * s)
        both = tl.reshape(pairs, (c.shape[0], 2 * HALF))
        inside = tl.reshape(tl.join(mask, mask), (c.shape[0], 2 * HALF))
        store_past(out + tl.arange(0, 2 * HALF)[None, :] * out_step, both, inside, CACHE)
    else:
        a = tl.load(x + column * step, mask=mask, other=0).to(c.dtype)
        b = tl.load(x + (column + half) * step, mask=mask, other=0).to(c.dtype)
        store_past(out + column * out_step, a * c - b * s, mask, CACHE)
        store_past(out + (column + half) * out_step, b * c + a * s, mask, CACHE)


@triton.jit
def store_past(pointer, value, mask, CACHE: tl.constexpr):
    tl.store(pointer, value.to(pointer.dtype.element_ty), mask=mask, cache_modifier=CACHE)


def config(facts: DeviceFacts, rows: int, heads: int, half: int, rest: int, across: bool, nbytes: int) -> dict:
    """Constexprs, the heads of a program, and warps.

    Args:
        across: whether a row's heads are neighbours in memory, and not a head's rows.
        nbytes: that are read and written, 0 where the results are written over the operands.
    """
    width = next_power_of_2(half)
    tile = 1024 if facts.kind == "cpu" else 2048
    height = min(next_power_of_2(max(rows, 1)), max(tile // width, 1))
    per_program = heads
    if facts.kind == "cpu":
        height = min(height, 4) if across else height
        per_program = heads if across else 1
    else:
        height = max(height // 4, 1)
        while per_program > 1 and -(-rows // height) * -(-heads // per_program) < 4 * facts.processors:
            per_program = -(-per_program // 2)
    return {
        "blocks": {"ROWS": height, "HALF": width, "REST": next_power_of_2(rest) if rest else 0},
        "per_program": max(per_program, 1),
        "cache": cache_modifier(facts, nbytes),
        "num_warps": facts.warps(max(min(height * width // 128, 4), 1)),
    }
