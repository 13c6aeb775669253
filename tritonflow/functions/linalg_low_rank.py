"""Functors of randomised factorisations of low rank (Halko, Martinsson and Tropp, Finding structure with randomness, 2009)."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.linalg import linalg_qr, singular
from tritonflow.functions.linalg_checks import check_floating, check_matrix
from tritonflow.functions.matmul import matmul
from tritonflow.functions.random import randn
from tritonflow.functions.reduction import mean
from tritonflow.functions.unary_complex import adjoint
from tritonflow.functions.view import expand, unshared


@functor("SvdLowRank")
def svd_lowrank(A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None) -> Any:
    """(U, S, V) of A - M, by an orthonormal basis Q of about its range: that of Q^H A (algorithm 5.1)."""
    check_matrix("svd_lowrank", A)
    check_floating("svd_lowrank", A)
    if M is not None:
        A = sub(A, expand(M, A.meta.shape))
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    if q < 0 or niter < 0:
        raise ArgumentValueError(f"svd_lowrank(): expected q and niter of at least 0, but got {q} and {niter}")
    wide = A.meta.shape[-2] < A.meta.shape[-1]
    tall = adjoint(A) if wide else A
    basis = _basis(tall, q, niter)
    u, values, vh = singular("svd_lowrank", matmul(adjoint(basis), tall), False, None)
    u, v = matmul(basis, u), unshared(adjoint(vh))
    return (v, values, u) if wide else (u, values, v)


def _basis(a: Tensor, q: int, niter: int) -> Any:
    """q orthonormal columns whose span is about the range of a (algorithm 4.4)."""
    drawn = randn((a.meta.shape[-1], q), dtype=a.meta.dtype, **beside(a))
    basis = linalg_qr(matmul(a, drawn))[0]
    for _ in range(niter):
        basis = linalg_qr(matmul(adjoint(a), basis))[0]
        basis = linalg_qr(matmul(a, basis))[0]
    return basis


@functor("PcaLowRank")
def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> Any:
    """(U, S, V) of A, or of A without the mean of its rows."""
    check_matrix("pca_lowrank", A)
    check_floating("pca_lowrank", A)
    m, n = A.meta.shape[-2:]
    if q is None:
        q = min(6, m, n)
    if not 0 <= q <= min(m, n):
        raise ArgumentValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ArgumentValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(sub(A, mean(A, (-2,), True)) if center else A, q, niter)
