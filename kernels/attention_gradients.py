"""The gradients of attention.py: of keys and values by programs that own columns, of queries by programs that own rows."""

import triton
import triton.language as tl

from .attention_tiles import (
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
    rows_of_step,
    scores,
    window_columns,
    window_rows,
)
from .attention_walks import blocks_of, clear_behind, extent, line_of, start_of
from .dtypes import compute_dtype


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
def row_delta(do_tile, o_tile, dlse, line, m, M, dtype: tl.constexpr):
    """rowsum(do o) - dlse of rows m; `line` is the head's first."""
    delta = tl.sum(do_tile.to(dtype) * o_tile.to(dtype), 1, keep_dims=True)
    return delta if dlse is None else delta - tl.load(dlse + (line + m), mask=m < M, other=0).to(dtype)


@triton.jit
def row_products(
    do, o, dlse, sequences, delta, heads, M, N, E, do_strides, o_strides, spans, BLOCK_M: tl.constexpr, BLOCK_E: tl.constexpr
):  # fmt: skip
    """delta = rowsum(do o) - dlse, (batch, heads, M). Grid: (tiles of M x heads x batch,)."""
    dtype: tl.constexpr = compute_dtype(o.dtype.element_ty)
    tile, b, h = program_tile(tl.cdiv(M, BLOCK_M), heads)
    row, M, _, _, _ = extent(b, M, N, sequences, spans)
    line = line_of(b, h, heads, row, M, sequences, spans)
    m = (tile * BLOCK_M + tl.arange(0, BLOCK_M))[:, None]
    e = tl.arange(0, BLOCK_E)[None, :]
    do_tile = load_tile(matrix_of(do, b, h, do_strides) + row * do_strides[2], m, e, M, E, do_strides)
    o_tile = load_tile(matrix_of(o, b, h, o_strides) + row * o_strides[2], m, e, M, E, o_strides)
    tl.store(delta + line + m, row_delta(do_tile, o_tile, dlse, line, m, M, dtype), mask=m < M)


@triton.jit
def add_head(
    state, tile, b, h, k_tile, v_tile, do, q, mask, dropout, lists, edit, rows, delta, sums, factor, fill, M, N, D, E,
    do_strides, q_strides, mask_strides, window, list_sizes,
    CAUSAL: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, EDIT: tl.constexpr, SLOPE: tl.constexpr,
    PRECISION: tl.constexpr, SPLIT: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """(dk / scale, dv without dropout's factor) of a tile of columns: `state`, and what the rows of one head of q add to it.

    do, q, rows, delta: the head's; behind the delta of M rows are the shifts of BASE_2 scores. `sums` is () or (pointer,) to the
    head's M x D numbers, to which the tile adds its share of dq.
    """
    dtype: tl.constexpr = compute_dtype(q.dtype.element_ty)
    BASE_2: tl.constexpr = SPLIT and len(mask) == 0 and EDIT is None
    AHEAD: tl.constexpr = addresses_stay(q.dtype.element_ty, BASE_2) and BLOCK_D + BLOCK_E <= 128
    FLAT: tl.constexpr = BASE_2 and len(dropout) == 0  # a row's numbers are loaded as a vector, side by side in memory
    dk_acc, dv_acc = state
    n = tile * BLOCK_N + tl.arange(0, BLOCK_N)
    d = tl.arange(0, BLOCK_D)[None, :]
    e = tl.arange(0, BLOCK_E)[None, :]
    first, end = tile * BLOCK_N // BLOCK_M * BLOCK_M if CAUSAL else 0, M
    blocks = blocks_of(b, h, tile, lists, list_sizes, BLOCK_N)
    if len(window):
        first, end = window_rows(tile * BLOCK_N, tl.minimum((tile + 1) * BLOCK_N, N), M, N, window)
        first = first // BLOCK_M * BLOCK_M
    if len(blocks):
        first, end = 0, blocks[1] * blocks[2]
    if BOOL and not CAUSAL:
        scan = matrix_of(mask[0], b, h, mask_strides)
        first, end = attended_range(scan, n[:, None], N, mask_strides[3], M, mask_strides[2], (rows,), fill, BLOCK_M)
    across = n[:, None] if SPLIT else n[None, :]
    for step in tl.static_range(1 + (SPLIT and CAUSAL)):
        low, high = rows_of_step(step, tile, first, end, CAUSAL, SPLIT, BLOCK_M, BLOCK_N)
        for at in range(low, high, BLOCK_M):
            start, whole = start_of(at, blocks, ())
            lines = tl.arange(0, BLOCK_M)
            m = (start + lines)[:, None]
            q_tile = load_block(q, start, lines[:, None], d, M, D, q_strides, AHEAD, True)
            do_tile = load_block(do, start, lines[:, None], e, M, E, do_strides, AHEAD, True)
            along = lines[None, :] if SPLIT else lines[:, None]
            if FLAT:
                s = tl.dot(k_tile, tl.trans(q_tile), input_precision=PRECISION, out_dtype=dtype) * factor
                if CAUSAL and step == 0:
                    s = tl.where(across <= start + along, s, -float("inf"))
                if len(window):
                    s = tl.where(in_window(start + along, across, M, N, window), s, -float("inf"))
            else:
                s, depends, products = scores(
                    k_tile if SPLIT else q_tile, tl.trans(q_tile if SPLIT else k_tile), factor, fill, mask, mask_strides,
                    window, edit, whole, b, h, start + along, across, M, N, dtype, CAUSAL, BOOL, EDIT, PRECISION,
                    not SPLIT or (CAUSAL and step == 0) or len(window) > 0,
                )  # fmt: skip
            line = start + (lines if FLAT else along)
            if FLAT:  # rows that are not there have weights of 1 and gradients of 0
                shift, inverse = tl.load(delta + (M + line), mask=line < M, other=0)[None, :], 1.0
                own_delta = tl.load(delta + line, mask=line < M, other=0)[None, :]
            else:
                shift, inverse = row_shift(rows, line, M), 1.0 if BASE_2 else row_inverse(rows, line, M)
            p = weights(s, shift, inverse, BASE_2, SPLIT)
            dropped = p
            left, right = (v_tile, do_tile) if SPLIT else (do_tile, v_tile)
            dp = tl.dot(left, tl.trans(right), input_precision=PRECISION, out_dtype=dtype)
            if len(dropout):
                keep = keep_mask(dropout, b, h, m, n[None, :], dtype, FOURS)
                keep = tl.trans(keep) if SPLIT else keep
                dropped, dp = tl.where(keep, p, 0), tl.where(keep, dp * dropout[3], 0)
            dropped = dropped.to(do_tile.dtype)
            dv_acc = tl.dot(dropped if SPLIT else tl.trans(dropped), do_tile, dv_acc, input_precision=PRECISION, out_dtype=dtype)
            if not FLAT:
                own_delta = tl.load(delta + line, mask=line < M, other=0)
            ds = p * (dp - own_delta)
            if BOOL:
                ds = tl.where(depends, ds, 0)
            if SLOPE is not None:
                slope = SLOPE(products, b, h, start + along, across, M, N, depends, whole, *edit)
                ds = tl.where(p != 0, ds * slope, 0)
            ds = ds.to(q_tile.dtype)
            dk_acc = tl.dot(ds if SPLIT else tl.trans(ds), q_tile, dk_acc, input_precision=PRECISION, out_dtype=dtype)
            for i in tl.static_range(len(sums)):
                inside = (m < M) & (d < D)
                acc = tl.load(sums[i] + m * D + d, mask=inside, other=0)
                acc = tl.dot(ds, k_tile, acc, input_precision=PRECISION, out_dtype=dtype)
                tl.store(sums[i] + m * D + d, acc, mask=inside)
    return dk_acc, dv_acc


@triton.jit
def column_gradients(
    tile, b, h, do, q, k, v, mask, dropout, sequences, lists, reads, rows, delta, sums, dk, dv, scale, fill, heads, M, N, D, E,
    do_strides, q_strides, k_strides, v_strides, dk_strides, dv_strides, mask_strides, window, spans, list_sizes, steps,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, EDIT: tl.constexpr, SLOPE: tl.constexpr,
    PRECISION: tl.constexpr, SPLIT: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """dk and dv of a tile of columns of head h of k. `sums` is () or (pointer,) to numbers like dq, to which it adds its share."""
    dtype: tl.constexpr = compute_dtype(q.dtype.element_ty)
    n = (tile * BLOCK_N + tl.arange(0, BLOCK_N))[:, None]
    d = tl.arange(0, BLOCK_D)[None, :]
    e = tl.arange(0, BLOCK_E)[None, :]
    dropout = numbered(dropout, heads, M, N)
    row, M, column, N, _ = extent(b, M, N, sequences, spans)
    if len(sequences):
        M = tl.where(tile * BLOCK_N < N, M, 0)
    k_tile = load_tile(matrix_of(k, b, h, k_strides) + column * k_strides[2], n, d, N, D, k_strides)
    v_tile = load_tile(matrix_of(v, b, h, v_strides) + column * v_strides[2], n, e, N, E, v_strides)
    factor = scale * LOG2_E if SPLIT and len(mask) == 0 and EDIT is None else scale
    state = (tl.zeros((BLOCK_N, BLOCK_D), dtype), tl.zeros((BLOCK_N, BLOCK_E), dtype))
    for i in range(GROUP):  # a loop of one turn leaves no code
        head = h * GROUP + i
        at = line_of(b, head, heads, row, M, sequences, spans)
        head_do = matrix_of(do, b, head, do_strides) + row * do_strides[2]
        head_q = matrix_of(q, b, head, q_strides) + row * q_strides[2]
        state = add_head(
            state, tile, b, head, k_tile, v_tile, head_do, head_q, mask, dropout, lists, (reads, steps),
            rows + 2 * at, delta + (1 + SPLIT) * at, plane_of(sums, at * D), factor, fill, M, N, D, E,
            do_strides, q_strides, mask_strides, window, list_sizes,
            CAUSAL, BOOL, FOURS, EDIT, SLOPE, PRECISION, SPLIT, BLOCK_M, BLOCK_N, BLOCK_D, BLOCK_E,
        )  # fmt: skip
    dk_acc, dv_acc = state
    if len(dropout):
        dv_acc *= dropout[3]
    of_columns, of_all = columns_alone(sequences, spans)
    clear_behind(dk, None, tile, b, h, n, of_columns, of_all, D, dk_strides, 1, BLOCK_N, BLOCK_D)
    clear_behind(dv, None, tile, b, h, n, of_columns, of_all, E, dv_strides, 1, BLOCK_N, BLOCK_E)
    dk_tile = matrix_of(dk, b, h, dk_strides) + (column + n) * dk_strides[2] + d * dk_strides[3]
    dv_tile = matrix_of(dv, b, h, dv_strides) + (column + n) * dv_strides[2] + e * dv_strides[3]
    tl.store(dk_tile, (dk_acc * scale).to(dk.dtype.element_ty), mask=(n < N) & (d < D))
    tl.store(dv_tile, dv_acc.to(dv.dtype.element_ty), mask=(n < N) & (e < E))


@triton.jit
def columns_alone(sequences, spans):
    """The starts of columns, and how many are in memory, as those of rows."""
    if len(sequences):
        return (sequences[1], (), ()), (spans[1], spans[1], spans[2])
    else:
        return (), ()


@triton.jit
def plane_of(pointers, offset):
    """() or (pointer,), moved on."""
    return (pointers[0] + offset,) if len(pointers) else ()


@triton.jit
def first_rows(BLOCK: tl.constexpr):
    return tl.arange(0, BLOCK)[:, None]


@triton.jit
def key_gradients(
    do, q, k, v, mask, dropout, sequences, lists, reads, rows, delta, dk, dv, scale, fill, heads, M, N, D, E,
    do_strides, q_strides, k_strides, v_strides, dk_strides, dv_strides, mask_strides, window, spans, list_sizes, steps,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, EDIT: tl.constexpr, SLOPE: tl.constexpr,
    PRECISION: tl.constexpr,
    SPLIT: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """dk and dv of BLOCK_N columns. Grid: (tiles of N x heads of k x batch,)."""
    tile, b, h = program_tile(tl.cdiv(N, BLOCK_N), heads // GROUP)
    column_gradients(
        tile, b, h, do, q, k, v, mask, dropout, sequences, lists, reads, rows, delta, (), dk, dv, scale, fill, heads, M, N, D, E,
        do_strides, q_strides, k_strides, v_strides, dk_strides, dv_strides, mask_strides, window, spans, list_sizes, steps,
        CAUSAL, GROUP, BOOL, FOURS, EDIT, SLOPE, PRECISION, SPLIT, BLOCK_M, BLOCK_N, BLOCK_D, BLOCK_E,
    )  # fmt: skip


@triton.jit
def gradients(
    do, q, k, v, mask, dropout, sequences, lists, reads, rows, delta, sums, dq, dk, dv, scale, fill, heads, M, N, D, E,
    do_strides, q_strides, k_strides, v_strides, dq_strides, dk_strides, dv_strides, mask_strides, window, spans, list_sizes, steps,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr, BOOL: tl.constexpr, FOURS: tl.constexpr, EDIT: tl.constexpr, SLOPE: tl.constexpr,
    PRECISION: tl.constexpr,
    SPLIT: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_E: tl.constexpr,
):  # fmt: skip
    """dk and dv of a head, dq of its group, one tile of columns after the other; `sums` is like dq. Grid: (heads of k x batch,)."""
    dtype: tl.constexpr = compute_dtype(q.dtype.element_ty)
    _, b, h = program_tile(1, heads // GROUP)
    d = tl.arange(0, BLOCK_D)[None, :]
    row, rows_here, _, _, _ = extent(b, M, N, sequences, spans)
    for head in range(h * GROUP, (h + 1) * GROUP):
        head_sums = sums + line_of(b, head, heads, row, rows_here, sequences, spans) * D
        for start in range(0, rows_here, BLOCK_M):
            m = start + first_rows(BLOCK_M)
            tl.store(head_sums + m * D + d, tl.zeros((BLOCK_M, BLOCK_D), dtype), mask=(m < rows_here) & (d < D))
    for tile in range(tl.cdiv(N, BLOCK_N)):
        column_gradients(
            tile, b, h, do, q, k, v, mask, dropout, sequences, lists, reads, rows, delta, (sums,), dk, dv, scale, fill,
            heads, M, N, D, E,
            do_strides, q_strides, k_strides, v_strides, dk_strides, dv_strides, mask_strides, window, spans, list_sizes, steps,
            CAUSAL, GROUP, BOOL, FOURS, EDIT, SLOPE, PRECISION, SPLIT, BLOCK_M, BLOCK_N, BLOCK_D, BLOCK_E,
        )  # fmt: skip
    for head in range(h * GROUP, (h + 1) * GROUP):
        head_dq = matrix_of(dq, b, head, dq_strides) + row * dq_strides[2]
        head_sums = sums + line_of(b, head, heads, row, rows_here, sequences, spans) * D
        clear_behind(dq, None, 0, b, head, first_rows(BLOCK_M), sequences, spans, D, dq_strides, 1, BLOCK_M, BLOCK_D)
        for start in range(0, rows_here, BLOCK_M):
            m = start + first_rows(BLOCK_M)
            acc = tl.load(head_sums + m * D + d, mask=(m < rows_here) & (d < D), other=0) * scale
            tl.store(head_dq + m * dq_strides[2] + d * dq_strides[3], acc.to(dq.dtype.element_ty), mask=(m < rows_here) & (d < D))


@triton.jit
def query_gradient(
    do,
    q,
    k,
    v,
    mask,
    dropout,
    sequences,
    lists,
    reads,
    o,
    dlse,
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
    window,
    spans,
    list_sizes,
    steps,
    CAUSAL: tl.constexpr,
    GROUP: tl.constexpr,
    BOOL: tl.constexpr,
    FOURS: tl.constexpr,
    EDIT: tl.constexpr,
    SLOPE: tl.constexpr,
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
    BASE_2: tl.constexpr = SPLIT and len(mask) == 0 and EDIT is None
    WHOLE: tl.constexpr = SPLIT and EDIT is None and len(lists) == 0
    AHEAD: tl.constexpr = addresses_stay(q.dtype.element_ty, BASE_2)
    tile, b, h = program_tile(tl.cdiv(M, BLOCK_M), heads, SPLIT and CAUSAL)
    dropout = numbered(dropout, heads, M, N)
    row, M, column, N, _ = extent(b, M, N, sequences, spans)
    low_row, high_row = tile * BLOCK_M, (tile + 1) * BLOCK_M
    m = (low_row + tl.arange(0, BLOCK_M))[:, None]
    d = tl.arange(0, BLOCK_D)[None, :]
    e = tl.arange(0, BLOCK_E)[None, :]
    k = matrix_of(k, b, h // GROUP, k_strides) + column * k_strides[2]
    v = matrix_of(v, b, h // GROUP, v_strides) + column * v_strides[2]
    q_tile = load_tile(matrix_of(q, b, h, q_strides) + row * q_strides[2], m, d, M, D, q_strides)
    factor = scale * LOG2_E if BASE_2 else scale
    do_tile = load_tile(matrix_of(do, b, h, do_strides) + row * do_strides[2], m, e, M, E, do_strides)
    line = line_of(b, h, heads, row, M, sequences, spans)
    rows += 2 * line
    shift = row_shift(rows, m, M)
    inverse = 1.0 if BASE_2 else row_inverse(rows, m, M)
    if SPLIT:
        o_tile = load_tile(matrix_of(o, b, h, o_strides) + row * o_strides[2], m, e, M, E, o_strides)
        own_delta = row_delta(do_tile, o_tile, dlse, line, m, M, dtype)
        delta += 2 * line
        tl.store(delta + m, own_delta, mask=m < M)
        if BASE_2:
            tl.store(delta + (M + m), shift, mask=m < M)
    else:
        own_delta = tl.load(delta + line + m, mask=m < M, other=0)
    acc = tl.zeros((BLOCK_M, BLOCK_D), dtype)
    blocks = blocks_of(b, h, tile, lists, list_sizes, BLOCK_M)
    first, end = 0, tl.minimum(N, high_row) if CAUSAL else N
    if len(window):
        first, end = window_columns(low_row, tl.minimum(high_row, M), M, N, window)
        first, end = first // BLOCK_N * BLOCK_N, tl.where(low_row < M, end, 0)
    if len(lists):
        first, end = 0, blocks[1] * blocks[2]
    if BOOL and not CAUSAL:
        scan = matrix_of(mask[0], b, h, mask_strides)
        first, end = attended_range(scan, m, M, mask_strides[2], N, mask_strides[3], (), fill, BLOCK_N)
    for step in tl.static_range(1 + WHOLE):
        low, high, gap = columns_of_step(step, (low_row, high_row), first, end, M, N, window, CAUSAL, WHOLE, BLOCK_N)
        for at in range(low, high, BLOCK_N):
            start, whole = start_of(at, blocks, gap)
            n = tl.arange(0, BLOCK_N)
            k_tile = load_block(k, start, n[:, None], d, N, D, k_strides, AHEAD, step == WHOLE)
            v_tile = load_block(v, start, n[:, None], e, N, E, v_strides, AHEAD, step == WHOLE)
            if BASE_2:
                s = tl.dot(q_tile, tl.trans(k_tile), input_precision=PRECISION, out_dtype=dtype) * factor
                if step == WHOLE:
                    s = tl.where(n[None, :] < columns_of_rows(m, N, CAUSAL) - start, s, -float("inf"))
                    if len(window):
                        s = tl.where(in_window(m, start + n[None, :], M, N, window), s, -float("inf"))
            else:
                s, depends, products = scores(
                    q_tile, tl.trans(k_tile), factor, fill, mask, mask_strides, window, (reads, steps), whole, b, h, m,
                    start + n[None, :], M, N, dtype, CAUSAL, BOOL, EDIT, PRECISION, step == WHOLE,
                )  # fmt: skip
            dp = tl.dot(do_tile, tl.trans(v_tile), input_precision=PRECISION, out_dtype=dtype)
            if len(dropout):
                keep = keep_mask(dropout, b, h, m, start + n[None, :], dtype, FOURS)
                dp = tl.where(keep, dp * dropout[3], 0)
            p = weights(s, shift, inverse, BASE_2, SPLIT)
            ds = p * (dp - own_delta)
            if BOOL:
                ds = tl.where(depends, ds, 0)
            if SLOPE is not None:
                slope = SLOPE(products, b, h, m, start + n[None, :], M, N, depends, whole, reads, steps)
                ds = tl.where(p != 0, ds * slope, 0)
            acc = tl.dot(ds.to(k_tile.dtype), k_tile, acc, input_precision=PRECISION, out_dtype=dtype)
    clear_behind(dq, None, tile, b, h, m, sequences, spans, D, dq_strides, 1, BLOCK_M, BLOCK_D)
    dq_tile = matrix_of(dq, b, h, dq_strides) + (row + m) * dq_strides[2] + d * dq_strides[3]
    tl.store(dq_tile, (acc * scale).to(dq.dtype.element_ty), mask=(m < M) & (d < D))
