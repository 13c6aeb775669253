"""Functors of factorisations of matrices: Cholesky, LU, QR, eigenvalues, singular values."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
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


@function(
    "Tensor (Tensor input, *, Bool upper=False)",
    export="linalg", reference="torch.linalg.cholesky", samples="definite", tolerance="matmul", autocast="float32",
)
def linalg_cholesky(A: Tensor, upper: bool = False) -> Any:
    """The lower triangular L with A = L L^T.

    L has a positive diagonal. Only the lower triangle of each matrix is read; that it is symmetric is
    not checked.

    Args:
        input: the input.
        upper: whether the upper triangular U with A = U^T U is given instead; the upper triangle is read
            then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a matrix is not positive definite.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cholesky.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> L = flow.linalg.cholesky(A)
        >>> L
        tensor([[2., 0.],
                [1., 2.]])
        >>> L @ L.T
        tensor([[4., 2.],
                [2., 5.]])
    """
    return checked(*factored("linalg.cholesky", A, upper), "linalg.cholesky", not_positive)


@function(
    "Tensor (Tensor input, Bool upper=False)",
    methods="cholesky", samples="definite", tolerance="matmul", autocast="float32",
)
def cholesky(input: Tensor, upper: bool = False) -> Any:
    """The lower triangular L with A = L L^T.

    L has a positive diagonal. Only the lower triangle of each matrix is read; that it is symmetric is
    not checked.

    Args:
        input: the input.
        upper: whether the upper triangular U with A = U^T U is given instead; the upper triangle is read
            then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.cholesky`.

    Raises:
        LinAlgError: a matrix is not positive definite.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cholesky.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> L = flow.cholesky(A)
        >>> L
        tensor([[2., 0.],
                [1., 2.]])
        >>> L @ L.T
        tensor([[4., 2.],
                [2., 5.]])
    """
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


@function(
    "TensorTuple[LU, pivots] (Tensor A, *, Bool pivot=True)",
    name="linalg_lu_factor", export="linalg", reference="torch.linalg.lu_factor", samples="matrices", tolerance="matmul",
    autocast="float32",
)
def lu_factor(A: Tensor, pivot: bool = True) -> Any:
    """A = P L U with L and U in one matrix, and P as exchanges of rows.

    L has ones on its diagonal, which are not stored. Row i was exchanged with row pivots[i] - 1, in the
    order of i. `flow.linalg.lu_solve` solves equations with the two results.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> LU (..., m, n), pivots (..., min(m, n)).

    Returns:
        A named tuple `(LU, pivots)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: the diagonal of U has a zero.
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu_factor.

    Example:
        >>> import tritonflow as flow
        >>> LU, pivots = flow.linalg.lu_factor(flow.tensor([[1.0, 2.0], [4.0, 4.0]]))
        >>> LU
        tensor([[4.0000, 4.0000],
                [0.2500, 1.0000]])
        >>> pivots.tolist()
        [2, 2]
    """
    factors, pivots, info = lu_of("linalg.lu_factor", A, pivot)
    return checked(factors, info, "torch.linalg.lu_factor", zero_pivot), pivots


@function(
    "Any (Tensor A, Bool pivot=True, Bool get_infos=False)",
    name="lu", methods="lu", samples="matrices", tolerance="matmul", autocast="float32",
)
def old_lu(A: Tensor, pivot: bool = True, get_infos: bool = False) -> Any:
    """lu_factor, with get_infos lu_factor_ex.

    The older name of `flow.linalg.lu_factor`: A = P L U, with L and U in one matrix.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        get_infos: whether the third result says where the diagonal of U has its first zero.

    Shape:
        (..., m, n) -> (..., m, n), (..., min(m, n)), and (...) with get_infos.

    Under `flow.autocast` it computes in float32. Method: `Tensor.lu`.

    Raises:
        LinAlgError: the diagonal of U has a zero, without get_infos.
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lu.

    Example:
        >>> import tritonflow as flow
        >>> LU, pivots, info = flow.lu(flow.tensor([[1.0, 2.0], [4.0, 4.0]]), get_infos=True)
        >>> pivots.tolist(), info.item()
        ([2, 2], 0)
    """
    factors, pivots, info = lu_of("linalg.lu_factor_ex", A, pivot)
    return (factors, pivots, info) if get_infos else (checked(factors, info, "torch.linalg.lu_factor_ex", zero_pivot), pivots)


@function(
    "TensorTuple[P, L, U] (Tensor A, *, Bool pivot=True)",
    export="linalg", reference="torch.linalg.lu", samples="matrices", tolerance="matmul", autocast="float32",
)
def linalg_lu(A: Tensor, pivot: bool = True) -> Any:
    """A = P L U.

    P is a permutation matrix, L is lower triangular with ones on its diagonal, U is upper triangular.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> P (..., m, m), L (..., m, k), U (..., k, n) with k = min(m, n).

    Returns:
        A named tuple `(P, L, U)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 2.0], [4.0, 4.0]])
        >>> P, L, U = flow.linalg.lu(A)
        >>> P
        tensor([[0., 1.],
                [1., 0.]])
        >>> flow.equal(P @ L @ U, A)
        True
    """
    factors, pivots, _ = lu_of("linalg.lu", A, pivot)
    return lu_unpack(factors, pivots)


@function(
    "TensorTuple[P, L, U] (Tensor LU_data, Tensor LU_pivots, Bool unpack_data=True, Bool unpack_pivots=True)",
    samples="factored", tolerance="matmul", autocast="float32",
)
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """P, L and U of lu_factor.

    Args:
        LU_data: L and U in one matrix, as `flow.linalg.lu_factor` gives them.
        LU_pivots: the exchanges of rows, int32.
        unpack_data: whether L and U are made; without it they are empty.
        unpack_pivots: whether P is made; without it it is empty.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., min(m, n)) -> P (..., m, m), L (..., m, k), U (..., k, n) with k = min(m, n).

    Returns:
        A named tuple `(P, L, U)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the pivots are not int32.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lu_unpack.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 2.0], [4.0, 4.0]])
        >>> P, L, U = flow.lu_unpack(*flow.linalg.lu_factor(A))
        >>> flow.equal(P @ L @ U, A)
        True
    """
    # (P, L, U) with A = P L U; what is not wanted is empty.
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


@function(
    "TensorTuple[Q, R] (Tensor input, Bool some=True)",
    name="qr", methods="qr", samples="matrices", tolerance="matmul", autocast="float32",
)
def old_qr(input: Tensor, some: bool = True) -> Any:
    """A = Q R with orthonormal columns of Q and an upper triangular R.

    The older name of `flow.linalg.qr`.

    Args:
        input: the input.
        some: whether Q has min(m, n) columns, otherwise all m.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> Q (..., m, k), R (..., k, n) with k = min(m, n), or m without some.

    Returns:
        A named tuple `(Q, R)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.qr`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.qr.

    Example:
        >>> import tritonflow as flow
        >>> Q, R = flow.qr(flow.tensor([[3.0], [4.0]]), some=False)
        >>> Q.shape, R.shape, abs(R[0, 0]).item()
        (tritonflow.Size([2, 2]), tritonflow.Size([2, 1]), 5.0)
    """
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


@function(
    "Tensor (Tensor input, Tensor tau, Tensor other, Bool left=True, Bool transpose=False)",
    methods="ormqr", samples="reflections_and_sides", tolerance="matmul", autocast="float32",
)
def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Any:
    """A product with the whole product of Householder's reflections.

    It gives Q C, Q^T C, C Q or C Q^T, where Q = H_0 H_1 ... is the m x m matrix of the reflections; Q
    itself is never made.

    Args:
        input: the vectors of the reflections below the diagonal, as `flow.geqrf` gives them.
        tau: the factor of each reflection.
        other: the matrix C.
        left: whether Q stands left of C.
        transpose: whether Q^T stands for Q.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., k), (..., m, p) -> (..., m, p); with left=False C is (..., p, m).

    Under `flow.autocast` it computes in float32. Method: `Tensor.ormqr`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or a size of C that is not m.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ormqr.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 1.0], [4.0, 2.0]])
        >>> a, tau = flow.geqrf(A)
        >>> flow.allclose(flow.ormqr(a, tau, A, transpose=True), flow.triu(a), atol=1e-5)  # Q^T A is R
        True
    """
    # Q b, Q^T b, b Q or b Q^T with the whole Q of reflections.
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


@function(
    "Tensor (Tensor input, String UPLO='L')",
    export="linalg", reference="torch.linalg.eigvalsh", samples="symmetric", tolerance="matmul", autocast="float32",
)
def linalg_eigvalsh(A: Tensor, UPLO: str = "L") -> Any:
    """The eigenvalues of symmetric matrices.

    They rise. One triangle is read, and taken for the other one too.

    Args:
        input: the input.
        UPLO: which triangle is read: "L" or "U".
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: the iteration did not converge.
        ValueError: another UPLO.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.eigvalsh.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.linalg.eigvalsh(flow.tensor([[2.0, 1.0], [1.0, 2.0]]))
        >>> flow.allclose(w, flow.tensor([1.0, 3.0]))
        True
    """
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


@function(
    "Tensor (Tensor A, *, String driver=None)",
    export="linalg", reference="torch.linalg.svdvals", samples="matrices", tolerance="matmul", autocast="float32",
)
def linalg_svdvals(A: Tensor, driver: str | None = None) -> Any:
    """The singular values.

    They fall, and are at least 0: the square roots of the eigenvalues of A^T A.

    Args:
        A: matrices of any size.
        driver: None; another one is refused, because it names algorithms of CUDA.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., min(m, n)).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: a driver, fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.svdvals.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.svdvals(flow.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor([4., 3.])
    """
    return singular("linalg.svdvals", A, False, driver)[1]


@function(
    "TensorTuple[U, S, V] (Tensor input, Bool some=True, Bool compute_uv=True)",
    methods="svd", samples={"none": "signs of vectors are free: tests/ops/test_linalg.py"}, tolerance="matmul",
    autocast="float32",
)
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """U, S and V with A = U diag(S) V^T.

    The older name of `flow.linalg.svd`, which gives V^T instead.

    Args:
        input: the input.
        some: whether U and V have min(m, n) columns, otherwise all.
        compute_uv: whether U and V are made; otherwise they are zeros.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> U (..., m, k or m), S (..., k), V (..., n, k or n) with k = min(m, n).

    Returns:
        A named tuple `(U, S, V)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.svd`.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.svd.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
        >>> U, S, V = flow.svd(A)
        >>> flow.allclose(U @ flow.diag(S) @ V.T, A, atol=1e-5)
        True
    """
    u, values, vh = singular("linalg.svd", input, not some and compute_uv, None)
    if compute_uv:
        return u, values, unshared(transposed(vh))
    *batch, m, n = input.meta.shape
    like: dict[str, Any] = {"dtype": input.meta.dtype, **beside(input)}
    return zeros((*batch, m, m), **like), values, zeros((*batch, n, n), **like)

