"""What attention's programs walk over: sequences of several lengths in one tensor, keys in pages, blocks of a list.

Sequences: those of one tensor of rows begin one behind the other, at numbers that a tensor on the device holds, and so do those of
columns. Or batches have as many columns in use as a tensor says. Nobody waits for these numbers: there are programs for the longest
sequence, and those behind the end of a shorter one have nothing to do. Whatever the numbers are, nothing outside of the tensors is
read or written; bad ones are reported.

Pages: row n of a sequence's keys is row n % size of page table[n // size].

Lists: which blocks of columns a block of rows has, or of rows a block of columns.
"""

import triton
import triton.language as tl

from .attention_tiles import matrix_of


@triton.jit
def blocks_of(b, h, tile, lists, list_sizes, BLOCK: tl.constexpr):
    """() or (which blocks a tile of size BLOCK walks over, one behind the other; how many; their size).

    lists: () or (counts, entries), by rows of blocks. An entry is a block's number times 2, plus 1 where no mask cuts it.
    list_sizes: (size of the tile's blocks, size of those that it walks over, strides of counts over batches and heads, strides of
    entries over batches, heads and rows of blocks).
    """
    if len(lists):
        line = tile * BLOCK // list_sizes[0]
        count = tl.load(lists[0] + b * list_sizes[2] + h * list_sizes[3] + line).to(tile.dtype)
        return (lists[1] + b * list_sizes[4] + h * list_sizes[5] + line * list_sizes[6], count, list_sizes[1])
    else:
        return ()


@triton.jit
def start_of(at, blocks, gap):
    """Where step `at` of a walk is, in the blocks of a list or behind a gap (where, how wide); and whether no mask cuts it."""
    if len(blocks):
        entry = tl.load(blocks[0] + at // blocks[2]).to(at.dtype)
        return entry // 2 * blocks[2] + at % blocks[2], entry % 2 > 0
    elif len(gap):
        return tl.where(at < gap[0], at, at + gap[1]), False
    else:
        return at, False


@triton.jit
def length_of(starts, b, most, total):
    """(first, size, whether they are bad ones) of sequence b, inside of `total` and not longer than `most`.

    starts: where sequences begin, and where the last one ends.
    """
    start, end = tl.load(starts + b).to(most.dtype), tl.load(starts + b + 1).to(most.dtype)
    bad = (start < 0) | (end < start) | (end > total) | (end - start > most) | ((b == 0) & (start != 0))
    first = tl.minimum(tl.maximum(start, 0), total)
    return first, tl.minimum(tl.maximum(tl.minimum(end, total) - first, 0), most), bad


@triton.jit
def extent(b, M, N, sequences, spans):
    """(first row, rows, first column, columns, whether a number is a bad one) of batch b.

    sequences: () or (starts of rows, starts of columns, columns in use), each () or (pointer,).
    spans: with these, rows and columns in memory, of all sequences, and the number of sequences.
    """
    row, column, bad = M * 0, N * 0, b < 0
    if len(sequences):
        if len(sequences[0]):
            row, M, bad = length_of(sequences[0][0], b, M, spans[0])
        if len(sequences[1]):
            column, N, bad_columns = length_of(sequences[1][0], b, N, spans[1])
            bad = bad | bad_columns
        if len(sequences[2]):
            used = tl.load(sequences[2][0] + b).to(N.dtype)
            bad = bad | (used < 0) | (used > N)
            N = tl.minimum(tl.maximum(used, 0), N)
    return row, M, column, N, bad


@triton.jit
def line_of(b, h, heads, row, M, sequences, spans):
    """The number of the first row of a head among all rows of all heads: of batches, or of sequences one behind the other."""
    by_starts: tl.constexpr = len(sequences) > 0 and len(sequences[0]) > 0
    return h * spans[0] + row if by_starts else (b * heads + h) * M


@triton.jit
def clear_behind(
    x, lse, tile, b, head, m, sequences, spans, cols, strides, PACK: tl.constexpr, BLOCK: tl.constexpr, WIDTH: tl.constexpr
):  # fmt: skip
    """Rows of x behind the last sequence are 0, and of lse -inf: stored by the programs of the last sequence's first tile."""
    if len(sequences) > 0 and len(sequences[0]) > 0:
        end = tl.maximum(tl.load(sequences[0][0] + spans[2]).to(spans[0].dtype), 0)
        end = tl.where((b == spans[2] - 1) & (tile == 0), end, spans[0])
        col = tl.arange(0, WIDTH)[None, :]
        for start in range(end, spans[0], BLOCK // PACK):
            row = start + m
            at = x + head * strides[1] + row * strides[2] + col * strides[3]
            tl.store(at, tl.zeros((BLOCK, WIDTH), x.dtype.element_ty), mask=(row < spans[0]) & (col < cols))
            if lse is not None:
                tl.store(lse + head * spans[0] + row, tl.full((BLOCK, 1), -float("inf"), lse.dtype.element_ty), mask=row < spans[0])


@triton.constexpr_function
def is_in_one_page(size, block):
    """Whether a block of rows never is in two pages; `size` is known to the compiler where it is a power of two."""
    return not isinstance(size, tl.tensor) and size % block == 0


@triton.jit
def load_paged(pointer, start, n, col, rows, cols, strides, table, page_sizes, BLOCK: tl.constexpr):
    """The tile at (start + n, col) of a matrix whose rows are in pages, strides[0] apart; 0 outside of it.

    table: the sequence's pages in their order; page_sizes: (stride of tables, rows of a page, how many pages there are).
    """
    if is_in_one_page(page_sizes[1], BLOCK):
        entry = tl.load(table[0] + start // page_sizes[1]).to(tl.int64)
        there = (entry >= 0) & (entry < page_sizes[2])
        page = pointer + tl.where(there, entry, 0) * strides[0] + start % page_sizes[1] * strides[2]
        return tl.load(page + n * strides[2] + col * strides[3], mask=there & (n < rows - start) & (col < cols), other=0)
    else:
        at = start + n
        entry = tl.load(table[0] + at // page_sizes[1], mask=at < rows, other=-1).to(tl.int64)
        inside = (entry >= 0) & (entry < page_sizes[2])
        row = tl.where(inside, entry * strides[0] + at % page_sizes[1] * strides[2], 0)
        return tl.load(pointer + row + col * strides[3], mask=inside & (col < cols), other=0)


@triton.jit
def keys_of(pointer, b, h, first, strides, table):
    """The matrix of keys or values of one head: of a batch, of a sequence that begins at row `first`, or of all pages."""
    return pointer + h * strides[1] if len(table) else matrix_of(pointer, b, h, strides) + first * strides[2]


@triton.jit
def report(err, bad, table, page_sizes, first, end, BLOCK: tl.constexpr):
    """Store 1 to the error word if `bad`, or if a table names a page for the rows from `first` to `end` that is not there."""
    tl.store(err, 1, mask=bad)
    if len(table):
        for start in range(first // page_sizes[1], tl.cdiv(end, page_sizes[1]), BLOCK):
            at = start + tl.arange(0, BLOCK)
            entry = tl.load(table[0] + at, mask=at < tl.cdiv(end, page_sizes[1]), other=0)
            tl.store(err + tl.zeros_like(entry), 1, mask=(entry < 0) | (entry >= page_sizes[2]))
