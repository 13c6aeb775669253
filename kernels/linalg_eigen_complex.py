"""Eigenvalues and eigenvectors of complex square matrices, in float64. Numbers are pairs.

Reflections make a matrix A = Q H Q^H, with zeros in H below the elements under its diagonal (linalg_eigen.py). Steps of rotations,
each with one shift, make H upper triangular (Schur's form T), with the eigenvalues in its diagonal. The equations (T - value) x = 0
are solved from the last row to the first, and Q x is an eigenvector. Q is in memory as its adjoint, whose rows the steps turn.

Source: EISPACK's comqr2; Golub and Van Loan, Matrix Computations, 7.5 and 7.6; the exceptional shifts of LAPACK's zlahqr.
"""

import triton
import triton.language as tl

from . import numbers
from .linalg_eigen import back, start_of_block
from .linalg_spectral import EPSILON


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
        first = start_of_block(h, last, n, 2)
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
