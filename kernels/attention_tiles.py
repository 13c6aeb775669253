"""What attention and its gradients share: tiles and their scores, dropout's words, and the ranges that a program walks over."""

import triton
import triton.language as tl

from .functions.random import fraction, shifted_words, words

LOG2_E = tl.constexpr(1.4426950408889634)
LN_2 = tl.constexpr(0.6931471805599453)


@triton.jit
def load_tile(pointer, row, col, rows, cols, strides):
    """The tile at (row, col) of a matrix, 0 outside of it; row and col are broadcastable indices."""
    return tl.load(pointer + row * strides[2] + col * strides[3], mask=(row < rows) & (col < cols), other=0)


@triton.jit
def scores(
    q, k, scale, fill, mask, mask_strides, window, edit, whole, b, h, m, n, M, N, dtype: tl.constexpr,
    CAUSAL: tl.constexpr, BOOL: tl.constexpr, EDIT: tl.constexpr, PRECISION: tl.constexpr, EDGES: tl.constexpr,
    FEW: tl.constexpr = False,
):  # fmt: skip
    """The scores of a tile, EDIT(scale q k) + mask; where they depend on q and k; and the products that EDIT took.

    q: (BLOCK_M, D); k: (D, BLOCK_N); m: (BLOCK_M, 1) indices of rows; n: (1, BLOCK_N) indices of columns. Or k, transposed, takes
    the argument of q, and q that of k: then m is (1, BLOCK_M) and n is (BLOCK_N, 1).
    EDGES: rows, columns, the diagonal of a causal mask or a window may end within the tile. FEW: k is (BLOCK_N, D).
    """
    if FEW:
        products = tl.sum(q.to(dtype)[:, None, :] * k.to(dtype)[None, :, :], 2) * scale
    else:
        products = tl.dot(q, k, input_precision=PRECISION, out_dtype=dtype) * scale
    inside = (m < M) & (n < N)
    if CAUSAL and EDGES:
        inside = inside & (n <= m)
    if len(window) and EDGES:
        inside = inside & in_window(m, n, M, N, window)
    s = products if EDIT is None else EDIT(products, b, h, m, n, M, N, inside, whole, *edit).to(dtype)
    depends = inside
    for i in tl.static_range(len(mask)):
        pointer = mask[i] + b * mask_strides[0] + h * mask_strides[1] + m * mask_strides[2] + n * mask_strides[3]
        value = tl.load(pointer, mask=inside, other=0)
        if BOOL:
            depends = inside & (value != 0)
            s = tl.where(depends, s, fill)
        else:
            s += value.to(dtype)
    if EDGES or EDIT is not None:
        s = tl.where(inside, s, -float("inf"))
    return s, depends, products


@triton.jit
def in_window(m, n, M, N, window):
    """Whether row m may attend to column n: window[0] columns before its own, window[1] behind. The last row's is the last."""
    ahead = n - (m + (N - M))
    return (ahead >= -window[0]) & (ahead <= window[1])


@triton.jit
def window_columns(low, high, M, N, window):
    """(first, end) of the columns that rows from `low` to `high` may attend to."""
    if len(window):
        return tl.maximum(low + (N - M) - window[0], 0), tl.minimum(high + (N - M) + window[1], N)
    else:
        return N * 0, N


@triton.jit
def window_rows(low, high, M, N, window):
    """(first, end) of the rows that may attend to columns from `low` to `high`."""
    if len(window):
        return tl.maximum(low - (N - M) - window[1], 0), tl.minimum(high - (N - M) + window[0], M)
    else:
        return M * 0, M


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
def numbered(dropout, heads, M, N):
    """() or dropout's operands, with the (heads, rows, columns) by which weights are numbered and where a piece of them begins.

    M and N are the most that a sequence has: each has numbers of its own.
    """
    if len(dropout) > 4:
        return (dropout[0], dropout[1], dropout[2], dropout[3], dropout[4], dropout[5], N, dropout[6])
    elif len(dropout):
        return (dropout[0], dropout[1], dropout[2], dropout[3], heads, M, N, N * 0)
    else:
        return ()


@triton.jit
def keep_mask(dropout, b, h, m, n, dtype: tl.constexpr, FOURS: tl.constexpr):
    """True where dropout keeps a weight, by the random words of the elements of a tensor (batch, heads, rows, columns)."""
    index = ((b * dropout[4] + h).to(tl.int64) * dropout[5] + m) * dropout[6] + n + dropout[7]
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
def rows_of_tile(tile, h, PACK: tl.constexpr, BLOCK: tl.constexpr):
    """(heads, rows) of the lines of a tile. PACK heads lie side by side, row by row; h counts packs."""
    line = (tile * BLOCK + tl.arange(0, BLOCK))[:, None]
    if PACK == 1:
        return h, line
    else:
        return h * PACK + line % PACK, line // PACK


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
    step: tl.constexpr, rows, first, end, M, N, window, CAUSAL: tl.constexpr, WHOLE: tl.constexpr, BLOCK_N: tl.constexpr
):  # fmt: skip
    """(low, high, gap) of the columns from `first` to `end` that a tile walks over in a step. `rows`: where it begins and ends.

    All of them; if WHOLE, whole blocks first, then the others: those behind, and of a window those before, with a gap between.
    A block is whole that neither N, the diagonal nor the edge of a window cuts.
    """
    low, high, gap = first, end, ()
    if WHOLE:
        last = N // BLOCK_N * BLOCK_N
        begin = first
        if CAUSAL:
            last = tl.minimum(last, (rows[0] + 1) // BLOCK_N * BLOCK_N)
        if len(window):  # the first row's last column, the first one of the last row that there is
            last = tl.minimum(last, tl.maximum(rows[0] + (N - M) + window[1] + 1, 0) // BLOCK_N * BLOCK_N)
            begin = tl.maximum(first, tl.cdiv(tl.maximum(tl.minimum(rows[1], M) - 1 + (N - M) - window[0], 0), BLOCK_N) * BLOCK_N)
        last = tl.maximum(tl.minimum(last, end), begin)
        if step == 0:
            low, high = begin, last
        elif len(window):
            low, high, gap = first, end - (last - begin), (begin, last - begin)
        else:
            low = last
    return low, high, gap


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
