"""Attention o = softmax(scale q k' + mask) v without the matrix of scores in memory (Dao, FlashAttention-2, 2023).

q is (batch, heads, M, D), k (batch, heads, N, D), v (batch, heads, N, E), any strides; so is o. A program owns a tile of rows and
walks over the others, with a running maximum and sum.

The forward stores `rows`: the maximum of each row's scores, and 1 / sum of exp(score - maximum). They are stored apart, because a
mask's -1e9 would swallow the logarithm of the sum. Of scores without a mask in powers of 2 (BASE_2) it is maximum + log2(sum), and
the weights are 2 to the (score - that). With delta = rowsum(do o) the backward recomputes p from them and

    dv = p' do        ds = p (do v' - delta)        dq = scale ds k        dk = scale ds' q

SPLIT is what a GPU has otherwise. Blocks that no edge cuts have a loop of their own, without masks. Exponentials are powers of 2.
The scores of a tile of columns are computed transposed, as the products that follow take them from registers.

There are two ways. Two kernels: one owns columns (dk, dv), the other owns rows (dq). Or one kernel that owns a head, and recomputes
p and do v' once instead of twice. In both, nothing is added atomically.

`mask` is a tuple of no or one pointer. An additive mask is added to the scores. A boolean one (BOOL) is true where attention is
allowed; elsewhere a score is `fill`. Strides of the mask are 0 where it is broadcast. CAUSAL allows n <= m. A row whose scores are
all -inf has weights `empty`: 0, or NaN as softmax has it.

`dropout`, () or (a generator's state, first counter, rate, factor), multiplies p by r: `factor` where a weight stays, 0 elsewhere.
Then dv = (r p)' do and ds = p (r do v' - delta), with delta as it was. Every kernel draws r's numbers anew: those of the elements
of a tensor (batch, heads, M, N). Weights that are a piece of a larger tensor have that one's numbers. `dropout` then goes on with
its heads, its rows, and the index in it at which the weights begin. On a CPU the forward takes a fourth longer by that, the
backward 15 %. Reading a byte for each weight, which the forward had to write, would take 2 to 8 % (heads of 64). FOURS says that
rows begin at a counter of their own; others take twice as many counters.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import triton
import triton.language as tl

from .block_sizes import next_power_of_2, on_chip, shape_class, variants
from .dtypes import compute_dtype
from .facts import DeviceFacts
from .functions.random import fraction, shifted_words, words
from .matmul import precision_of

LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def load_tile(pointer, row, col, rows, cols, strides):
    """The tile at (row, col) of a matrix, 0 outside of it; row and col are broadcastable indices."""
    return tl.load(pointer + row * strides[2] + col * strides[3], mask=(row < rows) & (col < cols), other=0)


@triton.jit
def scores(
    q, k, scale, fill, mask, mask_strides, b, h, m, n, M, N, dtype: tl.constexpr,
    CAUSAL: tl.constexpr, BOOL: tl.constexpr, PRECISION: tl.constexpr, EDGES: tl.constexpr,
):  # fmt: skip
    """The scores of a tile, scale q k + mask, and where they depend on q and k.

    q: (BLOCK_M, D); k: (D, BLOCK_N); m: (BLOCK_M, 1) indices of rows; n: (1, BLOCK_N) indices of columns. Or k, transposed, takes
    the argument of q, and q that of k: then m is (1, BLOCK_M) and n is (BLOCK_N, 1).
    EDGES: rows, columns or the diagonal of a causal mask may end within the tile.
    """
    s = tl.dot(q, k, input_precision=PRECISION, out_dtype=dtype) * scale
    inside = (m < M) & (n < N)
    if CAUSAL and EDGES:
        inside = inside & (n <= m)
    depends = inside
    for i in tl.static_range(len(mask)):
        pointer = mask[i] + b * mask_strides[0] + h * mask_strides[1] + m * mask_strides[2] + n * mask_strides[3]
        value = tl.load(pointer, mask=inside, other=0)
        if BOOL:
            depends = inside & (value != 0)
            s = tl.where(depends, s, fill)
        else:
            s += value.to(dtype)
    if EDGES:
        s = tl.where(inside, s, -float("inf"))
    return s, depends


@triton.constexpr_function
def addresses_stay(dtype, BASE_2):
    """Whether a GPU keeps the addresses of a block in registers. Beside masks or wide numbers it has none for them."""
    return BASE_2 and dtype.primitive_bitwidth == 16


@triton.jit
def load_block(pointer, start, row, col, rows, cols, strides, AHEAD: tl.constexpr, EDGES: tl.constexpr):
    """The tile at (start + row, col) of a matrix, 0 outside of it. EDGES: the matrix may end within the block.

    AHEAD: addresses within a block are computed once for all blocks, and stay in registers.
    """
    if not AHEAD:
        return load_tile(pointer, start + row, col, rows, cols, strides)
    inside = (row < rows - start) & (col < cols) if EDGES else col < cols
    return tl.load(pointer + start * strides[2] + (row * strides[2] + col * strides[3]), mask=inside, other=0)


@triton.jit
def exponential(x, BASE_2: tl.constexpr, SPLIT: tl.constexpr):
    """exp(x), or 2 to the x. A GPU has an instruction for powers of 2, with which exp is slower."""
    if BASE_2:
        return tl.exp2(x)
    return tl.exp2(x * LOG2_E) if SPLIT else tl.exp(x)


@triton.jit
def keep_mask(dropout, heads, b, h, m, n, M, N, dtype: tl.constexpr, FOURS: tl.constexpr):
    """True where dropout keeps a weight, by the random words of the elements of a tensor (batch, heads, M, N)."""
    if len(dropout) > 4:
        index = ((b * dropout[4] + h) * dropout[5] + m) * N + n + dropout[6]
    else:
        index = ((b * heads + h).to(tl.int64) * M + m) * N + n
    word = words(dropout[:2], index) if FOURS else shifted_words(dropout[:2], index)
    return fraction(word, dtype) >= dropout[2]


@triton.jit
def program_tile(tiles, heads, REVERSED: tl.constexpr = False):
    """(tile, batch, head) of this program."""
    pid = tl.program_id(0).to(heads.dtype)
    tile = tiles - 1 - pid % tiles if REVERSED else pid % tiles
    return tile, pid // tiles // heads, pid // tiles % heads


@triton.jit
def matrix_of(pointer, b, h, strides):
    """The matrix of one head of one batch."""
    return pointer + b * strides[0] + h * strides[1]


@triton.jit
def attended_range(mask, index, size, stride, others, other_stride, rows, fill, BLOCK: tl.constexpr):
    """The (first, end) of the `others` that a block of indices of a boolean mask may attend to, in whole blocks.

    mask: one matrix, with `size` indices `stride` apart and `others` indices `other_stride` apart.
    rows: () or (pointer,): rows whose weights are NaN are in the range as well.
    fill: the score where the mask is false; unless it is -inf, all others are attended to.
    """
    first, end = others, others * 0
    for start in range(0, tl.where(fill == -float("inf"), others, 0), BLOCK):
        other = (start + tl.arange(0, BLOCK))[None, :]
        inside = (index < size) & (other < others)
        found = tl.load(mask + index * stride + other * other_stride, mask=inside, other=0) != 0
        for i in tl.static_range(len(rows)):
            inverse = tl.load(rows[i] + 2 * other + 1, mask=other < others, other=0)
            found = found | (inverse != inverse)
        some = tl.max(tl.max(found.to(tl.int32), 1), 0) > 0
        first = tl.where(some, tl.minimum(first, start), first)
        end = tl.where(some, start + BLOCK, end)
    return tl.where(fill == -float("inf"), first, 0), tl.where(fill == -float("inf"), tl.minimum(end, others), others)


@triton.jit
def columns_of_step(
    step: tl.constexpr, tile, first, end, N, CAUSAL: tl.constexpr, SPLIT: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):  # fmt: skip
    """The columns from `first` to `end` that a tile of rows walks over in a step: all; if SPLIT, whole blocks before the others.

    A block is whole that neither N nor the diagonal cuts, from the first block on.
    """
    low, high = first, end
    if SPLIT:
        whole = N // BLOCK_N * BLOCK_N
        if CAUSAL:
            whole = tl.minimum(whole, (tile * BLOCK_M + 1) // BLOCK_N * BLOCK_N)
        whole = tl.maximum(whole, first)
        low, high = (first, tl.minimum(whole, end)) if step == 0 else (whole, end)
    return low, high


@triton.jit
def rows_of_step(
    step: tl.constexpr, tile, first, end, CAUSAL: tl.constexpr, SPLIT: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):  # fmt: skip
    """The rows from `first` to `end` that a tile of columns walks over in a step: all; if SPLIT, the diagonal before others.

    Rows of a block that are not there have gradients of 0, and need no edge.
    """
    low, high = first, end
    if SPLIT and CAUSAL:
        whole = tl.cdiv((tile + 1) * BLOCK_N, BLOCK_M) * BLOCK_M
        low, high = (first, tl.minimum(whole, end)) if step == 0 else (whole, end)
    return low, high


@triton.jit
def columns_of_rows(m, N, CAUSAL: tl.constexpr):
    """How many columns, from the first on, rows `m` may attend to without a mask."""
    return tl.minimum(N, m + 1) if CAUSAL else N


@triton.jit
def attend(
    state, low, high, q, k, v, mask, dropout, factor, fill, b, h, m, heads, M, N, D, E, k_strides, v_strides, mask_strides,
    CAUSAL: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, PRECISION: tl.constexpr, SPLIT: tl.constexpr,
    EDGES: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """(maxima, sums, sums of weighted values) of a tile of rows behind the columns from `low` to `high`, and in `state` before.

    BASE_2 blocks without EDGES are for a factor above 0: the largest product is the largest score, and the difference to it is one
    multiply-add. Blocks with EDGES take any factor.
    """
    dtype: tl.constexpr = compute_dtype(q.dtype)
    BASE_2: tl.constexpr = SPLIT and len(mask) == 0
    AHEAD: tl.constexpr = addresses_stay(q.dtype, BASE_2)
    n = tl.arange(0, BLOCK_N)
    d, e = tl.arange(0, BLOCK_D), tl.arange(0, BLOCK_E)
    running, total, acc = state
    for start in range(low, high, BLOCK_N):
        if AHEAD:
            k_tile = tl.trans(load_block(k, start, n[:, None], d[None, :], N, D, k_strides, AHEAD, EDGES))
        else:
            k_tile = load_tile(k, d[:, None], start + n[None, :], D, N, (0, 0, k_strides[3], k_strides[2]))
        if BASE_2:
            products = tl.dot(q, k_tile, input_precision=PRECISION, out_dtype=dtype)
            s = products * factor
            if EDGES:
                s = tl.where(n[None, :] < columns_of_rows(m, N, CAUSAL) - start, s, -float("inf"))
            top = tl.max(s, 1, keep_dims=True) if EDGES else tl.max(products, 1, keep_dims=True) * factor
        else:
            s, _ = scores(
                q, k_tile, factor, fill, mask, mask_strides, b, h, m, start + n[None, :], M, N, dtype,
                CAUSAL, BOOL, PRECISION, EDGES,
            )  # fmt: skip
            top = tl.max(s, 1, keep_dims=True)
        larger = tl.maximum(running, top)
        shift = tl.where(larger == -float("inf"), 0.0, larger)
        p = exponential(s - shift, BASE_2, SPLIT)
        decay = exponential(running - shift, BASE_2, SPLIT)
        total = total * decay + tl.sum(p, 1, keep_dims=True)
        if len(dropout):
            p = tl.where(keep_mask(dropout, heads, b, h, m, start + n[None, :], M, N, dtype, FOURS), p, 0)
        v_tile = load_block(v, start, n[:, None], e[None, :], N, E, v_strides, AHEAD, EDGES)
        acc = tl.dot(p.to(v_tile.dtype), v_tile, acc * decay, input_precision=PRECISION, out_dtype=dtype)
        running = larger
    return running, total, acc


@triton.jit
def forward(
    q,
    k,
    v,
    mask,
    dropout,
    o,
    rows,
    scale,
    fill,
    empty,
    heads,
    M,
    N,
    D,
    E,
    q_strides,
    k_strides,
    v_strides,
    o_strides,
    mask_strides,
    CAUSAL: tl.constexpr,
    BOOL: tl.constexpr,
    FOURS: tl.constexpr,
    PRECISION: tl.constexpr,
    SPLIT: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_D: tl.constexpr,
    BLOCK_E: tl.constexpr,
):
    """o and rows (batch, heads, M, 2) of BLOCK_M rows. Grid: (tiles of M x heads x batch,)."""
    dtype: tl.constexpr = compute_dtype(q.dtype.element_ty)
    BASE_2: tl.constexpr = SPLIT and len(mask) == 0
    tile, b, h = program_tile(tl.cdiv(M, BLOCK_M), heads, SPLIT and CAUSAL)
    m = (tile * BLOCK_M + tl.arange(0, BLOCK_M))[:, None]
    d = tl.arange(0, BLOCK_D)
    e = tl.arange(0, BLOCK_E)[None, :]
    k, v = matrix_of(k, b, h, k_strides), matrix_of(v, b, h, v_strides)
    q_tile = load_tile(matrix_of(q, b, h, q_strides), m, d[None, :], M, D, q_strides)
    factor = scale * LOG2_E if BASE_2 else scale
    running = tl.full((BLOCK_M, 1), -float("inf"), dtype)
    total = tl.zeros((BLOCK_M, 1), dtype)
    acc = tl.zeros((BLOCK_M, BLOCK_E), dtype)
    first, end = 0, tl.minimum(N, (tile + 1) * BLOCK_M) if CAUSAL else N
    if BOOL and not CAUSAL:
        scan = matrix_of(mask[0], b, h, mask_strides)
        first, end = attended_range(scan, m, M, mask_strides[2], N, mask_strides[3], (), fill, BLOCK_N)
    state = (running, total, acc)
    for step in tl.static_range(1 + SPLIT):
        low, high = columns_of_step(step, tile, first, end, N, CAUSAL, SPLIT, BLOCK_M, BLOCK_N)
        if BASE_2 and step == 0:
            high = tl.where(factor > 0, high, low)
        elif BASE_2:
            low = tl.where(factor > 0, low, first)
        state = attend(
            state, low, high, q_tile, k, v, mask, dropout, factor, fill, b, h, m, heads, M, N, D, E,
            k_strides, v_strides, mask_strides, CAUSAL, BOOL, FOURS, PRECISION, SPLIT, step == SPLIT, BLOCK_N, BLOCK_D, BLOCK_E,
        )  # fmt: skip
    running, total, acc = state
    inverse = tl.where(total == 0, empty, 1 / tl.where(total == 0, 1, total))
    if len(dropout):
        acc *= dropout[3]
    o_tile = matrix_of(o, b, h, o_strides) + m * o_strides[2] + e * o_strides[3]
    tl.store(o_tile, (acc * inverse).to(o.dtype.element_ty), mask=(m < M) & (e < E))
    rows += 2 * ((b * heads + h) * M + m)
    if BASE_2:
        shift = tl.where(total == 0, empty, running + tl.log2(total))
    else:
        shift = tl.where(running == -float("inf"), 0.0, running)
    tl.store(rows, shift, mask=m < M)
    tl.store(rows + 1, inverse, mask=m < M)


@triton.jit
def row_shift(rows, m, M):
    """What the forward stored to subtract from scores; `rows` is the plane's."""
    return tl.load(rows + 2 * m, mask=m < M, other=0)


@triton.jit
def row_inverse(rows, m, M):
    """1 / sum of rows; of BASE_2 scores it is in the shift."""
    return tl.load(rows + 2 * m + 1, mask=m < M, other=0)


@triton.jit
def weights(s, shift, inverse, BASE_2: tl.constexpr, SPLIT: tl.constexpr):
    """The softmax of scores whose rows were normalised before."""
    p = exponential(s - shift, BASE_2, SPLIT)
    return p if BASE_2 else p * inverse


@triton.jit
def row_products(do, o, delta, heads, M, E, do_strides, o_strides, BLOCK_M: tl.constexpr, BLOCK_E: tl.constexpr):
    """delta = rowsum(do o), (batch, heads, M). Grid: (tiles of M x heads x batch,)."""
    dtype: tl.constexpr = compute_dtype(o.dtype.element_ty)
    tile, b, h = program_tile(tl.cdiv(M, BLOCK_M), heads)
    m = (tile * BLOCK_M + tl.arange(0, BLOCK_M))[:, None]
    e = tl.arange(0, BLOCK_E)[None, :]
    left = load_tile(matrix_of(do, b, h, do_strides), m, e, M, E, do_strides).to(dtype)
    right = load_tile(matrix_of(o, b, h, o_strides), m, e, M, E, o_strides).to(dtype)
    tl.store(delta + (b * heads + h) * M + m, tl.sum(left * right, 1, keep_dims=True), mask=m < M)


@triton.jit
def column_gradients(
    tile, b, h, do, q, k, v, mask, dropout, rows, delta, sums, dk, dv, scale, fill, heads, M, N, D, E,
    do_strides, q_strides, k_strides, v_strides, dk_strides, dv_strides, mask_strides,
    CAUSAL: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, PRECISION: tl.constexpr, SPLIT: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """dk and dv of a tile of columns. `sums` is () or (pointer,) to M x D numbers, to which the tile adds its share of dq.

    rows, delta: the plane's; behind the delta of M rows are the shifts of BASE_2 scores.
    """
    dtype: tl.constexpr = compute_dtype(q.dtype.element_ty)
    BASE_2: tl.constexpr = SPLIT and len(mask) == 0
    AHEAD: tl.constexpr = addresses_stay(q.dtype.element_ty, BASE_2) and BLOCK_D + BLOCK_E <= 128
    FLAT: tl.constexpr = BASE_2 and len(dropout) == 0  # a row's numbers are loaded as a vector, side by side in memory
    n = tile * BLOCK_N + tl.arange(0, BLOCK_N)
    d = tl.arange(0, BLOCK_D)[None, :]
    e = tl.arange(0, BLOCK_E)[None, :]
    k_tile = load_tile(k, n[:, None], d, N, D, k_strides)
    v_tile = load_tile(v, n[:, None], e, N, E, v_strides)
    factor = scale * LOG2_E if BASE_2 else scale
    dk_acc = tl.zeros((BLOCK_N, BLOCK_D), dtype)
    dv_acc = tl.zeros((BLOCK_N, BLOCK_E), dtype)
    first, end = tile * BLOCK_N // BLOCK_M * BLOCK_M if CAUSAL else 0, M
    if BOOL and not CAUSAL:
        scan = matrix_of(mask[0], b, h, mask_strides)
        first, end = attended_range(scan, n[:, None], N, mask_strides[3], M, mask_strides[2], (rows,), fill, BLOCK_M)
    across = n[:, None] if SPLIT else n[None, :]
    for step in tl.static_range(1 + (SPLIT and CAUSAL)):
        low, high = rows_of_step(step, tile, first, end, CAUSAL, SPLIT, BLOCK_M, BLOCK_N)
        for start in range(low, high, BLOCK_M):
            lines = tl.arange(0, BLOCK_M)
            m = (start + lines)[:, None]
            q_tile = load_block(q, start, lines[:, None], d, M, D, q_strides, AHEAD, True)
            do_tile = load_block(do, start, lines[:, None], e, M, E, do_strides, AHEAD, True)
            along = lines[None, :] if SPLIT else lines[:, None]
            if FLAT:
                s = tl.dot(k_tile, tl.trans(q_tile), input_precision=PRECISION, out_dtype=dtype) * factor
                if CAUSAL and step == 0:
                    s = tl.where(across <= start + along, s, -float("inf"))
            else:
                s, depends = scores(
                    k_tile if SPLIT else q_tile, tl.trans(q_tile if SPLIT else k_tile), factor, fill, mask, mask_strides,
                    b, h, start + along, across, M, N, dtype, CAUSAL, BOOL, PRECISION, not SPLIT or (CAUSAL and step == 0),
                )  # fmt: skip
            line = start + (lines if FLAT else along)
            if FLAT:  # rows that are not there have weights of 1 and gradients of 0
                shift, inverse = tl.load(delta + (M + line), mask=line < M, other=0)[None, :], 1.0
                row_delta = tl.load(delta + line, mask=line < M, other=0)[None, :]
            else:
                shift, inverse = row_shift(rows, line, M), 1.0 if BASE_2 else row_inverse(rows, line, M)
            p = weights(s, shift, inverse, BASE_2, SPLIT)
            dropped = p
            left, right = (v_tile, do_tile) if SPLIT else (do_tile, v_tile)
            dp = tl.dot(left, tl.trans(right), input_precision=PRECISION, out_dtype=dtype)
            if len(dropout):
                keep = keep_mask(dropout, heads, b, h, m, n[None, :], M, N, dtype, FOURS)
                keep = tl.trans(keep) if SPLIT else keep
                dropped, dp = tl.where(keep, p, 0), tl.where(keep, dp * dropout[3], 0)
            dropped = dropped.to(do_tile.dtype)
            dv_acc = tl.dot(dropped if SPLIT else tl.trans(dropped), do_tile, dv_acc, input_precision=PRECISION, out_dtype=dtype)
            if not FLAT:
                row_delta = tl.load(delta + line, mask=line < M, other=0)
            ds = p * (dp - row_delta)
            if BOOL:
                ds = tl.where(depends, ds, 0)
            ds = ds.to(q_tile.dtype)
            dk_acc = tl.dot(ds if SPLIT else tl.trans(ds), q_tile, dk_acc, input_precision=PRECISION, out_dtype=dtype)
            for i in tl.static_range(len(sums)):
                inside = (m < M) & (d < D)
                acc = tl.load(sums[i] + m * D + d, mask=inside, other=0)
                acc = tl.dot(ds, k_tile, acc, input_precision=PRECISION, out_dtype=dtype)
                tl.store(sums[i] + m * D + d, acc, mask=inside)
    if len(dropout):
        dv_acc *= dropout[3]
    dk_tile = dk + n[:, None] * dk_strides[2] + d * dk_strides[3]
    dv_tile = dv + n[:, None] * dv_strides[2] + e * dv_strides[3]
    tl.store(dk_tile, (dk_acc * scale).to(dk.dtype.element_ty), mask=(n[:, None] < N) & (d < D))
    tl.store(dv_tile, dv_acc.to(dv.dtype.element_ty), mask=(n[:, None] < N) & (e < E))


@triton.jit
def key_gradients(
    do, q, k, v, mask, dropout, rows, delta, dk, dv, scale, fill, heads, M, N, D, E,
    do_strides, q_strides, k_strides, v_strides, dk_strides, dv_strides, mask_strides,
    CAUSAL: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, PRECISION: tl.constexpr, SPLIT: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """dk and dv of BLOCK_N columns. Grid: (tiles of N x heads x batch,)."""
    tile, b, h = program_tile(tl.cdiv(N, BLOCK_N), heads)
    column_gradients(
        tile, b, h, matrix_of(do, b, h, do_strides), matrix_of(q, b, h, q_strides), matrix_of(k, b, h, k_strides),
        matrix_of(v, b, h, v_strides), mask, dropout, rows + 2 * (b * heads + h) * M, delta + (1 + SPLIT) * (b * heads + h) * M, (),
        matrix_of(dk, b, h, dk_strides), matrix_of(dv, b, h, dv_strides), scale, fill, heads, M, N, D, E,
        do_strides, q_strides, k_strides, v_strides, dk_strides, dv_strides, mask_strides,
        CAUSAL, BOOL, FOURS, PRECISION, SPLIT, BLOCK_M, BLOCK_N, BLOCK_D, BLOCK_E,
    )  # fmt: skip


@triton.jit
def gradients(
    do, q, k, v, mask, dropout, rows, delta, sums, dq, dk, dv, scale, fill, heads, M, N, D, E,
    do_strides, q_strides, k_strides, v_strides, dq_strides, dk_strides, dv_strides, mask_strides,
    CAUSAL: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, PRECISION: tl.constexpr, SPLIT: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """dq, dk and dv of a head, one tile of columns after the other; `sums` is as large as dq. Grid: (heads x batch,)."""
    dtype: tl.constexpr = compute_dtype(q.dtype.element_ty)
    _, b, h = program_tile(1, heads)
    sums += (b * heads + h) * M * D
    d = tl.arange(0, BLOCK_D)[None, :]
    for start in range(0, M, BLOCK_M):
        m = (start + tl.arange(0, BLOCK_M))[:, None]
        tl.store(sums + m * D + d, tl.zeros((BLOCK_M, BLOCK_D), dtype), mask=(m < M) & (d < D))
    for tile in range(tl.cdiv(N, BLOCK_N)):
        column_gradients(
            tile, b, h, matrix_of(do, b, h, do_strides), matrix_of(q, b, h, q_strides), matrix_of(k, b, h, k_strides),
            matrix_of(v, b, h, v_strides), mask, dropout, rows + 2 * (b * heads + h) * M, delta + (b * heads + h) * M, (sums,),
            matrix_of(dk, b, h, dk_strides), matrix_of(dv, b, h, dv_strides), scale, fill, heads, M, N, D, E,
            do_strides, q_strides, k_strides, v_strides, dk_strides, dv_strides, mask_strides,
            CAUSAL, BOOL, FOURS, PRECISION, SPLIT, BLOCK_M, BLOCK_N, BLOCK_D, BLOCK_E,
        )  # fmt: skip
    dq = matrix_of(dq, b, h, dq_strides)
    for start in range(0, M, BLOCK_M):
        m = (start + tl.arange(0, BLOCK_M))[:, None]
        acc = tl.load(sums + m * D + d, mask=(m < M) & (d < D), other=0) * scale
        tl.store(dq + m * dq_strides[2] + d * dq_strides[3], acc.to(dq.dtype.element_ty), mask=(m < M) & (d < D))


@triton.jit
def query_gradient(
    do,
    q,
    k,
    v,
    mask,
    dropout,
    o,
    rows,
    delta,
    dq,
    scale,
    fill,
    heads,
    M,
    N,
    D,
    E,
    do_strides,
    q_strides,
    k_strides,
    v_strides,
    o_strides,
    dq_strides,
    mask_strides,
    CAUSAL: tl.constexpr,
    BOOL: tl.constexpr,
    FOURS: tl.constexpr,
    PRECISION: tl.constexpr,
    SPLIT: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_D: tl.constexpr,
    BLOCK_E: tl.constexpr,
):
    """dq of BLOCK_M rows. Grid: (tiles of M x heads x batch,).

    SPLIT: delta is computed here, and stored for the columns' kernel. It is (batch, heads, 2, M) then: delta, and of BASE_2 scores
    the shifts, side by side.
    """
    dtype: tl.constexpr = compute_dtype(q.dtype.element_ty)
    BASE_2: tl.constexpr = SPLIT and len(mask) == 0
    AHEAD: tl.constexpr = addresses_stay(q.dtype.element_ty, BASE_2)
    tile, b, h = program_tile(tl.cdiv(M, BLOCK_M), heads, SPLIT and CAUSAL)
    m = (tile * BLOCK_M + tl.arange(0, BLOCK_M))[:, None]
    d = tl.arange(0, BLOCK_D)[None, :]
    e = tl.arange(0, BLOCK_E)[None, :]
    k, v = matrix_of(k, b, h, k_strides), matrix_of(v, b, h, v_strides)
    q_tile = load_tile(matrix_of(q, b, h, q_strides), m, d, M, D, q_strides)
    factor = scale * LOG2_E if BASE_2 else scale
    do_tile = load_tile(matrix_of(do, b, h, do_strides), m, e, M, E, do_strides)
    rows += 2 * (b * heads + h) * M
    shift = row_shift(rows, m, M)
    inverse = 1.0 if BASE_2 else row_inverse(rows, m, M)
    if SPLIT:
        delta += 2 * (b * heads + h) * M
        o_tile = load_tile(matrix_of(o, b, h, o_strides), m, e, M, E, o_strides)
        row_delta = tl.sum(do_tile.to(dtype) * o_tile.to(dtype), 1, keep_dims=True)
        tl.store(delta + m, row_delta, mask=m < M)
        if BASE_2:
            tl.store(delta + (M + m), shift, mask=m < M)
    else:
        delta += (b * heads + h) * M
        row_delta = tl.load(delta + m, mask=m < M, other=0)
    acc = tl.zeros((BLOCK_M, BLOCK_D), dtype)
    first, end = 0, tl.minimum(N, (tile + 1) * BLOCK_M) if CAUSAL else N
    if BOOL and not CAUSAL:
        scan = matrix_of(mask[0], b, h, mask_strides)
        first, end = attended_range(scan, m, M, mask_strides[2], N, mask_strides[3], (), fill, BLOCK_N)
    for step in tl.static_range(1 + SPLIT):
        low, high = columns_of_step(step, tile, first, end, N, CAUSAL, SPLIT, BLOCK_M, BLOCK_N)
        for start in range(low, high, BLOCK_N):
            n = tl.arange(0, BLOCK_N)
            k_tile = load_block(k, start, n[:, None], d, N, D, k_strides, AHEAD, step == SPLIT)
            v_tile = load_block(v, start, n[:, None], e, N, E, v_strides, AHEAD, step == SPLIT)
            if BASE_2:
                s = tl.dot(q_tile, tl.trans(k_tile), input_precision=PRECISION, out_dtype=dtype) * factor
                if step == SPLIT:
                    s = tl.where(n[None, :] < columns_of_rows(m, N, CAUSAL) - start, s, -float("inf"))
            else:
                s, depends = scores(
                    q_tile, tl.trans(k_tile), factor, fill, mask, mask_strides, b, h, m, start + n[None, :], M, N, dtype,
                    CAUSAL, BOOL, PRECISION, step == SPLIT,
                )  # fmt: skip
            dp = tl.dot(do_tile, tl.trans(v_tile), input_precision=PRECISION, out_dtype=dtype)
            if len(dropout):
                keep = keep_mask(dropout, heads, b, h, m, start + n[None, :], M, N, dtype, FOURS)
                dp = tl.where(keep, dp * dropout[3], 0)
            ds = weights(s, shift, inverse, BASE_2, SPLIT) * (dp - row_delta)
            if BOOL:
                ds = tl.where(depends, ds, 0)
            acc = tl.dot(ds.to(k_tile.dtype), k_tile, acc, input_precision=PRECISION, out_dtype=dtype)
    dq_tile = matrix_of(dq, b, h, dq_strides) + m * dq_strides[2] + d * dq_strides[3]
    tl.store(dq_tile, (acc * scale).to(dq.dtype.element_ty), mask=(m < M) & (d < D))


# Of a GPU's kernels: (rows or columns that a program owns, those of a block that it walks over, warps, stages), by the kernel, the
# widest head and the bytes of a number, and what is computed beside where that wants others. A fifth number is the most registers
# of a thread, for one more program on a multiprocessor. Wide heads and wide numbers take smaller tiles, as their sums are in
# registers.
TILES: dict[tuple[str | int, ...], tuple[int, ...]] = {
    ("forward", 64, 2): (64, 64, 4, 2, 128), ("forward", 128, 2): (128, 64, 8, 3), ("forward", 256, 2): (128, 64, 8, 2),
    ("forward", 64, 4): (64, 32, 4, 2), ("forward", 128, 4): (32, 32, 4, 2), ("forward", 256, 4): (16, 16, 4, 1),
    ("forward", 64, 8): (64, 32, 4, 2), ("forward", 128, 8): (32, 32, 4, 1),
    ("queries", 64, 2): (64, 64, 4, 2, 128), ("queries", 128, 2): (64, 64, 4, 2), ("queries", 256, 2): (128, 32, 8, 2),
    ("queries", 64, 4): (64, 32, 4, 2), ("queries", 128, 4): (16, 16, 4, 1), ("queries", 256, 4): (16, 16, 4, 1),
    ("queries", 64, 8): (32, 32, 4, 1), ("queries", 128, 8): (16, 16, 4, 1),
    ("keys", 64, 2): (64, 64, 4, 2), ("keys", 128, 2): (128, 64, 8, 2), ("keys", 256, 2): (64, 16, 8, 2),
    ("keys", 64, 4): (64, 16, 4, 2), ("keys", 128, 4): (16, 32, 4, 1), ("keys", 256, 4): (16, 16, 4, 1),
    ("keys", 64, 8): (32, 32, 4, 1), ("keys", 128, 8): (16, 16, 4, 1),
    ("forward", 64, 2, "mask"): (128, 64, 8, 2), ("forward", 64, 2, "dropout"): (128, 64, 8, 2),
    ("forward", 64, 2, "mask and dropout"): (128, 64, 8, 2), ("queries", 64, 2, "mask and dropout"): (128, 64, 8, 2),
    ("queries", 64, 2, "mask"): (64, 64, 4, 2), ("queries", 64, 2, "dropout"): (64, 64, 4, 2),
    ("queries", 128, 2, "mask"): (128, 64, 8, 2), ("queries", 128, 2, "dropout"): (128, 32, 8, 2),
    ("keys", 128, 2, "dropout"): (64, 64, 8, 2),
    ("keys", 128, 2, "mask and dropout"): (64, 64, 8, 2), ("queries", 128, 2, "mask and dropout"): (128, 32, 8, 2),
}  # fmt: skip
# Of groups of four warps that multiply float32: beside masks and dropout they have registers for few sums.
MASKED_TILES = {
    ("forward", 64, 4, "mask and dropout"): (64, 16, 8, 2),
    ("queries", 64, 4, "mask"): (64, 16, 8, 2), ("queries", 64, 4, "dropout"): (64, 16, 8, 2),
    ("queries", 64, 4, "mask and dropout"): (16, 32, 4, 1),
    ("keys", 64, 4, "mask"): (16, 64, 4, 1), ("keys", 64, 4, "dropout"): (16, 64, 4, 1),
    ("keys", 64, 4, "mask and dropout"): (16, 64, 4, 1),
    ("forward", 128, 4, "mask"): (16, 32, 4, 1), ("forward", 128, 4, "dropout"): (16, 32, 4, 1),
    ("forward", 128, 4, "mask and dropout"): (16, 32, 4, 1),
    ("queries", 128, 4, "dropout"): (16, 16, 8, 1), ("queries", 128, 4, "mask and dropout"): (16, 16, 8, 1),
    ("keys", 128, 4, "dropout"): (16, 32, 8, 1), ("keys", 128, 4, "mask and dropout"): (16, 32, 8, 1),
}  # fmt: skip
# Of GPUs that have operands of products in registers, where others' tiles spill.
SMALL_TILES: dict[tuple[str | int, ...], tuple[int, ...]] = {
    ("forward", 64, 2): (128, 64, 8, 2), ("queries", 64, 2): (128, 64, 8, 2),
    ("forward", 128, 2): (128, 32, 8, 2), ("forward", 256, 2): (64, 32, 8, 2),
    ("forward", 64, 4): (64, 16, 4, 2), ("forward", 128, 4): (32, 32, 8, 2),
    ("queries", 128, 2): (128, 32, 8, 2), ("queries", 256, 2): (64, 32, 8, 1), ("queries", 64, 4): (32, 16, 4, 2),
    ("keys", 64, 2): (64, 32, 4, 2), ("keys", 128, 2): (64, 64, 8, 2), ("keys", 256, 2): (32, 32, 8, 2),
    ("keys", 64, 4): (32, 32, 8, 2),
    ("forward", 128, 2, "mask"): (64, 32, 4, 2), ("forward", 128, 2, "mask and dropout"): (64, 32, 4, 2),
    ("queries", 64, 2, "mask"): (128, 32, 8, 2), ("queries", 64, 2, "dropout"): (64, 32, 4, 1),
    ("queries", 64, 2, "mask and dropout"): (64, 32, 4, 1), ("queries", 128, 2, "mask"): (128, 32, 8, 2),
    ("queries", 128, 2, "dropout"): (32, 32, 4, 2), ("queries", 128, 2, "mask and dropout"): (64, 32, 4, 1),
    ("keys", 128, 2, "dropout"): (64, 32, 8, 2),
}  # fmt: skip
# Of products of float32 by no matrix unit, and of those in tensor memory, which takes tiles of 64 rows and more: sums and parts of
# operands pass through registers.
SINGLE_TILES = {
    ("forward", 64, 4): (64, 16, 8, 2), ("forward", 128, 4): (32, 16, 8, 2),
    ("queries", 64, 4): (32, 16, 4, 2), ("queries", 128, 4): (16, 16, 8, 1), ("queries", 256, 4): (16, 16, 8, 1),
    ("keys", 64, 4): (64, 16, 8, 1), ("keys", 128, 4): (16, 16, 4, 1), ("keys", 256, 4): (16, 16, 8, 1),
}  # fmt: skip
TENSOR_MEMORY_TILES = {
    ("queries", 64, 2): (64, 64, 4, 2), ("keys", 256, 2): (64, 32, 8, 2),
    ("queries", 64, 4): (64, 32, 8, 2), ("keys", 64, 4): (64, 16, 8, 2),
    ("forward", 256, 4): (64, 32, 8, 1), ("queries", 256, 4): (64, 16, 8, 1), ("keys", 256, 4): (64, 16, 8, 1),
}  # fmt: skip
BYTES = {"fp32": 4, "tf32": 4, "tf32x3": 4, "fp64": 8}  # of an element, by what products are computed in


def config(
    facts: DeviceFacts, dtype: str, m: int, n: int, d: int, e: int, backward: bool = False, beside: str = ""
) -> dict:
    """Constexprs and launch options. On a GPU those of the backward's kernel that owns columns are apart, in `keys`.

    beside: "mask", "dropout" or "mask and dropout", for which that kernel has no registers beside large tiles; "" for neither.
    """
    width = {"BLOCK_D": max(next_power_of_2(d), 16), "BLOCK_E": max(next_power_of_2(e), 16)}
    if facts.kind == "cpu":
        wide = max(width.values()) * {"fp32": 2, "fp64": 4}.get(dtype, 1) * (2 if backward else 1)
        blocks = {"BLOCK_M": min(_class(m), 64), "BLOCK_N": min(_class(n), 64), **width}
        constexprs = {**blocks, "PRECISION": "ieee", "SPLIT": False}
        return {"constexprs": constexprs, "num_warps": 1, "num_stages": 2 if wide <= 256 else 1}
    rows, columns, options = _tile(facts, "queries" if backward else "forward", dtype, m, n, *width.values(), beside)
    constexprs = {"BLOCK_M": rows, "BLOCK_N": columns, **width, "PRECISION": precision_of(dtype), "SPLIT": True}
    found = {"constexprs": constexprs, **options}
    if backward:
        columns, rows, options = _tile(facts, "keys", dtype, n, m, *width.values(), beside)
        rows = max(rows // 2, 16) if beside else rows
        found["keys"] = {"BLOCK_M": rows, "BLOCK_N": columns, **options}
    return found


def _class(size: int) -> int:
    return shape_class(size, (16, 32, 64, 128))


@lru_cache(maxsize=16)
def _tiles_for(facts: DeviceFacts, dtype: str) -> dict[tuple[Any, ...], tuple[int, int, int, int]]:
    """Those of TILES, or what takes their place."""
    has = facts.architecture
    others = TENSOR_MEMORY_TILES if has.matrix_units == "tensor memory" else MASKED_TILES
    others = others if has.operands_on_chip else SMALL_TILES
    return {**TILES, **others, **(SINGLE_TILES if dtype == "fp32" else {})}


def _tile(
    facts: DeviceFacts, kernel: str, dtype: str, own: int, other: int, d: int, e: int, beside: str
) -> tuple[int, int, dict]:
    """(rows or columns that a program owns, those of a block, launch options) of a GPU's kernel."""
    size = BYTES.get(dtype, 2)
    tiles = _tiles_for(facts, dtype)
    key = kernel, max(d, e, 64), size
    most, block, warps, stages, *registers = tiles.get((*key, beside), tiles[key])
    owned, block = min(_class(own), most), min(_class(other), block)
    fixed = owned * (d if kernel == "forward" else d + e) * size
    while fixed + stages * block * (d + e) * size > facts.shared_memory and block > 16:
        block //= 2
    drawn = kernel != "keys" and owned == 32 and "dropout" in beside  # random words take registers, and 4 warps of it get few
    few = 8 if drawn else 4
    most_registers = registers[0] if registers and owned == most else None
    if owned < most and beside and size == 4:
        most_registers = 240  # the compiler would mean to have small tiles in 128 registers, and miss it by some bytes
    return owned, block, {"num_warps": warps if owned == most else few, "num_stages": stages, "maxnreg": most_registers}


# (BLOCK_M, BLOCK_N, warps, stages); forward the rule's BLOCK_N stays, in which a row's scores are added up. On a GPU those of the
# backward are (rows or columns that a program owns, 0, warps, stages): blocks in which sums go on stay as they are.
ROWS = {
    "cpu": ((32, 0, 1, 1), (64, 0, 1, 1), (128, 0, 1, 1)),
    "gpu": ((32, 0, 4, 2), (64, 0, 4, 2), (64, 0, 4, 3), (128, 0, 4, 2), (128, 0, 8, 2), (128, 0, 8, 3)),
}
PAIRS = {
    "cpu": ((32, 32, 1, 1), (32, 64, 1, 1), (64, 32, 1, 1), (64, 128, 1, 1), (128, 64, 1, 1), (128, 128, 1, 1)),
    "gpu": ((32, 0, 4, 2), (64, 0, 4, 2), (64, 0, 4, 3), (64, 0, 8, 2), (128, 0, 8, 2), (128, 0, 8, 1)),
}


def candidates(
    facts: DeviceFacts, dtype: str, m: int, n: int, d: int, e: int, backward: bool = False, beside: str = ""
) -> Iterator[dict]:
    """What `config` gives, and what may be faster; all add in the same order."""
    rule = config(facts, dtype, m, n, d, e, backward, beside)
    blocks, size, changes = rule["constexprs"], BYTES.get(dtype, 2), []
    for block_m, block_n, num_warps, num_stages in (PAIRS if backward else ROWS)[facts.kind] if dtype != "fp64" else ():
        block_n = block_n or blocks["BLOCK_N"]
        rows = (block_m + block_n) * (blocks["BLOCK_D"] + blocks["BLOCK_E"])
        fits = facts.kind == "cpu" or rows * size * num_stages <= on_chip(facts)
        if fits and block_m < 2 * m and block_n < 2 * n:
            options = {} if facts.kind == "cpu" else {"num_warps": num_warps, "num_stages": num_stages, "maxnreg": None}
            change = {"BLOCK_M": block_m, "BLOCK_N": block_n, **options}
            if "keys" in rule:
                change["keys"] = {**rule["keys"], "BLOCK_N": min(block_m, _class(n)), **options}
            changes.append(change)
    return variants(rule, *changes)
