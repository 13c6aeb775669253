"""Planners of factorisations of matrices (the last two dimensions), and of equations with triangular ones.

A result is computed in place in a copy of the input. Eigenvalues and singular values are computed in float64 workspaces.
Kernels take complex numbers as PARTS, of which they have two.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from tritonflow import errors
from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, complex128, float64, int32
from tritonflow.errors import InvalidArgumentError, LinAlgError, ShapeError
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.ops.copy import copy
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, LaunchOperand, Operands, Output, Scalar, Workspace
from tritonflow.ops.plan import Launch, Plan, stride

Metas = tuple[TensorMeta, ...]

factor = KernelModule("linalg_factor")
indefinite = KernelModule("linalg_indefinite")
reflections = KernelModule("linalg_reflect")
spectral = KernelModule("linalg_spectral")
eigen = KernelModule("linalg_eigen")
complex_eigen = KernelModule("linalg_eigen_complex")

NO_ROW = "pivots must be between 1 and the number of rows inclusive. Did you properly pass the result of lu_factor?"
NO_BLOCK = "pivots must name rows, from 1, negative in blocks of two. Did you properly pass the result of ldl_factor?"


class Matrices(NamedTuple):
    """The shape of a tensor as a batch of matrices."""

    batch: Shape
    rows: int
    columns: int

    @property
    def number(self) -> int:
        return prod(self.batch)

    @property
    def least(self) -> int:
        return min(self.rows, self.columns)


def matrices(x: TensorMeta) -> Matrices:
    return Matrices(x.shape[:-2], *x.shape[-2:])


def _launch(
    kernel: Any, grid: tuple[int, ...], operands: tuple[Operands, ...], sizes: tuple[Any, ...], tile: int, work: int,
    warps: int = 4, **options: Any,
) -> Launch:  # fmt: skip
    """The launch of a kernel whose tiles are vectors and squares. Those that hold vectors alone need one of the `warps`."""
    return Launch(kernel, grid, operands, sizes, {"TILE": tile, **options}, work=max(work // 8, 1), num_warps=warps)


def _parts(x: TensorMeta) -> int:
    """Of how many real numbers one of a tensor consists."""
    return 2 if x.dtype.is_complex else 1


def _tiles(n: int, tile: int) -> int:
    return -(-n // tile)


def _by_columns(x: TensorMeta, batch: Shape, rows: int, columns: int) -> TensorMeta:
    """Matrices whose columns are contiguous."""
    shape = (*batch, columns, rows)
    row_major = contiguous_meta(shape, x.dtype, x.device)
    if not row_major.numel:
        return contiguous_meta((*batch, rows, columns), x.dtype, x.device)
    *outer, step, one = row_major.stride
    return TensorMeta.get((*batch, rows, columns), (*outer, one, step), x.dtype, x.device)


# ------------------------------------------------------------------------------------------------- triangular factors


def cholesky(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(L, info) of the lower triangle."""
    (x,) = inputs
    batch, n, _ = size = matrices(x)
    outputs = x.contiguous(), contiguous_meta(batch, int32, x.device)
    tile = factor.tile(n)
    run = _launch(factor.cholesky, (size.number,), Output.several(2), (n,), tile, n * n * n // 3, PARTS=_parts(x))
    return Plan(inputs, outputs, [copy(x, Input(0), outputs[0], Output(0)), run])


def lu_factor(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(LU, pivots, info)"""
    (x,) = inputs
    batch, _, _ = size = matrices(x)
    shapes = (*batch, size.least), batch
    outputs = x.contiguous(), *(contiguous_meta(shape, int32, x.device) for shape in shapes)
    return Plan(inputs, outputs, _factorise(x, Input(0), Output.several(3)))


def _factorise(x: TensorMeta, source: LaunchOperand, targets: tuple[LaunchOperand, ...]) -> list[Launch]:
    """A copy of x becomes LU; the targets are LU, pivots, info."""
    _, m, n = size = matrices(x)
    run = _launch(factor.lu, (size.number,), targets, (m, n), factor.tile(m, n), m * n * size.least, PARTS=_parts(x))
    return [copy(x, source, x.contiguous(), targets[0]), run]


def determinant(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(sign, logarithm of the magnitude, determinant, LU, pivots)"""
    (x,) = inputs
    batch, n, _ = size = matrices(x)
    sign, logarithm = (contiguous_meta(batch, dtype, x.device) for dtype in (x.dtype, x.dtype.to_real()))
    outputs = sign, logarithm, sign, x.contiguous(), contiguous_meta((*batch, n), int32, x.device)
    launches = _factorise(x, Input(0), (Output(3), Output(4), Workspace(0)))
    operands = (Output(3), Output(4), *Output.several(3))
    launches.append(_launch(factor.determinant, (size.number,), operands, (n,), factor.tile(n), n, PARTS=_parts(x)))
    return Plan(inputs, outputs, launches, [(max(size.number, 1), int32)])


def given(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """The first input: a derivative that was computed otherwise, with the derivatives of its own."""
    x = inputs[0]
    y = x.contiguous()
    return Plan(inputs, (y,), [copy(x, Input(0), y, Output(0))])


class Triangle(NamedTuple):
    """Which triangle of t solves for b, and from which side.

    Attributes:
        upper: the triangle of t that is read.
        adjoint: whether the adjoint of t stands for t; that of a real one is the transpose.
        left: whether t x = b, or x t = b.
        unit: whether the diagonal counts as ones.
    """

    upper: bool
    adjoint: bool
    left: bool
    unit: bool


def solve_triangular(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x with t x = b, or x t = b, of contiguous t; attributes: those of Triangle."""
    t, b = inputs
    x = b.contiguous()
    run = _substitute(t, Input(0), x, Output(0), Triangle(*attrs))
    return Plan(inputs, (x,), [copy(b, Input(1), x, Output(0)), run])


def _substitute(
    t: TensorMeta, t_at: Any, b: TensorMeta, b_at: Any, kind: Triangle
) -> Launch:
    """b becomes the solution. An upper triangle is a lower one from its last element backwards."""
    _, rows, columns = size = matrices(b)
    n, sides = (rows, columns) if kind.left else (columns, rows)
    row, column = n, 1
    unknown, side = (columns, 1) if kind.left else (1, columns)
    upper = kind.upper
    if kind.adjoint != (not kind.left):
        row, column, upper = column, row, not upper
    if upper and n:
        t_at, b_at = t_at.plus((n * n - 1) * t.dtype.itemsize), b_at.plus((n - 1) * unknown * b.dtype.itemsize)
        row, column, unknown = -row, -column, -unknown
    tile = factor.tile(n, sides)
    sizes = (n, sides, (n * n, stride(row), stride(column)), (rows * columns, stride(unknown), stride(side)))
    grid = (size.number, _tiles(sides, tile))
    options = {"UNIT": kind.unit, "CONJUGATE": kind.adjoint, "PARTS": _parts(t)}
    return _launch(factor.substitute, grid, (t_at, b_at), sizes, tile, n * n * sides, **options)


def exchange_rows(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """The rows of b exchanged by pivots, or back; attributes: (undo,)."""
    (b, pivots), (undo,) = inputs, attrs
    rows = b.shape[-2]
    if prod(pivots.shape[:-1]) != prod(b.shape[:-2]) or pivots.shape[-1] > rows:
        raise ShapeError(
            f"Expected a pivot for each row that was exchanged, of matrices of shape {list(b.shape)}, but got pivots of shape"
            f" {list(pivots.shape)}"
        )
    y = b.contiguous()
    launches = [_look(1, pivots, 1, rows), copy(b, Input(0), y, Output(0)), _exchange(y, Output(0), pivots, Input(1), undo)]
    return Plan(inputs, (y,), launches, index_check=NO_ROW, validate=1, check_error=InvalidArgumentError)


def _look(number: int, numbers: TensorMeta, least: int, most: int, magnitudes: bool = False) -> Launch:
    """The launch that looks whether the numbers of an input are in bounds, or their magnitudes."""
    sizes, options = (numbers.numel, least, most), {"MAGNITUDES": magnitudes, "BLOCK": 1024}
    return Launch(factor.check, (_tiles(numbers.numel, 1024),), (Input(number), ERROR_WORD), sizes, options)


def _exchange(b: TensorMeta, b_at: LaunchOperand, pivots: TensorMeta, pivots_at: LaunchOperand, undo: bool) -> Launch:
    _, rows, columns = size = matrices(b)
    columns *= _parts(b)
    count, tile = pivots.shape[-1], factor.tile(columns)
    grid = (size.number, _tiles(columns, tile))
    sizes = (rows, count, columns)
    return _launch(factor.exchange_rows, grid, (b_at, pivots_at), sizes, tile, count * columns, UNDO=undo)


def solve(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(x, LU, pivots, info) with a x = b."""
    a, b = inputs
    x = b.contiguous()
    batch, n, _ = matrices(a)
    pivots, info = (contiguous_meta(shape, int32, a.device) for shape in ((*batch, n), batch))
    launches = [
        *_factorise(a, Input(0), (Output(1), Output(2), Output(3))),
        copy(b, Input(1), x, Output(0)),
        _exchange(x, Output(0), pivots, Output(2), False),
        _substitute(a, Output(1), x, Output(0), Triangle(False, False, True, True)),
        _substitute(a, Output(1), x, Output(0), Triangle(True, False, True, False)),
    ]
    return Plan(inputs, (x, a.contiguous(), pivots, info), launches)


def checked(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x as it is; an error where an info is not 0; attributes: (message,), and the error's name if it is no LinAlgError."""
    x, info = inputs
    message, *names = attrs
    error = getattr(errors, names[0]) if names else LinAlgError
    y = x.contiguous()
    return Plan(inputs, (y,), [_look(1, info, 0, 0), copy(x, Input(0), y, Output(0))], index_check=message, check_error=error)


# ------------------------------------------------------------------------------------------------ indefinite matrices


def ldl_factor(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(LD, pivots, info) of the lower triangle; attributes: (whether it is of a Hermitian matrix,)."""
    (x,), (hermitian,) = inputs, attrs
    batch, n, _ = size = matrices(x)
    outputs = x.contiguous(), *(contiguous_meta(shape, int32, x.device) for shape in ((*batch, n), batch))
    run = _launch(
        indefinite.factorise, (size.number,), Output.several(3), (n,), factor.tile(n), n * n * n, 8, HERMITIAN=hermitian,
        PARTS=_parts(x),
    )  # fmt: skip
    return Plan(inputs, outputs, [copy(x, Input(0), outputs[0], Output(0)), run])


def ldl_solve(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x with a x = b, from contiguous factors of a; attributes: (whether a is Hermitian,)."""
    (_, pivots, b), (hermitian,) = inputs, attrs
    _, n, columns = size = matrices(b)
    x, tile = b.contiguous(), factor.tile(n, columns)
    run = _launch(
        indefinite.solve, (size.number, _tiles(columns, tile)), (Input(0), Input(1), Output(0)), (n, columns), tile,
        2 * n * n * columns, HERMITIAN=hermitian, PARTS=_parts(b),
    )  # fmt: skip
    launches = [_look(1, pivots, 1, n, magnitudes=True), copy(b, Input(2), x, Output(0)), run]
    return Plan(inputs, (x,), launches, index_check=NO_BLOCK, validate=1, check_error=InvalidArgumentError)


# -------------------------------------------------------------------------------------------------------- reflections


def geqrf(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(R with the vectors of reflections below it, tau)"""
    (x,) = inputs
    batch, _, _ = size = matrices(x)
    outputs = x.contiguous(), contiguous_meta((*batch, size.least), x.dtype, x.device)
    return Plan(inputs, outputs, _reflect_columns(x, outputs[0], Output.several(2)))


def _reflect_columns(x: TensorMeta, copied: TensorMeta, targets: tuple[LaunchOperand, ...]) -> list[Launch]:
    _, m, n = size = matrices(x)
    sizes = (m, n, size.least)
    work = 2 * m * n * size.least
    tile = factor.tile(m, n)
    warps = 2 if tile == 16 and x.dtype.itemsize == 4 else 4
    run = _launch(reflections.reflect_columns, (size.number,), targets, sizes, tile, work, warps, PARTS=_parts(x))
    return [copy(x, Input(0), copied, targets[0]), run]


def _identity(size: Matrices, rows: int, columns: int, parts: int, target: LaunchOperand) -> Launch:
    tile = factor.tile(rows, columns)
    grid = (size.number, _tiles(rows, tile))
    return _launch(reflections.identity, grid, (target,), (rows, columns), tile, rows * columns, PARTS=parts)


def _orthogonal(
    v: LaunchOperand, taus: LaunchOperand, count: int, v_steps: tuple[Any, ...], q: TensorMeta, target: LaunchOperand
) -> list[Launch]:
    """The first columns of H_0 H_1 ..."""
    _, m, columns = size = matrices(q)
    tile, parts = factor.tile(m, columns), _parts(q)
    start = _identity(size, m, columns, parts, target)
    sizes = (m, columns, count, v_steps, (m * columns, columns, stride(1)))
    operands = (v, taus, target)
    work = 4 * m * columns * count
    grid = (size.number, _tiles(columns, tile))
    return [start, _launch(reflections.reflect, grid, operands, sizes, tile, work, BACKWARDS=True, PARTS=parts)]


def householder_product(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """The first columns of H_0 H_1 ..., as many as v has; of contiguous inputs."""
    v, tau = inputs
    _, m, n = matrices(v)
    q = v.contiguous()
    return Plan(inputs, (q,), _orthogonal(Input(0), Input(1), tau.shape[-1], (m * n, n, stride(1)), q, Output(0)))


def qr(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(Q, R); attributes: (whether all columns of Q, the mode for the gradient)."""
    (x,), (complete, _) = inputs, attrs
    batch, m, n = size = matrices(x)
    rows = m if complete else size.least
    q, r = (contiguous_meta((*batch, *shape), x.dtype, x.device) for shape in ((m, rows), (rows, n)))
    tile = factor.tile(m, n)
    launches = [
        *_reflect_columns(x, x.contiguous(), Workspace.several(2)),
        *_orthogonal(Workspace(0), Workspace(1), size.least, (m * n, n, stride(1)), q, Output(0)),
        _launch(
            reflections.upper_part, (size.number, _tiles(rows, tile)), (Workspace(0), Output(1)), (m, n, rows), tile, rows * n,
            PARTS=_parts(x),
        ),
    ]
    return Plan(inputs, (q, r), launches, [(max(x.numel, 1), x.dtype), (max(size.number * size.least, 1), x.dtype)])


# --------------------------------------------------------------------------------------- eigenvalues, singular values

_MOST_STEPS, _MOST_SWEEPS = 50, 60


def eigh(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(values, vectors, info) of contiguous x; attributes: (whether the lower triangle is read,)."""
    (x,), (lower,) = inputs, attrs
    batch, n, _ = size = matrices(x)
    values = contiguous_meta((*batch, n), x.dtype.to_real(), x.device)
    vectors, info = _by_columns(x, batch, n, n), contiguous_meta(batch, int32, x.device)
    tile, count, parts = factor.tile(n), size.number, _parts(x)
    a, taus, diagonal, beside, rows, spare = Workspace.several(6)
    work = n * n * n
    launches = [
        _launch(spectral.mirror, (count, _tiles(n, tile)), (Input(0), a), (n,), tile, n * n, LOWER=lower, PARTS=parts),
        _launch(spectral.tridiagonal, (count,), (a, taus, diagonal, beside, spare), (n,), tile, 2 * work, PARTS=parts),
        _identity(size, n, n, parts, rows),
        _launch(  # of the vectors below the first row, on the rows behind the first elements
            reflections.reflect, (count, _tiles(n - 1, tile)), (a.plus(n * 8 * parts), taus, rows.plus((n + 1) * 8 * parts)),
            (n - 1, n - 1, n - 1, (n * n, n, stride(1)), (n * n, stride(1), n)), tile, 4 * work, BACKWARDS=True, PARTS=parts,
        ),
        _launch(
            spectral.diagonalise, (count,), (diagonal, beside, rows, Output(2)), (n, n * parts, _MOST_STEPS), tile, 6 * work
        ),
        _launch(
            spectral.in_order, (count, n), (diagonal, rows, Output(0), Output(1)), (n, n * parts, n), tile, n * n,
            DESCENDING=False, UNIT=False,
        ),
    ]  # fmt: skip
    if not n:
        launches = launches[4:5]
    elements = [count * n * n * parts, count * n * parts, count * n, count * n, count * n * n * parts, count * n * parts]
    return Plan(inputs, (values, vectors, info), launches, [(max(k, 1), float64) for k in elements])


def eig(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(values, vectors, info) of any square x; complex numbers are pairs, the last dimension of values and of vectors."""
    (x,) = inputs
    batch, n, _ = size = matrices(x)
    values, vectors = (contiguous_meta((*batch, *shape), x.dtype.to_real(), x.device) for shape in ((n, 2), (n, n, 2)))
    info = contiguous_meta(batch, int32, x.device)
    tile, count, work = factor.tile(n), size.number, n * n * n
    kernels, parts, numbers = (complex_eigen, 2, x.as_pairs()) if x.dtype.is_complex else (eigen, 1, x)
    vector = 32 if facts_of(x.device).kind == "gpu" else tile  # one warp; with 16 of its threads, it has too few registers
    a, q, spare, found, solved = Workspace.several(5)
    launches = [
        copy(numbers, Input(0), contiguous_meta(numbers.shape, float64, x.device), a),
        _identity(size, n, n, parts, q),
        _launch(eigen.hessenberg, (count,), (a, q, spare), (n,), tile, 5 * work, PARTS=parts),
        _launch(  # with more warps, pairs of 32 rows leave a thread too few registers
            kernels.schur, (count,), (a, q, spare, found, Output(2)), (n, _MOST_STEPS), tile, 15 * work, 1 if parts == 2 else 4
        ),
        _launch(kernels.eigenvectors, (count, n), (a, q, spare, found, solved, *Output.several(2)), (n,), vector, 4 * n * n, 1),
    ]
    if not n:
        launches = launches[2:4]  # which tell that there is nothing
    square = count * n * n
    elements = [square * parts, square * parts, count * (n * parts + 1), count * n * 2, square * 2]
    return Plan(inputs, (values, vectors, info), launches, [(max(k, 1), float64) for k in elements])


def _turn(x: TensorMeta, info: LaunchOperand, symmetric: bool = False) -> list[Launch]:
    """Rows at right angles in workspace 0, what turned them in 1, their lengths in 2: columns of tall matrices, else rows.

    Of contiguous `symmetric` matrices the lower triangle is read.
    """
    batch, m, n = size = matrices(x)
    count, long, parts = size.least, max(m, n), _parts(x)
    if m >= n:
        x = TensorMeta.get((*batch, n, m), (*x.stride[:-2], x.stride[-1], x.stride[-2]), x.dtype, x.device, x.aligned)
    rows = contiguous_meta((*batch, count, long), _wide(x), x.device)
    tile = factor.tile(m, n)
    taken = copy(x, Input(0), rows, Workspace(0))
    if symmetric:
        grid = (size.number, _tiles(n, tile))
        taken = _launch(spectral.mirror, grid, (Input(0), Workspace(0)), (n,), tile, n * n, LOWER=True, PARTS=parts)
    return [
        taken,
        _identity(size, count, count, parts, Workspace(1)),
        _launch(
            spectral.jacobi, (size.number,), (*Workspace.several(3), info), (count, long, _MOST_SWEEPS), tile,
            40 * count * count * long, 1, PARTS=parts,
        ),
    ]  # fmt: skip


def _wide(x: TensorMeta) -> DType:
    """The dtype of workspaces for numbers of x."""
    return complex128 if x.dtype.is_complex else float64


def _turned_spaces(size: Matrices, parts: int) -> list[tuple[int, Any]]:
    elements = size.number * size.rows * size.columns * parts, size.number * size.least**2 * parts, size.number * size.least
    return [(max(k, 1), float64) for k in elements]


def svd(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(U, S, Vh, info); attributes: (whether all columns of U and rows of Vh,)."""
    (x,), (full,) = inputs, attrs
    batch, m, n = size = matrices(x)
    k, long = size.least, max(m, n)
    after = long if full else k
    u = _by_columns(x, batch, m, after if m >= n else k)
    vh = contiguous_meta((*batch, k if m >= n else after, n), x.dtype, x.device)
    outputs = u, contiguous_meta((*batch, k), x.dtype.to_real(), x.device), vh, contiguous_meta(batch, int32, x.device)
    of_rows, of_turned = (Output(0), Output(2)) if m >= n else (Output(2), Output(0))
    tile, count, parts = factor.tile(m, n), size.number, _parts(x)
    rows, turned, lengths, values, ordered = Workspace.several(5)
    final = contiguous_meta((*batch, after, long), x.dtype, x.device)
    exact = contiguous_meta(final.shape, _wide(x), x.device)
    launches = [
        *_turn(x, Output(3)),
        _launch(
            spectral.in_order, (count, k), (lengths, rows, values, ordered), (k, long * parts, after), tile, k * long,
            DESCENDING=True, UNIT=True,
        ),
        _launch(
            spectral.in_order, (count, k), (lengths, turned, Output(1), of_turned), (k, k * parts, k), tile, k * k,
            DESCENDING=True, UNIT=False,
        ),
        _launch(
            spectral.complete, (count,), (ordered, values), (k, after, long), tile, 2 * long * (after - k) * after, PARTS=parts
        ),
        copy(exact, ordered, final, of_rows),
    ]  # fmt: skip
    if not k:  # nothing to turn: any orthonormal vectors will do
        launches = [launches[2], _identity(size, after, long, parts, of_rows)]
    spaces = [*_turned_spaces(size, parts), (max(count * k, 1), float64), (max(exact.numel * parts, 1), float64)]
    return Plan(inputs, outputs, launches, spaces)


def pinv(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(pseudoinverse, info); attributes: (whether x is symmetric,); dynamic: (atol, rtol)."""
    (x,), (symmetric,) = inputs, attrs
    batch, m, n = size = matrices(x)
    outputs = contiguous_meta((*batch, n, m), x.dtype, x.device), contiguous_meta(batch, int32, x.device)
    k, long = size.least, max(m, n)
    steps = (stride(1), m) if m >= n and not symmetric else (m, stride(1))  # a symmetric matrix is given by rows
    tile, parts = factor.tile(m, n), _parts(x)
    operands = (*Workspace.several(3), Output(0), *Scalar.several(2, float64))
    grid = (size.number, _tiles(long, tile), _tiles(k, tile))
    product = _launch(spectral.invert, grid, operands, (k, long, *steps), tile, long * k * k, PARTS=parts)
    return Plan(inputs, outputs, [*_turn(x, Output(1), symmetric), product], _turned_spaces(size, parts))
