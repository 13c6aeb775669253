"""Triangular factors of matrices, in place, and equations with triangular matrices.

Matrices are given as an address and steps, in elements: from matrix to matrix, from row to row, from column to column. A triangle
that is upper, or that is wanted transposed, is a lower one with other steps, from its last element backwards.

A program works on a matrix alone, or on some right sides. It reads again what it has written: a barrier stands between.
Numbers are tuples of PARTS parts (`numbers`): one of a real matrix, two of a complex one.
"""

import triton
import triton.language as tl

from . import numbers as of
from .block_sizes import next_power_of_2


@triton.jit
def cholesky(a, info, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The lower triangle of the row-major a = L L^H becomes L, the upper one 0. Grid: (matrices,).

    info: 0, or the order of the first leading minor that is not positive; what is behind it stays as it is. The diagonal's
    imaginary parts are not read.
    """
    a += tl.program_id(0).to(tl.int64) * n * n * PARTS
    dtype: tl.constexpr = a.dtype.element_ty
    lane = tl.arange(0, TILE)
    failed = tl.zeros((), tl.int32)
    j = tl.zeros((), tl.int32)
    while (j < n) & (failed == 0):
        for top in range(j, n, TILE):
            r = top + lane
            x = of.load(a, r * n + j, r < n, PARTS)
            for left in range(0, j, TILE):
                c = left + lane
                inside = (r < n)[:, None] & (c < j)[None, :]
                rows = of.load(a, r[:, None] * n + c[None, :], inside, PARTS)
                row = of.load(a, j * n + c, c < j, PARTS)
                x = of.sub(x, of.total(of.mul_conj(rows, of.across(row)), 1))
            of.store(a, r * n + j, x, r < n)
        tl.debug_barrier()
        pivot = tl.load(a + (j * n + j) * PARTS)
        tl.debug_barrier()
        if pivot > 0:
            root = tl.sqrt(pivot)
            for top in range(j, n, TILE):
                r = top + lane
                x = of.load(a, r * n + j, r < n, PARTS)
                x = of.where(r == j, of.from_real(tl.where(r == j, root, 0), PARTS), of.over(x, root))
                of.store(a, r * n + j, x, r < n)
            for left in range(j + 1, n, TILE):
                c = left + lane
                of.store(a, j * n + c, of.zeros((TILE,), dtype, PARTS), c < n)
            tl.debug_barrier()
        else:
            failed = j + 1
        j += 1
    tl.store(info + tl.program_id(0), failed)


@triton.jit
def lu(a, pivots, info, m, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The row-major a (m, n) becomes L below the diagonal (of ones) and U, with the rows of a exchanged. Grid: (matrices,).

    pivots: the row, counted from 1, with which row k was exchanged. info: 0, or the first k, from 1, with U[k, k] = 0.
    """
    program = tl.program_id(0).to(tl.int64)
    steps = tl.minimum(m, n)
    a += program * m * n * PARTS
    pivots += program * steps
    lane = tl.arange(0, TILE)
    zero = tl.zeros((), tl.int32)
    first = zero
    for k in range(steps):
        largest = tl.full((), -1, a.dtype.element_ty)
        at = zero + k
        for top in range(k, m, TILE):
            r = top + lane
            x = of.size(of.load(a, r * n + k, r < m, PARTS))
            x = tl.where(r < m, tl.where(x == x, x, float("inf")), -1)
            most = tl.max(x, axis=0)
            here = tl.min(tl.where(x == most, r, m), axis=0)
            at = tl.where(most > largest, here, at)
            largest = tl.maximum(most, largest)
        tl.store(pivots + k, at + 1)
        tl.debug_barrier()
        for left in range(0, n * PARTS, TILE):
            c = left + lane
            upper = tl.load(a + (k * n * PARTS + c), mask=c < n * PARTS, other=0)
            lower = tl.load(a + (at * n * PARTS + c), mask=c < n * PARTS, other=0)
            tl.store(a + (at * n * PARTS + c), upper, mask=c < n * PARTS)
            tl.store(a + (k * n * PARTS + c), lower, mask=c < n * PARTS)
        tl.debug_barrier()
        pivot = of.at(a, k * n + k, PARTS)
        if of.is_zero(pivot):
            first = tl.where(first == 0, k + 1, first)
        else:
            for top in range(k + 1, m, TILE):
                r = top + lane
                x = of.load(a, r * n + k, r < m, PARTS)
                of.store(a, r * n + k, of.div(x, pivot), r < m)
            tl.debug_barrier()
            for top in range(k + 1, m, TILE):
                r = top + lane
                factor = of.load(a, r * n + k, r < m, PARTS)
                for left in range(k + 1, n, TILE):
                    c = left + lane
                    row = of.load(a, k * n + c, c < n, PARTS)
                    spot = r[:, None] * n + c[None, :]
                    inside = (r < m)[:, None] & (c < n)[None, :]
                    x = of.load(a, spot, inside, PARTS)
                    of.store(a, spot, of.sub(x, of.mul(of.down(factor), of.across(row))), inside)
            tl.debug_barrier()
    tl.store(info + program, first)


@triton.jit
def determinant(lu, pivots, sign, logarithm, product, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The determinant of a factorised matrix: its sign, the logarithm of its magnitude, and itself. Grid: (matrices,)."""
    program = tl.program_id(0).to(tl.int64)
    dtype: tl.constexpr = lu.dtype.element_ty
    lane = tl.arange(0, TILE)
    one = of.from_real(tl.full((TILE,), 1, dtype), PARTS)
    sum_of_logarithms = tl.zeros((TILE,), dtype)
    signs = one
    products = one
    for start in range(0, n, TILE):
        k = start + lane
        x = of.where(k < n, of.load(lu, program * n * n + k * (n + 1), k < n, PARTS), one)
        row = tl.load(pivots + program * n + k, mask=k < n, other=0)
        turn = tl.where((k < n) & (row != k + 1), -1, 1).to(dtype)
        sum_of_logarithms += tl.log(of.magnitude(x))
        signs = of.mul(signs, of.scale(of.sign(x), turn))
        products = of.mul(products, of.scale(x, turn))
    tl.store(logarithm + program, tl.sum(sum_of_logarithms, axis=0))
    of.put(sign, program, of.product(signs))
    of.put(product, program, of.product(products))


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
    t, b, n, columns, t_steps, b_steps, UNIT: tl.constexpr, CONJUGATE: tl.constexpr, PARTS: tl.constexpr, TILE: tl.constexpr
):
    """b becomes the x with t x = b, for a lower triangle t (n, n) and b (n, columns). Grid: (matrices, tiles of columns).

    Steps are (to the next matrix, row, column). UNIT: the diagonal of t counts as ones. CONJUGATE: t's conjugate is solved for.
    """
    program = tl.program_id(0).to(tl.int64)
    t += program * t_steps[0] * PARTS
    b += program * b_steps[0] * PARTS
    lane = tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + lane
    for i in range(n):
        x = of.load(b, i * b_steps[1] + c * b_steps[2], c < columns, PARTS)
        for start in range(0, i, TILE):
            k = start + lane
            row = of.load(t, i * t_steps[1] + k * t_steps[2], k < i, PARTS)
            inside = (k < i)[:, None] & (c < columns)[None, :]
            known = of.load(b, k[:, None] * b_steps[1] + c[None, :] * b_steps[2], inside, PARTS)
            x = of.sub(x, of.total(of.mul(of.down(of.conj_if(row, CONJUGATE)), known), 0))
        if not UNIT:
            x = of.div(x, of.conj_if(of.at(t, i * (t_steps[1] + t_steps[2]), PARTS), CONJUGATE))
        of.store(b, i * b_steps[1] + c * b_steps[2], x, c < columns)
        tl.debug_barrier()


@triton.jit
def check(numbers, err, n, least, most, MAGNITUDES: tl.constexpr, BLOCK: tl.constexpr):
    """The error word is set where a number, or its magnitude, is out of bounds: an info that is not 0, a pivot that is no row."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    number = tl.load(numbers + i, mask=i < n, other=least)
    if MAGNITUDES:
        number = tl.abs(number)
    tl.store(err + i * 0, 1, mask=(number < least) | (number > most))


def tile(*sizes: int) -> int:
    """16 elements for small matrices, else 32."""
    return min(max(next_power_of_2(max(sizes, default=1)), 16), 32)
