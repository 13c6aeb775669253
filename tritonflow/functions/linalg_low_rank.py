"""Functors of randomised factorisations of low rank (Halko, Martinsson and Tropp, Finding structure with randomness, 2009)."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.linalg_checks import check_floating, check_matrix
from tritonflow.functions.linalg_orthogonal import linalg_qr
from tritonflow.functions.linalg_spectra import singular
from tritonflow.functions.matmul import matmul
from tritonflow.functions.random import randn
from tritonflow.functions.reduction import mean
from tritonflow.functions.unary_complex import adjoint
from tritonflow.functions.view import expand, unshared


@function(
    "TensorTuple (Tensor A, Int32 q=6, Int32 niter=2, Tensor M=None)",
    samples={"none": "random, and signs of vectors are free: tests/ops/test_linalg_low_rank.py"}, tolerance="matmul",
    autocast="float32",
)
def svd_lowrank(A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None) -> Any:
    """The q largest singular values of A - M with their vectors U, S and V, by a random basis.

    A - M is about U diag(S) V^T. The basis of the range is random: `flow.manual_seed` makes it the
    same. After Halko, Martinsson and Tropp, Finding structure with randomness, 2009, algorithm 5.1.

    Args:
        A: matrices of any size.
        q: how many singular values, a little more than the rank that is expected.
        niter: how many power iterations make the basis better.
        M: what is taken off A first, broadcast to it.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> U (..., m, q), S (..., q), V (..., n, q).

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: q or niter is negative.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.svd_lowrank.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.ones(5, 1) @ flow.ones(1, 4)  # of rank 1
        >>> U, S, V = flow.svd_lowrank(A, q=2)
        >>> flow.allclose(U @ flow.diag(S) @ V.T, A, atol=1e-4)
        True
    """
    # (U, S, V) of A - M, by an orthonormal basis Q of about its range: that of Q^H A (algorithm 5.1).
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


@function(
    "TensorTuple (Tensor A, Int32 q=None, Bool center=True, Int32 niter=2)",
    samples={"none": "random, and signs of vectors are free: tests/ops/test_linalg_low_rank.py"}, tolerance="matmul",
    autocast="float32",
)
def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> Any:
    """The q first principal components of rows as U, S and V, by a random basis.

    The columns of V are the directions of the greatest variance, A V[:, :k] are the first k components
    of the rows. The basis is random: `flow.manual_seed` makes it the same.

    Args:
        A: a row for each sample.
        q: how many components; default min(6, m, n).
        center: whether the mean row is taken off first.
        niter: how many power iterations make the basis better.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> U (..., m, q), S (..., q), V (..., n, q).

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: q is negative or greater than min(m, n), or niter is negative.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pca_lowrank.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
        >>> U, S, V = flow.pca_lowrank(A, q=1)
        >>> flow.allclose(abs(V), flow.full((2, 1), 0.5**0.5), atol=1e-4)  # along the diagonal
        True
    """
    # (U, S, V) of A, or of A without the mean of its rows.
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
