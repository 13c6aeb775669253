"""New keys and values are written into the pages of a cache, and queries and keys are turned by their positions on the way.

A program has a token. Its keys and values go to the row of the cache that `slots` names. Different tokens have different rows.
On a CPU each program looks at all slots and positions first, so that nothing is written where one of them is out of bounds.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .facts import DeviceFacts


@triton.jit
def out_of_bounds(indices, count, step, limit, BLOCK: tl.constexpr):
    """How many of `count` indices are below 0, or not below the limit."""
    found = tl.zeros((BLOCK,), tl.int32)
    for start in range(0, count, BLOCK):
        i = start + tl.arange(0, BLOCK)
        index = tl.load(indices + i * step, mask=i < count, other=0)
        found += ((index < 0) | (index >= limit)).to(tl.int32)
    return tl.sum(found)


@triton.jit
def turn(x, out, cos, sin, half, step, out_step, table_steps, INTERLEAVED: tl.constexpr, WIDTH: tl.constexpr):
    """The pairs of a head: its halves, or neighbours."""
    compute: tl.constexpr = compute_dtype(x.dtype.element_ty)
    for start in range(0, half, WIDTH):
        pair = start + tl.arange(0, WIDTH)
        inside = pair < half
        c = tl.load(cos + pair * table_steps[0], mask=inside).to(compute)
        s = tl.load(sin + pair * table_steps[1], mask=inside).to(compute)
        first, second = pair, pair + half
        if INTERLEAVED:
            first, second = 2 * pair, 2 * pair + 1
        a = tl.load(x + first * step, mask=inside).to(compute)
        b = tl.load(x + second * step, mask=inside).to(compute)
        tl.store(out + first * out_step, (a * c - b * s).to(out.dtype.element_ty), mask=inside)
        tl.store(out + second * out_step, (b * c + a * s).to(out.dtype.element_ty), mask=inside)


@triton.jit
def copy(x, out, begin, size, step, out_step, WIDTH: tl.constexpr):
    """The elements of a head from `begin` on."""
    for start in range(begin, size, WIDTH):
        at = start + tl.arange(0, WIDTH)
        tl.store(out + at * out_step, tl.load(x + at * step, mask=at < size), mask=at < size)


@triton.jit
def append(
    xs, tables, slots, outs, err, tokens, rows, positions, half, heads, sizes, per_program, slot_step, position_step,
    x_strides, table_strides, out_strides, INTERLEAVED: tl.constexpr, LOOK: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Grid: (tokens, groups of `per_program` heads).

    xs: (queries, keys, values), with tables, or (keys, values); each (tokens, heads, size). tables: (cos, sin, numbers of
    positions). outs: of each operand where it goes; that of queries by tokens, the others by slots.
    """
    token = tl.program_id(0).to(tokens.dtype)
    slot = tl.load(slots + token * slot_step)
    good = (slot >= 0) & (slot < rows)
    position = slot * 0
    if len(tables) == 3:
        position = tl.load(tables[2] + token * position_step).to(slot.dtype)
        good = good & (position >= 0) & (position < positions)
    if LOOK:
        bad = out_of_bounds(slots, tokens, slot_step, rows, 16)
        if len(tables) == 3:
            bad += out_of_bounds(tables[2], tokens, position_step, positions, 16)
        good = good & (bad == 0)
    tl.store(err, 1, mask=~good)
    if good:
        first = tl.program_id(1).to(tokens.dtype) * per_program
        for j in tl.static_range(len(xs)):
            row = slot
            if j + 2 < len(xs):
                row = token.to(slot.dtype)
            for h in range(tl.maximum(first, 0), tl.minimum(first + per_program, heads[j])):
                x = xs[j] + (token * x_strides[j][0] + h * x_strides[j][1])
                out = outs[j] + (row * out_strides[j][0] + h * out_strides[j][1])
                turned = first * 0
                if len(tables) == 3:
                    if j + 1 < len(xs):
                        cos, sin = tables[0] + position * table_strides[0][0], tables[1] + position * table_strides[1][0]
                        steps = (table_strides[0][1], table_strides[1][1])
                        turn(x, out, cos, sin, half, x_strides[j][2], out_strides[j][2], steps, INTERLEAVED, WIDTH)
                        turned = 2 * half
                copy(x, out, turned, sizes[j], x_strides[j][2], out_strides[j][2], WIDTH)
            first -= heads[j]


def config(facts: DeviceFacts, heads: int, half: int, size: int) -> dict:
    """Constexprs, the heads of a program, and warps. On a CPU a program has all heads of a token."""
    if facts.kind == "cpu":
        return {"constexprs": {"LOOK": True, "WIDTH": 16}, "per_program": heads, "num_warps": 1}
    width = next_power_of_2(max(half or size, 1))
    return {"constexprs": {"LOOK": False, "WIDTH": min(width, 128)}, "per_program": 1, "num_warps": 1}
