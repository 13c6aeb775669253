"""Triangular factors of matrices, in place, and equations with triangular matrices.

Matrices are given as an address and steps, in elements: from matrix to matrix, from row to row, from column to column. A triangle
that is upper, or that is wanted transposed, is a lower one with other steps, from its last element backwards.

A program works on a matrix alone, or on some right sides. It reads again what it has written: a barrier stands between.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2


@triton.jit
def cholesky(a, info, n, TILE: tl.constexpr):
    """The lower triangle of the row-major a = L L^T becomes L, the upper one 0. Grid: (matrices,).

    info: 0, or the order of the first leading minor that is not positive; what is behind it stays as it is.
    """
    a += tl.program_id(0).to(tl.int64) * n * n
    lane = tl.arange(0, TILE)
    failed = tl.zeros((), tl.int32)
    j = tl.zeros((), tl.int32)
    while (j < n) & (failed == 0):
        for top in range(j, n, TILE):
            r = top + lane
            x = tl.load(a + (r * n + j), mask=r < n, other=0)
            for left in range(0, j, TILE):
                c = left + lane
                inside = (r < n)[:, None] & (c < j)[None, :]
                rows = tl.load(a + (r[:, None] * n + c[None, :]), mask=inside, other=0)
                row = tl.load(a + (j * n + c), mask=c < j, other=0)
                x -= tl.sum(rows * row[None, :], axis=1)
            tl.store(a + (r * n + j), x, mask=r < n)
        tl.debug_barrier()
        pivot = tl.load(a + (j * n + j))
        tl.debug_barrier()
        if pivot > 0:
            root = tl.sqrt(pivot)
            for top in range(j, n, TILE):
                r = top + lane
                x = tl.load(a + (r * n + j), mask=r < n, other=0)
                tl.store(a + (r * n + j), tl.where(r == j, root, x / root), mask=r < n)
            for left in range(j + 1, n, TILE):
                c = left + lane
                tl.store(a + (j * n + c), tl.zeros((TILE,), a.dtype.element_ty), mask=c < n)
            tl.debug_barrier()
        else:
            failed = j + 1
        j += 1
    tl.store(info + tl.program_id(0), failed)


@triton.jit
def lu(a, pivots, info, m, n, TILE: tl.constexpr):
    """The row-major a (m, n) becomes L below the diagonal (of ones) and U, with the rows of a exchanged. Grid: (matrices,).

    pivots: the row, counted from 1, with which row k was exchanged. info: 0, or the first k, from 1, with U[k, k] = 0.
    """
    program = tl.program_id(0).to(tl.int64)
    steps = tl.minimum(m, n)
    a += program * m * n
    pivots += program * steps
    lane = tl.arange(0, TILE)
    zero = tl.zeros((), tl.int32)
    first = zero
    for k in range(steps):
        largest = tl.full((), -1, a.dtype.element_ty)
        at = zero + k
        for top in range(k, m, TILE):
            r = top + lane
            x = tl.abs(tl.load(a + (r * n + k), mask=r < m, other=-1))
            x = tl.where(r < m, tl.where(x == x, x, float("inf")), -1)
            most = tl.max(x, axis=0)
            here = tl.min(tl.where(x == most, r, m), axis=0)
            at = tl.where(most > largest, here, at)
            largest = tl.maximum(most, largest)
        tl.store(pivots + k, at + 1)
        tl.debug_barrier()
        for left in range(0, n, TILE):
            c = left + lane
            upper = tl.load(a + (k * n + c), mask=c < n, other=0)
            lower = tl.load(a + (at * n + c), mask=c < n, other=0)
            tl.store(a + (at * n + c), upper, mask=c < n)
            tl.store(a + (k * n + c), lower, mask=c < n)
        tl.debug_barrier()
        pivot = tl.load(a + (k * n + k))
        if pivot == 0:
            first = tl.where(first == 0, k + 1, first)
        else:
            for top in range(k + 1, m, TILE):
                r = top + lane
                x = tl.load(a + (r * n + k), mask=r < m, other=0)
                tl.store(a + (r * n + k), x / pivot, mask=r < m)
            tl.debug_barrier()
            for top in range(k + 1, m, TILE):
                r = top + lane
                factor = tl.load(a + (r * n + k), mask=r < m, other=0)
                for left in range(k + 1, n, TILE):
                    c = left + lane
                    row = tl.load(a + (k * n + c), mask=c < n, other=0)
                    spot = a + (r[:, None] * n + c[None, :])
                    inside = (r < m)[:, None] & (c < n)[None, :]
                    x = tl.load(spot, mask=inside, other=0)
                    tl.store(spot, x - factor[:, None] * row[None, :], mask=inside)
            tl.debug_barrier()
    tl.store(info + program, first)


@triton.jit
def determinant(lu, pivots, sign, logarithm, product, n, TILE: tl.constexpr):
    """The determinant of a factorised matrix: its sign, the logarithm of its magnitude, and itself. Grid: (matrices,)."""
    program = tl.program_id(0).to(tl.int64)
    dtype: tl.constexpr = lu.dtype.element_ty
    lane = tl.arange(0, TILE)
    sum_of_logarithms = tl.zeros((TILE,), dtype)
    signs = tl.full((TILE,), 1, dtype)
    products = tl.full((TILE,), 1, dtype)
    for start in range(0, n, TILE):
        k = start + lane
        x = tl.load(lu + program * n * n + k * (n + 1), mask=k < n, other=1)
        row = tl.load(pivots + program * n + k, mask=k < n, other=0)
        turn = tl.where((k < n) & (row != k + 1), -1, 1).to(dtype)
        sum_of_logarithms += tl.log(tl.abs(x))
        signs *= turn * tl.where(x > 0, 1, tl.where(x < 0, -1, x)).to(dtype)
        products *= turn * x
    tl.store(logarithm + program, tl.sum(sum_of_logarithms, axis=0))
    tl.store(sign + program, tl.reduce(signs, 0, _times))
    tl.store(product + program, tl.reduce(products, 0, _times))


@triton.jit
def _times(a, b):
    return a * b


@triton.jit
def exchange_rows(b, pivots, n, count, columns, UNDO: tl.constexpr, TILE: tl.constexpr):
    """The rows of the row-major b (n, columns) exchanged as `lu` did in `count` steps, or back. Pivots that name no row do nothing.

    Grid: (matrices, tiles of columns).
    """
    program = tl.program_id(0).to(tl.int64)
    b += program * n * columns
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for step in range(count):
        k = count - 1 - step if UNDO else step
        other = tl.load(pivots + program * count + k) - 1
        mask = (c < columns) & (other >= 0) & (other < n)
        x = tl.load(b + (k * columns + c), mask=mask, other=0)
        y = tl.load(b + (other * columns + c), mask=mask, other=0)
        tl.debug_barrier()
        tl.store(b + (other * columns + c), x, mask=mask)
        tl.store(b + (k * columns + c), y, mask=mask)
        tl.debug_barrier()


@triton.jit
def substitute(
    t, b, n, columns, t_steps, b_steps, UNIT: tl.constexpr, TILE: tl.constexpr
):
    """b becomes the x with t x = b, for a lower triangle t (n, n) and b (n, columns). Grid: (matrices, tiles of columns).

    Steps are (to the next matrix, row, column). UNIT: the diagonal of t counts as ones.
    """
    program = tl.program_id(0).to(tl.int64)
    t += program * t_steps[0]
    b += program * b_steps[0]
    lane = tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + lane
    column = b + c * b_steps[2]
    for i in range(n):
        x = tl.load(column + i * b_steps[1], mask=c < columns, other=0)
        for start in range(0, i, TILE):
            k = start + lane
            row = tl.load(t + (i * t_steps[1] + k * t_steps[2]), mask=k < i, other=0)
            inside = (k < i)[:, None] & (c < columns)[None, :]
            known = tl.load(b + (k[:, None] * b_steps[1] + c[None, :] * b_steps[2]), mask=inside, other=0)
            x -= tl.sum(row[:, None] * known, axis=0)
        if not UNIT:
            x /= tl.load(t + i * (t_steps[1] + t_steps[2]))
        tl.store(column + i * b_steps[1], x, mask=c < columns)
        tl.debug_barrier()


@triton.jit
def check(numbers, err, n, least, most, BLOCK: tl.constexpr):
    """The error word is set where a number is out of bounds: an info that is not 0, a pivot that is no row."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    number = tl.load(numbers + i, mask=i < n, other=least)
    tl.store(err + i * 0, 1, mask=(number < least) | (number > most))


def tile(*sizes: int) -> int:
    """16 elements for small matrices, else 32."""
    return min(max(next_power_of_2(max(sizes, default=1)), 16), 32)
