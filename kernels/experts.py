"""Mixtures of experts: which experts a token goes to, its rows in the order of the experts, and the sums of what these give.

A pair (t, j) is token t's j-th expert. `count` and `settle` order pairs by expert, equal ones by their number t k + j: a counting
sort, in which each program counts its own pairs and then adds up those of the programs before it. A pair without an expert, whose
number is outside [0, experts), stands behind all others. Numbers of pairs are on the device alone.

With row p = positions[t, j] and weight w (1 if absent):

    spread    rows[p] = w[t, j] x[t]
    combine   out[t] = sum over j of w[t, j] rows[p], in the order of j
    dots      out[t, j] = x[t] . rows[p]

Each is the gradient of the others, if each row belongs to one pair: `mark` and `verify` look at positions that a user gives.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .facts import DeviceFacts

SOFTMAX = tl.constexpr(0)
SIGMOID = tl.constexpr(1)


@triton.jit
def bins(experts, first, i, pairs, count, BINS: tl.constexpr):
    """(which bins a block of pairs falls into, as (pairs, bins); pairs that there are)"""
    mask = first + i < pairs
    e = tl.load(experts + first + i, mask=mask, other=0)
    e = tl.where((e >= 0) & (e < count), e, count).to(tl.int32)
    return (e[:, None] == tl.arange(0, BINS)[None, :]) & mask[:, None], mask


@triton.jit
def count(experts, counts, pairs, number, steps, BLOCK: tl.constexpr, BINS: tl.constexpr):
    """counts[program, bin] = pairs of the program in the bin; bin `number` has those without an expert. Grid: (programs,)."""
    pid = tl.program_id(0).to(pairs.dtype)
    i = tl.arange(0, BLOCK).to(pairs.dtype)
    total = tl.zeros((BINS,), tl.int32)
    for step in range(steps):
        hits, _ = bins(experts, (pid * steps + step) * BLOCK, i, pairs, number, BINS)
        total += tl.sum(hits.to(tl.int32), 0)
    tl.store(counts + pid * BINS + tl.arange(0, BINS), total)


@triton.jit
def settle(counts, experts, positions, ends, pairs, number, steps, programs, BLOCK: tl.constexpr, BINS: tl.constexpr):
    """positions[pair] = its row in the order of the experts; ends[e] = where the rows of expert e end. Grid: (programs,)."""
    pid = tl.program_id(0).to(pairs.dtype)
    i, b = tl.arange(0, BLOCK).to(pairs.dtype), tl.arange(0, BINS)
    before, total = tl.zeros((BINS,), tl.int32), tl.zeros((BINS,), tl.int32)
    for program in range(programs):
        own = tl.load(counts + program * BINS + b)
        before += tl.where(program < pid, own, 0)
        total += own
    end = tl.cumsum(total, 0)
    tl.store(ends + b, end, mask=(b < number) & (pid == 0))
    start = end - total + before
    for step in range(steps):
        first = (pid * steps + step) * BLOCK
        hits, mask = bins(experts, first, i, pairs, number, BINS)
        rank = tl.cumsum(hits.to(tl.int32), 0) - 1
        position = tl.sum(tl.where(hits, start[None, :] + rank, 0), 1)
        tl.store(positions + first + i, position, mask=mask)
        start += tl.sum(hits.to(tl.int32), 0)


@triton.jit
def tile(tokens, width, ROWS: tl.constexpr, COLS: tl.constexpr):
    """(tokens, columns, which of them there are) of this program, whose grid is (tiles of tokens, tiles of columns)."""
    t = tl.program_id(0).to(tokens.dtype) * ROWS + tl.arange(0, ROWS)
    c = tl.program_id(1).to(tokens.dtype) * COLS + tl.arange(0, COLS)
    return t, c, (t[:, None] < tokens) & (c[None, :] < width)


@triton.jit
def row_of(positions, t, j, each, tokens, rows, err):
    """(the row of a pair, whether it is one): others are reported."""
    p = tl.load(positions + t * each + j, mask=t < tokens, other=0).to(tokens.dtype)
    good = (p >= 0) & (p < rows)
    tl.store(err + t * 0, 1, mask=(t < tokens) & ~good)
    return p, (t < tokens) & good


@triton.jit
def weight_of(weights, t, j, each, tokens, dtype: tl.constexpr):
    """The weights of a token's j-th expert, as a column."""
    return tl.load(weights[0] + t * each + j, mask=t < tokens, other=0).to(dtype)[:, None]


@triton.jit
def spread(
    x, positions, weights, out, err, tokens, each, width, rows, x_strides, ROWS: tl.constexpr, COLS: tl.constexpr
):
    """rows[p] = w[t, j] x[t]. Grid: (tiles of tokens, tiles of columns)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    t, c, mask = tile(tokens, width, ROWS, COLS)
    v = tl.load(x + t[:, None] * x_strides[0] + c[None, :] * x_strides[1], mask=mask, other=0).to(dtype)
    for j in range(each):
        p, good = row_of(positions, t, j, each, tokens, rows, err)
        w = v if len(weights) == 0 else v * weight_of(weights, t, j, each, tokens, dtype)
        tl.store(out + p[:, None] * width + c[None, :], w.to(out.dtype.element_ty), mask=mask & good[:, None])


@triton.jit
def combine(
    x, positions, weights, out, err, tokens, each, width, rows, x_strides, ROWS: tl.constexpr, COLS: tl.constexpr
):
    """out[t] = sum over j of w[t, j] x[p]. Grid: (tiles of tokens, tiles of columns)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    t, c, mask = tile(tokens, width, ROWS, COLS)
    acc = tl.zeros((ROWS, COLS), dtype)
    for j in range(each):
        p, good = row_of(positions, t, j, each, tokens, rows, err)
        own = mask & good[:, None]
        v = tl.load(x + p[:, None] * x_strides[0] + c[None, :] * x_strides[1], mask=own, other=0).to(dtype)
        acc += v if len(weights) == 0 else v * weight_of(weights, t, j, each, tokens, dtype)
    tl.store(out + t[:, None] * width + c[None, :], acc.to(out.dtype.element_ty), mask=mask)


@triton.jit
def mark(positions, pairs_at, pairs, BLOCK: tl.constexpr):
    """pairs_at[positions[pair]] = pair. Grid: (blocks of pairs,). Of pairs with one row any may be there."""
    i = tl.program_id(0).to(pairs.dtype) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(positions + i, mask=i < pairs, other=0).to(pairs.dtype)
    tl.store(pairs_at + p, i, mask=(i < pairs) & (p >= 0) & (p < pairs))


@triton.jit
def verify(positions, pairs_at, err, pairs, BLOCK: tl.constexpr):
    """Reports pairs that do not find themselves at their row: outside of the rows, or another pair has it, too.

    As many rows as pairs, and no row twice: then each row is there. Grid: (blocks of pairs,).
    """
    i = tl.program_id(0).to(pairs.dtype) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(positions + i, mask=i < pairs, other=0).to(pairs.dtype)
    good = (p >= 0) & (p < pairs)
    found = tl.load(pairs_at + p, mask=(i < pairs) & good, other=0)
    tl.store(err + i * 0, 1, mask=(i < pairs) & (~good | (found != i)))


@triton.jit
def dots(
    x, y, positions, out, err, tokens, each, width, rows, x_strides, y_strides, ROWS: tl.constexpr, COLS: tl.constexpr
):
    """out[t, j] = x[t] . y[p]. Grid: (tiles of tokens, k)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    t = tl.program_id(0).to(tokens.dtype) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1).to(tokens.dtype)
    p, good = row_of(positions, t, j, each, tokens, rows, err)
    acc = tl.zeros((ROWS, COLS), dtype)
    for start in range(0, width, COLS):
        c = start + tl.arange(0, COLS)
        mask = good[:, None] & (c[None, :] < width)
        a = tl.load(x + t[:, None] * x_strides[0] + c[None, :] * x_strides[1], mask=mask, other=0).to(dtype)
        acc += a * tl.load(y + p[:, None] * y_strides[0] + c[None, :] * y_strides[1], mask=mask, other=0).to(dtype)
    tl.store(out + t * each + j, tl.sum(acc, 1).to(out.dtype.element_ty), mask=t < tokens)


@triton.jit
def largest(x, GROUPED: tl.constexpr):
    """The largest element of each row of (rows, groups, experts of a group), or of each group where GROUPED."""
    best = tl.max(x, 2, keep_dims=True)
    return best if GROUPED else tl.max(best, 1, keep_dims=True)


@triton.jit
def first_of(hits, number, none, GROUPED: tl.constexpr):
    """The smallest of the numbers where there is a hit."""
    least = tl.min(tl.where(hits, number, none), 2, keep_dims=True)
    return least if GROUPED else tl.min(least, 1, keep_dims=True)


@triton.jit
def picked(key, left, number, none, GROUPED: tl.constexpr):
    """The number of the largest key that is left, the first of equal ones."""
    best = largest(tl.where(left, key, -float("inf")), GROUPED)
    return first_of(left & (key == best), number, none, GROUPED)


@triton.jit
def group_keys(key, there, number, experts, TWO: tl.constexpr):
    """The largest key of each group, or the sum of the TWO largest."""
    best = largest(tl.where(there, key, -float("inf")), True)
    if TWO:
        rest = there & (number != picked(key, there, number, experts, True))
        best += largest(tl.where(rest, key, -float("inf")), True)
    return best


@triton.jit
def route(
    logits,
    bias,
    weights,
    indices,
    scale,
    tokens,
    experts,
    each,
    group_size,
    groups,
    chosen_groups,
    strides,
    SCORE: tl.constexpr,
    NORMED: tl.constexpr,
    GROUPED: tl.constexpr,
    ROWS: tl.constexpr,
    GROUPS: tl.constexpr,
    SIZE: tl.constexpr,
    EACH: tl.constexpr,
):
    """The experts of each token by their scores, the bias for the choice alone, and their weights. Grid: (tiles of tokens,)."""
    dtype: tl.constexpr = weights.dtype.element_ty
    t = (tl.program_id(0).to(tokens.dtype) * ROWS + tl.arange(0, ROWS))[:, None, None]
    g, s = tl.arange(0, GROUPS)[None, :, None], tl.arange(0, SIZE)[None, None, :]
    number = (g * group_size + s).to(tl.int32)
    there = (t < tokens) & (g < groups) & (s < group_size)
    x = tl.load(logits + t * strides[0] + number * strides[1], mask=there, other=-float("inf")).to(dtype)
    if SCORE == SOFTMAX:
        powers = tl.where(there, tl.exp(x - largest(x, False)), 0)
        score = powers / tl.sum(tl.sum(powers, 2, keep_dims=True), 1, keep_dims=True)
    else:
        score = 1 / (1 + tl.exp(-x))
    key = x if SCORE == SOFTMAX and len(bias) == 0 and not GROUPED else score
    if len(bias) > 0:
        key += tl.load(bias[0] + number, mask=there, other=0).to(dtype)
    key = tl.where(key != key, float("inf"), key)
    left = there
    if GROUPED:
        of_group = group_keys(key, there, number, experts, len(bias) > 0)
        groups_left = (t < tokens) & (g < groups)
        chosen = groups_left & (g < 0)
        for _ in range(chosen_groups):
            best = picked(of_group, groups_left, g, groups, False)
            chosen, groups_left = chosen | (g == best), groups_left & (g != best)
        left = there & chosen
    column = tl.arange(0, EACH)[None, None, :]
    values, names = tl.zeros((ROWS, 1, EACH), dtype), tl.zeros((ROWS, 1, EACH), tl.int32)
    for j in range(each):
        best = picked(key, left, number, experts, False)
        hit = left & (number == best)
        value = tl.sum(tl.sum(tl.where(hit, score, 0), 2, keep_dims=True), 1, keep_dims=True)
        values, names = tl.where(column == j, value, values), tl.where(column == j, best, names)
        left = left & (number != best)
    if NORMED:
        values = values / tl.sum(values, 2, keep_dims=True)
    mask = (t < tokens) & (column < each)
    tl.store(weights + t * each + column, values * scale, mask=mask)
    tl.store(indices + t * each + column, names.to(tl.int64), mask=mask)


def sort_config(facts: DeviceFacts, pairs: int, experts: int) -> dict:
    """Pairs and bins of a program of the counting sort, its steps, and launch options. There are 256 programs at most."""
    size = max(next_power_of_2(experts + 1), 16)
    block = max(min(4096 // size, 256), 16) if facts.kind == "cpu" else max(min(8192 // size, 128), 16)
    return {"constexprs": {"BLOCK": block, "BINS": size}, "steps": max(-(-pairs // (block * 256)), 1), "num_warps": facts.warps(4)}


def rows_config(facts: DeviceFacts, width: int) -> dict:
    """Tokens and columns of a program, and launch options."""
    cols = min(next_power_of_2(max(width, 16)), 512 if facts.kind == "cpu" else 1024)
    rows = max((1024 if facts.kind == "cpu" else 2048) // cols, 1)
    return {"constexprs": {"ROWS": min(rows, 16), "COLS": cols}, "num_warps": facts.warps(4)}


def route_config(facts: DeviceFacts, experts: int, groups: int, each: int) -> dict:
    """Tokens of a program and the sizes of its tile, and launch options."""
    of_groups, size = next_power_of_2(groups), next_power_of_2(-(-experts // groups))
    rows = max((256 if facts.kind == "cpu" else 1024) // (of_groups * size), 1)
    blocks = {"ROWS": min(rows, 16), "GROUPS": of_groups, "SIZE": size, "EACH": next_power_of_2(each)}
    return {"constexprs": blocks, "num_warps": facts.warps(4)}
