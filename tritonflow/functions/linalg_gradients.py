"""Gradients of factorisations and of equations, made of differentiable ops. Of real matrices an adjoint is the transpose.

Source: Giles, An extended collection of matrix derivative results for forward and reverse mode algorithmic differentiation; for QR
Walter and Lehmann, Algorithmic differentiation of linear algebra functions; for the pseudoinverse Golub and Pereyra.
"""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, int64
from tritonflow.errors import AutogradError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, scalar_add, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import arange_end, eye, tril, triu
from tritonflow.functions.creation_like import ones_like
from tritonflow.functions.elementwise_selection import where_scalar_x
from tritonflow.functions.generated import div, eq, logical_and, mul, ne, scalar_eq, scalar_mul
from tritonflow.functions.join import cat
from tritonflow.functions.linalg import exchange_rows
from tritonflow.functions.linalg_checks import epsilon
from tritonflow.functions.linalg_determinants import linalg_det
from tritonflow.functions.linalg_solve import linalg_inv, linalg_solve, lu_solved
from tritonflow.functions.linalg_spectra import singular, without_phase
from tritonflow.functions.linalg_triangular import triangular
from tritonflow.functions.matmul import matmul
from tritonflow.functions.matmul_gradients import is_differentiated_again, product_of_others
from tritonflow.functions.unary import negative
from tritonflow.functions.unary_complex import adjoint, conj_physical, imag
from tritonflow.functions.unary_complex import real as _real
from tritonflow.functions.view import diagonal, expand, narrow, squeeze, unsqueeze
from tritonflow.functions.view_complex import made_of
from tritonflow.functions.view_diagonals import diag_embed
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.recording import wants_gradient

_given_cofactors = op_expr("linalg_cofactors")
_given_second = op_expr("linalg_second_cofactors")


def _product(a: Tensor, b: Tensor, of_a: bool = False, of_b: bool = False) -> Any:
    """a b, with the adjoint of each of them if wanted."""
    return matmul(conj_physical(a) if of_a else a, conj_physical(b) if of_b else b, of_a, of_b)


@function("Tensor (Tensor dL, Tensor L)", bind_python=False)
def cholesky_grad(dL: Tensor, L: Tensor) -> Any:
    """L^-H S L^-1 / 2, S Hermitian with the lower triangle of L^H dL."""
    inner = _product(L, dL, of_a=True)
    middle = scalar_mul(add(tril(inner), adjoint(tril(inner, -1))), 0.5)
    return triangular(L, triangular(L, middle, False, True, True), False, False, False)


@function("Tensor (Tensor db, Tensor x, Bool upper, Bool adjoint, Bool left, Bool unit)", bind_python=False)
def triangular_grad(db: Tensor, x: Tensor, upper: bool, adjoint: bool, left: bool, unit: bool) -> Any:
    """The gradient by t of x with t x = b, where db is that by b: -db x^H in the triangle."""
    if left:
        dt = _product(x, db, of_b=True) if adjoint else _product(db, x, of_b=True)
    else:
        dt = _product(db, x, of_a=True) if adjoint else _product(x, db, of_a=True)
    beside_ones = 1 if unit else 0
    return negative(triu(dt, beside_ones) if upper else tril(dt, -beside_ones))


@function("Tensor (Tensor dx, Tensor a, Tensor factors, Tensor pivots)", bind_python=False)
def solve_grad(dx: Tensor, a: Tensor, factors: Tensor, pivots: Tensor) -> Any:
    """The gradient by b of x with a x = b; from LU, unless it is to be differentiated by a again."""
    if is_grad_enabled() and wants_gradient(a):
        return linalg_solve(adjoint(a), dx)
    return lu_solved(factors, pivots, dx, True)


@function("Tensor (Tensor dy, Tensor det, Tensor a, Tensor factors, Tensor pivots)", bind_python=False)
def det_grad(dy: Tensor, det: Tensor, a: Tensor, factors: Tensor, pivots: Tensor) -> Any:
    """The conjugates of the cofactors, conj(det) a^-H."""
    if is_differentiated_again(a):
        cofactors = _by_factors(ones_like(dy), a.detach(), factors.detach(), pivots)
        return mul(dispatch(_given_cofactors, (cofactors, a)), _each(dy))
    return _by_factors(dy, a, factors, pivots)


def _by_factors(dy: Tensor, a: Tensor, factors: Tensor, pivots: Tensor) -> Any:
    """dy times the conjugates of the cofactors from LU; of a singular matrix with the smallest number in place of a pivot 0."""
    least = epsilon(a)
    pivot = diagonal(factors, 0, -2, -1)
    zero = scalar_eq(pivot, 0)
    factors = add(factors, diag_embed(scalar_mul(cast(zero, pivot.meta.dtype), least)))
    filled = where_scalar_x(zero, least, pivot)
    return lu_solved(factors, pivots, diag_embed(_cofactors(dy, filled, pivots, a)), True)


@function("Tensor (Tensor direction, Tensor a)", bind_python=False)
def second_cofactors(direction: Tensor, a: Tensor) -> Any:
    """The derivative of c = conj(det a) a^-H, a = u diag(s) v^H, in a direction f, without a division: singular matrices have one.

    It is conj(det(u) det(v^H)) u m v^H. With g = u^H f v and p_ij the product of all singular values but s_i and s_j

        m_ij = -p_ij conj(g_ji),    m_ii = sum over j of p_ij conj(g_jj), j not i.
    """
    u, s, vh = singular("torch.linalg.det", a.detach(), True, None)
    sign = conj_physical(mul(linalg_det(u), linalg_det(vh)))
    one = expand(eye(a.meta.shape[-1], dtype=bool_, **beside(a)), a.meta.shape)
    others = product_of_others(where_scalar_x(one, 1.0, expand(unsqueeze(s, -2), a.meta.shape)), (-1,))
    others = mul(where_scalar_x(one, 0.0, others), _each(sign))
    value = _second(direction.detach(), u, vh, others)
    if not (is_grad_enabled() and (wants_gradient(direction) or wants_gradient(a))):
        return value
    return dispatch(_given_second, (value, direction, a))


def _second(direction: Tensor, u: Tensor, vh: Tensor, others: Tensor) -> Any:
    turned = _product(_product(u, direction, of_a=True), vh, of_b=True)
    turned = adjoint(turned)
    own = matmul(others, unsqueeze(diagonal(turned, 0, -2, -1), -1))
    middle = sub(diag_embed(squeeze(own, (-1,))), mul(others, turned))
    return _product(_product(u, middle), vh)


@function("Tensor (Tensor dout, Tensor direction, Tensor a)", bind_python=False)
def third_cofactors(dout: Tensor, direction: Tensor, a: Tensor) -> Any:
    """The gradient by a of <x, conj(det) (<f, g> g - g f^H g)> with g = a^-H, for x = dout and a direction f.

    Raises:
        LinAlgError: the matrix is singular.
    """
    g = adjoint(linalg_inv(a))
    by_direction, by_dout = [_product(_product(g, f, of_b=True), g) for f in (direction, dout)]
    with_direction, with_dout = [_each(_inner(f, g)) for f in (direction, dout)]
    both = _each(_inner(dout, by_direction))
    total = mul(sub(mul(with_direction, with_dout), both), g)
    total = sub(total, add(mul(with_dout, by_direction), mul(with_direction, by_dout)))
    crossed = add(_product(_product(by_direction, dout, of_b=True), g), _product(_product(by_dout, direction, of_b=True), g))
    return mul(_each(conj_physical(linalg_det(a))), add(total, crossed))


def _inner(x: Tensor, y: Tensor) -> Any:
    """<x, y> of matrices."""
    return reduction.sum(mul(conj_physical(x), y), (-2, -1))


def _each(share: Tensor) -> Any:
    """A number of each matrix, for each of its elements."""
    return unsqueeze(unsqueeze(share, -1), -1)


def _repeated(share: Tensor, a: Tensor) -> Any:
    """A number of each matrix, once for each of its rows."""
    return expand(unsqueeze(share, -1), a.meta.shape[:-1])


def _cofactors(dy: Tensor, pivot: Tensor, pivots: Tensor, a: Tensor) -> Any:
    """dy times the conjugate of the product of the pivots with its sign, for each row."""
    n = a.meta.shape[-1]
    own = scalar_add(arange_end(n, dtype=int64, **beside(a)), 1)
    turns = scalar_mul(cast(ne(cast(pivots, int64), own), a.meta.dtype.to_real()), -2)
    sign = reduction.prod(scalar_add(turns, 1), (-1,), True)
    product = mul(conj_physical(reduction.prod(pivot, (-1,), True)), sign)
    return expand(mul(unsqueeze(dy, -1), product), a.meta.shape[:-1])


@function(
    "Tensor (Tensor dsign, Tensor dmagnitude, Tensor sign, Tensor a, Tensor factors, Tensor pivots)", bind_python=False
)
def slogdet_grad(dsign: Tensor, dmagnitude: Tensor, sign: Tensor, a: Tensor, factors: Tensor, pivots: Tensor) -> Any:
    """(dmagnitude + i Im(conj(sign) dsign)) a^-H; a real sign has no derivative."""
    dy = dmagnitude
    if a.meta.dtype.is_complex:
        dy = made_of(dmagnitude, imag(mul(conj_physical(sign), dsign)))
    share = diag_embed(_repeated(dy, a))
    if is_grad_enabled() and wants_gradient(a):
        return linalg_solve(adjoint(a), share)
    return lu_solved(factors, pivots, share, True)


# ------------------------------------------------------------------------------------------------------------------ LU


@function("Tensor (Tensor dfactors, Tensor factors, Tensor pivots)", bind_python=False)
def lu_factor_grad(dfactors: Tensor, factors: Tensor, pivots: Tensor) -> Any:
    """P L^-H (tril(L^H dL, -1) + triu(dU U^H)) U^-H; the rows or columns beyond the square add to dU or dL first."""
    m, n = factors.meta.shape[-2:]
    k = min(m, n)
    top = narrow(narrow(factors, -2, 0, k), -1, 0, k)
    lower, upper = tril(top, -1), triu(top)
    d_top = narrow(narrow(dfactors, -2, 0, k), -1, 0, k)
    d_lower, d_upper = tril(d_top, -1), triu(d_top)
    rest = None
    if m > n:
        below = narrow(factors, -2, k, m - k)
        rest = triangular(top, narrow(dfactors, -2, k, m - k), True, True, False)
        d_upper = sub(d_upper, _product(below, rest, of_a=True))
    elif n > m:
        behind = narrow(factors, -1, k, n - k)
        rest = triangular(top, narrow(dfactors, -1, k, n - k), False, True, True, True)
        d_lower = sub(d_lower, _product(rest, behind, of_b=True))
    inner = add(tril(add(_product(lower, d_lower, of_a=True), d_lower), -1), triu(_product(d_upper, upper, of_b=True)))
    inner = triangular(top, triangular(top, inner, False, True, True, True), True, True, False)
    if rest is not None:
        inner = cat([inner, rest], -2 if m > n else -1)
    return exchange_rows(inner, pivots, True)


# ------------------------------------------------------------------------------------------------------------------ QR


@function("Tensor (Tensor dq, Tensor dr, Tensor q, Tensor r, String mode)", bind_python=False)
def qr_grad(dq: Tensor, dr: Tensor, q: Tensor, r: Tensor, mode: str) -> Any:
    """The gradient of qr."""
    m, n = q.meta.shape[-2], r.meta.shape[-1]
    if mode == "r":
        raise AutogradError("The derivative of linalg.qr depends on Q, which is not computed when mode='r'")
    if mode == "complete" and m > n:
        raise AutogradError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols"
        )
    if m >= n:
        return _tall_qr_grad(dq, dr, q, r)
    square, behind = narrow(r, -1, 0, m), narrow(r, -1, m, n - m)
    d_square, d_behind = narrow(dr, -1, 0, m), narrow(dr, -1, m, n - m)
    dq = add(dq, _product(_product(q, behind), d_behind, of_b=True))
    return cat([_tall_qr_grad(dq, d_square, q, square), _product(q, d_behind)], -1)


def _tall_qr_grad(dq: Tensor, dr: Tensor, q: Tensor, r: Tensor) -> Any:
    """(dq + q S) r^-H, S Hermitian with the lower triangle of r dr^H - dq^H q: the diagonal of r is real."""
    inner = sub(_product(r, triu(dr), of_b=True), _product(dq, q, of_a=True))
    below = tril(inner, -1)
    symmetric = add(add(below, adjoint(below)), diag_embed(_real(diagonal(inner, 0, -2, -1))))
    return triangular(r, add(dq, _product(q, symmetric)), True, True, False)


# --------------------------------------------------------------------------------------- eigenvalues, singular values


def _over(x: Tensor, gaps: Tensor) -> Any:
    """x / gaps, and 0 where both are 0."""
    return div(x, where_scalar_x(logical_and(scalar_eq(x, 0), scalar_eq(gaps, 0)), 1.0, gaps))


def _on_diagonal(x: Tensor) -> Any:
    """Whether an element of square matrices is on the diagonal."""
    i = arange_end(x.meta.shape[-1], dtype=int64, **beside(x))
    return cast(eq(unsqueeze(i, 1), i), bool_)


@function("Tensor (Tensor dvalues, Tensor dvectors, Tensor values, Tensor vectors)", bind_python=False)
def eigh_grad(dvalues: Tensor, dvectors: Tensor, values: Tensor, vectors: Tensor) -> Any:
    """V (diag(dvalues) + the Hermitian part of (V^H dV) / E) V^H with E_ij = values_j - values_i.

    Raises:
        LinAlgError: the loss depends on the phases of complex vectors.
    """
    gaps = sub(unsqueeze(values, -2), unsqueeze(values, -1))
    inner = _product(vectors, dvectors, of_a=True)
    own = diagonal(inner, 0, -2, -1)
    diagonal_ = _on_diagonal(inner)
    inner = _over(where_scalar_x(diagonal_, 0.0, inner), where_scalar_x(diagonal_, 1.0, gaps))
    inner = add(scalar_mul(add(inner, adjoint(inner)), 0.5), diag_embed(dvalues))
    return without_phase(_product(_product(vectors, inner), vectors, of_b=True), own, "linalg_eigh_backward", "eigenvectors")


@function("Tensor (Tensor du, Tensor ds, Tensor dvh, Tensor u, Tensor s, Tensor vh, Bool full)", bind_python=False)
def svd_grad(du: Tensor, ds: Tensor, dvh: Tensor, u: Tensor, s: Tensor, vh: Tensor, full: bool) -> Any:
    """U (diag(ds) + (skew(U^H dU) / E) S + S (skew(V^H dV) / E)) V^H with E_ij = S_j^2 - S_i^2, and what leaves these spaces.

    The diagonal of skew(U^H dU) is that of complex vectors, and divided by 2 S.

    Raises:
        LinAlgError: the loss depends on the phases of complex vectors.
    """
    k = s.meta.shape[-1]
    m, n = u.meta.shape[-2], vh.meta.shape[-1]
    u, du = narrow(u, -1, 0, k), narrow(du, -1, 0, k)
    vh, dvh = narrow(vh, -2, 0, k), narrow(dvh, -2, 0, k)
    row, column = unsqueeze(s, -2), unsqueeze(s, -1)
    of_u = _product(u, du, of_a=True)
    of_v = _product(vh, dvh, of_b=True)
    diagonal_ = _on_diagonal(of_u)
    gaps = where_scalar_x(diagonal_, 1.0, mul(sub(row, column), add(row, column)))
    inner = add(mul(_over(_skew(of_u), gaps), row), mul(column, _over(_skew(of_v), gaps)))
    inner = add(inner, diag_embed(ds))
    phases = add(diagonal(of_u, 0, -2, -1), diagonal(of_v, 0, -2, -1))
    if u.meta.dtype.is_complex:
        turn = diag_embed(_over(diagonal(_skew(of_u), 0, -2, -1), scalar_mul(s, 2.0)))
        inner = add(where_scalar_x(diagonal_, 0.0, inner), add(diag_embed(ds), turn))
    if m > k:
        outside = _over(sub(du, _product(u, of_u)), row)
        found = _product(add(_product(u, inner), outside), vh)
    elif n > k:
        outside = _over(sub(dvh, _product(_product(dvh, vh, of_b=True), vh)), column)
        found = _product(u, add(_product(inner, vh), outside))
    else:
        found = _product(_product(u, inner), vh)
    return without_phase(found, phases, "svd_backward", "singular vectors")


def _skew(x: Tensor) -> Any:
    return sub(x, adjoint(x))


@function("Tensor (Tensor dp, Tensor p, Tensor a)", bind_python=False)
def pinv_grad(dp: Tensor, p: Tensor, a: Tensor) -> Any:
    """-(p x p)^H + (1 - a p) x p p^H + p^H p x (1 - p a) with x = dp^H, where the rank stays."""
    x = adjoint(dp)
    through = adjoint(_product(_product(p, x), p))
    right = _product(_product(x, p), p, of_b=True)
    left = _product(p, _product(p, x), of_a=True)
    right = sub(right, _product(a, _product(p, right)))
    left = sub(left, _product(_product(left, p), a))
    return sub(add(right, left), through)
