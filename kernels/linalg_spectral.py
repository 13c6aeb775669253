"""Eigenvalues of symmetric matrices, and singular values, in float64. Vectors are rows, so that a rotation reads memory in order.

*Eigenvalues*: Householder's reflections make a matrix tridiagonal. The QL method with implicit shifts makes that diagonal: each
rotation of two neighbouring rows and columns turns two eigenvectors. Source: Martin, Reinsch and Wilkinson, and EISPACK's tql2.

*Singular values*: the one-sided method of Jacobi turns two rows at a time until all are at right angles. Their lengths are the
singular values. Source: Golub and Van Loan, Matrix Computations, 8.6.3.
"""

import triton
import triton.language as tl

EPSILON = tl.constexpr(2.220446049250313e-16)
TINY = tl.constexpr(2.2250738585072014e-308)


@triton.jit
def hypotenuse(a, b):
    """sqrt(a * a + b * b) without overflow."""
    a, b = tl.abs(a), tl.abs(b)
    large, small = tl.maximum(a, b), tl.minimum(a, b)
    ratio = tl.where(large > 0, small / tl.where(large > 0, large, 1), 0)
    return large * tl.sqrt(1 + ratio * ratio)


@triton.jit
def tridiagonal(a, taus, diagonal, beside, n, TILE: tl.constexpr):
    """The symmetric a (n, n) as H T H^T. Grid: (matrices,).

    T is divided by its largest magnitude. Its diagonal, and `beside` it (n elements: the last one is that magnitude, or
    infinity where an element is no finite number); below a's diagonal the vectors of n - 1 reflections, of which the last is none.
    """
    program = tl.program_id(0).to(tl.int64)
    a += program * n * n
    taus += program * (n - 1)
    diagonal += program * n
    beside += program * n
    lane = tl.arange(0, TILE)
    unit = _largest(a, n * n, TILE)
    unit = tl.where(unit > 0, unit, 1)
    tl.debug_barrier()
    for start in range(0, n * n, TILE):
        i = start + lane
        x = tl.load(a + i, mask=i < n * n, other=0)
        tl.store(a + i, x / unit, mask=i < n * n)
    tl.store(beside + n - 1, unit)
    tl.debug_barrier()
    for k in range(n - 1):
        largest = tl.zeros((TILE,), tl.float64)
        for top in range(k + 2, n, TILE):
            r = top + lane
            largest = tl.maximum(largest, tl.abs(tl.load(a + (r * n + k), mask=r < n, other=0)))
        scale = tl.max(largest, axis=0)
        squares = tl.zeros((TILE,), tl.float64)
        for top in range(k + 2, n, TILE):
            r = top + lane
            x = tl.load(a + (r * n + k), mask=r < n, other=0)
            x = tl.where(scale > 0, x / scale, x)
            squares += x * x
        rest = scale * tl.sqrt(tl.sum(squares, axis=0))
        first = tl.load(a + ((k + 1) * n + k))
        flat = rest == 0
        length = hypotenuse(first, rest)
        beta = tl.where(flat, first, tl.where(first > 0, -length, length))
        tau = tl.where(flat, 0, (beta - first) / tl.where(flat, 1, beta))
        divisor = tl.where(flat, 1, first - beta)
        tl.debug_barrier()
        for top in range(k + 1, n, TILE):
            r = top + lane
            x = tl.load(a + (r * n + k), mask=r < n, other=0)
            tl.store(a + (r * n + k), tl.where(r == k + 1, 1, x / divisor), mask=r < n)
        tl.debug_barrier()
        # w = tau a v; then w -= tau / 2 (w v) v, in `diagonal` behind k, where it is free
        inner = tl.zeros((TILE,), tl.float64)
        for top in range(k + 1, n, TILE):
            r = top + lane
            w = tl.zeros((TILE,), tl.float64)
            for left in range(k + 1, n, TILE):
                c = left + lane
                inside = (r < n)[:, None] & (c < n)[None, :]
                x = tl.load(a + (r[:, None] * n + c[None, :]), mask=inside, other=0)
                v = tl.load(a + (c * n + k), mask=c < n, other=0)
                w += tl.sum(x * v[None, :], axis=1)
            w *= tau
            inner += w * tl.load(a + (r * n + k), mask=r < n, other=0)
            tl.store(diagonal + r, w, mask=r < n)
        half = tau * tl.sum(inner, axis=0) / 2
        tl.debug_barrier()
        for top in range(k + 1, n, TILE):
            r = top + lane
            w = tl.load(diagonal + r, mask=r < n, other=0)
            v = tl.load(a + (r * n + k), mask=r < n, other=0)
            tl.store(diagonal + r, w - half * v, mask=r < n)
        tl.debug_barrier()
        for top in range(k + 1, n, TILE):
            r = top + lane
            w_of_row = tl.load(diagonal + r, mask=r < n, other=0)
            v_of_row = tl.load(a + (r * n + k), mask=r < n, other=0)
            for left in range(k + 1, n, TILE):
                c = left + lane
                w = tl.load(diagonal + c, mask=c < n, other=0)
                v = tl.load(a + (c * n + k), mask=c < n, other=0)
                inside = (r < n)[:, None] & (c < n)[None, :]
                spot = a + (r[:, None] * n + c[None, :])
                x = tl.load(spot, mask=inside, other=0)
                x -= v_of_row[:, None] * w[None, :] + w_of_row[:, None] * v[None, :]
                tl.store(spot, x, mask=inside)
        tl.store(taus + k, tau)
        tl.store(beside + k, beta)
        tl.debug_barrier()
    for top in range(0, n, TILE):
        r = top + lane
        tl.store(diagonal + r, tl.load(a + r * (n + 1), mask=r < n, other=0), mask=r < n)


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
def diagonalise(diagonal, beside, vectors, info, n, most, TILE: tl.constexpr):
    """The eigenvalues of tridiagonal matrices, in no order, and the rows of `vectors` turned along. Grid: (matrices,).

    info: 0, or the number of eigenvalues that `most` steps each have not found. Where `tridiagonal` found an element that is
    no finite number, all results are NaN.
    """
    program = tl.program_id(0).to(tl.int64)
    diagonal += program * n
    beside += program * n
    vectors += program * n * n
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
                rotate(vectors + i * n, vectors + (i + 1) * n, c, s, n, TILE)
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
        for start in range(0, n * n, TILE):
            i = start + lane
            tl.store(vectors + i, tl.full((TILE,), float("nan"), tl.float64), mask=i < n * n)
    tl.store(info + program, missing)


@triton.jit
def jacobi(x, turned, lengths, info, count, n, most, TILE: tl.constexpr):
    """Rows of x (count, n) turned until they are at right angles, the rows of `turned` (count, count) along. Grid: (matrices,).

    lengths: of the rows. info: 0, or 1 where `most` sweeps over all pairs were not enough.
    """
    program = tl.program_id(0).to(tl.int64)
    x += program * count * n
    turned += program * count * count
    lane = tl.arange(0, TILE)
    unit = _largest(x, count * n, TILE)
    usable = (unit > 0) & (unit < float("inf"))
    again = usable
    sweeps = tl.zeros((), tl.int32)
    while again & (sweeps < most):
        again = sweeps < 0
        sweeps += 1
        for p in range(count - 1):
            for q in range(p + 1, count):
                one, other = x + p * n, x + q * n
                aa = tl.zeros((TILE,), tl.float64)
                ab = aa
                bb = aa
                for start in range(0, n, TILE):
                    i = start + lane
                    a = tl.load(one + i, mask=i < n, other=0) / unit
                    b = tl.load(other + i, mask=i < n, other=0) / unit
                    aa += a * a
                    ab += a * b
                    bb += b * b
                alpha, gamma, beta = tl.sum(aa, axis=0), tl.sum(ab, axis=0), tl.sum(bb, axis=0)
                skew = tl.abs(gamma) > EPSILON * tl.sqrt(alpha) * tl.sqrt(beta)
                tl.debug_barrier()
                if skew & (tl.abs(gamma) > TINY):
                    again = sweeps > 0
                    zeta = (beta - alpha) / (2 * gamma)
                    t = 1 / (tl.abs(zeta) + hypotenuse(zeta, tl.full((), 1, tl.float64)))
                    t = tl.where(zeta < 0, -t, t)
                    c = 1 / tl.sqrt(1 + t * t)
                    rotate(one, other, c, c * t, n, TILE)
                    rotate(turned + p * count, turned + q * count, c, c * t, count, TILE)
                    tl.debug_barrier()
    for p in range(count):
        aa = tl.zeros((TILE,), tl.float64)
        for start in range(0, n, TILE):
            i = start + lane
            a = tl.load(x + p * n + i, mask=i < n, other=0) / tl.where(usable, unit, 1)
            aa += a * a
        tl.store(lengths + program * count + p, tl.sqrt(tl.sum(aa, axis=0)) * tl.where(usable, unit, 1))
    tl.store(info + program, (again | ~(unit < float("inf"))).to(tl.int32))


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
def complete(rows, values, count, after, n, TILE: tl.constexpr):
    """Rows of length 1, at right angles to all others, for each value 0 and behind the first `count`. Grid: (matrices,).

    rows: (after, n). The unit vector that the rows hold least of, minus its shares of them (twice, for rounding), is the next one.
    """
    program = tl.program_id(0).to(tl.int64)
    rows += program * after * n
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
                    x = tl.load(rows + k * n + i, mask=i < n, other=0)
                    held += x * x
                held = tl.where(i < n, held, float("inf"))
                smallest = tl.min(held, axis=0)
                here = tl.min(tl.where(held == smallest, i, n), axis=0)
                at = tl.where(smallest < least, here, at)
                least = tl.minimum(smallest, least)
            row = rows + j * n
            for start in range(0, n, TILE):
                i = start + lane
                tl.store(row + i, tl.where(i == at, 1.0, 0.0).to(tl.float64), mask=i < n)
            tl.debug_barrier()
            for _ in range(2):
                for k in range(j):
                    share = _dot(rows + k * n, row, n, TILE)
                    tl.debug_barrier()
                    for start in range(0, n, TILE):
                        i = start + lane
                        x = tl.load(row + i, mask=i < n, other=0)
                        y = tl.load(rows + k * n + i, mask=i < n, other=0)
                        tl.store(row + i, x - share * y, mask=i < n)
                    tl.debug_barrier()
            length = tl.sqrt(_dot(row, row, n, TILE))
            tl.debug_barrier()
            for start in range(0, n, TILE):
                i = start + lane
                tl.store(row + i, tl.load(row + i, mask=i < n, other=0) / length, mask=i < n)
            tl.debug_barrier()


@triton.jit
def _dot(x, y, n, TILE: tl.constexpr):
    lane = tl.arange(0, TILE)
    total = tl.zeros((TILE,), tl.float64)
    for start in range(0, n, TILE):
        i = start + lane
        total += tl.load(x + i, mask=i < n, other=0) * tl.load(y + i, mask=i < n, other=0)
    return tl.sum(total, axis=0)


@triton.jit
def mirror(x, a, n, LOWER: tl.constexpr, TILE: tl.constexpr):
    """a (n, n) is symmetric, with one triangle of x. Grid: (matrices, tiles of rows)."""
    program = tl.program_id(0).to(tl.int64)
    x += program * n * n
    a += program * n * n
    i = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for left in range(0, n, TILE):
        j = left + tl.arange(0, TILE)
        inside = (i < n)[:, None] & (j < n)[None, :]
        low, high = tl.minimum(i[:, None], j[None, :]), tl.maximum(i[:, None], j[None, :])
        value = tl.load(x + (high * n + low if LOWER else low * n + high), mask=inside, other=0)
        tl.store(a + (i[:, None] * n + j[None, :]), value.to(tl.float64), mask=inside)


@triton.jit
def invert(x, turned, lengths, out, atol, rtol, count, long, x_step, turned_step, TILE: tl.constexpr):
    """The pseudoinverse of rows that `jacobi` has turned: the sum of x_i turned_i^T / lengths_i^2.

    Of x (count, long) and turned (count, count) the elements of a row lie in the result `x_step` and `turned_step` apart.
    Lengths up to max(atol, rtol * the largest) count as 0. Grid: (matrices, tiles of x, tiles of turned).
    """
    program = tl.program_id(0).to(tl.int64)
    x += program * count * long
    turned += program * count * count
    lengths += program * count
    largest = _largest(lengths, count, TILE)
    cut = tl.maximum(atol, rtol * largest)
    i = tl.program_id(1) * TILE + tl.arange(0, TILE)
    j = tl.program_id(2) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float64)
    for k in range(count):
        length = tl.load(lengths + k)
        used = ~(length <= cut)
        safe = tl.where(used, length, 1)
        a = tl.load(x + k * long + i, mask=i < long, other=0) / safe
        b = tl.load(turned + k * count + j, mask=j < count, other=0) / safe
        total += tl.where(used, a[:, None] * b[None, :], 0)
    spot = out + program * count * long + (i[:, None] * x_step + j[None, :] * turned_step)
    tl.store(spot, total.to(out.dtype.element_ty), mask=(i < long)[:, None] & (j < count)[None, :])
