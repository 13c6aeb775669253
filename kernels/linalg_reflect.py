"""Householder's reflections: H = 1 - tau v v^H maps a vector to a multiple of its first unit vector. v[0] = 1 is not stored.

Those of complex vectors (of two PARTS, see `numbers`) are LAPACK's: H^H x is real, tau is complex, and H is not its own adjoint.
"""

import triton
import triton.language as tl

from . import numbers as of


@triton.jit
def reflect_columns(a, taus, m, n, count, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The row-major a (m, n) becomes R, and below its diagonal the vectors of the first `count` reflections. Grid: (matrices,)."""
    program = tl.program_id(0).to(tl.int64)
    a += program * m * n * PARTS
    for k in range(count):
        tau = reflection(a, k, k, m, n, PARTS, TILE)
        of.put(taus, program * count + k, tau)
        tl.debug_barrier()
        for left in range(k + 1, n, TILE):
            c = left + tl.arange(0, TILE)
            _reflect(a, a, (c * 1)[None, :], k, m, n, 1, n, c < n, of.conj(tau), PARTS, TILE)
        tl.debug_barrier()


@triton.jit
def reflection(a, row, column, m, n, PARTS: tl.constexpr, TILE: tl.constexpr):
    """tau of the reflection of a column of a (m, n) from a row on; below that row its vector is stored, and there what is left."""
    lane = tl.arange(0, TILE)
    dtype: tl.constexpr = a.dtype.element_ty
    largest = tl.zeros((TILE,), dtype)
    for top in range(row + 1, m, TILE):
        r = top + lane
        largest = tl.maximum(largest, of.largest_part(of.load(a, r * n + column, r < m, PARTS)))
    scale = tl.max(largest, axis=0)
    first = of.at(a, row * n + column, PARTS)
    squares = tl.zeros((TILE,), dtype)
    for top in range(row + 1, m, TILE):
        r = top + lane
        x = of.load(a, r * n + column, r < m, PARTS)
        squares += of.square(of.where(scale > 0, of.over(x, scale), x))
    rest = scale * tl.sqrt(tl.sum(squares, axis=0))
    beta, tau, divisor = _ends(first, rest)
    tl.debug_barrier()
    for top in range(row + 1, m, TILE):
        r = top + lane
        x = of.load(a, r * n + column, r < m, PARTS)
        of.store(a, r * n + column, of.div(x, divisor), r < m)
    of.put(a, row * n + column, of.from_real(beta, PARTS))
    tl.debug_barrier()
    return tau


@triton.jit
def _ends(first, rest):
    """(beta, tau, divisor) of the reflection of a vector with its first element and the length of the others.

    The vector becomes beta, which is real, and zeros. Its other elements divided by the divisor are those of v.
    """
    size = of.magnitude(first)
    whole = tl.maximum(rest, size)
    part = tl.where(whole > 0, tl.minimum(rest, size) / whole, whole)
    known = (rest == rest) & of.is_number(first)  # a maximum may leave a NaN out
    length = tl.where(known, whole * tl.sqrt(1 + part * part), float("nan"))
    flat = (rest == 0) & of.is_real(first)
    beta = tl.where(flat, first[0], tl.where(first[0] > 0, -length, length))
    short = of.sub(first, of.from_real(beta, len(first)))
    tau = of.over(of.scale(short, -1), tl.where(flat, 1, beta))
    zero = tl.zeros_like(beta)
    return beta, of.where(flat, of.from_real(zero, len(first)), tau), of.where(flat, of.from_real(zero + 1, len(first)), short)


@triton.jit
def _reflect(v, b, columns, k, m, v_row, v_column, row, alive, tau, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Columns of b (of which the numbers of the first elements are given, some of them alive) become H_k of themselves."""
    lane = tl.arange(0, TILE)
    start = of.load(b, columns + k * row, alive[None, :], PARTS)
    total = of.total(start, 0)
    for top in range(k + 1, m, TILE):
        r = top + lane
        inside = (r < m)[:, None] & alive[None, :]
        x = of.load(b, columns + r[:, None] * row, inside, PARTS)
        vector = of.load(v, r * v_row + k * v_column, r < m, PARTS)
        total = of.add(total, of.total(of.mul_conj(x, of.down(vector)), 0))
    total = of.across(of.mul(total, tau))
    tl.debug_barrier()
    of.store(b, columns + k * row, of.sub(start, total), alive[None, :])
    for top in range(k + 1, m, TILE):
        r = top + lane
        inside = (r < m)[:, None] & alive[None, :]
        x = of.load(b, columns + r[:, None] * row, inside, PARTS)
        vector = of.load(v, r * v_row + k * v_column, r < m, PARTS)
        of.store(b, columns + r[:, None] * row, of.sub(x, of.mul(of.down(vector), total)), inside)


@triton.jit
def reflect(v, taus, b, m, columns, count, v_steps, b_steps, BACKWARDS: tl.constexpr, PARTS: tl.constexpr, TILE: tl.constexpr):
    """b (m, columns) becomes H_0 ... H_(count-1) b, or with BACKWARDS False H_(count-1) ... H_0 b.

    Grid: (matrices, tiles of columns). Steps are (to the next matrix, row, column). Vector k is in column k of v, below row k.
    """
    program = tl.program_id(0).to(tl.int64)
    v += program * v_steps[0] * PARTS
    b += program * b_steps[0] * PARTS
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for step in range(count):
        k = count - 1 - step if BACKWARDS else step
        tau = of.at(taus, program * count + k, PARTS)
        _reflect(v, b, (c * b_steps[2])[None, :], k, m, v_steps[1], v_steps[2], b_steps[1], c < columns, tau, PARTS, TILE)
        tl.debug_barrier()


@triton.jit
def identity(b, rows, columns, PARTS: tl.constexpr, TILE: tl.constexpr):
    """Row-major matrices with ones on the diagonal, else zeros. Grid: (matrices, tiles of rows)."""
    b += tl.program_id(0).to(tl.int64) * rows * columns * PARTS
    r = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for left in range(0, columns, TILE):
        c = left + tl.arange(0, TILE)
        one = tl.where(r[:, None] == c[None, :], 1, 0).to(b.dtype.element_ty)
        inside = (r < rows)[:, None] & (c < columns)[None, :]
        of.store(b, r[:, None] * columns + c[None, :], of.from_real(one, PARTS), inside)


@triton.jit
def upper_part(a, r, m, n, rows, PARTS: tl.constexpr, TILE: tl.constexpr):
    """The upper triangle of the first `rows` rows of a (m, n). Grid: (matrices, tiles of rows)."""
    program = tl.program_id(0).to(tl.int64)
    a += program * m * n * PARTS
    r += program * rows * n * PARTS
    i = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for left in range(0, n, TILE):
        j = left + tl.arange(0, TILE)
        inside = (i < rows)[:, None] & (j < n)[None, :]
        spot = i[:, None] * n + j[None, :]
        of.store(r, spot, of.load(a, spot, inside & (i[:, None] <= j[None, :]), PARTS), inside)
