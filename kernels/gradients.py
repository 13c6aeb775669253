"""Launches over all gradients between backward and the optimizer's step: their norm, clipping, and division by the loss scale.

multi_tensor.py says how one launch works on many tensors. What decides (a norm, a scale, an overflow) stays in device memory.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .functions.arithmetic import pow, sqrt
from .functions.comparison import isfinite
from .multi_tensor import address, chunk_of, store


@triton.jit
def norms(
    norm,
    tensors,
    chunks,
    order,
    GRADIENT: tl.constexpr,
    START: tl.constexpr,
    COMBINE: tl.constexpr,
    REDUCE: tl.constexpr,
    ROOT: tl.constexpr,
    CHUNK: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """The norm of each chunk; the norm of these is that of all gradients. Columns: size, gradient. Grid: (chunks,).

    START, COMBINE and REDUCE are of reductions.py. ROOT: 2 for a square root; 0 for the root `order` of a sum of powers
    `order`; 1 for none.
    """
    row, size, start = chunk_of(tensors, chunks, 2)
    gradient = address(row, 1, GRADIENT)
    dtype: tl.constexpr = compute_dtype(GRADIENT)
    nothing = tl.zeros((BLOCK,), dtype)
    state = START((nothing,), tl.arange(0, BLOCK), tl.arange(0, BLOCK) < 0)
    for offset in range(0, CHUNK, BLOCK):
        i = start + offset + tl.arange(0, BLOCK)
        mask = i < size
        g = tl.load(gradient + i, mask=mask, other=1).to(dtype)
        if ROOT == 0:
            g = pow(tl.abs(g), nothing + order)
        state = COMBINE(*state, *START((g,), i, mask))
    total = REDUCE(state, 0)[0]
    if ROOT == 0:
        total = tl.exp2(tl.log2(tl.cast(total, tl.float64)) / order)
    elif ROOT == 2:
        total = sqrt(total)
    tl.store(norm + tl.program_id(0), total)


@triton.jit
def scale_to_norm(
    norm, tensors, chunks, max_norm, GRADIENT: tl.constexpr, CHUNK: tl.constexpr, BLOCK: tl.constexpr
):
    """g *= min(max_norm / (norm + 1e-6), 1); a norm that is not a number makes all of them so. Columns: size, gradient."""
    row, size, start = chunk_of(tensors, chunks, 2)
    gradient = address(row, 1, GRADIENT)
    dtype: tl.constexpr = compute_dtype(GRADIENT)
    factor = max_norm / (tl.load(norm).to(dtype) + 1e-6)
    factor = tl.where(factor > 1, 1.0, factor).to(dtype)
    for offset in range(0, CHUNK, BLOCK):
        i = start + offset + tl.arange(0, BLOCK)
        mask = i < size
        g = tl.load(gradient + i, mask=mask).to(dtype)
        store(gradient, i, g * factor, mask)


@triton.jit
def clip(tensors, chunks, bound, GRADIENT: tl.constexpr, CHUNK: tl.constexpr, BLOCK: tl.constexpr):
    """g = min(max(g, -bound), bound), NaN kept. Columns: size, gradient. Grid: (chunks,)."""
    row, size, start = chunk_of(tensors, chunks, 2)
    gradient = address(row, 1, GRADIENT)
    dtype: tl.constexpr = compute_dtype(GRADIENT)
    for offset in range(0, CHUNK, BLOCK):
        i = start + offset + tl.arange(0, BLOCK)
        mask = i < size
        g = tl.load(gradient + i, mask=mask).to(dtype)
        g = tl.where(g < -bound, -bound, g)
        store(gradient, i, tl.where(g > bound, bound, g), mask)


@triton.jit
def unscale(scale, found_inf, tensors, chunks, GRADIENT: tl.constexpr, CHUNK: tl.constexpr, BLOCK: tl.constexpr):
    """g /= scale, and found_inf = 1 if some g is not finite: all who write it write the same. Columns: size, gradient."""
    row, size, start = chunk_of(tensors, chunks, 2)
    gradient = address(row, 1, GRADIENT)
    dtype: tl.constexpr = compute_dtype(GRADIENT)
    inverse = (1 / tl.load(scale).to(tl.float64)).to(dtype)
    bad = tl.zeros((BLOCK,), tl.int32)
    for offset in range(0, CHUNK, BLOCK):
        i = start + offset + tl.arange(0, BLOCK)
        mask = i < size
        g = tl.load(gradient + i, mask=mask, other=0).to(dtype)
        bad = tl.where(isfinite(g), bad, 1)
        store(gradient, i, g * inverse, mask)
    tl.store(found_inf, 1.0, mask=tl.max(bad, 0) != 0)


@triton.jit
def update_scale(scale, growth_tracker, found_inf, growth, backoff, interval):
    """The scale shrinks by `backoff` if something overflowed, and grows by `growth` after `interval` steps without. Grid: (1,).

    It does not grow into infinity.
    """
    old = tl.load(scale)
    bad = tl.load(found_inf) != 0
    successes = tl.load(growth_tracker) + 1
    due = successes == interval
    grown = old * growth
    new = tl.where(due & isfinite(grown), grown, old)
    tl.store(scale, tl.where(bad, old * backoff, new))
    tl.store(growth_tracker, tl.where(bad | due, 0, successes))
