"""Eigenvalues of symmetric matrices, and singular values, in float64. Vectors are rows, so that a rotation reads memory in order.

*Eigenvalues*: Householder's reflections make a matrix tridiagonal and real. The QL method with implicit shifts makes that diagonal:
each rotation of two neighbouring rows and columns turns two eigenvectors. Source: Martin, Reinsch and Wilkinson; EISPACK's tql2.

*Singular values*: the one-sided method of Jacobi turns two rows at a time until all are at right angles. Their lengths are the
singular values. Source: Golub and Van Loan, Matrix Computations, 8.6.3.
"""

import triton
import triton.language as tl

from . import numbers as of
from .linalg_reflect import reflection
from .numbers import hypotenuse

EPSILON = tl.constexpr(2.220446049250313e-16)
TINY = tl.constexpr(2.2250738585072014e-308)


@triton.jit
def tridiagonal(a, taus, diagonal, beside, spare, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The symmetric a (n, n), or Hermitian one of two PARTS, as Q T Q^H with a real T, Q = H_0 H_1 ... Grid: (matrices,).

    T is divided by its largest magnitude. Its diagonal, and `beside` it (n elements: the last one is that magnitude, or
    infinity where an element is no finite number); below a's diagonal the vectors of n - 1 reflections. spare: n numbers.
    """
    program = tl.program_id(0).to(tl.int64)
    a += program * n * n * PARTS
    taus += program * (n - 1) * PARTS
    diagonal += program * n
    beside += program * n
    spare += program * n * PARTS
    lane = tl.arange(0, TILE)
    unit = _largest(a, n * n * PARTS, TILE)
    unit = tl.where(unit > 0, unit, 1)
    tl.debug_barrier()
    for start in range(0, n * n * PARTS, TILE):
        i = start + lane
        x = tl.load(a + i, mask=i < n * n * PARTS, other=0)
        tl.store(a + i, x / unit, mask=i < n * n * PARTS)
    tl.store(beside + n - 1, unit)
    tl.debug_barrier()
    for k in range(n - 1):
        tau = reflection(a, k + 1, k, n, n, PARTS, TILE)
        tl.store(beside + k, tl.load(a + ((k + 1) * n + k) * PARTS))
        of.put(taus, k, tau)
        tl.debug_barrier()
        of.put(a, (k + 1) * n + k, of.from_real(tl.full((), 1, tl.float64), PARTS))
        tl.debug_barrier()
        # w = tau a v; then w -= tau / 2 (w^H v) v
        inner = of.zeros((TILE,), tl.float64, PARTS)
        for top in range(k + 1, n, TILE):
            r = top + lane
            w = of.zeros((TILE,), tl.float64, PARTS)
            for left in range(k + 1, n, TILE):
                c = left + lane
                inside = (r < n)[:, None] & (c < n)[None, :]
                x = of.load(a, r[:, None] * n + c[None, :], inside, PARTS)
                v = of.load(a, c * n + k, c < n, PARTS)
                w = of.add(w, of.total(of.mul(x, of.across(v)), 1))
            w = of.mul(w, tau)
            inner = of.add(inner, of.mul_conj(of.load(a, r * n + k, r < n, PARTS), w))
            of.store(spare, r, w, r < n)
        half = of.over(of.mul(tau, of.total(inner, 0)), 2)
        tl.debug_barrier()
        for top in range(k + 1, n, TILE):
            r = top + lane
            w = of.load(spare, r, r < n, PARTS)
            v = of.load(a, r * n + k, r < n, PARTS)
            of.store(spare, r, of.sub(w, of.mul(half, v)), r < n)
        tl.debug_barrier()
        for top in range(k + 1, n, TILE):
            r = top + lane
            w_of_row = of.down(of.load(spare, r, r < n, PARTS))
            v_of_row = of.down(of.load(a, r * n + k, r < n, PARTS))
            for left in range(k + 1, n, TILE):
                c = left + lane
                w = of.across(of.load(spare, c, c < n, PARTS))
                v = of.across(of.load(a, c * n + k, c < n, PARTS))
                inside = (r < n)[:, None] & (c < n)[None, :]
                spot = r[:, None] * n + c[None, :]
                x = of.load(a, spot, inside, PARTS)
                of.store(a, spot, of.sub(x, of.add(of.mul_conj(v_of_row, w), of.mul_conj(w_of_row, v))), inside)
        tl.debug_barrier()
    for top in range(0, n, TILE):
        r = top + lane
        tl.store(diagonal + r, tl.load(a + r * (n + 1) * PARTS, mask=r < n, other=0), mask=r < n)


@triton.jit
def rotate(x, y, c, s, n, TILE: tl.constexpr):
    """Two vectors (x, y) become (c x - s y, s x + c y)."""
    lane = tl.arange(0, TILE)
    for start in range(0, n, TILE):
        i = start + lane
        a = tl.load(x + i, mask=i < n, other=0)
        b = tl.load(y + i, mask=i < n, other=0)
        tl.store(x + i, c * a - s * b, mask=i < n)
        tl.store(y + i, s * a + c * b, mask=i < n)


@triton.jit
def _small_beside(beside, start, n, limit):
    """The first row m from `start` on whose neighbour is joined to it by nothing larger than the limit, or the last row."""
    m = start
    while (m < n - 1) & (tl.abs(tl.load(beside + m)) > limit):
        m += 1
    return m


@triton.jit
def diagonalise(diagonal, beside, vectors, info, n, width, most, TILE: tl.constexpr):
    """The eigenvalues of tridiagonal matrices, in no order, and the rows of `vectors` (n, width) turned along. Grid: (matrices,).

    info: 0, or the number of eigenvalues that `most` steps each have not found. Where `tridiagonal` found an element that is
    no finite number, all results are NaN.
    """
    program = tl.program_id(0).to(tl.int64)
    diagonal += program * n
    beside += program * n
    vectors += program * n * width
    lane = tl.arange(0, TILE)
    unit = tl.load(beside + (n - 1))
    tl.debug_barrier()
    tl.store(beside + (n - 1), tl.zeros((), tl.float64))
    tl.debug_barrier()
    shift = tl.zeros((), tl.float64)
    size = tl.zeros((), tl.float64)
    missing = tl.zeros((), tl.int32)
    finite = unit < float("inf")
    for at in range(tl.where(finite, n, 0)):
        size = tl.maximum(size, tl.abs(tl.load(diagonal + at)) + tl.abs(tl.load(beside + at)))
        limit = EPSILON * size
        m = _small_beside(beside, at, n, limit)
        tries = tl.zeros((), tl.int32)
        while (m > at) & (tl.abs(tl.load(beside + at)) > limit) & (tries < most):
            tries += 1
            g = tl.load(diagonal + at)
            e = tl.load(beside + at)
            p = (tl.load(diagonal + at + 1) - g) / (2 * e)
            r = hypotenuse(p, tl.full((), 1, tl.float64))
            r = tl.where(p < 0, -r, r)
            here = e / (p + r)
            next_ = e * (p + r)
            h = g - here
            tl.debug_barrier()
            for top in range(at, n, TILE):
                i = top + lane
                x = tl.load(diagonal + i, mask=i < n, other=0)
                x = tl.where(i == at, here, tl.where(i == at + 1, next_, x - h))
                tl.store(diagonal + i, x, mask=i < n)
            tl.debug_barrier()
            shift += h
            p = tl.load(diagonal + m)
            c = tl.full((), 1, tl.float64)  # each a value of its own: Triton takes a name that begins as another one for the same
            c2 = tl.full((), 1, tl.float64)
            c3 = tl.full((), 1, tl.float64)
            beyond = tl.load(beside + at + 1)
            s = tl.zeros((), tl.float64)
            s2 = tl.zeros((), tl.float64)
            for step in range(m - at):
                i = m - 1 - step
                c3 = c2
                c2 = c
                s2 = s
                e = tl.load(beside + i)
                d = tl.load(diagonal + i)
                g = c * e
                h = c * p
                r = hypotenuse(p, e)
                tl.debug_barrier()
                tl.store(beside + i + 1, s * r)
                s = e / r
                c = p / r
                p = c * d - s * g
                tl.store(diagonal + i + 1, h + s * (c * g + s * d))
                rotate(vectors + i * width, vectors + (i + 1) * width, c, s, width, TILE)
                tl.debug_barrier()
            p = -s * s2 * c3 * beyond * tl.load(beside + at) / next_
            tl.debug_barrier()
            tl.store(beside + at, s * p)
            tl.store(diagonal + at, c * p)
            tl.debug_barrier()
        missing += (tl.abs(tl.load(beside + at)) > limit).to(tl.int32)
        found = tl.load(diagonal + at) + shift
        tl.debug_barrier()
        tl.store(diagonal + at, found)
        tl.store(beside + at, tl.zeros((), tl.float64))
        tl.debug_barrier()
    for top in range(0, n, TILE):
        i = top + lane
        x = tl.load(diagonal + i, mask=i < n, other=0)
        tl.store(diagonal + i, tl.where(finite, x * unit, float("nan")), mask=i < n)
    if not finite:
        for start in range(0, n * width, TILE):
            i = start + lane
            tl.store(vectors + i, tl.full((TILE,), float("nan"), tl.float64), mask=i < n * width)
    tl.store(info + program, missing)


@triton.jit
def jacobi(x, turned, lengths, info, count, n, most, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Rows of x (count, n) turned until they are at right angles, the rows of `turned` (count, count) along. Grid: (matrices,).

    A row of complex numbers gets a phase first with which its product with the other row is real, the row of `turned` the
    conjugate phase: x becomes T x, and `turned` conj(T).

    lengths: of the rows. info: 0, or 1 where `most` sweeps over all pairs were not enough.
    """
    program = tl.program_id(0).to(tl.int64)
    x += program * count * n * PARTS
    turned += program * count * count * PARTS
    lane = tl.arange(0, TILE)
    unit = _largest(x, count * n * PARTS, TILE)
    usable = (unit > 0) & (unit < float("inf"))
    again = usable
    sweeps = tl.zeros((), tl.int32)
    while again & (sweeps < most):
        again = sweeps < 0
        sweeps += 1
        for p in range(count - 1):
            for q in range(p + 1, count):
                one, other = x + p * n * PARTS, x + q * n * PARTS
                aa = tl.zeros((TILE,), tl.float64)
                ab = of.zeros((TILE,), tl.float64, PARTS)
                bb = aa
                for start in range(0, n, TILE):
                    i = start + lane
                    a = of.over(of.load(one, i, i < n, PARTS), unit)
                    b = of.over(of.load(other, i, i < n, PARTS), unit)
                    aa += of.square(a)
                    ab = of.add(ab, of.mul_conj(a, b))
                    bb += of.square(b)
                alpha, beta = tl.sum(aa, axis=0), tl.sum(bb, axis=0)
                gamma, phase = of.as_real(of.total(ab, 0))
                skew = tl.abs(gamma) > EPSILON * tl.sqrt(alpha) * tl.sqrt(beta)
                tl.debug_barrier()
                if skew & (tl.abs(gamma) > TINY):
                    again = sweeps > 0
                    turn_rows = turned + q * count * PARTS
                    if PARTS == 2:
                        _times(other, phase, n, TILE)
                        _times(turn_rows, of.conj(phase), count, TILE)
                        tl.debug_barrier()
                    zeta = (beta - alpha) / (2 * gamma)
                    t = 1 / (tl.abs(zeta) + hypotenuse(zeta, tl.full((), 1, tl.float64)))
                    t = tl.where(zeta < 0, -t, t)
                    c = 1 / tl.sqrt(1 + t * t)
                    rotate(one, other, c, c * t, n * PARTS, TILE)
                    rotate(turned + p * count * PARTS, turn_rows, c, c * t, count * PARTS, TILE)
                    tl.debug_barrier()
    for p in range(count):
        aa = tl.zeros((TILE,), tl.float64)
        for start in range(0, n, TILE):
            i = start + lane
            a = of.over(of.load(x, p * n + i, i < n, PARTS), tl.where(usable, unit, 1))
            aa += of.square(a)
        tl.store(lengths + program * count + p, tl.sqrt(tl.sum(aa, axis=0)) * tl.where(usable, unit, 1))
    tl.store(info + program, (again | ~(unit < float("inf"))).to(tl.int32))


@triton.jit
def _times(x, factor, n, TILE: tl.constexpr):
    """A row of n complex numbers times one."""
    lane = tl.arange(0, TILE)
    for start in range(0, n, TILE):
        i = start + lane
        of.store(x, i, of.mul(of.load(x, i, i < n, 2), factor), i < n)


@triton.jit
def _largest(x, n, TILE: tl.constexpr):
    """The largest magnitude; infinity where there is a NaN."""
    lane = tl.arange(0, TILE)
    largest = tl.zeros((TILE,), tl.float64)
    for start in range(0, n, TILE):
        i = start + lane
        a = tl.abs(tl.load(x + i, mask=i < n, other=0))
        largest = tl.maximum(largest, tl.where(a == a, a, float("inf")))
    return tl.max(largest, axis=0)


@triton.jit
def in_order(
    values, rows, sorted_values, sorted_rows, count, n, rows_after, DESCENDING: tl.constexpr, UNIT: tl.constexpr, TILE: tl.constexpr
):
    """Values in order, and their rows (of n elements) with them, with UNIT divided by the value. Grid: (matrices, values).

    A matrix has `rows_after` rows in the result. The row of a value 0 becomes 0 with UNIT.
    """
    program, j = tl.program_id(0).to(tl.int64), tl.program_id(1)
    values += program * count
    lane = tl.arange(0, TILE)
    value = tl.load(values + j)
    before = tl.zeros((TILE,), tl.int32)
    for start in range(0, count, TILE):
        i = start + lane
        other = tl.load(values + i, mask=i < count, other=0)
        first = (other > value) if DESCENDING else (other < value)
        before += ((first | (((other == value) | (value != value)) & (i < j))) & (i < count)).to(tl.int32)
    rank = tl.sum(before, axis=0)
    tl.store(sorted_values + program * count + rank, value.to(sorted_values.dtype.element_ty))
    source = rows + (program * count + j) * n
    target = sorted_rows + (program * rows_after + rank) * n
    for start in range(0, n, TILE):
        i = start + lane
        x = tl.load(source + i, mask=i < n, other=0)
        if UNIT:
            x = tl.where(value == 0, 0, x / tl.where(value == 0, 1, value))
        tl.store(target + i, x.to(sorted_rows.dtype.element_ty), mask=i < n)


@triton.jit
def complete(rows, values, count, after, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Rows of length 1, at right angles to all others, for each value 0 and behind the first `count`. Grid: (matrices,).

    rows: (after, n). The unit vector that the rows hold least of, minus its shares of them (twice, for rounding), is the next one.
    """
    program = tl.program_id(0).to(tl.int64)
    rows += program * after * n * PARTS
    values += program * count
    lane = tl.arange(0, TILE)
    for j in range(after):
        value = tl.load(values + tl.minimum(j, count - 1))
        if (j >= count) | (value == 0):
            least = tl.full((), float("inf"), tl.float64)
            at = tl.zeros((), tl.int32)
            for start in range(0, n, TILE):
                i = start + lane
                held = tl.zeros((TILE,), tl.float64)
                for k in range(j):
                    held += of.square(of.load(rows, k * n + i, i < n, PARTS))
                held = tl.where(i < n, held, float("inf"))
                smallest = tl.min(held, axis=0)
                here = tl.min(tl.where(held == smallest, i, n), axis=0)
                at = tl.where(smallest < least, here, at)
                least = tl.minimum(smallest, least)
            row = rows + j * n * PARTS
            for start in range(0, n, TILE):
                i = start + lane
                of.store(row, i, of.from_real(tl.where(i == at, 1.0, 0.0).to(tl.float64), PARTS), i < n)
            tl.debug_barrier()
            for _ in range(2):
                for k in range(j):
                    share = _dot(row, rows + k * n * PARTS, n, PARTS, TILE)
                    tl.debug_barrier()
                    for start in range(0, n, TILE):
                        i = start + lane
                        x = of.load(row, i, i < n, PARTS)
                        y = of.load(rows, k * n + i, i < n, PARTS)
                        of.store(row, i, of.sub(x, of.mul(share, y)), i < n)
                    tl.debug_barrier()
            length = tl.sqrt(_dot(row, row, n, PARTS, TILE)[0])
            tl.debug_barrier()
            for start in range(0, n, TILE):
                i = start + lane
                of.store(row, i, of.over(of.load(row, i, i < n, PARTS), length), i < n)
            tl.debug_barrier()


@triton.jit
def _dot(x, y, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The sum of x conj(y)."""
    lane = tl.arange(0, TILE)
    total = of.zeros((TILE,), tl.float64, PARTS)
    for start in range(0, n, TILE):
        i = start + lane
        total = of.add(total, of.mul_conj(of.load(x, i, i < n, PARTS), of.load(y, i, i < n, PARTS)))
    return of.total(total, 0)


@triton.jit
def mirror(x, a, n, LOWER: tl.constexpr, PARTS: tl.constexpr, TILE: tl.constexpr):
    """a (n, n) is symmetric, or Hermitian of two PARTS, with one triangle of x. Grid: (matrices, tiles of rows)."""
    program = tl.program_id(0).to(tl.int64)
    x += program * n * n * PARTS
    a += program * n * n * PARTS
    i = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for left in range(0, n, TILE):
        j = left + tl.arange(0, TILE)
        inside = (i < n)[:, None] & (j < n)[None, :]
        low, high = tl.minimum(i[:, None], j[None, :]), tl.maximum(i[:, None], j[None, :])
        value = of.cast(of.load(x, high * n + low if LOWER else low * n + high, inside, PARTS), tl.float64)
        if PARTS == 2:
            value = of.where((i[:, None] < j[None, :]) == LOWER, of.conj(value), value)
            value = of.where(i[:, None] == j[None, :], of.from_real(value[0], 2), value)
        of.store(a, i[:, None] * n + j[None, :], value, inside)


@triton.jit
def invert(
    x, turned, lengths, out, atol, rtol, count, long, x_step, turned_step, PARTS: tl.constexpr, TILE: tl.constexpr
):
    """The pseudoinverse of rows that `jacobi` has turned: the sum of conj(x_i turned_i^T) / lengths_i^2.

    Of x (count, long) and turned (count, count) the elements of a row lie in the result `x_step` and `turned_step` apart.
    Lengths up to max(atol, rtol * the largest) count as 0. Grid: (matrices, tiles of x, tiles of turned).
    """
    program = tl.program_id(0).to(tl.int64)
    x += program * count * long * PARTS
    turned += program * count * count * PARTS
    lengths += program * count
    largest = _largest(lengths, count, TILE)
    cut = tl.maximum(atol, rtol * largest)
    i = tl.program_id(1) * TILE + tl.arange(0, TILE)
    j = tl.program_id(2) * TILE + tl.arange(0, TILE)
    total = of.zeros((TILE, TILE), tl.float64, PARTS)
    for k in range(count):
        length = tl.load(lengths + k)
        used = ~(length <= cut)
        safe = tl.where(used, length, 1)
        a = of.over(of.load(x, k * long + i, i < long, PARTS), safe)
        b = of.over(of.load(turned, k * count + j, j < count, PARTS), safe)
        share = of.mul(of.down(a), of.across(b))
        total = of.add(total, of.where(used, share, of.zeros((TILE, TILE), tl.float64, PARTS)))
    spot = program * count * long + (i[:, None] * x_step + j[None, :] * turned_step)
    total = of.cast(of.conj(total), out.dtype.element_ty)
    of.store(out, spot, total, (i < long)[:, None] & (j < count)[None, :])
