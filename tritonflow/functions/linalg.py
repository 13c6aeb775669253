"""Functors of factorisations of matrices: Cholesky, LU, QR, eigenvalues, singular values."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, int32, int64
from tritonflow.errors import ArgumentValueError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import arange_end, empty, eye, ones, tril, triu, zeros
from tritonflow.functions.generated import eq, mul
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.linalg_checks import (
    check_floating,
    check_matrix,
    check_square,
    checked,
    no_eigenvalues,
    no_singular_values,
    not_positive,
    transposed,
    zero_pivot,
)
from tritonflow.functions.matmul import matmul
from tritonflow.functions.view import expand, narrow, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.recording import wants_gradient

_cholesky = op_expr("linalg_cholesky_ex")
_lu_factor = op_expr("linalg_lu_factor_ex")
_exchange = op_expr("exchange_rows")
_qr = op_expr("linalg_qr")
_geqrf = op_expr("geqrf")
_householder = op_expr("linalg_householder_product")
_eigh = op_expr("linalg_eigh")
_svd = op_expr("linalg_svd")


# ----------------------------------------------------------------------------------------------------------- Cholesky


def factored(function: str, A: Tensor, upper: bool) -> tuple[Tensor, Tensor]:
    check_floating(function, A)
    check_square(function, A)
    factor, info = dispatch(_cholesky, (transposed(A) if upper else A,))
    return (unshared(transposed(factor)) if upper else factor), info


@functor("CholeskyEx")
def cholesky_ex(A: Tensor, upper: bool = False, check_errors: bool = False) -> Any:
    factor, info = factored("linalg.cholesky_ex", A, upper)
    return (checked(factor, info, "linalg.cholesky_ex", not_positive) if check_errors else factor), info


@functor("LinalgCholesky")
def linalg_cholesky(A: Tensor, upper: bool = False) -> Any:
    return checked(*factored("linalg.cholesky", A, upper), "linalg.cholesky", not_positive)


@functor("Cholesky")
def cholesky(input: Tensor, upper: bool = False) -> Any:
    return checked(*factored("cholesky", input, upper), "cholesky", not_positive)


# ------------------------------------------------------------------------------------------------------------------ LU


def lu_of(function: str, A: Tensor, pivot: bool) -> tuple[Tensor, Tensor, Tensor]:
    """LU, pivots, info."""
    check_floating(function, A)
    check_matrix(function, A)
    if not pivot:
        raise InvalidArgumentError(f"{function}: LU without pivoting is not implemented on the CPU")
    return dispatch(_lu_factor, (A,))  # type: ignore[no-any-return]


@functor("LuFactorEx")
def lu_factor_ex(A: Tensor, pivot: bool = True, check_errors: bool = False) -> Any:
    factors, pivots, info = lu_of("linalg.lu_factor_ex", A, pivot)
    return (checked(factors, info, "linalg.lu_factor_ex", zero_pivot) if check_errors else factors), pivots, info


@functor("LuFactor")
def lu_factor(A: Tensor, pivot: bool = True) -> Any:
    factors, pivots, info = lu_of("linalg.lu_factor", A, pivot)
    return checked(factors, info, "torch.linalg.lu_factor", zero_pivot), pivots


@functor("OldLu")
def old_lu(A: Tensor, pivot: bool = True, get_infos: bool = False) -> Any:
    factors, pivots, info = lu_of("linalg.lu_factor_ex", A, pivot)
    return (factors, pivots, info) if get_infos else (checked(factors, info, "torch.linalg.lu_factor_ex", zero_pivot), pivots)


@functor("LinalgLu")
def linalg_lu(A: Tensor, pivot: bool = True) -> Any:
    factors, pivots, _ = lu_of("linalg.lu", A, pivot)
    return lu_unpack(factors, pivots)


@functor("LuUnpack")
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """(P, L, U) with A = P L U; what is not wanted is empty."""
    if LU_data.meta.ndim < 2:
        raise ShapeError("torch.lu_unpack: LU_data must have at least 2 dimensions.")
    nothing = empty((0,), dtype=LU_data.meta.dtype, **beside(LU_data))
    *batch, m, n = LU_data.meta.shape
    permutation = lower = upper = nothing
    if unpack_pivots:
        check_pivots(LU_pivots)
        if LU_pivots.meta.shape != (*batch, min(m, n)):
            raise ShapeError(
                f"torch.lu_unpack: Expected LU_pivots of shape {[*batch, min(m, n)]} for LU_data of shape {[*batch, m, n]}, but"
                f" got pivots of shape {list(LU_pivots.meta.shape)}"
            )
        one = expand(eye(m, dtype=LU_data.meta.dtype, **beside(LU_data)), (*batch, m, m))
        permutation = exchange_rows(one, LU_pivots, True)
    if unpack_data:
        least = min(m, n)
        lower = with_unit_diagonal(tril(narrow(LU_data, -1, 0, least), -1))
        upper = triu(narrow(LU_data, -2, 0, least))
    return permutation, lower, upper


def check_pivots(pivots: Tensor) -> None:
    if pivots.meta.dtype is not int32:
        raise InvalidArgumentError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
            "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor"
        )


def with_unit_diagonal(lower: Tensor) -> Any:
    """A strict lower triangle with ones on the diagonal."""
    rows, columns = lower.meta.shape[-2:]
    i, j = (arange_end(k, dtype=int64, **beside(lower)) for k in (rows, columns))
    return add(lower, cast(eq(unsqueeze(i, 1), j), lower.meta.dtype))


@functor("ExchangeRows")
def exchange_rows(b: Tensor, pivots: Tensor, undo: bool) -> Any:
    """The rows of b exchanged with those that pivots name, one after the other, or back."""
    return dispatch(_exchange, (b, pivots), (undo,))


# ------------------------------------------------------------------------------------------------------------------ QR


@functor("Qr")
def linalg_qr(A: Tensor, mode: str = "reduced") -> Any:
    check_floating("linalg.qr", A)
    check_matrix("linalg.qr", A)
    if mode not in ("reduced", "complete", "r"):
        raise InvalidArgumentError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    q, r = dispatch(_qr, (A,), (mode == "complete", mode))
    return (empty((0,), dtype=A.meta.dtype, **beside(A)) if mode == "r" else q), r


@functor("OldQr")
def old_qr(input: Tensor, some: bool = True) -> Any:
    return linalg_qr(input, "reduced" if some else "complete")


@functor("GeQrf")
def geqrf(input: Tensor) -> Any:
    check_matrix("torch.geqrf", input, "input")
    check_floating("geqrf", input)
    return dispatch(_geqrf, (input,))


def _check_reflections(function: str, v: Tensor, tau: Tensor) -> None:
    if v.meta.ndim < 2:
        raise ShapeError(f"{function}: input must have at least 2 dimensions.")
    m, n = v.meta.shape[-2:]
    if m < n:
        raise ShapeError(f"{function}: input.shape[-2] must be greater than or equal to input.shape[-1]")
    if tau.meta.ndim and n < tau.meta.shape[-1]:
        raise ShapeError(f"{function}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    if v.meta.ndim - tau.meta.ndim != 1:
        raise ShapeError(
            f"{function}: Expected tau to have one dimension less than input, but got tau.ndim equal to {tau.meta.ndim} and"
            f" input.ndim is equal to {v.meta.ndim}"
        )
    if v.meta.shape[:-2] != tau.meta.shape[:-1]:
        raise ShapeError(
            f"{function}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {list(tau.meta.shape[:-1])}"
        )
    if tau.meta.dtype is not v.meta.dtype:
        raise InvalidArgumentError(
            f"{function}: tau dtype {tau.meta.dtype} does not match input dtype {v.meta.dtype}"
        )


@functor("HouseholderProduct")
def householder_product(input: Tensor, tau: Tensor) -> Any:
    """The first columns of H_0 H_1 ...; with gradients one reflection after the other."""
    _check_reflections("torch.linalg.householder_product", input, tau)
    check_floating("linalg.householder_product", input)
    if not (wants_gradient(input) or wants_gradient(tau)):
        return dispatch(_householder, (input, tau))
    m, n = input.meta.shape[-2:]
    one = eye(m, n, dtype=input.meta.dtype, **beside(input))
    if not tau.meta.shape[-1]:  # the gradient is 0, not none
        return add(masked_fill(input, ones((), dtype=bool_, **beside(input)), 0), one)
    return _reflected(input, tau, expand(one, (*input.meta.shape[:-2], m, n)), range(tau.meta.shape[-1] - 1, -1, -1))


def _reflected(v: Tensor, tau: Tensor, b: Any, order: Any) -> Any:
    """b with the reflections of v applied in an order."""
    vectors = with_unit_diagonal(tril(v, -1))
    for k in order:
        vector = narrow(vectors, -1, k, 1)
        share = matmul(transposed(vector), b)
        b = sub(b, mul(matmul(vector, share), unsqueeze(narrow(tau, -1, k, 1), -1)))
    return b


@functor("OrmQr")
def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Any:
    """Q b, Q^T b, b Q or b Q^T with the whole Q of reflections."""
    check_floating("ormqr", input)
    if input.meta.ndim < 2:
        raise ShapeError("torch.ormqr: input must have at least 2 dimensions.")
    if other.meta.ndim < 2:
        raise ShapeError("torch.ormqr: other must have at least 2 dimensions.")
    if not tau.meta.ndim:
        raise ShapeError("torch.ormqr: Expected tau to have one dimension less than input, but got tau.ndim equal to 0")
    side = -2 if left else -1
    if other.meta.shape[side] < tau.meta.shape[-1]:
        raise ShapeError(f"torch.ormqr: other.shape[{side}] must be greater than or equal to tau.shape[-1]")
    if other.meta.shape[side] != input.meta.shape[-2]:
        raise ShapeError(f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2]")
    b = other if left else transposed(other)
    count = tau.meta.shape[-1]
    forwards = transpose == left  # Q^T b takes the first reflection first
    result = _reflected(input, tau, b, range(count) if forwards else range(count - 1, -1, -1))
    return result if left else unshared(transposed(result))


# --------------------------------------------------------------------------------------- eigenvalues, singular values


def eigen(function: str, A: Tensor, UPLO: str) -> tuple[Any, Any]:
    check_floating(function, A)
    check_square(function, A)
    if UPLO.upper() not in ("L", "U"):
        raise ArgumentValueError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    values, vectors, info = dispatch(_eigh, (A,), (UPLO.upper() == "L",))
    return checked(values, info, function, no_eigenvalues), vectors


@functor("Eigh")
def linalg_eigh(A: Tensor, UPLO: str = "L") -> Any:
    return eigen("linalg.eigh", A, UPLO)


@functor("EigvalsH")
def linalg_eigvalsh(A: Tensor, UPLO: str = "L") -> Any:
    return eigen("linalg.eigvalsh", A, UPLO)[0]


def singular(function: str, A: Tensor, full: bool, driver: str | None) -> tuple[Any, Any, Any]:
    check_floating(function, A)
    check_matrix(function, A)
    if driver is not None:
        raise InvalidArgumentError(
            f"{function}: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )
    u, values, vh, info = dispatch(_svd, (A,), (full,))
    return u, checked(values, info, function, no_singular_values), vh


@functor("LinalgSvd")
def linalg_svd(A: Tensor, full_matrices: bool = True, driver: str | None = None) -> Any:
    return singular("linalg.svd", A, full_matrices, driver)


@functor("SvdVals")
def linalg_svdvals(A: Tensor, driver: str | None = None) -> Any:
    return singular("linalg.svdvals", A, False, driver)[1]


@functor("Svd")
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    u, values, vh = singular("linalg.svd", input, not some and compute_uv, None)
    if compute_uv:
        return u, values, unshared(transposed(vh))
    *batch, m, n = input.meta.shape
    like: dict[str, Any] = {"dtype": input.meta.dtype, **beside(input)}
    return zeros((*batch, m, m), **like), values, zeros((*batch, n, n), **like)

