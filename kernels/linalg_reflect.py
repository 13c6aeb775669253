"""Householder's reflections: H = 1 - tau v v^T maps a vector to a multiple of its first unit vector. v[0] = 1 is not stored."""

import triton
import triton.language as tl


@triton.jit
def reflect_columns(a, taus, m, n, count, TILE: tl.constexpr):
    """The row-major a (m, n) becomes R, and below its diagonal the vectors of the first `count` reflections. Grid: (matrices,)."""
    program = tl.program_id(0).to(tl.int64)
    dtype: tl.constexpr = a.dtype.element_ty
    a += program * m * n
    lane = tl.arange(0, TILE)
    for k in range(count):
        largest = tl.zeros((TILE,), dtype)
        for top in range(k + 1, m, TILE):
            r = top + lane
            largest = tl.maximum(largest, tl.abs(tl.load(a + (r * n + k), mask=r < m, other=0)))
        scale = tl.max(largest, axis=0)
        first = tl.load(a + (k * n + k))
        squares = tl.zeros((TILE,), dtype)
        for top in range(k + 1, m, TILE):
            r = top + lane
            x = tl.load(a + (r * n + k), mask=r < m, other=0)
            x = tl.where(scale > 0, x / scale, x)
            squares += x * x
        rest = tl.sqrt(tl.sum(squares, axis=0))
        whole = tl.maximum(scale * rest, tl.abs(first))
        part = tl.where(whole > 0, tl.minimum(scale * rest, tl.abs(first)) / whole, whole)
        known = (rest == rest) & (first == first)  # a maximum may leave a NaN out
        length = tl.where(known, whole * tl.sqrt(1 + part * part), float("nan"))
        flat = scale * rest == 0
        beta = tl.where(flat, first, tl.where(first > 0, -length, length))
        tau = tl.where(flat, 0, (beta - first) / tl.where(flat, 1, beta))
        divisor = tl.where(flat, 1, first - beta)
        tl.debug_barrier()
        for top in range(k + 1, m, TILE):
            r = top + lane
            x = tl.load(a + (r * n + k), mask=r < m, other=0)
            tl.store(a + (r * n + k), x / divisor, mask=r < m)
        tl.store(a + (k * n + k), beta)
        tl.store(taus + program * count + k, tau)
        tl.debug_barrier()
        for left in range(k + 1, n, TILE):
            c = left + lane
            _reflect(a, a + (c * 1)[None, :], k, m, n, 1, n, c < n, tau, TILE)
        tl.debug_barrier()


@triton.jit
def _reflect(v, columns, k, m, v_row, v_column, row, alive, tau, TILE: tl.constexpr):
    """Columns (addresses of their first elements, some of them alive) become H_k of themselves."""
    lane = tl.arange(0, TILE)
    total = tl.load(columns + k * row, mask=alive[None, :], other=0)
    total = tl.sum(total, axis=0)
    for top in range(k + 1, m, TILE):
        r = top + lane
        inside = (r < m)[:, None] & alive[None, :]
        x = tl.load(columns + r[:, None] * row, mask=inside, other=0)
        vector = tl.load(v + (r * v_row + k * v_column), mask=r < m, other=0)
        total += tl.sum(vector[:, None] * x, axis=0)
    total *= tau
    tl.debug_barrier()
    start = tl.load(columns + k * row, mask=alive[None, :], other=0)
    tl.store(columns + k * row, start - total[None, :], mask=alive[None, :])
    for top in range(k + 1, m, TILE):
        r = top + lane
        inside = (r < m)[:, None] & alive[None, :]
        x = tl.load(columns + r[:, None] * row, mask=inside, other=0)
        vector = tl.load(v + (r * v_row + k * v_column), mask=r < m, other=0)
        tl.store(columns + r[:, None] * row, x - vector[:, None] * total[None, :], mask=inside)


@triton.jit
def reflect(v, taus, b, m, columns, count, v_steps, b_steps, BACKWARDS: tl.constexpr, TILE: tl.constexpr):
    """b (m, columns) becomes H_0 ... H_(count-1) b, or with BACKWARDS False H_(count-1) ... H_0 b.

    Grid: (matrices, tiles of columns). Steps are (to the next matrix, row, column). Vector k is in column k of v, below row k.
    """
    program = tl.program_id(0).to(tl.int64)
    v += program * v_steps[0]
    b += program * b_steps[0]
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for step in range(count):
        k = count - 1 - step if BACKWARDS else step
        tau = tl.load(taus + program * count + k)
        _reflect(v, b + (c * b_steps[2])[None, :], k, m, v_steps[1], v_steps[2], b_steps[1], c < columns, tau, TILE)
        tl.debug_barrier()


@triton.jit
def identity(b, rows, columns, TILE: tl.constexpr):
    """Row-major matrices with ones on the diagonal, else zeros. Grid: (matrices, tiles of rows)."""
    b += tl.program_id(0).to(tl.int64) * rows * columns
    r = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for left in range(0, columns, TILE):
        c = left + tl.arange(0, TILE)
        one = tl.where(r[:, None] == c[None, :], 1, 0).to(b.dtype.element_ty)
        tl.store(b + (r[:, None] * columns + c[None, :]), one, mask=(r < rows)[:, None] & (c < columns)[None, :])


@triton.jit
def upper_part(a, r, m, n, rows, TILE: tl.constexpr):
    """The upper triangle of the first `rows` rows of a (m, n). Grid: (matrices, tiles of rows)."""
    program = tl.program_id(0).to(tl.int64)
    a += program * m * n
    r += program * rows * n
    i = tl.program_id(1) * TILE + tl.arange(0, TILE)
    for left in range(0, n, TILE):
        j = left + tl.arange(0, TILE)
        inside = (i < rows)[:, None] & (j < n)[None, :]
        spot = i[:, None] * n + j[None, :]
        x = tl.load(a + spot, mask=inside & (i[:, None] <= j[None, :]), other=0)
        tl.store(r + spot, x, mask=inside)
