"""The next token of each row of logits: biases, penalties, temperature, top-k, top-p and min-p, then one draw. A program has a row.

Nothing is sorted. The k-th largest logit, and the least weight of the nucleus, are found by their bits from the highest on, two in
each pass over the row: how many elements, or how much weight, lies at or above each of three thresholds. So elements that are
equal are all in or all out. Weights are exp((logit - largest) / temperature), of which the largest is 1; they are added in float64.

The draw is the first token whose sum of weights, in the order of the vocabulary, is above u times the sum of all, with a u of 64
random bits: Philox(seed of the row, step of the row), or Philox(seed, offset + row) of a generator.

A loop that serves requests has a word for each token of the vocabulary, and a bias, in a slot for each request: bit 0 of a word is
whether the prompt has the token, bit 1 whether it ends the request, and the bits above count how often it was drawn. A row's notes
are (slot, token, word, whether ends are left out). The word of the token is written first, whatever was there: so it may be
written again. A slot below 0 is none.
"""

import triton
import triton.language as tl

from .facts import DeviceFacts
from .functions.random import philox
from .sort_keys import ordered

LEAST = tl.constexpr(-(2**31))


@triton.jit
def of_row(x, row):
    """A setting: a number for all rows, or one for each."""
    if x.dtype.is_ptr():
        return tl.load(x + row)
    else:
        return x


@triton.jit
def penalised(v, prompt, counts, at, inside, repetition, presence, frequency):
    """Logits of tokens that were seen: divided or multiplied by `repetition`, less `presence`, less `frequency` for each time."""
    if len(prompt) + len(counts) > 0:
        seen = at < 0
        if len(prompt) == 1:
            seen = seen | (tl.load(prompt[0] + at, mask=inside, other=0) != 0)
        if len(counts) == 1:
            count = tl.load(counts[0] + at, mask=inside, other=0)
            seen = seen | (count > 0)
        v = tl.where(seen, tl.where(v > 0, v / repetition, v * repetition), v)
        if len(counts) == 1:
            v = tl.where(count > 0, v - count.to(tl.float32) * frequency - presence, v)
    return v


@triton.jit
def noted(v, slot, words, biases, cols, c, inside, closed, repetition, presence, frequency):
    """Logits by the words and biases of a slot."""
    here = inside & (slot >= 0)
    word = tl.load(words + slot * cols + c, mask=here, other=0)
    v += tl.load(biases + slot * cols + c, mask=here, other=0.0)
    count = word >> 2
    seen = (word & -3) != 0  # in the prompt, or behind it
    v = tl.where(seen, tl.where(v > 0, v / repetition, v * repetition), v)
    v = tl.where(count > 0, v - count.to(tl.float32) * frequency - presence, v)
    return tl.where((closed > 0) & ((word & 2) != 0), float("-inf"), v)


@triton.jit
def kth_largest(values, cols, k, BLOCK: tl.constexpr):
    """The k-th largest key of a row; keys are in the order of the values (sort_keys.ordered)."""
    found = k * 0 + LEAST
    for step in range(16):
        unit = (found * 0 + 1) << (30 - 2 * step)
        n1 = tl.zeros((BLOCK,), tl.int32)
        n2 = tl.zeros((BLOCK,), tl.int32)
        n3 = tl.zeros((BLOCK,), tl.int32)
        for start in range(0, cols, BLOCK):
            c = start + tl.arange(0, BLOCK)
            key = ordered(tl.load(values + c, mask=c < cols, other=float("-inf")), False)
            n1 += ((key >= found + unit) & (c < cols)).to(tl.int32)
            n2 += ((key >= found + 2 * unit) & (c < cols)).to(tl.int32)
            n3 += ((key >= found + 3 * unit) & (c < cols)).to(tl.int32)
        digit = (tl.sum(n1) >= k).to(tl.int32) + (tl.sum(n2) >= k).to(tl.int32) + (tl.sum(n3) >= k).to(tl.int32)
        found += digit * unit
    return found


@triton.jit
def nucleus(values, cols, mass, BLOCK: tl.constexpr):
    """The largest weight so that those which are no smaller have so much mass together."""
    found = (mass * 0).to(tl.int32)
    for step in range(15):
        unit = (found * 0 + 1) << (28 - 2 * step)
        m1 = tl.zeros((BLOCK,), tl.float64)
        m2 = tl.zeros((BLOCK,), tl.float64)
        m3 = tl.zeros((BLOCK,), tl.float64)
        for start in range(0, cols, BLOCK):
            c = start + tl.arange(0, BLOCK)
            w = tl.load(values + c, mask=c < cols, other=0)
            key = w.to(tl.int32, bitcast=True)
            wide = w.to(tl.float64)
            m1 += tl.where(key >= found + unit, wide, 0)
            m2 += tl.where(key >= found + 2 * unit, wide, 0)
            m3 += tl.where(key >= found + 3 * unit, wide, 0)
        digit = (tl.sum(m1) >= mass).to(tl.int32) + (tl.sum(m2) >= mass).to(tl.int32) + (tl.sum(m3) >= mass).to(tl.int32)
        found += digit * unit
    return found.to(tl.float32, bitcast=True)


@triton.jit
def mass_from(values, cols, least, BLOCK: tl.constexpr):
    """The sum of weights that are no smaller than `least`."""
    total = tl.zeros((BLOCK,), tl.float64)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        w = tl.load(values + c, mask=c < cols, other=0)
        total += tl.where(w >= least, w, 0).to(tl.float64)
    return tl.sum(total)


@triton.jit
def drawn(values, cols, least, target, BLOCK: tl.constexpr):
    """The first token at which the sum of weights from `least` on is above `target`; where none is, the last that has a weight."""
    before = target * 0
    token = cols * 0 - 1
    last = cols * 0 - 1
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        w = tl.load(values + c, mask=c < cols, other=0)
        w = tl.where(w >= least, w, 0).to(tl.float64)
        total = tl.sum(w)
        if (token < 0) & (total > 0):
            last = tl.max(tl.where(w > 0, c, -1))
            if before + total > target:
                token = tl.min(tl.where((w > 0) & (before + tl.cumsum(w, 0) > target), c, last))
        before += total
    return tl.where(token < 0, last, token)


@triton.jit
def sample(
    logits,
    settings,
    prompt,
    counts,
    notes,
    source,
    tokens,
    values,
    err,
    cols,
    stride,
    BLOCK: tl.constexpr,
):
    """tokens[row], -1 where no logit is above -inf or one is NaN. Grid: (rows,).

    `notes`: none, or (notes, words, biases); rows of one launch have different slots.
    `settings`: temperature, top_k, top_p, min_p, and the penalties of repetition, presence and frequency. `source`: (seeds,),
    (seeds, steps) or, as (state, None, None), a generator. values: (rows, cols), temporary.
    """
    row = tl.program_id(0).to(cols.dtype)
    temperature, k, p = of_row(settings[0], row), of_row(settings[1], row), of_row(settings[2], row)
    least = of_row(settings[3], row)
    repetition, presence, frequency = of_row(settings[4], row), of_row(settings[5], row), of_row(settings[6], row)
    good = (temperature >= 0) & (p >= 0) & (p <= 1) & (least >= 0) & (least <= 1)
    if len(prompt) + len(counts) > 0:
        good = good & (repetition > 0)
    tl.store(err, 1, mask=~good)
    values += row * cols
    slot, closed = row * 0 - 1, row * 0
    if len(notes) == 3:
        rows = tl.num_programs(0).to(cols.dtype)
        slot = tl.load(notes[0] + row).to(cols.dtype)
        drawn_before = tl.load(notes[0] + rows + row)
        closed = tl.load(notes[0] + 3 * rows + row).to(cols.dtype)
        writes = (slot >= 0) & (drawn_before >= 0) & (drawn_before < cols)
        tl.store(notes[1] + slot * cols + drawn_before, tl.load(notes[0] + 2 * rows + row).to(tl.int32), mask=writes)
        tl.debug_barrier()
    best = tl.full((BLOCK,), float("-inf"), tl.float32)
    at_best = tl.zeros((BLOCK,), tl.int32)
    unknown = tl.zeros((BLOCK,), tl.int32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        inside = c < cols
        v = tl.load(logits + row * stride + c, mask=inside, other=float("-inf")).to(tl.float32)
        v = penalised(v, prompt, counts, row * cols + c, inside, repetition, presence, frequency)
        if len(notes) == 3:
            v = noted(v, slot, notes[1], notes[2], cols, c, inside, closed, repetition, presence, frequency)
        tl.store(values + c, v, mask=inside)
        unknown += (v != v).to(tl.int32)
        larger = v > best
        best = tl.where(larger, v, best)
        at_best = tl.where(larger, c, at_best)
    tl.debug_barrier()  # rows are read again by other threads than those that wrote them
    peak = tl.max(best)
    token = tl.min(tl.where(best == peak, at_best, cols.to(tl.int32)))
    usable = good & (peak > float("-inf")) & (tl.sum(unknown) == 0)
    if usable & (temperature > 0):
        lowest = k.to(tl.int32) * 0 + LEAST
        if (k > 0) & (k < cols):
            lowest = kth_largest(values, cols, k.to(tl.int32), BLOCK)
        for start in range(0, cols, BLOCK):
            c = start + tl.arange(0, BLOCK)
            v = tl.load(values + c, mask=c < cols, other=float("-inf"))
            w = tl.where(v == peak, 1.0, tl.exp((v - peak) / temperature))
            tl.store(values + c, tl.where(ordered(v, False) >= lowest, w, 0), mask=c < cols)
        tl.debug_barrier()
        if p < 1:
            share = mass_from(values, cols, least * 0, BLOCK) * p.to(tl.float64)
            least = tl.maximum(least, nucleus(values, cols, share, BLOCK))
        least = tl.minimum(least, 1.0)
        if len(source) == 3:
            a, b, _, _ = philox(tl.load(source[0]), tl.load(source[0] + 1) + row.to(tl.int64), 0)
        elif len(source) == 2:
            a, b, _, _ = philox(tl.load(source[0] + row), tl.load(source[1] + row), 0)
        else:
            a, b, _, _ = philox(tl.load(source[0] + row), tl.load(source[0] + row) * 0, 0)
        u = (a.to(tl.float64) + b.to(tl.float64) * (1.0 / 4294967296.0)) * (1.0 / 4294967296.0)
        token = drawn(values, cols, least, mass_from(values, cols, least, BLOCK) * u, BLOCK).to(tl.int32)
    tl.store(tokens + row, tl.where(usable, token, -1).to(tl.int64))


def config(facts: DeviceFacts, cols: int) -> dict:
    """A GPU's program has all warps that it may, as there are few rows."""
    block = 1024 if facts.kind == "cpu" else 4096
    return {"BLOCK": block, "num_warps": facts.warps(16)}
