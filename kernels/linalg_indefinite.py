"""Symmetric and Hermitian matrices as L D L^H, by exchanges of rows and columns (Bunch and Kaufman), and equations with them.

D has blocks of one number, and of two rows where a number on the diagonal is too small beside its column.
Numbers are tuples of PARTS parts (`numbers`). Where HERMITIAN is not set, an adjoint is the transpose.
"""

import triton
import triton.language as tl

from . import numbers as of

ALPHA = tl.constexpr(0.6403882032022076)  # (1 + sqrt(17)) / 8: elements grow least


@triton.jit
def factorise(a, pivots, info, n, HERMITIAN: tl.constexpr, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The lower triangle of the row-major a (n, n) becomes L, with D on and below the diagonal, the upper one 0. Grid: (matrices,).

    pivots: the row, from 1, with which row k was exchanged; in a block of two rows it is that of the second one, negative, twice.
    info: 0, or the first k, from 1, with D[k, k] = 0. As LAPACK's sytf2 and hetf2.
    """
    program = tl.program_id(0).to(tl.int64)
    a += program * n * n * PARTS
    pivots += program * n
    _fill_upper(a, n, HERMITIAN, False, PARTS, TILE)
    tl.debug_barrier()
    first = tl.zeros((), tl.int32)
    k = tl.zeros((), tl.int32)
    while k < n:
        own = _diagonal_size(a, k, n, HERMITIAN, PARTS)
        behind, at = _largest(a + k * n * PARTS, k + 1, n, k, PARTS, TILE)
        if ((own == 0) & (behind == 0)) | (own != own):
            first = tl.where(first == 0, k + 1, first)
            tl.store(pivots + k, k + 1)
            k += 1
        else:
            most, _ = _largest(a + at * n * PARTS, k, n, at, PARTS, TILE)
            large = (own >= ALPHA * behind) | (own >= ALPHA * behind * (behind / tl.where(most > 0, most, 1)))
            other_large = _diagonal_size(a, at, n, HERMITIAN, PARTS) >= ALPHA * most
            chosen = tl.where(large, k, at)
            if large | other_large:
                _exchange(a, k, chosen, k, n, PARTS, TILE)
                _eliminate(a, k, n, PARTS, TILE)
                tl.store(pivots + k, chosen + 1)
                k += 1
            else:
                _exchange(a, k + 1, chosen, k, n, PARTS, TILE)
                _eliminate_pair(a, k, n, PARTS, TILE)
                tl.store(pivots + k, -chosen - 1)
                tl.store(pivots + (k + 1), -chosen - 1)
                k += 2
        tl.debug_barrier()
    _fill_upper(a, n, HERMITIAN, True, PARTS, TILE)
    tl.store(info + program, first)


@triton.jit
def solve(factors, pivots, b, n, columns, HERMITIAN: tl.constexpr, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The row-major b (n, columns) becomes the x with a x = b, from what a became. Grid: (matrices, tiles of columns)."""
    program = tl.program_id(0).to(tl.int64)
    factors += program * n * n * PARTS
    pivots += program * n
    b += program * n * columns * PARTS
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inside = c < columns
    k = tl.zeros((), tl.int32)
    while k < n:
        pivot = tl.load(pivots + k)
        if (pivot > 0) | (k + 1 == n):
            _exchange_sides(b, k, pivot - 1, n, columns, c, PARTS)
            x = of.load(b, k * columns + c, inside, PARTS)
            tl.debug_barrier()
            _subtract(factors, b, k, x, k + 1, n, columns, c, PARTS, TILE)
            of.store(b, k * columns + c, of.div(x, of.at(factors, k * (n + 1), PARTS)), inside)
            k += 1
        else:
            _exchange_sides(b, k + 1, -pivot - 1, n, columns, c, PARTS)
            x = of.load(b, k * columns + c, inside, PARTS)
            y = of.load(b, (k + 1) * columns + c, inside, PARTS)
            tl.debug_barrier()
            _subtract(factors, b, k, x, k + 2, n, columns, c, PARTS, TILE)
            _subtract(factors, b, k + 1, y, k + 2, n, columns, c, PARTS, TILE)
            upper, lower = of.at(factors, k * (n + 1), PARTS), of.at(factors, (k + 1) * (n + 1), PARTS)
            below = of.at(factors, (k + 1) * n + k, PARTS)
            x, y = _over_pair(x, y, upper, of.conj_if(below, HERMITIAN), below, lower)
            of.store(b, k * columns + c, x, inside)
            of.store(b, (k + 1) * columns + c, y, inside)
            k += 2
        tl.debug_barrier()
    k = n - 1
    while k >= 0:
        pivot = tl.load(pivots + k)
        _subtract_adjoint(factors, b, k, k + 1, n, columns, c, HERMITIAN, PARTS, TILE)
        if (pivot > 0) | (k == 0):
            tl.debug_barrier()
            _exchange_sides(b, k, pivot - 1, n, columns, c, PARTS)
            k -= 1
        else:
            _subtract_adjoint(factors, b, k - 1, k + 1, n, columns, c, HERMITIAN, PARTS, TILE)
            tl.debug_barrier()
            _exchange_sides(b, k, -pivot - 1, n, columns, c, PARTS)
            k -= 2


@triton.jit
def _fill_upper(a, n, HERMITIAN: tl.constexpr, ZERO: tl.constexpr, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The upper triangle is the adjoint of the lower one, with a real diagonal where a is Hermitian; or it is ZERO."""
    lane = tl.arange(0, TILE)
    for top in range(0, n, TILE):
        r = (top + lane)[:, None]
        for left in range(top, n, TILE):
            c = (left + lane)[None, :]
            inside = (r < n) & (c < n)
            if ZERO:
                of.store(a, r * n + c, of.zeros((TILE, TILE), a.dtype.element_ty, PARTS), inside & (r < c))
            else:
                mirrored = of.conj_if(of.load(a, c * n + r, inside & (r <= c), PARTS), HERMITIAN)
                if HERMITIAN:
                    mirrored = of.where(r == c, of.from_real(mirrored[0], PARTS), mirrored)
                of.store(a, r * n + c, mirrored, inside & (r <= c))


@triton.jit
def _diagonal_size(a, k, n, HERMITIAN: tl.constexpr, PARTS: tl.constexpr):
    x = of.at(a, k * (n + 1), PARTS)
    if HERMITIAN:
        return tl.abs(x[0])
    else:
        return of.size(x)


@triton.jit
def _largest(row, start, end, skipped, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The largest size in a row from start on, without the element `skipped`, and where it is; (0, skipped) of none."""
    largest = tl.zeros((), row.dtype.element_ty)
    at = skipped
    for left in range(start, end, TILE):
        c = left + tl.arange(0, TILE)
        counts = (c < end) & (c != skipped)
        x = of.size(of.load(row, c, counts, PARTS))
        x = tl.where(x == x, x, float("inf"))
        most = tl.max(x, axis=0)
        here = tl.min(tl.where((x == most) & counts, c, end), axis=0)
        at = tl.where(most > largest, here, at)
        largest = tl.maximum(most, largest)
    return largest, at


@triton.jit
def _exchange(a, i, j, k, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Rows i and j of the square from k on, then its columns i and j."""
    tl.debug_barrier()
    if i != j:
        _swap(a, i * n, j * n, 1, k, n, PARTS, TILE)
        tl.debug_barrier()
        _swap(a, i, j, n, k, n, PARTS, TILE)
        tl.debug_barrier()


@triton.jit
def _swap(a, i, j, step, start, end, PARTS: tl.constexpr, TILE: tl.constexpr):
    for left in range(start, end, TILE):
        c = left + tl.arange(0, TILE)
        x = of.load(a, i + c * step, c < end, PARTS)
        y = of.load(a, j + c * step, c < end, PARTS)
        of.store(a, j + c * step, x, c < end)
        of.store(a, i + c * step, y, c < end)


@triton.jit
def _eliminate(a, k, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Column k becomes that of L, and the square behind it loses what the block a[k, k] explains."""
    pivot = of.at(a, k * (n + 1), PARTS)
    for top in range(k + 1, n, TILE):
        r = top + tl.arange(0, TILE)
        factor = of.div(of.load(a, r * n + k, r < n, PARTS), pivot)
        tl.debug_barrier()  # several threads have read a number that one of them writes
        of.store(a, r * n + k, factor, r < n)
        for left in range(k + 1, n, TILE):
            _lose(a, factor, r, k, left, n, PARTS, TILE)


@triton.jit
def _eliminate_pair(a, k, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The same of the block of rows k and k + 1."""
    upper, lower = of.at(a, k * (n + 1), PARTS), of.at(a, (k + 1) * (n + 1), PARTS)
    beside, below = of.at(a, k * n + k + 1, PARTS), of.at(a, (k + 1) * n + k, PARTS)
    for top in range(k + 2, n, TILE):
        r = top + tl.arange(0, TILE)
        x = of.load(a, r * n + k, r < n, PARTS)
        y = of.load(a, r * n + k + 1, r < n, PARTS)
        x, y = _over_pair(x, y, upper, below, beside, lower)  # from the right: the block transposed
        tl.debug_barrier()
        of.store(a, r * n + k, x, r < n)
        of.store(a, r * n + k + 1, y, r < n)
        for left in range(k + 2, n, TILE):
            _lose(a, x, r, k, left, n, PARTS, TILE)
            _lose(a, y, r, k + 1, left, n, PARTS, TILE)


@triton.jit
def _lose(a, factor, r, k, left, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """A tile of rows r loses their factors times row k."""
    c = left + tl.arange(0, TILE)
    spot = r[:, None] * n + c[None, :]
    inside = (r < n)[:, None] & (c < n)[None, :]
    row = of.load(a, k * n + c, c < n, PARTS)
    of.store(a, spot, of.sub(of.load(a, spot, inside, PARTS), of.mul(of.down(factor), of.across(row))), inside)


@triton.jit
def _over_pair(x, y, upper, beside, below, lower):
    """What the block [[upper, beside], [below, lower]] maps to (x, y); its diagonal is small beside the other two."""
    one, other = of.div(upper, below), of.div(lower, beside)
    rest = of.sub(of.mul(one, other), of.from_real(tl.full((), 1, upper[0].dtype), len(upper)))
    found = of.div(of.sub(of.mul(x, other), y), of.mul(rest, below))
    return found, of.div(of.sub(of.mul(y, one), x), of.mul(rest, beside))


@triton.jit
def _exchange_sides(b, i, j, n, columns, c, PARTS: tl.constexpr):
    """Rows i and j of a tile of columns; a j that is no row does nothing."""
    mask = (c < columns) & (j >= 0) & (j < n)
    x = of.load(b, i * columns + c, mask, PARTS)
    y = of.load(b, j * columns + c, mask, PARTS)
    tl.debug_barrier()
    of.store(b, j * columns + c, x, mask)
    of.store(b, i * columns + c, y, mask)
    tl.debug_barrier()


@triton.jit
def _subtract(factors, b, k, x, start, n, columns, c, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Rows from start on lose column k of L times x."""
    for top in range(start, n, TILE):
        r = top + tl.arange(0, TILE)
        factor = of.load(factors, r * n + k, r < n, PARTS)
        spot = r[:, None] * columns + c[None, :]
        inside = (r < n)[:, None] & (c < columns)[None, :]
        of.store(b, spot, of.sub(of.load(b, spot, inside, PARTS), of.mul(of.down(factor), of.across(x))), inside)


@triton.jit
def _subtract_adjoint(
    factors, b, k, start, n, columns, c, HERMITIAN: tl.constexpr, PARTS: tl.constexpr, TILE: tl.constexpr
):
    """Row k loses the adjoint of column k of L times the rows from start on."""
    x = of.load(b, k * columns + c, c < columns, PARTS)
    for top in range(start, n, TILE):
        r = top + tl.arange(0, TILE)
        factor = of.conj_if(of.load(factors, r * n + k, r < n, PARTS), HERMITIAN)
        inside = (r < n)[:, None] & (c < columns)[None, :]
        known = of.load(b, r[:, None] * columns + c[None, :], inside, PARTS)
        x = of.sub(x, of.total(of.mul(of.down(factor), known), 0))
    of.store(b, k * columns + c, x, c < columns)
