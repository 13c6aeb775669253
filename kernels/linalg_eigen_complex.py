"""Eigenvalues and eigenvectors of complex square matrices, in float64. Numbers are pairs.

Reflections make a matrix A = Q H Q^H, with zeros in H below the elements under its diagonal. Steps of rotations, each with one
shift, make H upper triangular (Schur's form T), with the eigenvalues in its diagonal. The equations (T - value) x = 0 are solved
from the last row to the first, and Q x is an eigenvector. Q is in memory as its adjoint, whose rows the steps turn.

Source: EISPACK's comqr2; Golub and Van Loan, Matrix Computations, 7.5 and 7.6; the exceptional shifts of LAPACK's zlahqr.
"""

import triton
import triton.language as tl

from . import numbers
from .linalg_eigen import back
from .linalg_spectral import EPSILON, _largest


@triton.jit
def hessenberg(a, q, spare, n, TILE: tl.constexpr):
    """a (n, n) divided by its largest part becomes H, the identity q becomes Q^H. Grid: (matrices,).

    spare: 2 n + 1 elements, the last of which becomes that part; infinity where an element is no finite number.
    """
    program = tl.program_id(0).to(tl.int64)
    a += program * n * n * 2
    q += program * n * n * 2
    v = spare + program * (2 * n + 1)
    lane = tl.arange(0, TILE)
    unit = _largest(a, n * n * 2, TILE)
    divisor = tl.where((unit > 0) & (unit < float("inf")), unit, 1)
    tl.debug_barrier()
    for start in range(0, n * n * 2, TILE):
        i = start + lane
        x = tl.load(a + i, mask=i < n * n * 2, other=0)
        tl.store(a + i, x / divisor, mask=i < n * n * 2)
    tl.store(v + 2 * n, tl.where(unit > 0, unit, 1))
    tl.debug_barrier()
    for k in range(n - 2):
        tau = _reflection(a, v, k, n, TILE)
        tl.debug_barrier()
        _reflect_rows(a, v, tau, k + 1, k + 1, n, TILE)
        tl.debug_barrier()
        _reflect_columns(a, v, tau, k + 1, n, TILE)
        _reflect_rows(q, v, tau, k + 1, 0, n, TILE)
        tl.debug_barrier()


@triton.jit
def _reflection(a, v, k, n, TILE: tl.constexpr):
    """tau of the reflection that makes column k of a zero below row k + 1, which is done; its vector goes to v[k + 1:].

    It is Hermitian: tau is real, and the element that stays has the phase of the one before.
    """
    lane = tl.arange(0, TILE)
    largest = tl.zeros((TILE,), tl.float64)
    for top in range(k + 2, n, TILE):
        r = top + lane
        largest = tl.maximum(largest, numbers.largest_part(numbers.load(a, r * n + k, r < n, 2)))
    scale = tl.max(largest, axis=0)
    squares = tl.zeros((TILE,), tl.float64)
    for top in range(k + 2, n, TILE):
        r = top + lane
        squares += numbers.square(numbers.over(numbers.load(a, r * n + k, r < n, 2), tl.where(scale > 0, scale, 1)))
    rest = scale * tl.sqrt(tl.sum(squares, axis=0))
    first = numbers.at(a, (k + 1) * n + k, 2)
    flat = rest == 0
    size, phase = numbers.as_real(first)
    length = numbers.hypotenuse(size, rest)
    phase = numbers.where(size > 0, phase, numbers.from_real(tl.full((), 1, tl.float64), 2))
    beta = numbers.where(flat, first, numbers.scale(phase, -length))
    divisor = numbers.where(flat, numbers.from_real(tl.full((), 1, tl.float64), 2), numbers.sub(first, beta))
    zero = numbers.zeros((TILE,), tl.float64, 2)
    tl.debug_barrier()
    for top in range(k + 1, n, TILE):
        r = top + lane
        x = numbers.div(numbers.load(a, r * n + k, r < n, 2), divisor)
        numbers.store(v, r, (tl.where(r == k + 1, 1, x[0]), tl.where(r == k + 1, 0, x[1])), r < n)
        numbers.store(a, r * n + k, numbers.where(r == k + 1, beta, zero), r < n)
    return tl.where(flat, 0, (size + length) / tl.where(flat, 1, length))


@triton.jit
def _reflect_rows(a, v, tau, first, left, n, TILE: tl.constexpr):
    """Rows from `first` on, and columns from `left` on, of (1 - tau v v^H) a."""
    lane = tl.arange(0, TILE)
    for start in range(left, n, TILE):
        c = start + lane
        share = numbers.zeros((TILE,), tl.float64, 2)
        for top in range(first, n, TILE):
            r = top + lane
            x = numbers.load(a, r[:, None] * n + c[None, :], (r < n)[:, None] & (c < n)[None, :], 2)
            share = numbers.add(share, numbers.total(numbers.mul_conj(x, numbers.down(numbers.load(v, r, r < n, 2))), 0))
        share = numbers.across(numbers.scale(share, tau))
        tl.debug_barrier()
        for top in range(first, n, TILE):
            r = top + lane
            spot, inside = r[:, None] * n + c[None, :], (r < n)[:, None] & (c < n)[None, :]
            x = numbers.load(a, spot, inside, 2)
            numbers.store(a, spot, numbers.sub(x, numbers.mul(numbers.down(numbers.load(v, r, r < n, 2)), share)), inside)


@triton.jit
def _reflect_columns(a, v, tau, first, n, TILE: tl.constexpr):
    """Columns from `first` on of a (1 - tau v v^H)."""
    lane = tl.arange(0, TILE)
    for top in range(0, n, TILE):
        r = top + lane
        share = numbers.zeros((TILE,), tl.float64, 2)
        for left in range(first, n, TILE):
            c = left + lane
            x = numbers.load(a, r[:, None] * n + c[None, :], (r < n)[:, None] & (c < n)[None, :], 2)
            share = numbers.add(share, numbers.total(numbers.mul(x, numbers.across(numbers.load(v, c, c < n, 2))), 1))
        share = numbers.down(numbers.scale(share, tau))
        tl.debug_barrier()
        for left in range(first, n, TILE):
            c = left + lane
            spot, inside = r[:, None] * n + c[None, :], (r < n)[:, None] & (c < n)[None, :]
            x = numbers.load(a, spot, inside, 2)
            numbers.store(a, spot, numbers.sub(x, numbers.mul_conj(share, numbers.across(numbers.load(v, c, c < n, 2)))), inside)


@triton.jit
def schur(h, q, spare, values, info, n, most, TILE: tl.constexpr):
    """H becomes upper triangular, its diagonal goes to values (n, 2). Grid: (matrices,).

    info: 0; or the number of eigenvalues that were not found, as one needed more than `most` steps; or -1 where `hessenberg` found
    numbers that are not finite.
    """
    program = tl.program_id(0).to(tl.int64)
    h += program * n * n * 2
    q += program * n * n * 2
    values += program * n * 2
    finite = tl.load(spare + program * (2 * n + 1) + 2 * n) < float("inf")
    missing = tl.where(finite, 0, -1)
    last = tl.where(finite, n - 1, -1)
    steps = last * 0
    while last >= 0:
        first = _start_of_block(h, last, n)
        tl.debug_barrier()
        if first == last:
            numbers.put(values, last, numbers.at(h, last * (n + 1), 2))
            last = first - 1
            steps = last * 0
        elif steps < most:
            _step(h, q, first, last, _shift(h, last, steps, n), n, TILE)
            steps += 1
        else:
            missing = last + 1
            last = last * 0 - 1
        tl.debug_barrier()
    tl.store(info + program, missing.to(tl.int32))


@triton.jit
def _start_of_block(h, last, n):
    """The first row whose neighbour before it is joined by nothing but rounding, from `last` upwards."""
    row = last
    while (row > 0) & _joined(h, tl.maximum(row, 1), n):
        row -= 1
    return row


@triton.jit
def _joined(h, row, n):
    size = numbers.size(numbers.at(h, (row - 1) * (n + 1), 2)) + numbers.size(numbers.at(h, row * (n + 1), 2))
    return numbers.size(numbers.at(h, row * n + row - 1, 2)) > EPSILON * tl.where(size == 0, 1, size)


@triton.jit
def _shift(h, last, steps, n):
    """The eigenvalue of the last two rows that is nearer to the last element; each tenth step has another shift."""
    d, below = numbers.at(h, last * (n + 1), 2), numbers.at(h, last * n + last - 1, 2)
    half = numbers.scale(numbers.sub(numbers.at(h, (last - 1) * (n + 1), 2), d), 0.5)
    product = numbers.mul(numbers.at(h, (last - 1) * n + last, 2), below)
    root = _root(numbers.add(numbers.mul(half, half), product))
    along = half[0] * root[0] + half[1] * root[1] >= 0
    far = numbers.where(along, numbers.add(half, root), numbers.sub(half, root))
    none = numbers.is_zero(far)
    near = numbers.div(product, numbers.where(none, numbers.from_real(tl.full((), 1, tl.float64), 2), far))
    shift = numbers.where(none, d, numbers.sub(d, near))
    other = (d[0] + 0.75 * numbers.size(below), d[1])
    return numbers.where(steps % 10 == 9, other, shift)


@triton.jit
def _root(x):
    """The square root with a real part of at least 0."""
    size = numbers.magnitude(x)
    large = tl.sqrt((size + tl.abs(x[0])) / 2)
    small = tl.where(large > 0, x[1] / (2 * tl.where(large > 0, large, 1)), 0)
    return tl.where(x[0] >= 0, large, tl.abs(small)), tl.where(x[0] >= 0, small, tl.where(x[1] < 0, -large, large))


@triton.jit
def _step(h, q, first, last, shift, n, TILE: tl.constexpr):
    """One step on the rows `first` to `last`: rotations of neighbours, each of which moves an element down along the diagonal."""
    x = numbers.sub(numbers.at(h, first * (n + 1), 2), shift)
    y = numbers.at(h, (first + 1) * n + first, 2)
    for k in range(first, last):
        inner = k > first
        before = tl.maximum(k - 1, 0)
        x = numbers.where(inner, numbers.at(h, k * n + before, 2), x)
        y = numbers.where(inner, numbers.at(h, (k + 1) * n + before, 2), y)
        size, phase = numbers.as_real(x)
        length = numbers.hypotenuse(size, numbers.magnitude(y))
        none = length == 0
        phase = numbers.where(size > 0, phase, numbers.from_real(tl.full((), 1, tl.float64), 2))
        cosine = tl.where(none, 1, size / tl.where(none, 1, length))
        sine = numbers.over(numbers.mul_conj(phase, y), tl.where(none, 1, length))
        tl.debug_barrier()
        # rows from column k - 1 on within the block: the element before a block is rounding
        _turn_rows(h + k * n * 2, h + (k + 1) * n * 2, tl.where(inner, k - 1, k), n, cosine, sine, TILE)
        tl.debug_barrier()
        if inner:
            numbers.put(h, (k + 1) * n + before, numbers.zeros((), tl.float64, 2))
        _turn_columns(h, k, tl.minimum(last, k + 2) + 1, n, cosine, sine, TILE)
        _turn_rows(q + k * n * 2, q + (k + 1) * n * 2, 0, n, cosine, sine, TILE)
        tl.debug_barrier()


@triton.jit
def _turn_rows(one, other, start, n, c, s, TILE: tl.constexpr):
    """Elements from `start` on of two rows (x, y) become (c x + s y, c y - conj(s) x)."""
    lane = tl.arange(0, TILE)
    for begin in range(start, n, TILE):
        i = begin + lane
        x, y = numbers.load(one, i, i < n, 2), numbers.load(other, i, i < n, 2)
        numbers.store(one, i, numbers.add(numbers.scale(x, c), numbers.mul(y, s)), i < n)
        numbers.store(other, i, numbers.sub(numbers.scale(y, c), numbers.mul_conj(x, s)), i < n)


@triton.jit
def _turn_columns(h, column, stop, n, c, s, TILE: tl.constexpr):
    """Elements up to `stop` of a column and the next one (x, y) become (c x + conj(s) y, c y - s x)."""
    lane = tl.arange(0, TILE)
    for begin in range(0, stop, TILE):
        i = begin + lane
        spot = i * n + column
        x, y = numbers.load(h, spot, i < stop, 2), numbers.load(h, spot + 1, i < stop, 2)
        numbers.store(h, spot, numbers.add(numbers.scale(x, c), numbers.mul_conj(y, s)), i < stop)
        numbers.store(h, spot + 1, numbers.sub(numbers.scale(y, c), numbers.mul(x, s)), i < stop)


@triton.jit
def eigenvectors(t, q, spare, values, x, eigenvalues, vectors, n, TILE: tl.constexpr):
    """Eigenvalue j and its eigenvector of length 1, column j of vectors (n, n, 2). Grid: (matrices, values).

    x: two rows of n elements for each vector. The largest element of a vector is real, as LAPACK's.
    """
    program, j = tl.program_id(0).to(tl.int64), tl.program_id(1)
    t += program * n * n * 2
    q += program * n * n * 2
    real = x + (program * n + j) * n * 2
    imaginary = real + n
    value = numbers.at(values + program * n * 2, j, 2)
    unit = tl.load(spare + program * (2 * n + 1) + 2 * n)
    numbers.put(eigenvalues, program * n + j, numbers.cast(numbers.scale(value, unit), eigenvalues.dtype.element_ty))
    _solve_upwards(t, value, real, imaginary, j, n, TILE)
    tl.debug_barrier()
    back(q, real, imaginary, j + 1, vectors + (program * n * n + j) * 2, 1.0, False, n, 2, TILE)


@triton.jit
def _solve_upwards(t, value, real, imaginary, top, n, TILE: tl.constexpr):
    """x with (T - value) x = 0 and 1 in row `top`, 0 below."""
    lane = tl.arange(0, TILE)
    for start in range(0, n, TILE):
        i = start + lane
        tl.store(real + i, tl.where(i == top, 1.0, 0.0).to(tl.float64), mask=i < n)
        tl.store(imaginary + i, tl.zeros((TILE,), tl.float64), mask=i < n)
    tl.debug_barrier()
    row = top - 1
    while row >= 0:
        rest = numbers.zeros((TILE,), tl.float64, 2)
        for begin in range(row + 1, top + 1, TILE):
            i = begin + lane
            inside = i <= top
            x = tl.load(real + i, mask=inside, other=0), tl.load(imaginary + i, mask=inside, other=0)
            rest = numbers.sub(rest, numbers.mul(numbers.load(t, row * n + i, inside, 2), x))
        gap = numbers.sub(numbers.at(t, row * (n + 1), 2), value)
        gap = numbers.where(numbers.size(gap) < EPSILON, numbers.from_real(tl.full((), EPSILON, tl.float64), 2), gap)
        found = numbers.div(numbers.total(rest, 0), gap)
        tl.debug_barrier()
        tl.store(real + row, found[0])
        tl.store(imaginary + row, found[1])
        tl.debug_barrier()
        size = numbers.size(found)
        if size > 1e100:
            for start in range(0, n, TILE):
                i = start + lane
                tl.store(real + i, tl.load(real + i, mask=i < n, other=0) / size, mask=i < n)
                tl.store(imaginary + i, tl.load(imaginary + i, mask=i < n, other=0) / size, mask=i < n)
            tl.debug_barrier()
        row -= 1
