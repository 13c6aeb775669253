"""Eigenvalues and eigenvectors of square matrices that need not be symmetric, in float64.

Reflections make a matrix A = Q H Q^H, with zeros in H below the elements under its diagonal. They are for complex ones as well,
for which the other kernels are in linalg_eigen_complex.py. Francis' steps, each with two shifts, make a real H block
triangular, which is Schur's form: a block has one real eigenvalue, or two conjugate ones. The equations (H - value) x = 0 are
solved from the last row to the first, and Q x is an eigenvector. Q is in memory as its adjoint, whose rows the steps turn.

Source: EISPACK's orthes and hqr2; Golub and Van Loan, Matrix Computations, 7.5 and 7.6; the exceptional shifts of LAPACK's dlahqr.
"""

import triton
import triton.language as tl

from . import numbers
from .linalg_spectral import EPSILON, _largest
from .numbers import hypotenuse


@triton.jit
def hessenberg(a, q, spare, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """a (n, n) divided by its largest part becomes H, the identity q becomes Q^H. Grid: (matrices,).

    spare: n PARTS + 1 elements, the last of which becomes that part; infinity where an element is no finite number.
    """
    program = tl.program_id(0).to(tl.int64)
    a += program * n * n * PARTS
    q += program * n * n * PARTS
    v = spare + program * (n * PARTS + 1)
    lane = tl.arange(0, TILE)
    unit = _largest(a, n * n * PARTS, TILE)
    divisor = tl.where((unit > 0) & (unit < float("inf")), unit, 1)
    tl.debug_barrier()
    for start in range(0, n * n * PARTS, TILE):
        i = start + lane
        x = tl.load(a + i, mask=i < n * n * PARTS, other=0)
        tl.store(a + i, x / divisor, mask=i < n * n * PARTS)
    tl.store(v + n * PARTS, tl.where(unit > 0, unit, 1))
    tl.debug_barrier()
    for k in range(n - 2):
        tau = _reflection(a, v, k, n, PARTS, TILE)
        tl.debug_barrier()
        _reflect_rows(a, v, tau, k + 1, k + 1, n, PARTS, TILE)
        tl.debug_barrier()
        _reflect_columns(a, v, tau, k + 1, n, PARTS, TILE)
        _reflect_rows(q, v, tau, k + 1, 0, n, PARTS, TILE)
        tl.debug_barrier()


@triton.jit
def _reflection(a, v, k, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """tau of the reflection that makes column k of a zero below row k + 1, which is done; its vector goes to v[k + 1:].

    It is Hermitian: tau is real, and the element that stays has the phase of the one before.
    """
    lane = tl.arange(0, TILE)
    largest = tl.zeros((TILE,), tl.float64)
    for top in range(k + 2, n, TILE):
        r = top + lane
        largest = tl.maximum(largest, numbers.largest_part(numbers.load(a, r * n + k, r < n, PARTS)))
    scale = tl.max(largest, axis=0)
    squares = tl.zeros((TILE,), tl.float64)
    for top in range(k + 2, n, TILE):
        r = top + lane
        squares += numbers.square(numbers.over(numbers.load(a, r * n + k, r < n, PARTS), tl.where(scale > 0, scale, 1)))
    rest = scale * tl.sqrt(tl.sum(squares, axis=0))
    first = numbers.at(a, (k + 1) * n + k, PARTS)
    flat = rest == 0
    one = numbers.from_real(tl.full((), 1, tl.float64), PARTS)
    size = numbers.magnitude(first)
    length = numbers.hypotenuse(size, rest)
    phase = numbers.where(size > 0, numbers.sign(first), one)
    beta = numbers.where(flat, first, numbers.scale(phase, -length))
    divisor = numbers.where(flat, one, numbers.sub(first, beta))
    zero = numbers.zeros((TILE,), tl.float64, PARTS)
    tl.debug_barrier()
    for top in range(k + 1, n, TILE):
        r = top + lane
        x = numbers.div(numbers.load(a, r * n + k, r < n, PARTS), divisor)
        numbers.store(v, r, numbers.where(r == k + 1, one, x), r < n)
        numbers.store(a, r * n + k, numbers.where(r == k + 1, beta, zero), r < n)
    return tl.where(flat, 0, (size + length) / tl.where(flat, 1, length))


@triton.jit
def _reflect_rows(a, v, tau, first, left, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Rows from `first` on, and columns from `left` on, of (1 - tau v v^H) a."""
    lane = tl.arange(0, TILE)
    for start in range(left, n, TILE):
        c = start + lane
        share = numbers.zeros((TILE,), tl.float64, PARTS)
        for top in range(first, n, TILE):
            r = top + lane
            x = numbers.load(a, r[:, None] * n + c[None, :], (r < n)[:, None] & (c < n)[None, :], PARTS)
            share = numbers.add(share, numbers.total(numbers.mul_conj(x, numbers.down(numbers.load(v, r, r < n, PARTS))), 0))
        share = numbers.across(numbers.scale(share, tau))
        tl.debug_barrier()
        for top in range(first, n, TILE):
            r = top + lane
            spot, inside = r[:, None] * n + c[None, :], (r < n)[:, None] & (c < n)[None, :]
            x = numbers.load(a, spot, inside, PARTS)
            numbers.store(a, spot, numbers.sub(x, numbers.mul(numbers.down(numbers.load(v, r, r < n, PARTS)), share)), inside)


@triton.jit
def _reflect_columns(a, v, tau, first, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Columns from `first` on of a (1 - tau v v^H)."""
    lane = tl.arange(0, TILE)
    for top in range(0, n, TILE):
        r = top + lane
        share = numbers.zeros((TILE,), tl.float64, PARTS)
        for left in range(first, n, TILE):
            c = left + lane
            x = numbers.load(a, r[:, None] * n + c[None, :], (r < n)[:, None] & (c < n)[None, :], PARTS)
            share = numbers.add(share, numbers.total(numbers.mul(x, numbers.across(numbers.load(v, c, c < n, PARTS))), 1))
        share = numbers.down(numbers.scale(share, tau))
        tl.debug_barrier()
        for left in range(first, n, TILE):
            c = left + lane
            spot, inside = r[:, None] * n + c[None, :], (r < n)[:, None] & (c < n)[None, :]
            change = numbers.mul_conj(share, numbers.across(numbers.load(v, c, c < n, PARTS)))
            numbers.store(a, spot, numbers.sub(numbers.load(a, spot, inside, PARTS), change), inside)


@triton.jit
def schur(h, q, spare, values, info, n, most, TILE: tl.constexpr):
    """H becomes block triangular, its eigenvalues go to values (n, 2): real and imaginary parts. Grid: (matrices,).

    info: 0; or the number of eigenvalues that were not found, as one needed more than `most` steps; or -1 where `hessenberg` found
    numbers that are not finite.
    """
    program = tl.program_id(0).to(tl.int64)
    h += program * n * n
    q += program * n * n
    values += program * n * 2
    finite = tl.load(spare + program * (n + 1) + n) < float("inf")
    missing = tl.where(finite, 0, -1)
    last = tl.where(finite, n - 1, -1)
    steps = last * 0
    while last >= 0:
        first = start_of_block(h, last, n, 1)
        tl.debug_barrier()
        if first == last:
            _one_value(h, values, last, n)
            last = first - 1
            steps = last * 0
        elif first == last - 1:
            _two_values(h, q, values, last, n, TILE)
            last = first - 1
            steps = last * 0
        elif steps < most:
            _francis(h, q, first, last, steps, n, TILE)
            steps += 1
        else:
            missing = last + 1
            last = last * 0 - 1
        tl.debug_barrier()
    tl.store(info + program, missing.to(tl.int32))


@triton.jit
def start_of_block(h, last, n, PARTS: tl.constexpr):
    """The first row whose neighbour before it is joined by nothing but rounding, from `last` upwards."""
    row = last
    while (row > 0) & _joined(h, tl.maximum(row, 1), n, PARTS):
        row -= 1
    return row


@triton.jit
def _joined(h, row, n, PARTS: tl.constexpr):
    size = numbers.size(numbers.at(h, (row - 1) * (n + 1), PARTS)) + numbers.size(numbers.at(h, row * (n + 1), PARTS))
    return numbers.size(numbers.at(h, row * n + row - 1, PARTS)) > EPSILON * tl.where(size == 0, 1, size)


@triton.jit
def _one_value(h, values, row, n):
    tl.store(values + row * 2, tl.load(h + row * (n + 1)))
    tl.store(values + row * 2 + 1, tl.zeros((), tl.float64))


@triton.jit
def _two_values(h, q, values, last, n, TILE: tl.constexpr):
    """The block of two rows that ends at `last`: its values; real ones are made two blocks."""
    row = last - 1
    a, b = tl.load(h + row * (n + 1)), tl.load(h + (row * n + last))
    c, d = tl.load(h + (last * n + row)), tl.load(h + last * (n + 1))
    p = (a - d) / 2
    square = p * p + b * c
    root = tl.sqrt(tl.abs(square))
    real = square >= 0
    z = tl.where(p >= 0, p + root, p - root)
    one = tl.where(real, d + z, d + p)
    other = tl.where(real & (z != 0), d - b * c / tl.where(z == 0, 1, z), one)
    tl.store(values + row * 2, one)
    tl.store(values + row * 2 + 1, tl.where(real, 0, root))
    tl.store(values + last * 2, other)
    tl.store(values + last * 2 + 1, tl.where(real, 0, -root))
    tl.debug_barrier()
    if real:
        length = hypotenuse(c, z)
        cosine, sine = z / length, -c / length
        _turn(h + row * n, h + last * n, 1, row, n, cosine, sine, TILE)
        tl.debug_barrier()
        _turn(h + row, h + last, n, 0, last + 1, cosine, sine, TILE)
        _turn(q + row * n, q + last * n, 1, 0, n, cosine, sine, TILE)
        tl.debug_barrier()
        tl.store(h + (last * n + row), tl.zeros((), tl.float64))
        tl.store(h + row * (n + 1), one)
        tl.store(h + last * (n + 1), other)


@triton.jit
def _turn(x, y, step, start, stop, c, s, TILE: tl.constexpr):
    """Elements `start` to `stop` of two vectors (x, y) become (c x - s y, s x + c y)."""
    lane = tl.arange(0, TILE)
    for begin in range(start, stop, TILE):
        i = begin + lane
        a = tl.load(x + i * step, mask=i < stop, other=0)
        b = tl.load(y + i * step, mask=i < stop, other=0)
        tl.store(x + i * step, c * a - s * b, mask=i < stop)
        tl.store(y + i * step, s * a + c * b, mask=i < stop)


@triton.jit
def _francis(h, q, first, last, steps, n, TILE: tl.constexpr):
    """One step on the rows `first` to `last`. Its two shifts are the eigenvalues of the last two rows; each tenth has others."""
    below = tl.abs(tl.load(h + (last * n + last - 1))) + tl.abs(tl.load(h + ((last - 1) * n + last - 2)))
    end = tl.load(h + last * (n + 1))
    exceptional = steps % 10 == 9
    x = tl.where(exceptional, end + 0.75 * below, end)
    y = tl.where(exceptional, x, tl.load(h + (last - 1) * (n + 1)))
    w = tl.load(h + (last * n + last - 1)) * tl.load(h + ((last - 1) * n + last))
    w = tl.where(exceptional, -0.4375 * below * below, w)
    top = last - 2
    p, s, t = _first_column(h, top, n, x, y, w)
    while (top > first) & _matters(h, tl.maximum(top, 1), n, p, s, t):
        top -= 1
        p, s, t = _first_column(h, top, n, x, y, w)
    for k in range(top, last):
        before = tl.maximum(k - 1, 0)
        inner = k > top
        whole = k < last - 1
        p = tl.where(inner, tl.load(h + (k * n + before)), p)
        s = tl.where(inner, tl.load(h + ((k + 1) * n + before)), s)
        third = tl.load(h + (tl.minimum(k + 2, last) * n + before))
        t = tl.where(whole, tl.where(inner, third, t), 0)
        scale = tl.abs(p) + tl.abs(s) + tl.abs(t)
        tl.debug_barrier()
        if scale > 0:
            p1, s1, t1 = p / scale, s / scale, t / scale
            length = tl.sqrt(p1 * p1 + s1 * s1 + t1 * t1)
            length = tl.where(p1 < 0, -length, length)
            old = tl.load(h + (k * n + before))
            tl.debug_barrier()
            tl.store(h + (k * n + before), tl.where(inner, -length * scale, -old), mask=inner | (top > first))
            tl.store(h + ((k + 1) * n + before), tl.zeros((), tl.float64), mask=inner)
            tl.store(h + (tl.minimum(k + 2, last) * n + before), tl.zeros((), tl.float64), mask=inner & whole)
            p1 += length
            one, two, three = p1 / length, s1 / length, t1 / length
            s1, t1 = s1 / p1, t1 / p1
            tl.debug_barrier()
            _reflect_three(h + k * n, n, 1, k, n, one, two, three, s1, t1, whole, TILE)
            tl.debug_barrier()
            _reflect_three(h + k, 1, n, 0, tl.minimum(last, k + 3) + 1, one, two, three, s1, t1, whole, TILE)
            _reflect_three(q + k * n, n, 1, 0, n, one, two, three, s1, t1, whole, TILE)
            tl.debug_barrier()


@triton.jit
def _first_column(h, row, n, x, y, w):
    """The first three elements of (H - x)(H - y) - w from a row on, up to a factor."""
    z = tl.load(h + row * (n + 1))
    r, s = x - z, y - z
    under = tl.load(h + ((row + 1) * n + row))
    p = (r * s - w) / tl.where(under == 0, 1, under) + tl.load(h + (row * n + row + 1))
    q = tl.load(h + (row + 1) * (n + 1)) - z - r - s
    t = tl.load(h + ((row + 2) * n + row + 1))
    size = tl.abs(p) + tl.abs(q) + tl.abs(t)
    size = tl.where(size == 0, 1, size)
    return p / size, q / size, t / size


@triton.jit
def _matters(h, row, n, p, q, r):
    """Whether a step that begins at this row would change the element before it by more than rounding."""
    near = tl.abs(tl.load(h + (row - 1) * (n + 1))) + tl.abs(tl.load(h + row * (n + 1))) + tl.abs(tl.load(h + (row + 1) * (n + 1)))
    return tl.abs(tl.load(h + (row * n + row - 1))) * (tl.abs(q) + tl.abs(r)) >= EPSILON * tl.abs(p) * near


@triton.jit
def _reflect_three(x, between, step, start, stop, one, two, three, q, r, whole, TILE: tl.constexpr):
    """Elements of three vectors (two without `whole`) reflected: (a, b, c) - (a + q b + r c) (one, two, three)."""
    lane = tl.arange(0, TILE)
    for begin in range(start, stop, TILE):
        i = begin + lane
        spot = x + i * step
        a = tl.load(spot, mask=i < stop, other=0)
        b = tl.load(spot + between, mask=i < stop, other=0)
        c = tl.load(spot + 2 * between, mask=(i < stop) & whole, other=0)
        share = a + q * b + r * c
        tl.store(spot, a - share * one, mask=i < stop)
        tl.store(spot + between, b - share * two, mask=i < stop)
        tl.store(spot + 2 * between, c - share * three, mask=(i < stop) & whole)


@triton.jit
def eigenvectors(t, q, spare, values, x, eigenvalues, vectors, n, TILE: tl.constexpr):
    """Eigenvalue j (a pair of numbers) and its eigenvector of length 1, column j of vectors (n, n, 2). Grid: (matrices, values).

    x: two rows of n elements for each vector. The largest element of a complex vector is real, as LAPACK's.
    """
    program, j = tl.program_id(0).to(tl.int64), tl.program_id(1)
    t += program * n * n
    q += program * n * n
    values += program * n * 2
    real = x + (program * n + j) * n * 2
    imaginary = real + n
    im = tl.load(values + j * 2 + 1)
    unit = tl.load(spare + program * (n + 1) + n)
    target = eigenvalues + (program * n + j) * 2
    tl.store(target, (tl.load(values + j * 2) * unit).to(eigenvalues.dtype.element_ty))
    tl.store(target + 1, (im * unit).to(eigenvalues.dtype.element_ty))
    top = tl.where(im < 0, j - 1, j)  # the first of a pair has the positive imaginary part; the other vector is its conjugate
    _solve_upwards(t, values, real, imaginary, top, n, TILE)
    tl.debug_barrier()
    used = top + tl.where(im == 0, 1, 2)
    back(q, real, imaginary, used, vectors + (program * n * n + j) * 2, tl.where(im < 0, -1.0, 1.0), im == 0, n, 1, TILE)


@triton.jit
def _solve_upwards(t, values, real, imaginary, top, n, TILE: tl.constexpr):
    """x with (T - value) x = 0, whose last elements are those of the block that begins at row `top`."""
    lane = tl.arange(0, TILE)
    re, im = tl.load(values + top * 2), tl.load(values + top * 2 + 1)
    for start in range(0, n, TILE):
        i = start + lane
        tl.store(real + i, tl.where(i == top, 1.0, 0.0).to(tl.float64), mask=i < n)
        tl.store(imaginary + i, tl.zeros((TILE,), tl.float64), mask=i < n)
    tl.debug_barrier()
    if im > 0:  # c x + (d - value) y = 0
        c, d = tl.load(t + ((top + 1) * n + top)), tl.load(t + (top + 1) * (n + 1))
        size = tl.abs(c) + tl.abs(re - d) + im
        tl.store(real + top, (re - d) / size)
        tl.store(imaginary + top, im / size)
        tl.store(real + top + 1, c / size)
        tl.debug_barrier()
    row = top - 1
    while row >= 0:
        pair = tl.load(values + row * 2 + 1) < 0
        first = tl.where(pair, row - 1, row)
        s, s_im = _rest(t + row * n, real, imaginary, row + 1, n, TILE)
        r, r_im = _rest(t + first * n, real, imaginary, row + 1, n, TILE)
        d, d_im = tl.load(t + row * (n + 1)) - re, -im
        a, b, c = tl.load(t + first * (n + 1)) - re, tl.load(t + (first * n + row)), tl.load(t + (row * n + first))
        # a row of its own: x = s / d. Two rows, by Cramer's rule: x = (r d - b s) / D, y = (a s - c r) / D with D = a d - b c
        det, det_im = tl.where(pair, a * d - im * im - b * c, d), tl.where(pair, -im * (a + d), d_im)
        least = tl.where(pair, EPSILON * EPSILON, EPSILON)
        tiny = tl.abs(det) + tl.abs(det_im) < least
        det, det_im = tl.where(tiny, least, det), tl.where(tiny, 0, det_im)
        up, up_im = _quotient(r * d + r_im * im - b * s, r_im * d - r * im - b * s_im, det, det_im)
        two, two_im = a * s + im * s_im - c * r, a * s_im - im * s - c * r_im
        low, low_im = _quotient(tl.where(pair, two, s), tl.where(pair, two_im, s_im), det, det_im)
        tl.debug_barrier()
        tl.store(real + row, low)
        tl.store(imaginary + row, low_im)
        tl.store(real + first, up, mask=pair)
        tl.store(imaginary + first, up_im, mask=pair)
        tl.debug_barrier()
        size = tl.abs(low) + tl.abs(low_im) + tl.where(pair, tl.abs(up) + tl.abs(up_im), 0)
        if size > 1e100:
            for start in range(0, n, TILE):
                i = start + lane
                tl.store(real + i, tl.load(real + i, mask=i < n, other=0) / size, mask=i < n)
                tl.store(imaginary + i, tl.load(imaginary + i, mask=i < n, other=0) / size, mask=i < n)
            tl.debug_barrier()
        row = first - 1


@triton.jit
def _rest(row, real, imaginary, start, n, TILE: tl.constexpr):
    """What the elements of x from `start` on give to the right side of a row."""
    lane = tl.arange(0, TILE)
    total = tl.zeros((TILE,), tl.float64)
    total_im = tl.zeros((TILE,), tl.float64)
    for begin in range(start, n, TILE):
        i = begin + lane
        a = tl.load(row + i, mask=i < n, other=0)
        total -= a * tl.load(real + i, mask=i < n, other=0)
        total_im -= a * tl.load(imaginary + i, mask=i < n, other=0)
    return tl.sum(total, axis=0), tl.sum(total_im, axis=0)


@triton.jit
def _quotient(a, a_im, b, b_im):
    """(a + i a_im) / (b + i b_im) without overflow between."""
    size = tl.maximum(tl.abs(b), tl.abs(b_im))
    c, c_im = b / size, b_im / size
    length = (c * c + c_im * c_im) * size
    return (a * c + a_im * c_im) / length, (a_im * c - a * c_im) / length


@triton.jit
def back(q, real, imaginary, used, column, sign, is_real, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Q x of the first `used` elements of x, of length 1, with a real largest element, into a column of pairs.

    q: the adjoint of Q, of numbers of PARTS.
    """
    lane = tl.arange(0, TILE)
    dtype: tl.constexpr = column.dtype.element_ty
    scale = tl.maximum(_largest(real, n, TILE), _largest(imaginary, n, TILE))
    squares = tl.zeros((TILE,), tl.float64)
    most = tl.zeros((), tl.float64)
    position = tl.zeros((), tl.int32)
    at_most = tl.full((), 1, tl.float64)
    at_most_im = tl.zeros((), tl.float64)
    for start in range(0, n, TILE):
        i = start + lane
        a, b = _of_rows(q, real, imaginary, used, scale, i, n, PARTS)
        size = a * a + b * b
        squares += size
        largest = tl.max(size, axis=0)
        nearest = tl.min(tl.where(size == largest, i, n), axis=0)
        here = i == nearest
        larger = largest > most
        position = tl.where(larger, nearest, position)
        at_most = tl.where(larger, tl.sum(tl.where(here, a, 0), axis=0), at_most)
        at_most_im = tl.where(larger, tl.sum(tl.where(here, b, 0), axis=0), at_most_im)
        most = tl.maximum(largest, most)
    length = tl.sqrt(tl.sum(squares, axis=0))
    turn = hypotenuse(at_most, at_most_im)
    c, s = tl.where(is_real, 1, at_most / turn), tl.where(is_real, 0, at_most_im / turn)
    for start in range(0, n, TILE):
        i = start + lane
        a, b = _of_rows(q, real, imaginary, used, scale, i, n, PARTS)
        tl.store(column + i * n * 2, ((a * c + b * s) / length).to(dtype), mask=i < n)
        tl.store(column + i * n * 2 + 1, (tl.where(i == position, 0, b * c - a * s) / length * sign).to(dtype), mask=i < n)


@triton.jit
def _of_rows(q, real, imaginary, used, scale, i, n, PARTS: tl.constexpr):
    """Elements i of Q x / scale."""
    a = tl.zeros_like(i).to(tl.float64)
    b = tl.zeros_like(i).to(tl.float64)
    for k in range(used):
        x = numbers.load(q, k * n + i, i < n, PARTS)
        re, im = tl.load(real + k) / scale, tl.load(imaginary + k) / scale
        a += x[0] * re
        b += x[0] * im
        if PARTS == 2:
            a += x[1] * im
            b -= x[1] * re
    return a, b
