"""Attention o = softmax(scale q k' + mask) v without the matrix of scores in memory (Dao, FlashAttention-2, 2023).

q is (batch, heads, M, D), k (batch, heads / GROUP, N, D), v (batch, heads / GROUP, N, E), any strides; so is o. A head of k and v
serves GROUP heads of q that follow each other. A program owns a tile of rows and walks over the others, with a running maximum and
sum.

The forward stores `rows`: the maximum of each row's scores, and 1 / sum of exp(score - maximum). They are stored apart, because a
mask's -1e9 would swallow the logarithm of the sum. Of scores without a mask in powers of 2 (BASE_2) it is maximum + log2(sum), and
the weights are 2 to the (score - that). With delta = rowsum(do o) the backward recomputes p from them and

    dv = p' do        ds = p (do v' - delta)        dq = scale ds k        dk = scale ds' q

FEW rows are multiplied by broadcasting on a CPU: a product would pack its operands, which takes longer than to read them.

Where a grid has few programs and there are many columns, each program has a piece of them (PIECES), and leaves its maximum, sum and
sums of weighted values. `merge` adds those of all pieces in order.

SPLIT is what a GPU has otherwise. Blocks that no edge cuts have a loop of their own, without masks. Exponentials are powers of 2.
The scores of a tile of columns are computed transposed, as the products that follow take them from registers.

There are two ways. Two kernels: one owns columns (dk, dv), the other owns rows (dq). Or one kernel that owns a head of k and v, and
recomputes p and do v' once instead of twice. In both, nothing is added atomically.

`mask` is a tuple of no or one pointer. An additive mask is added to the scores. A boolean one (BOOL) is true where attention is
allowed; elsewhere a score is `fill`. Strides of the mask are 0 where it is broadcast. CAUSAL allows n <= m. A row whose scores are
all -inf has weights `empty`: 0, or NaN as softmax has it.

`dropout`, () or (a generator's state, first counter, rate, factor), multiplies p by r: `factor` where a weight stays, 0 elsewhere.
Then dv = (r p)' do and ds = p (r do v' - delta), with delta as it was. Every kernel draws r's numbers anew: those of the elements
of a tensor (batch, heads, M, N), where M and N are the most that a sequence has. Weights that are a piece of a larger tensor have
that one's numbers. `dropout` then goes on with its heads, its rows, and the index in it at which the weights begin. On a CPU the
forward takes a fourth longer by that, the backward 15 %. Reading a byte for each weight, which the forward had to write, would take
2 to 8 % (heads of 64). FOURS says that rows begin at a counter of their own; others take twice as many counters.
"""

import triton
import triton.language as tl

from .attention_tiles import (
    LN_2,
    LOG2_E,
    addresses_stay,
    attended_range,
    columns_of_rows,
    columns_of_step,
    exponential,
    in_window,
    keep_mask,
    load_block,
    load_tile,
    matrix_of,
    numbered,
    program_tile,
    rows_of_tile,
    scores,
    window_columns,
)
from .attention_walks import blocks_of, clear_behind, extent, keys_of, line_of, load_paged, report, start_of
from .dtypes import compute_dtype


@triton.jit
def attend(
    state, low, high, lowest, q, k, v, mask, dropout, table, page_sizes, blocks, gap, edit, factor, fill,
    b, h, m, M, N, D, E, k_strides, v_strides, mask_strides, window,
    CAUSAL: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, EDIT: tl.constexpr, PRECISION: tl.constexpr,
    SPLIT: tl.constexpr, FEW: tl.constexpr, EDGES: tl.constexpr,
    BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """(maxima, sums, sums of weighted values) of a tile of rows behind the columns from `low` to `high`, and in `state` before.

    No row attends to columns before `lowest`.

    BASE_2 blocks without EDGES are for a factor above 0: the largest product is the largest score, and the difference to it is one
    multiply-add. Blocks with EDGES take any factor.
    """
    dtype: tl.constexpr = compute_dtype(q.dtype)
    BASE_2: tl.constexpr = SPLIT and len(mask) == 0 and EDIT is None
    AHEAD: tl.constexpr = addresses_stay(q.dtype, BASE_2)
    n = tl.arange(0, BLOCK_N)
    d, e = tl.arange(0, BLOCK_D), tl.arange(0, BLOCK_E)
    running, total, acc = state
    for at in range(low, high, BLOCK_N):
        start, whole = start_of(at, blocks, gap)
        if len(table):
            k_tile = load_paged(k, start, n[:, None], d[None, :], N, D, k_strides, table, page_sizes, BLOCK_N)
            k_tile = k_tile if FEW else tl.trans(k_tile)
        elif AHEAD or FEW:
            k_tile = load_block(k, start, n[:, None], d[None, :], N, D, k_strides, AHEAD, EDGES)
            k_tile = k_tile if FEW else tl.trans(k_tile)
        else:
            k_tile = load_tile(k, d[:, None], start + n[None, :], D, N, (0, 0, k_strides[3], k_strides[2]))
        if BASE_2:
            products = tl.dot(q, k_tile, input_precision=PRECISION, out_dtype=dtype)
            s = products * factor
            if EDGES:
                s = tl.where(n[None, :] < columns_of_rows(m, N, CAUSAL) - start, s, -float("inf"))
                if len(window):
                    s = tl.where(in_window(m, start + n[None, :], M, N, window), s, -float("inf"))
            top = tl.max(s, 1, keep_dims=True) if EDGES else tl.max(products, 1, keep_dims=True) * factor
        else:
            s, _, _ = scores(
                q, k_tile, factor, fill, mask, mask_strides, window, edit, whole, b, h, m, start + n[None, :], M, N, dtype,
                CAUSAL, BOOL, EDIT, PRECISION, EDGES, FEW,
            )  # fmt: skip
            top = tl.max(s, 1, keep_dims=True)
        larger = tl.maximum(running, top)
        shift = tl.where(larger == -float("inf"), 0.0, larger)
        p = exponential(s - shift, BASE_2, SPLIT)
        decay = exponential(running - shift, BASE_2, SPLIT)
        total = total * decay + tl.sum(p, 1, keep_dims=True)
        if len(dropout):
            p = tl.where(keep_mask(dropout, b, h, m, start + n[None, :], dtype, FOURS), p, 0)
        if len(table):
            v_tile = load_paged(v, start, n[:, None], e[None, :], N, E, v_strides, table, page_sizes, BLOCK_N)
        else:
            v_tile = load_block(v, start, n[:, None], e[None, :], N, E, v_strides, AHEAD, EDGES)
        if len(window) and EDGES:  # what a window has left may be anything, and weights of 0 times NaN are NaN
            v_tile = tl.where(start + n[:, None] >= lowest, v_tile, 0)
        if FEW:
            acc = acc * decay + tl.sum(p[:, :, None] * v_tile.to(dtype)[None, :, :], 1)
        else:
            acc = tl.dot(p.to(v_tile.dtype), v_tile, acc * decay, input_precision=PRECISION, out_dtype=dtype)
        running = larger
    return running, total, acc


@triton.jit
def finish(
    state, dropout, sequences, sinks, o, rows, lse, empty, b, head, row, m, heads, M, E, o_strides, spans,
    BASE_2: tl.constexpr, SPLIT: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """Store o, rows and lse of a tile whose `state` has all columns. `row` is the first one of its sequence."""
    running, total, acc = state
    e = tl.arange(0, BLOCK_E)[None, :]
    if sinks is not None:
        sink = tl.load(sinks + head).to(total.dtype) * (LOG2_E if BASE_2 else 1.0)
        larger = tl.maximum(running, sink)
        shift = tl.where(larger == -float("inf"), 0.0, larger)
        decay = exponential(running - shift, BASE_2, SPLIT)
        total = total * decay + exponential(sink - shift, BASE_2, SPLIT)
        running, acc = larger, acc * decay
    inverse = tl.where(total == 0, empty, 1 / tl.where(total == 0, 1, total))
    if len(dropout):
        acc *= dropout[3]
    o_tile = matrix_of(o, b, head, o_strides) + (row + m) * o_strides[2] + e * o_strides[3]
    tl.store(o_tile, (acc * inverse).to(o.dtype.element_ty), mask=(m < M) & (e < E))
    line = line_of(b, head, heads, row, M, sequences, spans) + m
    if BASE_2:
        shift = tl.where(total == 0, empty, running + tl.log2(total))
    else:
        shift = tl.where(running == -float("inf"), 0.0, running)
    tl.store(rows + 2 * line, shift, mask=m < M)
    tl.store(rows + 2 * line + 1, inverse, mask=m < M)
    if lse is not None:
        logarithm = shift * LN_2 if BASE_2 else shift + tl.log(tl.where(total == 0, 1, total))
        tl.store(lse + line, tl.where(total == 0, -float("inf"), logarithm), mask=m < M)


@triton.jit
def forward(
    q,
    k,
    v,
    mask,
    dropout,
    sequences,
    pages,
    lists,
    reads,
    sinks,
    o,
    rows,
    lse,
    err,
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
    piece,
    window,
    spans,
    page_sizes,
    list_sizes,
    steps,
    CAUSAL: tl.constexpr,
    GROUP: tl.constexpr,
    PACK: tl.constexpr,
    BOOL: tl.constexpr,
    FOURS: tl.constexpr,
    EDIT: tl.constexpr,
    PRECISION: tl.constexpr,
    SPLIT: tl.constexpr,
    FEW: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_D: tl.constexpr,
    BLOCK_E: tl.constexpr,
):
    """o, rows (batch, heads, M, 2) and unless it is None lse (batch, heads, M). Grid: (tiles of M x heads x batch, pieces).

    PACK: 1, or GROUP: then a tile has the rows of all heads of a group.
    piece: (), or (columns of a piece, a multiple of BLOCK_N; batches). Then o is (pieces, batch, heads, M, E) and rows (pieces,
    batch, heads, M, 2): sums of weighted values, and maxima with sums.
    sequences, spans: as `extent` says; then M and N are the most that one has.
    pages, page_sizes: () or (tables of pages,) and (their stride, rows of a page, how many pages there are).
    """
    dtype: tl.constexpr = compute_dtype(q.dtype.element_ty)
    BASE_2: tl.constexpr = SPLIT and len(mask) == 0 and EDIT is None
    WHOLE: tl.constexpr = SPLIT and EDIT is None and len(lists) == 0
    tile, b, h = program_tile(tl.cdiv(M * PACK, BLOCK_M), heads // PACK, SPLIT and CAUSAL)
    most = M
    dropout = numbered(dropout, heads, M, N)
    row, M, column, N, bad = extent(b, M, N, sequences, spans)
    table = (pages[0] + b * page_sizes[0],) if len(pages) else ()
    head, m = rows_of_tile(tile, h, PACK, BLOCK_M)
    low_row, high_row = tile * BLOCK_M // PACK, ((tile + 1) * BLOCK_M - 1) // PACK + 1
    d = tl.arange(0, BLOCK_D)
    of_keys = h * PACK // GROUP
    k, v = keys_of(k, b, of_keys, column, k_strides, table), keys_of(v, b, of_keys, column, v_strides, table)
    q_tile = load_tile(matrix_of(q, b, head, q_strides) + row * q_strides[2], m, d[None, :], M, D, q_strides)
    factor = scale * LOG2_E if BASE_2 else scale
    running = tl.full((BLOCK_M, 1), -float("inf"), dtype)
    total = tl.zeros((BLOCK_M, 1), dtype)
    acc = tl.zeros((BLOCK_M, BLOCK_E), dtype)
    blocks = blocks_of(b, h, tile, lists, list_sizes, BLOCK_M)
    first, end = 0, tl.minimum(N, high_row) if CAUSAL else N
    lowest = N * 0
    if len(window):
        lowest, end = window_columns(low_row, tl.minimum(high_row, M), M, N, window)
        first = lowest // BLOCK_N * BLOCK_N
    if len(sequences):
        end = tl.where(low_row < M, end, 0)
        report(err, bad, table, page_sizes, lowest, end, BLOCK_N)
    if len(lists):
        first, end = 0, blocks[1] * blocks[2]
    if len(piece):
        start = tl.program_id(1).to(N.dtype) * piece[0]
        first, end = tl.maximum(first, start), tl.minimum(end, start + piece[0])
    elif BOOL and not CAUSAL:
        scan = matrix_of(mask[0], b, head, mask_strides)
        first, end = attended_range(scan, m, M, mask_strides[2], N, mask_strides[3], (), fill, BLOCK_N)
    state = (running, total, acc)
    for step in tl.static_range(1 + WHOLE):
        low, high, gap = columns_of_step(step, (low_row, high_row), first, end, M, N, window, CAUSAL, WHOLE, BLOCK_N)
        if BASE_2 and WHOLE and step == 0:
            high = tl.where(factor > 0, high, low)
        elif BASE_2 and WHOLE:
            low = tl.where(factor > 0, low, first)
        state = attend(
            state, low, high, lowest, q_tile, k, v, mask, dropout, table, page_sizes, blocks, gap, (reads, steps), factor, fill,
            b, head, m, M, N, D, E, k_strides, v_strides, mask_strides, window,
            CAUSAL, BOOL, FOURS, EDIT, PRECISION, SPLIT, FEW, step == WHOLE, BLOCK_N, BLOCK_D, BLOCK_E,
        )  # fmt: skip
    if len(piece):
        running, total, acc = state
        line = ((tl.program_id(1) * piece[1] + b) * heads + head) * most + m
        e = tl.arange(0, BLOCK_E)[None, :]
        tl.store(o + line * E + e, acc, mask=(m < M) & (e < E))
        tl.store(rows + 2 * line, running, mask=m < M)
        tl.store(rows + 2 * line + 1, total, mask=m < M)
    else:
        clear_behind(o, lse, tile, b, head, m, sequences, spans, E, o_strides, PACK, BLOCK_M, BLOCK_E)
        finish(
            state, dropout, sequences, sinks, o, rows, lse, empty, b, head, row, m, heads, M, E, o_strides, spans,
            BASE_2, SPLIT, BLOCK_E,
        )  # fmt: skip


@triton.jit
def merge(
    sums, parts, dropout, sequences, sinks, o, rows, lse, empty, heads, M, N, E, o_strides, spans, pieces, batches,
    BASE_2: tl.constexpr, SPLIT: tl.constexpr, PACK: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """o, rows and lse from what `forward` left of each piece, in order. Grid: (tiles of M x heads x batch,)."""
    dtype: tl.constexpr = sums.dtype.element_ty
    tile, b, h = program_tile(tl.cdiv(M * PACK, BLOCK_M), heads // PACK)
    most = M
    row, M, _, _, _ = extent(b, M, N, sequences, spans)
    head, m = rows_of_tile(tile, h, PACK, BLOCK_M)
    e = tl.arange(0, BLOCK_E)[None, :]
    running = tl.full((BLOCK_M, 1), -float("inf"), dtype)
    total = tl.zeros((BLOCK_M, 1), dtype)
    acc = tl.zeros((BLOCK_M, BLOCK_E), dtype)
    for piece in range(pieces):
        line = ((piece * batches + b) * heads + head) * most + m
        top = tl.load(parts + 2 * line, mask=m < M, other=-float("inf"))
        larger = tl.maximum(running, top)
        shift = tl.where(larger == -float("inf"), 0.0, larger)
        decay, share = exponential(running - shift, BASE_2, SPLIT), exponential(top - shift, BASE_2, SPLIT)
        total = total * decay + tl.load(parts + 2 * line + 1, mask=m < M, other=0) * share
        acc = acc * decay + tl.load(sums + line * E + e, mask=(m < M) & (e < E), other=0) * share
        running = larger
    clear_behind(o, lse, tile, b, head, m, sequences, spans, E, o_strides, PACK, BLOCK_M, BLOCK_E)
    finish(
        (running, total, acc), dropout, sequences, sinks, o, rows, lse, empty, b, head, row, m, heads, M, E, o_strides, spans,
        BASE_2, SPLIT, BLOCK_E,
    )  # fmt: skip
